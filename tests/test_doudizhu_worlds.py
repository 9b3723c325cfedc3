"""Dou Di Zhu: worlds are uniform, and the history replays from them.

The replay law is tried on 10,000 late views over all sets of options; KIBITZ_EFFORT=1: on as many of each.
"""

from __future__ import annotations

import itertools
import os
import random
from collections import Counter
from math import comb
from typing import Any

import numpy as np
import pytest
from doudizhu_cards import WORLD_OPTIONS, cards, doudizhu, late_views, unseen
from scipy import stats

EFFORT = int(os.environ.get("KIBITZ_EFFORT", "0")) > 0
VIEWS = 10_000 if EFFORT else 2_000  # late views for the replay law, per set of options


def enumerate_worlds(view: Any) -> dict[tuple[str, str], int]:
    """Every consistent pair of other hands with its number of physical deals."""
    game = view.game
    left, others, known, needs = unseen(view)
    position = {key: value for key, value in game.position(view).items() if key != "seat"}
    worlds = {}
    for split in itertools.product(*(range(left[rank] + 1) for rank in left)):
        if sum(split) != needs[0]:
            continue
        first = Counter(dict(zip(left, split, strict=True)))
        hands = [first + known[0], left - first + known[1]]
        full = list(position["hands"])
        full[others[0]], full[others[1]] = (cards(hand) for hand in hands)
        try:
            game.from_position({**position, "hands": full})
        except ValueError:  # the landlord was not the strongest, or there are no kickers for the announcement
            continue
        ways = 1
        for rank, n in zip(left, split, strict=True):
            ways *= comb(left[rank], n)
        worlds[full[others[0]], full[others[1]]] = ways
    return worlds


@pytest.mark.parametrize("options", WORLD_OPTIONS, ids=str)
def test_worlds_are_uniform(options: dict[str, Any]) -> None:
    """Chi-squared against all worlds, over physical cards."""
    game = doudizhu(**options)
    rng = random.Random(5)
    tested = announced = 0
    p_values = []
    for view in late_views(game, rng, 9):
        waits = "announced" in game.position(view) and view.to_act != view.seat
        wanted = announced < 8 if waits else tested < 15 and rng.random() < 0.1
        worlds = enumerate_worlds(view) if wanted else {}
        if 3 <= len(worlds) <= 80:
            others = unseen(view)[1]
            seen = Counter[tuple[str, str]]()
            for seed in range(1_500):
                hands = game.position(view.sample(seed))["hands"]
                seen[hands[others[0]], hands[others[1]]] += 1
            assert seen.keys() <= worlds.keys()
            weights = np.array(list(worlds.values()), float)
            observed = np.array([seen[world] for world in worlds])
            p_values.append(stats.chisquare(observed, weights / weights.sum() * 1_500).pvalue)
            announced += waits
            tested += not waits
        if tested >= 15 and (announced >= 8 or options.get("kickers") != "separate"):
            break
    assert min(p_values) > 1e-3 / len(p_values), p_values


def test_hard_worlds_of_the_strongest() -> None:
    """A landlord that must be stronger than a strong peasant: found by counting, not by luck."""
    game = doudizhu(landlord="strongest")
    view = game.from_position(
        {"seat": 1, "landlord_seat": 0, "talon": "KKK", "hands": [{"count": 20}, "AA22BR33445566777", {"count": 17}]}
    )
    for seed in range(50):
        world = view.sample(seed)
        assert game.from_position(game.position(world)) == world
        assert world.view(1) == view


@pytest.mark.parametrize("options", [*WORLD_OPTIONS, {"bidding": True, "kickers": "separate"}], ids=str)
def test_the_history_replays_from_a_world(options: dict[str, Any]) -> None:
    game = doudizhu(**options)
    rng = random.Random(6)
    for number, view in enumerate(late_views(game, rng, 20)):
        if number == VIEWS:
            break
        world = view.sample(number)
        assert world.view(view.seat) == view
        position = game.position(world)
        dealt = [Counter(h) + Counter(p) for h, p in zip(position["hands"], position["played"], strict=True)]
        first = {"talon": position["talon"], "landlord_seat": position["landlord_seat"]}
        if options.get("bidding"):
            dealt[position["landlord_seat"]] -= Counter(position["talon"])
            first = {"talon": position["talon"], "phase": "bid"}
        state = game.from_position({**first, "hands": [cards(hand) for hand in dealt]})
        for seat, action in view.history:
            assert state.to_act == seat
            state.apply(action)
        assert state == world
