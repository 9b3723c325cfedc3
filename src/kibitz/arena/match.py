"""Many games between the same agents."""

from __future__ import annotations

import copy
import operator
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kibitz import _core, protocols, registry
from kibitz.arena.games import recording
from kibitz.arena.players import NativePlayer, Player, PythonPlayer
from kibitz.arena.result import Chunk, MatchResult, Tally
from kibitz.arena.run import Hire, Run, Task
from kibitz.arena.seatings import Seatings, permutations, rotations
from kibitz.protocols import Agent, Game
from kibitz.registry import Policy

Progress = Callable[[int, int], None]  # (games done, games in all)
OnChunk = Callable[[Chunk], None]

_PROGRESS_SECONDS = 0.1
_MOST_THREADS = 1024  # as in the core
_MOST_CELLS = 1 << 20  # of the arrays of a chunk [deal, seating, agent]: about 26 MB
_MOST_FOR_ALL = 6  # 6! = 720 games per deal; more would make a single deal a match


def play(
    game: str | Game,
    agents: Sequence[str | Agent | Policy],
    games: int = 1000,
    seed: int = 0,
    threads: int = 1,
    seatings: str = "rotations",
    progress: Progress | None = None,
    on_chunk: OnChunk | None = None,
    *,
    native: bool = True,
    records: str | Path | None = None,
    hire: Hire | None = None,
) -> MatchResult:
    """Plays `games` games and says who won how often, with 95% intervals. Same seed, same result.

    game      a Game, or a name or spec string for `kibitz.make`; as many players as agents, if it does not say
    agents    one per seat: spec strings for `kibitz.agent`, Agents, or functions that map a view to an action
    games     rounded up to whole deals: each deal is played under every seating
    threads   workers, 0 for all cores: threads in the core, or processes for Python; the result is the same
    seatings  "rotations" of the agents over the seats, or "all" permutations
    progress  called with (games done, games in all), at most ten times a second
    on_chunk  called with every finished `Chunk`, in no certain order, to save or count what the result leaves out
    native    False plays move by move in Python even where the core could do it all; the games are the same
    records   where to write a record of every game: a file that ends in .jsonl, or a folder (docs/records.md)
    hire      workers on other machines, as `kibitz.scale.crew.hire()` on Ray; `threads` is then what each of them has

    Games run inside the core if the game and all agents are native. Ctrl-C ends the match, and what is finished is
    returned with `interrupted` set. Worker processes need agents that can be pickled or made from their spec.
    """
    setup = prepare(game, agents, seed, threads, seatings, native)
    wanted = positive("games", games)
    deals = -(-wanted // len(setup.seatings))
    with recording(records, setup.game, setup.agents) as keep:
        outcome = Outcome(setup, deals, progress, on_chunk, keep, hire)
        outcome.run(MatchTask(setup.player(keep=keep is not None), setup.seed))
    played = deals * len(setup.seatings)
    if played != wanted:
        outcome.notes.append(f"{wanted:,} games asked for: rounded up to {played:,}, whole deals under every seating")
    return MatchResult(**outcome.fields(setup.game.payoff_range))


@dataclass
class MatchTask:
    """Plays deals of a match; can be sent to another process if its player can."""

    player: Player
    seed: int

    def __call__(self, first: int, count: int) -> Chunk:
        return self.player.deals(self.seed, first, count)


@dataclass
class Setup:
    """Checked arguments of a match."""

    game: Game
    agents: list[Agent]
    specs: list[str | None]  # where an agent was given as a spec string
    handles: list[_core.Agent] | None  # native agents, if all are and may be used
    seatings: Seatings
    seed: int
    threads: int

    def player(self, *, keep: bool = False) -> Player:
        """Who plays the deals; `keep`: and hands the games over."""
        if self.handles is not None and isinstance(self.game, _core.Game):
            return NativePlayer(self.game, self.handles, self.seatings, self.threads, keep)
        return PythonPlayer(self.game, self.agents, self.seatings, keep)


def prepare(
    game: str | Game,
    agents: Sequence[str | Agent | Policy],
    seed: int,
    threads: int,
    seatings: str | Seatings,
    native: bool,
) -> Setup:
    """Raises ValueError for anything wrong before the first card is dealt."""
    game = registry.make_for(game, len(agents)) if isinstance(game, str) else game
    lacks = protocols.missing(game, protocols.Game)
    if lacks:
        raise ValueError(f"{type(game).__name__} is no game: it lacks {', '.join(lacks)}")
    if isinstance(agents, str):
        raise ValueError(f"agents must be a list of agents or spec strings, not the string {agents!r}")
    if len(agents) != game.players:
        raise ValueError(f"{game.name} has {game.players} players, but {len(agents)} agents were given")
    specs = [agent if isinstance(agent, str) else None for agent in agents]
    made = _separate([registry.agent(agent) for agent in agents])
    # Also if they will not be used: an agent that cannot play this game says so here.
    handles = [protocols.native(agent, game) for agent in made]
    fast = [handle for handle in handles if handle is not None] if native and isinstance(game, _core.Game) else []
    table = seating_table(seatings, game.players) if isinstance(seatings, str) else seatings
    return Setup(game, made, specs, fast if len(fast) == len(made) else None, table, _seed(seed), _threads(threads))


def _separate(agents: list[Agent]) -> list[Agent]:
    """An agent given twice sits in two seats, with a random stream in each: the second must be a copy."""
    separate: list[Agent] = []
    for agent in agents:
        try:
            separate.append(copy.deepcopy(agent) if any(agent is other for other in separate) else agent)
        except Exception as error:
            raise ValueError(f"agent {agent.name!r} was given twice and cannot be copied: {error}") from error
    return separate


def seating_table(kind: str, players: int) -> Seatings:
    """Every agent sits equally often in every seat."""
    if kind == "rotations":
        return rotations(players)
    if kind != "all":
        raise ValueError(f"unknown seatings {kind!r}; allowed: rotations, all")
    if players > _MOST_FOR_ALL:
        raise ValueError(f"seatings='all' is for up to {_MOST_FOR_ALL} players, not {players}; use 'rotations'")
    return permutations(players)


def positive(what: str, number: int) -> int:
    number = _whole(what, number)
    if number < 1:
        raise ValueError(f"{what} must be at least 1, not {number}")
    return number


def _whole(what: str, number: int) -> int:
    try:
        return operator.index(number)
    except TypeError:
        raise ValueError(f"{what} must be a whole number, not {number!r}") from None


def _seed(seed: int) -> int:
    if not 0 <= _whole("seed", seed) < 2**64:
        raise ValueError(f"seed must be from 0 to 2**64 - 1, not {seed}")
    return operator.index(seed)


def _threads(threads: int) -> int:
    if not 0 <= _whole("threads", threads) <= _MOST_THREADS:
        raise ValueError(f"threads must be from 0 (all cores) to {_MOST_THREADS}, not {threads}")
    # The cores that this process may use, where the system tells; containers often get fewer than there are.
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return threads or cores


@dataclass
class Outcome:
    """Runs a task and gathers what all kinds of results have in common."""

    setup: Setup
    deals: int
    progress: Progress | None
    on_chunk: OnChunk | None
    keep: OnChunk | None = None  # writes the games down
    hire: Hire | None = None
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tally = Tally(self.setup.seatings)
        self._done = 0
        self._next_report = 0.0
        self._interrupted = False
        self._seconds = 0.0

    def run(self, task: Task) -> None:
        start = time.perf_counter()
        seatings = self.setup.seatings
        run = Run(task, self.deals, max(1, _MOST_CELLS // (len(seatings) * len(seatings[0]))), self._take)
        # The native player has threads of its own.
        if self.hire is not None:
            run.elsewhere(self.hire, self.setup.agents, self.setup.specs, self.setup.handles)
        elif self.setup.handles is None and self.setup.threads > 1 and self.deals > 1:
            run.spread(self.setup.threads, self.setup.agents, self.setup.specs)
        else:
            run.here()
        # An interrupt after the last chunk took nothing away.
        self._interrupted = run.interrupted and self.tally.deals() < self.deals
        self._seconds = time.perf_counter() - start
        self.notes += run.notes

    def _take(self, chunk: Chunk) -> None:
        self.tally.add(chunk)
        self._done += len(chunk.payoffs)
        for hear in (self.keep, self.on_chunk):
            if hear:
                hear(chunk)
        now = time.perf_counter()
        if self.progress and (self._done == self.deals or now >= self._next_report):
            self._next_report = now + _PROGRESS_SECONDS
            seatings = len(self.setup.seatings)
            self.progress(self._done * seatings, self.deals * seatings)

    def fields(self, payoff_range: tuple[float, float]) -> dict[str, Any]:
        """The fields of a MatchResult."""
        setup, deals = self.setup, self.tally.deals()
        names, cheats = [a.name for a in setup.agents], [bool(a.peeks) for a in setup.agents]
        return {
            "game": setup.game.name,
            "options": dict(protocols.facts(setup.game).options),
            "seed": setup.seed,
            "games": deals * len(setup.seatings),
            "deals": deals,
            "seatings": len(setup.seatings),
            "drawn": self.tally.drawn(),
            "agents": self.tally.agents(names, cheats, payoff_range),
            "interrupted": self._interrupted,
            "native": setup.handles is not None,
            "seconds": self._seconds,
            "notes": self.notes,
        }
