"""A guide for a game that nobody has written one for: what the game itself can say, in the sentences of a language."""

from __future__ import annotations

import inspect
import tomllib
from pathlib import Path
from typing import Any

from kibitz import _core
from kibitz._core import NATURE
from kibitz.protocols import Game, can, facts

FOLDER = Path(__file__).parent
MOST_MOVES = 8  # of the first decision, as examples


def about(game: Game, language: str) -> str:
    """What is known of any game: players, roles, hidden or not, the first moves, the points."""
    words, of = tomllib.loads((FOLDER / language / "generic.toml").read_text(encoding="utf-8")), facts(game)
    heads = {name: f"## {head}" for name, head in words["heads"].items()}
    file = str(of.options.get("file", "")) if isinstance(game, _core.Game) else ""
    roles = game.about["roles"] if isinstance(game, _core.Game) and can(game, "about") else []
    lines = [f"# {Path(file).stem or game.name}", "", heads["game"], "", words["players"].format(game.players)]
    if roles:
        lines.append(words["roles"].format(", ".join(f"`{role}`" for role in roles)))
        lines += [words["chance"]] * ("random" in roles)
    lines += [words["hidden"] if of.hidden else words["open"], ""]
    if not isinstance(game, _core.Game) and (said := inspect.getdoc(type(game))):
        lines += [words["author"], "", said, ""]
    lines += [heads["turn"], "", words["turn"], _moves(game, words), ""]
    low, high = game.payoff_range
    lines += [heads["score"], "", words["score"].format(f"{low:g}", f"{high:g}"), ""]
    if file:
        lines += [heads["full"], "", words["sheet"].format(file), ""]
    return "\n".join(lines)


def _moves(game: Game, words: dict[str, Any]) -> str:
    """The moves of the first decision of a player that is a choice, in some deal."""
    state = game.deal(0)
    while not state.over and (state.to_act == NATURE or len(state.legal()) == 1):
        state.apply(state.legal()[0])
    if state.over:
        return ""
    texts = [f"`{game.text(action)}`" for action in state.legal()]
    sentence: str = words["moves"] if len(texts) <= MOST_MOVES else words["moves_some"]
    return sentence.format(", ".join(texts[:MOST_MOVES]), len(texts))
