"""Speed of the searches against their peers, in one process, one after the other.

    python benchmarks/search.py [--seconds 2] [--rounds 3] [--only boards,belote,threads,papers,nets]

An iteration is one descent with one play-out, for everybody. Only ratios count: they are taken between neighbouring
measurements, so that other work on the machine hits both.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import colver
import numpy as np
import numpy.typing as npt
import pyspiel
import torch
from families import Work, in_turn, rate, run_chosen

import kibitz


def ours(game: Any, name: str, **options: Any) -> Work:
    """Searches of the first decision of a deal."""
    state = game.deal(1)
    view = state.view(state.to_act)

    def work(iterations: int) -> int:
        agent = game.native_agent(name, {"iterations": iterations, **options})
        return int(agent.think(view, kibitz._core.Rng(1)).iterations)

    return work


def spiel_uct(name: str) -> Work:
    game = pyspiel.load_game(name)

    def work(iterations: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, iterations, 4000, False, 1, False)
        bot.mcts_search(game.new_initial_state())
        return iterations

    return work


def spiel_ismcts(name: str) -> Work:
    """From the first decision that has a choice."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node() or len(state.legal_actions()) < 2:
        state.apply_action(state.legal_actions()[0])

    def work(iterations: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        kind = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        pyspiel.ISMCTSBot(1, evaluator, 0.7, iterations, -1, kind, False, False).step(state)
        return iterations

    return work


def colver_search() -> Work:
    env = colver.Env.deal(seed=3)
    env.set_contract(0, 80, 0, 0)  # spades, 80, seats 0 and 2, not doubled
    env.set_phase_playing()

    def work(iterations: int) -> int:  # it takes milliseconds, not iterations
        return int(env.action_naive_ismcts_with_stats(max(1, iterations // 700))["root_visits"])

    return work


def boards(options: argparse.Namespace) -> None:
    print("UCT from the empty board, beside open_spiel's MCTSBot")
    games = [
        ("tic_tac_toe", kibitz.make("tictactoe")),
        ("connect_four", kibitz.make("connect_four")),
        ("hex(board_size=3)", kibitz.make("hex", size=3, swap=False)),
    ]
    for name, game in games:
        in_turn(name, spiel_uct(name), ours(game, "uct", c=1.4), options.seconds, options.rounds, 20_000, "iterations")


def belote(options: argparse.Namespace) -> None:
    print("Belote, first card of 32")
    game = kibitz.make("belote", discard=True)
    pairs = [
        ("SO-ISMCTS, beside open_spiel's on euchre", spiel_ismcts("euchre"), ours(game, "ismcts")),
        ("PIMC with UCT, beside colver's determinized trees", colver_search(), ours(game, "pimc", worlds=40)),
    ]
    for label, peer, mine in pairs:
        in_turn(label, peer, mine, options.seconds, options.rounds, 20_000, "iterations")


def threads(options: argparse.Namespace) -> None:
    print("Two threads against one")
    game = kibitz.make("belote")
    for name in ("ismcts", "pimc"):
        ratios = []
        for _ in range(options.rounds):
            one = rate(ours(game, name), options.seconds, 20_000)
            ratios.append(rate(ours(game, name, threads=2), options.seconds, 20_000) / one)
        print(f"  {name:10} {sorted(ratios)[len(ratios) // 2]:.2f} times")


def papers(options: argparse.Namespace) -> None:
    print("Olech's times per move, 32 cards, and ours")
    game = kibitz.make("belote", rules="olech")
    rows: list[tuple[str, str, int, float, dict[str, int]]]
    rows = [("UCT, 30,000 trials", "cheat-uct", 30_000, 13.0, {}), ("SO-ISMCTS, 3,000", "ismcts", 3_000, 11.07, {})]
    rows += [("PIMC, 200,000", "pimc", 200_000, 20.2, {"worlds": 1000})]
    for label, name, iterations, theirs, extra in rows:
        agents = [game.native_agent(name, {"iterations": iterations, "threads": n, **extra}) for n in (1, 2)]
        took = [1 / rate(searches(game, agent), options.seconds, 1) for agent in agents]
        one, two = (f"{1000 * mine:8.2f} ms ({theirs / mine:,.0f} times)" for mine in took)
        print(f"  {label:24} {theirs:6.2f} s   {one}   two threads {two}")


def searches(game: Any, agent: Any) -> Work:
    """Whole searches of the first decision of a deal."""
    state = game.deal(1)

    def work(times: int) -> int:
        for _ in range(times):
            agent.think(state, kibitz._core.Rng(1))
        return times

    return work


def uno_positions(n: int) -> npt.NDArray[np.float32]:
    """What the seat to act sees, by the encoder `li`, along random games."""
    tables = kibitz.Tables(kibitz.make("uno", rules="rlcard"), 256, encoder="li", seed=1)
    rng = np.random.default_rng(1)
    seen: list[npt.NDArray[np.float32]] = []
    while 256 * len(seen) < n:
        tables.step(np.where(tables.mask, rng.random(tables.mask.shape), -1.0).argmax(axis=1))
        seen.append(tables.obs.copy())
    return np.concatenate(seen)[:n]


def nets(options: argparse.Namespace) -> None:
    print("A perceptron 240-64-64-61 on positions of Uno, beside torch asked for one leaf at a time")
    torch.set_num_threads(1)
    torch.manual_seed(1)
    layers = [torch.nn.Linear(240, 64), torch.nn.ReLU(), torch.nn.Linear(64, 64), torch.nn.ReLU()]
    module = torch.nn.Sequential(*layers, torch.nn.Linear(64, 61))
    game = kibitz.make("uno", rules="rlcard")
    positions = uno_positions(16_384)
    leaves = torch.from_numpy(positions)

    def by_torch(n: int, size: int = 1) -> int:
        with torch.inference_mode():
            for i in range(0, n, size):
                module(leaves[i % len(leaves) : i % len(leaves) + size])
        return n

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "net.safetensors"
        kibitz.save_net(file, module.state_dict(), kibitz.net_metadata(game, "li", "q"))
        net = kibitz.Net.load(file)

        def by_core(n: int, size: int = len(positions)) -> int:
            for i in range(0, n, size):
                net.evaluate(positions[i % len(positions) : i % len(positions) + size])
            return -(-n // size) * size

        in_turn("torch, one leaf per call", by_torch, by_core, options.seconds, options.rounds, 2_000, "evaluations")
        for size in (64, 1024):
            label = f"both in batches of {size}; torch"
            work = (lambda n, size=size: by_torch(n, size)), (lambda n, size=size: by_core(n, size))
            in_turn(label, *work, options.seconds, options.rounds, 2_000, "evaluations")
        searched = rate(ours(game, "ismcts", net=str(file)), options.seconds, 20_000)
        print(f"  {'ismcts with the net':48} {searched:12,.0f} iterations/s")
        played = rate(ours(game, "ismcts"), options.seconds, 20_000)
        print(f"  {'ismcts with random play-outs':48} {played:12,.0f} iterations/s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2, help="about how long each measurement takes")
    parser.add_argument("--rounds", type=int, default=3, help="how often peers are measured in turn")
    run_chosen(parser, {"boards": boards, "belote": belote, "threads": threads, "papers": papers, "nets": nets})


if __name__ == "__main__":
    main()
