"""Agents whose play is written in C++."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from kibitz import _core, beliefs, protocols
from kibitz.agents.base import AgentBase
from kibitz.protocols import Thought
from kibitz.registry import Spec


def to_thought(
    native: _core.NativeThought,
    cards: beliefs.Cards | None = None,
    game: protocols.Game | None = None,
    *,
    difference: bool = False,
) -> Thought:
    """A thought of the core, with None for what it does not know."""
    tried = [visits > 0 for visits in native.visits]
    values = [value if known else None for value, known in zip(native.values, tried, strict=True)]
    visits = [int(n) if any(tried) else None for n in native.visits]
    return Thought(
        native.actions,
        values,
        visits,
        native.shares,
        cards,
        # Agents that do not search have none of these; nor have searches where there was nothing to choose.
        native.iterations or None,
        native.nodes or None,
        native.full,
        _known(native.errors),
        _known(native.losses),
        _known(native.loss_errors),
        native.asked or None,
        native.undecided,
        difference,
        game,
    )


def _known(figures: list[float]) -> list[float | None]:
    return [None if math.isnan(figure) else figure for figure in figures]


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
        self._game: protocols.Game | None = None
        self._handle: _core.Agent | _core.PythonGameAgent | None = None

    def native(self, game: protocols.Game) -> _core.Agent | None:
        # Somebody who derives from this class and changes its play must not be replaced by the native original.
        if type(self).act is not NativeAgent.act:
            return None
        handle = self._native(game)  # also complains, where it cannot play this game
        return handle if isinstance(handle, _core.Agent) else None

    def act(self, view: Any) -> int:
        return self._native(self._game_of(view)).act(view, self.rng)

    def think(self, view: Any) -> Thought:
        game = self._game_of(view)
        thought = self._native(game).think(view, self.rng)
        return to_thought(thought, self._beliefs(view), game, difference=self.options.get("goal") == "difference")

    def _beliefs(self, view: protocols.View | protocols.State) -> beliefs.Cards | None:
        if self.peeks:
            return None  # it knows
        return beliefs.cards(view.view(view.to_act) if isinstance(view, protocols.State) else view)

    def _native(self, game: protocols.Game) -> _core.Agent | _core.PythonGameAgent:
        if self._handle is None or self._game is not game:
            self._handle = self._make(game)
            self._game = game
        return self._handle

    def _options(self) -> dict[str, Any]:
        """For the core, which takes no 50.0 where it wants a whole number, but 1 for 1.0 everywhere."""
        whole = {key: int(x) for key, x in self.options.items() if isinstance(x, float) and x.is_integer()}
        return self.options | whole

    def _make(self, game: protocols.Game) -> _core.Agent | _core.PythonGameAgent:
        if not isinstance(game, _core.Game):
            raise ValueError(f"game {game.name!r} has no {self.native_name} agent; it has none written in C++")
        return game.native_agent(self.native_name, self._options())

    def _game_of(self, view: Any) -> protocols.Game:
        # A match asks for `native` first; views in Python need not know their game.
        game = protocols.game_of(view) or self._game
        if game is None:
            raise ValueError(f"agent {self.name!r} cannot tell which game this is: {type(view).__name__} has no `game`")
        return game

    def __getstate__(self) -> dict[str, Any]:
        # Native handles cannot be pickled, and are made again at the first move.
        return super().__getstate__() | {"_game": None, "_handle": None}
