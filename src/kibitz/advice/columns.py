"""The two columns of a judged decision: over the worlds that the seat could imagine, and in the cards as they lay.

Each says how much less the move that was played gets than the best one, in the payoff that counts (`Stakes`). A payoff
is converted in each world, before worlds are averaged. What is exact has the error 0.

- *Known*: `expectimax` where all worlds can be listed and it ends within its nodes, which is exact; else the play-outs
  of the adviser's flat search, all moves in the same worlds; else what the adviser's tree search thinks.
- *Real*: the solver's line of best play, where it ends within its nodes, which is exact; else the same play-outs, or
  the same tree search, in the real state. Where nothing is hidden, both columns are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz import _core, advice, protocols, registry
from kibitz.advice import units, words
from kibitz.advice.reasons import Looked
from kibitz.agents.native import to_thought
from kibitz.protocols import Game, State, Thought, View
from kibitz.registry import Spec, parse_spec

EFFORT = 1000  # worlds for a decision, unless it has very many moves
CROWD = 40  # with more moves than these there are fewer worlds, so that a decision costs no more
LISTED = 2000  # worlds that are listed; where there are more, they are drawn
EXPECTIMAX_NODES = 200_000  # where it may not end, so that trying costs little
EXPECTIMAX_NODES_SMALL = 2_000_000  # more than any decision needs in games that can be enumerated from the first move
SOLVER_NODES = {"belote": 4_000_000}  # whose solver is its own, and fast
SOLVER_NODES_ELSEWHERE = 100_000
IN_FACT = 5  # the real deal gets this share of the play-outs: it is one world
TINY = 1e-9

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Stakes:
    """What counts: the payoffs of `game` times `scale`.

    It is the payoff itself, but for deals of two sides that score their own points (Belote): there the points of the
    others count as much, and a loss is in points that change sides, half the difference."""

    game: Game
    scale: float = 1.0

    @classmethod
    def of(cls, game: Game) -> Stakes:
        options = protocols.facts(game).options
        if game.name == "belote" and options.get("scoring") == "points":
            return cls(registry.make_again(game.name, {**options, "scoring": "difference"}), 0.5)
        return cls(game)

    def state(self, state: State) -> State:
        """The same state in the game that counts."""
        of = protocols.game_of(state)
        if of is None or of is self.game or of == self.game or not isinstance(self.game, _core.Game):
            return state
        found: State = self.game.from_position(protocols.position(of, state))
        return found

    def unit(self, view: View) -> units.Unit:
        return units.unit_of(self.game, view)

    def least(self, view: View) -> float:
        """A loss that is smaller than this is not worth a word: 1% of the games, half a point."""
        unit = self.unit(view)
        if isinstance(unit, units.Wins):
            return 0.01 * (unit.won - unit.lost)
        return 0.5 if unit.decimals == 1 else 0.02

    def chance(self, view: View, payoffs: Floats) -> float | None:
        """The share of these payoffs with which the seat has won; half for what is neither. None where payoffs do not
        say: points that are never negative."""
        unit = self.unit(view)
        if isinstance(unit, units.Wins):
            return float(np.clip((payoffs.mean() - unit.lost) / (unit.won - unit.lost), 0, 1))
        return float(((payoffs > TINY) + 0.5 * (np.abs(payoffs) <= TINY)).mean()) if unit.signed else None


@dataclass(frozen=True)
class Column:
    """One way to look at a decision. `loss` is what the move played gets less than `best`, and `error` its standard
    error: 0 where it is exact, None where it is not known. `value` and `chance` are those of the move played."""

    best: int
    loss: float
    error: float | None
    least: float  # Stakes
    others: int  # moves that were not played: the more, the better the luckiest of them looks
    worlds: int | None = None  # that were looked into; None: trees
    value: float | None = None
    chance: float | None = None
    exact: bool = False
    fine: tuple[int, ...] = ()  # moves that are not bad by the same measure: good answers

    @property
    def bad(self) -> bool:
        """The loss is worth a word, and lies beyond its error (`words.Loss`)."""
        return self.loss >= self.least - TINY and words.Loss(self.loss, self.error, self.others).beyond

    @property
    def weight(self) -> float:
        """The loss in multiples of the least one: to compare decisions whose units differ."""
        return self.loss / self.least


@dataclass(frozen=True)
class Case:
    """A decision to judge, in the game that counts."""

    stakes: Stakes
    state: State
    view: View
    action: int
    effort: int = EFFORT
    seed: int = 0
    listed: int = LISTED

    @property
    def legal(self) -> Sequence[int]:
        return self.view.legal()

    @property
    def at(self) -> int:
        return self.legal.index(self.action)

    def worlds(self, share: int = 1) -> int:
        """How many to look into."""
        return max(2, min(self.effort, CROWD * self.effort // len(self.legal)) // share)


def both(case: Case, *, real: bool = True) -> tuple[Column | None, Column | None, Looked | None]:
    """Known and real, and the worlds of the first where they were kept. None for a column that nothing can be said
    of; `real` False leaves it out."""
    if not protocols.facts(case.stakes.game).hidden:
        only = solved(case) or thought_of(case, case.view)
        return only, only, None
    known, looked = imagined(case)
    return known, in_fact(case) if real else None, looked


def imagined(case: Case) -> tuple[Column | None, Looked | None]:
    """Over the worlds that the seat could imagine."""
    if (exact := enumerated(case)) is not None:
        return exact, None
    looked = _play_outs(case, case.view, case.worlds())
    if looked is not None:
        return _from_matrix(case, looked.payoffs, len(looked.worlds)), looked
    return thought_of(case, case.view), None


def in_fact(case: Case) -> Column | None:
    """In the cards as they lay."""
    if (exact := solved(case)) is not None:
        return exact
    looked = _play_outs(case, case.state, case.worlds(IN_FACT))
    return thought_of(case, case.state) if looked is None else _from_matrix(case, looked.payoffs, 1)


# ---------------------------------------------------------------------------------------------- exact


def enumerated(case: Case) -> Column | None:
    """By expectimax over all worlds; None where they are too many, or it does not end."""
    game, view = case.stakes.game, case.view
    if not isinstance(game, _core.Game) or not isinstance(view, _core.View) or not game.can("all_worlds"):
        return None
    if not game.can("worlds") or view.worlds() > case.listed:
        return None
    try:
        search = game.search(view, f"expectimax:nodes={EXPECTIMAX_NODES_SMALL if _small(game) else EXPECTIMAX_NODES}")
        search.run()
    except ValueError:  # in the bidding, or out of nodes
        return None
    values = np.array(search.thought().values) * case.stakes.scale
    best = case.at if values.max() - values[case.at] <= TINY else int(values.argmax())
    return Column(
        case.legal[best],
        float(values[best] - values[case.at]),
        0.0,
        case.stakes.least(view),
        len(case.legal) - 1,
        int(search.thought().iterations),
        float(values[case.at]),
        _chance_of(case, float(values[case.at])),
        exact=True,
        fine=_fine(case, [(float(values.max() - value), 0.0) for value in values]),
    )


def _small(game: Game) -> bool:
    return game.name == "mini_doudizhu" or protocols.facts(game).options.get("cards") == 12


def _chance_of(case: Case, value: float) -> float | None:
    """Of a mean payoff: that of points says nothing, and a few play-outs must."""
    if isinstance(case.stakes.unit(case.view), units.Wins):
        return case.stakes.chance(case.view, np.array([value]))
    looked = _play_outs(case, case.view, case.worlds(IN_FACT))
    return None if looked is None else case.stakes.chance(case.view, looked.payoffs[:, case.at])


def solved(case: Case) -> Column | None:
    """By the solver, with all cards open; None where there is none, or its nodes do not suffice.

    Solvers have units of their own (in Belote the points of the cards, whatever the contract). What counts is the
    payoff at the end of a line of best play; conversion keeps the order, so the best move stays the best."""
    game, state = case.stakes.game, case.state
    if not isinstance(game, _core.Game) or not isinstance(state, _core.State) or not game.can("solve"):
        return None
    nodes = SOLVER_NODES.get(game.name, SOLVER_NODES_ELSEWHERE)
    try:
        found = game.solve(state, nodes=nodes, all_actions=True)
    except ValueError:  # the bidding is not solved
        return None
    values = found.values
    if not found.complete or len(values) < len(case.legal):
        return None
    best = case.action if max(values.values()) - values[case.action] <= TINY else max(values, key=values.__getitem__)
    mine = _line(game, state, case.action, nodes)
    top = mine if best == case.action else _line(game, state, best, nodes)
    if mine is None or top is None:
        return None
    own, other = mine * case.stakes.scale, top * case.stakes.scale
    chance = case.stakes.chance(case.view, np.array([own]))
    others, least = len(case.legal) - 1, case.stakes.least(case.view)
    fine = tuple(action for action in case.legal if max(values.values()) - values[action] <= TINY)
    return Column(best, max(0.0, other - own), 0.0, least, others, 1, own, chance, exact=True, fine=fine)


def _line(game: _core.Game, state: _core.State, action: int, nodes: int) -> float | None:
    """The payoff of the seat to act if it plays the action, and everybody the best from there on."""
    seat, after = state.to_act, state.copy()
    after.apply(action)
    while not after.over:
        found = game.solve(after, nodes=nodes)
        if not found.complete:
            return None
        after.apply(found.best)
    return float(after.payoffs[seat])


# ---------------------------------------------------------------------------------------------- play-outs


def _play_outs(case: Case, shown: View | State, worlds: int) -> Looked | None:
    """By the adviser's flat search; None where it is another one. In the real state, where that is shown."""
    game = case.stakes.game
    search = _adviser(game)
    if not isinstance(game, _core.Game) or not isinstance(shown, _core.View | _core.State) or search.name != "mcs":
        return None
    kept = ("rollout", "opponents", "net") if search.options.get("rollout") == "net" else ("rollout", "opponents")
    policy = {key: value for key, value in search.options.items() if key in kept}
    budget = {"iterations": worlds * len(case.legal), "keep": worlds}
    name = "mcs" if isinstance(shown, _core.View) else "cheat-mcs"
    driven = game.search(shown, str(Spec(name, None, policy | budget)), seed=case.seed)
    driven.run()
    found, payoffs = driven.matrix()
    return Looked(case.legal, found, np.asarray(payoffs) * case.stakes.scale)


def _from_matrix(case: Case, payoffs: Floats, worlds: int) -> Column:
    """Of payoffs [world, action], by paired differences."""
    means = payoffs.mean(axis=0)
    best = case.at if means.max() - means[case.at] <= TINY else int(means.argmax())
    losses = [_loss(payoffs[:, best] - payoffs[:, at]) for at in range(len(case.legal))]
    return Column(
        case.legal[best],
        *losses[case.at],
        case.stakes.least(case.view),
        len(case.legal) - 1,
        worlds,
        float(means[case.at]),
        case.stakes.chance(case.view, payoffs[:, case.at]),
        fine=_fine(case, losses),
    )


def _loss(gains: Floats) -> tuple[float, float]:
    """The mean of paired differences and its standard error. Where all worlds agree the sample has no spread; a world
    that differs may be one of those not drawn."""
    spread = max(float(gains.std(ddof=1)), float(np.abs(gains).max()) / sqrt(len(gains)))
    return float(gains.mean()), spread / sqrt(len(gains))


def _fine(case: Case, losses: Sequence[tuple[float | None, float | None]]) -> tuple[int, ...]:
    """The moves that would not be called bad, given what each loses and its error."""
    least, others = case.stakes.least(case.view), len(case.legal) - 1
    known = [(action, *loss) for action, loss in zip(case.legal, losses, strict=True)]
    return tuple(
        action
        for action, loss, error in known
        if loss is not None and not Column(action, loss, error, least, others).bad
    )


# ---------------------------------------------------------------------------------------------- trees


def thought_of(case: Case, shown: View | State) -> Column | None:
    """By the adviser's tree search, or the same one in the real state. None where it cannot decide."""
    game, search = case.stakes.game, _adviser(case.stakes.game)
    options = dict(search.options)
    if "iterations" in options:
        options["iterations"] = max(1, round(options["iterations"] * case.effort / EFFORT))
    name = search.name
    if isinstance(shown, protocols.State):
        name, options = "cheat-uct", {key: options[key] for key in ("iterations", "trees", "rollout") if key in options}
    thought = _think(game, shown, Spec(name, None, options), case.seed)
    loss = words.loss_of(thought, case.at)
    if loss.mean is None or words.undecided(thought):
        return None
    value = thought.value[case.at]
    wins = isinstance(case.stakes.unit(case.view), units.Wins) and value is not None
    return Column(
        thought.best if loss.mean > 0 else case.action,
        max(0.0, loss.mean) * case.stakes.scale,
        None if loss.error is None else loss.error * case.stakes.scale,
        case.stakes.least(case.view),
        len(case.legal) - 1,
        None,
        None if value is None else value * case.stakes.scale,
        case.stakes.chance(case.view, np.array([value])) if wins else None,
        fine=_fine(case, _losses(thought, case.stakes.scale)),
    )


def _losses(thought: Thought, scale: float) -> list[tuple[float | None, float | None]]:
    found = [words.loss_of(thought, at) for at in range(len(thought.actions))]
    return [(one.mean and one.mean * scale, one.error and one.error * scale) for one in found]


def _think(game: Game, shown: Any, spec: Spec, seed: int) -> Thought:
    if isinstance(game, _core.Game):
        search = game.search(shown, str(spec), seed=seed)
        search.run()
        return to_thought(search.thought())
    agent = registry.agent(str(spec))
    protocols.native(agent, game)  # tells it the game, which a view in Python need not know
    agent.begin(seed)
    return agent.think(shown)


def _adviser(game: Game) -> Spec:
    """Its goal is the payoff: what counts is the game's (`Stakes`)."""
    spec = parse_spec(advice.choice(game).variant.adviser)
    return Spec(spec.name, spec.source, {key: value for key, value in spec.options.items() if key != "goal"})
