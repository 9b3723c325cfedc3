"""The thinker, telling on stderr its process and what it is about to do; in place of kibitz.ggp.thinker. It also knows
the agent sleeper.

With the argument `listening` nothing but its inbox tells it that the player has gone; with `holding` it holds the GIL
for ever in place of searching.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import time
from typing import Any
from unittest import mock

import kibitz
from kibitz.agents.base import AgentBase
from kibitz.ggp import thinker

make, act = kibitz.make, thinker.Thinker._act


class Sleeper(AgentBase):
    """Waits for something that never comes, and takes every error for a reason to go on waiting."""

    name = "sleeper"

    def act(self, view: Any) -> int:
        while True:
            try:
                time.sleep(86_400)
            except Exception as problem:
                note(f"going on after {problem!r}")


def note(line: str) -> None:
    os.write(2, f"{line}\n".encode())  # in one piece: other processes write there, too


def make_and_tell(*arguments: Any, **options: Any) -> Any:
    note("grounding")
    return make(*arguments, **options)


def act_and_tell(mind: thinker.Thinker, view: Any, deadline: float) -> str:
    note("searching")
    return act(mind, view, deadline)


def hold_and_tell(mind: thinker.Thinker, view: Any, deadline: float) -> str:
    note("holding")
    return str(ctypes.PyDLL(None).pause())  # unlike CDLL, PyDLL does not release the GIL


if __name__ == "__main__":
    note(f"process {os.getpid()}")
    kibitz.register_agent("sleeper", Sleeper)
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.object(kibitz, "make", make_and_tell))
        acting = hold_and_tell if "holding" in sys.argv else act_and_tell
        stack.enter_context(mock.patch.object(thinker.Thinker, "_act", acting))
        if "listening" in sys.argv:
            stack.enter_context(mock.patch.object(thinker, "_end_with_player", return_value=None))
        thinker.main()
