"""Perceptrons fitted by hand: the same numbers as torch's own book-keeping and optimisers give."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

import kibitz
from kibitz import _core
from kibitz.learn import distill, mcts_actor_critic, nfsp
from kibitz.learn.common.nets import describe, only_legal, playing, save
from kibitz.learn.common.perceptron import MOST_ROWS, Adam, Descent, Perceptron

SIZES = [[20, 9], [20, 16, 9], [20, 16, 12, 9]]


def batch(n: int = 40, seed: int = 1) -> dict[str, Tensor]:
    random = torch.Generator().manual_seed(seed)
    mask = torch.rand(n, 9, generator=random) < 0.5
    mask[:, 4] = True
    return {
        "obs": torch.rand(n, 20, generator=random) * (torch.rand(n, 20, generator=random) < 0.4),
        "mask": mask,
        "action": torch.where(torch.rand(n, generator=random) < 0.5, 4, mask.float().argmax(1)),
        "goal": torch.randn(n, generator=random),
        "searched": torch.randn(n, generator=random),
        "all_searched": torch.randn(n, 9, generator=random).masked_fill(~mask, 0.0),
    }


# Every loss twice: as torch reads it, and as our learners leave its gradient with the net.


def squares(net: nn.Module, rows: dict[str, Tensor]) -> Tensor:
    q: Tensor = net(rows["obs"]).gather(1, rows["action"].unsqueeze(1)).squeeze(1)
    return (q - rows["goal"]).square().mean() + 0.3 * (q - rows["searched"]).square().mean()


def squares_by_hand(net: Perceptron, rows: dict[str, Tensor]) -> float:
    return net.fit(rows["obs"], rows["action"], [(rows["goal"], 1.0), (rows["searched"], 0.3)])[0]


def imitation(net: nn.Module, rows: dict[str, Tensor]) -> Tensor:
    return nn.functional.cross_entropy(only_legal(net(rows["obs"]), rows["mask"]), rows["action"])


def imitation_by_hand(net: Perceptron, rows: dict[str, Tensor]) -> None:
    net.back(nfsp.imitation_slope(net.begin(rows["obs"]), rows))


def actor(net: nn.Module, rows: dict[str, Tensor]) -> Tensor:
    logits = only_legal(net(rows["obs"]), rows["mask"])
    odds, q = logits.softmax(1), rows["all_searched"]
    advantage = q - (odds.detach() * q).sum(1, keepdim=True)
    logs = torch.where(rows["mask"], logits.log_softmax(1), 0.0)
    return -(odds * advantage).sum(1).mean() + 0.1 * (odds * logs).sum(1).mean()


def actor_by_hand(net: Perceptron, rows: dict[str, Tensor]) -> float:
    loss, slope = mcts_actor_critic.actor_loss(net.begin(rows["obs"]), rows, 0.1)
    net.back(slope)
    return loss.item()


def taught(net: nn.Module, rows: dict[str, Tensor]) -> Tensor:
    mask, count = rows["mask"], rows["mask"].sum(1)
    error = (net(rows["obs"]) - rows["all_searched"]).masked_fill(~mask, 0.0)
    mean = error.sum(1) / count
    apart = (error - mean.unsqueeze(1)).masked_fill(~mask, 0.0)
    loss: Tensor = (mean.square() + 10 * apart.square().sum(1) / count).mean()
    return loss


def taught_by_hand(net: Perceptron, rows: dict[str, Tensor]) -> float:
    loss, slope = distill.loss_of(net.begin(rows["obs"]), rows["mask"], rows["all_searched"], 10.0)
    net.back(slope)
    return loss.item()


LOSSES: dict[str, tuple[Callable[..., Tensor], Callable[..., float | None]]] = {
    "squares": (squares, squares_by_hand),
    "imitation": (imitation, imitation_by_hand),
    "actor": (actor, actor_by_hand),
    "taught": (taught, taught_by_hand),
}


def twin(net: Perceptron) -> nn.Sequential:
    """The same net, in torch's hands."""
    layers: list[nn.Module] = []
    for layer in net.layers:
        layers += [nn.Linear(*layer.weight.shape), nn.ReLU()]
    out = nn.Sequential(*layers[:-1])
    out.load_state_dict(net.state_dict())
    return out


@pytest.mark.parametrize("n", [40, 300])  # fewer than the core takes together, and several times as many
@pytest.mark.parametrize("in_core", [True, False])
@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("loss", sorted(LOSSES))
def test_gradients_are_those_of_torch(loss: str, sizes: list[int], in_core: bool, n: int) -> None:
    by_torch, by_hand = LOSSES[loss]
    net, rows = Perceptron(sizes, 3), batch(n)
    net.by_core = net.fitted_by_core = in_core
    net.slope.fill_(7.0)  # of an earlier batch
    other = twin(net)
    expected = by_torch(other, rows)
    gradients = torch.autograd.grad(expected, list(other.parameters()))
    found = by_hand(net, rows)
    assert found is None or found == pytest.approx(expected.item(), rel=1e-5)
    for gradient, part, parameter in zip(gradients, net.parts(net.slope), net.parameters(), strict=True):
        assert parameter.grad is not None
        assert torch.equal(parameter.grad, part)
        np.testing.assert_allclose(part.numpy(), gradient.numpy(), atol=1e-5)
    np.testing.assert_allclose(net.values(rows["obs"]).numpy(), other(rows["obs"]).detach().numpy(), atol=1e-5)


@pytest.mark.parametrize("in_core", [True, False])
@pytest.mark.parametrize("sizes", [[20, 1], [20, 40, 33, 2]])
def test_options_are_valued_with_their_state(sizes: list[int], in_core: bool) -> None:
    net, rows = Perceptron(sizes, 3), batch()
    net.by_core = in_core
    states, options = rows["obs"][:4, :15].contiguous(), rows["obs"][:, 15:].contiguous()
    counts = torch.tensor([1, 25, 0, 14])
    together = torch.cat([states.repeat_interleave(counts, 0), options], 1)
    expected = twin(net)(together)[:, 0].detach()
    np.testing.assert_allclose(net.values_of_options(states, counts, options).numpy(), expected.numpy(), atol=1e-5)


def test_the_core_plays_what_was_trained_to_the_last_bit() -> None:
    game = kibitz.make("tictactoe")
    size = game.encoders[next(iter(game.encoders))].size
    net = Perceptron([size, 16, 12, 9], 3)
    random = torch.Generator().manual_seed(1)
    obs = torch.rand(50, size, generator=random) * (torch.rand(50, size, generator=random) < 0.5)
    obs[25:] = obs[25:].ceil()  # zeros and ones
    core = playing(net, describe(game, next(iter(game.encoders)), "q", {}))
    assert (core.evaluate(obs.numpy()) == net.values(obs).numpy()).all()


def test_a_search_gets_the_weights_as_they_are(tmp_path: Path) -> None:
    """What a file with them would give, and nothing of what comes later."""
    game = kibitz.make("tictactoe")
    size = game.encoders["planes"].size
    net, obs = Perceptron([size, 40, 9], 3), np.random.default_rng(1).random((5, size), np.float32)
    metadata = describe(game, "planes", "q", {"method": "none"})
    save(tmp_path / "net", net, metadata)
    now, file = playing(net, metadata), kibitz.Net.load(tmp_path / "net")
    assert (now.metadata, now.sizes) == (file.metadata, file.sizes)
    before = file.evaluate(obs)
    assert (now.evaluate(obs) == before).all()
    net.flat.mul_(2.0)
    assert (now.evaluate(obs) == before).all()
    assert not (playing(net, metadata).evaluate(obs) == before).all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda net, metadata: net.flat.fill_(float("nan")), "a weight that is not finite"),
        (lambda net, metadata: metadata.update(final="tanh"), "final of a net must be that of its perceptron"),
        (lambda net, metadata: metadata.update(version="9"), "version '9' of nets is unknown"),
        (lambda net, metadata: metadata.pop("game"), "needs 'game'"),
    ],
)
def test_a_search_gets_no_weights_that_a_file_could_not_have(change: Any, words: str) -> None:
    game = kibitz.make("tictactoe")
    net, metadata = Perceptron([game.encoders["planes"].size, 9], 3), describe(game, "planes", "q", {})
    change(net, metadata)
    with pytest.raises(ValueError, match=words):
        playing(net, metadata)


@pytest.mark.parametrize("sizes", [[], [5], [5, 0, 3], [5, 2**21]])
def test_the_core_refuses_other_sizes(sizes: list[int]) -> None:
    with pytest.raises(ValueError, match="a perceptron needs at least two sizes, each from 1 to 1048576"):
        _core.Perceptron(sizes)


def test_a_net_that_lives_until_the_end_is_no_leak() -> None:
    """torch does not free its tensors then, and nanobind tells of every object of the core that is left."""
    program = "from kibitz.learn.common.perceptron import Perceptron; net = Perceptron([5, 4, 3], 1)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stderr == ""


def test_gradients_go_nowhere_else() -> None:
    net, rows = Perceptron([20, 16, 9], 3), batch()
    wrong: Any = np.zeros(net.slope.numel())  # of 64 bits: a copy would take the gradient
    with pytest.raises(TypeError):
        net._gradient.fit(rows["obs"].numpy(), rows["action"].numpy(), [], wrong)


@pytest.mark.parametrize("rows", [MOST_ROWS, MOST_ROWS + 1])
def test_small_and_large_batches(rows: int) -> None:
    """One by the core, one by torch."""
    net, given = Perceptron([20, 1_700, 20, 9], 3), batch(rows)
    assert net.by_core
    assert not net.fitted_by_core
    other = twin(net)
    gradients = torch.autograd.grad(squares(other, given), list(other.parameters()))
    squares_by_hand(net, given)
    for gradient, part in zip(gradients, net.parts(net.slope), strict=True):
        np.testing.assert_allclose(part.numpy(), gradient.numpy(), atol=1e-5)
    gradients = torch.autograd.grad(taught(other, given), list(other.parameters()))
    taught_by_hand(net, given)
    for gradient, part in zip(gradients, net.parts(net.slope), strict=True):
        np.testing.assert_allclose(part.numpy(), gradient.numpy(), atol=1e-5)


def test_large_nets_are_left_to_torch() -> None:
    assert Perceptron([500, 500], 1).by_core
    assert not Perceptron([20, 501, 500], 1).by_core
    assert Perceptron([200, 160, 9], 1).fitted_by_core
    assert not Perceptron([200, 161, 9], 1).fitted_by_core


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda net: net.values(torch.zeros(3, 19)), "as wide as its inputs"),
        (lambda net: net.fit(torch.zeros(3, 20), torch.tensor([0, 9, 1]), []), "outputs for"),
        (lambda net: net.fit(torch.zeros(3, 20), torch.tensor([0, -1, 1]), []), "outputs for"),
        (lambda net: net.fit(torch.zeros(3, 20), torch.tensor([0, 1]), []), "an action for every row"),
        (lambda net: net.fit(torch.zeros(0, 20), torch.zeros(0, dtype=torch.int64), []), "an action for every row"),
        (lambda net: net.fit(torch.zeros(1, 20), torch.tensor([0]), [(torch.zeros(2), 1.0)]), "a goal for every row"),
        (lambda net: net.values_of_options(torch.zeros(1, 15), torch.tensor([2]), torch.zeros(3, 5)), "every option"),
        (lambda net: (net.begin(torch.zeros(3, 20)), net.back(torch.zeros(2, 9))), "rows it began with"),
    ],
)
def test_the_core_refuses_other_shapes(wrong: Callable[[Perceptron], object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        wrong(Perceptron([20, 16, 9], 3))


@pytest.mark.parametrize("kind", ["adam", "sgd"])
def test_optimisers_are_those_of_torch(kind: str) -> None:
    net = Perceptron([20, 16, 9], 3)
    other = twin(net)
    ours = Adam(net, 1e-2) if kind == "adam" else Descent(net, 1e-2)
    theirs = (torch.optim.Adam if kind == "adam" else torch.optim.SGD)(other.parameters(), lr=1e-2)
    for seed in range(20):
        rows = batch(seed=seed)
        squares_by_hand(net, rows)
        ours.step()
        gradients = torch.autograd.grad(squares(other, rows), list(other.parameters()))
        for parameter, gradient in zip(other.parameters(), gradients, strict=True):
            parameter.grad = gradient
        theirs.step()
    for a, b in zip(net.parameters(), other.parameters(), strict=True):
        np.testing.assert_allclose(a.detach().numpy(), b.detach().numpy(), atol=1e-5)


def test_adam_goes_on_from_what_torch_kept() -> None:
    """Checkpoints of earlier versions hold the state of torch's optimiser."""
    net = Perceptron([20, 16, 9], 3)
    theirs = torch.optim.Adam(net.parameters(), lr=1e-2)
    ours = Adam(net, 1e-2)
    for optimiser in (theirs, theirs, ours):
        squares_by_hand(net, batch())
        optimiser.step()
    kept = {
        f"{index}.{key}": value.numpy()
        for index, slots in theirs.state_dict()["state"].items()
        for key, value in slots.items()
    }
    again = Adam(net, 1e-2)
    again.restore(kept)
    state = again.state()
    assert state.keys() == kept.keys()
    assert all((state[key] == kept[key]).all() for key in kept)
    again.restore({})  # before its first step torch keeps nothing
    assert all((value == 0).all() for value in again.state().values())


def test_nets_are_made_by_their_seed_and_copied() -> None:
    before = torch.random.get_rng_state()
    a, b, c = (Perceptron([5, 4, 3], seed) for seed in (1, 1, 2))
    assert torch.equal(torch.random.get_rng_state(), before)
    assert torch.equal(a.flat, b.flat)
    assert not torch.equal(a.flat, c.flat)
    a.take(c)
    assert torch.equal(a.flat, c.flat)
    assert all(torch.equal(x, y) for x, y in zip(a.state_dict().values(), c.state_dict().values(), strict=True))
    a.load_state_dict(b.state_dict())  # in place: the views stay
    assert torch.equal(a.flat, b.flat)
