"""Value MCTS: Li's Equations 3, 4 and 5 by hand, against a slow reference, and what it may look at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from interrupts import ctrl_c_in_the_core, ends_even_if_deaf

import kibitz
from kibitz.nets import pack_net

GAME = kibitz.make("tictactoe")


def constant_net(game: Any, encoder: str, q: Any, total: float | None = None) -> kibitz.Net:
    """Says the same of every state."""
    weights = {"0.weight": np.zeros((len(q), game.encoders[encoder].size)), "0.bias": np.array(q, dtype=np.float32)}
    return kibitz.Net(pack_net(weights, kibitz.net_metadata(game, encoder, "q", total=total)))


def random_net(game: Any, encoder: str, total: float | None = None, seed: int = 1) -> tuple[Any, kibitz.Net]:
    rng = np.random.default_rng(seed)
    sizes = [game.encoders[encoder].size, 16, game.num_actions]
    weights = {
        "0.weight": rng.normal(size=(sizes[1], sizes[0])) * 0.3,
        "0.bias": rng.normal(size=sizes[1]) * 0.3,
        "2.weight": rng.normal(size=(sizes[2], sizes[1])) * 0.3,
        "2.bias": rng.normal(size=sizes[2]) * 0.3,
    }
    metadata = kibitz.net_metadata(game, encoder, "q", total=total)
    return (weights, metadata), kibitz.Net(pack_net(weights, metadata))


@ends_even_if_deaf
def test_an_interrupt_ends_it(tmp_path: Path) -> None:
    """The whole search would take a quarter of an hour."""
    game = kibitz.make("hex", size=19)
    (weights, metadata), _ = random_net(game, "planes")
    kibitz.save_net(tmp_path / "net.safetensors", weights, metadata)
    agent = kibitz.agent(f"value-mcts:net={tmp_path / 'net.safetensors'},simulations=10000000")
    agent.begin(1)
    with pytest.raises(KeyboardInterrupt), ctrl_c_in_the_core():
        agent.think(game.deal(1).view(0))


def position(*actions: int) -> Any:
    state = GAME.deal(seed=0)
    for action in actions:
        state.apply(action)
    return state


def at(state: Any, opponents: Any = "random") -> kibitz.Tables:
    """One table in this state, moved on until the learner sits in the seat to act."""
    tables = kibitz.Tables(GAME, 1, None if opponents is None else opponents)
    while tables.seat[0] != state.to_act:
        tables.step(np.array([int(np.flatnonzero(tables.mask[0])[0])]))
    tables.put(0, state)
    return tables


def test_equations_by_hand() -> None:
    # After X: 0, 1, 5, 6 and O: 3, 4, 7 it is O's turn: 2 blocks nothing of its own (2, 4, 6 has X on 6), 8 neither.
    # O 2, then X 8: row 6 7 8 has O on 7, column 2 5 8 has O on 2, diagonal 0 4 8 has O on 4: a draw.
    # O 8, then X 2: row 0 1 2 is X's: X wins.
    state = position(0, 3, 1, 4, 5, 7, 6)
    assert state.to_act == 1
    assert state.legal() == [2, 8]
    q = np.zeros(9)
    q[2], q[8] = 0.1, 0.5  # the net likes the losing move better
    net = constant_net(GAME, "planes", q)
    c = 0.3

    # 1 simulation expands the root and returns: nothing is changed, and no end was seen.
    q_m, r_m, leaves = at(state).value_search(net, simulations=1, c=c, discount=0.9)
    assert (q_m[0, 2], q_m[0, 8]) == pytest.approx((0.1, 0.5))
    assert (r_m[0], leaves) == (0, 1)

    # 2: N(s) = 0, so UCT is 0 and Q decides: 8. X has one answer, 2, and wins: r = -1, Q(s') = 0.
    # Equation 4: Q(8) = (0.5 * 0 + 0.9 * 0 - 1) / 1 = -1. Equation 5: r_m = -1 / 2.
    q_m, r_m, leaves = at(state).value_search(net, simulations=2, c=c, discount=0.9)
    assert (q_m[0, 2], q_m[0, 8]) == pytest.approx((0.1, -1.0))
    assert (r_m[0], leaves) == (-0.5, 1)

    # 3: Equation 3: 2 has 0.1 + 0.3 * sqrt(1 / 1) = 0.4, 8 has -1 + 0.3 * sqrt(1 / 2). So 2, a draw: r = 0.
    # Q(2) = (0.1 * 0 + 0) / 1 = 0; r_m = -1 / 3.
    q_m, r_m, _ = at(state).value_search(net, simulations=3, c=c, discount=0.9)
    assert (q_m[0, 2], q_m[0, 8]) == pytest.approx((0.0, -1.0))
    assert r_m[0] == pytest.approx(-1 / 3)

    # With c = 10, 4: 2 has 0 + 10 * sqrt(2 / 2), 8 has -1 + 10 * sqrt(2 / 2): 2 again. 5: 2 has 10 * sqrt(3 / 3) = 10,
    # 8 has -1 + 10 * sqrt(3 / 2) = 11.2: 8. Three ends at 8 and 2: r_m = -2 / 5.
    q_m, r_m, _ = at(state).value_search(net, simulations=5, c=10, discount=0.9)
    assert (q_m[0, 2], q_m[0, 8]) == pytest.approx((0.0, -1.0))
    assert r_m[0] == pytest.approx(-2 / 5)


def test_discount_and_best_of_the_next_state_by_hand() -> None:
    # X: 0, 1, 5, O: 3, 4, 7; X to move, 2, 6 and 8 are empty. The net says the same of both depths.
    state = position(0, 3, 1, 4, 5, 7)
    assert state.legal() == [2, 6, 8]
    q = np.zeros(9)
    q[2], q[6], q[8] = -0.9, 0.6, -0.8
    net = constant_net(GAME, "planes", q)
    # 2 simulations: the root is expanded; then 6, where nothing ends for X; O answers 2 or 8 and X has one action left,
    # 8 or 2, both of them below zero: Q(6) = 0.5 * max Q(s', ·).
    values = set()
    for seed in range(20):
        q_m, r_m, leaves = at(state).value_search(net, simulations=2, c=0.0, discount=0.5, seed=seed)
        assert (q_m[0, 2], q_m[0, 8]) == pytest.approx((-0.9, -0.8))
        assert (r_m[0], leaves) == (0, 2)
        values.add(round(float(q_m[0, 6]), 4))
    assert values == {-0.45, -0.4}


class Slow:
    """Algorithm 1 with dicts, as the paper writes it, where the others' moves are known."""

    def __init__(self, evaluate: Any, c: float, discount: float, reply: Any) -> None:
        self.evaluate, self.c, self.discount, self.reply = evaluate, c, discount, reply
        self.q: dict[Any, dict[int, float]] = {}
        self.n: dict[Any, dict[int, int]] = {}
        self.ends: list[float] = []

    def run(self, state: Any, simulations: int) -> tuple[dict[int, float], float]:
        self.me = state.to_act
        for _ in range(simulations):
            self.simulate(state.copy())
        return self.q[str(state.view(self.me))], sum(self.ends) / simulations

    def simulate(self, state: Any) -> float:
        s = str(state.view(self.me))
        if s not in self.q:
            row = self.evaluate(state.view(self.me))
            self.q[s] = {a: float(row[a]) for a in state.legal()}
            self.n[s] = dict.fromkeys(state.legal(), 0)
            return max(self.q[s].values())
        q, n = self.q[s], self.n[s]
        total = sum(n.values())
        a = max(q, key=lambda a: q[a] + self.c * (total / (1 + n[a])) ** 0.5)
        state.apply(a)
        while not state.over and state.to_act != self.me:
            state.apply(self.reply(state))
        reward, later = 0.0, 0.0
        if state.over:
            reward = state.payoffs[self.me]
            self.ends.append(reward)
        else:
            later = self.simulate(state)
        q[a] = (q[a] * n[a] + self.discount * later + reward) / (n[a] + 1)
        n[a] += 1
        return max(q.values())


@pytest.mark.parametrize("simulations", [1, 2, 10, 50, 300])
@pytest.mark.parametrize("actions", [(), (4, 0, 8), (0, 4, 8, 2)])
def test_is_the_slow_reference(simulations: int, actions: tuple[int, ...], tmp_path: Path) -> None:
    (weights, metadata), net = random_net(GAME, "planes")
    kibitz.save_net(tmp_path / "net.safetensors", weights, metadata)
    opponent = kibitz.agent(f"net:{tmp_path}/net.safetensors")
    state = position(*actions)

    def evaluate(view: Any) -> Any:
        return net.evaluate(view.encode("planes").reshape(1, -1))[0]

    slow = Slow(evaluate, 0.4, 0.95, lambda s: opponent.act(s.view(s.to_act)))
    expected, reward = slow.run(state, simulations)
    for worlds in ("true", "sampled"):
        q, r, leaves = at(state, None).value_search(
            net, simulations=simulations, c=0.4, discount=0.95, worlds=worlds, seed=5
        )
        for action, value in expected.items():
            assert q[0, action] == pytest.approx(value, abs=1e-5)
        assert r[0] == pytest.approx(reward, abs=1e-6)
        assert leaves == len(slow.q)


def test_threads_and_neighbours_change_nothing() -> None:
    game = kibitz.make("uno", players=3, rules="rlcard")
    _, net = random_net(game, "li", total=-1)
    found = []
    for batch, threads in ((12, 1), (12, 2), (5, 1)):
        tables = kibitz.Tables(game, batch, "random", seed=3, threads=threads)
        q, r, _ = tables.value_search(net, seed=9)
        found.append((q[:5], r[:5]))
    for q, r in found[1:]:
        assert (q == found[0][0]).all()
        assert (r == found[0][1]).all()


def test_sampled_worlds_do_not_peek() -> None:
    game = kibitz.make("uno", players=2, rules="rlcard")
    _, net = random_net(game, "li", total=0)
    state = game.deal(seed=1)
    view = state.view(state.to_act)
    seen: dict[str, list[Any]] = {"sampled": [], "true": []}
    for seed in range(6):
        tables = kibitz.Tables(game, 1, None, encoder="li")
        tables.put(0, view.sample(seed))
        for worlds, results in seen.items():
            q, r, _ = tables.value_search(net, worlds=worlds, seed=4)
            results.append((q.tobytes(), r.tobytes()))
    assert len(set(seen["sampled"])) == 1
    assert len(set(seen["true"])) > 1


def test_as_an_agent(tmp_path: Path) -> None:
    (weights, metadata), _ = random_net(GAME, "planes")
    file = tmp_path / "net.safetensors"
    kibitz.save_net(file, weights, metadata)
    state = position(0, 3, 1, 4)  # X wins with 2
    for opponents in ("net", "random"):
        agent = kibitz.agent(f"value-mcts:net={file},simulations=200,opponents={opponents}")
        thought = agent.think(state.view(0))
        assert thought.best == 2
        assert thought.iterations == 200
    result = kibitz.play(GAME, [f"value-mcts:net={file},simulations=100,opponents=random", "random"], games=40, seed=1)
    assert result.agents[0].payoff.mean > 0.3
    with pytest.raises(ValueError, match="needs net=FILE"):
        kibitz.agent("value-mcts").act(state.view(0))


def test_bad_input() -> None:
    uno = kibitz.make("uno", players=3, rules="rlcard")
    _, net = random_net(uno, "li", total=-1)
    tables = kibitz.Tables(uno, 2, "random", encoder="li")
    with pytest.raises(ValueError, match="worlds must be"):
        tables.value_search(net, worlds="all")
    with pytest.raises(ValueError, match="simulations must be from 1 to"):
        tables.value_search(net, simulations=0)
    with pytest.raises(ValueError, match="the net is for the game 'uno', not for tictactoe"):
        kibitz.Tables(GAME, 1, None).value_search(net)
    _, peeking = random_net(uno, "brown", total=-1)
    with pytest.raises(ValueError, match="needs worlds=true"):
        tables.value_search(peeking)
    tables.value_search(peeking, worlds="true")
    with pytest.raises(ValueError, match="learning seats as they are"):
        tables.replace(None)
    with pytest.raises(ValueError, match="these are no saved tables"):
        tables.restore(b"abc")
    with pytest.raises(ValueError, match="table 7 does not exist"):
        tables.put(7, uno.deal(seed=1))


def test_tables_go_on_after_restore() -> None:
    game = kibitz.make("uno", players=3, rules="rlcard")
    tables = kibitz.Tables(game, 7, "random", seed=3)

    def play(steps: int) -> list[bytes]:
        out = []
        for _ in range(steps):
            tables.step(tables.mask.argmax(axis=1))
            out.append(tables.obs.tobytes() + tables.payoff.tobytes() + tables.seat.tobytes())
        return out

    play(20)
    kept = tables.save()
    first = play(60)
    tables.restore(kept)
    assert play(60) == first
    other = kibitz.Tables(game, 7, "random", seed=99)
    other.restore(kept)
    assert (other.mask.shape, other.seat.shape) == (tables.mask.shape, tables.seat.shape)
