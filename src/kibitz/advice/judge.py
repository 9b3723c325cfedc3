"""Judging a game that was played: two columns for every decision, never merged, and a word for where they cross.

`known` looks at the worlds that the seat could imagine, `real` at the cards as they lay (`columns.py` says how). A move
is bad in a column if its loss is worth a word and lies beyond the error of the judgement.

|                | in fact good | in fact bad |
|----------------|--------------|-------------|
| known to be good | good       | unlucky     |
| known to be bad  | lucky      | mistake     |

A move without an alternative is not judged. Where a game is not over, the real cards are left alone: a move is then
good or a mistake by what could be known.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from math import sqrt
from typing import Any

from kibitz import _core, protocols
from kibitz.advice import columns, reasons, units, words
from kibitz.advice.columns import EFFORT, Case, Column, Stakes
from kibitz.protocols import Game, State, View
from kibitz.record import Record

FORMAT = "kibitz review"
VERSION = 1
GOOD, MISTAKE, UNLUCKY, LUCKY = VERDICTS = ("good", "mistake", "unlucky", "lucky")
UNCLEAR = "unclear"  # the judge could not decide
MOST_EFFORT = 1_000_000

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Judged:
    """A decision. `move` counts all moves of the game, from 1; `instead` is what could be known to be best."""

    move: int
    seat: int
    action: int
    text: str
    instead: str
    choices: int  # how many moves were legal
    known: Column | None  # None: the judge could not decide
    real: Column | None  # None: nor here; or the game is not over
    verdict: str
    reason: str = ""  # why the other move was better, over the worlds
    why: reasons.Why | None = field(default=None, repr=False, compare=False)  # the same in its parts
    stakes: Stakes | None = field(default=None, repr=False, compare=False)
    view: View | None = field(default=None, repr=False, compare=False)  # what the seat saw

    @property
    def cost(self) -> float:
        """By which moments are sorted: the loss of the column that the verdict speaks of, in multiples of the least
        that is worth a word."""
        column = self.real if self.verdict == UNLUCKY else self.known
        return 0.0 if column is None or self.verdict == GOOD else column.weight

    def says(self, column: Column) -> str:
        """A loss in the game's unit with its error: "5.2 ± 2.0 points"."""
        if self.stakes is None:
            raise ValueError("this decision was read from JSON, which has figures and no words")
        return words.loss(self.stakes.game, column.loss, column.error or None, self.view)

    def to_json(self) -> dict[str, Any]:
        return {
            "move": self.move,
            "seat": self.seat,
            "action": self.action,
            "text": self.text,
            "instead": self.instead,
            "choices": self.choices,
            "verdict": self.verdict,
            "known": self._column(self.known),
            "real": self._column(self.real),
            "reason": self.reason,
            "why": None if self.why is None else asdict(self.why),
            "unit": self._unit(),
        }

    def _unit(self) -> dict[str, Any] | None:
        """Of the losses, in its parts (`units.parts`)."""
        if self.stakes is None or self.view is None:
            return None
        return units.parts(units.unit_of(self.stakes.game, self.view))

    def _column(self, column: Column | None) -> dict[str, Any] | None:
        if column is None:
            return None
        names = ("loss", "error", "worlds", "value", "chance", "exact", "bad")
        best = self.stakes.game.text(column.best) if self.stakes is not None else ""
        fine = {"best_action": column.best, "fine": list(column.fine)}
        return {"best": best, "says": self.says(column)} | {name: getattr(column, name) for name in names} | fine


@dataclass(frozen=True)
class Review:
    """All decisions of a game that were judged, in the order of play."""

    record: Record
    decisions: tuple[Judged, ...]
    seats: tuple[int, ...]  # whose decisions these are
    forced: int  # moves of these seats without an alternative
    effort: int
    seed: int

    def of(self, seat: int) -> list[Judged]:
        return [judged for judged in self.decisions if judged.seat == seat]

    def moments(self) -> list[Judged]:
        """What is worth another look: first what could be known to be bad, then bad luck, each by what it cost."""
        found = [judged for judged in self.decisions if judged.verdict in (MISTAKE, UNLUCKY, LUCKY)]
        return sorted(found, key=lambda judged: (judged.verdict == UNLUCKY, -judged.cost, judged.move))

    def chances(self, seat: int) -> list[tuple[int, float]]:
        """The curve: (move, chance of winning by what the seat could know after it)."""
        pairs = [(judged.move, judged.known.chance if judged.known else None) for judged in self.of(seat)]
        return [(move, chance) for move, chance in pairs if chance is not None]

    def given_away(self, seat: int) -> tuple[float, float]:
        """What the seat lost by moves that it could know to be bad, and the standard error of that sum."""
        bad = [judged.known for judged in self.of(seat) if judged.known is not None and judged.known.bad]
        return sum(column.loss for column in bad), sqrt(sum((column.error or 0.0) ** 2 for column in bad))

    def to_json(self) -> dict[str, Any]:
        """JSON-ready, for pages and programs."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "game": self.record.game,
            "options": dict(self.record.options),
            "players": [{"name": seat.name, "agent": seat.agent} for seat in self.record.seats],
            "effort": self.effort,
            "seed": str(self.seed),
            "seats": list(self.seats),
            "forced": self.forced,
            "decisions": [judged.to_json() for judged in self.decisions],
            "moments": [judged.move for judged in self.moments()],
            "summary": [self._summary(seat) for seat in self.seats],
        }

    def _summary(self, seat: int) -> dict[str, Any]:
        mine = self.of(seat)
        lost, error = self.given_away(seat)
        counts = {verdict: sum(judged.verdict == verdict for judged in mine) for verdict in (*VERDICTS, UNCLEAR)}
        return {
            "seat": seat,
            "decisions": len(mine),
            "verdicts": counts,
            "given_away": lost,
            "given_away_error": error,
            "chances": [[move, chance] for move, chance in self.chances(seat)],
        }


def decision(
    game: Game,
    state: State,
    action: int,
    *,
    effort: int = EFFORT,
    seed: int = 0,
    move: int = 1,
    over: bool = True,
    names: Sequence[str] = (),
) -> Judged:
    """Judges what the seat to act plays at `state`: one of at least two legal actions. `over` False leaves the real
    cards out of it. The same seed and effort, the same judgement."""
    if action not in state.legal():
        raise ValueError(f"action {action} is not legal here; legal: {', '.join(map(game.text, state.legal()))}")
    if len(state.legal()) < 2:
        raise ValueError("a move without an alternative is not judged")
    if not 1 <= effort <= MOST_EFFORT:
        raise ValueError(f"effort must be a number of worlds from 1 to {MOST_EFFORT:,}, not {effort}")
    stakes = Stakes.of(game)
    shown = stakes.state(state)
    view = shown.view(shown.to_act)
    case = Case(stakes, shown, view, action, effort, _core.mix(seed, move))
    known, real, looked = columns.both(case, real=over)
    verdict = cross(known, real)
    best = action if known is None or not known.bad else known.best
    why = _why(case, known, looked, names) if known is not None and known.bad else None
    text = game.text
    return Judged(
        move,
        state.to_act,
        action,
        text(action),
        text(best),
        len(case.legal),
        known,
        real,
        verdict,
        "" if why is None else why.says,
        why,
        stakes,
        state.view(state.to_act),
    )


def cross(known: Column | None, real: Column | None) -> str:
    """The word for a move."""
    if known is None or (known.error is None and known.loss >= known.least):
        return UNCLEAR
    if real is None:
        return MISTAKE if known.bad else GOOD
    if known.bad:
        return MISTAKE if real.bad else LUCKY
    return UNLUCKY if real.bad else GOOD


def _why(case: Case, known: Column, looked: reasons.Looked | None, names: Sequence[str]) -> reasons.Why | None:
    """A reason from the worlds of the judgement, where they were kept."""
    if looked is None:
        return None
    at = case.legal.index(known.best)
    n = len(case.legal)
    mine = [known.loss if i == case.at else 0.0 for i in range(n)]
    thought = protocols.Thought(
        list(case.legal),
        [None] * n,
        [None] * n,
        [float(i == at) for i in range(n)],
        loss=[*mine],
        loss_error=[known.error] * n,
    )
    return reasons.why(case.stakes.game, case.view, thought, names, against=case.action, looked=looked)


def game(
    record: Record,
    *,
    seats: Iterable[int] | None = None,
    effort: int = EFFORT,
    seed: int = 0,
    threads: int = 0,
    progress: Progress | None = None,
) -> Review:
    """Judges the decisions of a recorded game; of all seats, or of some.

    Several at a time on `threads` threads (0: one per core), which changes nothing in the figures. `progress` is told
    (done, all); what it raises ends the work and comes through."""
    made = record.make()
    chosen = tuple(range(made.players)) if seats is None else tuple(sorted(set(seats)))
    for seat in chosen:
        if not 0 <= seat < made.players:
            raise ValueError(f"seat must be within 0..{made.players - 1}, not {seat}")
    jobs, forced = to_judge(record, chosen)
    over = record.payoffs is not None
    names = [seat.name for seat in record.seats]
    done: list[Judged] = []

    def work(job: tuple[int, State, int]) -> Judged:
        move, state, action = job
        return decision(made, state, action, effort=effort, seed=seed, move=move, over=over, names=names)

    say = progress or (lambda done, total: None)
    say(0, len(jobs))
    # States of a game in Python may share what is not safe among threads.
    workers = (threads or os.cpu_count() or 1) if isinstance(made, _core.Game) else 1
    pool = ThreadPoolExecutor(workers)
    try:
        for judged in pool.map(work, jobs):
            done.append(judged)
            say(len(done), len(jobs))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return Review(record, tuple(done), chosen, forced, effort, seed)


def to_judge(record: Record, seats: Sequence[int]) -> tuple[list[tuple[int, State, int]], int]:
    """(move, state, action) of what is to be judged, and how many moves had no alternative."""
    jobs, forced = [], 0
    states = list(record.states())
    for number, (state, after) in enumerate(pairwise(states), start=1):
        if state.to_act not in seats:
            continue
        if len(state.legal()) < 2:
            forced += 1
            continue
        jobs.append((number, state, after.history[-1][1]))
    return jobs, forced
