"""Steps per second of environments: ours beside PettingZoo's, rlcard's, OpenSpiel's and pgx's, where a game is common.

    python benchmarks/environments.py --seconds 2 --only uno,hex

Like with like: every row of a group plays the same game, by random legal actions, in one thread, and a step is one
decision whose player has been given its observation and its legal actions. The rounds of a group are played by turns,
and what is printed is the median of each and its ratio to the first row of the group.

PettingZoo has given up its Uno and Dou Di Zhu, but not the wrapper of rlcard that they were: the row has that, in the
wrappers that PettingZoo puts around it. pgx steps as many games at once as our tables, in one call that is compiled for
the CPU and draws the random actions, too; beside it stand ours with actions drawn in the core. (XLA may use more
threads than one.) A package that is not installed (pgx, pygame-ce for PettingZoo's games) is left out, and said to be.
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
    def game() -> int:
        env.reset()
        steps = 0
        for _ in env.agent_iter():
            seen, _, done, cut, _ = env.last()
            over = done or cut
            env.step(None if over else random.choice(np.flatnonzero(seen["action_mask"])))
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


def vector(name: str, options: dict[str, Any], *, native: bool = False) -> Play:
    """Every seat learns, so that every decision is a step, as in the rows beside it."""
    tables = kibitz.Tables(kibitz.make(name, **options), BATCH, None, seed=1)
    rng = np.random.default_rng(1)

    def step() -> int:
        if native:
            tables.run(1, "random")
            return BATCH
        if tables.ragged:
            chosen = tables.ids[tables.offsets[:-1] + rng.integers(0, np.diff(tables.offsets))]
        else:
            chosen = np.argmax(rng.random(tables.mask.shape) * tables.mask, axis=1)
        tables.step(chosen)
        return BATCH

    return lambda seconds: timed(seconds, step)


def pgx_tables(name: str) -> Play:
    import jax
    import pgx
    from pgx.experimental import act_randomly, auto_reset

    env = pgx.make(name)
    start, advance = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    def turn(state: Any, key: Any) -> tuple[Any, Any]:
        key, draw, deal = jax.random.split(key, 3)
        return advance(state, act_randomly(draw, state.legal_action_mask), jax.random.split(deal, BATCH)), key

    once, key = jax.jit(turn), jax.random.PRNGKey(1)
    running = [jax.jit(start)(jax.random.split(key, BATCH)), key]
    running[:] = once(*running)  # compiled before the clock runs

    def step() -> int:
        running[:] = once(*running)
        running[0].observation.block_until_ready()
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


def wrapped_rlcard(name: str, shape: tuple[int, ...]) -> Play:
    """PettingZoo's wrapper of rlcard, as its own environments have it."""
    from pettingzoo.classic.rlcard_envs.rlcard_base import RLCardBase
    from pettingzoo.utils import wrappers

    base = RLCardBase(name, 2, shape)
    base.render_mode = None  # which its games set
    env = wrappers.TerminateIllegalWrapper(base, illegal_reward=-1)
    return aec(wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env)))


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
            "PettingZoo's rlcard wrapper": lambda: wrapped_rlcard("uno", (4, 4, 15)),
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
            f"pgx, {BATCH} tables": lambda: pgx_tables("tic_tac_toe"),
            f"kibitz, {BATCH} tables, native": lambda: vector("tictactoe", {}, native=True),
            f"kibitz, {BATCH} tables": lambda: vector("tictactoe", {}),
        },
        "connect four": {
            "PettingZoo": lambda: theirs_aec("classic/connect_four-v3"),
            "kibitz, PettingZoo": lambda: ours_aec("connect_four"),
            "OpenSpiel (C++)": lambda: theirs_spiel("connect_four"),
            "kibitz, OpenSpiel": lambda: ours_spiel("kibitz_connect_four"),
            f"pgx, {BATCH} tables": lambda: pgx_tables("connect_four"),
            f"kibitz, {BATCH} tables, native": lambda: vector("connect_four", {}, native=True),
            f"kibitz, {BATCH} tables": lambda: vector("connect_four", {}),
        },
        "hex 11x11": {
            "OpenSpiel (C++)": lambda: theirs_spiel("hex"),
            "kibitz, OpenSpiel": lambda: ours_spiel("kibitz_hex"),
            f"pgx, {BATCH} tables": lambda: pgx_tables("hex"),  # with the swap
            f"kibitz, {BATCH} tables, native": lambda: vector("hex", {"swap": True}, native=True),
            f"kibitz, {BATCH} tables": lambda: vector("hex", {"swap": True}),
        },
    }


def measure(game: str, rows: dict[str, Callable[[], Play]], seconds: float) -> None:
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


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=2.0, help="of each row in each round")
    options.add_argument("--only", default="", help="groups whose names begin so: uno,dou,tic,connect,hex")
    given = options.parse_args()
    for game, rows in groups().items():
        if game.startswith(tuple(given.only.split(","))):
            measure(game, rows, given.seconds)


if __name__ == "__main__":
    main()
