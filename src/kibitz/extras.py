"""Packages that only some parts of Kibitz need: whether they are there, and how to get them."""

from __future__ import annotations

from importlib.util import find_spec


def installed(package: str) -> bool:
    return find_spec(package) is not None


def how_to_get(extra: str) -> str:
    """The command that installs an extra of pyproject.toml."""
    return f"pip install '.[{extra}]' in a clone of Kibitz, or pip install 'kibitz[{extra}]'"
