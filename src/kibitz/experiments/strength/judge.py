"""Is the judge right? Its verdicts against exact computation, another seed, and ten times the effort."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import kibitz
from kibitz import _core, advice, registry
from kibitz.advice import columns, judge
from kibitz.advice.columns import Case, Column, Stakes
from kibitz.experiments import Report, Row, Run, Table, experiment, stats
from kibitz.experiments.strength import matches
from kibitz.protocols import Game, State

SMALL = {"mini_doudizhu": "ismcts:iterations=100", "belote:cards=12": "rules"}  # with who plays until the decision
LARGE = ("belote", "uno:players=3", "doudizhu")
DECISIONS, POSITIONS = 1000, 200
MORE = 10  # times the effort
IN_EACH = 10  # play-outs of each move in each world
LEASTS, LIMITS = (0.0, 1.0, 2.0, 4.0), (1.0, 1.5, 2.0)  # thresholds that are compared, as multiples of those in use


@dataclass(frozen=True)
class Figures:
    """What a threshold is compared with."""

    loss: float
    error: float
    least: float
    others: int

    def bad(self, least: float = 1.0, limit: float = 1.0) -> bool:
        """With a least loss, and a limit beyond the error, of so many times those in use."""
        return Column(0, self.loss, self.error * limit, self.least * least, self.others).bad


@experiment(
    "strength/judge",
    title="Verdicts of the judge: right, and the same again",
    paper=(
        "*Exact*: in games whose worlds can all be listed, the verdict of every decision is worked out by `expectimax` "
        "over all worlds and by the solver in the real deal, and compared with that of the judge at its default "
        "effort; a false mistake is a move that the judge calls bad over the worlds and the exact computation does "
        "not. There the judge lists the worlds, too. *By play-outs* is what it would say if it had to draw worlds and "
        "play them out, as in larger games. A mistake is then false by chance if the same play-outs in all worlds find "
        "no loss worth a word; where expectimax says good, that is another opinion of how play goes on. *Again*: in "
        "larger games, the share of decisions with the same verdict by another seed, and by ten times the effort; a "
        "mistake is withdrawn if ten times the effort calls the move good over the worlds. Decisions come from games "
        "in which every second move is random, so that there are mistakes to find."
    ),
)
def judged(run: Run) -> Report:
    rows, lines = [], []
    for spec in SMALL:
        found = run.units(_stage("exact", spec), run.games(DECISIONS, quick=4), _exact(run, spec))
        rows += _truth_rows(spec, found)
        lines.append(_false(spec, found))
    pairs: dict[str, list[Any]] = {}
    for spec in LARGE:
        pairs[spec] = run.units(_stage("again", spec), run.games(POSITIONS, quick=2), _again(run, spec))
        rows += _again_rows(spec, pairs[spec])
    return Report(rows=rows, note="\n".join(f"- {line}" for line in lines), tables={"thresholds": _thresholds(pairs)})


def _stage(name: str, spec: str) -> str:
    return matches.stage_of(name, spec, [f"effort={columns.EFFORT}"])


def _share(label: str, goal: str, hits: Sequence[bool]) -> Row:
    return Row(label, goal, stats.share(sum(hits), len(hits)), len(hits), "{:.1%}")


# ---------------------------------------------------------------------------------------------- decisions


def position(game: Game, seed: int, player: str, moves: int) -> tuple[State, int]:
    """A state after some moves with something to decide, and a move there. Every second move of the game is random."""
    agent, rng = registry.agent(player), _core.Rng(seed)
    agent.begin(seed)
    number = 0
    while True:
        state, seen = game.deal(_core.mix(seed, number)), 0
        while not state.over:
            legal = state.legal()
            view = state.view(state.to_act)
            action = legal[rng.below(len(legal))] if rng.below(2) else agent.act(view)
            if len(legal) > 1:
                if seen == moves:
                    return state, action
                seen += 1
            state.apply(action)
        number, moves = number + 1, moves // 2  # this deal was too short


# ---------------------------------------------------------------------------------------------- exact


def _exact(run: Run, spec: str) -> Callable[[int], Any]:
    """Per decision: the verdict of the judge, the exact one, and the figures of play-outs."""
    game = kibitz.make(spec)

    def work(unit: int) -> list[Any]:
        seed = run.seed_of(unit)
        state, action = position(game, seed, SMALL[spec], unit % 7)
        said = judge.decision(game, state, action, seed=seed)
        stakes = Stakes.of(game)
        state = stakes.state(state)
        case = Case(stakes, state, state.view(state.to_act), action, seed=seed, listed=0)
        drawn = columns.imagined(case)[0]
        return [said.verdict, _truth(case), *_figures(drawn), _played_out(case)]

    return work


def _played_out(case: Case) -> float | None:
    """The loss by the play-outs that the judge draws in larger games, but in all worlds instead of some; None where
    the adviser plays nothing out."""
    game: Any = case.stakes.game
    view: Any = case.view
    if not _plays_out(game):
        return None
    total = np.zeros(len(case.legal))
    for number, (world, weight) in enumerate(view.all_worlds()):
        driven = game.search(world, f"cheat-mcs:iterations={IN_EACH * len(case.legal)},rollout=rules", seed=number)
        driven.run()
        total += weight * np.array(driven.thought().values)
    values = total / view.worlds() * case.stakes.scale
    return float(values.max() - values[case.at])


def _plays_out(game: Game) -> bool:
    return registry.parse_spec(advice.choice(game).variant.adviser).name == "mcs"


def _truth(case: Case) -> str:
    """From the values of all moves, with none of the judge's own arithmetic."""
    game: Any = case.stakes.game
    legal, least = case.legal, case.stakes.least(case.view)
    over = game.native_agent("expectimax", {}).think(case.view, _core.Rng(0)).values
    real = game.solve(case.state, all_actions=True).values
    known_bad = (max(over) - over[legal.index(case.action)]) * case.stakes.scale >= least
    real_bad = (max(real.values()) - real[case.action]) * case.stakes.scale >= least
    return {
        (False, False): judge.GOOD,
        (False, True): judge.UNLUCKY,
        (True, False): judge.LUCKY,
        (True, True): judge.MISTAKE,
    }[known_bad, real_bad]


BAD = (judge.MISTAKE, judge.LUCKY)  # over the worlds


def _truth_rows(spec: str, found: list[list[Any]]) -> list[Row]:
    said, truth = [part[0] for part in found], [part[1] for part in found]
    rows = [
        _share(f"{spec}: verdict as computed exactly", "", [a == b for a, b in zip(said, truth, strict=True)]),
        _share(f"{spec}: bad over the worlds", "", [b in BAD for b in truth]),
        _share(f"{spec}: false mistakes, of all decisions", "below 2%", _hits(said, truth)),
    ]
    if found[0][-1] is None:
        return rows
    drawn = [_read(part[2:6]) for part in found]
    bad = [figures.bad() for figures in drawn]
    chance = [b and part[-1] < figures.least for b, part, figures in zip(bad, found, drawn, strict=True)]
    other = [b and t not in BAD for b, t in zip(bad, truth, strict=True)]
    return [
        *rows,
        _share(f"{spec}: by play-outs, false mistakes by chance, of all decisions", "below 2%", chance),
        _share(f"{spec}: by play-outs, bad where expectimax says good, of all decisions", "", other),
    ]


def _hits(said: list[str], truth: list[str]) -> list[bool]:
    return [a in BAD and b not in BAD for a, b in zip(said, truth, strict=True)]


def _false(spec: str, found: list[list[Any]]) -> str:
    false = stats.share(sum(_hits([p[0] for p in found], [p[1] for p in found])), len(found))
    verdict = "holds" if false.high < 0.02 else "not decided" if false.low < 0.02 else "does not hold"
    return f"{spec}: fewer than 2% of decisions are called mistakes falsely: {verdict}."


# ---------------------------------------------------------------------------------------------- again


def _again(run: Run, spec: str) -> Callable[[int], Any]:
    """Per decision: the figures of both columns, by two seeds and by more effort."""
    game = kibitz.make(spec)
    player = advice.level(game, "easy").spec

    def work(unit: int) -> list[Any]:
        seed = run.seed_of(unit)
        state, action = position(game, seed, player, unit % 20)
        runs = []
        for salt, effort in ((1, columns.EFFORT), (2, columns.EFFORT), (3, MORE * columns.EFFORT)):
            said = judge.decision(game, state, action, effort=effort, seed=_core.mix(seed, salt))
            runs.append([_figures(said.known), _figures(said.real)])
        return runs

    return work


def _figures(column: Column | None) -> list[float]:
    if column is None:
        raise ValueError("the judge could not decide, where it always can")
    return [column.loss, column.error or 0.0, column.least, column.others]


def _read(figures: Sequence[float]) -> Figures:
    loss, error, least, others = figures
    return Figures(loss, error, least, int(others))


def _verdicts(part: list[Any], least: float = 1.0, limit: float = 1.0) -> list[tuple[bool, bool]]:
    """(bad over the worlds, bad in fact) in each of the three runs of a decision."""
    return [(_read(known).bad(least, limit), _read(real).bad(least, limit)) for known, real in part]


def _again_rows(spec: str, parts: list[Any]) -> list[Row]:
    runs = [_verdicts(part) for part in parts]
    called = [run for run in runs if run[0][0]]
    withdrawn = [not more[0] for _, _, more in called]
    return [
        _share(f"{spec}: same verdict by another seed", "", [a == b for a, b, _ in runs]),
        _share(f"{spec}: same verdict by ten times the effort", "", [a == more for a, _, more in runs]),
        _share(f"{spec}: same opinion of the worlds by ten times the effort", "", [a[0] == m[0] for a, _, m in runs]),
        _share(f"{spec}: mistakes withdrawn, of all decisions", "", [a[0] and not more[0] for a, _, more in runs]),
        *([_share(f"{spec}: mistakes withdrawn, of all mistakes", "", withdrawn)] if withdrawn else []),
    ]


def _thresholds(pairs: dict[str, list[Any]]) -> Table:
    """How other thresholds would do."""
    lines = []
    for spec, parts in pairs.items():
        for least in LEASTS:
            for limit in LIMITS:
                runs = [_verdicts(part, least, limit) for part in parts]
                n = len(runs)
                lines.append(
                    [
                        spec,
                        least,
                        limit,
                        n,
                        sum(a[0] for a, _, _ in runs) / n,
                        sum(a == b for a, b, _ in runs) / n,
                        sum(a == more for a, _, more in runs) / n,
                        sum(a[0] and not more[0] for a, _, more in runs) / n,
                    ]
                )
    head = ("game", "least_times", "error_times", "decisions", "called_bad", "same_seed", "same_effort", "withdrawn")
    return Table(head, lines)
