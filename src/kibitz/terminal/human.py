"""A person at the terminal, as an agent: it sees a view, like every other agent, and nothing else.

What the table looks like is the painter's business (`kibitz.terminal.painter`), what can be typed besides moves that of
`kibitz.terminal.commands`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.text import Text

from kibitz.agents.base import AgentBase
from kibitz.protocols import Game, View, game_of
from kibitz.terminal import commands, screen
from kibitz.terminal.commands import Quit, Services
from kibitz.terminal.log import Log
from kibitz.terminal.painter import Painter, painter_of
from kibitz.terminal.reading import show

if TYPE_CHECKING:
    from kibitz.terminal.kibitzer import Kibitzer

PROMPT = "> "
BACK = "-- Enter: back -- "
HINT = "(? explains, /help)"
ONLY_HINT = "(Enter takes it; ? explains, /help)"
WORDS = {"q": "quit", "quit": "quit", "exit": "quit", "h": "help", "help": "help", "hint": "hint", "undo": "undo"}


class Human(AgentBase):
    """Asks at the terminal. The table that it sits at says who sits where (`names`) and offers `table`; `console` and
    `ask` may be replaced."""

    def __init__(self, name: str = "human") -> None:
        super().__init__()
        self.name = name
        self.names: Sequence[str] = ()
        self.game: Game | None = None  # for the texts of actions, where views do not know their game
        self.console: Console = screen.table()
        self.ask: Callable[[str], str] = input  # which brings line editing, if `readline` was imported
        self.table: Services | None = None
        self.kibitzer: Kibitzer | None = None  # made when it is first asked
        self.kibitz_seed = 0
        self.words: Sequence[str] = ()  # that Tab completes
        self.begin(0)

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self.log = Log()
        self._used = 0  # lines of the screen from the picture on
        self._answered = 0  # of these, the lines since something was typed

    def act(self, view: Any) -> int:
        self.watch(view)
        self.tell(view)
        self._draw(view)
        while True:
            try:
                action = self._answer(view, self.line())
            except ValueError as problem:
                self.say(Text(str(problem), style="bold"))
                action = None
            if action is not None:
                return action
            self._remind(view)

    # ------------------------------------------------------------------------------------------ what the table says

    def watch(self, view: View) -> None:
        """Shows the person's log a moment, so that it can tell what each action led to."""
        self.log.watch(self.painter(view), view)

    def tell(self, view: View) -> None:
        """Prints what happened since the person last read it."""
        for line in self.log.news(self.painter(view), view):
            self.console.print(line)

    def adviser(self) -> Kibitzer:
        """The kibitzer behind the person; the game's adviser, if nobody else was invited."""
        if self.kibitzer is None:
            from kibitz.terminal.kibitzer import Kibitzer

            if self.game is None:
                raise ValueError("There is nobody to ask.")
            self.kibitzer = Kibitzer(self.game)
            self.kibitzer.begin(self.kibitz_seed)
        self.kibitzer.names = self.names
        return self.kibitzer

    # ------------------------------------------------------------------------------------------ screen and keyboard

    def painter(self, view: View) -> Painter:
        # Made afresh every time: the window may have changed its size, the table its players.
        game = game_of(view) or self.game
        return painter_of(game)(cast(Game, game), self.names, self.console.width)

    def say(self, what: RenderableType) -> None:
        height = self._height(what)
        self._used += height
        self._answered += height
        self.console.print(what)

    def show(self, lines: Sequence[Text]) -> None:
        """A long text, page by page; afterwards the table is drawn anew."""
        whole = [row for line in lines for row in line.wrap(self.console, self.console.width)]
        unread = show(self.console, whole, self.ask)
        self._used = self.console.height
        self._answered = len(whole) if unread else 0

    def line(self) -> str:
        """What the person types. Quit: the terminal was closed."""
        try:
            typed = self.ask(PROMPT).strip()
        except EOFError:
            self.console.print()
            raise Quit from None
        self._used += 1
        self._answered = 0
        return typed

    def _height(self, what: RenderableType) -> int:
        return len(self.console.render_lines(what, pad=False))

    def _draw(self, view: View) -> None:
        painter = self.painter(view)
        self.words = [f"/{command.name}" for command in commands.COMMANDS] + list(map(painter.called, view.legal()))
        picture, offer = Group(Text(), painter.picture(view)), self._offer(painter, view)
        if (
            self.console.is_terminal
            and self._answered + self._height(picture) + self._height(offer) >= self.console.height
        ):
            self._turn_page()
        self._used = 0
        self.say(picture)
        self.say(offer)

    def _turn_page(self) -> None:
        """Before the picture pushes an answer away that was not read yet."""
        if self._answered:
            self.ask(BACK)
            self._answered = 0

    def _remind(self, view: View) -> None:
        """Asks again; with the picture, if it is about to leave the screen."""
        offer = self._offer(self.painter(view), view)
        if self._used + self._height(offer) + 1 > self.console.height:
            self._draw(view)
        else:
            self.say(offer)

    @staticmethod
    def _offer(painter: Painter, view: View) -> Text:
        question, offer = Text(painter.question(view)), painter.offer(view)
        hint = Text(HINT if len(painter.choices(view)) > 1 else ONLY_HINT, style="dim")
        if question.cell_len + 2 + offer.cell_len + hint.cell_len <= painter.width:
            return question.append("  ").append_text(offer).append_text(hint)
        # More than a line: the choices stand by themselves, where the eye finds them.
        last = offer.plain.rpartition("\n")[2]
        offer.append("" if cell_len(last) + hint.cell_len <= painter.width else "\n").append_text(hint)
        return question.append("\n").append_text(offer)

    # ------------------------------------------------------------------------------------------ what was typed

    def _answer(self, view: View, line: str) -> int | None:
        """The action that was typed, or None if it was a command. ValueError explains what is wrong."""
        if commands.is_command(line):
            commands.run(self, view, line)
            return None
        painter = self.painter(view)
        actions = self._meant(painter, view, line)
        return actions[0] if len(actions) == 1 else self._decide(painter, view, actions)

    @staticmethod
    def _meant(painter: Painter, view: View, line: str) -> Sequence[int]:
        choices = painter.choices(view)
        if not line and len(choices) > 1:
            raise ValueError(f"Type the {'number or the ' * painter.numbered(view)}text of a choice.")
        if not line:
            return choices[0].actions
        if line.isdecimal() and painter.numbered(view):
            if not 1 <= int(line[:9]) <= len(choices):
                raise ValueError(f"There is no choice {line}: the numbers go from 1 to {len(choices)}.")
            return choices[int(line) - 1].actions
        try:
            return painter.read(view, line)
        except ValueError as problem:
            meant = WORDS.get(line.lower())  # what other programs call it
            raise ValueError(f"{problem} The command is /{meant}." if meant else str(problem)) from None

    def _decide(self, painter: Painter, view: View, actions: Sequence[int]) -> int | None:
        """One more question between actions; an empty answer goes back to the choices."""
        question, answers = painter.differ(actions)
        offer = ", ".join(f"{number} {answer}" for number, answer in enumerate(answers, start=1))
        while True:
            self.say(Text(f"{question}  {offer}"))
            line = self.line().lower()
            if not line:
                raise ValueError("Nothing chosen.")
            if commands.is_command(line):
                commands.run(self, view, line)
                continue
            if line.isdecimal() and 1 <= int(line[:9]) <= len(actions):
                return actions[int(line) - 1]
            starts = [i for i, answer in enumerate(answers) if answer.lower().startswith(line)]
            if len(starts) == 1:
                return actions[starts[0]]
            self.say(Text(f"Type a number from 1 to {len(actions)}, or one of: {', '.join(answers)}.", style="bold"))
