"""What the experiments with searches share: native games on given deals, intervals by deal, verdicts, bars.

The games of one deal are correlated, so a deal is one observation everywhere (`kibitz.arena.stats`): arrays are [deal]
where each entry is the mean over the games of that deal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz._core import Game
from kibitz.arena.stats import Floats, Interval, mean_interval, rate_interval
from kibitz.experiments.report import Row
from kibitz.tables import native_agent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

OURS, PAPER = "#3465a4", "#d3d7cf"


def play(
    game: Game, specs: Sequence[str], seatings: Sequence[Sequence[int]], seed: int, part: range, threads: int
) -> Floats:
    """Payoffs [deal, seating, agent] of deals part.start..part.stop-1 of `seed`.

    The same seating given n times plays every deal n times: the deal is the same, the agents' chance is not.
    """
    handles = [native_agent(game, spec) for spec in specs]
    played = game.native_match(handles, seatings, seed, part.start, len(part), threads)
    return np.asarray(played.payoffs)


def parts(total: int, size: int) -> list[range]:
    """0..total-1 in pieces of `size`."""
    return [range(first, min(first + size, total)) for first in range(0, total, size)]


# --- figures


def rate(deals: Floats) -> Interval:
    return rate_interval(deals)


def gap(first: Floats, second: Floats) -> Interval:
    """How much higher a rate is than another on the same deals."""
    return mean_interval(first - second, -1.0, 1.0)


def spread_of(scores: Floats) -> Interval:
    """The standard deviation of single games [deal, game]; its interval is that of the variance, by deal."""
    squares = ((scores - scores.mean()) ** 2).mean(axis=1)
    found = mean_interval(squares, 0.0, math.inf)
    games = scores.size
    value = math.sqrt(found.mean * games / max(1, games - 1))
    return Interval(value, math.sqrt(max(0.0, found.low)), math.sqrt(found.high))


def row(figure: str, paper: str, found: Interval, games: int, form: str = "{:.1%}") -> Row:
    return Row(figure, paper, found.mean if found.low == found.high else found, games, form)


def exactly(value: float) -> Interval:
    """A figure without chance."""
    return Interval(value, value, value)


# --- verdicts: built from the figures, never written beforehand


def points(found: Interval) -> str:
    """A difference of rates, in words."""
    text = f"{100 * found.mean:+.1f} points"
    return text if found.low == found.high else f"{text} [{100 * found.low:+.1f}, {100 * found.high:+.1f}]"


def judge(statement: str, found: Interval, limit: float = 0.0, *, shown: str = "", many: str = "games") -> str:
    """A line of the note on a statement that says: the figure is above `limit`. `many` is what was observed."""
    if found.low > limit:
        word = "holds"
    elif found.high <= limit:
        word = "does not hold"
    else:
        word = f"is not decided by this many {many}"
    return f"- {statement}: {word} ({shown or points(found)})."


def judge_not(statement: str, found: Interval) -> str:
    """The same, for one that says: the figure is not above zero."""
    word = "does not hold" if found.low > 0 else "holds" if found.high <= 0 else "is neither shown nor refuted"
    return f"- {statement}: {word} ({points(found)})."


def judge_equal(statement: str, found: Interval) -> str:
    """The same, for one that says: there is no difference."""
    agrees = found.low <= 0 <= found.high
    word = "the games agree, though they cannot prove it" if agrees else "does not hold"
    return f"- {statement}: {word} ({points(found)})."


def judge_about(statement: str, paper: float, found: Interval, near: float = 0.05) -> str:
    """The same, for one that gives a rough figure; `near` is what we call near."""
    off = found.mean - paper
    inside = found.low <= paper <= found.high
    if inside and found.high - found.low > 0.2:
        word = "is not decided by this many games"
    elif inside or abs(off) <= near:
        word = "holds, roughly"
    else:
        word = f"does not hold: ours is {abs(100 * off):.1f} points {'higher' if off > 0 else 'lower'}"
    return f"- {statement}: {word} ({points(found)})."


# --- plots


@dataclass(frozen=True)
class Bar:
    label: str
    ours: Interval
    paper: float | None = None


def paint_bars(axes: Axes, bars: Sequence[Bar], title: str, what: str) -> None:
    """Our bars with intervals, the paper's beside them where it has one. Rates are shown in per cent."""
    width = 0.38 if any(bar.paper is not None for bar in bars) else 0.7
    shift = width / 2 if width < 0.5 else 0.0
    at = np.arange(len(bars))
    ours = np.array([bar.ours.mean for bar in bars])
    reach = np.array([[bar.ours.mean - bar.ours.low for bar in bars], [bar.ours.high - bar.ours.mean for bar in bars]])
    axes.bar(at - shift, ours, width, color=OURS, label="ours, 95% interval", yerr=np.maximum(reach, 0), capsize=3)
    told = [(x, bar.paper) for x, bar in zip(at, bars, strict=True) if bar.paper is not None]
    if told:
        axes.bar([x + shift for x, _ in told], [y for _, y in told], width, color=PAPER, label="paper")
    axes.set_xticks(at, [bar.label for bar in bars])
    finish(axes, title, "", what)


def paint_curve(axes: Axes, xs: Sequence[float], ours: Sequence[Interval], label: str = "ours, 95% interval") -> None:
    """A curve on a logarithmic axis, with intervals."""
    mean = np.array([y.mean for y in ours])
    reach = np.array([[y.mean - y.low for y in ours], [y.high - y.mean for y in ours]])
    axes.errorbar(xs, mean, yerr=np.maximum(reach, 0), marker="o", capsize=3, color=OURS, label=label)
    axes.set_xscale("log")
    axes.set_xticks(xs, [f"{x:g}" for x in xs])
    axes.minorticks_off()


def finish(axes: Axes, title: str, x: str, y: str, **legend: Any) -> None:
    axes.set_title(title)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if y.endswith("rate"):
        axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}%")
    axes.legend(**legend)
