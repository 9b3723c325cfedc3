"""Whitehouse, Powley and Cowling: Dou Di Zhu on a fixed set of 1,000 deals.

The set is the deals of one seed, the same for all experiments here: `--seed 1` (the default) is ours, the paper's own
is not public. A deal is played several times by giving the core the same seating so often.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

import kibitz
from kibitz._core import mix
from kibitz.arena.stats import Floats, Interval
from kibitz.experiments import Report, Row, Run, Table, experiment
from kibitz.experiments import matches as m

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DEALS = 1_000
SEED = 2011  # with the run's seed it gives the fixed set of deals
CHEATING, DETERMINIZED, ISMCTS = "cheating UCT", "determinized UCT", "information set UCT"


def specs(run: Run) -> dict[str, str]:
    """40 trees with 250 iterations each, or 10,000 in all; a quick test has a fortieth of that."""
    n = 250 if run.settings.quick else 10_000
    return {
        CHEATING: f"cheat-uct:trees=40,iterations={n},c=0.7",
        DETERMINIZED: f"pimc:worlds=40,iterations={n},c=0.7",
        ISMCTS: ismcts(n, 1.0),
    }


def ismcts(iterations: int, c: float) -> str:
    return f"ismcts:iterations={iterations},c={c},counts=parent"


def landlord_wins(run: Run, stage: str, players: Sequence[str], deals: int, times: int, size: int) -> Floats:
    """[deal, game]: 1 where seat 0, the landlord, wins."""
    game = kibitz.make("doudizhu", kickers="separate")
    pieces = m.parts(deals, size)

    def work(unit: int) -> list[list[int]]:
        seed = mix(SEED, run.settings.seed)
        payoffs = m.play(game, players, [[0, 1, 2]] * times, seed, pieces[unit], run.threads)
        return [[int(won) for won in deal] for deal in payoffs[:, :, 0] > 0]

    return np.array([deal for part in run.units(stage, len(pieces), work) for deal in part], float)


def per_deal(games: Floats) -> Floats:
    """The mean of each deal."""
    return np.asarray(games.mean(axis=1))


# --- table 1

SEATS = {"player 1": (0,), "player 2": (1,), "player 3": (2,), "players 2 and 3": (1, 2)}
TABLE_1 = {
    "player 1": (0.499, 0.430),
    "player 2": (0.656, 0.570),
    "player 3": (0.689, 0.570),
    "players 2 and 3": (0.780, 0.570),
}


@experiment(
    "whitehouse/table1",
    title="Whitehouse, Powley and Cowling, Table 1: the worth of cheating in Dou Di Zhu",
    paper=(
        "1,000 fixed deals. Win rate of some players when they use cheating UCT or determinized UCT (40 trees or "
        "worlds with 250 iterations each) and all others determinized UCT. Player 1 is the landlord."
    ),
)
def table1(run: Run) -> Report:
    games = run.games(DEALS, quick=6)
    deals, times = min(games, DEALS), max(1, round(games / DEALS))
    kinds = specs(run)

    def rates(stage: str, cheats: tuple[int, ...]) -> Floats:
        players = [kinds[CHEATING if seat in cheats else DETERMINIZED] for seat in range(3)]
        return per_deal(landlord_wins(run, stage, players, deals, times, size=16))

    base = rates("determinized", ())
    won = {name: rates(f"cheating-{name}".replace(" ", "-"), seats) for name, seats in SEATS.items()}
    rows, bars, gaps = [], [], {}
    for name, seats in SEATS.items():
        landlord = seats == (0,)  # the peasants win where the landlord does not
        cheating, plain = (x if landlord else 1 - x for x in (won[name], base))
        gaps[name] = m.gap(cheating, plain)
        said = TABLE_1[name]
        for kind, values, paper in (("cheating", cheating, said[0]), ("determinized", plain, said[1])):
            rows.append(m.row(f"{name}, {kind}", f"{paper:.1%}", m.rate(values), deals * times))
            bars.append(m.Bar(f"{name.replace(' and ', '+')}\n{kind}", m.rate(values), paper))
        rows.append(m.row(f"{name}, difference", f"{said[0] - said[1]:+.1%}", gaps[name], deals * times, "{:+.1%}"))
    table = [(d, base[d], *(won[name][d] for name in won)) for d in range(deals)]
    title = "Dou Di Zhu, wins of the players named"
    return Report(
        rows=rows,
        note=_table1_note(gaps, base, won) + choices(run, deals, times),
        tables={"deals": Table(("deal", "landlord, none cheats", *(f"landlord, {x} cheats" for x in won)), table)},
        plots={"wins": lambda axes: m.paint_bars(_small(axes), bars, title, "win rate")},
    )


def _small(axes: Axes) -> Axes:
    axes.tick_params(axis="x", labelsize=7)
    return axes


def _table1_note(gaps: Mapping[str, Interval], base: Floats, won: Mapping[str, Floats]) -> str:
    both = m.gap(won["player 3"], won["players 2 and 3"])
    lines = [
        *(m.judge(f"{name} wins more when cheating", found) for name, found in gaps.items()),
        m.judge("player 3 gains more than player 2", m.gap(won["player 2"], won["player 3"])),
        m.judge("both peasants together gain more than player 3 alone", both),
        m.judge(
            "without cheating the peasants win more than half",
            m.rate(1 - base),
            0.5,
            shown=f"{float(1 - base.mean()):.1%}",
        ),
    ]
    return "\n".join(["What the table shows, judged by the intervals:", "", *lines])


def choices(run: Run, deals: int, times: int) -> str:
    """The end of every note: what was played, and what the paper leaves open."""
    quick = " This is a quick test: searches have a fortieth of the iterations." if run.settings.quick else ""
    less = f", the first {deals:,} of the fixed set of 1,000" if deals < DEALS else ""
    return f"""

{deals:,} deals{less}, each played {times} {"time" if times == 1 else "times"} by every line-up; an interval takes a
deal as one observation, and differences are those on the same deals.{quick}

The paper's own deals are not public, and chosen in a way that is described elsewhere; ours are random (the deals of
seed mix({SEED}, {run.settings.seed})), so that rates of landlords may differ for that alone. Kickers are a second
decision, as in the paper. It names no exploration for determinized and cheating UCT: we took 0.7, for rewards between 0
and 1. Whether its c is for such rewards it does not say, either; for rewards of ±1 ours would be half of it."""


# --- table 2

THRESHOLDS: dict[str, tuple[float, float]] = {  # the difference is above the first and at most the second
    "none": (-math.inf, math.inf),
    "< 0%": (-math.inf, -1e-9),
    "= 0%": (-1e-9, 1e-9),
    "> 0%": (1e-9, math.inf),
    "> 25%": (0.25 + 1e-9, math.inf),
    "> 50%": (0.50 + 1e-9, math.inf),
    "> 75%": (0.75 + 1e-9, math.inf),
}
TABLE_2 = {  # determinized, information set, deals
    "none": (0.424, 0.420, 1000),
    "< 0%": (0.530, 0.452, 133),
    "= 0%": (0.449, 0.433, 138),
    "> 0%": (0.400, 0.411, 729),
    "> 25%": (0.316, 0.384, 166),
    "> 50%": (0.204, 0.350, 12),
    "> 75%": (0.150, 0.950, 1),
}
LANDLORD = {CHEATING: 0.540, DETERMINIZED: 0.424, ISMCTS: 0.420}


@experiment(
    "whitehouse/table2",
    title="Whitehouse, Powley and Cowling, Table 2: information set UCT where cheating helps",
    paper=(
        "1,000 fixed deals, each played 40 times with the landlord as cheating UCT, determinized UCT and information "
        "set UCT, 10,000 iterations, c = 1.0 for the last; the peasants use determinized UCT. The landlord wins 54.0%, "
        "42.4% and 42.0%. Deals are then filtered by how much more cheating UCT wins than determinized UCT."
    ),
)
def table2(run: Run) -> Report:
    deals, times = shape(run)
    kinds = specs(run)
    won = {
        name: landlord_wins(
            run, name.replace(" ", "-"), [spec, kinds[DETERMINIZED], kinds[DETERMINIZED]], deals, times, size=2
        )
        for name, spec in kinds.items()
    }
    rates = {name: m.rate(x.mean(axis=1)) for name, x in won.items()}
    rows = [m.row(f"landlord, {name}", f"{LANDLORD[name]:.1%}", x, deals * times) for name, x in rates.items()]
    apart = m.gap(won[ISMCTS].mean(axis=1), won[DETERMINIZED].mean(axis=1))
    rows.append(m.row("information set less determinized", "-0.4%", apart, deals * times, "{:+.1%}"))
    same = by_threshold(won, slice(None), slice(None))
    fair = by_threshold(won, slice(0, None, 2), slice(1, None, 2))
    rows += _threshold_rows(same, times, "") + _threshold_rows(fair, times // 2, ", other games")
    table = [(d, *(float(x[d].mean()) for x in won.values())) for d in range(deals)]
    bars = [m.Bar(name, x, LANDLORD[name]) for name, x in rates.items()]
    return Report(
        rows=rows,
        note=_table2_note(apart, won, same, fair) + choices(run, deals, times),
        tables={"deals": Table(("deal", *won), table)},
        plots={
            "landlord": lambda axes: m.paint_bars(axes, bars, "Dou Di Zhu, wins of the landlord", "win rate"),
            "thresholds": lambda axes: _paint_thresholds(axes, same, fair),
        },
    )


def shape(run: Run) -> tuple[int, int]:
    """Deals, and games on each. Less scale takes from both alike: few games on a deal cannot tell its win rate, and few
    deals are no sample."""
    if run.settings.quick:
        return 4, 4
    root = math.sqrt(run.settings.scale)
    return min(DEALS, max(2, round(DEALS * root))), max(4, 2 * round(20 * root))


Selected = dict[str, tuple[Floats, Floats]]  # win rates of determinized and information set UCT, per deal


def by_threshold(won: Mapping[str, Floats], chosen: slice, counted: slice) -> Selected:
    """Deals chosen by some of their games, with win rates counted in some (the same, or others)."""
    difference = won[CHEATING][:, chosen].mean(axis=1) - won[DETERMINIZED][:, chosen].mean(axis=1)
    out = {}
    for name, (above, to) in THRESHOLDS.items():
        of = (difference > above) & (difference <= to)
        out[name] = (per_deal(won[DETERMINIZED][of][:, counted]), per_deal(won[ISMCTS][of][:, counted]))
    return out


def _threshold_rows(found: Selected, times: int, label: str) -> list[Row]:
    rows = []
    for name, (plain, sets) in found.items():
        n, said = len(plain), TABLE_2[name]
        if n == 0:
            continue
        of = f"{'all deals' if name == 'none' else name}{label} (deals: {n}, paper {said[2]})"
        rows.append(m.row(f"{of}: determinized", f"{said[0]:.1%}", m.rate(plain), n * times))
        rows.append(m.row(f"{of}: information set", f"{said[1]:.1%}", m.rate(sets), n * times))
        rows.append(m.row(f"{of}: difference", f"{said[1] - said[0]:+.1%}", m.gap(sets, plain), n * times, "{:+.1%}"))
    return rows


def _table2_note(apart: Interval, won: Mapping[str, Floats], same: Selected, fair: Selected) -> str:
    lines = [
        m.judge_equal("as landlord, information set UCT wins as often as determinized UCT", apart),
        *(
            m.judge(f"cheating UCT wins more than {name}", m.gap(per_deal(won[CHEATING]), per_deal(won[name])))
            for name in (DETERMINIZED, ISMCTS)
        ),
    ]
    for found, games in ((same, "in the games that chose the deals"), (fair, "in other games")):
        for name, sign in (("> 0%", 1), ("> 25%", 1), ("< 0%", -1)):
            plain, sets = found[name]
            words = "better" if sign > 0 else "worse"
            what = f"where cheating gains {name}, information set UCT is {words}, {games}"
            lines.append(m.judge(what, m.gap(sets, plain) if sign > 0 else m.gap(plain, sets)) if len(plain) else "")
    text = """
The paper counts wins in the same games by which it chose the deals. Determinized UCT had bad luck in the deals where it
lost more than cheating UCT, and good luck in the others: that alone lets information set UCT, whose luck was not
chosen, look better above zero and worse below. So the table has each line twice: as in the paper, and (other games)
with deals chosen by every other game and wins counted in the rest, where luck is left out. The fewer games on a deal,
the larger this effect is: lines of the first kind compare with the paper's only at 40 games."""
    return "\n".join(["What the paper concludes, judged by the intervals:", "", *filter(None, lines), text])


def _paint_thresholds(axes: Axes, same: Selected, fair: Selected) -> None:
    for at, (found, label, colour) in enumerate(
        ((same, "ours, same games", "#f57900"), (fair, "ours, other games", m.OURS))
    ):
        shown = [(x, m.gap(sets, plain)) for x, (plain, sets) in enumerate(found.values()) if len(plain)]
        ys = [y.mean for _, y in shown]
        reach = np.maximum([[y.mean - y.low for _, y in shown], [y.high - y.mean for _, y in shown]], 0)
        xs = [x + 0.27 * (at - 1) for x, _ in shown]
        axes.bar(xs, ys, 0.26, color=colour, yerr=reach, capsize=2, label=f"{label}, 95% interval")
    paper = [sets - plain for plain, sets, _ in TABLE_2.values()]
    axes.bar([x + 0.27 for x in range(len(paper))], paper, 0.26, color=m.PAPER, label="paper")
    axes.set_xticks(range(len(THRESHOLDS)), list(THRESHOLDS))
    axes.axhline(0, color="#555753", linewidth=1)
    m.finish(
        axes, "Information set UCT against determinized UCT", "cheating less determinized", "difference of win rate"
    )
