"""Double deep Q-learning (van Hasselt et al.), with the numbers of Li: Equations 1 and 2."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from kibitz.learn.common import replayed, run
from kibitz.learn.common.nets import of_action, only_legal
from kibitz.learn.common.perceptron import Adam, Perceptron
from kibitz.learn.common.replay import Array, Rows
from kibitz.learn.common.settings import COUNT
from kibitz.learn.common.tables import Choice, Group


@dataclass(frozen=True, kw_only=True)
class Settings(replayed.Settings):
    """The paper gives the sizes, batch, learning rate and discount; the others are ours."""

    ranges = replayed.Settings.ranges | {"target_every": COUNT}

    target_every: int = 1_000  # updates between copies to the target net


def target(estimator: Perceptron, rows: dict[str, Tensor], discount: float) -> Tensor:
    """Equation 2 [B]: the estimator chooses the next action; `later` has the target net's value of each."""
    chosen = only_legal(estimator.values(rows["next_obs"]), rows["next_mask"]).argmax(1)
    return rows["reward"] + discount * torch.where(rows["done"], 0.0, of_action(rows["later"], chosen))


class DDQN(replayed.ReplayLearner):
    method = "ddqn"
    settings: Settings

    def __init__(self, settings: Settings, group: Group) -> None:
        super().__init__(settings, group)
        self.refuse_ragged(group)
        sizes = [group.features, *settings.hidden, group.actions]
        self.estimator, self.target = self.net(sizes, 0), self.net(sizes, 0)
        self.optimiser = Adam(self.estimator, settings.learning_rate)
        # Whether the target net is asked once about every transition in the replay, instead of at every update.
        self.ahead = settings.replay <= settings.batch * settings.target_every
        self.nets = {"estimator": self.estimator, "target": self.target}
        self.optimisers = {"estimator": self.optimiser}

    @property
    def player(self) -> Perceptron:
        return self.estimator

    def act(self, group: Group) -> Choice:
        return self.greedy(self.estimator, group)

    def steady(self) -> int:
        """Until the target net changes."""
        return self.settings.target_every - int(self.counts["updates"]) % self.settings.target_every

    def prepared(self, rows: dict[str, Tensor]) -> dict[str, Tensor]:
        """With `later`: Q(s', ·) by the target net."""
        return rows if "later" in rows else rows | {"later": self.target.values(rows["next_obs"])}

    def later(self, rows: Rows) -> Array:
        return self.forward(self.target, rows["next_obs"])

    def learn(self, rows: Rows) -> list[tuple[float, float]]:
        return super().learn(rows | {"later": self.later(rows)} if self.ahead else rows)

    def renew(self) -> None:
        """After the target net has changed."""
        if self.ahead:
            self.replay.renew("later", self.later, replayed.TOGETHER)

    def restore(self, arrays: Mapping[str, Array], state: Mapping[str, Any]) -> None:
        super().restore(arrays, state)
        if "memory.replay/column.later" not in arrays:  # of an earlier version
            self.renew()

    def goals(self, rows: dict[str, Tensor]) -> list[tuple[Tensor, float]]:
        """What Q(s, a) should be, with weights: Equation 1."""
        return [(target(self.estimator, rows, self.settings.discount), 1.0)]

    def gradient(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        return self.estimator.fit(rows["obs"], rows["action"], self.goals(rows))

    def update(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        found = super().update(rows)
        if self.counts["updates"] % self.settings.target_every == 0:
            self.target.take(self.estimator)
            self.renew()
        return found


train = run.trainer(DDQN)
