"""Agents whose play is written in C++."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz import beliefs
from kibitz.agents.base import AgentBase
from kibitz.protocols import Thought
from kibitz.registry import Spec


class NativeAgent(AgentBase):
    """Plays like the native agent `native_name` of whatever game it is shown.

    `act` draws from `Rng(seed)` exactly as `game.native_match` does, so that a game played move by move in Python and
    one played inside the core are the same game.
    """

    def __init__(self, native_name: str, options: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self.native_name = native_name
        self.options = dict(options or {})
        self.name = str(Spec(native_name, None, self.options))
        self._game: Any = None
        self._handle: Any = None

    def native(self, game: Any) -> Any | None:
        # Somebody who derives from this class and changes its play must not be replaced by the native original.
        return self._native(game) if type(self).act is NativeAgent.act else None

    def act(self, view: Any) -> int:
        return int(self._native(view.game).act(view, self.rng))

    def think(self, view: Any) -> Thought:
        thought = self._native(view.game).think(view, self.rng)
        tried = [visits > 0 for visits in thought.visits]
        values = [value if known else None for value, known in zip(thought.values, tried, strict=True)]
        visits = [int(n) if any(tried) else None for n in thought.visits]
        return Thought(thought.actions, values, visits, thought.shares, self._beliefs(view))

    def _beliefs(self, view: Any) -> beliefs.Cards | None:
        if self.peeks:
            return None  # it knows
        return beliefs.cards(view.view(view.to_act) if hasattr(view, "view") else view)

    def _native(self, game: Any) -> Any:
        if self._game is not game:
            self._handle = self._make(game)
            self._game = game
        return self._handle

    def _make(self, game: Any) -> Any:
        known = getattr(game, "native_agents", ())
        if self.native_name not in known:
            has = ", ".join(sorted(known)) or "none written in C++"
            raise ValueError(f"game {game.name!r} has no {self.native_name} agent; it has {has}")
        return game.native_agent(self.native_name, self.options)

    def __getstate__(self) -> dict[str, Any]:
        # Native handles cannot be pickled, and are made again at the first move.
        return super().__getstate__() | {"_game": None, "_handle": None}
