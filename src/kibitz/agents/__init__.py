"""The agents that come with Kibitz. A new one is a file in this folder and a line in this table.

The searches are declared in the core (cpp/search/agents.h); those of other packages come through `kibitz.adapters`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from kibitz import _core

# name in spec strings -> 'module:factory'; strings, so that nothing is imported before it is used.
_OTHERS: dict[str, str] = {
    "colver": "kibitz.adapters.colver:Colver",
    "human": "kibitz.terminal.human:Human",
    "level": "kibitz.agents.level:LevelAgent",
    "net": "kibitz.agents.network:NetAgent",
    "q": "kibitz.agents.q_table:QAgent",
    "qm": "kibitz.agents.q_table:QMAgent",
    "random": "kibitz.agents.random:RandomAgent",
    "rlcard-rules": "kibitz.adapters.rlcard:RlcardRules",
    "rules": "kibitz.agents.rules:RulesAgent",
}


def builtin() -> Mapping[str, Callable[..., Any] | str]:
    """Factories of all of them, by their names in spec strings."""
    return _OTHERS | {search.name: partial(_search, search.name) for search in _core.searches()}


def _search(name: str, /, **options: Any) -> Any:
    from kibitz.agents.search import SearchAgent

    return SearchAgent(name, options)
