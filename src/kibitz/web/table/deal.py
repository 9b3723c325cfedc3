"""A deal: the state that nobody may see whole before it is over, and what may be shown of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from kibitz._core import Game, State, View
from kibitz.record import Record, Seat, Series, commitment, opening
from kibitz.web.means import Chance
from kibitz.web.positions import position
from kibitz.web.secret import Secret
from kibitz.web.store.base import DealRow


def draw(number: int, chance: Chance, at: int) -> DealRow:
    """The chance of a new deal."""
    seed, salt = chance.seed(), chance.salt()
    return DealRow(number, Secret(seed), Secret(salt), commitment(seed, salt), at)


@dataclass(frozen=True)
class Opened:
    """A finished deal, everything open."""

    seed: str
    salt: str
    hash: str
    commitment: str
    dealt: dict[str, Any] | None
    position: dict[str, Any] | None


class Deal:
    """The running deal of a table."""

    def __init__(self, game: Game, row: DealRow) -> None:
        self.game, self.row = game, row
        self._state: Secret[State] = Secret(game.deal(row.seed.open()))
        self.turn = 0  # decisions so far
        self.resigned: int | None = None  # the seat that gave up

    @property
    def number(self) -> int:
        return self.row.deal

    @property
    def over(self) -> bool:
        return self.resigned is not None or self._state.open().over

    @property
    def to_act(self) -> int | None:
        return None if self.over else self._state.open().to_act

    def legal(self) -> list[int]:
        return [] if self.over else self._state.open().legal()

    def view(self, seat: int) -> View:
        return self._state.open().view(seat)

    def public(self) -> View | None:
        """What every seat knows; None where the game cannot say."""
        make = getattr(self._state.open(), "public", None)
        return None if make is None else make()

    def apply(self, action: int) -> None:
        self._state.open().apply(action)
        self.turn += 1

    def resign(self, seat: int) -> None:
        self.resigned = seat

    def ends_with(self, action: int) -> list[float] | None:
        """The payoffs if this action ends the deal."""
        after = self._state.open().copy()
        after.apply(action)
        return list(after.payoffs) if after.over else None

    def payoffs(self) -> list[float]:
        """Of a finished deal; who resigns loses what can be lost."""
        if not self.over:
            raise RuntimeError("the deal is not over")
        if self.resigned is None:
            return list(self._state.open().payoffs)
        low, high = self.game.payoff_range
        return [low if seat == self.resigned else high for seat in range(self.game.players)]

    def opened(self) -> Opened:
        """Everything; only once it is over."""
        if not self.over:
            raise RuntimeError("the deal is not over")
        seed, salt = self.row.seed.open(), self.row.salt.open()
        return Opened(
            str(seed),
            salt,
            self.row.hash,
            opening(seed, salt),
            position(self.game.deal(seed)),
            position(self._state.open()),
        )

    def record(self, seats: Sequence[Seat], series: Series | None, more: Mapping[str, Any]) -> Record:
        """The record of a finished deal. One that was given up has no result of its own: the moves lead to none."""
        if not self.over:
            raise RuntimeError("the deal is not over")
        return Record.of(
            self.game,
            self._state.open(),
            seats,
            seed=self.row.seed.open(),
            salt=self.row.salt.open(),
            series=series,
            began=datetime.fromtimestamp(self.row.started, UTC).isoformat(),
            more=more,
        )
