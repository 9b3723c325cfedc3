"""MaskablePPO of sb3-contrib learns Tic-Tac-Toe against a random player.

    python examples/maskable_ppo.py --steps 30000

Needs the extra `sb3`. It prints the mean payoff over 500 games before and after: 1 is a win, 0 a draw, -1 a loss.
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import kibitz.adapters.gymnasium as kibitz_environments

GAME = kibitz_environments.environment_id("tictactoe")


def mean_payoff(model: MaskablePPO, games: int = 500) -> float:
    """Of the learner, which plays what it likes best, against the random player."""
    env: Any = gymnasium.make(GAME).unwrapped
    total = 0.0
    for seed in range(games):
        seen, _ = env.reset(seed=seed)
        done = False
        while not done:
            action, _ = model.predict(seen, action_masks=env.action_masks(), deterministic=True)
            seen, reward, done, _, _ = env.step(np.int64(action))
        total += reward
    return total / games


def train(steps: int, seed: int = 1) -> tuple[float, float]:
    """The mean payoff before and after."""
    torch.set_num_threads(1)  # the network is small
    envs = make_vec_env(GAME, n_envs=8, seed=seed)
    model = MaskablePPO("MlpPolicy", envs, n_steps=128, batch_size=256, learning_rate=1e-3, seed=seed, device="cpu")
    before = mean_payoff(model)
    model.learn(steps)
    return before, mean_payoff(model)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--steps", type=int, default=30_000)
    before, after = train(options.parse_args().steps)
    print(f"mean payoff against random: {before:.2f} before, {after:.2f} after")
