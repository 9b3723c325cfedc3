"""The protocol of general game playing: forms of messages, bytes of requests and replies, what each side says."""

from __future__ import annotations

import asyncio

import pytest
from ggp_common import exchange, run, sheet, terms

from kibitz.ggp import kif, manager, player, protocol
from kibitz.ggp.protocol import Abort, Address, Info, Play, PlayerInfo, Preview, ProtocolError, Start, Stop
from kibitz.ggp.record import Record


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (Info(), "( INFO )"),
        (Preview(terms("(role x)"), 9), "( PREVIEW ( ( role x ) ) 9 )"),
        (Start("m.1", "x", terms("(role x)", "(<= a b)"), 10, 5), "( START m.1 x ( ( role x ) ( <= a b ) ) 10 5 )"),
        (Play("m.1", None), "( PLAY m.1 NIL )"),
        (Play("m.1", terms("(mark 1 2)", "noop")), "( PLAY m.1 ( ( mark 1 2 ) noop ) )"),
        (Play("m.1", None, 0, None), "( PLAY m.1 0 NIL NIL )"),
        (Play("m.1", terms("(opened 3)"), 2, "noop"), "( PLAY m.1 2 noop ( ( opened 3 ) ) )"),
        (Play("m.1", (), 3, "noop"), "( PLAY m.1 3 noop ( ) )"),
        (Stop("m.1", terms("a", "b")), "( STOP m.1 ( a b ) )"),
        (Stop("m.1", terms("p"), 3, "switch"), "( STOP m.1 3 switch ( p ) )"),
        (Abort("m.1"), "( ABORT m.1 )"),
    ],
)  # fmt: skip
def test_forms_of_messages(message: protocol.Message, text: str) -> None:
    assert str(message) == text
    assert protocol.parse_message(text) == message
    keyword = text.split()[1]
    assert protocol.parse_message(text.replace(keyword, keyword.lower(), 1)) == message
    assert protocol.parse_message(text.replace("( ", "(").replace(" )", ")")) == message


def test_older_and_longer_forms() -> None:
    assert protocol.parse_message("(start M x ((role x)) 1 2 and more (of it))") == Start(
        "M", "x", (("role", "x"),), 1, 2
    )
    assert protocol.parse_message("(PLAY m nil)") == Play("m", None)
    assert protocol.parse_message("( PLAY m ( ) )") == Play("m", ())
    assert protocol.parse_message("(PLAY m 0 nil nil)") == Play("m", None, 0, None)
    assert protocol.parse_message("INFO") == Info()
    assert protocol.parse_info("( ( name X ) ( status available ) )") == PlayerInfo("X", "available")
    assert protocol.parse_info("Busy") == PlayerInfo("", "busy")


@pytest.mark.parametrize(
    "text",
    ["", "(", ")", "( )", "(PLAY)", "(PLAY m)", "(PLAY (m) nil)", "(START m x rules 1 2)", "(START m x () -1 2)",
     "(START m x () 1 9999999999)", "(DANCE m)", "(INFO) (INFO)", "((INFO))", "(" * 1000 + ")" * 1000],
)  # fmt: skip
def test_what_is_no_message(text: str) -> None:
    with pytest.raises(ProtocolError):
        protocol.parse_message(text)


def test_bytes_of_requests_and_replies() -> None:
    assert protocol.request_bytes("( INFO )", "X") == (
        b"POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\nReceiver: X\r\n"
        b"Content-Type: text/acl\r\nContent-Length: 8\r\n\r\n( INFO )"
    )
    reply = protocol.reply_bytes("ready")
    assert reply.startswith(b"HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: 5\r\nAccess-Control-Allow-")
    assert reply.endswith(b"\r\n\r\nready")


@pytest.mark.parametrize(
    ("raw", "status", "body"),
    [
        (protocol.request_bytes("( INFO )", "X"), b"200 OK", b"( ( name Kibitz ) ( status available ) )"),
        (b"POST / HTTP/1.1\ncontent-length: 6\n\n(INFO)", b"200 OK", b"( ( name Kibitz ) ( status available ) )"),
        (b"GET /%28+INFO%20%29 HTTP/1.0\r\n\r\n", b"200 OK", b"( ( name Kibitz ) ( status available ) )"),
        (b"OPTIONS / HTTP/1.1\r\n\r\n", b"200 OK", b""),
        (protocol.request_bytes("( PREVIEW ( ( role x ) ) 3 )", "X"), b"200 OK", b"ready"),
        (protocol.request_bytes("( PLAY other NIL )", "X"), b"200 OK", b"busy"),
        (protocol.request_bytes("( STOP other NIL )", "X"), b"200 OK", b"busy"),
        (protocol.request_bytes("( ABORT other )", "X"), b"200 OK", b"busy"),
        (protocol.request_bytes("( START m x ( ( role x ) 1 1 )", "X"), b"400", b""),
        (protocol.request_bytes("nonsense", "X"), b"400", b""),
        (b"POST / HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n", b"400", b""),
        (b"POST / HTTP/1.0\r\nContent-Length: -1\r\n\r\n", b"400", b""),
        (b"POST / HTTP/1.0\r\n\r\n", b"400", b""),
        (b"BREW / HTCPCP/1.0\r\n\r\n", b"400", b""),
        (b"x" * 100_000, b"400", b""),
        (b"X: y\r\n" * 10_000, b"400", b""),
    ],
)
def test_what_a_player_answers(raw: bytes, status: bytes, body: bytes) -> None:
    async def talk() -> bytes:
        async with await protocol.serve("127.0.0.1", 0, player.Player(player.Settings()).answer) as server:
            return await exchange(server, raw)

    reply = run(talk())
    assert reply.startswith(b"HTTP/1.0 " + status)
    assert b"Access-Control-Allow-Origin: *" in reply
    assert reply.endswith(b"\r\n\r\n" + body) or status != b"200 OK"


def test_silent_peers_hold_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def talk() -> None:
        async with await protocol.serve("127.0.0.1", 0, player.Player(player.Settings()).answer) as server:
            where = server.sockets[0].getsockname()[:2]
            for _ in range(protocol.MOST_CONNECTIONS - 1):
                await asyncio.open_connection(*where)
            assert b"available" in await exchange(server, protocol.request_bytes("( INFO )", "X"))
            monkeypatch.setattr(protocol, "READ_SECONDS", 0.01)
            reader, _ = await asyncio.open_connection(*where)
            assert await reader.read() == b""  # given up

    run(talk())


@pytest.mark.parametrize("behind", [b"", b"\r\n"])
def test_peers_that_close_their_side_get_what_is_there_at_once(behind: bytes) -> None:
    async def talk() -> bytes:
        async with await protocol.serve("127.0.0.1", 0, player.Player(player.Settings()).answer) as server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
            writer.write(protocol.request_bytes("( INFO )", "X") + behind)
            writer.write_eof()
            return await reader.read()

    assert run(talk()).endswith(b"( ( name Kibitz ) ( status available ) )")


def test_addresses_of_players() -> None:
    assert Address.parse(" example.org:1 ") == Address("example.org", 1)
    assert str(Address.parse("[::1]:65535")) == "[::1]:65535"
    for text in ("a:0", "a:65536", "a:100000", "a:" + "9" * 10_000):
        with pytest.raises(ValueError, match="within 1 to 65535"):
            Address.parse(text)
    for text in ("", "a", ":1", "a:", "a:-1", "a:1.0", "http://a:1", "a b:1"):
        with pytest.raises(ValueError, match="write host:port"):
            Address.parse(text)


def conversation(name: str) -> tuple[Record, list[str]]:
    """A match in which the first role plays its first legal move, and the messages that came to it."""
    rules = sheet(name)
    heard: list[str] = []

    async def talk() -> Record:
        match: manager.Match

        async def answer(text: str) -> str:
            heard.append(text)
            return kif.spaced(kif.parse_one(match.referee.legal()[0][0])) if "PLAY" in text else "ready"

        async with await protocol.serve("127.0.0.1", 0, answer) as server:
            address = Address(*server.sockets[0].getsockname()[:2])
            others = [None] * (len(rules.seats) - 1)
            match = manager.Match(rules, name, [address, *others], manager.Settings(7, 3, seed=2))
            return await match.run()

    return run(talk()), heard


def test_what_a_manager_says() -> None:
    record, heard = conversation("tictactoe")
    assert record.errors == []
    name = record.match
    assert heard[0] == f"( START {name} x {kif.spaced(tuple(kif.parse(record.rules)))} 7 3 )"
    told = [kif.spaced(terms(*moves)) for moves in record.moves]
    assert told[0] == f"( {kif.spaced(kif.parse_one(record.moves[0][0]))} noop )"
    assert heard[1:] == [
        f"( PLAY {name} NIL )",
        *(f"( PLAY {name} {moves} )" for moves in told[:-1]),
        f"( STOP {name} {told[-1]} )",
    ]


def test_what_a_manager_says_where_things_are_hidden() -> None:
    record, heard = conversation("monty_hall")
    assert record.errors == []
    opened = record.moves[1][1].strip("()").split()[1]
    assert heard[1:] == [
        f"( PLAY {record.match} 0 NIL NIL )",
        f"( PLAY {record.match} 1 ( choose_door 1 ) ( ) )",
        f"( PLAY {record.match} 2 noop ( ( opened {opened} ) ) )",
        f"( STOP {record.match} 3 noop ( ) )",
    ]
