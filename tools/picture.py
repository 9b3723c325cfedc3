"""Draws docs/img/play.svg, the picture in the README: a real game at the terminal, always the same one.

    python tools/picture.py [FILE]

The person's answers are fixed, the deal and the agents come from a seed. The file loads nothing from the network: the
text is set in whatever monospaced font the reader has.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme

import kibitz
from kibitz._core import Seeds
from kibitz.terminal.commands import Quit
from kibitz.terminal.human import Human
from kibitz.terminal.table import GIVEN_NAMES, YOU, Table

SEED = 194
ANSWERS = ["challenge", "red 9"]  # the second is typed, and there the picture is taken
WIDTH = 92

DARK, LIGHT = (24, 26, 31), (214, 216, 220)
RED, GREEN, YELLOW, BLUE = (196, 40, 27), (11, 122, 59), (242, 197, 0), (31, 95, 191)
# The eight colours of a terminal, in their usual order; cards bring their own.
THEME = TerminalTheme(DARK, LIGHT, [(0, 0, 0), RED, GREEN, YELLOW, BLUE, (150, 80, 170), (0, 140, 140), LIGHT])

NAME = "kibitz play: a game of Uno in the terminal"

# rich fills in the places in braces.
FRAME = f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{width}} {{height}}" role="img" aria-label="{NAME}">
<title>{NAME}</title>
<style>
text {{{{ font-family: monospace; white-space: pre; }}}}
.{{unique_id}}-matrix {{{{ font-size: {{char_height}}px; }}}}
.{{unique_id}}-title {{{{ font-size: 17px; }}}}
{{styles}}
</style>
<defs>
{{lines}}
</defs>
{{chrome}}
<g transform="translate({{terminal_x}}, {{terminal_y}})">
{{backgrounds}}
<g class="{{unique_id}}-matrix">
{{matrix}}
</g>
</g>
</svg>
"""


def screen() -> Console:
    """A console that has recorded the game from the last answer but one on."""
    game = kibitz.make("uno", players=3)
    agents = [kibitz.agent("rules"), kibitz.agent("rules"), Human()]
    table = Table(game, agents, [*GIVEN_NAMES[:2], YOU])
    console = Console(
        file=io.StringIO(), record=True, width=WIDTH, highlight=False, force_terminal=True, color_system="truecolor"
    )
    answers = iter(ANSWERS)

    def ask(prompt: str) -> str:
        answer = next(answers)
        if answer == ANSWERS[-1]:
            console.print(prompt + answer + "▏", style="bold")
            raise Quit
        console.export_text(clear=True)  # forgets what was recorded so far
        return answer

    table.use(console, ask)
    try:
        table.deal(Seeds(SEED), 0)
    except Quit:
        return console
    raise SystemExit("the game was over before the picture was taken: choose another seed")


def main() -> None:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "docs" / "img" / "play.svg"
    svg = screen().export_svg(title="kibitz play", theme=THEME, code_format=FRAME, unique_id="play")
    target.write_text(svg, encoding="utf-8")
    print(f"written to {target}")


if __name__ == "__main__":
    main()
