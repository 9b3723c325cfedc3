"""Deep Monte Carlo (Li II.C, after DouZero): Q(s, a) is what games brought in the end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from kibitz.learn.common import replayed, run
from kibitz.learn.common.perceptron import Adam, Perceptron
from kibitz.learn.common.replay import Array
from kibitz.learn.common.tables import Choice, Group, Returns, best_of_each, explore


@dataclass(frozen=True, kw_only=True)
class Settings(replayed.Settings):
    """The paper gives the sizes, batch, learning rate and discount; the others are ours."""

    ranges = replayed.Settings.ranges | {"teacher_games": (0, 10**9)}

    # An agent who decides in the learner's place in so many games: what its actions bring is a better beginning than
    # what random ones do. Exploration is on top of it.
    teacher: str = ""
    teacher_games: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.teacher_games > 0) != (self.teacher != ""):
            raise ValueError("teacher and teacher_games go together: an agent, as in rules, and a number of games")

    def agents(self) -> list[str]:
        return [*super().agents(), *filter(None, [self.teacher])]


class DMC(replayed.ReplayLearner):
    """With a mask the net values all actions at once. In a game with more than 1,024 actions (Dou Di Zhu) it values one
    action at a time, whose features follow those of the state."""

    method = "dmc"
    settings: Settings

    def __init__(self, settings: Settings, group: Group) -> None:
        super().__init__(settings, group)
        self.featured = group.ragged
        if self.featured:
            self.output = "action"
        inputs = group.features + (group.action_features if self.featured else 0)
        self.q = self.net([inputs, *settings.hidden, 1 if self.featured else group.actions], 0)
        self.optimiser = Adam(self.q, settings.learning_rate)
        self.nets, self.optimisers = {"q": self.q}, {"q": self.optimiser}

    @property
    def player(self) -> Perceptron:
        return self.q

    def recorder(self, group: Group) -> Returns:
        return Returns(group, self.settings.discount)

    def act(self, group: Group) -> Choice:
        taught = self.advice(group) if self.counts["games"] < self.settings.teacher_games else None
        if self.featured:
            return self.act_by_features(group, taught)
        if taught is None:
            return self.greedy(self.q, group)
        return Choice(explore(taught, group.mask, self.epsilon, self.rng), {})

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

    def gradient(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        goals = [(rows["goal"], 1.0)]
        if self.featured:  # one output, whatever the action
            both = torch.cat([rows["obs"], rows["features"]], 1)
            return self.q.fit(both, torch.zeros_like(rows["action"]), goals)
        return self.q.fit(rows["obs"], rows["action"], goals)


train = run.trainer(DMC)
