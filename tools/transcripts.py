"""Writes docs/transcripts: whole games at the terminal, in 80 columns and 24 lines, always the same ones.

    python tools/transcripts.py [NAME ...]

Each is played in a pseudo-terminal. The person is an agent that types as people do: it learns where the game is from
the file that `--save` keeps up to date. A further transcript is a function, and a line in TRANSCRIPTS.
"""

from __future__ import annotations

import contextlib
import re
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pseudo_terminal import KIBITZ, MORE, PseudoTerminal

import kibitz
from kibitz.protocols import Game, native
from kibitz.record import Record, Seat
from kibitz.terminal.uno import COLOURS, is_card, split

FOLDER = Path(__file__).parents[1] / "docs" / "transcripts"
SAVED = "game.json"
REMATCH = "Enter: yes, /save"


def typed_in(words: Sequence[str], answer: Callable[[str], str], record: Record | None = None) -> str:
    """What a window shows of a command. Wherever it waits for a line, `answer` gives it, knowing what was shown. The
    command runs in a folder of its own, which has `record` in the file SAVED."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        if record is not None:
            record.save(SAVED)
        with PseudoTerminal([*KIBITZ, *words]) as terminal:
            out = f"$ kibitz {' '.join(words)}\n"
            while True:
                shown = terminal.prompt()
                out += shown
                if terminal.ended:
                    return tidy(out)
                terminal.type("" if shown.endswith(MORE) else answer(shown))


@dataclass(frozen=True)
class Played:
    """A game that is played to its end. `person` is the agent in the person's place, `aside` what is typed besides the
    moves: after how many decisions, which lines."""

    arguments: str
    person: str
    typed: Callable[[str], str] = str  # a move of the game as a person types it
    aside: Mapping[int, Sequence[str]] = field(default_factory=dict)

    def __call__(self) -> str:
        decisions, aside = 0, {number: list(lines) for number, lines in self.aside.items()}

        def answer(shown: str) -> str:
            nonlocal decisions
            if REMATCH in shown:
                return "no"
            if aside.get(decisions):
                return aside[decisions].pop(0)
            decisions += 1
            return self.typed(self._choose())

        return typed_in([*self.arguments.split(), "--pace", "0", "--save", SAVED], answer)

    def _choose(self) -> str:
        record = Record.load(SAVED)
        state = record.last()
        game: Game = record.make()
        agent = kibitz.agent(self.person)
        native(agent, game)
        agent.begin(len(record.actions))
        return game.text(agent.act(state.view(state.to_act)))


def reviewed() -> str:
    """A deal of Belote in which one player chose at random."""
    game = kibitz.make("belote", bidding=True)
    specs = ["random", "rules", "rules", "rules"]
    agents = [kibitz.agent(spec) for spec in specs]
    for seat, agent in enumerate(agents):
        agent.begin(seat)
    state = game.deal(seed=5)
    while not state.over:
        state.apply(agents[state.to_act].act(state.view(state.to_act)))
    names = ("Ada", "Bo", "Cleo", "Dan")
    seats = [Seat(name, spec) for name, spec in zip(names, specs, strict=True)]
    return typed_in(["review", SAVED, "--seat", "Ada"], lambda shown: "", Record.of(game, state, seats))


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


# By the name of the file: a function that gives its text.
TRANSCRIPTS: dict[str, Callable[[], str]] = {
    "uno": Played("play uno --seed 3", "rules", as_people_type_uno, {1: ["?"], 3: ["/hint"]}),
    "belote": Played("play belote --seed 6 --kibitz", "rules", as_people_type_bids, {0: ["?"], 2: ["?"]}),
    "doudizhu": Played("play doudizhu --seed 10", "rules", as_people_type_bids, {0: ["?"], 2: ["/hint"]}),
    "connect_four": Played(
        "play connect_four --seed 1 --seat 0", "uct:iterations=300", str, {0: ["?", "8"], 2: ["7", "/undo", "/hint"]}
    ),
    "review": reviewed,
}


def main() -> None:
    names = sys.argv[1:] or [*TRANSCRIPTS]
    for name in names:
        if name not in TRANSCRIPTS:
            raise SystemExit(f"there is no transcript {name}; there are {', '.join(TRANSCRIPTS)}")
        target = FOLDER / f"{name}.txt"
        target.write_text(TRANSCRIPTS[name](), encoding="utf-8")
        print(f"written: {target}")


if __name__ == "__main__":
    main()
