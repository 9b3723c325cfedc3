"""Perceptrons in torch, and the files in which the core plays them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from kibitz import _core
from kibitz.nets import net_metadata, pack_net, save_net


def perceptron(sizes: Sequence[int], seed: int, device: str = "cpu") -> nn.Sequential:
    """Linear layers with ReLU between them. The same seed, the same weights; torch's own stream is left alone."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        layers: list[nn.Module] = []
        for before, after in itertools.pairwise(sizes):
            layers += [nn.Linear(before, after), nn.ReLU()]
    return nn.Sequential(*layers[:-1]).to(device)


def only_legal(numbers: Tensor, mask: Tensor) -> Tensor:
    """Minus infinity where an action is not legal."""
    return numbers.masked_fill(~mask, -torch.inf)


def of_action(q: Tensor, action: Tensor) -> Tensor:
    """Q(s, a) [B] from Q(s, ·) [B, A]."""
    return q.gather(1, action.long().unsqueeze(1)).squeeze(1)


def layers_of(net: nn.Module) -> list[nn.Linear]:
    return [layer for layer in net.children() if isinstance(layer, nn.Linear)]


def values(net: nn.Module, obs: Tensor) -> Tensor:
    """What the perceptron says, without a thought of gradients: faster than calling it."""
    with torch.no_grad():
        *hidden, last = layers_of(net)
        for layer in hidden:
            obs = torch.addmm(layer.bias, obs, layer.weight.t()).relu_()
        return torch.addmm(last.bias, obs, last.weight.t())


def fit(net: nn.Module, obs: Tensor, action: Tensor, goals: Sequence[tuple[Tensor, float]]) -> tuple[float, float]:
    """Leaves in the weights' `grad` the gradient of the sum of weight · mean (Q(s, a) - goal)²; returns this loss, and
    the mean of Q(s, a). Worked out by hand: torch's book-keeping takes longer than such small products."""
    with torch.no_grad():
        layers = layers_of(net)
        inputs = [obs]
        for layer in layers[:-1]:
            inputs.append(torch.addmm(layer.bias, inputs[-1], layer.weight.t()).relu_())
        everything = torch.addmm(layers[-1].bias, inputs[-1], layers[-1].weight.t())
        at = action.unsqueeze(1)
        q = everything.gather(1, at).squeeze(1)
        shares = [weight / len(q) for _, weight in goals]
        errors = [q - goal for goal, _ in goals]
        slope = errors[0] * (2 * shares[0])
        for error, share in zip(errors[1:], shares[1:], strict=True):
            slope.add_(error, alpha=2 * share)
        back = torch.zeros_like(everything).scatter_(1, at, slope.unsqueeze(1))
        for i in range(len(layers) - 1, -1, -1):
            layers[i].weight.grad = back.t() @ inputs[i]
            layers[i].bias.grad = back.sum(0)
            if i > 0:
                back = (back @ layers[i].weight).mul_(inputs[i] > 0)
        loss = sum(torch.dot(error, error).item() * share for error, share in zip(errors, shares, strict=True))
        return loss, q.mean().item()


def backward(loss: Tensor) -> None:
    loss.backward()  # type: ignore[no-untyped-call]  # torch gives it no types


def constant_total(game: Any) -> float | None:
    """What all payoffs sum to, if that is always the same and not zero by the rules; seen in some random games."""
    if game.zero_sum:
        return None
    sums = np.asarray(game.playouts(64, seed=0).payoffs).sum(axis=1)
    return float(sums[0]) if np.ptp(sums) < 1e-6 else None


def describe(
    game: Any, encoder: str, output: str, extra: Mapping[str, str], *, any_players: bool = False
) -> dict[str, str]:
    """Metadata of a net for `game`; with any_players, for any number of players, and then of no use to a search."""
    options = [name for name in game.options if not (any_players and name == "players")]
    total = constant_total(game) if output == "q" and not any_players else None
    return net_metadata(game, encoder, output, total=total, options=options) | dict(extra)


def native(net: nn.Sequential, metadata: Mapping[str, str]) -> _core.NativeNet:
    """The net as it is now, inside the core."""
    return _core.NativeNet(pack_net(net.state_dict(), metadata))


def save(path: Path, net: nn.Sequential, metadata: Mapping[str, str]) -> None:
    save_net(path, net.state_dict(), metadata)
