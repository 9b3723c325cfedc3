"""Agents whose play is written in C++."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz import beliefs
from kibitz.agents.base import AgentBase
from kibitz.protocols import Thought
from kibitz.registry import Spec


def to_thought(native: Any, cards: beliefs.Cards | None = None) -> Thought:
    """A thought of the core, with None for what it does not know."""
    tried = [visits > 0 for visits in native.visits]
    values = [value if known else None for value, known in zip(native.values, tried, strict=True)]
    visits = [int(n) if any(tried) else None for n in native.visits]
    # Agents that do not search have neither; nor have searches where there was nothing to choose.
    work = {"iterations": native.iterations or None, "nodes": native.nodes or None, "full": native.full}
    return Thought(native.actions, values, visits, native.shares, cards, **work)


OPEN_ONLY = ("uct", "minimax")  # searches for games in which nothing is hidden, not even moves at the same time


class NativeAgent(AgentBase):
    """Plays like the native agent `native_name` of whatever game it is shown.

    `act` draws from the stream of its seed exactly as `game.native_match` does, so that a game played move by move in
    Python and one played inside the core are the same game.
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
        return int(self._native(self._game_of(view)).act(view, self.rng))

    def think(self, view: Any) -> Thought:
        return to_thought(self._native(self._game_of(view)).think(view, self.rng), self._beliefs(view))

    def _beliefs(self, view: Any) -> beliefs.Cards | None:
        if self.peeks:
            return None  # it knows
        return beliefs.cards(view.view(view.to_act) if hasattr(view, "view") else view)

    def _native(self, game: Any) -> Any:
        if self._game is not game:
            self._handle = self._make(game)
            self._game = game
        return self._handle

    def _options(self) -> dict[str, Any]:
        """For the core, which takes no 50.0 where it wants a whole number, but 1 for 1.0 everywhere."""
        whole = {key: int(x) for key, x in self.options.items() if isinstance(x, float) and x.is_integer()}
        return self.options | whole

    def _make(self, game: Any) -> Any:
        known = getattr(game, "native_agents", ())
        if self.native_name not in known:
            has = ", ".join(sorted(known)) or "none written in C++"
            why = ", since something is hidden in it" if self.native_name in OPEN_ONLY and game.hidden else ""
            raise ValueError(f"game {game.name!r} has no {self.native_name} agent{why}; it has {has}")
        return game.native_agent(self.native_name, self._options())

    def _game_of(self, view: Any) -> Any:
        # A match asks for `native` first; views in Python need not know their game.
        game = getattr(view, "game", self._game)
        if game is None:
            raise ValueError(f"agent {self.name!r} cannot tell which game this is: {type(view).__name__} has no `game`")
        return game

    def __getstate__(self) -> dict[str, Any]:
        # Native handles cannot be pickled, and are made again at the first move.
        return super().__getstate__() | {"_game": None, "_handle": None}
