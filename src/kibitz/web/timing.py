"""Time, so that tests can hold it still: what is late, and what happens later."""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
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


class Ticks:
    """How long bots take, in ticks: as many as the slowest of the latest answers of their kind.

    Thinking longer than a tick would otherwise show which decisions were hard, and answering a forced move at once
    that it was one. So only an answer that is slower than all of the latest shows that it was. `most`: no bot waits
    longer than so many ticks for the sake of others, or one stall of the machine would hold all tables up.
    """

    def __init__(self, latest: int = 64, most: int = 3) -> None:
        self._latest, self._most = latest, most
        self._taken: dict[str, deque[int]] = {}  # by kind of bot: game and agent

    def due(self, kind: str, asked: float, now: float, pace: float) -> float:
        """When to give an answer that is there now."""
        taken = self._taken.setdefault(kind, deque(maxlen=self._latest))
        took = max(1, math.ceil((now - asked) / pace - 1e-6))
        taken.append(min(took, self._most))
        return asked + max(took, *taken) * pace


def last_tick(start: float, now: float, pace: float) -> float:
    """The last tick of the grid start, start + pace, start + 2·pace, … that has come."""
    return start + max(0, math.floor((now - start) / pace + 1e-6)) * pace
