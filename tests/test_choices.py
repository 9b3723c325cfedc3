"""What the page can touch: every legal action of every game has objects of its own, which are really there."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest
from variants import Variant, native_variants

import kibitz
from kibitz.web.choices import choices, why_not


def own_hand(game: Any, view: Any) -> Counter[str]:
    return Counter(game.position(view).get("hands", [[]] * game.players)[view.seat])


@pytest.mark.parametrize("variant", native_variants(), ids=str)
def test_every_action_has_touches_of_its_own(variant: Variant) -> None:
    game = variant.make()
    for seed in range(3):
        state, rng = game.deal(seed), random.Random(seed)
        while not state.over and len(state.history) < 80:
            view = state.view(state.to_act)
            found = choices(game, view)
            assert [choice["action"] for choice in found] == view.legal()
            assert all(choice["touches"] for choice in found)
            assert len({json.dumps(choice["touches"]) for choice in found}) == len(found)
            hand = own_hand(game, view)
            for choice in found:
                cards = Counter(touch["card"] for touch in choice["touches"] if touch["zone"] == "hand")
                assert cards <= hand, choice
            state.apply(rng.choice(state.legal()))


@pytest.mark.parametrize("variant", native_variants("uno"), ids=str)
def test_cards_of_uno_are_playable_or_there_is_a_reason(variant: Variant) -> None:
    game, rng = variant.make(), random.Random(1)
    state = game.deal(1)
    while not state.over and len(state.history) < 120:
        for seat in range(game.players):
            view = state.view(seat)
            for card in own_hand(game, view):
                reason = why_not(game, view, card)
                assert (reason == "turn") == (seat != state.to_act)
                if reason and reason.startswith("colour"):
                    target = game.position(view)["target"]
                    assert card[0] != target[0]
                    assert card.partition("-")[2] != target.partition("-")[2]
        state.apply(rng.choice(state.legal()))


def test_nothing_can_be_touched_in_a_public_view() -> None:
    assert choices(kibitz.make("uno"), kibitz.make("uno").deal(1).public()) == []
