"""Rulesheets with hidden information: what seats are told, and the worlds that fit it."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest
from gdl_sheets import SHEETS

import kibitz


def test_moves_at_the_same_time_are_hidden_until_all_have_chosen() -> None:
    game = kibitz.make("gdl", text=SHEETS["rock, paper, scissors"].text)
    state = game.deal()
    state.apply(game.parse("rock"))
    other = game.deal()
    other.apply(game.parse("paper"))
    assert state.view(1) == other.view(1)
    assert state.view(0) != other.view(0)
    assert state.view(1).history == []
    assert list(state.view(0).history) == [(0, game.parse("rock"))]
    drawn = Counter(game.position(state.view(1).sample(seed))["pending"][0] for seed in range(600))
    assert set(drawn) == {"rock", "paper", "scissors"}
    assert all(150 < n < 250 for n in drawn.values())
    assert "uct" not in game.native_agents
    assert "uct" in kibitz.make("gdl").native_agents


def test_monty_hall() -> None:
    """The car is as likely behind each door at first, and behind the third with odds of 2 to 1 in the end."""
    game = kibitz.make("gdl", file="monty_hall")
    state = game.deal(seed=4)
    for text in ("(choose_door 1)", "noop"):
        state.apply(game.parse(text))
    view = state.view(0)
    assert [game.text(action) for action in state.legal()] == ["noop", "switch"]
    cars = Counter(
        next(f for f in game.position(view.sample(seed))["fluents"] if f.startswith("(car")) for seed in range(3000)
    )
    opened = next(p for p in game.position(view)["past"][-1]["sees"])[8]
    third = ({"2", "3"} - {opened}).pop()
    assert set(cars) == {"(car 1)", f"(car {third})"}
    assert cars["(car 1)"] == pytest.approx(1000, abs=110)
    thought = kibitz.agent("mcs:iterations=4000").think(view)
    values = dict(zip(map(game.text, thought.actions), thought.value, strict=True))
    assert values["switch"] == pytest.approx(66.7, abs=5)
    assert values["noop"] == pytest.approx(33.3, abs=6)


@pytest.mark.parametrize("name", ["blind_tictactoe", "kuhn_poker", "monty_hall"])
def test_legal_moves_follow_from_what_was_seen(name: str) -> None:
    game = kibitz.make("gdl", file=name)
    for seed in range(5):
        state, rng = game.deal(seed), random.Random(seed)
        while not state.over:
            view = state.view(state.to_act)
            told = game.position(view)
            for entry in told["past"]:
                del entry["legal"]
            assert game.from_position(told) == view
            state.apply(rng.choice(state.legal()))


def test_rare_percepts_are_followed() -> None:
    """A deal of 3 cards out of 20 is seen by nobody but its owner, and each is one of thousands."""
    cards = " ".join(f"(card {i})" for i in range(20))
    text = f"""(role a) (role b) (role random) {cards} (init (deal 1)) (then 1 2) (then 2 3)
        (<= (legal random (give ?x ?y ?z))
            (card ?x) (card ?y) (card ?z) (distinct ?x ?y) (distinct ?x ?z) (distinct ?y ?z))
        (<= (legal ?r look) (role ?r) (distinct ?r random))
        (<= (next (holds ?n ?x)) (true (deal ?n)) (does random (give ?x ?y ?z)))
        (<= (next (holds ?n ?x)) (true (holds ?n ?x)))
        (<= (next (deal ?m)) (true (deal ?n)) (then ?n ?m))
        (<= (sees a (hand ?x ?y ?z)) (does random (give ?x ?y ?z)) (true (deal 2)))
        (<= (sees b (hand ?x ?y ?z)) (does random (give ?x ?y ?z)) (true (deal 1)))
        (<= terminal (true (deal 3))) (goal a 50) (goal b 50)"""
    game = kibitz.make("gdl", text=text)
    state = game.deal(1)
    for _ in range(4):
        for seat in (0, 1):
            view = state.view(seat)
            assert view.sample(7).view(seat) == view
        if state.over:
            break
        state.apply(game.parse("look"))
    assert state.over
    first = {f"(holds 1 {i})" for i in range(20)}
    worlds = [game.position(state.view(0).sample(seed))["fluents"] for seed in range(60)]
    assert len({fluent for world in worlds for fluent in world if fluent in first}) > 3  # what b got, a cannot know


NUMBERS = " ".join(f"(number {i})" for i in range(60))
SHOWN = {  # what `me` sees of a card and of a number
    "each by a move": """(<= (sees me (card ?a)) (does random (deal ?a ?b)))
        (<= (sees me (number ?n)) (does other (say ?n)))""",
    "by the position, too": """(<= (dealt ?a) (does random (deal ?a ?b)))
        (<= (sees me (card ?a)) (dealt ?a) (true (step 1)))
        (<= (sees me (number ?n)) (does other (say ?n)) (true (step 1)))""",
    "by both moves": "(<= (sees me (both ?a ?n)) (does random (deal ?a ?b)) (does other (say ?n)))",
    "by what was not done": """(<= (sees me (card ?a)) (does random (deal ?a ?b)))
        (<= (sees me (not ?n)) (number ?n) (not (does other (say ?n))))""",
}


@pytest.mark.parametrize("shown", SHOWN.values(), ids=list(SHOWN))
def test_one_of_very_many_moves_is_seen(shown: str) -> None:
    """One of 30 cards, one of 60 numbers; the other's card, one of 29, remains hidden."""
    cards = " ".join(f"(card {i})" for i in range(30))
    text = f"""(role me) (role other) (role random) {cards} {NUMBERS} (init (step 1)) {shown}
        (<= (legal random (deal ?a ?b)) (true (step 1)) (card ?a) (card ?b) (distinct ?a ?b))
        (<= (legal random wait) (true (step 2)))
        (<= (legal other (say ?n)) (true (step 1)) (number ?n)) (<= (legal other wait) (true (step 2)))
        (legal me stay) (<= (legal me go) (true (step 2)))
        (<= (next (hidden ?b)) (does random (deal ?a ?b))) (<= (next (step 2)) (true (step 1)))
        (<= (next (step 3)) (true (step 2))) (<= terminal (true (step 3))) (goal me 50) (goal other 50)"""
    game = kibitz.make("gdl", text=text)
    state = game.deal(5)
    for move in ("stay", "(say 33)"):
        state.apply(game.parse(move))
    view = state.view(0)
    dealt = game.position(state)["moves"][0][2].strip("()").split()[1]
    drawn: Counter[str] = Counter()
    for seed in range(2_900):
        world = game.position(view.sample(seed))
        assert world["moves"][0][1] == "(say 33)"
        drawn[next(f for f in world["fluents"] if f.startswith("(hidden"))] += 1
    assert set(drawn) == {f"(hidden {i})" for i in range(30) if str(i) != dealt}
    assert sum((n - 100) ** 2 / 100 for n in drawn.values()) < 65  # chi squared, 28 degrees: 1 in 10,000


def test_what_was_left_out_is_found_again() -> None:
    """Two secrets out of so many pairs that few are kept; then both are shown, and mostly are none of those."""
    secrets = " ".join(f"(n {i})" for i in range(220))
    text = f"""(role me) (role other) (role random) {secrets} (init (step 1)) (then 1 2) (then 2 3) (then 3 4)
        (<= (legal ?r (hide ?n)) (role ?r) (distinct ?r me) (true (step 1)) (n ?n))
        (<= (legal ?r wait) (role ?r) (not (true (step 1)))) (<= (legal me wait) (true (step 1)))
        (<= (next (hidden ?r ?n)) (does ?r (hide ?n))) (<= (next (hidden ?r ?n)) (true (hidden ?r ?n)))
        (<= (sees me (hid ?r ?n)) (true (hidden ?r ?n))) (<= (next (step ?j)) (true (step ?i)) (then ?i ?j))
        (<= terminal (true (step 4))) (goal me 50) (goal other 50)"""
    game = kibitz.make("gdl", text=text)
    for seed in range(4):
        state = game.deal(seed)
        for move in ("wait", f"(hide {50 * seed + 7})", "wait", "wait"):
            state.apply(game.parse(move))
        view = state.view(0)
        assert len(game.position(view)["past"][-1]["sees"]) == 2
        assert view.sample(1).view(0) == view


def test_of_two_histories_each_is_as_likely() -> None:
    """41,000 pairs, of which two show what was seen: none is lost, and neither counts more."""
    picks = " ".join(f"(n {i})" for i in range(205))
    pairs = " ".join(f"(pair {i} {(7 * i + 3) % 200} {i // 2})" for i in range(200))
    text = f"""(role me) (role a) (role b) {picks} {pairs} (init (step 1))
        (<= (legal a (pick ?n)) (true (step 1)) (n ?n)) (<= (legal b (pick ?n)) (true (step 1)) (n ?n)) (legal me wait)
        (<= (legal a wait) (true (step 2))) (<= (legal b wait) (true (step 2))) (<= (next (step 2)) (true (step 1)))
        (<= (sees me (both ?k)) (does a (pick ?x)) (does b (pick ?y)) (pair ?x ?y ?k))
        (<= (next (step 3)) (true (step 2))) (<= terminal (true (step 3))) (goal me 50) (goal a 50) (goal b 50)"""
    game = kibitz.make("gdl", text=text)
    for k in (3, 20, 44, 71):
        state = game.deal()
        for move in ("wait", f"(pick {2 * k})", f"(pick {(14 * k + 3) % 200})"):
            state.apply(game.parse(move))
        drawn = Counter(str(game.position(state.view(0).sample(seed))["moves"]) for seed in range(400))
        assert sorted(drawn.values()) == [pytest.approx(200, abs=60)] * 2


@pytest.mark.parametrize("engine", ["propnet", "prover"])
def test_what_is_seen_later_leaves_other_secrets_alone(engine: str) -> None:
    """A secret that nobody can know, then a card out of very many: most secrets are still there."""
    secrets = " ".join(f"(secret {i})" for i in range(300))
    text = f"""(role me) (role random) {secrets} {NUMBERS} (init (step 1))
        (<= (legal random (hide ?n)) (true (step 1)) (secret ?n))
        (<= (legal random (deal ?a ?b)) (true (step 2)) (number ?a) (number ?b))
        (<= (legal random wait) (true (step 3))) (legal me stay) (<= (legal me go) (true (step 3)))
        (<= (next (hidden ?n)) (does random (hide ?n))) (<= (next (hidden ?n)) (true (hidden ?n)))
        (<= (sees me (dealt ?a ?b)) (does random (deal ?a ?b)))
        (<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2))) (<= (next (step 4)) (true (step 3)))
        (<= terminal (true (step 4))) (goal me 50)"""
    game = kibitz.make("gdl", text=text, engine=engine)
    state = game.deal(3)
    for _ in range(2):
        state.apply(game.parse("stay"))
    view = state.view(0)
    worlds = {next(f for f in game.position(view.sample(k))["fluents"] if "hidden" in f) for k in range(600)}
    assert len(worlds) > 100


def test_kuhn_poker_is_dealt_and_hidden() -> None:
    game = kibitz.make("gdl", file="kuhn_poker")
    hands = set()
    for seed in range(60):
        state = game.deal(seed)
        for text in ("noop", "noop"):
            state.apply(game.parse(text))
        fluents = game.position(state)["fluents"]
        hands.add(tuple(f for f in fluents if f.startswith("(holds")))
        mine = next(f for f in fluents if f.startswith("(holds first"))
        others = Counter(
            next(f for f in game.position(state.view(0).sample(k))["fluents"] if f.startswith("(holds second"))
            for k in range(40)
        )
        assert len(others) == 2
        assert all(card.split()[-1] != mine.split()[-1] for card in others)
    assert len(hands) == 6


def every_history(game: Any, view: Any) -> Counter[str]:
    """All histories of a game without chance that end in the view, found by playing everything."""
    found: Counter[str] = Counter()
    want = game.position(view)

    def walk(state: Any) -> None:
        if game.position(state.view(view.seat)) == want:
            found[json.dumps([game.position(state)["moves"], game.position(state)["pending"]])] += 1
            return
        if not state.over and len(game.position(state)["moves"]) <= want["turn"]:
            for action in state.legal():
                after = state.copy()
                after.apply(action)
                walk(after)

    walk(game.deal())
    return found


def test_worlds_are_uniform_over_histories() -> None:
    text = """(role a) (role b) (n 1) (n 2) (n 3) (init (t 0)) (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal ?p (say ?x)) (role ?p) (n ?x))
    (<= (next (t ?m)) (true (t ?n)) (succ ?n ?m))
    (<= (sees a high) (does b (say ?x)) (distinct ?x 1))
    (<= (sees b (does a ?m)) (does a ?m))
    (<= terminal (true (t 3))) (goal a 50) (goal b 50)"""
    game = kibitz.make("gdl", text=text)
    state = game.deal()
    for move in ("(say 1)", "(say 2)", "(say 3)", "(say 1)"):
        state.apply(game.parse(move))
    expected = every_history(game, state.view(0))
    assert len(expected) == 2
    state.apply(game.parse("(say 1)"))
    view = state.view(1)
    expected = every_history(game, view)
    assert len(expected) == 3  # it sees everything but what the other has just chosen
    drawn: Counter[str] = Counter()
    for seed in range(1500):
        position = game.position(view.sample(seed))
        drawn[json.dumps([position["moves"], position["pending"]])] += 1
    assert set(drawn) == set(expected)
    assert all(n == pytest.approx(500, abs=80) for n in drawn.values())


def test_many_worlds_never_contradict_what_was_seen() -> None:
    game = kibitz.make("gdl", file="blind_tictactoe")
    state, rng = game.deal(1), random.Random(1)
    while not state.over:
        for seat in (0, 1):
            view = state.view(seat)
            for seed in range(2):
                assert view.sample(seed).view(seat) == view
        state.apply(rng.choice(state.legal()))


def test_views_of_hidden_moves_have_no_history_of_others() -> None:
    game = kibitz.make("gdl", file="blind_tictactoe")
    state = game.deal(2)
    for _ in range(4):
        state.apply(state.legal()[0])
    assert [seat for seat, _ in state.view(1).history] == [1, 1]


def test_who_plays_alone_wins_against_nobody() -> None:
    said = str(kibitz.play(kibitz.make("gdl", file="monty_hall"), ["random"], games=30, seed=1))
    assert "mean payoff" in said
    assert "win" not in said
    assert "draws" not in said
