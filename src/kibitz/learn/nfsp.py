"""Neural fictitious self-play (Heinrich and Silver; Li II.D): a best response, and the average of all it was."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from torch import Tensor

from kibitz.learn import dqn
from kibitz.learn.common import checkpoint, run
from kibitz.learn.common.nets import only_legal
from kibitz.learn.common.perceptron import Adam
from kibitz.learn.common.replay import Array, Replay, Reservoir, Rows
from kibitz.learn.common.schedules import linear
from kibitz.learn.common.settings import COUNT, RATE, REPLAY_RANGES, SHARE, check_room
from kibitz.learn.common.settings import Settings as Common
from kibitz.learn.common.tables import Choice, Group, epsilon_greedy


@dataclass(frozen=True, kw_only=True)
class Settings(Common):
    """Those of DQN with a target net, whose Q net is the best response here, and of the average policy."""

    ranges = (
        Common.ranges
        | REPLAY_RANGES
        | {"target_every": COUNT, "anticipation": SHARE, "reservoir": (1, 10**8), "policy_learning_rate": RATE}
    )

    replay: int = 20_000  # transitions
    warm_up: int = 1_000  # transitions before the first update
    every: float = 1.0  # transitions per update
    epsilon_start: float = 0.12
    epsilon_end: float = 0.05
    epsilon_steps: int = 100_000  # transitions until epsilon_end
    target_every: int = 1_000  # updates between copies to the target net

    anticipation: float = 0.1  # eta: the share of games played by the best response
    reservoir: int = 100_000  # what the best response did
    policy_learning_rate: float = 5e-4

    def __post_init__(self) -> None:
        super().__post_init__()
        check_room(self.replay, self.batch)


def imitation_slope(logits: Tensor, rows: dict[str, Tensor]) -> Tensor:
    """The derivative, by the logits, of the mean negative log-likelihood of what the best response did, among the legal
    actions: odds less what was done."""
    slope = only_legal(logits, rows["mask"]).softmax(1)
    at = rows["action"].unsqueeze(1)
    return slope.scatter_(1, at, slope.gather(1, at) - 1).div_(len(slope))


class NFSP(run.Learner):
    method = "nfsp"
    output = "policy"
    settings: Settings

    def __init__(self, settings: Settings, group: Group) -> None:
        super().__init__(settings, group)
        self.refuse_ragged(group)
        sizes = [group.features, *settings.hidden, group.actions]
        self.estimator, self.target, self.policy = self.net(sizes, 0), self.net(sizes, 0), self.net(sizes, 1)
        self.optimiser = Adam(self.estimator, settings.learning_rate)
        self.policy_optimiser = Adam(self.policy, settings.policy_learning_rate)
        drawn = settings.batch * settings.target_every  # transitions, from one copy to the next
        self.replay = Replay(settings.replay, self.target.evaluate, drawn)
        self.reservoir = Reservoir(settings.reservoir)
        self.modes = Modes((group.batch, group.seats))
        self.modes.draw(np.ones(group.batch, bool), settings.anticipation, self.rng)
        self.player = self.policy
        self.nets = {"estimator": self.estimator, "target": self.target, "policy": self.policy}
        self.optimisers = {"estimator": self.optimiser, "policy": self.policy_optimiser}
        self.memories = {"replay": self.replay, "reservoir": self.reservoir, "modes": self.modes}

    @property
    def epsilon(self) -> float:
        """Of the best response."""
        s = self.settings
        return linear(s.epsilon_start, s.epsilon_end, s.epsilon_steps, int(self.counts["transitions"]))

    def act(self, group: Group) -> Choice:
        """In a share eta of the games the best response, ε-greedy in Q, and what it does is kept; else the average."""
        self.modes.draw(group.done, self.settings.anticipation, self.rng)
        q = self.estimator.evaluate(group.obs)
        response = epsilon_greedy(q, group.mask, self.epsilon, self.rng)
        logits = self.policy.evaluate(group.obs)
        # The largest of logits with Gumbel noise is a draw from the softmax.
        noisy = np.where(group.mask, logits + self.rng.gumbel(size=logits.shape), -np.inf)
        best = self.modes.best[np.arange(group.batch), group.seat]
        done: Rows = {"obs": group.obs[best], "mask": group.mask[best], "action": response[best]}
        return Choice(np.where(best, response, noisy.argmax(1)), aside=done if best.any() else {})

    def put_aside(self, rows: Rows) -> None:
        """What the best response did."""
        self.reservoir.add(rows, self.rng)

    def learn(self, rows: Rows) -> list[tuple[float, float]]:
        s = self.settings
        self.replay.add(rows)
        if self.replay.seen < s.warm_up:
            return []
        updates = self.due(len(rows["obs"]), s.every)
        transitions = self.batches(self.replay, updates, s.target_every)
        if self.reservoir.size < s.batch:
            return [self.update(batch) for batch in transitions]
        found: list[tuple[float, float]] = []
        for batch, done in zip(transitions, self.batches(self.reservoir, updates, s.target_every), strict=True):
            found.append(self.update(batch))
            self.imitate(done)
        return found

    def update(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        """Of the best response."""
        found = self.gradient(rows)
        self.optimiser.step()
        self.counts["updates"] += 1
        if self.counts["updates"] % self.settings.target_every == 0:
            self.target.take(self.estimator)
            self.replay.renew()
        return found

    def gradient(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        """Leaves the gradient of the mean of (y - Q(s, a))² with the estimator, where y = r + discount ·
        max Q_target(s', a'). Returns this loss and the mean Q(s, a)."""
        y = dqn.target(rows["next_q"], rows, self.settings.discount)
        return self.estimator.fit(rows["obs"], rows["action"], [(y, 1.0)])

    def imitate(self, rows: dict[str, Tensor]) -> None:
        """An update of the average policy: the mean of -log π(a|s) over what the best response did."""
        self.policy.back(imitation_slope(self.policy.begin(rows["obs"]), rows))
        self.policy_optimiser.step()


class Modes:
    """Who plays the best response in the running game, for every seat of every table."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.best = np.zeros(shape, bool)

    def draw(self, tables: Array, share: float, rng: np.random.Generator) -> None:
        """Anew for these tables. As many random numbers as seats, so that it does not matter which they are."""
        self.best = np.where(tables[:, None], rng.random(self.best.shape) < share, self.best)

    def state(self) -> Rows:
        return {"best": self.best}

    def restore(self, state: Rows) -> None:
        self.best = checkpoint.array(state, "best", np.bool_, self.best.shape)


train = run.trainer(NFSP)
