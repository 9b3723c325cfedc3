"""The levels of every game and variant: one table.

Chosen by matches on the very rules that each entry names (`kibitz reproduce strength/levels`; the figures are in
results/strength/levels). A level has iterations, never milliseconds: a slow machine makes it slower, not weaker.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Variant:
    """Rules that levels were measured on. `levels` run from weak to strong."""

    title: str
    game: str  # the spec of the game
    levels: Mapping[str, str]
    adviser: str
    too_high: float = 0.0  # by how much its values are, on average, where that was measured (strength/calibration)


def _mcs(iterations: int, more: str = "") -> str:
    return f"mcs:iterations={iterations},rollout=rules{more}"


def _ladder(search: str, *iterations: int, names: str = "beginner easy club strong best") -> dict[str, str]:
    return {name: f"{search}:iterations={n}" for name, n in zip(names.split(), iterations, strict=True)}


_NET = ",net=doudizhu,prior=50"  # what the network says of each action counts as 50 play-outs of it
_HALVING = ",halving=true"
_BASE = ",halving=true,base=rules"  # it departs from `rules` only where that is better beyond doubt
_DIFFERENCE = ",goal=difference"  # for its own points alone it bids too high

UNO_2 = {"beginner": _mcs(10), "easy": _mcs(50), "club": "rules", "strong": _mcs(400), "best": _mcs(2000, _HALVING)}
UNO = {"beginner": _mcs(10), "easy": _mcs(100), "club": "rules", "best": _mcs(2000, _BASE)}
UNO_6 = UNO | {"best": _mcs(1000, _BASE)}
UNO_RLCARD = {"beginner": "random", "club": "rules", "best": _mcs(2000, _HALVING)}

BELOTE_BIDDING = {
    "beginner": _mcs(10),
    "easy": _mcs(20, _DIFFERENCE),
    "club": "rules",
    "best": _mcs(2000, _DIFFERENCE),
}
BELOTE = {"beginner": "random", "club": "rules", "strong": _mcs(100), "best": _mcs(2000)}
BELOTE_12 = {"beginner": "random", "club": "rules", "best": _mcs(1000)}

DOUDIZHU = {
    "beginner": _mcs(10),
    "easy": _mcs(60),
    "club": "rules",
    "strong": _mcs(400),
    "best": _mcs(2000, _NET),
}
DOUDIZHU_BIDDING = {"beginner": _mcs(10), "easy": _mcs(60), "club": "rules", "best": _mcs(2000, _HALVING)}

MINI = {"beginner": "random", "club": "ismcts:iterations=100", "best": "expectimax"}
TICTACTOE = {"beginner": "uct:iterations=10", "club": "uct:iterations=30", "best": "solver-pimc"}
TICTACTOE_5 = _ladder("uct", 10, 40, 100, 2000, names="beginner easy club best")
CONNECT_FOUR = _ladder("uct", 10, 50, 300, 2000, 10_000)
HEX = _ladder("uct", 10, 50, 300, 1000, 4000)
BOARD = _ladder("uct", 10, 50, 300, 2000, names="beginner easy club best")
HIDDEN = _ladder("ismcts", 10, 100, 1000, names="beginner club best")

# By the name of the game. Other options map to the nearest entry: `variants.py` says how, and tells.
VARIANTS: Mapping[str, tuple[Variant, ...]] = {
    "uno": (
        Variant("Uno, official rules, 2 players", "uno:players=2", UNO_2, _mcs(2000, _BASE)),
        Variant("Uno, official rules, 3 players", "uno:players=3", UNO, _mcs(2000, _BASE)),
        Variant("Uno, official rules, 4 players", "uno:players=4", UNO, _mcs(2000, _BASE)),
        Variant("Uno, official rules, 6 players", "uno:players=6", UNO_6, _mcs(2000, _BASE)),
        Variant("Uno, rlcard's rules, 2 players", "uno:players=2,rules=rlcard", UNO_RLCARD, _mcs(2000, _HALVING)),
        Variant("Uno, rlcard's rules, 3 players", "uno:players=3,rules=rlcard", UNO_RLCARD, _mcs(2000, _HALVING)),
    ),
    "belote": (
        Variant("Belote with bidding", "belote:bidding=true", BELOTE_BIDDING, _mcs(2000, _DIFFERENCE), 2.5),
        Variant("Belote without bidding", "belote", BELOTE, _mcs(2000)),
        Variant("Belote with 12 cards", "belote:cards=12", BELOTE_12, _mcs(2000)),
    ),
    "doudizhu": (
        Variant("Dou Di Zhu with bidding", "doudizhu:bidding=true", DOUDIZHU_BIDDING, _mcs(2000, _HALVING), 0.23),
        Variant(
            "Dou Di Zhu with bidding, stakes",
            "doudizhu:bidding=true,scoring=adp",
            DOUDIZHU_BIDDING,
            _mcs(2000, _HALVING),
        ),
        Variant("Dou Di Zhu without bidding", "doudizhu", DOUDIZHU, _mcs(2000, _NET), 0.21),
        Variant("Dou Di Zhu without bidding, stakes", "doudizhu:scoring=adp", DOUDIZHU_BIDDING, _mcs(2000, _HALVING)),
    ),
    "mini_doudizhu": (Variant("Mini Dou Di Zhu", "mini_doudizhu", MINI, "expectimax"),),
    "tictactoe": (
        Variant("Tic-Tac-Toe", "tictactoe", TICTACTOE, "solver-pimc"),
        Variant("Tic-Tac-Toe, 5x5", "tictactoe:size=5", TICTACTOE_5, "uct:iterations=20000,trees=8"),
    ),
    "connect_four": (Variant("Connect Four", "connect_four", CONNECT_FOUR, "uct:iterations=40000,trees=8"),),
    "hex": (Variant("Hex", "hex", HEX, "uct:iterations=16000,trees=8"),),
}

# For games that the table does not name: rulesheets, and games written in Python.
OPEN = Variant("any game in which nothing is hidden", "gdl:file=connect_four", BOARD, "uct:iterations=8000,trees=8")
SECRET = Variant(
    "any game in which something is hidden", "gdl:file=blind_tictactoe", HIDDEN, "ismcts:iterations=4000,trees=8"
)
