"""Worlds of Uno: `view.sample` against an oracle made from the rules (uno_oracle.py).

Two questions. Can a sampled world have led to what the seat has seen? Does a view depend on nothing that its seat
cannot know? test_uno_uniform.py asks the third: are the worlds equally likely?
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from uno_oracle import (
    DRAW,
    KINDS,
    Ledger,
    Position,
    contradiction,
    full_deck,
    ledger_for,
    naive_hands,
    random_stream,
)

import kibitz

CHALLENGE = 63
LATE = 30  # moves: by then most hands have shown something
Policy = Callable[[random.Random, list[int]], int]


# ---------------------------------------------------------------------------------------------------- games to look at


@dataclass
class Moment:
    """A state after a move, with what the table has seen so far."""

    state: Any
    position: Position
    ledger: Ledger
    moves: int


def uniform(rng: random.Random, legal: list[int]) -> int:
    return rng.choice(legal)


def bluffing(rng: random.Random, legal: list[int]) -> int:
    """Draws seldom, so that games stay short; bluffs and challenges often, so that hands are shown."""
    bluffs = [action for action in legal if action < DRAW and action % 15 == 14]
    if CHALLENGE in legal and rng.random() < 0.8:
        return CHALLENGE
    if bluffs and rng.random() < 0.5:
        return rng.choice(bluffs)
    if len(legal) > 1 and rng.random() < 0.7:
        legal = [action for action in legal if action != DRAW]
    return rng.choice(legal)


def follow(game: Any, state: Any, rng: random.Random, policy: Policy, most: int) -> Iterator[Moment]:
    before = game.position(state)
    ledger = ledger_for(before)
    for moves in range(1, most + 1):
        if state.over:
            return
        action = policy(rng, state.legal())
        state.apply(action)
        after = game.position(state)
        ledger.step(before, game.text(action), after)
        yield Moment(state, after, ledger, moves)
        before = after


def natural(players: int, rules: str, games: int, policy: Policy = uniform, most: int = 400) -> Iterator[Moment]:
    game = kibitz.make("uno", players=players, rules=rules)
    for seed in range(games):
        yield from follow(game, game.deal(seed), random.Random(seed), policy, most)


def short_pile(players: int, rules: str, rng: random.Random) -> Position:
    """Seat 0 holds most of the deck, so that the pile runs out all the time."""
    deck = full_deck()
    rng.shuffle(deck)
    target = next(card for card in deck if card[2:].isdigit())
    deck.remove(target)
    discards = [deck.pop() for _ in range(6)]
    hands = [[deck.pop() for _ in range(5)] for _ in range(players)]
    hands[0] += deck[6:]
    table = {"game": "uno", "players": players, "rules": rules, "to_act": rng.randrange(players), "target": target}
    return table | {"discards": [*discards, target], "hands": hands, "pile": deck[:6], "stream": random_stream(rng)}


def with_short_pile(players: int, rules: str, games: int, policy: Policy = uniform, most: int = 40) -> Iterator[Moment]:
    game = kibitz.make("uno", players=players, rules=rules)
    for seed in range(games):
        rng = random.Random(seed)
        state = game.from_position(short_pile(players, rules, rng))
        yield from follow(game, state, rng, policy, most)


# ---------------------------------------------------------------------------------------------------- contradictions


def world_of(moment: Moment, seat: int, seed: int) -> Any:
    """A world, checked against what the view says directly."""
    view = moment.state.view(seat)
    world = view.sample(seed)
    again = world.view(seat)
    assert again == view
    assert again.key == view.key
    assert again.legal() == view.legal()
    assert world.history == moment.state.history
    return world


def complaint(moment: Moment, seat: int, seed: int, why: str) -> str:
    game, state = moment.state.game, moment.state
    moves = [(who, game.text(action)) for who, action in state.history]
    return f"world {seed} of seat {seat}: {why}; {game!r}, seed {state.seed}, moves {moves}"


def check_worlds(
    moments: Iterator[Moment], seats_each: int, exact: bool, only: Callable[[Moment], bool]
) -> Counter[str]:
    """Samples one world each for some seats; none may contradict. Counts what was looked at."""
    seen: Counter[str] = Counter()
    rng = random.Random(1)
    for moment in moments:
        if not only(moment):
            continue
        for seat in rng.sample(range(len(moment.position["hands"])), seats_each):
            seed = rng.getrandbits(60)
            world = world_of(moment, seat, seed)
            hands = moment.state.game.position(world)["hands"]
            why = contradiction(moment.ledger, seat, hands, exact)
            assert why is None, complaint(moment, seat, seed, why or "")
            seen["views"] += 1
            seen["late"] += moment.moves > LATE
            seen["reshuffled"] += bool(moment.ledger.reshuffles)
            seen["facts"] += bool(moment.ledger.facts(seat))
    return seen


@pytest.mark.parametrize(("players", "games"), [(2, 40), (3, 40), (4, 40), (5, 40), (10, 30)])
def test_no_world_contradicts_the_history(players: int, games: int) -> None:
    """Together more than 15,000 views."""
    seen = check_worlds(natural(players, "rlcard", games), 2, exact=False, only=lambda moment: True)
    assert seen["views"] > 2500
    assert seen["late"] > 1000
    assert players < 10 or seen["reshuffled"] > 100


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_world_contradicts_a_reshuffle(players: int) -> None:
    """A kind of which all copies were put back lies in no slot that was filled before."""
    moments = with_short_pile(players, "rlcard", games=80)
    seen = check_worlds(moments, 1, exact=False, only=lambda moment: bool(moment.ledger.reshuffles))
    assert seen["views"] > 1000


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_world_contradicts_the_first_reshuffle(players: int) -> None:
    """Of a card with copies in a hand and among what was put back, each is on its side, whatever was played since."""
    moments = with_short_pile(players, "rlcard", games=15)
    seen = check_worlds(moments, 2, exact=True, only=lambda moment: len(moment.ledger.reshuffles) == 1)
    assert seen["views"] > 300


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_world_contradicts_a_challenge(players: int) -> None:
    """Official rules: what an innocent and a guilty player had, what the challenger was shown."""
    moments = natural(players, "official", games=40, policy=bluffing, most=80)

    def challenged(moment: Moment) -> bool:
        ledger = moment.ledger
        return not ledger.reshuffles and bool(ledger.shown)

    seen = check_worlds(moments, 1, exact=True, only=challenged)
    assert seen["views"] > 800
    assert seen["facts"] > 300


def test_a_drawn_card_that_is_played_left_the_newest_slot() -> None:
    """Everybody sees that, so what was known of the older cards stays true of all of them."""
    game = kibitz.make("uno", players=3, rules="official")
    hands = [["wild_draw_4", "b-1", "b-2", "b-3"], ["y-1", "y-2"], ["g-1", "g-2", "r-9"]]
    start = {"game": "uno", "players": 3, "to_act": 0, "target": "r-1", "discards": ["r-1"], "hands": hands}
    for stream in range(1, 2000):  # until seat 0 draws the g-5
        state = game.from_position(start | {"stream": [f"{stream:x}", "2"]})
        for text in ("g-wild_draw_4", "challenge", "g-1", "draw"):  # the challenge finds no red card
            state.apply(game.parse(text))
        if game.position(state)["drawn"] == "g-5":
            break
    state.apply(game.parse("play"))
    view = state.view(2)
    for seed in range(1000):
        hand = game.position(view.sample(seed))["hands"][0]
        assert not any(card.startswith("r-") for card in hand), hand


def test_a_second_bluff_needs_another_card() -> None:
    """Found out twice with blue cards, and one was played in between: there must have been another, and it is there."""
    game = kibitz.make("uno", players=3, rules="official")
    hands = [["wild_draw_4", "wild_draw_4", "b-1", "b-2", "r-1"], ["b-3", "b-6", "y-2"], ["b-4", "b-7", "g-1"]]
    start = {"game": "uno", "players": 3, "to_act": 0, "target": "b-5", "discards": ["b-5"], "hands": hands}
    state = game.from_position(start)
    bluff = ["b-wild_draw_4", "challenge"]
    for text in [*bluff, "b-3", "b-4", "b-1", "b-6", "b-7", *bluff]:
        state.apply(game.parse(text))
    view = state.view(2)
    for seed in range(1000):
        hand = game.position(view.sample(seed))["hands"][0]
        assert any(card.startswith("b-") for card in hand), hand


def test_a_card_that_was_put_back_left_a_newer_slot() -> None:
    """Also when the reshuffle found a card left in the pile, as rlcard's may."""
    game = kibitz.make("uno", players=2, rules="rlcard")
    discards, hidden, pile = ["b-8", "b-8", "r-5"], ["b-1", "g-2", "y-3"], ["y-4", "y-5"]
    deck = Counter(full_deck())
    deck.subtract(discards + hidden + pile)
    start = {"game": "uno", "players": 2, "rules": "rlcard", "to_act": 1, "target": "r-5", "discards": discards}
    start |= {"hands": [sorted(deck.elements()), hidden], "pile": pile}
    for stream in range(1, 2000):  # until seat 1 is given a b-8 (and keeps what it draws first: it is not red)
        state = game.from_position(start | {"stream": [f"{stream:x}", "2"]})
        for text in ("draw", "r-draw_2", "r-8"):  # 1 shows no red; 0 makes it draw two from all but its own cards
            state.apply(game.parse(text))
        if "b-8" in game.position(state)["hands"][1]:
            break
    state.apply(game.parse("b-8"))
    view = state.view(0)
    for seed in range(1000):
        hand = game.position(view.sample(seed))["hands"][1]
        assert sum(card.startswith("r-") for card in hand) <= 1, hand


@pytest.mark.parametrize(("copy_of_seat", "moves"), [(0, ["b-draw_2"]), (2, ["b-draw_2", "b-2"])])
def test_the_copy_that_was_put_back_is_in_no_older_slot(copy_of_seat: int, moves: list[str]) -> None:
    """One b-2 is put back, the other one is seen to have been in a hand: the viewer's, or that of a seat that plays it.

    So the first one cannot be in the hand of seat 2, which has been given no card since.
    """
    game = kibitz.make("uno", players=3, rules="rlcard")
    hands = [["b-draw_2"], ["r-3", "g-4", "y-5"], ["r-6", "g-7", "y-8"]]
    hands[copy_of_seat].append("b-2")
    discards = ["b-2", "g-9", "r-9", "b-1"]
    deck = Counter(full_deck())
    deck.subtract([*itertools.chain(*hands), *discards, "y-9"])
    hands[0] += sorted(deck.elements())
    start = {"game": "uno", "players": 3, "rules": "rlcard", "to_act": 0, "target": "b-1", "discards": discards}
    state = game.from_position(start | {"hands": hands, "pile": ["y-9"]})
    for text in moves:
        state.apply(game.parse(text))
    view = state.view(0)
    for seed in range(1000):
        hand = game.position(view.sample(seed))["hands"][2]
        assert "b-2" not in hand


def test_fresh_seeds_give_different_worlds() -> None:
    for players in (2, 3, 5):
        for moment in natural(players, "rlcard", games=5):
            view = moment.state.view(0)
            worlds = [view.sample(seed) for seed in range(4)]
            assert worlds[0] == view.sample(0)
            hands = {str(moment.state.game.position(world)["hands"]) for world in worlds}
            assert len(hands) > 1 or sum(map(len, moment.position["hands"][1:])) < 4


def test_share_of_worlds_that_contradict_a_reshuffle_exactly(record_property: Callable[[str, object], None]) -> None:
    """How many worlds the full knowledge of a seat rules out after a reshuffle: its own hand then, one copy of two.

    The summary in the state does not keep all of that; this says how much it loses.
    """
    rng = random.Random(1)
    views = wrong = 0
    for moment in natural(10, "rlcard", games=12):
        if moment.ledger.reshuffles:
            seat = rng.randrange(10)
            hands = moment.state.game.position(moment.state.view(seat).sample(rng.getrandbits(60)))["hands"]
            wrong += contradiction(moment.ledger, seat, hands, exact=True) is not None
            views += 1
    record_property("views after a reshuffle", views)
    record_property("share that contradicts", wrong / views)
    print(f"after a reshuffle {wrong} of {views} worlds contradict what the seat knows exactly")
    assert views > 50
    assert wrong / views < 0.35


# ---------------------------------------------------------------------------------------------------- not vacuous


@pytest.mark.parametrize(("rules", "least"), [("rlcard", 0.6), ("official", 0.3)])
def test_deals_that_ignore_revelations_do_contradict(rules: str, least: float) -> None:
    """So the oracle does see something, and the true hands it never rejects."""
    rng, dealer = random.Random(2), np.random.default_rng(2)
    views = wrong = 0
    for moment in natural(3, rules, games=20, policy=bluffing, most=80):
        known = moment.moves > LATE if rules == "rlcard" else bool(moment.ledger.shown)
        if not known or moment.ledger.reshuffles:
            continue
        seat = rng.randrange(3)
        assert contradiction(moment.ledger, seat, moment.position["hands"]) is None
        naive = naive_hands(moment.position, seat, dealer)
        wrong += contradiction(moment.ledger, seat, naive) is not None
        views += 1
    assert views > 200
    assert wrong / views > least


def test_the_oracle_accepts_the_truth_after_reshuffles() -> None:
    for rules in ("rlcard", "official"):
        for moment in with_short_pile(3, rules, games=10, policy=bluffing):
            # To the other seats the large hand of seat 0 is a large puzzle.
            assert contradiction(moment.ledger, 0, moment.position["hands"]) is None


# ---------------------------------------------------------------------------------------------------- nothing leaks


def arranged(pile: list[str], like: list[str]) -> list[str]:
    """The pile in an order that agrees with another one wherever it can: then mostly the same cards are drawn."""
    left = Counter(pile)
    out: list[str | None] = []
    for card in like:
        out.append(card if left[card] > 0 else None)
        left[card] -= left[card] > 0
    rest = list(left.elements())
    return [card if card is not None else rest.pop() for card in out]


def twin_of(state: Any, seat: int, seed: int) -> Any:
    """A state that differs from this one in cards hidden from the seat, and in nothing else."""
    game = state.game
    truth, world = game.position(state), game.position(state.view(seat).sample(seed))
    world["pile"] = arranged(world["pile"], truth["pile"])
    return game.from_position(world | {"stream": truth["stream"]})


def observed(position: Position, seat: int) -> dict[str, Any]:
    """What the seat sees of a position by looking at the table."""
    keys = ("to_act", "turn", "direction", "phase", "target", "pending", "winner", "discards")
    out = {key: position.get(key) for key in keys}
    out["counts"] = [len(hand) for hand in position["hands"]]
    out["own"] = position["hands"][seat]
    if position["phase"] == "drawn" and position["to_act"] == seat:
        out["drawn"] = position["drawn"]
    return out


def same_knowledge(one: Any, other: Any, seat: int) -> None:
    a, b = one.view(seat), other.view(seat)
    assert a == b
    assert a.key == b.key
    assert a.legal() == b.legal()
    assert str(a) == str(b)
    assert a.sample(5) == b.sample(5)
    assert one.game.position(a) == one.game.position(b)
    for name, encoder in one.game.encoders.items():
        if encoder.peeks:
            with pytest.raises(ValueError, match="peeks"):
                a.encode(name)
        else:
            np.testing.assert_array_equal(a.encode(name), b.encode(name))


@dataclass
class Watch:
    """One seat follows a game and its twin, a new twin whenever the two can be told apart."""

    seat: int
    rng: random.Random
    seen: Counter[str] = field(default_factory=Counter)
    twin: Any = None

    def begin(self, state: Any) -> None:
        self.twin = twin_of(state, self.seat, self.rng.getrandbits(60))
        same_knowledge(state, self.twin, self.seat)

    def step(self, before: Position, action: int, state: Any) -> None:
        """The action has just been applied to the state."""
        game = state.game
        if action not in self.twin.legal():
            return self.begin(state)
        bluffer = before.get("turn", before["to_act"])
        hands = [p["hands"][bluffer] for p in (before, game.position(self.twin))]
        shown = action == CHALLENGE and before["to_act"] == self.seat
        self.twin.apply(action)
        positions = game.position(state), game.position(self.twin)
        alike = observed(positions[0], self.seat) == observed(positions[1], self.seat)
        if not alike or (shown and hands[0] != hands[1]):
            return self.begin(state)
        same_knowledge(state, self.twin, self.seat)
        self.seen["steps"] += 1
        self.seen["different"] += positions[0]["hands"] != positions[1]["hands"]
        self.seen["shown to others"] += action == CHALLENGE and not shown and hands[0] != hands[1]
        return None


@pytest.mark.parametrize(
    ("players", "rules"), [(2, "rlcard"), (3, "rlcard"), (2, "official"), (3, "official"), (4, "official")]
)
def test_views_do_not_depend_on_hidden_cards(players: int, rules: str) -> None:
    game = kibitz.make("uno", players=players, rules=rules)
    seen: Counter[str] = Counter()
    for seed in range(8):
        rng = random.Random(seed)
        state = game.deal(seed)
        watches = [Watch(seat, rng) for seat in range(players)]
        for watch in watches:
            watch.begin(state)
        while not state.over and len(state.history) < 60:
            before, action = game.position(state), bluffing(rng, state.legal())
            state.apply(action)
            for watch in watches:
                watch.step(before, action, state)
        seen += sum((watch.seen for watch in watches), Counter())
    assert seen["different"] > 100 * players
    assert rules == "rlcard" or players == 2 or seen["shown to others"] > 3


def test_cards_shown_stay_in_every_world_of_the_challenger_alone() -> None:
    rng = random.Random(3)
    checked = spread = 0
    for moment in natural(3, "official", games=30, policy=bluffing, most=80):
        who, action = moment.state.history[-1]
        if action != CHALLENGE or moment.state.over:
            continue
        game, ledger = moment.state.game, moment.ledger
        fact = ledger.shown[-1][1]
        owner = fact.seat
        assert owner is not None
        shown = Counter({KINDS[kind]: int(n) for kind, n in enumerate(fact.low) if n})
        third = 3 - who - owner
        for _ in range(5):
            seed = rng.getrandbits(60)
            theirs, others = (game.position(moment.state.view(s).sample(seed))["hands"][owner] for s in (who, third))
            assert shown <= Counter(theirs)
            spread += not shown <= Counter(others)
            checked += 1
    assert checked > 100
    assert spread > 0.9 * checked


def test_what_others_have_seen_does_not_show_in_a_view() -> None:
    """Seat 2 saw cards of seat 1, seat 0 does not know which: when they are all gone must not show in its view."""
    game = kibitz.make("uno", players=3, rules="official")
    hands = [["y-1", "y-2"], ["r-1", "r-2", "g-1"], ["b-1", "b-2", "b-3"]]
    start = {"game": "uno", "players": 3, "to_act": 1, "target": "r-5", "discards": ["r-5"], "hands": hands}
    own = [{"viewer": 0, "owner": 1, "cards": ["g-1"]}, {"viewer": 0, "owner": 2, "cards": ["b-1"]}]
    views = []
    for cards in (["r-1"], ["r-2"]):
        state = game.from_position(start | {"seen": [{"viewer": 2, "owner": 1, "cards": cards}, *own]})
        state.apply(game.parse("r-1"))
        views.append(state.view(0))
    assert views[0] == views[1]
    assert views[0].key == views[1].key
    assert views[0].sample(1) == views[1].sample(1)
