"""What the learners with a replay share: one update for every so many transitions, drawn from the last ones."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import torch
from torch import Tensor

from kibitz.learn.common import run
from kibitz.learn.common.replay import Replay, Rows
from kibitz.learn.common.schedules import linear
from kibitz.learn.common.settings import Settings as Common
from kibitz.learn.common.tables import Group


@dataclass(frozen=True, kw_only=True)
class Settings(Common):
    """The papers give none of these."""

    replay: int = 20_000  # transitions
    warm_up: int = 1_000  # transitions before the first update
    every: float = 1.0  # transitions per update
    epsilon_start: float = 1.0
    epsilon_end: float = 0.05
    epsilon_steps: int = 100_000  # transitions until epsilon_end

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("replay", "epsilon_steps"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")
        if not self.every > 0:
            raise ValueError(f"every must be above 0, not {self.every}")


class ReplayLearner(run.Learner):
    settings: Settings
    optimiser: torch.optim.Optimizer

    def __init__(self, settings: Settings, group: Group) -> None:
        super().__init__(settings, group)
        self.replay = Replay(settings.replay)
        self.memories = {"replay": self.replay}

    @property
    def epsilon(self) -> float:
        s = self.settings
        return linear(s.epsilon_start, s.epsilon_end, s.epsilon_steps, int(self.counts["transitions"]))

    @abstractmethod
    def gradient(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        """Leaves it with the weights; returns the loss and the mean predicted Q."""

    def learn(self, rows: Rows) -> list[tuple[float, float]]:
        self.replay.add(rows)
        if self.replay.seen < self.settings.warm_up:
            return []
        updates, batch = self.due(len(rows["obs"]), self.settings.every), self.settings.batch
        drawn = self.tensors(self.replay.sample(self.rng, updates * batch))  # for all updates at once
        parts = [{key: values[i * batch : (i + 1) * batch] for key, values in drawn.items()} for i in range(updates)]
        return [self.update(part) for part in parts]

    def update(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        found = self.gradient(rows)
        self.optimiser.step()
        self.counts["updates"] += 1
        return found
