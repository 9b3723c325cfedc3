"""Time to decide. Pure."""

from __future__ import annotations

from kibitz._core import View
from kibitz.web.positions import position

# In these phases of Uno there is a short window, after which the seat has done this.
WINDOWS = {"call": "silent", "catch": "pass"}


def window_action(view: View) -> int | None:
    """What happens when a call window closes; None where the seat is not in one. Of the view of the seat to act."""
    if view.game.name != "uno":
        return None
    phase = (position(view) or {}).get("phase")
    return view.game.parse(WINDOWS[phase]) if phase in WINDOWS else None


def limit(people: int, clock_s: int | None, window: float, view: View) -> float | None:
    """Seconds for this decision; None: as long as it takes. Alone with bots nobody is hurried."""
    if people < 2:
        return None
    if window_action(view) is not None:
        return window
    return None if clock_s is None else float(clock_s)
