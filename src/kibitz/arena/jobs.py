"""Chunks of a tournament as plain descriptions: what is to be played, by whom, and what came of it.

A `Job` says everything about its games, so that any process on any machine plays the same ones; a `JobResult` has
whole numbers and exact sums alone, so that it does not matter in which parts and in which order games were played. A
`Backend` plays jobs: here, in worker processes (`backends.py`), or on other machines.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kibitz import registry
from kibitz.arena.games import Recorder
from kibitz.arena.match import Setup, prepare
from kibitz.arena.result import Chunk
from kibitz.arena.stats import Moments
from kibitz.protocols import Agent, Game
from kibitz.record import Record

DRAWN = np.uint32(1 << 31)  # in a code: the game had no winner, and the seats are those who were level

Sittings = tuple[tuple[int, ...], ...]  # [sitting][seat] -> agent
Options = tuple[tuple[str, Any], ...]  # pairs of key and value: unlike a dict they can be a key


@dataclass(frozen=True)
class LineUp:
    """Agents that meet in a game, and the sittings under which they play every deal.

    An agent may sit on several seats of a sitting. Over all sittings no agent should have better places than another.
    """

    game: str  # its name
    options: Options
    agents: tuple[str, ...]  # spec strings
    sittings: Sittings  # numbers of `agents`

    @property
    def key(self) -> str:
        """Equal exactly for equal line-ups."""
        parts = [self.game, dict(self.options), self.agents, self.sittings]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Job:
    """Deals `first` to `first + count - 1` of a seed, each under every sitting of a line-up."""

    line_up: LineUp
    seed: int
    first: int
    count: int
    keep: bool = False  # hand the records of the games over, too

    @property
    def key(self) -> tuple[str, int, int, int]:
        """By which it is counted once, however often it was played."""
        return self.line_up.key, self.seed, self.first, self.count


@dataclass(frozen=True)
class JobResult:
    """What came of a job. Times apart, equal jobs give equal results.

    A pattern has a code for each sitting of a deal: the seats that won as bits, or with `DRAWN` those that were level.
    """

    job: Job
    patterns: NDArray[np.uint32]  # [pattern, sitting], sorted
    counts: NDArray[np.int64]  # [pattern], deals that went so
    payoffs: tuple[Moments, ...]  # [agent], of its sum over all seats and sittings of a deal
    decisions: tuple[int, ...]  # [agent], and so on
    seconds: tuple[float, ...]  # spent on `timed` of its decisions
    timed: tuple[int, ...]
    records: tuple[Record, ...] = ()  # deal by deal, where they are to be kept


class Backend(Protocol):
    """Where jobs are played."""

    def map(self, jobs: Iterable[Job]) -> Iterator[JobResult]:
        """Plays jobs, which it takes as workers get free, and yields their results in any order, each once.

        A job whose worker dies is played again by another one. What a job itself raises comes through. Closing the
        iterator ends the work: what was not yielded was not played.
        """


def play_job(job: Job, threads: int = 1) -> JobResult:
    """Plays a job in this process; `threads` of the core where game and agents are native."""
    line_up = job.line_up
    shape = job.count, len(line_up.sittings)
    codes = np.zeros(shape, np.uint32)
    gains = np.zeros((job.count, len(line_up.agents)))
    totals = np.zeros((3, len(line_up.agents)))  # decisions, seconds, timed
    records: dict[tuple[int, int], Record] = {}
    for group in _groups(line_up):
        setup = group.setup(threads)
        chunk = setup.player(keep=job.keep).deals(job.seed, job.first, job.count)
        for j, sitting in enumerate(group.sittings):
            codes[:, sitting] = group.codes(chunk, j)
            for place, agent in enumerate(group.agents):
                gains[:, agent] += chunk.payoffs[:, j, place]
        for place, agent in enumerate(group.agents):
            parts = chunk.decisions, chunk.seconds, chunk.timed
            totals[:, agent] += [part[..., place].sum() for part in parts]
        if job.keep:
            records |= group.records(setup, chunk)
    patterns, counts = np.unique(codes, axis=0, return_counts=True)
    decisions, seconds, timed = totals.tolist()
    return JobResult(
        job,
        patterns,
        counts.astype(np.int64),
        tuple(Moments.of(column) for column in gains.T),
        tuple(map(int, decisions)),
        tuple(seconds),
        tuple(map(int, timed)),
        tuple(records[at] for at in sorted(records)),
    )


def check(line_up: LineUp) -> bool:
    """Raises ValueError where an agent cannot play the game; says whether all is native."""
    return all(group.setup(1).handles is not None for group in _groups(line_up))


@dataclass(frozen=True)
class Group:
    """Sittings of a line-up with the same agents, each as often: they are a match of the arena."""

    line_up: LineUp
    sittings: tuple[int, ...]  # numbers of the line-up's
    agents: tuple[int, ...]  # [place of the match] -> agent of the line-up
    seatings: tuple[tuple[int, ...], ...]  # [seating][place] -> seat

    def setup(self, threads: int) -> Setup:
        game, specs = _game(self.line_up.game, self.line_up.options), self.line_up.agents
        with _making:
            agents = [_agent(self.line_up.game, self.line_up.options, specs[agent]) for agent in self.agents]
            return prepare(game, agents, 0, threads, self.seatings, True)

    def codes(self, chunk: Chunk, j: int) -> NDArray[np.uint32]:
        """Of seating `j`, by deal."""
        won, tied = chunk.won[:, j], chunk.tied[:, j]
        bits = np.uint32(1) << np.asarray(self.seatings[j], np.uint32)
        codes = ((won | tied) * bits).sum(axis=1, dtype=np.uint32)
        codes[~won.any(axis=1)] |= DRAWN
        return np.asarray(codes, np.uint32)

    def records(self, setup: Setup, chunk: Chunk) -> dict[tuple[int, int], Record]:
        """By deal and sitting."""
        recorder = Recorder(setup.game, setup.agents, lambda record: None)
        found = {}
        for at, played in enumerate(chunk.games):
            deal, j = divmod(at, len(self.seatings))
            found[deal, self.sittings[j]] = recorder.record(played)
        return found


def _groups(line_up: LineUp) -> list[Group]:
    groups: dict[tuple[int, ...], list[int]] = {}
    for number, sitting in enumerate(line_up.sittings):
        groups.setdefault(tuple(sorted(sitting)), []).append(number)
    return [
        Group(line_up, tuple(numbers), agents, tuple(_seating(line_up.sittings[number]) for number in numbers))
        for agents, numbers in groups.items()
    ]


def _seating(sitting: Sequence[int]) -> tuple[int, ...]:
    """[place] -> seat, the places being the agents in ascending order, each as often as it sits."""
    return tuple(sorted(range(len(sitting)), key=lambda seat: (sitting[seat], seat)))


# A worker plays many jobs of the same game. Making a game of a rulesheet, or an agent with a network, takes a while;
# agents of the core may be shared by matches and threads.
_making = threading.Lock()


@lru_cache(maxsize=4)
def _game(name: str, options: Options) -> Game:
    return registry.make(name, **dict(options))


@lru_cache(maxsize=256)
def _agent(name: str, options: Options, spec: str) -> Agent:
    return registry.agent(spec)
