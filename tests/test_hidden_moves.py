"""Searches where moves are hidden: what a seat does not see must not tell its decisions apart."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from test_search import think

import kibitz

COIN = """
(role {first}) (role {second})
(init (step 0))
(<= (legal guesser noop) (true (step {hide})))
(<= (legal hider noop) (true (step 2)))
(<= (legal hider heads) (true (step {hide})))
(<= (legal hider tails) (true (step {hide})))
(<= (legal guesser heads) (true (step 2)))
(<= (legal guesser tails) (true (step 2)))
(<= (next (hid ?x)) (does hider ?x) (true (step {hide})))
(<= (next (hid ?x)) (true (hid ?x)))
(<= (next (step 3)) (true (step 2)))
(<= (next right) (does guesser ?x) (true (hid ?x)))
(<= (sees guesser ?m) (does guesser ?m))
(<= (sees hider ?m) (does hider ?m))
(<= terminal (true (step 3)))
(<= terminal (true (step 9)))
(<= (goal guesser {safe_guesser}) (true (step 9)))
(<= (goal hider {safe_hider}) (true (step 9)))
(<= (goal guesser 100) (true (step 3)) (true right))
(<= (goal hider 0) (true (step 3)) (true right))
(<= (goal guesser 0) (true (step 3)) (not (true right)))
(<= (goal hider 100) (true (step 3)) (not (true right)))
"""
# The guesser may take 70, or let the other hide a coin and guess it, which is worth 50.
GUESSER = (
    COIN.format(first="guesser", second="hider", hide=1, safe_guesser=70, safe_hider=30)
    + """
(<= (legal guesser safe) (true (step 0)))
(<= (legal guesser play) (true (step 0)))
(<= (legal hider noop) (true (step 0)))
(<= (next (step 1)) (true (step 0)) (does guesser play))
(<= (next (step 9)) (true (step 0)) (does guesser safe))
(<= (next (step 2)) (true (step 1)))
"""
)
# The hider may take 30, or hide the coin, which is worth 50.
HIDER = (
    COIN.format(first="hider", second="guesser", hide=0, safe_guesser=70, safe_hider=30)
    + """
(<= (legal hider safe) (true (step 0)))
(<= (next (step 9)) (true (step 0)) (does hider safe))
(<= (next (step 2)) (true (step 0)) (does hider heads))
(<= (next (step 2)) (true (step 0)) (does hider tails))
"""
)


def first_thought(sheet: str, spec: str, folder: Path) -> dict[str, Any]:
    file = folder / "coin.kif"
    file.write_text(sheet)
    game = kibitz.make("gdl", file=str(file))
    state = game.deal(1)
    thought = think(spec, state.view(state.to_act))
    opinions = zip(thought.actions, thought.value, thought.share, strict=True)
    return {game.text(action).split()[-1].strip("()"): (value, share) for action, value, share in opinions}


@pytest.mark.parametrize("spec", ["ismcts:iterations=20000", "mo-ismcts:iterations=20000"])
def test_the_guesser_does_not_see_the_coin(spec: str, tmp_path: Path) -> None:
    thought = first_thought(GUESSER, spec, tmp_path)
    assert thought["play"][0] == pytest.approx(50, abs=5)
    assert thought["safe"][1] > 0.9


def test_others_do_not_see_the_coin_with_an_observer_each(tmp_path: Path) -> None:
    """One observer is not enough: it lets the guesser answer what the searching seat knows."""
    many = first_thought(HIDER, "mo-ismcts:iterations=40000", tmp_path)
    assert max(many["heads"][0], many["tails"][0]) == pytest.approx(50, abs=8)
    assert many["safe"][1] < 0.2
    one = first_thought(HIDER, "ismcts:iterations=20000", tmp_path)
    assert max(one["heads"][0], one["tails"][0]) < 30
    with pytest.raises(ValueError, match="views"):
        first_thought(HIDER, "mo-ismcts:observers=moves", tmp_path)


class CoinGame:
    """One guess at a coin that falls on 0 once in four times: 0 or 1 wins or loses 1, 2 is a draw."""

    name, players, num_actions, payoff_range, zero_sum = "coin", 2, 3, (-1.0, 1.0), True

    def deal(self, seed: int = 0) -> CoinState:
        return CoinState(self, random.Random(seed).randrange(4), [])

    def text(self, action: int) -> str:
        return str(action)

    def parse(self, text: str) -> int:
        return int(text)


@dataclass
class CoinState:
    game: CoinGame
    coin: int
    history: list[tuple[int, int]]

    @property
    def over(self) -> bool:
        return bool(self.history)

    @property
    def to_act(self) -> int:
        return kibitz.OVER if self.over else 0

    @property
    def payoffs(self) -> list[float]:
        if not self.over or self.history[0][1] == 2:
            return [0.0, 0.0]
        won = 1.0 if (self.history[0][1] == 0) == (self.coin == 0) else -1.0
        return [won, -won]

    def legal(self) -> list[int]:
        return [] if self.over else [0, 1, 2]

    def apply(self, action: int) -> None:
        self.history.append((self.to_act, action))

    def copy(self) -> CoinState:
        return CoinState(self.game, self.coin, list(self.history))

    def view(self, seat: int) -> CoinView:
        return CoinView(self.game, seat, tuple(self.history))

    @property
    def solver_key(self) -> int:
        return self.coin * 8 + len(self.history)


@dataclass(frozen=True)
class CoinView:
    game: CoinGame
    seat: int
    history: tuple[tuple[int, int], ...]

    @property
    def over(self) -> bool:
        return bool(self.history)

    @property
    def to_act(self) -> int:
        return kibitz.OVER if self.history else 0

    @property
    def key(self) -> int:
        return hash((self.seat, self.history)) % 2**64

    def legal(self) -> list[int]:
        return [0, 1, 2] if not self.history and self.seat == 0 else []

    def sample(self, seed: int) -> CoinState:
        return CoinState(self.game, random.Random(seed).randrange(4), list(self.history))

    def all_worlds(self) -> list[tuple[CoinState, float]]:
        return [(CoinState(self.game, coin, list(self.history)), 1.0) for coin in range(4)]


def test_an_end_that_looks_the_same_may_pay_differently() -> None:
    thought = think("expectimax", CoinGame().deal(1).view(0))
    assert list(thought.value) == pytest.approx([-0.5, 0.5, 0.0])
    assert thought.best == 1
