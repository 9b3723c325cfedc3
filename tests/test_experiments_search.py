"""The experiments on searches: what they write, that a cut run loses nothing, and their figures against slow ones."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from experiment_common import check_same, cut, written

import kibitz
from kibitz import experiments
from kibitz._core import OVER, Rng, Seeds, mix
from kibitz.arena.stats import Interval
from kibitz.experiments import (
    Run,
    Settings,
    matches,
    olech,
    olech_choices,
    whitehouse,
    whitehouse_mini,
    whitehouse_more,
    whitehouse_sweeps,
)
from kibitz.experiments.mini_policies import CHEATING, DETERMINIZED, EXPECTIMAX, TIE_BREAK, Mini, Policy, inferring

FILES = {
    "olech/table1": ["games.csv", "wins.png", "scores.png"],
    "olech/table2": ["games.csv", "wins.png", "scores.png"],
    "whitehouse/fig3": ["bars.csv", "bars.png"],
    "whitehouse/mini-ismcts": ["deals.csv", "wins.png"],
    "whitehouse/table1": ["deals.csv", "wins.png"],
    "whitehouse/table2": ["deals.csv", "landlord.png", "thresholds.png"],
    "olech/choices": ["deals.csv", "wins.png"],
    "wang/exploration": ["rounds.csv", "against_mcs.png"],
    "whitehouse/determinizations": ["worlds.csv", "iterations.csv", "worlds.png", "iterations.png"],
    "whitehouse/sets": ["sizes.csv", "sizes.png"],
    "whitehouse/wishes": ["deals.csv", "landlord.png"],
    "whitehouse/sweeps": [
        *(f"{name}.csv" for name in ("iterations", "exploration", "branching")),
        *(f"{name}.png" for name in ("iterations", "exploration", "branching")),
    ],
}


# Deals 0 and 999 of the fixed set, so that it stays fixed.
HANDS = [
    ["3344555677789TQKA2BR", "334678899TTJQK222", "456689TJJJQQKKAAA"],
    ["3333444679TJQQQK22BR", "5556799TJJQKAAA22", "45667788889TTJKKA"],
]


def timed(figure: str) -> bool:
    """Times are the only figures that differ from run to run."""
    return "ms per move" in figure or "times as fast" in figure


def run_in(folder: Path, name: str, *, fresh: bool) -> experiments.Report:
    run = Run(folder, Settings(quick=True, version=kibitz.__version__), threads=1)
    run.open(name, fresh=fresh)
    return experiments.find(name).function(run)


@pytest.mark.parametrize("name", FILES)
def test_a_quick_run_writes_everything_and_a_cut_one_the_same(name: str, tmp_path: Path) -> None:
    report, folder = written(name, tmp_path, FILES[name], threads=2)
    readme = (folder / "README.md").read_text()
    assert "holds" in readme or "decided" in readme
    cut(folder, whole=["times"])
    again = run_in(folder, name, fresh=False)
    check_same(again, report)
    assert again.note.replace("on 1;", "on 2;") == report.note


def test_the_number_of_threads_changes_nothing_but_times(tmp_path: Path) -> None:
    one = experiments.reproduce("olech/table2", out=tmp_path / "1", quick=True, threads=1)
    two = experiments.reproduce("olech/table2", out=tmp_path / "2", quick=True, threads=2)
    assert one is not None
    assert two is not None
    for a, b in zip(one.rows, two.rows, strict=True):
        assert a == b or timed(a.figure)
    assert sum(timed(row.figure) for row in one.rows) == 5


# --- Mini Dou Di Zhu, exact

MINI = Mini()


def few_worlds(count: int, stride: int = 1) -> list[tuple[str, str]]:
    """Deals in which it is quick to think."""
    order = sorted(MINI.deals, key=lambda x: len(MINI.others(0, x[0])) * len(MINI.others(1, x[1])))
    return order[: count * stride : stride]


def test_the_deals() -> None:
    assert len(MINI.deals) == len(set(MINI.deals)) == whitehouse_mini.ALL
    seat0 = {hands[0] for hands in MINI.deals}
    assert sum(len(MINI.others(0, hand)) for hand in seat0) == whitehouse_mini.ALL


@pytest.mark.parametrize(
    ("model", "spec"),
    [(EXPECTIMAX, "inference=expectimax"), (DETERMINIZED, "inference=minimax,model_tie_break=0.001")],
)
def test_inference_is_that_of_the_core(model: Policy, spec: str) -> None:
    agent: Any = kibitz.agent(f"minimax:{TIE_BREAK},{spec}")
    native = agent.native(MINI.game)
    compared = 0
    for hands, other in itertools.product(few_worlds(6, 7), (EXPECTIMAX, CHEATING)):
        _, history = MINI.play((inferring(model), other), hands)
        for length in range(len(history)):
            state, seat = MINI.state(hands, history[:length]), length % 2
            view = state.view(seat)
            if len(view.legal()) == 1:
                continue
            found = {MINI.game.position(world)["hands"][1 - seat]: odds for world, odds in native.worlds(view) if odds}
            mine = MINI.belief(model, seat, hands[seat], history[:length])
            played = "".join(MINI.game.position(state)["played"][1 - seat])
            left = {_without(hand, played): weight / sum(mine.values()) for hand, weight in mine.items()}
            assert {hand: odds / sum(found.values()) for hand, odds in found.items()} == pytest.approx(left)
            assert native.act(view, Rng(0)) == MINI.choice(inferring(model), hands, history[:length])
            compared += 1
    assert compared > 10


def _without(hand: str, played: str) -> str:
    for card in played:
        hand = hand.replace(card, "", 1)
    return hand


def test_the_model_of_a_cheat_against_brute_force() -> None:
    for hands in few_worlds(5, 9):
        _, history = MINI.play((inferring(CHEATING), CHEATING), hands)
        left = set()
        for other in MINI.others(0, hands[0]):
            state, fits = MINI.state((hands[0], other), ()), True
            for action in history:
                if state.to_act == 1:
                    fits = fits and MINI.game.solve(state, all_actions=True, tie_break=0.001).best == action
                if not fits or action not in state.legal():
                    fits = False
                    break
                state.apply(action)
            if fits:
                left.add(other)
        assert hands[1] in left  # the model is right
        assert set(MINI.belief(CHEATING, 0, hands[0], history)) == left
        known = MINI.known_from(CHEATING, 0, hands, history)
        assert (known is not None) == (len(left) == 1)


def test_cheating_minimax_against_itself_wins_what_is_won() -> None:
    for hands in MINI.deals[::400]:
        value = MINI.game.solve(MINI.state(hands, ())).value
        assert MINI.play((CHEATING, CHEATING), hands)[0] == (value == 1)


def test_who_thinks_what_of_whom() -> None:
    policy_of = whitehouse_mini.policy_of
    assert policy_of("right", "cheating") == inferring(CHEATING)
    assert policy_of("right", "wrong") == inferring(policy_of("wrong", "right")) == inferring(inferring(EXPECTIMAX))
    assert policy_of("wrong", "expectimax") == inferring(DETERMINIZED)
    assert "inference=minimax" in policy_of("expectimax, right", "determinized").spec
    assert "inference=minimax" in policy_of("expectimax, wrong", "expectimax").spec
    assert len(whitehouse_mini.BARS) == 24


def test_all_deals_are_weighted_by_their_odds() -> None:
    run = Run(Path("nowhere"), Settings())
    assert whitehouse_mini.chosen(run, MINI, whitehouse_mini.ALL) == list(range(whitehouse_mini.ALL))
    drawn = whitehouse_mini.chosen(run, MINI, 3_000)
    mean = np.mean([MINI.weights[i] for i in drawn])
    weights = np.array(MINI.weights, float)
    assert mean == pytest.approx((weights**2).sum() / weights.sum(), rel=0.05)


# --- Belote


def test_all_worlds_have_the_same_budget_each() -> None:
    game = kibitz.make("belote", cards=12, rules="olech", scoring="points")
    view = game.deal(3).view(0)
    agent = olech.AllWorlds("pimc:c=1.0,aggregate=reward", 7, threads=1)
    agent.begin(5)
    same: Any = kibitz.agent(f"pimc:c=1.0,aggregate=reward,worlds=all,iterations={7 * 1680}")
    same.begin(5)
    assert view.worlds() == 1680
    assert agent.act(view) == same.act(view)
    thought = same.native(game).think(view, Rng(5))
    assert thought.iterations == 7 * 1680


def test_budgets_are_the_papers() -> None:
    assert olech.agent_of(olech.TABLE_2[olech.BEST], 1) == (
        "pimc:c=1.0,aggregate=times_best,worlds=1000,iterations=200000,threads=1"
    )
    assert "iterations=30000" in olech.agent_of(olech.TABLE_2[olech.CHEATING], 1)
    assert "iterations=50000" in olech.agent_of(olech.TABLE_1[olech.ISMCTS], 1)


# --- Dou Di Zhu


def test_the_fixed_deals() -> None:
    game = kibitz.make("doudizhu", kickers="separate")
    hands = [game.position(game.deal(Seeds(mix(whitehouse.SEED, 1)).deal(deal)))["hands"] for deal in (0, 999)]
    assert hands == HANDS


def test_the_same_seating_again_plays_the_same_deal_anew() -> None:
    game = kibitz.make("doudizhu", kickers="separate")
    specs = ["random"] * 3
    once = matches.play(game, specs, [[0, 1, 2]], 5, range(3, 40), 1)
    often = matches.play(game, specs, [[0, 1, 2]] * 4, 5, range(3, 40), 2)
    assert (often[:, :1] == once).all()
    assert len({tuple(often[:, k, 0]) for k in range(4)}) == 4


def test_ways_to_take_the_cards_of_a_move() -> None:
    assert whitehouse_sweeps.ways("3334445BR", "33") == 3
    assert whitehouse_sweeps.ways("3334445BR", "333444") == 1
    assert whitehouse_sweeps.ways("3333444B", "3334") == 4 * 3


def test_thresholds() -> None:
    won = {
        whitehouse.CHEATING: np.array([[1, 1, 1, 1], [0, 1, 0, 1], [0, 0, 0, 0]], float),
        whitehouse.DETERMINIZED: np.array([[0, 1, 0, 1], [0, 1, 0, 1], [1, 0, 1, 0]], float),
        whitehouse.ISMCTS: np.array([[1, 1, 0, 0], [1, 1, 1, 1], [0, 0, 0, 0]], float),
    }
    same = whitehouse.by_threshold(won, slice(None), slice(None))
    assert {name: len(x[0]) for name, x in same.items()} == {
        "none": 3, "< 0%": 1, "= 0%": 1, "> 0%": 1, "> 25%": 1, "> 50%": 0, "> 75%": 0
    }  # fmt: skip
    assert [float(x[0]) for x in same["> 0%"]] == [0.5, 0.5]
    other = whitehouse.by_threshold(won, slice(0, None, 2), slice(1, None, 2))
    assert len(other["> 75%"][0]) == 1  # in the games that chose it cheating won all, determinized none
    assert [float(x[0]) for x in other["> 75%"]] == [1.0, 0.5]


def test_scale_takes_from_deals_and_games_alike() -> None:
    def shape(scale: float) -> tuple[int, int]:
        return whitehouse.shape(Run(Path("nowhere"), Settings(scale=scale)))

    assert shape(1) == (1000, 40)
    assert shape(0.01) == (100, 4)
    deals, games = shape(0.1)
    assert deals * games == pytest.approx(4000, rel=0.1)


# --- figures and verdicts


def test_the_interval_of_a_standard_deviation_covers_it() -> None:
    chance, hits = np.random.default_rng(3), 0
    for _ in range(400):
        deals = chance.normal(0, 3, (200, 1)) + chance.normal(0, 4, (200, 2))  # variance 25, correlated within a deal
        found = matches.spread_of(deals)
        hits += found.low <= 5 <= found.high
    assert 365 <= hits <= 396


def test_a_weighted_mean() -> None:
    chance, hits = np.random.default_rng(4), 0
    for _ in range(400):
        weights = chance.integers(1, 9, 300).astype(float)
        values = (chance.random(300) < 0.3 + 0.05 * weights).astype(float)
        found = whitehouse_mini.weighted(values, weights)
        # E[w p(w)] / E[w] for w = 1..8
        w = np.arange(1, 9)
        hits += found.low <= float((w * (0.3 + 0.05 * w)).sum() / w.sum()) <= found.high
    assert 365 <= hits <= 396


def test_verdicts_follow_the_intervals() -> None:
    sure, unsure, opposite = Interval(0.2, 0.1, 0.3), Interval(0.02, -0.1, 0.1), Interval(-0.2, -0.3, -0.1)
    assert ": holds (+20.0 points [+10.0, +30.0])" in matches.judge("x", sure)
    assert "not decided" in matches.judge("x", unsure)
    assert "does not hold" in matches.judge("x", opposite)
    assert "does not hold" in matches.judge_equal("x", sure)
    assert "agree" in matches.judge_equal("x", unsure)
    assert "does not hold" in matches.judge_not("x", sure)
    assert ": holds" in matches.judge_not("x", opposite)
    assert "roughly" in matches.judge_about("x", 0.25, sure)
    assert "40.0 points lower" in matches.judge_about("x", 0.6, sure)
    assert matches.row("x", "", matches.exactly(0.5), 3).interval is None


def test_the_size_of_an_information_set_is_that_of_all_its_states() -> None:
    """Counted one by one: all ways to share three 3s, two 4s and a 5 between hands of four and two."""
    position = {"hands": ["", "3334", "45"]}
    dealt = {"".join(sorted(hand)) for hand in itertools.combinations("333445", 4)}
    apart = {tuple(sorted(hand)) for hand in itertools.combinations(range(6), 4)}
    assert whitehouse_more.size_of(position, 0) == (len(apart), len(dealt))


def test_the_strongest_card_is_the_highest_trump() -> None:
    cards = ["9s", "Js", "10s", "Ah", "10h", "7d"]
    ranked = sorted(cards, key=lambda card: olech_choices.strength(card, "s"), reverse=True)
    assert ranked == ["Js", "9s", "10s", "Ah", "10h", "7d"]


def test_voids_are_forgotten() -> None:
    """A seat that could not follow may hold the suit again in the worlds."""
    game = kibitz.make("belote", cards=12, rules="olech", scoring="points")
    for seed in range(50):
        state = game.deal(seed)
        while state.to_act != OVER and not any(game.position(state)["barred"]):
            state.apply(state.legal()[0])
        if state.to_act != OVER and len(state.legal()) > 1:
            break
    view = state.view(state.to_act)
    position = game.position(view)
    position.pop("barred")
    assert game.from_position(position).worlds() > view.worlds()
    assert olech_choices.Forgetful("pimc:c=1.0,aggregate=times_best", 5, threads=1).act(view) in state.legal()
