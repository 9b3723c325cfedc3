"""Speed of the rules engines against their peers, in one process, one after the other.

    python benchmarks/engine.py [--seconds 3] [--rounds 3] [--only uno,boards,mini_doudizhu]

Only ratios count: they are taken between neighbouring measurements, so that other work on the machine hits both.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel
import rlcard
from rlcard.agents import RandomAgent

import kibitz


def rate(work: Callable[[int], int], seconds: float, start: int) -> float:
    """How much per second, with as many units of work as fit into about `seconds`."""
    units = start
    while True:
        begin = time.perf_counter()
        done = work(units)
        took = time.perf_counter() - begin
        if took >= seconds / 2:
            return done / took
        units = max(units + 1, int(units * min(20.0, seconds / max(took, 1e-6))))


def rlcard_games(players: int) -> Callable[[int], int]:
    env = rlcard.make("uno", config={"game_num_players": players})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(players)])

    def work(games: int) -> int:
        for _ in range(games):
            env.run(is_training=False)
        return games

    return work


def our_games(game: Any, threads: int) -> Callable[[int], int]:
    def work(games: int) -> int:
        return int(game.playouts(games, seed=1, threads=threads).games)

    return work


def spiel_rollouts() -> Callable[[int], int]:
    """open_spiel's C++ rollouts from the landlord's first move: a search of one simulation that does nothing else."""
    game = pyspiel.load_game("dou_dizhu")
    rng = random.Random(1)

    def first_move() -> Any:
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        state.apply_action(state.legal_actions()[-1])  # bid 3
        return state

    states = [first_move() for _ in range(20)]  # the same number of rollouts from each

    def work(rollouts: int) -> int:
        each = rollouts // len(states) + 1
        for state in states:
            evaluator = pyspiel.RandomRolloutEvaluator(each, rng.randrange(2**30))
            pyspiel.MCTSBot(game, evaluator, 1.4, 1, 10, False, 1, False).mcts_search(state)
        return each * len(states)

    return work


def table_decisions(batch: int, threads: int) -> Callable[[int], int]:
    tables = kibitz.Tables(kibitz.make("uno", rules="rlcard"), batch, encoder="li", threads=threads)

    def work(steps: int) -> int:
        tables.run(steps, "random")
        return steps * batch

    return work


def numpy_decisions(batch: int) -> Callable[[int], int]:
    """The same, but the action goes through NumPy: a random legal one by the mask."""
    tables = kibitz.Tables(kibitz.make("uno", rules="rlcard"), batch, encoder="li")
    rng = np.random.default_rng(1)

    def work(steps: int) -> int:
        for _ in range(steps):
            tables.step((rng.random(tables.mask.shape, dtype=np.float32) * tables.mask).argmax(axis=1))
        return steps * batch

    return work


def step_overhead(batch: int) -> Callable[[int], int]:
    """The bare round trip: the first legal action, found once per step."""
    tables = kibitz.Tables(kibitz.make("uno", rules="rlcard"), batch, encoder="li")

    def work(steps: int) -> int:
        for _ in range(steps):
            tables.step(tables.mask.argmax(axis=1))
        return steps * batch

    return work


def random_games(seconds: float, rounds: int) -> None:
    game = kibitz.make("uno", players=2, rules="rlcard")
    print(f"Uno, 2 players, rlcard rules, random play; a state has {game.state_bytes} bytes")
    theirs, ours, two, ratios, speedups = [], [], [], [], []
    for _ in range(rounds):
        theirs.append(rate(rlcard_games(2), seconds, 20))
        ours.append(rate(our_games(game, 1), seconds, 10_000))
        two.append(rate(our_games(game, 2), seconds, 10_000))
        ratios.append(ours[-1] / theirs[-1])
        speedups.append(two[-1] / ours[-1])
    print(f"  rlcard 1.2.0          {statistics.median(theirs):14,.0f} games/s")
    print(f"  kibitz, one thread    {statistics.median(ours):14,.0f} games/s   {statistics.median(ratios):,.0f} times")
    speedup = statistics.median(speedups)
    print(f"  kibitz, two threads   {statistics.median(two):14,.0f} games/s   {speedup:.2f} times one")


def other_games(seconds: float) -> None:
    for players in (2, 4, 10):
        for rules in ("rlcard", "official"):
            game = kibitz.make("uno", players=players, rules=rules)
            result = game.playouts(2_000, seed=1)
            speed = rate(our_games(game, 1), seconds / 3, 1_000)
            length = result.decisions / result.games
            print(f"  {players:2} players, {rules:8}  {speed:12,.0f} games/s  {speed * length:14,.0f} decisions/s")


def tables(seconds: float) -> None:
    batch = 1024
    print(f"Tables, batch {batch}, encoder li, self-play")
    for threads in (1, 2):
        speed = rate(table_decisions(batch, threads), seconds, 50)
        print(f"  actions chosen natively, {threads} thread{'s' * (threads > 1)}  {speed:14,.0f} decisions/s")
    native = rate(table_decisions(batch, 1), seconds, 50)
    by_numpy = (("first legal by NumPy", step_overhead(batch)), ("random legal by NumPy", numpy_decisions(batch)))
    for label, work in by_numpy:
        speed = rate(work, seconds, 50)
        extra = (1 / speed - 1 / native) * batch * 1e6
        print(f"  {label:29} {speed:14,.0f} decisions/s   {extra:,.0f} microseconds more per step")


def dou_di_zhu(seconds: float, rounds: int) -> None:
    game = kibitz.make("doudizhu", rules="rlcard")
    length = game.playouts(2_000, seed=1).decisions / 2_000
    print(
        f"Dou Di Zhu, random play from the landlord's first move (ours deals too); a state has {game.state_bytes} bytes"
    )
    theirs, ours, ratios = [], [], []
    spiel = spiel_rollouts()
    for _ in range(rounds):
        theirs.append(rate(spiel, seconds, 1_000))
        ours.append(rate(our_games(game, 1), seconds, 10_000))
        ratios.append(ours[-1] / theirs[-1])
    print(f"  open_spiel 2.0.2      {statistics.median(theirs):14,.0f} games/s")
    print(f"  kibitz, one thread    {statistics.median(ours):14,.0f} games/s   {statistics.median(ratios):,.1f} times")
    print(f"  {length:.1f} decisions per game")
    tables = kibitz.Tables(game, 256)

    def ragged(steps: int) -> int:
        for _ in range(steps):
            tables.step(tables.ids[tables.offsets[:-1]])
        return steps * 256

    print(f"  ragged tables, batch 256, first legal by NumPy {rate(ragged, seconds, 20):14,.0f} decisions/s")


def uno(seconds: float, rounds: int) -> None:
    random_games(seconds, rounds)
    other_games(seconds)
    tables(seconds)


def open_spiel_rollouts(name: str) -> Callable[[int], int]:
    """Random games in open_spiel's C++: a search of one simulation, whose evaluator plays them all from the root."""
    game = pyspiel.load_game(name)
    root = game.new_initial_state()

    def work(games: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(games, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 1000, False, 1, False)
        bot.step(root)
        return games

    return work


BOARDS = [
    ("tictactoe", {}, "tic_tac_toe"),
    ("connect_four", {}, "connect_four"),
    ("connect_four", {"rows": 8, "columns": 8}, "connect_four(rows=8,columns=8)"),
    ("hex", {"size": 3}, "hex(board_size=3)"),
    ("hex", {"size": 11}, "hex(board_size=11)"),
]


def board_games(seconds: float, rounds: int) -> None:
    print("Board games, random play, one thread, games/s")
    for name, options, peer in BOARDS:
        game = kibitz.make(name, **options)
        theirs, ours, ratios = [], [], []
        for _ in range(rounds):
            theirs.append(rate(open_spiel_rollouts(peer), seconds / 3, 200))
            ours.append(rate(our_games(game, 1), seconds / 3, 1_000))
            ratios.append(ours[-1] / theirs[-1])
        print(
            f"  {peer:32} open_spiel 2.0.2 {statistics.median(theirs):11,.0f}   kibitz {statistics.median(ours):11,.0f}"
            f"   {statistics.median(ratios):5.1f} times ({min(ratios):.1f} to {max(ratios):.1f})"
        )
    game = kibitz.make("connect_four")
    speed = rate(lambda depth: int(game.perft(game.deal(), min(depth, 11))), seconds, 7)
    print(f"  perft of connect_four            {speed:14,.0f} leaves/s")


def mini_doudizhu(seconds: float) -> None:
    game = kibitz.make("mini_doudizhu")
    print("Mini Dou Di Zhu")
    print(f"  random games                {rate(our_games(game, 1), seconds, 1_000):14,.0f} games/s")
    begin = time.perf_counter()
    won = sum(game.solve(state).value == 1 for state, _ in game.deals())
    print(f"  all 8,832 deals solved in   {time.perf_counter() - begin:14.2f} s, {won:,} won by the first player")


def main() -> None:
    families: dict[str, Callable[[float, int], None]] = {
        "uno": uno,
        "doudizhu": dou_di_zhu,
        "boards": board_games,
        "mini_doudizhu": lambda seconds, rounds: mini_doudizhu(seconds),
    }
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="about how long each measurement takes")
    parser.add_argument("--rounds", type=int, default=3, help="measurements of peers in turn; medians are printed")
    parser.add_argument("--only", default=",".join(families), help="the families to measure, separated by commas")
    options = parser.parse_args()
    for family in options.only.split(","):
        if family not in families:
            parser.error(f"unknown family {family!r}; allowed: {', '.join(families)}")
        families[family](options.seconds, options.rounds)


if __name__ == "__main__":
    main()
