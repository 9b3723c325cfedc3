"""Positions as others give them: which game they are of, and the state or the view that they describe."""

from __future__ import annotations

from typing import Any

from kibitz import registry
from kibitz.protocols import can, facts


def read(data: Any) -> tuple[Any, Any]:
    """The game and the state, or the view if cards are left unknown. ValueError says what is wrong."""
    if not isinstance(data, dict) or not isinstance(data.get("game"), str):
        raise ValueError('not a position: that is a JSON object with "game" and what the game needs')
    game = registry.make(data["game"], **options(data))
    if not can(game, "from_position"):
        raise ValueError(f"game {game.name!r} reads no positions: {type(game).__name__} has no from_position")
    return game, game.from_position(data)


def options(position: dict[str, Any]) -> dict[str, Any]:
    """The options of the game that a position names. One whose name means something else there (in Belote, `trump` is
    the suit of the deal) is called NAME_option."""
    game = registry.make(position["game"])
    usual = game.position(game.deal()) if can(game, "position") else {}
    found = {}
    for name, default in facts(game).options.items():
        member = name if usual.get(name, default) == default else f"{name}_option"
        if member in position:
            found[name] = position[member]
    return found
