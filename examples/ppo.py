"""PPO in one file, in the style of CleanRL, on many games of Uno at once; the opponent plays at random.

    python examples/ppo.py --steps 400000

Needs the extras `adapters` and `train`. All games are stepped by one call (`gymnasium.make_vec`), and illegal actions
are masked out of the policy. It prints the mean payoff over 2,000 games before and after: 1 is a win, -1 a loss.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from typing import Any

import gymnasium
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import kibitz.adapters.gymnasium

gymnasium.register_envs(kibitz.adapters.gymnasium)  # they are registered when they are imported


@dataclass(frozen=True)
class Settings:
    game: str = "kibitz/Uno-v0"
    options: dict[str, Any] = field(default_factory=lambda: {"rules": "rlcard", "opponents": "random"})
    envs: int = 64
    rollout: int = 64  # steps of every game between two updates
    steps: int = 400_000  # of all games together
    epochs: int = 4
    minibatches: int = 4
    learning_rate: float = 1e-3
    gamma: float = 1.0  # payoffs come at the end, and games are short
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    value_loss: float = 0.5
    max_norm: float = 0.5
    seed: int = 1


class ActorCritic(nn.Module):
    def __init__(self, features: int, actions: int, width: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        hidden = self.body(seen)
        logits = self.policy(hidden).masked_fill(mask == 0, -1e9)
        return Categorical(logits=logits), self.value(hidden).squeeze(-1)


def make(settings: Settings) -> Any:
    return gymnasium.make_vec(settings.game, num_envs=settings.envs, **settings.options)


def tensors(seen: np.ndarray, infos: dict[str, Any]) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.from_numpy(seen.reshape(len(seen), -1)), torch.from_numpy(infos["action_mask"])


@torch.no_grad()
def mean_payoff(net: ActorCritic, settings: Settings, games: int = 2_000) -> float:
    """Of the learner, which plays what it likes best. Each table plays as many games, lest short ones count more."""
    envs = make(settings)
    seen, infos = envs.reset(seed=settings.seed + 1)
    per_table = -(-games // settings.envs)
    played, total = np.zeros(settings.envs, int), 0.0
    while (played < per_table).any():
        policy, _ = net(*tensors(seen, infos))
        seen, rewards, done, _, infos = envs.step(policy.logits.argmax(-1).numpy())
        total += float(rewards[done & (played < per_table)].sum())
        played += done
    return total / (per_table * settings.envs)


@torch.no_grad()
def collect(net: ActorCritic, envs: Any, now: Any, settings: Settings) -> tuple[dict[str, torch.Tensor], Any]:
    """A rollout with its advantages, and where it ended."""
    kept: dict[str, list[torch.Tensor]] = {
        name: [] for name in ("seen", "mask", "action", "logp", "value", "reward", "done")
    }
    for _ in range(settings.rollout):
        seen, mask = tensors(*now)
        policy, value = net(seen, mask)
        action = policy.sample()
        following, rewards, done, _, infos = envs.step(action.numpy())
        now = following, infos
        row = (
            seen,
            mask,
            action,
            policy.log_prob(action),
            value,
            torch.from_numpy(rewards).float(),
            torch.from_numpy(done),
        )
        for name, part in zip(kept, row, strict=True):
            kept[name].append(part)
    out = {name: torch.stack(parts) for name, parts in kept.items()}
    advantage, following_value = torch.zeros(settings.envs), net(*tensors(*now))[1]
    out["advantage"] = torch.zeros_like(out["value"])
    for t in reversed(range(settings.rollout)):
        goes_on = 1.0 - out["done"][t].float()
        delta = out["reward"][t] + settings.gamma * following_value * goes_on - out["value"][t]
        advantage = delta + settings.gamma * settings.gae_lambda * goes_on * advantage
        out["advantage"][t], following_value = advantage, out["value"][t]
    out["goal"] = out["advantage"] + out["value"]
    return {name: part.flatten(0, 1) for name, part in out.items()}, now


def update(
    net: ActorCritic, optimizer: torch.optim.Optimizer, batch: dict[str, torch.Tensor], settings: Settings
) -> None:
    size = len(batch["action"])
    for _ in range(settings.epochs):
        for places in torch.randperm(size).chunk(settings.minibatches):
            part = {name: rows[places] for name, rows in batch.items()}
            policy, value = net(part["seen"], part["mask"])
            advantage = (part["advantage"] - part["advantage"].mean()) / (part["advantage"].std() + 1e-8)
            ratio = (policy.log_prob(part["action"]) - part["logp"]).exp()
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            gain = torch.min(ratio * advantage, clipped * advantage).mean()
            loss = -gain + settings.value_loss * (value - part["goal"]).pow(2).mean()
            loss = loss - settings.entropy * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), settings.max_norm)
            optimizer.step()


def train(settings: Settings) -> tuple[float, float]:
    """The mean payoff before and after."""
    torch.manual_seed(settings.seed)
    torch.set_num_threads(1)  # the network is small
    envs = make(settings)
    features = int(np.prod(envs.single_observation_space.shape))
    net = ActorCritic(features, int(envs.single_action_space.n))
    optimizer = torch.optim.Adam(net.parameters(), lr=settings.learning_rate)
    before = mean_payoff(net, settings)
    now = envs.reset(seed=settings.seed)
    for _ in range(settings.steps // (settings.envs * settings.rollout)):
        batch, now = collect(net, envs, now, settings)
        update(net, optimizer, batch, settings)
    return before, mean_payoff(net, settings)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--steps", type=int, default=Settings.steps)
    before, after = train(Settings(steps=options.parse_args().steps))
    print(f"mean payoff against random: {before:.2f} before, {after:.2f} after")
