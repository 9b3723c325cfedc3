"""A manager of matches: tells players what happens, waits for their moves as long as the clock allows, and keeps a
record. Nobody can hold a match up, and nobody forfeits: where no legal move comes in time, a random one is played."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import re
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kibitz._core import Rng, Seeds
from kibitz.ggp import kif, protocol
from kibitz.ggp.protocol import Abort, Address, Play, ProtocolError, Start, Stop, UnreachableError
from kibitz.ggp.record import Mishap, Record
from kibitz.ggp.referee import Referee, Rules, goals_that_hold
from kibitz.ggp.scramble import Plain, Scrambler

MOST_SAID = 200  # characters of an illegal answer that a record keeps
LATE = 1.0  # seconds that an answer may take beyond the play clock, for the network
ABORT_SECONDS = 3.0
SAVE_SECONDS = 1.0


@dataclass(frozen=True)
class Settings:
    start_clock: int = 10
    play_clock: int = 5
    seed: int = field(default_factory=lambda: secrets.randbits(64))  # of chance and of scrambled names: a secret
    scramble: bool = False
    records: Path | None = None  # a folder; None: nothing is written

    def __post_init__(self) -> None:
        for name, clock in (("start", self.start_clock), ("play", self.play_clock)):
            if not 1 <= clock <= protocol.MOST_CLOCK:
                raise ValueError(f"the {name} clock must be within 1 to {protocol.MOST_CLOCK} seconds, not {clock}")


@dataclass(frozen=True)
class Said:
    """What came of a question: an answer, or why there is none."""

    answer: str = ""
    error: str = ""
    why: str = ""
    reached: bool = True


Watch = Callable[["Match"], None]


@dataclass
class Match:
    """A match. `players`: an address per seat, or None where the manager plays at random itself."""

    rules: Rules
    game: str
    players: Sequence[Address | None]
    settings: Settings
    number: int = 0
    watch: Watch = lambda match: None
    referee: Referee = field(init=False)
    record: Record = field(init=False)
    _saved: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        if len(self.players) != len(self.rules.seats):
            raise ValueError(f"{self.game} needs {len(self.rules.seats)} players, not {len(self.players)}")
        # The record of a match has its seed, which must not lead to later matches; nor must scrambled names, which the
        # players see, lead to chance.
        seed = Seeds(self.settings.seed).series(self.number)
        self._seeds, self._drawn = Seeds(seed), 0
        self.names = Scrambler(self.rules.names, self._seeds.scramble(0)) if self.settings.scramble else Plain()
        self.referee = Referee(self.rules)
        per_seat = dict(zip(self.rules.seats, self.players, strict=True))
        self.seated: dict[int, Address] = {}  # by role
        for at, role in enumerate(self.rules.roles):
            if (address := per_seat.get(role)) is not None:
                self.seated[at] = address
        now = datetime.datetime.now(datetime.UTC)
        # Whom the names of the rules are hidden from is not told the name of the game, either.
        name = "match" if self.settings.scramble else re.sub(r"[^A-Za-z0-9_]", "_", self.game)
        self.record = Record(
            match=f"{name}.{time.time_ns() // 1_000_000}.{self.number}",
            game=self.game,
            rules=self.rules.text(),
            roles=self.rules.roles,
            players=[str(self.seated.get(at, "random")) for at in range(len(self.rules.roles))],
            start_clock=self.settings.start_clock,
            play_clock=self.settings.play_clock,
            seed=seed,
            scrambled=self.settings.scramble,
            began=now.isoformat(timespec="seconds"),
            states=[self.referee.fluents()],
            percepts=[] if self.rules.hidden else None,
        )

    async def run(self) -> Record:
        """Plays to the end. Cancelled, it tells the players, and the record says so; interrupted while it is working,
        the record alone. UnreachableError if there are players, and at START none of them can be reached."""
        try:
            self._save(at_once=True)
            await self._start()
            self.watch(self)
            while not self.referee.over:
                await self._turn()
                self._save()
                self.watch(self)
            self.record.goals = self.referee.goals
            self.record.status = "over"
            self._save(at_once=True)
            await self._stop()
            self._check_goals()
            self._save(at_once=True)
        except BaseException as reason:
            if self.record.status == "running":
                self.record.status = "aborted"
                self._save(at_once=True)
                if isinstance(reason, asyncio.CancelledError):
                    message = str(Abort(self.record.match))
                    await self._ask_all(dict.fromkeys(self.seated, message), ABORT_SECONDS)
            raise
        return self.record

    # ------------------------------------------------------------------------------------------- the turns

    def _draw(self, moves: Sequence[str]) -> str:
        """By lot, every draw from a seed of its own: draws that a player has seen tell nothing of those to come."""
        self._drawn += 1
        return moves[Rng(self._seeds.nature(self._drawn)).below(len(moves))]

    async def _start(self) -> None:
        rules = tuple(self.names.there(item) for item in self.rules.items)
        clocks = self.settings.start_clock, self.settings.play_clock
        messages = {}
        for at in self.seated:
            role = self.names.there(kif.parse_one(self.rules.roles[at]))
            messages[at] = str(Start(self.record.match, role, rules, *clocks))
        answers = await self._ask_all(messages, self.settings.start_clock)
        for at, said in answers.items():
            if not said.error and said.answer.lower() != "ready":
                said = Said(error=f"IL {said.answer[:MOST_SAID]}", why="the answer to START is not ready")
            self._mishap(None, at, said)
        if answers and not any(said.reached for said in answers.values()):
            reasons = ", ".join(f"{self.seated[at]} ({said.why})" for at, said in answers.items())
            raise UnreachableError(f"no player can be reached: {reasons}")

    async def _turn(self) -> None:
        legal = self.referee.legal()
        messages = {at: str(Play(*self._told(at))) for at in self.seated}
        answers = await self._ask_all(messages, self.settings.play_clock + LATE)
        moves = []
        for at, known in enumerate(legal):
            move = None
            if at in answers:
                move, said = self._understood(answers[at], known)
            if move is None:
                move = self._draw(known)
                if at in answers:
                    self._mishap(self.referee.turn, at, said, move)
            moves.append(move)
        self.referee.play(moves)
        self.record.moves.append(moves)
        self.record.states.append(self.referee.fluents())
        if self.record.percepts is not None:
            self.record.percepts.append(self.referee.percepts())

    def _understood(self, said: Said, legal: Sequence[str]) -> tuple[str | None, Said]:
        """The legal move of an answer, or what is wrong with it."""
        if said.error:
            return None, said
        try:
            term = self.names.back(kif.parse_one(said.answer))
        except ValueError as problem:
            return None, Said(error=f"IL {said.answer[:MOST_SAID]}", why=str(problem))
        move = kif.choose(term, legal)
        return move, Said(error=f"IL {kif.text(term)[:MOST_SAID]}", why="not a legal move")

    async def _stop(self) -> None:
        messages = {at: str(Stop(*self._told(at))) for at in self.seated}
        for at, said in (await self._ask_all(messages, self.settings.play_clock)).items():
            self._mishap(None, at, said)

    def _told(self, at: int) -> tuple[str, tuple[kif.Term, ...] | None, int | None, kif.Term | None]:
        """What a role is told of the last turn, as messages have it."""
        record, turn = self.record, len(self.record.moves)
        hidden = record.percepts is not None
        if not turn:
            return record.match, None, 0 if hidden else None, None
        if record.percepts is None:
            return record.match, self._outwards(record.moves[-1]), None, None
        return record.match, self._outwards(record.percepts[-1][at]), turn, self._outwards([record.moves[-1][at]])[0]

    def _outwards(self, texts: Sequence[str]) -> tuple[kif.Term, ...]:
        return tuple(self.names.there(kif.parse_one(text)) for text in texts)

    # ------------------------------------------------------------------------------------------ what is said

    async def _ask_all(self, messages: dict[int, str], seconds: float) -> dict[int, Said]:
        """All at the same time, so that nobody waits for anybody else."""
        answers = await asyncio.gather(*(self._ask(self.seated[at], text, seconds) for at, text in messages.items()))
        return dict(zip(messages, answers, strict=True))

    @staticmethod
    async def _ask(address: Address, message: str, seconds: float) -> Said:
        try:
            return Said(await protocol.ask(address, message, seconds))
        except TimeoutError:
            return Said(error="TO", why=f"no answer within {seconds:g} s")
        except ProtocolError as problem:
            return Said(error="CE", why=f"broken answer: {problem}")
        except ConnectionError as problem:
            return Said(error="CE", why=str(problem), reached=not isinstance(problem, UnreachableError))

    def _mishap(self, turn: int | None, at: int, said: Said, played: str | None = None) -> None:
        if said.error:
            self.record.errors.append(Mishap(turn, self.rules.roles[at], said.error, said.why, played))

    def _check_goals(self) -> None:
        with contextlib.suppress(ValueError):  # the engine could not be asked; the goals it gave stand
            for role, goals in goals_that_hold(self.rules, self.record.states[-1]).items():
                if len(goals) != 1 and role in self.rules.seats:
                    held = ", ".join(map(str, sorted(goals)))
                    why = f"several goals hold at the end: {held}" if goals else "no goal holds at the end"
                    self.record.errors.append(Mishap(None, role, "GOAL", why))

    def _save(self, at_once: bool = False) -> None:
        """Not after every turn of a quick match: it writes all of a record that grows."""
        if self.settings.records is not None and (at_once or time.monotonic() - self._saved >= SAVE_SECONDS):
            self.record.save(self.settings.records / f"{self.record.match}.json")
            self._saved = time.monotonic()


def seating(players: Sequence[Address | None], seats: int, turn: int = 0) -> list[Address | None]:
    """Who sits where: as they come, the manager at the seats that are left; moved on by so many seats."""
    if len(players) > seats:
        raise ValueError(f"the game has {seats} roles to play, so there cannot be {len(players)} players")
    given = [player for player in players if player is not None]
    for player in given:
        if given.count(player) > 1:  # a player knows a match by its id, and can have one role in it
            raise ValueError(f"the player {player} is given twice; start another one on another port")
    all_seats = [*players, *[None] * (seats - len(players))]
    turn %= max(1, seats)
    return all_seats[-turn:] + all_seats[:-turn] if turn else all_seats
