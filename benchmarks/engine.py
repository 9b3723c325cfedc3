"""Speed of the rules engines against their peers, in one process, one after the other.

    python benchmarks/engine.py [--seconds 3] [--rounds 3] [--only uno,belote,doudizhu,boards,mini_doudizhu]

Only ratios count: they are taken between neighbouring measurements, so that other work on the machine hits both.
Like stands beside like: bare rules beside bare rules, encoded decisions beside encoded decisions. rlcard deals every
game, as ours do; colver and open_spiel start from positions that are dealt already.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from typing import Any

import colver
import numpy as np
import pyspiel
import rlcard
from families import Work, in_turn, rate, run_chosen
from rlcard.agents import RandomAgent
from rlcard.games.uno.game import UnoGame

import kibitz


def rlcard_rules(players: int) -> Work:
    """rlcard's rules alone, its `UnoGame`: legal actions and moves, nothing encoded. Counts decisions, as ours do."""
    game = UnoGame(num_players=players)
    rng = random.Random(1)

    def work(games: int) -> int:
        decisions = 0
        for _ in range(games):
            game.init_game()
            while not game.is_over():
                game.step(rng.choice(game.get_legal_actions()))
                decisions += 1
        return decisions

    return work


def rlcard_decisions(players: int) -> Work:
    """rlcard's environment with random agents: every decision is encoded."""
    env = rlcard.make("uno", config={"game_num_players": players})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(players)])

    def work(games: int) -> int:
        for _ in range(games):
            env.run(is_training=False)
        return games

    return counted(env, work)


def counted(env: Any, work: Work) -> Work:
    """The same work, in decisions instead of games."""
    step = env.step
    decisions = 0

    def step_and_count(*args: Any, **options: Any) -> Any:
        nonlocal decisions
        decisions += 1
        return step(*args, **options)

    env.step = step_and_count

    def done(games: int) -> int:
        before = decisions
        work(games)
        return decisions - before

    return done


def our_decisions(game: Any, threads: int) -> Work:
    def work(games: int) -> int:
        return int(game.playouts(games, seed=1, threads=threads).decisions)

    return work


def our_games(game: Any, threads: int) -> Work:
    def work(games: int) -> int:
        return int(game.playouts(games, seed=1, threads=threads).games)

    return work


def spiel_games(name: str, states: list[Any]) -> Work:
    """Random games in open_spiel's C++: searches of one simulation, whose evaluator plays them all from the root."""
    game = pyspiel.load_game(name)

    def work(games: int) -> int:
        each = games // len(states) + 1
        for number, state in enumerate(states):
            evaluator = pyspiel.RandomRolloutEvaluator(each, number + 1)
            pyspiel.MCTSBot(game, evaluator, 1.0, 1, 1000, False, 1, False).mcts_search(state)
        return each * len(states)

    return work


def colver_games() -> Work:
    env = colver.Env.deal(seed=3)
    env.set_contract(0, 80, 0, 0)  # spades, 80, seats 0 and 2, not doubled
    env.set_phase_playing()

    def work(games: int) -> int:
        env.rollout(games)
        return games

    return work


def table_decisions(batch: int, threads: int, dtype: str = "float32") -> Work:
    tables = kibitz.Tables(kibitz.make("uno", rules="rlcard"), batch, encoder="li", threads=threads, dtype=dtype)

    def work(steps: int) -> int:
        tables.run(steps, "random")
        return steps * batch

    return work


def numpy_decisions(batch: int) -> Work:
    """The same, but the action goes through NumPy: a random legal one by the mask."""
    tables = kibitz.Tables(kibitz.make("uno", rules="rlcard"), batch, encoder="li")
    rng = np.random.default_rng(1)

    def work(steps: int) -> int:
        for _ in range(steps):
            tables.step((rng.random(tables.mask.shape, dtype=np.float32) * tables.mask).argmax(axis=1))
        return steps * batch

    return work


def step_overhead(batch: int) -> Work:
    """The bare round trip: the first legal action, found once per step."""
    tables = kibitz.Tables(kibitz.make("uno", rules="rlcard"), batch, encoder="li")

    def work(steps: int) -> int:
        for _ in range(steps):
            tables.step(tables.mask.argmax(axis=1))
        return steps * batch

    return work


def random_games(seconds: float, rounds: int) -> None:
    game = kibitz.make("uno", players=2, rules="rlcard")
    print(f"Uno, 2 players, rlcard rules, random play, in decisions; a state has {game.state_bytes} bytes")
    print("rules alone: rlcard's UnoGame, our play-outs")
    in_turn("rlcard 1.2.0, UnoGame", rlcard_rules(2), our_decisions(game, 1), seconds, rounds, 20, "decisions")
    print("rules and the encoding of every decision: rlcard's environment, our tables with the encoder li, batch 1,024")
    for dtype in ("float32", "uint8"):
        label = f"rlcard 1.2.0, environment (ours: {dtype})"
        in_turn(label, rlcard_decisions(2), table_decisions(1024, 1, dtype), seconds, rounds, 20, "decisions")
    speedups = [
        rate(our_games(game, 2), seconds, 10_000) / rate(our_games(game, 1), seconds, 10_000) for _ in range(rounds)
    ]
    print(f"  two threads are {statistics.median(speedups):.2f} times one")


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


def uno(seconds: float, rounds: int) -> None:
    random_games(seconds, rounds)
    other_games(seconds)
    tables(seconds)


def belote(seconds: float, rounds: int) -> None:
    game = kibitz.make("belote", discard=True)
    print(f"Belote, 32 cards, random play of one deal; a state has {game.state_bytes} bytes")
    in_turn("colver 0.11.1, from one position", colver_games(), our_games(game, 1), seconds, rounds, 1_000)
    game = kibitz.make("belote")
    print("  drawing a world, microseconds, calls from Python included (they cost most of it)")
    for cards in (0, 8, 16, 20, 24, 28):
        times = [world_time(game, seed, cards) for seed in range(100)]
        print(f"    after {cards:2} cards   median {statistics.median(times):.2f}   worst position {max(times):.2f}")


def world_time(game: Any, seed: int, moves: int, draws: int = 300) -> float:
    """Mean time of a draw, in microseconds, after so many random moves, with all that they have shown."""
    state = game.deal(seed)
    rng = random.Random(seed)
    for _ in range(moves):
        state.apply(rng.choice(state.legal()))
    view = state.view(state.to_act)
    start = time.perf_counter()
    for draw in range(draws):
        view.sample(draw)
    return 1e6 * (time.perf_counter() - start) / draws


def doudizhu(seconds: float, rounds: int) -> None:
    game = kibitz.make("doudizhu", rules="rlcard")
    print(f"Dou Di Zhu, random play from the landlord's first move; a state has {game.state_bytes} bytes")
    peer = pyspiel.load_game("dou_dizhu")
    rng = random.Random(1)

    def first_move() -> Any:
        state = peer.new_initial_state()
        while state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        state.apply_action(state.legal_actions()[-1])  # bid 3
        return state

    theirs = spiel_games("dou_dizhu", [first_move() for _ in range(20)])
    in_turn("open_spiel 2.0.2", theirs, our_games(game, 1), seconds, rounds, 1_000)
    print(f"  {game.playouts(2_000, seed=1).decisions / 2_000:.1f} decisions per game")
    tables = kibitz.Tables(game, 256)

    def ragged(steps: int) -> int:
        for _ in range(steps):
            tables.step(tables.ids[tables.offsets[:-1]])
        return steps * 256

    print(f"  ragged tables, batch 256, first legal by NumPy {rate(ragged, seconds, 20):14,.0f} decisions/s")


BOARDS: list[tuple[str, dict[str, Any], str]] = [
    ("tictactoe", {}, "tic_tac_toe"),
    ("connect_four", {}, "connect_four"),
    ("connect_four", {"rows": 8, "columns": 8}, "connect_four(rows=8,columns=8)"),
    ("hex", {"size": 3}, "hex(board_size=3)"),
    ("hex", {"size": 11}, "hex(board_size=11)"),
]


def boards(seconds: float, rounds: int) -> None:
    print("Board games, random play")
    for name, options, peer in BOARDS:
        theirs = spiel_games(peer, [pyspiel.load_game(peer).new_initial_state()])
        ours = our_games(kibitz.make(name, **options), 1)
        in_turn(f"open_spiel 2.0.2, {peer}", theirs, ours, seconds / 3, rounds)
    game = kibitz.make("connect_four")
    speed = rate(lambda depth: int(game.perft(game.deal(), min(depth, 11))), seconds, 7)
    print(f"  perft of connect_four {speed:14,.0f} leaves/s")


def mini_doudizhu(seconds: float, rounds: int) -> None:
    speeds = [rate(our_games(kibitz.make("mini_doudizhu"), 1), seconds, 1_000) for _ in range(rounds)]
    print(f"Mini Dou Di Zhu, random play: {statistics.median(speeds):,.0f} games/s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="about how long each measurement takes")
    parser.add_argument("--rounds", type=int, default=3, help="measurements of peers in turn; medians are printed")
    run_chosen(
        parser,
        {
            "uno": lambda options: uno(options.seconds, options.rounds),
            "belote": lambda options: belote(options.seconds, options.rounds),
            "doudizhu": lambda options: doudizhu(options.seconds, options.rounds),
            "boards": lambda options: boards(options.seconds, options.rounds),
            "mini_doudizhu": lambda options: mini_doudizhu(options.seconds, options.rounds),
        },
    )


if __name__ == "__main__":
    main()
