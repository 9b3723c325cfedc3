"""Deep Q-learning as Brown, Jasson and Swarnakar have it: games against random seats, then updates from those games."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from kibitz.learn.common import run
from kibitz.learn.common.nets import only_legal
from kibitz.learn.common.perceptron import Adam, Descent, Optimiser, Perceptron
from kibitz.learn.common.replay import Fresh, Rows
from kibitz.learn.common.schedules import decaying
from kibitz.learn.common.settings import COUNT, SHARE
from kibitz.learn.common.settings import Settings as Common
from kibitz.learn.common.tables import Choice, Group


@dataclass(frozen=True, kw_only=True)
class Settings(Common):
    """The paper gives the sizes, learning rate, discount, decay and games per iteration; the others are ours."""

    ranges = Common.ranges | {
        "iteration": COUNT,
        "epsilon_start": SHARE,
        "epsilon_decay": SHARE,
        "epsilon_end": SHARE,
    }

    encoder: str = "brown-fair"  # the paper's own, `brown`, reads the others' cards
    hidden: tuple[int, ...] = (512, 512)
    learning_rate: float = 1e-4
    discount: float = 0.95
    episodes: int = 350_000
    iteration: int = 100  # games between learning
    epsilon_start: float = 1.0
    epsilon_decay: float = 0.95  # kappa, per iteration
    epsilon_end: float = 0.01  # the paper lets it fall to nothing
    optimiser: str = "adam"  # or "sgd"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.optimiser not in ("adam", "sgd"):
            raise ValueError(f"optimiser must be adam or sgd, not {self.optimiser!r}")


def target(later: Tensor, rows: dict[str, Tensor], discount: float) -> Tensor:
    """r + discount · max Q(s', a') [B], where `later` is Q(s', ·)."""
    later = only_legal(later, rows["next_mask"]).amax(1)
    return rows["reward"] + discount * torch.where(rows["done"], 0.0, later)


class DQN(run.Learner):
    method = "dqn"
    settings: Settings

    def __init__(self, settings: Settings, group: Group) -> None:
        super().__init__(settings, group)
        self.refuse_ragged(group)
        self.q = self.net([group.features, *settings.hidden, group.actions], 0)
        make = Adam if settings.optimiser == "adam" else Descent
        self.optimiser: Optimiser = make(self.q, settings.learning_rate)
        self.fresh = Fresh()
        self.nets, self.optimisers, self.memories = {"q": self.q}, {"q": self.optimiser}, {"fresh": self.fresh}
        self.counts["iterations"] = 0

    @property
    def player(self) -> Perceptron:
        return self.q

    @property
    def epsilon(self) -> float:
        s = self.settings
        return max(s.epsilon_end, decaying(s.epsilon_start, s.epsilon_decay, self.counts["iterations"]))

    def act(self, group: Group) -> Choice:
        return self.greedy(self.q, group)

    def goal(self, rows: dict[str, Tensor]) -> Tensor:
        """By the net itself: there is no target net."""
        return target(self.q.values(rows["next_obs"]), rows, self.settings.discount)

    def gradient(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        """Leaves it with the weights; returns the loss and the mean predicted Q."""
        return self.q.fit(rows["obs"], rows["action"], [(self.goal(rows), 1.0)])

    def learn(self, rows: Rows) -> list[tuple[float, float]]:
        self.fresh.add(rows)
        if self.counts["games"] < (self.counts["iterations"] + 1) * self.settings.iteration:
            return []
        self.counts["iterations"] += 1
        return [self.update(self.tensors(part)) for part in self.fresh.drain(self.rng, self.settings.batch)]

    def update(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        found = self.gradient(rows)
        self.optimiser.step()
        self.counts["updates"] += 1
        return found


train = run.trainer(DQN)
