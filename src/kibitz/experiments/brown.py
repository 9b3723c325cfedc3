"""Brown, Jasson and Swarnakar: DQN and DeepSARSA in Uno. Everything twice: the paper's encoder shows the network the
other players' cards, the fair one does not."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.arena.stats import Floats, Interval
from kibitz.experiments import Report, Row, Run, Table, experiment
from kibitz.experiments.curves import (
    INTERVALS,
    Curve,
    Plan,
    curve_rows,
    gap_of,
    judge_seeds,
    length_note,
    over_seeds,
    paint_curves,
    rate_over_seeds,
    run_plans,
    seed_row,
    table_of,
)
from kibitz.experiments.matches import Bar, gap, judge, paint_bars, points, rate
from kibitz.experiments.networks import LineUp, Played, play_all
from kibitz.experiments.networks import table_of as matches_table
from kibitz.experiments.training import steps

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DQN, SARSA, RANDOM = "DQN", "DeepSARSA", "random"
METHODS = {DQN: "dqn", SARSA: "sarsa"}
EPISODES = {DQN: 350_000, SARSA: 125_000}  # the paper's iterations, read as games
ENCODERS = {"peeking": "brown", "fair": "brown-fair"}
FINAL = {DQN: ("0.244", "62.2%"), SARSA: ("0.210", "60.5%")}  # reward and win rate in 100 games
GAMES = 10_000  # of a match with each seed's networks, whatever the scale; the paper played 1,000

_PROTOCOL = """

An "iteration" of the paper plays 100 games; we read its numbers of iterations as games, since a hundred times as many
are out of reach. *Peeking*: the paper's encoder, whose planes show the other players' cards. *Fair*: the same planes
with what a player may know. A test is 1,000 games against two random players, where the paper's tournaments have 100
(a standard error of 5 points)."""
_SHARES = """

What the paper says of 50,000, 100,000 and 240,000 iterations is looked for at the same share of the training, since
`--scale` makes it shorter."""


def plan(run: Run, label: str, encoder: str, **changes: Any) -> Plan:
    """The paper's training: one learner and two random players. Its networks play with any number of players."""
    settings: dict[str, Any] = {"players": "3", "encoder": ENCODERS[encoder], "any_options": ["players"], **changes}
    if run.settings.quick:
        settings |= {"tables": 8, "iteration": 10, "hidden": [32, 32], "test_games": 60}
    return Plan(METHODS[label], settings, steps(run, EPISODES[label], quick=48, every=5_000))


def plans(run: Run, labels: Sequence[str]) -> dict[str, Plan]:
    return {named(label, encoder): plan(run, label, encoder) for label in labels for encoder in ENCODERS}


def named(label: str, encoder: str) -> str:
    return f"{label}, {encoder}"


# --- Fig. 2, 3


@experiment(
    "brown/fig2",
    title="Brown, Jasson and Swarnakar, Fig. 2: training of DQN",
    paper=(
        "350,000 iterations against two random players. The final agent had an average reward of 0.244 and won 62.2% "
        "of 100 games. Q improves most within the first 50,000 iterations, and steadily until around 240,000."
    ),
)
def fig2(run: Run) -> Report:
    curves = run_plans(run, plans(run, [DQN]))
    return _figure(curves, DQN, _growth(curves, DQN, (50, 240)))


@experiment(
    "brown/fig3",
    title="Brown, Jasson and Swarnakar, Fig. 3: training of DeepSARSA",
    paper=(
        "125,000 iterations against two random players. The final agent had an average reward of 0.210 and won 60.5% "
        "of 100 games. Most of the improvement is within the first 50,000 iterations; it is steady until roughly "
        "100,000. DeepSARSA took significantly fewer iterations to converge than DQN, and DQN's curve is "
        "much more noisy."
    ),
)
def fig3(run: Run) -> Report:
    curves = run_plans(run, plans(run, [SARSA, DQN]))
    lines = _growth(curves, SARSA, (50, 100))
    for encoder in ENCODERS:
        dqn, sarsa = (curves[named(label, encoder)] for label in (DQN, SARSA))
        found = over_seeds(noise(dqn) - noise(sarsa))
        lines.append(judge_seeds(f"DQN's curve is noisier than DeepSARSA's ({encoder})", found))
        same = over_seeds(sarsa.of("reward")[:, -1] - _at(dqn, sarsa.episodes[-1]))
        statement = f"After as many games DeepSARSA is ahead of DQN ({encoder})"
        lines.append(judge_seeds(statement, same))
    return _figure(curves, SARSA, lines)


def noise(curve: Curve) -> Floats:
    """The standard deviation of a test around the middle of its neighbours, of each seed, in the second half: what
    learning leaves, even where it goes fast at first."""
    reward = curve.of("reward")[:, max(0, min(curve.points // 2, curve.points - 3)) :]
    apart = reward[:, 1:-1] - (reward[:, :-2] + reward[:, 2:]) / 2
    deviation: Floats = np.sqrt((apart**2).mean(axis=1) * 2 / 3)
    return deviation


def _at(curve: Curve, episodes: float) -> Floats:
    """The test of each seed that is nearest to this."""
    nearest: Floats = curve.of("reward")[:, int(np.abs(curve.episodes - episodes).argmin())]
    return nearest


def _growth(curves: Mapping[str, Curve], label: str, paper: tuple[int, int]) -> list[str]:
    """The paper's words on when it learns: of the whole length, because ours may be shorter."""
    total, lines = EPISODES[label] // 1000, []
    for encoder in ENCODERS:
        curve = curves[named(label, encoder)]
        reward = curve.of("reward")
        first = max(1, round(curve.points * paper[0] / total))
        later = min(curve.points, max(first + 1, round(curve.points * paper[1] / total)))
        early = over_seeds(reward[:, first - 1] - (2 / 3 - 1))  # random play gets this
        rest = over_seeds(reward[:, -1] - reward[:, first - 1])
        most = over_seeds(2 * reward[:, first - 1] - (2 / 3 - 1) - reward[:, -1])
        steady = over_seeds(reward[:, later - 1] - reward[:, first - 1])
        share, until = f"first {paper[0]}/{total}", f"from there to {paper[1]}/{total}"
        final = over_seeds(curve.late("reward") - (2 / 3 - 1))
        lines += [
            judge_seeds(f"{label} ({encoder}) ends above random play", final),
            judge_seeds(
                f"{label} ({encoder}) gains more in the {share} of its training than in the rest",
                most,
                shown=f"{gap_of(most)}; {gap_of(early)} against {gap_of(rest)}",
            ),
            judge_seeds(f"{label} ({encoder}) still gains {until}", steady),
        ]
    return lines


def _figure(curves: Mapping[str, Curve], label: str, lines: list[str]) -> Report:
    mine = {key: curve for key, curve in curves.items() if key.startswith(f"{label},")}
    rows = [row for key, curve in curves.items() for row in curve_rows(curve, *(FINAL[label] if key in mine else ()))]
    peeks, fair = (mine[named(label, encoder)] for encoder in ENCODERS)
    better = over_seeds(peeks.late("reward") - fair.late("reward"))
    rows.append(seed_row(f"{label}: what peeking is worth, reward, last fifth", "", better, peeks.late_games))
    lines.append(judge_seeds(f"{label} that sees the cards does better than the fair one", better))
    every = list(curves.values())
    return Report(
        rows=rows,
        note="\n".join(lines) + length_note(list(mine.values())) + INTERVALS + _SHARES + _PROTOCOL,
        tables={"curves": table_of(curves)},
        plots={
            "reward": lambda axes: paint_curves(axes, every, "reward", "Three-player Uno"),
            "win-rate": lambda axes: paint_curves(axes, every, "win_rate", "Three-player Uno"),
        },
    )


# --- the grid

GRID_EPISODES = 40_000
GAMMAS, ALPHAS, KAPPAS = (0.75, 0.825, 0.95), (1e-4, 1e-3, 1e-2), (0.8, 0.95)
CHOSEN = (0.95, 1e-4, 0.95)
Setting = tuple[float, float, float]


@experiment(
    "brown/grid",
    title="Brown, Jasson and Swarnakar, 6.1: choice of discount, learning rate and decay",
    paper=(
        "40,000 iterations with all combinations of discount 0.75, 0.825, 0.95, learning rate 0.0001, 0.001, "
        "0.01 and decay of epsilon 0.8, 0.95. By the win rate in 100 games with two random agents, a learning rate of "
        "0.0001, a discount of 0.95 and a decay of 0.95 worked best."
    ),
)
def grid(run: Run) -> Report:
    cells = _cells(run)
    curves = run_plans(run, {_cell_name(*cell): _cell_plan(run, *cell) for cell in cells})
    rates = {cell: curves[_cell_name(*cell)].late("win_rate") for cell in cells}
    games = next(iter(curves.values())).late_games
    rows = [
        seed_row(_cell_name(*cell), "best" if cell[2] == CHOSEN else "", rate_over_seeds(rate), games, "{:.1%}")
        for cell, rate in rates.items()
    ]
    lines = [_grid_line(rates, label, encoder) for label in METHODS for encoder in ENCODERS]
    lines += [line for i in range(len(CHOSEN)) for line in _value_line(rates, i)]
    return Report(
        rows=rows,
        note="\n".join(lines) + length_note(list(curves.values())) + INTERVALS + _GRID,
        tables={"grid": _grid_table(rates), "curves": table_of(curves)},
        plots={"grid": lambda axes: _paint_grid(axes, rates)},
    )


_GRID = """

The best of eighteen noisy figures looks better than it is: with 100 games each, as in the paper, the standard error of
a win rate is about 5 points, so that a winner among settings that are all alike is a matter of chance.
What is said of single values takes as one observation a training less the mean of those that differ from it in this
value alone."""

Cell = tuple[str, str, Setting]


def _cells(run: Run) -> list[Cell]:
    settings = [(g, a, k) for g in GAMMAS for a in ALPHAS for k in KAPPAS]
    if run.settings.quick:
        settings = [CHOSEN, (0.75, 1e-2, 0.8)]
    return [(label, encoder, s) for label in METHODS for encoder in ENCODERS for s in settings]


def _cell_name(label: str, encoder: str, setting: Setting) -> str:
    gamma, alpha, kappa = setting
    return f"{named(label, encoder)}, discount {gamma:g}, rate {alpha:g}, decay {kappa:g}"


def _cell_plan(run: Run, label: str, encoder: str, setting: Setting) -> Plan:
    gamma, alpha, kappa = setting
    made = plan(run, label, encoder, discount=gamma, learning_rate=alpha, epsilon_decay=kappa)
    episodes = run.games(GRID_EPISODES, quick=24)
    # Only the end counts: one test in the middle, one there.
    return Plan(made.method, made.settings, {"step": max(1, episodes // 2), "points": 2}, keeps=False)


def _grid_line(rates: Mapping[Cell, Floats], label: str, encoder: str) -> str:
    """No verdict on the paper's choice: whoever is best of so many was lucky, too."""
    mine = {setting: rate for (a, b, setting), rate in rates.items() if (a, b) == (label, encoder)}
    ranked = sorted(mine, key=lambda setting: -float(mine[setting].mean()))
    rest = next(setting for setting in ranked if setting != CHOSEN)
    found = over_seeds(mine[CHOSEN] - mine[rest], -1, 1)
    name = _cell_name(label, encoder, rest).removeprefix(f"{named(label, encoder)}, ")
    return (
        f"- {label} ({encoder}): the paper's choice is number {ranked.index(CHOSEN) + 1} of {len(ranked)}, "
        f"{points(found)} from the best other ({name}), which was picked for its luck, too."
    )


def _value_line(rates: Mapping[Cell, Floats], place: int) -> list[str]:
    """The paper's value of one setting against its other values, everything else equal. Each comparison is an
    observation; there is none in a grid that is not full."""
    gaps = []
    for (label, encoder, setting), mine in rates.items():
        alike = [_with(setting, place, value) for value in (GAMMAS, ALPHAS, KAPPAS)[place] if value != CHOSEN[place]]
        others = [rates[label, encoder, other] for other in alike if (label, encoder, other) in rates]
        if setting[place] == CHOSEN[place] and others:
            gaps.append(mine - np.mean(others, axis=0))
    if not gaps:
        return []
    name = f"{('discount', 'rate', 'decay')[place]} {CHOSEN[place]:g}"
    return [judge(f"{name} wins more than the other values, all else equal", over_seeds(np.concatenate(gaps), -1, 1))]


def _with(setting: Setting, place: int, value: float) -> Setting:
    gamma, alpha, kappa = (value if i == place else x for i, x in enumerate(setting))
    return gamma, alpha, kappa


def _grid_table(rates: Mapping[Cell, Floats]) -> Table:
    lines = [
        (label, encoder, *setting, seed, float(value))
        for (label, encoder, setting), values in rates.items()
        for seed, value in enumerate(values)
    ]
    return Table(("method", "encoder", "gamma", "alpha", "kappa", "seed", "win rate"), lines)


def _paint_grid(axes: Axes, rates: Mapping[Cell, Floats]) -> None:
    settings = list(dict.fromkeys(setting for _, _, setting in rates))
    for i, (label, encoder) in enumerate(itertools.product(METHODS, ENCODERS)):
        values = np.array([rates[label, encoder, setting] for setting in settings])
        x = np.arange(len(settings)) + 0.15 * (i - 1.5)
        axes.errorbar(
            x,
            values.mean(axis=1),
            yerr=[values.mean(axis=1) - values.min(axis=1), values.max(axis=1) - values.mean(axis=1)],
            fmt="o",
            label=named(label, encoder),
        )
    axes.set_xticks(range(len(settings)), ["\n".join(f"{x:g}" for x in setting) for setting in settings], fontsize=7)
    axes.set_xlabel("discount, learning rate, decay of epsilon")
    axes.set_ylabel("win rate")
    axes.set_title("Win rate at the end: mean and range of the seeds")
    axes.margins(y=0.12)  # room for the legend
    axes.legend(fontsize=7, loc="upper center", ncols=4)


# --- Table 3, 4

TABLE3 = {DQN: (0.635, 0.455, 0.231), SARSA: (0.591, 0.401, 0.249), RANDOM: (0.335, 0.248, 0.206)}
SIZES = (3, 4, 5)
TABLE4 = {DQN: (0.390, -0.220), SARSA: (0.363, -0.274), RANDOM: (0.247, -0.506)}


def _nets(run: Run) -> tuple[dict[str, Curve], dict[str, list[str]]]:
    curves = run_plans(run, plans(run, [DQN, SARSA]))
    return curves, {key: [f"net:{one.weights}" for one in curve.seeds] for key, curve in curves.items()}


@experiment(
    "brown/table3",
    title="Brown, Jasson and Swarnakar, Table 3: against random players, three to five at the table",
    paper=(
        "Win rates in 1,000 games with 3, 4 and 5 players: DQN 0.635, 0.455, 0.231; DeepSARSA 0.591, 0.401, 0.249; "
        "random 0.335, 0.248, 0.206. All were trained with three players."
    ),
)
def table3(run: Run) -> Report:
    curves, nets = _nets(run)
    agents = nets | {RANDOM: [RANDOM]}
    line_ups = [
        LineUp(f"{n} players", [label, *["others"] * (n - 1)], [[one, *[RANDOM] * (n - 1)] for one in mine], n)
        for n in SIZES
        for label, mine in agents.items()
    ]
    played = play_all(run, "games", line_ups, 120 if run.settings.quick else GAMES)
    by_name = {(p.line_up.players, p.line_up.names[0]): p for p in played}
    rows = []
    for (n, label), match in by_name.items():
        paper = TABLE3[label.partition(",")[0]][SIZES.index(n)]
        rows += match.rows([f"{paper:.1%}"], only=0)
    return Report(
        rows=rows,
        note=_table3_note(by_name) + length_note(list(curves.values())) + _MATCHES + _PROTOCOL,
        tables={"matches": matches_table(played)},
        plots={f"wins-{encoder}": _painter(by_name, encoder) for encoder in ENCODERS},
    )


_MATCHES = """

Each network plays 10,000 games: every deal in all seatings, the same deals for all. The intervals of the table are
about these networks, with a deal as one observation; the note gives those with a training as one observation, too,
where it speaks of a method. Nobody chose among seeds or among stages of a training. DeepSARSA has been trained with
fewer games than DQN, as in the paper."""


def _difference(mine: Played, other: Played, statement: str) -> str:
    """Two agents that played the same deals at different tables."""
    found = gap(mine.wins[:, :, 0].mean(axis=0), other.wins[:, :, 0].mean(axis=0))
    seeds = over_seeds(mine.wins[:, :, 0].mean(axis=1) - other.wins[:, :, 0].mean(axis=1), -1, 1)
    return _both_ways(statement, found, seeds)


def _above_share(match: Played, statement: str) -> str:
    """Random players at one table win equally often: a share that is known, not measured."""
    won, share = match.wins[:, :, 0], 1 / match.line_up.players
    found, seeds = rate(won.mean(axis=0)), over_seeds(won.mean(axis=1) - share, -1, 1)
    above = Interval(found.mean - share, found.low - share, found.high - share)
    return _both_ways(statement, above, seeds)


def _both_ways(statement: str, found: Interval, seeds: Interval) -> str:
    """A statement judged by deals and, without a verdict, by trainings."""
    verdict = judge(f"{statement} (these networks)", found).removesuffix(".")
    return f"{verdict}; with trainings as observations {points(seeds)}."


def _table3_note(by_name: Mapping[tuple[int, str], Played]) -> str:
    lines = []
    for encoder, n in itertools.product(ENCODERS, SIZES):
        dqn, sarsa = (by_name[n, named(label, encoder)] for label in (DQN, SARSA))
        for label, match in ((DQN, dqn), (SARSA, sarsa)):
            lines.append(_above_share(match, f"{label} ({encoder}) wins more than its share with {n} players"))
        if n < 5:
            lines.append(_difference(dqn, sarsa, f"DQN ({encoder}) beats DeepSARSA with {n} players"))
    for label in METHODS:
        peeks, fair = (by_name[3, named(label, encoder)] for encoder in ENCODERS)
        lines.append(_difference(peeks, fair, f"{label} that peeks beats the fair one with 3 players"))
    return "\n".join(lines)


def _painter(by_name: Mapping[tuple[int, str], Played], encoder: str) -> Any:
    def paint(axes: Axes) -> None:
        bars = []
        for n, label in itertools.product(SIZES, (DQN, SARSA, RANDOM)):
            match = by_name[n, RANDOM if label == RANDOM else named(label, encoder)]
            bars.append(Bar(f"{label}\n{n} players", match.win_rate(0), TABLE3[label][SIZES.index(n)]))
        paint_bars(axes, bars, f"Against random players, {encoder} encoder", "win rate")
        axes.tick_params(axis="x", labelsize=7)

    return paint


@experiment(
    "brown/table4",
    title="Brown, Jasson and Swarnakar, Table 4: DQN, DeepSARSA and random at one table",
    paper=("1,000 games. Win rates: random 0.247, DQN 0.390, DeepSARSA 0.363; average rewards -0.506, -0.220, -0.274."),
)
def table4(run: Run) -> Report:
    curves, nets = _nets(run)
    names = [DQN, SARSA, RANDOM]
    line_ups = []
    for encoder in ENCODERS:
        dqn, sarsa = (nets[named(label, encoder)] for label in (DQN, SARSA))
        line_ups.append(LineUp(encoder, names, [[a, b, RANDOM] for a, b in zip(dqn, sarsa, strict=True)], 3))
    played = play_all(run, "games", line_ups, 120 if run.settings.quick else GAMES)
    rates, rewards = ([f"{TABLE4[name][i]:{form}}" for name in names] for i, form in ((0, ".1%"), (1, ".3f")))
    rows: list[Row] = [row for match in played for row in match.rows(rates, rewards=rewards)]
    lines = []
    for match in played:
        encoder = match.line_up.name
        lines.append(match.judge(f"DQN wins more than DeepSARSA ({encoder})", 0, 1))
        lines.append(match.judge(f"DQN wins more than random ({encoder})", 0, 2))
        lines.append(match.judge(f"DeepSARSA wins more than random ({encoder})", 1, 2))
    return Report(
        rows=rows,
        note="\n".join(lines) + length_note(list(curves.values())) + _MATCHES + _PROTOCOL,
        tables={"matches": matches_table(played)},
        plots={"wins": lambda axes: _paint_table4(axes, played)},
    )


def _paint_table4(axes: Axes, played: Sequence[Played]) -> None:
    bars = [
        Bar(f"{name}\n{match.line_up.name}", match.win_rate(i), TABLE4[name][0])
        for match in played
        for i, name in enumerate(match.line_up.names)
    ]
    paint_bars(axes, bars, "DQN, DeepSARSA and random at one table", "win rate")
