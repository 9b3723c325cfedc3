"""How the terminal player sees Belote: cards in the colours of their suits, by name and with the sides' points."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from kibitz import protocols
from kibitz.protocols import View
from kibitz.terminal.painter import Choice, Grid, Painter

SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
RANKS = ("7", "8", "9", "10", "J", "Q", "K", "A")
SYMBOLS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
# Four colours, as on four-colour decks; the symbol says the same.
STYLES = {
    "s": "bold white on #303030",
    "h": "bold white on #c4281b",
    "d": "bold white on #1f5fbf",
    "c": "bold white on #0b7a3b",
}


def chip(card: str, *, dim: bool = False) -> Text:
    """A card: " J♠ "."""
    return Text(f" {card[:-1]}{SYMBOLS[card[-1]]} ", style=STYLES[card[-1]] + (" dim" if dim else ""))


def is_card(text: str) -> bool:
    return text[-1] in SUITS and text[:-1] in RANKS


class BelotePainter(Painter):
    """See Painter. Everything shown comes from the view's position: what the seat may know, nothing else."""

    grid = Grid([*SUITS], RANKS, lambda card: (card[-1], card[:-1]), {})

    def picture(self, view: View) -> RenderableType:
        position = protocols.position(self.game, view)
        return Group(self._contract(view, position), self._seats(view, position), self._hand(view, position))

    def _contract(self, view: View, position: dict[str, Any]) -> Text:
        if "trump" not in position:
            return Text("Turned up  ").append_text(chip(position["turned"]))
        line = Text(f"Trump is {SYMBOLS[position['trump']]} {SUITS[position['trump']]}")
        if "taker" in position:
            taker = position["taker"]
            line.append(f", taken by {self.who(taker, view) if taker != view.seat else 'you'}")
        points, tricks = position.get("points", [0, 0]), position.get("tricks", [0, 0])
        mine = view.seat % 2
        for side, whose in ((mine, "\nYour side"), (1 - mine, "   The others")):
            line.append(f"{whose}: {points[side]} points, {tricks[side]} trick{'s' * (tricks[side] != 1)}")
        return line

    def _seats(self, view: View, position: dict[str, Any]) -> RenderableType:
        table = Table.grid(padding=(0, 2))
        trick = position.get("trick", [])
        leader = (position["to_act"] - len(trick)) % 4
        for seat, hand in enumerate(position["hands"]):
            place = (seat - leader) % 4
            role = "partner" if seat == (view.seat + 2) % 4 else "leads" if seat == leader and trick else ""
            n = len(hand) if isinstance(hand, list) else hand["count"]
            name = Text(self.who(seat, view), style="bold" if seat == view.seat else "")
            on_table = chip(trick[place]) if place < len(trick) else Text()
            mark = ">" if seat == view.to_act else " "
            table.add_row(mark, name, role, f"{n} card{'s' * (n != 1)}", on_table)
        return table

    def _hand(self, view: View, position: dict[str, Any]) -> Text:
        """The own cards by suit; those that may not be played now are dim."""
        playable = {self.text(action) for action in view.legal()}
        some = any(map(is_card, playable))
        line, suit = Text("Your hand "), ""
        for card in position["hands"][view.seat]:
            line.append(" " if card[-1] == suit else "  ").append_text(chip(card, dim=some and card not in playable))
            suit = card[-1]
        return line

    def choices(self, view: View) -> list[Choice]:
        return [Choice(self._label(self.text(action)), (action,)) for action in view.legal()]

    def _label(self, text: str) -> Text:
        if is_card(text):
            return chip(text)
        return Text(f"take {SYMBOLS[text[-1]]} {SUITS[text[-1]]}" if text.startswith("take-") else text)

    def read(self, view: View, text: str) -> list[int]:
        """Also by symbol (10♥) or the whole suit (take hearts)."""
        plain = text.lower()
        for letter, symbol in SYMBOLS.items():
            plain = plain.replace(symbol, letter).replace(SUITS[letter], letter)
        return super().read(view, plain.replace("take ", "take-"))

    def event(self, view: View, before: Any, seat: int, action: int, after: Any) -> Text:
        text = self.text(action)
        line = Text(f"{self.who(seat, view)} ")
        if is_card(text):
            return line.append(self.verb("play ", seat, view)).append_text(chip(text))
        if text == "pass":
            return line.append("pass" if seat == view.seat else "passes")
        return line.append(self.verb(f"take {SUITS[text[-1]]}", seat, view))
