"""Double deep Q-learning (van Hasselt et al.), with the numbers of Li: Equations 1 and 2."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from kibitz.learn.common import run
from kibitz.learn.common.nets import of_action, only_legal
from kibitz.learn.common.perceptron import Adam, Perceptron
from kibitz.learn.common.replay import Replay, Rows
from kibitz.learn.common.schedules import linear
from kibitz.learn.common.settings import COUNT, REPLAY_RANGES, check_room
from kibitz.learn.common.settings import Settings as Common
from kibitz.learn.common.tables import Choice, Group, epsilon_greedy


@dataclass(frozen=True, kw_only=True)
class Settings(Common):
    """The paper gives the sizes, batch, learning rate and discount; the others are ours."""

    ranges = Common.ranges | REPLAY_RANGES | {"target_every": COUNT}

    replay: int = 20_000  # transitions
    warm_up: int = 1_000  # transitions before the first update
    every: float = 1.0  # transitions per update
    epsilon_start: float = 1.0
    epsilon_end: float = 0.05
    epsilon_steps: int = 100_000  # transitions until epsilon_end
    target_every: int = 1_000  # updates between copies to the target net

    def __post_init__(self) -> None:
        super().__post_init__()
        check_room(self.replay, self.batch)


def target(estimator: Perceptron, rows: dict[str, Tensor], discount: float) -> Tensor:
    """Equation 2 [B]: y = r + discount · Q_target(s', argmax Q(s', a')). The estimator chooses the next action, the
    target net values it: next_q is Q_target(s', ·). Nothing comes after the end."""
    best = only_legal(estimator.values(rows["next_obs"]), rows["next_mask"]).argmax(1)
    return rows["reward"] + discount * torch.where(rows["done"], 0.0, of_action(rows["next_q"], best))


class DDQN(run.Learner):
    method = "ddqn"
    settings: Settings

    def __init__(self, settings: Settings, group: Group) -> None:
        super().__init__(settings, group)
        self.refuse_ragged(group)
        sizes = [group.features, *settings.hidden, group.actions]
        self.estimator, self.target = self.net(sizes, 0), self.net(sizes, 0)
        self.optimiser = Adam(self.estimator, settings.learning_rate)
        drawn = settings.batch * settings.target_every  # transitions, from one copy to the next
        self.replay = Replay(settings.replay, self.target.evaluate, drawn)
        self.player = self.estimator
        self.nets = {"estimator": self.estimator, "target": self.target}
        self.optimisers = {"estimator": self.optimiser}
        self.memories = {"replay": self.replay}

    @property
    def epsilon(self) -> float:
        s = self.settings
        return linear(s.epsilon_start, s.epsilon_end, s.epsilon_steps, int(self.counts["transitions"]))

    def act(self, group: Group) -> Choice:
        q = self.estimator.evaluate(group.obs)
        return Choice(epsilon_greedy(q, group.mask, self.epsilon, self.rng))

    def learn(self, rows: Rows) -> list[tuple[float, float]]:
        s = self.settings
        self.replay.add(rows)
        if self.replay.seen < s.warm_up:
            return []
        updates = self.due(len(rows["obs"]), s.every)
        return [self.update(batch) for batch in self.batches(self.replay, updates, s.target_every)]

    def update(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        found = self.gradient(rows)
        self.optimiser.step()
        self.counts["updates"] += 1
        if self.counts["updates"] % self.settings.target_every == 0:
            self.target.take(self.estimator)
            self.replay.renew()
        return found

    def gradient(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        """Leaves the gradient of Equation 1, the mean of (y - Q(s, a))², with the estimator. Returns this loss and the
        mean Q(s, a)."""
        y = target(self.estimator, rows, self.settings.discount)
        return self.estimator.fit(rows["obs"], rows["action"], [(y, 1.0)])


train = run.trainer(DDQN)
