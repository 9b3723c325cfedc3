"""One-card poker in plain Python: a game of hidden information small enough to check by hand.

Each of n players antes 1 and gets one card of a deck with two of every rank. In seat order each folds (loses the ante)
or stays (puts in 1 more), the last one alone must stay. The highest card among those who stayed takes all; equal
highest cards share. Satisfies kibitz.protocols.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from kibitz._core import OVER
from kibitz.protocols import Thought

FOLD, STAY = 0, 1
TEXTS = ("fold", "stay")


def choices(game: ToyGame, history: Sequence[tuple[int, int]]) -> list[int]:
    if len(history) == game.players:
        return []
    alone = len(history) == game.players - 1 and all(action == FOLD for _, action in history)
    return [STAY] if alone else [FOLD, STAY]


@dataclass
class ToyState:
    game: ToyGame
    cards: list[int]
    history: list[tuple[int, int]] = field(default_factory=list)

    @property
    def to_act(self) -> int:
        return OVER if self.over else len(self.history)

    @property
    def over(self) -> bool:
        return len(self.history) == self.game.players

    @property
    def payoffs(self) -> list[float]:
        if not self.over:
            return [0.0] * self.game.players
        stayed = [seat for seat, action in self.history if action == STAY]
        best = max(self.cards[seat] for seat in stayed)
        takers = [seat for seat in stayed if self.cards[seat] == best]
        own = [-1.0 - (action == STAY) for _, action in self.history]
        pot = -sum(own) / len(takers)
        alone = [own[seat] + (pot if seat in takers else 0.0) for seat in range(len(own))]
        teams = self.game.teams
        return [sum(p for p, t in zip(alone, teams, strict=True) if t == team) / teams.count(team) for team in teams]

    def legal(self) -> list[int]:
        return choices(self.game, self.history)

    def apply(self, action: int) -> None:
        if action not in self.legal():
            raise ValueError(f"illegal action {action}")
        self.history.append((self.to_act, action))

    def copy(self) -> ToyState:
        return ToyState(self.game, list(self.cards), list(self.history))

    def view(self, seat: int) -> ToyView:
        return ToyView(self.game, seat, self.cards[seat], tuple(self.history))


@dataclass(frozen=True)
class ToyView:
    game: ToyGame
    seat: int
    card: int
    history: tuple[tuple[int, int], ...]

    @property
    def to_act(self) -> int:
        return OVER if len(self.history) == self.game.players else len(self.history)

    @property
    def key(self) -> int:
        return hash((self.seat, self.card, self.history)) & (2**64 - 1)

    def legal(self) -> list[int]:
        return choices(self.game, self.history) if self.to_act == self.seat else []

    def sample(self, seed: int) -> ToyState:
        deck = self.game.deck()
        deck.remove(self.card)
        random.Random(seed).shuffle(deck)
        deck.insert(self.seat, self.card)
        return ToyState(self.game, deck[: self.game.players], list(self.history))


class ToyGame:
    name = "toy"
    num_actions = 2
    zero_sum = True

    def __init__(self, players: int = 2, ranks: int = 6, partners: bool = False) -> None:
        if not 2 <= players <= 2 * ranks:
            raise ValueError(f"players must be 2..{2 * ranks}, not {players}")
        self.players = players
        self.options = {"players": players, "ranks": ranks, "partners": partners}
        self.payoff_range = (-2.0, 2.0 * (players - 1))
        self.teams = [seat % 2 if partners else seat for seat in range(players)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ToyGame) and self.options == other.options

    def __hash__(self) -> int:
        return hash(tuple(self.options.items()))

    def deck(self) -> list[int]:
        return [rank for rank in range(self.options["ranks"]) for _ in range(2)]

    def deal(self, seed: int = 0) -> ToyState:
        return ToyState(self, random.Random(seed).sample(self.deck(), self.players))

    def text(self, action: int) -> str:
        return TEXTS[action]

    def parse(self, text: str) -> int:
        if text not in TEXTS:
            raise ValueError(f"unknown action {text!r}; allowed: {', '.join(TEXTS)}")
        return TEXTS.index(text)


class Bold:
    """Stays with the upper half of the ranks; a whole agent without any base class."""

    name = "bold"
    peeks = False

    def begin(self, seed: int) -> None:
        pass

    def act(self, view: Any) -> int:
        return self.high(view) if view.card * 2 >= view.game.options["ranks"] else self.low(view)

    @staticmethod
    def high(seen: Any) -> int:
        return int(seen.legal()[-1])

    @staticmethod
    def low(seen: Any) -> int:
        return int(seen.legal()[0])

    def think(self, view: Any) -> Thought:
        actions = view.legal()
        return Thought(actions, [None] * len(actions), [None] * len(actions), [a == self.act(view) for a in actions])


class Peeker(Bold):
    """Stays only if nobody has a better card."""

    name = "peeker"
    peeks = True

    def act(self, state: Any) -> int:
        mine = state.cards[state.to_act]
        return self.high(state) if mine >= max(state.cards) else self.low(state)


class Fixed(Bold):
    """Always the same action where it is legal."""

    def __init__(self, action: int, name: str = "fixed") -> None:
        self.action, self.name = action, name

    def act(self, view: Any) -> int:
        return self.action if self.action in view.legal() else int(view.legal()[0])
