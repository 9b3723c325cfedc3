"""Thoughts in words: units, errors, groups."""

from __future__ import annotations

import pytest

import kibitz
from kibitz.advice import words
from kibitz.protocols import Thought


@pytest.mark.parametrize(
    ("spec", "value", "error", "said"),
    [
        ("uno", 0.0, 0.0204, "wins 50% ± 2%"),
        ("uno:players=3", -0.5, 0.0, "wins 0% ± 0%"),
        ("uno:players=3", 0.25, 0.0153, "wins 50% ± 2%"),
        ("uno:players=3,rules=rlcard", -1 / 3, None, "wins 33%"),
        ("uno:scoring=points", 12.34, 2.0, "+12.3 ± 3.9 points"),
        ("belote", 81.0, 1.07, "81.0 ± 2.1 points"),
        ("belote:scoring=difference", 3.3, 1.07, "+3.3 ± 2.1 points"),
        ("belote:scoring=difference", -0.01, None, "0.0 points"),
        ("belote:scoring=win", 0.5, None, "scores 75%"),
        ("doudizhu:scoring=adp", -1.72, 0.24, "-1.7 ± 0.5 points"),
        ("mini_doudizhu", 1.0, None, "wins 100%"),
        ("tictactoe", 0.0, None, "scores 50%"),
        ("gdl", 62.5, 1.0, "62.5 ± 2.0 points"),
    ],
)
def test_a_value_is_in_the_games_unit(spec: str, value: float, error: float | None, said: str) -> None:
    assert words.value(kibitz.make(spec), value, error) == said


def test_dou_di_zhu_asks_who_is_landlord() -> None:
    game = kibitz.make("doudizhu")
    state = game.deal(seed=1)
    assert words.value(game, 0.5, 0.0255, state.view(0)) == "wins 75% ± 2%"
    state.apply(state.legal()[0])
    assert words.value(game, 0.25, 0.0, state.view(1)) == "wins 75% ± 0%"
    bidding = kibitz.make("doudizhu", bidding=True)
    assert words.value(bidding, 0.25, 0.05, bidding.deal(seed=1).view(0)) == "+0.25 ± 0.10"


def test_no_value_is_a_dash() -> None:
    assert words.value(kibitz.make("uno"), None) == "-"


def test_a_loss_is_a_difference() -> None:
    assert words.loss(kibitz.make("belote"), 5.24, 1.0) == "5.2 ± 2.0 points"
    assert words.loss(kibitz.make("uno:players=3"), 0.06, 0.0153) == "4% ± 2% of the games"
    assert words.loss(kibitz.make("uno"), 0.01, None) == "0.5% of the games"


def thought(values: list[float], losses: list[float], errors: list[float]) -> Thought:
    n = len(values)
    best = losses.index(0.0)
    return Thought(
        list(range(n)),
        [*values],
        [100] * n,
        [float(i == best) for i in range(n)],
        error=[1.0] * n,
        loss=[*losses],
        loss_error=[*errors],
    )


def test_moves_that_cannot_be_told_apart_are_together() -> None:
    said = thought([10, 9.5, 5, 4.9, 0], [0, 0.5, 5, 5.1, 10], [0, 1, 1, 1, 1])
    assert words.groups(said) == [[0, 1], [2, 3], [4]]
    assert words.summary(kibitz.make("belote"), said, text=str) == "0: 10.0 ± 2.0 points; about equal: 1"


def test_the_best_of_many_equals_must_stand_out_further() -> None:
    """A loss of 2.3 standard errors: something among two actions, nothing among twenty."""
    few, many = thought([1.0, 0.0], [0, 2.3], [0, 1]), thought([1.0] + [0.0] * 19, [0, *[2.3] * 19], [0, *[1.0] * 19])
    assert words.loss_of(few, 1).beyond
    assert not words.loss_of(many, 1).beyond
    assert words.groups(many) == [list(range(20))]


def test_without_an_error_no_move_is_called_worse() -> None:
    blank = Thought([0, 1, 2], [1.0, 0.0, None], [9, 1, 0], [1.0, 0.0, 0.0])
    assert not words.loss_of(blank, 1).beyond
    assert words.groups(blank) == [[0, 1], [2]]


def test_a_search_that_was_cut_short_says_so() -> None:
    cut = Thought([0], [1.0], [9], [1.0], iterations=9, asked=1000)
    assert words.caveats(cut) == ["the search was cut short: 9 of 1,000 iterations"]
    assert words.caveats(Thought([0], [1.0], [9], [1.0], iterations=9, asked=9)) == []
    assert "could not decide" in words.caveats(Thought([0, 1], [0.0, 0.0], [1, 1], [1.0, 0.0], undecided=True))[0]


def test_a_difference_is_called_one() -> None:
    game = kibitz.make("belote", bidding=True)
    assert words.value(game, 3.3, 1.07, difference=True) == "3.3 ± 2.1 points more than the other side"
    assert words.value(game, -3.3, None, difference=True) == "3.3 points less than the other side"
    assert words.value(game, -0.01, None, difference=True) == "0.0 points more than the other side"
    assert words.loss(game, 5.24, 1.0, difference=True) == "5.2 ± 2.0 points of difference"
    rlcard = kibitz.make("uno", players=3, rules="rlcard")
    assert words.value(rlcard, 0.5, None, difference=True) == "0.5 points more than the other side"


@pytest.mark.parametrize(("goal", "difference"), [("payoff", False), ("difference", True)])
def test_thoughts_know_whether_they_are_of_a_difference(goal: str, difference: bool) -> None:
    game = kibitz.make("belote", bidding=True)
    state = game.deal(seed=2)
    agent = kibitz.agent(f"mcs:iterations=200,rollout=rules,goal={goal}")
    agent.begin(1)
    found = agent.think(state.view(state.to_act))
    assert found.difference is difference
    assert all(words.loss_of(found, at).difference is difference for at in range(len(found.actions)))
    assert ("than the other side" in words.summary(game, found)) is difference
