"""How the terminal player sees Tic-Tac-Toe, Connect Four and Hex: the board as text, with the stones in colour."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from kibitz.protocols import View
from kibitz.terminal.painter import Painter

STYLES = {"x": "bold #d7552a", "o": "bold #2a7fd7"}  # the letters tell them apart as well


class BoardPainter(Painter):
    def picture(self, view: View) -> RenderableType:
        lines = str(view).splitlines()
        board = [Text(line) for line in lines]
        for at, line in enumerate(board):
            for stone, style in STYLES.items():
                if at != 1:  # the names of the columns, one of which may be o
                    line.highlight_regex(rf"\b{stone}\b", style)
        return Text("\n").join(board)

    def question(self, view: View) -> str:
        return f"You are {'xo'[view.seat]}."


class HexPainter(BoardPainter):
    def question(self, view: View) -> str:
        return f"You are {'xo'[view.seat]} and join {('top and bottom', 'left and right')[view.seat]}."
