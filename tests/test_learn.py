"""Learners: targets and gradients against slow references, curves that repeat and resume, play that gets good."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

import kibitz
from kibitz import learn
from kibitz.cli import run as cli
from kibitz.learn import ddqn, dmc, dqn, mcts_actor_critic, mcts_ddqn, nfsp, sarsa
from kibitz.learn.common import checkpoint
from kibitz.learn.common.replay import Fresh, Replay, Reservoir
from kibitz.learn.common.run import score
from kibitz.learn.common.schedules import decaying, linear
from kibitz.learn.common.tables import Choice, Group, Returns, Steps, best_of_each, explore

SMALL: dict[str, Any] = {
    "game": "tictactoe",
    "players": "2",
    "encoder": "planes",
    "episodes": 60,
    "tables": 4,
    "hidden": (8,),
    "test_every": 20,
    "test_games": 20,
    "checkpoint_every": 20,
    "tensorboard": False,
}
OWN: dict[str, dict[str, Any]] = {
    "dqn": {"iteration": 10},
    "sarsa": {"iteration": 10},
    "ddqn": {"warm_up": 20, "target_every": 10},
    "dmc": {"warm_up": 20},
    "nfsp": {"warm_up": 20, "target_every": 10, "anticipation": 0.5},
    "mcts-ddqn": {"warm_up": 20, "target_every": 10, "simulations": 5},
    "mcts-actor-critic": {"warm_up": 20, "target_every": 10, "simulations": 5},
    "distill": {"warm_up": 20, "every": 4.0, "batch": 16, "teacher": "mcs:iterations=20,opponents=random"},
}
METHODS = list(learn.METHODS)


def settings(method: str, **changes: Any) -> Any:
    return learn.learner(method).Settings(**SMALL | OWN[method] | changes)


def made(method: str, **changes: Any) -> Any:
    """A learner at its tables."""
    chosen = settings(method, **changes)
    module = learn.learner(method)
    return module.train.args[0](chosen, Group(chosen))


def curve(trained: Any) -> list[dict[str, float]]:
    return [{key: value for key, value in row.items() if key != "seconds"} for row in trained.rows]


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


def test_average_policy_is_fitted_to_legal_actions() -> None:
    learner = made("nfsp", hidden=(5,))
    rows = batch() | {"action": torch.full((6,), 3)}
    loss = nfsp.imitation_loss(learner.policy, rows)
    slow = 0.0
    for i in range(6):
        logits = SlowNet(learner.policy)(rows["obs"][i].numpy())
        odds = [np.exp(logits[a]) for a in np.flatnonzero(rows["mask"][i].numpy())]
        slow -= (logits[3] - np.log(sum(odds))) / 6
    assert loss.item() == pytest.approx(slow, rel=1e-5)


def test_actor_loss() -> None:
    learner = made("mcts-actor-critic", hidden=(5,))
    rows = batch()
    loss = mcts_actor_critic.actor_loss(learner.actor, rows, 0.1)
    loss.backward()  # type: ignore[no-untyped-call]
    slow = 0.0
    for i in range(6):
        legal = np.flatnonzero(rows["mask"][i].numpy())
        logits = SlowNet(learner.actor)(rows["obs"][i].numpy())
        odds = np.exp([logits[a] for a in legal])
        odds /= odds.sum()
        q = rows["all_searched"][i].numpy()[legal]
        slow += (-(odds * (q - odds @ q)).sum() + 0.1 * (odds * np.log(odds)).sum()) / 6
    assert loss.item() == pytest.approx(slow, rel=1e-4, abs=1e-6)
    assert all(torch.isfinite(p.grad).all() for p in learner.actor.parameters())


def test_double_q_differs_from_the_maximum() -> None:
    learner = made("ddqn")
    learner.target.load_state_dict(learner.net([27, 8, 9], 77).state_dict())
    rows = batch()
    double = ddqn.target(learner.estimator, learner.target, rows, 0.99)
    single = dqn.target(learner.target, rows, 0.99)
    assert (double <= single + 1e-6).all()
    assert (double < single - 1e-6).any()
    assert not torch.equal(single, sarsa.target(learner.target, rows, 0.99))


# --- curves ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_same_seed_same_curve_and_resume(method: str, tmp_path: Path) -> None:
    module = learn.learner(method)
    whole = module.train(settings(method), tmp_path / "whole")
    assert len(whole.rows) == 3
    again = module.train(settings(method), tmp_path / "again")
    assert curve(whole) == curve(again)
    module.train(settings(method, episodes=25), tmp_path / "part")
    resumed = module.train(settings(method), tmp_path / "part", resume=True)
    # The part was tested once more where it ended; the play and the weights are the same.
    a, b = (checkpoint.load(t.folder / "checkpoint.kibitz")[0] for t in (whole, resumed))
    assert a.keys() == b.keys()
    states = {"group/0"}  # bytes, some of which are the gaps between the members of a state
    assert all((a[key] == b[key]).all() for key in a.keys() - states)
    assert whole.last.read_bytes()[-400:] == resumed.last.read_bytes()[-400:]


def test_other_seeds_give_other_curves(tmp_path: Path) -> None:
    a = ddqn.train(settings("ddqn"), tmp_path / "a")
    b = ddqn.train(settings("ddqn", seed=2), tmp_path / "b")
    assert curve(a) != curve(b)


def test_past_and_mixed_opponents_resume(tmp_path: Path) -> None:
    mixed = {"opponents": ("past", "self", "random"), "tables": 6}
    whole = ddqn.train(settings("ddqn", **mixed), tmp_path / "whole")
    ddqn.train(settings("ddqn", episodes=40, **mixed), tmp_path / "part")
    (tmp_path / "part").rename(tmp_path / "moved")
    resumed = ddqn.train(settings("ddqn", **mixed), tmp_path / "moved", resume=True)
    assert curve(whole)[-1] == curve(resumed)[-1]


def test_killed_training_resumes_to_the_same_curve(tmp_path: Path) -> None:
    chosen = settings("ddqn", episodes=400)
    whole = ddqn.train(chosen, tmp_path / "whole")
    code = (
        "import sys; from kibitz.learn import ddqn; import json;"
        "ddqn.train(ddqn.Settings.read(json.loads(sys.argv[1])), sys.argv[2])"
    )
    process = subprocess.Popen([sys.executable, "-c", code, chosen.to_json(), str(tmp_path / "cut")])
    while not (tmp_path / "cut" / "checkpoint.kibitz").exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    resumed = ddqn.train(chosen, tmp_path / "cut", resume=True)
    assert curve(whole) == curve(resumed)
    assert (tmp_path / "cut/best.safetensors").read_bytes() == whole.best.read_bytes()


def test_interrupt_keeps_a_checkpoint(tmp_path: Path) -> None:
    chosen = settings("ddqn", episodes=100)
    seen = []

    def report(report: Any) -> None:
        seen.append(report)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        ddqn.train(settings("ddqn", episodes=10_000_000), tmp_path / "run", report=report)
    assert seen[0].episodes < 10_000_000
    done = seen[0].episodes
    resumed = ddqn.train(settings("ddqn", episodes=done + 50), tmp_path / "run", resume=True)
    whole = ddqn.train(settings("ddqn", episodes=done + 50), tmp_path / "whole")
    assert curve(resumed) == curve(whole)
    assert chosen.episodes == 100


# --- they learn -----------------------------------------------------------------------------------------------------

OFF_POLICY = {"warm_up": 500, "epsilon_steps": 10_000, "epsilon_end": 0.1, "every": 8.0, "batch": 128}
FROM_TARGETS = OFF_POLICY | {"target_every": 100, "discount": 0.95}
QUICK: dict[str, dict[str, Any]] = {
    "dqn": {"epsilon_decay": 0.9, "epsilon_end": 0.1},
    "sarsa": {"epsilon_decay": 0.9, "epsilon_end": 0.05},
    "ddqn": FROM_TARGETS,
    "dmc": OFF_POLICY,
    "nfsp": FROM_TARGETS | {"anticipation": 1.0, "epsilon_start": 0.3, "policy_learning_rate": 5e-3},
    "mcts-ddqn": FROM_TARGETS | {"simulations": 20},
    "mcts-actor-critic": FROM_TARGETS | {"simulations": 20, "actor_learning_rate": 5e-3},
    "distill": {"warm_up": 500, "every": 8.0, "batch": 128, "teacher": "mcs:iterations=100,opponents=random"},
}


def best_against_random(state: Any, me: int, known: dict[str, float]) -> float:
    """What perfect play gets from somebody who plays anything."""
    if state.over:
        return float(state.payoffs[me])
    if str(state) not in known:
        values = []
        for action in state.legal():
            after = state.copy()
            after.apply(action)
            values.append(best_against_random(after, me, known))
        known[str(state)] = max(values) if state.to_act == me else sum(values) / len(values)
    return known[str(state)]


@pytest.mark.parametrize("method", METHODS)
def test_comes_near_the_best_play_at_tic_tac_toe(method: str, tmp_path: Path) -> None:
    game = kibitz.make("tictactoe")
    perfect = np.mean([best_against_random(game.deal(0), seat, {}) for seat in (0, 1)])
    assert perfect == pytest.approx(0.96, abs=0.001)
    common = {"episodes": 6_000, "tables": 64, "hidden": (128,), "learning_rate": 2e-3, "test_games": 400}
    often = {"test_every": 1_000, "checkpoint_every": 10_000}
    trained = learn.learner(method).train(settings(method, **common | often | QUICK[method]), tmp_path)
    reward, _, _ = score(game, str(trained.best), "random", 2_000, 5)
    # The average policy of nfsp holds its first attempts, too, and draws from them.
    assert reward > perfect - (0.35 if method == "nfsp" else 0.25), f"{method}: {reward:.3f} of {perfect:.3f}"


# --- other games and tables -----------------------------------------------------------------------------------------


def test_dou_di_zhu_by_features_of_actions(tmp_path: Path) -> None:
    chosen = dmc.Settings(
        game="doudizhu", opponents=("self",), hidden=(16,), episodes=12, tables=4, warm_up=20, every=4.0,
        test_every=6, test_games=6, checkpoint_every=6, tensorboard=False,
    )  # fmt: skip
    whole = dmc.train(chosen, tmp_path / "whole")
    dmc.train(dmc.Settings.read(chosen.to_dict(), {"episodes": 6}), tmp_path / "part")
    resumed = dmc.train(chosen, tmp_path / "part", resume=True)
    assert curve(whole)[-1] == curve(resumed)[-1]
    learner: Any = whole.learner
    game = kibitz.make("doudizhu")
    agent = kibitz.agent(f"net:{whole.last}")
    state = game.deal(seed=4)
    for _ in range(10):
        view = state.view(state.to_act)
        features = view.action_features()
        values = learner.value_options(view.encode("full").reshape(1, -1), features, np.array([len(features)]))
        rows = np.concatenate([np.repeat(view.encode("full").reshape(1, -1), len(features), 0), features], 1)
        assert values == pytest.approx(learner.forward(learner.q, rows)[:, 0], abs=1e-5)
        assert agent.act(view) == view.legal()[int(values.argmax())]
        state.apply(agent.act(view))


def test_two_to_five_players(tmp_path: Path) -> None:
    chosen = ddqn.Settings(
        players="2-5", opponents=("random", "past"), hidden=(8,), episodes=40, tables=16, warm_up=50, every=8.0,
        test_every=20, test_games=20, checkpoint_every=20, tensorboard=False,
    )  # fmt: skip
    trained = ddqn.train(chosen, tmp_path)
    assert len(trained.rows) == 2
    for players in (2, 5, 7):
        game = kibitz.make("uno", players=players, rules="rlcard")
        score(game, str(trained.best), "random", 10, 1)
    assert len(list(tmp_path.glob("past-*"))) == 1


def test_peeking_nets_say_that_they_cheat(tmp_path: Path) -> None:
    chosen = dqn.Settings(
        encoder="brown", hidden=(8,), episodes=20, iteration=10, test_every=10, test_games=9, tensorboard=False
    )
    trained = dqn.train(chosen, tmp_path)
    game = kibitz.make("uno", players=3, rules="rlcard")
    result = kibitz.play(game, [f"net:{trained.last}", "random", "random"], games=6, seed=1)
    assert [agent.cheats for agent in result.agents] == [True, False, False]
    with pytest.raises(ValueError, match="it needs a state"):
        kibitz.agent(f"net:{trained.last}").act(game.deal(seed=1).view(game.deal(seed=1).to_act))


def test_nets_play_the_same_in_python_and_in_the_core(tmp_path: Path) -> None:
    trained = nfsp.train(settings("nfsp"), tmp_path)
    game = kibitz.make("tictactoe")
    specs = [f"net:{trained.last},epsilon=0.2", f"net:{trained.last},pick=best"]
    native = kibitz.play(game, specs, games=40, seed=3)
    assert native.native

    class Slow:
        """The same agent, which the core does not know."""

        def __init__(self, spec: str) -> None:
            self._agent = kibitz.agent(spec)
            self.name, self.peeks = self._agent.name, False
            self.begin, self.act, self.think = self._agent.begin, self._agent.act, self._agent.think

    slow = kibitz.play(game, [Slow(spec) for spec in specs], games=40, seed=3)
    assert not slow.native
    assert [agent.wins for agent in native.agents] == [agent.wins for agent in slow.agents]
    thought = kibitz.agent(specs[0]).think(game.deal(seed=0).view(0))
    assert sum(thought.share) == pytest.approx(1)


# --- bad input ------------------------------------------------------------------------------------------------------


def test_settings_say_what_is_wrong(tmp_path: Path) -> None:
    read = ddqn.Settings.read
    for given, message in (
        ({"bogus": 1}, "unknown setting 'bogus'; known settings: game, players"),
        ({"episodes": "many"}, "episodes must be int"),
        ({"batch": 0}, "batch must be at least 1"),
        ({"players": "2-x"}, "players must be a number"),
        ({"discount": 2.0}, "discount must be"),
        ({"every": 0.0}, "every must be above 0"),
        ({"hidden": 5}, "hidden must be a list"),
    ):
        with pytest.raises(ValueError, match=message):
            read(given)
    assert read({"hidden": "32,16", "learning-rate": "1e-3", "players": 4}).hidden == (32, 16)
    chosen = read({"opponents": ["rules", "self"]})
    assert ddqn.Settings.read(chosen.to_dict()) == chosen
    with pytest.raises(ValueError, match="worlds must be sampled or true"):
        mcts_ddqn.Settings(worlds="some")
    with pytest.raises(ValueError, match="2 players, not 3"):
        Group(dmc.Settings(game="tictactoe"))
    cards = ddqn.Settings(game="doudizhu", tables=2)
    tables = Group(cards)
    with pytest.raises(ValueError, match="at most 1,024 actions"):
        ddqn.DDQN(cards, tables)
    with pytest.raises(ValueError, match="unknown method 'bogus'; known methods: dqn"):
        learn.learner("bogus")
    assert learn.learner("li-mcts-ddqn") is mcts_ddqn


def test_nothing_is_overwritten_and_damage_is_told(tmp_path: Path) -> None:
    chosen = settings("ddqn", episodes=20)
    with pytest.raises(ValueError, match="no checkpoint"):
        ddqn.train(chosen, tmp_path / "none", resume=True)
    ddqn.train(chosen, tmp_path)
    with pytest.raises(ValueError, match="holds a training already"):
        ddqn.train(chosen, tmp_path)
    with pytest.raises(ValueError, match="learning_rate was 5e-05 when this training began"):
        ddqn.train(settings("ddqn", learning_rate=1.0), tmp_path, resume=True)
    with pytest.raises(ValueError, match="a training of ddqn, not of nfsp"):
        nfsp.train(settings("nfsp"), tmp_path, resume=True)
    path = tmp_path / "checkpoint.kibitz"
    raw = path.read_bytes()
    for bad, message in ((raw[:-1], "damaged"), (raw[:60] + b"x" + raw[61:], "damaged"), (b"hello", "no checkpoint")):
        path.write_bytes(bad)
        with pytest.raises(ValueError, match=message):
            ddqn.train(chosen, tmp_path, resume=True)


def test_a_full_disk_leaves_the_last_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    whole = ddqn.train(settings("ddqn"), tmp_path / "whole")
    ddqn.train(settings("ddqn", episodes=20), out)
    before = (out / "checkpoint.kibitz").read_bytes()
    replace = os.replace

    def full(a: Any, b: Any) -> None:
        if str(b).endswith("checkpoint.kibitz"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(b))
        replace(a, b)

    monkeypatch.setattr(os, "replace", full)
    assert cli(["train", "ddqn", "--out", str(out), "--resume", "--episodes", "60"]) == 2
    assert "No space left" in capsys.readouterr().err
    monkeypatch.setattr(os, "replace", replace)
    assert (out / "checkpoint.kibitz").read_bytes() == before
    assert not list(out.glob(".*.tmp"))
    assert curve(ddqn.train(settings("ddqn"), out, resume=True)) == curve(whole)


def test_weights_that_do_not_fit(tmp_path: Path) -> None:
    trained = ddqn.train(settings("ddqn", episodes=20), tmp_path / "run")
    with pytest.raises(ValueError, match="there is no file 'nothing'"):
        kibitz.agent("net:nothing")
    (tmp_path / "bad.safetensors").write_bytes(trained.last.read_bytes()[:-5])
    with pytest.raises(ValueError, match=r"bad\.safetensors"):
        kibitz.agent(f"net:{tmp_path}/bad.safetensors")
    agent = kibitz.agent(f"net:{trained.last}")
    uno = kibitz.make("uno", players=2)
    with pytest.raises(ValueError, match="the net is for the game 'tictactoe', not for uno"):
        agent.act(uno.deal(seed=1).view(uno.deal(seed=1).to_act))
    with pytest.raises(ValueError, match="unknown option 'bogus'"):
        kibitz.agent(f"net:{trained.last},bogus=1")


# --- the command ----------------------------------------------------------------------------------------------------


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "my.toml"
    file.write_text('game = "tictactoe"\nplayers = 2\nhidden = [8]\ntest_every = 20\ntest_games = 20\nwarm_up = 10\n')
    common = ["train", "li-ddqn", "--out", str(tmp_path / "run")]
    assert cli([*common, "--settings", str(file), "--episodes", "40", "--tables", "4", "--self-play"]) == 0
    assert "play the best with net:" in capsys.readouterr().out
    lines = (tmp_path / "run/metrics.csv").read_text().splitlines()
    assert lines[0].startswith("episodes,transitions,updates,seconds")
    assert len(lines) == 3
    assert list((tmp_path / "run/tensorboard").iterdir())
    net = kibitz.Net.load(tmp_path / "run/best.safetensors")
    assert net.metadata["method"] == "ddqn"
    assert '"opponents": ["self"]' in net.metadata["settings"]
    assert cli([*common, "--resume", "--episodes", "60"]) == 0
    assert len((tmp_path / "run/metrics.csv").read_text().splitlines()) == 4
    capsys.readouterr()
    assert cli([*common, "--bogus", "1"]) == 2
    assert "unknown setting 'bogus'" in capsys.readouterr().err
    assert cli(["train", "li-ddqn"]) == 2
    assert cli(["train"]) == 0
    assert "mcts-actor-critic" in capsys.readouterr().out
