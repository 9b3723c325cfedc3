"""Time, so that tests can hold it still: what is late, and what happens later."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Handle(Protocol):
    def cancel(self) -> None:
        """It will not happen."""


class Timing(Protocol):
    """A clock. Nothing of the table reads another one."""

    def now(self) -> float:
        """Seconds that never go back."""

    def wall(self) -> int:
        """Seconds since 1970."""

    def call_at(self, when: float, call: Callable[[], None]) -> Handle:
        """Calls at `now() == when`, or soon after."""


class RealTiming:
    """The event loop's."""

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def wall(self) -> int:
        return int(time.time())

    def call_at(self, when: float, call: Callable[[], None]) -> Handle:
        return asyncio.get_running_loop().call_at(when, call)


def next_tick(start: float, now: float, pace: float) -> float:
    """The first tick of the grid start + pace, start + 2·pace, … that is not past.

    An answer is given on a tick whatever it is and however long it took, so that its time says nothing of the cards.
    """
    ticks = max(1, -int(-(now - start) // pace))
    return start + ticks * pace
