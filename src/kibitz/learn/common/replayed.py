"""What the learners with a replay share: one update for every so many transitions, drawn from the last ones."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from torch import Tensor

from kibitz.learn.common import run
from kibitz.learn.common.perceptron import Optimiser
from kibitz.learn.common.replay import Memory, Replay, Rows
from kibitz.learn.common.schedules import linear
from kibitz.learn.common.settings import COUNT, SHARE
from kibitz.learn.common.settings import Settings as Common
from kibitz.learn.common.tables import Group

TOGETHER = 1_024  # rows that are drawn at once: few calls, and they still fit into the cache


@dataclass(frozen=True, kw_only=True)
class Settings(Common):
    """The papers give none of these."""

    ranges = Common.ranges | {
        "replay": (1, 10**8),
        "warm_up": (0, 10**9),
        "every": (1e-6, 10**9),
        "epsilon_start": SHARE,
        "epsilon_end": SHARE,
        "epsilon_steps": COUNT,
    }

    replay: int = 20_000  # transitions
    warm_up: int = 1_000  # transitions before the first update
    every: float = 1.0  # transitions per update
    epsilon_start: float = 1.0
    epsilon_end: float = 0.05
    epsilon_steps: int = 100_000  # transitions until epsilon_end

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.replay < self.batch:
            raise ValueError(f"replay must have room for a batch of {self.batch}, not only for {self.replay}")


class ReplayLearner(run.Learner):
    settings: Settings
    optimiser: Optimiser

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
        left = self.due(len(rows["obs"]), self.settings.every)
        found: list[tuple[float, float]] = []
        while left > 0:
            n = min(left, self.steady(), max(1, TOGETHER // self.settings.batch))
            found += [self.update(batch) for batch in self.batches(n)]
            left -= n
        return found

    def steady(self) -> int:
        """How many updates what `prepared` works out holds for."""
        return TOGETHER

    def prepared(self, rows: dict[str, Tensor]) -> dict[str, Tensor]:
        """With what can be worked out for several updates at once."""
        return rows

    def batches(self, n: int) -> list[dict[str, Tensor]]:
        """For so many updates."""
        return self.split(self.prepared(self.drawn(self.replay, n)))

    def drawn(self, memory: Memory, n: int) -> dict[str, Tensor]:
        return self.tensors(memory.sample(self.rng, n * self.settings.batch))

    def split(self, rows: dict[str, Tensor]) -> list[dict[str, Tensor]]:
        """Batch by batch."""
        parts = [values.view(-1, self.settings.batch, *values.shape[1:]).unbind() for values in rows.values()]
        return [dict(zip(rows, part, strict=True)) for part in zip(*parts, strict=True)]

    def update(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        found = self.gradient(rows)
        self.optimiser.step()
        self.counts["updates"] += 1
        return found
