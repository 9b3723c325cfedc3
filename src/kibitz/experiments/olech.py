"""Olech: Monte Carlo tree search for French Belote, 12 and 32 cards, against players who choose at random."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import kibitz
from kibitz._core import Game, Rng, Seeds
from kibitz.agents.base import AgentBase
from kibitz.arena.players import PythonPlayer
from kibitz.arena.stats import Floats, Interval, mean_interval
from kibitz.experiments import Report, Row, Run, Table, experiment
from kibitz.experiments import matches as m

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DEALS = 1_000  # the paper: 60 games with 12 cards, 30 with 32
MIRRORED = [[0, 2, 1, 3], [1, 3, 0, 2]]  # the searching team leads to the first trick, or the other does
TEAM = "team of two against two random players"


@dataclass(frozen=True)
class Method:
    """An algorithm of the paper: how we play it, and the paper's line of the table."""

    spec: str  # without the budget
    iterations: int
    score: float
    std: float
    win: float
    draw: float
    seconds: float
    worlds: int | None = None  # None: no worlds, or all of them; `iterations` is for each world where there are any
    all_worlds: bool = False


# Alg. 2 of the paper chooses by the highest mean in the end, and has c·√(2 ln N / n): with the usual c = 1/√2 that is
# c = 1 in ours. What c was, and whether points or wins were the reward, it does not say.
_UCT, _PIMC, _ISMCTS = "cheat-uct:c=1.0,pick=mean", "pimc:c=1.0,aggregate={}", "ismcts:c=1.0,counts=available"
CHEATING, TOTAL, BEST, ISMCTS = "cheating UCT", "max total reward", "max times best", "SO-ISMCTS"

TABLE_1: dict[str, Method] = {
    CHEATING: Method(_UCT, 1_000, 50.27, 25.83, 0.6667, 0.0, 0.14),
    TOTAL: Method(_PIMC.format("reward"), 400, 39.8, 25.34, 0.45, 0.0, 6.81, all_worlds=True),
    BEST: Method(_PIMC.format("times_best"), 400, 46.0, 27.18, 0.6333, 0.0, 6.91, all_worlds=True),
    ISMCTS: Method(_ISMCTS, 50_000, 42.37, 29.0, 0.5333, 0.0, 9.85),
}
TABLE_2: dict[str, Method] = {
    CHEATING: Method(_UCT, 30_000, 98.47, 37.29, 0.7667, 0.0, 13.0),
    TOTAL: Method(_PIMC.format("reward"), 200, 97.9, 31.75, 0.7, 0.0333, 20.23, worlds=1_000),
    BEST: Method(_PIMC.format("times_best"), 200, 95.73, 35.46, 0.7, 0.0333, 21.2, worlds=1_000),
    ISMCTS: Method(_ISMCTS, 3_000, 93.2, 35.37, 0.8, 0.0, 11.07),
}


@experiment(
    "olech/table1",
    title="Olech, Table 1: Belote with 12 cards",
    paper=(
        "Each algorithm played 60 games of 12-card Belote as a team against two random players, first to lead in half "
        "of them. More than 40 of 80 points win. All Worlds UCT searches all 1,680 worlds with 400 trials each; it did "
        "it in parallel, three times as fast as serially."
    ),
)
def table1(run: Run) -> Report:
    return _table(run, 12, TABLE_1, size=40)


@experiment(
    "olech/table2",
    title="Olech, Table 2: Belote with 32 cards",
    paper=(
        "Each algorithm played 30 games of 32-card Belote as a team against two random players. More than 76 of 152 "
        "points win. All Worlds UCT has 200 trials in each of 1,000 sampled worlds, SO-ISMCTS 3,000 trials, cheating "
        "UCT 30,000."
    ),
)
def table2(run: Run) -> Report:
    return _table(run, 32, TABLE_2, size=8)


class AllWorlds(AgentBase):
    """`pimc` in all worlds, so many iterations in each: the whole budget depends on how many worlds there are."""

    def __init__(self, spec: str, each: int, threads: int) -> None:
        super().__init__()
        agent: Any = kibitz.agent(spec)
        self.name, self._each = spec, each
        self._native_name, self._options = agent.native_name, agent.options | {"worlds": "all", "threads": threads}

    def act(self, view: Any) -> int:
        budget = self._each * int(view.worlds())
        return int(
            view.game.native_agent(self._native_name, self._options | {"iterations": budget}).act(view, self.rng)
        )


def agent_of(method: Method, thin: int, threads: int = 1) -> Any:
    """An agent, or a spec string for the core; `thin` divides the budget (for tests)."""
    each = max(1, method.iterations // thin)
    if method.all_worlds:
        return AllWorlds(method.spec, each, threads)
    if method.worlds is None:
        return f"{method.spec},iterations={each},threads={threads}"
    worlds = max(1, method.worlds // thin)
    return f"{method.spec},worlds={worlds},iterations={each * worlds},threads={threads}"


def _table(run: Run, cards: int, methods: Mapping[str, Method], size: int) -> Report:
    deals = run.games(DEALS, quick=6)
    thin = 10 if run.settings.quick else 1
    game = kibitz.make("belote", cards=cards, rules="olech", scoring="points")
    scores = {name: _scores(run, game, name, method, deals, thin, size) for name, method in methods.items()}
    times = run.units("times", len(methods) + 1, lambda unit: _times(run, game, methods, unit, thin))
    whole = 80 if cards == 12 else 152
    rows = [r for name, method in methods.items() for r in _rows(name, method, scores[name], whole)]
    rows += _time_rows(methods, times)
    note = _note_1 if cards == 12 else _note_2
    return Report(
        rows=rows,
        note=note(scores, times, whole / 2) + _choices(run, deals, thin),
        tables={
            "games": Table(
                ("deal", *(f"{name}, {seat}" for name in scores for seat in ("leading", "second"))),
                [(d, *(int(x) for s in scores.values() for x in s[d])) for d in range(deals)],
            )
        },
        plots={
            "wins": lambda axes: _paint(axes, scores, methods, whole / 2, f"Belote with {cards} cards, {TEAM}"),
            "scores": lambda axes: _paint_scores(axes, scores, methods, whole, f"Belote with {cards} cards, {TEAM}"),
        },
    )


def _scores(run: Run, game: Game, name: str, method: Method, deals: int, thin: int, size: int) -> Floats:
    """Points of the searching team [deal, leading or second]; all methods get the same deals."""
    pieces = m.parts(deals, size)

    def work(unit: int) -> list[list[int]]:
        seed, part = run.seed_of(0), pieces[unit]
        if method.all_worlds:  # inside the core a budget cannot depend on the worlds
            agents = [agent_of(method, thin, run.threads) for _ in range(2)] + [
                kibitz.agent("random") for _ in range(2)
            ]
            payoffs = np.asarray(PythonPlayer(game, agents, MIRRORED).deals(seed, part.start, len(part)).payoffs)
        else:
            spec = agent_of(method, thin)
            payoffs = m.play(game, [spec, spec, "random", "random"], MIRRORED, seed, part, run.threads)
        return [[int(x) for x in deal] for deal in payoffs[:, :, 0]]

    done = run.units(name.replace(" ", "-").lower(), len(pieces), work)
    return np.array([deal for part in done for deal in part], float)


def _positions(game: Game, seed: int, deals: int) -> list[Any]:
    """States before non-final moves, in random play. The time per move is measured there, as in the paper."""
    out, seeds = [], Seeds(seed)
    for deal in range(deals):
        rng, state = Rng(seeds.lot(deal)), game.deal(seeds.deal(deal))
        cards = game.options["cards"]
        stride = 1 if cards == 12 else 3  # not a divisor of four: all places in a trick come up
        for move in range(cards - 4):
            legal = state.legal()
            if move % stride == 0 and len(legal) > 1:
                out.append(state.copy())
            state.apply(legal[rng.below(len(legal))])
    return out


def _times(run: Run, game: Game, methods: Mapping[str, Method], unit: int, thin: int) -> list[float]:
    """Seconds for each of some decisions, on one thread; the last unit is max times best on all."""
    names = [*methods, BEST]
    threads = run.threads if unit == len(methods) else 1
    agent = kibitz.agent(agent_of(methods[names[unit]], thin, threads))
    out = []
    for state in _positions(game, run.settings.seed, 2 if run.settings.quick else 20):
        agent.begin(1)
        shown = state if agent.peeks else state.view(state.to_act)
        start = time.perf_counter()
        agent.act(shown)
        out.append(time.perf_counter() - start)
    return out


def _rows(name: str, method: Method, scores: Floats, whole: int) -> list[Row]:
    n, half = scores.size, whole / 2
    win, draw = m.rate((scores > half).mean(axis=1)), m.rate((scores == half).mean(axis=1))
    return [
        m.row(f"{name}: wins", f"{method.win:.2%}", win, n, "{:.2%}"),
        m.row(f"{name}: draws", f"{method.draw:.2%}", draw, n, "{:.2%}"),
        m.row(f"{name}: score of {whole}", f"{method.score:.2f}", _score(scores, whole), n, "{:.2f}"),
        m.row(f"{name}: standard deviation", f"{method.std:.2f}", m.spread_of(scores), n, "{:.2f}"),
    ]


def _score(scores: Floats, whole: float) -> Interval:
    return mean_interval(scores.mean(axis=1), 0.0, float(whole))


def _time_rows(methods: Mapping[str, Method], times: Sequence[Sequence[float]]) -> list[Row]:
    rows = []
    for (name, method), seconds in zip(methods.items(), times, strict=False):
        found = mean_interval(np.array(seconds) * 1e3, 0.0, np.inf)
        rows.append(m.row(f"{name}: ms per move", f"{1e3 * method.seconds:,.0f}", found, len(seconds), "{:.3g}"))
    found, n = _speed_up(times), len(times[-1])
    rows.append(m.row("parallel against serial PIMC, times as fast", "3", found, n, "{:.2f}"))
    return rows


def _speed_up(times: Sequence[Sequence[float]]) -> Interval:
    """How much faster max times best is on all threads: the mean over decisions of the logarithm, taken back."""
    ratio = np.log(np.array(times[2]) / np.array(times[-1]))
    found = mean_interval(ratio, -np.inf, np.inf)
    return Interval(*(float(np.exp(x)) for x in (found.mean, found.low, found.high)))


def _wins(scores: Floats, half: float) -> Floats:
    """Per deal; a rate."""
    return np.asarray((scores > half).mean(axis=1))


def _edge(scores: Floats, half: float) -> Interval:
    """Own wins less those of the random team."""
    return mean_interval((scores > half).mean(axis=1) - (scores < half).mean(axis=1), -1.0, 1.0)


def _note_1(scores: Mapping[str, Floats], times: Sequence[Sequence[float]], half: float) -> str:
    won = {name: _wins(s, half) for name, s in scores.items()}
    slow = [float(np.mean(t)) / float(np.mean(times[0])) for t in times[1:4]]
    closest = min((TOTAL, BEST, ISMCTS), key=lambda name: abs(float((won[CHEATING] - won[name]).mean())))
    lines = [
        *(
            m.judge(f"{name} wins more often than its random opponents", _edge(scores[name], half))
            for name in (CHEATING, BEST, ISMCTS)
        ),
        m.judge_not("max total reward is no better than its random opponents", _edge(scores[TOTAL], half)),
        m.judge("max times best wins more than max total reward", m.gap(won[BEST], won[TOTAL])),
        *(
            m.judge(f"cheating UCT wins more than {name}", m.gap(won[CHEATING], won[name]))
            for name in (TOTAL, BEST, ISMCTS)
        ),
        f"- Max times best comes closest to cheating UCT: {'holds' if closest == BEST else f'here it is {closest}'}.",
        m.judge("max times best wins more than SO-ISMCTS", m.gap(won[BEST], won[ISMCTS])),
        "- Without peeking a move takes more than ten times as long: "
        + ("holds" if min(slow) > 10 else "does not hold")
        + f" (here {min(slow):.0f} to {max(slow):.0f} times).",
        _about_times(times, slower="SO-ISMCTS is slower than parallel max times best"),
    ]
    return "\n".join(["What the paper concludes, judged by the intervals:", "", *lines])


def _note_2(scores: Mapping[str, Floats], times: Sequence[Sequence[float]], half: float) -> str:
    won = {name: _wins(s, half) for name, s in scores.items()}
    mean = {name: s.mean(axis=1) / (2 * half) for name, s in scores.items()}
    others = (TOTAL, BEST, ISMCTS)
    lines = [
        *(
            m.judge(f"cheating UCT scores more than {name} (in points of a hundred)", m.gap(mean[CHEATING], mean[name]))
            for name in others
        ),
        m.judge_equal("SO-ISMCTS wins as often as cheating UCT", m.gap(won[ISMCTS], won[CHEATING])),
        *(m.judge(f"SO-ISMCTS wins more than {name}", m.gap(won[ISMCTS], won[name])) for name in (TOTAL, BEST)),
        *(m.judge(f"{name} wins more often than its random opponents", _edge(scores[name], half)) for name in scores),
        _about_times(times, slower="serial max times best is slower than SO-ISMCTS"),
    ]
    return "\n".join(["What the paper concludes, judged by the intervals:", "", *lines])


def _about_times(times: Sequence[Sequence[float]], slower: str) -> str:
    serial, parallel, ismcts = (float(np.mean(times[i])) for i in (2, 4, 3))
    holds = ismcts > parallel if slower.startswith("SO-") else serial > ismcts
    return (
        f"- {slower[0].upper()}{slower[1:]}: {'holds' if holds else 'does not hold'} here ({1e3 * ismcts:.3g} ms for "
        f"SO-ISMCTS, {1e3 * serial:.3g} ms for max times best, {1e3 * parallel:.3g} ms for the same on all threads)."
    )


def _choices(run: Run, deals: int, thin: int) -> str:
    quick = f" This is a quick test: budgets are a {thin}th of the paper's." if thin > 1 else ""
    return f"""

The paper's rates come from 60 or 30 games: their own 95% intervals reach more than 12 or 15 points to each side. Ours
are from {deals:,} deals, each played twice with the teams exchanged; an interval takes a deal as one
observation.{quick}

What the paper does not say, and we chose: the reward of a play-out (points), the weight of exploration (c = 1 in our
formula, the usual 1/√2 in the paper's), the trump suit (always spades), how SO-ISMCTS chooses in the end (most visits).
In each world the vote of max times best goes to the action visited most. Times are those of single decisions before
the last trick, in random play, on one thread, the parallel ones on {run.threads}; unlike all other figures they differ
from run to run and from machine to machine."""


def _paint(axes: Axes, scores: Mapping[str, Floats], methods: Mapping[str, Method], half: float, title: str) -> None:
    bars = [m.Bar(name, m.rate(_wins(s, half)), methods[name].win) for name, s in scores.items()]
    m.paint_bars(axes, bars, title, "win rate")
    axes.axhline(0.5, color="#555753", linestyle="--", linewidth=1)


def _paint_scores(
    axes: Axes, scores: Mapping[str, Floats], methods: Mapping[str, Method], whole: int, title: str
) -> None:
    bars = [m.Bar(name, _score(s, whole), methods[name].score) for name, s in scores.items()]
    m.paint_bars(axes, bars, title, f"mean score of {whole}")
    axes.axhline(whole / 2, color="#555753", linestyle="--", linewidth=1)
