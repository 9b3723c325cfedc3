"""Ctrl-C at a known moment, however busy the machine is."""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

# The core must hear of a signal before the usual limit on a test's time can end the test, but not this one.
ends_even_if_deaf = pytest.mark.timeout(300, method="thread")


@contextmanager
def ctrl_c_in_the_core() -> Iterator[None]:
    """Presses Ctrl-C once the main thread is inside a call of the core that looks for signals.

    Until then signals do nothing. Python handles them between two instructions, so that they find it somewhere else
    every time. Where two in a row find it at the same instruction of the same frame, that instruction is still running
    (or a loop has come back to it, which a short way to the core does not have).
    """
    over = threading.Event()
    last: tuple[FrameType | None, int] = (None, 0)

    def handle(_: int, frame: FrameType | None) -> None:
        nonlocal last
        before, last = last, (frame, frame.f_lasti if frame else 0)
        if before == last and not over.is_set():
            over.set()
            raise KeyboardInterrupt

    def press() -> None:
        while not over.wait(0.01):
            _thread.interrupt_main()  # like the signal itself, but on any system

    keys = threading.Thread(target=press)
    usual = signal.signal(signal.SIGINT, handle)
    try:
        keys.start()
        yield
    finally:
        over.set()
        keys.join()
        signal.signal(signal.SIGINT, usual)
        last = (None, 0)
