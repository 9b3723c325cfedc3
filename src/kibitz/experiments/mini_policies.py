"""Deterministic players of Mini Dou Di Zhu, with inference from any model of the other.

Every decision is asked once and remembered: by the own hand at the deal and what was played since, or by both hands for
a player who sees them. Seats take turns, so the length of the history says whose it is. The core answers what a player
without inference does; inference is added here, because the core's models are minimax and expectimax alone, and the
right model of a player who cheats or draws conclusions itself is neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import kibitz
from kibitz._core import Rng

History = tuple[int, ...]
Hands = tuple[str, str]
TIE_BREAK = "tie_break=0.001"  # the ε of the paper


@dataclass(frozen=True)
class Policy:
    """`spec` is an agent of the core; with a model, determinized minimax over the worlds in which it fits."""

    spec: str
    model: Policy | None = None

    @property
    def cheats(self) -> bool:
        return self.spec.startswith("cheat-")


CHEATING = Policy(f"cheat-minimax:{TIE_BREAK}")
DETERMINIZED = Policy(f"minimax:{TIE_BREAK}")
EXPECTIMAX = Policy("expectimax")


def inferring(model: Policy) -> Policy:
    return Policy(DETERMINIZED.spec, model)


class Mini:
    """All deals, and what every policy does in them."""

    def __init__(self) -> None:
        self.game = kibitz.make("mini_doudizhu")
        self.deals: list[Hands] = []
        self.weights: list[int] = []
        self._start: dict[Hands, Any] = {}
        for state, weight in self.game.deals():
            hands = self.game.position(state)["hands"]
            self.deals.append((hands[0], hands[1]))
            self.weights.append(int(weight))
            self._start[hands[0], hands[1]] = state
        self._others: dict[tuple[int, str], dict[str, float]] = {}
        self._handles: dict[str, Any] = {}
        self._choices: dict[Any, int] = {}
        self._asked: dict[Any, int] = {}
        self._possible: dict[Any, tuple[str, ...]] = {}
        self._likely: dict[Any, tuple[str, ...]] = {}

    def others(self, seat: int, hand: str) -> dict[str, float]:
        """What the other may hold at the deal, with weights: the numbers of physical hands."""
        if (seat, hand) not in self._others:
            # Any deal with this hand will do: the view has nothing of the other's.
            start = next(self._start[hands] for hands in self.deals if hands[seat] == hand)
            worlds = start.view(seat).all_worlds()
            found = {self.game.position(world)["hands"][1 - seat]: weight for world, weight in worlds}
            self._others[seat, hand] = found
        return self._others[seat, hand]

    def state(self, hands: Hands, history: History) -> Any:
        state = self._start[hands].copy()
        for action in history:
            state.apply(action)
        return state

    def choice(self, policy: Policy, hands: Hands, history: History) -> int:
        """What the seat to act does."""
        seat = len(history) % 2
        key = (policy, hands if policy.cheats else hands[seat], history)
        if key not in self._choices:
            self._choices[key] = self._decide(policy, seat, hands, history)
        return self._choices[key]

    def _decide(self, policy: Policy, seat: int, hands: Hands, history: History) -> int:
        state = self.state(hands, history)
        legal = state.legal()
        if len(legal) == 1:
            return int(legal[0])
        if policy.model is None or not history:  # nothing to infer from yet
            return self._ask(policy, seat, state)
        return self._vote(policy.model, seat, hands[seat], history, legal)

    def _ask(self, policy: Policy, seat: int, state: Any) -> int:
        """What the core says. It depends on the position alone, to which many histories lead."""
        if policy.spec not in self._handles:
            agent: Any = kibitz.agent(policy.spec)
            self._handles[policy.spec] = agent.native(self.game)
        shown = state if policy.cheats else state.view(seat)
        if "inference" in policy.spec:
            return int(self._handles[policy.spec].act(shown, Rng(0)))
        key = (policy.spec, state.view(seat).key, state.view(1 - seat).key if policy.cheats else 0)
        if key not in self._asked:
            self._asked[key] = int(self._handles[policy.spec].act(shown, Rng(0)))
        return self._asked[key]

    def _vote(self, model: Policy, seat: int, hand: str, history: History, legal: list[int]) -> int:
        """The majority vote of minimax in the worlds that the model leaves."""
        votes = dict.fromkeys(legal, 0.0)
        for other, weight in self.belief(model, seat, hand, history).items():
            votes[self.choice(CHEATING, _both(seat, hand, other), history)] += weight
        return max(votes, key=lambda action: votes[action])  # the first of the best

    def belief(self, model: Policy, seat: int, hand: str, history: History) -> dict[str, float]:
        """Hands of the other that the model does not rule out, with the weights of the deal."""
        # A model that explains nothing is wrong, and says nothing.
        left = self._left(model, seat, hand, history) or self._left(None, seat, hand, history)
        weights = self.others(seat, hand)
        return {other: weights[other] for other in left}

    def _left(self, model: Policy | None, seat: int, hand: str, history: History) -> tuple[str, ...]:
        """Hands with which the other could have played so, and would have, if there is a model."""
        if not history:
            return tuple(self.others(seat, hand))
        key = (model, seat, hand, history)
        memory = self._possible if model is None else self._likely
        if key not in memory:
            before, last = history[:-1], history[-1]
            left = self._left(model, seat, hand, before)
            if len(before) % 2 != seat:
                left = tuple(other for other in left if self._fits(model, _both(seat, hand, other), before, last))
            memory[key] = left
        return memory[key]

    def _fits(self, model: Policy | None, hands: Hands, history: History, action: int) -> bool:
        if model is not None:
            return self.choice(model, hands, history) == action
        return action in self.state(hands, history).legal()

    def play(self, policies: tuple[Policy, Policy], hands: Hands) -> tuple[bool, History]:
        """Whether seat 0 wins, and what was played."""
        history: History = ()
        state = self._start[hands].copy()
        while not state.over:
            action = self.choice(policies[len(history) % 2], hands, history)
            state.apply(action)
            history += (action,)
        return state.payoffs[0] > 0, history

    def known_from(self, model: Policy, seat: int, hands: Hands, history: History) -> int | None:
        """After how many actions the seat, with this model, is sure of the deal, and right; None: never."""
        for length in range(len(history) + 1):
            if tuple(self.belief(model, seat, hands[seat], history[:length])) == (hands[1 - seat],):
                return length
        return None


def _both(seat: int, hand: str, other: str) -> Hands:
    return (hand, other) if seat == 0 else (other, hand)
