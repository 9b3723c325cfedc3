"""Where the levels stand on the scale of ratings: fixed, so that ratings of people mean the same everywhere.

A level stands above the one below it by what was measured between them (results/strength/levels): the share of games
that it won, against what it would win among equals, as a difference of log-odds. A level that won no more than its
share stands where the one below it does.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log, sqrt

from openskill.models import PlackettLuce

from kibitz import advice
from kibitz._core import Game

MODEL = PlackettLuce()
USUAL = "club"  # stands where newcomers begin

# Of each variant in advice/table.py, by level: the share of games won against the level below. In Belote and Dou Di Zhu
# with bidding, of deals (a deal without a winner is half), from the payoffs in results/strength/levels/parts.
_WON: Mapping[str, Mapping[str, float]] = {
    "uno:players=2": {"easy": 0.595, "club": 0.6225, "strong": 0.585, "best": 0.5775},
    "uno:players=3": {"easy": 0.475, "club": 0.495, "best": 0.4233},
    "uno:players=4": {"easy": 0.4025, "club": 0.395, "best": 0.2863},
    "uno:players=6": {"easy": 0.2558, "club": 0.2858, "best": 0.1658},
    "belote:bidding=true": {"easy": 0.5325, "club": 0.4125, "best": 0.6125},
    "doudizhu:bidding=true": {"easy": 0.655, "club": 0.58, "best": 0.5408},
    "doudizhu:bidding=true,scoring=adp": {"easy": 0.6375, "club": 0.6075, "best": 0.5233},
    "mini_doudizhu": {"club": 0.8825, "best": 0.6075},
    "tictactoe": {"easy": 0.6638, "best": 0.725},
    "tictactoe:size=5": {"easy": 0.7988, "club": 0.6913, "best": 0.5},
    "connect_four": {"easy": 0.93, "club": 0.9188, "strong": 0.83, "best": 0.79},
    "hex": {"easy": 0.7325, "club": 0.9275, "strong": 0.985, "best": 0.98},
}


def anchors(game: Game) -> dict[str, float]:
    """The mean of each level of a game, weak to strong."""
    variant = advice.choice(game).variant
    won = _WON.get(variant.game, {})
    at, found = 0.0, {}
    for level in variant.levels:
        at += _step(game, won[level]) if level in won else 0.0
        found[level] = at
    zero = found.get(USUAL, list(found.values())[min(1, len(found) - 1)])
    return {level: MODEL.mu + mean - zero for level, mean in found.items()}


def _step(game: Game, won: float) -> float:
    """What the model takes for a share of games won by one player, or one pair, among others of the level below."""
    sides, of_it = sides_of(game)
    chance = 1 / sides
    odds = log(won / (1 - won)) - log(chance / (1 - chance))
    return max(0.0, odds) * sqrt(sides) * float(MODEL.beta) / of_it


def sides_of(game: Game) -> tuple[int, float]:
    """How many sides a deal has, and how many players of a side were of the higher level in the matches.

    Alone against two in Dou Di Zhu one plays for both, and is one of two otherwise, twice as often."""
    if game.partners_vary:
        return 2, 4 / 3
    sides = len(set(game.teams))
    return sides, game.players / sides
