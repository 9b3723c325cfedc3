"""Rulesheets in the Game Description Language: where ours are, and what is to be said of any.

`kibitz.make("gdl", file="connect_four")` makes a game of one; docs/gdl.md has the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz import _core

FOLDER = Path(__file__).parent / "rulesheets"


@dataclass(frozen=True)
class Finding:
    """Something a reader of a rulesheet should know; line and column count from 1."""

    line: int
    column: int
    error: bool  # else a warning
    text: str

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {'error' if self.error else 'warning'}: {self.text}"


def make(**options: Any) -> _core.Game:
    """The game of a rulesheet; what `kibitz.make("gdl", ...)` calls."""
    if "folder" in options:  # the core takes it, but no copy of the game would know it
        raise ValueError("option of gdl: 'folder' is unknown; a rulesheet of your own is given by its path, as `file`")
    return _core.make("gdl", options | {"folder": str(FOLDER)})


def rulesheets() -> list[str]:
    """The names of our own rulesheets."""
    return sorted(path.stem for path in FOLDER.glob("*.kif"))


def find(file: str | Path) -> Path:
    """The file of a rulesheet, which may be the bare name of one of ours."""
    path = Path(file)
    if path.is_file():
        return path
    if str(file) in rulesheets():
        return FOLDER / f"{file}.kif"
    raise ValueError(f"there is no rulesheet {str(file)!r}: give a file, or one of ours: {', '.join(rulesheets())}")


def check(text: str, strict: bool = True) -> list[Finding]:
    """All findings of a rulesheet, in the order of the file. Not strict: unsafe variables are warnings where what is
    asked for says what they stand for."""
    return [Finding(*found) for found in _core.gdl_check(text, strict)]
