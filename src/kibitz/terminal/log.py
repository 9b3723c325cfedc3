"""What happened at a table, as one pair of eyes saw it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.text import Text

from kibitz.protocols import View
from kibitz.terminal.painter import Painter

OPENING = -1  # before the first action


class Log:
    """Keeps a painter's snapshots of every moment, so that each action can be told with what it led to. All views that
    it is shown are of one seat, or the public ones."""

    def __init__(self) -> None:
        self._snapshots: dict[int, Any] = {}  # by the number of actions so far
        self._told = OPENING  # how many actions have been read

    def watch(self, painter: Painter, view: View) -> None:
        self._snapshots[len(view.history)] = painter.snapshot(view)

    def news(self, painter: Painter, view: View) -> list[Text]:
        """What happened since the last news."""
        lines = list(self._lines(painter, view, self._told))
        self._told = len(view.history)
        return lines

    def everything(self, painter: Painter, view: View) -> list[Text]:
        return list(self._lines(painter, view, OPENING))

    def skip(self, to: int) -> None:
        """Nothing before that many actions is news."""
        self._told = max(self._told, to)

    def forget(self, after: int) -> None:
        """Actions beyond that many were taken back."""
        self._snapshots = {at: kept for at, kept in self._snapshots.items() if at <= after}
        self._told = min(self._told, after)

    def _lines(self, painter: Painter, view: View, since: int) -> Iterator[Text]:
        if since == OPENING and 0 in self._snapshots and (told := painter.opening(view, self._snapshots[0])):
            yield told
        for at, (seat, action) in enumerate(view.history):
            if at >= since:
                yield painter.event(view, self._snapshots.get(at), seat, action, self._snapshots.get(at + 1))
