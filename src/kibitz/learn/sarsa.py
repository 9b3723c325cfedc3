"""DeepSARSA as Brown, Jasson and Swarnakar have it: DQN that learns from the action really taken next."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from kibitz.learn import dqn
from kibitz.learn.common import run
from kibitz.learn.common.nets import of_action, values


@dataclass(frozen=True, kw_only=True)
class Settings(dqn.Settings):
    """Those of DQN; the paper trained a shorter time."""

    episodes: int = 125_000


def target(net: nn.Module, rows: dict[str, Tensor], discount: float) -> Tensor:
    """r + discount · Q(s', a') of the action that was played. [B]"""
    later = of_action(values(net, rows["next_obs"]), rows["next_action"])
    return rows["reward"] + discount * torch.where(rows["done"], 0.0, later)


class SARSA(dqn.DQN):
    method = "sarsa"

    def goal(self, rows: dict[str, Tensor]) -> Tensor:
        return target(self.q, rows, self.settings.discount)


train = run.trainer(SARSA)
