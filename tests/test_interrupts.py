"""Ctrl-C in calls that would take days: heard, and what they work on is whole afterwards."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from test_value_mcts import random_net

import kibitz

DAYS = 10**9


def cut(tables: kibitz.Tables, call: Callable[[], Any]) -> None:
    """Sends an interrupt once the call is at work: then the tables refuse others."""

    def interrupt() -> None:
        while True:
            try:
                tables.save()
            except RuntimeError:
                break
        os.kill(os.getpid(), signal.SIGINT)

    other = threading.Thread(target=interrupt)
    other.start()
    try:
        while True:
            try:
                call()
                raise AssertionError("the call came to its end")
            except RuntimeError:  # the other thread was just looking
                continue
    finally:
        other.join()


CALLS: dict[str, Callable[[kibitz.Tables], Any]] = {
    "run": lambda tables: tables.run(DAYS),
    "run with a search": lambda tables: tables.run(DAYS, f"mcs:iterations={DAYS}"),
    "think": lambda tables: tables.think(f"mcs:iterations={DAYS}"),
    "advise": lambda tables: tables.advise(f"ismcts:iterations={DAYS}"),
    "value_search": lambda tables: tables.value_search(random_net(tables.game, "li")[1], simulations=10_000_000),
}


@pytest.mark.parametrize("name", ["run", "step"])
def test_searches_of_opponents_hear_an_interrupt(name: str) -> None:
    game = kibitz.make("uno", players=2, rules="rlcard")
    tables = kibitz.Tables(game, 4, "random", seed=1)
    tables.replace(f"mcs:iterations={DAYS}")
    first = tables.mask.argmax(axis=1)
    calls: dict[str, Callable[[], None]] = {"run": lambda: tables.run(DAYS), "step": lambda: tables.step(first)}
    with pytest.raises(KeyboardInterrupt):
        cut(tables, calls[name])
    tables.replace("random")
    tables.run(3)  # every table stands between two steps


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", CALLS)
def test_calls_of_tables_hear_an_interrupt(name: str, threads: int) -> None:
    game = kibitz.make("uno", players=3, rules="rlcard")
    tables = kibitz.Tables(game, 64, "random", encoder="li", seed=1, threads=threads)
    before = tables.save()
    with pytest.raises(KeyboardInterrupt):
        cut(tables, lambda: CALLS[name](tables))
    if not name.startswith("run"):
        assert tables.save() == before
    tables.restore(tables.save())  # every table stands between two steps
    tables.step(np.where(tables.mask, 1, 0).argmax(axis=1))
