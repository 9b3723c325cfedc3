"""Every method comes to perfect play of Hex 3x3, which is checked against all that the other player can do."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
from learn_common import METHODS
from solved_game import SolvedGame

import kibitz
from kibitz import learn
from kibitz.learn.common.run import Learner, advance
from kibitz.learn.common.tables import Group

GAME = "hex:size=3"
COMMON: dict[str, Any] = {
    "game": GAME,
    "players": "2",
    "encoder": "planes",
    "opponents": ("self",),
    "tables": 64,
    "hidden": (128,),
    "learning_rate": 2e-3,
    "batch": 128,
    "discount": 0.95,
    "epsilon_end": 0.2,
}
ONE_BY_ONE = {"epsilon_decay": 0.97, "batch": 32}
REPLAYED = {"warm_up": 500, "epsilon_steps": 20_000, "every": 8.0, "replay": 50_000}
DOUBLE = REPLAYED | {"target_every": 100}
OWN: dict[str, dict[str, Any]] = {
    "dqn": ONE_BY_ONE,
    "sarsa": ONE_BY_ONE,
    "ddqn": DOUBLE,
    "dmc": REPLAYED,
    "nfsp": DOUBLE | {"anticipation": 0.5, "epsilon_start": 0.3, "policy_learning_rate": 5e-3},
    "mcts-ddqn": DOUBLE | {"simulations": 20},
    "mcts-actor-critic": DOUBLE
    | {"simulations": 40, "c": 1.0, "mcts_reward": 0.0, "every": 4.0, "actor_learning_rate": 5e-3, "entropy": 0.003},
    "distill": {"warm_up": 500, "every": 8.0, "teacher": "uct:iterations=300"},
}
# The average policy holds all that the best response was, its first attempts, too: it is asked to win as first player
# against everything. The others must not give away a win in any position that they can come to, in either seat.
AVERAGES = ("nfsp",)
EPISODES = 40_000  # they stop when they play perfectly, long before


@cache
def solved() -> SolvedGame:
    return SolvedGame(kibitz.make(GAME), "planes")


def perfect(learner: Learner) -> bool:
    outputs = learner.player.evaluate(solved().obs)
    return solved().optimal(outputs) if learner.method in AVERAGES else solved().mistakes(outputs) == 0


@pytest.mark.parametrize("method", METHODS)
def test_comes_to_perfect_play(method: str) -> None:
    module = learn.learner(method)
    settings = module.Settings(**COMMON | OWN[method])
    torch.set_num_threads(1)  # as in a training: two threads for such small products only wait for each other
    group = Group(settings)
    learner = module.train.args[0](settings, group)
    assert not perfect(learner)
    recorder, games, checked = learner.recorder(group), 0, 0.0
    while not (learner.counts["updates"] >= checked + 100 and perfect(learner)):
        checked += 100 if learner.counts["updates"] >= checked + 100 else 0
        games += advance(learner, group, recorder)[0]
        assert games < EPISODES, f"{solved().mistakes(learner.player.evaluate(solved().obs))} mistakes"


def test_the_reference_agrees_with_the_solver() -> None:
    game = kibitz.make("tictactoe")
    all_states = SolvedGame(game, "planes")
    assert len(all_states.after) == 5_478  # known
    assert all_states.values[0] == game.solve(game.deal(0)).low == 0
    assert kibitz.make(GAME).solve(kibitz.make(GAME).deal(0)).low == solved().values[0] == 1
    state = game.deal(0)
    for action in (0, 1, 4):  # the corner, a blunder, the centre: then two lines at once
        state.apply(action)
        sign = 1 if state.to_act == 0 else -1
        assert sign * game.solve(state).low == all_states.values[all_states.number[str(state)]]


def test_a_blunder_is_found() -> None:
    reference = solved()
    best = np.zeros(reference.mask.shape, np.float32)
    for row, i in enumerate(reference.decisions):
        keeps = [a for a, j in reference.after[i].items() if reference.values[j] == reference.values[i]]
        best[row, keeps] = 1
    assert reference.mistakes(best) == 0
    assert reference.optimal(best)
    best[0] = 0
    best[0, 0] = 1  # a corner gives the game away
    assert reference.mistakes(best) == 1
    assert not reference.optimal(best)
