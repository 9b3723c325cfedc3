"""The score of a table over its deals. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kibitz.arena.points import Scorer, partners_of
from kibitz.arena.seatings import rotations
from kibitz.arena.stats import sides_of, winners
from kibitz.protocols import Game


def seat_of(place: int, deal: int, players: int) -> int:
    """Everybody moves on by one seat after each deal; `place` is where one sat in the first."""
    return (place + deal) % players


def place_of(seat: int, deal: int, players: int) -> int:
    return (seat - deal) % players


def winners_of(game: Game, payoffs: list[float]) -> list[int]:
    """The seats that have won a deal; nobody where it is drawn."""
    won = winners(np.array([[payoffs]]), np.asarray(sides_of(game)))[0]
    return [int(seat) for seat in np.flatnonzero(won[0, 0])]


@dataclass(frozen=True)
class Result:
    """Of one deal, by seat; `points` with this deal."""

    payoffs: list[float]
    winners: list[int]
    gained: list[float]
    points: list[float]
    held: float
    series_over: bool
    series_winners: list[int]


@dataclass
class Score:
    """Points by place. `to` None: no series, every deal is a game of its own and a win is a point."""

    game: Game
    to: int | None
    points: list[float] = field(default_factory=list)
    held: float = 0.0
    over: bool = False

    def __post_init__(self) -> None:
        self.points = self.points or [0.0] * self.game.players

    def begin(self) -> None:
        """A new deal: after a finished series, a new one."""
        if self.over and self.to is not None:
            self.points, self.held = [0.0] * self.game.players, 0.0
        self.over = False

    def count(self, payoffs: list[float], deal: int) -> Result:
        """Adds a finished deal; `payoffs` by seat."""
        n = self.game.players
        won = winners(np.array([[payoffs]]), np.asarray(sides_of(self.game)))[0]
        if self.to is None:
            gains = won[0, 0].astype(float)
        else:  # as kibitz.series has it, with one round of one seating
            settled = Scorer(self.game)(np.array([[payoffs]]), won)
            gained, pot = settled.settle(0, np.zeros(1, np.int64), np.full((1, 1), self.held))
            gains, self.held = gained[0], float(pot.item())
        for seat in range(n):
            self.points[place_of(seat, deal, n)] += float(gains[seat])
        best = self._series_winners()
        self.over = self.to is None or max(self.points) >= self.to
        return Result(
            [float(payoff) for payoff in payoffs],
            [seat for seat in range(n) if won[0, 0, seat]],
            [float(gain) for gain in gains],
            [self.points[place_of(seat, deal, n)] for seat in range(n)],
            self.held,
            self.over,
            sorted(seat_of(place, deal, n) for place in best) if self.over and self.to is not None else [],
        )

    def _series_winners(self) -> list[int]:
        sides = partners_of(self.game, rotations(self.game.players))
        won = winners(np.array(self.points), sides)[0]
        return [int(place) for place in np.flatnonzero(won)]
