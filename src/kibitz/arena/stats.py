"""The statistics of matches: who won a game, and how sure we are of a rate or a mean.

The games of one deal (the same cards under every seating) are correlated: a strong hand wins for whoever holds it. So
a deal is the unit of observation. Every interval below takes the mean of each deal as one observation and the variance
between these means, whatever happens within a deal (a cluster-robust variance); counting games as independent would
give intervals too narrow or, where mirroring cancels the luck of the deal, too wide. The quantile is Student's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from kibitz.protocols import Game, facts

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

Z = 1.959963984540054  # the 97.5% quantile of the normal distribution
# The same quantile of Student's t for 1 to 10 degrees of freedom; from there on the expansion below is exact to 0.0001.
_T = (12.70620, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.30600, 2.26216, 2.22814)


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95% interval."""

    mean: float
    low: float
    high: float

    def to_dict(self) -> dict[str, float | None]:
        """JSON-ready: an estimate from no games at all is None, since JSON has no NaN."""
        return {"mean": None if math.isnan(self.mean) else self.mean, "low": self.low, "high": self.high}


def t_quantile(freedom: int) -> float:
    """The 97.5% quantile of Student's t: 95% of its mass lies within plus or minus this."""
    if freedom < 1:
        raise ValueError(f"degrees of freedom must be at least 1, not {freedom}")
    if freedom <= len(_T):
        return _T[freedom - 1]
    z, n = Z, freedom
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / n + second / n**2 + third / n**3


@dataclass(frozen=True)
class Estimate:
    """A mean over deals, and its standard error: 0 where the deals show no variance (also of fewer than two deals)."""

    deals: int
    mean: float
    error: float

    @classmethod
    def of(cls, deals: Floats) -> Self:
        """From the mean of each deal."""
        if len(deals) == 0:
            return cls(0, math.nan, 0.0)
        mean = float(deals.mean())
        if len(deals) == 1 or bool((deals == deals[0]).all()):
            return cls(len(deals), mean, 0.0)
        return cls(len(deals), mean, float(deals.std(ddof=1)) / math.sqrt(len(deals)))


@dataclass(frozen=True)
class Moments:
    """Number, sum and sum of squares of observations, without rounding.

    So they are the same in whatever parts and order the observations come, and need no more room for a billion of them.
    """

    count: int = 0
    total: Fraction = Fraction(0)
    squares: Fraction = Fraction(0)

    @classmethod
    def of(cls, values: NDArray[Any]) -> Self:
        """ValueError where a value is not finite."""
        if not np.isfinite(values).all():
            raise ValueError("payoffs must be finite numbers")
        distinct, counts = np.unique(values, return_counts=True)  # payoffs are few different numbers
        ratios = [value.as_integer_ratio() for value in distinct.tolist()]
        common = max((below for _, below in ratios), default=1)  # of floats, all are powers of two
        numbers = [above * (common // below) for above, below in ratios]
        total = sum(n * number for n, number in zip(counts.tolist(), numbers, strict=True))
        squares = sum(n * number**2 for n, number in zip(counts.tolist(), numbers, strict=True))
        return cls(len(values), Fraction(total, common), Fraction(squares, common**2))

    def __add__(self, other: Moments) -> Moments:
        return Moments(self.count + other.count, self.total + other.total, self.squares + other.squares)

    def estimate(self, games: int) -> Estimate:
        """Of the mean, where an observation is the sum over the `games` of a deal."""
        if self.count == 0:
            return Estimate(0, math.nan, 0.0)
        mean = float(self.total / (self.count * games))
        spread = self.count * self.squares - self.total**2  # count * (count - 1) times the variance
        if spread == 0:
            return Estimate(self.count, mean, 0.0)
        return Estimate(self.count, mean, math.sqrt(spread / (self.count**2 * (self.count - 1) * games**2)))


def mean_interval(deals: Floats | Estimate, low: float, high: float) -> Interval:
    """The mean of deal means, which lie within low..high: Student's t on the deals."""
    found = deals if isinstance(deals, Estimate) else Estimate.of(deals)
    if found.error == 0:
        return _unvaried(found.mean, found.deals, low, high)
    reach = t_quantile(found.deals - 1) * found.error
    return Interval(found.mean, max(low, found.mean - reach), min(high, found.mean + reach))


def rate_interval(deals: Floats | Estimate) -> Interval:
    """The rate of something that happens in a share of each deal's games: Wilson's interval, made cluster-robust.

    Near 0 and 1 a symmetric interval covers far less than it promises, so the score interval is used, with the number
    of independent games that would have given the variance found between the deals.
    """
    found = deals if isinstance(deals, Estimate) else Estimate.of(deals)
    rate, error = found.mean, found.error
    # 1e-12: deal means like 1/3 are rounded, and so is their mean; their "variance" is not a finding.
    if error < 1e-12 or rate * (1 - rate) < 1e-12:
        return _unvaried(rate, found.deals, 0.0, 1.0)
    return score_interval(rate, rate * (1 - rate) / error**2, t_quantile(found.deals - 1))


def score_interval(rate: float, games: float, quantile: float = Z) -> Interval:
    """Of a rate in independent games, by Wilson's score: within [0, 1], and right for rare events, too."""
    t2 = quantile**2
    centre = (rate + t2 / (2 * games)) / (1 + t2 / games)
    reach = quantile / (1 + t2 / games) * math.sqrt(rate * (1 - rate) / games + t2 / (4 * games**2))
    # At the ends rounding would leave 1e-18 instead of 0.
    low = 0.0 if rate == 0 else max(0.0, centre - reach)
    return Interval(rate, low, 1.0 if rate == 1 else min(1.0, centre + reach))


def _unvaried(mean: float, deals: int, low: float, high: float) -> Interval:
    """The interval when all deals agree, which proves little if they are few.

    At 97.5% confidence the share of deals that would differ is below 1 - 0.025^(1/deals) (the "rule of three"); the
    interval lets them differ as far as they can. For a rate of 0 or 1 this is the exact binomial interval.
    """
    if deals == 0:
        return Interval(mean, low, high)
    others: float = 1 - 0.025 ** (1 / deals)
    return Interval(mean, mean - others * (mean - low), mean + others * (high - mean))


def winners(payoffs: Floats, sides: NDArray[np.int64]) -> tuple[Bools, Bools]:
    """Who won, and who was among the best of a drawn game; per agent along the last axis.

    A game is won by the agents with the highest payoff if they are one side and not everybody; otherwise it is drawn.
    """
    best: Bools = payoffs == payoffs.max(axis=-1, keepdims=True)
    first = np.where(best, sides, sides.max() + 1).min(axis=-1, keepdims=True)
    last = np.where(best, sides, -1).max(axis=-1, keepdims=True)
    decided = (first == last) & ~best.all(axis=-1, keepdims=True)
    return best & decided, best & ~decided


def teams_of(game: Game) -> list[int]:
    """The team of each seat; everybody plays alone in a game that does not say."""
    return list(facts(game).teams)


def sides_of(game: Game) -> list[int]:
    """The side of each seat: those on the same one can win a game together.

    Sides are teams. But where partners are found in the game, like the peasants of Dou Di Zhu, nobody knows them
    beforehand; equal payoffs show them in the end, so anybody may be on one side.
    """
    return [0] * game.players if facts(game).partners_vary else teams_of(game)
