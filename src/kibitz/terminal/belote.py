"""How the terminal player sees Belote: cards in the colours of their suits, by name and with the sides' points."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from kibitz import protocols
from kibitz.protocols import View
from kibitz.terminal.painter import Choice, Grid, Painter, cards, listed

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

# What people type, longer words first: a suit by name or symbol, a rank by name, and the suit before or behind it.
_WORDS = {
    **{name: suit for suit, name in SUITS.items()},
    **{name[:-1]: suit for suit, name in SUITS.items()},
    **{symbol: suit for suit, symbol in SYMBOLS.items()},
    **{"jack": "j", "queen": "q", "king": "k", "ace": "a", "ten": "10", "nine": "9", "eight": "8", "seven": "7"},
}
_WORD = re.compile("|".join(sorted(_WORDS, key=len, reverse=True)))
_RANK = "10|[789jqkat]"
_CARD = re.compile(rf"(?:({_RANK})(?:of)?([shdc])|([shdc])({_RANK}))")


def chip(card: str, *, dim: bool = False) -> Text:
    """A card: " J♠ "."""
    return Text(f" {face(card)} ", style=STYLES[card[-1]] + (" dim" if dim else ""))


def face(card: str) -> str:
    """A card as the screen writes it: J♠."""
    return f"{card[:-1]}{SYMBOLS[card[-1]]}"


def is_card(text: str) -> bool:
    return text[-1] in SUITS and text[:-1] in RANKS


def points(count: int) -> str:
    return f"{count} point{'s' * (count != 1)}"


class BelotePainter(Painter):
    """See Painter. Everything shown comes from the view's position: what the seat may know, nothing else."""

    title = "Belote"
    grid = Grid([*SUITS], RANKS, lambda card: (card[-1], card[:-1]), SYMBOLS)

    def name(self, text: str) -> str:
        if is_card(text):
            return face(text)
        return f"take {SYMBOLS[text[-1]]} {SUITS[text[-1]]}" if text.startswith("take-") else text

    def snapshot(self, view: View) -> dict[str, Any]:
        return protocols.position(self.game, view)

    # ------------------------------------------------------------------------------------------ pictures

    def picture(self, view: View) -> RenderableType:
        position = self.snapshot(view)
        table = Group(self._contract(view, position), self._seats(view, position))
        return Group(table, self._hand(view, position)) if view.seat >= 0 and position["hands"][view.seat] else table

    def _contract(self, view: View, position: dict[str, Any]) -> Text:
        if "trump" not in position:
            return Text("Turned up  ").append_text(chip(position["turned"]))
        line = Text(f"Trump is {SYMBOLS[position['trump']]} {SUITS[position['trump']]}")
        if "taker" in position:
            line.append(f", taken by {self.who(position['taker'], view, start=False)}")
        tricks = position.get("tricks", [0, 0])
        counts = [f"{tricks[side]} trick{'s' * (tricks[side] != 1)}" for side in (0, 1)]
        return line.append("\n" + self._score(view, position, [f", {count}" for count in counts]))

    def _sides(self, view: View) -> list[tuple[int, str]]:
        """Both sides with their names, the own one first."""
        if view.seat >= 0:
            return [(view.seat % 2, "Your side"), (1 - view.seat % 2, "the others")]
        return [(side, listed([self.who(seat, view) for seat in (side, side + 2)])) for side in (0, 1)]

    def _score(self, view: View, position: dict[str, Any], more: Sequence[str] = ("", "")) -> str:
        """ "Your side: 26 points; the others: 11 points"."""
        taken = position.get("points", [0, 0])
        return "; ".join(f"{whose}: {points(taken[side])}{more[side]}" for side, whose in self._sides(view))

    def _seats(self, view: View, position: dict[str, Any]) -> RenderableType:
        table = Table.grid(padding=(0, 2))
        trick = position.get("trick", [])
        leader = (position["to_act"] - len(trick)) % 4
        for seat, hand in enumerate(position["hands"]):
            place = (seat - leader) % 4
            role = "partner" if view.seat >= 0 and seat == (view.seat + 2) % 4 else ""
            n = len(hand) if isinstance(hand, list) else hand["count"]
            name = Text(self.who(seat, view), style="bold" if seat == view.seat else "")
            on_table = chip(trick[place]) if place < len(trick) else Text()
            on_table.append(" led" if place == 0 and trick else "")
            mark = ">" if seat == view.to_act else " "
            table.add_row(mark, name, role, cards(n), on_table)
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

    # ------------------------------------------------------------------------------------------ a decision

    def choices(self, view: View) -> list[Choice]:
        texts = {action: self.text(action) for action in view.legal()}
        return [
            Choice(chip(text) if is_card(text) else Text(self.name(text)), (action,)) for action, text in texts.items()
        ]

    def question(self, view: View) -> str:
        position = self.snapshot(view)
        if position["phase"] == "first":
            return f"Take {face(position['turned'])} as trump?"
        if position["phase"] == "second":
            return "Name another suit as trump?"
        return "Your turn." if position.get("trick") else "You lead."

    def explain(self, view: View) -> Text:
        position = self.snapshot(view)
        if position["phase"] in ("first", "second"):
            return Text(self._explain_bid(position))
        return Text(self._explain_trick(view, position) + "\nType the number of a card, or its name: 10h, h10, 10♥.")

    @staticmethod
    def _explain_bid(position: dict[str, Any]) -> str:
        turned = position["turned"]
        if position["phase"] == "first":
            offer = f"Take {face(turned)}, and {SUITS[turned[-1]]} are trump; or pass, and the next player is asked."
        else:
            offer = f"Everybody passed on {face(turned)}. Name another suit as trump, or pass."
        return (
            f"{offer} The player who takes gets {face(turned)} and promises that the own side makes more points than "
            "the other. Then everybody gets cards up to eight. "
            "Trumps, strongest first: J (20 points), 9 (14), A, 10, K, Q, 8, 7."
        )

    def _explain_trick(self, view: View, position: dict[str, Any]) -> str:
        trick, trump = position.get("trick", []), position["trump"]
        if not trick:
            return f"You lead: play any card. The others must follow its suit. {SUITS[trump].capitalize()} are trump."
        suit, legal = trick[0][-1], [self.text(action) for action in view.legal()]
        said = f"{self.who((position['to_act'] - len(trick)) % 4, view)} led {face(trick[0])}"
        if all(card[-1] == suit for card in legal):
            held = [card for card in position["hands"][view.seat] if card[-1] == suit]
            higher = ", and go higher than every trump on the table" if len(legal) < len(held) else ""
            return f"{said}: you must follow suit{higher}."
        if all(card[-1] == trump for card in legal):
            return f"{said}. You have no {SUITS[suit]}, and an opponent holds the trick: trump, higher if you can."
        return f"{said}. You have no {SUITS[suit]}: you may play {'any card' if len(legal) > 1 else 'your last card'}."

    def read(self, view: View, text: str) -> list[int]:
        """Also by symbol (10♥), by the whole suit (take hearts), or with the suit first (h10)."""
        plain = _WORD.sub(lambda word: _WORDS[word[0]], "".join(text.lower().split()))
        if match := _CARD.fullmatch(plain):
            rank, suit = match[1] or match[4], match[2] or match[3]
            plain = {"t": "10"}.get(rank, rank) + suit
            if plain not in (self.text(action).lower() for action in view.legal()):
                self._refuse(view, plain)
        if re.fullmatch("take-?[shdc]{1,2}", plain):  # the suit, or its symbol and its name
            plain = f"take-{plain[-1]}"
        try:
            return super().read(view, plain)
        except ValueError as problem:  # in the words of the person
            raise ValueError(str(problem).replace(repr(plain), repr(text.strip()))) from None

    def _refuse(self, view: View, card: str) -> None:
        """Says why a card cannot be played."""
        position = self.snapshot(view)
        known = {other.lower(): other for other in position["hands"][view.seat]}
        if card not in known:
            raise ValueError(f"You have no {face(card[:-1].upper() + card[-1])}.")
        if position["phase"] == "play":
            raise ValueError(f"{face(known[card])} cannot be played: {self._explain_trick(view, position)}")

    # ------------------------------------------------------------------------------------------ the log

    def opening(self, view: View, start: Any) -> Text:
        if "turned" not in start:
            return Text(f"Trump is {SUITS[start['trump']]}. {self.does('lead', start['to_act'], view)}.")
        line = Text("Five cards each. Turned up ").append_text(chip(start["turned"]))
        return line.append(f". {self.does('speak first', start['to_act'], view)}.")

    def event(self, view: View, before: Any, seat: int, action: int, after: Any) -> Text:
        text = self.text(action)
        if text == "pass":
            return Text(self.does("pass", seat, view))
        if not is_card(text):
            line = Text(self.does(f"take with {SYMBOLS[text[-1]]} {SUITS[text[-1]]} as trump", seat, view))
            if after is not None:
                line.append(
                    f". Everybody has eight cards now; {self.does('lead', after['to_act'], view, start=False)}."
                )
            return line
        line = Text(self.does("play ", seat, view)).append_text(chip(text))
        if before is not None and after is not None:
            self._consequences(line, view, before, seat, text, after)
        return line

    def _consequences(
        self, line: Text, view: View, before: dict[str, Any], seat: int, card: str, after: dict[str, Any]
    ) -> None:
        """Belote, and who took the trick, read off the positions before and after."""
        other = {"K": "Q", "Q": "K"}.get(card[:-1], "") + card[-1]
        if is_card(other) and card[-1] == after["trump"] and after["rules"] == "official":
            if other in before["played"][seat]:
                line.append(" and " + self.verb("say rebelote", seat, view))
            elif other not in {*chain(*after["played"]), *after["barred"][seat]}:
                line.append(" and " + self.verb("say belote", seat, view) + ": 20 points")
        if len(before.get("trick", [])) == 3:
            won = sum(after["points"]) - sum(before["points"])
            line.append(f"\n{self.does('take the trick', after['to_act'], view)}: {points(won)}. ", style="bold")
            line.append(self._score(view, after) + ".")

    def ending(self, view: View, payoffs: Sequence[float]) -> str:
        position = self.snapshot(view)
        if "trump" not in position:
            return "Everybody passed twice: the cards are thrown in."
        parts = [_counted(position, side) for side in (0, 1)]
        counted = [sum(part.values()) for part in parts]
        said = []
        for side, whose in self._sides(view):
            extra = listed([f"{value} for {what}" for what, value in parts[side].items() if what != "cards"])
            said.append(f"{whose}: {points(counted[side])}" + (f", {extra} included" if extra else ""))
        out = "; ".join(said) + "."
        if "taker" not in position:
            return out
        ours = position["taker"] % 2
        takers = f"{self.who(position['taker'], view)} took and"
        if counted[ours] > counted[1 - ours]:
            return f"{out} {takers} made it."
        if counted[ours] == counted[1 - ours]:
            return f"{out} {takers} tied: the points of the takers wait for the next winners."
        kept = " but the belote" if "belote" in parts[ours] else ""
        return f"{out} {takers} fell short (dedans): the other side scores everything{kept}."


def _counted(position: dict[str, Any], side: int) -> dict[str, int]:
    """What a side has at the end, by what it is for. What the players score in the end is the game's business."""
    found = {"cards": position["points"][side]}
    if position["rules"] != "official":
        return found
    if position["to_act"] % 2 == side:  # who took the last trick
        capot = position["tricks"][1 - side] == 0
        found["all tricks" if capot else "the last trick"] = 100 if capot else 10
    royal = {f"{rank}{position['trump']}" for rank in "KQ"}
    if any(royal <= set(position["played"][seat]) for seat in (side, side + 2)):
        found["belote"] = 20
    return found
