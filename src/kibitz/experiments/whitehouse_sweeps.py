"""Whitehouse, Powley and Cowling: how many iterations, how much exploration, how many choices in Dou Di Zhu."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

import kibitz
from kibitz._core import OVER, Seeds, agent_stream, mix
from kibitz.arena.stats import Floats, Interval
from kibitz.experiments import Report, Row, Run, Table, experiment, stats
from kibitz.experiments import matches as m
from kibitz.experiments.whitehouse import DEALS, DETERMINIZED, SEED, choices, ismcts, landlord_wins, per_deal, specs
from kibitz.tables import native_agent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ITERATIONS = (500, 1_000, 2_500, 5_000, 10_000, 20_000, 30_000)
EXPLORATION = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)
PAPER_C, PAPER_BEST = 0.44, 0.408


@experiment(
    "whitehouse/sweeps",
    title="Whitehouse, Powley and Cowling: iterations, exploration and branching in Dou Di Zhu",
    paper=(
        "The landlord is information set UCT, the peasants determinized UCT (40 trees of 250); 1,000 deals, 5 games "
        "each. With c = 0.44 it gets better up to 10,000 iterations (40.8%), and no better beyond. With 10,000 it "
        "is poor for c below 0.5 and best above 1, where c matters little. The first decision has 20 to 70 choices if "
        "kickers are chosen apart, later ones fewer than 10; without that, often more than 300 at the first."
    ),
)
def sweeps(run: Run) -> Report:
    games = run.games(5 * DEALS, quick=6)
    deals, times = min(games, DEALS), max(1, round(games / DEALS))
    peasant = specs(run)[DETERMINIZED]
    thin = 40 if run.settings.quick else 1

    def rates(stage: str, landlord: str) -> Floats:
        return per_deal(landlord_wins(run, stage, [landlord, peasant, peasant], deals, times, size=8))

    by_n = {n: rates(f"iterations-{n}", ismcts(max(1, n // thin), PAPER_C)) for n in ITERATIONS}
    by_c = {c: rates(f"c-{c:g}", ismcts(10_000 // thin, c)) for c in EXPLORATION}
    n = deals * times
    paper = {10_000: f"{PAPER_BEST:.1%}"}
    rows = [m.row(f"{x:,} iterations, c = 0.44", paper.get(x, ""), m.rate(y), n) for x, y in by_n.items()]
    rows += [m.row(f"c = {x:g}, 10,000 iterations", "", m.rate(y), n) for x, y in by_c.items()]
    counts = run.units("branching", 2, lambda unit: branching(run, ("separate", "joint")[unit]))
    rows += _branching_rows(counts)
    tables = {
        "iterations": Table(("iterations", "win rate", "low95", "high95"), _curve(by_n)),
        "exploration": Table(("c", "win rate", "low95", "high95"), _curve(by_c)),
        "branching": Table(
            ("kickers", "decision", "choices", "times"),
            [
                (kickers, when, x, k)
                for kickers, found in zip(("separate", "joint"), counts, strict=True)
                for when, histogram in found.items()
                for x, k in enumerate(histogram)
                if k
            ],
        ),
    }
    return Report(
        rows=rows,
        note=_sweeps_note(by_n, by_c, counts) + choices(run, deals, times),
        tables=tables,
        plots={
            "iterations": lambda axes: _paint_iterations(axes, by_n),
            "exploration": lambda axes: _paint_exploration(axes, by_c),
            "branching": lambda axes: _paint_branching(axes, counts),
        },
    )


def _curve(found: Mapping[Any, Floats]) -> list[tuple[Any, float, float, float]]:
    rates = {x: m.rate(y) for x, y in found.items()}
    return [(x, y.mean, y.low, y.high) for x, y in rates.items()]


def branching(run: Run, kickers: str) -> dict[str, list[int]]:
    """How many choices there are at the first decision of the deals, and at later ones between `rules` players."""
    game = kibitz.make("doudizhu", kickers=kickers)
    seeds = Seeds(mix(SEED, run.settings.seed))
    deals = 50 if run.settings.quick else DEALS
    agent = native_agent(game, "rules")
    found: dict[str, list[int]] = {"first": [], "first, by cards": [], "later": []}
    for deal in range(deals):
        state, rng = game.deal(seeds.deal(deal)), agent_stream(seeds.agent(deal, 0, 0))
        found["first"].append(len(state.legal()))
        if kickers == "joint":
            hand = game.position(state)["hands"][0]
            found["first, by cards"].append(sum(ways(hand, game.text(action)) for action in state.legal()))
        while state.to_act != OVER:
            state.apply(agent.act(state.view(state.to_act), rng))
            if state.to_act != OVER:
                found["later"].append(len(state.legal()))
    return {when: [int(n) for n in np.bincount(counts)] for when, counts in found.items()}


def ways(hand: str, move: str) -> int:
    """In how many ways the cards of a move can be taken from the hand, if suits are told apart."""
    return math.prod(math.comb(hand.count(rank), move.count(rank)) for rank in set(move))


def _branching_rows(counts: Sequence[Mapping[str, Sequence[int]]]) -> list[Row]:
    apart, joint = counts
    first, later = apart["first"], apart["later"]

    def share(figure: str, paper: str, histogram: Sequence[int], low: int, high: int) -> Row:
        n, hits = sum(histogram), sum(histogram[low : high + 1])
        return Row(figure, paper, stats.share(hits, n), n, "{:.1%}")

    def median(figure: str, paper: str, histogram: Sequence[int]) -> Row:
        return Row(figure, paper, stats.quantile(histogram, 0.5), sum(histogram), "{:.0f}")

    return [
        median("first decision, kickers apart: median of choices", "20 to 70", first),
        share("first decision, kickers apart: 20 to 70 choices", "typical", first, 20, 70),
        median("first decision, kickers with the move: median of choices", "", joint["first"]),
        share("first decision, kickers with the move: above 300", "often", joint["first"], 301, 10**6),
        median("the same, suits told apart: median of choices", "", joint["first, by cards"]),
        share("the same, suits told apart: above 300", "often", joint["first, by cards"], 301, 10**6),
        share("later decisions, kickers apart: fewer than 10 choices", "typical", later, 0, 9),
        share("later decisions, kickers apart: no choice", "often", later, 1, 1),
    ]


def _sweeps_note(
    by_n: Mapping[int, Floats], by_c: Mapping[float, Floats], counts: Sequence[Mapping[str, Sequence[int]]]
) -> str:
    low_c = np.mean([by_c[c] for c in EXPLORATION if c < 0.5], axis=0)
    high_c = np.mean([by_c[c] for c in EXPLORATION if c > 1], axis=0)
    rows = {row.figure: row for row in _branching_rows(counts)}
    typical = rows["first decision, kickers apart: 20 to 70 choices"]
    often = rows["first decision, kickers with the move: above 300"]
    suits = rows["the same, suits told apart: above 300"]
    later = rows["later decisions, kickers apart: fewer than 10 choices"]
    shown = f"{typical.ours:.1%} of first decisions"
    lines = [
        m.judge("10,000 iterations win more than 500", m.gap(by_n[10_000], by_n[500])),
        m.judge_equal("30,000 iterations win as often as 10,000", m.gap(by_n[30_000], by_n[10_000])),
        m.judge("c above 1 wins more than c below 0.5", m.gap(high_c, low_c)),
        m.judge_equal("c = 3 wins as often as c = 1", m.gap(by_c[3.0], by_c[1.0])),
        m.judge("20 to 70 choices are typical (more than half)", _interval(typical), 0.5, shown=shown),
        m.judge("later decisions have typically fewer than 10", _interval(later), 0.5, shown=f"{later.ours:.1%}"),
        "- with kickers in the move the first decision often has more than 300 choices: "
        f"in {often.ours:.1%} of deals; in {suits.ours:.1%} if moves of the same ranks in other suits count apart.",
    ]
    end = "Branching is counted in all deals of the set; later decisions are those of games between `rules` players."
    return "\n".join(["What the paper says, judged by the intervals:", "", *lines, "", end])


def _interval(row: Row) -> Interval:
    assert row.interval is not None
    return row.interval


def _paint_iterations(axes: Axes, found: Mapping[int, Floats]) -> None:
    m.paint_curve(axes, list(found), [m.rate(y) for y in found.values()])
    axes.plot([10_000], [PAPER_BEST], marker="D", linestyle="", color="#555753", label="paper")
    m.finish(axes, "Information set UCT as landlord, c = 0.44", "iterations", "win rate")


def _paint_exploration(axes: Axes, found: Mapping[float, Floats]) -> None:
    m.paint_curve(axes, list(found), [m.rate(y) for y in found.values()])
    axes.axvspan(1, max(found), color="#f57900", alpha=0.2, label="paper: best")
    m.finish(axes, "Information set UCT as landlord, 10,000 iterations", "c", "win rate")


def _paint_branching(axes: Axes, counts: Sequence[Mapping[str, Sequence[int]]]) -> None:
    for found, label, colour in zip(
        counts, ("kickers apart", "kickers with the move"), (m.OURS, "#f57900"), strict=True
    ):
        histogram = found["first"]
        axes.step(range(len(histogram)), np.cumsum(histogram) / sum(histogram), label=label, color=colour)
    axes.set_xscale("log")
    axes.axvspan(20, 70, color=m.OURS, alpha=0.15, label="paper: typical, kickers apart")
    axes.axvline(300, color="#555753", linestyle="--", label="paper: often exceeded otherwise")
    m.finish(axes, "Dou Di Zhu, the landlord's first decision", "choices", "share of deals with so many or fewer")
