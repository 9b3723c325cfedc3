"""Positions as clients get them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kibitz._core import State, View
from kibitz.protocols import can


def position(shown: View | State) -> dict[str, Any] | None:
    """The game's own JSON; None where it has none. Where a rulesheet lies on the server is nobody's business."""
    if not can(shown.game, "position"):
        return None
    made = shown.game.position(shown)
    return made | {"file": Path(made["file"]).stem} if "file" in made else made
