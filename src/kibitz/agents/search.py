"""The searches of the core as agents; docs/search.md says what each does and what its options mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kibitz import _core
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

    def native(self, game: Any) -> Any | None:
        handle = super().native(game)  # also complains, where it cannot play this game
        return None if isinstance(handle, _core.PythonGameAgent) else handle

    def _make(self, game: Any) -> Any:
        if type(game) in _core.games().values() or self.native_name in getattr(game, "native_agents", ()):
            return super()._make(game)
        return plain.searcher(game, self.native_name, self._options())


def _maker(name: str) -> Callable[..., SearchAgent]:
    def make(**options: Any) -> SearchAgent:
        return SearchAgent(name, options)

    return make


mcs = _maker("mcs")
uct = _maker("uct")
ismcts = _maker("ismcts")
mo_ismcts = _maker("mo-ismcts")
pimc = _maker("pimc")
solver_pimc = _maker("solver-pimc")
minimax = _maker("minimax")
expectimax = _maker("expectimax")
cheat_mcs = _maker("cheat-mcs")
cheat_uct = _maker("cheat-uct")
cheat_minimax = _maker("cheat-minimax")
value_mcts = _maker("value-mcts")


def kibitzer(game: Any, effort: str) -> str:
    """The spec of the search to ask about `game` if nobody says which; `effort` as in `ms=500`."""
    return f"{'ismcts' if plain.hidden(game) else 'uct'}:{effort}"
