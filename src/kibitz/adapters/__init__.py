"""Kibitz and other people's packages. None of them is needed otherwise: each is imported when it is first used."""

from __future__ import annotations

import importlib
from typing import Any


def peer(module: str, package: str) -> Any:
    """A module of another package; ValueError says how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        name = package.partition("==")[0]
        raise ValueError(f"this agent needs {name}, which is not installed: pip install {package}") from None
