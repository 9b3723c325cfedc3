"""Training curves over several seeds: figures, CSV, plots. A training is one observation in every interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.arena.stats import Floats, Interval, mean_interval
from kibitz.experiments.matches import judge
from kibitz.experiments.report import Row, Table
from kibitz.experiments.run import Run
from kibitz.experiments.training import Job, Trained, seeds, train_all

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#cc0000", "#3465a4", "#4e9a06", "#75507b", "#c17d11", "#555753", "#06989a")
COLUMNS = ("episodes", "updates", "epsilon", "loss", "q", "reward", "win_rate", "games")
PROBED = ("predicted", "obtained", "error")


@dataclass(frozen=True)
class Plan:
    """A method to be trained with every seed."""

    method: str
    settings: Mapping[str, Any]
    steps: Mapping[str, int]
    keeps: bool = True
    probes: bool = False

    def jobs(self, run: Run) -> list[Job]:
        step, points = self.steps["step"], self.steps["points"]
        return [
            Job(self.method, {**self.settings, "seed": seed >> 1}, step, points, self.keeps, self.probes)
            for seed in seeds(run)
        ]


@dataclass(frozen=True)
class Curve:
    """The trainings of one method, one for each seed."""

    label: str
    seeds: list[Trained]

    def of(self, column: str) -> Floats:
        """[seed, point]"""
        return np.array([trained.column(column) for trained in self.seeds], dtype=np.float64)

    @property
    def episodes(self) -> Floats:
        mean: Floats = self.of("episodes").mean(axis=0)
        return mean

    @property
    def points(self) -> int:
        return self.seeds[0].job.points

    @property
    def games(self) -> int:
        """Test games of all points of all seeds."""
        return int(self.of("games").sum())

    def whole(self, column: str) -> Floats:
        """The mean over the whole curve, of each seed."""
        mean: Floats = self.of(column).mean(axis=1)
        return mean

    def late(self, column: str) -> Floats:
        """The mean over the last fifth of the points, of each seed: the best of noisy tests would flatter."""
        mean: Floats = self.of(column)[:, -self.fifth :].mean(axis=1)
        return mean

    def early(self, column: str) -> Floats:
        mean: Floats = self.of(column)[:, : self.fifth].mean(axis=1)
        return mean

    @property
    def fifth(self) -> int:
        return max(1, self.points // 5)

    @property
    def late_games(self) -> int:
        return int(self.of("games")[:, -self.fifth :].sum())


def run_plans(run: Run, plans: Mapping[str, Plan]) -> dict[str, Curve]:
    """All curves, by label."""
    jobs = {label: plan.jobs(run) for label, plan in plans.items()}
    trained = iter(train_all(run, [job for some in jobs.values() for job in some]))
    return {label: Curve(label, [next(trained) for _ in some]) for label, some in jobs.items()}


def over_seeds(values: Floats, low: float = -2.0, high: float = 2.0) -> Interval:
    """The mean over trainings: Student's t, which is wide for three of them."""
    # Rounded, so that equal values are seen to be equal: what is left of rounding is no variance.
    return mean_interval(np.round(values, 12), low, high)


def rate_over_seeds(values: Floats) -> Interval:
    return over_seeds(values, 0.0, 1.0)


def seed_row(figure: str, paper: str, found: Interval, games: int, form: str = "{:.3f}") -> Row:
    return Row(figure, paper, found, games, form)


def curve_rows(curve: Curve, reward: str = "", rate: str = "") -> list[Row]:
    """What the table says of a curve; the texts are the paper's figures at its end."""
    label = curve.label
    return [
        seed_row(f"{label}: reward, last fifth", reward, over_seeds(curve.late("reward"), -1, 1), curve.late_games),
        seed_row(
            f"{label}: win rate, last fifth", rate, rate_over_seeds(curve.late("win_rate")), curve.late_games, "{:.1%}"
        ),
        seed_row(f"{label}: reward, whole curve", "", over_seeds(curve.whole("reward"), -1, 1), curve.games),
    ]


def table_of(curves: Mapping[str, Curve]) -> Table:
    """Every point of every seed."""
    lines = [
        (label, seed, *(point[c] for c in COLUMNS), *(point.get(c, "") for c in PROBED))
        for label, curve in curves.items()
        for seed, trained in enumerate(curve.seeds)
        for point in trained.points
    ]
    return Table(("method", "seed", *COLUMNS, *PROBED), lines)


def paint_band(axes: Axes, x: Floats, values: Floats, colour: str, label: str, style: str = "-") -> None:
    """The mean over the seeds [seed, point], and from the lowest to the highest of them."""
    axes.plot(x, values.mean(axis=0), style, color=colour, label=label)
    axes.fill_between(x, values.min(axis=0), values.max(axis=0), color=colour, alpha=0.15, linewidth=0)


def paint_curves(axes: Axes, curves: Sequence[Curve], column: str, title: str) -> None:
    for curve, colour in zip(curves, COLOURS, strict=False):
        paint_band(axes, curve.episodes, curve.of(column), colour, curve.label)
    axes.set_xlabel("training games")
    axes.set_ylabel("reward" if column == "reward" else "win rate")
    axes.set_title(f"{title}: mean and range of {len(curves[0].seeds)} seeds")
    legend_beside(axes)


def legend_beside(axes: Axes) -> None:
    """Bands leave no free corner."""
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8)


def gap_of(found: Interval) -> str:
    """A difference of rewards, in words."""
    return f"{found.mean:+.3f} [{found.low:+.3f}, {found.high:+.3f}]"


def length_note(curves: Sequence[Curve], paper: str = "") -> str:
    """How long was trained here, and how much chance was left in the last moves of the training."""
    lengths: dict[tuple[int, int, str], list[str]] = {}
    for curve in curves:
        job, left = curve.seeds[0].job, float(curve.of("epsilon")[:, -1].max())
        lengths.setdefault((job.episodes, job.step, f"{left:.2f}"), []).append(curve.label)
    told = []
    for (episodes, step, epsilon), labels in lengths.items():
        named = "; ".join(labels) if len(labels) <= 6 else f"{len(labels)} settings"
        who = f" ({named})" if len(lengths) > 1 else ""
        told.append(f"{episodes:,} games, tested after every {step:,}, with ε at {epsilon} in the end{who}")
    return f"\n\nTrained here with each of {len(curves[0].seeds)} seeds: {', '.join(told)}. {paper}".rstrip()


def judge_seeds(statement: str, found: Interval, limit: float = 0.0, *, shown: str = "") -> str:
    """A line of the note on a statement about a method: its figure is above `limit`."""
    return judge(statement, found, limit, shown=shown or gap_of(found), many="trainings")


INTERVALS = """

Intervals take a training as one observation (Student's t, wide for so few), since the tests of one training have its
luck in common."""
