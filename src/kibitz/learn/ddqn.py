"""Double deep Q-learning (van Hasselt et al.), with the numbers of Li: Equations 1 and 2."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from kibitz.learn.common import replayed, run
from kibitz.learn.common.nets import fit, of_action, only_legal, values
from kibitz.learn.common.tables import Choice, Group


@dataclass(frozen=True, kw_only=True)
class Settings(replayed.Settings):
    """The paper gives the sizes, batch, learning rate and discount; the others are ours."""

    target_every: int = 1_000  # updates between copies to the target net

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.target_every < 1:
            raise ValueError(f"target_every must be at least 1, not {self.target_every}")


def target(estimator: nn.Module, target_net: nn.Module, rows: dict[str, Tensor], discount: float) -> Tensor:
    """Equation 2: the estimator chooses the next action, the target net values it. [B]"""
    chosen = only_legal(values(estimator, rows["next_obs"]), rows["next_mask"]).argmax(1)
    later = of_action(values(target_net, rows["next_obs"]), chosen)
    return rows["reward"] + discount * torch.where(rows["done"], 0.0, later)


class DDQN(replayed.ReplayLearner):
    method = "ddqn"
    settings: Settings

    def __init__(self, settings: Settings, group: Group) -> None:
        super().__init__(settings, group)
        self.refuse_ragged(group)
        sizes = [group.features, *settings.hidden, group.actions]
        self.estimator, self.target = self.net(sizes, 0), self.net(sizes, 0)
        self.optimiser = torch.optim.Adam(self.estimator.parameters(), lr=settings.learning_rate, fused=True)
        self.nets = {"estimator": self.estimator, "target": self.target}
        self.optimisers = {"estimator": self.optimiser}

    @property
    def player(self) -> nn.Sequential:
        return self.estimator

    def act(self, group: Group) -> Choice:
        return self.greedy(self.estimator, group)

    def goals(self, rows: dict[str, Tensor]) -> list[tuple[Tensor, float]]:
        """What Q(s, a) should be, with weights: Equation 1."""
        return [(target(self.estimator, self.target, rows, self.settings.discount), 1.0)]

    def gradient(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        return fit(self.estimator, rows["obs"], rows["action"], self.goals(rows))

    def update(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        found = super().update(rows)
        if self.counts["updates"] % self.settings.target_every == 0:
            self.target.load_state_dict(self.estimator.state_dict())
        return found


train = run.trainer(DDQN)
