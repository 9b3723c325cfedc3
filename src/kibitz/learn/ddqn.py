"""Double deep Q-learning (van Hasselt et al.), with the numbers of Li: Equations 1 and 2."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from kibitz.learn.common import run
from kibitz.learn.common.nets import fit, of_action, only_legal, values
from kibitz.learn.common.replay import Replay, Rows
from kibitz.learn.common.schedules import linear
from kibitz.learn.common.settings import Settings as Common
from kibitz.learn.common.tables import Choice, Group, explore


@dataclass(frozen=True, kw_only=True)
class Settings(Common):
    """The paper gives the sizes, batch, learning rate and discount; the others are ours."""

    replay: int = 20_000  # transitions
    warm_up: int = 1_000  # transitions before the first update
    every: float = 1.0  # transitions per update
    target_every: int = 1_000  # updates between copies to the target net
    epsilon_start: float = 1.0
    epsilon_end: float = 0.05
    epsilon_steps: int = 100_000  # transitions until epsilon_end

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("replay", "target_every", "epsilon_steps"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")
        if not self.every > 0:
            raise ValueError(f"every must be above 0, not {self.every}")


def target(estimator: nn.Module, target_net: nn.Module, rows: dict[str, Tensor], discount: float) -> Tensor:
    """Equation 2: the estimator chooses the next action, the target net values it. [B]"""
    chosen = only_legal(values(estimator, rows["next_obs"]), rows["next_mask"]).argmax(1)
    later = of_action(values(target_net, rows["next_obs"]), chosen)
    return rows["reward"] + discount * torch.where(rows["done"], 0.0, later)


class DDQN(run.Learner):
    method = "ddqn"
    settings: Settings

    def __init__(self, settings: Settings, group: Group) -> None:
        super().__init__(settings, group)
        if group.ragged:
            raise ValueError(f"{self.method} needs a game with at most 1,024 actions; dmc takes features of actions")
        sizes = [group.features, *settings.hidden, group.actions]
        self.estimator, self.target = self.net(sizes, 0), self.net(sizes, 0)
        self.optimiser = torch.optim.Adam(self.estimator.parameters(), lr=settings.learning_rate, fused=True)
        self.replay = Replay(settings.replay)
        self.nets = {"estimator": self.estimator, "target": self.target}
        self.optimisers = {"estimator": self.optimiser}
        self.memories = {"replay": self.replay}

    @property
    def player(self) -> nn.Sequential:
        return self.estimator

    @property
    def epsilon(self) -> float:
        s = self.settings
        return linear(s.epsilon_start, s.epsilon_end, s.epsilon_steps, int(self.counts["transitions"]))

    def act(self, group: Group) -> Choice:
        q = self.forward(self.estimator, group.obs)
        q[~group.mask] = -torch.inf
        return Choice(explore(q.argmax(1), group.mask, self.epsilon, self.rng), {})

    def goals(self, rows: dict[str, Tensor]) -> list[tuple[Tensor, float]]:
        """What Q(s, a) should be, with weights: Equation 1."""
        return [(target(self.estimator, self.target, rows, self.settings.discount), 1.0)]

    def gradient(self, rows: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """Leaves it with the weights; returns the loss and the mean predicted Q."""
        return fit(self.estimator, rows["obs"], rows["action"], self.goals(rows))

    def learn(self, rows: Rows) -> list[tuple[float, float]]:
        self.replay.add(rows)
        if self.replay.seen < self.settings.warm_up:
            return []
        return [self.update() for _ in range(self.due(len(rows["obs"]), self.settings.every))]

    def update(self) -> tuple[float, float]:
        rows = self.tensors(self.replay.sample(self.rng, self.settings.batch))
        loss, q = self.gradient(rows)
        self.optimiser.step()
        self.counts["updates"] += 1
        if self.counts["updates"] % self.settings.target_every == 0:
            self.target.load_state_dict(self.estimator.state_dict())
        return loss.item(), q.item()


train = run.trainer(DDQN)
