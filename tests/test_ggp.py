"""General game playing over the network: bytes of the protocol, matches between processes, bad players, records."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from gdl_sheets import SHEETS
from hypothesis import given
from hypothesis import strategies as st
from variants import effort

from kibitz import cli, gdl
from kibitz.ggp import kif, manager, player, protocol, thinker
from kibitz.ggp.protocol import Abort, Address, Info, Play, PlayerInfo, Preview, ProtocolError, Start, Stop
from kibitz.ggp.record import Record, pictures
from kibitz.ggp.referee import Referee, Rules, goals_that_hold, read_rules
from kibitz.ggp.scramble import Scrambler

PEERS = Path(__file__).with_name("ggp_peers.py")

# Everybody picks a number, four times; who picks 3 in the end has won.
PICKS = """
(role good) (role late) (role mad) (role dying)
(num 1) (num 2) (num 3)
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(init (step 1))
(<= (legal ?r (pick ?n)) (role ?r) (num ?n))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (chose ?r ?n)) (does ?r (pick ?n)))
(<= terminal (true (step 5)))
(<= (goal ?r 100) (true (chose ?r 3)))
(<= (goal ?r 0) (role ?r) (not (true (chose ?r 3))))
"""


def sheet(name: str) -> Rules:
    return read_rules(gdl.find(name).read_text(encoding="utf-8"))


def terms(*texts: str) -> tuple[kif.Term, ...]:
    return tuple(map(kif.parse_one, texts))


# ----------------------------------------------------------------------------------------------------- the bytes


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


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, 60))


async def exchange(server: asyncio.Server, raw: bytes) -> bytes:
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
    writer.write(raw)
    try:
        return await reader.read()
    finally:
        writer.close()


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
    monkeypatch.setattr(protocol, "READ_SECONDS", 0.3)

    async def talk() -> None:
        async with await protocol.serve("127.0.0.1", 0, player.Player(player.Settings()).answer) as server:
            where = server.sockets[0].getsockname()[:2]
            silent = [await asyncio.open_connection(*where) for _ in range(protocol.MOST_CONNECTIONS - 1)]
            assert b"available" in await exchange(server, protocol.request_bytes("( INFO )", "X"))
            for reader, writer in silent:
                assert await reader.read() == b""  # given up
                writer.close()

    run(talk())


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


# ------------------------------------------------------------------------------------------------------ fuzzing

ATOMS = st.sampled_from(["PLAY", "start", "STOP", "info", "ABORT", "PREVIEW", "m", "nil", "1", "0", "-3", "?x", "role"])
TERMS: st.SearchStrategy[Any] = st.recursive(ATOMS, lambda inner: st.lists(inner, max_size=6).map(tuple), max_leaves=20)


@given(st.one_of(st.text(max_size=200), st.text("() \n;PLAYSTAROI01nil", max_size=200), TERMS.map(kif.spaced)))
@effort(150)
def test_any_text_is_a_message_or_an_error(text: str) -> None:
    with contextlib.suppress(ProtocolError):
        message = protocol.parse_message(text)
        assert protocol.parse_message(str(message)) == message
    with contextlib.suppress(ProtocolError):
        protocol.parse_info(text)


@given(TERMS)
@effort(100)
def test_terms_are_read_as_they_are_written(term: kif.Term) -> None:
    assert kif.parse_one(kif.text(term)) == kif.parse_one(kif.spaced(term)) == term


@given(st.binary(max_size=300), st.sampled_from([b"", b"POST / HTTP/1.0\r\n", b"GET /", b"HTTP/1.0 200 OK\r\n"]))
@effort(100)
def test_any_bytes_are_read_or_refused(raw: bytes, start: bytes) -> None:
    async def read(reading: Callable[[asyncio.StreamReader], Coroutine[Any, Any, Any]]) -> None:
        reader = asyncio.StreamReader(limit=protocol.MOST_HEAD)
        reader.feed_data(start + raw)
        reader.feed_eof()
        with contextlib.suppress(ProtocolError):
            await asyncio.wait_for(reading(reader), 5)

    async def both() -> None:
        await read(protocol.read_request)
        await read(protocol.read_reply)

    asyncio.run(both())


@given(st.dictionaries(st.text(max_size=10), st.integers() | st.text(max_size=5) | st.lists(st.integers(), max_size=3)))
@effort(50)
def test_any_json_is_a_record_or_an_error(data: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="record"):
        Record.from_dict(data)
    usual: dict[str, Any] = {"format": "kibitz ggp match", "version": 1, "match": "m", "status": "over"}
    usual |= {"roles": ["x"], "players": ["p"], "states": [["a"], ["(b 1)"]], "moves": [["go"]]}
    Record.from_dict(usual)
    for member in usual.keys() - {"match", "status"}:
        for wrong in data.values():
            with pytest.raises(ValueError, match=r"record|must|lead"):
                Record.from_dict(usual | {member: wrong})


# --------------------------------------------------------------------------------------------- referee and names


@pytest.mark.parametrize("name", gdl.rulesheets())
def test_scrambled_names_give_the_same_game(name: str) -> None:
    rules = sheet(name)
    names = Scrambler(rules.names, 5)
    strange = Rules(names.there(item) for item in rules.items)
    kept = strange.names & rules.names
    assert {word for word in kept if not word.isdigit() and word.lower() not in kif.KEYWORDS} == set()
    plain, scrambled = Referee(rules), Referee(strange)
    rng = random.Random(1)

    def back(text: str) -> str:
        return kif.text(names.back(kif.parse_one(text)))

    while not plain.over:
        legal = plain.legal()
        assert [sorted(map(back, moves)) for moves in scrambled.legal()] == [sorted(moves) for moves in legal]
        assert sorted(map(back, scrambled.fluents())) == sorted(plain.fluents())
        moves = [rng.choice(known) for known in legal]
        plain.play(moves)
        scrambled.play([kif.text(names.there(kif.parse_one(move))) for move in moves])
        seen = [sorted(map(back, percepts)) for percepts in scrambled.percepts()]
        assert seen == [sorted(percepts) for percepts in plain.percepts()]
    assert scrambled.over
    assert scrambled.goals == plain.goals
    assert goals_that_hold(rules, plain.fluents()) == {
        role: [goal] for role, goal in zip(plain.roles, plain.goals, strict=True)
    }


def test_goals_that_are_none_or_several() -> None:
    rules = read_rules(
        "(role a) (role b) (init go) (legal a x) (legal b x) (<= terminal (not (true go))) (<= (next stop) (true go))"
        "(<= (goal a 10) (true stop)) (<= (goal a 20) (true stop)) (<= (goal b 5) (true go))"
    )
    record = run(manager.Match(rules, "odd", [None, None], manager.Settings()).run())
    assert record.goals == [20, 0]
    assert [(error.role, error.error, error.why) for error in record.errors] == [
        ("a", "GOAL", "several goals hold at the end: 10, 20"),
        ("b", "GOAL", "no goal holds at the end"),
    ]


# ------------------------------------------------------------------------------------------------------- thinking


def follow(rules: Rules, seed: int, most: int = 50) -> None:
    """Thinkers of all roles know their legal moves, by what they are told alone."""
    referee, rng = Referee(rules), random.Random(seed)
    minds = {role: thinker.Thinker(rules, role, "random", seed) for role in rules.seats}
    while not referee.over and referee.turn < most:
        for role, legal in zip(referee.roles, referee.legal(), strict=True):
            assert role not in minds or sorted(minds[role].match.legal()) == sorted(legal)
        moves = [rng.choice(legal) for legal in referee.legal()]
        referee.play(moves)
        for at, role in enumerate(referee.roles if not referee.over else []):
            if role in minds and rules.hidden:
                seen = terms(*referee.percepts()[at])
                assert minds[role].told(seen, referee.turn, kif.parse_one(moves[at])) == ""
            elif role in minds:
                assert minds[role].told(terms(*moves), None, None) == ""


@pytest.mark.parametrize("name", gdl.rulesheets())
def test_thinkers_follow_a_match(name: str) -> None:
    follow(sheet(name), 3)


@pytest.mark.parametrize("name", SHEETS)
def test_thinkers_follow_odd_rulesheets(name: str) -> None:
    follow(read_rules(SHEETS[name].text), 1, most=12)


@pytest.mark.parametrize("name", ["blind_tictactoe", "kuhn_poker", "monty_hall"])
def test_histories_are_worked_out_where_guesses_fail(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinker.HiddenMatch, "_guess", lambda self, own, seen: (None, False))
    follow(sheet(name), 4)


def test_thinkers_go_on_where_nothing_fits() -> None:
    mind = thinker.Thinker(sheet("tictactoe"), "O", "random", 1)
    assert "not legal" in mind.told(terms("(mark 9 9)", "noop"), None, None)
    assert "not legal" in mind.told(terms("noop"), None, None)
    assert mind.match.turn == 2
    assert mind.choose(time.monotonic()) in mind.match.legal()
    poker = thinker.Thinker(sheet("kuhn_poker"), "first", None, 1)
    assert "cannot be" in poker.told(terms("(dealt ace)"), 1, "noop")
    assert sorted(poker.match.legal()) == ["bet", "check"]
    assert "were missed" in poker.told((), 3, None) or poker.match.turn == 3


def test_nothing_seen_may_be_nil() -> None:
    for first, later in ((None, None), (0, 1)):
        mind = thinker.Thinker(sheet("monty_hall"), "candidate", "random", 1)
        assert mind.told(None, first, None) == ""
        assert mind.told(None, later, ("choose_door", "2")) == ""
        assert mind.match.turn == 1
        assert mind.match.legal() == ["noop"]


def test_work_that_does_not_end_is_left_behind() -> None:
    worker = thinker.Worker()
    with pytest.raises(ValueError, match="not ready in time"):
        worker.do(time.sleep, 0.3, until=time.monotonic() + 0.01)
    assert worker.do(lambda: 3) == 3


def test_the_agent_fits_the_game() -> None:
    assert thinker.Thinker(sheet("tictactoe"), "x", None, 1).agent == "uct"
    assert thinker.Thinker(sheet("kuhn_poker"), "first", None, 1).agent == "ismcts"
    assert thinker.Thinker(sheet("kuhn_poker"), "first", "uct", 1).agent == "ismcts"  # uct cannot play it
    assert thinker.Thinker(sheet("tictactoe"), "x", "pimc:worlds=3", 1).agent == "pimc:worlds=3"
    with pytest.raises(ValueError, match="roles are x, o"):
        thinker.Thinker(sheet("tictactoe"), "z", None, 1)


# ------------------------------------------------------------------------------------------------ whole matches


@contextlib.contextmanager
def process(*command: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A program, and the first line it says."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    running = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True, env=environment)
    assert running.stdout is not None
    try:
        yield running, running.stdout.readline().strip()
    finally:
        running.kill()
        running.wait()
        running.stdout.close()


MAIN = ("-c", "from kibitz.cli import main; main()")


@contextlib.contextmanager
def kibitz_player(*options: str) -> Iterator[tuple[subprocess.Popen[str], Address]]:
    with process(*MAIN, "ggp", "player", "--port", "0", *options) as (running, line):
        yield running, Address.parse(line.split()[-1])


def bad_player(kind: str) -> contextlib.AbstractContextManager[tuple[subprocess.Popen[str], str]]:
    return process(str(PEERS), kind)


def test_bad_players_spoil_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manager, "LATE", 0.0)
    rules = read_rules(PICKS)
    with (
        kibitz_player() as (_, good),
        bad_player("late") as (_, late),
        bad_player("mad") as (_, mad),
        bad_player("dying") as (_, dying),
    ):
        addresses = [good, *(Address("127.0.0.1", int(port)) for port in (late, mad, dying))]
        match = manager.Match(rules, "picks", addresses, manager.Settings(10, 2, records=tmp_path))
        run(match.run())
    [path] = tmp_path.glob("*.json")
    record = Record.load(path)
    assert record == match.record
    assert record.status == "over"
    assert len(record.moves) == 4
    assert len(record.states) == 5
    assert record.goals is not None
    assert record.goals[0] == 100
    by_role = {role: [error for error in record.errors if error.role == role] for role in record.roles}
    assert by_role["good"] == []
    assert [(error.turn, error.error) for error in by_role["late"]] == [(1, "TO")]
    assert [error.error for error in by_role["mad"]] == ["CE", "IL ( pick ( ( 1", "IL (pick 99)", "TO"]
    assert [(error.turn, error.error) for error in by_role["dying"]] == [(1, "CE"), (2, "CE"), (3, "CE"), (None, "CE")]
    for error in record.errors:
        assert error.turn is None or error.played == record.moves[error.turn][record.roles.index(error.role)]
    assert [record.moves[turn][1] for turn in (0, 2, 3)] == ["(pick 1)"] * 3  # shouted, and understood
    assert len(pictures(record)) == 5


def test_a_player_that_is_killed(tmp_path: Path) -> None:
    rules = sheet("tictactoe")
    with kibitz_player("--agent", "uct:iterations=50") as (running, address):

        def kill(match: manager.Match) -> None:
            if match.referee.turn == 2:
                running.kill()

        settings = manager.Settings(10, 2, records=tmp_path)
        record = run(manager.Match(rules, "tictactoe", [address, None], settings, watch=kill).run())
    assert record.status == "over"
    assert record.goals is not None
    assert [error.error for error in record.errors] == ["CE"] * (len(record.moves) - 1)
    assert record.errors[0].turn == 2


@pytest.mark.parametrize("name", ["monty_hall", "blind_tictactoe"])
def test_matches_with_hidden_things(name: str) -> None:
    rules = sheet(name)
    settings = manager.Settings(10, 3, seed=3, scramble=True)
    with contextlib.ExitStack() as stack:
        players: list[Address | None] = []
        for _ in rules.seats:
            players.append(stack.enter_context(kibitz_player("--agent", "ismcts:iterations=200"))[1])
        record = run(manager.Match(rules, name, players, settings).run())
    assert record.errors == []
    assert record.percepts is not None
    assert len(record.percepts) == len(record.moves)
    if name == "monty_hall":
        assert record.percepts[1][0] == [f"(opened {record.moves[1][1][-2]})"]
    assert Record.from_dict(json.loads(json.dumps(record.to_dict()))) == record


def test_a_player_keeps_matches_apart_and_answers_in_time() -> None:
    async def talk() -> None:
        said: list[str] = []
        playing = player.Player(player.Settings(at_once=2), said.append)
        rules = sheet("tictactoe").items
        starts = [playing.answer(str(Start(name, role, rules, 10, 2))) for name, role in (("a", "x"), ("b", "o"))]
        assert await asyncio.gather(*starts) == ["ready", "ready"]
        assert await playing.answer(str(Start("c", "x", rules, 10, 1))) == "busy"
        assert await playing.answer("(INFO)") == "( ( name Kibitz ) ( status busy ) )"
        begun = time.monotonic()
        moves = await asyncio.gather(playing.answer("(play a nil)"), playing.answer("(play b nil)"))
        took = time.monotonic() - begun
        assert moves[0].startswith("( mark ")
        assert moves[1] == "noop"
        assert 1.3 < took < 2  # the whole clock, less the margin
        assert await playing.answer("(ABORT b)") == "aborted"
        assert await playing.answer("(PLAY b ((mark 1 1) noop))") == "busy"
        assert await playing.answer(f"(PLAY a ({moves[0]} noop))") == "noop"
        assert await playing.answer("(STOP a ((mark 2 2) noop))") == "done"
        assert await playing.answer(str(Start("d", "x", (("role", "x"),), 5, 1))) == "busy"  # nobody can move there
        assert playing.matches == {}
        await playing.close()

    run(talk())


def test_a_late_thinker_is_replaced_by_a_legal_move() -> None:
    async def talk() -> None:
        playing = player.Player(player.Settings(agent="uct:iterations=100"))
        assert await playing.answer(str(Start("m", "x", sheet("tictactoe").items, 10, 2))) == "ready"
        thinking = playing.matches["m"].process
        thinking.send_signal(signal.SIGSTOP)
        begun = time.monotonic()
        assert (await playing.answer("(PLAY m NIL)")).startswith("( mark ")
        assert time.monotonic() - begun < 2
        thinking.kill()
        await asyncio.sleep(0.1)
        assert (await playing.answer("(PLAY m ((mark 1 1) noop))")).startswith("( mark ")
        assert await playing.answer("(ABORT m)") == "aborted"

    run(talk())


# --------------------------------------------------------------------------------------------- the command line


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "records"
    command = ["ggp", "manager", "hex_3", "--matches", "2", "--watch", "--rotate", "--records", str(folder)]
    assert cli.run(command) == 0
    out = capsys.readouterr().out
    assert "turn 1: red " in out
    assert "random" in out
    first, second = sorted(folder.iterdir())
    assert cli.run(["gdl", "show", str(first)]) == 0
    shown = capsys.readouterr().out
    assert "over after" in shown
    assert "goals red " in shown
    assert cli.run(["gdl", "show", str(second), "--turn", "1"]) == 0
    assert "cell:" in capsys.readouterr().out
    first.write_text(first.read_text().replace("(role red)", "(role"))  # drawn without its rules
    assert cli.run(["gdl", "show", str(first)]) == 0
    assert "goals red " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["manager", "nosuch"], "there is no rulesheet"),
        (["manager", "hex_3", "--players", "here"], "host:port"),
        (["manager", "hex_3", "--players", "random,random,random"], "2 roles"),
        (["manager", "hex_3", "--players", "a:1,a:1"], "given twice"),
        (["manager", "hex_3", "--play", "0"], "play clock"),
        (["player", "--port", "70000"], "port"),
        (["player", "--agent", "nosuch"], "unknown agent"),
        (["player", "--name", "a b"], "name"),
        (["player", "--host", "256.0.0.1"], ""),
    ],
)
def test_bad_commands(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run(["ggp", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_stepping_through_a_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    match = manager.Match(sheet("tictactoe"), "tictactoe", [None, None], manager.Settings(records=tmp_path))
    last = len(run(match.run()).moves)
    answers = ["", "", "b", "99", "b", "0", "q"]
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: answers.pop(0))
    [path] = tmp_path.glob("*.json")
    assert cli.run(["gdl", "show", str(path)]) == 0
    shown = [line.split()[1].rstrip(":") for line in capsys.readouterr().out.splitlines() if line.startswith("turn ")]
    assert list(map(int, shown)) == [0, 1, 2, 1, last, last - 1, 0]


def test_records_play_no_tricks_with_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = {"format": "kibitz ggp match", "version": 1, "match": "\x1b[2J", "status": "over", "roles": ["x\x07"]}
    data |= {"players": ["p"], "states": [["a"], ["(b \x1b[31m)"]], "moves": [["\x1b]0;t\x07"]], "goals": [1]}
    (tmp_path / "odd.json").write_text(json.dumps(data))
    assert cli.run(["gdl", "show", str(tmp_path / "odd.json")]) in (0, 2)
    shown = capsys.readouterr()
    assert "\x1b" not in shown.out + shown.err


def test_bad_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("", "[]", "{}", '{"format": "kibitz ggp match", "version": 9}', "[" * 100_000):
        (tmp_path / "bad.json").write_text(text)
        assert cli.run(["gdl", "show", str(tmp_path / "bad.json")]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_interrupts_end_cleanly(tmp_path: Path) -> None:
    with (
        kibitz_player() as (playing, address),
        process(
            *(*MAIN, "ggp", "manager", "tictactoe", "--players", str(address), "--play", "60"),
            *("--watch", "--records", str(tmp_path)),
        ) as (managing, line),
    ):
        assert line.startswith("match tictactoe")
        time.sleep(0.3)
        managing.send_signal(signal.SIGINT)
        assert managing.wait(20) == 130
        [path] = tmp_path.glob("*.json")
        assert Record.load(path).status == "aborted"
        playing.send_signal(signal.SIGINT)
        assert playing.wait(20) == 0
        assert playing.stdout is not None
        assert playing.stdout.read().splitlines()[-1].endswith(": aborted")
