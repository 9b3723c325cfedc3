"""The agent that everything must beat."""

from __future__ import annotations

from typing import Any

from kibitz import _core, protocols
from kibitz.agents.base import AgentBase
from kibitz.protocols import Thought


class RandomAgent(AgentBase):
    """Every legal action with the same probability, in any game."""

    name = "random"

    def act(self, view: Any) -> int:
        actions = view.legal()
        # One draw for every choice, none where there is nothing to choose: the native random agent does the same.
        return int(actions[self.rng.below(len(actions)) if len(actions) > 1 else 0])

    def think(self, view: Any) -> Thought:
        actions = list(view.legal())
        nothing = [None] * len(actions)
        return Thought(actions, [*nothing], [*nothing], [1 / len(actions)] * len(actions), game=protocols.game_of(view))

    def native(self, game: protocols.Game) -> _core.Agent | None:
        # Unlike NativeAgent, this one is at home in games without native agents; and see there for the first check.
        if type(self).act is not RandomAgent.act or not isinstance(game, _core.Game):
            return None
        return game.native_agent("random", {})
