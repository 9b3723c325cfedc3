"""Learners: one file per method, each with its `Settings` and `train`. All but the tables (q_table.py) need torch.

`METHODS` lists those with nets by name; a paper's name in front (`li-ddqn`) means the same. Tables have their own list,
`q_table.PLAYERS`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

# name -> module; strings, so that torch is not imported before it is used.
METHODS: dict[str, str] = {
    "dqn": "kibitz.learn.dqn",
    "sarsa": "kibitz.learn.sarsa",
    "ddqn": "kibitz.learn.ddqn",
    "dmc": "kibitz.learn.dmc",
    "nfsp": "kibitz.learn.nfsp",
    "mcts-ddqn": "kibitz.learn.mcts_ddqn",
    "mcts-actor-critic": "kibitz.learn.mcts_actor_critic",
    "distill": "kibitz.learn.distill",
}
PAPERS = ("li-", "brown-")


def learner(name: str) -> Any:
    """The module of a method, with `Settings` and `train`."""
    plain = name
    for paper in PAPERS:
        plain = plain.removeprefix(paper)
    if plain not in METHODS:
        raise ValueError(f"unknown method {name!r}; known methods: {', '.join(METHODS)}; tables: q, qm, td")
    try:
        return import_module(METHODS[plain])
    except ModuleNotFoundError as error:
        raise ValueError(f"training needs the package {error.name}: pip install 'kibitz[train]'") from error
