"""rlcard's agents on our engine: what they are shown is what rlcard shows them, and they train unchanged."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rlcard
import rlcard.models
import torch
from rlcard.agents import DQNAgent, NFSPAgent, RandomAgent
from rlcard.utils import reorganize, tournament

import kibitz
from kibitz.adapters import rlcard_env

CPU = torch.device("cpu")


@pytest.fixture(autouse=True)
def _chance() -> None:
    """rlcard's agents draw from the global streams."""
    np.random.seed(1)
    random.seed(1)
    torch.manual_seed(1)
    torch.set_num_threads(1)  # small networks on a busy machine


def test_dou_di_zhu_looks_as_in_rlcard() -> None:
    """Features of states and of legal actions, number by number, in random games played in both engines."""
    theirs, ours = rlcard.make("doudizhu", {"seed": 1}), rlcard_env.make("doudizhu")
    game, rng = ours.kibitz_game, random.Random(1)
    assert (ours.state_shape, ours.action_shape) == (theirs.state_shape, theirs.action_shape)
    for _ in range(6):
        shown, seat = theirs.reset()
        hands = ["".join(card.rank or card.suit[0] for card in p.current_hand) for p in theirs.game.players]
        talon = shown["raw_obs"]["seen_cards"]
        ours._state = game.from_position({"rules": "rlcard", "talon": talon, "hands": hands})
        while not ours.is_over():
            mine = ours.get_state(seat)
            np.testing.assert_array_equal(mine["obs"], shown["obs"])
            assert mine["obs"].dtype == shown["obs"].dtype
            expected = {theirs._decode_action(action): row for action, row in shown["legal_actions"].items()}
            assert sorted(mine["raw_legal_actions"]) == sorted(expected)
            for action, row in mine["legal_actions"].items():
                np.testing.assert_array_equal(row, expected[game.text(action)])
                np.testing.assert_array_equal(ours.get_action_feature(action), row)
            text = rng.choice(mine["raw_legal_actions"])
            shown, seat = theirs.step(text, True)
            ours.step(text, True)
        assert ours.get_payoffs().tolist() == theirs.get_payoffs().tolist()


def test_uno_looks_as_in_rlcard() -> None:
    """Where rlcard has shown its agent a state, ours of the same position has the same features."""
    theirs, game = rlcard.make("uno", {"seed": 2}), kibitz.make("uno", rules="rlcard")
    layout, seen = rlcard_env._layout(game), 0
    for _ in range(5):
        shown, seat = theirs.reset()
        while not theirs.is_over():
            raw = shown["raw_obs"]
            if "wild" not in raw["target"]:  # whose colour rlcard does not show
                state = game.from_position(position_of(theirs, raw))
                np.testing.assert_array_equal(layout.observe(state, seat), shown["obs"])
                assert state.legal() == sorted(shown["legal_actions"])
                seen += 1
            shown, seat = theirs.step(random.choice(list(shown["legal_actions"])))
    assert seen > 100


def position_of(env: Any, raw: dict[str, Any]) -> dict[str, Any]:
    def cards(held: Any) -> list[str]:
        return [card.trait if card.type == "wild" else card.str for card in held]

    return {
        "to_act": raw["current_player"],
        "target": raw["target"],
        "discards": cards(env.game.round.played_cards),
        "hands": [cards(player.hand) for player in env.game.players],
    }


@pytest.mark.parametrize("name", ["uno", "doudizhu", "belote", "mini_doudizhu", "tictactoe", "gdl"])
def test_rlcards_loop_runs(name: str) -> None:
    env = rlcard_env.make(name, {"seed": 3})
    env.set_agents([RandomAgent(env.num_actions) for _ in range(env.num_players)])
    trajectories, payoffs = env.run(is_training=False)
    assert len(trajectories) == len(payoffs) == env.num_players
    for seat, turns in enumerate(trajectories):
        assert len(turns) % 2 == 1
        assert all(shown["obs"].shape == tuple(env.state_shape[seat]) for shown in turns[::2])
        assert all(action in shown["legal_actions"] for shown, action in zip(turns[:-1:2], turns[1::2], strict=True))
        assert turns[-1]["legal_actions"] == {}
    assert env.get_perfect_information()["game"] == name


def trained(agent: Any, env: Any, games: int) -> Any:
    env.set_agents([agent, *(RandomAgent(env.num_actions) for _ in range(env.num_players - 1))])
    for _ in range(games):
        if hasattr(agent, "sample_episode_policy"):
            agent.sample_episode_policy()
        for step in reorganize(*env.run(is_training=True))[0]:
            agent.feed(step)
    return agent


def test_dqn_learns() -> None:
    env = rlcard_env.make("tictactoe", {"seed": 4})
    dqn = DQNAgent(
        num_actions=env.num_actions,
        state_shape=env.state_shape[0],
        mlp_layers=[64],
        learning_rate=0.001,
        epsilon_decay_steps=2000,
        update_target_estimator_every=200,
        device=CPU,
    )
    untrained = tournament(env_with(env, dqn), 300)[0]
    trained(dqn, env, 600)
    assert tournament(env_with(env, dqn), 300)[0] > max(untrained, 0.3) + 0.2
    result = kibitz.play("tictactoe", [rlcard_env.RlcardAgent(dqn), "random"], games=100, seed=1)
    assert result.agents[0].payoff.low > 0


def env_with(env: Any, agent: Any) -> Any:
    env.set_agents([agent, RandomAgent(env.num_actions)])
    return env


@pytest.mark.parametrize(("name", "games"), [("uno", 12), ("belote", 60)])
def test_nfsp_trains(name: str, games: int) -> None:
    env = rlcard_env.make(name, {"seed": 5})
    nfsp = NFSPAgent(
        num_actions=env.num_actions,
        state_shape=env.state_shape[0],
        hidden_layers_sizes=[16],
        q_mlp_layers=[16],
        anticipatory_param=0.5,
        batch_size=16,
        min_buffer_size_to_learn=50,
        q_replay_memory_init_size=50,
        device=CPU,
    )
    before = copy.deepcopy(nfsp.policy_network.state_dict())
    trained(nfsp, env, games)
    after = nfsp.policy_network.state_dict()
    assert any(not torch.equal(before[key], after[key]) for key in after)


DMC = """
import multiprocessing, os, sys, torch
from rlcard.agents.dmc_agent import DMCTrainer
from kibitz.adapters import rlcard_env

if __name__ == "__main__":
    torch.set_num_threads(1)
    env = rlcard_env.make(sys.argv[1], {"seed": 6})
    trainer = DMCTrainer(env, num_actors=1, num_threads=1, unroll_length=8, batch_size=2, num_buffers=6,
                         total_frames=64, savedir=sys.argv[2], save_interval=1000)
    trainer.start()
    for actor in multiprocessing.active_children():  # which the trainer leaves running
        actor.terminate()
        actor.join()
    kept = torch.load(trainer.checkpointpath, weights_only=False)
    assert kept["frames"] >= 64 and len(kept["model_state_dict"]) == env.num_players
    print("trained")
"""


@pytest.mark.parametrize("name", ["doudizhu"])
def test_dmc_trains(name: str, tmp_path: Path) -> None:
    """rlcard's own trainer, with its actors in other processes."""
    script = tmp_path / "dmc.py"
    script.write_text(DMC, encoding="utf-8")
    command = [sys.executable, str(script), name, str(tmp_path / "runs")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert done.stdout.endswith("trained\n"), done.stderr[-2000:]


def test_rule_agents_play() -> None:
    env = rlcard_env.make("uno", {"seed": 7})
    rule = rlcard.models.load("uno-rule-v1").agents[0]
    assert len(tournament(env_with(env, rule), 20)) == 2
    result = kibitz.play("uno:rules=rlcard", [rlcard_env.RlcardAgent(rule), "random"], games=10, seed=1)
    assert result.agents[0].name == "rlcard-UNORuleAgentV1"


def test_rlcards_agents_see_views_only() -> None:
    """At our tables: what an agent is shown is the same in all worlds of a view."""

    class Watching:
        use_raw = False

        def eval_step(self, shown: Any) -> tuple[int, dict[str, Any]]:
            self.shown = shown["obs"].tobytes(), list(shown["legal_actions"]), shown["raw_obs"], shown["action_record"]
            return next(iter(shown["legal_actions"])), {}

    for spec in ("uno:rules=rlcard", "doudizhu:rules=rlcard", "belote"):
        state, agent = kibitz.make(spec).deal(8), rlcard_env.RlcardAgent(Watching())
        while not state.over:
            view, told = state.view(state.to_act), []
            for world in (state, view.sample(1), view.sample(2)):
                action = agent.act(world.view(view.seat))
                told.append(agent.agent.shown)
            assert told[0] == told[1] == told[2]
            state.apply(action)


def test_going_back() -> None:
    env = rlcard_env.make("uno", {"seed": 9, "allow_step_back": True})
    first, seat = env.reset()
    env.step(next(iter(first["legal_actions"])))
    back = env.step_back()
    assert not isinstance(back, bool)
    again, same = back
    assert same == seat
    np.testing.assert_array_equal(again["obs"], first["obs"])
    assert env.step_back() is False
    with pytest.raises(ValueError, match="allow_step_back=True"):
        rlcard_env.make("uno").step_back()


def test_settings() -> None:
    assert rlcard_env.make("uno", {"game_num_players": 4}).num_players == 4
    assert rlcard_env.make("uno", {"game_rules": "official"}).num_actions == 83
    bidding = rlcard_env.make("doudizhu", {"game_rules": "standard", "game_bidding": True})
    assert bidding.state_shape == [[651]] * 3
    with pytest.raises(ValueError, match="known: seed, allow_step_back, and game_OPTION"):
        rlcard_env.make("uno", {"speed": 3})
    with pytest.raises(ValueError, match="call reset first"):
        rlcard_env.make("uno").is_over()


def test_an_environment_can_be_sent_to_another_process() -> None:
    env = rlcard_env.make("uno", {"seed": 10})
    sent = pickle.loads(pickle.dumps(env))
    np.testing.assert_array_equal(sent.reset()[0]["obs"], env.reset()[0]["obs"])
