"""Uno under official rules, rule by rule: small positions, played by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from uno_table import (
    DECK,
    card_of,
    counts,
    hand,
    options,
    place,
    play,
    stuck,
    turn,
    uno,
    where,
    wilds,
)

import kibitz

# ------------------------------------------------------------------------------------------------- the first card


def openings(game: Any, seeds: int = 3000) -> dict[str, list[Any]]:
    """Deals by the kind of their first card; numbers count as one kind."""
    kinds: dict[str, list[Any]] = {}
    for seed in range(seeds):
        state = game.deal(seed)
        kind = where(state)["target"].split("-")[-1]
        kinds.setdefault("number" if kind.isdigit() else kind, []).append(state)
    return kinds


@pytest.mark.parametrize("players", [2, 3, 4, 10])
def test_first_card_decides_who_starts(players: int) -> None:
    kinds = openings(uno(players))
    assert set(kinds) == {"number", "skip", "reverse", "draw_2", "wild"}  # never a Wild Draw 4
    start = {"number": 0, "skip": 1, "reverse": players - 1, "draw_2": 1, "wild": 0}
    for kind, states in kinds.items():
        for state in states:
            position = where(state)
            cards = [7] * players
            if kind == "draw_2":
                cards[0] = 9
            assert turn(state) == (start[kind], "name" if kind == "wild" else "play")
            assert position["direction"] == (-1 if kind == "reverse" else 1)
            assert counts(state) == cards
            assert position["discards"] == [card_of(position["target"])]


def test_first_cards_are_as_frequent_as_in_the_deck() -> None:
    kinds = openings(uno(2))
    for kind, cards in {"number": 76, "skip": 8, "reverse": 8, "draw_2": 8, "wild": 4}.items():
        share = cards / 104
        assert len(kinds[kind]) == pytest.approx(3000 * share, abs=4 * (3000 * share * (1 - share)) ** 0.5)


def test_first_player_names_the_colour_of_an_opening_wild() -> None:
    state = openings(uno(3), 200)["wild"][0]
    assert options(state) == ["name-r", "name-g", "name-b", "name-y"]
    assert where(state)["target"] == "wild"
    play(state, "name-b")
    assert where(state)["target"] == "b-wild"
    assert turn(state) == (0, "play")
    blue = {card for card in hand(state, 0) if card.startswith("b-")}
    assert {text for text in options(state) if "wild" not in text} == blue | {"draw"}


def test_opening_wild_goes_back_where_the_option_says_so() -> None:
    kinds = openings(uno(3, opening_wild="back"))
    assert set(kinds) == {"number", "skip", "reverse", "draw_2"}
    for states in kinds.values():
        for state in states:
            position = where(state)
            cards = [*position["pile"], *position["discards"], *(c for cards in position["hands"] for c in cards)]
            assert Counter(cards) == DECK


@pytest.mark.parametrize(("players", "second"), [(2, 0), (3, 1), (4, 2)])
def test_opening_reverse_goes_on_the_other_way(players: int, second: int) -> None:
    for state in openings(uno(players), 300)["reverse"]:
        play(state, "draw", "keep")
        assert state.to_act == second


# ------------------------------------------------------------------------------------------------- what fits


@pytest.mark.parametrize(
    ("target", "fits"),
    [
        ("r-5", ["r-1", "r-skip", "g-5"]),
        ("g-5", ["g-5"]),
        ("b-7", ["b-7", "b-reverse"]),
        ("y-skip", ["r-skip"]),
        ("g-reverse", ["g-5", "b-reverse"]),
        ("y-draw_2", []),
        ("r-wild", ["r-1", "r-skip"]),
        ("b-wild_draw_4", ["b-7", "b-reverse"]),
        ("y-wild", []),
    ],
)
def test_a_card_fits_by_colour_number_or_symbol(target: str, fits: list[str]) -> None:
    game = uno()
    state = place(game, ["r-1 r-skip g-5 b-7 b-reverse wild wild_draw_4", "y-1 y-2", "y-3 y-4"], target)
    want = {*fits, *wilds("wild"), *wilds("wild_draw_4"), "draw"}
    assert set(options(state)) == want
    without = place(game, ["r-1 r-skip g-5 b-7 b-reverse", "y-1 y-2", "y-3 y-4"], target)
    assert set(options(without)) == {*fits, "draw"}


def test_two_copies_are_one_choice() -> None:
    state = place(uno(), ["r-1 r-1 wild wild g-9", "y-1 y-2", "y-3 y-4"], "r-5")
    assert options(state) == sorted(["r-1", "draw", *wilds("wild")], key=state.game.parse)
    play(state, "r-1")
    assert hand(state, 0) == Counter(["r-1", "wild", "wild", "g-9"])


def test_a_played_card_becomes_the_target_and_leaves_the_hand() -> None:
    state = play(place(uno(), ["r-1 b-2", "y-1 y-2", "y-3 y-4"], "r-5"), "r-1")
    assert (where(state)["target"], where(state)["discards"][-1]) == ("r-1", "r-1")
    assert hand(state, 0) == Counter(["b-2"])
    assert turn(state) == (1, "play")


# ------------------------------------------------------------------------------------------------- action cards


@pytest.mark.parametrize(
    ("players", "card", "next_seat", "cards", "direction"),
    [
        (2, "r-skip", 0, [2, 2], 1),
        (3, "r-skip", 2, [2, 2, 2], 1),
        (2, "r-reverse", 0, [2, 2], -1),  # acts as a Skip
        (3, "r-reverse", 2, [2, 2, 2], -1),
        (4, "r-reverse", 3, [2, 2, 2, 2], -1),
        (2, "r-draw_2", 0, [2, 4], 1),
        (3, "r-draw_2", 2, [2, 4, 2], 1),
    ],
)
def test_action_cards(players: int, card: str, next_seat: int, cards: list[int], direction: int) -> None:
    hands = [f"{card} g-1 g-2", "y-1 y-2", "b-1 b-2", "g-3 g-4"][:players]
    state = play(place(uno(players), hands, "r-5"), card)
    assert turn(state) == (next_seat, "play")
    assert counts(state) == cards
    assert where(state)["direction"] == direction


def test_the_other_way_round_everything_goes_the_other_way() -> None:
    hands = ["r-skip r-draw_2 g-1", "y-1 y-2", "b-1 b-2", "g-3 g-4"]
    skipped = play(place(uno(4), hands, "r-5", direction=-1), "r-skip")
    assert skipped.to_act == 2
    drew = play(place(uno(4), hands, "r-5", direction=-1), "r-draw_2")
    assert (drew.to_act, counts(drew)) == (2, [2, 2, 2, 4])


def test_a_wild_takes_the_named_colour() -> None:
    state = play(place(uno(), ["wild g-1", "b-1 r-1", "y-3 y-4"], "r-5"), "b-wild")
    assert where(state)["target"] == "b-wild"
    assert where(state)["discards"][-1] == "wild"
    assert options(state) == ["b-1", "draw"]


# ------------------------------------------------------------------------------------------------- Wild Draw 4


@pytest.mark.parametrize(
    ("mine", "target", "guilty"),
    [
        ("r-1 b-2", "r-5", True),
        ("r-skip b-2", "r-5", True),
        ("b-2 y-3", "r-5", False),
        ("b-5 y-3", "r-5", False),  # a number match does not forbid it
        ("b-skip y-3", "r-skip", False),  # nor a symbol
        ("wild y-3", "r-5", False),  # nor a Wild
        ("wild_draw_4 y-3", "r-5", False),
        ("g-1 y-3", "r-5", False),  # nor a card of the colour that is named
        ("r-1 y-3", "r-wild", True),  # the colour in force counts, named or printed
        ("b-1 y-3", "r-wild", False),
    ],
)
def test_wild_draw_4_and_its_challenge(mine: str, target: str, guilty: bool) -> None:
    state = place(uno(), [f"wild_draw_4 {mine}", "y-1 y-2", "b-6 b-7"], target)
    play(state, "g-wild_draw_4")
    assert turn(state) == (1, "penalty")
    assert options(state) == ["challenge", "accept"]
    assert counts(state) == [2, 2, 2]
    accepted, challenged = play(state.copy(), "accept"), play(state.copy(), "challenge")
    assert (turn(accepted), counts(accepted)) == ((2, "play"), [2, 6, 2])
    if guilty:
        assert (turn(challenged), counts(challenged)) == ((1, "play"), [6, 2, 2])
    else:
        assert (turn(challenged), counts(challenged)) == ((2, "play"), [2, 8, 2])
    assert where(challenged)["target"] == where(accepted)["target"] == "g-wild_draw_4"


def test_two_players_and_a_challenge() -> None:
    state = play(place(uno(2), ["wild_draw_4 r-1 b-2", "y-1 y-2"], "r-5"), "y-wild_draw_4")
    accepted = play(state.copy(), "accept")
    assert (turn(accepted), counts(accepted)) == ((0, "play"), [2, 6])
    guilty = play(state.copy(), "challenge")
    assert (turn(guilty), counts(guilty)) == ((1, "play"), [6, 2])


@pytest.mark.parametrize("mine", ["r-1 b-2 b-3", "g-1 b-2 b-3"])
def test_only_the_challenger_is_shown_the_hand(mine: str) -> None:
    state = place(uno(), [f"wild_draw_4 {mine}", "y-1 y-2 y-3", "b-6 b-7 b-8"], "r-5")
    play(state, "g-wild_draw_4", "challenge")
    shown = Counter(mine.split())
    assert all(shown <= hand(state.view(1).sample(seed), 0) for seed in range(30))
    assert not all(shown <= hand(state.view(2).sample(seed), 0) for seed in range(30))
    # It is remembered, less what is played since.
    if state.to_act == 1:
        play(state, "draw", "keep")
    play(state, "draw", "keep")
    assert state.to_act == 0
    assert all(shown <= hand(state.view(1).sample(seed), 0) for seed in range(30))


def reds(cards: Counter[str]) -> int:
    return sum(n for card, n in cards.items() if card.startswith("r-"))


def test_everybody_learns_the_verdict() -> None:
    innocent = place(uno(), ["wild_draw_4 g-1 b-2", "y-1 y-2 y-3", "b-6 b-7 b-8"], "r-5")
    play(innocent, "g-wild_draw_4", "challenge")
    assert all(reds(hand(innocent.view(2).sample(seed), 0)) == 0 for seed in range(60))
    guilty = place(uno(), ["wild_draw_4 r-1 b-2", "y-1 y-2 y-3", "b-6 b-7 b-8"], "r-5")
    play(guilty, "g-wild_draw_4", "challenge")
    assert all(reds(hand(guilty.view(2).sample(seed), 0)) >= 1 for seed in range(60))
    silent = place(uno(), ["wild_draw_4 r-1 b-2", "y-1 y-2 y-3", "b-6 b-7 b-8"], "r-5")
    play(silent, "g-wild_draw_4", "accept")
    assert {reds(hand(silent.view(2).sample(seed), 0)) for seed in range(60)} == {0, 1, 2}


def test_only_the_challenger_has_what_was_shown() -> None:
    state = place(uno(), ["wild_draw_4 r-1 b-2", "y-1 y-2", "b-6 b-7"], "r-5")
    play(state, "g-wild_draw_4", "challenge")
    assert [sight["viewer"] for sight in where(state)["seen"]] == [1]
    assert state.game.position(state.view(1))["seen"] == where(state)["seen"]
    for other in (0, 2):
        assert "seen" not in state.game.position(state.view(other))


def test_a_bluff_shows_to_nobody_before_the_challenge() -> None:
    hands = ["y-1 y-2", "b-6 b-7"]
    bluff = play(place(uno(), ["wild_draw_4 r-1 b-2", *hands], "r-5"), "g-wild_draw_4")
    honest = play(place(uno(), ["wild_draw_4 b-1 b-2", *hands], "r-5"), "g-wild_draw_4")
    for seat in (1, 2):
        assert bluff.view(seat) == honest.view(seat)
        assert bluff.view(seat).key == honest.view(seat).key
    worlds = [play(bluff.view(1).sample(seed), "challenge") for seed in range(60)]
    assert {counts(world)[1] for world in worlds} == {2, 8}  # in some worlds a bluff, in others not


# ------------------------------------------------------------------------------------------------- drawing


def test_only_the_drawn_card_may_be_played() -> None:
    state = place(uno(), ["r-1 b-2", "y-1 y-2", "y-3 y-4"], "r-5", pile="r-9")
    assert "draw" in options(state)  # though r-1 fits
    play(state, "draw")
    assert turn(state) == (0, "drawn")
    assert options(state) == ["play", "keep"]
    assert counts(state) == [3, 2, 2]
    played = play(state.copy(), "play")
    assert (where(played)["target"], turn(played), counts(played)) == ("r-9", (1, "play"), [2, 2, 2])
    kept = play(state.copy(), "keep")
    assert (where(kept)["target"], turn(kept), counts(kept)) == ("r-5", (1, "play"), [3, 2, 2])
    assert hand(kept, 0) == Counter(["r-1", "b-2", "r-9"])


@pytest.mark.parametrize(("card", "next_seat", "cards"), [("r-skip", 2, [2, 2, 2]), ("r-draw_2", 2, [2, 4, 2])])
def test_a_drawn_card_has_its_effect(card: str, next_seat: int, cards: list[int]) -> None:
    state = place(uno(), ["r-1 b-2", "y-1 y-2", "y-3 y-4"], "r-5", pile=card)
    play(state, "draw", "play")
    assert (turn(state), counts(state)) == ((next_seat, "play"), cards)


def test_a_drawn_wild_then_names_its_colour() -> None:
    state = place(uno(), ["r-1 b-2", "y-1 y-2", "y-3 y-4"], "r-5", pile="wild")
    play(state, "draw", "play")
    assert turn(state) == (0, "name")
    assert options(state) == ["name-r", "name-g", "name-b", "name-y"]
    play(state, "name-y")
    assert (where(state)["target"], turn(state)) == ("y-wild", (1, "play"))
    assert hand(state, 0) == Counter(["r-1", "b-2"])


@pytest.mark.parametrize(("mine", "cards"), [("r-1 b-2", [6, 2, 2]), ("g-1 b-2", [2, 8, 2])])
def test_a_drawn_wild_draw_4_may_be_challenged(mine: str, cards: list[int]) -> None:
    state = place(uno(), [mine, "y-1 y-2", "y-3 y-4"], "r-5", pile="wild_draw_4")
    play(state, "draw", "play", "name-g")
    assert turn(state) == (1, "penalty")
    assert counts(play(state, "challenge")) == cards


def test_keep_is_the_only_choice_for_a_card_that_does_not_fit() -> None:
    state = place(uno(), ["r-1 b-2", "y-1 y-2", "y-3 y-4"], "r-5", pile="g-9")
    play(state, "draw")
    assert options(state) == ["keep"]
    play(state, "keep")
    assert turn(state) == (1, "play")


def test_others_cannot_tell_whether_a_kept_card_fitted() -> None:
    by_card: dict[str, Any] = {}
    for word in range(1, 40):  # other streams draw other cards from the same pile
        stream = [f"{word * 0x9E3779B97F4A7C15 % 2**64:016x}", f"{word:016x}"]
        state = place(uno(), ["r-1 b-2", "y-1 y-2", "y-3 y-4"], "r-5", pile="r-9 g-9", stream=stream)
        play(state, "draw")
        by_card[where(state)["drawn"]] = state
    fitted, useless = by_card["r-9"], by_card["g-9"]
    assert options(fitted) != options(useless)
    for _ in range(2):
        for seat in (1, 2):
            assert fitted.view(seat) == useless.view(seat)
            assert fitted.view(seat).key == useless.view(seat).key
            assert "drawn" not in fitted.game.position(fitted.view(seat))
        assert fitted.view(0) != useless.view(0)
        if turn(fitted) == (0, "drawn"):
            play(fitted, "keep")
            play(useless, "keep")


# ------------------------------------------------------------------------------------------------- the pile


def test_an_empty_pile_is_made_of_the_discards_but_the_top_one() -> None:
    hands = ["r-1 b-2", "y-1 y-2", "y-3 y-4"]
    state = place(uno(), hands, "b-wild", pile="")
    below = Counter(where(state)["discards"][:-1])
    assert below["wild"] == 3
    assert below["wild_draw_4"] == 4
    play(state, "draw")
    position = where(state)
    assert position["discards"] == ["wild"]
    assert position["target"] == "b-wild"
    assert Counter(position["pile"]) + Counter([position["drawn"]]) == below  # wilds are just wilds again
    assert len(position["pile"]) == 100


def test_a_reshuffled_wild_may_be_given_any_colour() -> None:
    game = uno()
    left = DECK - Counter(["r-5", "wild", "b-2", "b-2", "y-1"])
    hands = ["b-2", " ".join(left.elements()), "b-2 y-1"]
    state = place(game, hands, "r-5", pile="")  # below the target lies one Wild, played as whatever it was
    play(state, "draw", "play")
    assert options(state) == ["name-r", "name-g", "name-b", "name-y"]


def test_a_penalty_takes_what_there_is() -> None:
    left = DECK - Counter(["r-5", "r-draw_2", "b-2", "y-1", "y-2"])
    state = place(uno(), ["r-draw_2 b-2", "y-1 y-2", " ".join(left.elements())], "r-5", pile="")
    play(state, "r-draw_2")
    assert counts(state) == [1, 3, 103]  # only r-5, just covered, could be drawn
    assert turn(state) == (2, "play")
    assert hand(state, 1)["r-5"] == 1


@pytest.mark.parametrize("players", [2, 3, 5])
def test_with_nothing_left_drawing_does_nothing_and_all_in_a_row_are_a_draw(players: int) -> None:
    state = stuck(uno(players))
    before = counts(state)
    for seat in range(players):
        assert turn(state) == (seat, "play")
        assert counts(state) == before
        play(state, "draw")
    assert state.over
    assert state.to_act == kibitz.OVER
    assert state.payoffs == [0.0] * players
    assert where(state)["winner"] == -1


def test_a_played_card_ends_the_standstill() -> None:
    state = stuck(uno(2), to_act=1)
    play(state, "draw", "r-1")  # seat 1 found nothing; seat 0 plays
    before = counts(state)
    play(state, "draw")  # now r-5 is there
    assert turn(state) == (1, "drawn")
    assert counts(state) == [before[0], before[1] + 1]
    play(state, "keep", "draw")
    assert turn(state) == (1, "play")  # nothing again, but only once in a row
    play(state, "draw")
    assert state.over


# ------------------------------------------------------------------------------------------------- the end


@pytest.mark.parametrize(
    ("card", "cards"),
    [
        ("r-1", [0, 2, 2]),
        ("r-skip", [0, 2, 2]),
        ("r-draw_2", [0, 4, 2]),
        ("wild_draw_4", [0, 6, 2]),
        ("wild", [0, 2, 2]),
    ],
)
@pytest.mark.parametrize("direction", [1, -1])
def test_the_last_cards_effect_still_resolves(card: str, cards: list[int], direction: int) -> None:
    state = place(uno(), [card, "y-1 y-2", "y-3 y-4"], "r-5", direction=direction)
    play(state, f"g-{card}" if "wild" in card else card)
    assert state.over
    assert counts(state) == (cards if direction == 1 else [cards[0], cards[2], cards[1]])
    assert where(state)["winner"] == 0
    assert state.payoffs == [1.0, -0.5, -0.5]


@pytest.mark.parametrize("players", [2, 3, 4, 10])
def test_payoffs(players: int) -> None:
    hands = ["y-1", "r-1", "g-1", "b-1", "y-2", "r-2", "g-2", "b-2", "y-3", "b-3"][:players]
    state = play(place(uno(players), hands, "r-5", to_act=1), "r-1")
    want = [-1 / (players - 1)] * players
    want[1] = 1.0
    assert state.payoffs == pytest.approx(want)
    assert sum(state.payoffs) == pytest.approx(0.0)
    assert state.game.zero_sum


def test_rlcard_pays_each_loser_minus_one() -> None:
    state = play(place(uno(rules="rlcard"), ["r-1", "y-1 y-2", "y-3 y-4"], "r-5"), "r-1")
    assert state.payoffs == [1.0, -1.0, -1.0]
    assert not state.game.zero_sum


def test_points() -> None:
    game = uno(scoring="points")
    hands = ["r-1", "r-7 g-skip wild", "r-0 y-draw_2 wild_draw_4 b-reverse b-9 b-9"]
    state = play(place(game, hands, "r-5"), "r-1")
    assert state.payoffs == [77.0 + 108.0, -77.0, -108.0]
    low, high = game.payoff_range
    assert low <= -1240
    assert high >= 1240  # all the cards in the other hands


def test_points_count_what_the_last_card_makes_others_draw() -> None:
    state = place(uno(scoring="points"), ["r-draw_2", "r-7", "b-3"], "r-5", pile="wild y-8")
    play(state, "r-draw_2")
    assert state.payoffs == [68.0, -65.0, -3.0]


def test_points_of_a_standstill_are_nobodys() -> None:
    assert play(stuck(uno(2, scoring="points")), "draw", "draw").payoffs == [0.0, 0.0]


# ------------------------------------------------------------------------------------------------- options


@pytest.mark.parametrize(
    "option",
    [
        {"scoring": "points"},
        {"uno_call": "decision"},
        {"opening_wild": "back"},
        {"stacking": True},
        {"draw_until": True},
        {"seven_zero": True},
    ],
    ids=lambda option: next(iter(option)),
)
def test_rlcard_refuses_official_options(option: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="rlcard"):
        uno(rules="rlcard", **option)
    assert uno(**option).options[next(iter(option))] == next(iter(option.values()))


def test_default_options_are_fine_for_rlcard_too() -> None:
    game = uno(rules="rlcard")
    assert kibitz.make("uno", **game.options) == game
    assert game.num_actions == 61
    assert uno().num_actions == 83
