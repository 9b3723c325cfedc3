"""DDQN with Monte Carlo tree search (Li, Algorithm 2): searched Q values as second target and as shaped rewards."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from kibitz.learn import ddqn
from kibitz.learn.common import nets, run
from kibitz.learn.common.replay import Array
from kibitz.learn.common.tables import Choice, Group, explore


@dataclass(frozen=True, kw_only=True)
class Settings(ddqn.Settings):
    """Those of DDQN, and of the search. The paper gives the simulations; c and the worlds are ours."""

    ranges = ddqn.Settings.ranges | {
        "simulations": (1, 10**6),
        "c": (0, 1000),
        "per_world": (1, 10**6),
        "mcts_loss": (0, 1000),
        "mcts_reward": (0, 1000),
    }

    simulations: int = 50  # per decision
    c: float = 0.2
    worlds: str = "sampled"  # or "true": in the real state, which peeks at hidden cards while training
    per_world: int = 1  # simulations in each sampled world; more are faster, 1 is exact
    mcts_loss: float = 1.0  # weight of L_mcts; 0 leaves it out
    mcts_reward: float = 1.0  # weight of r_m; 0 leaves it out

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.worlds not in ("sampled", "true"):
            raise ValueError(f"worlds must be sampled or true, not {self.worlds!r}")


class MctsDDQN(ddqn.DDQN):
    method = "mcts-ddqn"
    settings: Settings

    def __init__(self, settings: Settings, group: Group) -> None:
        super().__init__(settings, group)
        self.metadata = nets.describe(group.games[0], group.encoder, "q", {}, any_options=group.mixed_options)
        self.counts["leaves"] = 0  # states that searches asked the net about

    def search(self, group: Group) -> tuple[Array, Array]:
        """Algorithm 1 at all tables, by the estimator as it is now: Q_m [B, A] and r_m [B]."""
        s = self.settings
        q, reward, leaves = group.value_search(
            nets.playing(self.estimator, self.metadata),
            int(self.rng.integers(2**63)),
            simulations=s.simulations,
            c=s.c,
            discount=s.discount,
            worlds=s.worlds,
            per_world=s.per_world,
        )
        self.counts["leaves"] += leaves
        return q, reward

    def act(self, group: Group) -> Choice:
        q, reward = self.search(group)
        q[~group.mask] = -torch.inf
        actions = explore(q.argmax(1), group.mask, self.epsilon, self.rng)
        searched = q[range(group.batch), actions]
        return Choice(actions, {"searched": searched, "shaped": reward})

    def goals(self, rows: dict[str, Tensor]) -> list[tuple[Tensor, float]]:
        """Equation 6."""
        s = self.settings
        total = rows["reward"] + s.mcts_reward * rows["shaped"]
        goal = ddqn.target(self.estimator, rows | {"reward": total}, s.discount)
        return [(goal, 1.0), (rows["searched"], s.mcts_loss)]


train = run.trainer(MctsDDQN)
