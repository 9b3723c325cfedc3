"""Our games in OpenSpiel, OpenSpiel's games here, and agents on both sides."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import evaluate_bots, external_sampling_mccfr, ismcts, mcts
from open_spiel.python.bots import uniform_random
from variants import Variant, native_variants

import kibitz
from kibitz.adapters import openspiel
from kibitz.adapters.openspiel_game import OpenSpielGame

VARIANTS = [pytest.param(variant, id=str(variant)) for variant in native_variants()]
# Random games of official Uno take hundreds of decisions; OpenSpiel's test looks back at all of them each time.
SHORT = [
    parameter
    for parameter, variant in zip(VARIANTS, native_variants(), strict=True)
    if variant.name != "uno" or variant.options.get("rules") == "rlcard" or variant.options.get("draw_until")
]


def load(variant: Variant) -> Any:
    options = ",".join(f"{key}={value}" for key, value in variant.options.items())
    return pyspiel.load_game(f"kibitz_{variant.name}({options})")


def dealt(game: Any, byte: int = 3) -> Any:
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(byte)
    return state


# ------------------------------------------------------------------------------------------------------ ours as theirs


@pytest.mark.parametrize("variant", SHORT)
def test_openspiel_finds_nothing_wrong(variant: Variant) -> None:
    pyspiel.random_sim_test(load(variant), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_is_the_same_in_both(variant: Variant) -> None:
    game = load(variant)
    state = dealt(game)
    ours = state.rules.game
    assert variant.options.items() <= ours.options.items()
    mine = state.kibitz.copy()
    if game.max_chance_nodes_in_history() == 8:
        assert mine == ours.deal(int.from_bytes(bytes([3] * 8), "big"))
    rng = np.random.default_rng(1)
    for _ in range(30):
        if mine.over:
            break
        assert state.current_player() == mine.to_act
        assert state.legal_actions() == mine.legal()
        for seat in range(ours.players):
            view = mine.view(seat)
            encoder = next(name for name, found in ours.encoders.items() if not found.peeks)
            np.testing.assert_array_equal(state.observation_tensor(seat), view.encode(encoder).ravel())
            assert state.information_state_string(seat) == openspiel.information(view)
        action = int(rng.choice(mine.legal()))
        assert state.action_to_string(action) == ours.text(action)
        state = state.child(action)  # a copy
        mine.apply(action)
    assert state.is_terminal() == mine.over
    assert list(state.returns()) == mine.payoffs


@pytest.mark.parametrize("name", ["uno", "belote", "doudizhu", "mini_doudizhu", "gdl(file=kuhn_poker)"])
def test_information_states_hide_what_views_hide(name: str) -> None:
    state = dealt(pyspiel.load_game(f"kibitz_{name}"))
    for _ in range(6):
        seat = state.current_player()
        worlds = [openspiel.resample(state, seat, seed) for seed in range(3)]
        assert {world.information_state_string(seat) for world in worlds} == {state.information_state_string(seat)}
        assert {tuple(world.observation_tensor(seat)) for world in worlds} == {tuple(state.observation_tensor(seat))}
        state.apply_action(state.legal_actions()[-1])
        if state.is_terminal():
            break


def test_chance_deals_what_the_game_deals() -> None:
    game = pyspiel.load_game("kibitz_mini_doudizhu")
    state = game.new_initial_state()
    chances = [chance for _, chance in state.chance_outcomes()]
    deals = kibitz.make("mini_doudizhu").deals()
    assert len(chances) == len(deals) == game.max_chance_outcomes()
    assert sum(chances) == pytest.approx(1)
    assert chances[5] / chances[0] == pytest.approx(deals[5][1] / deals[0][1])
    assert game.max_chance_nodes_in_history() == 1
    assert pyspiel.load_game("kibitz_uno").max_chance_nodes_in_history() == 8
    assert not pyspiel.load_game("kibitz_hex(size=3)").new_initial_state().is_chance_node()


def test_a_state_survives_as_text() -> None:
    game = pyspiel.load_game("kibitz_belote(bidding=true)")
    state = dealt(game)
    state.apply_action(state.legal_actions()[0])
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert again.kibitz == state.kibitz


def test_its_searches_play_our_games() -> None:
    rng = np.random.RandomState(1)
    game = pyspiel.load_game("kibitz_tictactoe")
    bot = mcts.MCTSBot(game, 1.4, 50, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    other = uniform_random.UniformRandomBot(1, rng)
    total = sum(evaluate_bots.evaluate_bots(game.new_initial_state(), [bot, other], rng)[0] for _ in range(8))
    assert total > 4
    hidden = pyspiel.load_game("kibitz_uno(rules=rlcard)")
    search = ismcts.ISMCTSBot(hidden, mcts.RandomRolloutEvaluator(1, rng), 1.4, 5, random_state=rng)
    search.set_resampler(lambda state, player: openspiel.resample(state, player, rng.randint(2**31)))
    state = dealt(hidden)
    assert search.step(state) in state.legal_actions()


def test_its_learners_run_on_our_games() -> None:
    solver = external_sampling_mccfr.ExternalSamplingSolver(pyspiel.load_game("kibitz_gdl(file=kuhn_poker)"))
    for _ in range(5):
        solver.iteration()
    state = dealt(pyspiel.load_game("kibitz_gdl(file=kuhn_poker)"))
    policy = solver.average_policy().action_probabilities(state)
    assert sum(policy.values()) == pytest.approx(1)
    env = rl_environment.Environment("kibitz_uno", players=3)
    env.seed(1)
    step = env.reset()
    while not step.last():
        player = step.observations["current_player"]
        step = env.step([step.observations["legal_actions"][player][0]])
    assert sum(step.rewards) == pytest.approx(0)


# ------------------------------------------------------------------------------------------------------ theirs as ours


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "pig", "breakthrough(rows=4,columns=4)"])
def test_its_games_keep_our_laws(name: str) -> None:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        failures = kibitz.check(OpenSpielGame(name))
    assert not failures, said.getvalue()


@pytest.mark.parametrize(
    ("name", "agent"),
    [
        ("tic_tac_toe", "uct:iterations=60"),
        ("connect_four", "mcs:iterations=10"),
        ("leduc_poker", "ismcts:iterations=60"),
    ],
)
def test_our_searches_play_its_games(name: str, agent: str) -> None:
    result = kibitz.play(OpenSpielGame(name), [agent, "random"], games=40, seed=1)
    assert result.agents[0].payoff.low > 0
    assert kibitz.play(OpenSpielGame(name), [agent, "random"], games=40, seed=1) == result


def test_chance_of_any_odds_is_drawn_by_them() -> None:
    """A die of a game of OpenSpiel: the same seed, the same; all seeds together, as often as it says."""
    game = OpenSpielGame("kuhn_poker")
    cards = [game.deal(seed).spiel.history()[0] for seed in range(600)]
    assert [game.deal(seed).spiel.history()[0] for seed in range(600)] == cards
    assert all(abs(cards.count(card) - 200) < 60 for card in range(3))


def test_games_that_our_searches_cannot_play() -> None:
    with pytest.raises(ValueError, match="convert_to_turn_based"):
        OpenSpielGame("goofspiel")
    with pytest.raises(ValueError, match="cannot resample"):
        OpenSpielGame("liars_dice")
    game = OpenSpielGame("tic_tac_toe")
    state = game.deal()
    state.apply(4)
    with pytest.raises(ValueError, match="action 4 is illegal; legal: 0, 1"):
        state.apply(4)
    with pytest.raises(ValueError, match="0 to 8"):
        game.parse("9")
    with pytest.raises(ValueError, match="0 to 1"):
        state.view(2)


# ---------------------------------------------------------------------------------------------------------------- bots


@pytest.mark.parametrize(
    ("name", "agent", "least"),
    [
        ("kibitz_uno(rules=rlcard)", "net:uno-2p", 0),
        ("kibitz_tictactoe", "uct:iterations=60", 10),
        ("tic_tac_toe", "uct:iterations=60", 10),
        ("leduc_poker", "ismcts:iterations=60", -100),  # where 20 games say nothing
    ],
)
def test_our_agents_are_its_bots(name: str, agent: str, least: float) -> None:
    game, rng = pyspiel.load_game(name), np.random.RandomState(2)

    def results() -> list[float]:
        bots = [openspiel.KibitzBot(agent, 0, seed=3), uniform_random.UniformRandomBot(1, np.random.RandomState(4))]
        chance = np.random.RandomState(5)
        return [evaluate_bots.evaluate_bots(game.new_initial_state(), bots, chance)[0] for _ in range(20)]

    first = results()
    assert sum(first) > least
    assert results() == first
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(int(rng.choice([action for action, _ in state.chance_outcomes()])))
    if state.current_player() == 0:
        policy, chosen = openspiel.KibitzBot(agent, 0).step_with_policy(state)
        assert [action for action, _ in policy] == state.legal_actions()
        assert chosen in state.legal_actions()
        assert sum(share for _, share in policy) == pytest.approx(1)


def test_bots_do_not_peek() -> None:
    with pytest.raises(ValueError, match="must see all cards"):
        openspiel.KibitzBot("cheat-mcs", 0)
    with pytest.raises(ValueError, match="nothing has been dealt"):
        openspiel.KibitzBot("random", 0).step(pyspiel.load_game("kibitz_uno").new_initial_state())
