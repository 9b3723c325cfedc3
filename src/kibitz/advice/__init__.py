"""Advice: named levels, the agent that advises, and what it says in words. Used by terminal, page and API alike.

The table of levels is `table.py`; docs/advice.md says how it was chosen and how to read a thought.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kibitz import protocols, registry

if TYPE_CHECKING:
    from kibitz.advice.table import Variant

NAMES = ("beginner", "easy", "club", "strong", "best")  # of levels, weak to strong; a small game has fewer


@dataclass(frozen=True)
class Level:
    """A named strength: `spec` makes the agent, and `level:NAME` is the same agent in whatever game it meets."""

    name: str
    spec: str


@dataclass(frozen=True)
class Choice:
    """The entry of the table that serves a game; `note` says, in a sentence, how its rules differ from this game's."""

    variant: Variant
    note: str  # empty: measured on these very rules

    @property
    def exact(self) -> bool:
        return not self.note


def choice(game: protocols.Game | str) -> Choice:
    """The variant whose levels and adviser serve `game`: the same rules, or the nearest that were measured."""
    from kibitz.advice import variants

    return variants.choose(_game(game))


def levels(game: protocols.Game | str) -> list[Level]:
    """The levels of a game, weak to strong; each beats the one before it in a match on its variant's rules."""
    return [Level(name, spec) for name, spec in choice(game).variant.levels.items()]


def level(game: protocols.Game | str, name: str) -> Level:
    """One of them. A name that a small game leaves out means the next stronger one that it has."""
    if name not in NAMES:
        raise ValueError(f"unknown level {name!r}; there are {', '.join(NAMES)}")
    found = {known.name: known for known in levels(game)}
    return next(found[other] for other in NAMES[NAMES.index(name) :] if other in found)


def adviser(game: protocols.Game | str) -> protocols.Agent:
    """The agent to ask about a position of `game`: chosen for its strength and for values that come true."""
    made = _game(game)
    agent = registry.agent(choice(made).variant.adviser)
    protocols.native(agent, made)  # tells it the game, which a view in Python need not know
    return agent


# Worlds are drawn evenly from those that the rules leave possible.
BIDS = "what others bid or passed tells it nothing of their cards: the errors are those of drawing worlds"


def caveat(game: protocols.Game | str) -> str:
    """What is known against the adviser's values, in a sentence; empty where they come true, or nothing is known."""
    too_high, said = choice(game).variant.too_high, []
    if too_high:
        said.append(
            f"on average this adviser expects {too_high:.2g} more payoff than it then gets; "
            "differences between moves are hardly concerned"
        )
    if protocols.facts(_game(game)).options.get("bidding"):
        said.append(BIDS)
    return "; ".join(said)


def _game(game: protocols.Game | str) -> protocols.Game:
    return registry.make(game) if isinstance(game, str) else game
