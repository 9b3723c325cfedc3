"""Strength against thinking: the same search with more and more iterations against a fixed opponent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from kibitz.arena.result import Deals
from kibitz.arena.seatings import Seatings, rotations
from kibitz.arena.stats import Floats, Interval, mean_interval, rate_interval
from kibitz.experiments import Report, Row, Run, Table, experiment
from kibitz.experiments.strength import matches
from kibitz.experiments.strength.matches import AS_GIVEN, PAIR

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LADDER = (10, 32, 100, 316, 1_000, 3_162, 10_000)
QUICK_LADDER = (10, 32)
DEALS_PER_UNIT = 50


@dataclass(frozen=True)
class Case:
    name: str
    game: str
    search: str
    opponent: int  # its iterations
    deals: int
    seatings: Seatings
    seats: str = "xo"  # who plays where in the first seating: x the search on the ladder, o its opponent
    points: bool = False  # mean payoff in place of the share of games won

    def agents(self, iterations: int) -> list[str]:
        of = {"x": iterations, "o": self.opponent}
        return [f"{self.search}:iterations={of[seat]}" for seat in self.seats]

    def measure(self, match: Deals) -> Floats:
        """Per deal."""
        agent = self.seats.index("x")
        return match.gains(agent) if self.points else match.shares(agent)

    @property
    def unit(self) -> str:
        return "points more per deal" if self.points else "games won"


CASES = (
    Case("Uno, 2 players", "uno:rules=rlcard", "ismcts", 100, 1_000, rotations(2)),
    Case("Belote", "belote:scoring=difference", "ismcts", 100, 1_000, PAIR, "xoxo", points=True),
    Case("Dou Di Zhu, landlord", "doudizhu:rules=rlcard", "ismcts", 100, 1_000, AS_GIVEN, "xoo"),
    Case("Dou Di Zhu, peasants", "doudizhu:rules=rlcard", "ismcts", 100, 1_000, AS_GIVEN, "oxx"),
    Case("Mini Dou Di Zhu", "mini_doudizhu", "ismcts", 100, 2_000, rotations(2)),
    Case("Connect Four", "connect_four", "uct", 1_000, 500, rotations(2)),
    Case("Hex 5x5", "hex:size=5", "uct", 1_000, 500, rotations(2)),
)


@dataclass(frozen=True)
class Step:
    """From one budget to the next, on the same deals."""

    before: int
    after: int
    change: Interval

    @property
    def judged(self) -> str:
        return "weaker" if self.change.high < 0 else "stronger" if self.change.low > 0 else "not decided"


@experiment(
    "strength/iterations",
    title="Strength against iterations",
    paper=(
        "More thinking must not make a search weaker. In each game the same search, with 10 to 10,000 iterations in "
        "steps of √10, plays a fixed opponent: itself with 100 iterations (1,000 in the games of stones). All budgets "
        "play the same deals, so that a step up is judged by the difference deal by deal."
    ),
)
def iterations(run: Run) -> Report:
    ladder = QUICK_LADDER if run.settings.quick else LADDER
    rows: list[Row] = []
    lines: list[str] = []
    table: list[tuple[object, ...]] = []
    curves: dict[str, tuple[Case, list[Interval]]] = {}
    for case in CASES:
        found = [_match(run, case, budget) for budget in ladder]
        rates = [_interval(case, match) for match in found]
        row = matches.points_row if case.points else matches.share_row
        for budget, rate, match in zip(ladder, rates, found, strict=True):
            rows.append(row(f"{case.name}: {case.search}, {budget:,} iterations, {case.unit}", "", rate, match.games))
        steps = _steps(case, ladder, found)
        table += [(case.name, s.before, s.after, s.change.mean, s.change.low, s.change.high, s.judged) for s in steps]
        lines.append(_line(case, steps))
        curves[_file(case)] = (case, rates)
    return Report(
        rows=rows,
        note=_summary(table) + "\n\n" + "\n".join(f"- {line}" for line in lines),
        tables={"steps": Table(("game", "from", "to", "change", "low95", "high95", "judged"), table)},
        plots={name: partial(_paint, case=case, ladder=ladder, rates=r) for name, (case, r) in curves.items()},
    )


def _match(run: Run, case: Case, budget: int) -> Deals:
    deals = run.games(case.deals, quick=3)
    name = _file(case)
    # The budget is in the name, since an agent that plays itself is named once.
    stage = f"{name} {budget}"
    return matches.play(run, stage, case.game, case.agents(budget), case.seatings, deals=deals, size=DEALS_PER_UNIT)


def _interval(case: Case, match: Deals) -> Interval:
    deals = case.measure(match)
    return mean_interval(deals, *match.payoff_range) if case.points else rate_interval(deals)


def _steps(case: Case, ladder: Sequence[int], found: Sequence[Deals]) -> list[Step]:
    reach = found[0].payoff_range[1] - found[0].payoff_range[0] if case.points else 1.0
    measures = [case.measure(match) for match in found]
    changes = [mean_interval(after - before, -reach, reach) for before, after in pairwise(measures)]
    return [Step(*budgets, change) for budgets, change in zip(pairwise(ladder), changes, strict=True)]


def _line(case: Case, steps: Sequence[Step]) -> str:
    form = "{:+.1f}" if case.points else "{:+.1%}"
    words = [
        f"{step.before:,} to {step.after:,} {form.format(step.change.mean)} "
        f"({form.format(step.change.low)} to {form.format(step.change.high)}) {step.judged}"
        for step in steps
    ]
    return f"{case.name} ({case.unit}): " + "; ".join(words) + "."


def _summary(table: Sequence[tuple[object, ...]]) -> str:
    weaker = [row for row in table if row[-1] == "weaker"]
    stronger = sum(row[-1] == "stronger" for row in table)
    expected = 0.025 * len(table)
    text = (
        f"Of {len(table)} steps {stronger} are stronger beyond their 95% interval and {len(weaker)} weaker; if no step "
        f"made any difference, {expected:.1f} of each would be expected by chance."
    )
    if not weaker:
        return text + " No step to more iterations shows as weaker."
    named = "; ".join(f"{row[0]} from {row[1]} to {row[2]} iterations" for row in weaker)
    return f"{text} Weaker: {named}."


def _file(case: Case) -> str:
    return matches.stage_of(case.name, "", []).strip("-").lower()


def _paint(axes: Axes, *, case: Case, ladder: Sequence[int], rates: Sequence[Interval]) -> None:
    scale = 1 if case.points else 100
    means = [scale * rate.mean for rate in rates]
    low = [scale * (rate.mean - rate.low) for rate in rates]
    high = [scale * (rate.high - rate.mean) for rate in rates]
    axes.errorbar(ladder, means, yerr=[low, high], color="#3465a4", marker="o", capsize=3)
    axes.axvline(case.opponent, color="#f57900", linestyle="--", label="its opponent")
    axes.set_xscale("log")
    axes.set_xlabel("iterations")
    axes.set_ylabel(case.unit if case.points else f"{case.unit}, %")
    axes.set_title(f"{case.name}: {case.search} against itself with {case.opponent:,} iterations")
    axes.legend()
