"""A native game behind plain Python methods: the same game, but the searches must ask Python for every step."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import kibitz


class Wrapped:
    def __init__(self, name: str, hidden: bool = True, **options: Any) -> None:
        self.inner = kibitz.make(name, **options)
        self.name = f"wrapped_{name}"
        self.hidden, self.hidden_moves = hidden, False
        self.players, self.num_actions = self.inner.players, self.inner.num_actions
        self.payoff_range, self.zero_sum, self.teams = self.inner.payoff_range, self.inner.zero_sum, self.inner.teams
        self.options = {"name": name, "hidden": hidden, **options}

    def deal(self, seed: int = 0) -> WrappedState:
        return WrappedState(self, self.inner.deal(seed))

    def text(self, action: int) -> str:
        return str(self.inner.text(action))

    def parse(self, text: str) -> int:
        return int(self.inner.parse(text))

    def position(self, of: Any) -> dict[str, Any]:
        return dict(self.inner.position(of.inner)) | {"game": self.name}

    def from_position(self, position: dict[str, Any]) -> Any:
        inner = self.inner.from_position(position | {"game": self.inner.name})
        return WrappedView(self, inner) if "seat" in position else WrappedState(self, inner)


class Member:
    """Shared by states and views."""

    def __init__(self, game: Wrapped, inner: Any) -> None:
        self.game, self.inner = game, inner

    @property
    def to_act(self) -> int:
        return int(self.inner.to_act)

    @property
    def history(self) -> list[tuple[int, int]]:
        return list(self.inner.history)

    def legal(self) -> list[int]:
        return list(self.inner.legal())


class WrappedState(Member):
    @property
    def over(self) -> bool:
        return bool(self.inner.over)

    @property
    def payoffs(self) -> list[float]:
        return list(self.inner.payoffs)

    @property
    def solver_key(self) -> int:
        text = json.dumps(self.game.inner.position(self.inner)).encode()
        return int.from_bytes(hashlib.blake2b(text, digest_size=16).digest())

    def apply(self, action: int) -> None:
        self.inner.apply(action)

    def copy(self) -> WrappedState:
        return WrappedState(self.game, self.inner.copy())

    def view(self, seat: int) -> WrappedView:
        return WrappedView(self.game, self.inner.view(seat))


class WrappedView(Member):
    @property
    def seat(self) -> int:
        return int(self.inner.seat)

    @property
    def key(self) -> int:
        return int(self.inner.key)

    def sample(self, seed: int) -> WrappedState:
        return WrappedState(self.game, self.inner.sample(seed))

    def all_worlds(self) -> list[tuple[WrappedState, float]]:
        return [(WrappedState(self.game, world), weight) for world, weight in self.inner.all_worlds()]
