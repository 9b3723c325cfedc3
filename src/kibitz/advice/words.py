"""Thoughts in words: values in the game's unit with their error, and moves that cannot be told apart together.

± is half the width of a 95% interval throughout. What no error is known of is given without one, and no move is called
worse than another on the strength of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import isclose, sqrt
from statistics import NormalDist

from kibitz.advice.units import unit_of
from kibitz.protocols import Game, Thought, View

Z = 1.96  # standard errors to either side of a 95% interval


def value(
    game: Game,
    value: float | None,
    error: float | None = None,
    view: View | None = None,
    *,
    difference: bool = False,
) -> str:
    """What a payoff means: "wins 41% ± 2%", "61.3 ± 2.1 points". Some games need the view for it: who is landlord?
    `difference`, as in a thought: "3.3 ± 2.1 points more than the other side"."""
    return "-" if value is None else unit_of(game, view, difference=difference).value(value, _half(error))


def loss(
    game: Game, loss: float, error: float | None = None, view: View | None = None, *, difference: bool = False
) -> str:
    """A difference of payoffs: "5.2 ± 2.0 points", "4% ± 2% of the games"; of what is a difference already:
    "5.2 ± 2.0 points of difference"."""
    return unit_of(game, view, difference=difference).difference(loss, _half(error))


def _half(error: float | None) -> float | None:
    return None if error is None else Z * error


@dataclass(frozen=True)
class Loss:
    """How much worse than the action it would play an agent thinks an action; `error` is a standard error.

    `mean` None: it never tried the action. `error` None: it does not know. The action it would play is the one of
    `others` + 1 that looked best: the more there are, the better the luckiest of equals looks.
    """

    mean: float | None
    error: float | None
    others: int = 1
    difference: bool = False  # as in a thought

    @property
    def beyond(self) -> bool:
        """Whether the loss lies beyond its error: only then is the action called worse. In 95 of 100 decisions among
        equals no action is, however many there are (Bonferroni)."""
        if self.mean is None or self.error is None:
            return False
        return self.mean > max(0.0, _limit(self.others) * self.error)


@cache
def _limit(others: int) -> float:
    """Standard errors that a difference must exceed if there are so many of them."""
    return NormalDist().inv_cdf(1 - 0.025 / max(1, others))


def loss_of(thought: Thought, at: int) -> Loss:
    """Of the action in place `at` of the thought's lists."""
    best = thought.actions.index(thought.best)
    if at == best:
        return Loss(0.0, 0.0, difference=thought.difference)
    others = len(thought.actions) - 1
    if thought.loss[at] is not None and thought.loss_error[at] is not None:
        return Loss(thought.loss[at], thought.loss_error[at], others, thought.difference)
    ours, theirs = thought.value[at], thought.value[best]
    if ours is None or theirs is None:
        return Loss(None, None)
    mine, other = thought.error[at], thought.error[best]
    error = None if mine is None or other is None else sqrt(mine**2 + other**2)
    return Loss(theirs - ours, error, others, thought.difference)


def groups(thought: Thought) -> list[list[int]]:
    """Places in the thought's lists, best first, in groups of what cannot be told apart: first those about as good as
    the action that the agent would play, which is the very first; then those about as good as the best of the rest, and
    so on. Actions without a value come last, together."""
    best = thought.actions.index(thought.best)
    losses = [loss_of(thought, at) for at in range(len(thought.actions))]
    valued = [at for at in range(len(losses)) if at != best and losses[at].mean is not None]
    rest = sorted(valued, key=lambda at: losses[at].mean or 0.0)
    found = [[best, *(at for at in rest if not losses[at].beyond)]]
    left = [at for at in rest if losses[at].beyond]
    while left:
        near = _near(losses, left[0])
        found.append([at for at in left if near(at)])
        left = [at for at in left if not near(at)]
    silent = [at for at in range(len(losses)) if at != best and losses[at].mean is None]
    return found + ([silent] if silent else [])


def _near(losses: Sequence[Loss], first: int) -> Callable[[int], bool]:
    """Whether an action is about as good as `first`. Their own paired difference is not known: their errors add up,
    which calls too many alike rather than too few."""

    def near(at: int) -> bool:
        one, other = losses[first], losses[at]
        apart = abs((other.mean or 0.0) - (one.mean or 0.0))
        return apart <= Z * sqrt((one.error or 0.0) ** 2 + (other.error or 0.0) ** 2) or isclose(apart, 0, abs_tol=1e-9)

    return near


def undecided(thought: Thought) -> bool:
    """Whether a search has told no action from another: its best one is a fallback, and no advice."""
    same = thought.full and len(thought.actions) > 1 and len(set(thought.value)) == len(set(thought.visits)) == 1
    return thought.undecided or same


def caveats(thought: Thought) -> list[str]:
    """Sentences that belong beside an opinion: it was cut short, or decided nothing."""
    out = []
    if thought.asked is not None and thought.iterations is not None and thought.iterations < thought.asked:
        out.append(f"the search was cut short: {thought.iterations:,} of {thought.asked:,} iterations")
    if undecided(thought):
        out.append("the search could not decide: nothing tells these actions apart")
    return out


def summary(game: Game, thought: Thought, view: View | None = None, text: Callable[[int], str] | None = None) -> str:
    """The advice in a sentence: the action to play, what it is worth, and which others are about as good."""
    text = text or game.text
    first = groups(thought)[0]
    best = first[0]
    worth = value(game, thought.value[best], thought.error[best], view, difference=thought.difference)
    out = text(thought.actions[best]) + ("" if thought.value[best] is None else f": {worth}")
    if len(first) > 1 and thought.value[best] is not None:
        out += f"; about equal: {', '.join(text(thought.actions[at]) for at in first[1:])}"
    return out
