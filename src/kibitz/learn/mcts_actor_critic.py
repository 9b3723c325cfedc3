"""Actor-critic with searched value targets: what Li says the method generalises to, without giving it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from kibitz.learn import mcts_ddqn
from kibitz.learn.common import run
from kibitz.learn.common.nets import backward, only_legal, values
from kibitz.learn.common.tables import Choice, Group


@dataclass(frozen=True, kw_only=True)
class Settings(mcts_ddqn.Settings):
    """Those of DDQN with MCTS, which trains the critic here, and of the actor."""

    actor_learning_rate: float = 5e-5
    entropy: float = 0.01  # weight of the actor's entropy, which keeps it trying


def critic_target(
    critic: nn.Module, actor: nn.Module, rows: dict[str, Tensor], reward: Tensor, discount: float
) -> Tensor:
    """r + discount · the mean of Q(s', ·) under the actor. [B]"""
    odds = only_legal(values(actor, rows["next_obs"]), rows["next_mask"]).softmax(1)
    later = (odds * values(critic, rows["next_obs"])).sum(1)
    return reward + discount * torch.where(rows["done"], 0.0, later)


def actor_loss(actor: nn.Module, rows: dict[str, Tensor], entropy: float) -> Tensor:
    """The policy gradient over all legal actions, whose advantages are those of Q_m; less the entropy bonus."""
    logits = only_legal(actor(rows["obs"]), rows["mask"])
    odds = logits.softmax(1)
    q = rows["all_searched"]  # zero where illegal, and so are the odds
    advantage = q - (odds.detach() * q).sum(1, keepdim=True)
    logs = torch.where(rows["mask"], logits.log_softmax(1), 0.0)
    return -(odds * advantage).sum(1).mean() + entropy * (odds * logs).sum(1).mean()


class ActorCritic(mcts_ddqn.MctsDDQN):
    method = "mcts-actor-critic"
    output = "policy"
    settings: Settings

    def __init__(self, settings: Settings, group: Group) -> None:
        super().__init__(settings, group)
        self.actor = self.net([group.features, *settings.hidden, group.actions], 1)
        self.actor_optimiser = torch.optim.Adam(self.actor.parameters(), lr=settings.actor_learning_rate, fused=True)
        self.nets |= {"actor": self.actor}
        self.optimisers |= {"actor": self.actor_optimiser}

    @property
    def player(self) -> nn.Sequential:
        return self.actor

    def act(self, group: Group) -> Choice:
        q, reward = self.search(group)
        logits = self.forward(self.actor, group.obs)
        # The largest of logits with Gumbel noise is a draw from the softmax; epsilon of the games' moves are anything.
        noise = self.rng.gumbel(size=logits.shape)
        anything = self.rng.random(group.batch) < self.epsilon
        noisy = np.where(group.mask, np.where(anything[:, None], noise, logits + noise), -np.inf)
        actions = noisy.argmax(1)
        extra = {"searched": q[range(group.batch), actions], "shaped": reward, "all_searched": q, "mask": group.mask}
        return Choice(actions, extra)

    def goals(self, rows: dict[str, Tensor]) -> list[tuple[Tensor, float]]:
        """Of the critic."""
        s = self.settings
        total = rows["reward"] + s.mcts_reward * rows["shaped"]
        goal = critic_target(self.target, self.actor, rows, total, s.discount)
        return [(goal, 1.0), (rows["searched"], s.mcts_loss)]

    def update(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        found = super().update(rows)
        loss = actor_loss(self.actor, rows, self.settings.entropy)
        self.actor_optimiser.zero_grad()
        backward(loss)
        self.actor_optimiser.step()
        return found


train = run.trainer(ActorCritic)
