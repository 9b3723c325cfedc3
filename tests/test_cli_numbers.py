"""Numbers on the command line: negative, absurdly large, fractions and NaN are refused in one line, before any work."""

from __future__ import annotations

import dataclasses
import inspect
import io
import json
import sys
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz import learn
from kibitz.cli import bench, gdl, ggp, match, play, reproduce, run, show, think, train
from kibitz.learn import q_table
from kibitz.learn.common.settings import read_values

pytestmark = pytest.mark.timeout(60)  # a number that is taken seriously would keep it busy for ever

HUGE = str(10**30)
BAD: dict[type, list[str]] = {
    int: ["-1", HUGE, "-" + HUGE, "0.5", "1e3", "nan", "many", "", "9" * 5000],
    float: ["-1", HUGE, "-" + HUGE, "1e300", "inf", "-inf", "nan", "many", ""],
}
ZERO = {"auto", "margin", "pace", "port", "seat", "seed", "threads", "top", "turn", "episodes"}  # options that may be 0

COMMANDS: dict[str, tuple[Callable[..., Any], list[str]]] = {
    "match": (match.match, ["match", "uno", "--agents", "random,random"]),
    "play": (play.play, ["play", "uno"]),
    "think": (think.think, ["think", "position.json", "--agent", "random"]),
    "show": (show.show, ["show", "uno"]),
    "bench": (bench.bench, ["bench", "uno"]),
    "reproduce": (reproduce.reproduce, ["reproduce", "li/fig2"]),
    "gdl show": (gdl.show, ["gdl", "show", "tictactoe"]),
    "replay": (gdl.show, ["gdl", "show", "record.json"]),
    "ggp player": (ggp.player, ["ggp", "player"]),
    "ggp manager": (ggp.manager, ["ggp", "manager", "tictactoe", "--players", "random"]),
    "train": (train.train, ["train", "ddqn", "--out", "run"]),
    "train tables": (train.train, ["train", "q", "--out", "run.npz"]),
}
OF_RECORDS = {"auto", "turn"}


def numbers(function: Callable[..., Any]) -> dict[str, type]:
    """The options of a command that are numbers."""
    hints = typing.get_type_hints(function)
    found = {name: {hints[name], *typing.get_args(hints[name])} for name in inspect.signature(function).parameters}
    return {name: int if int in kinds else float for name, kinds in found.items() if kinds & {int, float}}


def cases() -> list[tuple[str, str, str]]:
    out = []
    for command, (function, _) in COMMANDS.items():
        for name, kind in numbers(function).items():
            if (name in OF_RECORDS) != (command == "replay") and function is gdl.show:
                continue
            out += [(command, name, value) for value in [*BAD[kind], *(["0"] if name not in ZERO else [])]]
    return out


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a position and the record of a match."""
    there = tmp_path_factory.mktemp("numbers")
    game = kibitz.make("uno")
    (there / "position.json").write_text(json.dumps(game.position(game.deal(1))))
    assert run(["ggp", "manager", "tictactoe", "--players", "random,random", "--records", str(there / "matches")]) == 0
    next((there / "matches").iterdir()).rename(there / "record.json")
    (there / "matches").rmdir()
    return there


def refusal(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> str:
    """The one line with which a command refuses."""
    capsys.readouterr()
    assert run(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("kibitz: ")
    assert said.err.count("\n") == 1, said.err
    assert len(said.err) < 300
    return said.err


@pytest.mark.parametrize(("command", "name", "value"), cases(), ids=lambda text: text[:8])
def test_bad_numbers_are_refused(
    command: str,
    name: str,
    value: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    before = sorted(folder.rglob("*"))
    said = refusal(capsys, [*COMMANDS[command][1], f"--{name.replace('_', '-')}", value])
    assert name.replace("_", "-") in said.replace("_", "-")
    assert sorted(folder.rglob("*")) == before, "it had begun"


def test_there_are_numbers_to_refuse() -> None:
    """The cases are found by looking at the commands; here is what must be among them at least."""
    found = {(command, name) for command, name, _ in cases()}
    assert {
        ("match", "games"),
        ("play", "series"),
        ("bench", "seconds"),
        ("reproduce", "scale"),
        ("replay", "auto"),
        ("ggp player", "at_once"),
        ("train", "episodes"),
    } <= found


def test_numbers_at_the_bounds_are_taken(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "uno", "--seed", str(2**64 - 1)]) == 0
    assert run(["match", "tictactoe", "--agents", "random,random", "--games", "1", "--threads", "1024"]) == 0
    assert run(["match", "tictactoe", "--agents", "random,random", "--games", "1_000"]) == 0


# ------------------------------------------------------------------------------------------- settings of trainings

METHODS = {name: learn.learner(name).Settings for name in learn.METHODS} | {"q": q_table.Settings}


def fields(settings: type[Any]) -> dict[str, type]:
    """The numbers among settings."""
    hints, out = typing.get_type_hints(settings), {}
    for field in dataclasses.fields(settings):
        kind = int if hints[field.name] == tuple[int, ...] else hints[field.name]
        if kind in (int, float):
            out[field.name.rstrip("_").replace("_", "-")] = kind
    return out


@pytest.mark.parametrize("method", METHODS)
def test_bad_settings_are_refused(method: str) -> None:
    settings = METHODS[method]
    found = fields(settings)
    assert {"seed", "learning" if method == "q" else "hidden"} <= found.keys()
    for name, kind in found.items():
        for value in BAD[kind]:
            if name == "hidden" and not value:  # no hidden layer
                continue
            with pytest.raises(ValueError, match=f"^{name.replace('-', '_')} must be .{{1,120}}$"):
                settings(**read_values(settings, {name: value}))


@pytest.mark.parametrize(("method", "name"), [("ddqn", "tables"), ("dqn", "test-games"), ("q", "seed")])
def test_settings_are_refused_before_there_is_a_folder(
    method: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for value in BAD[int]:
        said = refusal(capsys, ["train", method, "--out", "run", f"--{name}", value])
        assert name in said.replace("_", "-")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("players", ["0", "-1", HUGE, f"2-{HUGE}", "3-2", "2.5", "nan", "", "-"])
@pytest.mark.parametrize("method", ["ddqn", "q"])
def test_bad_numbers_of_players(
    method: str, players: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    refusal(capsys, ["train", method, "--game", "uno", "--out", "run", "--players", players])
    assert not list(tmp_path.iterdir())
