"""For whom a search adds up: partners, three players who each want their own, and worlds that disagree.

Small games in plain Python whose right answers are worked out here by brute force; and an ending of Belote."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

import kibitz
from kibitz._core import OVER

Payoffs = tuple[float, ...]


@dataclass
class PathState:
    game: PathGame
    world: int
    history: list[tuple[int, int]] = field(default_factory=list)

    @property
    def path(self) -> tuple[int, ...]:
        return tuple(action for _, action in self.history)

    @property
    def over(self) -> bool:
        return len(self.history) == self.game.depth

    @property
    def to_act(self) -> int:
        return OVER if self.over else len(self.history) % self.game.players

    @property
    def payoffs(self) -> Sequence[float]:
        return self.game.leaf(self.world, self.path) if self.over else [0.0] * self.game.players

    def legal(self) -> list[int]:
        return [] if self.over else list(range(self.game.num_actions))

    def apply(self, action: int) -> None:
        self.history.append((self.to_act, action))

    def copy(self) -> PathState:
        return PathState(self.game, self.world, list(self.history))

    def view(self, seat: int) -> PathView:
        return PathView(self.game, seat, tuple(self.history))


@dataclass(frozen=True)
class PathView:
    """Everything but the world."""

    game: PathGame
    seat: int
    history: tuple[tuple[int, int], ...]

    @property
    def to_act(self) -> int:
        return self._state(0).to_act

    @property
    def key(self) -> int:
        return hash((self.seat, self.history)) & (2**64 - 1)

    def legal(self) -> list[int]:
        return self._state(0).legal() if self.to_act == self.seat else []

    def sample(self, seed: int) -> PathState:
        return self._state(random.Random(seed).randrange(self.game.worlds))

    def all_worlds(self) -> list[tuple[PathState, float]]:
        return [(self._state(world), 1.0) for world in range(self.game.worlds)]

    def _state(self, world: int) -> PathState:
        return PathState(self.game, world, list(self.history))


@dataclass(frozen=True)
class PathGame:
    """The seats choose in turn; `leaf(world, actions)` says what everybody gets in the end."""

    players: int
    depth: int
    num_actions: int
    leaf: Callable[[int, tuple[int, ...]], Payoffs]
    teams: tuple[int, ...]
    worlds: int = 1
    name = "path"
    payoff_range = (0.0, 1.0)

    @property
    def hidden(self) -> bool:
        return self.worlds > 1

    def deal(self, seed: int = 0) -> PathState:
        return PathState(self, seed % self.worlds)

    def text(self, action: int) -> str:
        return "abcdefgh"[action]

    def parse(self, text: str) -> int:
        return "abcdefgh".index(text)


def think(spec: str, shown: Any, seed: int = 1) -> Any:
    agent = kibitz.agent(spec)
    agent.begin(seed)
    return agent.think(shown)


# ------------------------------------------------------------------------------------------- three players, and teams


def three(seed: int, teams: tuple[int, ...]) -> PathGame:
    """Three seats, one turn each, payoffs by lot in fifths; partners get the same."""

    @cache
    def leaf(world: int, path: tuple[int, ...]) -> Payoffs:
        lot = random.Random(hash((seed, path)))
        stakes = [lot.randrange(6) / 5 for _ in range(3)]
        return tuple(stakes[team] for team in teams)

    return PathGame(3, 3, 3, leaf, teams)


def solved(state: PathState, wish: Callable[[int, Payoffs], float]) -> Payoffs:
    """Everybody's payoff if every seat chooses what it wishes for, by trying everything."""
    if state.over:
        return tuple(state.payoffs)
    outcomes = []
    for action in state.legal():
        child = state.copy()
        child.apply(action)
        outcomes.append(solved(child, wish))
    return max(outcomes, key=lambda payoffs: wish(state.to_act, payoffs))


def choices(game: PathGame, wish: Callable[[int, Payoffs], float]) -> list[Payoffs]:
    out = []
    for action in range(game.num_actions):
        state = game.deal()
        state.apply(action)
        out.append(solved(state, wish))
    return out


def selfish(seat: int, payoffs: Payoffs) -> float:
    return payoffs[seat]


def hunted(seat: int, payoffs: Payoffs) -> float:
    """As if all were against the first seat, which is not what max-n means."""
    return payoffs[0] if seat == 0 else -payoffs[0]


def game_is_clear(state: PathState) -> bool:
    """Whether everywhere one action is best for who chooses; else payoffs of the others hang on how ties are broken."""
    if state.over:
        return True
    children = [state.copy() for _ in state.legal()]
    for action, child in enumerate(children):
        child.apply(action)
    values = sorted(solved(child, selfish)[state.to_act] for child in children)
    return values[-1] > values[-2] and all(game_is_clear(child) for child in children)


@pytest.mark.parametrize("teams", [(0, 1, 2), (0, 1, 0)])
def test_everybody_wants_its_own_payoff_and_its_partners(teams: tuple[int, ...]) -> None:
    told_apart = 0
    for seed in range(2000):
        game = three(seed, teams)
        values = [payoffs[0] for payoffs in choices(game, selfish)]
        best = values.index(max(values))
        feared = [payoffs[0] for payoffs in choices(game, hunted)]
        # Only where nobody is indifferent, and where a search that gets the others wrong would say something else.
        if told_apart == 5:
            break
        if not game_is_clear(game.deal()) or feared.index(max(feared)) == best:
            continue
        told_apart += 1
        thought = think("uct:iterations=20000,c=1", game.deal().view(0))
        assert thought.best == best, seed
        assert thought.value[best] == pytest.approx(values[best], abs=0.05)
    assert told_apart >= 4


def test_the_partner_takes_the_trick() -> None:
    """Seat 2 holds 9s and Qh, its partner in seat 0 Ks and Jd; spades are trumps. If seat 2 draws the trump with the
    nine, its queen of hearts loses to the ten. If it leads the queen, the partner ruffs, and the nine is left for the
    last trick."""
    game = kibitz.make("belote", scoring="difference")
    hands = [["Ks", "Jd"], ["10h", "Jh"], ["9s", "Qh"], ["Qc", "Kc"]]
    played = [
        ["10s", "Qs", "9h", "9d", "Qd", "Ac"],
        ["8s", "Js", "8h", "Kh", "7d", "Ad"],
        ["As", "7h", "Ah", "8d", "8c", "10c"],
        ["7s", "10d", "Kd", "7c", "9c", "Jc"],
    ]
    barred = [
        ["10h", "Jh", "Qh", "Qc", "Kc"],
        ["Ks", "Qc", "Kc"],
        ["Ks", "Jd"],
        ["9s", "Ks", "10h", "Jh", "Qh", "Jd"],
    ]
    start = {"game": "belote", "scoring": "difference", "to_act": 2, "trump": "s", "trick": [], "points": [54, 56]}
    rest = {"tricks": [2, 4], "hands": hands, "played": played, "barred": barred}
    state = game.from_position(start | rest)
    view = state.view(2)
    assert view.worlds() == 1
    solution = game.solve(state, all_actions=True)
    queen, nine = game.parse("Qh"), game.parse("9s")
    # Queen: 54, Qh Qc Ks Jh 12, belote 20 and 9s Kc Jd 10h with the last ten 40, against 56.
    # Nine: 54, 9s Qc Ks Jh 23 and belote 20, against 56 and Qh Kc Jd 10h with the last ten 29.
    assert solution.values == {queen: 70, nine: 12}
    for spec, shown in [("cheat-uct", state), ("ismcts", view), ("mo-ismcts", view), ("pimc:worlds=1", view)]:
        thought = think(f"{spec}{',' if ':' in spec else ':'}iterations=4000,c=0.3", shown)
        values = dict(zip(thought.actions, thought.value, strict=True))
        assert thought.best == queen, spec
        assert values[queen] == pytest.approx(70, abs=3), spec


# ------------------------------------------------------------------------------------------------ worlds that disagree

# What each action is worth, world by world: a is best by a hair in most of them; b is close to the best in all but one;
# c is worth most of all where it is worth anything.
WORTH = [(0.32, 0.30, 0.0), (0.32, 0.30, 0.0), (0.32, 0.30, 0.0), (0.0, 0.40, 0.0), (0.0, 0.0, 1.0)]
PER_WORLD, C = 400, 0.7


def bandit(worth: Sequence[float]) -> list[int]:
    """How often UCB tries each action, if it always gets the same for it."""
    visits = [1] * len(worth)
    for n in range(len(worth), PER_WORLD):
        marks = [w + C * math.sqrt(math.log(n) / v) for w, v in zip(worth, visits, strict=True)]
        visits[marks.index(max(marks))] += 1
    return visits


def test_the_three_aggregations_of_worlds_that_disagree() -> None:
    tried = [bandit(worth) for worth in WORTH]
    marks = {
        "times_best": [float(sum(v.index(max(v)) == action for v in tried)) for action in range(3)],
        "visits": [float(sum(v[action] for v in tried)) for action in range(3)],
        "reward": [sum(v[action] * w[action] for v, w in zip(tried, WORTH, strict=True)) for action in range(3)],
    }
    assert [mark.index(max(mark)) for mark in marks.values()] == [0, 1, 2]  # a, b, c: by hand, see WORTH
    game = PathGame(2, 1, 3, lambda world, path: (WORTH[world][path[0]], 0.0), (0, 1), len(WORTH))
    for aggregate, mark in marks.items():
        spec = f"pimc:worlds=all,iterations={PER_WORLD * len(WORTH)},c={C},aggregate={aggregate}"
        thought = think(spec, game.deal().view(0))
        assert thought.best == mark.index(max(mark)), aggregate
        assert thought.share == pytest.approx([m / sum(mark) for m in mark], abs=0.01)
        assert thought.visits == pytest.approx(marks["visits"], abs=2 * len(WORTH))


def test_a_world_votes_for_what_it_tried_most_or_for_the_highest_mean() -> None:
    """With a huge c all actions are tried equally often, so that the first is tried most; the means still differ."""
    worth = [(0.30, 0.32, 0.0)] * 2 + [(0.1, 0.0, 0.2)]
    game = PathGame(2, 1, 3, lambda world, path: (worth[world][path[0]], 0.0), (0, 1), len(worth))
    shares = {}
    for aggregate in ("times_best", "mean_best"):
        spec = f"pimc:worlds=all,iterations={300 * len(worth)},c=1000,aggregate={aggregate}"
        shares[aggregate] = think(spec, game.deal().view(0)).share
    assert shares["times_best"] == pytest.approx([1, 0, 0])
    assert shares["mean_best"] == pytest.approx([0, 2 / 3, 1 / 3])
