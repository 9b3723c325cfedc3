"""The messages of general game playing and how they travel: one HTTP/1.0 connection for each, as public servers and
players speak it. Nothing here knows a game; both sides use it.

Everything that comes from outside is bounded in size and in time; what is wrong with it is a ProtocolError.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
import urllib.parse
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.ggp import kif
from kibitz.ggp.kif import Term

MOST_HEAD = 16 << 10  # bytes of a request line and headers
MOST_MESSAGE = 8 << 20  # of a message: rulesheets may have 4 MB, spaces come on top
MOST_REPLY = 64 << 10  # of a player's answer
MOST_CLOCK = 24 * 3600  # seconds
CONNECT_SECONDS = 5.0
READ_SECONDS = 15.0  # for a whole request, once somebody has connected
MOST_CONNECTIONS = 64

CORS = (
    "Access-Control-Allow-Origin: *",
    "Access-Control-Allow-Methods: POST, GET, OPTIONS",
    "Access-Control-Allow-Headers: Content-Type",
    "Access-Control-Max-Age: 86400",
)


class ProtocolError(ValueError):
    """What came from the other side is no message."""


class UnreachableError(ConnectionError):
    """Nothing listens at an address, or no way leads there."""


# ------------------------------------------------------------------------------------------------------- messages


@dataclass(frozen=True)
class Info:
    """Who are you, and have you time?"""

    def __str__(self) -> str:
        return "( INFO )"


@dataclass(frozen=True)
class Preview:
    """Rules of a game that may be played later."""

    rules: tuple[Term, ...]
    clock: int

    def __str__(self) -> str:
        return f"( PREVIEW {kif.spaced(self.rules)} {self.clock} )"


@dataclass(frozen=True)
class Start:
    """A match begins."""

    match: str
    role: Term
    rules: tuple[Term, ...]
    start_clock: int
    play_clock: int

    def __str__(self) -> str:
        role, rules = kif.spaced(self.role), kif.spaced(self.rules)
        return f"( START {self.match} {role} {rules} {self.start_clock} {self.play_clock} )"


@dataclass(frozen=True)
class Turn:
    """What a player is told of the last turn. `told`: the moves of all roles, or, where things are hidden, what the
    player sees; None before the first turn. `turn` and `last` only stand in the form for hidden things: how many turns
    were played, and the move that was taken for the player."""

    match: str
    told: tuple[Term, ...] | None
    turn: int | None = None
    last: Term | None = None

    def body(self) -> str:
        told = "NIL" if self.told is None else kif.spaced(self.told)
        if self.turn is None:
            return f"{self.match} {told}"
        return f"{self.match} {self.turn} {'NIL' if self.last is None else kif.spaced(self.last)} {told}"


@dataclass(frozen=True)
class Play(Turn):
    """Your move?"""

    def __str__(self) -> str:
        return f"( PLAY {self.body()} )"


@dataclass(frozen=True)
class Stop(Turn):
    """The match is over."""

    def __str__(self) -> str:
        return f"( STOP {self.body()} )"


@dataclass(frozen=True)
class Abort:
    """The match ends without a result."""

    match: str

    def __str__(self) -> str:
        return f"( ABORT {self.match} )"


Message = Info | Preview | Start | Play | Stop | Abort


def parse_message(text: str) -> Message:
    """A message in the forms that the classes above write, and in older ones. ProtocolError otherwise."""
    try:
        term = kif.parse_one(text)
    except ValueError as problem:
        raise ProtocolError(f"no message: {problem}") from None
    if isinstance(term, str):
        term = (term,)  # a bare INFO
    if not term or not isinstance(term[0], str) or term[0].lower() not in _READERS:
        raise ProtocolError(f"unknown message; there are {', '.join(sorted(_READERS)).upper()}")
    return _READERS[term[0].lower()](term[1:])


def _info(arguments: Sequence[Term]) -> Message:
    return Info()


def _preview(arguments: Sequence[Term]) -> Message:
    _at_least("PREVIEW", arguments, 2)
    return Preview(_rules(arguments[0]), _clock(arguments[1]))


def _start(arguments: Sequence[Term]) -> Message:
    _at_least("START", arguments, 5)  # more may follow
    match, role, rules, start, play = arguments[:5]
    return Start(_id(match), role, _rules(rules), _clock(start), _clock(play))


def _play(arguments: Sequence[Term]) -> Message:
    return Play(*_turn("PLAY", arguments))


def _stop(arguments: Sequence[Term]) -> Message:
    return Stop(*_turn("STOP", arguments))


def _abort(arguments: Sequence[Term]) -> Message:
    _at_least("ABORT", arguments, 1)
    return Abort(_id(arguments[0]))


_READERS: dict[str, Callable[[Sequence[Term]], Message]] = {
    "info": _info,
    "preview": _preview,
    "start": _start,
    "play": _play,
    "stop": _stop,
    "abort": _abort,
}


def _turn(name: str, arguments: Sequence[Term]) -> tuple[str, tuple[Term, ...] | None, int | None, Term | None]:
    _at_least(name, arguments, 2)
    match = _id(arguments[0])
    if len(arguments) < 4:
        return match, _told(arguments[1]), None, None
    last = None if kif.is_nil(arguments[2]) else arguments[2]
    return match, _told(arguments[3]), _number(arguments[1], "a turn"), last


def _told(term: Term) -> tuple[Term, ...] | None:
    if isinstance(term, str):
        return None if kif.is_nil(term) else (term,)  # one move without its list
    return term


def _at_least(name: str, arguments: Sequence[Term], count: int) -> None:
    if len(arguments) < count:
        raise ProtocolError(f"{name} needs {count} arguments, not {len(arguments)}")


def _id(term: Term) -> str:
    if not isinstance(term, str):
        raise ProtocolError("the id of a match must be a name")
    return term


def _rules(term: Term) -> tuple[Term, ...]:
    if isinstance(term, str):
        raise ProtocolError("rules must be a list")
    return term


def _clock(term: Term) -> int:
    return _number(term, "a clock")


def _number(term: Term, what: str) -> int:
    # Digits are counted before they are read: reading a million of them takes its time.
    if not isinstance(term, str) or not re.fullmatch(r"[0-9]{1,7}", term) or int(term) > MOST_CLOCK:
        raise ProtocolError(f"{what} must be a whole number from 0 to {MOST_CLOCK}")
    return int(term)


@dataclass(frozen=True)
class PlayerInfo:
    """What a player says of itself."""

    name: str
    status: str

    def __str__(self) -> str:
        return f"( ( name {self.name} ) ( status {self.status} ) )"


def parse_info(text: str) -> PlayerInfo:
    """The answer to INFO; a bare name is the status."""
    try:
        term = kif.parse_one(text)
    except ValueError as problem:
        raise ProtocolError(f"no answer to INFO: {problem}") from None
    if isinstance(term, str):
        return PlayerInfo("", term.lower())
    facts = {kif.text(pair[0]).lower(): kif.text(pair[1]) for pair in term if isinstance(pair, tuple) and len(pair) > 1}
    return PlayerInfo(facts.get("name", ""), facts.get("status", "").lower())


# ----------------------------------------------------------------------------------------------------------- HTTP


def request_bytes(message: str, receiver: str) -> bytes:
    """A message as a server sends it."""
    body = message.encode()
    head = (
        "POST / HTTP/1.0",
        "Accept: text/delim",
        "Sender: GAMESERVER",
        f"Receiver: {receiver}",
        "Content-Type: text/acl",
        f"Content-Length: {len(body)}",
    )
    return "\r\n".join([*head, "", ""]).encode() + body


def reply_bytes(answer: str, status: str = "200 OK") -> bytes:
    """An answer as a player gives it."""
    body = answer.encode()
    head = (f"HTTP/1.0 {status}", "Content-type: text/acl", f"Content-length: {len(body)}", *CORS)
    return "\r\n".join([*head, "", ""]).encode() + body


@dataclass(frozen=True)
class Head:
    """First line and headers; the names of headers in lower case."""

    first: str
    headers: dict[str, str]

    @property
    def length(self) -> int | None:
        """Bytes of the body, if it says so."""
        said = self.headers.get("content-length")
        if said is None:
            return None
        if not re.fullmatch(r"[0-9]{1,12}", said):
            raise ProtocolError("Content-Length is no number")
        return int(said)


async def read_head(reader: asyncio.StreamReader) -> Head:
    lines: list[str] = []
    left = MOST_HEAD
    while True:
        try:
            raw = await reader.readline()
        except ValueError:
            raise ProtocolError("a header is too long") from None
        left -= len(raw)
        if left < 0:
            raise ProtocolError("the headers are too long")
        line = raw.decode("latin-1").rstrip("\r\n")
        if not raw or (not line and lines):
            break
        if line:
            lines.append(line)
    if not lines:
        raise ProtocolError("nothing was sent")
    pairs = (line.partition(":") for line in lines[1:])
    return Head(lines[0], {name.strip().lower(): value.strip() for name, _, value in pairs})


async def read_body(reader: asyncio.StreamReader, length: int | None, most: int) -> str:
    """So many bytes, or if nobody said how many, all until the other side closes."""
    if length is not None and length > most:
        raise ProtocolError(f"more than {most} bytes")
    if length is not None:
        try:
            raw = await reader.readexactly(length)
        except asyncio.IncompleteReadError:
            raise ProtocolError("the connection closed before the end") from None
    else:
        raw = b""
        while part := await reader.read(1 << 16):
            raw += part
            if len(raw) > most:
                raise ProtocolError(f"more than {most} bytes")
    return raw.decode("utf-8", errors="replace")


async def read_request(reader: asyncio.StreamReader) -> str | None:
    """The message of a request; None where only the headers are asked for (OPTIONS)."""
    head = await read_head(reader)
    method, _, rest = head.first.partition(" ")
    if method == "OPTIONS":
        return None
    if method == "GET":
        return urllib.parse.unquote_plus(rest.split(" ")[0].removeprefix("/"), errors="replace")
    if method != "POST":
        raise ProtocolError("POST, GET and OPTIONS are understood")
    if head.length is None:
        raise ProtocolError("a POST needs Content-Length")  # it cannot end by closing: we have to answer
    return await read_body(reader, head.length, MOST_MESSAGE)


async def read_reply(reader: asyncio.StreamReader) -> str:
    head = await read_head(reader)
    if not re.match(r"HTTP/1\.[0-9] 200\b", head.first):
        raise ProtocolError("the answer is no HTTP 200")
    return (await read_body(reader, head.length, MOST_REPLY)).strip()


@dataclass(frozen=True)
class Address:
    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> Address:
        host, colon, port = text.strip().rpartition(":")
        host = host.removeprefix("[").removesuffix("]")  # of an IPv6 address
        if not colon or not re.fullmatch(r"[^\s/\[\]]+", host) or not re.fullmatch(r"[0-9]+", port):
            raise ValueError(f"{text!r} is no address of a player; write host:port, as in 127.0.0.1:9147")
        # Digits are counted before they are read, as in messages.
        if len(port) > 5 or not 0 < int(port) < 65536:
            raise ValueError(f"{text!r} is no address of a player: ports are within 1 to 65535")
        return cls(host, int(port))

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


async def ask(address: Address, message: str, seconds: float) -> str:
    """Sends a message and waits for the answer. TimeoutError: it did not come within the seconds; UnreachableError:
    there is no connection; another ConnectionError: the line broke; ProtocolError: what came is no answer."""
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            reader, writer = await asyncio.open_connection(address.host, address.port, limit=MOST_HEAD)
    except (OSError, UnicodeError) as problem:  # TimeoutError is one, too
        raise UnreachableError(f"no connection: {_reason(problem)}") from None
    try:
        async with asyncio.timeout(seconds):
            writer.write(request_bytes(message, str(address)))
            await writer.drain()
            return await read_reply(reader)
    except TimeoutError:
        raise
    except OSError as problem:
        raise ConnectionError(str(problem)) from None
    finally:
        writer.transport.abort()  # nothing is left to be said, and a peer that never closes is not waited for


def _reason(problem: OSError | UnicodeError) -> str:
    """Why there is no connection, without the address, which callers name."""
    if isinstance(problem, socket.gaierror):
        return str(problem.strerror)  # of a host that nobody knows; its numbers are not those of os.strerror
    if isinstance(problem, OSError) and problem.errno:
        return os.strerror(problem.errno)
    return str(problem) or "it took too long"


Answer = Callable[[str], Coroutine[Any, Any, str]]


async def serve(host: str, port: int, answer: Answer) -> asyncio.Server:
    """Listens and answers; `answer` raises ProtocolError for what it does not understand, and is cancelled when the
    peer that waits for it hangs up."""
    busy = 0

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal busy
        if busy >= MOST_CONNECTIONS:
            writer.transport.abort()
            return
        busy += 1
        try:
            await _converse(reader, writer, answer)
        except (OSError, TimeoutError):
            pass  # they have gone, or never said what they want
        finally:
            busy -= 1
            writer.close()

    return await asyncio.start_server(connected, host, port, limit=MOST_HEAD)


async def _converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answer: Answer) -> None:
    """One request and its answer."""
    try:
        async with asyncio.timeout(READ_SECONDS):
            message = await read_request(reader)
        reply = reply_bytes("" if message is None else await _while_connected(reader, answer(message)))
    except ProtocolError as problem:
        reply = reply_bytes(str(problem), "400 Bad Request")
    writer.write(reply)
    async with asyncio.timeout(READ_SECONDS):
        await writer.drain()


async def _while_connected(reader: asyncio.StreamReader, answer: Coroutine[Any, Any, str]) -> str:
    """The answer; ConnectionError if the peer hangs up before, and then the answer is cancelled.

    TCP does not tell a peer that closes only its own direction from one that has gone. Managers keep both open until
    they have the answer, so either counts as gone; but an answer that is there at once is given all the same.
    """
    answering, leaving = asyncio.create_task(answer), asyncio.create_task(_hung_up(reader))
    try:
        await asyncio.wait((answering, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not answering.done():
            raise ConnectionError("the peer has hung up")
        return answering.result()
    finally:
        answering.cancel()
        leaving.cancel()
        await asyncio.gather(answering, leaving, return_exceptions=True)


async def _hung_up(reader: asyncio.StreamReader) -> None:
    """Returns when the peer has closed the connection, or talks on without end."""
    left = MOST_HEAD  # some send an empty line behind their request
    while left > 0 and (more := await reader.read(left)):
        left -= len(more)
