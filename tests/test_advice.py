"""Levels, advisers, and the agent `level:NAME`."""

from __future__ import annotations

import copy
import io
import pickle

import pytest
from rich.console import Console

import kibitz
from kibitz import advice, protocols
from kibitz.advice import table
from kibitz.terminal.kibitzer import Kibitzer

VARIANTS = [variant for found in table.VARIANTS.values() for variant in found] + [table.OPEN, table.SECRET]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.title)
def test_every_level_and_adviser_can_play_its_variant(variant: table.Variant) -> None:
    game = kibitz.make(variant.game)
    for spec in [*variant.levels.values(), variant.adviser]:
        agent = kibitz.agent(spec)
        assert not agent.peeks
        protocols.native(agent, game)  # complains about what does not fit
        assert "ms=" not in spec  # a slow machine must not make a level weaker


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.title)
def test_names_run_from_weak_to_strong(variant: table.Variant) -> None:
    names = list(variant.levels)
    assert names == [name for name in advice.NAMES if name in names]
    assert names[-1] == "best"


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.title)
def test_a_variant_serves_its_own_rules(variant: table.Variant) -> None:
    found = advice.choice(variant.game)
    assert found.variant == variant
    assert found.exact == (variant not in (table.OPEN, table.SECRET))


@pytest.mark.parametrize(
    ("spec", "nearest", "said"),
    [
        ("uno:players=8", "uno:players=6", "players=8"),
        ("uno:players=3,stacking=true", "uno:players=3", "stacking=true"),
        ("uno:players=9,rules=rlcard", "uno:players=3,rules=rlcard", "players=9"),
        ("belote:bidding=true,scoring=win", "belote:bidding=true", "scoring=win"),
        ("belote:cards=12,rules=olech", "belote:cards=12", "rules=olech"),
        ("doudizhu:kickers=separate", "doudizhu", "kickers=separate"),
    ],
)
def test_other_options_map_to_the_nearest_variant_and_say_so(spec: str, nearest: str, said: str) -> None:
    found = advice.choice(spec)
    assert found.variant.game == nearest
    assert not found.exact
    assert said in found.note


@pytest.mark.parametrize("spec", ["belote:bidding=true,scoring=difference", "belote:bidding=true,scoring=win"])
def test_no_difference_is_played_for_where_payoffs_are_one(spec: str) -> None:
    game = kibitz.make(spec)
    state = game.deal(seed=1)
    for agent in (kibitz.adviser(game), *(kibitz.agent(level.spec) for level in kibitz.levels(game))):
        assert "goal" not in agent.name
        agent.begin(1)
        assert agent.act(state.view(state.to_act)) in state.legal()


def test_levels_and_adviser_of_a_game() -> None:
    game = kibitz.make("uno", players=3)
    levels = kibitz.levels(game)
    assert [level.name for level in levels] == list(advice.choice(game).variant.levels)
    assert levels == kibitz.levels("uno:players=3")
    state = game.deal(seed=1)
    adviser = kibitz.adviser(game)
    adviser.begin(1)
    assert adviser.think(state.view(state.to_act)).best in state.legal()


def test_a_level_that_a_small_game_leaves_out_is_the_next_stronger() -> None:
    names = list(advice.choice("tictactoe").variant.levels)
    assert len(names) < len(advice.NAMES)
    for name in advice.NAMES:
        found = advice.level("tictactoe", name)
        assert found.name in names
        assert advice.NAMES.index(found.name) >= advice.NAMES.index(name)
    with pytest.raises(ValueError, match="unknown level 'master'; there are beginner, easy"):
        advice.level("uno", "master")


def test_a_level_plays_like_its_spec_inside_the_core() -> None:
    game = kibitz.make("uno", players=2)
    specs = {level.name: level.spec for level in kibitz.levels(game)}
    by_name = kibitz.play(game, ["level:strong", "level:club"], games=20, seed=3)
    by_spec = kibitz.play(game, [specs["strong"], specs["club"]], games=20, seed=3)
    assert [agent.wins for agent in by_name.agents] == [agent.wins for agent in by_spec.agents]
    assert protocols.native(kibitz.agent("level:strong"), game) is not None


def test_a_level_acts_like_its_spec_move_by_move() -> None:
    for name in ("uno", "tictactoe"):
        game = kibitz.make(name)
        level, spec = kibitz.agent("level:easy"), kibitz.agent(advice.level(game, "easy").spec)
        state = game.deal(seed=5)
        level.begin(7)
        spec.begin(7)
        while not state.over and len(state.history) < 12:
            view = state.view(state.to_act)
            action = level.act(view)
            assert action == spec.act(view)
            state.apply(action)


def test_a_level_goes_from_game_to_game() -> None:
    agent = kibitz.agent("level:beginner")
    for name in ("uno", "connect_four"):
        game = kibitz.make(name)
        agent.begin(1)
        state = game.deal(seed=2)
        assert agent.act(state.view(state.to_act)) in state.legal()
    for again in (pickle.loads(pickle.dumps(agent)), copy.deepcopy(agent)):
        assert again.name == "level:beginner"
        assert again.act(state.view(state.to_act)) in state.legal()


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown level 'grandmaster'; there are beginner, easy, club, strong, best"):
        kibitz.agent("level:grandmaster")
    with pytest.raises(ValueError, match="level"):
        kibitz.agent("level")


def test_values_that_do_not_come_true_have_a_caveat() -> None:
    assert advice.caveat("tictactoe") == ""
    for variant in VARIANTS:
        bids = bool(protocols.facts(kibitz.make(variant.game)).options.get("bidding"))
        assert bool(advice.caveat(variant.game)) is (variant.too_high != 0 or bids)
        assert (advice.BIDS in advice.caveat(variant.game)) is bids
    assert f"{advice.choice('doudizhu').variant.too_high:.2g} more payoff than it then gets" in advice.caveat(
        "doudizhu"
    )


@pytest.mark.parametrize("name", ["belote", "doudizhu"])
def test_a_narrow_screen_never_hides_which_action_is_meant(name: str) -> None:
    game = kibitz.make(name, bidding=True)
    view = game.deal(3).view(game.deal(3).to_act)
    kibitzer = Kibitzer(game)
    kibitzer.begin(1)
    out = io.StringIO()
    Console(width=60, file=out).print(kibitzer.picture(view))
    said = out.getvalue()
    assert all(kibitzer.text(action) in said for action in view.legal())
    assert advice.BIDS.split(":")[0] in " ".join(said.split())
