"""Options of searches: halving, what is played for, what c is scaled by, and what a solver does that cannot tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz import _core
from kibitz.agents.network import find_net

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
    ("name", "options", "leaves"),
    [("uno", {"players": 3, "rules": "rlcard"}, "net=uno-3p"), ("mini_doudizhu", {}, "rollout=solver")],
)
def test_scale_follows_what_a_network_or_a_solver_says(name: str, options: dict[str, Any], leaves: str) -> None:
    """Values that lie closer together than the game's payoffs are told apart more sharply."""
    game, view = decision(name, actions=3, **options)
    usual, seen = (think(game, view, f"ismcts:iterations=2000,c=0.7,{leaves}{more}") for more in ("", ",scale=seen"))
    assert max(seen.shares) > 1.1 * max(usual.shares)


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


# What these searches said before there were priors, common worlds, a base and inference in flat search.
BEFORE = [
    ("uno", 3, "mcs:iterations=300,rollout=rules,halving=true", "draw", 125, -0.04),
    ("doudizhu", 8, "mcs:iterations=300,rollout=rules,net=doudizhu,prior=20", "66", 5, -0.049178),
    ("belote", 8, "ismcts:iterations=300,rollout=rules,trees=2", "8c", 54, 81.648148),
    ("belote", 8, "pimc:iterations=300,worlds=5", "Qc", 57, 105.877193),
    ("uno", 3, "mo-ismcts:iterations=300,rollout=rules", "draw", 107, -0.065421),
    ("connect_four", 7, "uct:iterations=300,scale=seen", "4", 105, 0.27619),
    ("doudizhu", 8, "ismcts:iterations=300,rollout=rules,inference=rules,candidates=20", "44", 22, 0.545455),
    ("hex", 9, "uct:iterations=300", "b2", 7, 0.714286),
]
NEW = [
    ("uno", "mcs:iterations=300,rollout=rules,base=rules"),
    ("uno", "mcs:iterations=300,rollout=rules,base=rules,margin=3,halving=true"),
    ("doudizhu", "mcs:iterations=300,rollout=rules,inference=rules,candidates=30"),
    ("belote", "ismcts:iterations=300,rollout=rules,common=true"),
    ("belote", "ismcts:iterations=300,rollout=rules,common=true,trees=3"),
    ("uno", "mo-ismcts:iterations=300,rollout=rules,common=true"),
    ("doudizhu", "ismcts:iterations=300,rollout=rules,net=doudizhu,prior=5"),
    ("doudizhu", "pimc:iterations=300,worlds=8,rollout=rules,net=doudizhu,prior=5"),
    ("belote", "ismcts:iterations=300,rollout=rules,prior_by=rules,prior=20"),
    ("belote", "pimc:iterations=300,worlds=8,prior_by=rules,prior=20"),
    ("uno", "mo-ismcts:iterations=300,rollout=rules,prior_by=rules,prior=20,trees=2"),
]


def found(spec: str) -> str:
    """With the file of a network that comes with Kibitz, as agents have it."""
    return spec.replace("net=doudizhu", f"net={find_net('doudizhu')}")


@pytest.mark.parametrize(("name", "actions", "spec", "best", "visits", "value"), BEFORE)
def test_options_that_are_not_given_change_nothing(
    name: str, actions: int, spec: str, best: str, visits: int, value: float
) -> None:
    game, view = decision(name, actions)
    thought = think(game, view, found(spec))
    at = thought.actions.index(thought.best)
    assert (game.text(thought.best), max(thought.visits)) == (best, visits)
    assert thought.values[at] == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize(("name", "spec"), NEW)
def test_pieces_of_a_search_with_options_are_the_whole(name: str, spec: str) -> None:
    game, view = decision(name, actions=3)
    whole = think(game, view, found(spec), 7)
    search = game.search(view, found(spec), seed=7)
    for piece in (30, 60, 3):
        search.run(iterations=piece)
    search.run()
    assert said(search.thought()) == said(whole) == said(think(game, view, found(spec), 7))


@pytest.mark.parametrize("name", ["ismcts", "mo-ismcts"])
def test_common_worlds_serve_all_actions(name: str) -> None:
    game, view = decision(actions=8)
    thought = think(game, view, f"{name}:iterations=803,rollout=rules,common=true")
    assert sorted(thought.visits) == [100] * 5 + [101] * 3
    assert thought.best == thought.actions[int(np.argmax(thought.values))]
    assert sum(thought.shares) == 1


def test_luck_is_common_to_the_actions_of_a_round() -> None:
    """Fifty trees of one round each: the error of a difference is smaller where both actions had the same world."""
    game, view = decision("belote", actions=8)
    paired, apart = (
        think(game, view, f"ismcts:iterations=400,trees=50,rollout=rules{more}") for more in (",common=true", "")
    )
    assert set(paired.visits) == set(apart.visits) == {50}
    errors = [[error for error in thought.loss_errors if error > 0] for thought in (paired, apart)]
    assert max(errors[0]) < min(errors[1])


def test_a_network_directs_the_root() -> None:
    """With few iterations a tree looks where the network says."""
    game, view = decision("doudizhu", actions=20)
    liked = kibitz.agent("net:doudizhu")
    liked.begin(0)
    favourite = liked.think(view).best
    visits = []
    for prior in (0, 50):
        spec = f"ismcts:iterations=200,rollout=rules,prior={prior}" + ",net=doudizhu" * (prior > 0)
        thought = think(game, view, found(spec))
        visits.append(thought.visits[thought.actions.index(favourite)])
        assert sum(thought.visits) == thought.iterations == 200
    assert visits[0] < 10 < 100 < visits[1]


@pytest.mark.parametrize("name", ["ismcts", "pimc", "mo-ismcts", "cheat-uct"])
def test_a_policy_directs_the_root_and_fades(name: str) -> None:
    game, view = decision("belote", actions=8)
    state = game.deal(5)
    shown: Any = state if name == "cheat-uct" else view
    favourite = kibitz.tables.native_agent(game, "rules").act(view, _core.agent_stream(0))
    at = view.legal().index(favourite)
    few, many = (
        [think(game, shown, f"{name}:iterations={n},rollout=rules{more}").shares[at] for more in ("", BIAS)]
        for n in (80, 20_000)
    )
    assert few[1] > few[0] + 0.05
    assert abs(many[1] - many[0]) < 0.25


BIAS = ",prior=20,prior_by=rules"


def last_tricks(seed: int) -> tuple[kibitz.Game, kibitz.View]:
    """Of Belote, with three cards in every hand: exact search over all worlds is possible."""
    game = kibitz.make("belote")
    state, mover = game.deal(seed), kibitz.agent("rules")
    mover.begin(seed)
    while len(state.history) < 20 or len(state.legal()) < 3:
        state.apply(mover.act(state.view(state.to_act)))
    return game, state.view(state.to_act)


@pytest.mark.parametrize(
    "spec",
    [
        "ismcts:iterations=3000,common=true",
        "mo-ismcts:iterations=3000,common=true",
        "ismcts:iterations=3000,prior=20,prior_by=rules",
        "pimc:iterations=3000,prior=20,prior_by=rules",
    ],
)
def test_options_choose_what_the_exact_search_values(spec: str) -> None:
    """Exact search supposes that the others know all cards, so that a few points may part the two."""
    chosen, any_action = [], []
    for seed in range(30):
        game, view = last_tricks(seed)
        exact, found = think(game, view, "expectimax"), think(game, view, spec)
        chosen.append(max(exact.values) - exact.values[exact.actions.index(found.best)])
        any_action.append(max(exact.values) - np.mean(exact.values))
    assert np.mean(chosen) < 0.5 * np.mean(any_action)


def test_a_base_is_kept_unless_another_action_is_better_beyond_doubt() -> None:
    """With a huge margin it plays like the base; with none it plays what looks best."""
    game = kibitz.make("uno", players=3)
    rules = kibitz.tables.native_agent(game, "rules")
    spec = "mcs:iterations=200,rollout=rules,base=rules,margin="
    differ = 0
    for seed in range(20):
        state = game.deal(seed)
        view = state.view(state.to_act)
        if len(view.legal()) < 2:
            continue
        kept, free, plain = (think(game, view, s) for s in (f"{spec}100", f"{spec}0", spec[: spec.index(",base")]))
        # `rules` breaks ties by chance: what it chose is what the search kept to.
        assert game.text(kept.best) in {game.text(rules.act(view, _core.agent_stream(n))) for n in range(50)}
        assert free.best == plain.best == plain.actions[int(np.argmax(plain.values))]
        assert kept.values == plain.values
        differ += kept.best != plain.best
    assert differ > 0


def test_a_base_survives_halving() -> None:
    game, view = decision(actions=8)
    kept = think(game, view, f"{HALVING},base=rules,margin=100")
    assert kept.visits[kept.actions.index(kept.best)] == max(kept.visits)
    assert sorted(kept.visits) == [27, 27, 27, 27, 80, 80, 186, 186]


def test_flat_search_weighs_worlds_by_the_past() -> None:
    """A player who always plays by rules would have played otherwise in most worlds: values change."""
    game = kibitz.make("doudizhu")
    state, mover = game.deal(3), kibitz.agent("rules")
    mover.begin(3)
    for _ in range(6):
        state.apply(mover.act(state.view(state.to_act)))
    while len(state.legal()) < 3:
        state.apply(mover.act(state.view(state.to_act)))
    view = state.view(state.to_act)
    plain, told = (
        think(game, view, f"mcs:iterations=2000,rollout=rules{more}") for more in ("", ",inference=rules,doubt=0")
    )
    assert plain.values != told.values


@pytest.mark.parametrize(
    "spec",
    [
        "ismcts:iterations=3000",
        "ismcts:iterations=3000,rollout=rules",
        "ismcts:iterations=3000,opponents=rules,rollout=rules",
        "mo-ismcts:iterations=3000,rollout=rules",
        "cheat-uct:iterations=3000,rollout=rules",
        "pimc:iterations=6000,worlds=2,rollout=rules",
    ],
)
def test_scale_follows_whatever_is_seen(spec: str) -> None:
    """Every way to value a leaf, with payoffs whose range is thousands of times what is won."""
    game, view = decision("doudizhu", actions=8, scoring="adp")
    shown: Any = game.deal(5) if spec.startswith("cheat") else view
    usual, seen = (think(game, shown, found(f"{spec},scale={scale}")) for scale in ("range", "seen"))
    assert max(seen.shares) > 1.5 * max(usual.shares)


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("ismcts:common=true,pick=visits", "leave pick out"),
        ("ismcts:common=true,prior=5,prior_by=rules", "prior has no meaning there"),
        ("ismcts:prior=5", "prior needs a network"),
        ("ismcts:prior_by=rules", "prior=N"),
        ("ismcts:prior=5,prior_by=random", "prior_by"),
        ("uct:common=true", "uct"),
        ("mcs:common=true", "unknown option 'common'"),
        ("mcs:margin=2", "margin needs a policy"),
        ("mcs:base=random", "base"),
    ],
)
def test_new_options_without_meaning_are_refused(spec: str, reason: str) -> None:
    game, view = decision()
    with pytest.raises(ValueError, match=reason):
        game.search(view, spec)


def test_a_prior_in_payoffs_is_no_prior_of_differences() -> None:
    game = kibitz.make("uno", players=3, rules="rlcard")
    state = game.deal(1)
    net = find_net("uno-3p")
    for name in ("mcs", "ismcts"):
        with pytest.raises(ValueError, match="goal=difference does not play for"):
            game.search(state.view(state.to_act), f"{name}:prior=5,net={net},goal=difference")
