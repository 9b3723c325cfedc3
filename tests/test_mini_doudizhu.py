"""Mini Dou Di Zhu: the facts of Whitehouse, Powley and Cowling (2011) and of our own count, worlds, positions."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import Any

import pytest
from scipy import stats

import kibitz

DECK = "3333444455556666BR"


@pytest.fixture(scope="module")
def game() -> Any:
    return kibitz.make("mini_doudizhu")


@pytest.fixture(scope="module")
def deals(game: Any) -> list[tuple[Any, int]]:
    return list(game.deals())


def hands(game: Any, state: Any) -> tuple[str, str]:
    first, second = game.position(state)["hands"]
    return first, second


def test_the_deals_are_as_many_as_they_should_be(game: Any, deals: list[tuple[Any, int]]) -> None:
    pairs = [hands(game, state) for state, _ in deals]
    assert len(pairs) == len(set(pairs)) == 8_832
    per_hand = Counter(first for first, _ in pairs)
    assert len(per_hand) == 268
    assert max(per_hand.values()) == 66
    assert {"".join(cards) for cards in combinations(DECK, 7)} == set(per_hand)


def test_weights_count_physical_cards(game: Any, deals: list[tuple[Any, int]]) -> None:
    assert sum(weight for _, weight in deals) == comb(18, 7) * comb(11, 7) == 10_501_920
    for state, weight in deals[::97]:
        first, second = hands(game, state)
        ways = 1
        for rank in "3456BR":
            size, a, b = DECK.count(rank), first.count(rank), second.count(rank)
            ways *= comb(size, a) * comb(size - a, b)
        assert weight == ways


def test_deals_and_worlds_follow_the_weights(game: Any, deals: list[tuple[Any, int]]) -> None:
    """All worlds of one hand, and all first hands, against enumeration."""
    weights = {hands(game, state): weight for state, weight in deals}
    first = "3344556"
    want = {second: weight for (mine, second), weight in weights.items() if mine == first}
    view = next(state for state, _ in deals if hands(game, state)[0] == first).view(0)
    n = 40_000
    seen = Counter(hands(game, view.sample(seed))[1] for seed in range(n))
    assert set(seen) <= set(want)
    expected = {hand: n * weight / sum(want.values()) for hand, weight in want.items()}
    assert stats.chisquare([seen[hand] for hand in want], [expected[hand] for hand in want]).pvalue > 1e-4

    by_hand: Counter[str] = Counter()
    for (mine, _), weight in weights.items():
        by_hand[mine] += weight
    dealt = Counter(hands(game, game.deal(seed))[0] for seed in range(n))
    large = [hand for hand, weight in by_hand.items() if n * weight / 10_501_920 >= 5]
    rest = n - sum(dealt[hand] for hand in large)
    counts = [*(dealt[hand] for hand in large), rest]
    odds = [n * by_hand[hand] / 10_501_920 for hand in large]
    assert stats.chisquare(counts, [*odds, n - sum(odds)]).pvalue > 1e-4


def late_views(game: Any, rng: random.Random) -> Iterator[Any]:
    """Views from random games after some cards were played, both seats of each moment."""
    while True:
        state = game.deal(rng.randrange(2**63))
        while not state.over:
            if len(state.history) >= 3:
                yield from (state.view(seat) for seat in range(2))
            state.apply(rng.choice(state.legal()))


def test_the_history_replays_from_late_worlds(game: Any) -> None:
    rng = random.Random(4)
    for number, view in enumerate(itertools.islice(late_views(game, rng), 10_000)):
        world = view.sample(number)
        assert world.view(view.seat) == view
        position = game.position(world)
        played = position.get("played", ["", ""])
        dealt = [sorted(hand + gone, key=DECK.index) for hand, gone in zip(position["hands"], played, strict=True)]
        state = game.from_position({"hands": ["".join(hand) for hand in dealt]})
        for seat, action in view.history:
            assert state.to_act == seat
            state.apply(action)
        assert state == world


def test_late_worlds_are_uniform(game: Any) -> None:
    """Chi-squared against every hand that the other seat can have, weighted by physical cards."""
    rng = random.Random(5)
    p_values = []
    for view in itertools.islice(late_views(game, rng), 0, None, 37):
        position = game.position(view)
        left = Counter(DECK) - Counter(position["hands"][view.seat]) - Counter("".join(position["played"]))
        unseen = sorted(left.elements())
        size = position["hands"][1 - view.seat]["count"]
        want = Counter("".join(cards) for cards in combinations(unseen, size))
        n, least = 1_500, min(want.values()) / want.total()
        if len(want) < 3 or n * least < 3:
            continue
        seen = Counter("".join(sorted(hands(game, view.sample(seed))[1 - view.seat])) for seed in range(n))
        assert seen.keys() <= want.keys()
        odds = [n * ways / want.total() for ways in want.values()]
        p_values.append(stats.chisquare([seen[hand] for hand in want], odds).pvalue)
        if len(p_values) == 20:
            break
    assert min(p_values) > 1e-4, p_values


def slow_legal(hand: str, to_beat: str) -> set[str]:
    """The rules once more, in words of text."""
    groups = {rank * size for rank in set(hand) for size in range(1, hand.count(rank) + 1)}
    if to_beat == "pass":
        return groups
    order = "3456BR".index
    return {g for g in groups if len(g) == len(to_beat) and order(g[0]) > order(to_beat[0])} | {"pass"}


def test_play_follows_a_slow_reference(game: Any) -> None:
    rng = kibitz._core.Rng(5)
    ends: Counter[float] = Counter()
    for seed in range(400):
        state = game.deal(seed)
        held, to_beat, seat = [*hands(game, state)], "pass", 0
        while not state.over:
            assert state.to_act == seat
            legal = [game.text(action) for action in state.legal()]
            assert len(set(legal)) == len(legal)
            assert set(legal) == slow_legal(held[seat], to_beat)
            to_beat = legal[rng.below(len(legal))]
            state.apply(game.parse(to_beat))
            if to_beat != "pass":
                held[seat] = held[seat].replace(to_beat, "", 1)
            assert hands(game, state) == tuple(held)
            seat = 1 - seat
        winner = held.index("")
        assert state.payoffs == ([1, -1] if winner == 0 else [-1, 1])
        ends[state.payoffs[0]] += 1
    assert min(ends.values()) > 50


def test_a_view_hides_the_other_hand_and_remembers_what_was_played(game: Any) -> None:
    state = game.from_position({"hands": ["3344556", "3456BR6"]})
    for text in ("33", "pass", "5", "B", "pass"):
        state.apply(game.parse(text))
    view = state.view(0)
    position = game.position(view)
    assert position["hands"] == ["4456", {"count": 6}]
    assert position["played"] == ["335", "B"]
    assert game.from_position(position) == view
    assert len({hands(game, view.sample(seed))[1] for seed in range(200)}) > 10
    for seed in range(200):
        other = hands(game, view.sample(seed))[1]
        assert all((other + "4456335B").count(rank) <= DECK.count(rank) for rank in "3456BR")
    assert "3456" not in str(view)


def test_features_are_those_of_the_readme(game: Any) -> None:
    state = game.from_position({"hands": ["3344556", "3456BR6"]})
    state.apply(game.parse("44"))
    features = state.view(1).encode("cards")
    assert features.shape == (94,)

    def unary(cards: str) -> list[int]:
        return [int(cards.count(r) > i) for r in "3456BR" for i in range(DECK.count(r))]

    unseen = "".join(r * (DECK.count(r) - "3456BR644".count(r)) for r in "3456BR")
    beat = [int(action == game.parse("44")) for action in range(19)]
    want = [*unary("3456BR6"), *unary(""), *unary("44"), *unary(unseen), *beat, 1, 1, 5 / 7]
    assert features.tolist() == pytest.approx(want)


HANDS = ["3344556", "3456BR6"]
BAD: list[tuple[dict[str, Any], str]] = [
    ({}, "needs hands"),
    ({"hands": ["3344556"]}, "one entry per seat"),
    ({"hands": ["3344557", "3456BR6"]}, "unknown card '7'"),
    ({"hands": ["33445BB", "3456R66"]}, "too many B"),
    ({"hands": ["334455", "3456BR6"]}, "together it must be 7"),
    ({"hands": HANDS, "to_act": 2}, "to_act"),
    ({"hands": HANDS, "to_beat": "33"}, "among the cards"),
    ({"hands": HANDS, "to_beat": "pass"}, "leave it out"),
    ({"hands": HANDS, "to_beat": "34"}, "no action"),
    ({"hands": ["", "3456BR6"], "played": ["3344556", ""], "to_act": 0}, "no cards left"),
    ({"hands": ["", "3456BR6"], "played": ["3344556", ""], "to_act": 1}, "to_beat, is missing"),
    ({"hands": HANDS, "colour": 1}, "member"),
    ({"hands": HANDS, "game": "uno"}, "position of 'uno'"),
    ({"hands": HANDS, "version": 9}, "version"),
    ({"hands": HANDS, "seat": 0}, "count"),
    ({"hands": [3, 4]}, "must be text"),
]


@pytest.mark.parametrize(("position", "says"), BAD)
def test_bad_positions_say_what_is_wrong(game: Any, position: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        game.from_position(position)


def test_it_takes_no_options() -> None:
    assert kibitz.make("mini_doudizhu", players=2).options == {}
    for options in ({"players": 3}, {"cards": 18}):
        with pytest.raises(ValueError, match="mini_doudizhu"):
            kibitz.make("mini_doudizhu", **options)
