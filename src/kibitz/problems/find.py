"""Finding problems: levels play against each other, and every decision is looked at.

A problem passes in this order, cheap tests first:

1. the adviser, at half of its usual effort, thinks one move better than all others beyond its error;
2. a level misses it: of its answers with different seeds, at most half are right;
3. the adviser at eight times its effort or more, spread evenly over all moves, agrees, and the second best loses at
   least `GAP` times what is worth a word;
4. a second judgement agrees: by the solver where nothing is hidden, over all worlds where they can be listed, else
   over play-outs that are drawn anew.

Of what passes, problems are chosen that differ in phase, in kind of move and in difficulty.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kibitz import _core, advice, protocols, registry
from kibitz._core import Game, State, View
from kibitz.advice import judge, words
from kibitz.advice.columns import EFFORT, Stakes
from kibitz.advice.report import Report
from kibitz.advice.thinking import Thinking
from kibitz.problems import HARDEST, Move, Problem

GAP = 10  # times what is worth a word (Stakes.least): 10% of the games, 5 points
QUICK, DEEP, DEEPEST = 0.5, 8.0, 32.0  # of the adviser's own budget
JUDGED = 8 * EFFORT  # worlds of the second judgement
ASKED = 6  # answers of a level
NODES = 3_000_000  # of the solver, where nothing is hidden
POOL = 2  # candidates for each problem that is wanted
MOST_MOVES = 40  # to choose from: longer lists are no fun
PER_DEAL = 40  # decisions of a deal that are looked at, at most
MOST_DEALS = 5_000
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Decision:
    """Of self-play: the state, and where it came from."""

    state: State
    deal: int
    move: int

    @property
    def view(self) -> View:
        return self.state.view(self.state.to_act)


def find(game: Game, number: int, seed: int, progress: Progress | None = None) -> list[Problem]:
    """So many problems; fewer if `MOST_DEALS` deals have no more. The same seed, the same problems."""
    say = progress or (lambda done, total: None)
    pool: dict[str, Problem] = {}
    say(0, POOL * number)
    for deal in range(MOST_DEALS):
        if len(pool) >= POOL * number:
            break
        decisions = _played(game, _core.mix(seed, deal))
        found = next(filter(None, map(_problem, decisions)), None)  # one of a deal at most
        if found is not None:
            pool.setdefault(_same(found), found)
            say(len(pool), POOL * number)
    return choose(list(pool.values()), number)


def _same(problem: Problem) -> str:
    """Equal for problems that are alike but for a mirror, or another corner of the board."""
    board = problem.position.get("board")
    if board is None:
        return str(sorted(problem.position.items()))
    turned = [list(board)]
    for _ in range(3):
        turned.append(["".join(row[::-1]) for row in zip(*turned[-1], strict=True)])
    return min("/".join(one) for rows in turned for one in (rows, [row[::-1] for row in rows]))


def choose(pool: list[Problem], number: int) -> list[Problem]:
    """As different as possible, easy ones first."""
    left, chosen = list(pool), list[Problem]()
    kinds, degrees = Counter[str](), Counter[int]()
    while left and len(chosen) < number:
        best = min(left, key=lambda problem: (kinds[kind(problem)], degrees[problem.difficulty]))
        left.remove(best)
        chosen.append(best)
        kinds[kind(best)] += 1
        degrees[best.difficulty] += 1
    return sorted(chosen, key=lambda problem: problem.difficulty)


def kind(problem: Problem) -> str:
    """What the problem is about: the phase of the game, and the best move without numbers and colours."""
    return f"{problem.position.get('phase', '')} {re.sub(r'[rgby]-(?!draw)|[0-9]+', '', problem.best)}"


def _played(game: Game, seed: int) -> Iterator[Decision]:
    """The decisions of a deal between levels that are drawn for each seat, in an order that is drawn, too."""
    rng = random.Random(seed)
    levels = [registry.agent(level.spec) for level in advice.levels(game)]
    seats = [rng.choice(levels) for _ in range(game.players)]
    for agent in levels:
        agent.begin(seed)
    state, found = game.deal(seed), list[Decision]()
    while not state.over:
        if 1 < len(state.legal()) <= MOST_MOVES:
            found.append(Decision(state.copy(), seed, len(state.history)))
        state.apply(seats[state.to_act].act(state.view(state.to_act)))
    rng.shuffle(found)
    return iter(found[:PER_DEAL])


def _problem(at: Decision) -> Problem | None:
    """The problem that a decision is, or None."""
    view = at.view
    if not protocols.facts(view.game).hidden:
        return _open_problem(at)
    report = _clear(view, QUICK)
    if report is None or not (found := _missed(view, report.best)):
        return None
    deep = _clear(view, min(DEEPEST, max(DEEP, len(view.legal()))), _even(view.game))
    if deep is None or deep.best != report.best:
        return None
    second = judge.decision(
        view.game, at.state, deep.actions[1].action, effort=JUDGED, seed=at.deal, move=at.move, over=False
    ).known
    if second is None or second.best != deep.best or not second.bad or second.weight < GAP / 2:
        return None
    again = {"loss": _short(second.loss), "error": _short(second.error)}
    return _made(at, _moves(deep), deep.reason, found, second.exact, again)


def _even(game: Game) -> str:
    """The adviser, looking at all moves alike: one that leaves the bad ones soon says little of how bad they are."""
    spec = registry.parse_spec(advice.choice(game).variant.adviser)
    options = {name: value for name, value in spec.options.items() if name not in ("halving", "base")}
    return str(registry.Spec(spec.name, spec.source, options))


def _clear(view: View, depth: float, spec: str | None = None) -> Report | None:
    """What the adviser, or the agent of `spec`, thinks, if one move is clearly best."""
    report = Thinking(view, spec, deepest=depth).all()
    others = report.actions[1:]
    if any(other.loss is None or not other.worse for other in others):
        return None
    stakes = Stakes.of(view.game)
    return report if min(other.loss or 0.0 for other in others) * stakes.scale >= GAP * stakes.least(view) else None


def _missed(view: View, best: int) -> dict[str, float]:
    """Of each level, the share of right answers; empty if every level knows the answer. Chance knows nothing."""
    found: dict[str, float] = {}
    for level in advice.levels(view.game):
        if level.spec == "random":
            continue
        agent, right = registry.agent(level.spec), 0
        for seed in range(ASKED):
            agent.begin(_core.mix(view.key, seed))
            right += agent.act(view) == best
        found[level.name] = round(right / ASKED, 2)
    return found if any(share <= 0.5 for share in found.values()) else {}


def _moves(report: Report) -> tuple[Move, ...]:
    return tuple(
        Move(
            one.text,
            _short(one.value),
            _short(one.error),
            one.worth,
            _short(one.win),
            _short(one.win_error),
            _short(one.loss) or 0.0,
            _short(one.loss_error),
            one.cost,
        )
        for one in report.actions
    )


def _made(
    at: Decision,
    moves: tuple[Move, ...],
    reason: str,
    found: dict[str, float],
    exact: bool,
    again: dict[str, float | None],
) -> Problem:
    view, text = at.view, at.state.game.text
    return Problem(
        view.game.position(view),
        tuple((seat, text(action)) for seat, action in view.history),
        moves,
        reason,
        min(HARDEST, sum(share <= 0.5 for share in found.values())),
        found,
        exact,
        again,
        str(at.deal),
        at.move,
    )


# ---------------------------------------------------------------------------------------------- nothing hidden


def _open_problem(at: Decision) -> Problem | None:
    """By the solver, which leaves nothing to judge twice."""
    game, view = at.state.game, at.view
    guess = _clear(view, QUICK)
    if guess is None or not (found := _missed(view, guess.best)):
        return None
    solved = game.solve(at.state, nodes=NODES, all_actions=True)
    if not solved.complete or len(solved.values) < len(view.legal()):
        return None
    order = sorted(solved.values, key=lambda action: (-solved.values[action], action))
    best, gap = order[0], solved.values[order[0]] - solved.values[order[1]]
    if best != guess.best or gap <= 0:
        return None
    moves = tuple(_solved_move(view, action, solved.values[action], solved.values[best]) for action in order)
    return _made(at, moves, "", found, True, {"loss": float(gap), "error": 0.0})


def _solved_move(view: View, action: int, value: float, best: float) -> Move:
    game = view.game
    low, high = game.payoff_range
    loss = float(best - value)
    return Move(
        game.text(action),
        float(value),
        0.0,
        words.value(game, value, None, view),
        (value - low) / (high - low),
        0.0,
        loss,
        0.0,
        words.loss(game, loss, None, view) if loss else "",
    )


def _short(figure: float | None) -> float | None:
    """Four digits: the rest is noise, and differs between platforms."""
    return None if figure is None else float(f"{figure:.4g}")
