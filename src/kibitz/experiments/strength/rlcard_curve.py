"""rlcard's own DQN, trained on rlcard's environment of Uno and on ours: do the curves agree?"""

from __future__ import annotations

import contextlib
import io
import random
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.adapters import peer, rlcard_env
from kibitz.arena.stats import Floats, Interval, mean_interval
from kibitz.experiments import Report, Row, Run, experiment
from kibitz.experiments.curves import COLOURS, paint_band
from kibitz.experiments.report import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SEEDS = 5
POINTS = 5
EPISODES = 2_000  # of each training, at scale 1
TEST_GAMES = 1_000  # after each fifth of them
PACKAGE = "rlcard==1.2.0"
SIDES = ("rlcard", "kibitz")
AGENT = {"mlp_layers": [64, 64], "learning_rate": 5e-4}  # all else is rlcard's default
FIGURES = {"won": "games won", "predicted": "predicted value", "decisions": "decisions of the learner per game"}


@experiment(
    "strength/rlcard-curve",
    title="rlcard's DQN on rlcard's environment of Uno and on ours",
    paper=(
        "`DQNAgent` of rlcard 1.2.0 learns two-player Uno against its `RandomAgent`, once on `rlcard.make('uno')` and "
        "once on `kibitz.adapters.rlcard_env.make('uno')`, with nothing else changed. If the environments agree, "
        "so do the curves, up to chance. The column *paper* has rlcard's environment, *ours* the difference."
    ),
)
def rlcard_curve(run: Run) -> Report:
    step = run.games(EPISODES, quick=10 * POINTS) // POINTS
    tests = run.games(TEST_GAMES, quick=10)
    seeds = 2 if run.settings.quick else SEEDS

    def work(unit: int) -> list[dict[str, float]]:
        return train(SIDES[unit % 2], run.seed_of(unit // 2) >> 33, step, tests)

    units = run.units("trainings", 2 * seeds, work)
    curves = {side: {name: _column(units[at::2], name) for name in FIGURES} for at, side in enumerate(SIDES)}
    games = 2 * seeds * POINTS * tests
    rows, verdicts = [], []
    for name, words in FIGURES.items():
        theirs, ours = (curves[side][name].mean(axis=1) for side in SIDES)  # [seed]: over the whole curve
        gap = mean_interval(ours - theirs, -np.inf, np.inf)
        rows.append(Row(f"{words}: mean of the curve, difference", f"{theirs.mean():.3f}", gap, games))
        verdicts.append(_verdict(words, gap))
    episodes = step * np.arange(1.0, POINTS + 1)
    last = {name: curves[side]["won"][:, -1].mean() for name, side in zip(("theirs", "ours"), SIDES, strict=True)}
    return Report(
        rows=rows,
        note="\n".join(verdicts)
        + _NOTE.format(seeds=seeds, episodes=step * POINTS, tests=tests, rate=AGENT["learning_rate"], **last),
        tables={"curves": _table(curves, step)},
        plots={name: partial(_paint, name, episodes, curves) for name in ("won", "predicted")},
    )


def train(side: str, seed: int, step: int, tests: int) -> list[dict[str, float]]:
    """One training: a row of figures after every `step` games."""
    agents = peer("rlcard.agents", PACKAGE)
    reorganize = peer("rlcard.utils", PACKAGE).reorganize
    with _chance(seed):
        env = _environment(side, seed)
        agent = agents.DQNAgent(num_actions=env.num_actions, state_shape=env.state_shape[0], **AGENT)
        other = agents.RandomAgent(num_actions=env.num_actions)
        rows = []
        for point in range(POINTS):
            env.set_agents([agent, other])
            for _ in range(step):
                trajectories, payoffs = env.run(is_training=True)
                with contextlib.redirect_stdout(io.StringIO()):  # it prints every loss
                    for transition in reorganize(trajectories, payoffs)[0]:
                        agent.feed(transition)
            rows.append(_test(_environment(side, seed + 1 + point), agent, other, tests))
        return rows


def _environment(side: str, seed: int) -> Any:
    if side == "kibitz":
        return rlcard_env.make("uno", {"seed": seed})
    return peer("rlcard", PACKAGE).make("uno", config={"seed": seed})


class _Watched:
    """Plays as the agent does in tests, and adds up what it predicts."""

    use_raw = False

    def __init__(self, agent: Any) -> None:
        self.agent, self.predicted = agent, 0.0
        self.decisions = 0

    def eval_step(self, state: Any) -> tuple[int, dict[str, Any]]:
        values = self.agent.predict(state)  # those of illegal actions are minus infinity
        self.predicted += float(np.max(values))
        self.decisions += 1
        return int(np.argmax(values)), {}


def _test(env: Any, agent: Any, other: Any, games: int) -> dict[str, float]:
    watched = _Watched(agent)
    won = 0
    for game in range(games):
        env.set_agents([watched, other] if game % 2 == 0 else [other, watched])
        won += int(env.run()[1][game % 2] > 0)
    return {
        "won": won / games,
        "predicted": watched.predicted / max(1, watched.decisions),
        "decisions": watched.decisions / games,
    }


@contextlib.contextmanager
def _chance(seed: int) -> Iterator[None]:
    """rlcard's agents draw from all the global streams, which are given back as they were."""
    torch = peer("torch", "torch")
    before = random.getstate(), np.random.get_state(), torch.get_rng_state(), torch.get_num_threads()
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    try:
        yield
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])
        torch.set_rng_state(before[2])
        torch.set_num_threads(before[3])


def _column(trainings: list[list[dict[str, float]]], name: str) -> Floats:
    """[seed, point]"""
    return np.array([[row[name] for row in rows] for rows in trainings])


def _verdict(words: str, gap: Interval) -> str:
    found = f"{gap.mean:+.3f} [{gap.low:+.3f}, {gap.high:+.3f}]"
    shown = "no difference is shown" if gap.low <= 0 <= gap.high else "the environments differ"
    return f"- {words[0].upper()}{words[1:]}: {shown}. Ours less rlcard's: {found}."


def _table(curves: dict[str, dict[str, Floats]], step: int) -> Table:
    rows = [
        [side, seed, step * (point + 1), *(float(figures[name][seed, point]) for name in FIGURES)]
        for side, figures in curves.items()
        for seed in range(figures["won"].shape[0])
        for point in range(POINTS)
    ]
    return Table(["environment", "seed", "episodes", *FIGURES], rows)


def _paint(name: str, episodes: Floats, curves: dict[str, dict[str, Floats]], axes: Axes) -> None:
    for side, colour in zip(SIDES, COLOURS, strict=False):
        paint_band(axes, episodes, curves[side][name], colour, f"on {side}'s environment")
    axes.set_xlabel("training games")
    axes.set_ylabel(FIGURES[name])
    axes.set_title("rlcard's DQN on Uno: mean and range of the seeds")
    axes.legend(fontsize=8)


_NOTE = """

{seeds} trainings on each environment, of {episodes:,} games each, tested after every fifth on {tests:,} games against
random, in both seats by turns. Trainings are paired by their seed, which is that of the network's first weights; a pair
is one observation of the 95% interval. `mlp_layers=[64, 64]`, `learning_rate={rate:g}`, all else rlcard's default. An
interval around zero says that a difference is no larger than its ends, not that there is none.

At the last test the agent wins {theirs:.1%} on rlcard's environment and {ours:.1%} on ours; a random player wins half.
The less it has learnt, the less these curves can show of learning: that observations and legal actions are equal is
what `tests/test_rlcard_env.py` shows, move by move."""
