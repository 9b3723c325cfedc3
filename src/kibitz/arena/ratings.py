"""Ratings: a number per agent from all games, with bootstrap intervals over deals; and cycles, which no number shows.

The model is Luce's: an agent wins a game with a probability proportional to its strength, times its claims, among those
who play. With two agents in a game that is Bradley and Terry's model, with more Plackett and Luce's, from the winner
alone (games of cards have no second place). It is fitted by iterated spectral ranking with the parts of `choix`, which
has no weights: a tournament is counts of games, not a list of a million.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.arena.plan import Anchors, Plan
from kibitz.arena.standings import Meeting, Pair, Standings
from kibitz.arena.stats import Floats, Interval
from kibitz.extras import how_to_get, installed

SCALE = 400 / log(10)  # points per unit of log-strength: 400 points are odds of 10 to 1
PRIOR = 1.0  # games, divided by claims, that every line-up is given beforehand: who never won has a rating, too
SAMPLES = 200
_MOST_STEPS = 1000
_TOLERANCE = 1e-7  # of a step, summed over all agents
_MOST_CYCLES = 20


@dataclass(frozen=True)
class Rating:
    """Points of one agent; an anchor has no interval of its own if it is the only one."""

    name: str
    points: Interval
    anchor: bool


@dataclass(frozen=True)
class Counts:
    """Games of tournaments: [row] is a line-up in sittings with the same claims; [row, place] what each agent won."""

    agents: int
    who: NDArray[np.int64]  # [row, place] -> agent
    claims: Floats
    won: Floats

    def fit(self, start: Floats | None = None) -> Floats:
        """Log-strengths with mean 0."""
        choix: Any = parts()
        strengths = np.zeros(self.agents) if start is None else start
        still = choix.convergence.NormOfDifferenceTest(_TOLERANCE, order=1)
        for _ in range(_MOST_STEPS):
            strengths = self._step(choix, strengths)
            if still(strengths):
                break
        return np.asarray(strengths - strengths.mean(), np.float64)

    def _step(self, choix: Any, strengths: Floats) -> Floats:
        """A loser passes on to the winner; where a walk rests is how strong all are."""
        weights = self.claims * np.exp(strengths)[self.who]
        rates = self.won[:, None, :] * self.claims[:, :, None] / weights.sum(axis=1)[:, None, None]
        chain = np.zeros((self.agents, self.agents))
        np.add.at(chain, (self.who[:, :, None], self.who[:, None, :]), rates)
        chain -= np.diag(chain.sum(axis=1))
        return np.asarray(choix.utils.log_transform(choix.utils.statdist(chain)), np.float64)


def parts() -> Any:
    """The package choix; ValueError says how to get it."""
    if not installed("choix"):
        raise ValueError(f"ratings need the package choix: {how_to_get('ratings')}")
    import choix
    import choix.convergence

    return choix


def rate(standings: Standings, samples: int = SAMPLES) -> list[Rating]:
    """Every agent's rating with its 95% interval, in the order of the plan. Each sample draws deals of each line-up."""
    plan = standings.plan
    met = [meeting for meeting in standings.meetings if meeting.deals]
    tables = [_Rows(meeting) for meeting in met]
    best = _counts(plan, tables, [table.counts for table in tables]).fit()
    rng = np.random.Generator(np.random.PCG64(plan.seed))
    drawn = []
    for _ in range(samples):
        again = [rng.multinomial(table.deals, table.counts / table.deals) for table in tables]
        drawn.append(_placed(plan, _counts(plan, tables, again).fit(best)))
    points = _placed(plan, best)
    low, high = np.quantile(np.asarray(drawn), (0.025, 0.975), axis=0) if samples else (points, points)
    fixed = fixed_in(plan.anchors, plan.names)
    found = []
    for a, name in enumerate(plan.names):
        ends = (points[a], low[a], high[a])
        if name in fixed and len(fixed) == 1:  # but for rounding, it is there already
            ends = (fixed[name],) * 3
        found.append(Rating(name, Interval(*map(float, ends)), name in fixed))
    return found


class _Rows:
    """The rows that a meeting adds to `Counts`."""

    def __init__(self, meeting: Meeting) -> None:
        self.meeting = meeting
        self.counts = meeting.counts()
        self.deals = meeting.deals
        claims, which = np.unique(meeting.claims, axis=0, return_inverse=True)
        self.claims: Floats = claims.astype(np.float64)  # [row, place]
        credits = meeting.credits()
        # [row, pattern, place]
        self._won = np.stack([credits[:, which == row].sum(axis=1) for row in range(len(claims))])
        self.prior = PRIOR / len(claims) * self.claims / self.claims.sum(axis=1, keepdims=True)

    def won(self, counts: NDArray[np.int64]) -> Floats:
        """[row, place], with the prior."""
        return np.asarray(np.einsum("p,rpa->ra", counts, self._won) + self.prior, np.float64)


def _counts(plan: Plan, tables: Sequence[_Rows], counts: Sequence[NDArray[np.int64]]) -> Counts:
    who = np.concatenate([np.tile(table.meeting.agents, (len(table.claims), 1)) for table in tables])
    claims = np.concatenate([table.claims for table in tables])
    won = np.concatenate([table.won(n) for table, n in zip(tables, counts, strict=True)])
    return Counts(len(plan.agents), who, claims, won)


def _placed(plan: Plan, strengths: Floats) -> Floats:
    """In points, moved so that the anchors stand, on average, where they should."""
    points = SCALE * strengths
    fixed = fixed_in(plan.anchors, plan.names)
    return (
        points + np.mean([value - points[plan.names.index(name)] for name, value in fixed.items()]) if fixed else points
    )


def fixed_in(anchors: Anchors, names: Sequence[str]) -> dict[str, float]:
    """The anchors that play."""
    return {name: value for name, value in anchors.ratings.items() if name in names}


def cycles(pairs: dict[tuple[int, int], Pair]) -> list[tuple[int, ...]]:
    """Three agents of which each beats the next, beyond the 95% interval, and the last the first; strongest first.

    Where every two have met, there is a cycle if and only if there is one of three.
    """
    beats = {key: pair for key, pair in pairs.items() if pair.beats}
    agents = sorted({agent for key in beats for agent in key})
    found = []
    for a, b, c in itertools.combinations(agents, 3):
        for ring in ((a, b, c), (a, c, b)):
            edges = [(ring[i], ring[(i + 1) % 3]) for i in range(3)]
            if all(edge in beats for edge in edges):
                found.append((min(beats[edge].share.mean for edge in edges), ring))
    found.sort(key=lambda item: (-item[0], item[1]))
    return [ring for _, ring in found[:_MOST_CYCLES]]
