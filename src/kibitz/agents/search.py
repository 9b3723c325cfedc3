"""The searches of the core as agents; docs/search.md says what each does and what its options mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz import _core, protocols
from kibitz.agents import plain
from kibitz.agents.native import NativeAgent
from kibitz.agents.network import find_net


class SearchAgent(NativeAgent):
    """A native search; its options are checked when it first meets a game. Also plays games written in Python."""

    def __init__(self, native_name: str, options: Mapping[str, Any] | None = None) -> None:
        super().__init__(native_name, options)
        self.peeks = native_name.startswith("cheat-")

    def _options(self) -> dict[str, Any]:
        given = super()._options()
        net = given.get("net")
        return given | {"net": str(find_net(net))} if isinstance(net, str) and net else given

    def _make(self, game: protocols.Game) -> _core.Agent | _core.PythonGameAgent:
        if isinstance(game, _core.Game):
            return super()._make(game)
        return plain.searcher(game, self.native_name, self._options())


def kibitzer(game: protocols.Game, effort: str) -> str:
    """The spec of the search to ask about `game` if nobody says which; `effort` as in `ms=500`."""
    return f"{'ismcts' if protocols.facts(game).hidden else 'uct'}:{effort}"
