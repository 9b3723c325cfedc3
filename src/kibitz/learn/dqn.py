"""Deep Q-learning as Brown, Jasson and Swarnakar have it: games against random seats, then updates from those games."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from kibitz.learn.common import run
from kibitz.learn.common.nets import only_legal
from kibitz.learn.common.perceptron import Adam, Descent, Optimiser
from kibitz.learn.common.replay import Fresh, Rows
from kibitz.learn.common.schedules import decaying
from kibitz.learn.common.settings import COUNT, SHARE
from kibitz.learn.common.settings import Settings as Common
from kibitz.learn.common.tables import Choice, Group, epsilon_greedy
from kibitz.registry import parse_spec


@dataclass(frozen=True, kw_only=True)
class Settings(Common):
    """The paper gives the sizes, learning rate, discount, decay and games per iteration; the others are ours."""

    ranges = Common.ranges | {
        "iteration": COUNT,
        "epsilon_start": SHARE,
        "epsilon_decay": SHARE,
        "epsilon_end": SHARE,
    }

    encoder: str = ""  # in Uno brown-fair, if empty: the paper's own, `brown`, reads the others' cards
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
        if not self.encoder and parse_spec(self.game).name == "uno":
            object.__setattr__(self, "encoder", "brown-fair")


def target(next_q: Tensor, rows: dict[str, Tensor], discount: float) -> Tensor:
    """y = r + discount · max Q(s', a') [B], where `next_q` is Q(s', ·). Nothing comes after the end."""
    best = only_legal(next_q, rows["next_mask"]).amax(1)
    return rows["reward"] + discount * torch.where(rows["done"], 0.0, best)


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
        self.player = self.q
        self.nets, self.optimisers, self.memories = {"q": self.q}, {"q": self.optimiser}, {"fresh": self.fresh}
        self.counts["iterations"] = 0

    @property
    def epsilon(self) -> float:
        s = self.settings
        return max(s.epsilon_end, decaying(s.epsilon_start, s.epsilon_decay, self.counts["iterations"]))

    def act(self, group: Group) -> Choice:
        q = self.q.evaluate(group.obs)
        return Choice(epsilon_greedy(q, group.mask, self.epsilon, self.rng))

    def learn(self, rows: Rows) -> list[tuple[float, float]]:
        """After an iteration: from all its transitions, each once."""
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

    def gradient(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        """Leaves the gradient of the mean of (y - Q(s, a))² with the net. Returns this loss and the mean Q(s, a)."""
        return self.q.fit(rows["obs"], rows["action"], [(self.goal(rows), 1.0)])

    def goal(self, rows: dict[str, Tensor]) -> Tensor:
        """y, by the net itself: there is no target net."""
        return target(self.q.values(rows["next_obs"]), rows, self.settings.discount)


train = run.trainer(DQN)
