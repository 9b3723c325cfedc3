"""Wang, Emmerich and Plaat: Table 1, in which the players meet each other, and the budget of QMPlayer's search."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

import kibitz
from kibitz._core import Game
from kibitz.arena.seatings import rotations
from kibitz.arena.stats import Floats, Interval, rate_interval, winners
from kibitz.experiments import Report, Run, Table, experiment
from kibitz.experiments.matches import Bar, paint_bars, row
from kibitz.experiments.wang import (
    QM_PLAYOUTS,
    TIC_TAC_TOE,
    Curve,
    early_row,
    learning_of,
    more,
    report_of,
    run_curves,
    shown,
)
from kibitz.learn import q_table
from kibitz.learn.q_table import q_player, qm_player

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLAYERS = ("MCTS", "Random", "QPlayer", "QMPlayer", "MCS")
PAPER_TABLE = {  # win rate of the second against the first
    ("MCTS", "Random"): "0.5%",
    ("MCTS", "QPlayer"): "0",
    ("MCTS", "QMPlayer"): "0",
    ("MCTS", "MCS"): "35%",
    ("Random", "MCTS"): "99.5%",
    ("Random", "QPlayer"): "86.5%",
    ("Random", "QMPlayer"): "87.5%",
    ("Random", "MCS"): "100%",
    ("QPlayer", "MCTS"): "100%",
    ("QPlayer", "Random"): "13.5%",
    ("QMPlayer", "MCTS"): "100%",
    ("QMPlayer", "Random"): "12.5%",
    ("MCS", "MCTS"): "65%",
    ("MCS", "Random"): "0",
}
SEARCH = 10_000  # iterations per move in place of 10 s
DEALS = 5  # per pair and round, each in both seatings; players without luck play all of them alike


def _players(game: Game, run: Run, seed: int) -> dict[str, Any]:
    """The five players, two of them fresh from their learning."""
    budget = 200 if run.settings.quick else SEARCH
    flat = game.native_agent("mcs", {"iterations": QM_PLAYOUTS})
    matches = {"game": "tictactoe", "learning": learning_of(run, 50_000)["learning"], "seed": seed}
    q = q_table.train(q_player(**matches))
    qm = q_table.train(qm_player(**matches, fallback=f"mcs:iterations={QM_PLAYOUTS}"))
    return {
        "MCTS": game.native_agent("uct", {"iterations": budget, "plus_one": True, "pick": "mean"}),
        "Random": game.native_agent("random", {}),
        "QPlayer": q.agent("q"),
        "QMPlayer": qm.agent("qm", flat),
        "MCS": game.native_agent("mcs", {"iterations": budget}),
    }


@experiment(
    "wang/table1",
    title="Wang, Table 1: the players against each other, Tic-Tac-Toe",
    paper=(
        "Win rates over 100 matches. MCTS and MCS have 10 s per move, QPlayer and QMPlayer have learnt for 50,000 "
        'matches. "MCTS can win in the first hand matches and always get a draw in the second hand matches while '
        'playing with MCS"; Q-learning loses all matches against MCTS.'
    ),
)
def table1(run: Run) -> Report:
    game = kibitz.make("tictactoe")
    rounds = max(2, run.games(100, quick=2))
    pairs = [(a, b) for i, a in enumerate(PLAYERS) for b in PLAYERS[i + 1 :]]

    def work(unit: int) -> Any:
        seed = run.seed_of(unit)
        players = _players(game, run, seed)
        out = []
        for a, b in pairs:
            played = game.native_match([players[a], players[b]], rotations(2), seed, 0, DEALS, run.threads)
            won, tied = winners(np.asarray(played.payoffs), np.arange(2))
            out.append([won[..., 0].sum(axis=0), tied[..., 0].sum(axis=0), won[..., 1].sum(axis=0)])
        return np.array(out).tolist()

    # [round, pair, (first wins, draw, second wins), (first moves first, second does)]
    seated = np.array(run.units("rounds", rounds, work))
    counts = seated.sum(axis=3)
    shares, games = counts / (2 * DEALS), 2 * DEALS * rounds
    wins: dict[tuple[str, str], Floats] = {}  # of the second against the first
    rows, lines = [], []
    for p, (a, b) in enumerate(pairs):
        wins[(b, a)], wins[(a, b)] = shares[:, p, 0], shares[:, p, 2]
        for against, who in ((a, b), (b, a)):
            told = PAPER_TABLE.get((against, who), "")
            rows.append(row(f"{who} against {against}: wins", told, rate_interval(wins[(against, who)]), games))
        rows.append(row(f"{a} and {b}: draws", "", rate_interval(shares[:, p, 1]), games))
        lines += [(r + 1, a, b, *(int(x) for x in counts[r, p])) for r in range(rounds)]
    return Report(
        rows=rows,
        note=_table_note(game, wins, seated[:, pairs.index(("MCTS", "MCS"))] / DEALS) + _TABLE_HOW,
        tables={"pairs": Table(("round", "first", "second", "first_wins", "draws", "second_wins"), lines)},
        plots={"against_random": lambda axes: _paint_table(axes, wins)},
    )


def best_against_random(game: Game, seat: int, worth: Callable[[float], float]) -> float:
    """The highest mean of worth(payoff) that anybody can have against a random player. Exact, by all positions."""
    known: dict[int, float] = {}

    def value(state: Any) -> float:
        if state.over:
            return worth(state.payoffs[seat])
        key = state.view(seat).key
        if key not in known:
            values = []
            for action in state.legal():
                after = state.copy()
                after.apply(action)
                values.append(value(after))
            known[key] = max(values) if state.to_act == seat else sum(values) / len(values)
        return known[key]

    return value(game.deal(seed=0))


def _table_note(game: Game, wins: dict[tuple[str, str], Floats], searches: Floats) -> str:
    """`searches` [round, (MCTS wins, draw, MCS wins), (MCTS moves first, MCS does)]."""

    def rate(against: str, who: str) -> Interval:
        return rate_interval(wins[(against, who)])

    note = []
    for who in ("QPlayer", "QMPlayer"):
        lost = rate(who, "MCTS")
        word = "holds" if lost.mean == 1 else "does not hold"
        note.append(f"- {who} loses all matches against MCTS: {word} (MCTS wins {shown(lost)}).")
        beaten = rate("MCTS", who)
        word = "holds" if beaten.mean == 0 else "does not hold"
        note.append(f"- {who} never wins against MCTS: {word} ({shown(beaten)}).")
    mcts, mcs = wins[("MCS", "MCTS")], wins[("MCTS", "MCS")]
    note.append(more("MCTS wins more often against MCS than the other way", mcts, mcs))
    first, second = rate_interval(searches[:, 0, 0]), rate_interval(searches[:, 1, 1])
    always = first.mean == second.mean == 1
    note.append(
        "- Against MCS, MCTS wins as the first to move and draws as the second: "
        f"{'holds' if always else 'does not hold in every match'} (wins {shown(first)} as the first, draws "
        f"{shown(second)} as the second).{' By that its win rate is 50%, not 65%.' if always else ''}"
    )
    qm, q = wins[("Random", "QMPlayer")], wins[("Random", "QPlayer")]
    note.append(more("QMPlayer wins more often against random than QPlayer", qm, q))
    most = sum(best_against_random(game, seat, lambda payoff: float(payoff > 0)) for seat in (0, 1)) / 2
    note.append(
        f"- Nobody wins more than {most:.1%} of the matches against random, seats in turn, in the long run (exact, by "
        "all positions). The paper's 99.5% for MCTS and 100% for MCS are above that."
    )
    return "\n".join(note)


_TABLE_HOW = f"""

The native Tic-Tac-Toe is played. MCTS has {SEARCH:,} iterations per move, √(ln(N+1)/n) and the child with the highest
mean, as in the paper, but does not add the exploration term where the other minimises; MCS has {SEARCH:,} play-outs.
Every pair plays {2 * DEALS} matches per round, in both seatings, in every round with players that have learnt anew; an
interval is over the rounds.
Two players without mistakes draw every game of Tic-Tac-Toe, so a player that loses all games against MCTS must make a
mistake in every one."""


def _paint_table(axes: Axes, wins: dict[tuple[str, str], Floats]) -> None:
    told = {"MCTS": 0.995, "QPlayer": 0.865, "QMPlayer": 0.875, "MCS": 1.0}
    bars = [Bar(who, rate_interval(wins[("Random", who)]), paper) for who, paper in told.items()]
    paint_bars(axes, bars, "Tic-Tac-Toe: win rate against random", "win rate")


# --- the budget of QMPlayer


@experiment(
    "wang/budget",
    title="Wang: the budget of QMPlayer's search, Tic-Tac-Toe",
    paper=(
        'The paper gives the search 50 ms, "at the very beginning" QMPlayer wins about 67% and after 5,000 matches of '
        "learning around 85%. How many play-outs its engine made in that time is not told."
    ),
)
def budget(run: Run) -> Report:
    usual = {"game": TIC_TAC_TOE, **learning_of(run, 5_000)}
    ms = 1 if run.settings.quick else 50
    curves = [Curve("no search", q_player(**usual), "around 55%")]
    for playouts in (10, 50, 1_000):
        curves.append(Curve(f"{playouts:,} play-outs", qm_player(**usual, fallback=f"mcs:iterations={playouts}")))
    curves.append(Curve(f"{ms} ms", qm_player(**usual, fallback=f"mcs:ms={ms}"), "around 85%"))
    found = run_curves(run, curves)
    none, *_, timed = found
    few = found[2]
    note = [
        more("50 ms are ahead of no search in the first tenth", timed.early(timed.wins), none.early(none.wins)),
        more("50 ms end above no search", timed.after(timed.wins), none.after(none.wins)),
        more(f"50 ms end above {QM_PLAYOUTS} play-outs", timed.after(timed.wins), few.after(few.wins)),
        "- The rounds with 50 ms are the only ones that do not repeat to the digit: how many play-outs a search makes "
        "in a time depends on the machine.",
    ]
    return report_of(found, note, "QMPlayer by its budget, Tic-Tac-Toe", [early_row(f) for f in found])


# --- the exploration of MCTS

EXPLORATION = (0.5, 0.7, 1.0, 1.4)
_MCS, _RANDOM = "MCS", "Random"


@experiment(
    "wang/exploration",
    title="Wang: the exploration of MCTS in Table 1, Tic-Tac-Toe",
    paper=(
        "The paper's formula has no constant before its root, so c = 1, for rewards of 0 to 100 as GDL has them; ours "
        "in Table 1 is 0.7 for rewards from 0 to 1. MCTS wins 65% against MCS and 99.5% against random there."
    ),
)
def exploration(run: Run) -> Report:
    game = kibitz.make("tictactoe")
    rounds, iterations = max(2, run.games(100, quick=2)), 200 if run.settings.quick else SEARCH
    others = {_MCS: ("mcs", {"iterations": iterations}), _RANDOM: ("random", {})}

    def work(unit: int) -> Any:
        out = []
        for c in EXPLORATION:
            mcts = game.native_agent("uct", {"iterations": iterations, "plus_one": True, "pick": "mean", "c": c})
            for name, options in others.values():
                pair = [mcts, game.native_agent(name, options)]
                played = game.native_match(pair, rotations(2), run.seed_of(unit), 0, DEALS, run.threads)
                won, tied = winners(np.asarray(played.payoffs), np.arange(2))
                out.append([float(won[..., 0].mean()), float(tied[..., 0].mean())])
        return out

    found = np.array(run.units("rounds", rounds, work)).reshape(rounds, len(EXPLORATION), len(others), 2)
    wins = {(c, who): found[:, i, k, 0] for i, c in enumerate(EXPLORATION) for k, who in enumerate(others)}
    told = {_MCS: "65%", _RANDOM: "99.5%"}
    games = 2 * DEALS * rounds
    rows = [
        row(f"c = {c:g} against {who}: wins", told[who] if c == 1 else "", rate_interval(x), games)
        for (c, who), x in wins.items()
    ]
    lines = [
        more(f"c = 1 wins more often against {who} than c = 0.7", wins[(1.0, who)], wins[(0.7, who)]) for who in others
    ]
    how = (
        f"MCTS and MCS have {iterations:,} iterations per move; {2 * DEALS} matches a round in both seatings; an "
        "interval is over the rounds. What c means depends on the scale of rewards, on which the paper says nothing."
    )
    bars = [Bar(f"c = {c:g}", rate_interval(wins[(c, _MCS)]), 0.65 if c == 1 else None) for c in EXPLORATION]
    table = [(r + 1, c, who, float(x[r])) for (c, who), x in wins.items() for r in range(rounds)]
    return Report(
        rows=rows,
        note="\n".join([*lines, "", how]),
        tables={"rounds": Table(("round", "c", "against", "won"), table)},
        plots={"against_mcs": lambda axes: paint_bars(axes, bars, "Tic-Tac-Toe: MCTS against MCS", "win rate")},
    )
