"""Deep Monte Carlo (Li II.C, after DouZero): Q(s, a) is what games brought in the end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from kibitz.learn.common import run
from kibitz.learn.common.perceptron import Adam
from kibitz.learn.common.replay import Array, Replay, Rows
from kibitz.learn.common.schedules import linear
from kibitz.learn.common.settings import REPLAY_RANGES, check_room
from kibitz.learn.common.settings import Settings as Common
from kibitz.learn.common.tables import Choice, Group, Returns, best_of_each, epsilon_greedy, explore


@dataclass(frozen=True, kw_only=True)
class Settings(Common):
    """The paper gives the sizes, batch, learning rate and discount; the others are ours."""

    ranges = Common.ranges | REPLAY_RANGES | {"teacher_games": (0, 10**9)}

    replay: int = 20_000  # decisions
    warm_up: int = 1_000  # decisions before the first update
    every: float = 1.0  # decisions per update
    epsilon_start: float = 1.0
    epsilon_end: float = 0.05
    epsilon_steps: int = 100_000  # decisions until epsilon_end

    # An agent who decides in the learner's place in so many games: what its actions bring is a better beginning than
    # what random ones do. Exploration is on top of it.
    teacher: str = ""
    teacher_games: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_room(self.replay, self.batch)
        if (self.teacher_games > 0) != (self.teacher != ""):
            raise ValueError("teacher and teacher_games go together: an agent, as in rules, and a number of games")

    def agents(self) -> list[str]:
        return [*super().agents(), *filter(None, [self.teacher])]


class DMC(run.Learner):
    """With a mask the net values all actions at once. In a game with more than 1,024 actions (Dou Di Zhu) it values one
    action at a time, whose features follow those of the state."""

    method = "dmc"
    settings: Settings

    def __init__(self, settings: Settings, group: Group) -> None:
        super().__init__(settings, group)
        self.featured = group.ragged
        if group.action_features == 0:
            self.refuse_ragged(group)
        if self.featured:
            self.output = "action"
        inputs = group.features + (group.action_features if self.featured else 0)
        self.q = self.net([inputs, *settings.hidden, 1 if self.featured else group.actions], 0)
        self.optimiser = Adam(self.q, settings.learning_rate)
        self.replay = Replay(settings.replay)
        self.player = self.q
        self.nets, self.optimisers, self.memories = {"q": self.q}, {"q": self.optimiser}, {"replay": self.replay}

    @property
    def epsilon(self) -> float:
        s = self.settings
        return linear(s.epsilon_start, s.epsilon_end, s.epsilon_steps, int(self.counts["transitions"]))

    def recorder(self, group: Group) -> Returns:
        """Rows come when their game is over, with `goal`: G(s) = R(s) + λ G(s')."""
        return Returns(group, self.settings.discount)

    def act(self, group: Group) -> Choice:
        taught = self.advice(group) if self.counts["games"] < self.settings.teacher_games else None
        if self.featured:
            return self.act_by_features(group, taught)
        if taught is None:
            q = self.q.evaluate(group.obs)
            return Choice(epsilon_greedy(q, group.mask, self.epsilon, self.rng))
        return Choice(explore(taught, group.mask, self.epsilon, self.rng))

    def advice(self, group: Group) -> Array:
        return group.advise(self.settings.teacher, int(self.rng.integers(2**63)))

    def act_by_features(self, group: Group, taught: Array | None) -> Choice:
        starts = np.concatenate([[0], np.cumsum(group.counts)[:-1]])
        if taught is None:
            chosen = best_of_each(self.value_options(group.obs, group.options, group.counts), group.counts)
        else:
            chosen = np.flatnonzero(group.ids == np.repeat(taught, group.counts))
        anything = starts + (self.rng.random(group.batch) * group.counts).astype(np.int64)
        chosen = np.where(self.rng.random(group.batch) < self.epsilon, anything, chosen)
        return Choice(group.ids[chosen], {"features": group.options[chosen]})

    def value_options(self, obs: Array, options: Array, counts: Array) -> Array:
        """Q of every legal action of all tables [T]."""
        rows = self.tensors({"obs": obs, "options": options, "counts": counts})
        out: Array = self.q.values_of_options(rows["obs"], rows["counts"], rows["options"]).cpu().numpy()
        return out

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
        """Leaves the gradient of the mean of (G(s) - Q(s, a))² with the net. Returns this loss and the mean Q(s, a)."""
        goals = [(rows["goal"], 1.0)]
        if self.featured:  # one output, whatever the action
            both = torch.cat([rows["obs"], rows["features"]], 1)
            return self.q.fit(both, torch.zeros_like(rows["action"]), goals)
        return self.q.fit(rows["obs"], rows["action"], goals)


train = run.trainer(DMC)
