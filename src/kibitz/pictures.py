"""States and views as pictures: rows of cards, stones and words, laid out once for SVG (notebooks) and for pixels.

Everything comes from the position of what is shown: a view's has what its seat may know, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape
from typing import Any

from kibitz._core import State, View

PAPER, INK, FELT, TEXT, BACK = "#fbf8f1", "#1d262b", "#1d4a47", "#eef3ef", "#0d2122"
UNO = {"r": "#c4281b", "g": "#0b7a3b", "b": "#1f5fbf", "y": "#f2c500", "": "#303030"}
UNO_FACES = {"skip": "⊘", "reverse": "⇄", "draw_2": "+2", "wild": "W", "wild_draw_4": "W+4"}
SUITS = {"s": ("♠", INK), "h": ("♥", "#c4281b"), "d": ("♦", "#1f5fbf"), "c": ("♣", "#0b7a3b")}
STONES = {"x": "#f2b441", "o": "#7aa7ff", ".": "#16393a"}

CARD = (34.0, 44.0)  # width and height
STONE = 26.0
GAP, MARGIN, LETTER = 4.0, 10.0, 7.6  # between pieces; around everything; the width of a letter


@dataclass(frozen=True)
class Piece:
    """A card, or a stone, which is round."""

    face: str
    fill: str = PAPER
    ink: str = INK
    round: bool = False


@dataclass(frozen=True)
class Row:
    """Words and pieces beside each other; `shift` moves it to the right by so many halves of a piece."""

    items: list[Piece | str]
    shift: int = 0


@dataclass(frozen=True)
class Box:
    """A piece in its place."""

    x: float
    y: float
    width: float
    height: float
    piece: Piece


@dataclass(frozen=True)
class Label:
    """Words in their place; (x, y) is the left end of their middle line."""

    x: float
    y: float
    words: str


@dataclass(frozen=True)
class Picture:
    width: float
    height: float
    parts: list[Box | Label]


def picture(shown: State | View) -> Picture:
    """A state, or a view, laid out."""
    draw = _GAMES.get(shown.game.name)
    return _lay_out(draw(shown.game.position(shown)) if draw else [Row([line]) for line in str(shown).splitlines()])


def svg(drawn: Picture) -> str:
    """Without scripts, styles or anything that would be loaded."""
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{drawn.width:g}" height="{drawn.height:g}" '
        f'viewBox="0 0 {drawn.width:g} {drawn.height:g}" font-family="ui-monospace, monospace" font-size="13">',
        f'<rect width="100%" height="100%" rx="8" fill="{FELT}"/>',
    ]
    for part in drawn.parts:
        if isinstance(part, Label):
            place = f'x="{part.x:g}" y="{part.y:g}" dominant-baseline="central" xml:space="preserve"'
            out.append(f'<text {place} fill="{TEXT}">{escape(part.words)}</text>')
            continue
        middle = f'x="{part.x + part.width / 2:g}" y="{part.y + part.height / 2:g}"'
        corner = part.height / 2 if part.piece.round else 5
        out.append(
            f'<rect x="{part.x:g}" y="{part.y:g}" width="{part.width:g}" height="{part.height:g}" rx="{corner:g}" '
            f'fill="{part.piece.fill}" stroke="{BACK}" stroke-opacity="0.5"/>'
        )
        if part.piece.face:
            style = f'fill="{part.piece.ink}" font-weight="bold" text-anchor="middle" dominant-baseline="central"'
            out.append(f"<text {middle} {style}>{escape(part.piece.face)}</text>")
    return "".join([*out, "</svg>"])


# ------------------------------------------------------------------------------------------------------- the games


def uno_card(card: str) -> Piece:
    """ "r-5", "wild", or "b-wild", whose colour was named. The letter says what the colour says."""
    colour, dash, trait = card.partition("-")
    if not dash:
        colour, trait = "", card
    return Piece(colour.upper() + UNO_FACES.get(trait, trait), UNO[colour], INK if colour == "y" else "#ffffff")


def suited_card(card: str) -> Piece:
    symbol, ink = SUITS[card[-1]]
    return Piece(card[:-1] + symbol, PAPER, ink)


def rank_card(card: str) -> Piece:
    return Piece({"B": "joker", "R": "JOKER", "T": "10"}.get(card, card), PAPER, "#c4281b" if card == "R" else INK)


def _hand(cards: Any, face: Callable[[str], Piece]) -> list[Piece | str]:
    """Open cards, or how many there are of hidden ones."""
    if isinstance(cards, dict):
        return [Piece("", BACK), f"{cards['count']} cards"]
    return [face(card) for card in cards] or ["no cards"]


def _seat(position: dict[str, Any], seat: int, note: str = "") -> str:
    mark = "▶" if position["to_act"] == seat else " "
    you = " (you)" if position.get("seat") == seat else ""
    return f"{mark} seat {seat}{you}{note}".ljust(18)


def _uno(position: dict[str, Any]) -> list[Row]:
    pile = position["pile"]
    left = pile["count"] if isinstance(pile, dict) else len(pile)
    rows = [Row(["on the table", uno_card(position["target"]), f"pile {left}"])]
    return rows + [Row([_seat(position, s), *_hand(h, uno_card)]) for s, h in enumerate(position["hands"])]


def _belote(position: dict[str, Any]) -> list[Row]:
    first = f"trump {SUITS[position['trump']][0]}" if "trump" in position else "turned up"
    head: list[Piece | str] = [first] if "trump" in position else [first, suited_card(position["turned"])]
    points = position.get("points")
    rows = [Row([*head, *([f"points {points[0]} : {points[1]}"] if points else [])])]
    trick = position.get("trick", [])
    if trick:
        rows.append(Row(["trick", *map(suited_card, trick)]))
    return rows + [Row([_seat(position, s), *_hand(h, suited_card)]) for s, h in enumerate(position["hands"])]


def _ranks(position: dict[str, Any]) -> list[Row]:
    rows = []
    for name, words in (("talon", "talon"), ("last", "to beat"), ("to_beat", "to beat")):
        if isinstance(position.get(name), str) and position[name] != "pass":
            rows.append(Row([words, *_hand(position[name], rank_card)]))
    for seat, hand in enumerate(position["hands"]):
        note = " landlord" if position.get("landlord_seat") == seat else ""
        rows.append(Row([_seat(position, seat, note), *_hand(hand, rank_card)]))
    return rows


def _board(position: dict[str, Any]) -> list[Row]:
    lean = position["game"] == "hex"  # each row stands half a cell further on
    head = "over" if position["to_act"] < 0 else f"{'xo'[position['to_act']]} to move"
    return [Row([head])] + [
        Row([Piece("" if cell == "." else cell, STONES[cell], round=True) for cell in line], at if lean else 0)
        for at, line in enumerate(position["board"])
    ]


_GAMES: dict[str, Callable[[dict[str, Any]], list[Row]]] = {
    "belote": _belote,
    "connect_four": _board,
    "doudizhu": _ranks,
    "hex": _board,
    "mini_doudizhu": _ranks,
    "tictactoe": _board,
    "uno": _uno,
}


def _lay_out(rows: Iterable[Row]) -> Picture:
    parts: list[Box | Label] = []
    right, y = 0.0, MARGIN
    for row in rows:
        pieces = [item for item in row.items if isinstance(item, Piece)]
        height = 18.0 if not pieces else STONE if pieces[0].round else CARD[1]
        x = MARGIN + row.shift * (STONE + GAP) / 2
        for item in row.items:
            if isinstance(item, Piece):
                width = STONE if item.round else max(CARD[0], LETTER * len(item.face) + 8)
                parts.append(Box(x, y, width, height, item))
            else:
                width = LETTER * len(item) + 6
                parts.append(Label(x, y + height / 2, item))
            x += width + GAP
        right, y = max(right, x), y + height + GAP
    return Picture(right + MARGIN, y + MARGIN, parts)
