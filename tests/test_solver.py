"""The exact solver against brute force, known values, and its budget."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable
from typing import Any

import pytest
from interrupts import ctrl_c_in_the_core, ends_even_if_deaf

import kibitz


def first_side(state: Any) -> list[int]:
    """Seat 0 and, in Dou Di Zhu, the other peasant if it is one."""
    if state.game.name != "doudizhu":
        return [0]
    landlord = state.game.position(state)["landlord_seat"]
    return [0] if landlord == 0 else [seat for seat in range(3) if seat != landlord]


def brute_force(state: Any, memory: dict[str, float], game: Any) -> float:
    """Plain minimax on the first side's payoff; positions are remembered, because a second visit cannot differ."""
    if state.over:
        return float(sum(state.payoffs[seat] for seat in first_side(state)))
    key = str(game.position(state))
    if key not in memory:
        values = []
        for action in state.legal():
            after = state.copy()
            after.apply(action)
            values.append(brute_force(after, memory, game))
        memory[key] = max(values) if state.to_act in first_side(state) else min(values)
    return memory[key]


def check_against_brute_force(game: Any, state: Any, memory: dict[str, float]) -> None:
    sign = 1 if state.to_act in first_side(state) else -1
    solution = game.solve(state)
    assert solution.complete
    assert solution.exact
    assert solution.value == sign * brute_force(state, memory, game)
    full = game.solve(state, all_actions=True)
    assert full.value == solution.value
    assert list(full.values) == list(full.bounds) == state.legal()
    for action, value in full.values.items():
        after = state.copy()
        after.apply(action)
        assert full.bounds[action] == (value, value)
        assert value == sign * brute_force(after, memory, game)
    for best in (solution.best, full.best):
        assert full.values[best] == full.value


def test_every_tictactoe_position_equals_brute_force() -> None:
    game = kibitz.make("tictactoe")
    memory: dict[str, float] = {}
    layer = {str(game.position(game.deal())): game.deal()}
    positions = 0
    while layer:
        following = {}
        for state in layer.values():
            positions += 1
            if state.over:
                continue
            if positions % 5 == 1:
                check_against_brute_force(game, state, memory)
            for action in state.legal():
                after = state.copy()
                after.apply(action)
                following[str(game.position(after))] = after
        layer = following
    assert positions == 5_478
    assert game.solve(game.deal()).value == 0
    state = game.deal()
    state.apply(0)
    assert str(game.solve(state).value) == "0.0"


@pytest.mark.parametrize(
    ("name", "options"),
    [("connect_four", {"rows": 3, "columns": 4}), ("hex", {"size": 3}), ("hex", {"size": 3, "swap": True})],
)
def test_random_positions_equal_brute_force(name: str, options: dict[str, Any]) -> None:
    game = kibitz.make(name, **options)
    rng = random.Random(3)
    memory: dict[str, float] = {}
    for _ in range(60):
        state = game.deal()
        for _ in range(rng.randrange(2, 8)):
            if not state.over:
                state.apply(rng.choice(state.legal()))
        if not state.over:
            check_against_brute_force(game, state, memory)


def test_mini_doudizhu_deals_equal_brute_force() -> None:
    game = kibitz.make("mini_doudizhu")
    for seed in range(12):
        state = game.deal(seed)
        memory: dict[str, float] = {}
        check_against_brute_force(game, state, memory)
        rng = random.Random(seed)
        for _ in range(4):
            state.apply(rng.choice(state.legal()))
        check_against_brute_force(game, state, memory)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"scoring": "adp", "landlord": "random"},
        {"rules": "rlcard", "landlord": "strongest"},
        {"kickers": "separate", "joker_kickers": "both", "bidding": True, "scoring": "adp"},
    ],
    ids=str,
)
def test_doudizhu_endgames_equal_brute_force(options: dict[str, Any]) -> None:
    game = kibitz.make("doudizhu", **options)
    solved = 0
    for seed in range(60):
        state = game.deal(seed)
        rng = random.Random(seed)
        while not state.over and cards_left(state) > 11:
            state.apply(rng.choice(state.legal()))
        if not state.over:
            check_against_brute_force(game, state, {})
            solved += 1
    assert solved > 20


def cards_left(state: Any) -> int:
    return sum(map(len, state.game.position(state)["hands"]))


def test_only_the_play_of_doudizhu_is_solved() -> None:
    bidding = kibitz.make("doudizhu", bidding=True)
    with pytest.raises(ValueError, match="bidding"):
        bidding.solve(bidding.deal(1))


def test_share_of_mini_doudizhu_deals_won_by_the_first_player() -> None:
    game = kibitz.make("mini_doudizhu")
    won = weighted = 0
    for state, weight in game.deals():
        value = game.solve(state).value
        assert value in (1.0, -1.0)
        won += value == 1
        weighted += weight * (value == 1)
    assert won == 6_433
    assert round(100 * won / 8_832, 2) == 72.84
    assert round(100 * weighted / 10_501_920, 2) == 70.71


def test_known_values_of_small_boards() -> None:
    values = {
        ("tictactoe", 4): 0.0,
        ("hex", 2): 1.0,
        ("hex", 3): 1.0,
        ("hex", 4): 1.0,
    }
    for (name, size), value in values.items():
        game = kibitz.make(name, size=size)
        assert game.solve(game.deal()).value == value
    four = kibitz.make("connect_four", rows=4, columns=4)
    assert four.solve(four.deal()).value == 0
    # Whoever may take over the first stone wins: every opening of the small board wins or loses.
    swap = kibitz.make("hex", size=3, swap=True)
    assert swap.solve(swap.deal()).value == -1


def with_tie_break(state: Any, epsilon: float, memory: dict[str, float], game: Any) -> float:
    """m(s) = max over a of -m(f(s, a)), plus epsilon times the mean over a: the side to move alternates."""
    if state.over:
        return -1.0  # the side that would be to move has lost
    key = str(game.position(state))
    if key not in memory:
        replies = []
        for action in state.legal():
            after = state.copy()
            after.apply(action)
            replies.append(-with_tie_break(after, epsilon, memory, game))
        memory[key] = max(replies) + epsilon * sum(replies) / len(replies)
    return memory[key]


def test_the_tie_break_is_the_papers_formula() -> None:
    game = kibitz.make("mini_doudizhu")
    for seed in range(6):
        state = game.deal(seed)
        for move in range(3 + seed % 3):
            state.apply(state.legal()[move % len(state.legal())])
        solution = game.solve(state, tie_break=0.001)
        assert solution.exact
        assert solution.value == pytest.approx(with_tie_break(state, 0.001, {}, game), abs=1e-12)
        plain = game.solve(state, all_actions=True)
        assert plain.values[solution.best] == plain.value


def test_out_of_budget_gives_true_bounds() -> None:
    game = kibitz.make("hex", size=4)
    state = game.deal()
    exact = game.solve(state, all_actions=True)
    narrowed = 0
    for budget in (1, 10, 100, 1_000, exact.nodes // 2, exact.nodes - 1):
        solution = game.solve(state, nodes=budget, all_actions=True)
        assert not solution.complete
        assert solution.nodes <= budget
        assert exact.value is not None
        assert solution.low <= exact.value <= solution.high
        assert solution.value == (exact.value if solution.exact else None)
        for action, (low, high) in solution.bounds.items():
            assert low <= exact.values[action] <= high
            assert (action in solution.values) == (low == high)
            narrowed += (low, high) != (-1, 1)
    assert narrowed > 0
    large = kibitz.make("connect_four")
    gave_up = large.solve(large.deal(), nodes=1_000)
    assert not gave_up.complete
    assert (gave_up.low, gave_up.high) == (-1, 1)
    assert gave_up.value is None
    assert "complete=False" in repr(gave_up)


@pytest.mark.parametrize(
    ("name", "options"), [("doudizhu", {}), ("doudizhu", {"scoring": "adp", "bidding": True}), ("mini_doudizhu", {})]
)
def test_out_of_budget_with_cards(name: str, options: dict[str, Any]) -> None:
    game = kibitz.make(name, **options)
    cut_short = 0
    for seed in range(12):
        state, rng = game.deal(seed), random.Random(seed)
        while not state.over and cards_left(state) > 14:
            state.apply(rng.choice(state.legal()))
        if state.over:
            continue
        exact = game.solve(state, all_actions=True)
        for budget in (1, exact.nodes // 4, exact.nodes - 1):
            solution = game.solve(state, nodes=max(1, budget), all_actions=True)
            cut_short += not solution.complete
            assert solution.complete == (solution.nodes == exact.nodes)
            assert exact.value is not None
            assert solution.low <= exact.value <= solution.high
            for action, (low, high) in solution.bounds.items():
                assert low <= exact.values[action] <= high
    assert cut_short > 10


def test_bad_requests_say_what_is_wrong() -> None:
    game = kibitz.make("hex", size=3)
    state = game.deal()
    for arguments, says in (
        ({"nodes": 0}, "from 1"),
        ({"nodes": -1}, "from 1"),
        ({"nodes": 2**64}, "from 1"),
        ({"tie_break": -1.0}, "from 0"),
        ({"tie_break": float("nan")}, "from 0"),
    ):
        with pytest.raises(ValueError, match=says):
            game.solve(state, **arguments)
    for action in (0, 1, 3, 4, 6):
        state.apply(action)
    assert state.over
    with pytest.raises(ValueError, match="nothing to solve"):
        game.solve(state)
    large = kibitz.make("hex", size=9)
    with pytest.raises(ValueError, match="up to size 8"):
        large.solve(large.deal())
    with pytest.raises(ValueError, match="other options"):
        game.solve(large.deal())
    uno = kibitz.make("uno")
    assert not uno.can("solve")
    with pytest.raises(ValueError, match="'uno' has no solve: it has no exact solver"):
        uno.solve(uno.deal())


def processor_time(call: Callable[[], Any]) -> float:
    """Hardly depends on what else the machine does, unlike the time of day."""
    begin = time.process_time()
    call()
    return time.process_time() - begin


@ends_even_if_deaf
def test_ctrl_c_stops_the_solver_of_belote() -> None:
    """The hardest of many deals takes half a second: Ctrl-C may come too late to save much, but not every time."""
    game = kibitz.make("belote", discard=True)
    deal = game.deal(4302)

    def whole() -> None:
        assert game.solve(deal, all_actions=True).complete

    def interrupted() -> None:
        with contextlib.suppress(KeyboardInterrupt), ctrl_c_in_the_core():
            game.solve(deal, all_actions=True)

    usual = min(processor_time(whole) for _ in range(3))
    if usual < 0.2:
        pytest.skip("solved before signals are looked for")
    assert any(processor_time(interrupted) < 0.6 * usual for _ in range(100))


@ends_even_if_deaf
def test_ctrl_c_stops_a_long_search() -> None:
    game = kibitz.make("connect_four")
    with pytest.raises(KeyboardInterrupt), ctrl_c_in_the_core():
        game.solve(game.deal(), nodes=10**12)
