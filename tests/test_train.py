"""Trainings: curves that repeat and resume, play that gets good, errors that lose nothing."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from learn_common import METHODS, OWN, curve, settings
from test_readme import blocks

import kibitz
from kibitz import learn
from kibitz.cli import run as cli
from kibitz.files import alone
from kibitz.learn import ddqn, distill, dmc, dqn, mcts_ddqn, nfsp
from kibitz.learn.common import checkpoint, run
from kibitz.learn.common.run import CHECKPOINT, score
from kibitz.learn.common.tables import Group

# --- curves ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_same_seed_same_curve_and_resume(method: str, tmp_path: Path) -> None:
    module = learn.learner(method)
    whole = module.train(settings(method), tmp_path / "whole")
    assert len(whole.rows) == 3
    again = module.train(settings(method), tmp_path / "again")
    assert curve(whole) == curve(again)
    module.train(settings(method, episodes=25), tmp_path / "part")
    resumed = module.train(settings(method), tmp_path / "part", resume=True)
    # The part was tested once more where it ended; the play and the weights are the same.
    a, b = (checkpoint.load(t.folder / "checkpoint.kibitz")[0] for t in (whole, resumed))
    assert a.keys() == b.keys()
    assert all((a[key] == b[key]).all() for key in a)
    assert whole.last.read_bytes()[-400:] == resumed.last.read_bytes()[-400:]


def test_other_seeds_give_other_curves(tmp_path: Path) -> None:
    a = ddqn.train(settings("ddqn"), tmp_path / "a")
    b = ddqn.train(settings("ddqn", seed=2), tmp_path / "b")
    assert curve(a) != curve(b)


@pytest.mark.parametrize("method", ["ddqn", "nfsp", "mcts-actor-critic"])
def test_target_values_worked_out_ahead(method: str, tmp_path: Path) -> None:
    """Once for every transition, where that is less work than at every update: the same learning."""
    module = learn.learner(method)
    common = {"replay": 256, "target_every": 8}
    whole = module.train(settings(method, **common), tmp_path / "whole")
    module.train(settings(method, episodes=25, **common), tmp_path / "part")
    resumed = module.train(settings(method, **common), tmp_path / "part", resume=True)
    arrays = [checkpoint.load(trained.folder / "checkpoint.kibitz")[0] for trained in (whole, resumed)]
    key = "learner/memory.replay/column.later"
    assert all((arrays[0][name] == arrays[1][name]).all() for name in arrays[0] if name != "group/0")
    learner: Any = whole.learner
    assert learner.replay.keeps_values
    memory = checkpoint.part("learner/memory.replay", arrays[0])
    assert arrays[0][key] == pytest.approx(learner.target.evaluate(memory["column.next_obs"]), abs=1e-5)
    old = {name.removeprefix("learner/"): value for name, value in arrays[0].items() if name != key}
    again = module.train.args[0](learner.settings, Group(learner.settings))
    again.restore(old, learner.state()[1])  # a checkpoint from before
    assert again.replay.state()["column.later"] == pytest.approx(arrays[0][key], abs=1e-5)
    other = module.train.args[0](settings(method, replay=257, target_every=8), Group(learner.settings))
    assert not other.replay.keeps_values


def test_past_and_mixed_opponents_resume(tmp_path: Path) -> None:
    mixed = {"opponents": ("past", "self", "random"), "tables": 6}
    whole = ddqn.train(settings("ddqn", **mixed), tmp_path / "whole")
    ddqn.train(settings("ddqn", episodes=40, **mixed), tmp_path / "part")
    (tmp_path / "part").rename(tmp_path / "moved")
    resumed = ddqn.train(settings("ddqn", **mixed), tmp_path / "moved", resume=True)
    assert curve(whole)[-1] == curve(resumed)[-1]


KILLED = """
import json, os, signal, sys
from kibitz.learn import ddqn
from kibitz.learn.common import run

step = run._Run.step

def last_step(self):
    step(self)
    if self.episodes >= 250:
        os.kill(os.getpid(), signal.SIGKILL)

run._Run.step = last_step
ddqn.train(ddqn.Settings.read(json.loads(sys.argv[1])), sys.argv[2])
"""


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_killed_training_resumes_to_the_same_curve(tmp_path: Path) -> None:
    chosen = settings("ddqn", episodes=400)
    whole = ddqn.train(chosen, tmp_path / "whole")
    killed = subprocess.run([sys.executable, "-c", KILLED, chosen.to_json(), str(tmp_path / "cut")], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert 0 < checkpoint.load(tmp_path / "cut" / CHECKPOINT)[1]["episodes"] < 250
    resumed = ddqn.train(chosen, tmp_path / "cut", resume=True)
    assert curve(whole) == curve(resumed)
    assert (tmp_path / "cut/best.safetensors").read_bytes() == whole.best.read_bytes()


def test_interrupt_keeps_a_checkpoint(tmp_path: Path) -> None:
    chosen = settings("ddqn", episodes=100)
    seen = []

    def report(report: Any) -> None:
        seen.append(report)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        ddqn.train(settings("ddqn", episodes=10_000_000), tmp_path / "run", report=report)
    assert seen[0].episodes < 10_000_000
    done = seen[0].episodes
    resumed = ddqn.train(settings("ddqn", episodes=done + 50), tmp_path / "run", resume=True)
    whole = ddqn.train(settings("ddqn", episodes=done + 50), tmp_path / "whole")
    assert curve(resumed) == curve(whole)
    assert chosen.episodes == 100


# --- they learn -----------------------------------------------------------------------------------------------------

OFF_POLICY = {"warm_up": 500, "epsilon_steps": 10_000, "epsilon_end": 0.1, "every": 8.0, "batch": 128}
FROM_TARGETS = OFF_POLICY | {"target_every": 100, "discount": 0.95}
QUICK: dict[str, dict[str, Any]] = {
    "dqn": {"epsilon_decay": 0.9, "epsilon_end": 0.1},
    "sarsa": {"epsilon_decay": 0.9, "epsilon_end": 0.05},
    "ddqn": FROM_TARGETS,
    "dmc": OFF_POLICY,
    "nfsp": FROM_TARGETS | {"anticipation": 1.0, "epsilon_start": 0.3, "policy_learning_rate": 5e-3},
    "mcts-ddqn": FROM_TARGETS | {"simulations": 20},
    "mcts-actor-critic": FROM_TARGETS | {"simulations": 20, "actor_learning_rate": 5e-3},
    "distill": {"warm_up": 500, "every": 8.0, "batch": 128, "teacher": "mcs:iterations=100,opponents=random"},
}


def best_against_random(state: Any, me: int, known: dict[str, float]) -> float:
    """What perfect play gets from somebody who plays anything."""
    if state.over:
        return float(state.payoffs[me])
    if str(state) not in known:
        values = []
        for action in state.legal():
            after = state.copy()
            after.apply(action)
            values.append(best_against_random(after, me, known))
        known[str(state)] = max(values) if state.to_act == me else sum(values) / len(values)
    return known[str(state)]


@pytest.mark.parametrize("method", METHODS)
def test_comes_near_the_best_play_at_tic_tac_toe(method: str, tmp_path: Path) -> None:
    game = kibitz.make("tictactoe")
    perfect = np.mean([best_against_random(game.deal(0), seat, {}) for seat in (0, 1)])
    assert perfect == pytest.approx(0.96, abs=0.001)
    common = {"episodes": 6_000, "tables": 64, "hidden": (128,), "learning_rate": 2e-3, "test_games": 400}
    often = {"test_every": 1_000, "checkpoint_every": 10_000}
    trained = learn.learner(method).train(settings(method, **common | often | QUICK[method]), tmp_path)
    reward, _, _ = score(game, str(trained.best), "random", 2_000, 5)
    # The average policy of nfsp holds its first attempts, too, and draws from them.
    assert reward > perfect - (0.35 if method == "nfsp" else 0.25), f"{method}: {reward:.3f} of {perfect:.3f}"


@pytest.mark.parametrize("game", ["uno:rules=rlcard", "doudizhu"])
def test_a_teacher_decides_at_first(game: str) -> None:
    common: dict[str, Any] = {"game": game, "opponents": ("self",), "tables": 8}
    common |= {"epsilon_start": 0.0, "epsilon_end": 0.0}
    taught = dmc.Settings(**common, teacher="rules", teacher_games=5)
    group, alone = Group(taught), Group(dmc.Settings(**common))
    pupil, other = dmc.DMC(taught, group), dmc.DMC(dmc.Settings(**common), alone)
    followed = {True: 0, False: 0}
    for _ in range(60):
        for games in (0, 5):
            pupil.counts["games"] = games
            before = pupil.rng.bit_generator.state
            advice = group.advise("rules", int(pupil.rng.integers(2**63)))
            pupil.rng.bit_generator.state = before
            choice = pupil.act(group)
            followed[games < 5] += int((choice.actions == advice).sum())
            if games:
                assert (choice.actions == other.act(group).actions).all()
            elif group.ragged:
                rows = [np.flatnonzero(group.ids == action) for action in choice.actions]
                offsets = np.concatenate([[0], np.cumsum(group.counts)])
                own = [row[(row >= a) & (row < b)] for row, a, b in zip(rows, offsets, offsets[1:], strict=False)]
                assert (choice.extra["features"] == group.options[np.concatenate(own)]).all()
        group.step(advice)
    assert followed[True] == 60 * 8 > followed[False]


@pytest.mark.parametrize("half", [{"teacher": "rules"}, {"teacher_games": 5}])
def test_a_teacher_needs_games(half: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="teacher and teacher_games go together"):
        dmc.Settings(**half)


# --- other games and tables -----------------------------------------------------------------------------------------


def test_a_training_can_be_resumed_from_its_first_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_off(*_: Any) -> None:
        raise OSError("gone")

    whole = ddqn.train(settings("ddqn"), tmp_path / "whole")
    with monkeypatch.context() as broken:
        broken.setattr(run._Run, "test", break_off)
        with pytest.raises(OSError, match="gone"):
            ddqn.train(settings("ddqn"), tmp_path / "cut")
    assert curve(ddqn.train(settings("ddqn"), tmp_path / "cut", resume=True)) == curve(whole)


def test_what_is_wrong_is_said_before_the_first_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for change, words in {
        "test_opponents": ("nobody", "unknown agent 'nobody'"),
        "epsilon_start": (2.0, "epsilon_start must be from 0 to 1, not 2.0"),
        "epsilon_end": (-1.0, "epsilon_end must be from 0 to 1, not -1.0"),
        "replay": (10, "room for a batch of 32, not only for 10"),
        "device": ("nowhere", "device 'nowhere' cannot be used here"),
    }.items():
        value, message = words
        with pytest.raises(ValueError, match=message):
            ddqn.train(settings("ddqn", **{change: value}), tmp_path / change)
        assert not (tmp_path / change).exists()
    for method, more in {"dmc": {"teacher_games": 3}, "distill": {}}.items():
        with pytest.raises(ValueError, match="unknown agent 'nobody'"):
            learn.learner(method).train(settings(method, teacher="nobody", **more), tmp_path / method)
        assert not (tmp_path / method).exists()
    ddqn.train(settings("ddqn"), tmp_path / "done")
    kept = (tmp_path / "done" / "settings.json").read_text()
    assert cli(["train", "dmc", "--resume", "--out", str(tmp_path / "done")]) == 2
    assert "holds a training of ddqn" in capsys.readouterr().err
    assert cli(["train", "ddqn", "--resume", "--out", str(tmp_path / "done"), "--episodes", "2"]) == 2
    assert "episodes can be raised, not lowered" in capsys.readouterr().err
    assert (tmp_path / "done" / "settings.json").read_text() == kept


def test_settings_of_earlier_versions(tmp_path: Path) -> None:
    """What they did not know is as it was; what has another name is found."""
    common: dict[str, Any] = {"hidden": (8,), "tables": 4, "test_games": 6, "test_every": 6, "tensorboard": False}
    dmc.train(dmc.Settings(**common, episodes=6, any_options=("players",)), tmp_path)
    file = tmp_path / CHECKPOINT
    arrays, state = checkpoint.load(file)
    del state["settings"]["any_options"], state["settings"]["teacher"], state["settings"]["teacher_games"]
    state["settings"]["any_players"] = True
    checkpoint.save(file, arrays, state)
    with pytest.raises(ValueError, match=r"any_options was \['players'\] when this training began, not \[\]"):
        dmc.train(dmc.Settings(**common, episodes=12), tmp_path, resume=True)
    assert cli(["train", "dmc", "--resume", "--out", str(tmp_path), "--episodes", "12"]) == 0
    assert int((tmp_path / "metrics.csv").read_text().splitlines()[-1].split(",")[0]) >= 12


def test_checkpoints_of_other_nets_are_refused(tmp_path: Path) -> None:
    common: dict[str, Any] = {"hidden": (8,), "tables": 4, "test_games": 6, "test_every": 6, "tensorboard": False}
    dmc.train(dmc.Settings(**common, episodes=6), tmp_path)
    file = tmp_path / CHECKPOINT
    arrays, state = checkpoint.load(file)
    name = next(key for key in arrays if key.endswith("net.q/0.weight"))
    checkpoint.save(file, arrays | {name: arrays[name][:, 1:]}, state)
    with pytest.raises(ValueError, match="other inputs or outputs"):
        dmc.train(dmc.Settings(**common, episodes=12), tmp_path, resume=True)


@pytest.mark.parametrize(
    "change",
    [
        lambda arrays, state: state.pop("settings"),
        lambda arrays, state: state.pop("method"),
        lambda arrays, state: state.update(episodes="x"),
        lambda arrays, state: state.update(rows="x"),
        lambda arrays, state: state.update(learner=None),
    ],
)
def test_other_checkpoints_are_refused(change: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ddqn.train(settings("ddqn", episodes=20), tmp_path)
    arrays, state = checkpoint.load(tmp_path / CHECKPOINT)
    change(arrays, state)
    checkpoint.save(tmp_path / CHECKPOINT, arrays, state)
    assert cli(["train", "ddqn", "--out", str(tmp_path), "--resume"]) == 2
    assert "the checkpoint does not fit this training" in capsys.readouterr().err


def test_a_search_gets_no_sum_that_may_be_wrong(tmp_path: Path) -> None:
    """What payoffs sum to depends on the rules of Uno; the learner's own search knows at which table it sits."""
    common: dict[str, Any] = {"hidden": (8,), "tables": 4, "test_games": 6, "test_every": 6, "tensorboard": False}
    common |= {"episodes": 6, "warm_up": 20, "simulations": 2}
    for name in ("players", "rules"):
        trained = mcts_ddqn.train(mcts_ddqn.Settings(**common, any_options=(name,)), tmp_path / name)
        assert "total" not in kibitz.Net.load(trained.last).metadata
    trained = mcts_ddqn.train(mcts_ddqn.Settings(**common), tmp_path / "strict")
    assert float(kibitz.Net.load(trained.last).metadata["total"]) == -1


def test_weights_that_do_not_insist_on_options(tmp_path: Path) -> None:
    common: dict[str, Any] = {"game": "doudizhu", "hidden": (8,), "episodes": 3, "tables": 2, "test_games": 3}
    common |= {"test_every": 3, "tensorboard": False}
    strict = dmc.train(dmc.Settings(**common), tmp_path / "strict")
    free = dmc.train(dmc.Settings(**common, any_options=("rules", "landlord")), tmp_path / "free")
    state = kibitz.make("doudizhu", rules="rlcard", landlord="random").deal(1)
    other = kibitz.make("doudizhu", kickers="separate").deal(1).view(0)
    assert kibitz.agent(f"net:{free.last}").act(state.view(state.to_act)) in state.legal()
    with pytest.raises(ValueError, match="landlord"):
        kibitz.agent(f"net:{strict.last}").act(state.view(state.to_act))
    with pytest.raises(ValueError, match="kickers"):
        kibitz.agent(f"net:{free.last}").act(other)
    with pytest.raises(ValueError, match="doudizhu has no option 'colour'; it has rules, "):
        dmc.train(dmc.Settings(**common, any_options=("colour",)), tmp_path / "unknown")


def test_dou_di_zhu_by_features_of_actions(tmp_path: Path) -> None:
    chosen = dmc.Settings(
        game="doudizhu", opponents=("self",), hidden=(16,), episodes=12, tables=4, warm_up=20, every=4.0,
        test_every=6, test_games=6, checkpoint_every=6, tensorboard=False,
    )  # fmt: skip
    whole = dmc.train(chosen, tmp_path / "whole")
    dmc.train(dmc.Settings.read(chosen.to_dict(), {"episodes": 6}), tmp_path / "part")
    resumed = dmc.train(chosen, tmp_path / "part", resume=True)
    assert curve(whole)[-1] == curve(resumed)[-1]
    learner: Any = whole.learner
    game = kibitz.make("doudizhu")
    agent = kibitz.agent(f"net:{whole.last}")
    state = game.deal(seed=4)
    for _ in range(10):
        view = state.view(state.to_act)
        features = view.action_features()
        values = learner.value_options(view.encode("full").reshape(1, -1), features, np.array([len(features)]))
        rows = np.concatenate([np.repeat(view.encode("full").reshape(1, -1), len(features), 0), features], 1)
        assert values == pytest.approx(learner.q.evaluate(rows)[:, 0], abs=1e-5)
        assert agent.act(view) == view.legal()[int(values.argmax())]
        state.apply(agent.act(view))


def test_two_to_five_players(tmp_path: Path) -> None:
    chosen = ddqn.Settings(
        players="2-5", opponents=("random", "past"), hidden=(8,), episodes=40, tables=16, warm_up=50, every=8.0,
        test_every=20, test_games=20, checkpoint_every=20, tensorboard=False,
    )  # fmt: skip
    trained = ddqn.train(chosen, tmp_path)
    assert len(trained.rows) == 2
    for players in (2, 5, 7):
        game = kibitz.make("uno", players=players, rules="rlcard")
        score(game, str(trained.best), "random", 10, 1)
    assert len(list(tmp_path.glob("past-*"))) == 1


def test_peeking_nets_say_that_they_cheat(tmp_path: Path) -> None:
    chosen = dqn.Settings(
        encoder="brown", hidden=(8,), episodes=20, iteration=10, test_every=10, test_games=9, tensorboard=False
    )
    trained = dqn.train(chosen, tmp_path)
    game = kibitz.make("uno", players=3, rules="rlcard")
    result = kibitz.play(game, [f"net:{trained.last}", "random", "random"], games=6, seed=1)
    assert [agent.cheats for agent in result.agents] == [True, False, False]
    with pytest.raises(ValueError, match="it needs a state"):
        kibitz.agent(f"net:{trained.last}").act(game.deal(seed=1).view(game.deal(seed=1).to_act))


def test_nets_play_the_same_in_python_and_in_the_core(tmp_path: Path) -> None:
    trained = nfsp.train(settings("nfsp"), tmp_path)
    game = kibitz.make("tictactoe")
    specs = [f"net:{trained.last},epsilon=0.2", f"net:{trained.last},pick=best"]
    native = kibitz.play(game, specs, games=40, seed=3)
    assert native.native

    class Slow:
        """The same agent, which the core does not know."""

        def __init__(self, spec: str) -> None:
            self._agent = kibitz.agent(spec)
            self.name, self.peeks = self._agent.name, False
            self.begin, self.act, self.think = self._agent.begin, self._agent.act, self._agent.think

    slow = kibitz.play(game, [Slow(spec) for spec in specs], games=40, seed=3)
    assert not slow.native
    assert [agent.wins for agent in native.agents] == [agent.wins for agent in slow.agents]
    thought = kibitz.agent(specs[0]).think(game.deal(seed=0).view(0))
    assert sum(thought.share) == pytest.approx(1)


# --- the learner in the documentation -------------------------------------------------------------------------------


def test_the_worked_learner_learns(tmp_path: Path) -> None:
    """Far from random, which wins as often as it loses, 44% each; and it can be resumed."""
    page = Path(__file__).parents[1] / "docs" / "new_learner.md"
    [block] = [block for block in blocks(page) if block.section == "Monte Carlo control, whole"]
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(block.code, str(page), "exec"), namespace)
    last = namespace["trained"].rows[-1]
    assert last["win_rate"] > 0.65
    assert last["reward"] > 0.35  # wins less losses
    train, small = namespace["train"], {"episodes": 40, "test_every": 20, "test_games": 20, "checkpoint_every": 20}
    whole = train(replace(namespace["worked"], **small), tmp_path / "whole")
    train(replace(namespace["worked"], **small | {"episodes": 20}), tmp_path / "part")
    resumed = train(replace(namespace["worked"], **small), tmp_path / "part", resume=True)
    assert curve(whole)[-1] == curve(resumed)[-1]


# --- rulesheets -----------------------------------------------------------------------------------------------------

# One player picks one of 33 x 33 squares: more actions than a mask has room for.
WIDE = (
    "(role a) (init start) "
    + " ".join(f"(index {i})" for i in range(33))
    + """
(<= (legal a (pick ?x ?y)) (index ?x) (index ?y))
(<= (next (done ?x)) (does a (pick ?x ?y)))
(<= terminal (true (done ?x)))
(<= (goal a 100) (true (done 3)))
(<= (goal a 0) (not (true (done 3))))
"""
)
# Its facts have no end, so that they cannot be listed.
OPEN = """
(role a) (init (count 0))
(<= (legal a (say ?x)) (true (count ?x)))
(<= (next (count (s ?x))) (true (count ?x)))
(<= terminal (true (count (s (s (s ?x))))))
(<= (goal a 100) (true (count ?x)))
"""


@pytest.mark.parametrize("sheet", ["tictactoe", "kuhn_poker"])  # all is known, and cards are hidden
@pytest.mark.parametrize("method", METHODS)
def test_rulesheets_with_the_settings_of_the_paper(method: str, sheet: str, tmp_path: Path) -> None:
    """Nothing of Uno, such as an encoder or rules of thumb, is asked of another game."""
    changes = {name: value for name, value in OWN[method].items() if name != "teacher"}
    common = {"hidden": (8,), "episodes": 30, "tables": 4, "test_games": 20, "tensorboard": False}
    module = learn.learner(method)
    chosen = module.Settings(game=f"gdl:file={sheet}", players="2", **common | changes)
    trained = module.train(chosen, tmp_path)
    assert trained.rows[-1]["updates"] > 0
    game = kibitz.make("gdl", file=sheet)
    assert kibitz.play(game, [f"net:{trained.last}", "random"], games=10, seed=1).native


@pytest.mark.parametrize(
    ("sheet", "words"),
    [(WIDE, "at most 1,024 actions, not 1,089$"), (OPEN, "no encoder to learn from; a rulesheet has one where")],
)
@pytest.mark.parametrize("method", METHODS)
def test_rulesheets_that_no_method_can_learn(method: str, sheet: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "game.kif").write_text(sheet)
    module = learn.learner(method)
    chosen = module.Settings(game=f"gdl:file={tmp_path}/game.kif", players="1", tables=2, tensorboard=False)
    with pytest.raises(ValueError, match=words):
        module.train(chosen, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_what_a_method_takes_if_nothing_is_said() -> None:
    assert dqn.Settings().encoder == "brown-fair"
    assert dqn.Settings(game="uno").encoder == "brown-fair"
    assert dqn.Settings(game="hex").encoder == ""
    assert dqn.Settings(encoder="li").encoder == "li"
    assert distill.Settings().teacher == "mcs:iterations=500,opponents=random,rollout=rules"
    assert distill.Settings(game="tictactoe").teacher == "mcs:iterations=500,opponents=random"
    assert distill.Settings(teacher="rules").teacher == "rules"


# --- bad input ------------------------------------------------------------------------------------------------------


def test_settings_say_what_is_wrong(tmp_path: Path) -> None:
    read = ddqn.Settings.read
    for given, message in (
        ({"bogus": 1}, "unknown setting 'bogus'; known settings: game, players"),
        ({"episodes": "many"}, "episodes must be a whole number, not 'many'"),
        ({"batch": 0}, "batch must be from 1 to 1,000,000, not 0"),
        ({"players": "2-x"}, "players must be a number"),
        ({"discount": 2.0}, "discount must be"),
        ({"every": 0.0}, "every must be from 1e-06 to"),
        ({"hidden": 5}, "hidden must be a list"),
    ):
        with pytest.raises(ValueError, match=message):
            read(given)
    assert read({"hidden": "32,16", "learning-rate": "1e-3", "players": 4}).hidden == (32, 16)
    chosen = read({"opponents": ["rules", "self"]})
    assert ddqn.Settings.read(chosen.to_dict()) == chosen
    with pytest.raises(ValueError, match="worlds must be sampled or true"):
        mcts_ddqn.Settings(worlds="some")
    with pytest.raises(ValueError, match="tictactoe is for 2 players and has no option for it, so not 3"):
        Group(dmc.Settings(game="tictactoe"))
    cards = ddqn.Settings(game="doudizhu", tables=2)
    tables = Group(cards)
    with pytest.raises(ValueError, match="at most 1,024 actions"):
        ddqn.DDQN(cards, tables)
    with pytest.raises(ValueError, match=r"ddqn needs a game .*; dmc takes features of actions"):
        ddqn.DDQN(cards, tables)
    with pytest.raises(ValueError, match="unknown method 'bogus'; known methods: dqn"):
        learn.learner("bogus")
    assert learn.learner("li-mcts-ddqn") is mcts_ddqn


def test_nothing_is_overwritten_and_damage_is_told(tmp_path: Path) -> None:
    chosen = settings("ddqn", episodes=20)
    with pytest.raises(ValueError, match="no checkpoint"):
        ddqn.train(chosen, tmp_path / "none", resume=True)
    ddqn.train(chosen, tmp_path)
    with pytest.raises(ValueError, match="holds a training already"):
        ddqn.train(chosen, tmp_path)
    with pytest.raises(ValueError, match="learning_rate was 5e-05 when this training began"):
        ddqn.train(settings("ddqn", learning_rate=1.0), tmp_path, resume=True)
    with pytest.raises(ValueError, match="a training of ddqn, not of nfsp"):
        nfsp.train(settings("nfsp"), tmp_path, resume=True)
    with alone(tmp_path), pytest.raises(ValueError, match="another run is at work"):
        ddqn.train(chosen, tmp_path, resume=True)
    path = tmp_path / "checkpoint.kibitz"
    raw = path.read_bytes()
    path.unlink()
    with pytest.raises(ValueError, match=r"holds last\.safetensors of a training that cannot be resumed"):
        ddqn.train(chosen, tmp_path)
    for bad, message in ((raw[:-1], "damaged"), (raw[:60] + b"x" + raw[61:], "damaged"), (b"hello", "no checkpoint")):
        path.write_bytes(bad)
        with pytest.raises(ValueError, match=message):
            ddqn.train(chosen, tmp_path, resume=True)


def test_a_full_disk_leaves_the_last_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    whole = ddqn.train(settings("ddqn"), tmp_path / "whole")
    ddqn.train(settings("ddqn", episodes=20), out)
    before = (out / "checkpoint.kibitz").read_bytes()
    replace = os.replace

    def full(a: Any, b: Any) -> None:
        if str(b).endswith("checkpoint.kibitz"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(b))
        replace(a, b)

    monkeypatch.setattr(os, "replace", full)
    assert cli(["train", "ddqn", "--out", str(out), "--resume", "--episodes", "60"]) == 2
    assert "No space left" in capsys.readouterr().err
    monkeypatch.setattr(os, "replace", replace)
    assert (out / "checkpoint.kibitz").read_bytes() == before
    assert not list(out.glob(".*.tmp"))
    assert curve(ddqn.train(settings("ddqn"), out, resume=True)) == curve(whole)


def test_weights_that_do_not_fit(tmp_path: Path) -> None:
    trained = ddqn.train(settings("ddqn", episodes=20), tmp_path / "run")
    with pytest.raises(ValueError, match="there is no file 'nothing'"):
        kibitz.agent("net:nothing")
    (tmp_path / "bad.safetensors").write_bytes(trained.last.read_bytes()[:-5])
    with pytest.raises(ValueError, match=r"bad\.safetensors"):
        kibitz.agent(f"net:{tmp_path}/bad.safetensors")
    agent = kibitz.agent(f"net:{trained.last}")
    uno = kibitz.make("uno", players=2)
    with pytest.raises(ValueError, match="the net is for the game 'tictactoe', not for uno"):
        agent.act(uno.deal(seed=1).view(uno.deal(seed=1).to_act))
    with pytest.raises(ValueError, match="unknown option 'bogus'"):
        kibitz.agent(f"net:{trained.last},bogus=1")


# --- the command ----------------------------------------------------------------------------------------------------


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "my.toml"
    file.write_text('game = "tictactoe"\nplayers = 2\nhidden = [8]\ntest_every = 20\ntest_games = 20\nwarm_up = 10\n')
    common = ["train", "li-ddqn", "--out", str(tmp_path / "run")]
    assert cli([*common, "--settings", str(file), "--episodes", "40", "--tables", "4", "--self-play"]) == 0
    assert "play the best with net:" in capsys.readouterr().out
    lines = (tmp_path / "run/metrics.csv").read_text().splitlines()
    assert lines[0].startswith("episodes,transitions,updates,seconds")
    assert len(lines) == 3
    assert list((tmp_path / "run/tensorboard").iterdir())
    net = kibitz.Net.load(tmp_path / "run/best.safetensors")
    assert net.metadata["method"] == "ddqn"
    assert '"opponents": ["self"]' in net.metadata["settings"]
    assert cli([*common, "--resume", "--episodes", "60"]) == 0
    assert len((tmp_path / "run/metrics.csv").read_text().splitlines()) == 4
    capsys.readouterr()
    assert cli([*common, "--bogus", "1"]) == 2
    assert "unknown setting 'bogus'" in capsys.readouterr().err
    assert cli(["train", "li-ddqn"]) == 2
    assert cli(["train"]) == 0
    assert "mcts-actor-critic" in capsys.readouterr().out


@pytest.mark.parametrize("package", ["torch", "safetensors"])
def test_methods_are_listed_where_they_cannot_run(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli(["train"]) == 0
    whole = capsys.readouterr().out
    monkeypatch.setitem(sys.modules, package, None)
    assert cli(["train"]) == 0
    listed = capsys.readouterr().out
    how = "pip install '.[train]' in a clone of Kibitz, or pip install 'kibitz[train]'"
    missing = f"training needs the package {package}: {how}"
    assert f"\n{missing}\n" in listed
    assert "training needs" not in whole
    for name in learn.METHODS:
        assert learn.description(name) == (import_module(learn.METHODS[name]).__doc__ or "").splitlines()[0]
        assert learn.description(name)[:40] in listed
    assert cli(["train", "ddqn", "--out", str(tmp_path / "run")]) == 2
    assert capsys.readouterr().err == f"kibitz: {missing}\n"
    assert not (tmp_path / "run").exists()


def test_a_training_without_tensorboard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "tensorboard", None)
    small = ["train", "ddqn", "--game", "tictactoe", "--players", "2", "--episodes", "20", "--test-games", "2"]
    command = [*small, "--out", str(tmp_path / "run")]
    assert cli(command) == 2
    assert "tensorboard=false" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
    assert cli([*command, "--tensorboard", "false"]) == 0


# --- every method with every game -----------------------------------------------------------------------------------

TABULAR = ["q", "qm", "td"]
GAMES = [*kibitz.games(), *(f"gdl:file={name}" for name in ("tictactoe", "kuhn_poker", "monty_hall"))]


def smallest(method: str, game: str, out: Path) -> list[str]:
    """The command for the shortest training that there is."""
    command = ["train", method, "--game", game, "--episodes", "2", "--out", str(out)]
    if method not in TABULAR:
        command += ["--encoder", "", "--tables", "2", "--hidden", "4", "--test-games", "2", "--tensorboard", "false"]
    own = {"qm": ["--fallback", "mcs:iterations=2"], "distill": ["--teacher", "mcs:iterations=2"]}
    return command + (["--simulations", "2"] if method.startswith("mcts") else own.get(method, []))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("method", [*METHODS, *TABULAR])
def test_every_game_is_trained_on_or_refused_in_one_line(
    method: str, game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.npz"
    code = cli(smallest(method, game, out))
    said = capsys.readouterr()
    if method in ("dmc", *TABULAR) or game != "doudizhu":
        assert code == 0, said.err
    if code:
        assert code == 2
        assert said.out == ""
        assert said.err.count("\n") == 1
        assert "dmc takes features" in said.err
        assert not out.exists()


@pytest.mark.parametrize(
    ("game", "players", "words"),
    [
        ("belote", "3", "belote is for 4 players and has no option for it, so not 3"),
        ("belote", "4-5", "belote is for 4 players and has no option for it, so not 4-5"),
        ("gdl:file=monty_hall", "2", "gdl:file=monty_hall is for 1 player and has no option for it, so not 2"),
        ("tictactoe", "1", "tictactoe is for 2 players and has no option for it, so not 1"),
        ("uno", "11", "players of uno must be a whole number from 2 to 10, not 11"),
        ("uno:players=4", "4", "players"),
    ],
)
@pytest.mark.parametrize("method", ["ddqn", "q"])
def test_other_numbers_of_players_are_refused(
    method: str, game: str, players: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.npz"
    assert cli([*smallest(method, game, out), "--players", players]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert said.err.count("\n") == 1
    assert not out.exists()


@pytest.mark.parametrize("method", ["ddqn", "q"])
def test_the_number_of_players_may_be_said_where_it_is_fixed(
    method: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli([*smallest(method, "tictactoe", tmp_path / "out.npz"), "--players", "2"]) == 0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--learning", "3"], "episodes and learning are the same"),
        (["--file", "other.npz"], "--out names the file"),
        (["--method", "td"], "kibitz train td"),
    ],
)
def test_tables_are_told_things_once(
    given: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli([*smallest("q", "tictactoe", tmp_path / "out.npz"), *given]) == 2
    assert words in capsys.readouterr().err
