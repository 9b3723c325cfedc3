"""How the terminal player sees Tic-Tac-Toe, Connect Four and Hex: the board as text, with the stones in colour."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from rich.console import RenderableType
from rich.text import Text

from kibitz.protocols import View
from kibitz.terminal.painter import Choice, Painter

STYLES = {"x": "bold #d7552a", "o": "bold #2a7fd7"}  # the letters tell them apart as well
STONES = "xo"
EDGES = ("top and bottom", "left and right")  # of Hex


class BoardPainter(Painter):
    aim: ClassVar[str] = ""  # of the game, in a sentence
    how: ClassVar[str] = "Type the name of a free cell, its column and its row, as in b2."  # moves are typed

    def picture(self, view: View) -> RenderableType:
        board = [Text(line) for line in str(view).splitlines()[1:]]  # the first line is said in better words
        for at, line in enumerate(board):
            for stone, style in STYLES.items():
                if at != 0:  # the names of the columns, one of which may be o
                    line.highlight_regex(rf"\b{stone}\b", style)
        return Text("\n").join(board)

    def opening(self, view: View, start: Any) -> Text:
        has = ["have" if seat == view.seat else "has" for seat in (0, 1)]
        stones = [f"{self.who(seat, view, start=seat == 0)} {has[seat]} {STONES[seat]}" for seat in (0, 1)]
        return Text(f"{' and '.join(stones)}. ").append_text(super().opening(view, start))

    def event(self, view: View, before: Any, seat: int, action: int, after: Any) -> Text:
        return Text(f"{self.does('play', seat, view)} {self.called(action)}")

    def question(self, view: View) -> str:
        return f"You are {STONES[view.seat]}."

    def ending(self, view: View, payoffs: Sequence[float]) -> str:
        won = max(range(2), key=lambda seat: payoffs[seat])
        return f"{STONES[won]} has {self.wins(won)}." if payoffs[won] > 0 else "The board is full."

    def wins(self, seat: int) -> str:
        """What the winner has on the board."""
        return "won"

    def explain(self, view: View) -> Text:
        return Text(f"{self.question(view)} {self.aim} {self.how}")


class TicTacToePainter(BoardPainter):
    title = "Tic-Tac-Toe"
    aim = "A whole row, column or diagonal of your marks wins."

    def wins(self, seat: int) -> str:
        return "a whole line"


class ConnectFourPainter(BoardPainter):
    title = "Connect Four"
    aim = "Four of your stones in a row, across, upright or diagonal, win."
    how = "Type the number of a column that is not full: your stone falls to its lowest free cell."

    def name(self, text: str) -> str:
        return f"column {text}"

    def choices(self, view: View) -> list[Choice]:
        return [Choice(Text(self.text(action)), (action,)) for action in view.legal()]

    def question(self, view: View) -> str:
        return f"You are {STONES[view.seat]}. Which column?"

    def read(self, view: View, text: str) -> list[int]:
        if text.isdecimal() and text not in map(self.text, view.legal()):
            raise ValueError(f"Column {text} is full, or not there.")
        return super().read(view, text)

    def wins(self, seat: int) -> str:
        return "four in a row"


class HexPainter(BoardPainter):
    title = "Hex"
    aim = "A chain of your stones from edge to edge wins. b2 touches a2, c2, b1, c1, b3 and a3."

    def question(self, view: View) -> str:
        return f"You are {STONES[view.seat]} and join {EDGES[view.seat]}."

    def wins(self, seat: int) -> str:
        return f"joined {EDGES[seat]}"
