"""What the games of a tournament say before any model: shares of games, payoffs, and who beats whom.

A won game is worth 1, shared by the seats that won it, a drawn one by those that were level. An agent's *claims* are
the sides on which it sits; what it wins is divided by them, so that among equals every claim has the same share. The
unit of observation is the deal, as in matches (`stats.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from kibitz.arena.jobs import DRAWN, LineUp
from kibitz.arena.plan import Plan
from kibitz.arena.stats import Estimate, Floats, Interval, Moments, mean_interval, rate_interval, teams_of
from kibitz.arena.store import Row


class Meeting:
    """What came of one line-up: sums that grow as chunks are added."""

    def __init__(self, agents: Sequence[int], line_up: LineUp, teams: Sequence[int]) -> None:
        self.agents = tuple(agents)  # numbers in the tournament
        self.line_up = line_up
        self.deals = 0
        self.payoffs = [Moments() for _ in agents]
        self.decisions = np.zeros(len(agents), np.int64)
        self.seconds = np.zeros(len(agents))
        self.timed = np.zeros(len(agents), np.int64)
        self._counts: dict[bytes, int] = {}  # of patterns, big-endian: bytes sort as numbers do
        sittings = np.asarray(line_up.sittings)
        self._sits = sittings[:, :, None] == np.arange(len(agents))  # [sitting, seat, agent]
        sides = [
            [len({team for team, agent in zip(teams, row, strict=True) if agent == a}) for a in range(len(agents))]
            for row in line_up.sittings
        ]
        self.claims: NDArray[np.int64] = np.asarray(sides)  # [sitting, agent]

    def add(self, row: Row) -> None:
        for pattern, count in zip(row.patterns.astype(">u4"), row.counts.tolist(), strict=True):
            key = pattern.tobytes()
            self._counts[key] = self._counts.get(key, 0) + count
        self.deals += row.count
        self.payoffs = [a + b for a, b in zip(self.payoffs, row.payoffs, strict=True)]
        self.decisions += np.asarray(row.decisions, np.int64)
        self.seconds += row.seconds
        self.timed += np.asarray(row.timed, np.int64)

    @property
    def games(self) -> int:
        return self.deals * len(self.line_up.sittings)

    def counts(self) -> NDArray[np.int64]:
        """[pattern], deals that went so; patterns in a fixed order."""
        return np.asarray([self._counts[key] for key in sorted(self._counts)], np.int64)

    def codes(self) -> NDArray[np.uint32]:
        """[pattern, sitting]; see `JobResult`."""
        raw = b"".join(sorted(self._counts))
        return np.frombuffer(raw, ">u4").astype(np.uint32).reshape(len(self._counts), len(self.line_up.sittings))

    def credits(self) -> Floats:
        """[pattern, sitting, agent], what it won of each game."""
        codes = self.codes()
        seats = np.arange(self._sits.shape[1], dtype=np.uint32)
        bits = ((codes[..., None] >> seats) & 1).astype(np.float64)
        shares = bits / bits.sum(axis=-1, keepdims=True)
        return np.asarray(np.einsum("psk,ska->psa", shares, self._sits), np.float64)

    def drawn(self) -> int:
        return int(((self.codes() & DRAWN) != 0).sum(axis=1) @ self.counts())

    def claimed(self) -> Floats:
        """[pattern, agent], what it won of a deal for each of its claims, over all sittings."""
        return np.asarray((self.credits() / self.claims).sum(axis=1), np.float64)


@dataclass(frozen=True)
class AgentFigures:
    """One agent over all its line-ups."""

    name: str
    spec: str
    cheats: bool
    games: int
    deals: int
    share: Interval  # of games, for a claim
    payoff: Interval  # for a seat
    decisions: int
    microseconds: float | None  # per move; None where nothing was timed


@dataclass(frozen=True)
class Pair:
    """Agent `a` against agent `b`: of what the two won, the share of a."""

    a: int
    b: int
    deals: int
    games: int
    share: Interval

    @property
    def beats(self) -> bool:
        """Beyond the 95% interval."""
        return self.share.low > 0.5


@dataclass(frozen=True)
class Standings:
    """Of a tournament, as far as it was played."""

    plan: Plan
    meetings: Sequence[Meeting]

    @property
    def games(self) -> int:
        return sum(meeting.games for meeting in self.meetings)

    @property
    def drawn(self) -> int:
        return sum(meeting.drawn() for meeting in self.meetings)

    @cached_property
    def agents(self) -> list[AgentFigures]:
        return [self._agent(number) for number in range(len(self.plan.agents))]

    @cached_property
    def pairs(self) -> dict[tuple[int, int], Pair]:
        """Both ways round, where two agents have met."""
        numbers = range(len(self.plan.agents))
        found = {(a, b): self._pair(a, b) for a in numbers for b in numbers if a != b}
        return {key: pair for key, pair in found.items() if pair.deals}

    def _of(self, *agents: int) -> list[tuple[Meeting, list[int]]]:
        """Meetings in which all of them sat, and where."""
        return [
            (meeting, [meeting.agents.index(agent) for agent in agents])
            for meeting in self.meetings
            if meeting.deals and all(agent in meeting.agents for agent in agents)
        ]

    def _agent(self, number: int) -> AgentFigures:
        from kibitz import registry

        entry, found = self.plan.agents[number], self._of(number)
        share = _stratified([(m.counts(), m.claimed()[:, at] / len(m.line_up.sittings)) for m, (at,) in found])
        low, high = self.plan.made.payoff_range
        timed = sum(int(m.timed[at]) for m, (at,) in found)
        seconds = sum(float(m.seconds[at]) for m, (at,) in found)
        return AgentFigures(
            entry.name,
            entry.spec,
            bool(registry.agent(entry.spec).peeks),
            sum(m.games for m, _ in found),
            sum(m.deals for m, _ in found),
            rate_interval(share),
            mean_interval(_payoff(found), low, high),
            sum(int(m.decisions[at]) for m, (at,) in found),
            1e6 * seconds / timed if timed else None,
        )

    def _pair(self, a: int, b: int) -> Pair:
        found = self._of(a, b)
        deals, games = sum(m.deals for m, _ in found), sum(m.games for m, _ in found)
        parts = [(m.counts(), m.claimed()[:, at]) for m, at in found]
        own = sum(float(n @ won[:, 0]) for n, won in parts)
        both = sum(float(n @ won.sum(axis=1)) for n, won in parts)
        share = own / both if both else 0.5
        # A ratio of sums, linearised: how far each deal is from the share that all have.
        squares = sum(float(n @ (won[:, 0] - share * won.sum(axis=1)) ** 2) for n, won in parts)
        error = sqrt(squares * deals / (deals - 1)) / both if both and deals > 1 and squares > 1e-18 else 0.0
        return Pair(a, b, deals, games, rate_interval(Estimate(deals, share, error)))


def _stratified(parts: Sequence[tuple[NDArray[np.int64], Floats]]) -> Estimate:
    """The mean of values with their counts; deals vary within their line-up, line-ups do not vary by chance."""
    deals = sum(int(n.sum()) for n, _ in parts)
    if not deals:
        return Estimate.of(np.zeros(0))
    total, variance = 0.0, 0.0
    for n, values in parts:
        count, mean = int(n.sum()), float(n @ values) / int(n.sum())
        total += count * mean
        spread = float(n @ (values - mean) ** 2)
        variance += count * spread / (count - 1) if count > 1 else 0.0
    return Estimate(deals, total / deals, sqrt(variance) / deals)


def _payoff(found: Sequence[tuple[Meeting, list[int]]]) -> Estimate:
    """Mean payoff of an agent's seat, likewise."""
    deals = sum(m.deals for m, _ in found)
    if not deals:
        return Estimate.of(np.zeros(0))
    mean, variance = 0.0, 0.0
    for m, (at,) in found:
        seats = sum(row.count(at) for row in m.line_up.sittings)
        estimate = m.payoffs[at].estimate(seats)
        mean += m.deals * estimate.mean
        variance += (m.deals * estimate.error) ** 2
    return Estimate(deals, mean / deals, sqrt(variance) / deals)


def meetings_of(plan: Plan) -> dict[str, Meeting]:
    """Empty ones, by the keys of their line-ups."""
    teams = teams_of(plan.made)
    return {line_up.key: Meeting(agents, line_up, teams) for agents, line_up in plan.line_ups}
