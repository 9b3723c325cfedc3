"""One person and some agents around a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.text import Text

import kibitz
from kibitz._core import Rng, Seeds
from kibitz.arena.points import Scorer, partners_of
from kibitz.arena.seatings import rotations, seated, sitting
from kibitz.arena.stats import Floats, sides_of, winners
from kibitz.protocols import Agent, Game
from kibitz.terminal.human import Human
from kibitz.terminal.kibitzer import Kibitzer


def distinct(names: Sequence[str]) -> list[str]:
    """Names with a number after those that occur more than once: rules 1, rules 2, random."""
    seen: Counter[str] = Counter()
    result = []
    for name in names:
        seen[name] += 1
        result.append(f"{name} {seen[name]}" if names.count(name) > 1 else name)
    return result


@dataclass
class Table:
    """One person and some agents around a game. `agents` is in the order of the seats of the first deal."""

    game: Game
    agents: list[Agent]
    human: Human
    names: list[str]
    kibitzer: Kibitzer | None = None

    @classmethod
    def set_up(cls, game: Game, opponents: list[Agent], seat: int) -> Table:
        if not 0 <= seat < game.players:
            raise ValueError(f"seat must be within 0..{game.players - 1}, not {seat}")
        human = Human()
        human.game = game
        agents = [*opponents[:seat], human, *opponents[seat:]]
        names = distinct([agent.name + (" (cheats)" if agent.peeks else "") for agent in agents])
        names[seat] = "You"
        return cls(game, agents, human, names)

    def invite(self, spec: str) -> None:
        """Seats a kibitzer behind the person."""
        invited = self.kibitzer = Kibitzer(self.game, spec)
        self.human.kibitz = lambda view: invited.picture(view, self.human.names)

    @property
    def console(self) -> Console:
        return self.human.console

    def deal(self, seeds: Seeds, number: int) -> list[float]:
        """Plays a deal, with everybody one seat further on than in the last; payoffs in the order of `agents`."""
        n = self.game.players
        shift = number % n
        seats = rotations(n)[shift]
        at = sitting(seats)
        self.human.names = [self.names[index] for index in at]
        mine = at.index(self.agents.index(self.human))
        for seat in range(n):
            self.agents[at[seat]].begin(seeds.agent(number, shift, seat))
        if self.kibitzer is not None:
            self.kibitzer.begin(seeds.kibitzer(number))
        nature = Rng(seeds.nature(number))
        state = self.game.deal(seeds.deal(number))
        self.human.watch(state.view(mine))
        while not state.over:
            legal = state.legal()
            if state.to_act == kibitz.NATURE:
                state.apply(legal[nature.below(len(legal))])
            else:
                agent = self.agents[at[state.to_act]]
                view = state.view(state.to_act)
                action = agent.act(state.copy() if agent.peeks else view)
                if agent is self.human and self.kibitzer is not None:
                    self.kibitzer.comment(view, action, self.console)
                state.apply(action)
            self.human.watch(state.view(mine))
        self.human.tell(state.view(mine))
        self.human.show_end(state.view(mine))
        return [state.payoffs[seat] for seat in seats]

    def series(self, seeds: Seeds, to: int) -> None:
        """Deals until somebody has `to` points; everybody moves on by one seat after each."""
        n = self.game.players
        points, pot, scorer = np.zeros(n), np.zeros((1, 1)), Scorer(self.game)
        for number in range(1000):
            payoffs = self.deal(seeds, number)
            self.say_result(payoffs, number)
            # As in kibitz.series, with one round of one seating.
            won = winners(np.array([[payoffs]]), self._sides(number))[0]
            gains, pot = scorer(np.array([[payoffs]]), won).settle(0, np.zeros(1, np.int64), pot)
            points += gains[0]
            held = f" (held for the next winners: {pot.item():g})" if pot.item() else ""
            self._say(f"Points: {_figures(self.names, points.tolist())}{held}")
            if points.max() >= to:
                self._say(f"{_who_won(self.names, points, partners_of(self.game, rotations(n)))} the series.")
                return

    def say_result(self, payoffs: Sequence[float], number: int = 0) -> None:
        """Of deal `number`."""
        won = _who_won(self.names, np.array(payoffs), self._sides(number))
        self._say(f"{won}.  {_figures(self.names, payoffs, '+g')}")

    def _sides(self, number: int) -> NDArray[np.int64]:
        """[agent] -> side, in deal `number`."""
        n = self.game.players
        sides: NDArray[np.int64] = seated(sides_of(self.game), rotations(n))[number % n]
        return sides

    def _say(self, line: str) -> None:
        self.console.print(Text(line, style="bold"))


def _who_won(names: Sequence[str], points: Floats, sides: NDArray[np.int64]) -> str:
    """As the arena has it: opponents who share the most have not won."""
    won, tied = winners(points, sides)
    if tied.all():
        return "Nobody wins"
    best = [name for name, among in zip(names, won | tied, strict=True) if among]
    verb = "win" if won.any() else "tie"
    return f"{' and '.join(best)} {verb}{'s' if len(best) == 1 and best != ['You'] else ''}"


def _figures(names: Sequence[str], points: Sequence[float], form: str = "g") -> str:
    rounded = [round(value, 2) for value in points]
    figures = [f"{value:{form}}" if value else "0" for value in rounded]  # neither +0 nor -0
    return ", ".join(f"{name}: {figure}" for name, figure in zip(names, figures, strict=True))
