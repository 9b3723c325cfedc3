"""Searches where moves are hidden: what a seat does not see must not tell its decisions apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_backups import PathGame
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


def guess(coin: int, path: tuple[int, ...]) -> tuple[float, float]:
    """One guess at a coin that falls on 0 once in four times: a or b wins or loses, c is a draw."""
    won = 0.5 if path[0] == 2 else float((path[0] == 0) == (coin == 0))
    return won, 1 - won


def test_an_end_that_looks_the_same_may_pay_differently() -> None:
    game = PathGame(players=2, depth=1, num_actions=3, leaf=guess, teams=(0, 1), worlds=4)
    thought = think("expectimax", game.deal(1).view(0))
    assert list(thought.value) == pytest.approx([0.25, 0.75, 0.5])
    assert thought.best == 1
