"""Small trainings, for the tests of learners."""

from __future__ import annotations

from typing import Any

from kibitz import learn
from kibitz.learn.common.tables import Group

SMALL: dict[str, Any] = {
    "game": "tictactoe",
    "players": "2",
    "encoder": "planes",
    "episodes": 60,
    "tables": 4,
    "hidden": (8,),
    "test_every": 20,
    "test_games": 20,
    "checkpoint_every": 20,
    "tensorboard": False,
}
OWN: dict[str, dict[str, Any]] = {
    "dqn": {"iteration": 10},
    "sarsa": {"iteration": 10},
    "ddqn": {"warm_up": 20, "target_every": 10},
    "dmc": {"warm_up": 20},
    "nfsp": {"warm_up": 20, "target_every": 10, "anticipation": 0.5},
    "mcts-ddqn": {"warm_up": 20, "target_every": 10, "simulations": 5},
    "mcts-actor-critic": {"warm_up": 20, "target_every": 10, "simulations": 5},
    "distill": {"warm_up": 20, "every": 4.0, "batch": 16, "teacher": "mcs:iterations=20,opponents=random"},
}
METHODS = list(learn.METHODS)


def settings(method: str, **changes: Any) -> Any:
    return learn.learner(method).Settings(**SMALL | OWN[method] | changes)


def made(method: str, **changes: Any) -> Any:
    """A learner at its tables."""
    chosen = settings(method, **changes)
    module = learn.learner(method)
    return module.train.args[0](chosen, Group(chosen))


def curve(trained: Any) -> list[dict[str, float]]:
    return [{key: value for key, value in row.items() if key != "seconds"} for row in trained.rows]
