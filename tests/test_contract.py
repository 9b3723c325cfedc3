"""The laws of a game, checked over random play of every game and variant (tests/variants.py).

A game that satisfies the protocol alone (plain Python) is held to the laws that concern what it has.
"""

from __future__ import annotations

import contextlib
import json
import pickle
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_game import ToyGame
from variants import PERFECT_INFORMATION, Variant, effort, native_variants

import kibitz

TOYS = [
    Variant("toy", ToyGame),
    Variant("toy", ToyGame, {"players": 5, "ranks": 3}),
    Variant("toy", ToyGame, {"players": 4, "partners": True}),
]
SEEDS = st.integers(0, 2**64 - 1)


@dataclass(frozen=True)
class Table:
    """A state that play has reached from a seed."""

    game: Any
    seed: int
    state: Any

    @property
    def views(self) -> list[Any]:
        return [self.state.view(seat) for seat in range(self.game.players)]


def play_out(state: Any, seed: int) -> int:
    """Random play to the end; returns the number of actions."""
    rng = random.Random(seed)
    actions = 0
    while not state.over:
        state.apply(rng.choice(state.legal()))
        actions += 1
    return actions


def reach(game: Any, seed: int, percent: int, choices: list[int]) -> Table:
    """So many percent of a random game, then what the indices choose: deep states are as likely as early ones."""
    length = play_out(game.deal(seed), seed)
    state = game.deal(seed)
    rng = random.Random(seed)
    for _ in range(length * percent // 100):
        state.apply(rng.choice(state.legal()))
    for choice in choices:
        if not state.over:
            legal = state.legal()
            state.apply(legal[choice % len(legal)])
    return Table(game, seed, state)


def some_actions(game: Any, seed: int) -> list[int]:
    """All actions of a game, or a few hundred where there are tens of thousands."""
    if game.num_actions <= 1024:
        return list(range(game.num_actions))
    return sorted({0, game.num_actions - 1, *random.Random(seed).choices(range(game.num_actions), k=300)})


def picture(game: Any, state: Any) -> dict[str, Any]:
    """All that one can see of a state but its history, comparable with ==."""
    seen = {
        "to_act": state.to_act,
        "over": state.over,
        "legal": state.legal(),
        "payoffs": list(state.payoffs),
        "views": [state.view(seat) for seat in range(game.players)],
    }
    if hasattr(game, "position"):
        seen["position"] = game.position(state)
    return seen


def assert_same_future(game: Any, one: Any, two: Any, seed: int) -> None:
    """Both states look alike, now and after every one of the same actions."""
    rng = random.Random(seed)
    one, two = one.copy(), two.copy()
    assert picture(game, one) == picture(game, two)
    while not one.over:
        legal = one.legal()
        assert legal == two.legal()
        action = rng.choice(legal)
        one.apply(action)
        two.apply(action)
    assert picture(game, one) == picture(game, two)


def through_json(position: dict[str, Any]) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(position))
    return copy


# ------------------------------------------------------------------------------------------------- the laws


def legal_ascends_and_ends_with_the_game(t: Table) -> None:
    legal = t.state.legal()
    assert legal == sorted(set(legal))
    assert all(0 <= action < t.game.num_actions for action in legal)
    assert t.state.over == (t.state.to_act == kibitz.OVER) == (not legal)
    assert t.state.over or t.state.to_act == kibitz.NATURE or 0 <= t.state.to_act < t.game.players


def views_know_what_they_may_do(t: Table) -> None:
    for seat, view in enumerate(t.views):
        assert view.seat == seat
        assert view.to_act == t.state.to_act
        assert view.legal() == (t.state.legal() if seat == t.state.to_act else [])


def texts_name_actions(t: Table) -> None:
    texts = [t.game.text(action) for action in range(t.game.num_actions)]
    assert len(set(texts)) == len(texts)
    assert [t.game.parse(text) for text in texts] == list(range(t.game.num_actions))
    for wrong in ("", "no such action", texts[0] + " ", texts[-1].upper() + "?"):
        with pytest.raises(ValueError, match=r"\S"):
            t.game.parse(wrong)


def copies_are_independent(t: Table) -> None:
    before, history = picture(t.game, t.state), list(t.state.history)
    twin = t.state.copy()
    assert list(twin.history) == history
    assert_same_future(t.game, t.state, twin, t.seed)
    moved = play_out(twin, t.seed)
    assert len(twin.history) == len(history) + moved
    assert picture(t.game, t.state) == before
    assert list(t.state.history) == history


def views_do_not_change(t: Table) -> None:
    views = t.views
    kept = [(view.key, view.legal(), list(view.history)) for view in views]
    play_out(t.state.copy(), t.seed)
    again = t.state.copy()
    assert [again.view(seat) for seat in range(t.game.players)] == views
    play_out(again, t.seed)
    assert [(view.key, view.legal(), list(view.history)) for view in views] == kept


def positions_of_states_round_trip(t: Table) -> None:
    if hasattr(t.game, "position"):
        position = t.game.position(t.state)
        again = t.game.from_position(through_json(position))
        assert t.game.position(again) == position
        assert list(again.history) == []
        assert_same_future(t.game, t.state, again, t.seed)


def positions_of_views_round_trip(t: Table) -> None:
    for view in t.views if hasattr(t.game, "position") else []:
        position = t.game.position(view)
        again = t.game.from_position(through_json(position))
        assert again == view
        assert (again.key, again.legal(), again.seat) == (view.key, view.legal(), view.seat)
        assert t.game.position(again) == position
        assert t.game.position(again.sample(t.seed)) == t.game.position(view.sample(t.seed))


def with_members_of(known: Any, hidden: Any) -> Iterator[Any]:
    """Of two positions, the first with one thing from the second: each that differs, whole and part by part."""
    if isinstance(known, dict) and isinstance(hidden, dict):
        keys: Iterable[Any] = hidden
        copy: Any = dict(known)
    elif isinstance(known, list) and isinstance(hidden, list) and len(known) == len(hidden):
        keys, copy = range(len(hidden)), list(known)
    else:
        return
    for key in keys:
        missing = isinstance(known, dict) and key not in known
        if missing or known[key] != hidden[key]:
            for part in [hidden[key], *([] if missing else with_members_of(known[key], hidden[key]))]:
                copy[key] = part
                yield through_json(copy)
            if missing:
                del copy[key]
            else:
                copy[key] = known[key]


def views_take_nothing_that_is_hidden(t: Table) -> None:
    for view in t.views if hasattr(t.game, "position") else []:
        for position in with_members_of(t.game.position(view), t.game.position(t.state)):
            with contextlib.suppress(ValueError):  # refused, or left aside
                assert t.game.from_position(position) == view


def seed_and_history_replay(t: Table) -> None:
    again = t.game.deal(t.seed)
    for seat, action in t.state.history:
        assert again.to_act == seat
        again.apply(action)
    assert list(again.history) == list(t.state.history)
    assert_same_future(t.game, t.state, again, t.seed)


def worlds_look_the_same_to_the_seat(t: Table) -> None:
    for view in t.views:
        for draw in range(3):
            world = view.sample((t.seed + draw) % 2**64)
            again = world.view(view.seat)
            assert again == view
            assert again.key == view.key
            assert world.to_act == t.state.to_act
            if view.seat == t.state.to_act:
                assert world.legal() == t.state.legal()


def worlds_are_states(t: Table) -> None:
    for view in t.views:
        world = view.sample(t.seed)
        assert list(world.history) == list(view.history)
        if hasattr(t.game, "position"):
            assert_same_future(t.game, world, t.game.from_position(through_json(t.game.position(world))), t.seed)
            assert t.game.position(view.sample(t.seed)) == t.game.position(view.sample(t.seed))
        play_out(world, t.seed)
        assert list(world.payoffs) == list(world.copy().payoffs)


def encoders_say_what_they_are(t: Table) -> None:
    for name, encoder in getattr(t.game, "encoders", {}).items():
        assert encoder.name == name
        assert encoder.size == int(np.prod(encoder.shape))
        for seat in range(t.game.players):
            features = t.state.encode(name, seat)
            assert features.shape == tuple(encoder.shape)
            assert features.dtype == np.float32
            assert np.isfinite(features).all()


def fair_encoders_depend_on_the_view_alone(t: Table) -> None:
    for name, encoder in getattr(t.game, "encoders", {}).items():
        for seat, view in enumerate(t.views):
            if encoder.peeks:
                with pytest.raises(ValueError, match="peeks"):
                    view.encode(name)
                continue
            features = view.encode(name)
            np.testing.assert_array_equal(features, t.state.encode(name, seat))
            np.testing.assert_array_equal(features, view.sample(t.seed).encode(name, seat))


def check_payoffs(game: Any, state: Any) -> None:
    payoffs = list(state.payoffs)
    assert len(payoffs) == game.players
    if not state.over:
        assert payoffs == [0.0] * game.players
    low, high = game.payoff_range
    assert all(low <= payoff <= high for payoff in payoffs)
    if getattr(game, "zero_sum", False):
        assert sum(payoffs) == pytest.approx(0.0, abs=1e-9)
    teams = getattr(game, "teams", range(game.players))
    assert len({(team, payoff) for team, payoff in zip(teams, payoffs, strict=True)}) == len(set(teams))


def payoffs_keep_their_promises(t: Table) -> None:
    check_payoffs(t.game, t.state)
    end = t.state.copy()
    play_out(end, t.seed)
    check_payoffs(t.game, end)


def illegal_actions_change_nothing(t: Table) -> None:
    before, history = picture(t.game, t.state), list(t.state.history)
    outside = {-2, -1, t.game.num_actions, t.game.num_actions + 1, 65536, 2**31 - 1, -(2**31)}
    illegal = {*some_actions(t.game, t.seed), *outside, 255, 256} - set(t.state.legal())
    for action in sorted(illegal):
        with pytest.raises(ValueError, match=r"\S"):
            t.state.apply(action)
    assert picture(t.game, t.state) == before
    assert list(t.state.history) == history


def nothing_follows_the_end(t: Table) -> None:
    end = t.state.copy()
    play_out(end, t.seed)
    after = picture(t.game, end)
    for action in some_actions(t.game, t.seed):
        with pytest.raises(ValueError, match=r"\S"):
            end.apply(action)
    assert picture(t.game, end) == after
    assert end.to_act == kibitz.OVER


def history_is_what_was_played(t: Table) -> None:
    state, played = t.game.deal(t.seed), list(t.state.history)
    assert list(state.history) == []
    for index, (seat, action) in enumerate(played):
        assert state.to_act == seat
        state.apply(action)
        if index % 10 == 0:  # not always: long games have thousands of actions
            assert list(state.history) == played[: index + 1]
    for view in t.views:
        rest = iter(played)
        assert all(step in rest for step in view.history), "a view's history is part of the state's"


def games_pickle(t: Table) -> None:
    again = pickle.loads(pickle.dumps(t.game))
    assert again == t.game
    assert hash(again) == hash(t.game)
    assert picture(again, again.deal(t.seed)) == picture(t.game, t.game.deal(t.seed))


LAWS: list[Callable[[Table], None]] = [
    legal_ascends_and_ends_with_the_game,
    views_know_what_they_may_do,
    texts_name_actions,
    copies_are_independent,
    views_do_not_change,
    positions_of_states_round_trip,
    positions_of_views_round_trip,
    views_take_nothing_that_is_hidden,
    seed_and_history_replay,
    worlds_look_the_same_to_the_seat,
    worlds_are_states,
    encoders_say_what_they_are,
    fair_encoders_depend_on_the_view_alone,
    payoffs_keep_their_promises,
    illegal_actions_change_nothing,
    nothing_follows_the_end,
    history_is_what_was_played,
    games_pickle,
]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: str(law.__name__))
@pytest.mark.parametrize("variant", native_variants() + TOYS, ids=str)
def test_contract(variant: Variant, law: Callable[[Table], None]) -> None:
    # A function of its own for every pair: hypothesis lengthens the settings of one that pytest parametrizes by a link
    # per set of parameters, and a chain of a thousand is too deep for Python.
    @effort(20)
    @given(SEEDS, st.integers(0, 100), st.lists(st.integers(0, 99), max_size=10))
    def holds(seed: int, percent: int, choices: list[int]) -> None:
        law(reach(variant.make(), seed, percent, choices))

    holds()


@pytest.mark.parametrize("variant", native_variants() + TOYS, ids=str)
def test_options_make_the_same_game_again(variant: Variant) -> None:
    game = variant.make()
    assert variant.factory(**game.options) == game


@pytest.mark.parametrize("variant", native_variants() + TOYS, ids=str)
def test_seeds_matter(variant: Variant) -> None:
    """Different seeds give different deals, different samples different worlds: else the laws above say little."""
    game = variant.make()
    if variant.name in PERFECT_INFORMATION:
        assert len({game.deal(seed).view(0).key for seed in range(50)}) == 1
        return
    assert len({game.deal(seed).view(0).key for seed in range(50)}) > 2
    view = game.deal(3).view(0)
    assert len({view.sample(seed).view(1).key for seed in range(50)}) > 2


def test_options_tell_games_apart() -> None:
    for name in {variant.name for variant in native_variants()}:
        games = [variant.make() for variant in native_variants(name)]
        assert len({str(game.options) for game in games}) == len(set(games)) == len(games)
