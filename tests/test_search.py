"""Searches: right where the answer is known, blind to what is hidden, repeatable, within their budget."""

from __future__ import annotations

import time
from typing import Any

import pytest

import kibitz
from kibitz.agents.search import SearchAgent

HONEST = [
    "mcs:iterations=300",
    "ismcts:iterations=300",
    "ismcts:iterations=300,opponents=random",
    "mo-ismcts:iterations=300",
    "mo-ismcts:iterations=300,observers=views",
    "pimc:iterations=300,worlds=10",
]
HIDDEN_GAMES: dict[str, dict[str, Any]] = {
    "uno": {"players": 3, "rules": "rlcard"},
    "belote": {},
    "doudizhu": {},
    "mini_doudizhu": {},
}


def think(spec: str, view: Any, seed: int = 1) -> Any:
    agent = kibitz.agent(spec)
    agent.begin(seed)
    return agent.think(view)


def late(game: Any, seed: int, moves: int) -> Any:
    """A state after some random moves, with somebody to act."""
    state = game.deal(seed)
    rng = kibitz._core.Rng(seed)
    for _ in range(moves):
        before = state.copy()
        legal = state.legal()
        state.apply(legal[rng.below(len(legal))])
        if state.over:
            return before
    return state


# ---------------------------------------------------------------------------------------------------- right answers


def tictactoe(*moves: str) -> Any:
    game = kibitz.make("tictactoe", size=3)
    state = game.deal(0)
    for move in moves:
        state.apply(game.parse(move))
    return state


@pytest.mark.parametrize("spec", ["uct:iterations=20000", "ismcts:iterations=20000", "uct:iterations=20000,pick=mean"])
@pytest.mark.parametrize("seed", range(5))
def test_converges_to_a_best_move_of_solved_positions(spec: str, seed: int) -> None:
    for name, options, moves in [
        ("tictactoe", {"size": 3}, 2),
        ("connect_four", {"rows": 4, "columns": 4}, 5),
        ("hex", {"size": 3, "swap": False}, 2),
    ]:
        game = kibitz.make(name, **options)
        state = late(game, seed, moves)
        solution = game.solve(state, all_actions=True)
        best = think(spec, state.view(state.to_act), seed).best
        assert solution.values[best] == solution.value, (game, str(state), game.text(best))


def test_flat_search_takes_the_win_at_hand_and_sees_no_further() -> None:
    state = tictactoe("a1", "b1", "a2", "b2")
    view = state.view(0)
    assert view.game.text(think("mcs:iterations=900", view).best) == "a3"


def test_values_are_payoffs_of_the_seat_to_act() -> None:
    state = tictactoe("a1", "b1", "a2", "b2")
    thought = think("uct:iterations=5000", state.view(0))
    values = dict(zip(thought.actions, thought.value, strict=True))
    assert values[state.game.parse("a3")] == 1.0
    assert sum(thought.share) == pytest.approx(1)
    assert sum(visits for visits in thought.visits if visits) == 5000


def test_more_players_and_teams_back_up_for_whoever_moves() -> None:
    """One card left and it fits: winning at once is worth the whole payoff, for every number of players."""
    for players in (2, 3, 4):
        game = kibitz.make("uno", players=players, rules="rlcard")
        hands = [["r-1"], *[[f"{colour}-3", f"{colour}-4"] for colour in "gby"[: players - 1]]]
        start = {"game": "uno", "players": players, "rules": "rlcard", "to_act": 0, "target": "r-9"}
        state = game.from_position(start | {"discards": ["r-9"], "hands": hands})
        thought = think("ismcts:iterations=200", state.view(0))
        assert thought.best == game.parse("r-1")


def test_solver_in_every_world_is_exact_where_nothing_is_hidden_any_more() -> None:
    """In the last trick but one of Belote few worlds are left; with all of them alike the mean is the exact value."""
    game = kibitz.make("belote", scoring="difference")
    found = 0
    for seed in range(800):
        state = late(game, seed, 24)
        view = state.view(state.to_act)
        if view.worlds() != 1 or len(view.legal()) < 2:
            continue
        found += 1
        solution = game.solve(state, all_actions=True)
        thought = think("solver-pimc:worlds=3", view)
        assert dict(zip(thought.actions, thought.value, strict=True)) == pytest.approx(solution.values)
    assert found > 3


def test_searching_beats_not_searching() -> None:
    result = kibitz.play(
        kibitz.make("connect_four", rows=6, columns=7), ["uct:iterations=300", "mcs:iterations=100"], games=60, seed=1
    )
    assert result.agents[0].wins > result.agents[1].wins + 10


# ------------------------------------------------------------------------------ nothing leaks: see test_no_leak.py, too


def test_only_cheats_take_states() -> None:
    game = kibitz.make("uno", players=2)
    state = game.deal(1)
    cheat = kibitz.agent("cheat-uct:iterations=100")
    assert cheat.peeks
    with pytest.raises(ValueError, match="peeks"):
        cheat.act(state.view(state.to_act))
    assert cheat.act(state) in state.legal()
    assert not kibitz.agent("ismcts").peeks


def test_an_honest_search_given_a_state_looks_at_its_view() -> None:
    game = kibitz.make("uno", players=2)
    state = game.deal(1)
    native = game.native_agent("ismcts", {"iterations": 200})
    rng = kibitz._core.Rng
    assert native.think(state, rng(3)).visits == native.think(state.view(state.to_act), rng(3)).visits


def test_uct_refuses_to_peek() -> None:
    with pytest.raises(ValueError, match="cheat-uct"):
        kibitz.agent("uct").act(kibitz.make("uno").deal(1).view(0))


# ---------------------------------------------------------------------------------------------------- repeatable


@pytest.mark.parametrize("name", HIDDEN_GAMES)
@pytest.mark.parametrize("spec", HONEST)
def test_the_same_seed_the_same_thought(name: str, spec: str) -> None:
    game = kibitz.make(name, **HIDDEN_GAMES[name])
    state = late(game, seed=1, moves=3)
    view = state.view(state.to_act)
    first = think(spec, view, seed=7)
    assert think(spec, view, seed=7) == first
    if len(first.actions) > 2:
        assert think(spec, view, seed=8) != first


def test_budgets() -> None:
    state = kibitz.make("belote").deal(2)
    native = state.game.native_agent
    rng = kibitz._core.Rng
    view = state.view(state.to_act)
    assert native("ismcts", {"iterations": 123}).think(view, rng(1)).iterations == 123
    assert native("ismcts", {"iterations": 123, "threads": 2}).think(view, rng(1)).iterations == 123
    start = time.monotonic()
    assert native("ismcts", {"ms": 50}).think(view, rng(1)).iterations >= 1  # nothing but the clock ends it
    assert time.monotonic() - start >= 0.05
    assert native("ismcts", {"ms": 1e9, "iterations": 50}).think(view, rng(1)).iterations == 50


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("pimc:iterations=10,ms=5000,worlds=40", 40),
        ("ismcts:iterations=1,ms=5000,threads=2", 2),
        ("ismcts:iterations=3,ms=5000,trees=8", 8),
        ("mcs:iterations=1,ms=5000,threads=2", 8),
    ],
)
def test_few_iterations_in_many_parts_are_a_limit_beside_the_clock(spec: str, parts: int) -> None:
    """Every tree and world gets at least one."""
    state = kibitz.make("belote").deal(2)
    assert think(spec, state.view(state.to_act)).iterations <= parts


def test_a_full_tree_goes_on_without_growing() -> None:
    state = kibitz.make("belote").deal(2)
    view = state.view(state.to_act)
    agent = state.game.native_agent("ismcts", {"iterations": 3000, "nodes": 100})
    thought = agent.think(view, kibitz._core.Rng(1))
    assert thought.full
    assert thought.nodes == 100
    assert thought.iterations == 3000
    assert not state.game.native_agent("ismcts", {"iterations": 50}).think(view, kibitz._core.Rng(1)).full


@pytest.mark.parametrize("observers", ["moves", "views"])
def test_places_are_bounded_with_the_tree(observers: str) -> None:
    """Where seats are in their trees is remembered for no more decisions than there are nodes."""
    resource = pytest.importorskip("resource")
    state = kibitz.make("belote").deal(2)
    view = state.view(state.to_act)
    options = {"iterations": 60_000, "nodes": 100, "observers": observers}
    agent = state.game.native_agent("mo-ismcts", options)
    agent.think(view, kibitz._core.Rng(1))  # whatever is allocated once
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    thought = agent.think(view, kibitz._core.Rng(1))
    assert thought.full
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2_000  # kilobytes


def test_a_forced_action_needs_no_search() -> None:
    game = kibitz.make("uno", players=2, rules="rlcard")
    start = {"game": "uno", "players": 2, "rules": "rlcard", "to_act": 0, "target": "r-9", "discards": ["r-9"]}
    state = game.from_position(start | {"hands": [["b-1"], ["g-2"]]})
    thought = think("ismcts:iterations=1000000000", state.view(0))
    assert thought.best == game.parse("draw")
    assert thought.share == [1.0]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("ismcts:iterations=0", "iterations"),
        ("ismcts:iteration=5", "allowed options: ms, iterations"),
        ("ismcts:c=-1", "c of agent"),
        ("ismcts:c=lots", "number from 0 to 1000"),
        ("ismcts:counts=both", "available, parent"),
        ("pimc:worlds=0", "worlds"),
        ("pimc:aggregate=mean", "times_best, reward, visits"),
        ("mcs:threads=-1", "threads"),
        ("ismcts:nodes=1", "nodes"),
    ],
)
def test_bad_options(spec: str, said: str) -> None:
    view = kibitz.make("belote").deal(1).view(0)
    with pytest.raises(ValueError, match=said):
        kibitz.agent(spec).act(view)


def test_nothing_to_think_about() -> None:
    view = kibitz.make("belote").deal(1).view(1)
    with pytest.raises(ValueError, match="not to act"):
        kibitz.agent("ismcts").act(view)


def test_specs_make_the_agent_again() -> None:
    agent = kibitz.agent("ismcts:iterations=50,c=0.5")
    assert isinstance(agent, SearchAgent)
    assert kibitz.agent(agent.name).name == agent.name


@pytest.mark.parametrize("aggregate", ["times_best", "reward", "visits"])
def test_aggregations_agree_where_all_worlds_do(aggregate: str) -> None:
    state = tictactoe("a1", "b1", "a2", "b2")
    thought = think(f"pimc:iterations=2000,worlds=10,aggregate={aggregate}", state.view(0))
    assert state.game.text(thought.best) == "a3"


def test_rollouts_by_rules() -> None:
    game = kibitz.make("belote")
    view = game.deal(1).view(0)
    for name in ("ismcts", "pimc", "mcs"):
        ruled = think(f"{name}:iterations=200,rollout=rules", view)
        assert ruled != think(f"{name}:iterations=200", view)
    with pytest.raises(ValueError, match="allowed: random"):
        kibitz.agent("uct:rollout=rules").act(kibitz.make("hex", size=3).deal(1).view(0))
