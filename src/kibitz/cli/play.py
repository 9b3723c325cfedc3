"""kibitz play: a person at the terminal against agents."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from cyclopts import App, Parameter
from rich.console import Console
from rich.text import Text

import kibitz
from kibitz._core import Rng, Seeds
from kibitz.agents.human import Human
from kibitz.agents.native import NativeAgent
from kibitz.agents.search import kibitzer
from kibitz.arena.points import Scorer
from kibitz.arena.stats import sides_of
from kibitz.cli import inputs
from kibitz.cli.kibitzer import Kibitzer
from kibitz.protocols import Agent

DEFAULT_GAME = "uno"
DEFAULT_PLAYERS = {"uno": 3}  # where the game's own default is not the best for an evening

app = App(
    name="play",
    help_epilogue="""Examples:
    kibitz play
    kibitz play uno --players 4 -o stacking=true -o uno_call=decision
    kibitz play uno --agents rules,random --seat 0 --seed 7
    kibitz play uno --series 500
    kibitz play belote --kibitz
    kibitz play uno --kibitz --kibitz-agent pimc:ms=300
    kibitz play gdl --file mygame.kif --agents uct:ms=500

At the table, type the number of a card or its name (r5, red 5, wild blue, draw); ? helps, h is the log, q leaves;
k asks the kibitzer, if there is one.
""",
)


@app.default
def play(
    game: str | None = None,
    /,
    *,
    players: inputs.Players = None,
    agents: str | None = None,
    rules: inputs.Rules = None,
    option: inputs.GameOptions = None,
    file: str | None = None,
    seed: inputs.Seed | None = None,
    seat: inputs.Seat = None,
    series: inputs.Points = None,
    kibitz_: Annotated[bool, Parameter(name="--kibitz", show_default=False)] = False,
    kibitz_agent: str | None = None,
) -> None:
    """Play in the terminal. Without a game: Uno with three players, official rules, against two rules agents.

    Parameters
    ----------
    game
        The game; uno, or gdl with --file, if left out.
    players
        Number of players, yourself included.
    agents
        The others, separated by commas; a single one takes all other seats.
    file
        A rulesheet, or the name of one of ours, for the game gdl; short for -o file=….
    seed
        Of the deal and the agents; drawn by lot, and told at the end, if left out.
    seat
        Your seat, from 0; drawn by lot if left out.
    series
        Play deals until somebody has this many points (500 is usual in Uno).
    kibitz_
        Seat a kibitzer behind you, who sees what you see and comments on each of your moves.
    kibitz_agent
        Its spec; ismcts with half a second if left out, or uct where nothing is hidden.
    """
    specs = inputs.split_agents(agents) if agents is not None else []
    game = game or (DEFAULT_GAME if file is None else "gdl")  # the only one that is read from files
    seats = len(specs) + 1 if len(specs) > 1 else DEFAULT_PLAYERS.get(game)
    made = inputs.make_game(
        game, players=players, rules=rules, option=option, file=file, seats=seats, points=series is not None
    )
    chosen = secrets.randbits(64) if seed is None else inputs.check_seed(seed)
    seeds = Seeds(chosen)
    mine = Rng(seeds.lot(made.players)).below(made.players) if seat is None else seat
    table = Table.set_up(made, _opponents(made, specs), mine)
    if kibitz_ or kibitz_agent is not None:
        table.invite(kibitz_agent or kibitzer(made, "ms=500"))
    # A seed drawn by lot is a secret until the end: it is the deal.
    known = f", seed {chosen}" if seed is not None else ""
    table.console.print(Text(f"{made.name}, {made.players} player{'s' * (made.players != 1)}{known}", style="dim"))
    try:
        if series is None:
            table.say_result(table.deal(seeds, 0))
        else:
            table.series(seeds, series)
    finally:  # also for those who leave early
        if table.kibitzer is not None:
            table.kibitzer.sum_up(table.console)
        if seed is None:
            table.console.print(Text(f"The same deal again: --seed {chosen}", style="dim"))


def _opponents(game: Any, specs: list[str]) -> list[Agent]:
    """The agents of all seats but the person's."""
    if not specs:
        specs = ["rules" if "rules" in getattr(game, "native_agents", ()) else "random"]
    if len(specs) == 1:
        specs = specs * (game.players - 1)
    if len(specs) != game.players - 1:
        raise ValueError(
            f"{game.players} players are you and {game.players - 1} agents, but {len(specs)} agents were given"
        )
    agents = [kibitz.agent(spec) for spec in specs]
    for agent in agents:
        if isinstance(agent, NativeAgent):
            agent.native(game)  # who cannot play it says so now, not at the first move
    return agents


@dataclass
class Table:
    """One person and some agents around a game. `agents` is in the order of the seats of the first deal."""

    game: Any
    agents: list[Agent]
    human: Human
    names: list[str]
    kibitzer: Kibitzer | None = None

    @classmethod
    def set_up(cls, game: Any, opponents: list[Agent], seat: int) -> Table:
        if not 0 <= seat < game.players:
            raise ValueError(f"seat must be within 0..{game.players - 1}, not {seat}")
        human = Human()
        human.game = game
        agents = [*opponents[:seat], human, *opponents[seat:]]
        names = inputs.distinct([agent.name + (" (cheats)" if agent.peeks else "") for agent in agents])
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
        at = [(seat - shift) % n for seat in range(n)]  # [seat] -> index of the agent
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
                shown = state.copy() if agent.peeks else state.view(state.to_act)
                action = agent.act(shown)
                if agent is self.human and self.kibitzer is not None:
                    self.kibitzer.comment(shown, action, self.console)
                state.apply(action)
            self.human.watch(state.view(mine))
        self.human.tell(state.view(mine))
        self.human.show_end(state.view(mine))
        payoffs = [0.0] * n
        for seat in range(n):
            payoffs[at[seat]] = state.payoffs[seat]
        return payoffs

    def series(self, seeds: Seeds, to: int) -> None:
        """Deals until somebody has `to` points; everybody moves on by one seat after each."""
        n = self.game.players
        points, pot = np.zeros(n), np.zeros((1, 1))
        for number in range(1000):
            payoffs = self.deal(seeds, number)
            self.say_result(payoffs)
            # As in kibitz.series: one seating, in which the agents have moved on with their sides.
            scorer = Scorer(self.game, np.roll(np.array([sides_of(self.game)]), -number % n))
            gains, pot = scorer(np.array([[payoffs]])).settle(0, np.zeros(1, np.int64), pot)
            points += gains[0]
            held = f" (held for the next winners: {pot.item():g})" if pot.item() else ""
            self._say(f"Points: {_figures(self.names, points.tolist())}{held}")
            if points.max() >= to:
                self._say(f"{_who_won(self.names, points.tolist())} the series.")
                return

    def say_result(self, payoffs: Sequence[float]) -> None:
        self._say(f"{_who_won(self.names, payoffs)}.  {_figures(self.names, payoffs, '+g')}")

    def _say(self, line: str) -> None:
        self.console.print(Text(line, style="bold"))


def _who_won(names: Sequence[str], points: Sequence[float]) -> str:
    best = [name for name, value in zip(names, points, strict=True) if value == max(points)]
    if len(best) == len(names):
        return "Nobody wins"
    return f"{' and '.join(best)} win{'s' if len(best) == 1 and best != ['You'] else ''}"


def _figures(names: Sequence[str], points: Sequence[float], form: str = "g") -> str:
    rounded = [round(value, 2) for value in points]
    figures = [f"{value:{form}}" if value else "0" for value in rounded]  # neither +0 nor -0
    return ", ".join(f"{name}: {figure}" for name, figure in zip(names, figures, strict=True))
