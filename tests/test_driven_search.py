"""Searches that are driven: in pieces they think what they think in one go, and any thread may stop them."""

from __future__ import annotations

import contextlib
import threading
from typing import Any

import pytest

import kibitz
from kibitz import _core

SPECS = [
    "mcs:iterations=300",
    "mcs:iterations=301,threads=2",
    "ismcts:iterations=300",
    "ismcts:iterations=301,trees=4",
    "ismcts:iterations=100,rollout=rules,opponents=random",
    "mo-ismcts:iterations=200,observers=views",
    "pimc:iterations=203,worlds=7",
    "pimc:iterations=200,worlds=10,aggregate=times_best",
    "solver-pimc:worlds=5,nodes=20000",
    "minimax:worlds=70,nodes=2000",
]
GAMES = ["belote", "doudizhu", "uno:players=3"]


def said(thought: _core.NativeThought) -> tuple[Any, ...]:
    return (
        thought.actions,
        thought.values,
        thought.visits,
        thought.shares,
        thought.iterations,
        thought.nodes,
        thought.full,
    )


def position(spec: str) -> tuple[kibitz.Game, kibitz.View]:
    """A decision with a choice, a little way into a game."""
    game = kibitz.make(spec)
    state = game.deal(3)
    for _ in range(8):
        state.apply(state.legal()[-1])
    while len(state.legal()) < 2:
        state.apply(state.legal()[0])
    return game, state.view(state.to_act)


def whole(game: kibitz.Game, view: kibitz.View, spec: str, seed: int = 0) -> tuple[Any, ...]:
    return said(kibitz.tables.native_agent(game, spec).think(view, _core.agent_stream(seed)))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("spec", SPECS)
def test_pieces_are_the_whole(name: str, spec: str) -> None:
    game, view = position(name)
    reason = game.why_no_agent(spec.partition(":")[0])
    if reason:
        with pytest.raises(ValueError, match=r"has no \S+ agent: that needs"):
            game.search(view, spec)
        return
    expected = whole(game, view, spec, seed=7)
    search = game.search(view, spec, seed=7)
    before = search.thought()
    assert before.iterations == 0
    assert sum(before.shares) == pytest.approx(1)
    for piece in (1, 2, 30, 5):
        search.run(iterations=piece)
        assert 0 < search.thought().iterations <= expected[4]
    search.run()
    assert said(search.thought()) == expected
    search.run()  # nothing is left
    assert said(search.thought()) == expected
    once = game.search(view, spec, seed=7)
    once.run()
    assert said(once.thought()) == expected


@pytest.mark.parametrize("spec", ["ismcts:c=0.7", "mcs:threads=1", "pimc:worlds=5,c=0.7"])
def test_the_total_decides_not_the_budget_of_the_spec(spec: str) -> None:
    """A panel that goes on beyond the budget thinks what a larger budget would have thought."""
    game, view = position("uno")
    search = game.search(view, f"{spec},iterations=100", seed=1)
    for _ in range(5):
        search.run(iterations=50)
    assert said(search.thought()) == whole(game, view, f"{spec},iterations=250", seed=1)


def test_a_search_deepens_with_time() -> None:
    game, view = position("belote")
    search = game.search(view, "ismcts:ms=30")
    seen = []
    for _ in range(3):
        search.run(ms=5)
        seen.append(search.thought().iterations)
    assert 0 < seen[0] < seen[1] < seen[2]
    search.run(iterations=7)
    assert search.thought().iterations == seen[2] + 7


def test_any_thread_may_stop_it() -> None:
    game, view = position("uno")
    search = game.search(view, "ismcts:iterations=4000000000,nodes=1000")
    runner = threading.Thread(target=search.run)
    runner.start()
    assert not search.stopped
    search.stop()
    runner.join(timeout=60)
    assert not runner.is_alive()
    assert search.stopped
    before = search.thought().iterations
    search.run(iterations=100)  # it stays stopped
    assert search.thought().iterations == before


def run_at_last(search: kibitz.Search) -> None:
    """Runs as soon as nobody asks."""
    while not search.stopped:
        with contextlib.suppress(RuntimeError):
            search.run()


def ask_forever(search: kibitz.Search) -> None:
    while True:
        search.thought()


def test_one_caller_at_a_time() -> None:
    game, view = position("uno")
    search = game.search(view, "ismcts:iterations=4000000000,nodes=1000")
    runner = threading.Thread(target=run_at_last, args=(search,))
    runner.start()
    try:
        with pytest.raises(RuntimeError, match="in use by another thread"):
            ask_forever(search)  # until the runner has begun
    finally:
        search.stop()
        runner.join(timeout=60)
    assert not runner.is_alive()


def test_the_state_may_go_on_meanwhile() -> None:
    game = kibitz.make("tictactoe")
    state = game.deal()
    expected = said(kibitz.tables.native_agent(game, "uct:iterations=200").think(state, _core.agent_stream(0)))
    search = game.search(state, "uct:iterations=200")
    state.apply(4)
    search.run()
    assert said(search.thought()) == expected


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda s: s.run(iterations=0), "iterations must be from 1"),
        (lambda s: s.run(ms=0), "ms must be more than 0"),
        (lambda s: s.run(ms=float("nan")), "ms must be more than 0"),
    ],
)
def test_bad_runs(call: Any, says: str) -> None:
    game, view = position("uno")
    with pytest.raises(ValueError, match=says):
        call(game.search(view, "ismcts:iterations=10"))


def test_bad_searches() -> None:
    game, view = position("uno")
    for spec, says in {
        "minimax": "'uno' has no minimax agent: that needs a game with an exact solver",
        "uct": "'uno' has no uct agent: that needs a game in which nothing is hidden",
        "cheat-uct": "peeks: it needs a state",
        "human": "not native",
        "ismcts:depth=3": "unknown option 'depth'",
    }.items():
        with pytest.raises(ValueError, match=says):
            game.search(view, spec)
    with pytest.raises(ValueError, match="belongs to game 'uno', not to 'belote'"):
        kibitz.make("belote").search(view, "ismcts")
    with pytest.raises(ValueError, match="other options"):
        kibitz.make("uno:players=5").search(view, "ismcts")


def test_reasons_are_those_of_the_declarations() -> None:
    """Belote hides cards and has minimax; Uno has none, for want of a solver and not because cards are hidden."""
    assert "minimax" in kibitz.make("belote").native_agents
    uno = kibitz.make("uno")
    assert "solver" in uno.why_no_agent("minimax")
    assert "hidden" not in uno.why_no_agent("minimax")
    assert uno.why_no_agent("ismcts") == ""
    for search in _core.searches():
        for game in (uno, kibitz.make("tictactoe"), kibitz.make("doudizhu")):
            assert (search.name in game.native_agents) == (game.why_no_agent(search.name) == "")
