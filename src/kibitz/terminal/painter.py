"""What draws a game on the terminal, and reads what a player types. `Painter` does it for any game from what the
contract gives; a game that deserves better has a class of its own, named in `kibitz.terminal.PAINTERS`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.console import RenderableType
from rich.text import Text

from kibitz.protocols import Game, View
from kibitz.terminal import PAINTERS

MOST_OFFERED = 40  # longer lists are cut short until the player asks for them


@dataclass(frozen=True)
class Choice:
    """One number of the list: an action, or several between which one more answer decides (the colour of a wild)."""

    label: Text
    actions: tuple[int, ...]


@dataclass(frozen=True)
class Grid:
    """Where a game's cards stand in a table: rows (suits) of columns (ranks); `place` says (row, column) of a card."""

    rows: Sequence[str]
    columns: Sequence[str]
    place: Callable[[str], tuple[str, str]]
    heads: dict[str, str]  # shorter names for columns


class Painter:
    """Draws a game, and understands what is typed, with nothing but the contract to go by."""

    quit_words: tuple[str, ...] = ("q", "quit")  # fewer where one of them is a card
    grid: ClassVar[Grid | None] = None  # for the hidden cards; without one they are listed

    def __init__(self, game: Game, names: Sequence[str], width: int) -> None:
        self.game = game
        self.names = names
        self.width = width

    def who(self, seat: int, view: View) -> str:
        if seat == view.seat:
            return "You"
        return self.names[seat] if seat < len(self.names) else f"seat {seat}"

    def verb(self, words: str, seat: int, view: View) -> str:
        """ "play a card" as it is for You, "plays a card" for anybody else."""
        first, space, rest = words.partition(" ")
        ending = "" if seat == view.seat else "es" if first.endswith("ch") else "s"
        return first + ending + space + rest

    def text(self, action: int) -> str:
        return str(self.game.text(action)) if self.game is not None else str(action)

    def snapshot(self, view: View) -> Any:
        """What `event` compares before and after an action; None if nothing."""
        return None

    def picture(self, view: View) -> RenderableType:
        return Text(str(view))

    def question(self, view: View) -> str:
        """What is to be decided, in a sentence."""
        return "Your turn."

    def choices(self, view: View) -> list[Choice]:
        return [Choice(Text(self.text(action)), (action,)) for action in view.legal()]

    def offer(self, view: View, everything: bool = False) -> Text:
        """The choices as a person reads them; a long list only if `everything` is wanted."""
        choices = self.choices(view)
        shown = choices if everything or len(choices) <= MOST_OFFERED else choices[:8]
        line, numbered = Text(), self.numbered(view)
        for number, choice in enumerate(shown, start=1):
            line.append(f"{number} " if numbered else "", style="bold").append_text(choice.label).append("  ")
        if len(shown) < len(choices):
            line.append(f"… {len(choices)} in all (l lists them)  ")
        return line

    def numbered(self, view: View) -> bool:
        """Whether choices can be called by their number: not where their own texts are numbers."""
        return not any(self.text(action).isdecimal() for action in view.legal())

    def read(self, view: View, text: str) -> list[int]:
        """The legal actions that the text can mean. ValueError says what is wrong with it."""
        legal = {action: self.text(action).lower() for action in view.legal()}
        wanted = "".join(text.lower().split())
        exact = [action for action, name in legal.items() if "".join(name.split()) == wanted]
        starts = [action for action, name in legal.items() if "".join(name.split()).startswith(wanted)]
        found = exact or starts
        if not found:
            raise ValueError(f"{text.strip()!r} is nothing you can do now.")
        if len(found) > 8:  # a list of hundreds helps nobody
            raise ValueError(f"{text.strip()!r} can mean {len(found)} things: type more of it.")
        return found

    def differ(self, actions: Sequence[int]) -> tuple[str, list[str]]:
        """The question that decides between the actions, and the answer that each stands for."""
        return "Which one?", [self.text(action) for action in actions]

    def event(self, view: View, before: Any, seat: int, action: int, after: Any) -> Text:
        """A line of the log. `before` and `after` are snapshots, where there are any."""
        return Text(f"{self.who(seat, view)}: {self.text(action)}")


def painter_of(game: Game | None) -> type[Painter]:
    """The painter of a game; the general one if the game has none, or is not known."""
    if game is None or game.name not in PAINTERS:
        return Painter
    module, _, attribute = PAINTERS[game.name].partition(":")
    found: type[Painter] = getattr(importlib.import_module(module), attribute)
    return found
