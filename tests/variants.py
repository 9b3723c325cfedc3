"""The option sets that the shared tests run over. A native game that is not listed here runs with its defaults."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from hypothesis import HealthCheck, settings

import kibitz
from kibitz import _core

HOUSE_RULES = ("stacking", "draw_until", "seven_zero")
EVERYTHING: dict[str, Any] = {
    "scoring": "points",
    "uno_call": "decision",
    "opening_wild": "back",
    "stacking": True,
    "draw_until": True,
    "seven_zero": True,
}

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "belote": [
        {},
        {"bidding": True},
        {"discard": True, "trump": "random", "scoring": "difference"},
        {"rules": "olech"},
        {"cards": 12, "rules": "olech", "trumping": "strict", "scoring": "points"},
    ],
    "uno": [
        *({"rules": "rlcard", "players": players} for players in (2, 3, 4, 5, 10)),
        *({"players": players} for players in (2, 3, 4, 10)),
        *({"players": players, rule: True} for rule in HOUSE_RULES for players in (2, 3)),
        {"players": 3, "scoring": "points"},
        {"players": 2, "uno_call": "decision"},
        {"players": 4, "uno_call": "decision"},
        {"players": 2, "opening_wild": "back"},
        *({"players": players, **EVERYTHING} for players in (2, 4, 10)),
    ],
    "doudizhu": [
        {"rules": "rlcard"},
        {},
        {"landlord": "random", "scoring": "adp", "joker_kickers": "both"},
        {"landlord": "strongest"},
        {"bidding": True, "scoring": "adp"},
        {"bidding": True, "landlord": "random", "kickers": "separate", "joker_kickers": "both"},
    ],
    "tictactoe": [{"size": size} for size in (3, 4, 5)],
    "connect_four": [{}, {"rows": 4, "columns": 4}, {"rows": 8, "columns": 8}],
    "gdl": [
        {},
        {"file": "connect_four"},
        {"file": "hex_3", "engine": "prover"},
        {"file": "monty_hall"},
        {"file": "kuhn_poker"},
        {"file": "kuhn_poker", "engine": "prover"},
        {"file": "blind_tictactoe"},
    ],
    "hex": [{"size": 3}, {"size": 4, "swap": True}, {"size": 9}],
}


PERFECT_INFORMATION = {"tictactoe", "connect_four", "hex", "gdl"}  # no chance in the deal: its seed does not matter


@dataclass(frozen=True)
class Variant:
    """A game with one set of options; its text is the name of the test."""

    name: str
    factory: Callable[..., Any]
    options: dict[str, Any] = field(default_factory=dict)

    def make(self) -> Any:
        return self.factory(**self.options)

    def __str__(self) -> str:
        everything = EVERYTHING.items() <= self.options.items()
        told = {k: v for k, v in self.options.items() if not (everything and k in EVERYTHING)}
        words = [f"{key}={value}" for key, value in told.items()] + ["everything"] * everything
        return ":".join([self.name, ",".join(words)]) if words else self.name


def native_variants(name: str | None = None) -> list[Variant]:
    """Those of one native game, or of all."""
    return [
        Variant(game, partial(kibitz.make, game), options)
        for game in sorted(_core.games())
        for options in OPTIONS.get(game, [{}])
        if name in (None, game)
    ]


def effort(examples: int) -> settings:
    """How hard hypothesis tries: the same examples in every run, or KIBITZ_EFFORT times as many and other ones."""
    times = int(os.environ.get("KIBITZ_EFFORT", "0"))
    return settings(
        max_examples=examples * max(times, 1),
        derandomize=times == 0,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
