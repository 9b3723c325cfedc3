"""A named level as an agent: `level:best` plays each game as the table of `kibitz.advice` says."""

from __future__ import annotations

from typing import Any

from kibitz import _core, protocols, registry
from kibitz.advice import NAMES, level
from kibitz.protocols import Agent, Thought


class LevelAgent:
    """Plays like the agent of a level, which it looks up when it first sees the game."""

    peeks = False

    def __init__(self, source: str) -> None:
        if source not in NAMES:
            raise ValueError(f"unknown level {source!r}; there are {', '.join(NAMES)}")
        self.level = source
        self.name = f"level:{source}"
        self._seed = 0
        self._game: protocols.Game | None = None
        self._agent: Agent | None = None

    def begin(self, seed: int) -> None:
        self._seed = seed
        if self._agent is not None:
            self._agent.begin(seed)

    def act(self, view: Any) -> int:
        return self._playing(self._game_of(view)).act(view)

    def think(self, view: Any) -> Thought:
        return self._playing(self._game_of(view)).think(view)

    def native(self, game: protocols.Game) -> _core.Agent | None:
        return protocols.native(self._playing(game), game)

    def _playing(self, game: protocols.Game) -> Agent:
        if self._agent is None or self._game is not game:
            self._agent, self._game = registry.agent(level(game, self.level).spec), game
            protocols.native(self._agent, game)  # tells it the game, which a view in Python need not know
            self._agent.begin(self._seed)
        return self._agent

    def _game_of(self, view: Any) -> protocols.Game:
        game = protocols.game_of(view) or self._game
        if game is None:
            raise ValueError(f"agent {self.name!r} cannot tell which game this is: {type(view).__name__} has no `game`")
        return game

    # Who plays is found again at the next game: neither games nor native agents need be copied or pickled.
    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_game": None, "_agent": None}

    def __repr__(self) -> str:
        return f"<agent {self.name}>"
