"""Actor-critic with searched value targets: what Li says the method generalises to, without giving it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from kibitz.learn import mcts_ddqn
from kibitz.learn.common import run
from kibitz.learn.common.nets import only_legal
from kibitz.learn.common.perceptron import Adam, Perceptron
from kibitz.learn.common.settings import RATE
from kibitz.learn.common.tables import Choice, Group


@dataclass(frozen=True, kw_only=True)
class Settings(mcts_ddqn.Settings):
    """Those of DDQN with MCTS, which trains the critic here, and of the actor."""

    ranges = mcts_ddqn.Settings.ranges | {"actor_learning_rate": RATE, "entropy": (0, 1000)}

    actor_learning_rate: float = 5e-5
    entropy: float = 0.01  # weight of the actor's entropy, which keeps it trying


def critic_target(actor: Perceptron, rows: dict[str, Tensor], reward: Tensor, discount: float) -> Tensor:
    """r + discount · the mean of Q(s', ·), which is `later`, under the actor. [B]"""
    odds = only_legal(actor.values(rows["next_obs"]), rows["next_mask"]).softmax(1)
    later = (odds * rows["later"]).sum(1)
    return reward + discount * torch.where(rows["done"], 0.0, later)


def actor_loss(logits: Tensor, rows: dict[str, Tensor], entropy: float) -> tuple[Tensor, Tensor]:
    """The policy gradient over all legal actions, whose advantages are those of Q_m; less the entropy bonus. And its
    derivative by the logits, with fixed advantages."""
    logs = only_legal(logits, rows["mask"]).log_softmax(1)
    odds = logs.exp()
    logs = torch.where(rows["mask"], logs, 0.0)
    q = rows["all_searched"]  # zero where illegal, and so are the odds
    advantage = q - (odds * q).sum(1, keepdim=True)
    order = (odds * logs).sum(1, keepdim=True)  # the negative entropy
    loss = (entropy * order).mean() - (odds * advantage).sum(1).mean()
    # The mean advantage is zero, so that of odds · (advantage - mean) the mean drops out.
    return loss, odds * (entropy * (logs - order) - advantage) / len(logits)


class ActorCritic(mcts_ddqn.MctsDDQN):
    method = "mcts-actor-critic"
    output = "policy"
    settings: Settings

    def __init__(self, settings: Settings, group: Group) -> None:
        super().__init__(settings, group)
        self.actor = self.net([group.features, *settings.hidden, group.actions], 1)
        self.actor_optimiser = Adam(self.actor, settings.actor_learning_rate)
        self.nets |= {"actor": self.actor}
        self.optimisers |= {"actor": self.actor_optimiser}

    @property
    def player(self) -> Perceptron:
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
        goal = critic_target(self.actor, rows, total, s.discount)
        return [(goal, 1.0), (rows["searched"], s.mcts_loss)]

    def update(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        found = super().update(rows)
        _, slope = actor_loss(self.actor.begin(rows["obs"]), rows, self.settings.entropy)
        self.actor.back(slope)
        self.actor_optimiser.step()
        return found


train = run.trainer(ActorCritic)
