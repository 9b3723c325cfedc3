"""Two agents against each other, in any game: who sits where, and what is counted.

Every deal is played under all seatings of the duel, so that both agents get the same cards in the same places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import kibitz
from kibitz import protocols
from kibitz.arena.result import Deals
from kibitz.arena.seatings import Seatings, rotations
from kibitz.arena.stats import Floats, Interval, mean_interval, rate_interval
from kibitz.experiments import Row, Run
from kibitz.experiments.strength import matches
from kibitz.experiments.strength.matches import AS_GIVEN, PAIR

PAYOFF = "payoff per deal"


@dataclass(frozen=True)
class Duel:
    """How two agents meet in a game: `tables` says for each kind of table who plays where in the first seating, a the
    one that is measured, b the other."""

    game: str
    tables: tuple[str, ...]
    seatings: Seatings
    unit: str
    fair: float  # what an agent gets against itself
    points: bool

    def play(self, run: Run, name: str, a: str, b: str, *, deals: int, size: int) -> Outcome:
        found = []
        for table in self.tables:
            agents = [a if seat == "a" else b for seat in table]
            stage = f"{name} {table}"
            found.append(matches.play(run, stage, self.game, agents, self.seatings, deals=deals, size=size))
        return Outcome(self, found)


@dataclass(frozen=True)
class Outcome:
    duel: Duel
    matches: Sequence[Deals]  # one per kind of table

    def scores(self) -> Floats:
        """Of agent a, per deal: games won, or points."""
        each = [self._score(t, m) for t, m in zip(self.duel.tables, self.matches, strict=True)]
        return np.asarray(np.mean(each, axis=0), np.float64)

    def _score(self, table: str, match: Deals) -> Floats:
        if not self.duel.points:
            return match.shares(table.index("a"))
        own = match.gains(table.index("a"))
        # Where payoffs are a side's own points, what counts is how many more they are than the other's.
        return own if protocols.facts(kibitz.make(self.duel.game)).zero_sum else own - match.gains(table.index("b"))

    def interval(self) -> Interval:
        scores = self.scores()
        return mean_interval(scores, -np.inf, np.inf) if self.duel.points else rate_interval(scores)

    @property
    def games(self) -> int:
        return sum(match.games for match in self.matches)

    def milliseconds(self) -> float:
        """Per move of agent a."""
        seconds, moves = 0.0, 0
        for table, match in zip(self.duel.tables, self.matches, strict=True):
            at = [seat for seat, who in enumerate(table) if who == "a"]
            seconds += sum(match.seconds[seat] for seat in at)
            moves += sum(match.moves[seat] for seat in at)
        return 1e3 * seconds / moves if moves else 0.0

    def better(self) -> bool:
        """Whether a is stronger than b beyond the 95% interval."""
        return self.interval().low > self.duel.fair

    def row(self, figure: str, goal: str = "") -> Row:
        figure = f"{figure}: {self.duel.unit}"
        if self.duel.unit == PAYOFF:  # of a few points, or less than one
            return Row(figure, goal, self.interval(), self.games, "{:+.2f}")
        form = matches.points_row if self.duel.points else matches.share_row
        return form(figure, goal, self.interval(), self.games)


def duel_of(game: str) -> Duel:
    """One agent against the others, every seat in turn; sides against sides where there are partners."""
    made = kibitz.make(game)
    facts = protocols.facts(made)
    options = facts.options
    if made.name == "belote":
        points = options["scoring"] != "win"
        return Duel(
            game, ("abab",), PAIR, "points more per deal" if points else "deals won", 0.0 if points else 0.5, points
        )
    if made.name == "doudizhu" and not facts.partners_vary and options["scoring"] == "wp":
        return Duel(game, ("abb", "baa"), AS_GIVEN, "games won, both roles", 0.5, False)
    if made.name == "doudizhu":
        return Duel(game, ("abb",), rotations(3), PAYOFF, 0.0, True)
    seats = "a" + "b" * (made.players - 1)
    return Duel(game, (seats,), rotations(made.players), "games won", 1 / made.players, False)
