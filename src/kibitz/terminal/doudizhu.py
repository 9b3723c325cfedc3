"""How the terminal player sees Dou Di Zhu and its small sister: hands in groups of ranks, moves by their kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from kibitz import protocols
from kibitz.protocols import View
from kibitz.terminal.combinations import KINDS, RANKS, grouped, kind, ordered
from kibitz.terminal.painter import MOST_OFFERED, Choice, Grid, Painter, cards, listed

# What people type for cards that have no single letter.
_WORDS = {"rocket": "BR", "blackjoker": "B", "redjoker": "R", "jokers": "BR", "10": "T"}
_WORD = re.compile("|".join(_WORDS))


def typed_cards(text: str) -> str | None:
    """The cards that a text names, in rising order; None if it names none. Any order, with or without spaces."""
    plain = re.sub(r"[\s,.]+", "", text.lower())
    found = _WORD.sub(lambda word: _WORDS[word[0]], plain).upper()
    return ordered(found) if found and all(card in RANKS for card in found) else None


class RanksPainter(Painter):
    """Seats with their cards, and what is to be beaten, from the view's position."""

    title = "Mini Dou Di Zhu"
    grid = Grid([""], RANKS, lambda card: ("", card), {})

    def snapshot(self, view: View) -> dict[str, Any]:
        return protocols.position(self.game, view)

    def picture(self, view: View) -> RenderableType:
        position = self.snapshot(view)
        table = Table.grid(padding=(0, 2))
        for seat, hand in enumerate(position["hands"]):
            own = seat == view.seat
            n = len(hand) if own else hand["count"]
            name = Text(self.who(seat, view), style="bold" if own else "")
            played = grouped(position["played"][seat])
            mark = ">" if seat == view.to_act else " "
            table.add_row(mark, name, self.role(seat, view, position), cards(n), f"played {played}" if played else "")
        middle = self.middle(view, position) if view.to_act >= 0 else []
        if view.seat < 0 or not position["hands"][view.seat]:
            return Group(table, *middle)
        hand = Text("Your hand  ").append(grouped(position["hands"][view.seat]), style="bold")
        return Group(table, *middle, hand)

    def numbered(self, view: View) -> bool:
        return False  # 2 to 9 are cards, whatever is legal

    def role(self, seat: int, view: View, position: dict[str, Any]) -> str:
        return ""

    def middle(self, view: View, position: dict[str, Any]) -> list[Text]:
        beat = position.get("to_beat")
        return [Text("To beat  ").append(beat, style="bold") if beat else Text("The lead is free.")]

    def explain(self, view: View) -> Text:
        position = self.snapshot(view)
        return Text(self._explain_play(view, position.get("last", position.get("to_beat")), ""))

    def _explain_play(self, view: View, beat: str | None, whose: str) -> str:
        how = "Type the cards in any order, as in 33, 34567 or 4777; T is the ten, B and R are the jokers."
        if not beat:
            return f"You lead: play any single card, pair or other combination of your hand. {how}"
        if kind(beat) == "rocket":
            return f"{whose}{beat} is the rocket, which nothing beats: pass."
        better = f"a higher {kind(beat)}" + (f" of {len(beat)} cards" if len(beat) > 4 else "")
        bomb = "" if kind(beat) == "bomb" else ", a bomb"
        first = f"{whose}{beat} is a {kind(beat)}. It is beaten by {better}{bomb} or the rocket."
        if not any(self.text(action) != "pass" for action in view.legal()):
            return f"{first} You have nothing of that: pass."
        return f"{first} Beat it, or pass; a pass does not bind you later. {how}"

    def read(self, view: View, text: str) -> list[int]:
        """Cards mean exactly these cards: 3 is never the beginning of 33."""
        wanted = typed_cards(text)
        if wanted is None:
            return super().read(view, text)
        legal = {self.text(action): action for action in view.legal()}
        if wanted in legal:
            return [legal[wanted]]
        return self.refuse(view, wanted)

    def refuse(self, view: View, wanted: str) -> list[int]:
        """ValueError says why these cards cannot be played."""
        position = self.snapshot(view)
        hand: str = position["hands"][view.seat]
        short = [rank for rank in RANKS if wanted.count(rank) > hand.count(rank)]
        if short:
            missing = f"only {hand.count(short[0])}" if hand.count(short[0]) else "no"
            raise ValueError(f"You have {missing} {short[0]}.")
        beat = position.get("last", position.get("to_beat"))
        try:
            self.game.parse(wanted)
        except ValueError:
            raise ValueError(f"{wanted} is no combination (/rules lists them).") from None
        raise ValueError(f"{wanted} does not beat {beat}." if beat else f"{wanted} cannot be played now.")

    def event(self, view: View, before: Any, seat: int, action: int, after: Any) -> Text:
        text = self.text(action)
        if text == "pass":
            return Text(self.does("pass", seat, view))
        line = Text(self.does("play ", seat, view)).append(text, style="bold")
        if after is not None:
            hand = after["hands"][seat]
            left = len(hand) if isinstance(hand, str) else hand["count"]
            line.append(f"  ({self.who(seat, view)}: {cards(left)})", style="dim")
        return line

    def ending(self, view: View, payoffs: Sequence[float]) -> str:
        hands = self.snapshot(view)["hands"]
        counts = [len(hand) if isinstance(hand, str) else hand["count"] for hand in hands]
        if 0 not in counts:
            return ""
        out = counts.index(0)
        return f"{self.who(out, view)} {'have' if out == view.seat else 'has'} no cards left."


class DouDiZhuPainter(RanksPainter):
    title = "Dou Di Zhu"

    def name(self, text: str) -> str:
        if text.startswith("bid-"):
            return "pass" if text == "bid-0" else f"bid {text[4:]}"
        return text.replace("+solo", " + single").replace("+pair", " + pair") if "+" in text else text

    def role(self, seat: int, view: View, position: dict[str, Any]) -> str:
        if (landlord := position.get("landlord_seat")) is not None:
            fellow = view.seat >= 0 and landlord not in (seat, view.seat) and seat != view.seat
            return "landlord" if seat == landlord else "partner" if fellow else "peasant"
        bid = position.get("bids", [-1] * 3)[seat]
        return "" if bid < 0 else self.name(f"bid-{bid}") if bid else "passed"

    def middle(self, view: View, position: dict[str, Any]) -> list[Text]:
        if position.get("phase") == "bid":
            return [Text("The highest bidder is landlord, gets the three hidden cards and leads.")]
        lines = [Text("Talon  ").append(grouped(position["talon"]))]
        if "announced" in position:
            return [*lines, Text("Kickers for  ").append(self.name(position["announced"]), style="bold")]
        if "last" not in position:
            return [*lines, Text("The lead is free.")]
        whose = self.who(position["last_seat"], view, start=False)
        beat = Text("To beat  ").append(position["last"], style="bold")
        return [*lines, beat.append(f"  {kind(position['last'])} of {whose}")]

    # ------------------------------------------------------------------------------------------ a decision

    def question(self, view: View) -> str:
        position = self.snapshot(view)
        if position.get("phase") == "bid":
            return "How much do you bid to be landlord?"
        if position.get("phase") == "kickers":
            return "Which cards go along?"
        return "Your turn." if "last" in position else "You lead."

    def explain(self, view: View) -> Text:
        position = self.snapshot(view)
        if position.get("phase") == "bid":
            most = max(position["bids"])
            so_far = f"The highest bid so far is {most}. " if most > 0 else ""
            return Text(
                f"{so_far}The highest bidder is the landlord, gets the three hidden cards, leads, and plays alone "
                "against the other two. Bid 1, 2 or 3, more than anybody before; a 3 ends the bidding. Or pass."
            )
        if position.get("phase") == "kickers":
            return Text("Type the whole combination, with the cards that go along: 4777 for three 7s and a 4.")
        last = position.get("last")
        if last is None:
            return Text(self._explain_play(view, None, ""))
        of = position["last_seat"]
        partner = view.seat != position["landlord_seat"] != of
        whose = f"{self.who(of, view)}'s " + ("(your partner's) " if partner else "")
        return Text(self._explain_play(view, last, whose))

    def choices(self, view: View) -> list[Choice]:
        return [Choice(Text(self.called(action)), (action,)) for action in view.legal()]

    def read(self, view: View, text: str) -> list[int]:
        plain = "".join(text.lower().split()).removeprefix("bid").strip("-")
        legal = {self.text(action): action for action in view.legal()}
        if any(name.startswith("bid-") for name in legal):
            bid = legal.get(f"bid-{0 if plain and 'pass'.startswith(plain) else plain}")
            if bid is None:
                allowed = listed([self.name(name) for name in legal], "or")
                raise ValueError(f"{text.strip()!r} is no bid that you can make: {allowed}.")
            return [bid]
        return super().read(view, text)

    def offer(self, view: View, everything: bool = False) -> Text:
        choices = self.choices(view)
        if len(choices) <= MOST_OFFERED // 2:
            return super().offer(view, everything)
        # A line for each kind, as far as it fits: every kind that there is is seen, the bombs above all.
        moves = [choice.label.plain for choice in choices if choice.label.plain != "pass"]
        order = [*KINDS, *dict.fromkeys(kind(move) for move in moves if kind(move) not in KINDS)]
        lines = Text()
        for what, group in groupby(sorted(moves, key=lambda move: order.index(kind(move))), key=kind):
            lines.append_text(self._kind(what, list(group), everything))
        lines.append("\n  pass  " if len(moves) < len(choices) else "  ")
        return lines[1:]  # without the first line break

    def _kind(self, what: str, moves: list[str], everything: bool) -> Text:
        line = Text(f"\n  {what}: ", style="dim")
        room = self.width - line.cell_len - len("  … 0000 in all (/moves)")
        shown = (
            moves
            if everything
            else [m for at, m in enumerate(moves) if sum(len(x) + 2 for x in moves[: at + 1]) < room]
        )
        line.append("  ".join(shown), style="not dim")
        return line.append(f"  … {len(moves)} in all (/moves)") if len(shown) < len(moves) else line

    # ------------------------------------------------------------------------------------------ the log

    def opening(self, view: View, start: Any) -> Text:
        if start.get("phase") == "bid":
            return Text(f"17 cards each, three are hidden. {self.does('speak first', start['to_act'], view)}.")
        return Text(self._landlord(view, start))

    def _landlord(self, view: View, position: dict[str, Any]) -> str:
        who = position["landlord_seat"]
        verb = "are" if who == view.seat else "is"
        role = f"{self.who(who, view)} {verb} the landlord, {self.verb('take', who, view)}"
        return f"{role} {grouped(position['talon'])} and {self.verb('lead', who, view)}."

    def event(self, view: View, before: Any, seat: int, action: int, after: Any) -> Text:
        text = self.text(action)
        if text.startswith("bid-"):
            line = Text(self.does(self.name(text), seat, view))
            if after is not None and after["phase"] == "play":
                line.append("\n" + self._landlord(view, after), style="bold")
            return line
        if "+" in text:
            return Text(self.does("announce ", seat, view)).append(self.name(text), style="bold")
        line = super().event(view, before, seat, action, after)
        if after is not None and after["phase"] == "play" and "last" not in after and text == "pass":
            line.append(f"; {self.does('lead anew', after['to_act'], view, start=False)}")
        return line

    def ending(self, view: View, payoffs: Sequence[float]) -> str:
        position = self.snapshot(view)
        if "landlord_seat" not in position or position.get("winner", -1) < 0:
            return "Nobody bid: the cards are thrown in."
        side = "The landlord wins." if position["winner"] == position["landlord_seat"] else "The peasants win together."
        return f"{super().ending(view, payoffs)} {side}"
