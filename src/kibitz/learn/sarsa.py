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


def target(next_q: Tensor, rows: dict[str, Tensor], discount: float) -> Tensor:
    """y = r + discount · Q(s', a') [B] of the action a' that was played, where `next_q` is Q(s', ·)."""
    played = of_action(next_q, rows["next_action"])
    return rows["reward"] + discount * torch.where(rows["done"], 0.0, played)


class SARSA(dqn.DQN):
    """DQN with another y; everything else is the same."""

    method = "sarsa"

    def goal(self, rows: dict[str, Tensor]) -> Tensor:
        return target(self.q.values(rows["next_obs"]), rows, self.settings.discount)


train = run.trainer(SARSA)
