"""kibitz games: what there is to play."""

from __future__ import annotations

import re
from typing import Any

from cyclopts import App
from rich.table import Table
from rich.text import Text

import kibitz
from kibitz import guides, protocols, registry
from kibitz._core import Game
from kibitz.terminal import screen
from kibitz.terminal.fitting import Fitting

app = App(
    name="games",
    help_epilogue="""Examples:
    kibitz games
    kibitz games uno
    kibitz games uno:rules=rlcard,players=4
""",
)


@app.default
def games(name: str | None = None, /) -> None:
    """List the games, or tell everything about one.

    Parameters
    ----------
    name
        A game, or a game with options.
    """
    if name is not None:
        _describe(kibitz.make(name), registry.parse_spec(name).name)
        return
    table = Table("game", "players", "what it is")
    for known in kibitz.games():
        table.add_row(known, _players(known), Text(guides.line(known)))
    console = screen.out()
    console.print(Fitting(table))
    console.print("kibitz games NAME tells more: options, agents, encoders; kibitz rules NAME how it is played.")


def _players(name: str) -> str:
    """How many can play: "2 to 10"."""
    try:
        game = kibitz.make(name)
    except ValueError:  # it cannot be made without options
        return ""
    if game.name == "gdl":
        return "by rulesheet"
    if "players" not in protocols.facts(game).options:
        return str(game.players)
    said = re.search(r"from (\d+) to (\d+)", _allowed(name, "players"))
    return f"{said[1]} to {said[2]}" if said else str(game.players)


def _agents(game: Game) -> list[str]:
    """The agents that can play the game."""
    return [name for name in registry.agents() if _plays(name, game)]


def _plays(name: str, game: Game) -> bool:
    if isinstance(game, Game) and name in game.native_agents:
        return True  # also one that cannot be made without an option, as value-mcts, which needs a net
    try:
        agent = kibitz.agent(name)
    except ValueError:
        return True  # it needs a source or options to be made at all; then it says itself what it can play
    try:
        protocols.native(agent, game)
    except ValueError:
        return False  # it plays other games, or stands on a package that is not installed
    return True


def _describe(game: Game, name: str) -> None:
    low, high = game.payoff_range
    facts = Table.grid(padding=(0, 2))
    facts.add_row("players", str(game.players))
    facts.add_row("actions", f"{game.num_actions:,}")
    facts.add_row("payoffs", f"{low:g} to {high:g}" + (", zero-sum" if protocols.facts(game).zero_sum else ""))
    if isinstance(game, Game):
        facts.add_row("state", f"{game.state_bytes:,} bytes")
    facts.add_row("agents", ", ".join(_agents(game)))
    console = screen.out()
    console.print(Text(name, style="bold"), *filter(None, [guides.line(name)]), facts, sep="\n")
    if protocols.facts(game).options:
        console.print(Fitting(_options(game, name)))
    if protocols.can(game, "encoders"):
        console.print(Fitting(_encoders(game)))


def _options(game: Game, name: str) -> Table:
    defaults = kibitz.make(name).options
    table = Table("option", "value", "default", "allowed")
    for key, value in game.options.items():
        table.add_row(key, _show(value), _show(defaults.get(key)), Text(_allowed(name, key)))
    return table


def _allowed(name: str, key: str) -> str:
    """What an option may be. The game itself says so when it is offered nonsense (law 7: errors name what is allowed),
    so that no second list has to be kept in step."""
    try:
        kibitz.make(name, **{key: "?"})
    except ValueError as refusal:
        said = re.search(r"allowed: (.*)$|must be (.*), not", str(refusal))
        return (said[1] or said[2]) if said else str(refusal)
    except Exception:  # somebody else's game, which stumbles over nonsense
        return ""
    return "any text"


def _encoders(game: Game) -> Table:
    table = Table("encoder", "shape", "floats", "")
    for encoder in game.encoders.values():
        peeks = "peeks: sees hidden cards" if encoder.peeks else ""
        table.add_row(encoder.name, " x ".join(map(str, encoder.shape)), f"{encoder.size:,}", peeks)
    return table


def _show(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
