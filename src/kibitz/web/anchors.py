"""Where the levels stand on the scale of ratings: fixed, so that ratings of people mean the same everywhere.

A level stands above the one below it by what was measured between them (results/strength/levels): the share of games
that it won, against what it would win among equals, as a difference of log-odds. A level that won no more than its
share stands where the one below it does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from math import log, sqrt

from openskill.models import PlackettLuce

from kibitz import advice
from kibitz._core import Game

MODEL = PlackettLuce()
USUAL = "club"  # stands where newcomers begin


@cache
def _won() -> Mapping[str, Mapping[str, float]]:
    """Of each variant in advice/table.py, by level: the share of games won against the level below. In Belote and Dou
    Di Zhu, of deals; what has no winner is half. tools/anchors.py writes the file."""
    measured = json.loads((files("kibitz.web") / "anchors.json").read_text())["won"]
    return {game: {level: won["share"] for level, won in levels.items()} for game, levels in measured.items()}


def anchors(game: Game) -> dict[str, float]:
    """The mean of each level of a game, weak to strong."""
    variant = advice.choice(game).variant
    won = _won().get(variant.game, {})
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
