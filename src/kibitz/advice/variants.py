"""Which entry of the table serves a game: the one with its rules, or the nearest, and how that differs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from kibitz import protocols, registry
from kibitz.advice import Choice
from kibitz.advice.table import OPEN, SECRET, VARIANTS, Variant

# What makes variants of a game alike, most important first. Other options have a say in nothing but the note.
_WEIGHT: Mapping[str, tuple[str, ...]] = {
    "uno": ("rules", "players"),
    "belote": ("cards", "bidding", "scoring"),
    "doudizhu": ("bidding", "scoring", "rules"),
    "tictactoe": ("size",),
}


def choose(game: protocols.Game) -> Choice:
    known = VARIANTS.get(game.name, ())
    if not known:
        found = SECRET if protocols.facts(game).hidden else OPEN
        return Choice(found, f"{game.name} has no levels of its own: these are for {found.title}")
    options = protocols.facts(game).options
    nearest = min(known, key=lambda variant: _distance(game.name, options, _options(variant.game)))
    return Choice(_fitting(nearest, game), _note(nearest, options))


def _fitting(variant: Variant, game: protocols.Game) -> Variant:
    """With agents that this game allows: where payoffs sum to zero they are differences, and no other is played for."""
    if not protocols.facts(game).zero_sum:
        return variant
    levels = {name: _without_goal(spec) for name, spec in variant.levels.items()}
    return replace(variant, levels=levels, adviser=_without_goal(variant.adviser))


def _without_goal(spec: str) -> str:
    found = registry.parse_spec(spec)
    return str(registry.Spec(found.name, found.source, {k: v for k, v in found.options.items() if k != "goal"}))


def _distance(name: str, options: Mapping[str, Any], others: Mapping[str, Any]) -> list[float]:
    return [_apart(options.get(option), others.get(option)) for option in _WEIGHT.get(name, ())]


def _apart(one: object, other: object) -> float:
    if isinstance(one, int) and isinstance(other, int) and not isinstance(one, bool):
        return abs(one - other)
    return float(one != other)


def _note(variant: Variant, options: Mapping[str, Any]) -> str:
    others = _options(variant.game)
    differ = [name for name in options if options[name] != others.get(name)]
    if not differ:
        return ""
    ours, theirs = ([f"{name}={_text(of.get(name))}" for name in differ] for of in (options, others))
    return f"measured on {variant.title} ({', '.join(theirs)}), not with {', '.join(ours)}"


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@cache
def _options(spec: str) -> Mapping[str, Any]:
    return protocols.facts(registry.make(spec)).options
