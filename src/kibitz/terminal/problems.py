"""Problems at the terminal: the view, a question, and why the answer is right or wrong."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from kibitz._core import View
from kibitz.problems import Problem, Problems
from kibitz.protocols import facts
from kibitz.terminal.painter import Painter, painter_of
from kibitz.terminal.table import GIVEN_NAMES

DEGREES = ("", "easy", "medium", "hard")
HELP = "Type a move; /hint tells more, /show the solution, /skip goes on, /quit ends."
SHOWN = 6  # moves beside the best


def ask(problems: Problems, console: Console, *, first: int = 1, read: Callable[[str], str] = input) -> int:
    """One after the other, until the last or /quit: how many were solved at the first answer."""
    solved = asked = 0
    console.print(Text(HELP, style="dim"))
    try:
        for number, problem in enumerate(problems.problems[first - 1 :], start=first):
            title = f"Problem {number} of {len(problems.problems)}, {DEGREES[problem.difficulty]}"
            console.print()
            console.print(Text(title, style="bold"))
            solved += _Asked(problem, console, read).solve()
            asked += 1
    except EOFError:  # /quit, or the terminal was closed
        console.print()
    if asked:
        console.print(Text(f"{solved} of {asked} solved at the first answer."))
    return solved


class _Asked:
    """One problem in front of a person."""

    def __init__(self, problem: Problem, console: Console, read: Callable[[str], str]) -> None:
        self.problem, self.console, self.read = problem, console, read
        self.view: View = problem.view()
        names = ["" if seat == self.view.seat else name for seat, name in enumerate(_names(self.view))]
        self.painter: Painter = painter_of(self.view.game)(self.view.game, names, console.width)

    def solve(self) -> bool:
        """Whether the first answer was right."""
        for seat, text in self.problem.history[-self.view.game.players - 1 :]:
            who = self.painter.who(seat, self.view)
            self.console.print(Text(f"{who}: {self.painter.name(text)}", style="dim"))
        self.console.print(self.painter.picture(self.view))
        self.console.print(Text(self.painter.question(self.view)))
        self.console.print(self.painter.offer(self.view))
        right, answers = False, 0
        while True:
            typed = self.read("> ").strip()
            if typed in ("/quit", "/q"):
                raise EOFError
            if typed in ("/skip", "/show"):
                self._show()
                return False
            if typed == "/hint":
                self.console.print(Text(self._hint()))
            elif typed:
                answers, right = self._answer(typed, answers)
            if right:
                return answers == 1

    def _answer(self, typed: str, answers: int) -> tuple[int, bool]:
        """How many answers there were, and whether this one is right."""
        try:
            found = self._read(typed)
        except ValueError as wrong:
            self.console.print(Text(str(wrong)))
            return answers, False
        if len(found) > 1:
            meant = ", ".join(self.painter.called(action) for action in found)
            self.console.print(Text(f"That can mean {meant}: type more of it."))
            return answers, False
        text = self.view.game.text(found[0])
        if text == self.problem.best:
            self.console.print(Text("Right.", style="bold"))
            self._show()
            return answers + 1, True
        cost = next(move.cost for move in self.problem.moves if move.text == text)
        self.console.print(Text(f"No: {self.painter.name(text)} costs {cost}. Try again, or /show.", style="bold"))
        return answers + 1, False

    def _read(self, typed: str) -> list[int]:
        if typed.isdecimal() and self.painter.numbered(self.view):
            choices = self.painter.choices(self.view)
            if not 1 <= int(typed[:6]) <= len(choices):
                raise ValueError(f"There is no number {typed[:6]}: there are {len(choices)} choices.")
            return list(choices[int(typed) - 1].actions)
        return self.painter.read(self.view, typed)

    def _hint(self) -> str:
        """Something, but not all: what is wrong with the move that tempts most."""
        tempting = self.problem.moves[1]
        return f"Not {self.painter.name(tempting.text)}, though it comes second: it costs {tempting.cost}."

    def _show(self) -> None:
        best, others = self.problem.moves[0], self.problem.moves[1:]
        self.console.print(Text(f"{self.painter.name(best.text)}: {best.worth}", style="bold"))
        for move in others[:SHOWN]:
            self.console.print(Text(f"  {self.painter.name(move.text)}: {move.worth}, costs {move.cost}"))
        if len(others) > SHOWN:
            self.console.print(Text(f"  and {len(others) - SHOWN} more", style="dim"))
        if self.problem.reason:
            self.console.print(Text(self.problem.reason))
        how = "judged twice, by play-outs in other worlds"
        if self.problem.exact:
            how = "judged by play-outs, checked exactly" if best.error else "exact"
        missed = [name for name, share in self.problem.found.items() if share <= 0.5]
        self.console.print(Text(f"({how}; missed by {', '.join(missed)})", style="dim"))


def _names(view: View) -> list[str]:
    teams = facts(view.game).teams
    return [GIVEN_NAMES[seat % len(GIVEN_NAMES)] for seat in range(len(teams))]
