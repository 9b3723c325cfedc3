"""The judge: two columns, the word where they cross, and that both are right where everything can be worked out."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from test_exact_search import slow_action, slow_minimax
from toy_game import ToyGame

import kibitz
from kibitz.advice import columns, judge
from kibitz.advice.columns import Case, Column, Stakes
from kibitz.protocols import facts
from kibitz.record import Record, Seat

FEW = 40  # worlds, for tests


def played(spec: str, seed: int = 5, most: int = 1000, player: str = "random") -> Record:
    game = kibitz.make(spec)
    state, agent, rng = game.deal(seed), kibitz.agent(player), random.Random(seed)
    agent.begin(seed)
    while not state.over and len(state.history) < most:
        legal = state.legal()
        state.apply(rng.choice(legal) if player == "random" else agent.act(state.view(state.to_act)))
    return Record.of(game, state, [Seat("Ada"), *(Seat(f"{player} {n}", player) for n in range(1, game.players))])


def column(loss: float, error: float | None = 0.0, least: float = 0.5, others: int = 1) -> Column:
    return Column(0, loss, error, least, others)


# ------------------------------------------------------------------------------------------------ words


@pytest.mark.parametrize(
    ("known", "real", "word"),
    [
        (column(0.0), column(0.0), "good"),
        (column(9.4, 0.9), column(16.0), "mistake"),
        (column(0.4, 0.8), column(7.0), "unlucky"),
        (column(3.1, 0.6), column(0.0), "lucky"),
        (column(3.1, 3.0), column(0.0), "good"),  # within its error
        (column(0.4), column(0.4), "good"),  # not worth a word
        (column(2.3, 1.0, others=1), None, "mistake"),  # the game is not over: what could be known decides
        (column(2.3, 1.0, others=20), None, "good"),  # the luckiest of twenty others
        (None, column(7.0), "unclear"),
        (column(5.0, None), column(7.0), "unclear"),  # of which no error is known
    ],
)
def test_columns_cross_in_a_word(known: Column | None, real: Column | None, word: str) -> None:
    assert judge.cross(known, real) == word


# ------------------------------------------------------------------------------------------------ truth


def small_cases(spec: str, count: int) -> list[tuple[Any, Any, int]]:
    """Decisions near the end of random games, so that even slow methods can enumerate everything."""
    game, rng, out = kibitz.make(spec), random.Random(1), list[tuple[Any, Any, int]]()
    for seed in range(10_000):
        state = game.deal(seed)
        while not state.over:
            action = rng.choice(state.legal())
            few = sum(map(len, game.position(state)["hands"])) <= (10 if spec == "mini_doudizhu" else 7)
            if len(state.legal()) > 1 and few:
                out.append((game, state.copy(), action))
                if len(out) == count:
                    return out
            state.apply(action)
    raise AssertionError("too few decisions")


@pytest.mark.parametrize("spec", ["mini_doudizhu", "belote:cards=12"])
def test_verdicts_are_those_of_slow_enumeration(spec: str) -> None:
    words = set()
    for game, state, action in small_cases(spec, 40):
        said = judge.decision(game, state, action, effort=FEW)
        stakes = Stakes.of(game)
        counted: Any = stakes.state(state)
        seat, least = counted.to_act, stakes.least(counted.view(counted.to_act))
        worlds, memory = counted.view(seat).all_worlds(), dict[Any, float]()
        over = {a: slow_action(worlds, seat, a, memory) for a in counted.legal()}
        real = {a: best_for(counted, a, seat) for a in counted.legal()}
        bad = [(max(v.values()) - v[action]) * stakes.scale >= least - 1e-9 for v in (over, real)]
        want = {(0, 0): "good", (0, 1): "unlucky", (1, 0): "lucky", (1, 1): "mistake"}[int(bad[0]), int(bad[1])]
        assert said.verdict == want
        assert said.known is not None
        assert said.known.exact
        assert said.known.loss == pytest.approx((max(over.values()) - over[action]) * stakes.scale)
        words.add(want)
    assert {"good", "mistake"} <= words


def best_for(state: Any, action: int, seat: int) -> float:
    """Plain minimax between the sides, all cards open."""
    after = state.copy()
    after.apply(action)
    if state.game.players == 2:
        return slow_minimax(after, seat, 0.0, {})
    if after.over:
        return float(after.payoffs[seat])
    values = [best_for(after, a, seat) for a in after.legal()]
    return max(values) if after.to_act % 2 == seat % 2 else min(values)


def test_a_contract_that_fails_counts_in_the_real_deal() -> None:
    """The solver knows card points alone. What counts is the deal's score: who took and fails loses everything."""
    game = kibitz.make("belote", bidding=True)
    found = False
    for seed in range(40):
        record = played("belote:bidding=true", seed, player="rules")
        states = list(record.states())
        for state in states[-9:-5]:
            if len(states) < 32 or len(state.legal()) < 2:  # all passed
                continue
            stakes = Stakes.of(game)
            counted: Any = stakes.state(state)
            for action in counted.legal():
                case = Case(stakes, counted, counted.view(counted.to_act), action)
                said = columns.solved(case)
                assert said is not None
                assert said.value == pytest.approx(0.5 * best_for(counted, action, counted.to_act))
                cards = counted.game.solve(counted, all_actions=True).values
                found |= said.loss > (max(cards.values()) - cards[action]) / 2 + 1
    assert found  # somewhere the contract made a loss larger than its card points


def test_points_that_change_sides_count_once() -> None:
    stakes = Stakes.of(kibitz.make("belote"))
    assert (facts(stakes.game).options["scoring"], stakes.scale) == ("difference", 0.5)
    for spec in ("uno", "belote:scoring=win", "doudizhu", "hex"):
        assert Stakes.of(kibitz.make(spec)) == Stakes(kibitz.make(spec))


def test_equal_moves_are_hardly_ever_called_mistakes() -> None:
    """Play-outs of no consequence: the luckiest of ten equal moves beside any other."""
    game = kibitz.make("uno", players=2)
    state = game.deal(1)
    view = state.view(state.to_act)
    rng, bad = np.random.default_rng(1), 0
    for _ in range(400):
        case = Case(Stakes(game), state, view, view.legal()[0])
        payoffs = rng.choice([-1.0, 1.0], size=(200, len(case.legal)))
        bad += columns._from_matrix(case, payoffs, 200).bad
    assert bad <= 20


# ------------------------------------------------------------------------------------------------ games


@pytest.mark.parametrize(
    "spec",
    [
        "uno:players=3",
        "belote:bidding=true",
        "doudizhu:bidding=true",
        "doudizhu:scoring=adp",
        "tictactoe",
        "hex:size=4",
    ],
)
def test_a_whole_game_is_judged(spec: str) -> None:
    record = played(spec, player="rules" if "rules" in kibitz.make(spec).native_agents else "random")
    review = judge.game(record, effort=FEW, seed=3)
    states = list(record.states())
    moves = [n for n, state in enumerate(states[:-1], start=1) if len(state.legal()) > 1]
    assert [judged.move for judged in review.decisions] == moves
    assert review.forced == len(record.actions) - len(moves)
    for judged in review.decisions:
        assert judged.text == record.actions[judged.move - 1]
        assert judged.verdict in (*judge.VERDICTS, judge.UNCLEAR)
        for one in (judged.known, judged.real):
            assert one is not None
            assert one.loss >= 0
            assert one.chance is None or 0 <= one.chance <= 1
        if not kibitz.make(spec).hidden:  # no luck where everything is seen
            assert judged.verdict in (judge.GOOD, judge.MISTAKE)
    told = json.loads(json.dumps(review.to_json()))
    assert [d["move"] for d in told["decisions"]] == moves
    assert sum(sum(s["verdicts"].values()) for s in told["summary"]) == len(moves)
    costs = [(judged.verdict == "unlucky", -judged.cost) for judged in review.moments()]
    assert costs == sorted(costs)


def test_the_same_seed_judges_the_same_whatever_the_threads() -> None:
    record = played("uno:players=2", player="rules")
    one = judge.game(record, effort=FEW, seed=1, threads=1)
    assert judge.game(record, effort=FEW, seed=1, threads=4).to_json() == one.to_json()
    assert judge.game(record, effort=FEW, seed=2, threads=1).to_json() != one.to_json()


def test_what_progress_raises_ends_the_work() -> None:
    class EnoughError(Exception):
        pass

    seen = []

    def progress(done: int, total: int) -> None:
        seen.append((done, total))
        if done == 2:
            raise EnoughError

    with pytest.raises(EnoughError):
        judge.game(played("uno:players=3", player="rules"), effort=FEW, progress=progress, threads=1)
    assert [done for done, _ in seen] == [0, 1, 2]
    assert seen[0][1] > 2


def test_the_real_cards_of_a_game_that_is_not_over_are_left_alone() -> None:
    record = played("belote", most=9, player="rules")
    assert record.payoffs is None
    review = judge.game(record, effort=FEW)
    assert review.decisions
    assert all(judged.real is None and judged.verdict in ("good", "mistake") for judged in review.decisions)


def test_what_could_be_known_does_not_depend_on_the_real_cards() -> None:
    """Two deals that look the same to the seat have the same first column."""
    game = kibitz.make("uno", players=3)
    state = game.deal(7)
    seat, action = state.to_act, state.legal()[0]
    other = state.view(seat).sample(99)
    assert other != state
    first, second = (judge.decision(game, each, action, effort=FEW, seed=5) for each in (state, other))
    assert first.known == second.known


def test_seats_are_chosen() -> None:
    record = played("belote", player="rules")
    assert {judged.seat for judged in judge.game(record, seats=[2], effort=FEW).decisions} == {2}
    with pytest.raises(ValueError, match=r"seat must be within 0\.\.3, not 4"):
        judge.game(record, seats=[4])


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda game, state: judge.decision(game, state, 10**6), "not legal here"),
        (lambda game, state: judge.decision(game, state, state.legal()[0], effort=0), "effort must be"),
    ],
)
def test_bad_questions_are_refused(ask: Callable[[Any, Any], Any], said: str) -> None:
    game = kibitz.make("tictactoe")
    with pytest.raises(ValueError, match=said):
        ask(game, game.deal(0))


def test_a_game_in_python_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    from kibitz import registry

    monkeypatch.setitem(registry._games.added, "toy", ToyGame)
    game: Any = registry.make("toy")
    state = game.deal(3)
    while not state.over:
        state.apply(state.legal()[0])
    record = Record.of(game, state, [Seat(f"p{n}", "random") for n in range(game.players)], seed=3)
    review = judge.game(record, effort=FEW)
    assert review.decisions
    assert all(judged.verdict in (*judge.VERDICTS, judge.UNCLEAR) for judged in review.decisions)
