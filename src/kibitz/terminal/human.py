"""A person at the terminal, as an agent: it sees a view, like every other agent, and nothing else.

What the table looks like is the painter's business (`kibitz.terminal.painter`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from rich.console import Console, RenderableType
from rich.text import Text

from kibitz.agents.base import AgentBase
from kibitz.protocols import Game, View, game_of
from kibitz.terminal.painter import Painter, painter_of


class Quit(Exception):  # noqa: N818 - leaving is no error
    """The person left the table."""


HELP = """\
Type the number of a choice, or its text; capitals and spaces do not matter. Enter takes the only choice.
  ?  this help      l  all choices      h  everything that happened so far      {leave}  leave the game"""
HELP_KIBITZ = "\n  k  what the kibitzer thinks (kibitz, where k is a move)"


class Human(AgentBase):
    """Asks at the terminal. Whoever runs the table may say who sits where (`names`) and replace `console` and `ask`."""

    def __init__(self, name: str = "human") -> None:
        super().__init__()
        self.name = name
        self.names: Sequence[str] = ()
        self.game: Game | None = None  # for the texts of actions, where views do not know their game
        self.console = Console(highlight=False, markup=False)
        self.ask: Callable[[], str] = input
        self.kibitz: Callable[[View], RenderableType] | None = None  # somebody to ask before moving
        self.begin(0)

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self._snapshots: dict[int, Any] = {}  # by the number of actions so far
        self._told = 0  # how much of the history the person has read

    def act(self, view: Any) -> int:
        painter = self._painter(view)
        self.watch(view)
        self.tell(view)
        self.console.print()
        self.console.print(painter.picture(view))
        self._offer(painter, view)
        while True:
            try:
                action = self._answer(painter, view, self._line("> "))
            except ValueError as problem:
                self.console.print(Text(str(problem), style="bold"))
                self._offer(painter, view)
                continue
            if action is not None:
                return action

    def watch(self, view: View) -> None:
        """Shows the agent a moment at which it is not asked, so that its log can tell what each action led to."""
        self._snapshots[len(view.history)] = self._painter(view).snapshot(view)

    def tell(self, view: View, *, since: int | None = None) -> None:
        """Prints what happened since the person last read it (or since that many actions)."""
        painter = self._painter(view)
        start = self._told if since is None else since
        for at, (seat, action) in enumerate(view.history[start:], start=start):
            before, after = self._snapshots.get(at), self._snapshots.get(at + 1)
            self.console.print(painter.event(view, before, seat, action, after))
        self._told = len(view.history)

    def show_end(self, view: View) -> None:
        """Prints the last position of a game whose events do not tell it."""
        painter = self._painter(view)
        if type(painter) is Painter:
            self.console.print(painter.picture(view))

    def _painter(self, view: View) -> Painter:
        # Made afresh every time: the window may have changed its size, the table its players.
        game = game_of(view) or self.game
        return painter_of(game)(cast(Game, game), self.names, self.console.width)

    def _line(self, prompt: str) -> str:
        self.console.print(Text(prompt), end="")
        try:
            return self.ask().strip()
        except EOFError:
            self.console.print()
            raise Quit from None

    def _offer(self, painter: Painter, view: View) -> None:
        line = Text(painter.question(view) + "  ").append_text(painter.offer(view))
        hint = "? help"
        if self.kibitz is not None:
            hint = ("k kibitz, " if self._kibitz_key(painter, view) == "k" else "kibitz, ") + hint
        self.console.print(line.append(f"({hint})", style="dim"))

    def _answer(self, painter: Painter, view: View, line: str) -> int | None:
        """The action that was typed, or None if it was a command. ValueError explains what is wrong."""
        command = self._commands(painter, view).get(line.lower())
        if command is not None:
            command()
            return None
        choices = painter.choices(view)
        if not line and len(choices) > 1:
            raise ValueError(f"Type the {'number or the ' * painter.numbered(view)}text of a choice.")
        if not line:
            actions: Sequence[int] = choices[0].actions
        elif line.isdecimal() and painter.numbered(view):
            if not 1 <= int(line) <= len(choices):
                raise ValueError(f"There is no choice {line}: the numbers go from 1 to {len(choices)}.")
            actions = choices[int(line) - 1].actions
        else:
            actions = painter.read(view, line)
        return actions[0] if len(actions) == 1 else self._decide(painter, actions)

    def _commands(self, painter: Painter, view: View) -> Mapping[str, Callable[[], None]]:
        """What can be typed besides the choices."""
        help_text = Text(HELP.format(leave=painter.quit_words[0]) + (HELP_KIBITZ if self.kibitz else ""))
        commands: dict[str, Callable[[], None]] = {
            "?": lambda: self.console.print(help_text),
            "help": lambda: self.console.print(help_text),
            "l": lambda: self.console.print(painter.offer(view, everything=True)),
            "h": lambda: self.tell(view, since=0),
            **dict.fromkeys(painter.quit_words, self._quit),
        }
        if self.kibitz is not None:
            commands["kibitz"] = lambda: self._consult(painter, view)
            commands[self._kibitz_key(painter, view)] = commands["kibitz"]
        return commands

    @staticmethod
    def _kibitz_key(painter: Painter, view: View) -> str:
        """k, unless that is a move: the king of Dou Di Zhu."""
        return "kibitz" if any(painter.text(action).lower() == "k" for action in view.legal()) else "k"

    def _consult(self, painter: Painter, view: View) -> None:
        if self.kibitz is not None:
            self.console.print(self.kibitz(view))
            self._offer(painter, view)  # they have scrolled away

    def _decide(self, painter: Painter, actions: Sequence[int]) -> int | None:
        """One more question between actions; an empty answer goes back to the choices."""
        question, answers = painter.differ(actions)
        offer = ", ".join(f"{number} {answer}" for number, answer in enumerate(answers, start=1))
        while True:
            line = self._line(f"{question}  {offer} > ").lower()
            if not line:
                raise ValueError("Nothing chosen.")
            if line in painter.quit_words:
                self._quit()
            if line.isdecimal() and 1 <= int(line) <= len(actions):
                return actions[int(line) - 1]
            starts = [i for i, answer in enumerate(answers) if answer.lower().startswith(line)]
            if len(starts) == 1:
                return actions[starts[0]]
            allowed = f"Type a number from 1 to {len(actions)}, or one of: {', '.join(answers)}."
            self.console.print(Text(allowed, style="bold"))

    def _quit(self) -> None:
        raise Quit
