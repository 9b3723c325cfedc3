"""How the terminal player sees Uno: coloured cards, always with the colour's letter beside the colour."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from kibitz import protocols
from kibitz.protocols import View
from kibitz.terminal.painter import Choice, Grid, Painter, cards, flow, listed

COLOURS = {"r": "red", "g": "green", "b": "blue", "y": "yellow"}
TRAITS = (*"0123456789", "skip", "reverse", "draw_2", "wild", "wild_draw_4")

# Letters carry the meaning; the shades are far apart in brightness, too.
STYLES = {
    "r": "bold white on #c4281b",
    "g": "bold white on #0b7a3b",
    "b": "bold white on #1f5fbf",
    "y": "bold black on #f2c500",
    "": "bold white on #303030",
}
FACES = {"skip": "skip", "reverse": "rev", "draw_2": "+2", "wild": "WILD", "wild_draw_4": "WILD +4"}

# What people type for a card. Longer words stand first, or "draw 2" would never be seen whole.
_TRAIT_WORDS = {
    "wilddraw4": "wild_draw_4",
    "wilddrawfour": "wild_draw_4",
    "draw4": "wild_draw_4",
    "wild+4": "wild_draw_4",
    "wild4": "wild_draw_4",
    "wd4": "wild_draw_4",
    "w+4": "wild_draw_4",
    "w4": "wild_draw_4",
    "+4": "wild_draw_4",
    "wild": "wild",
    "w": "wild",
    "drawtwo": "draw_2",
    "draw2": "draw_2",
    "d2": "draw_2",
    "+2": "draw_2",
    "reverse": "reverse",
    "rev": "reverse",
    "skip": "skip",
    **{digit: digit for digit in "0123456789"},
}
_COLOUR_WORDS = {word: letter for letter, name in COLOURS.items() for word in (name, letter)}
_COLOUR = "|".join(_COLOUR_WORDS)
_CARD = re.compile(rf"({_COLOUR})?({'|'.join(map(re.escape, _TRAIT_WORDS))})({_COLOUR})?")

HAND = 7  # cards that are dealt to everybody

# What a decision other than playing a card is about, by the text of its first action.
QUESTIONS = {
    "play": "You drew {drawn}, which fits. Play it, or keep it?",
    "keep": "You drew {drawn}, which does not fit: Enter keeps it.",
    "challenge": "{before} played a Wild Draw 4 on you. Challenge it, or accept and draw {pending}?",
    "accept": "{before} played a draw card on you. Accept: you draw {pending} and lose the turn.",
    "uno": "You have one card left. Call Uno, or stay silent and risk 2 cards if another player catches you?",
    "catch": "{before} did not call Uno. Catch them (they draw 2), or let it pass?",
    "name": "Name the colour that is to be played on.",
    "swap": "You played a 7: swap hands with whom?",
}
# The rest of what has to be known for it.
MEANINGS = {
    "challenge": (
        " It is a bluff if {before} held a {colour} card. Challenge: a bluffer draws the {pending} and you play on, "
        "but if it was honest you draw {more} and lose the turn. Accept: you draw {pending} and lose the turn."
    ),
    "name": " Type red, green, blue or yellow: the next player needs a card of that colour, or a wild.",
    "play": " A card that you keep stays in your hand, and the turn is over.",
}

# What an action other than a card is in the log: "You draw", "rules draws".
DEEDS = {
    "draw": "draw",
    "play": "play the drawn card",
    "keep": "keep the drawn card",
    "challenge": "challenge",
    "accept": "accept",
    "uno": "call Uno",
    "silent": "say nothing",
    "catch": "catch the missing call",
    "pass": "let it pass",
    "name": "name",
    "swap": "swap hands with",
}


def split(card: str) -> tuple[str, str]:
    """Colour letter ("" for a wild without colour) and trait of a card or of a card's action."""
    colour, dash, trait = card.partition("-")
    return (colour, trait) if dash else ("", card)


def chip(card: str, *, dim: bool = False) -> Text:
    """A card: " R 5 " on red."""
    return Text(f" {face(card)} ", style=STYLES[split(card)[0]] + (" dim" if dim else ""))


def face(card: str) -> str:
    """A card as the screen writes it: R 5, G skip, WILD. A wild shows the colour that was named, if there is one."""
    colour, trait = split(card)
    return " ".join(filter(None, (colour.upper(), FACES.get(trait, trait))))


def order(card: str) -> tuple[int, int]:
    """Hands are sorted by colour, then number, then symbol; wilds last."""
    colour, trait = split(card)
    wild = trait.startswith("wild")
    return (len(COLOURS) if wild else [*COLOURS].index(colour), TRAITS.index(trait))


def is_card(text: str) -> bool:
    colour, trait = split(text)
    return trait in TRAITS and STYLES.get(colour) is not None  # "swap-3" is not the 3 of a colour called swap


def held(text: str) -> str:
    """The card in the hand that an action plays: "b-wild" is played from "wild"."""
    trait = split(text)[1]
    return trait if trait.startswith("wild") else text


def count(hand: Any) -> int:
    """Cards in a hand of a position, whether it is open (a list) or hidden (a count)."""
    return int(hand["count"]) if isinstance(hand, dict) else len(hand)


def meaning(text: str) -> tuple[str, str] | None:
    """Colour ("" if none) and trait of what somebody typed, or None if it names no card."""
    compact = re.sub(r"[^a-z0-9+]", "", text.lower())
    match = _CARD.fullmatch(compact)
    if match is None:
        return None
    before, trait, after = match.groups()
    if before and after:
        return None
    return _COLOUR_WORDS.get(before or after or "", ""), _TRAIT_WORDS[trait]


def _grid_place(card: str) -> tuple[str, str]:
    colour, trait = split(card)
    return colour or "wild", trait


_GRID_HEADS = {"reverse": "rev", "draw_2": "+2", "wild": "W", "wild_draw_4": "W+4", **{c: c.upper() for c in COLOURS}}


class UnoPainter(Painter):
    """See Painter. Everything shown comes from the view's position: what the seat may know, nothing else."""

    title = "Uno"
    grid = Grid([*COLOURS, "wild"], TRAITS, _grid_place, _GRID_HEADS)

    def name(self, text: str) -> str:
        if text in TRAITS or is_card(text):
            return face(text)
        command, _, argument = text.partition("-")
        if command == "name":
            return f"name {COLOURS[argument]}"
        return f"swap with {self.names[int(argument)]}" if command == "swap" and self.names else text

    def snapshot(self, view: View) -> dict[str, Any]:
        return protocols.position(self.game, view)

    def picture(self, view: View) -> RenderableType:
        position = self.snapshot(view)
        seats, middle = self._seats(view, position), self._middle(position)
        if view.seat < 0:  # what everybody may see
            return Group(seats, Text(), middle)
        return Group(seats, Text(), middle, Text(), self._hand(view, position))

    def _seats(self, view: View, position: dict[str, Any]) -> RenderableType:
        table = Table.grid(padding=(0, 2))
        for seat, hand in enumerate(position["hands"]):
            n = count(hand)
            mark = ">" if seat == view.to_act else " "
            style = "bold" if seat == view.seat else ""
            left = cards(n) + ("  last card!" if n == 1 else "")
            name = Text(self.who(seat, view), style=style)
            table.add_row(mark, name, "▮" * min(n, 20), left, self._seen(seat, position))
        return table

    def _seen(self, seat: int, position: dict[str, Any]) -> Text:
        """Cards of another hand that were shown to this player (after a challenge) and are still there."""
        line = Text()
        for sight in position.get("seen", []):
            if sight["viewer"] == position["seat"] and sight["owner"] == seat:
                for card in sorted(sight["cards"], key=order):
                    line.append("" if line else "you saw ").append_text(chip(card)).append(" ")
        return line

    def _middle(self, position: dict[str, Any]) -> Text:
        line = Text("On the table  ").append_text(chip(position["target"]))
        if position["phase"] != "over":
            line.append(f"   play goes {'down' if position.get('direction', 1) >= 0 else 'up'} the list")
        return line.append(f"   {cards(count(position['pile']))} in the pile")

    def _hand(self, view: View, position: dict[str, Any]) -> RenderableType:
        """The own cards, sorted, each playable one with its number beneath."""
        numbers: dict[str, str] = {}
        for index, choice in enumerate(self.choices(view), start=1):
            text = self.text(choice.actions[0])
            if is_card(text):
                numbers[held(text)] = str(index)
        mine = sorted(position["hands"][view.seat], key=lambda card: order(held(card)))
        rows: list[Text] = []
        width = max((chip(card).cell_len for card in mine), default=0) + 2
        per_row = max(1, (self.width - 2) // width)
        for start in range(0, len(mine), per_row):
            faces, marks = Text("  "), Text("  ")
            for card in mine[start : start + per_row]:
                number = numbers.get(held(card), "")
                face = chip(held(card), dim=bool(numbers) and not number)
                marks.append(number.center(face.cell_len).ljust(width), style="bold")
                faces.append_text(face).append(" " * (width - face.cell_len))
            rows += [faces, marks] if marks.plain.strip() else [faces]
        return Group(Text("Your hand" if mine else "Your hand is empty."), *rows)

    def choices(self, view: View) -> list[Choice]:
        """A wild is one choice with four actions; cards come in the order of the hand, other actions after them."""
        groups: dict[str, list[int]] = {}
        for action in view.legal():
            text = self.text(action)
            groups.setdefault(held(text) if is_card(text) else text, []).append(action)
        playable = sorted((key for key in groups if is_card(key)), key=order)
        others = [key for key in groups if not is_card(key)]
        return [Choice(self._label(view, key), tuple(groups[key])) for key in [*playable, *others]]

    def _label(self, view: View, key: str) -> Text:
        if is_card(key):
            return chip(key)
        command, _, argument = key.partition("-")
        if command == "name":
            return Text("name ").append_text(Text(f" {argument.upper()} {COLOURS[argument]} ", STYLES[argument]))
        if command == "swap":
            seat = int(argument)
            return Text(f"swap with {self.who(seat, view)} ({cards(count(self.snapshot(view)['hands'][seat]))})")
        return Text(key)

    def question(self, view: View) -> str:
        texts = [self.text(action) for action in view.legal()]
        others = [text.partition("-")[0] for text in texts if not is_card(text) and text != "draw"]
        if not others:
            return "Nothing fits: you have to draw." if texts == ["draw"] else "Your turn."
        words = QUESTIONS.get(others[0], "Your turn.").format(**self._figures(view))
        return f"{words} Or put a draw card of the same kind on top." if is_card(texts[0]) else words

    def _figures(self, view: View) -> dict[str, Any]:
        position = self.snapshot(view)
        pending = position.get("pending", 0)
        drawn = position.get("drawn")
        return {
            "drawn": face(drawn) if drawn else "a card",
            "pending": pending,
            "more": pending + 2,
            "before": self.who(position.get("turn", view.seat), view),
            "colour": COLOURS.get(position.get("before", ""), "fitting"),
        }

    def explain(self, view: View) -> Text:
        texts = [self.text(action) for action in view.legal()]
        other = next((text.partition("-")[0] for text in texts if not is_card(text) and text != "draw"), None)
        if other is not None:
            return Text(self.question(view) + MEANINGS.get(other, "").format(**self._figures(view)))
        line = Text(self._demand(self.snapshot(view)["target"]))
        fitting = [choice.label for choice in self.choices(view) if is_card(self.text(choice.actions[0]))]
        if not fitting:
            return line.append(" None of your cards does: draw one.")
        line.append(" You can play ").append_text(Text(", ").join(fitting))
        if "draw" in texts:
            line.append("; or draw a card, which you may play at once if it fits.")
        return line.append("\nType its number or its name: r5, red 5, R+2, wild blue, draw.")

    @staticmethod
    def _demand(target: str) -> str:
        """What the card on the table asks for."""
        colour, trait = split(target)
        named = COLOURS.get(colour, "any")
        if trait.startswith("wild"):
            return f"The colour is {named}: a {named} card fits, or a wild."
        same = f"{'an' if trait == '8' else 'a'} {FACES.get(trait, trait)}"
        return f"{face(target)} lies on the table: a {named} card fits, {same} of any colour, or a wild."

    def read(self, view: View, text: str) -> list[int]:
        asked = meaning(text)
        legal = {action: self.text(action) for action in view.legal()}
        if asked is None:
            colour = _COLOUR_WORDS.get(text.strip().lower())
            named = [action for action, name in legal.items() if colour and name == f"name-{colour}"]
            if named or colour is None:
                return named or super().read(view, text)
            raise ValueError(f"Which {COLOURS[colour]} card?")
        colour, trait = asked
        fits = [
            action
            for action, name in legal.items()
            if is_card(name) and split(name)[1] == trait and colour in ("", split(name)[0])
        ]
        return fits or self._refuse(view, f"{colour}-{trait}" if colour else trait)

    def _refuse(self, view: View, card: str) -> list[int]:
        position = self.snapshot(view)
        if not any(is_card(self.text(action)) for action in view.legal()):
            raise ValueError("No card can be played now.")
        mine = [held(c) for c in position["hands"][view.seat]]
        colour, trait = split(card)
        if not any(trait == split(c)[1] and (colour in ("", split(c)[0]) or c == trait) for c in mine):
            raise ValueError(f"You have no {face(card)}.")
        raise ValueError(f"{face(card)} does not fit on {face(position['target'])}.")

    def differ(self, actions: Sequence[int]) -> tuple[str, list[str]]:
        texts = [self.text(action) for action in actions]
        if len({split(text)[1] for text in texts}) == 1 and held(texts[0]) != texts[0]:
            return "Which colour?", [COLOURS[split(text)[0]] for text in texts]
        return super().differ(actions)

    def opening(self, view: View, start: Any) -> Text:
        """The card that was turned up may do something before anybody has played."""
        card, first = start["target"], start["to_act"]
        effect = ""
        if count(start["hands"][0]) > HAND:
            effect = self.does(f"draw {count(start['hands'][0]) - HAND}", 0, view, start=False)
            effect += " and " + self.verb("lose the turn", 0, view) if first != 0 else ""
        elif start["phase"] == "name":
            effect = self.does("name its colour", 0, view, start=False)
        elif split(card)[1] == "reverse":
            effect = "play goes the other way round"
        elif split(card)[1] == "skip":
            effect = self.does("lose the turn", 0, view, start=False)
        line = Text("Turned up ").append_text(chip(card)).append(f": {effect}." if effect else ".")
        return line.append(f" {self.does('begin', first, view)}.")

    def event(self, view: View, before: Any, seat: int, action: int, after: Any) -> Text:
        text = self.text(action)
        line = Text(f"{self.who(seat, view)} ")
        if is_card(text):
            line.append(self.verb("play ", seat, view)).append_text(chip(text))
        else:
            line.append(self.verb(DEEDS.get(text.partition("-")[0], text), seat, view))
            if text.startswith("name-"):
                line.append(f" {COLOURS[text[-1]]}")
            if text.startswith("swap-"):
                line.append(f" {self.who(int(text[5:]), view, start=False)}")
        if before is not None and after is not None:
            self._consequences(line, view, before, seat, text, after)
        return line

    def _consequences(
        self, line: Text, view: View, before: dict[str, Any], seat: int, text: str, after: dict[str, Any]
    ) -> None:
        """What else changed on the table, read off the positions before and after: no rules live here."""
        played_at_once = not is_card(text) and len(after["discards"]) > len(before["discards"])
        if played_at_once:
            line.append(", " + self.verb("play ", seat, view) if text == "draw" else " ")
            line.append_text(chip(after["target"]))
        if text == "challenge":
            self._challenged(line, view, before, seat, after)
        swapped = text.startswith("swap-") or (before.get("seven_zero") and split(text)[1] in ("0", "7"))
        for other, (old, new) in enumerate(zip(before["hands"], after["hands"], strict=True)):
            drawn = count(new) - count(old) + (other == seat and (is_card(text) or played_at_once))
            if drawn > 0 and not swapped:
                line.append("" if other == seat and text == "draw" else
                            f"; {self.does(f'draw {drawn}', other, view, start=False)}")  # fmt: skip
        self._lost_turn(line, view, before, seat, text, after)
        changed = [s for s, hand in enumerate(after["hands"]) if count(hand) != count(before["hands"][s]) or swapped]
        if changed:
            left = ", ".join(f"{self.who(s, view)}: {cards(count(after['hands'][s]))}" for s in changed)
            line.append(f"  ({left})", style="dim")
        self._shown(line, view, before, text, after)

    def _challenged(self, line: Text, view: View, before: dict[str, Any], seat: int, after: dict[str, Any]) -> None:
        """How the challenge ended: those draw who were wrong."""
        bluffer = before.get("turn", seat)
        whose, colour = self.who(bluffer, view, start=False), COLOURS.get(before.get("before", ""), "fitting")
        if count(after["hands"][seat]) > count(before["hands"][seat]):
            line.append(f" in vain: {whose} held no {colour} card")
        else:
            line.append(f" with success: {whose} bluffed and held a {colour} card")

    def _lost_turn(
        self, line: Text, view: View, before: dict[str, Any], seat: int, text: str, after: dict[str, Any]
    ) -> None:
        """Who does not get the turn that would have been theirs."""
        n, direction = len(after["hands"]), after.get("direction", 1)
        if text in ("accept", "challenge") and count(after["hands"][seat]) > count(before["hands"][seat]):
            line.append(" and " + self.verb("lose the turn", seat, view))
        if after["phase"] == "over" or not (is_card(text) or text == "play"):
            return
        trait = split(after["target"])[1]
        if trait == "skip" or (trait == "draw_2" and after["phase"] != "penalty") or (trait == "reverse" and n == 2):
            missed = (seat + direction) % n
            if trait == "draw_2":
                line.append(" and " + self.verb("lose the turn", missed, view))
            else:
                line.append(f"; {self.does('lose the turn', missed, view, start=False)}")
        elif trait == "reverse":
            line.append("; play goes the other way round")

    def _shown(self, line: Text, view: View, before: dict[str, Any], text: str, after: dict[str, Any]) -> None:
        """The cards that the reader drew; many of them on a line of their own."""
        if view.seat < 0:
            return
        drawn = Counter(after["hands"][view.seat]) - Counter(before["hands"][view.seat])
        chips = [chip(held(card)) for card in sorted(drawn.elements(), key=lambda card: order(held(card)))]
        if chips:
            new = Text("You drew ").append_text(flow(chips, self.width - len("You drew ")))
            line.append("\n").append_text(new) if len(chips) > 1 else line.append(" ").append_text(chips[0])

    def ending(self, view: View, payoffs: Sequence[float]) -> str:
        position = self.snapshot(view)
        left = [f"{self.who(seat, view, start=False)} {cards(count(hand))}"
                for seat, hand in enumerate(position["hands"]) if count(hand)]  # fmt: skip
        winner = position.get("winner", -1)
        if winner is None or winner < 0:
            return "No cards are left to draw, and nobody can go on."
        have = "have" if winner == view.seat else "has"
        return f"{self.who(winner, view)} {have} no cards left; still held: {listed(left)}."
