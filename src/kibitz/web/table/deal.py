"""A deal: the state that nobody may see whole before it is over, and what may be shown of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from kibitz._core import Game, State, View
from kibitz.record import Record, Seat, Series, commitment, opening
from kibitz.web.means import Chance
from kibitz.web.positions import position
from kibitz.web.secret import Secret
from kibitz.web.store.base import DealRow


def draw(
    number: int, chance: Chance, at: int, start: State | View | None = None, *, seed: int | None = None
) -> DealRow:
    """The chance of a new deal; `seed` where it follows from a name. With `start` it begins there: what a view leaves
    unknown is drawn with the seed.

    The whole position is kept, not the view: a later version may draw another world with the same seed."""
    seed, salt = chance.seed() if seed is None else seed, chance.salt()
    dealt = DealRow(number, Secret(seed), Secret(salt), commitment(seed, salt), at)
    if start is None:
        return dealt
    state = start if isinstance(start, State) else start.sample(seed)
    return replace(dealt, start=Secret(json.dumps(state.game.position(state))))


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
        self._state = self._first()
        self.turn = 0  # decisions so far
        self.resigned: int | None = None  # the seat that gave up

    def _first(self) -> Secret[State]:
        """As it was dealt."""
        if self.row.start is None:
            return Secret(self.game.deal(self.row.seed.open()))
        state = self.game.from_position(json.loads(self.row.start.open()))
        if not isinstance(state, State):
            raise ValueError("the position that the deal began with leaves cards unknown")
        return Secret(state)

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
            position(self._first().open()),
            position(self._state.open()),
        )

    def record(self, seats: Sequence[Seat], series: Series | None, more: Mapping[str, Any]) -> Record:
        """The record of a finished deal. One that was given up has no result of its own: the moves lead to none."""
        if not self.over:
            raise RuntimeError("the deal is not over")
        dealt = self.row.start is None
        return Record.of(
            self.game,
            self._state.open(),
            seats,
            seed=self.row.seed.open() if dealt else None,
            start=None if dealt else self._first().open(),
            salt=self.row.salt.open() if dealt else None,
            series=series,
            began=datetime.fromtimestamp(self.row.started, UTC).isoformat(),
            more=more,
        )
