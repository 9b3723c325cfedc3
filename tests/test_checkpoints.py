"""Checkpoints from strangers: whatever is in them, a training goes on rightly or says in one line what is wrong."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from learn_common import settings

import kibitz
from kibitz import learn
from kibitz.cli import run as cli
from kibitz.learn.common import checkpoint
from kibitz.learn.common.run import CHECKPOINT

GAMES = ["uno", "uno:rules=rlcard", "belote:bidding=true", "doudizhu:bidding=true", "mini_doudizhu", "tictactoe"]
GAMES += ["connect_four", "hex:size=4", "gdl:file=kuhn_poker", "gdl:file=tictactoe"]
JUNK: list[Any] = [None, True, -1, 0, 1, 7, 255, 2**31, 2**63, -(2**63), 1.5, 1e300, "", "x", "r-5", [], [0], {}]
JUNK += [float("inf"), float("nan"), 10**400, -(10**400)]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in a value as of JSON."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, part in inside for place in places(part, (*path, key)))]


def mutated(value: Any, rng: np.random.Generator) -> Any:
    """With something changed, left out, doubled or moved."""
    out = copy.deepcopy(value)
    for _ in range(rng.integers(1, 4)):
        where = places(out)
        path = where[rng.integers(len(where))]
        if not path:
            continue
        parent = out
        for key in path[:-1]:
            parent = parent[key]
        what = rng.integers(4)
        if what == 0:
            parent[path[-1]] = JUNK[rng.integers(len(JUNK))]
        elif what == 1:
            del parent[path[-1]]
        elif what == 2 and isinstance(parent, list):
            parent.append(parent[path[-1]])
        elif isinstance(parent[path[-1]], int | float) and not isinstance(parent[path[-1]], bool):
            parent[path[-1]] += int(rng.integers(-2, 3))
        else:
            other = where[rng.integers(len(where))]
            found = out
            try:
                for key in other:
                    found = found[key]
            except (KeyError, IndexError, TypeError):
                continue
            parent[path[-1]] = copy.deepcopy(found)
    return out


def refusal(call: Callable[[], None]) -> str | None:
    """What a call says against its input, in one line; None where it took it. Nothing else may be raised."""
    try:
        call()
    except ValueError as error:
        said = str(error)
    else:
        return None
    assert said
    assert "\n" not in said
    return said


@pytest.mark.parametrize("spec", GAMES)
def test_saved_tables_with_something_changed(spec: str) -> None:
    game = kibitz.make(spec)
    opponents = [None, "random", "random", "random"][: game.players - 1] if game.players > 1 else None
    tables = kibitz.Tables(game, 3, opponents, seed=1)
    rng, refused = np.random.default_rng(7), 0
    for _ in range(60):
        tables.run(int(rng.integers(1, 6)))
        saved = tables.save()
        data = json.loads(saved)
        changed = json.dumps(mutated(data["tables"], rng) if rng.random() < 0.9 else mutated(data, rng))
        text = changed if changed.startswith('{"format"') else json.dumps(data | {"tables": json.loads(changed)})
        if refusal(partial(tables.restore, text.encode())) is not None:
            refused += 1
            assert tables.save() == saved  # nothing has changed
    assert refused > 10
    tables.run(50)


@pytest.mark.parametrize("spec", GAMES)
def test_saved_tables_go_on(spec: str) -> None:
    game = kibitz.make(spec)
    tables, other = (kibitz.Tables(game, 5, None, seed=seed) for seed in (1, 2))
    tables.run(17)
    other.restore(tables.save())
    for each in (tables, other):
        each.run(40)
    assert np.array_equal(tables.obs, other.obs)
    assert np.array_equal(tables.payoff, other.payoff)
    assert tables.save() == other.save()


@pytest.mark.parametrize(
    ("kept", "message"),
    [
        (b"", "no saved tables"),
        (b"\0" * 9000, "no saved tables"),
        (b"[" * 100_000, "no saved tables"),
        (b'{"format": "kibitz tables", "version": 2, "tables": []}', "version 2"),
        (b'{"format": "kibitz tables", "version": 1, "tables": {}}', "must be a list"),
        (b'{"format": "kibitz tables", "version": 1, "tables": [1]}', "a saved table"),
        (b'{"format": "kibitz tables", "version": 1, "tables": []}', "there are 1 tables, but 0 were saved"),
        (b'{"format": "kibitz tables", "version": 1, "tables": [{"games": 1}]}', "table 0: it has no position"),
    ],
)
def test_what_is_wrong_with_saved_tables_is_said(kept: bytes, message: str) -> None:
    tables = kibitz.Tables(kibitz.make("doudizhu"), 1, None)
    with pytest.raises(ValueError, match=message):
        tables.restore(kept)


# --- whole checkpoints

CARDS: dict[str, Any] = {"game": "doudizhu", "players": "3", "encoder": "", "episodes": 4, "warm_up": 8, "batch": 8}
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "ddqn": ("ddqn", {}),
    "nfsp": ("nfsp", {}),
    "dqn": ("dqn", {}),
    "dmc": ("dmc", {}),
    "distill": ("distill", {}),
    "mcts-actor-critic": ("mcts-actor-critic", {}),
    "past": ("ddqn", {"opponents": ("random", "past"), "tables": 4}),
    "ragged": ("dmc", CARDS),
}


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The folders of short trainings."""
    out = {}
    for name, (method, changes) in CASES.items():
        out[name] = tmp_path_factory.mktemp(name)
        learn.learner(method).train(settings(method, **{"episodes": 40} | changes), out[name])
    return out


def resume(name: str, begun: Path, folder: Path, arrays: Any, state: Any) -> None:
    """Goes on for some games from a checkpoint whose checksum is right."""
    shutil.copytree(begun, folder, dirs_exist_ok=True)
    checkpoint.save(folder / CHECKPOINT, arrays, state)
    method, changes = CASES[name]
    more = {"episodes": 10 + changes.get("episodes", 40)}
    learn.learner(method).train(settings(method, **changes | more), folder, resume=True)


def changed_arrays(arrays: checkpoint.Arrays, rng: np.random.Generator) -> checkpoint.Arrays:
    name = sorted(arrays)[rng.integers(len(arrays))]
    old = arrays[name]
    new: Any
    match rng.integers(8):
        case 0:
            return {key: value for key, value in arrays.items() if key != name}
        case 1:
            new = old[: len(old) // 2] if old.ndim else old.reshape(1)
        case 2:
            new = old.astype(np.float64 if old.dtype == np.float32 else np.float32)
        case 3:
            new = np.full_like(old, np.nan) if old.dtype.kind == "f" else np.full_like(old, 10_000)
        case 4:
            new = np.full_like(old, -7) if old.dtype.kind in "if" else ~old
        case 5:
            new = np.stack([old, old])
        case 6:
            new = rng.permutation(old.reshape(-1)).reshape(old.shape)
        case _:
            new = np.zeros((0, *old.shape[1:]), old.dtype)
    return {**arrays, name: new}


@pytest.mark.parametrize("name", CASES)
def test_checkpoints_with_something_changed(name: str, begun: dict[str, Path], tmp_path: Path) -> None:
    arrays, state = checkpoint.load(begun[name] / CHECKPOINT)
    resume(name, begun[name], tmp_path / "whole", arrays, state)
    rng, refused = np.random.default_rng(11), 0
    for case in range(24):
        given = (changed_arrays(arrays, rng), state) if case % 2 else (arrays, mutated(state, rng))
        if not isinstance(given[1], dict):
            continue
        refused += refusal(partial(resume, name, begun[name], tmp_path / str(case), *given)) is not None
    assert refused >= 8


def test_what_is_wrong_with_a_checkpoint_is_said(begun: dict[str, Path], tmp_path: Path) -> None:
    arrays, state = checkpoint.load(begun["past"] / CHECKPOINT)
    wrong: list[tuple[str, Any, Any]] = [
        ("its episodes is 'x'", {}, {"episodes": "x"}),
        ("its learner is None", {}, {"learner": None}),
        ("episodes is -1", {}, {"episodes": -1}),
        ("past '../../x'", {}, {"past": "../../x"}),
        ("its curve has the row 3", {}, {"rows": [3]}),
        ("episodes of its curve is inf", {}, {"rows": [state["rows"][0] | {"episodes": float("inf")}]}),
        ("its losses have", {}, {"losses": [[10**400, 0.0]]}),
        ("seconds is 1000", {}, {"seconds": 10**400}),
        ("best is nan", {}, {"best": float("nan")}),
        ("rows seen is 9223", {"learner/memory.replay/seen": 2**63 - 1}, {}),
        ("it counts other things", {}, {"learner": state["learner"] | {"counts": {}}}),
        ("its stream of random numbers", {}, {"learner": state["learner"] | {"rng": {"state": 1}}}),
        ("actions that do not exist", {"learner/memory.replay/column.action": 900}, {}),
        ("of shape", {"group/done": np.zeros(9, bool)}, {}),
        ("not finite", {"learner/memory.replay/column.obs": np.nan}, {}),
        ("no saved tables", {"group/0": 0}, {}),
    ]
    for i, (message, values, changes) in enumerate(wrong):
        new = {
            name: np.full_like(arrays[name], value) if np.isscalar(value) else value for name, value in values.items()
        }
        with pytest.raises(ValueError, match=message):
            resume("past", begun["past"], tmp_path / str(i), arrays | new, state | changes)


def test_slots_in_a_circle_are_refused(begun: dict[str, Path], tmp_path: Path) -> None:
    arrays, state = checkpoint.load(begun["dmc"] / CHECKPOINT)
    last, before = arrays["recorder/last"].copy(), arrays["recorder/before"].copy()
    slot = int(arrays["recorder/free"][0])
    last.flat[0], before[slot] = slot, slot
    with pytest.raises(ValueError, match="kept twice, or never"):
        resume("dmc", begun["dmc"], tmp_path, arrays | {"recorder/last": last, "recorder/before": before}, state)


@pytest.mark.parametrize("body", [b"", b"\0" * 8, b"\xff" * 40, b"\2\0\0\0\0\0\0\0{}", b"\2\0\0\0\0\0\0\0[]"])
def test_a_right_checksum_of_nonsense(
    body: bytes, begun: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import hashlib

    folder = tmp_path / "run"
    shutil.copytree(begun["ddqn"], folder)
    (folder / CHECKPOINT).write_bytes(checkpoint.MAGIC + hashlib.sha256(body).digest() + body)
    with pytest.raises(ValueError, match="no checkpoint that Kibitz wrote"):
        learn.learner("ddqn").train(settings("ddqn"), folder, resume=True)
    assert cli(["train", "ddqn", "--resume", "--out", str(folder)]) != 0
    said = capsys.readouterr().err
    assert "no checkpoint that Kibitz wrote" in " ".join(said.split())
    assert "Traceback" not in said


def test_rulesheets_are_trained_on_and_resumed(tmp_path: Path) -> None:
    chosen = {"game": "gdl:file=tictactoe", "encoder": ""}
    whole = learn.learner("ddqn").train(settings("ddqn", **chosen), tmp_path / "whole")
    learn.learner("ddqn").train(settings("ddqn", episodes=25, **chosen), tmp_path / "part")
    resumed = learn.learner("ddqn").train(settings("ddqn", **chosen), tmp_path / "part", resume=True)
    a, b = (checkpoint.load(trained.folder / CHECKPOINT)[0] for trained in (whole, resumed))
    assert all((a[key] == b[key]).all() for key in a)
