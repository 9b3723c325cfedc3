"""The rules of each game for people who have never played it: a Markdown file per game and language.

`kibitz rules`, the terminal and the page show the same files. A game without a file gets a text made of what the game
says of itself: `generic.py`.
"""

from __future__ import annotations

from kibitz import registry
from kibitz.guides.generic import FOLDER, about
from kibitz.protocols import Game

LANGUAGES = ("en", "fr", "zh")

# For lists of games.
_LINES = {
    "belote": "tricks, trumps and bidding, two against two; or with 12 cards",
    "connect_four": "drop stones into columns, four in a row win",
    "doudizhu": "fight the landlord: shed your cards, one against two",
    "gdl": "any game of a rulesheet in the Game Description Language",
    "hex": "join your two edges of the board with a chain of stones",
    "mini_doudizhu": "Dou Di Zhu for two with 18 cards, small enough to solve",
    "tictactoe": "three in a row, or more on larger boards",
    "uno": "match colour or number, be the first without cards",
}


def languages() -> list[str]:
    """The languages that every guide is written in; the first is the default."""
    return [*LANGUAGES]


def written() -> list[str]:
    """The games that have a guide of their own."""
    return sorted(path.stem for path in (FOLDER / "en").glob("*.md"))


def line(name: str) -> str:
    """What a game is, in a line; of one registered by its user, what its docstring begins with."""
    if name in _LINES:
        return _LINES[name]
    said = (registry.factory(name).__doc__ or "").strip().splitlines()
    return said[0].rstrip(".") if said else ""


def guide(game: str | Game, language: str = "en") -> str:
    """The rules of a game as Markdown, by its name, its spec, or the game itself."""
    if language not in LANGUAGES:
        raise ValueError(f"there is no guide in {language!r}; languages: {', '.join(LANGUAGES)}")
    name = registry.parse_spec(game).name if isinstance(game, str) else game.name
    if name in written():
        return (FOLDER / language / f"{name}.md").read_text(encoding="utf-8")
    return about(registry.make(game) if isinstance(game, str) else game, language)
