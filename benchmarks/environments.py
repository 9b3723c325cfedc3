"""Steps per second of environments: ours beside PettingZoo's, rlcard's and OpenSpiel's, where a game is common.

    python benchmarks/environments.py --seconds 2

Like with like: every row of a group plays the same game, by random legal actions, in one thread, and a step is one
decision whose player has been given its observation and its legal actions. The rounds of a group are played by turns,
and what is printed is the median of each and its ratio to the first row of the group. PettingZoo has given up its
wrappers of rlcard's Uno and Dou Di Zhu, so that only its own Tic-Tac-Toe and Connect Four are left to compare; a
package that is not installed (PettingZoo's games need pygame-ce) is left out, and said to be.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import kibitz
from kibitz.adapters import rlcard_env

ROUNDS = 3
BATCH = 256

Play = Callable[[float], tuple[int, float]]  # seconds -> decisions, seconds


def timed(seconds: float, game: Callable[[], int]) -> tuple[int, float]:
    """Whole games until the time is over."""
    steps, begun = 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < seconds:
        steps += game()
    return steps, spent


def aec(env: Any) -> Play:
    rng = np.random.default_rng(1)

    def game() -> int:
        env.reset()
        steps = 0
        for _ in env.agent_iter():
            seen, _, done, cut, _ = env.last()
            over = done or cut
            env.step(None if over else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
            steps += not over
        return steps

    return lambda seconds: timed(seconds, game)


def rlcard_loop(env: Any) -> Play:
    """rlcard's own interface, whoever is behind it."""

    def game() -> int:
        shown, _ = env.reset()
        steps = 0
        while not env.is_over():
            shown, _ = env.step(random.choice(list(shown["legal_actions"])))
            steps += 1
        return steps

    return lambda seconds: timed(seconds, game)


def spiel(game: Any) -> Play:
    def one() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(random.choice(state.chance_outcomes())[0])
                continue
            state.observation_tensor(state.current_player())
            state.apply_action(random.choice(state.legal_actions()))
            steps += 1
        return steps

    return lambda seconds: timed(seconds, one)


def vector(name: str, options: dict[str, Any]) -> Play:
    """Every seat learns, so that every decision is a step, as in the rows beside it."""
    tables = kibitz.Tables(kibitz.make(name, **options), BATCH, None, seed=1)
    rng = np.random.default_rng(1)

    def step() -> int:
        if tables.ragged:
            chosen = tables.ids[tables.offsets[:-1] + rng.integers(0, np.diff(tables.offsets))]
        else:
            chosen = np.argmax(rng.random(tables.mask.shape) * tables.mask, axis=1)
        tables.step(chosen)
        return BATCH

    return lambda seconds: timed(seconds, step)


def ours_aec(name: str, **options: Any) -> Play:
    from kibitz.adapters import pettingzoo

    return aec(pettingzoo.env(name, **options))


def ours_spiel(name: str) -> Play:
    from kibitz.adapters import openspiel

    return spiel(openspiel.load(name))


def theirs_spiel(name: str) -> Play:
    import pyspiel
    from open_spiel.python import games

    assert games  # imported, and so registered
    return spiel(pyspiel.load_game(name))


def theirs_rlcard(name: str) -> Play:
    import rlcard

    return rlcard_loop(rlcard.make(name, config={"seed": 1}))


def theirs_aec(name: str) -> Play:
    import pettingzoo

    return aec(pettingzoo.make("aec", name))


def groups() -> dict[str, dict[str, Callable[[], Play]]]:
    """Game -> row -> what makes it."""
    rlcard_rules = {"rules": "rlcard"}
    return {
        "uno, rlcard's rules": {
            "rlcard": lambda: theirs_rlcard("uno"),
            "kibitz, rlcard's interface": lambda: rlcard_loop(rlcard_env.make("uno", {"seed": 1})),
            "kibitz, PettingZoo": lambda: ours_aec("uno", **rlcard_rules),
            f"kibitz, {BATCH} tables": lambda: vector("uno", rlcard_rules),
        },
        "dou di zhu, rlcard's rules": {
            "rlcard": lambda: theirs_rlcard("doudizhu"),
            "kibitz, rlcard's interface": lambda: rlcard_loop(rlcard_env.make("doudizhu", {"seed": 1})),
            f"kibitz, {BATCH} tables": lambda: vector("doudizhu", rlcard_rules),
        },
        "tic-tac-toe": {
            "PettingZoo": lambda: theirs_aec("classic/tictactoe-v3"),
            "kibitz, PettingZoo": lambda: ours_aec("tictactoe"),
            "OpenSpiel (C++)": lambda: theirs_spiel("tic_tac_toe"),
            "OpenSpiel (Python)": lambda: theirs_spiel("python_tic_tac_toe"),
            "kibitz, OpenSpiel": lambda: ours_spiel("kibitz_tictactoe"),
            f"kibitz, {BATCH} tables": lambda: vector("tictactoe", {}),
        },
        "connect four": {
            "PettingZoo": lambda: theirs_aec("classic/connect_four-v3"),
            "kibitz, PettingZoo": lambda: ours_aec("connect_four"),
            "OpenSpiel (C++)": lambda: theirs_spiel("connect_four"),
            "kibitz, OpenSpiel": lambda: ours_spiel("kibitz_connect_four"),
            f"kibitz, {BATCH} tables": lambda: vector("connect_four", {}),
        },
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=2.0, help="of each row in each round")
    seconds = options.parse_args().seconds
    for game, rows in groups().items():
        print(game)
        made: dict[str, Play] = {}
        for name, make in rows.items():
            try:
                made[name] = make()
            except Exception as problem:  # other people's packages fail in their own ways
                print(f"  {name:28} left out: {str(problem).splitlines()[0] if str(problem) else problem!r}")
        speeds: dict[str, list[float]] = {name: [] for name in made}
        for _ in range(ROUNDS):
            for name, play in made.items():
                steps, spent = play(seconds)
                speeds[name].append(steps / spent)
        medians = {name: statistics.median(found) for name, found in speeds.items()}
        first = next(iter(medians.values()))
        for name, speed in medians.items():
            print(f"  {name:28} {speed:14,.0f} steps/s  {speed / first:8.2f} x")


if __name__ == "__main__":
    main()
