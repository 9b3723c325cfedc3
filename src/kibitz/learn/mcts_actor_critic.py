"""Actor-critic with searched value targets: what Li says the method generalises to, without giving it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from kibitz.learn.common import nets, run
from kibitz.learn.common.nets import only_legal
from kibitz.learn.common.perceptron import Adam, Perceptron
from kibitz.learn.common.replay import Replay, Rows
from kibitz.learn.common.schedules import linear
from kibitz.learn.common.settings import COUNT, RATE, REPLAY_RANGES, SEARCH_RANGES, check_room, check_worlds
from kibitz.learn.common.settings import Settings as Common
from kibitz.learn.common.tables import Choice, Group


@dataclass(frozen=True, kw_only=True)
class Settings(Common):
    """Those of DDQN with MCTS, which trains the critic here, and of the actor."""

    ranges = (
        Common.ranges
        | REPLAY_RANGES
        | SEARCH_RANGES
        | {"target_every": COUNT, "mcts_loss": (0, 1000), "mcts_reward": (0, 1000)}
        | {"actor_learning_rate": RATE, "entropy": (0, 1000)}
    )

    replay: int = 20_000  # transitions
    warm_up: int = 1_000  # transitions before the first update
    every: float = 1.0  # transitions per update
    epsilon_start: float = 1.0
    epsilon_end: float = 0.05
    epsilon_steps: int = 100_000  # transitions until epsilon_end
    target_every: int = 1_000  # updates between copies to the target net

    simulations: int = 50  # per decision
    c: float = 0.2  # of Equation 3
    worlds: str = "sampled"  # or "true": in the real state, which peeks at hidden cards while training
    per_world: int = 1  # simulations in each sampled world; more are faster, 1 is exact
    mcts_loss: float = 1.0  # weight of L_mcts; 0 leaves it out
    mcts_reward: float = 1.0  # weight of r_m; 0 leaves it out

    actor_learning_rate: float = 5e-5
    entropy: float = 0.01  # weight of the actor's entropy, which keeps it trying

    def __post_init__(self) -> None:
        super().__post_init__()
        check_room(self.replay, self.batch)
        check_worlds(self.worlds)


def critic_target(actor: Perceptron, rows: dict[str, Tensor], reward: Tensor, discount: float) -> Tensor:
    """y = r + discount · Σ π(a'|s') Q_target(s', a') [B], where next_q is Q_target(s', ·) and π the actor. Nothing
    comes after the end."""
    odds = only_legal(actor.values(rows["next_obs"]), rows["next_mask"]).softmax(1)
    mean = (odds * rows["next_q"]).sum(1)
    return reward + discount * torch.where(rows["done"], 0.0, mean)


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


class ActorCritic(run.Learner):
    method = "mcts-actor-critic"
    output = "policy"
    settings: Settings

    def __init__(self, settings: Settings, group: Group) -> None:
        super().__init__(settings, group)
        self.refuse_ragged(group)
        sizes = [group.features, *settings.hidden, group.actions]
        self.estimator, self.target, self.actor = self.net(sizes, 0), self.net(sizes, 0), self.net(sizes, 1)
        self.optimiser = Adam(self.estimator, settings.learning_rate)
        self.actor_optimiser = Adam(self.actor, settings.actor_learning_rate)
        drawn = settings.batch * settings.target_every  # transitions, from one copy to the next
        self.replay = Replay(settings.replay, self.target.evaluate, drawn)
        self.metadata = nets.describe(group.games[0], group.encoder, "q", {}, any_options=group.mixed_options)
        self.player = self.actor
        self.nets = {"estimator": self.estimator, "target": self.target, "actor": self.actor}
        self.optimisers = {"estimator": self.optimiser, "actor": self.actor_optimiser}
        self.memories = {"replay": self.replay}
        self.counts["leaves"] = 0  # states that searches asked the critic about

    @property
    def epsilon(self) -> float:
        s = self.settings
        return linear(s.epsilon_start, s.epsilon_end, s.epsilon_steps, int(self.counts["transitions"]))

    def act(self, group: Group) -> Choice:
        """Li's Algorithm 1 at all tables, by the critic as it is now; but the actor plays, or epsilon of the time
        anything."""
        net, seed = nets.playing(self.estimator, self.metadata), int(self.rng.integers(2**63))
        q, reward, leaves = group.value_search(net, seed, self.settings)
        logits = self.actor.evaluate(group.obs)
        # The largest of logits with Gumbel noise is a draw from the softmax.
        noise = self.rng.gumbel(size=logits.shape)
        anything = self.rng.random(group.batch) < self.epsilon
        noisy = np.where(group.mask, np.where(anything[:, None], noise, logits + noise), -np.inf)
        actions = noisy.argmax(1)
        extra = {"searched": q[range(group.batch), actions], "shaped": reward, "all_searched": q, "mask": group.mask}
        return Choice(actions, extra, counts={"leaves": leaves})

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
        _, slope = actor_loss(self.actor.begin(rows["obs"]), rows, self.settings.entropy)
        self.actor.back(slope)
        self.actor_optimiser.step()
        return found

    def gradient(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        """Leaves the gradient of the critic's loss with the estimator: as in Li's Equation 6, the mean of
        (y - Q(s, a))² + (Q_m(s, a) - Q(s, a))² with the reward r + r_m. Returns this loss and the mean Q(s, a)."""
        s = self.settings
        y = critic_target(self.actor, rows, rows["reward"] + s.mcts_reward * rows["shaped"], s.discount)
        return self.estimator.fit(rows["obs"], rows["action"], [(y, 1.0), (rows["searched"], s.mcts_loss)])


train = run.trainer(ActorCritic)
