"""Options of searches: halving, what is played for, what c is scaled by, and what a solver does that cannot tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz import _core

HALVING = "mcs:iterations=640,rollout=rules,halving=true"


def decision(name: str = "belote", actions: int = 5, seed: int = 5, **options: Any) -> tuple[kibitz.Game, kibitz.View]:
    """The first decision of a deal with so many actions."""
    game = kibitz.make(name, **options)
    state = game.deal(seed)
    while len(state.legal()) < actions:
        state.apply(state.legal()[0])
    return game, state.view(state.to_act)


def think(game: kibitz.Game, view: kibitz.View, spec: str, seed: int = 0) -> _core.NativeThought:
    return kibitz.tables.native_agent(game, spec).think(view, _core.agent_stream(seed))


def said(thought: _core.NativeThought) -> str:
    """All of it, NaN included."""
    figures = (thought.values, thought.visits, thought.shares, thought.errors, thought.losses, thought.loss_errors)
    return repr((thought.actions, *figures, thought.iterations, thought.undecided))


def test_halving_spends_as_much_on_few_as_on_all() -> None:
    game, view = decision(actions=8)
    thought = think(game, view, HALVING)
    assert thought.iterations == sum(thought.visits) == 640
    # Three phases for eight actions. Each ends with the round in which its third of the 640 is used up: after 27 rounds
    # of eight (216 >= 213.3), 53 of four (428 >= 426.7) and 106 of two.
    assert sorted(thought.visits) == [27, 27, 27, 27, 80, 80, 186, 186]
    last = [i for i, visits in enumerate(thought.visits) if visits == 186]
    assert thought.best == thought.actions[max(last, key=lambda i: thought.values[i])]
    assert sum(thought.shares) == 1


@pytest.mark.parametrize("name", ["belote", "doudizhu", "uno"])
@pytest.mark.parametrize("spec", [HALVING, "mcs:iterations=39,halving=true", "mcs:iterations=101,halving=true,keep=9"])
def test_pieces_of_halving_are_the_whole(name: str, spec: str) -> None:
    game, view = decision(name, actions=3)
    search = game.search(view, spec, seed=7)
    for piece in (1, 2, 30, 5):
        search.run(iterations=piece)
        assert search.thought().visits[search.thought().actions.index(search.thought().best)] > 0
    search.run()
    assert said(search.thought()) == said(think(game, view, spec, 7))


def test_losses_of_halving_are_paired_over_common_rounds() -> None:
    game, view = decision(actions=8)
    search = game.search(view, f"{HALVING},keep=640")
    search.run()
    thought, payoffs = search.thought(), search.matrix()[1]
    best = thought.actions.index(thought.best)
    for i in range(len(thought.actions)):
        both = ~np.isnan(payoffs[:, i])
        assert thought.losses[i] == pytest.approx(np.mean(payoffs[both, best] - payoffs[both, i]), abs=1e-9)
        assert np.nanmean(payoffs[:, i]) == pytest.approx(thought.values[i])
    assert thought.loss_errors[best] == 0
    assert all(error > 0 for i, error in enumerate(thought.loss_errors) if i != best)


@pytest.mark.parametrize(
    "spec",
    [HALVING, "ismcts:iterations=2000,scale=seen", "uct:iterations=2000,scale=seen", "pimc:iterations=2000,scale=seen"],
)
def test_a_winning_move_is_found(spec: str) -> None:
    game = kibitz.make("tictactoe" if spec.startswith("uct") else "connect_four")
    state = game.deal()
    # Both have all but one of a row: whoever is to act completes it.
    for move in [0, 3, 1, 4] if game.name == "tictactoe" else [0, 1, 0, 1, 0, 1]:
        state.apply(move)
    agent = spec.replace(",rollout=rules", "")
    assert think(game, state.view(0), agent).best == (2 if game.name == "tictactoe" else 0)


@pytest.mark.parametrize("spec", ["mcs:iterations=400", "ismcts:iterations=400", "pimc:iterations=400,worlds=8"])
def test_the_difference_is_what_is_played_for(spec: str) -> None:
    """All points go to one side or the other: a difference is twice a payoff less their sum, about 162."""
    game, view = decision(actions=8)
    own, difference = (think(game, view, f"{spec},goal={goal}") for goal in ("payoff", "difference"))
    assert min(own.values) > 0
    assert min(difference.values) < 0
    if spec.startswith("mcs"):
        payoffs = np.array(own.values)
        # 162 or, with belote and rebelote or all tricks, a little more.
        assert np.array(difference.values) == pytest.approx(2 * payoffs - 162, abs=25)


def test_the_difference_does_not_overbid() -> None:
    """Of own points a taker always has some more; what that costs shows in the difference."""
    takes = dict.fromkeys(("payoff", "difference"), 0)
    game = kibitz.make("belote", bidding=True)
    for seed in range(30):
        view = game.deal(seed).view(game.deal(seed).to_act)
        for goal in takes:
            best = think(game, view, f"mcs:iterations=300,rollout=rules,goal={goal}").best
            takes[goal] += game.text(best) != "pass"
    assert takes["difference"] < takes["payoff"]


@pytest.mark.parametrize("spec", ["ismcts:iterations=300", "uct:iterations=300", "mcs:iterations=300"])
def test_zero_sum_games_have_no_other_difference(spec: str) -> None:
    game = kibitz.make("connect_four")
    with pytest.raises(ValueError, match="goal=difference has no meaning in connect_four"):
        game.search(game.deal().view(0), f"{spec},goal=difference")


def test_scale_follows_what_is_seen() -> None:
    """Payoffs that may be 16,384 and are mostly below ten: only the seen ones tell the search where to look."""
    game, view = decision("doudizhu", actions=8, scoring="adp")
    usual, seen = (think(game, view, f"ismcts:iterations=3000,rollout=rules{more}") for more in ("", ",scale=seen"))
    assert max(usual.shares) < 2 / len(usual.shares)
    assert max(seen.shares) > 3 / len(seen.shares)


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("mcs:ms=5,halving=true", "give iterations"),
        ("mcs:iterations=100,threads=2,halving=true", "threads=1"),
        ("mcs:halving=3", "halving of agent 'mcs'"),
        ("ismcts:halving=true", "unknown option 'halving'"),
        ("mcs:scale=seen", "unknown option 'scale'"),
        ("ismcts:scale=big", "range"),
        ("ismcts:goal=win", "difference"),
    ],
)
def test_options_without_meaning_are_refused(spec: str, reason: str) -> None:
    game, view = decision()
    with pytest.raises(ValueError, match=reason):
        game.search(view, spec)


@pytest.mark.parametrize("spec", ["solver-pimc:nodes=2000", "minimax:nodes=2000"])
def test_a_solver_that_cannot_tell_asks_playouts(spec: str) -> None:
    """The solver alone would play the first of seven equal columns."""
    game = kibitz.make("connect_four")
    thought = think(game, game.deal().view(0), spec)
    assert thought.undecided
    assert thought.best == 3  # the middle, which wins
    assert sum(thought.shares) == 1
    search = game.search(game.deal().view(0), spec)
    search.run()
    assert said(search.thought()) == said(thought)


def test_what_is_decided_asks_nobody() -> None:
    game = kibitz.make("tictactoe")
    state = game.deal()
    for move in (0, 3, 1, 4):
        state.apply(move)
    thought = think(game, state.view(0), "solver-pimc")
    assert not thought.undecided
    assert thought.best == 2
