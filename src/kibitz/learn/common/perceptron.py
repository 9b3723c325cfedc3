"""Perceptrons that are fitted without torch's book-keeping, which takes longer than the products of such small nets.

All weights of a net lie in one vector, which is the core's own, and their gradient in another, so that an optimiser has
one tensor to deal with and a search takes the weights as they are.
A loss is given by its slope: its derivative by the outputs [B, A], which each learner works out by hand. Where nets and
batches are small, the core does the sums, and leaves those with zeros out; where they are large, or not on the CPU,
torch does all of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from kibitz import _core
from kibitz.learn.common import checkpoint

Arrays = dict[str, npt.NDArray[Any]]

# Up to here the core is faster: rows of a batch, weights of a layer (beyond, they do not stay in the cache). With few
# weights it is faster in `fit` whatever the batch.
MOST_ROWS, MOST_WEIGHTS, FEW_WEIGHTS = 128, 250_000, 32_000


class Layer(NamedTuple):
    """A linear layer, as views of the net's vectors."""

    weight: Tensor  # [in, out]
    bias: Tensor
    weight_slope: Tensor
    bias_slope: Tensor


class Perceptron(nn.Sequential):
    """Linear layers with ReLU between them. The same seed, the same weights; torch's own stream is left alone."""

    def __init__(self, sizes: Sequence[int], seed: int, device: str = "cpu") -> None:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            layers: list[nn.Module] = []
            for before, after in itertools.pairwise(sizes):
                layers += [nn.Linear(before, after), nn.ReLU()]
        super().__init__(*layers[:-1])
        self.to(device)
        self._core = _core.Perceptron(list(sizes))
        self._gradient = _core.Gradient(self._core)
        most = max(a * b for a, b in itertools.pairwise(sizes))
        self.by_core = device == "cpu" and most <= MOST_WEIGHTS  # whether the core does the sums of small batches
        self.fitted_by_core = self.by_core and most <= FEW_WEIGHTS  # ... and in `fit` of all
        # Plain tensors: nothing that is done with them is remembered. On the CPU this is the core's memory.
        self._played = torch.from_numpy(self._core.weights)
        self.flat = self._played.to(device)
        self.slope = torch.zeros_like(self.flat)
        weights, slopes = self.parts(self.flat), self.parts(self.slope)
        for parameter, weight, slope in zip(self.parameters(), weights, slopes, strict=True):
            weight.copy_(parameter.detach())
            parameter.data, parameter.grad = weight, slope
        self.layers = [
            Layer(weights[i].t(), weights[i + 1], slopes[i].t(), slopes[i + 1]) for i in range(0, len(weights), 2)
        ]
        self._inputs: list[Tensor] = []  # of each layer, when `begin` was last called
        # The same numbers once more, as the core takes them.
        self._slopes: Any = self.slope.numpy() if device == "cpu" else None

    def in_core(self) -> _core.Perceptron:
        """The core's perceptron, with the weights as they are now."""
        if self.flat is not self._played:  # on another device
            self._played.copy_(self.flat)
        return self._core

    def _small(self, rows: Tensor) -> bool:
        return self.by_core and len(rows) <= MOST_ROWS

    def parts(self, vector: Tensor) -> list[Tensor]:
        """Views of a vector like `flat`, in the order and the shapes of the parameters. What one input adds to all
        outputs lies side by side; there may be room behind."""
        out, at = [], 0
        linear = [part for part in self if isinstance(part, nn.Linear)]
        for layer, stride in zip(linear, self._core.strides, strict=True):
            bias = at + layer.in_features * stride
            out.append(vector[at:bias].view(-1, stride)[:, : layer.out_features].t())
            out.append(vector[bias : bias + layer.out_features])
            at = bias + stride
        return out

    def take(self, other: Perceptron) -> None:
        """The other's weights."""
        self.flat.copy_(other.flat)

    def values(self, obs: Tensor) -> Tensor:
        """What it says [B, A]."""
        if self._small(obs):
            return torch.from_numpy(self._core.values(obs.numpy()))
        return self._climb(obs, [])

    def evaluate(self, obs: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """As `values`, of NumPy's arrays."""
        out: npt.NDArray[np.float32] = self.values(torch.from_numpy(obs).to(self.flat.device)).cpu().numpy()
        return out

    def values_of_options(self, obs: Tensor, counts: Tensor, options: Tensor) -> Tensor:
        """The first output for every option; a row of `obs` goes before each of its `counts` options."""
        if self.by_core:
            return torch.from_numpy(self._core.values_of_options(obs.numpy(), counts.numpy(), options.numpy()))
        first, width = self.layers[0], obs.shape[1]
        sums = torch.addmm(first.bias, obs, first.weight[:width]).repeat_interleave(counts, 0)  # once for every state
        sums = torch.addmm(sums, options, first.weight[width:])
        return (self._climb(sums.relu_(), [], 1) if len(self.layers) > 1 else sums)[:, 0]

    def begin(self, obs: Tensor) -> Tensor:
        """As `values`, and remembers what `back` needs."""
        if self._small(obs):
            self._inputs = [obs]
            return torch.from_numpy(self._gradient.begin(obs.numpy()))
        self._inputs = []
        return self._climb(obs, self._inputs)

    def back(self, slope: Tensor) -> None:
        """The gradient of a loss whose derivative by the outputs of `begin` is `slope`, into `self.slope`."""
        if self._small(slope):
            self.slope.zero_()
            self._gradient.back(self._inputs[0].numpy(), slope.numpy(), self._slopes)
            return
        for i in range(len(self.layers) - 1, -1, -1):
            layer, inputs = self.layers[i], self._inputs[i]
            torch.mm(inputs.t(), slope, out=layer.weight_slope)
            torch.sum(slope, 0, out=layer.bias_slope)
            if i > 0:
                # ReLU lets the slope through where its result is above zero.
                slope = torch.ops.aten.threshold_backward(torch.mm(slope, layer.weight.t()), inputs, 0)

    def _climb(self, obs: Tensor, inputs: list[Tensor], first: int = 0) -> Tensor:
        """What it says, by torch, given what layer `first` takes; adds what each layer took to `inputs`."""
        for layer in self.layers[first:]:
            inputs.append(obs)
            obs = torch.addmm(layer.bias, obs, layer.weight)
            if layer is not self.layers[-1]:
                obs.relu_()
        return obs

    def fit(self, obs: Tensor, action: Tensor, goals: Sequence[tuple[Tensor, float]]) -> tuple[float, float]:
        """The gradient of the sum of weight · mean (Q(s, a) - goal)², into `self.slope`; returns this loss, and the
        mean of Q(s, a)."""
        if self._small(obs) or self.fitted_by_core:
            self.slope.zero_()
            given = [(goal.numpy(), weight) for goal, weight in goals]
            return self._gradient.fit(obs.numpy(), action.numpy(), given, self._slopes)
        everything = self.begin(obs)
        at, n = action.unsqueeze(1), action.numel()
        q = everything.gather(1, at).squeeze(1)
        loss, slope = 0.0, torch.zeros_like(q)
        for goal, weight in goals:
            error = q - goal
            loss += torch.dot(error, error).item() * weight / n
            slope.add_(error, alpha=2 * weight / n)
        self.back(torch.zeros_like(everything).scatter_(1, at, slope.unsqueeze(1)))
        return loss, q.sum().item() / n


class Optimiser(Protocol):
    """What changes the weights of a net by its gradient; a checkpoint keeps its state."""

    def step(self) -> None: ...

    def state(self) -> Arrays: ...

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None: ...


class Adam:
    """torch's fused Adam with its usual numbers, on a net's one vector."""

    def __init__(self, net: Perceptron, learning_rate: float) -> None:
        self._net, self._learning_rate = net, learning_rate
        self._means, self._squares = torch.zeros_like(net.flat), torch.zeros_like(net.flat)
        self._steps = torch.zeros((), device=net.flat.device)

    def step(self) -> None:
        net = self._net
        self._steps += 1
        # What torch.optim.Adam(fused=True) comes to; on the way there it spends as long again.
        torch._fused_adam_(
            [net.flat], [net.slope], [self._means], [self._squares], [], [self._steps],
            lr=self._learning_rate, beta1=0.9, beta2=0.999, weight_decay=0.0, eps=1e-8, amsgrad=False, maximize=False,
        )  # fmt: skip

    def state(self) -> Arrays:
        """Named as torch.optim.Adam does, parameter by parameter: checkpoints of both can be read."""
        out: Arrays = {}
        steps = self._steps.cpu().numpy()
        for i, (mean, square) in enumerate(zip(*self._parts(), strict=True)):
            out[f"{i}.step"] = steps.copy()
            out[f"{i}.exp_avg"], out[f"{i}.exp_avg_sq"] = mean.cpu().numpy().copy(), square.cpu().numpy().copy()
        return out

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        if not arrays:  # torch keeps nothing before the first step
            for vector in (self._steps, self._means, self._squares):
                vector.zero_()
            return
        self._steps.fill_(checkpoint.number(float(checkpoint.array(arrays, "0.step", np.float32, ())), "steps"))
        for i, (mean, square) in enumerate(zip(*self._parts(), strict=True)):
            for part, key in ((mean, f"{i}.exp_avg"), (square, f"{i}.exp_avg_sq")):
                part.copy_(torch.from_numpy(checkpoint.array(arrays, key, np.float32, tuple(part.shape))))
            checkpoint.need(bool((square >= 0).all()), "a mean of squares is below zero")

    def _parts(self) -> tuple[list[Tensor], list[Tensor]]:
        return self._net.parts(self._means), self._net.parts(self._squares)


class Descent:
    """Plain gradient descent."""

    def __init__(self, net: Perceptron, learning_rate: float) -> None:
        self._net, self._learning_rate = net, learning_rate

    def step(self) -> None:
        self._net.flat.sub_(self._net.slope, alpha=self._learning_rate)

    def state(self) -> Arrays:
        return {}

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        pass
