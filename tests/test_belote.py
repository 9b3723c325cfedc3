"""Belote against the slow reference, and what RULES says must hold."""

from __future__ import annotations

import os
import random
from collections import Counter
from typing import Any

import pytest
from belote_reference import DECKS, Deal, Rules, best, deals_of, lines, replays
from scipy.stats import chisquare

import kibitz

# 10,000 over all variants; KIBITZ_EFFORT times as many of the default game alone.
DEALS = 10_000 * max(1, int(os.environ.get("KIBITZ_EFFORT", "0")))
VIEWS = 10_000
FULL_EFFORT = "KIBITZ_EFFORT" in os.environ

VARIANTS: list[dict[str, Any]] = [
    {},
    {"discard": True, "trump": "random"},
    {"bidding": True},
    {"bidding": True, "discard": True},
    {"rules": "olech"},
    {"rules": "olech", "trumping": "strict", "trump": "random"},
    {"cards": 12, "trump": "random"},
    {"cards": 12, "rules": "olech", "scoring": "points"},
    {"cards": 12, "rules": "olech", "trumping": "strict", "scoring": "points"},
]


def named(options: dict[str, Any]) -> str:
    return ",".join(f"{key}={value}" for key, value in options.items()) or "default"


def rules_of(options: dict[str, Any]) -> Rules:
    return Rules(
        official=options.get("rules", "official") == "official",
        strict=options.get("trumping") == "strict",
        discard=options.get("discard", False),
        bidding=options.get("bidding", False),
    )


def texts(game: Any, actions: list[int]) -> list[str]:
    return [game.text(action) for action in actions]


def bid_out(game: Any, state: Any, rng: random.Random) -> bool:
    """Random bids against the rules of bidding; False if all passed."""
    position = game.position(state)
    hands, turned, talon = position["hands"], position["turned"], list(position["talon"])
    assert [len(hand) for hand in hands] == [5] * 4
    for turn in range(8):
        first = turn < 4
        suits = [suit for suit in "shdc" if (suit == turned[-1]) == first]
        assert state.to_act == turn % 4
        assert texts(game, state.legal()) == ["pass"] + [f"take-{suit}" for suit in suits]
        bid = rng.choice(["pass", "pass", "pass", *(f"take-{suit}" for suit in suits)])
        state.apply(game.parse(bid))
        if bid == "pass":
            continue
        for seat in range(4):
            hands[seat] += [turned] if seat == turn % 4 else []
            while len(hands[seat]) < 8:
                hands[seat].append(talon.pop(0))
        after = game.position(state)
        assert (after["taker"], after["trump"], after["phase"]) == (turn % 4, bid[-1], "play")
        assert [set(hand) for hand in after["hands"]] == [set(hand) for hand in hands]
        assert state.to_act == 0
        return True
    assert state.over
    assert list(state.payoffs) == [0, 0, 0, 0]
    return False


def reference_of(game: Any, state: Any, options: dict[str, Any]) -> Deal:
    """The reference at the beginning of play."""
    position = game.position(state)
    trump = position.get("trump", "s")
    return Deal(rules_of(options), trump, position["hands"], position.get("taker"), state.to_act)


def expected_payoffs(game: Any, deal: Deal) -> list[float]:
    mine, theirs = deal.scores()
    scoring = game.options["scoring"]
    if scoring == "win":
        mine, theirs = deal.taken()
        pair: list[float] = [(mine > theirs) - (mine < theirs), (theirs > mine) - (theirs < mine)]
    elif scoring == "difference":
        pair = [mine - theirs, theirs - mine]
    else:
        pair = [mine, theirs]
    return pair * 2


def follow(game: Any, state: Any, deal: Deal, rng: random.Random) -> None:
    """Random play, both side by side."""
    while not deal.over:
        assert state.to_act == deal.to_act
        legal = texts(game, state.legal())
        assert sorted(legal) == sorted(deal.legal())
        card = rng.choice(legal)
        state.apply(game.parse(card))
        deal.play(card)
        position = game.position(state)
        assert position["points"] == deal.card_points()
        assert position["trick"] == deal.trick
    assert state.over
    assert list(state.payoffs) == expected_payoffs(game, deal)


@pytest.mark.parametrize("options", VARIANTS, ids=named)
def test_every_state_of_random_deals(options: dict[str, Any]) -> None:
    game = kibitz.make("belote", **options)
    rng = random.Random(5)
    totals: Counter[int] = Counter()
    for seed in range(DEALS if FULL_EFFORT and not options else DEALS // len(VARIANTS) + 1):
        state = game.deal(seed)
        if game.options["bidding"] and not bid_out(game, state, rng):
            continue
        deal = reference_of(game, state, options)
        follow(game, state, deal, rng)
        assert sum(deal.card_points()) == (152 if game.options["cards"] == 32 else 80)
        totals[sum(deal.taken()) - 20 * len(deal.owners)] += 1
    if game.options["rules"] == "olech":
        assert set(totals) == {152 if game.options["cards"] == 32 else 80}
    else:
        usual, capot = (162, 252) if game.options["cards"] == 32 else (90, 180)
        assert usual in totals
        assert set(totals) <= {usual, capot}


def test_capot_and_dedans() -> None:
    """A deal where seats 0 and 2 take everything, whoever took: 252, and 20 for belote."""
    game = kibitz.make("belote", bidding=True)
    hands = [
        ["Js", "9s", "As", "10s", "Ks", "Qs", "8s", "7s"],
        [f"{rank}h" for rank in ("7", "8", "9", "10", "J", "Q", "K", "A")],
        [f"{rank}d" for rank in ("7", "8", "9", "10", "J", "Q", "K", "A")],
        [f"{rank}c" for rank in ("7", "8", "9", "10", "J", "Q", "K", "A")],
    ]
    for taker, expected in ((0, [272.0, 0.0, 272.0, 0.0]), (1, [272.0, 0.0, 272.0, 0.0])):
        turned = hands[taker][0]
        state = game.from_position(
            {"phase": "play", "trump": "s", "turned": turned, "taker": taker, "hands": hands, "to_act": 0}
        )
        while not state.over:
            state.apply(state.legal()[0])
        assert state.payoffs == expected
        assert game.position(state)["tricks"] == [8, 0]


@pytest.mark.parametrize(
    ("points", "belote", "taker", "expected"),
    [
        ([90, 62], None, 0, [100, 62]),  # made: 100 with the last trick
        ([71, 81], None, 0, [0, 81]),  # 81 to 81: the takers' are held
        ([70, 82], None, 0, [0, 162]),  # dedans
        ([70, 82], 2, 0, [100, 82]),  # belote makes the contract
        ([50, 102], 2, 0, [20, 162]),  # lost all the same, but belote stays
        ([60, 92], 1, 1, [70, 112]),
        ([100, 52], 3, 1, [162, 20]),
    ],
)
def test_scores_of_takers(points: list[int], belote: int | None, taker: int, expected: list[int]) -> None:
    """Finished deals put together: seats 0 and 2 took the last trick."""
    game = kibitz.make("belote", bidding=True)
    rng = random.Random(1)
    # Whoever played which card matters for belote and the turned card alone.
    for _ in range(10_000):
        cards = list(DECKS[32])
        rng.shuffle(cards)
        played = [cards[8 * seat : 8 * seat + 8] for seat in range(4)]
        owner = next((seat for seat in range(4) if {"Ks", "Qs"} <= set(played[seat])), None)
        if owner == belote:
            break
    state = game.from_position(
        {
            "phase": "over",
            "trump": "s",
            "turned": played[taker][0],
            "taker": taker,
            "to_act": 0,
            "played": played,
            "points": points,
            "tricks": [4, 4],
            "hands": [[]] * 4,
        }
    )
    assert state.payoffs == expected * 2


# ------------------------------------------------------------------------------------------- the 12-card deck


def test_worlds_and_lines_of_twelve_cards() -> None:
    game = kibitz.make("belote", cards=12, rules="olech")
    most = 0
    for seed in range(60):
        state = game.deal(seed)
        assert [state.view(seat).worlds() for seat in range(4)] == [1680] * 4
        deal = reference_of(game, state, {"cards": 12, "rules": "olech"})
        most = max(most, lines(deal.rules, deal.trump, deal.hands))
    assert 1 < most <= 1296


def test_worlds_of_the_full_deck() -> None:
    assert kibitz.make("belote").deal(1).view(2).worlds() == 9_465_511_770  # 24! / 8!^3
    assert kibitz.make("belote", rules="olech").deal(1).view(0).worlds() == 9_465_511_770


# --------------------------------------------------------------------------------------------------- worlds


class Line:
    """A random game from a seed, up to some number of cards, in the core and in the reference."""

    def __init__(self, options: dict[str, Any], seed: int, cards: int) -> None:
        self.game = kibitz.make("belote", **options)
        self.rng = random.Random(seed)
        self.state = self.game.deal(seed)
        while self.game.options["bidding"] and not bid_out(self.game, self.state, self.rng):
            seed += 1_000_000
            self.state = self.game.deal(seed)
        self.deal = reference_of(self.game, self.state, options)
        self.start = [list(hand) for hand in self.deal.hands]
        self.turned = self.game.position(self.state).get("turned")
        self.cards: list[tuple[int, str]] = []
        for _ in range(cards):
            card = self.rng.choice(self.deal.legal())
            self.cards.append((self.deal.to_act, card))
            self.state.apply(self.game.parse(card))
            self.deal.play(card)

    def consistent(self, hands: list[list[str]]) -> bool:
        """Whether these could be the hands now: with what was played they replay, and the taker has the turned card."""
        full = [hand + [card for who, card in self.cards if who == seat] for seat, hand in enumerate(hands)]
        if self.turned and self.turned not in full[self.deal.taker or 0]:
            return False
        return replays(self.deal.rules, self.deal.trump, full, self.cards, self.deal.told)

    def worlds(self, seat: int) -> list[list[list[str]]]:
        """All hands that the seat must think possible, by trying every one."""
        others = [who for who in range(4) if who != seat]
        unseen = [card for who in others for card in self.deal.hands[who]]
        out = []
        for dealt in deals_of(unseen, [len(self.deal.hands[who]) for who in others]):
            hands = [list(self.deal.hands[seat])] * 4
            for who, hand in zip(others, dealt, strict=True):
                hands[who] = hand
            if self.consistent(hands):
                out.append(hands)
        return out


def frozen(hands: list[list[str]]) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(hand) for hand in hands)


def check_uniform(line: Line, seat: int, per_world: int = 20) -> int:
    """Chi-squared of `sample` against all worlds; returns their number."""
    worlds = {frozen(world) for world in line.worlds(seat)}
    view = line.state.view(seat)
    assert view.worlds() == len(worlds)
    if len(worlds) > 3_000:
        return 0
    counts = Counter(frozen(line.game.position(view.sample(seed))["hands"]) for seed in range(per_world * len(worlds)))
    assert set(counts) <= worlds
    if len(worlds) > 1:
        assert chisquare([counts[world] for world in worlds]).pvalue > 1e-4
    return len(worlds)


@pytest.mark.parametrize("options", [options for options in VARIANTS if options.get("cards") == 12], ids=named)
def test_sample_is_uniform_on_twelve_cards(options: dict[str, Any]) -> None:
    assert check_uniform(Line(options, 3, 0), 0) == 1680
    sizes = [check_uniform(Line(options, seed, 1 + seed % 7), seed % 4) for seed in range(8)]
    assert max(sizes) > 20


@pytest.mark.parametrize("options", [options for options in VARIANTS if options.get("cards") != 12], ids=named)
def test_sample_is_uniform_late_in_the_game(options: dict[str, Any]) -> None:
    """Last three tricks of 32 cards: voids, missed overtrumps, the turned card, belote said or not."""
    sizes, bare = [], 0
    for seed in range(16):
        line = Line(options, seed, 20 + seed % 8)
        sizes.append(check_uniform(line, seed % 4))
        bare += any(line.game.position(line.state)["barred"])
    assert max(sizes) > 100
    assert bare > 10


@pytest.mark.parametrize("options", VARIANTS, ids=named)
def test_worlds_replay(options: dict[str, Any]) -> None:
    """The public history could have led to every sampled world."""
    late = 16 if options.get("cards") != 12 else 5
    end = 32 if options.get("cards") != 12 else 12
    for seed in range(VIEWS // len(VARIANTS) // 4 + 1):
        line = Line(options, seed, late + seed % (end - late))
        for seat in range(4):
            view = line.state.view(seat)
            world = view.sample(seed)
            assert world.view(seat) == view
            assert line.consistent(line.game.position(world)["hands"])


def test_bidding_worlds_are_shuffles() -> None:
    """Before anybody took: own five cards and the turned one are known, everything else is anywhere."""
    game = kibitz.make("belote", bidding=True)
    view = game.deal(4).view(1)
    position = game.position(view)
    known = {*position["hands"][1], position["turned"]}
    places: Counter[tuple[str, int]] = Counter()
    draws = 6_000
    for seed in range(draws):
        world = game.position(view.sample(seed))
        assert set(world["hands"][1]) | {world["turned"]} == known
        for place, cards in enumerate([world["hands"][0], world["hands"][2], world["hands"][3], world["talon"]]):
            for card in cards:
                places[card, place] += 1
    for card in set(DECKS[32]) - known:
        expected = [draws * n / 26 for n in (5, 5, 5, 11)]
        assert chisquare([places[card, place] for place in range(4)], expected).pvalue > 1e-5


# ---------------------------------------------------------------------------------------------- bad input

FULL = kibitz.make("belote").deal(3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cards": 16}, "32 or 12"),
        ({"cards": "many"}, "cards"),
        ({"rules": "contree"}, "official, olech"),
        ({"trumping": "strict"}, "olech"),
        ({"rules": "olech", "bidding": True}, "olech"),
        ({"rules": "olech", "discard": True}, "olech"),
        ({"bidding": True, "cards": 12}, "cards=32"),
        ({"bidding": True, "trump": "hearts"}, "taker names it"),
        ({"trump": "bid"}, "bidding"),
        ({"trump": "h"}, "spades, hearts"),
        ({"scoring": 3}, "text"),
        ({"partners": 2}, "allowed"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        kibitz.make("belote", **options)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hands": None}, "hands"),
        ({"hands": [["7s"]]}, "one entry per seat"),
        ({"hands": [["7s"], [], [], []]}, "must have 8 cards"),
        ({"hands": [["1s"], [], [], []]}, "unknown card"),
        ({"hands": [["7s", "7s"], [], [], []]}, "elsewhere"),
        ({"points": [1, 0]}, "add up"),
        ({"points": [1000, 0]}, "points"),
        ({"tricks": [1, 0]}, "must have played 1"),
        ({"trick": ["7s"]}, "among what seat"),
        ({"phase": "over"}, "over"),
        ({"phase": "first"}, "bidding"),
        ({"trump": "h"}, "fixed"),
        ({"taker": 1}, "no taker"),
        ({"to_act": 4}, "to_act"),
        ({"rules": "olech"}, "rules"),
        ({"cards": 12}, "cards"),
        ({"colour": "r"}, "allowed"),
        ({"version": 2}, "version"),
        ({"game": "uno"}, "uno"),
        ({"barred": [["7s"]]}, "one entry per seat"),
        ({"barred": [list(DECKS[32])] * 4}, "barred"),
    ],
)
def test_bad_positions(change: dict[str, Any], message: str) -> None:
    game = kibitz.make("belote")
    position = {**game.position(FULL), **change}
    position = {name: value for name, value in position.items() if value is not None}
    with pytest.raises(ValueError, match=message):
        game.from_position(position)


def test_views_that_nobody_can_have() -> None:
    game = kibitz.make("belote")
    position = game.position(FULL.view(0))
    everything = list(DECKS[32])
    with pytest.raises(ValueError, match="no world"):
        game.from_position({**position, "barred": [[], everything, [], []]})
    with pytest.raises(ValueError, match="must have 8 cards, not 7"):
        game.from_position({**position, "hands": [position["hands"][0], {"count": 7}, {"count": 8}, {"count": 9}]})
    with pytest.raises(ValueError, match="seat"):
        game.from_position({**position, "seat": 9})


def test_rules_agent_beats_random() -> None:
    """Partners at seats 0 and 2 against random ones, both ways round."""
    for options in ({}, {"bidding": True}, {"rules": "olech"}, {"cards": 12, "rules": "olech"}):
        game = kibitz.make("belote", **options)
        result = kibitz.play(game, ["rules", "random", "rules", "random"], games=4000, seed=1)
        assert result.agents[0].win_rate.low > (0.5 if game.options["cards"] == 12 else 0.55)


def test_series_adds_up_the_points_of_both_sides() -> None:
    game = kibitz.make("belote", bidding=True)
    result = kibitz.series(game, ["rules", "random", "rules", "random"], to=501, series=40, seed=1)
    assert result.agents[0].win_rate.mean > 0.7
    assert result.agents[1].payoff.mean > 100  # the losers have points, too


# ------------------------------------------------------------------------------------------------ the solver


def brute_force(state: Any, seat: int) -> dict[int, int]:
    """What the side of `seat` takes more after each legal card: every line of play, no pruning.

    The core's states, whose rules the tests above compare with the reference; payoffs are made differences.
    """

    def value(position: Any) -> float:
        if position.over:
            return float(position.payoffs[seat])
        values = []
        for action in position.legal():
            after = position.copy()
            after.apply(action)
            values.append(value(after))
        return max(values) if position.to_act % 2 == seat % 2 else min(values)

    out = {}
    for action in state.legal():
        after = state.copy()
        after.apply(action)
        out[action] = round(value(after))
    return out


SOLVED: list[dict[str, Any]] = [
    {"trump": "random"},
    {"discard": True},
    {"rules": "olech"},
    {"rules": "olech", "trumping": "strict", "trump": "random"},
]


def advanced(options: dict[str, Any], seed: int, cards: int) -> Any:
    state = kibitz.make("belote", **options, scoring="difference").deal(seed)
    rng = random.Random(seed)
    for _ in range(cards):
        state.apply(rng.choice(state.legal()))
    return state


def solved(state: Any) -> dict[int, float]:
    """The value of every legal card; the search for the best one alone must agree."""
    solution = state.game.solve(state, all_actions=True)
    assert solution.complete
    assert solution.exact
    assert list(solution.values) == state.legal()
    assert solution.value == solution.values[solution.best] == max(solution.values.values())
    quick = state.game.solve(state)
    assert quick.value == solution.value == solution.values[quick.best]
    for action, (low, high) in quick.bounds.items():
        assert low <= solution.values[action] <= high
    return dict(solution.values)


@pytest.mark.parametrize("options", SOLVED, ids=named)
def test_solver_on_twelve_cards(options: dict[str, Any]) -> None:
    for seed in range(80):
        state = advanced(options | {"cards": 12}, seed, seed % 5)
        values = solved(state)
        assert values == brute_force(state, state.to_act)
        # and by the reference, which shares nothing with the core
        if seed % 5 == 0:
            deal = reference_of(state.game, state, options)
            reference = best(deal.rules, deal.trump, deal)
            assert {state.game.parse(card): value for card, value in reference.items()} == values


@pytest.mark.parametrize("options", SOLVED, ids=named)
def test_solver_on_the_last_four_tricks(options: dict[str, Any]) -> None:
    """16 cards and fewer; positions in the middle of a trick, too."""
    for seed in range(30):
        state = advanced(options, seed, 16 + seed % 6)
        assert solved(state) == brute_force(state, state.to_act)


def test_solver_agrees_with_itself_along_the_best_line() -> None:
    """On full deals: the value of the position stays the same when the best card is played."""
    game = kibitz.make("belote", scoring="difference")
    for seed in range(5):
        state = game.deal(seed)
        value = game.solve(state).value
        seat = state.to_act
        while not state.over:
            solution = game.solve(state)
            sign = 1 if state.to_act % 2 == seat % 2 else -1
            assert solution.value is not None
            assert sign * solution.value == value
            state.apply(solution.best)
        assert state.payoffs[seat] == value


def test_solver_out_of_budget_gives_bounds() -> None:
    game = kibitz.make("belote")
    for seed in range(5):
        state = game.deal(seed)
        exact = game.solve(state, all_actions=True)
        cut = game.solve(state, nodes=20_000, all_actions=True)
        assert not cut.complete
        assert cut.nodes <= 20_000
        assert exact.value is not None
        assert cut.low <= exact.value <= cut.high
        for action, (low, high) in cut.bounds.items():
            assert low <= exact.values[action] <= high
            assert (action in cut.values) == (low == high)


def test_what_the_solver_does_not_solve() -> None:
    bidding = kibitz.make("belote", bidding=True)
    with pytest.raises(ValueError, match="bidding"):
        bidding.solve(bidding.deal(1))
    game = kibitz.make("belote")
    with pytest.raises(ValueError, match="tie-break"):
        game.solve(game.deal(1), tie_break=0.001)
    with pytest.raises(ValueError, match="other options"):
        game.solve(bidding.deal(1))
