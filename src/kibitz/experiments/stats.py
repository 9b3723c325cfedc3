"""Intervals (`kibitz.arena.stats.Interval`, 95%) of counts. Lengths come as histograms: `histogram[x]` games had x."""

from __future__ import annotations

import math
from collections.abc import Sequence

from kibitz.arena.stats import Interval, Z, score_interval


def share(hits: int, games: int) -> Interval:
    """Of a share of independent games."""
    if games <= 0 or not 0 <= hits <= games:
        raise ValueError(f"a share needs 0 <= hits <= games and games > 0, not {hits} of {games}")
    return score_interval(hits / games, games)


def mean(histogram: Sequence[int]) -> Interval:
    """Of the mean (normal approximation, from the sample's own spread)."""
    games = sum(histogram)
    if games < 2:
        raise ValueError(f"a mean with an interval needs at least 2 games, not {games}")
    centre = sum(x * n for x, n in enumerate(histogram)) / games
    variance = sum(n * (x - centre) ** 2 for x, n in enumerate(histogram)) / (games - 1)
    half = Z * math.sqrt(variance / games)
    return Interval(centre, centre - half, centre + half)


def quantile(histogram: Sequence[int], share: float) -> Interval:
    """The smallest x with at least `share` of the games at or below it; the interval is that of the order statistics:
    the rank of the true quantile is binomial, whatever the distribution looks like."""
    games = sum(histogram)
    if games < 1 or not 0 < share < 1:
        raise ValueError(f"a quantile needs a share within (0, 1) and some games, not {share} of {games}")
    half = Z * math.sqrt(games * share * (1 - share))
    low = _value_at(histogram, max(1, math.floor(games * share - half)))
    high = _value_at(histogram, min(games, math.ceil(games * share + half) + 1))
    return Interval(_value_at(histogram, max(1, math.ceil(games * share))), low, high)


def _value_at(histogram: Sequence[int], rank: int) -> int:
    """The value of the game with this rank, from 1, when they are sorted."""
    seen = 0
    for x, n in enumerate(histogram):
        seen += n
        if seen >= rank:
            return x
    raise ValueError(f"rank {rank} of {seen} games")


def add(histograms: Sequence[Sequence[int]]) -> list[int]:
    """The sum of histograms of different lengths."""
    total = [0] * max((len(h) for h in histograms), default=0)
    for histogram in histograms:
        for x, n in enumerate(histogram):
            total[x] += n
    return total
