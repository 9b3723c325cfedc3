"""Wang, Emmerich and Plaat: Monte Carlo Q-learning for General Game Playing.

All games are played from their rulesheets, as in the paper. A curve is trained in several rounds; the matches of one
round share a table, so a round is one observation in every interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

import kibitz
from kibitz.arena.stats import Floats, Interval, mean_interval, rate_interval, winners
from kibitz.experiments import Report, Row, Run, Table, experiment, stats
from kibitz.experiments.matches import Bar, exactly, finish, gap, judge, judge_about, paint_bars, points, row
from kibitz.learn import q_table
from kibitz.learn.q_table import Settings, q_player, qm_player, td_player

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROUNDS = 5
BINS = 75  # points of a curve; a third of them lie behind the learning
LENGTHS = (5_000, 10_000, 20_000, 30_000, 40_000, 50_000)  # "total learning match" of Fig. 3 and 8
Q_ENDS = (0.55, 0.80, 0.86, 0.865, 0.865, 0.865)  # where QPlayer ends in the paper
COLOURS = ("#3465a4", "#cc0000", "#4e9a06", "#75507b", "#c17d11")
TIC_TAC_TOE = "gdl:file=tictactoe"
QM_PLAYOUTS = 50


# --- curves


@dataclass(frozen=True)
class Curve:
    """A learner against a random player."""

    label: str
    settings: Settings
    paper: str = ""  # its win rate at the end, in the paper


@dataclass(frozen=True)
class Rounds:
    """What the rounds of a curve gave, [round, bin] each, as shares of the bin's matches."""

    curve: Curve
    wins: Floats
    draws: Floats
    goals: Floats
    ends: list[int]  # of the bins, in matches

    @property
    def learning(self) -> int:
        return sum(end <= self.curve.settings.learning for end in self.ends)

    def after(self, what: Floats) -> Floats:
        """The mean of each round behind the learning."""
        return self._mean(what, self.learning, len(self.ends))

    def early(self, what: Floats) -> Floats:
        """The mean of each round over the first tenth of the learning."""
        return self._mean(what, 0, max(1, self.learning // 10))

    def _mean(self, what: Floats, first: int, last: int) -> Floats:
        sizes = np.diff([0, *self.ends])[first:last]
        mean: Floats = (what[:, first:last] * sizes).sum(axis=1) / sizes.sum()
        return mean

    @property
    def played_after(self) -> int:
        return len(self.wins) * self.curve.settings.playing


def learning_of(run: Run, paper: int) -> dict[str, int]:
    """The matches of a curve: the paper plays on for half as long as it learns."""
    learning = max(2, run.games(paper, quick=paper // 25))
    return {"learning": learning, "playing": max(1, learning // 2)}


def _bins(settings: Settings) -> list[int]:
    """Where the points of a curve end; the end of the learning is one of them."""
    inside = min(2 * BINS // 3, settings.learning)
    after = min(BINS - 2 * BINS // 3, settings.playing)
    first = [settings.learning * (i + 1) // inside for i in range(inside)]
    return first + [settings.learning + settings.playing * (i + 1) // after for i in range(after)]


def _trace(settings: Settings) -> dict[str, list[float]]:
    """One round: wins, draws and sums of goals per point."""
    chunks: list[q_table.Chunk] = []
    trained = q_table.train(settings, on_chunk=chunks.append)
    matches = q_table.Chunk(0, np.concatenate([chunk.payoffs for chunk in chunks]))
    own = np.arange(len(matches.payoffs)), matches.seats
    won, tied = winners(matches.payoffs, np.arange(trained.game.players))
    low, high = trained.game.payoff_range
    starts = [0, *_bins(settings)[:-1]]
    goals = 100 * (matches.own - low) / (high - low)
    return {
        "wins": [int(x) for x in np.add.reduceat(won[own].astype(np.int64), starts)],
        "draws": [int(x) for x in np.add.reduceat(tied[own].astype(np.int64), starts)],
        "goals": [float(x) for x in np.add.reduceat(goals, starts)],
    }


def run_curves(run: Run, curves: Sequence[Curve], stage: str = "rounds") -> list[Rounds]:
    """All rounds of all curves; round r has the same seed in each, so that curves are compared in pairs."""
    rounds = 2 if run.settings.quick else ROUNDS

    def work(unit: int) -> Any:
        curve, round_ = curves[unit // rounds], unit % rounds
        return _trace(replace(curve.settings, seed=run.seed_of(round_)))

    parts = run.units(stage, len(curves) * rounds, work)
    out = []
    for i, curve in enumerate(curves):
        mine = parts[i * rounds : (i + 1) * rounds]
        ends = _bins(curve.settings)
        sizes = np.diff([0, *ends])
        shares = {name: np.array([part[name] for part in mine]) / sizes for name in ("wins", "draws", "goals")}
        out.append(Rounds(curve, ends=ends, **shares))
    return out


# --- what is reported


def _end_rows(found: Rounds) -> list[Row]:
    """Wins, draws and the mean goal behind the learning."""
    label, games = found.curve.label, found.played_after
    goal = mean_interval(found.after(found.goals), 0.0, 100.0)
    draws = rate_interval(found.after(found.draws))
    # Where nobody ever draws (Hex), rounds that agree would give an interval that says nothing.
    drawn = row(f"{label}: draws", "", draws if draws.mean > 0 else exactly(0.0), games)
    return [
        row(f"{label}: wins", found.curve.paper, rate_interval(found.after(found.wins)), games),
        drawn,
        Row(f"{label}: mean goal", "", goal, games, "{:.1f}"),
    ]


def early_row(found: Rounds, paper: str = "") -> Row:
    """Wins in the first tenth of the learning."""
    games = len(found.wins) * found.ends[max(1, found.learning // 10) - 1]
    label = f"{found.curve.label}: wins, first tenth of the learning"
    return row(label, paper, rate_interval(found.early(found.wins)), games)


def _end(found: Rounds) -> Interval:
    return rate_interval(found.after(found.wins))


def shown(found: Interval) -> str:
    return f"{found.mean:.1%} [{found.low:.1%}, {found.high:.1%}]"


def _about(statement: str, paper: float, found: Rounds) -> str:
    """A line of the note on a win rate that the paper gives."""
    end = _end(found)
    return judge_about(statement, paper, end, near=0.02).rsplit(" (", 1)[0] + f" ({shown(end)})."


def more(statement: str, better: Floats, worse: Floats) -> str:
    return judge(statement, gap(better, worse))


def _table(found: Sequence[Rounds]) -> Table:
    lines = []
    for f in found:
        for r in range(len(f.wins)):
            for b, end in enumerate(f.ends):
                shares = [round(float(x[r, b]), 6) for x in (f.wins, f.draws, f.goals)]
                lines.append((f.curve.label, r + 1, end, int(end > f.curve.settings.learning), *shares))
    return Table(("player", "round", "match", "after_learning", "wins", "draws", "mean_goal"), lines)


def _paint(axes: Axes, found: Sequence[Rounds], title: str) -> None:
    """Mean of the rounds with its 95% band; grey behind the learning."""
    for f, colour in zip(found, COLOURS[: len(found)], strict=True):  # no curve is left out
        band = [rate_interval(f.wins[:, b]) for b in range(len(f.ends))]
        axes.plot(f.ends, [x.mean for x in band], color=colour, label=f.curve.label)
        axes.fill_between(f.ends, [x.low for x in band], [x.high for x in band], color=colour, alpha=0.2, linewidth=0)
    settings = found[0].curve.settings
    axes.axvspan(settings.learning, settings.matches, color="#d3d7cf", alpha=0.5)
    axes.set_ylim(0, 1)
    finish(axes, title, "matches (grey: no exploration, no learning)", "win rate", loc="lower right")


def report_of(found: Sequence[Rounds], note: list[str], title: str, rows: Sequence[Row] = ()) -> Report:
    """One plot of all curves."""
    return Report(
        rows=[*(line for f in found for line in _end_rows(f)), *rows],
        note="\n".join(note) + _HOW,
        tables={"curves": _table(found)},
        plots={"curves": lambda axes: _paint(axes, found, title)},
    )


_HOW = f"""

Wins, draws and goals are those of the matches behind the learning, when the table stays as it is. An interval is
Student's over the rounds: matches of one round share a table and are no independent observations. The paper's rates of
two players add up to 100, so it is not clear what became of its draws.

What the paper leaves open, and what we chose: a match has all of its states as steps, also those in which the other
moves; the greedy choice is the first action with the highest value above 0, and without one the player chooses at
random (QMPlayer: {QM_PLAYOUTS} play-outs of Monte Carlo search in place of 50 ms, so that results can be repeated); the
learner changes its role after every match, starting as the first; nothing is learnt behind the learning; goals are
scaled to 0 to 1. TD(λ) learns values of actions, by the λ-return at the end of a match; of the original the paper tells
only the step, the discount, λ and ε."""


# --- the figures


@experiment(
    "wang/fig1",
    title="Wang, Fig. 1: ε fixed and decreasing, Tic-Tac-Toe",
    paper=(
        "Three ε-greedy Q-learning players (step 0.1, discount 0.9) learn for 30,000 matches against a random player. "
        'Afterwards "the final win rate of dynamically decreasing ε is 4% higher than fixed ε=0.1 and 7% higher than '
        'fixed ε=0.2".'
    ),
)
def fig1(run: Run) -> Report:
    usual = {"game": TIC_TAC_TOE, **learning_of(run, 30_000)}
    curves = [
        Curve("ε from 0.5 to 0", q_player(**usual)),
        Curve("ε = 0.1", q_player(**usual, schedule="fixed", epsilon_a=0.1), "4 points lower"),
        Curve("ε = 0.2", q_player(**usual, schedule="fixed", epsilon_a=0.2), "7 points lower"),
    ]
    found = run_curves(run, curves)
    dynamic, tenth, fifth = (f.after(f.wins) for f in found)
    note = [
        more("Decreasing ε ends above ε = 0.1 (paper: by 4 points)", dynamic, tenth),
        more("Decreasing ε ends above ε = 0.2 (paper: by 7 points)", dynamic, fifth),
        more("ε = 0.1 ends above ε = 0.2 (paper: by 3 points)", tenth, fifth),
    ]
    return report_of(found, note, "Q-learning against random, Tic-Tac-Toe")


@experiment(
    "wang/fig2",
    title="Wang, Fig. 2: Q-learning and TD(λ), Tic-Tac-Toe",
    paper=(
        "TD(λ) (step 0.3, discount 1, λ 0.7, ε 0.01) beside Q-learning with decreasing ε. TD(λ) is faster at first "
        "and stays at about 75.5% from the 9,000th match on; Q-learning ends higher."
    ),
)
def fig2(run: Run) -> Report:
    usual = {"game": TIC_TAC_TOE, **learning_of(run, 30_000)}
    curves = [
        Curve("QPlayer", q_player(**usual), "86.5%"),
        Curve("TD(λ)", td_player(**usual), "about 75.5%"),
        Curve("TD(λ), ε from 0.5 to 0", td_player(**usual, schedule="cosine", epsilon_a=0.5)),
    ]
    found = run_curves(run, curves)
    q, td = found[:2]
    q_end, td_end, explores_end = (f.after(f.wins) for f in found)
    note = [
        more("TD(λ) is ahead in the first tenth of the learning", td.early(td.wins), q.early(q.wins)),
        more("Q-learning ends above TD(λ)", q_end, td_end),
        _about("TD(λ) ends at about 75.5%", 0.755, td),
        more("TD(λ) ends higher with QPlayer's ε (not in the paper)", explores_end, td_end),
        more("TD(λ) with QPlayer's ε ends above QPlayer (not in the paper)", explores_end, q_end),
    ]
    early = [early_row(f) for f in found]
    return report_of(found, note, "Q-learning and TD(λ) against random, Tic-Tac-Toe", early)


_PAPER_Q = dict(zip(LENGTHS, ("around 55%", "about 80%", "about 86%", *["nearly 86.5%"] * 3), strict=True))
_PAPER_QM = dict(zip(LENGTHS, ("around 85%", "", "", "", "", "at least 87.5%"), strict=True))


def _by_length(run: Run, *, search: bool) -> list[list[Rounds]]:
    """Per number of learning matches QPlayer and, with `search`, QMPlayer."""
    curves = []
    for length in LENGTHS:
        usual = {"game": TIC_TAC_TOE, **learning_of(run, length)}
        curves.append(Curve(f"QPlayer, {usual['learning']:,}", q_player(**usual), _PAPER_Q[length]))
        if search:
            settings = qm_player(**usual, fallback=f"mcs:iterations={QM_PLAYOUTS}")
            curves.append(Curve(f"QMPlayer, {usual['learning']:,}", settings, _PAPER_QM[length]))
    found = run_curves(run, curves)
    width = 2 if search else 1
    return [found[i : i + width] for i in range(0, len(found), width)]


def _panels(*, search: bool, note: list[str], rows: Sequence[Row], groups: list[list[Rounds]]) -> Report:
    """A plot per number of learning matches."""
    flat = [f for group in groups for f in group]
    who = "QPlayer and QMPlayer" if search else "QPlayer"

    def painter(group: list[Rounds]) -> Any:
        title = f"{who} against random, Tic-Tac-Toe, {group[0].curve.settings.learning:,} matches learnt"
        return lambda axes: _paint(axes, group, title)

    return Report(
        rows=[*(line for f in flat for line in _end_rows(f)), *rows],
        note="\n".join(note) + _HOW,
        tables={"curves": _table(flat)},
        plots={f"learn_{length}": painter(group) for length, group in zip(LENGTHS, groups, strict=True)},
    )


def _spread(found: Rounds) -> float:
    """The standard deviation of the rounds' win rates at the end."""
    return float(found.after(found.wins).std(ddof=1))


@experiment(
    "wang/fig3",
    title="Wang, Fig. 3: QPlayer by the number of matches learnt, Tic-Tac-Toe",
    paper=(
        "Five rounds each. After 5,000 matches of learning QPlayer wins around 55% against random, after 10,000 about "
        "80%, after 20,000 about 86%, after 30,000 to 50,000 nearly 86.5%, with smaller and smaller variance."
    ),
)
def fig3(run: Run) -> Report:
    groups = _by_length(run, search=False)
    first, last = groups[0][0], groups[-1][0]
    note = [
        *(
            _about(f"{group[0].curve.label} matches ends at {told:.1%}", told, group[0])
            for group, told in zip(groups, Q_ENDS, strict=True)
        ),
        more("The longest learning ends above the shortest", last.after(last.wins), first.after(first.wins)),
        f"- Spread of the rounds' win rates (standard deviation): {100 * _spread(first):.2f} points after the shortest "
        f"learning, {100 * _spread(last):.2f} after the longest.",
    ]
    return _panels(search=False, note=note, rows=[], groups=groups)


def _bars(groups: list[list[Rounds]]) -> Any:
    told: dict[int, list[float | None]] = {length: [q, None] for length, q in zip(LENGTHS, Q_ENDS, strict=True)}
    told[LENGTHS[0]][1], told[LENGTHS[-1]][1] = 0.85, 0.875

    def paint(axes: Axes) -> None:
        bars = [
            Bar(f.curve.label.replace(", ", "\n"), _end(f), told[length][i])
            for length, group in zip(LENGTHS, groups, strict=True)
            for i, f in enumerate(group)
        ]
        paint_bars(axes, bars, "Win rate against random behind the learning", "win rate")
        axes.set_ylim(0.4, 1.0)
        axes.tick_params(axis="x", labelsize=6)

    return paint


def _convergence(groups: list[list[Rounds]], note: list[str], rows: Sequence[Row] = ()) -> Report:
    flat = [f for group in groups for f in group]
    lines = [
        (f.curve.label, f.curve.settings.learning, r + 1, round(float(w), 6), round(float(d), 6), round(float(g), 4))
        for f in flat
        for r, (w, d, g) in enumerate(zip(f.after(f.wins), f.after(f.draws), f.after(f.goals), strict=True))
    ]
    return Report(
        rows=[*(line for f in flat for line in _end_rows(f)), *rows],
        note="\n".join(note) + _HOW,
        tables={"rounds": Table(("player", "learning", "round", "wins", "draws", "mean_goal"), lines)},
        plots={"convergence": _bars(groups)},
    )


@experiment(
    "wang/fig4",
    title="Wang, Fig. 4: convergence of QPlayer, Tic-Tac-Toe",
    paper='"QPlayer achieves, after convergence, a win rate of around 86.5% with small variance."',
)
def fig4(run: Run) -> Report:
    groups = _by_length(run, search=False)
    last, before = groups[-1][0], groups[-2][0]
    # The other reading of the pseudo-code, so that everybody sees what hangs on ours.
    other = replace(last.curve, label=f"{last.curve.label}, own decisions as steps", paper="")
    other = replace(other, settings=replace(last.curve.settings, states="own"))
    own = run_curves(run, [other], "own")[0]
    note = [
        _about("QPlayer converges to 86.5%", 0.865, last),
        f"- From {before.curve.settings.learning:,} to {last.curve.settings.learning:,} matches of learning the win "
        f"rate changes by {points(gap(last.after(last.wins), before.after(before.wins)))}.",
        f"- With its own decisions alone as steps of a match QPlayer ends at {shown(_end(own))}, a difference of "
        f"{points(gap(own.after(own.wins), last.after(last.wins)))}.",
    ]
    return _convergence(groups, note, _end_rows(own))


def _rise(found: Rounds) -> str:
    """All that can be said of a curve that the paper only calls converging; the plot shows the rest."""
    return more(
        f"{found.curve.label}: the end is above the first tenth of the learning",
        found.after(found.wins),
        found.early(found.wins),
    )


@experiment(
    "wang/fig5",
    title="Wang, Fig. 5: QPlayer in Hex 3x3",
    paper="QPlayer learns for 50,000 matches. The figure is lost; the text says that the win rate also converges.",
)
def fig5(run: Run) -> Report:
    found = run_curves(
        run, [Curve("QPlayer", q_player(game="gdl:file=hex_3", **learning_of(run, 50_000)), "converges")]
    )
    return report_of(found, [_rise(f) for f in found], "QPlayer against random, Hex 3x3")


@experiment(
    "wang/fig6",
    title="Wang, Fig. 6: QPlayer in Connect Four 4x4",
    paper="QPlayer learns for 80,000 matches. The figure is lost; the text says that the win rate also converges.",
)
def fig6(run: Run) -> Report:
    settings = q_player(game="gdl:file=connect_four_4x4", **learning_of(run, 80_000))
    found = run_curves(run, [Curve("QPlayer", settings, "converges")])
    return report_of(found, [_rise(f) for f in found], "QPlayer against random, Connect Four 4x4")


@experiment(
    "wang/fig7",
    title="Wang, Fig. 7: QPlayer on larger boards of Tic-Tac-Toe",
    paper=(
        "QPlayer learns for 50,000 matches each. With the size of the board it performs worse, and on larger boards "
        "does not achieve convergence."
    ),
)
def fig7(run: Run) -> Report:
    sheets = {"3x3": "tictactoe", "4x4": "tictactoe_4", "5x5": "tictactoe_5"}
    matches = learning_of(run, 50_000)
    curves = [
        Curve(f"QPlayer, {size}", q_player(game=f"gdl:file={sheet}", **matches), "86.5%" if size == "3x3" else "lower")
        for size, sheet in sheets.items()
    ]
    found = run_curves(run, curves)
    small, middle, large = (f.after(f.wins) for f in found)
    goals = [f.after(f.goals) / 100 for f in found]
    note = [
        more("On 3x3 it wins more often than on 4x4", small, middle),
        more("On 4x4 it wins more often than on 5x5", middle, large),
        more("On 3x3 its mean goal is higher than on 4x4 (in hundredths)", goals[0], goals[1]),
        more("On 4x4 its mean goal is higher than on 5x5 (in hundredths)", goals[1], goals[2]),
        "- What a random player has in QPlayer's place stands in the table, too: lines of four and five are made less "
        "often, so that a lower win rate alone does not show that less was learnt. Goals are the fairer measure.",
    ]
    return report_of(found, note, "QPlayer against random, Tic-Tac-Toe by board", _random_rows(run, sheets))


def _random_rows(run: Run, sheets: dict[str, str]) -> list[Row]:
    """How often a random player wins and draws against another, in both seats."""
    games = run.games(20_000, quick=400)

    def work(unit: int) -> list[int]:
        game = kibitz.make("gdl", file=list(sheets.values())[unit])
        payoffs = game.playouts(games, seed=run.seed_of(unit)).payoffs
        own = np.arange(games), np.arange(games) % 2
        return [int(games_of[own].sum()) for games_of in winners(payoffs.astype(np.float64), np.arange(2))]

    rows = []
    for size, counts in zip(sheets, run.units("random", len(sheets), work), strict=True):
        for what, hits in zip(("wins", "draws"), counts, strict=True):
            rows.append(Row(f"random, {size}: {what}", "", stats.share(hits, games), games, "{:.1%}"))
    return rows


@experiment(
    "wang/fig8",
    title="Wang, Fig. 8: QMPlayer and QPlayer, Tic-Tac-Toe",
    paper=(
        "QMPlayer searches for 50 ms where its table has no entry. It wins about 67% at the very beginning, always "
        "more than QPlayer, both at the beginning and at the end; after 50,000 matches at least 87.5%."
    ),
)
def fig8(run: Run) -> Report:
    groups = _by_length(run, search=True)
    note, rows = [], []
    for (q, qm), length in zip(groups, LENGTHS, strict=True):
        name = f"{q.curve.settings.learning:,} matches"
        for f in (q, qm):
            told = "about 67%" if f is qm and length == LENGTHS[0] else ""
            rows.append(early_row(f, told))
        note.append(more(f"{name}: QMPlayer is ahead in the first tenth", qm.early(qm.wins), q.early(q.wins)))
        note.append(more(f"{name}: QMPlayer is ahead at the end", qm.after(qm.wins), q.after(q.wins)))
    return _panels(search=True, note=note, rows=rows, groups=groups)


@experiment(
    "wang/fig9",
    title="Wang, Fig. 9: convergence of QMPlayer and QPlayer, Tic-Tac-Toe",
    paper="QPlayer converges to 86.5%, QMPlayer to 87.5%.",
)
def fig9(run: Run) -> Report:
    groups = _by_length(run, search=True)
    q, qm = groups[-1]
    note = [
        _about("QPlayer converges to 86.5%", 0.865, q),
        _about("QMPlayer converges to 87.5%", 0.875, qm),
        *(
            more(
                f"{a.curve.settings.learning:,} matches: QMPlayer ends above QPlayer", b.after(b.wins), a.after(a.wins)
            )
            for a, b in groups
        ),
    ]
    return _convergence(groups, note)
