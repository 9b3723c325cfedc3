"""kibitz play: a person at the terminal against agents."""

from __future__ import annotations

import secrets
from typing import Annotated

from cyclopts import App, Parameter
from rich.text import Text

import kibitz
from kibitz._core import Game, Rng, Seeds
from kibitz.agents.native import NativeAgent
from kibitz.agents.search import kibitzer
from kibitz.cli.common import inputs
from kibitz.protocols import Agent
from kibitz.terminal.table import Table

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
    _announce(table, f", seed {chosen}" if seed is not None else "")
    try:
        if series is None:
            table.say_result(table.deal(seeds, 0))
        else:
            table.series(seeds, series)
    finally:  # also for those who leave early
        _part(table, chosen if seed is None else None)


def _announce(table: Table, seed: str) -> None:
    """What is played. A seed drawn by lot is a secret until the end: it is the deal."""
    n = table.game.players
    table.console.print(Text(f"{table.game.name}, {n} player{'s' * (n != 1)}{seed}", style="dim"))


def _part(table: Table, lot: int | None) -> None:
    """The last words at the table, with the seed if it was drawn by lot."""
    if table.kibitzer is not None:
        table.kibitzer.sum_up(table.console)
    if lot is not None:
        table.console.print(Text(f"The same deal again: --seed {lot}", style="dim"))


def _opponents(game: Game, specs: list[str]) -> list[Agent]:
    """The agents of all seats but the person's."""
    if not specs:
        specs = ["rules" if isinstance(game, Game) and "rules" in game.native_agents else "random"]
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
