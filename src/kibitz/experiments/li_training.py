"""Li: training curves of the four methods, the overestimation that the paper speaks of, and what each part is worth."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.arena.stats import Floats
from kibitz.experiments import Report, Row, Run, Table, experiment
from kibitz.experiments.curves import (
    COLOURS,
    INTERVALS,
    Curve,
    Plan,
    curve_rows,
    judge_seeds,
    legend_beside,
    length_note,
    over_seeds,
    paint_band,
    paint_curves,
    rate_over_seeds,
    run_plans,
    seed_row,
    table_of,
)
from kibitz.experiments.training import steps

if TYPE_CHECKING:
    from matplotlib.axes import Axes

EPISODES = 100_000  # at scale 1; the paper trained "until their performance began to converge"
MCTS, DDQN, DMC, NFSP = "DDQN with MCTS", "DDQN", "DMC", "NFSP"
ACTOR = "actor-critic with MCTS"
METHODS = {MCTS: "mcts-ddqn", DDQN: "ddqn", DMC: "dmc", NFSP: "nfsp"}
# All agents of the paper have the same learning rate; our own default for the average policy is another.
OF_METHOD: dict[str, dict[str, Any]] = {"nfsp": {"policy_learning_rate": 5e-5}}
PURE = f"{MCTS} without r_m"
REWARDS = {3: -0.05, 4: -0.25}  # what DDQN with MCTS gets above, in the paper

_LENGTH = """The paper does not say how many it took; a scale of 1 means 100,000 here. What it does not say either is
ours: Adam, a replay of 20,000 transitions, ε from 1 to 0.05 in 100,000 transitions. Tests are played without
exploration, by the network alone; the search of DDQN with MCTS draws worlds and does not see hidden cards."""
_TYPO = """

The paper gives the advantage with three players as 0.6 to 1.3 in reward and as 3 to 6.5 points in win rate. With
rewards of +1 and -1 the second means 0.06 to 0.13 in reward; the first must lack a zero. Its Figures 6 and 7 show the
same data, raw and as mean and variance, each for both numbers of players; here `li/fig6` has three players and
`li/fig7` four.

The paper's level, 50% with three players and 37.5% with four, is above that of the strongest search here that does not
see hidden cards (45% and 34%, docs/strength.md). Either its rules, its opponents or its views differ from what it
says, or its search has seen the cards."""


def plan(run: Run, method: str, players: int, **changes: Any) -> Plan:
    """The paper's protocol: one learner, random opponents, a test of 1,000 games after every 1,000 episodes."""
    settings: dict[str, Any] = {"players": str(players), **OF_METHOD.get(method, {}), **changes}
    if run.settings.quick:
        settings |= {"tables": 8, "warm_up": 50, "every": 8.0, "test_games": 20 * players}
        settings |= {"simulations": min(4, changes.get("simulations", 4))} if method.startswith("mcts") else {}
    return Plan(method, settings, steps(run, EPISODES, quick=48), probes=True)


def plans(run: Run, players: int) -> dict[str, Plan]:
    """The four methods; the networks of Table III and IV are theirs."""
    return {label: plan(run, method, players) for label, method in METHODS.items()}


# --- Fig. 6, 7


@experiment(
    "li/fig6",
    title="Li, Fig. 6 and 7 (a-c): training curves, three-player Uno",
    paper=(
        "One learner against two random players, 1,000 test games after every 1,000 episodes. DDQN with MCTS gets a "
        "reward above -0.05, a win rate close to 50%; its win rate is 3 to 6.5 points above those of the others (0.06 "
        "to 0.13 in reward), and it improves very quickly at first, the others slowly and later."
    ),
)
def fig6(run: Run) -> Report:
    """Actor-critic is not in the paper's figure: the paper only says that its method would serve there, too."""
    return _figure(run, 3, plans(run, 3) | {ACTOR: plan(run, "mcts-actor-critic", 3)})


@experiment(
    "li/fig7",
    title="Li, Fig. 6 and 7 (d-f): training curves, four-player Uno",
    paper=(
        "One learner against three random players, 1,000 test games after every 1,000 episodes. DDQN with MCTS gets a "
        "reward above -0.25, a win rate above 37.5%; its win rate is 3.5 to 6.5 points above those of the others (0.07 "
        "to 0.13 in reward), and it improves very quickly at first, the others slowly and later."
    ),
)
def fig7(run: Run) -> Report:
    return _figure(run, 4, plans(run, 4))


def _figure(run: Run, players: int, wanted: Mapping[str, Plan]) -> Report:
    curves = run_plans(run, wanted)
    paper = {MCTS: (f"above {REWARDS[players]}", "close to 50%" if players == 3 else "above 37.5%")}
    rows = [row for label, curve in curves.items() for row in curve_rows(curve, *paper.get(label, ("", "")))]
    rows += _lead_rows(curves, "0.06 to 0.13" if players == 3 else "0.07 to 0.13")
    every = list(curves.values())
    return Report(
        rows=rows,
        note=_figure_note(curves, players) + length_note(every, _LENGTH) + INTERVALS + _TYPO,
        tables={"curves": table_of(curves)},
        plots={
            "reward": lambda axes: _paint_reward(axes, every, players),
            "win-rate": lambda axes: paint_curves(axes, every, "win_rate", f"Uno, {players} players"),
        },
    )


def _lead(curves: Mapping[str, Curve], other: str) -> Floats:
    """By how much DDQN with MCTS is ahead over the whole curve, seed by seed."""
    return curves[MCTS].whole("reward") - curves[other].whole("reward")


def _lead_rows(curves: Mapping[str, Curve], paper: str) -> list[Row]:
    return [
        seed_row(f"{MCTS} minus {other}: reward, whole curve", paper, over_seeds(_lead(curves, other)), curve.games)
        for other, curve in curves.items()
        if other in METHODS and other != MCTS
    ]


def _figure_note(curves: Mapping[str, Curve], players: int) -> str:
    level, top = REWARDS[players], over_seeds(curves[MCTS].late("reward"), -1, 1)
    games = round(float(curves[MCTS].episodes[-1]))
    lines = [judge_seeds(f"After {games:,} games {MCTS} has a reward above {level}", top, level)]
    for other in (DDQN, DMC, NFSP):
        lead = over_seeds(_lead(curves, other))
        lines.append(judge_seeds(f"{MCTS} has the higher reward over the curve than {other}", lead))
    for other in (DDQN, DMC, NFSP):
        early = over_seeds(curves[MCTS].early("reward") - curves[other].early("reward"))
        lines.append(judge_seeds(f"{MCTS} is ahead of {other} in the first fifth", early))
    for label, curve in curves.items():
        grown = over_seeds(curve.late("reward") - curve.early("reward"))
        lines.append(judge_seeds(f"{label} gets better from the first fifth to the last", grown))
    return "\n".join(lines)


def _paint_reward(axes: Axes, curves: list[Curve], players: int) -> None:
    axes.axhline(REWARDS[players], color="#888a85", linestyle="--", label="paper: DDQN with MCTS above this")
    axes.axhline(2 / players - 1, color="#888a85", linestyle=":", label="random player")
    paint_curves(axes, curves, "reward", f"Uno, {players} players")


# --- overestimation


@experiment(
    "li/overestimation",
    title="Li: predicted Q against the return really obtained",
    paper=(
        "The paper says that Q-learning overestimates, and that averaging many backups of the search reduces this and "
        "makes values more accurate. It measures neither."
    ),
)
def overestimation(run: Run) -> Report:
    wanted = {label: plans(run, 3)[label] for label in (MCTS, DDQN)}
    curves = run_plans(run, wanted | {PURE: plan(run, METHODS[MCTS], 3, mcts_reward=0.0)})
    rows = [row for curve in curves.values() for row in _bias_rows(curve)]
    biases = {label: bias(curve) for label, curve in curves.items()}
    # A net that knows nothing says 0, which is more than it gets: the end of the training counts, not its beginning.
    spans = {"last fifth": -curves[DDQN].fifth, "whole curve": 0}
    each = 2 * _probe_games(curves[DDQN]) * len(curves[DDQN].seeds)  # of both methods, at a point of the curve
    for label, (when, first) in itertools.product((MCTS, PURE), spans.items()):
        games = each * (-first or curves[DDQN].points)
        less, nearer = (over_seeds(values) for values in _advantages(biases, label, first))
        rows += [
            seed_row(f"DDQN minus {label}: Q minus return, {when}", "above 0", less, games),
            seed_row(f"DDQN minus {label}: distance of Q from return, {when}", "above 0", nearer, games),
        ]
    lines = [line for when, first in spans.items() for line in _bias_lines(biases, first, when)]
    return Report(
        rows=rows,
        note="\n".join(lines) + length_note(list(curves.values()), _LENGTH) + INTERVALS + _WHAT,
        tables={"curves": table_of(curves)},
        plots={
            "values": lambda axes: _paint_values(axes, curves),
            "bias": lambda axes: _paint_bias(axes, biases, curves),
        },
    )


_WHAT = """

After every test each network plays a game at 256 tables against two random players, greedily. *Predicted* is the mean
of Q(s, a) over its decisions of a game, *return* that of the payoff in the end, discounted by 0.99 for every further
decision as the learner does it. DDQN with MCTS learns from r + r_m, so that its Q is no estimate of the payoff alone:
what it predicts above the payoff is partly r_m, which is added at every decision. Without r_m (L_mcts alone) its Q is
such an estimate, and the paper's claim can be judged by it."""


def _advantages(biases: Mapping[str, Floats], label: str, first: int) -> tuple[Floats, Floats]:
    """By how much a method overestimates less than DDQN, and is nearer to the return, from a point on. The mean comes
    before the sign is dropped: the noise of single tests would count as error."""
    plain, searched = (biases[name][:, first:].mean(axis=1) for name in (DDQN, label))
    return plain - searched, np.abs(plain) - np.abs(searched)


def _bias_lines(biases: Mapping[str, Floats], first: int, when: str) -> list[str]:
    lines = []
    for label, values in biases.items():
        found = over_seeds(values[:, first:].mean(axis=1), -9, 9)
        lines.append(judge_seeds(f"{label} predicts more than it gets, {when}", found))
    for label in biases:
        if label != DDQN:
            less, nearer = (over_seeds(values) for values in _advantages(biases, label, first))
            lines.append(judge_seeds(f"{label} overestimates less than DDQN, {when}", less))
            lines.append(judge_seeds(f"{label} is nearer to the return than DDQN on average, {when}", nearer))
    return lines


def bias(curve: Curve) -> Floats:
    """Predicted minus obtained, [seed, point]."""
    return curve.of("predicted") - curve.of("obtained")


def _probe_games(curve: Curve) -> int:
    from kibitz.experiments.training import PROBE_GAMES

    return int(min(PROBE_GAMES, curve.of("games").min()))


def _bias_rows(curve: Curve) -> list[Row]:
    games = _probe_games(curve) * len(curve.seeds) * curve.points
    late = _probe_games(curve) * len(curve.seeds) * curve.fifth
    gone = bias(curve)
    return [
        seed_row(f"{curve.label}: predicted Q, last fifth", "", over_seeds(curve.late("predicted"), -9, 9), late),
        seed_row(f"{curve.label}: return, last fifth", "", over_seeds(curve.late("obtained"), -1, 1), late),
        seed_row(
            f"{curve.label}: Q minus return, last fifth", "", over_seeds(gone[:, -curve.fifth :].mean(1), -9, 9), late
        ),
        seed_row(f"{curve.label}: Q minus return, whole curve", "", over_seeds(gone.mean(axis=1), -9, 9), games),
    ]


def _paint_values(axes: Axes, curves: Mapping[str, Curve]) -> None:
    for (label, curve), colour in zip(curves.items(), COLOURS, strict=False):
        paint_band(axes, curve.episodes, curve.of("predicted"), colour, f"{label}: predicted")
        paint_band(axes, curve.episodes, curve.of("obtained"), colour, f"{label}: obtained", "--")
    axes.set_xlabel("training games")
    axes.set_ylabel("mean Q, mean discounted return")
    axes.set_title("Predicted Q and obtained return, three players: mean and range of the seeds")
    legend_beside(axes)


def _paint_bias(axes: Axes, biases: Mapping[str, Floats], curves: Mapping[str, Curve]) -> None:
    for (label, values), colour in zip(biases.items(), COLOURS, strict=False):
        paint_band(axes, curves[label].episodes, values, colour, label)
    axes.axhline(0, color="#888a85", linestyle=":")
    axes.set_xlabel("training games")
    axes.set_ylabel("predicted Q minus obtained return")
    axes.set_title("Overestimation, three players: mean and range of the seeds")
    legend_beside(axes)


# --- ablation

BASE = "L_mcts and r_m, sampled worlds, 50 simulations"
VARIANTS: dict[str, dict[str, Any]] = {
    "L_mcts alone": {"mcts_reward": 0.0},
    "r_m alone": {"mcts_loss": 0.0},
    "true worlds": {"worlds": "true"},
    "10 simulations": {"simulations": 10},
    "200 simulations": {"simulations": 200},
}


@experiment(
    "li/ablation",
    title="Li: what the parts of DDQN with MCTS are worth",
    paper=(
        "The paper has no ablation. It adds the searched values as a second loss (L_mcts) and as rewards (r_m), "
        "searches with 50 simulations, in what seems to be a copy of the real game, and says that more simulations "
        "might give more accurate values."
    ),
)
def ablation(run: Run) -> Report:
    base = plan(run, METHODS[MCTS], 3)
    wanted = {BASE: base, DDQN: plan(run, METHODS[DDQN], 3)}
    wanted |= {label: plan(run, METHODS[MCTS], 3, **changes) for label, changes in VARIANTS.items()}
    if run.settings.quick:  # otherwise they would be the same
        wanted |= {"10 simulations": _with(base, simulations=2), "200 simulations": _with(base, simulations=6)}
    curves = run_plans(run, wanted)
    rows = [row for curve in curves.values() for row in _variant_rows(curve)]
    differences = {label: curve.whole("reward") - curves[BASE].whole("reward") for label, curve in curves.items()}
    rows += [
        seed_row(f"{label} minus all: reward, whole curve", "", over_seeds(values), curves[label].games)
        for label, values in differences.items()
        if label != BASE
    ]
    lines = []
    for label, values in differences.items():
        if label != BASE:
            found = over_seeds(-values)
            statement = f"Over the curve, the whole method has a higher reward than {_named(label)}"
            lines.append(judge_seeds(statement, found))
    every = list(curves.values())
    return Report(
        rows=rows,
        note="\n".join(lines) + length_note(every, _LENGTH) + INTERVALS + _DIFFERS,
        tables={"curves": table_of(curves), "variants": _variants_table(curves)},
        plots={
            "reward": lambda axes: paint_curves(axes, every, "reward", "Parts of DDQN with MCTS"),
            "bias": lambda axes: _paint_bias(axes, {key: bias(curve) for key, curve in curves.items()}, curves),
        },
    )


_DIFFERS = """

Each variant changes one thing; all of them still choose their moves in training by the search (Q_m), which plain DDQN
does not: it differs in that, too. Tests are played by the network alone."""


def _named(label: str) -> str:
    return "plain DDQN" if label == DDQN else f"with {label}"


def _with(base: Plan, **changes: Any) -> Plan:
    return replace(base, settings={**base.settings, **changes})


def _variant_rows(curve: Curve) -> list[Row]:
    return [
        *curve_rows(curve),
        seed_row(
            f"{curve.label}: Q minus return, last fifth",
            "",
            over_seeds(bias(curve)[:, -curve.fifth :].mean(axis=1), -9, 9),
            _probe_games(curve) * len(curve.seeds) * curve.fifth,
        ),
    ]


def _variants_table(curves: Mapping[str, Curve]) -> Table:
    lines = []
    for label, curve in curves.items():
        reward, rate = over_seeds(curve.whole("reward"), -1, 1), rate_over_seeds(curve.late("win_rate"))
        lines.append((label, reward.mean, reward.low, reward.high, rate.mean, rate.low, rate.high))
    return Table(("variant", "reward", "low95", "high95", "win rate at the end", "low95", "high95"), lines)
