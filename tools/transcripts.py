"""Writes docs/transcripts: whole games at the terminal, in 80 columns and 24 lines, always the same ones.

    python tools/transcripts.py [NAME ...]

Each is played in a pseudo-terminal. The person is an agent that types as people do: it learns where the game is from
the file that `--save` keeps up to date. A further transcript is a line in TRANSCRIPTS.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pseudo_terminal import KIBITZ, MORE, PseudoTerminal

import kibitz
from kibitz.protocols import Game, native
from kibitz.record import Record
from kibitz.terminal.uno import COLOURS, is_card, split

FOLDER = Path(__file__).parents[1] / "docs" / "transcripts"
SAVED = "game.json"
REMATCH = "Another deal?"


@dataclass(frozen=True)
class Played:
    """A game that is played to its end. `person` is the agent in the person's place, `aside` what is typed besides the
    moves: after how many decisions, which lines."""

    arguments: str
    person: str
    typed: Callable[[str], str] = str  # a move of the game as a person types it
    aside: Mapping[int, Sequence[str]] = field(default_factory=dict)

    def write(self, target: Path) -> None:
        with tempfile.TemporaryDirectory() as folder:
            here = Path.cwd()
            os.chdir(folder)
            try:
                text = self._play()
            finally:
                os.chdir(here)
        target.write_text(text, encoding="utf-8")

    def _play(self) -> str:
        words = [*self.arguments.split(), "--pace", "0", "--save", SAVED]
        out, decisions = f"$ kibitz {' '.join(words)}\n", 0
        aside = {number: list(lines) for number, lines in self.aside.items()}
        with PseudoTerminal([*KIBITZ, *words]) as terminal:
            while True:
                shown = terminal.prompt()
                out += shown
                if terminal.ended:
                    return tidy(out)
                if shown.endswith(MORE):
                    terminal.type("")
                elif REMATCH in shown:
                    terminal.type("no")
                elif aside.get(decisions):
                    terminal.type(aside[decisions].pop(0))
                else:
                    terminal.type(self.typed(self._choose()))
                    decisions += 1

    def _choose(self) -> str:
        record = Record.load(SAVED)
        state = record.last()
        game: Game = record.make()
        agent = kibitz.agent(self.person)
        native(agent, game)
        agent.begin(len(record.actions))
        return game.text(agent.act(state.view(state.to_act)))


def tidy(text: str) -> str:
    """Without spaces at the ends of lines, and with one line break at the end."""
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE).rstrip() + "\n"


def as_people_type_uno(text: str) -> str:
    colour, trait = split(text)
    if not is_card(text):
        return COLOURS[trait] if colour == "name" else text
    if trait.startswith("wild"):
        return f"{'wild' if trait == 'wild' else '+4'} {COLOURS[colour]}"
    return f"{colour}{trait}" if trait.isdecimal() else f"{COLOURS[colour]} {'+2' if trait == 'draw_2' else trait}"


def as_people_type_bids(text: str) -> str:
    return text.replace("bid-", "") if text.startswith("bid-") else text.replace("take-", "take ")


TRANSCRIPTS: dict[str, Played] = {
    "uno": Played("play uno --seed 3", "rules", as_people_type_uno, {1: ["?"], 3: ["/hint"]}),
    "belote": Played("play belote --seed 6 --kibitz", "rules", as_people_type_bids, {0: ["?"], 2: ["?"]}),
    "doudizhu": Played("play doudizhu --seed 10", "rules", as_people_type_bids, {0: ["?"], 2: ["/hint"]}),
    "connect_four": Played(
        "play connect_four --seed 1 --seat 0", "uct:iterations=300", str, {0: ["?", "8"], 2: ["7", "/undo", "/hint"]}
    ),
}


def main() -> None:
    names = sys.argv[1:] or [*TRANSCRIPTS]
    for name in names:
        if name not in TRANSCRIPTS:
            raise SystemExit(f"there is no transcript {name}; there are {', '.join(TRANSCRIPTS)}")
        TRANSCRIPTS[name].write(FOLDER / f"{name}.txt")
        print(f"written: {FOLDER / name}.txt")


if __name__ == "__main__":
    main()
