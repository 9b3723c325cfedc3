"""The rules of each game for people who have never played it: a Markdown file per game and language.

`kibitz rules`, the terminal and the page show the same files. A game without a file gets a text made of what the game
says of itself: `generic.py`.
"""

from __future__ import annotations

from kibitz import registry
from kibitz.guides.generic import FOLDER, about
from kibitz.protocols import Game

LANGUAGES = ("en", "fr", "zh")


def languages() -> list[str]:
    """The languages that every guide is written in; the first is the default."""
    return [*LANGUAGES]


def written() -> list[str]:
    """The games that have a guide of their own."""
    return sorted(path.stem for path in (FOLDER / "en").glob("*.md"))


def guide(game: str | Game, language: str = "en") -> str:
    """The rules of a game as Markdown, by its name, its spec, or the game itself."""
    if language not in LANGUAGES:
        raise ValueError(f"there is no guide in {language!r}; languages: {', '.join(LANGUAGES)}")
    name = registry.parse_spec(game).name if isinstance(game, str) else game.name
    if name in written():
        return (FOLDER / language / f"{name}.md").read_text(encoding="utf-8")
    return about(registry.make(game) if isinstance(game, str) else game, language)
