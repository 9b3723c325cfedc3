"""Training speed on Uno beside rlcard's DQNAgent and NFSPAgent, and what value MCTS does, in one run.

python benchmarks/learning.py [--seconds 5] [--rounds 3] [--only dqn,large,nfsp,search,time] [--level 0.55] [--cap 40]

dqn: one update of a 64-64 network with batch 32 per transition, as rlcard does. large: as many samples per transition,
in batches of 1,024. nfsp: as dqn, with the average policy. search: decisions and leaves per second with 50 simulations.
time: how long each trains until it wins so much (--level) against random, tests not counted; rlcard's DQNAgent may
take --cap times as long as our fastest. Two players, rlcard's rules, random opponents, one thread; figures are per
second of the processor's time.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import math
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import rlcard
import torch
from families import Work, in_turn, run_chosen
from rlcard.agents import DQNAgent, NFSPAgent, RandomAgent
from rlcard.utils import reorganize

import kibitz
from kibitz.learn import ddqn, distill, dmc, nfsp
from kibitz.learn.common import nets
from kibitz.learn.common.perceptron import Perceptron
from kibitz.learn.common.run import Learner, advance, score
from kibitz.learn.common.tables import Group


class Theirs:
    """Training as in rlcard's own example: play a game, feed its transitions."""

    def __init__(self, kind: str) -> None:
        self.env = rlcard.make("uno", config={"seed": 1})
        shape = self.env.state_shape[0]
        if kind == "dqn":
            self.agent: Any = DQNAgent(num_actions=61, state_shape=shape, mlp_layers=[64, 64])
        else:
            self.agent = NFSPAgent(
                num_actions=61, state_shape=shape, hidden_layers_sizes=[64, 64], q_mlp_layers=[64, 64], batch_size=32
            )
        self.kind = kind
        self.env.set_agents([self.agent, RandomAgent(num_actions=61)])

    def __call__(self, episodes: int) -> int:
        for _ in range(episodes):
            if self.kind == "nfsp":
                self.agent.sample_episode_policy()
            trajectories, payoffs = self.env.run(is_training=True)
            with contextlib.redirect_stdout(io.StringIO()):  # it prints every loss
                for transition in reorganize(trajectories, payoffs)[0]:
                    self.agent.feed(transition)
        return episodes


class Ours:
    """The loop of `kibitz.learn.common.run` without tests and files."""

    def __init__(self, make: type[Learner], settings: Any) -> None:
        self.group = Group(settings)
        self.learner = make(settings, self.group)
        self.recorder = self.learner.recorder(self.group)

    def __call__(self, episodes: int) -> int:
        done = 0
        while done < episodes:
            done += advance(self.learner, self.group, self.recorder)[0]
        return done


QUICK_DISTILL = distill.Settings(
    players="2", encoder="full", tables=128, warm_up=1_000, every=16.0, hidden=(64, 64), focus=30.0,
    teacher="mcs:iterations=200,opponents=random,rollout=rules",
)  # fmt: skip


def compare(label: str, theirs: str, make: type[Learner], settings: Any, options: argparse.Namespace) -> None:
    play = Theirs(theirs), Ours(make, settings)
    # Both work on one thread: the processor's time is what they need, whatever else the machine does.
    in_turn(label, *play, options.seconds, options.rounds, start=2, unit="episodes", clock=time.process_time)


def dqn_family(options: argparse.Namespace) -> None:
    compare("DQN, batch 32", "dqn", ddqn.DDQN, ddqn.Settings(players="2", warm_up=100), options)


def large_family(options: argparse.Namespace) -> None:
    settings = ddqn.Settings(players="2", warm_up=1_024, batch=1_024, every=32.0, tables=128)
    compare("DQN, batch 1,024", "dqn", ddqn.DDQN, settings, options)


def nfsp_family(options: argparse.Namespace) -> None:
    compare("NFSP, batch 32", "nfsp", nfsp.NFSP, nfsp.Settings(players="2", warm_up=100), options)


def our_win_rate(ours: Ours, games: int, seed: int) -> float:
    """The network alone, in the core."""
    game = ours.group.games[0]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.safetensors"
        nets.save(path, ours.learner.player, nets.describe(game, ours.group.encoder, ours.learner.output, {}))
        return score(game, str(path), "random", games, seed)[1]


def their_win_rate(theirs: Theirs, games: int, seed: int) -> float:
    """In rlcard's own environment, the agent in the seat in which it has learnt."""
    env = rlcard.make("uno", config={"seed": seed})
    env.set_agents(theirs.env.agents)
    return float(np.mean([env.run(is_training=False)[1][0] > 0 for _ in range(games)]))


def time_to(
    level: float, work: Work, win_rate: Callable[[int, int], float], pause: float, cap: float
) -> tuple[float, float]:
    """Seconds of training until a test of 10,000 games shows `level`, and its win rate, or the best one if none does.

    A test comes after every `pause` seconds; one of 1,000 games that is far below the level is not played to the end.
    """
    spent, tested, best = 0.0, 0.0, 0.0
    while spent < cap:
        begin = time.process_time()
        work(5)
        spent += time.process_time() - begin
        if spent >= tested + pause:
            tested = spent
            seed = 1_000 + round(spent / pause)
            found = win_rate(1_000, seed)
            if found >= level - 0.03:
                found = win_rate(10_000, seed)
            best = max(best, found)
            if found >= level:
                return spent, found
    return math.inf, best


def time_family(options: argparse.Namespace) -> None:
    learners: list[tuple[str, type[Learner], Any]] = [
        ("distill", distill.Distill, QUICK_DISTILL),
        ("ddqn", ddqn.DDQN, ddqn.Settings(players="2", batch=512, every=16.0, tables=128, learning_rate=1e-3)),
        ("dmc", dmc.DMC, dmc.Settings(players="2", batch=512, every=16.0, tables=128, learning_rate=1e-3)),
    ]
    print(f"  training until {options.level:.0%} of 10,000 games against random are won")
    fastest = math.inf
    for name, make, settings in learners:
        ours = Ours(make, settings)
        cap = 120.0 if fastest == math.inf else 3 * fastest
        took, rate = time_to(options.level, ours, partial(our_win_rate, ours), 0.5, cap)
        print(f"  {f'kibitz, {name}':48} {said(took, rate, cap)}", flush=True)
        fastest = min(fastest, took)
    if fastest == math.inf:
        return
    theirs, cap = Theirs("dqn"), options.cap * fastest
    took, rate = time_to(options.level, theirs, partial(their_win_rate, theirs), fastest, cap)
    ratio = f"more than {options.cap:.0f}" if took == math.inf else f"{took / fastest:.1f}"
    print(f"  {'rlcard, DQNAgent':48} {said(took, rate, cap)}: {ratio} times as long")


def said(took: float, rate: float, cap: float) -> str:
    if took == math.inf:
        return f"not in {cap:.0f} s (best test {rate:.1%})"
    return f"{took:.1f} s ({rate:.1%})"


def search_family(options: argparse.Namespace) -> None:
    game = kibitz.make("uno", players=3, rules="rlcard")
    net = nets.playing(Perceptron([240, 64, 64, 61], 1), nets.describe(game, "li", "q", {}))
    for worlds, per_world in (("true", 1), ("sampled", 1), ("sampled", 5)):
        tables = kibitz.Tables(game, 64, "random", encoder="li", seed=1)
        rng = np.random.default_rng(1)
        states = leaves = 0
        begin = time.perf_counter()
        while time.perf_counter() - begin < options.seconds:
            q, _, asked = tables.value_search(net, worlds=worlds, per_world=per_world, seed=states)
            states, leaves = states + tables.batch, leaves + asked
            tables.step(np.where(tables.mask, q + rng.random(q.shape), -np.inf).argmax(axis=1))
        took = time.perf_counter() - begin
        label = f"value MCTS, worlds {worlds}, {per_world} each:"
        print(f"  {label:48} {states / took:,.0f} states/s, {leaves / took:,.0f} leaves/s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--rounds", type=int, default=3)
    torch.set_num_threads(1)
    parser.add_argument("--level", type=float, default=0.55)
    parser.add_argument("--cap", type=float, default=40.0)
    families = {"dqn": dqn_family, "large": large_family, "nfsp": nfsp_family, "search": search_family}
    run_chosen(parser, families | {"time": time_family})
