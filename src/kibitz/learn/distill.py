"""A search put into a network: Q(s, a) is what a search expects of every action. Ours; no paper has it.

What a game brings says little about a single action where luck is large: in Uno a good move gains one per cent of a
game, and thousands of games are needed to see it. A search sees the difference between the actions of one decision.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from torch import Tensor

import kibitz
from kibitz.learn.common import run
from kibitz.learn.common.perceptron import Adam
from kibitz.learn.common.replay import Replay, Rows
from kibitz.learn.common.schedules import linear
from kibitz.learn.common.settings import REPLAY_RANGES, SHARE, check_room
from kibitz.learn.common.settings import Settings as Common
from kibitz.learn.common.tables import Choice, Decisions, Group, epsilon_greedy


@dataclass(frozen=True, kw_only=True)
class Settings(Common):
    ranges = Common.ranges | REPLAY_RANGES | {"focus": (1e-6, 10**6), "own": SHARE}

    hidden: tuple[int, ...] = (128, 128)
    learning_rate: float = 1e-3
    batch: int = 256
    discount: float = 1.0  # the search's own
    replay: int = 1_000_000  # decisions
    warm_up: int = 1_000  # decisions before the first update
    every: float = 64.0  # decisions per update
    epsilon_start: float = 0.1
    epsilon_end: float = 0.05
    epsilon_steps: int = 100_000  # decisions until epsilon_end

    # If empty: mcs:iterations=500,opponents=random, with play-outs by the game's own rules of thumb where it has some.
    teacher: str = ""
    focus: float = 10.0  # how much more differences between the actions of a state weigh than their mean
    own: float = 0.5  # share of the moves that the learner chooses, so that it learns where it comes to itself

    def __post_init__(self) -> None:
        super().__post_init__()
        check_room(self.replay, self.batch)
        if not self.teacher:
            rules = ",rollout=rules" if "rules" in kibitz.make(self.game).native_agents else ""
            object.__setattr__(self, "teacher", f"mcs:iterations=500,opponents=random{rules}")

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


class Distill(run.Learner):
    method = "distill"
    settings: Settings

    def __init__(self, settings: Settings, group: Group) -> None:
        super().__init__(settings, group)
        self.refuse_ragged(group)
        self.q = self.net([group.features, *settings.hidden, group.actions], 0)
        self.optimiser = Adam(self.q, settings.learning_rate)
        self.replay = Replay(settings.replay)
        self.player = self.q
        self.nets, self.optimisers, self.memories = {"q": self.q}, {"q": self.optimiser}, {"replay": self.replay}

    @property
    def epsilon(self) -> float:
        s = self.settings
        return linear(s.epsilon_start, s.epsilon_end, s.epsilon_steps, int(self.counts["transitions"]))

    def recorder(self, group: Group) -> Decisions:
        return Decisions()

    def act(self, group: Group) -> Choice:
        searched, _ = group.think(self.settings.teacher, int(self.rng.integers(2**63)))
        own = self.rng.random(group.batch) < self.settings.own
        values = np.where(own[:, None], self.q.evaluate(group.obs), searched)
        return Choice(epsilon_greedy(values, group.mask, self.epsilon, self.rng), {"searched": searched})

    def learn(self, rows: Rows) -> list[tuple[float, float]]:
        s = self.settings
        self.replay.add(rows)
        if self.replay.seen < s.warm_up:
            return []
        return [self.update(batch) for batch in self.batches(self.replay, self.due(len(rows["obs"]), s.every))]

    def update(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        found = self.gradient(rows)
        self.optimiser.step()
        self.counts["updates"] += 1
        return found

    def gradient(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        """Leaves the gradient of `loss_of` with the net. Returns this loss and the mean Q(s, a) of legal actions."""
        q = self.q.begin(rows["obs"])
        loss, slope = loss_of(q, rows["mask"], rows["searched"], self.settings.focus)
        self.q.back(slope)
        return loss.item(), q[rows["mask"]].mean().item()


train = run.trainer(Distill)
