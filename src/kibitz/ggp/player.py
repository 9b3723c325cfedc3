"""A player: waits for messages of a manager, and has two processes for every match: one thinks, one only follows it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import signal
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from kibitz.ggp import kif, protocol
from kibitz.ggp.kif import Term
from kibitz.ggp.protocol import Abort, Info, Play, PlayerInfo, Preview, Start
from kibitz.ggp.referee import rule_text

Say = Callable[[str], None]
T = TypeVar("T")

MOST_LINE = 64 << 20  # of what a thinker says: all legal moves of a large game
MOST_WAITING = 32 << 20  # bytes on the way to a thinker
THINKER = FOLLOWER = ("-m", "kibitz.ggp.thinker")  # what python runs for a match
MOST_AT_ONCE = protocol.MOST_CONNECTIONS  # matches; a further one could not be asked for its moves
MOST_GROUNDING = 3600  # seconds; rulesheets take no more
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
        if not 1 <= self.at_once <= MOST_AT_ONCE:
            raise ValueError(f"there may be 1 to {MOST_AT_ONCE} matches at once, not {self.at_once}")

    def margin_of(self, clock: float) -> float:
        return min(self.margin, 0.3 * clock)


class Mind:
    """A process that belongs to a match, and what it has said last."""

    def __init__(self, process: asyncio.subprocess.Process, remark: Say) -> None:
        self.process, self.remark = process, remark
        self.ready = asyncio.Event()
        self.failed = ""
        self.legal: list[str] = []  # the last that was told
        self.asked = -1  # the question that it belongs to; 0: before the first
        self._waiting: dict[tuple[str, int], asyncio.Future[Any]] = {}
        self._listener = asyncio.create_task(self._listen())

    @classmethod
    async def begin(cls, command: Sequence[str], start: dict[str, object], remark: Say) -> Mind:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=MOST_LINE,
            start_new_session=True,  # Ctrl-C is for us, and we end it
        )
        mind = cls(process, remark)
        mind.tell(start)
        return mind

    def tell(self, what: dict[str, object]) -> None:
        pipe = self.process.stdin
        if pipe is None or pipe.is_closing():
            return
        # What a mind has not read yet waits in memory, so a peer that floods a busy one is not listened to.
        if pipe.transport.get_write_buffer_size() < MOST_WAITING:
            pipe.write(json.dumps(what).encode() + b"\n")

    async def _listen(self) -> None:
        """Takes in what the process says, until it ends."""
        assert self.process.stdout is not None
        with contextlib.suppress(ValueError, OSError, AttributeError):  # no JSON, or too long: as good as dead
            while line := await self.process.stdout.readline():
                self._take(json.loads(line))
        if not self.ready.is_set():
            self.failed = self.failed or "the thinker ended"
            self.ready.set()
        for waiting in self._waiting.values():
            waiting.cancel()

    def _take(self, said: dict[str, object]) -> None:
        if said.get("problem"):
            self.remark(str(said["problem"]))
        number, legal, move = said.get("number", 0), said.get("legal"), said.get("move")
        if isinstance(legal, list) and isinstance(number, int):
            self.legal, self.asked = [str(move) for move in legal], number
            self._tell("legal", number, self.legal)
        if isinstance(move, str) and isinstance(number, int):
            self._tell("move", number, move)
        if "failed" in said:
            self.failed = str(said["failed"])
        if "failed" in said or "ready" in said:
            self.ready.set()

    def _tell(self, what: str, number: int, value: object) -> None:
        waiting = self._waiting.get((what, number))
        if waiting is not None and not waiting.done():
            waiting.set_result(value)

    async def hear(self, what: str, number: int, until: float) -> Any:
        """The "move" or the "legal" moves that answer a question; None if they do not come in time."""
        if what == "legal" and self.asked == number:
            return self.legal
        waiting: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[what, number] = waiting
        if self._listener.done():
            waiting.cancel()  # nobody is there to answer
        try:
            async with asyncio.timeout(max(0.0, until - time.monotonic())):
                return await waiting
        except (TimeoutError, asyncio.CancelledError):
            if (task := asyncio.current_task()) is not None and task.cancelling():
                raise  # the player itself is told to end
            return None
        finally:
            del self._waiting[what, number]

    async def end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()
        await self._listener


@dataclass
class Match:
    """One match of the player: who thinks, and who follows it and knows what is legal, whatever the other does."""

    start: Start
    thinker: Mind
    follower: Mind
    say: Say
    asked: int = 0  # questions so far
    answered: str | None = None  # our last move
    heard: float = field(default_factory=time.monotonic)
    over: bool = False

    async def move(self, play: Play, deadline: float, patience: float) -> str:
        """The thinker's move, if it comes within the patience and is legal; else one that is. If it is cancelled, the
        turn is known all the same, and the match can go on with the next one."""
        begun = time.monotonic()
        self.asked += 1
        number = self.asked
        told = None if play.told is None else [kif.text(term) for term in play.told]
        last = self.answered if play.last is None else kif.text(play.last)
        self.answered = None  # as long as this is not answered
        question: dict[str, object] = {
            "number": number,
            "told": told,
            "turn": play.turn,
            "last": last,
            "deadline": deadline,
        }
        self.follower.tell(question)
        self.thinker.tell(question)
        until = begun + patience
        chosen = None
        try:
            chosen = await self.thinker.hear("move", number, until)
        finally:
            if chosen is None:  # late, or nobody waits for the answer: the search need not go on
                self.thinker.tell({"unwanted": number})
        # What the follower says takes it no time to think, so it mostly is here already.
        legal = await self.follower.hear("legal", number, until + max(0.05, (begun + patience - deadline) / 2))
        if legal is None and self.thinker.asked == number:
            legal = self.thinker.legal
        if self.over:
            return "nil"  # STOP or ABORT came in between, and nobody waits any more
        if legal and chosen not in legal:
            missing = "is late" if self.thinker.process.returncode is None else "has died"
            wrong = missing if chosen is None else f"wants to play {chosen[:200]}, which is not legal"
            chosen = random.choice(legal)
            self.say(f"{self.start.match}: the thinker {wrong}; playing {chosen}")
        elif chosen is None:  # nobody knows where we are: a move of an earlier turn may be one of this turn, too
            before = self.follower.legal or self.thinker.legal
            chosen = random.choice(before) if before else "nil"
            self.say(f"{self.start.match}: neither thinker nor follower is ready; trying {chosen}")
        self.answered = chosen
        return str(chosen)

    async def end(self) -> None:
        self.over = True
        await asyncio.gather(self.thinker.end(), self.follower.end())


class Player:
    """Answers messages. Whoever sends them is not trusted: unknown ids and bad rules are answered with busy."""

    def __init__(self, settings: Settings, say: Say = lambda line: None) -> None:
        self.settings, self.say = settings, say
        self.matches: dict[str, Match] = {}
        self._starting: set[str] = set()  # those whose thinker is not there yet
        self._closed = False
        self._work: set[asyncio.Task[Any]] = set()  # what is done to its end also if nobody waits for it
        self._seeds = random.Random(settings.seed)

    async def answer(self, text: str) -> str:
        """The reply to a message; ProtocolError if it is none. It may be cancelled when nobody waits for it any more:
        what was asked for happens all the same, but for thinking about a move."""
        message = protocol.parse_message(text)
        self._forget()
        if isinstance(message, Info):
            room = len(self.matches) < self.settings.at_once
            return str(PlayerInfo(self.settings.name, "available" if room else "busy"))
        if isinstance(message, Preview):
            return "ready"
        if isinstance(message, Start):
            return await self._to_the_end(self._start(message))
        match = self.matches.get(message.match)
        if match is None:
            return "busy"
        match.heard = time.monotonic()
        if isinstance(message, Play):
            return await self._play(match, message)
        del self.matches[message.match]
        await self._to_the_end(match.end())
        word = "aborted" if isinstance(message, Abort) else "done"
        self.say(f"{message.match}: {word}")
        return word

    def _to_the_end(self, work: Coroutine[Any, Any, T]) -> asyncio.Future[T]:
        """The result of work that goes on if those who wait for it are cancelled."""
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return asyncio.shield(task)

    async def _start(self, start: Start) -> str:
        known = self.matches.keys() | self._starting
        if self._closed or start.match in known or len(known) >= self.settings.at_once:
            return "busy"
        clock = start.start_clock - self.settings.margin_of(start.start_clock)
        until = time.monotonic() + clock
        self._starting.add(start.match)
        try:
            match = await self._begin(start, clock)
        finally:
            self._starting.discard(start.match)
        if self._closed:  # in the meantime
            await match.end()
            return "busy"
        self.matches[start.match] = match
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, until - time.monotonic())):
                await match.thinker.ready.wait()
        if match.thinker.failed:
            self.say(f"{start.match}: not played: {match.thinker.failed}")
            if self.matches.get(start.match) is match:
                del self.matches[start.match]
            await match.end()
            return "busy"
        self.say(f"{start.match}: playing {kif.text(start.role)}, {start.start_clock} s and {start.play_clock} s")
        return "ready"

    async def _begin(self, start: Start, clock: float) -> Match:
        """The match with its thinker and its follower, which are told to get ready."""
        common: dict[str, object] = {
            "rules": rule_text(start.rules),
            "role": kif.text(start.role),
            "agent": self.settings.agent,
            "seed": self._seeds.getrandbits(62),
            # To make the game, twice; without the network if that takes longer.
            "seconds": min(max(1, int(clock / 3)), MOST_GROUNDING),
        }

        def remark(text: str) -> None:
            self.say(f"{start.match}: {text}")

        thinker, follower = await asyncio.gather(
            Mind.begin(THINKER, common | {"follow": False}, remark),
            Mind.begin(FOLLOWER, common | {"follow": True}, lambda text: None),
        )
        return Match(start, thinker, follower, self.say)

    async def _play(self, match: Match, play: Play) -> str:
        clock = float(match.start.play_clock)
        margin = self.settings.margin_of(clock)
        chosen = await match.move(play, time.monotonic() + clock - margin, clock - margin / 2)
        return _wire(chosen)

    def _forget(self) -> None:
        """Gives up matches whose manager has gone without a word."""
        now = time.monotonic()
        for name, match in list(self.matches.items()):
            idle = now - match.heard
            if idle > FORGET + 3 * (match.start.start_clock + match.start.play_clock):
                del self.matches[name]
                self.say(f"{name}: given up, nothing was heard for {idle:.0f} s")
                self._to_the_end(match.end())

    async def close(self) -> None:
        """Ends all matches; afterwards none is begun."""
        self._closed = True
        matches = list(self.matches.values())
        self.matches.clear()
        for match in matches:
            await match.end()
        await asyncio.gather(*self._work, return_exceptions=True)


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
    if task is not None and sys.platform != "win32":  # where SIGTERM ends us at once, and loops have no handlers
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        async with server:
            await server.serve_forever()
    finally:
        await player.close()
