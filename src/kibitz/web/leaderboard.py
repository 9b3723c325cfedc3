"""The leaderboard of our agents: figures that tools/leaderboard.py has written beside this file."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from kibitz.web import wire

DATA = Path(__file__).with_suffix(".json")


@cache
def agent_boards() -> wire.Leaderboard:
    """Read once."""
    read = json.loads(DATA.read_text(encoding="utf-8"))
    return wire.Leaderboard(games=[_board(board) for board in read["games"]])


def _board(read: dict[str, Any]) -> wire.AgentBoard:
    agents = [wire.AgentRating(**_of(wire.AgentRating, agent)) for agent in read["agents"]]
    return wire.AgentBoard(**_of(wire.AgentBoard, read) | {"agents": agents})


def _of(kind: type[wire.AgentRating] | type[wire.AgentBoard], read: dict[str, Any]) -> dict[str, Any]:
    """What a message has of the file, which has more."""
    return {key: read[key] for key in kind.model_fields}
