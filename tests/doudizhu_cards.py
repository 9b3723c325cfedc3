"""Hands of Dou Di Zhu as texts, and views of random games, for several tests."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import kibitz

RANKS = "3456789TJQKA2BR"
DECK = Counter({rank: 1 if rank in "BR" else 4 for rank in RANKS})
WORLD_OPTIONS: list[dict[str, Any]] = [
    {},
    {"landlord": "strongest"},
    {"landlord": "random", "kickers": "separate"},
    {"bidding": True},
]


def doudizhu(**options: Any) -> Any:
    return kibitz.make("doudizhu", **options)


def cards(counter: Counter[str]) -> str:
    return "".join(rank * counter[rank] for rank in RANKS)


def unseen(view: Any) -> tuple[Counter[str], list[int], list[Counter[str]], list[int]]:
    """What a view leaves open: the cards, the other seats, what they are known to hold, how many more they hold."""
    position = view.game.position(view)
    seat, landlord = view.seat, position.get("landlord_seat")
    left = DECK - Counter(position["hands"][seat])
    for played in position["played"]:
        left -= Counter(played)
    others = [(seat + 1) % 3, (seat + 2) % 3]
    known = []
    for other in others:
        holds: Counter[str] = Counter()
        if other == landlord:
            holds = Counter(position["talon"]) - Counter(position["played"][other])
        if "announced" in position and position["to_act"] == other:
            holds += Counter(position["announced"].split("+")[0]) - holds
        left -= holds
        known.append(holds)
    needs = [position["hands"][other]["count"] - holds.total() for other, holds in zip(others, known, strict=True)]
    return left, others, known, needs


def late_views(game: Any, rng: random.Random, most: int) -> Iterator[Any]:
    """Views from random games with at most so many unseen cards, of each game the seats that have one."""
    while True:
        state = game.deal(rng.randrange(2**63))
        while not state.over:
            for seat in range(3):
                view = state.view(seat)
                if state.history and sum(unseen(view)[3]) <= most and min(unseen(view)[3]) > 0:
                    yield view
            state.apply(rng.choice(state.legal()))
