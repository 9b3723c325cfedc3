"""What agents have in common. Deriving from this class is convenient, not required: see `protocols.Agent`."""

from __future__ import annotations

from typing import Any

from kibitz import _core, protocols
from kibitz.protocols import Thought


class AgentBase:
    """Keeps a random stream of its own, `self.rng`, started afresh by `begin`. Subclasses write `act`."""

    name: str = "agent"
    peeks: bool = False

    def __init__(self) -> None:
        self.rng = _core.agent_stream(0)

    def begin(self, seed: int) -> None:
        self.rng = _core.agent_stream(seed)

    def act(self, view: Any) -> int:
        raise NotImplementedError(f"{type(self).__name__} does not say how it acts")

    def think(self, view: Any) -> Thought:
        """All the share to the action it would play; an agent that knows more overrides this."""
        chosen = self.act(view)
        actions = list(view.legal())
        nothing = [None] * len(actions)
        return Thought(
            actions,
            [*nothing],
            [*nothing],
            [float(action == chosen) for action in actions],
            game=protocols.game_of(view),
        )

    def native(self, game: protocols.Game) -> _core.Agent | None:
        """The native agent that plays `game` exactly like this one, for matches that never leave the core."""
        return None

    # A stream is part of a running game, not of the agent: copies and pickles begin with a new one.
    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key != "rng"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.rng = _core.agent_stream(0)

    def __repr__(self) -> str:
        return f"<agent {self.name}>"
