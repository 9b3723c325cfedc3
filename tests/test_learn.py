"""Learners: memories, tables, targets and gradients against slow references."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from learn_common import METHODS, made
from torch import Tensor

from kibitz import learn
from kibitz.learn import ddqn, dqn, mcts_actor_critic, nfsp, sarsa
from kibitz.learn.common import checkpoint
from kibitz.learn.common.replay import Fresh, Replay, Reservoir
from kibitz.learn.common.run import Learner
from kibitz.learn.common.schedules import decaying, linear
from kibitz.learn.common.settings import Settings
from kibitz.learn.common.tables import Choice, Group, Returns, Steps, best_of_each, explore

# --- memories -------------------------------------------------------------------------------------------------------


def test_replay_keeps_the_last() -> None:
    replay = Replay(5)
    for start in range(0, 12, 3):
        replay.add({"x": np.arange(start, start + 3)})
    assert sorted(set(replay.sample(np.random.default_rng(1), 500)["x"])) == [7, 8, 9, 10, 11]
    replay.add({"x": np.arange(100, 120)})
    assert sorted(set(replay.sample(np.random.default_rng(1), 500)["x"])) == [115, 116, 117, 118, 119]


def test_reservoir_is_uniform() -> None:
    rng = np.random.default_rng(1)
    counts = np.zeros(60)
    for _ in range(2_000):
        reservoir = Reservoir(10)
        for start in range(0, 60, 15):
            reservoir.add({"x": np.arange(start, start + 15)}, rng)
        kept = reservoir.state()["column.x"]
        assert len(set(kept)) == 10
        counts[kept] += 1
    expected = 2_000 * 10 / 60
    assert ((counts - expected) ** 2 / expected).sum() < 100  # chi-squared with 59 degrees: p > 0.0005


@pytest.mark.parametrize("memory", [Replay(7), Reservoir(7)])
def test_memories_come_back(memory: Any) -> None:
    rng = np.random.default_rng(3)
    extra = [rng] if isinstance(memory, Reservoir) else []
    memory.add({"x": np.arange(20), "y": rng.random((20, 2))}, *extra)
    again = type(memory)(7)
    again.restore(memory.state())
    a, b = (m.sample(np.random.default_rng(5), 50) for m in (memory, again))
    assert all((a[key] == b[key]).all() for key in a)
    assert again.seen == 20


def test_fresh_gives_everything_once() -> None:
    fresh = Fresh()
    for start in range(0, 10, 5):
        fresh.add({"x": np.arange(start, start + 5)})
    parts = fresh.drain(np.random.default_rng(1), 4)
    assert [len(part["x"]) for part in parts] == [4, 4, 2]
    assert sorted(np.concatenate([part["x"] for part in parts])) == list(range(10))
    assert fresh.size == 0


def test_empty_memory_says_so() -> None:
    with pytest.raises(ValueError, match="empty"):
        Replay(3).sample(np.random.default_rng(1), 1)


def test_schedules() -> None:
    assert [linear(1, 0.2, 4, at) for at in (0, 1, 2, 4, 9)] == pytest.approx([1, 0.8, 0.6, 0.2, 0.2])
    assert decaying(1, 0.5, 3) == 0.125


def test_checkpoints_bring_back_every_bit(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    arrays = {
        "planes": (rng.random((200, 60)) < 0.2).astype(np.float32),
        "signed": rng.integers(-1, 2, size=(200, 60)).astype(np.float32),
        "real": rng.normal(size=(200, 60)).astype(np.float32),
        "mask": rng.random((5, 4)) < 0.5,
        "one": np.array(7),
        "bytes": np.frombuffer(b"state", np.uint8),
    }
    checkpoint.save(tmp_path / "x", arrays, {"rng": rng.bit_generator.state, "text": "é"})
    again, state = checkpoint.load(tmp_path / "x")
    assert again.keys() == arrays.keys()
    for key, value in arrays.items():
        assert again[key].dtype == value.dtype
        assert again[key].shape == value.shape
        assert again[key].tobytes() == value.tobytes()
    assert state == {"rng": rng.bit_generator.state, "text": "é"}


# --- tables to transitions ------------------------------------------------------------------------------------------


def slow_transitions(group: Group, steps: int, pick: np.random.Generator) -> tuple[list[Any], list[Any]]:
    """Transitions and returns one by one, with dicts, and what Steps and Returns make of the same play."""
    recorder, returns = Steps(group), Returns(group, 0.9)
    open_games: dict[tuple[int, int], list[Any]] = {}
    slow, slow_returns, fast, fast_returns = [], [], [], []
    for _ in range(steps):
        actions = explore(np.zeros(group.batch, np.int64), group.mask, 1.0, pick)
        for b in range(group.batch):
            past = open_games.setdefault((b, int(group.seat[b])), [])
            if past:
                slow.append((*past[-1], 0.0, group.obs[b].tobytes(), int(actions[b]), False))
            past.append((group.obs[b].tobytes(), int(actions[b])))
        choice = Choice(actions, {})
        moves = recorder.record(group, choice)
        returns.record(group, choice)
        group.step(actions)
        for b in np.flatnonzero(group.done).tolist():
            for seat in range(group.seats):
                past = open_games.pop((b, seat), [])
                if past:
                    slow.append((*past[-1], float(group.payoff[b, seat]), None, None, True))
                for age, (obs, action) in enumerate(reversed(past)):
                    slow_returns.append((obs, action, round(float(group.payoff[b, seat]) * 0.9**age, 5)))
        for rows in (moves, recorder.finish(group)):
            for i in range(len(rows["obs"]) if rows else 0):
                end = bool(rows["done"][i])
                later = (None, None) if end else (rows["next_obs"][i].tobytes(), int(rows["next_action"][i]))
                fast.append((rows["obs"][i].tobytes(), int(rows["action"][i]), float(rows["reward"][i]), *later, end))
        rows = returns.finish(group)
        for i in range(len(rows["obs"]) if rows else 0):
            fast_returns.append((rows["obs"][i].tobytes(), int(rows["action"][i]), round(float(rows["goal"][i]), 5)))
    return [sorted(map(str, slow)), sorted(map(str, fast))], [
        sorted(map(str, slow_returns)),
        sorted(map(str, fast_returns)),
    ]


@pytest.mark.parametrize("opponents", [("random",), ("self",), ("self", "random")])
@pytest.mark.parametrize("players", ["3", "2-4"])
def test_transitions_are_those_of_a_slow_loop(opponents: tuple[str, ...], players: str) -> None:
    group = Group(ddqn.Settings(players=players, opponents=opponents, tables=8, encoder="li"))
    (slow, fast), (slow_returns, fast_returns) = slow_transitions(group, 150, np.random.default_rng(1))
    assert slow == fast
    assert slow_returns == fast_returns
    assert len(slow_returns) > 100


def test_best_of_each() -> None:
    values = np.array([1.0, 3.0, 3.0, 2.0, 5.0, 4.0])
    assert list(best_of_each(values, [3, 1, 2])) == [1, 3, 4]


def test_explore_is_uniform_over_legal_actions() -> None:
    mask = np.array([[True, False, True, True]] * 30_000)
    actions = explore(np.zeros(30_000, np.int64), mask, 1.0, np.random.default_rng(2))
    counts = np.bincount(actions, minlength=4)
    assert counts[1] == 0
    assert np.abs(counts[[0, 2, 3]] - 10_000).max() < 400


# --- targets and gradients ------------------------------------------------------------------------------------------


def batch(n: int = 6, features: int = 27, actions: int = 9) -> dict[str, Tensor]:
    rng = np.random.default_rng(7)
    mask = rng.random((n, actions)) < 0.5
    mask[:, 3] = True
    rows = {
        "obs": rng.random((n, features), dtype=np.float32),
        "action": rng.integers(actions, size=n),
        "reward": rng.normal(size=n).astype(np.float32),
        "next_obs": rng.random((n, features), dtype=np.float32),
        "next_mask": mask,
        "next_action": np.full(n, 3),
        "done": np.arange(n) % 3 == 0,
        "goal": rng.normal(size=n).astype(np.float32),
        "searched": rng.normal(size=n).astype(np.float32),
        "shaped": rng.normal(size=n).astype(np.float32),
        "mask": mask,
        "all_searched": np.where(mask, rng.normal(size=(n, actions)), 0).astype(np.float32),
    }
    return {key: torch.from_numpy(values) for key, values in rows.items()}


class SlowNet:
    """A perceptron with loops, and gradients by central differences."""

    def __init__(self, net: torch.nn.Sequential) -> None:
        self.weights = [p.detach().numpy().astype(np.float64) for p in net.parameters()]

    def __call__(self, x: Any) -> list[float]:
        values = [float(v) for v in x]
        for layer in range(0, len(self.weights), 2):
            w, b = self.weights[layer], self.weights[layer + 1]
            values = [sum(w[o, i] * values[i] for i in range(len(values))) + b[o] for o in range(len(b))]
            if layer + 2 < len(self.weights):
                values = [max(0.0, v) for v in values]
        return values


def slow_goal(method: str, learner: Any, rows: dict[str, Any], i: int) -> float:
    reward, discount = float(rows["reward"][i]), learner.settings.discount
    if method == "dmc":
        return float(rows["goal"][i])
    if method.startswith("mcts"):
        reward += float(rows["shaped"][i])
    if rows["done"][i]:
        return reward
    legal = np.flatnonzero(rows["next_mask"][i])
    later: Any
    net: Any = SlowNet(learner.q if method in ("dqn", "sarsa") else learner.estimator)(rows["next_obs"][i])
    if method == "dqn":
        return float(reward + discount * max(net[a] for a in legal))
    if method == "sarsa":
        return float(reward + discount * net[rows["next_action"][i]])
    later = SlowNet(learner.target)(rows["next_obs"][i])
    if method == "nfsp":
        return float(reward + discount * max(later[a] for a in legal))
    if method == "mcts-actor-critic":
        logits = SlowNet(learner.actor)(rows["next_obs"][i])
        odds = np.exp([logits[a] for a in legal])
        return float(reward + discount * sum(o * later[a] for o, a in zip(odds, legal, strict=True)) / odds.sum())
    return float(reward + discount * later[max(legal, key=lambda a: net[a])])


@pytest.mark.parametrize("method", [method for method in METHODS if method != "distill"])  # test_distill.py
def test_loss_and_gradient_are_those_of_a_slow_reference(method: str) -> None:
    learner = made(method, hidden=(5,), seed=3)
    if hasattr(learner, "target"):  # unlike the estimator, so that it matters which one is asked
        learner.target.load_state_dict(learner.net([27, 5, 9], 77).state_dict())
    rows = batch()
    if hasattr(learner, "target"):
        rows["next_q"] = learner.target.values(rows["next_obs"])
    net = learner.q if hasattr(learner, "q") else learner.estimator
    loss, mean = learner.gradient(rows)
    arrays = {key: values.numpy() for key, values in rows.items()}
    goals = [slow_goal(method, learner, arrays, i) for i in range(6)]
    slow = SlowNet(net)

    def slow_loss() -> float:
        q = [slow(arrays["obs"][i])[arrays["action"][i]] for i in range(6)]
        out = sum((a - b) ** 2 for a, b in zip(q, goals, strict=True)) / 6
        if method.startswith("mcts"):
            out += sum((a - float(b)) ** 2 for a, b in zip(q, arrays["searched"], strict=True)) / 6
        return float(out)

    assert loss == pytest.approx(slow_loss(), rel=1e-5)
    assert mean == pytest.approx(np.mean([slow(arrays["obs"][i])[arrays["action"][i]] for i in range(6)]), 1e-4)
    for weights, parameter in zip(slow.weights, net.parameters(), strict=True):
        assert parameter.grad is not None
        for where in [tuple(0 for _ in weights.shape), tuple(n - 1 for n in weights.shape)]:
            before = weights[where]
            ends = []
            for shift in (1e-5, -1e-5):
                weights[where] = before + shift
                ends.append(slow_loss())
            weights[where] = before
            assert parameter.grad[where].item() == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=2e-3, abs=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_a_method_is_read_in_its_own_file(method: str) -> None:
    """Its class and its settings derive from the common ones, or from one method that they vary."""
    module = learn.learner(method)
    for own, common in ((module.train.args[0], Learner), (module.Settings, Settings)):
        assert own.__module__ == module.__name__
        assert own.__mro__.index(common) <= 2


def test_average_policy_is_fitted_to_legal_actions() -> None:
    learner = made("nfsp", hidden=(5,))
    rows = batch() | {"action": torch.full((6,), 3)}
    slope = nfsp.imitation_slope(learner.policy.values(rows["obs"]), rows)
    for i in range(6):
        logits = SlowNet(learner.policy)(rows["obs"][i].numpy())
        legal = np.flatnonzero(rows["mask"][i].numpy())
        total = sum(np.exp(logits[a]) for a in legal)
        expected = [(np.exp(logits[a]) / total if a in legal else 0.0) - (a == 3) for a in range(9)]
        assert slope[i].tolist() == pytest.approx([x / 6 for x in expected], abs=1e-6)


def test_actor_loss() -> None:
    learner = made("mcts-actor-critic", hidden=(5,))
    rows = batch()
    loss, slope = mcts_actor_critic.actor_loss(learner.actor.values(rows["obs"]), rows, 0.1)
    slow = 0.0
    for i in range(6):
        legal = np.flatnonzero(rows["mask"][i].numpy())
        logits = SlowNet(learner.actor)(rows["obs"][i].numpy())
        odds = np.exp([logits[a] for a in legal])
        odds /= odds.sum()
        q = rows["all_searched"][i].numpy()[legal]
        slow += (-(odds * (q - odds @ q)).sum() + 0.1 * (odds * np.log(odds)).sum()) / 6
    assert loss.item() == pytest.approx(slow, rel=1e-4, abs=1e-6)
    assert torch.isfinite(slope).all()


def test_double_q_differs_from_the_maximum() -> None:
    learner = made("ddqn")
    learner.target.load_state_dict(learner.net([27, 8, 9], 77).state_dict())
    rows = batch()
    next_q = learner.target.values(rows["next_obs"])
    double = ddqn.target(learner.estimator, rows | {"next_q": next_q}, 0.99)
    single = dqn.target(next_q, rows, 0.99)
    assert (double <= single + 1e-6).all()
    assert (double < single - 1e-6).any()
    assert not torch.equal(single, sarsa.target(next_q, rows, 0.99))
