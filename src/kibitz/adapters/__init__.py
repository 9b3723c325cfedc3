"""Kibitz and other people's packages. None of them is needed otherwise: each is imported when it is first used.

pettingzoo.py, gymnasium.py    our games as environments of theirs
rlcard_env.py                  our games behind the interface of rlcard's environments; its agents at our tables
openspiel.py                   our games and agents as games and bots of OpenSpiel
openspiel_game.py              games of OpenSpiel as games of ours
rlcard.py, rlcard_table.py, colver.py    other people's agents at our tables, and ours at theirs
environment.py, pixels.py      what the environments share
"""

from __future__ import annotations

import importlib
from typing import Any

from kibitz import extras


def peer(module: str, package: str) -> Any:
    """A module of another package; ValueError says how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        name = package.partition("==")[0]
        raise ValueError(f"this agent needs {name}, which is not installed: pip install {package}") from None


def missing(package: str) -> ImportError:
    """What an adapter raises without the package that it is for: in one line, how to get it."""
    return ImportError(f"this needs {package}, which is not installed: {extras.how_to_get('adapters')}", name=package)
