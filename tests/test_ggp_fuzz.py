"""Anything may come over the network: it is understood or refused, by both sides, in bounded time and memory."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import resource
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from variants import effort

from kibitz.ggp import kif, player, protocol
from kibitz.ggp.protocol import ProtocolError
from kibitz.ggp.record import Record

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

    async def _tell(self, raw: bytes) -> bytes:
        reader, writer = await asyncio.open_connection(*self.server.sockets[0].getsockname()[:2])
        writer.write(raw)
        with contextlib.suppress(OSError):
            writer.write_eof()
            return await asyncio.wait_for(reader.read(), 5)
        return b""

    def tell_player(self, raw: bytes) -> bytes:
        return self.runner.run(self._tell(raw))

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


def bombard(loop: Loop, raw: bytes) -> None:
    """Both sides, once: an HTTP answer or none from the player, an answer or a known error at the manager."""
    reply = loop.tell_player(raw)
    assert reply == b"" or re.match(rb"HTTP/1\.0 (200 OK|400 Bad Request)\r\n", reply)
    assert len(reply) < protocol.MOST_REPLY
    with contextlib.suppress(ProtocolError, ConnectionError, TimeoutError):
        answer = loop.ask_peer(raw)
        assert len(answer) <= protocol.MOST_REPLY
        with contextlib.suppress(ValueError):
            kif.choose(kif.parse_one(answer), ["noop", "(mark 1 1)"])


def test_anything_over_a_socket(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as KIBITZ_FUZZ_SECONDS says, with other examples in every round; a little without."""
    minds = (str(Path(__file__).with_name("ggp_minds.py")), "silent")
    monkeypatch.setattr(player, "THINKER", minds)
    monkeypatch.setattr(player, "FOLLOWER", minds)
    before, rounds = memory(), 0
    end = time.monotonic() + float(os.environ.get("KIBITZ_FUZZ_SECONDS", "3"))
    while time.monotonic() < end:

        @seed(rounds)
        @settings(max_examples=100, database=None, deadline=None, suppress_health_check=list(HealthCheck))
        @given(RAW)
        def anything(raw: bytes) -> None:
            if time.monotonic() < end:
                bombard(loop, raw)

        anything()
        rounds += 1
    assert loop.tell_player(protocol.request_bytes("( INFO )", "x")).startswith(b"HTTP/1.0 200 OK")
    assert memory() - before < 200
