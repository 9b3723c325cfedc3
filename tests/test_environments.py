"""Our games as environments of PettingZoo and Gymnasium: their own tests, and ours of what they cannot know."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils import wrappers
from variants import Variant, native_variants

import kibitz
from kibitz.adapters import gymnasium as ours
from kibitz.adapters import pettingzoo as aec
from kibitz.agents.base import AgentBase

VARIANTS = [pytest.param(variant, id=str(variant)) for variant in native_variants()]
# What PettingZoo says of every environment whose observations have a mask, except its own.
USUAL = ("Observation is not a NumPy array", "Observation space for each agent probably should be")


@pytest.fixture
def _strict() -> Iterator[None]:
    """Warnings of the tests of others are failures."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for usual in USUAL:
            warnings.filterwarnings("ignore", message=usual)
        yield


@pytest.mark.usefixtures("_strict")
@pytest.mark.parametrize("variant", VARIANTS)
def test_pettingzoo_finds_nothing_wrong(variant: Variant) -> None:
    def env(**settings: Any) -> Any:
        return pettingzoo.make("aec", f"kibitz/{variant.name}-v0", **variant.options, **settings)

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation numpy array is all zeros")  # nothing seen yet
        warnings.filterwarnings("ignore", message="Action mask numpy array is all zeros")  # the game is over
        api_test(env(), num_cycles=60)
    seed_test(env, num_cycles=20)
    render_test(env)


@pytest.mark.usefixtures("_strict")
@pytest.mark.parametrize("variant", VARIANTS)
def test_gymnasium_finds_nothing_wrong(variant: Variant) -> None:
    check_env(gymnasium.make(ours.environment_id(variant.name), **variant.options).unwrapped)


def aec_games(games: int, **settings: Any) -> Iterator[Any]:
    """An environment before every decision of random games."""
    env = aec.raw_env(**settings)
    rng = np.random.default_rng(1)
    for seed in range(games):
        env.reset(seed=seed)
        for agent in env.agent_iter():
            yield env
            mask = env.observe(agent)["action_mask"]
            dead = env.terminations[agent] or env.truncations[agent]
            env.step(None if dead else int(rng.choice(np.flatnonzero(mask))))


@pytest.mark.parametrize("name", ["uno", "belote", "doudizhu"])
def test_each_agent_sees_its_own_view(name: str) -> None:
    for env in aec_games(2, game=name):
        state = env.kibitz_state
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            view = state.view(seat)
            np.testing.assert_array_equal(seen["observation"], view.encode(env.encoder.name))
            assert seen["action_mask"].dtype == np.int8
            assert np.flatnonzero(seen["action_mask"]).tolist() == view.legal()


def test_rewards_are_the_payoffs() -> None:
    total: dict[str, float] = {}
    for env in aec_games(1, game="belote"):
        _, reward, done, _, _ = env.last()
        if done:
            total[env.agent_selection] = reward
    assert [total[agent] for agent in env.possible_agents] == env.kibitz_state.payoffs
    assert env.state().shape == (4, *env.encoder.shape)


def test_a_game_can_be_cut_short() -> None:
    env = pettingzoo.make("aec", "kibitz/uno-v0", max_cycles=3)
    env.reset(seed=1)
    for _ in range(3):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


def test_an_illegal_action_ends_or_raises() -> None:
    raw = aec.raw_env("tictactoe")
    raw.reset(seed=1)
    raw.step(4)
    with pytest.raises(ValueError, match="illegal"):
        raw.step(4)
    wrapped = aec.env("tictactoe")
    wrapped.reset(seed=1)
    wrapped.step(4)
    wrapped.step(4)
    assert wrapped.unwrapped.rewards == {"player_0": 0, "player_1": -1.0}
    single = ours.KibitzEnv("tictactoe", seat=0)
    single.reset(seed=1)
    single.step(np.int64(4))
    _, reward, done, _, info = single.step(np.int64(4))
    assert (reward, done, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(ValueError, match="call reset"):
        single.step(np.int64(0))
    many = ours.KibitzVectorEnv("tictactoe", 2)
    many.reset(seed=1)
    with pytest.raises(ValueError, match="action 9 is illegal at table 1"):
        many.step(np.array([0, 9]))


# --------------------------------------------------------------------------------------- the vector and the scalar one

# Opponents that never draw lots, so that both kinds of environments meet the same ones.
PAIRS = [
    ("uno", "net:uno-3p", {"players": 3, "rules": "rlcard"}),
    ("uno", "net:uno-2p", {"rules": "rlcard", "encoder": "full"}),
    ("belote", "cheat-minimax", {"cards": 12, "rules": "olech"}),
    ("doudizhu", "net:doudizhu", {}),
    ("tictactoe", "minimax", {}),
    ("hex", "minimax", {"size": 3}),
]


def begin_alike(many: ours.KibitzVectorEnv, one: ours.KibitzEnv, table: int) -> tuple[Any, dict[str, Any]]:
    """The scalar environment goes on with the game that the table has just been dealt."""
    saved = json.loads(many.tables.save())["tables"][table]["position"]
    state = many.game.from_position(saved)
    return one.reset(seed=1, options={"state": state, "seat": int(many.tables.seat[table])})


@pytest.mark.parametrize(("name", "opponent", "settings"), PAIRS)
def test_the_vector_environment_is_the_scalar_one_many_times(name: str, opponent: str, settings: Any) -> None:
    many = gymnasium.make_vec(ours.environment_id(name), num_envs=3, opponents=opponent, **settings)
    assert isinstance(many, ours.KibitzVectorEnv)
    assert many.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    ones = [ours.KibitzEnv(name, opponents=opponent, illegal="raise", **settings) for _ in range(3)]
    rng = np.random.default_rng(2)
    seen, infos = many.reset(seed=5)
    assert many.observation_space.contains(seen)
    shown = [begin_alike(many, one, table) for table, one in enumerate(ones)]
    ended = 0
    for _ in range(120):
        for table in range(3):
            np.testing.assert_array_equal(seen[table], shown[table][0])
            np.testing.assert_array_equal(infos["action_mask"][table], shown[table][1]["action_mask"])
            assert infos["seat"][table] == shown[table][1]["seat"]
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
        seen, rewards, done, cut, infos = many.step(actions)
        assert not cut.any()
        for table, one in enumerate(ones):
            last, reward, over, _, info = one.step(actions[table])
            assert (rewards[table], done[table]) == (np.float32(reward), over)
            if over:
                ended += 1
                np.testing.assert_array_equal(infos["final_obs"][table], last)
                np.testing.assert_array_equal(infos["final_info"]["payoffs"][table], info["payoffs"])
                assert infos["final_info"]["seat"][table] == info["seat"]
                shown[table] = begin_alike(many, one, table)
            else:
                shown[table] = last, info
    assert ended >= 3


def test_endings_are_given_as_gymnasium_gives_them() -> None:
    theirs = SyncVectorEnv(
        [lambda: ours.KibitzEnv("tictactoe", seat=0) for _ in range(2)], autoreset_mode=AutoresetMode.SAME_STEP
    )
    mine = ours.KibitzVectorEnv("tictactoe", 2)
    ends = []
    for env in (theirs, mine):
        _, infos = env.reset(seed=3)
        while "final_obs" not in infos:
            _, _, done, _, infos = env.step(np.argmax(infos["action_mask"], axis=1))
        ends.append((infos, done))
    for infos, done in ends:
        assert {"final_obs", "_final_obs", "final_info", "_final_info"} <= infos.keys()
        np.testing.assert_array_equal(infos["_final_obs"], done)
        assert [row is not None for row in infos["final_obs"]] == done.tolist()
        assert infos["final_info"]["payoffs"].shape == (2, 2)
        assert infos["final_info"]["_payoffs"].tolist() == done.tolist()


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
@pytest.mark.parametrize("threads", [1, 2])
def test_tables_that_keep_endings_play_the_same_games(dtype: str, threads: int) -> None:
    game = kibitz.make("uno", rules="rlcard")
    plain = kibitz.Tables(game, 8, "random", seed=4, dtype=dtype)
    keeping = kibitz.Tables(game, 8, "random", seed=4, dtype=dtype, threads=threads, final_obs=True)
    assert not hasattr(plain, "final_obs")
    ended = 0
    for _ in range(100):
        actions = np.argmax(plain.mask, axis=1)
        plain.step(actions)
        keeping.step(actions)
        for name in ("obs", "mask", "seat", "acted", "done", "payoff"):
            np.testing.assert_array_equal(getattr(plain, name), getattr(keeping, name))
        # The winner sees an empty hand: by the encoder `li` no card is held once or twice.
        for table in np.flatnonzero(keeping.done):
            planes = keeping.final_obs[table].reshape(4, 4, 15)
            won = keeping.payoff[table, keeping.acted[table]] > 0
            assert (planes[1:3].sum() == 0) == won
            ended += 1
    assert ended > 8


def test_copies_last() -> None:
    env = ours.KibitzVectorEnv("uno", 4)
    first, infos = env.reset(seed=1)
    kept = first.copy()
    env.step(np.argmax(infos["action_mask"], axis=1))
    np.testing.assert_array_equal(first, kept)


# ------------------------------------------------------------------------------------------------------- who sits there


class First(AgentBase):
    """Plays the first legal action; it has no counterpart in the core."""

    name = "first"

    def act(self, view: Any) -> int:
        return int(view.legal()[0])


@pytest.mark.parametrize("opponents", ["level:beginner", ["rules", "first"], ["cheat-mcs:iterations=5", "random"]])
def test_anybody_may_be_an_opponent(opponents: Any) -> None:
    seated = opponents if isinstance(opponents, str) else [First() if who == "first" else who for who in opponents]
    env = ours.KibitzEnv("uno", opponents=seated, players=3)
    for seed in range(2):
        _, info = env.reset(seed=seed)
        done = False
        while not done:
            _, _, done, _, info = env.step(np.flatnonzero(info["action_mask"])[0])
        assert info["payoffs"].sum() == pytest.approx(0)


def test_the_learner_sits_where_it_is_told_or_everywhere() -> None:
    env = ours.KibitzEnv("uno", players=4, seat=2)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(8)} == {2}
    env = ours.KibitzEnv("uno", players=4)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(40)} == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"encoder": "brown"}, "those that do not peek: li, brown-fair, full"),
        ({"seat": 2}, "seat must be from 0 to 1"),
        ({"illegal": "ignore"}, "lose or raise"),
        ({"render_mode": "film"}, "human, ansi, rgb_array"),
        ({"opponents": ["random", "random"]}, "needs 1 opponents, not 2"),
        ({"size": 3}, "size"),
    ],
)
def test_bad_settings(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ours.KibitzEnv("uno", **settings)


def test_bad_settings_of_the_vector_environment() -> None:
    with pytest.raises(ValueError, match="not native"):
        ours.KibitzVectorEnv("uno", 2, opponents=First())
    with pytest.raises(ValueError, match="render_mode must be None"):
        ours.KibitzVectorEnv("uno", 2, render_mode="ansi")


def test_the_picture_shows_what_the_learner_may_know() -> None:
    env = ours.KibitzEnv("uno", render_mode="ansi", seat=0)
    env.reset(seed=3)
    assert env.state is not None
    assert env.render() == str(env.state.view(0))
    pixels = ours.KibitzEnv("uno", render_mode="rgb_array", seat=0)
    pixels.reset(seed=3)
    shown = pixels.render()
    world = env.state.view(0).sample(1)
    pixels.reset(options={"state": world, "seat": 0})
    np.testing.assert_array_equal(pixels.render(), shown)


# ------------------------------------------------------------------------------------------------------------ processes

DIGEST = """
import hashlib, json, sys
import gymnasium, numpy as np, pettingzoo
import kibitz.adapters.gymnasium, kibitz.adapters.pettingzoo
from kibitz.adapters import rlcard_env

told = hashlib.sha256()
env = pettingzoo.make("aec", "kibitz/belote-v0"); env.reset(seed=7)
for agent in env.agent_iter():
    seen, reward, done, cut, _ = env.last()
    told.update(seen["observation"].tobytes() + str((agent, reward, done)).encode())
    env.step(None if done else int(np.flatnonzero(seen["action_mask"])[-1]))
one = gymnasium.make("kibitz/Uno-v0", opponents="mcs:iterations=10"); seen, info = one.reset(seed=7)
for _ in range(20):
    seen, reward, done, cut, info = one.step(np.flatnonzero(info["action_mask"])[0])
    told.update(seen.tobytes() + str((reward, done)).encode())
    if done: break
many = gymnasium.make_vec("kibitz/Uno-v0", num_envs=5, threads=2); seen, infos = many.reset(seed=7)
for _ in range(50):
    seen, rewards, done, cut, infos = many.step(np.argmax(infos["action_mask"], axis=1))
    told.update(seen.tobytes() + rewards.tobytes() + done.tobytes())
env = rlcard_env.make("doudizhu", {"seed": 7}); seen, seat = env.reset()
while not env.is_over():
    told.update(seen["obs"].tobytes()); seen, seat = env.step(next(iter(seen["legal_actions"])))
print(told.hexdigest())
"""


def test_the_same_in_every_process() -> None:
    def digest(hash_seed: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    assert digest("1") == digest("2") != ""


def test_kibitz_imports_none_of_them() -> None:
    wanted = "gymnasium pettingzoo pyspiel rlcard torch PIL sb3_contrib"
    script = f"import kibitz, kibitz.cli, sys; print([name for name in '{wanted}'.split() if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("adapter", "module", "package"),
    [
        ("gymnasium", "gymnasium", "gymnasium"),
        ("pettingzoo", "pettingzoo", "pettingzoo"),
        ("openspiel", "pyspiel", "open_spiel"),
        ("openspiel_game", "pyspiel", "open_spiel"),
    ],
)
def test_what_is_missing_is_named_in_one_line(
    adapter: str, module: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("kibitz.adapters.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=rf"needs {package}, which is not installed: .*\[adapters\]") as refusal:
        __import__(f"kibitz.adapters.{adapter}")
    assert "\n" not in str(refusal.value)


def test_the_environment_does_what_the_usual_wrappers_do() -> None:
    """Step by step beside PettingZoo's own wrappers around the bare one, with illegal actions now and then."""
    wrapped: Any = wrappers.TerminateIllegalWrapper(aec.raw_env("uno"), illegal_reward=-1.0)
    wrapped = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))
    alone = aec.env("uno")
    for seed in range(6):
        rng = np.random.default_rng(seed)
        for env in (wrapped, alone):
            env.reset(seed=seed)
        while wrapped.agents:
            there, here = wrapped.last(), alone.last()
            assert wrapped.agent_selection == alone.agent_selection
            np.testing.assert_equal(here, there)
            over, mask = there[2] or there[3], there[0]["action_mask"]
            illegal = not over and rng.random() < 0.02
            action = None if over else int(rng.choice(np.flatnonzero(mask == (0 if illegal else 1))))
            for env in (wrapped, alone):
                env.step(action)
        assert alone.agents == []


def test_an_environment_that_was_not_reset_says_so() -> None:
    fresh = aec.env("tictactoe")
    with pytest.raises(ValueError, match="call reset first"):
        fresh.step(0)
    with pytest.raises(ValueError, match="call reset first"):
        fresh.observe("player_0")
    with pytest.raises(ValueError, match="'raise' or 'lose'"):
        aec.env("tictactoe", illegal="ignore")
    env = aec.env("tictactoe")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="9"):
        env.step(9)  # no action of the game at all
