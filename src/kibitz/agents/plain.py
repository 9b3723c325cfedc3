"""The searches of the core on games written in plain Python: what they need of such a game, and what it may lack."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kibitz import _core, protocols

# What a search needs beside the protocols: whether a game, with its first state and view, has it; what to say if not.
_Need = tuple[Callable[[Any, Any, Any], bool], str]

_OPEN: _Need = (
    lambda game, state, view: not protocols.facts(game).hidden,
    "hidden = False on the game, which says that every seat knows everything, coming chance included; "
    "where something is hidden, ismcts and cheat-uct play",
)
_SECRET: _Need = (
    lambda game, state, view: protocols.facts(game).hidden,
    "a game where something is hidden; this one says hidden = False",
)
_ZERO_SUM: _Need = (lambda game, state, view: protocols.facts(game).zero_sum, "zero_sum = True on the game")
_SIDES: _Need = (
    lambda game, state, view: len(set(protocols.facts(game).teams)) == 2,
    "a game of two sides (`teams`)",
)
_KEY: _Need = (
    lambda game, state, view: hasattr(state, "solver_key"),
    "`solver_key` on its states: a whole number below 2**128, equal exactly where the rest of the game is the same",
)
_WORLDS: _Need = (
    lambda game, state, view: hasattr(view, "all_worlds"),
    "`all_worlds()` on its views: every world as a pair (state, weight)",
)

# What a need that a search declares in the core means for a game written in Python.
_NEEDS: Mapping[str, tuple[_Need, ...]] = {
    "hidden": (_SECRET,),
    "open": (_OPEN,),
    "solver": (_ZERO_SUM, _SIDES, _KEY),
    "worlds": (_WORLDS,),
}


def needs() -> dict[str, tuple[_Need, ...]]:
    """What each search that plays games written in Python needs of one."""
    return {s.name: tuple(n for need in s.needs for n in _NEEDS[need]) for s in _core.searches() if s.python}


def searcher(game: protocols.Game, name: str, options: Mapping[str, Any]) -> _core.PythonGameAgent:
    """The search `name` for a game that is not the core's. ValueError says what the game lacks for it."""
    _check(game, f"{type(game).__name__} is no game", protocols.Game)
    known = needs()
    if name not in known:
        raise ValueError(f"search {name!r} does not play games written in Python; those that do: {', '.join(known)}")
    state = game.deal(0)
    _check(state, f"a state of game {game.name!r} is incomplete", protocols.State)
    view = state.view(max(0, state.to_act))
    _check(view, f"a view of game {game.name!r} is incomplete", protocols.View)
    lacks = [what for holds, what in known[name] if not holds(game, state, view)]
    if lacks:
        raise ValueError(f"game {game.name!r} has no {name} agent: that needs {'; and '.join(lacks)}")
    lists_worlds = hasattr(view, "all_worlds")
    if options.get("worlds") == "all" and not lists_worlds:
        raise ValueError(f"worlds=all of agent {name!r}: that needs, in game {game.name!r}, {_WORLDS[1]}")
    chosen = dict(options)
    if name == "minimax" and protocols.facts(game).hidden and not lists_worlds:
        chosen.setdefault("worlds", 20)  # as for the core's games that cannot list theirs
    return _core.python_agent(game, name, chosen)


def _check(thing: Any, complaint: str, protocol: type) -> None:
    lacks = protocols.missing(thing, protocol)
    if lacks:
        raise ValueError(f"{complaint}: {type(thing).__name__} lacks {', '.join(lacks)}")
