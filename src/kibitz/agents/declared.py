"""What the core declares of its searches, as tables for people: docs/search.md has them, and a test keeps it so."""

from __future__ import annotations

from dataclasses import dataclass, field

from kibitz import _core
from kibitz.registry import make

# Together they have every search, and every option with all its values.
_GAMES = ("belote", "doudizhu", "mini_doudizhu", "tictactoe", "uno")


@dataclass
class _Row:
    """An option, of all searches for which it means the same."""

    name: str
    meaning: str
    usual: dict[str, list[str]] = field(default_factory=dict)  # default -> searches
    allowed: list[str] = field(default_factory=list)

    def cells(self) -> list[str]:
        searches = list(dict.fromkeys(search for found in self.usual.values() for search in found))
        usual = max(self.usual, key=lambda default: len(self.usual[default]))
        others = [f"{default} ({_code(found)})" for default, found in self.usual.items() if default != usual]
        return [
            f"`{self.name}`",
            ", ".join([usual or "none", *others]),
            "; ".join(self.allowed),
            _code(searches),
            self.meaning,
        ]


def _code(names: list[str]) -> str:
    return " ".join(f"`{name}`" for name in names)


def searches() -> str:
    """A Markdown table: every search, what it does, what it needs."""
    needs = {
        "hidden": "something is hidden",
        "open": "nothing is hidden",
        "solver": "has a solver",
        "worlds": "lists its worlds",
    }
    rows = [[f"`{s.name}`", s.summary, "; ".join(needs[need] for need in s.needs) or "any"] for s in _core.searches()]
    return _table(["agent", "what it does", "the game"], rows)


def options() -> str:
    """A Markdown table: every option, with the searches that have it."""
    rows: dict[tuple[str, str], _Row] = {}
    for search in _core.searches():
        seen: set[str] = set()
        for game in map(make, _GAMES):
            if search.name not in game.native_agents:
                continue
            for option in game.native_agent_options(search.name):
                row = rows.setdefault((option.name, option.meaning), _Row(option.name, option.meaning))
                if option.name not in seen:
                    row.usual.setdefault(option.usual, []).append(search.name)
                    seen.add(option.name)
                _add_words(row, option.allowed)
    return _table(["option", "default", "allowed", "agents", "meaning"], [row.cells() for row in rows.values()])


def _add_words(row: _Row, allowed: str) -> None:
    """Lists of words differ from game to game, and become one; ranges are the same."""
    if any(mark in allowed for mark in ("number", "true or false")):
        row.allowed = row.allowed or [allowed]
    else:
        row.allowed = list(dict.fromkeys([*row.allowed, *allowed.split(", ")]))


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)
