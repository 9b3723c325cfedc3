"""The statistics of matches: intervals that mean what they say, and who won."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from kibitz.arena import Interval
from kibitz.arena.stats import Estimate, Moments, mean_interval, rate_interval, t_quantile, winners


def test_t_quantile() -> None:
    for freedom in [*range(1, 60), 100, 1000, 10**6]:
        assert t_quantile(freedom) == pytest.approx(scipy_stats.t.ppf(0.975, freedom), abs=2e-4)
    with pytest.raises(ValueError, match="at least 1"):
        t_quantile(0)


def _clusters(rng: np.random.Generator, deals: int, games: int, rate: float, concentration: float) -> Any:
    """Wins [deal, game] whose chance differs between the deals: the games of one are correlated."""
    chances = rng.beta(rate * concentration, (1 - rate) * concentration, size=deals)
    return rng.random((deals, games)) < chances[:, None]


@pytest.mark.parametrize(("deals", "rate"), [(10, 0.5), (25, 0.6), (200, 0.3), (60, 0.9)])
def test_rate_interval_covers(deals: int, rate: float) -> None:
    rng = np.random.default_rng(1)
    covered = naive = 0
    trials = 1500
    for _ in range(trials):
        wins = _clusters(rng, deals, 4, rate, 1.0)
        interval = rate_interval(wins.mean(axis=1))
        covered += interval.low <= rate <= interval.high
        independent = rate_interval(wins.reshape(-1).astype(float))
        naive += independent.low <= rate <= independent.high
    # 95% within three standard errors of 1,500 trials, and some for the approximation.
    assert 0.925 <= covered / trials <= 0.985
    # The same data with its games taken as independent: clearly too narrow, or this test could not fail.
    assert naive / trials < 0.9


@pytest.mark.parametrize("deals", [4, 12, 100])
def test_mean_interval_covers(deals: int) -> None:
    rng = np.random.default_rng(2)
    trials, covered, normal = 3000, 0, 0
    for _ in range(trials):
        payoffs = rng.normal(0.3, 1.0, size=deals)
        interval = mean_interval(payoffs, -100, 100)
        covered += interval.low <= 0.3 <= interval.high
        normal += abs(payoffs.mean() - 0.3) <= 1.96 * payoffs.std(ddof=1) / math.sqrt(deals)
    assert 0.938 <= covered / trials <= 0.962
    if deals == 4:
        assert normal / trials < 0.91  # what Student's quantile is for


def test_intervals_by_hand() -> None:
    deals = np.array([0.0, 0.5, 1.0, 0.5, 1.0, 0.0, 1.0])
    low, high = scipy_stats.t.interval(0.95, 6, deals.mean(), scipy_stats.sem(deals))
    interval = mean_interval(deals, -1.0, 2.0)
    assert (interval.mean, interval.low, interval.high) == pytest.approx((4 / 7, low, high), abs=1e-4)
    assert mean_interval(deals, 0.4, 0.6) == Interval(deals.mean(), 0.4, 0.6)  # never outside what is possible
    # One game per deal: Wilson's score interval, with Student's quantile for the normal one.
    wins = np.array([1.0] * 30 + [0.0] * 10)
    games = 0.75 * 0.25 / scipy_stats.sem(wins) ** 2
    t = scipy_stats.t.ppf(0.975, 39)
    for end in (rate_interval(wins).low, rate_interval(wins).high):
        assert abs(end - 0.75) == pytest.approx(t * math.sqrt(end * (1 - end) / games), rel=1e-3)


def test_few_equal_deals_prove_little() -> None:
    for deals in (1, 5, 20):
        exact = scipy_stats.binomtest(deals, deals).proportion_ci(0.95, "exact")
        interval = rate_interval(np.ones(deals))
        assert (interval.mean, interval.low, interval.high) == pytest.approx((1.0, exact.low, 1.0))
        interval = rate_interval(np.zeros(deals))
        assert (interval.low, interval.high) == pytest.approx((0.0, 1 - exact.low))
    third = rate_interval(np.full(30, 1 / 3))
    assert third.low < 1 / 3 < third.high
    lost = mean_interval(np.full(5, -1.0), -1.0, 1.0)
    assert lost.low == -1.0
    assert lost.high == pytest.approx(-1.0 + 2 * (1 - 0.025**0.2))
    nothing = rate_interval(np.zeros(0))
    assert nothing.to_dict() == {"mean": None, "low": 0.0, "high": 1.0}


def test_moments_are_exact() -> None:
    values = np.array([1e16, 1.0, -1e16, 1 / 3, 1e-9, 0.1])
    moments = Moments.of(values)
    assert moments.total == sum(map(Fraction, values.tolist()))
    assert moments.squares == sum(Fraction(value) ** 2 for value in values.tolist())
    parts = [Moments.of(values[list(part)]) for part in ([5], [0, 3], [], [1, 2, 4])]
    assert sum(parts, Moments()) == moments
    assert Moments.of(np.array([3, 0, 3])) == Moments(3, Fraction(6), Fraction(18))
    for wrong in (np.nan, np.inf, -np.inf):
        with pytest.raises(ValueError, match="finite"):
            Moments.of(np.array([1.0, wrong]))


def test_estimates_are_the_same_from_deals_and_from_their_moments() -> None:
    rng = np.random.default_rng(3)
    for values in (rng.normal(size=1000), rng.integers(0, 5, 77), np.array([0.1, 0.2])):
        exact, rounded = Moments.of(values).estimate(4), Estimate.of(values / 4)
        assert vars(exact) == pytest.approx(vars(rounded), rel=1e-12)
        assert exact.error > 0
    # No variance, and none that comes of rounding.
    assert Moments.of(np.full(30, 1.0)).estimate(3) == Estimate(30, 1 / 3, 0.0)
    assert Moments.of(np.full(30, 0.1)).estimate(1) == Estimate(30, 0.1, 0.0)
    assert Moments.of(np.array([0.7])).estimate(1) == Estimate(1, 0.7, 0.0)
    nothing = Moments().estimate(2)
    assert (nothing.deals, math.isnan(nothing.mean), nothing.error) == (0, True, 0.0)
    # A deal in a thousand million that is different is a variance.
    lonely = Moments(10**9, Fraction(10**9 - 1), Fraction(10**9 - 1)).estimate(1)
    assert lonely.error == pytest.approx(1e-9)


def test_winners() -> None:
    alone, partners = np.array([0, 1, 2, 3]), np.array([0, 1, 0, 1])
    cases: list[tuple[list[float], Any, list[int], list[int]]] = [
        ([3, -1, -1, -1], alone, [0], []),
        ([1, 1, -1, -1], alone, [], [0, 1]),
        ([0, 0, 0, 0], alone, [], [0, 1, 2, 3]),
        ([-1, 1, -1, 1], partners, [1, 3], []),
        ([1, 1, -1, -1], partners, [], [0, 1]),
        ([2, 2, 2, 2], partners, [], [0, 1, 2, 3]),
        ([5, 5, 5, 5], np.zeros(4, int), [], [0, 1, 2, 3]),  # nobody was beaten
        ([-3, -1, -2, -2], alone, [1], []),
    ]
    for payoffs, teams, won, tied in cases:
        result = winners(np.array([[payoffs]], float), np.array([teams]))
        assert [list(np.flatnonzero(part[0, 0])) for part in result] == [won, tied], payoffs
