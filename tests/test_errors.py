"""Standard errors of thoughts: they are the spread of the values over many seeds, paired for losses."""

from __future__ import annotations

import math

import numpy as np
import pytest

import kibitz
from kibitz import _core
from kibitz.protocols import Thought

SEEDS = 150
# Rounds, trees and worlds as observations; on deals where luck matters.
SPECS = [
    "mcs:iterations=400",
    "mcs:iterations=2000,threads=2",
    "ismcts:iterations=800,trees=16",
    "solver-pimc:worlds=25",
]


def late(name: str = "belote", moves: int = 16, seed: int = 5) -> tuple[kibitz.Game, kibitz.View]:
    """A decision with a choice in the middle of a deal."""
    game = kibitz.make(name)
    state = game.deal(seed)
    while len(state.history) < moves or len(state.legal()) < 3:
        state.apply(state.legal()[0])
    return game, state.view(state.to_act)


def think(game: kibitz.Game, view: kibitz.View, spec: str, seed: int = 0) -> _core.NativeThought:
    return kibitz.tables.native_agent(game, spec).think(view, _core.agent_stream(seed))


@pytest.mark.parametrize("spec", SPECS)
def test_errors_are_the_spread_over_seeds(spec: str) -> None:
    game, view = late()
    thoughts = [think(game, view, spec, seed) for seed in range(SEEDS)]
    values = np.array([thought.values for thought in thoughts])
    told = np.sqrt(np.mean(np.square([thought.errors for thought in thoughts]), axis=0))
    # The spread of 150 values is known within 6%, and so is the mean of as many errors: 20% is three of both.
    assert told == pytest.approx(values.std(axis=0, ddof=1), rel=0.2)


@pytest.mark.parametrize("spec", SPECS)
def test_errors_of_losses_are_paired(spec: str) -> None:
    game, view = late()
    thoughts = [think(game, view, spec, seed) for seed in range(SEEDS)]
    best = max(range(len(thoughts[0].actions)), key=lambda i: sum(t.shares[i] for t in thoughts))
    agreed = [t for t in thoughts if t.best == t.actions[best]]
    assert len(agreed) > SEEDS / 5
    # Over all seeds, not those that agree, which are not chosen by chance.
    values = np.array([t.values for t in thoughts])
    spread = (values[:, [best]] - values).std(axis=0, ddof=1)
    told = np.sqrt(np.mean(np.square([t.loss_errors for t in agreed]), axis=0))
    assert told[best] == 0
    others = np.arange(len(spread)) != best
    assert told[others] == pytest.approx(spread[others], rel=0.25)


def test_pairing_pays() -> None:
    game, view = late(moves=4)
    thought = think(game, view, "mcs:iterations=2000,rollout=rules")
    best = thought.actions.index(thought.best)
    apart = [error**2 + thought.errors[best] ** 2 for i, error in enumerate(thought.errors) if i != best]
    paired = [error**2 for i, error in enumerate(thought.loss_errors) if i != best]
    assert sum(paired) < 0.8 * sum(apart)


def test_losses_are_differences() -> None:
    game, view = late()
    for spec in SPECS:
        thought = think(game, view, spec)
        best = thought.values[thought.actions.index(thought.best)]
        assert thought.losses == pytest.approx([best - value for value in thought.values], abs=1e-9)


@pytest.mark.parametrize(
    "spec", ["ismcts:iterations=400,trees=7", "uct:iterations=100", "pimc:iterations=200,worlds=7"]
)
def test_few_observations_tell_no_error(spec: str) -> None:
    game = kibitz.make("connect_four" if spec.startswith("uct") else "belote")
    view = game.deal(1).view(0)
    thought = kibitz.agent(spec).think(view)
    assert thought.error == thought.loss_error == [None] * len(thought.actions)
    assert None not in thought.loss
    assert min(loss for loss in thought.loss if loss is not None) <= 0


@pytest.mark.parametrize(
    ("name", "spec"),
    [("mini_doudizhu", "minimax"), ("mini_doudizhu", "expectimax"), ("tictactoe", "solver-pimc")],
)
def test_exact_searches_have_no_error(name: str, spec: str) -> None:
    game = kibitz.make(name)
    state = game.deal(1)
    while len(state.history) < 1 or len(state.legal()) < 2:
        state.apply(state.legal()[0])
    thought = think(game, state.view(state.to_act), spec)
    assert thought.errors == thought.loss_errors == [0.0] * len(thought.actions)
    assert thought.iterations == thought.asked
    assert not thought.undecided


@pytest.mark.parametrize(
    "spec", ["mcs:iterations=400", "mcs:iterations=401,threads=2", "ismcts:iterations=400,trees=8"]
)
def test_pieces_have_the_same_errors(spec: str) -> None:
    game, view = late()
    search = game.search(view, spec)
    for _ in range(4):
        search.run(iterations=100)
    search.run()
    pieces, whole = search.thought(), think(game, view, spec)
    assert pieces.errors == whole.errors
    assert pieces.loss_errors == whole.loss_errors


def test_asked_tells_what_was_cut_short() -> None:
    game, view = late()
    search = game.search(view, "mcs:iterations=1000")
    search.run(iterations=100)
    assert (search.thought().iterations, search.thought().asked) == (100, 1000)
    assert kibitz.agent("mcs:ms=1").think(view).asked is None
    assert kibitz.agent("random").think(view).asked is None
    assert think(game, view, "solver-pimc:worlds=9").asked == 9


def test_a_search_that_cannot_tell_is_undecided() -> None:
    game = kibitz.make("connect_four")
    assert think(game, game.deal().view(0), "solver-pimc:nodes=100").undecided


@pytest.mark.parametrize("threads", [1, 2])
def test_means_of_the_matrix_are_the_values(threads: int) -> None:
    game, view = late("uno", moves=6)
    search = game.search(view, f"mcs:iterations=500,rollout=rules,keep=500,threads={threads}", seed=3)
    for _ in range(5):
        search.run(iterations=100)
    worlds, payoffs = search.matrix()
    assert payoffs.shape == (len(worlds), len(view.legal()))
    assert np.nanmean(payoffs, axis=0) == pytest.approx(search.thought().values, abs=1e-9)
    assert np.isfinite(payoffs).sum() == 500
    assert all(world.view(view.seat) == view for world in worlds)
    again = game.search(view, f"mcs:iterations=500,rollout=rules,keep=500,threads={threads}", seed=3)
    again.run()
    assert np.array_equal(again.matrix()[1], payoffs, equal_nan=True)
    assert again.matrix()[0] == worlds


def test_keep_bounds_the_matrix() -> None:
    game, view = late()
    few = game.search(view, "mcs:iterations=600,keep=5,threads=2")
    few.run()
    assert len(few.matrix()[0]) == 5
    assert not np.isnan(few.matrix()[1]).any()


def test_worlds_that_are_solved_make_a_matrix() -> None:
    game, view = late()
    search = game.search(view, "solver-pimc:worlds=12")
    search.run()
    worlds, payoffs = search.matrix()
    assert len(worlds) == 12
    assert payoffs.mean(axis=0) == pytest.approx(search.thought().values, abs=1e-9)


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("mcs:iterations=20", "keep=N"),
        ("ismcts:iterations=20", "mcs, pimc"),
        ("minimax:worlds=all", "weighs its worlds"),
    ],
)
def test_searches_without_a_matrix_say_why(spec: str, reason: str) -> None:
    game = kibitz.make("mini_doudizhu")
    view = game.deal(1).view(0)
    search = game.search(view, spec)
    search.run()
    with pytest.raises(ValueError, match=reason):
        search.matrix()


def test_thoughts_without_figures_have_none() -> None:
    thought = Thought([1, 2], [None, None], [None, None], [0.5, 0.5])
    assert thought.error == thought.loss == thought.loss_error == [None, None]
    with pytest.raises(ValueError, match="differ in length"):
        Thought([1, 2], [None, None], [None, None], [0.5, 0.5], error=[1.0])
    assert not any(math.isnan(x) for x in kibitz.agent("mcs:iterations=50").think(late()[1]).error if x is not None)
