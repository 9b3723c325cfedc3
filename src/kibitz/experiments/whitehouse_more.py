"""Whitehouse, Powley and Cowling: what the paper assumes, or leaves to later work, in the full game of Dou Di Zhu."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

import kibitz
from kibitz._core import OVER, Seeds, agent_stream, mix
from kibitz.arena.stats import Floats
from kibitz.experiments import Report, Row, Run, Table, experiment, stats
from kibitz.experiments import matches as m
from kibitz.experiments.whitehouse import DEALS, DETERMINIZED, SEED, choices, landlord_wins, per_deal, specs
from kibitz.tables import native_agent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WORLDS = (5, 10, 20, 40, 80, 160)
EACH = (25, 50, 100, 250, 500, 1_000)
PAPER = (40, 250)


@experiment(
    "whitehouse/determinizations",
    title="Whitehouse, Powley and Cowling: how many determinizations, and how deep, in Dou Di Zhu",
    paper=(
        "Determinized UCT has 40 trees with 250 iterations each. Whether more of the one or of the other would help is "
        "not told."
    ),
)
def determinizations(run: Run) -> Report:
    deals = run.games(DEALS, quick=4)
    thin = 25 if run.settings.quick else 1
    peasant = specs(run)[DETERMINIZED]

    def rates(worlds: int, each: int) -> Floats:
        landlord = f"pimc:worlds={worlds},iterations={worlds * max(1, each // thin)},c=0.7"
        stage = f"{worlds}x{each}"
        return per_deal(landlord_wins(run, stage, [landlord, peasant, peasant], deals, 1, size=16))

    by_worlds = {n: rates(n, PAPER[1]) for n in WORLDS}
    by_each = {n: rates(PAPER[0], n) for n in EACH}
    rows = [m.row(f"{n} worlds, 250 iterations in each", "", m.rate(x), deals) for n, x in by_worlds.items()]
    rows += [m.row(f"40 worlds, {n:,} iterations in each", "", m.rate(x), deals) for n, x in by_each.items()]
    usual = by_worlds[PAPER[0]]
    lines = [
        m.judge("40 worlds win more than 5", m.gap(usual, by_worlds[5])),
        m.judge_equal("160 worlds win as often as 40", m.gap(by_worlds[160], usual)),
        m.judge("250 iterations win more than 25", m.gap(usual, by_each[25])),
        m.judge_equal("1,000 iterations in each world win as often as 250", m.gap(by_each[1_000], usual)),
    ]
    return Report(
        rows=rows,
        note="\n".join(["Is 40 times 250 enough? Judged by the intervals:", "", *lines]) + choices(run, deals, 1),
        tables={
            "worlds": Table(("worlds", "win rate", "low95", "high95"), _curve(by_worlds)),
            "iterations": Table(("iterations", "win rate", "low95", "high95"), _curve(by_each)),
        },
        plots={
            "worlds": lambda axes: _paint(axes, by_worlds, "250 iterations in each world", "worlds"),
            "iterations": lambda axes: _paint(axes, by_each, "40 worlds", "iterations in each world"),
        },
    )


def _curve(found: Mapping[int, Floats]) -> list[tuple[int, float, float, float]]:
    rates = {x: m.rate(y) for x, y in found.items()}
    return [(x, y.mean, y.low, y.high) for x, y in rates.items()]


def _paint(axes: Axes, found: Mapping[int, Floats], title: str, x: str) -> None:
    m.paint_curve(axes, list(found), [m.rate(y) for y in found.values()])
    m.finish(axes, f"Determinized UCT as landlord, {title}", x, "win rate")


# --- what the paper wishes for

_ISMCTS, _MO, _VIEWS, _INFERRING, _DOUBTING = (
    "single observer",
    "multiple observer, moves",
    "multiple observer, views",
    "inference from rules",
    "inference from rules, in doubt",
)


@experiment(
    "whitehouse/wishes",
    title="Whitehouse, Powley and Cowling: several observers and inference in the full game of Dou Di Zhu",
    paper=(
        "The paper leaves two things to later work: a tree for each player's information (MO-ISMCTS), since moves of "
        "others may be hidden from some; and worlds weighed by what players have done, since a determinization is as "
        "likely as any other now."
    ),
)
def wishes(run: Run) -> Report:
    deals = run.games(DEALS, quick=4)
    n = 250 if run.settings.quick else 10_000
    peasant = specs(run)[DETERMINIZED]
    usual = f"ismcts:iterations={n},c=1.0,counts=parent"
    landlords = {
        _ISMCTS: usual,
        _MO: f"mo-ismcts:iterations={n},c=1.0,counts=parent",
        _VIEWS: f"mo-ismcts:iterations={n},c=1.0,counts=parent,observers=views",
        _INFERRING: f"{usual},inference=rules",
        _DOUBTING: f"{usual},inference=rules,doubt=0.5",
    }
    won = {
        name: per_deal(
            landlord_wins(run, name.replace(",", "").replace(" ", "-"), [spec, peasant, peasant], deals, 1, size=16)
        )
        for name, spec in landlords.items()
    }
    rows = [m.row(f"landlord, {name}", "", m.rate(x), deals) for name, x in won.items()]
    rows += [
        m.row(f"{name} less single observer", "", m.gap(x, won[_ISMCTS]), deals, "{:+.1%}")
        for name, x in won.items()
        if name != _ISMCTS
    ]
    lines = [
        m.judge(f"{name} wins more than a single observer that weighs nothing", m.gap(x, won[_ISMCTS]))
        for name, x in won.items()
        if name != _ISMCTS
    ]
    bars = [m.Bar(name.replace(", ", ",\n"), m.rate(x)) for name, x in won.items()]
    how = (
        f"The peasants are determinized UCT, 40 worlds of 250. Searches of the landlord have {n:,} iterations, c = 1. "
        "Inference takes the peasants to play as `rules` does (in doubt: half of the time), which is not how they play."
    )
    return Report(
        rows=rows,
        note="\n".join(["Judged by the intervals:", "", *lines, "", how]) + choices(run, deals, 1),
        tables={"deals": Table(("deal", *won), [(d, *(float(x[d]) for x in won.values())) for d in range(deals)])},
        plots={"landlord": lambda axes: m.paint_bars(axes, bars, "Dou Di Zhu, wins of the landlord", "win rate")},
    )


# --- how large information sets are


@experiment(
    "whitehouse/sets",
    title="Whitehouse, Powley and Cowling: the size of information sets in Dou Di Zhu",
    paper="The full game's information sets hold millions of states at the beginning of a deal.",
)
def sets(run: Run) -> Report:
    deals = 20 if run.settings.quick else DEALS
    found = run.units("sizes", 1, lambda _: sizes(run, deals))[0]
    rows = [
        _median("landlord's first decision: states, suits told apart", "millions", [x[1] for x in found if x[0] == 0]),
        _median("landlord's first decision: states by ranks", "", [x[2] for x in found if x[0] == 0]),
    ]
    million = [float(x[2] > 1e6) for x in found if x[0] == 0]
    rows.append(
        Row(
            "landlord's first decision: more than a million by ranks",
            "",
            stats.share(int(sum(million)), deals),
            deals,
            "{:.1%}",
        )
    )
    by_turn = [(turn, [x[2] for x in found if x[0] == turn]) for turn in range(20)]
    curve = [(turn + 1, *_spread(values)) for turn, values in by_turn if values]
    lines = [
        m.judge(
            "at the landlord's first decision there are typically (in more than half of the deals) millions of states, "
            "moves of the same ranks in other suits being one",
            m.rate(np.array(million)),
            0.5,
            shown=f"more than a million in {np.mean(million):.1%} of the deals",
            many="deals",
        )
    ]
    how = (
        f"{deals:,} deals (those of the other experiments), played by `rules`. A state of the information set is a way "
        "to share the unseen cards out between the two others, who hold as many as they are seen to hold; the landlord "
        "knows that the three cards in the middle are its own, and what a pass may tell is left out."
    )
    return Report(
        rows=rows,
        note="\n".join(["What the paper says, judged by the intervals:", "", *lines, "", how]),
        tables={"sizes": Table(("decision", "low10", "median", "high90"), curve)},
        plots={"sizes": lambda axes: _paint_sizes(axes, curve)},
    )


def _spread(values: list[float]) -> tuple[float, float, float]:
    low, median, high = np.quantile(values, (0.1, 0.5, 0.9))
    return float(low), float(median), float(high)


def _median(figure: str, paper: str, values: list[float]) -> Row:
    return Row(figure, paper, float(np.median(values)), len(values), "{:.3g}")


def sizes(run: Run, deals: int) -> list[tuple[int, float, float]]:
    """The landlord's decisions in games between `rules` players: which, states with suits, states by ranks."""
    game = kibitz.make("doudizhu", kickers="separate")
    seeds, agent = Seeds(mix(SEED, run.settings.seed)), native_agent(game, "rules")
    out = []
    for deal in range(deals):
        state, rng, turn = game.deal(seeds.deal(deal)), agent_stream(seeds.agent(deal, 0, 0)), 0
        while state.to_act != OVER:
            if state.to_act == 0:
                out.append((turn, *size_of(game.position(state), 0)))
                turn += 1
            state.apply(agent.act(state.view(state.to_act), rng))
    return out


def size_of(position: Mapping[str, Any], seat: int) -> tuple[float, float]:
    """In how many ways the cards of the two others can be shared between them: by cards, and by ranks."""
    first, second = (position["hands"][other] for other in range(3) if other != seat)
    ways = np.ones(1)
    for rank in set(first + second):
        ways = np.convolve(ways, np.ones((first + second).count(rank) + 1))
    return float(math.comb(len(first) + len(second), len(first))), float(ways[len(first)])


def _paint_sizes(axes: Axes, curve: list[tuple[int, float, float, float]]) -> None:
    turns, low, median, high = (list(column) for column in zip(*curve, strict=True))
    axes.fill_between(turns, low, high, color=m.OURS, alpha=0.25, label="80% of the deals")
    axes.plot(turns, median, color=m.OURS, marker="o", label="median")
    axes.set_yscale("log")
    m.finish(axes, "Dou Di Zhu, size of the landlord's information set", "decision of the landlord", "states by ranks")
