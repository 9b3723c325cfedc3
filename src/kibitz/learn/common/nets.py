"""What learners ask of outputs, and the files in which the core plays nets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from kibitz._core import Game
from kibitz.learn.common.perceptron import Perceptron
from kibitz.nets import FORMAT, Net, net_metadata, save_net


def only_legal(numbers: Tensor, mask: Tensor) -> Tensor:
    """Minus infinity where an action is not legal."""
    return torch.where(mask, numbers, -torch.inf)


def of_action(q: Tensor, action: Tensor) -> Tensor:
    """Q(s, a) [B] from Q(s, ·) [B, A]."""
    return q.gather(1, action.long().unsqueeze(1)).squeeze(1)


def constant_total(game: Game) -> float | None:
    """What all payoffs sum to, if that is always the same and not zero by the rules; seen in some random games."""
    if game.zero_sum:
        return None
    sums = np.asarray(game.playouts(64, seed=0).payoffs).sum(axis=1)
    return float(sums[0]) if np.ptp(sums) < 1e-6 else None


def describe(
    game: Game, encoder: str, output: str, extra: Mapping[str, str], *, any_options: Sequence[str] = ()
) -> dict[str, str]:
    """Metadata of a net for `game`, whatever the values of `any_options`. What payoffs sum to may depend on them, so
    that such a net is of no use to a search where they do not sum to zero."""
    options = [name for name in game.options if name not in any_options]
    total = constant_total(game) if output == "q" and not any_options else None
    return net_metadata(game, encoder, output, total=total, options=options) | dict(extra)


def playing(net: Perceptron, metadata: Mapping[str, str]) -> Net:
    """What a search asks: the weights as they are now. They are copied, but not packed and read again."""
    return Net(net.in_core(), FORMAT | dict(metadata))


def save(path: Path, net: Perceptron, metadata: Mapping[str, str]) -> None:
    save_net(path, net.state_dict(), metadata)
