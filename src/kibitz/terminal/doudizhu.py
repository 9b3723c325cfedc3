"""How the terminal player sees Dou Di Zhu and its small sister: hands in groups of ranks, moves in groups of size."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from kibitz import protocols
from kibitz.protocols import View
from kibitz.terminal.painter import MOST_OFFERED, Grid, Painter

MOST_OF_A_SIZE = 14  # moves of so many cards are listed; of more, some


def grouped(cards: str) -> str:
    """The cards with a space between ranks: 33 4 555."""
    return " ".join("".join(group) for _, group in groupby(cards))


class RanksPainter(Painter):
    """Seats with their cards, and what is to be beaten, from the view's position."""

    quit_words = ("quit",)  # q is a queen
    grid = Grid([""], "3456789TJQKA2BR", lambda card: ("", card), {})

    def picture(self, view: View) -> RenderableType:
        position = protocols.position(self.game, view)
        table = Table.grid(padding=(0, 2))
        for seat, hand in enumerate(position["hands"]):
            own = seat == view.seat
            n = len(hand) if own else hand["count"]
            name = Text(self.who(seat, view), style="bold" if own else "")
            cards = f"{n} card{'s' * (n != 1)}"
            played = grouped(position["played"][seat])
            mark = ">" if seat == view.to_act else " "
            table.add_row(mark, name, self.role(seat, position), cards, f"played {played}" if played else "")
        hand = Text("Your hand  ").append(grouped(position["hands"][view.seat]), style="bold")
        return Group(table, *self.middle(view, position), hand)

    def numbered(self, view: View) -> bool:
        return False  # 2 to 9 are cards, whatever is legal

    def role(self, seat: int, position: dict[str, Any]) -> str:
        return ""

    def middle(self, view: View, position: dict[str, Any]) -> list[Text]:
        beat = position.get("to_beat")
        return [Text("To beat  ").append(beat, style="bold") if beat else Text("The lead is free.")]


class DouDiZhuPainter(RanksPainter):
    def role(self, seat: int, position: dict[str, Any]) -> str:
        if "landlord_seat" in position:
            return "landlord" if seat == position["landlord_seat"] else "peasant"
        bid = position.get("bids", [-1] * 3)[seat]
        return f"bid {bid}" if bid >= 0 else ""

    def middle(self, view: View, position: dict[str, Any]) -> list[Text]:
        if position.get("phase") == "bid":
            return [Text("Who bids most is landlord and gets the three hidden cards.")]
        lines = [Text("Talon  ").append(grouped(position["talon"]))]
        if "announced" in position:
            return [*lines, Text("Kickers for  ").append(position["announced"], style="bold")]
        if "last" not in position:
            return [*lines, Text("The lead is free.")]
        whose = self.who(position["last_seat"], view)
        return [*lines, Text("To beat  ").append(position["last"], style="bold").append(f"  of {whose}")]

    def read(self, view: View, text: str) -> list[int]:
        bids = any(self.text(action).startswith("bid-") for action in view.legal())
        return super().read(view, f"bid-{text}" if bids and text.strip().isdecimal() else text)

    def offer(self, view: View, everything: bool = False) -> Text:
        choices = self.choices(view)
        if len(choices) <= MOST_OFFERED // 2:
            return super().offer(view, everything)
        # By size, bombs first, so that they are never among those left out.
        plain = (choice.label.plain for choice in choices)
        texts = sorted(plain, key=lambda text: ("+" in text, len(text), len(set(text)) > 1))
        lines = Text()
        for size, group in groupby(texts, key=lambda text: 0 if "+" in text else len(text)):
            moves = list(group)
            shown = moves if everything or len(moves) <= MOST_OF_A_SIZE else moves[: MOST_OF_A_SIZE // 2]
            what = f"{size} card{'s' * (size != 1)}" if size else "with kickers"
            lines.append(f"\n  {what}: ", style="dim").append("  ".join(shown))
            if len(shown) < len(moves):
                lines.append(f"  … {len(moves)} in all (l lists them)", style="dim")
        return lines.append("\n")
