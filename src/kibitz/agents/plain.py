"""The searches of the core on games written in plain Python: what they need of such a game, and what it may lack."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kibitz import _core, protocols

# What a search needs beside the protocols: whether a game, with its first state and view, has it; what to say if not.
_Need = tuple[Callable[[Any, Any, Any], bool], str]

_OPEN: _Need = (
    lambda game, state, view: not hidden(game),
    "hidden = False on the game, which says that every seat knows everything, coming chance included; "
    "where something is hidden, ismcts and cheat-uct play",
)
_SECRET: _Need = (
    lambda game, state, view: hidden(game),
    "a game where something is hidden; this one says hidden = False",
)
_ZERO_SUM: _Need = (lambda game, state, view: bool(getattr(game, "zero_sum", False)), "zero_sum = True on the game")
_SIDES: _Need = (
    lambda game, state, view: len(set(getattr(game, "teams", range(game.players)))) == 2,
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
_SOLVER = (_ZERO_SUM, _SIDES, _KEY)

NEEDS: Mapping[str, tuple[_Need, ...]] = {
    "mcs": (),
    "ismcts": (),
    "mo-ismcts": (_SECRET,),
    "pimc": (),
    "uct": (_OPEN,),
    "cheat-mcs": (_SECRET,),
    "cheat-uct": (_SECRET,),
    "minimax": _SOLVER,
    "solver-pimc": _SOLVER,
    "cheat-minimax": (_SECRET, *_SOLVER),
    "expectimax": (_WORLDS,),
}


def hidden(game: Any) -> bool:
    """Whether some seat does not know everything; so it is in a game that does not say."""
    return bool(getattr(game, "hidden", True))


def searcher(game: Any, name: str, options: Mapping[str, Any]) -> _core.PythonGameAgent:
    """The search `name` for a game that is not the core's. ValueError says what the game lacks for it."""
    _check(game, f"{type(game).__name__} is no game", protocols.Game)
    if name not in NEEDS:
        raise ValueError(f"search {name!r} does not play games written in Python; those that do: {', '.join(NEEDS)}")
    state = game.deal(0)
    _check(state, f"a state of game {game.name!r} is incomplete", protocols.State)
    view = state.view(max(0, state.to_act))
    _check(view, f"a view of game {game.name!r} is incomplete", protocols.View)
    lacks = [what for holds, what in NEEDS[name] if not holds(game, state, view)]
    if lacks:
        raise ValueError(f"game {game.name!r} has no {name} agent: that needs {'; and '.join(lacks)}")
    lists_worlds = hasattr(view, "all_worlds")
    if options.get("worlds") == "all" and not lists_worlds:
        raise ValueError(f"worlds=all of agent {name!r}: that needs, in game {game.name!r}, {_WORLDS[1]}")
    chosen = dict(options)
    if name == "minimax" and hidden(game) and not lists_worlds:
        chosen.setdefault("worlds", 20)  # as for the core's games that cannot list theirs
    return _core.python_agent(game, name, chosen)


def _check(thing: Any, complaint: str, protocol: type) -> None:
    lacks = protocols.missing(thing, protocol)
    if lacks:
        raise ValueError(f"{complaint}: {type(thing).__name__} lacks {', '.join(lacks)}")
