"""Where thoughts are worked out: beside the bots' threads, behind the moves of bots, a piece of each job in turn.

A job is cut into pieces of some hundredths of a second. Jobs take turns; a piece begins while a thread has no bot to
think for, or when the job has waited long enough. So a move waits for one piece at most, and no thought for ever.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from kibitz.web.bots import Bots
from kibitz.web.timing import Timing

log = logging.getLogger("kibitz.web")
MOST = 200  # jobs at once
PATIENCE = 1.0  # seconds that bots may come first


class Work(Protocol):
    """What can be done in pieces: kibitz.advice.thinking.Thinking, or a review."""

    finished: bool

    def piece(self) -> Any:
        """In a worker thread: a little more; what is to be told, or None."""

    def stop(self) -> None:
        """From the event loop: a piece under way ends soon."""


@dataclass(eq=False)
class Job:
    """Work, and whom to tell: `tell` in the event loop, whatever a piece gave; `end` once, with what went wrong."""

    work: Work
    tell: Callable[[Any], None]
    end: Callable[[Exception | None], None]
    since: float  # when it began to wait for its next piece
    cancelled: bool = False

    def cancel(self) -> None:
        """Nobody is told any more."""
        self.cancelled = True
        self.work.stop()


class Desk:
    """Where tables and programs ask."""

    def __init__(self, bots: Bots, timing: Timing, most: int = MOST) -> None:
        self._bots, self._timing, self._most = bots, timing, most
        self._queue: deque[Job] = deque()
        self._running = 0
        self._closed = False
        self._wake: asyncio.TimerHandle | None = None
        bots.rested = self._go_on

    @property
    def jobs(self) -> int:
        return len(self._queue) + self._running

    def ask(
        self, work: Work, tell: Callable[[Any], None], end: Callable[[Exception | None], None] = lambda _: None
    ) -> Job | None:
        """None: too many are at work; ask again."""
        if self.jobs >= self._most or self._closed:
            return None
        job = Job(work, tell, end, self._timing.now())
        self._queue.append(job)
        self._go_on()
        return job

    async def result(self, work: Work) -> Any:
        """The last thing that the work tells. TimeoutError: too many are at work. Cancelled, it stops the work."""
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        last: list[Any] = [None]

        def end(problem: Exception | None) -> None:
            if not done.done():
                done.set_result(last[0]) if problem is None else done.set_exception(problem)

        job = self.ask(work, lambda told: last.__setitem__(0, told), end)
        if job is None:
            raise TimeoutError("too many thoughts are asked for")
        try:
            return await done
        finally:
            job.cancel()

    def close(self) -> None:
        self._closed = True
        for job in self._queue:
            job.cancel()

    def _go_on(self) -> None:
        """Begins as many pieces as there may be."""
        while self._queue and not self._closed and self._running < self._bots.threads:
            if self._queue[0].cancelled:
                self._queue.popleft()
                continue
            late = self._queue[0].since + PATIENCE - self._timing.now()
            if not self._bots.free and late > 0:  # `rested` comes back; a full house of bots is not waited for
                return self._come_back(late)
            job = self._queue.popleft()
            self._running += 1
            self._bots.run(job.work.piece).add_done_callback(partial(self._done, job))

    def _come_back(self, seconds: float) -> None:
        if self._wake is None:
            self._wake = asyncio.get_running_loop().call_later(seconds, self._woken)

    def _woken(self) -> None:
        self._wake = None
        self._go_on()

    def _done(self, job: Job, done: asyncio.Future[Any]) -> None:
        self._running -= 1
        if not job.cancelled and not done.cancelled():
            self._told(job, done)
        self._go_on()

    def _told(self, job: Job, done: asyncio.Future[Any]) -> None:
        problem = done.exception()
        if problem is not None:
            # The cause is what a client sent (ValueError), or a mistake of ours; no cards in the log.
            log.error("a thought failed", exc_info=problem)
            job.end(problem if isinstance(problem, Exception) else RuntimeError("failed"))
            return
        if done.result() is not None:
            job.tell(done.result())
        if job.work.finished:
            job.end(None)
        elif not job.cancelled:
            job.since = self._timing.now()
            self._queue.append(job)
