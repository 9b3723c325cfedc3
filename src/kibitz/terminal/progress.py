"""Progress of long work: rate and time left, on stderr, once it has taken two seconds."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Bar

PATIENCE = 2.0  # seconds before anything is shown
PLAIN_EVERY = 30.0  # seconds between lines where stderr is not a terminal


class Progress:
    """A callable(done, total) for whatever works; a bar on a terminal, now and then a plain line elsewhere.

    When less is done than before, or of another total, the next stage has begun: its rate and time left are its own.
    """

    def __init__(self, label: str, unit: str) -> None:
        self._label, self._unit = label, unit
        self._start = self._said = time.monotonic()
        self._begun = self._start  # of the stage
        self._stage = 0
        self._first = 0  # what was done before we came: a resumed run
        self._last = (0, 0)
        self._console = Console(stderr=True)
        self._bar: Bar | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if done < self._last[0] or total != self._last[1]:
            self._stage, self._first, self._begun = self._stage + 1, done, now
        self._last = done, total
        if now - self._start < PATIENCE:
            return
        figures = self._figures(done, total, now - self._begun)
        if self._console.is_terminal:
            self._draw(done, total, figures)
        elif now - self._said >= PLAIN_EVERY:
            self._said = now
            print(f"{self._label}: {figures}", file=sys.stderr, flush=True)

    def _draw(self, done: int, total: int, figures: str) -> None:
        if self._bar is None:
            columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[figures]}"))
            # Transient: the result that follows says it better.
            self._bar = Bar(*columns, console=self._console, transient=True)
            self._bar.start()
            self._bar.add_task(self._label, figures=figures)
        self._bar.update(self._bar.task_ids[0], completed=done, total=total, figures=figures)

    def _figures(self, done: int, total: int, seconds: float) -> str:
        rate = (done - self._first) / seconds if seconds > 0 else 0.0
        left = duration((total - done) / rate) + " left" if rate > 0 else "…"
        speed = f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"
        stage = f"stage {self._stage}, " if self._stage > 1 else ""
        return f"{stage}{done:,} of {total:,} {self._unit}, {speed}/s, {left}"


class Waiting:
    """For work that cannot say how far it is: the time it has taken, on a terminal, once that is two seconds."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._done = threading.Event()
        self._console = Console(stderr=True)
        self._clock = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Waiting:
        if self._console.is_terminal:
            self._clock.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._done.set()
        if self._clock.is_alive():
            self._clock.join()  # it wipes its line away

    def _run(self) -> None:
        start = time.monotonic()
        if self._done.wait(PATIENCE):
            return
        with self._console.status("") as status:
            while True:
                status.update(f"{self._label} {duration(time.monotonic() - start)}")
                if self._done.wait(0.5):
                    return


def duration(seconds: float) -> str:
    """0:07, 12:30, 3:02:11."""
    minutes, s = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{s:02}" if hours else f"{minutes}:{s:02}"
