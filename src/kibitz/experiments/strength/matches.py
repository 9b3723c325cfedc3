"""Matches as units of a resumable run, and what is counted in them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

import kibitz
from kibitz._core import Game
from kibitz.arena.match import MatchTask, Outcome, Setup, prepare
from kibitz.arena.result import Chunk, Deals
from kibitz.arena.seatings import Seatings, seated
from kibitz.arena.stats import Interval, sides_of, winners
from kibitz.experiments import Report, Row, Run, Table
from kibitz.protocols import Agent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAIR: Seatings = [[0, 1, 2, 3], [1, 2, 3, 0]]  # four seats, partners opposite: a deal and the same with sides changed
AS_GIVEN: Seatings = [[0, 1, 2]]
CLOCKS = ("seconds", "moves")  # of each agent in a saved part


def play(
    run: Run,
    name: str,
    game: str,
    agents: Sequence[str],
    seatings: Seatings,
    *,
    deals: int,
    size: int,
) -> Deals:
    """A match of `deals` deals in units of `size`. Equal sizes give equal deals, whoever plays them."""
    made = kibitz.make(game)

    def work(unit: int) -> dict[str, Any]:
        setup = prepare(made, agents, run.seed_of(unit), run.threads, seatings, True)
        return part_of(setup, min(size, deals - unit * size))

    parts = run.units(stage_of(name, game, agents), -(-deals // size), work)
    return match_of(made, seatings, parts)


def part_of(setup: Setup, count: int) -> dict[str, Any]:
    """Plays one unit; JSON."""
    chunks: list[Chunk] = []
    Outcome(setup, count, None, chunks.append).run(MatchTask(setup.player(), setup.seed))
    if sum(len(chunk.payoffs) for chunk in chunks) < count:
        raise KeyboardInterrupt  # the arena hands back what was finished; half a unit is none
    chunks.sort(key=lambda chunk: chunk.first)
    payoffs = np.concatenate([chunk.payoffs for chunk in chunks])
    return {
        "payoffs": payoffs.tolist(),
        "seconds": sum(chunk.seconds.sum(axis=(0, 1)) for chunk in chunks).tolist(),
        "moves": [int(sum(chunk.timed[..., a].sum() for chunk in chunks)) for a in range(payoffs.shape[-1])],
    }


def match_of(game: Game, seatings: Seatings, parts: Sequence[dict[str, Any]]) -> Deals:
    payoffs = np.concatenate([np.asarray(part["payoffs"], np.float64) for part in parts])
    found = Deals.of(payoffs, *winners(payoffs, seated(sides_of(game), seatings)))
    seconds, moves = ([sum(each) for each in zip(*(part[what] for part in parts), strict=True)] for what in CLOCKS)
    return replace(found, payoff_range=game.payoff_range, seconds=seconds, moves=moves)


def stage_of(name: str, game: str, agents: Sequence[str | Agent]) -> str:
    """A file name that says what was played; agents that sit several times are named once."""
    names = dict.fromkeys(agent if isinstance(agent, str) else agent.name for agent in agents)
    text = " ".join([name, game, *names])
    slug = re.sub(r"[^A-Za-z0-9.=]+", "-", text)
    return slug if len(slug) <= 120 else f"{slug[:100]}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def share_row(figure: str, goal: str, rate: Interval, games: int) -> Row:
    return Row(figure, goal, rate, games, "{:.1%}")


def points_row(figure: str, goal: str, mean: Interval, games: int) -> Row:
    return Row(figure, goal, mean, games, "{:+.1f}")


def verdict(what: str, rate: Interval, goal: float) -> str:
    """A goal is reached when the lower end of the interval reaches it."""
    found = f"{rate.mean:.1%} ({rate.low:.1%} to {rate.high:.1%})"
    if rate.low >= goal:
        return f"{what}: {found}, the goal of {goal:.0%} is reached."
    if rate.high < goal:
        return f"{what}: {found}, the goal of {goal:.0%} is missed."
    return f"{what}: {found}, whether the goal of {goal:.0%} is reached is not decided by this many games."


def cheats(spec: str) -> str:
    """The spec, marked if the agent peeks."""
    return f"{spec} (cheats)" if kibitz.agent(spec).peeks else spec


class Figures:
    """Matches of one agent each, as they come: a row, a bar and the time per move of the agent."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self._bars: list[tuple[str, Interval]] = []
        self._times: list[tuple[str, float]] = []

    def add(self, label: str, goal: str, match: Deals) -> None:
        self.rows.append(share_row(label, goal, match.win_rate(), match.games))
        self._bars.append((label, match.win_rate()))
        self._times.append((label, match.milliseconds([0])))

    def report(self, title: str, verdicts: Sequence[str], note: str, marks: Sequence[float]) -> Report:
        return Report(
            rows=self.rows,
            note="\n".join(f"- {line}" for line in verdicts) + note,
            tables={"times": times(self._times)},
            plots={"win-rates": lambda axes: paint_bars(axes, title, "games won, %", self._bars, marks)},
        )


TIMES = "`times.csv` has the mean time per move, forced ones included. It differs from run to run."


def times(measured: Sequence[tuple[str, float]]) -> Table:
    return Table(("agent and match", "ms per move"), [(who, round(ms, 4)) for who, ms in measured])


def paint_bars(
    axes: Axes, title: str, label: str, bars: Sequence[tuple[str, Interval]], marks: Sequence[float]
) -> None:
    """Horizontal bars with their intervals, shares in per cent; dashed lines at the marks (goals, fair shares)."""
    names = [name for name, _ in bars]
    means = [100 * rate.mean for _, rate in bars]
    low = [100 * (rate.mean - rate.low) for _, rate in bars]
    high = [100 * (rate.high - rate.mean) for _, rate in bars]
    axes.barh(range(len(bars)), means, xerr=[low, high], color="#3465a4", ecolor="#2e3436", capsize=3)
    axes.set_yticks(range(len(bars)), names, fontsize=8)
    axes.invert_yaxis()
    for mark in marks:
        axes.axvline(100 * mark, color="#f57900", linestyle="--")
    axes.set_xlim(0, 100)
    axes.set_xlabel(label)
    axes.set_title(title, loc="right")  # long names leave little room on the right of the axis
