"""--import FILE: a file of the user's own whose games and agents every command then knows."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path

from kibitz import registry

OPTION = "--import"
HELP = f"With every command: {OPTION} my.py makes your own games and agents known."


def take(arguments: Sequence[str]) -> list[str]:
    """Reads the files that a command line names, wherever it does, and returns the rest of it."""
    rest: list[str] = []
    left = list(arguments)
    while left:
        word = left.pop(0)
        if word == "--":
            return [*rest, word, *left]
        name, equals, value = word.partition("=")
        if name != OPTION:
            rest.append(word)
            continue
        if not equals:
            if not left:
                raise ValueError(f"{OPTION} needs a file: {OPTION} my.py")
            value = left.pop(0)
        read(Path(value))
    return rest


def read(path: Path) -> None:
    """Runs a file, which registers what it has. It becomes a module that worker processes find again by its name."""
    if path.suffix != ".py" or not path.stem.isidentifier():
        raise ValueError(f"{OPTION}: {path} is no file of Python whose name can be imported, as my_game.py")
    if not path.is_file():
        raise ValueError(f"{OPTION}: there is no file {path}")
    file, name = str(path.resolve()), path.stem
    if name in sys.modules:
        taken = getattr(sys.modules[name], "__file__", None)
    else:
        found = importlib.util.find_spec(name)
        taken = file if found is None or found.origin is None else str(Path(found.origin).resolve())
    if taken != file:
        raise ValueError(f"{OPTION}: another module is called {name!r}; give {path} another name")
    if name in sys.modules:
        return
    before = registry.added()
    sys.path.append(str(path.resolve().parent))
    try:
        importlib.import_module(name)
    except Exception as error:
        raise ValueError(f"{OPTION}: {path} cannot be read: {type(error).__name__}: {error}") from error
    if registry.added() == before:
        raise ValueError(
            f"{OPTION}: {path} registers neither a game nor an agent; use kibitz.register_game or kibitz.register_agent"
        )
