"""A plain function as an agent: it maps a view to an action, and is all that an agent needs to be."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from kibitz.agents.base import AgentBase


class FunctionAgent(AgentBase):
    """Plays what `function(view)` says. It has no randomness of ours: a function that draws lots does so by itself."""

    def __init__(self, function: Callable[[Any], int], name: str = "") -> None:
        super().__init__()
        self.function = function
        self.name = name or getattr(function, "__name__", type(function).__name__)

    def act(self, view: Any) -> int:
        action = self.function(view)
        try:
            return int(action)
        except (TypeError, ValueError):
            raise ValueError(f"agent {self.name!r} must return an action, a whole number, not {action!r}") from None


def is_policy(thing: object) -> bool:
    """Whether it is a function of one argument, the view. A factory of agents needs no argument, or `source`."""
    if isinstance(thing, type) or not callable(thing):
        return False
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return False
    places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [p for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    return len(needed) == 1 and needed[0].kind in places and needed[0].name != "source"
