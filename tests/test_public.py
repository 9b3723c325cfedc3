"""Spectators see what every seat knows, over whole games of every variant, and nothing that one seat knows alone."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest
from variants import Variant, native_variants

import kibitz

# Where a seat's view may have more than the public one.
PRIVATE = {"seat", "hands", "drawn", "seen", "held", "bluff", "pending", "past"}


def told(game: Any, state: Any) -> str:
    """Everything that a spectator can read, as one text."""
    view = state.public()
    return json.dumps([game.position(view), view.to_act, view.legal(), view.history, view.key, str(view), repr(view)])


@pytest.mark.parametrize("variant", native_variants(), ids=str)
def test_spectators_cannot_tell_the_state_from_a_world_of_any_seat(variant: Variant) -> None:
    game, rng = variant.make(), random.Random(5)
    state = game.deal(5)
    for step in range(250):
        before = told(game, state)
        seat = rng.randrange(game.players)
        world = state.view(seat).sample(step)
        assert told(game, world) == before
        if state.over:
            break
        if rng.random() < 0.2:
            state = world  # and play goes on there
        state.apply(rng.choice(state.legal()))


@pytest.mark.parametrize("variant", native_variants(), ids=str)
def test_a_public_view_has_all_that_is_open(variant: Variant) -> None:
    game, rng = variant.make(), random.Random(6)
    state = game.deal(6)
    for _ in range(60):
        shown = game.position(state.public())
        assert shown["seat"] == kibitz.PUBLIC
        for seat in range(game.players):
            own = game.position(state.view(seat))
            assert {k: v for k, v in own.items() if k not in PRIVATE} == {
                k: v for k, v in shown.items() if k not in PRIVATE
            }
        if state.over:
            break
        state.apply(rng.choice(state.legal()))


def test_what_one_seat_of_uno_knows_alone_is_left_out() -> None:
    game = kibitz.make("uno", players=3, seven_zero=True, uno_call="decision")
    met: Counter[str] = Counter()
    for seed in range(12):
        state, rng = game.deal(seed), random.Random(seed)
        while not state.over and len(state.history) < 300:
            shown = game.position(state.public())
            assert all("count" in hand for hand in shown["hands"])
            assert "seen" not in shown
            assert not any(shown.get("held", []))
            assert not shown.get("bluff", [False])[0]
            for seat in range(game.players):
                own = game.position(state.view(seat))
                met["seen"] += "seen" in own
                met["held"] += any(own.get("held", []))
                met["bluff"] += own.get("bluff", [False])[0]
            if shown["phase"] == "drawn":
                met["drawn"] += 1
                assert "drawn" not in shown
            state.apply(rng.choice(state.legal()))
    assert min(met[name] for name in ("seen", "held", "bluff", "drawn")) > 0, met


def test_choices_of_a_turn_are_public_when_all_have_chosen() -> None:
    game = kibitz.make(
        "gdl",
        text="(role a) (role b) (<= (legal ?p (say ?x)) (role ?p) (n ?x)) (n 1) (n 2) (init (left 2)) (init (left 1))"
        "(<= (next (left 1)) (true (left 2))) (<= (next (said ?p ?x)) (does ?p (say ?x)))"
        "(<= terminal (not (true (left 1)))) (<= (goal ?p 50) (role ?p))",
    )
    state = game.deal()
    state.apply(state.legal()[0])
    assert list(state.public().history) == []
    assert len(state.view(0).history) == 1
    assert state.view(0).public() == state.view(1).public() == state.public()
    state.apply(state.legal()[0])
    assert list(state.public().history) == list(state.history)


def test_what_needs_a_seat_is_refused() -> None:
    game = kibitz.make("belote", cards=12)
    view = game.deal(1).public()
    for call in (lambda: view.sample(1), view.worlds, view.all_worlds, lambda: view.card_odds(5)):
        with pytest.raises(ValueError, match="public view"):
            call()
    with pytest.raises(ValueError, match="public view"):
        view.encode("full")
    with pytest.raises(ValueError, match="not to act"):
        game.native_agent("random", {}).act(view, kibitz._core.Rng(1))
    with pytest.raises(ValueError, match="seat"):
        game.deal(1).view(kibitz.PUBLIC)
    with pytest.raises(ValueError, match="from -1 to 3"):
        game.from_position(game.position(view) | {"seat": -2})
