"""Deals at a table, one after the other: a rematch as long as people want one, or a series to a number of points."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.text import Text

import kibitz
from kibitz import shape
from kibitz._core import Seeds
from kibitz.arena.points import Scorer, partners_of
from kibitz.arena.seatings import rotations, seated
from kibitz.arena.stats import Floats, sides_of, winners
from kibitz.protocols import Game, facts, native
from kibitz.record import Record, Series
from kibitz.terminal.human import Human
from kibitz.terminal.painter import listed
from kibitz.terminal.saving import OURS, Keeper
from kibitz.terminal.table import YOU, Table

MOST_DEALS = 1000  # of a series
_MORE = {
    "seed": shape.SEED,
    "deal": shape.COUNT,
    "score": shape.NUMBERS.optional(),
    "undone": shape.COUNT.optional(),
}


class Evening:
    """`seed` gives all deals; `to` points end a series. With `asks`, people are asked after each deal whether they want
    another one; without, a series goes on by itself and anything else is one deal."""

    def __init__(self, table: Table, seed: int, *, to: float | None = None, asks: bool = False) -> None:
        n = table.game.players
        self.table, self.seed, self.to, self.asks = table, seed, to, asks
        self.number = 0  # of the deal
        self.score: Floats = np.zeros(n)  # by agent: deals won, or points
        self._pot: Floats = np.zeros((1, 1))  # points that a series holds for the next winners
        self._scorer = Scorer(table.game)
        self._partners = partners_of(table.game, rotations(n))
        self._taken_up: Record | None = None
        self._word = "deal" if facts(table.game).hidden else "game"  # what follows what, in people's words

    @classmethod
    def take_up(cls, record: Record, path: Path, seed: int) -> Evening:
        """The evening of a game that was saved before it was over. `seed` is for what its record does not tell."""
        if record.payoffs is not None:
            raise ValueError(f"{path}: this game is over; an unfinished one can be taken up again")
        if not any(seat.person for seat in record.seats):
            raise ValueError(f"{path}: nobody at this table is a person")
        known = _known(record)
        number = record.series.deal if record.series is not None else known.get("deal", 0)
        game, seats = record.make(), rotations(len(record.seats))[number % len(record.seats)]
        table = Table(game, [_seated(game, record, seat) for seat in seats], [record.seats[s].name for s in seats])
        table.keeper = Keeper(path)
        evening = cls(table, int(known.get("seed", seed)), to=None if record.series is None else record.series.to)
        evening.number, evening._taken_up = number, record
        score = record.series.scores if record.series is not None else known.get("score", [0.0] * len(seats))
        evening.score = np.array([score[seat] for seat in seats], float)
        evening._pot = np.full((1, 1), record.series.held if record.series is not None else 0.0)
        return evening

    def play(self) -> None:
        seeds = Seeds(self.seed)
        while True:
            taken_up, self._taken_up = self._taken_up, None
            self.table.keeper.begin(self._series(), self._more(taken_up), taken_up)
            if self.number > 0 and taken_up is None:
                self._say(f"\n{self._word.capitalize()} {self.number + 1}. Everybody moves on by one seat.")
            payoffs = self.table.deal(seeds, self.number, taken_up)
            self._settle(payoffs)
            self.number += 1
            if self._over() or not self._another():
                return

    # ------------------------------------------------------------------------------------------ the score

    def _settle(self, payoffs: Sequence[float]) -> None:
        sides = self._sides()
        self._say(_who_won(self.table.names, np.array(payoffs), sides) + self._figures(payoffs))
        won = winners(np.array([[payoffs]]), sides)[0]
        if self.to is not None:  # as in kibitz.series, with one round of one seating
            gains, self._pot = self._scorer(np.array([[payoffs]]), won).settle(0, np.zeros(1, np.int64), self._pot)
            self.score = self.score + gains[0]
            held = f" (held for the next winners: {self._pot.item():g})" if self._pot.item() else ""
            self._say(f"Points: {self._by_side(self.score)}{held}")
            return
        self.score = self.score + (won[0, 0] if self._counts_wins else np.array(payoffs))
        if self.number > 0:
            what = "Won" if self._counts_wins else "Points"
            self._say(f"{what} after {self.number + 1} {self._word}s: {self._by_side(self.score)}")

    def _over(self) -> bool:
        if self.to is None:
            return False
        if self.score.max() >= self.to:
            self._say(f"{_who_won(self.table.names, self.score, self._partners)[:-1]} the series.")
            return True
        return self.number >= MOST_DEALS

    @property
    def _counts_wins(self) -> bool:
        """Whether payoffs say who has won, and no more."""
        return bool(self.table.game.payoff_range[1] <= 1)

    def _figures(self, payoffs: Sequence[float]) -> str:
        signed = self.table.game.payoff_range[0] < 0
        return "" if self._counts_wins else f"  {self._by_side(np.array(payoffs), '+g' if signed else 'g')}"

    def _by_side(self, points: Floats, form: str = "g") -> str:
        """ "You and Clara 90, Anna and Ben 72": partners have the same score."""
        out = []
        for first in dict.fromkeys(self._partners.tolist()):
            names = [name for name, side in zip(self.table.names, self._partners, strict=True) if side == first]
            value = round(float(points[first]), 2)
            out.append(f"{_together(names)}: {f'{value:{form}}' if value else '0'}")  # neither +0 nor -0
        return ", ".join(out)

    def _sides(self) -> NDArray[np.int64]:
        """[agent] -> side, in this deal."""
        n = self.table.game.players
        sides: NDArray[np.int64] = seated(sides_of(self.table.game), rotations(n))[self.number % n]
        return sides

    # ------------------------------------------------------------------------------------------ between deals

    def _another(self) -> bool:
        if not self.asks:
            return self.to is not None
        human = self.table.people[0]
        while True:
            question = f"Another {self._word}?" if self.to is None else f"The next {self._word}?"
            self.table.console.print(Text(f"{question}  Enter: yes, /save: keep this one, /quit: no"))
            typed = human.line()
            if typed.lower() in ("", "y", "yes"):
                return True
            if typed.lower() in ("n", "no", "/quit", "/q"):
                return False
            command, _, target = typed.partition(" ")
            if command == "/save":
                self._save(target.strip())

    def _save(self, target: str) -> None:
        try:
            self.table.console.print(Text(self.table.save(target)))
        except ValueError as problem:
            self.table.console.print(Text(str(problem), style="bold"))

    # ------------------------------------------------------------------------------------------ for the record

    def _series(self) -> Series | None:
        if self.to is None:
            return None
        return Series(self.to, self.number, tuple(self._per_seat()), self._pot.item())

    def _more(self, taken_up: Record | None) -> dict[str, Any]:
        before = {} if taken_up is None else _known(taken_up)
        score = {} if self.to is not None else {"score": self._per_seat()}
        return before | {"seed": str(self.seed), "deal": self.number} | score

    def _per_seat(self) -> list[float]:
        n = self.table.game.players
        seats = rotations(n)[self.number % n]
        return [float(self.score[seats.index(seat)]) for seat in range(n)]

    def _say(self, line: str) -> None:
        self.table.console.print(Text(line, style="bold"))


def _known(record: Record) -> dict[str, Any]:
    """What an earlier evening wrote into the record of its deal."""
    if OURS not in record.more:
        return {}
    known = shape.members(record.more[OURS], f"{OURS} of more", _MORE)
    if len(known.get("score", record.seats)) != len(record.seats):
        raise ValueError("the score must have a number for each seat")
    return known


def _seated(game: Game, record: Record, seat: int) -> Any:
    sits = record.seats[seat]
    if sits.person:
        return Human(sits.name)
    agent = kibitz.agent(sits.agent)
    native(agent, game)  # complains now, not in the middle of the game
    return agent


def _together(names: Sequence[str]) -> str:
    """ "You and Clara": the person who reads it first."""
    return listed(sorted(names, key=lambda name: name != YOU))


def _who_won(names: Sequence[str], points: Floats, sides: NDArray[np.int64]) -> str:
    """As the arena has it: opponents who share the most have not won."""
    won, tied = winners(points, sides)
    if tied.all():
        return "It is a draw." if len(names) == 2 else "Nobody wins."
    best = [name for name, among in zip(names, won | tied, strict=True) if among]
    verb = "win" if won.any() else "tie"
    return f"{_together(best)} {verb}{'s' if len(best) == 1 and best != [YOU] else ''}."
