"""What a page can touch to play each legal action, so that it needs no rules.

`choices(game, view)` gives one dict per legal action, ready for JSON:

    {"action": 21, "text": "g-6", "touches": [{"zone": "hand", "card": "g-6"}]}

`touches` names objects of the view's position, in the order of touching; no two actions have the same ones. Zones:

    hand    card          a card of the own hand, named as in the position; once for each card that is played
    pile                  the pile to draw from
    colour  card          a colour to name: r, g, b, y
    suit    card          a trump to take: s, h, d, c
    seat    seat          another player
    cell    row, col      of a board, from 0 at the top left
    column  col           of a board, from 0 at the left
    term    name, at      a rulesheet's move: its name, and its arguments as in the fluents of the board
    button  name          whatever has no object: pass, keep, challenge, bid-2
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from kibitz.protocols import Game, View, position

Touch = dict[str, Any]


def _button(name: str) -> list[Touch]:
    return [{"zone": "button", "name": name}]


def _card(card: str) -> Touch:
    return {"zone": "hand", "card": card}


def _uno(text: str) -> list[Touch]:
    head, _, tail = text.partition("-")
    if head == "name":
        return [{"zone": "colour", "card": tail}]
    if head == "swap":
        return [{"zone": "seat", "seat": int(tail)}]
    if text == "draw":
        return [{"zone": "pile"}]
    if tail.startswith("wild"):
        return [_card(tail), {"zone": "colour", "card": head}]
    return [_card(text)] if tail else _button(text)


def _belote(text: str) -> list[Touch]:
    if text.startswith("take-"):
        return [{"zone": "suit", "card": text.removeprefix("take-")}]
    return _button(text) if text == "pass" else [_card(text)]


def _doudizhu(text: str) -> list[Touch]:
    if text == "pass" or text.startswith("bid-"):
        return _button(text)
    cards, _, kickers = text.partition("+")  # announced: the kickers are chosen next
    return [_card(card) for card in cards] + (_button(kickers) if kickers else [])


def _board(text: str) -> list[Touch]:
    if re.fullmatch(r"[a-z]\d+", text):
        return [{"zone": "cell", "row": int(text[1:]) - 1, "col": ord(text[0]) - ord("a")}]
    return [{"zone": "column", "col": int(text) - 1}] if text.isdecimal() else _button(text)


def _term(text: str) -> list[Touch]:
    words = text.strip("()").split()
    flat = text.startswith("(") and text.count("(") == 1
    return [{"zone": "term", "name": words[0], "at": words[1:]}] if flat else _button(text)


_GAMES: dict[str, Callable[[str], list[Touch]]] = {
    "uno": _uno,
    "belote": _belote,
    "doudizhu": _doudizhu,
    "mini_doudizhu": _doudizhu,
    "tictactoe": _board,
    "connect_four": _board,
    "hex": _board,
    "gdl": _term,
}


def choices(game: Game, view: View) -> list[dict[str, Any]]:
    """One entry per legal action of the view, in their order; a game that is not known has a button for each."""
    touch = _GAMES.get(game.name, _button)
    found: list[dict[str, Any]] = [
        {"action": a, "text": game.text(a), "touches": touch(game.text(a))} for a in view.legal()
    ]
    for choice in found:
        if game.name == "uno" and choice["text"] == "play":  # the card just drawn
            choice["touches"] = [_card(position(game, view)["drawn"])]
    same = Counter(repr(choice["touches"]) for choice in found)
    for choice in found:
        if same[repr(choice["touches"])] > 1:  # the same cards played as different moves
            choice["touches"] = [*choice["touches"], *_button(choice["text"])]
    return found


def why_not(game: Game, view: View, card: str) -> str | None:
    """Why a card of the own hand of Uno cannot be played now; None where it can.

    turn: another seat is to act · decide: the question of this phase comes first · drawn: only the card just drawn ·
    answer: only a card like the one on the table answers it · other_fits: a Wild Draw 4, and another card fits (rlcard
    rules) · colour, colour_or_number, colour_or_symbol: what it would have to share with the target.
    """
    if any({"zone": "hand", "card": card} in choice["touches"] for choice in choices(game, view)):
        return None
    told = position(game, view)
    if view.seat != view.to_act:
        return "turn"
    phase = told["phase"]
    if phase != "play":
        return {"drawn": "drawn", "penalty": "answer"}.get(phase, "decide")
    if card == "wild_draw_4":
        return "other_fits"
    trait = told["target"].partition("-")[2]
    if trait.startswith("wild"):
        return "colour"
    return "colour_or_number" if trait.isdecimal() else "colour_or_symbol"
