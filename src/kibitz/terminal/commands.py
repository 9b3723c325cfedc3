"""What can be typed at a table besides moves. A command begins with a slash, so that it can never be a move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from rich.table import Table as Columns
from rich.text import Text

from kibitz import guides
from kibitz.protocols import View, game_of
from kibitz.terminal.reading import rendered

if TYPE_CHECKING:
    from kibitz.terminal.human import Human

SLASH = "/"
EXPLAIN = "?"


class Quit(Exception):  # noqa: N818 - leaving is no error
    """The person left the table."""


class Undo(Exception):  # noqa: N818 - a wish is no error
    """The person takes the last move back."""


@dataclass(frozen=True)
class Command:
    name: str
    does: str  # for the list of commands
    run: Callable[[Human, View, str], None]  # with what stands behind its name
    argument: str = ""


def is_command(line: str) -> bool:
    return line.startswith((SLASH, EXPLAIN))


def run(human: Human, view: View, line: str) -> None:
    """ValueError: there is no such command, or it cannot be done here."""
    if line.startswith(EXPLAIN):
        _explain(human, view, "")
        return
    word, _, rest = line[1:].strip().partition(" ")
    find(word).run(human, view, rest.strip())


def find(word: str) -> Command:
    """A command by its name, or by the beginning of it."""
    wanted = word.lower()
    starts = [command for command in COMMANDS if command.name.startswith(wanted)]
    exact = [command for command in starts if command.name == wanted]
    if len(exact or starts) != 1:
        known = ", ".join(f"/{command.name}" for command in (starts or COMMANDS))
        raise ValueError(f"/{word} can mean {known}." if starts else f"There is no command /{word}; there are {known}.")
    return (exact or starts)[0]


def _explain(human: Human, view: View, argument: str) -> None:
    human.say(human.painter(view).explain(view))
    human.say(Text("/hint asks for advice, /rules explains the game, /help lists the commands.", style="dim"))


def _help(human: Human, view: View, argument: str) -> None:
    table = Columns.grid(padding=(0, 2))
    table.add_row(Text(f"  {EXPLAIN}"), Text("explains this moment: what is asked, and what you may do"))
    for command in COMMANDS:
        table.add_row(Text(f"  /{command.name} {command.argument}".rstrip()), Text(command.does))
    typing = "Type the number of a choice, or its text; capitals and spaces do not matter."
    human.say(Text(f"{typing} Enter alone takes the only choice. Besides there are:"))
    human.say(table)


def _hint(human: Human, view: View, argument: str) -> None:
    human.say(human.adviser().picture(view))


def _cards(human: Human, view: View, argument: str) -> None:
    odds = human.adviser().odds(view)
    human.say(Text("No cards are hidden in this game.") if odds is None else odds)


def _moves(human: Human, view: View, argument: str) -> None:
    human.show([human.painter(view).offer(view, everything=True)])


def _log(human: Human, view: View, argument: str) -> None:
    human.show(human.log.everything(human.painter(view), view))


def _rules(human: Human, view: View, argument: str) -> None:
    game = game_of(view) or human.game
    if game is None:
        raise ValueError("This game has no rules to show.")
    human.show(rendered(human.console, guides.guide(game)))


def _undo(human: Human, view: View, argument: str) -> None:
    _table(human, "/undo").undo()


def _save(human: Human, view: View, argument: str) -> None:
    human.say(Text(_table(human, "/save").save(argument)))


def _quit(human: Human, view: View, argument: str) -> None:
    raise Quit


def _table(human: Human, command: str) -> Services:
    if human.table is None:
        raise ValueError(f"{command} is for a table: kibitz play")
    return human.table


class Services(Protocol):
    """What a table does for the people at it."""

    def undo(self) -> None:
        """Raises Undo, or ValueError where nothing can be taken back."""

    def save(self, target: str) -> str:
        """Writes the game down, in the file of that name or where the table thinks fit, and says where."""


COMMANDS = (
    Command("hint", "what the adviser would play, and why", _hint),
    Command("cards", "where the hidden cards may be", _cards),
    Command("moves", "everything that you can do now", _moves),
    Command("log", "what happened so far", _log),
    Command("rules", "the rules of this game", _rules),
    Command("undo", "take your last move back; only against agents", _undo),
    Command("save", "write the game down: kibitz play --resume FILE goes on with it", _save, "[FILE]"),
    Command("quit", "leave the table", _quit),
    Command("help", "this list", _help),
)
