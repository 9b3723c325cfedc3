"""Anything may come over the network: it is understood or refused, by both sides, in bounded time and memory."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import resource
import signal
import socket
import struct
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
from ggp_common import MINDS, STAIRS, WATCHED, environment, exchange, run, sheet
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from variants import effort

from kibitz.ggp import kif, player, protocol
from kibitz.ggp.protocol import Address, ProtocolError, Start, request_bytes
from kibitz.ggp.record import Record
from kibitz.ggp.referee import read_rules

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
    async def read(reading: Callable[[asyncio.StreamReader], Coroutine[Any, Any, Any]]) -> str | None:
        reader = asyncio.StreamReader(limit=protocol.MOST_HEAD)
        reader.feed_data(start + raw)
        reader.feed_eof()
        try:
            found = await asyncio.wait_for(reading(reader), 5)
        except ProtocolError as refused:
            return str(refused)
        assert found is None or len(found) <= len(start + raw)  # no more than was sent
        return None

    for reading in (protocol.read_request, protocol.read_reply):
        why = asyncio.run(read(reading))
        assert why is None or why.strip()  # a refusal says why


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


# ------------------------------------------------------------------------------------------- over real sockets

NAMES = st.sampled_from(["m", "n", "x", "o", "nil", "NIL", "noop", "1", "0", "99", "?x", "é", "random", "(", ")", ";"])
RULES = st.sampled_from(["( ( role x ) ( legal x a ) )", "( )", "x", "( ( role x )", "( ( <= ) )", "( ( role ?x ) )"])
CLOCKS = st.sampled_from(["1", "1", "0", "x", "-3", "99999999999"])
MESSAGES = st.one_of(
    st.just("( INFO )"),
    st.builds("( START {} {} {} {} {} )".format, NAMES, NAMES, RULES, CLOCKS, CLOCKS),
    st.builds("( PREVIEW {} {} )".format, RULES, NAMES),
    st.builds("( PLAY {} {} )".format, NAMES, TERMS.map(kif.spaced)),
    st.builds("( PLAY {} {} {} {} )".format, NAMES, NAMES, NAMES, TERMS.map(kif.spaced)),
    st.builds("( STOP {} {} )".format, NAMES, TERMS.map(kif.spaced)),
    st.builds("( ABORT {} )".format, NAMES),
    TERMS.map(kif.spaced),
    st.text(max_size=100),
)
HEADERS = st.lists(
    st.sampled_from(
        [b"Accept: text/delim", b"Content-Length: 3", b"content-length: x", b"Content-Length: -1", b":", b"X"]
    ),
    max_size=3,
)
FIRST = st.sampled_from(
    [b"POST / HTTP/1.0", b"GET / HTTP/1.0", b"OPTIONS * HTTP/1.1", b"HTTP/1.0 200 OK", b"HTTP/1.1 500 x", b""]
)


def dressed(message: str, first: bytes, headers: list[bytes], honest: bool, cut: int) -> bytes:
    """A message in HTTP, more or less."""
    body = message.encode("utf-8", errors="replace")
    lines = [first, *headers, *([b"Content-Length: %d" % len(body)] if honest else [])]
    raw = b"\r\n".join([*lines, b"", body])
    return raw[: len(raw) - cut]


RAW = st.one_of(
    st.binary(max_size=400),
    st.builds(dressed, MESSAGES, FIRST, HEADERS, st.booleans(), st.sampled_from([0, 0, 0, 1, 5, 30])),
    MESSAGES.map(lambda message: protocol.request_bytes(message.encode("utf-8", "replace").decode(), "x")),
    st.builds(
        lambda n, c: c * n, st.integers(1, 100_000), st.sampled_from([b"(", b"a", b"\r\n", b"\x00", b"X: y\r\n"])
    ),
)


class Loop:
    """A player without processes, and a peer that says what it is told to say, on sockets of one loop."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()
        self.player = player.Player(player.Settings(at_once=1))
        self.said = b""
        self.server = self.runner.run(protocol.serve("127.0.0.1", 0, self.player.answer))
        self.peer = self.runner.run(asyncio.start_server(self._say, "127.0.0.1", 0))

    async def _say(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(self.said)
        writer.close()

    async def _tell(self, raw: bytes, hang_up: bool) -> bytes:
        reader, writer = await asyncio.open_connection(*self.server.sockets[0].getsockname()[:2])
        writer.write(raw)
        with contextlib.suppress(OSError):
            if hang_up:
                writer.write_eof()
            return await asyncio.wait_for(reader.read(), 5)
        return b""

    def tell_player(self, raw: bytes, hang_up: bool) -> bytes:
        return self.runner.run(self._tell(raw, hang_up))

    def ask_peer(self, raw: bytes) -> str:
        self.said = raw
        address = protocol.Address(*self.peer.sockets[0].getsockname()[:2])
        return self.runner.run(asyncio.wait_for(protocol.ask(address, "( INFO )", 2), 5))


@pytest.fixture(scope="module")
def loop() -> Iterator[Loop]:
    made = Loop()
    yield made
    made.server.close()
    made.peer.close()
    made.runner.run(made.player.close())
    made.runner.close()


def memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10  # MB


def bombard(loop: Loop, raw: bytes, hang_up: bool) -> None:
    """Both sides, once: an HTTP answer or none from the player, an answer or a known error at the manager."""
    reply = loop.tell_player(raw, hang_up)
    assert reply == b"" or re.match(rb"HTTP/1\.0 (200 OK|400 Bad Request)\r\n", reply)
    assert len(reply) < protocol.MOST_REPLY
    with contextlib.suppress(ProtocolError, ConnectionError, TimeoutError):
        answer = loop.ask_peer(raw)
        assert len(answer) <= protocol.MOST_REPLY
        with contextlib.suppress(ValueError):
            kif.choose(kif.parse_one(answer), ["noop", "(mark 1 1)"])


def test_anything_over_a_socket(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as KIBITZ_FUZZ_SECONDS says, with other examples in every round; a little without."""
    monkeypatch.setattr(player, "THINKER", (str(MINDS), "silent"))
    monkeypatch.setattr(player, "FOLLOWER", (str(MINDS), "silent"))
    monkeypatch.setattr(protocol, "READ_SECONDS", 0.2)
    before, rounds = memory(), 0
    end = time.monotonic() + float(os.environ.get("KIBITZ_FUZZ_SECONDS", "3"))
    while time.monotonic() < end:

        @seed(rounds)
        @settings(max_examples=100, database=None, deadline=None, suppress_health_check=list(HealthCheck))
        @given(RAW, st.sampled_from([True, True, True, False]))
        def anything(raw: bytes, hang_up: bool) -> None:
            if time.monotonic() < end:
                bombard(loop, raw, hang_up)

        anything()
        rounds += 1
    monkeypatch.undo()
    assert loop.tell_player(request_bytes("( INFO )", "x"), hang_up=False).startswith(b"HTTP/1.0 200 OK")
    assert memory() - before < 200


# --------------------------------------------------------------------------------------- peers and players that go

DAY = protocol.MOST_CLOCK


class Counted:
    """A player, and events for how many of its answers are waited for."""

    def __init__(self) -> None:
        self.player = player.Player(player.Settings())
        self.waiting = 0
        self.full, self.empty = asyncio.Event(), asyncio.Event()

    async def answer(self, text: str) -> str:
        self.waiting += 1
        if self.waiting == protocol.MOST_CONNECTIONS:
            self.empty.clear()
            self.full.set()
        try:
            return await self.player.answer(text)
        finally:
            self.waiting -= 1
            if not self.waiting:
                self.full.clear()
                self.empty.set()


def leave(how: str, writer: asyncio.StreamWriter) -> None:
    if how == "half":
        writer.write_eof()  # which looks no different from a close at the other end
    elif how == "close":
        writer.close()
    else:
        linger = struct.pack("ii", 1, 0)  # so that the connection is reset
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        writer.transport.abort()


@pytest.mark.parametrize("how", ["half", "close", "reset"])
def test_peers_that_hang_up_give_their_slots_back(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All slots are taken by PLAYs that think for a day, twice; then all of their senders go."""
    monkeypatch.setattr(player, "THINKER", (str(MINDS), "patient"))
    monkeypatch.setattr(player, "FOLLOWER", (str(MINDS), "patient"))

    async def talk() -> None:
        counted = Counted()
        async with await protocol.serve("127.0.0.1", 0, counted.answer) as server:

            async def ask(message: str) -> bytes:
                return await exchange(server, request_bytes(message, "x"))

            assert (await ask(str(Start("m", "a", read_rules(STAIRS).items, DAY, DAY)))).endswith(b"ready")
            for _ in range(2):
                peers = []
                for _ in range(protocol.MOST_CONNECTIONS):
                    peers.append(await asyncio.open_connection(*server.sockets[0].getsockname()[:2]))
                    peers[-1][1].write(request_bytes("(PLAY m NIL)", "x"))
                await counted.full.wait()
                with contextlib.suppress(ConnectionResetError):
                    assert await ask("(INFO)") == b""  # there is no room
                for _, writer in peers:
                    leave(how, writer)
                await counted.empty.wait()
                assert b"( name Kibitz )" in await ask("(INFO)")
            # The match goes on: the thinker knows that the moves before are not wanted any more.
            assert (await ask("(PLAY m ((step 0 left) noop))")).endswith(b"( step 0 left )")
            assert (await ask("(STOP m ((step 1 left) noop))")).endswith(b"done")

    run(talk())


def crowded() -> str:
    """A rulesheet that takes ages to ground: whether a graph of eight groups has a clique of nine."""
    nodes = [(group, number) for group in range(8) for number in range(10)]
    edges = [f"(edge n{a}_{i} n{b}_{j})" for a, i in nodes for b, j in nodes if a < b]
    pairs = " ".join(f"(edge ?{a} ?{b})" for a in range(9) for b in range(a + 1, 9))
    rest = "(role x) (init go) (legal x stay) (<= terminal (not (true go))) (goal x 50) (<= (legal x leave) clique)"
    return "\n".join([*edges, f"(<= clique {pairs})", rest])


@pytest.mark.parametrize(
    "doing",
    [
        "searching",
        "grounding",
        pytest.param("holding", marks=pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends it then")),
    ],
)
def test_minds_end_with_a_player_that_is_killed(doing: str) -> None:
    # What releases the GIL must hear of it from the inbox alone, as on systems that have nothing else.
    mind = (str(WATCHED), "holding" if doing == "holding" else "listening")
    program = f"from kibitz.ggp import player; player.THINKER = player.FOLLOWER = {mind!r}"
    command = (sys.executable, "-c", f"{program}; from kibitz.cli import main; main()", "ggp", "player", "--port", "0")
    pipe = asyncio.subprocess.PIPE
    rules = read_rules(crowded()) if doing == "grounding" else sheet("tictactoe")
    messages = [str(Start("m", "x", rules.items, DAY, DAY)), "(PLAY m NIL)"]
    processes: list[int] = []

    async def talk() -> None:
        running = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe, env=environment())
        processes.append(running.pid)
        assert running.stdout is not None
        assert running.stderr is not None
        address = Address.parse((await running.stdout.readline()).decode().split()[-1])

        async def converse() -> None:
            for message in messages:
                await protocol.ask(address, message, DAY)

        conversation = asyncio.create_task(converse())
        seen = 0
        while seen < (2 if doing == "grounding" else 1):  # both processes ground, one chooses moves
            line = (await running.stderr.readline()).decode()
            assert line  # else they have all ended
            seen += line.strip() == doing
            processes.extend(map(int, re.findall(r"^process ([0-9]+)", line)))
        running.kill()
        await asyncio.gather(conversation, return_exceptions=True)
        await running.stderr.read()  # which ends when the last of those who could write there has ended
        await running.wait()

    try:
        run(talk())
    except BaseException:
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        raise
