"""Native objects shared by threads: safe, or refused with a clear error. Never a crash."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

# In a process of its own: what fails here ends the interpreter. `storm` makes a number of calls, however busy the
# machine is; a call may be refused (RuntimeError), and nothing else.
STORM = """
import threading
from collections import Counter
import numpy as np
import kibitz
from kibitz import _core
from kibitz.agents.network import find_net

def storm(*calls, rounds=40):
    start, outcomes, errors = threading.Barrier(len(calls)), Counter(), []
    def work(call):
        start.wait()
        for _ in range(rounds):
            try:
                call()
                outcomes["done"] += 1
            except RuntimeError as error:
                assert "in use by another thread" in str(error), error
                outcomes["refused"] += 1
            except BaseException as error:
                errors.append(error)
                raise
    threads = [threading.Thread(target=work, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors, errors
    assert outcomes["done"] > 0
    print(dict(outcomes), flush=True)
"""


def run(body: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", STORM + textwrap.dedent(body)], capture_output=True, text=True, timeout=500
    )
    assert done.returncode == 0, f"exit {done.returncode}: {done.stderr[-2000:]}"
    return done.stdout


@pytest.mark.parametrize("game", ["uno", "belote", "doudizhu", "tictactoe", "gdl:file=kuhn_poker"])
def test_tables(game: str) -> None:
    """Every method of one set of tables, from several threads at once."""
    run(
        f"""
        game = kibitz.make({game!r})
        tables = kibitz.Tables(game, 512, None, threads=2)
        native = tables._native
        random, search = (kibitz.tables.native_agent(game, s) for s in ("random", "mcs:iterations=4"))
        state = game.deal(5)
        def step():
            offsets = native.offsets.copy()
            legal = native.ids[offsets[:-1]] if native.ragged else native.mask.argmax(axis=1)
            try:
                native.step(np.ascontiguousarray(legal, dtype=np.int32))
            except (ValueError, IndexError):  # another thread has moved since
                pass
        calls = [step, step, lambda: native.run(2, random), lambda: native.restore(native.save()),
                 lambda: native.advise(random, 1), lambda: native.put(0, state),
                 lambda: native.seat_players([None] * game.players)]
        if not native.ragged:
            calls.append(lambda: native.think(search, 1))
        storm(*calls, rounds=15)
        step()
        """
    )


def test_thousands_of_tables_stepped_by_four_threads() -> None:
    run(
        """
        game = kibitz.make("belote")
        tables = kibitz.Tables(game, 8192, None)
        def step():
            try:
                tables._native.step(tables.mask.argmax(axis=1).astype(np.int32))
            except ValueError:
                pass
        storm(step, step, step, step)
        """
    )


def test_learners_of_tables() -> None:
    run(
        """
        game = kibitz.make("tictactoe")
        learner = game.native_q_learner(1)
        def learn():
            learner.run(np.full(200, 0.5), np.zeros((200, 2)), 0.1, 0.9, -1.0, True, True, None, None)
        def save():
            n = learner.size(0)
            try:
                learner.save(0, np.zeros(n, np.uint64), np.zeros(n), np.zeros(n, np.uint64))
            except ValueError:  # it has grown since
                pass
        storm(learn, learn, learn, learn, save, lambda: learner.agent("q", None), lambda: setattr(learner, "played", 0),
              lambda: learner.played)
        """
    )


def test_searches_whose_leaves_are_valued_in_python() -> None:
    run(
        """
        game = kibitz.make("uno", players=2, rules="rlcard")
        views = [game.deal(s).view(game.deal(s).to_act) for s in range(4)]
        options = {"iterations": 10**6, "encoder": "li", "output": "q", "wave": 32}
        waves = game.native_waves("ismcts", options, views, _core.Rng(1))
        def wave():
            try:
                waves.select()
                features, _ = waves.show()
                waves.answer(np.zeros((len(features), waves.width), np.float32))
            except ValueError:  # others have answered, or not yet
                pass
        storm(wave, wave, wave, waves.thoughts)
        """
    )


def test_agents_games_views_and_states() -> None:
    """These may be shared: everything that changes is copied first."""
    out = run(
        """
        for name in ("uno", "belote", "gdl:file=kuhn_poker", "gdl:file=blind_tictactoe"):
            game = kibitz.make(name)
            agent, rng = kibitz.tables.native_agent(game, "ismcts:iterations=50,threads=2"), _core.Rng(1)
            state = game.deal(3)
            view, key = state.view(state.to_act), state.view(state.to_act).key
            def play():
                if state.to_act >= 0:
                    state.apply(state.legal()[0])
            def think():
                if state.to_act >= 0:
                    agent.think(state, rng)
            storm(lambda: agent.think(view, rng), lambda: agent.act(view, rng), lambda: view.sample(3), play, think,
                  lambda: game.playouts(20, 1), lambda: game.perft(state, 1), lambda: game.position(state),
                  lambda: [game.text(a) for a in view.legal()], lambda: str(view), lambda: state.copy().view(0),
                  rounds=10)
            assert view.key == key
        """
    )
    assert "refused" not in out


def test_networks() -> None:
    out = run(
        """
        net = kibitz.Net.load(find_net("uno-2p"))
        rows = np.random.default_rng(1).random((64, net.sizes[0]), dtype=np.float32)
        expected = net.evaluate(rows)
        def evaluate():
            assert np.array_equal(net.evaluate(rows), expected)
        storm(evaluate, evaluate, evaluate, evaluate)
        perceptron, obs = _core.Perceptron([8, 16, 4]), np.ones((32, 8), np.float32)
        gradient, slope = _core.Gradient(perceptron), np.zeros_like(perceptron.weights)
        actions = np.zeros(32, np.int64)
        storm(*[lambda: perceptron.values(obs), lambda: gradient.fit(obs, actions, [], slope)] * 2)
        """
    )
    assert "refused" not in out


def test_solvers() -> None:
    run(
        """
        game = kibitz.make("belote", cards=12)
        state = game.deal(1)
        def play():
            if state.to_act >= 0:
                state.apply(state.legal()[0])
        storm(lambda: game.solve(state) if state.to_act >= 0 else None, play, rounds=10)
        """
    )


def test_the_storm_covers_every_native_class() -> None:
    """A class that is new in the core is shared here, too, or has nothing that another thread could change."""
    from kibitz import _core

    constant = {"Encoder", "NativeMatch", "NativeThought", "OptionInfo", "Playouts", "SearchInfo", "Solution"}
    constant |= {"Rng", "Seeds", "PythonGameAgent"}
    kinds = {"Game", "State", "View", "Agent", "Search", "Tables", "Waves", "QLearner", "Net", "Perceptron", "Gradient"}
    classes = {name for name, value in vars(_core).items() if isinstance(value, type)}
    assert classes - constant == kinds
    assert Path(__file__).read_text().count("storm(") > 7
