"""One-card poker in plain Python: a game of hidden information small enough to check by hand.

Each of n players antes 1 and gets one card of a deck with two of every rank. In seat order each folds (loses the ante)
or stays (puts in 1 more), the last one alone must stay. The highest card among those who stayed takes all; equal
highest cards share. Satisfies kibitz.protocols; ToyNative also offers what the core's games do, in plain Python.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kibitz._core import OVER, Rng, Seeds, agent_stream
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


@dataclass
class ToyHandle:
    name: str

    def act(self, view: ToyView, rng: Rng) -> int:
        actions = view.legal()
        if self.name == "random":
            return actions[rng.below(len(actions))]
        # A rule of thumb with chance in it, so that equal results mean equal streams.
        return actions[-1] if view.card + rng.below(3) >= view.game.options["ranks"] // 2 else actions[0]


@dataclass
class ToyMatch:
    payoffs: Any
    decisions: Any
    seconds: Any
    timed_decisions: Any


class ToyNative(ToyGame):
    """Imitates a game of the core, to check the fast path without one. Written from the description alone."""

    native_agents = ("random", "rules")

    def native_agent(self, name: str, options: dict[str, Any]) -> ToyHandle:
        if options:
            raise ValueError(f"agent {name} has no options")
        return ToyHandle(name)

    def native_match(
        self, agents: list[ToyHandle], seatings: list[list[int]], seed: int, first: int, deals: int, threads: int = 1
    ) -> ToyMatch:
        shape = (deals, len(seatings), len(agents))
        match = ToyMatch(np.zeros(shape), np.zeros(shape, np.uint32), np.zeros(shape), np.zeros(shape, np.uint32))
        for d in range(first, first + deals):
            for k, seats in enumerate(seatings):
                seeds = Seeds(seed)
                state = self.deal(seeds.deal(d))
                rngs = [agent_stream(seeds.agent(d, k, seat)) for seat in range(self.players)]
                while not state.over:
                    agent = seats.index(state.to_act)
                    match.decisions[d - first, k, agent] += 1
                    if d % 16 == 0:
                        match.timed_decisions[d - first, k, agent] += 1
                        match.seconds[d - first, k, agent] += 2e-6
                    state.apply(agents[agent].act(state.view(state.to_act), rngs[state.to_act]))
                match.payoffs[d - first, k] = [state.payoffs[seat] for seat in seats]
        return match


class Fixed(Bold):
    """Always the same action where it is legal."""

    def __init__(self, action: int, name: str = "fixed") -> None:
        self.action, self.name = action, name

    def act(self, view: Any) -> int:
        return self.action if self.action in view.legal() else int(view.legal()[0])
