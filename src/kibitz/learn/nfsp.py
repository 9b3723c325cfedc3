"""Neural fictitious self-play (Heinrich and Silver; Li II.D): a best response, and the average of all it was."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from torch import Tensor

from kibitz.learn import ddqn, dqn
from kibitz.learn.common import checkpoint, run
from kibitz.learn.common.nets import only_legal
from kibitz.learn.common.perceptron import Adam, Perceptron
from kibitz.learn.common.replay import Array, Reservoir, Rows
from kibitz.learn.common.settings import RATE, SHARE
from kibitz.learn.common.tables import Choice, Group


@dataclass(frozen=True, kw_only=True)
class Settings(ddqn.Settings):
    """Those of DDQN, whose Q net is the best response here, and of the average policy."""

    ranges = ddqn.Settings.ranges | {"anticipation": SHARE, "reservoir": (1, 10**8), "policy_learning_rate": RATE}

    anticipation: float = 0.1  # eta: the share of games played by the best response
    reservoir: int = 100_000  # what the best response did
    policy_learning_rate: float = 5e-4
    epsilon_start: float = 0.12


def imitation_slope(logits: Tensor, rows: dict[str, Tensor]) -> Tensor:
    """The derivative, by the logits, of the mean negative log-likelihood of what the best response did, among the legal
    actions: odds less what was done."""
    slope = only_legal(logits, rows["mask"]).softmax(1)
    at = rows["action"].unsqueeze(1)
    return slope.scatter_(1, at, slope.gather(1, at) - 1).div_(len(slope))


class NFSP(ddqn.DDQN):
    method = "nfsp"
    output = "policy"
    settings: Settings

    def __init__(self, settings: Settings, group: Group) -> None:
        super().__init__(settings, group)
        self.policy = self.net([group.features, *settings.hidden, group.actions], 1)
        self.policy_optimiser = Adam(self.policy, settings.policy_learning_rate)
        self.reservoir = Reservoir(settings.reservoir)
        self.modes = Modes((group.batch, group.seats))
        self.modes.draw(np.ones(group.batch, bool), settings.anticipation, self.rng)
        self.nets |= {"policy": self.policy}
        self.optimisers |= {"policy": self.policy_optimiser}
        self.memories |= {"reservoir": self.reservoir, "modes": self.modes}

    @property
    def player(self) -> Perceptron:
        return self.policy

    def act(self, group: Group) -> Choice:
        self.modes.draw(group.done, self.settings.anticipation, self.rng)
        response = super().act(group).actions
        logits = self.forward(self.policy, group.obs)
        # The largest of logits with Gumbel noise is a draw from the softmax.
        noisy = np.where(group.mask, logits + self.rng.gumbel(size=logits.shape), -np.inf)
        best = self.modes.best[np.arange(group.batch), group.seat]
        if best.any():
            self.reservoir.add({"obs": group.obs[best], "mask": group.mask[best], "action": response[best]}, self.rng)
        return Choice(np.where(best, response, noisy.argmax(1)), {})

    def prepared(self, rows: dict[str, Tensor]) -> dict[str, Tensor]:
        """With the goals: only the target net has a say in them."""
        rows = super().prepared(rows)
        return rows | {"goal": dqn.target(rows["later"], rows, self.settings.discount)}

    def goals(self, rows: dict[str, Tensor]) -> list[tuple[Tensor, float]]:
        return [(rows["goal"], 1.0)]

    def batches(self, n: int) -> list[dict[str, Tensor]]:
        rows = super().batches(n)
        if self.reservoir.size < self.settings.batch:
            return rows
        done = self.split(self.drawn(self.reservoir, n))
        return [q | {f"done.{key}": values for key, values in p.items()} for q, p in zip(rows, done, strict=True)]

    def update(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        found = super().update(rows)
        if "done.obs" in rows:
            self.imitate({key: rows[f"done.{key}"] for key in ("obs", "mask", "action")})
            self.policy_optimiser.step()
        return found

    def imitate(self, rows: dict[str, Tensor]) -> None:
        """Leaves the gradient with the policy's weights."""
        self.policy.back(imitation_slope(self.policy.begin(rows["obs"]), rows))


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
