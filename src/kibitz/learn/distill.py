"""A search put into a network: Q(s, a) is what a search expects of every action. Ours; no paper has it.

What a game brings says little about a single action where luck is large: in Uno a good move gains one per cent of a
game, and thousands of games are needed to see it. A search sees the difference between the actions of one decision.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from torch import Tensor

from kibitz.learn.common import replayed, run
from kibitz.learn.common.perceptron import Adam, Perceptron
from kibitz.learn.common.settings import SHARE
from kibitz.learn.common.tables import Choice, Decisions, Group, explore


@dataclass(frozen=True, kw_only=True)
class Settings(replayed.Settings):
    ranges = replayed.Settings.ranges | {"focus": (1e-6, 10**6), "own": SHARE}

    teacher: str = "mcs:iterations=500,opponents=random,rollout=rules"
    focus: float = 10.0  # how much more differences between the actions of a state weigh than their mean
    own: float = 0.5  # share of the moves that the learner chooses, so that it learns where it comes to itself

    hidden: tuple[int, ...] = (128, 128)
    learning_rate: float = 1e-3
    batch: int = 256
    discount: float = 1.0  # the search's own
    replay: int = 1_000_000  # decisions
    every: float = 64.0
    epsilon_start: float = 0.1
    epsilon_end: float = 0.05

    def agents(self) -> list[str]:
        return [*super().agents(), self.teacher]


def loss_of(q: Tensor, mask: Tensor, searched: Tensor, focus: float) -> tuple[Tensor, Tensor]:
    """The mean over states of: the square of the mean error of the legal actions, and focus times the variance of the
    errors. And its derivative by q."""
    legal = mask.float()
    share = 1 / legal.sum(1, keepdim=True)
    error = (q - searched) * legal
    mean = error.sum(1, keepdim=True) * share
    apart = (error - mean) * legal
    loss = (mean.square() + focus * apart.square().sum(1, keepdim=True) * share).mean()
    # The errors' distances from their mean sum to zero, so that the mean's own derivative drops out of the variance.
    slope = (mean + focus * apart) * legal * (share * (2 / len(q)))
    return loss, slope


class Distill(replayed.ReplayLearner):
    method = "distill"
    settings: Settings

    def __init__(self, settings: Settings, group: Group) -> None:
        super().__init__(settings, group)
        self.refuse_ragged(group)
        self.q = self.net([group.features, *settings.hidden, group.actions], 0)
        self.optimiser = Adam(self.q, settings.learning_rate)
        self.nets, self.optimisers = {"q": self.q}, {"q": self.optimiser}

    @property
    def player(self) -> Perceptron:
        return self.q

    def recorder(self, group: Group) -> Decisions:
        return Decisions()

    def act(self, group: Group) -> Choice:
        searched, _ = group.think(self.settings.teacher, int(self.rng.integers(2**63)))
        own = self.rng.random(group.batch) < self.settings.own
        values = np.where(own[:, None], self.forward(self.q, group.obs), searched)
        best = np.where(group.mask, values, -np.inf).argmax(1)
        return Choice(explore(best, group.mask, self.epsilon, self.rng), {"searched": searched})

    def gradient(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        q = self.q.begin(rows["obs"])
        loss, slope = loss_of(q, rows["mask"], rows["searched"], self.settings.focus)
        self.q.back(slope)
        return loss.item(), q[rows["mask"]].mean().item()


train = run.trainer(Distill)
