"""docs/formats.md says what is written: its versions and members are those of samples made here, and other versions are
refused, or read where it says so."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz import _core, cli
from kibitz import problems as gallery
from kibitz.arena.plan import plan_of
from kibitz.arena.store import Store
from kibitz.arena.summary import summary
from kibitz.arena.tournament import run
from kibitz.experiments.run import Run, Settings, read_run
from kibitz.ggp.record import Record as GgpRecord
from kibitz.learn import q_table
from kibitz.learn.common import checkpoint
from kibitz.record import Record, Seat
from kibitz.web import wire

PAGE = Path(__file__).parents[1] / "docs" / "formats.md"


def documented() -> dict[str, dict[str, Any]]:
    """The rows of the table, by what they are about."""
    rows: dict[str, dict[str, Any]] = {}
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")][1:]
    for line in lines:
        what, name, version, reads, members, _ = (cell.strip() for cell in line.strip("|").split("|"))
        rows[what] = {
            "format": name.strip("`"),
            "version": version,
            "reads": re.findall(r"\d+", reads),
            "members": set(re.findall(r"`(\w+)`", members)),
        }
    return rows


def played() -> tuple[Any, Any]:
    game = kibitz.make("tictactoe")
    state = game.deal(7)
    while not state.over:
        state.apply(state.legal()[0])
    return game, state


def position(folder: Path) -> dict[str, Any]:
    game, state = played()
    told = game.position(state)
    return {key: told[key] for key in ("game", "version")}


def record(folder: Path) -> dict[str, Any]:
    game, state = played()
    Record.of(game, state, [Seat("Ada"), Seat("random", "random")]).save(folder / "game.json")
    data: dict[str, Any] = json.loads((folder / "game.json").read_text(encoding="utf-8"))
    return data


def ggp(folder: Path) -> dict[str, Any]:
    return GgpRecord("m", "g", "", ["x", "o"], ["a", "b"], 1, 1, 0, False, "", states=[["(s)"]]).to_dict()


def result(folder: Path) -> dict[str, Any]:
    told = kibitz.play("tictactoe", ["random", "random"], games=2).to_dict()
    json.dumps(told)
    return told


def tables(folder: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(kibitz.Tables(kibitz.make("tictactoe"), 1).save())
    return data


def problems(folder: Path) -> dict[str, Any]:
    gallery.of("tictactoe").save(folder / "problems.json")
    data: dict[str, Any] = json.loads((folder / "problems.json").read_text(encoding="utf-8"))
    return data


def weights(folder: Path) -> dict[str, Any]:
    game = kibitz.make("tictactoe")
    arrays = {"0.weight": np.zeros((9, 27), np.float32), "0.bias": np.zeros(9, np.float32)}
    kibitz.save_net(folder / "net.safetensors", arrays, kibitz.net_metadata(game, "planes", "q"))
    found = kibitz.Net.load(folder / "net.safetensors").metadata
    assert found["option.size"] == "3"
    return {key: value for key, value in found.items() if not key.startswith("option.")}


def table_of_values(folder: Path) -> dict[str, Any]:
    q_table.train(q_table.Settings(learning=20, file=str(folder / "q.npz")))
    with np.load(folder / "q.npz") as archive:
        data: dict[str, Any] = json.loads(str(archive["header"]))
    return data


def experiment(folder: Path) -> dict[str, Any]:
    run = Run(folder / "run", Settings())
    run.open("paper/name", fresh=True)
    run.close()
    found = read_run(folder / "run")
    assert found is not None
    return found


def tournament(folder: Path) -> dict[str, Any]:
    plan = plan_of(kibitz.make("tictactoe"), {"random": "random", "mcs": "mcs:iterations=1"}, 8)
    path = folder / "tournament.db"
    with Store.create(path, plan) as store:
        run(store)
    with closing(sqlite3.connect(path)) as database:
        return dict(database.execute("SELECT key, value FROM about"))


def tournament_result(folder: Path) -> dict[str, Any]:
    tournament(folder)
    with Store(folder / "tournament.db") as store:
        return summary(store).to_dict()


SAMPLES: dict[str, Callable[[Path], dict[str, Any]]] = {
    "position": position,
    "record of a game": record,
    "match over the network": ggp,
    "result of a match": result,
    "tournament": tournament,
    "result of a tournament": tournament_result,
    "problems": problems,
    "saved tables": tables,
    "weights": weights,
    "Q-table": table_of_values,
    "run of an experiment": experiment,
}


@pytest.mark.parametrize("what", SAMPLES)
def test_a_format_is_as_documented(what: str, tmp_path: Path) -> None:
    row, sample = documented()[what], SAMPLES[what](tmp_path)
    assert sample.keys() == row["members"]
    version = sample["format"] if what == "run of an experiment" else sample["version"]
    assert str(version) == row["version"]
    if row["format"] != "-":
        assert sample["format"] == row["format"]


def test_a_thought_is_as_documented(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = kibitz.make("tictactoe")
    (tmp_path / "position.json").write_text(json.dumps(game.position(game.deal(1))), encoding="utf-8")
    assert cli.run(["think", str(tmp_path / "position.json"), "--agent", "random", "--json"]) == 0
    told, row = json.loads(capsys.readouterr().out), documented()["thought"]
    assert told.keys() == row["members"]
    assert str(told["version"]) == row["version"]


def test_the_others_are_as_documented() -> None:
    rows = documented()
    assert rows["protocol of the table"]["version"] == str(wire.VERSION)
    magic = rows["checkpoint of a training"]
    assert checkpoint.MAGIC.decode() == magic["format"] + magic["version"]
    assert rows.keys() == SAMPLES.keys() | {"thought", "protocol of the table", "checkpoint of a training"}


def test_a_series_has_more() -> None:
    games = kibitz.series("belote", ["random"] * 4, to=100, series=4, seed=1).to_dict()
    assert games["kind"] == "series"
    assert games.keys() - documented()["result of a match"]["members"] == {"to", "rounds", "max_rounds"}


@pytest.mark.parametrize("name", sorted(kibitz._core.games()))
def test_positions_of_every_game_have_the_version(name: str) -> None:
    game = kibitz.make(name)
    told = game.position(game.deal(1))
    assert {"game": name, "version": int(documented()["position"]["version"])}.items() <= told.items()
    assert game.from_position(told) == game.deal(1)
    with pytest.raises(ValueError, match="version"):
        game.from_position(told | {"version": 99})


def other_version(what: str, folder: Path) -> None:
    """Reads a sample whose version is 99."""
    sample = SAMPLES[what](folder)
    if what == "record of a game":
        (folder / "game.json").write_text(json.dumps(sample | {"version": 99}), encoding="utf-8")
        Record.load(folder / "game.json")
    elif what == "match over the network":
        GgpRecord.from_dict(sample | {"version": 99})
    elif what == "saved tables":
        kibitz.Tables(kibitz.make("tictactoe"), 1).restore(json.dumps(sample | {"version": 99}).encode())
    elif what == "weights":
        content = (folder / "net.safetensors").read_bytes()
        _core.Net(content.replace(b'"version": "1"', b'"version": "9"').replace(b'"version":"1"', b'"version":"9"'))
    elif what == "tournament":
        with closing(sqlite3.connect(folder / "tournament.db")) as database, database:
            database.execute("UPDATE about SET value = '99' WHERE key = 'version'")
        Store(folder / "tournament.db")
    elif what == "run of an experiment":
        path = folder / "run" / "run.json"
        path.write_text(json.dumps(sample | {"format": 99}), encoding="utf-8")
        Run(folder / "run", Settings()).open("paper/name", fresh=False)


@pytest.mark.parametrize(
    "what",
    ["record of a game", "match over the network", "saved tables", "weights", "run of an experiment", "tournament"],
)
def test_another_version_is_refused(what: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"version|format 99"):
        other_version(what, tmp_path)
