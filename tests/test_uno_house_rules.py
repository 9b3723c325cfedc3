"""Uno's call as a decision, and the house rules: small positions, played by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from uno_table import (
    DECK,
    counts,
    fits_red_5,
    hand,
    options,
    place,
    play,
    turn,
    uno,
    where,
    wilds,
)

# ------------------------------------------------------------------------------------------------- the Uno call


def calling(first: str = "r-1 b-2", players: int = 3, pile: str | None = None, **options: Any) -> Any:
    hands = [first, "y-1 y-2", "y-3 y-4", "g-3 g-4"][:players]
    return place(uno(players, uno_call="decision", **options), hands, "r-5", pile)


def test_calling_uno() -> None:
    state = play(calling(), "r-1")
    assert turn(state) == (0, "call")
    assert options(state) == ["uno", "silent"]
    play(state, "uno")
    assert (turn(state), counts(state)) == ((1, "play"), [1, 2, 2])


def test_silence_may_be_caught_by_anybody() -> None:
    state = play(calling(), "r-1", "silent")
    assert turn(state) == (1, "catch")
    assert options(state) == ["catch", "pass"]
    caught = play(state.copy(), "catch")
    assert (turn(caught), counts(caught)) == ((1, "play"), [3, 2, 2])
    play(state, "pass")
    assert turn(state) == (2, "catch")
    late = play(state.copy(), "catch")
    assert (turn(late), counts(late)) == ((1, "play"), [3, 2, 2])
    unseen = play(state, "pass")
    assert (turn(unseen), counts(unseen)) == ((1, "play"), [1, 2, 2])


@pytest.mark.parametrize(
    ("card", "call", "seat", "cards"),
    [
        ("r-skip", ["uno"], 2, [1, 2, 2]),
        ("r-skip", ["silent", "catch"], 2, [3, 2, 2]),
        ("r-reverse", ["uno"], 2, [1, 2, 2]),
        ("r-draw_2", ["uno"], 2, [1, 4, 2]),
        ("r-draw_2", ["silent", "pass", "catch"], 2, [3, 4, 2]),
        ("r-draw_2", ["silent", "pass", "pass"], 2, [1, 4, 2]),
    ],
)
def test_the_cards_effect_follows_the_call(card: str, call: list[str], seat: int, cards: list[int]) -> None:
    state = play(calling(f"{card} b-2"), card)
    assert counts(state) == [1, 2, 2]
    play(state, *call)
    assert (turn(state), counts(state)) == ((seat, "play"), cards)


def test_wild_draw_4_and_a_call() -> None:
    state = play(calling("wild_draw_4 r-2"), "g-wild_draw_4", "silent", "catch")
    assert (turn(state), counts(state)) == ((1, "penalty"), [3, 2, 2])
    # Judged by the hand when it was played; the two cards for silence come on top.
    assert counts(play(state, "challenge")) == [7, 2, 2]
    innocent = play(calling("wild_draw_4 b-2"), "g-wild_draw_4", "silent", "catch", "challenge")
    assert counts(innocent) == [3, 8, 2]


def test_a_call_is_due_for_the_last_card_but_one_alone() -> None:
    assert turn(play(calling("r-1 r-2 b-2"), "r-1")) == (1, "play")
    assert play(calling("r-1"), "r-1").over
    drew = play(calling("b-1", pile="r-9"), "draw", "play")
    assert turn(drew) == (0, "call")


def test_by_default_uno_is_called() -> None:
    state = place(uno(), ["r-1 b-2", "y-1 y-2", "y-3 y-4"], "r-5")
    assert turn(play(state, "r-1")) == (1, "play")


# ------------------------------------------------------------------------------------------------- house rules


def test_stacking_draw_2() -> None:
    game = uno(stacking=True)
    state = place(game, ["r-draw_2 g-1 g-2", "b-draw_2 wild_draw_4 y-2", "y-draw_2 y-4 y-5"], "r-5")
    play(state, "r-draw_2")
    assert turn(state) == (1, "penalty")
    assert options(state) == ["b-draw_2", "accept"]  # a Wild Draw 4 is not of its kind
    accepted = play(state.copy(), "accept")
    assert (turn(accepted), counts(accepted)) == ((2, "play"), [2, 5, 3])
    play(state, "b-draw_2")
    assert where(state)["pending"] == 4
    play(state, "y-draw_2")
    assert options(state) == ["accept"]
    play(state, "accept")
    assert (turn(state), counts(state)) == ((1, "play"), [8, 2, 2])
    assert "pending" not in where(state)


@pytest.mark.parametrize(
    ("second", "after", "cards"),
    [
        ("g-1 b-2", (2, "play"), [1, 10, 2]),  # green had been named: a bluff, so its player draws all 8
        ("y-1 b-2", (0, "play"), [1, 2, 12]),  # none: the challenger draws 8 and 2
    ],
)
def test_stacking_wild_draw_4(second: str, after: tuple[int, str], cards: list[int]) -> None:
    state = place(uno(stacking=True), ["wild_draw_4 b-1", f"wild_draw_4 {second}", "r-draw_2 y-4"], "r-5")
    play(state, "g-wild_draw_4")
    assert options(state) == sorted([*wilds("wild_draw_4"), "challenge", "accept"], key=state.game.parse)
    play(state, "r-wild_draw_4")
    assert options(state) == ["challenge", "accept"]
    assert where(state)["pending"] == 8
    accepted = play(state.copy(), "accept")
    assert (turn(accepted), counts(accepted)) == ((0, "play"), [1, 2, 10])
    play(state, "challenge")
    assert (turn(state), counts(state)) == (after, cards)


def test_the_last_stacked_card_resolves_too() -> None:
    state = place(uno(stacking=True), ["r-draw_2 g-1", "b-draw_2", "y-4 y-5"], "r-5")
    play(state, "r-draw_2", "b-draw_2")
    assert state.over
    assert counts(state) == [1, 0, 6]


def test_draw_until_something_fits() -> None:
    game = uno(draw_until=True)
    state = place(game, ["b-2 b-3", "y-1 y-2", "y-3 y-4"], "r-5", pile="g-1 g-2 r-9")
    assert options(state) == ["draw"]
    play(state, "draw")
    assert (where(state)["target"], turn(state)) == ("r-9", (1, "play"))
    mine = hand(state, 0)
    assert mine - Counter(["g-1", "g-2"]) == Counter(["b-2", "b-3"])
    assert mine + Counter(where(state)["pile"]) == Counter(["b-2", "b-3", "g-1", "g-2"])


def test_draw_until_is_for_those_who_have_nothing() -> None:
    state = place(uno(draw_until=True), ["b-2 r-3", "y-1 y-2", "y-3 y-4"], "r-5")
    assert options(state) == ["r-3"]
    state = place(uno(draw_until=True), ["b-2 wild_draw_4", "y-1 y-2", "y-3 y-4"], "r-5")
    assert options(state) == wilds("wild_draw_4")


def test_draw_until_a_wild_comes() -> None:
    state = place(uno(draw_until=True), ["b-2 b-3", "y-1 y-2", "y-3 y-4"], "r-5", pile="wild")
    play(state, "draw")
    assert (turn(state), options(state)) == ((0, "name"), ["name-r", "name-g", "name-b", "name-y"])
    play(state, "name-g")
    assert (where(state)["target"], turn(state), counts(state)) == ("g-wild", (1, "play"), [2, 2, 2])


def test_draw_until_nothing_is_left() -> None:
    held = Counter(filter(fits_red_5, DECK.elements())) - Counter(["r-5"])
    useless = DECK - held - Counter(["r-5", "b-2", "y-1", "y-1"])
    hands = ["b-2", " ".join(held.elements()), "y-1 y-1"]
    state = place(uno(draw_until=True), hands, "r-5", pile=" ".join(useless.elements()))
    play(state, "draw")
    assert (turn(state), counts(state)) == ((1, "play"), [1 + useless.total(), held.total(), 2])
    assert where(state)["pile"] == []


def test_draw_until_shows_that_nothing_fitted() -> None:
    state = place(uno(draw_until=True), ["b-2 b-3", "y-1 y-2", "y-3 y-4"], "r-5", pile="r-9 g-1 g-2")
    play(state, "draw")
    for seed in range(50):
        assert not any(map(fits_red_5, hand(state.view(1).sample(seed), 0)))


def sevens(direction: int = 1, **options: Any) -> Any:
    hands = ["r-7 r-0 g-1 g-2", "y-1 y-2", "b-3 b-4 b-5", "g-3"]
    return place(uno(4, **options), hands, "r-5", direction=direction)


def test_a_seven_swaps_hands() -> None:
    state = play(sevens(seven_zero=True), "r-7")
    assert turn(state) == (0, "swap")
    assert options(state) == ["swap-1", "swap-2", "swap-3"]
    play(state, "swap-2")
    assert turn(state) == (1, "play")
    assert hand(state, 0) == Counter(["b-3", "b-4", "b-5"])
    assert hand(state, 2) == Counter(["r-0", "g-1", "g-2"])
    assert [hand(state, 1), hand(state, 3)] == [Counter(["y-1", "y-2"]), Counter(["g-3"])]


@pytest.mark.parametrize(("direction", "giver", "next_seat"), [(1, [3, 0, 1, 2], 1), (-1, [1, 2, 3, 0], 3)])
def test_a_zero_passes_all_hands_on(direction: int, giver: list[int], next_seat: int) -> None:
    state = sevens(direction, seven_zero=True)
    before = [hand(state, seat) - Counter(["r-0"]) for seat in range(4)]
    play(state, "r-0")
    assert [hand(state, seat) for seat in range(4)] == [before[seat] for seat in giver]
    assert turn(state) == (next_seat, "play")


def test_without_the_option_seven_and_zero_are_just_numbers() -> None:
    for card in ("r-7", "r-0"):
        state = play(sevens(), card)
        assert (turn(state), counts(state)) == ((1, "play"), [3, 2, 3, 1])


@pytest.mark.parametrize("card", ["r-7", "r-0"])
def test_the_last_seven_or_zero_just_wins(card: str) -> None:
    state = place(uno(seven_zero=True), [card, "y-1 y-2", "y-3 y-4"], "r-5")
    assert play(state, card).payoffs == [1.0, -0.5, -0.5]


def test_who_gave_a_hand_away_knows_it() -> None:
    state = play(sevens(seven_zero=True), "r-7", "swap-2")
    given, got = hand(state, 2), hand(state, 0)
    for seed in range(30):
        assert hand(state.view(0).sample(seed), 2) == given
        assert hand(state.view(2).sample(seed), 0) == got
    for seat in (1, 3):
        worlds = [state.view(seat).sample(seed) for seed in range(30)]
        assert any(hand(world, 2) != given for world in worlds)
        assert any(hand(world, 0) != got for world in worlds)


def test_after_a_zero_everybody_knows_the_next_hand() -> None:
    state = play(sevens(seven_zero=True), "r-0")
    for seat in range(4):
        for seed in range(20):
            world = state.view(seat).sample(seed)
            assert hand(world, (seat + 1) % 4) == hand(state, (seat + 1) % 4)
        opposite = (seat + 2) % 4
        assert any(hand(state.view(seat).sample(seed), opposite) != hand(state, opposite) for seed in range(30))


def test_knowledge_of_a_hand_travels_and_shrinks() -> None:
    state = play(sevens(seven_zero=True), "r-7", "swap-2", "draw", "keep", "r-0")
    # Seat 2 played r-0: what seat 0 gave it (less r-0) has moved on to seat 3, and seat 0 knows that.
    for seed in range(20):
        assert hand(state.view(0).sample(seed), 3) == hand(state, 3) == Counter(["g-1", "g-2"])
