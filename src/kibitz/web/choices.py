"""What a page can touch to play each legal action, so that it needs no rules.

`choices(view)` gives one `wire.Choice` per legal action. Its `touches` name objects of the view's position, in the
order of touching; no two actions have the same ones:

    hand:g-6     a card of the own hand, named as in the position; once for each card that is played
    pile         the pile to draw from
    colour:r     a colour to name: r, g, b, y
    seat:2       another player
    cell:b3      of a board: the column's letter, the row's number from the top
    column:4     of a board, from 1 at the left
    term:1 2     the arguments of a rulesheet's move, as in the fluents of the board

Whatever has no object (pass, keep, challenge, bid-2) has no touches: the page makes buttons of these actions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from kibitz._core import View
from kibitz.web import wire
from kibitz.web.positions import position


def _uno(text: str) -> list[str]:
    head, _, tail = text.partition("-")
    if head == "name":
        return [f"colour:{tail}"]
    if head == "swap":
        return [f"seat:{tail}"]
    if text == "draw":
        return ["pile"]
    if tail.startswith("wild"):
        return [f"hand:{tail}", f"colour:{head}"]
    return [f"hand:{text}"] if tail else []


def _belote(text: str) -> list[str]:
    return [] if text == "pass" or text.startswith("take-") else [f"hand:{text}"]


def _doudizhu(text: str) -> list[str]:
    if text == "pass" or text.startswith("bid-"):
        return []
    cards, _, kickers = text.partition("+")  # announced: the kickers are chosen next
    return [f"hand:{card}" for card in cards] + ([f"with:{kickers}"] if kickers else [])


def _board(text: str) -> list[str]:
    if re.fullmatch(r"[a-z]\d+", text):
        return [f"cell:{text}"]
    return [f"column:{text}"] if text.isdecimal() else []


def _term(text: str) -> list[str]:
    words = text.strip("()").split()
    flat = text.startswith("(") and text.count("(") == 1 and len(words) > 1
    return [f"term:{' '.join(words[1:])}"] if flat else []


_GAMES: dict[str, Callable[[str], list[str]]] = {
    "uno": _uno,
    "belote": _belote,
    "doudizhu": _doudizhu,
    "mini_doudizhu": _doudizhu,
    "tictactoe": _board,
    "connect_four": _board,
    "hex": _board,
    "gdl": _term,
}


def choices(view: View) -> list[wire.Choice]:
    """One for each legal action of the view, in their order; for a game that is not known, without touches."""
    game = view.game
    touch = _GAMES.get(game.name, lambda text: [])
    made = [wire.Choice(action=a, text=game.text(a), touches=_touches(view, game.text(a), touch)) for a in view.legal()]
    same = Counter(tuple(choice.touches) for choice in made)
    # Actions that would touch the same objects are told apart by buttons.
    return [choice.model_copy(update={"touches": []}) if same[tuple(choice.touches)] > 1 else choice for choice in made]


def _touches(view: View, text: str, touch: Callable[[str], list[str]]) -> list[str]:
    if view.game.name == "uno" and text == "play":
        return [f"hand:{(position(view) or {})['drawn']}"]
    return touch(text)
