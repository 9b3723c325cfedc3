"""What the page can touch: every legal action has objects of its own, which are really there, or becomes a button."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from variants import Variant, native_variants

import kibitz
from kibitz.web.choices import choices


def own_hand(game: Any, view: Any) -> Counter[str]:
    return Counter(game.position(view).get("hands", [[]] * game.players)[view.seat])


@pytest.mark.parametrize("variant", native_variants(), ids=str)
def test_every_action_touches_what_no_other_does(variant: Variant) -> None:
    game = variant.make()
    for seed in range(3):
        state, rng = game.deal(seed), random.Random(seed)
        while not state.over and len(state.history) < 80:
            view = state.view(state.to_act)
            found = choices(view)
            assert [choice.action for choice in found] == view.legal()
            touched = [tuple(choice.touches) for choice in found if choice.touches]
            assert len(set(touched)) == len(touched)
            hand = own_hand(game, view)
            for choice in found:
                cards = Counter(touch[5:] for touch in choice.touches if touch.startswith("hand:"))
                assert cards <= hand, choice
            state.apply(rng.choice(state.legal()))


@pytest.mark.parametrize(
    ("game", "options", "buttons"),
    [
        (
            "uno",
            {"uno_call": "decision", "seven_zero": True},
            {"keep", "challenge", "accept", "uno", "silent", "catch"},
        ),
        ("belote", {"bidding": True}, {"take-s", "take-h", "take-d", "take-c"}),
        ("doudizhu", {"bidding": True}, {"bid-0", "bid-1", "bid-2", "bid-3"}),
        ("hex", {"size": 5, "swap": True}, {"swap"}),
        ("connect_four", {}, set()),
    ],
)
def test_only_actions_without_an_object_are_buttons(game: str, options: dict[str, Any], buttons: set[str]) -> None:
    made, found = kibitz.make(game, **options), set()
    for seed in range(40):
        state, rng = made.deal(seed), random.Random(seed)
        while not state.over:
            found |= {choice.text for choice in choices(state.view(state.to_act)) if not choice.touches}
            state.apply(rng.choice(state.legal()))
    assert found - {"pass"} == buttons


def test_nothing_can_be_touched_in_a_public_view() -> None:
    assert choices(kibitz.make("uno").deal(1).public()) == []
