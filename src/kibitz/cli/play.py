"""kibitz play: people at the terminal against agents, or against each other."""

from __future__ import annotations

import contextlib
import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter
from rich.text import Text

import kibitz
from kibitz import advice, protocols
from kibitz._core import Rng, Seeds
from kibitz.cli.common import inputs
from kibitz.protocols import Agent, Game
from kibitz.record import Record
from kibitz.registry import parse_spec
from kibitz.terminal import keyboard
from kibitz.terminal.evening import Evening
from kibitz.terminal.human import Human
from kibitz.terminal.painter import listed, painter_of
from kibitz.terminal.saving import Keeper, check_new
from kibitz.terminal.table import GIVEN_NAMES, YOU, Table, distinct

DEFAULT_GAME = "uno"
DEFAULT_LEVEL = "club"
DEFAULT_PLAYERS = {"uno": 3}  # where the game's own default is not the best for an evening
WITH_BIDDING = ("belote", "doudizhu")  # as people play them, unless they say otherwise
DEFAULT_PACE = 0.7  # seconds, on a terminal
MOST_NAME = 20
MOST_PEOPLE = 20

app = App(
    name="play",
    help_epilogue="""Examples:
    kibitz play
    kibitz play belote --level best --kibitz
    kibitz play uno --people Zoe,Max --series 500 -o stacking=true
    kibitz play uno --agents rules,random --seat 0 --seed 7
    kibitz play gdl --file mygame.kif --save evening.json

Type a card's number or name (r5, wild blue, 10h); ? explains, /help tells more.
Belote and Dou Di Zhu are played with bidding, unless -o bidding=false.
""",
)

Agents = Annotated[
    str | None, Parameter(help="The others by spec, separated by commas; a single one takes all other seats.")
]
Level = Annotated[
    str | None, Parameter(help=f"How strong the others are: {', '.join(advice.NAMES)}; club if left out.")
]
File = Annotated[
    str | None,
    Parameter(help="A rulesheet, or the name of one of ours, for gdl."),
]
Lot = Annotated[
    int | None,
    inputs.whole(0, 2**64 - 1, help="Of the deals and the agents; drawn by lot, and told at the end, if left out."),
]
Seat = Annotated[inputs.Seat, Parameter(help="Your seat, or the first person's, from 0; else by lot.")]
People = Annotated[str | None, Parameter(help="How many people play at this terminal, or their names.")]
Points = Annotated[
    inputs.Points, Parameter(help="Play deals until a player has this many points (500 is usual in Uno).")
]
Kibitz = Annotated[
    bool,
    Parameter(
        name="--kibitz",
        show_default=False,
        help="Seat a kibitzer behind you, who sees what you see and comments on each of your moves.",
    ),
]
KibitzAgent = Annotated[str | None, Parameter(help="Its spec; the game's adviser if left out.")]
Pace = Annotated[
    float | None,
    inputs.number(
        0, 60, help=f"Seconds that the move of an agent stays before the next; {DEFAULT_PACE} on a terminal."
    ),
]
Save = Annotated[
    Path | None,
    Parameter(help="Write the game to this file (.json) after every move of yours; further deals go beside it."),
]
Keep = Annotated[bool, Parameter(show_default=False, help="The same, in your data folder.")]
Resume = Annotated[Path | None, Parameter(help="Go on with a game that was saved before it was over.")]


@app.default
def play(
    game: Annotated[str | None, Parameter(help="The game; uno, or gdl with --file, if left out.")] = None,
    /,
    *,
    level: Level = None,
    players: Annotated[inputs.Players, Parameter(help="Number of players, yourself included.")] = None,
    agents: Agents = None,
    people: People = None,
    rules: inputs.Rules = None,
    option: inputs.GameOptions = None,
    file: File = None,
    seed: Lot = None,
    seat: Seat = None,
    series: Points = None,
    kibitz_: Kibitz = False,
    kibitz_agent: KibitzAgent = None,
    pace: Pace = None,
    save: Save = None,
    keep: Keep = False,
    resume: Resume = None,
) -> None:
    """Play in the terminal. Without a game: Uno with three players, official rules, against agents of level club."""
    if save is not None:
        check_new(save)
    if resume is not None:
        given = (game, level, players, agents, people, rules, option, file, seed, seat, series)
        if any(value is not None for value in given):
            raise ValueError("--resume goes on with a game as it was; it takes --kibitz, --pace and --save besides")
        evening = Evening.take_up(Record.load(resume), resume, secrets.randbits(64))
        said = f"{_title(evening.table.game)}, taken up again."
    else:
        others = Others.read(level, agents)
        names = _people(people)
        made = _game(game, players, rules, option, file, others.seats(game, len(names)), series is not None)
        chosen = secrets.randbits(64) if seed is None else seed
        evening = Evening(_table(made, names, others, seat, Seeds(chosen)), chosen, to=series)
        shown = (
            f", seed {seed}" if seed is not None else ""
        )  # one drawn by lot is a secret until the end: it is the deal
        said = (
            f"{_title(made)}, {made.players} player{'s' * (made.players != 1)}{shown}.{others.introduce(evening.table)}"
        )
    _prepare(evening, pace, save, keep)
    if kibitz_ or kibitz_agent is not None:
        evening.table.invite(kibitz_agent)
    evening.table.console.print(
        Text(f"{said}\n? explains the moment, /rules the game; /help lists the commands.", "dim")
    )
    try:
        evening.play()
    finally:  # also for those who leave early
        _part(evening, lot=seed is None and resume is None)


@dataclass(frozen=True)
class Others:
    """Who plays besides the people: agents by their specs, or a level."""

    specs: tuple[str, ...]
    level: str | None  # None: the specs say it all

    @classmethod
    def read(cls, level: str | None, agents: str | None) -> Others:
        if level is not None and agents is not None:
            raise ValueError("--level and --agents both say who the others are: give one of them")
        if agents is not None:
            return cls(tuple(inputs.split_agents(agents)), None)
        name = level or DEFAULT_LEVEL
        return cls((f"level:{name}",), name)

    def seats(self, game: str | None, people: int) -> int | None:
        """How many the game is to have, if nobody says; None: as many as it likes."""
        if len(self.specs) > 1:
            return people + len(self.specs)
        usual = DEFAULT_PLAYERS.get(game or DEFAULT_GAME)
        return max(usual, people) if usual is not None else people if people > 1 else None

    def agents(self, game: Game, people: int) -> list[Agent]:
        free = game.players - people
        if free < 0:
            raise ValueError(f"{game.name} has {game.players} seats here, too few for {people} people")
        specs = self.specs * free if len(self.specs) == 1 else self.specs
        if len(specs) != free:
            who = "you" if people == 1 else f"{people} people"
            raise ValueError(f"{game.players} players are {who} and {free} agents, but {len(specs)} agents were given")
        found = [kibitz.agent(spec) for spec in specs]
        for agent in found:
            if isinstance(agent, Human):
                raise ValueError("human is no agent here: --people seats more people at the terminal")
            protocols.native(agent, game)  # one that cannot play it says so now, not at the first move
        return found

    def names(self, agents: Sequence[Agent], people: Sequence[str]) -> list[str]:
        if self.level is not None:
            taken = {name.lower() for name in people}
            free = [name for name in GIVEN_NAMES if name.lower() not in taken]
            return [free[at] if at < len(free) else f"Agent {at + 1}" for at in range(len(agents))]
        return distinct([agent.name + (" (cheats)" if agent.peeks else "") for agent in agents])

    def introduce(self, table: Table) -> str:
        """At which level the agents play, where they are there for that."""
        names = [name for name, agent in zip(table.names, table.agents, strict=True) if not isinstance(agent, Human)]
        if self.level is None or not names:
            return ""
        found, note = advice.level(table.game, self.level).name, advice.choice(table.game).note
        instead = f" (this game has no {self.level})" if found != self.level else ""
        verb = "plays" if len(names) == 1 else "play"
        return f" {listed(names)} {verb} at level {found}{instead}." + (f" (Levels: {note}.)" if note else "")


def _people(people: str | None) -> list[str]:
    """The names of those who sit at the terminal."""
    if people is None or people.strip() == "1":
        return [YOU]
    if people.strip().isdecimal():
        if not 1 <= int(people[:9]) <= MOST_PEOPLE:
            raise ValueError(f"people must be from 1 to {MOST_PEOPLE}, or names separated by commas, not {people[:40]}")
        return [f"Player {number}" for number in range(1, int(people) + 1)]
    names = [name.strip() for name in people.split(",")]
    if not all(name and name.isprintable() and len(name) <= MOST_NAME for name in names):
        raise ValueError(f"people: each name has 1 to {MOST_NAME} printable characters; they are separated by commas")
    if len({name.lower() for name in names}) < len(names):
        raise ValueError("people: two of the names are the same")
    return names


def _game(
    game: str | None,
    players: int | None,
    rules: str | None,
    option: list[str] | None,
    file: str | None,
    seats: int | None,
    points: bool,
) -> Game:
    name = game or (DEFAULT_GAME if file is None else "gdl")  # the only one that is read from files
    given: dict[str, Any] = {"players": players, "rules": rules, "file": file, "seats": seats, "points": points}
    spec, said = parse_spec(name), inputs.read_options(option or [])
    if spec.name in WITH_BIDDING and "bidding" not in spec.options | said:
        with contextlib.suppress(ValueError):  # it goes with most options, but not with all
            bidding: Game = inputs.make_game(name, option=[*(option or []), "bidding=true"], **given)
            return bidding
    made: Game = inputs.make_game(name, option=option, **given)
    return made


def _table(game: Game, people: Sequence[str], others: Others, seat: int | None, seeds: Seeds) -> Table:
    n, k = game.players, len(people)
    if seat is not None and not 0 <= seat < n:
        raise ValueError(f"seat must be within 0..{n - 1}, not {seat}")
    agents = others.agents(game, k)
    first = Rng(seeds.lot(n)).below(n) if seat is None else seat
    at = {(first + number * n // k) % n: Human(name) for number, name in enumerate(people)}  # as far apart as they can
    rest = iter(zip(agents, others.names(agents, people), strict=True))
    sitting = [(at[s], at[s].name) if s in at else next(rest) for s in range(n)]
    return Table(game, [agent for agent, _ in sitting], [name for _, name in sitting])


def _title(game: Game) -> str:
    return painter_of(game).title or game.name


def _prepare(evening: Evening, pace: float | None, save: Path | None, keep: bool) -> None:
    table, typing = evening.table, sys.stdin.isatty()
    table.pace = pace if pace is not None else DEFAULT_PACE if typing and sys.stdout.isatty() else 0.0
    if save is not None or keep:
        table.keeper = Keeper(save, always=True)
    evening.asks = typing
    keyboard.edit_lines(table.words)


def _part(evening: Evening, lot: bool) -> None:
    """The last words at the table, with the seed if it was drawn by lot."""
    table = evening.table
    for name, agent in zip(table.names, table.agents, strict=True):
        # What it says names cards, which others at the table must not know before the end.
        if isinstance(agent, Human) and agent.kibitzer is not None and (table.alone or table.over):
            agent.kibitzer.sum_up(table.console, "your" if name == YOU else f"{name}'s")
    if lot:
        table.console.print(Text(f"The same deals again: --seed {evening.seed}", style="dim"))
