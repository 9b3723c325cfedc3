"""A search put into a network: Q(s, a) is what a search expects of every action. Ours; no paper has it.

What a game brings says little about a single action where luck is large: in Uno a good move gains one per cent of a
game, and thousands of games are needed to see it. A search sees the difference between the actions of one decision.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from kibitz.learn.common import replayed, run
from kibitz.learn.common.nets import backward
from kibitz.learn.common.tables import Choice, Decisions, Group, explore


@dataclass(frozen=True, kw_only=True)
class Settings(replayed.Settings):
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

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.focus > 0:
            raise ValueError(f"focus must be above 0, not {self.focus}")
        if not 0 <= self.own <= 1:
            raise ValueError(f"own must be from 0 to 1, not {self.own}")


def loss_of(q: Tensor, mask: Tensor, searched: Tensor, focus: float) -> Tensor:
    """The mean over states of: the square of the mean error of the legal actions, and focus times the variance of the
    errors."""
    count = mask.sum(1)
    error = (q - searched).masked_fill(~mask, 0.0)
    mean = error.sum(1) / count
    apart = (error - mean.unsqueeze(1)).masked_fill(~mask, 0.0)
    return (mean.square() + focus * apart.square().sum(1) / count).mean()


class Distill(replayed.ReplayLearner):
    method = "distill"
    settings: Settings

    def __init__(self, settings: Settings, group: Group) -> None:
        super().__init__(settings, group)
        self.refuse_ragged(group)
        self.q = self.net([group.features, *settings.hidden, group.actions], 0)
        self.optimiser = torch.optim.Adam(self.q.parameters(), lr=settings.learning_rate, fused=True)
        self.nets, self.optimisers = {"q": self.q}, {"q": self.optimiser}

    @property
    def player(self) -> nn.Sequential:
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
        self.optimiser.zero_grad()
        q = self.q(rows["obs"])
        loss = loss_of(q, rows["mask"], rows["searched"], self.settings.focus)
        backward(loss)
        return loss.item(), q[rows["mask"]].mean().item()


train = run.trainer(Distill)
