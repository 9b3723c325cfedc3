"""DeepSARSA as Brown, Jasson and Swarnakar have it: DQN that learns from the action really taken next."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from kibitz.learn import dqn
from kibitz.learn.common import run
from kibitz.learn.common.nets import of_action


@dataclass(frozen=True, kw_only=True)
class Settings(dqn.Settings):
    """Those of DQN; the paper trained a shorter time."""

    episodes: int = 125_000


def target(later: Tensor, rows: dict[str, Tensor], discount: float) -> Tensor:
    """r + discount · Q(s', a') of the action that was played [B], where `later` is Q(s', ·)."""
    later = of_action(later, rows["next_action"])
    return rows["reward"] + discount * torch.where(rows["done"], 0.0, later)


class SARSA(dqn.DQN):
    method = "sarsa"

    def goal(self, rows: dict[str, Tensor]) -> Tensor:
        return target(self.q.values(rows["next_obs"]), rows, self.settings.discount)


train = run.trainer(SARSA)
