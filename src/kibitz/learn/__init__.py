"""Learners: one file per method, each with its `Settings` and `train`. All but the tables (q_table.py) need torch.

`METHODS` lists those with nets by name; a paper's name in front (`li-ddqn`) means the same. Tables have their own list,
`q_table.PLAYERS`."""

from __future__ import annotations

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from kibitz import extras

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
PACKAGES = ("torch", "safetensors")  # that all of these need


def learner(name: str) -> Any:
    """The module of a method, with `Settings` and `train`."""
    plain = name
    for paper in PAPERS:
        plain = plain.removeprefix(paper)
    if plain not in METHODS:
        raise ValueError(f"unknown method {name!r}; known methods: {', '.join(METHODS)}; tables: q, qm, td")
    for package in PACKAGES:
        if not extras.installed(package):
            raise ValueError(f"training needs the package {package}: {extras.how_to_get('train')}")
    return import_module(METHODS[plain])


def description(name: str) -> str:
    """The first line of a method's file, which is read and not run: it would need torch."""
    found = find_spec(METHODS[name])
    source = Path(found.origin).read_text(encoding="utf-8") if found is not None and found.origin is not None else ""
    return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]
