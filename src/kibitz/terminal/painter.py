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
MOST_MEANT = 8  # actions that a text may mean before the player is asked to type more


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
    heads: dict[str, str]  # what the screen calls rows and columns, where it is something else


class Painter:
    """Draws a game, and understands what is typed, with nothing but the contract to go by.

    There is one notation: `name` writes a card or an action as the pictures show it, and whatever speaks of one at the
    terminal (the log, the kibitzer, refusals) takes it from there."""

    title: ClassVar[str] = ""  # of the game, for people; made of its name if empty
    grid: ClassVar[Grid | None] = None  # for the hidden cards; without one they are listed

    def __init__(self, game: Game, names: Sequence[str], width: int) -> None:
        self.game = game
        self.names = names
        self.width = width

    # ------------------------------------------------------------------------------------------ words

    def who(self, seat: int, view: View, *, start: bool = True) -> str:
        """A player's name; at the start of a sentence or within it."""
        if seat == view.seat:
            return "You" if start else "you"
        return self.names[seat] if seat < len(self.names) else f"seat {seat}"

    def verb(self, words: str, seat: int, view: View) -> str:
        """ "play a card" as it is for You, "plays a card" for anybody else."""
        first, space, rest = words.partition(" ")
        ending = "" if seat == view.seat else "es" if first.endswith(("ch", "s")) else "s"
        return first + ending + space + rest

    def does(self, words: str, seat: int, view: View, *, start: bool = True) -> str:
        """ "You play a card", "Anna plays a card"."""
        return f"{self.who(seat, view, start=start)} {self.verb(words, seat, view)}"

    def text(self, action: int) -> str:
        return str(self.game.text(action)) if self.game is not None else str(action)

    def name(self, text: str) -> str:
        """How the screen writes a card or an action of the game's notation."""
        return text

    def called(self, action: int) -> str:
        """How the screen writes an action."""
        return self.name(self.text(action))

    # ------------------------------------------------------------------------------------------ pictures

    def snapshot(self, view: View) -> Any:
        """What `opening` and `event` look at and compare; None if nothing."""
        return None

    def picture(self, view: View) -> RenderableType:
        return Text(str(view))

    def opening(self, view: View, start: Any) -> Text:
        """What happened before the first move. `start` is the snapshot of that moment."""
        first = view.history[0][0] if view.history else view.to_act
        return Text(self.does("begin", first, view) + ".") if first >= 0 else Text()

    def event(self, view: View, before: Any, seat: int, action: int, after: Any) -> Text:
        """A move in the log, with what came of it. `before` and `after` are snapshots, where there are any."""
        return Text(f"{self.who(seat, view) if seat >= 0 else 'Chance'}: {self.called(action)}")

    def ending(self, view: View, payoffs: Sequence[float]) -> str:
        """How the game ended, in a sentence or two, or nothing; who has won is said by others."""
        return ""

    # ------------------------------------------------------------------------------------------ a decision

    def question(self, view: View) -> str:
        """What is to be decided, in a sentence."""
        return "Your turn."

    def explain(self, view: View) -> Text:
        """This moment, to a person who does not know what to do: what is asked, and what may be done."""
        choices = self.choices(view)
        how = "Type its number, or its text" if self.numbered(view) else "Type its text"
        some = f", for example {choices[0].label.plain.strip()}" if choices else ""
        return Text(f"{self.question(view)} {_one_of(len(choices))} {how}{some}.")

    def choices(self, view: View) -> list[Choice]:
        return [Choice(Text(self.called(action)), (action,)) for action in view.legal()]

    def offer(self, view: View, everything: bool = False) -> Text:
        """The choices as a person reads them; a long list only if `everything` is wanted."""
        choices = self.choices(view)
        shown = choices if everything or len(choices) <= MOST_OFFERED else choices[:8]
        parts, numbered = [], self.numbered(view)
        for number, choice in enumerate(shown, start=1):
            parts.append(Text(f"{number} " if numbered else "", style="bold").append_text(choice.label))
        if len(shown) < len(choices):
            parts.append(Text(f"… {len(choices)} in all (/moves lists them)"))
        return flow(parts, self.width)

    def numbered(self, view: View) -> bool:
        """Whether choices can be called by their number: not where their own texts are numbers."""
        return not any(self.text(action).isdecimal() for action in view.legal())

    def read(self, view: View, text: str) -> list[int]:
        """The legal actions that the text can mean. ValueError says what is wrong with it."""
        legal = {action: (_bare(self.text(action)), _bare(self.called(action))) for action in view.legal()}
        wanted = _bare(text)
        exact = [action for action, names in legal.items() if wanted in names]
        starts = [action for action, names in legal.items() if any(name.startswith(wanted) for name in names)]
        found = exact or starts
        if not found:
            raise ValueError(f"{text.strip()!r} is nothing you can do now.")
        if len(found) > MOST_MEANT:  # a list of hundreds helps nobody
            raise ValueError(f"{text.strip()!r} can mean {len(found)} things: type more of it.")
        return found

    def differ(self, actions: Sequence[int]) -> tuple[str, list[str]]:
        """The question that decides between the actions, and the answer that each stands for."""
        return "Which one?", [self.called(action) for action in actions]


def cards(count: int) -> str:
    """ "1 card", "5 cards"."""
    return f"{count} card{'s' * (count != 1)}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c"."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def flow(parts: Sequence[Text], width: int) -> Text:
    """The parts side by side; a new line begins between two of them, never within a card."""
    lines = [Text()]
    for part in parts:
        if lines[-1] and lines[-1].cell_len + part.cell_len > width:
            lines.append(Text())
        lines[-1].append_text(part).append("  ")
    return Text("\n").join(lines)


def _bare(text: str) -> str:
    return "".join(text.lower().split())


def _one_of(count: int) -> str:
    return f"You have {count} choices." if count != 1 else "There is one choice: Enter takes it."


def painter_of(game: Game | None) -> type[Painter]:
    """The painter of a game; the general one if the game has none, or is not known."""
    if game is None or game.name not in PAINTERS:
        return Painter
    module, _, attribute = PAINTERS[game.name].partition(":")
    found: type[Painter] = getattr(importlib.import_module(module), attribute)
    return found
