"""Agents that play from tables of action values; kibitz.learn.q_table makes these."""

from __future__ import annotations

from typing import Any

from kibitz import _core, protocols
from kibitz.agents.native import NativeAgent
from kibitz.learn import q_table
from kibitz.registry import Spec


class QAgent(NativeAgent):
    """Plays the action that its table thinks best, at random where that knows nothing good. The table's game alone."""

    def __init__(self, source: str) -> None:
        super().__init__("q")
        self.source = source
        self.name = str(Spec(self.native_name, source, self.options))
        q_table.read(source)  # a bad file is refused here, not at the first move

    def _make(self, game: protocols.Game) -> _core.Agent:
        return q_table.load(self.source, game).agent(self.native_name, self._fallback(game))

    def _fallback(self, game: protocols.Game) -> _core.Agent | None:
        return None


class QMAgent(QAgent):
    """The same with flat Monte Carlo search where the table knows nothing good; options as of `mcs`."""

    def __init__(self, source: str, **options: Any) -> None:
        super().__init__(source)
        self.native_name = "qm"
        self.options = options or {"iterations": 50}
        self.name = str(Spec(self.native_name, source, options))

    def _fallback(self, game: protocols.Game) -> _core.Agent | None:
        return game.native_agent("mcs", self.options) if isinstance(game, _core.Game) else None
