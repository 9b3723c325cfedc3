"""A player: waits for messages of a manager, and has a thinker (a process of its own) for every match."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from kibitz.ggp import kif, protocol
from kibitz.ggp.kif import Term
from kibitz.ggp.protocol import Abort, Info, Play, PlayerInfo, Preview, Start
from kibitz.ggp.referee import rule_text

Say = Callable[[str], None]

MOST_LINE = 64 << 20  # of what a thinker says: all legal moves of a large game
MOST_WAITING = 32 << 20  # bytes on the way to a thinker
FORGET = 60.0  # seconds beyond three of its clocks, after which a match that nobody mentions is given up


@dataclass(frozen=True)
class Settings:
    """`margin`: seconds between our answer and the end of the clock; of short clocks, less than a third of them."""

    name: str = "Kibitz"
    agent: str | None = None  # None: whatever fits the game
    margin: float = 0.5
    at_once: int = 4  # matches
    seed: int | None = None  # None: always another

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Za-z0-9_.\-]{1,64}", self.name):
            raise ValueError(f"a player's name has letters, digits, '_', '-' and '.', not {self.name!r}")
        if not 0 <= self.margin <= 60:
            raise ValueError(f"margin must be within 0 to 60 seconds, not {self.margin:g}")
        if self.at_once < 1:
            raise ValueError(f"at least one match at once, not {self.at_once}")

    def margin_of(self, clock: float) -> float:
        return min(self.margin, 0.3 * clock)


@dataclass
class Match:
    """One match of the player: its thinker, and what that has said last."""

    start: Start
    process: asyncio.subprocess.Process
    say: Say
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    failed: str = ""
    asked: int = 0  # questions so far
    legal: list[str] = field(default_factory=list)
    moves: dict[int, asyncio.Future[str]] = field(default_factory=dict)  # by the number of the question
    answered: str | None = None  # our last move
    heard: float = field(default_factory=time.monotonic)
    listener: asyncio.Task[None] | None = None

    def tell(self, what: dict[str, object]) -> None:
        pipe = self.process.stdin
        if pipe is None or pipe.is_closing():
            return
        # What a thinker has not read yet waits in memory, so somebody who floods a busy one is not listened to.
        if pipe.transport.get_write_buffer_size() < MOST_WAITING:
            pipe.write(json.dumps(what).encode() + b"\n")

    async def listen(self) -> None:
        """Takes in what the thinker says, until it ends."""
        assert self.process.stdout is not None
        with contextlib.suppress(ValueError, OSError):  # a line that is no JSON, or too long: as good as dead
            while line := await self.process.stdout.readline():
                self._take(json.loads(line))
        if not self.ready.is_set():
            self.failed = self.failed or "the thinker ended"
            self.ready.set()
        for waiting in self.moves.values():
            waiting.cancel()

    def _take(self, said: dict[str, object]) -> None:
        if said.get("problem"):
            self.say(f"{self.start.match}: {said['problem']}")
        number, legal = said.get("number", 0), said.get("legal")
        if isinstance(legal, list) and number == self.asked:
            self.legal = [str(move) for move in legal]
        if "failed" in said:
            self.failed = str(said["failed"])
        if "failed" in said or "ready" in said:
            self.ready.set()
        waiting = self.moves.get(number) if isinstance(number, int) else None
        if "move" in said and waiting is not None and not waiting.done():
            waiting.set_result(str(said["move"]))

    async def move(self, play: Play, deadline: float, patience: float) -> str:
        """The thinker's move; a legal one that is ready at hand, if it says nothing within the patience."""
        self.asked += 1
        number = self.asked
        waiting: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.moves[number] = waiting
        told = None if play.told is None else [kif.text(term) for term in play.told]
        last = self.answered if play.last is None else kif.text(play.last)
        if self.listener is not None and self.listener.done():
            waiting.cancel()  # nobody is there to think
        self.tell({"number": number, "told": told, "turn": play.turn, "last": last, "deadline": deadline})
        try:
            async with asyncio.timeout(patience):
                chosen = await waiting
        except (TimeoutError, asyncio.CancelledError):
            if (task := asyncio.current_task()) is not None and task.cancelling():
                raise  # the player itself is told to end
            chosen = random.choice(self.legal) if self.legal else "nil"
            self.say(f"{self.start.match}: the thinker is late; playing {chosen}")
        finally:
            self.moves.pop(number, None)
        self.answered = chosen
        return chosen

    async def end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()
        if self.listener is not None:
            await self.listener


class Player:
    """Answers messages. Whoever sends them is not trusted: unknown ids and bad rules are answered with busy."""

    def __init__(self, settings: Settings, say: Say = lambda line: None) -> None:
        self.settings, self.say = settings, say
        self.matches: dict[str, Match] = {}
        self._starting: set[str] = set()  # those whose thinker is not there yet
        self._seeds = random.Random(settings.seed)

    async def answer(self, text: str) -> str:
        """The reply to a message; ProtocolError if it is none."""
        message = protocol.parse_message(text)
        await self._forget()
        if isinstance(message, Info):
            room = len(self.matches) < self.settings.at_once
            return str(PlayerInfo(self.settings.name, "available" if room else "busy"))
        if isinstance(message, Preview):
            return "ready"
        if isinstance(message, Start):
            return await self._start(message)
        match = self.matches.get(message.match)
        if match is None:
            return "busy"
        match.heard = time.monotonic()
        if isinstance(message, Play):
            return await self._play(match, message)
        del self.matches[message.match]
        await match.end()
        word = "aborted" if isinstance(message, Abort) else "done"
        self.say(f"{message.match}: {word}")
        return word

    async def _start(self, start: Start) -> str:
        known = self.matches.keys() | self._starting
        if start.match in known or len(known) >= self.settings.at_once:
            return "busy"
        clock = start.start_clock - self.settings.margin_of(start.start_clock)
        until = time.monotonic() + clock
        self._starting.add(start.match)
        try:
            match = self.matches[start.match] = await self._begin(start, clock)
        finally:
            self._starting.discard(start.match)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, until - time.monotonic())):
                await match.ready.wait()
        if match.failed:
            self.say(f"{start.match}: not played: {match.failed}")
            if self.matches.get(start.match) is match:
                del self.matches[start.match]
            await match.end()
            return "busy"
        self.say(f"{start.match}: playing {kif.text(start.role)}, {start.start_clock} s and {start.play_clock} s")
        return "ready"

    async def _begin(self, start: Start, clock: float) -> Match:
        """The match with its thinker, which is told to get ready."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "kibitz.ggp.thinker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=MOST_LINE,
            start_new_session=True,  # Ctrl-C is for us, and we end it
        )
        match = Match(start, process, self.say)
        match.listener = asyncio.create_task(match.listen())
        match.tell(
            {
                "rules": rule_text(start.rules),
                "role": kif.text(start.role),
                "agent": self.settings.agent,
                "seed": self._seeds.getrandbits(62),
                "seconds": max(1, int(clock / 2)),  # for grounding; searches go on without if it takes longer
            }
        )
        return match

    async def _play(self, match: Match, play: Play) -> str:
        clock = float(match.start.play_clock)
        margin = self.settings.margin_of(clock)
        chosen = await match.move(play, time.monotonic() + clock - margin, clock - margin / 2)
        return _wire(chosen)

    async def _forget(self) -> None:
        """Gives up matches whose manager has gone without a word."""
        now = time.monotonic()
        for name, match in list(self.matches.items()):
            idle = now - match.heard
            if idle > FORGET + 3 * (match.start.start_clock + match.start.play_clock):
                del self.matches[name]
                self.say(f"{name}: given up, nothing was heard for {idle:.0f} s")
                await match.end()

    async def close(self) -> None:
        matches = list(self.matches.values())
        self.matches.clear()
        for match in matches:
            await match.end()


def _wire(move: str) -> str:
    term: Term = kif.parse_one(move)
    return kif.spaced(term)


async def run(settings: Settings, host: str, port: int, say: Say) -> None:
    """Plays until it is cancelled, or told to end by SIGTERM."""
    player = Player(settings, say)
    server = await protocol.serve(host, port, player.answer)
    where = server.sockets[0].getsockname()
    say(f"{settings.name} listens on {protocol.Address(where[0], where[1])}")
    task = asyncio.current_task()
    if task is not None:
        with contextlib.suppress(NotImplementedError):  # Windows
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        async with server:
            await server.serve_forever()
    finally:
        await player.close()
