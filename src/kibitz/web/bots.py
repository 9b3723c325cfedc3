"""Bots think in worker threads behind one fair, bounded queue.

A table has one seat to act, so it has at most one request: first come, first served is fair among tables.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

import kibitz
from kibitz import _core
from kibitz._core import Search, View
from kibitz.registry import parse_spec

T = TypeVar("T")
log = logging.getLogger("kibitz.web")
NICE = 5  # of threads for thoughts


@dataclass(eq=False)
class Request:
    """A question to a bot. `cancel` from the event loop: a search under way stops soon, and nobody is answered."""

    view: View
    spec: str
    seed: int
    answer: Callable[[int], None]
    cancelled: bool = False
    _search: Search | None = None
    _waits: asyncio.Future[int] | None = None

    def cancel(self) -> None:
        self.cancelled = True
        if self._search is not None:
            self._search.stop()
        if self._waits is not None:  # one that no thread has begun leaves the queue at once
            self._waits.cancel()

    def think(self) -> int:
        """In a worker thread. What is wrong with an agent costs it its choice, not the table its game."""
        legal = self.view.legal()
        if self.cancelled:
            return legal[0]
        try:
            chosen = self._choose()
        except Exception:  # an agent's code may raise anything; no cards in the log
            log.exception("bot failed", extra={"spec": self.spec})
            chosen = legal[0]
        return chosen if chosen in legal else legal[0]

    def _choose(self) -> int:
        name = parse_spec(self.spec).name
        if name in _searches():
            self._search = self.view.game.search(self.view, self.spec, self.seed)
            if self.cancelled:  # between the question and the search
                self._search.stop()
            self._search.run()
            return self._search.thought().best
        agent = kibitz.agent(self.spec)
        agent.begin(self.seed)
        return agent.act(self.view)


def _step_back() -> None:
    """In a thread: the system gives it time that others do not want. Only Linux has this for single threads."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


@cache
def _searches() -> frozenset[str]:
    return frozenset(search.name for search in _core.searches())


class Bots:
    """Where all tables ask."""

    def __init__(self, threads: int = 0, most: int = 2000) -> None:
        self.threads = threads or min(4, os.cpu_count() or 1)
        self._most = most
        self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="bot")
        self._aside = ThreadPoolExecutor(self.threads, thread_name_prefix="thought", initializer=_step_back)
        self.waiting = 0
        self.rested: Callable[[], None] = lambda: None  # called when a bot has answered

    @property
    def free(self) -> bool:
        """Whether a thread has no bot to think for."""
        return self.waiting < self.threads

    def run(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Something short that is no move, in threads that let bots and the event loop go first."""
        return asyncio.get_running_loop().run_in_executor(self._aside, work)

    def ask(self, view: View, spec: str, seed: int, answer: Callable[[int], None]) -> Request | None:
        """`answer` is called in the event loop. None: too many are waiting; ask again."""
        if self.waiting >= self._most:
            return None
        request = Request(view, spec, seed, answer)
        self.waiting += 1
        request._waits = asyncio.get_running_loop().run_in_executor(self._pool, request.think)
        request._waits.add_done_callback(lambda done: self._done(request, done))
        return request

    def _done(self, request: Request, done: asyncio.Future[int]) -> None:
        self.waiting -= 1
        if not request.cancelled and not done.cancelled():
            request.answer(done.result())
        self.rested()

    def close(self) -> None:
        for pool in (self._pool, self._aside):
            pool.shutdown(wait=False, cancel_futures=True)
