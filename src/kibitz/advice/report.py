"""A thought as a panel, a program or a language model gets it: figures in the game's unit, groups, a reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from kibitz._core import View
from kibitz.advice import reasons, words
from kibitz.advice.units import Wins, parts, unit_of
from kibitz.protocols import Thought

ENOUGH = 100  # worlds, before a sentence or a share is drawn from them


@dataclass(frozen=True)
class Opinion:
    """Of one legal action. `value` and `loss` are payoffs, `error` and `loss_error` their standard errors; `worth` and
    `cost` say the same in words, ± half of a 95% interval. `win`: the chance to win, where the game has such a thing.

    `group` 0 has what is about as good as the best; `worse`: the loss lies beyond its error.
    """

    action: int
    text: str
    value: float | None
    error: float | None
    worth: str
    win: float | None
    win_error: float | None
    loss: float | None
    loss_error: float | None
    cost: str
    group: int
    worse: bool


@dataclass(frozen=True)
class Report:
    """Of all legal actions, the one that the agent would play first. `beliefs`: seat -> card -> how likely the seat
    holds such a card; `colours` the same for the colours of Uno. `iterations` so far; `done`: there will be no more.

    `unit` and `why` have the parts of what `worth`, `cost` and `reason` say, for pages in other languages."""

    seat: int
    best: int
    summary: str
    actions: list[Opinion]
    reason: str
    why: dict[str, Any] | None
    unit: dict[str, Any]
    beliefs: dict[int, dict[str, float]] | None
    colours: dict[int, dict[str, float]] | None
    iterations: int | None
    caveats: list[str]
    done: bool


def of(
    view: View,
    thought: Thought,
    beliefs: dict[int, dict[str, float]] | None,
    *,
    colours: dict[int, dict[str, float]] | None = None,
    names: Sequence[str] = (),
    looked: reasons.Looked | None = None,
    done: bool = True,
) -> Report:
    """`looked`: the worlds of the search, where it kept them; the sentence is drawn from them."""
    game = view.game
    enough = looked if looked is not None and len(looked.worlds) >= ENOUGH else None
    groups = words.groups(thought)
    chances = _chances(view, thought, enough)
    actions = [_opinion(view, thought, at, group, chances[at]) for group, places in enumerate(groups) for at in places]
    why = reasons.why(game, view, thought, names, looked=enough) if enough is not None else None
    return Report(
        view.seat,
        thought.best,
        words.summary(game, thought, view),
        actions,
        "" if why is None else why.says,
        None if why is None else asdict(why),
        parts(unit_of(game, view, difference=thought.difference)),
        beliefs,
        colours,
        thought.iterations,
        words.caveats(thought) if done else [],
        done,
    )


def _opinion(view: View, thought: Thought, at: int, group: int, win: tuple[float, float | None] | None) -> Opinion:
    loss, game = words.loss_of(thought, at), view.game
    return Opinion(
        thought.actions[at],
        game.text(thought.actions[at]),
        thought.value[at],
        thought.error[at],
        words.value(game, thought.value[at], thought.error[at], view, difference=thought.difference),
        None if win is None else win[0],
        None if win is None else win[1],
        loss.mean,
        loss.error,
        "" if loss.mean is None or group == 0 else _cost(view, loss.mean, loss),
        group,
        loss.beyond,
    )


def _cost(view: View, mean: float, loss: words.Loss) -> str:
    return words.loss(view.game, mean, loss.error, view, difference=loss.difference)


def _chances(view: View, thought: Thought, looked: reasons.Looked | None) -> list[tuple[float, float | None] | None]:
    """The chance to win by each action, with its standard error; None where nothing says what a win is."""
    unit = unit_of(view.game, view)
    if isinstance(unit, Wins):
        span = unit.won - unit.lost
        return [
            None if value is None else (min(1.0, max(0.0, (value - unit.lost) / span)), error and error / span)
            for value, error in zip(thought.value, thought.error, strict=True)
        ]
    if looked is None or not (view.game.zero_sum or looked.difference):
        return [None] * len(thought.actions)
    found: list[tuple[float, float | None] | None] = []
    for action in thought.actions:
        payoffs = looked.payoffs[:, looked.actions.index(action)]
        known = payoffs[~np.isnan(payoffs)]
        share = float((known > 0).mean()) if len(known) else 0.0
        found.append((share, float(np.sqrt(share * (1 - share) / len(known)))) if len(known) else None)
    return found
