"""The record of a game: it plays through again as it was played, and whatever is wrong with one is said."""

from __future__ import annotations

import copy
import hashlib
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from test_readme import ROOT, blocks
from toy_game import ToyGame
from variants import Variant, native_variants

import kibitz
from kibitz import record as format_of
from kibitz import record_files, registry
from kibitz.record import Record, Seat, Series, commitment

SALT = "00112233445566778899aabbccddeeff"


def played(game: Any, seed: int, most: int = 10_000) -> Any:
    state, rng = game.deal(seed), random.Random(seed)
    while not state.over and len(state.history) < most:
        state.apply(rng.choice(state.legal()))
    return state


def record_of(game: Any, state: Any, **more: Any) -> Record:
    seats = [Seat("Ada"), *(Seat(f"random {n}", "random") for n in range(1, game.players))]
    return Record.of(game, state, seats, **more)


def again(record: Record) -> Record:
    return Record.loads(json.dumps(record.to_json()))


@pytest.mark.parametrize("variant", native_variants(), ids=str)
def test_games_come_back_move_by_move(variant: Variant) -> None:
    game = variant.make()
    for seed, most in ((2**64 - 1, 10_000), (3, 5)):
        state = played(game, seed, most)
        record = again(record_of(game, state))
        assert record == record_of(game, state)
        states = list(record.states())
        assert len(states) == len(state.history) + 1
        assert states[-1] == state
        assert states[-1].history == state.history
        assert record.payoffs == (tuple(state.payoffs) if state.over else None)
        expected = game.deal(seed)
        for got, (_, action) in zip(states, state.history, strict=False):
            assert got == expected
            expected.apply(action)


def test_a_game_from_a_position() -> None:
    game = kibitz.make("belote", bidding=True)
    start = game.from_position(game.position(played(game, 5, 9)))
    state = start.copy()
    while not state.over:
        state.apply(state.legal()[-1])
    record = again(record_of(game, state, start=start))
    assert record.start.seed is None
    assert record.last() == state


def test_a_game_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._games.added, "toy", ToyGame)
    game = ToyGame()
    state = played(game, 4)
    with pytest.raises(ValueError, match="needs the seed"):
        record_of(game, state)
    record = again(record_of(game, state, seed=4))
    assert record.last().history == state.history


def test_a_rulesheet_of_ones_own_goes_along(tmp_path: Path) -> None:
    file = tmp_path / "mine.kif"
    file.write_bytes((kibitz.gdl.FOLDER / "tictactoe.kif").read_bytes())
    game = kibitz.make("gdl", file=str(file))
    record = record_of(game, played(game, 1))
    file.unlink()
    assert again(record).payoffs == record.payoffs
    data = record.to_json()
    data["options"] = {"file": "/etc/passwd"}
    with pytest.raises(ValueError, match="has its rulesheet as text"):
        Record.loads(json.dumps(data))


def test_a_deal_that_was_promised() -> None:
    game = kibitz.make("belote")
    record = again(record_of(game, played(game, 7), salt=SALT))
    assert record.start.hash == hashlib.sha256(f"7:{SALT}".encode()).hexdigest() == commitment(7, SALT)
    data = record.to_json()
    data["start"]["salt"] = SALT[::-1]
    with pytest.raises(ValueError, match="not the deal that was promised"):
        Record.loads(json.dumps(data))


def test_everything_that_a_record_can_have() -> None:
    game = kibitz.make("uno", players=2, scoring="points")
    series = Series(500, 3, (120.0, 80.0), 5.0)
    more = {"play": {"agents": "8"}}
    record = record_of(game, played(game, 7, 4), series=series, began="2026-11-18T20:15:00+00:00", more=more)
    assert again(record) == record
    assert again(record).series == series


EXAMPLE = next(block.code for block in blocks(ROOT / "docs" / "records.md") if block.language == "json")


def test_the_example_of_the_page() -> None:
    record = Record.loads(EXAMPLE)
    assert record.to_json() == json.loads(EXAMPLE)
    assert [seat.person for seat in record.seats] == [True, False]
    assert not record.last().over


def test_the_page_lists_every_member() -> None:
    page = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?`) \|", page, flags=re.MULTILINE)
    assert [name for row in rows for name in re.findall("`(.*?)`", row)] == list(format_of._RECORD)
    for shape in (format_of._SEAT, format_of._START, format_of._RESULT, format_of._SERIES):
        assert all(f"`{name}`" in page or f'"{name}"' in page for name in shape)


def put(*path: Any, value: Any = None) -> Callable[[dict[str, Any]], None]:
    def change(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        if value is None:
            del data[path[-1]]
        else:
            data[path[-1]] = value

    return change


BROKEN = {
    "not a format": (put("format", value="kibitz ggp match"), 'not the record of a game: "format" is not "kib'),
    "a later version": (put("version", value=2), "a record of version 2; this program reads version 1"),
    "no version": (put("version"), "a record of version None; this program reads version 1"),
    "an unknown member": (put("colour", value="red"), "the record has an unknown member 'colour'; known: format,"),
    "no seats": (put("seats"), "the record has no 'seats'"),
    "an unknown game": (put("game", value="bridge"), "unknown game 'bridge'"),
    "a spec for a game": (put("game", value="uno:players=2"), 'game of the record must be the name of a game, not "'),
    "an unknown option": (put("options", "colour", value=3), "colour"),
    "too many seats": (put("seats", value=[{"name": "x", "agent": "random"}] * 3), "has 2 seats, not 3"),
    "a seat without a name": (put("seats", 1, "name"), "seat 1 has no 'name'"),
    "a name that rings": (put("seats", 1, "name", value="\a"), "name of seat 1 must be a text of 1 to 200 printable"),
    "a number as seed": (put("start", "seed", value=7), "seed of start must be a text of decimal digits"),
    "a seed too large": (put("start", "seed", value=str(2**64)), "below 2^64"),
    "no start": (put("start", "seed"), "start must have either seed or position"),
    "salt alone": (put("start", "salt", value=SALT), "salt and hash of start belong together"),
    "an illegal move": (put("actions", 3, value="b2"), "move 4, b2, is not legal then; legal: b1, a2"),
    "no move": (put("actions", 3, value="d9"), "move 4: 'd9' is no action of tictactoe"),
    "an id as move": (put("actions", 3, value=4), "actions of the record must be a list of at most 1,000,000 texts"),
    "a result too early": (put("result", value={"payoffs": [1, -1]}), "has a result, but after its 6 moves"),
    "a result for three": (put("result", value={"payoffs": [1, -1, 0]}), "one number for each of the 2 seats"),
    "no time": (put("began", value="yesterday"), "began of the record must be date and time"),
    "odd scores": (put("series", value={"to": 3, "deal": 0, "scores": ["1", 2]}), "scores of series must be a list"),
    "more of nothing": (put("more", value=[1]), "more of the record must be an object"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_is_said(name: str) -> None:
    change, message = BROKEN[name]
    data = copy.deepcopy(json.loads(EXAMPLE))
    change(data)
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        Record.loads(json.dumps(data), "game.json")
    assert str(caught.value).startswith("game.json: ")


def test_wrong_ends() -> None:
    game = kibitz.make("connect_four")
    record = record_of(game, played(game, 2))
    data = record.to_json()
    changes: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
        (lambda d: d.pop("result"), "is over after move"),
        (lambda d: d["result"].update(payoffs=[0.25, -0.25]), "the moves lead to the payoffs"),
        (lambda d: d["actions"].append("a"), "the game is over after move"),
    ]
    for change, message in changes:
        wrong = copy.deepcopy(data)
        change(wrong)
        with pytest.raises(ValueError, match=message):
            Record.loads(json.dumps(wrong))


@pytest.mark.parametrize(
    "text", ["", "[]", "nonsense", "[" * 100_000, '{"a": 1, "a": 2}', '{"format": "kibitz game"}', "1"]
)
def test_texts_that_are_no_records(text: str) -> None:
    with pytest.raises(ValueError, match=r"^record: "):
        Record.loads(text)


def test_many_records(tmp_path: Path) -> None:
    game = kibitz.make("tictactoe")
    records = [record_of(game, played(game, seed)) for seed in range(12)]
    for target in (tmp_path / "games.jsonl", tmp_path / "folder"):
        with record_files.writing_all(target) as add:
            for record in records:
                add(record)
        assert list(record_files.read_all(target)) == records
    with pytest.raises(ValueError, match="already has records"):
        record_files.check_target(tmp_path / "folder")
    with pytest.raises(ValueError, match="is for one record"):
        record_files.check_target(tmp_path / "games.json")


def test_a_file_of_records_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    game = kibitz.make("tictactoe")
    target = tmp_path / "games.jsonl"
    target.write_text("old")

    def break_off() -> None:
        with record_files.writing_all(target) as add:
            add(record_of(game, played(game, 1)))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        break_off()
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    target = tmp_path / "games.jsonl"
    game = kibitz.make("tictactoe")
    target.write_text(record_of(game, played(game, 1)).line() + "\n{}\n")
    reading = record_files.read_all(target)
    assert next(reading).payoffs
    with pytest.raises(ValueError, match=r"games.jsonl, line 3: not the record of a game"):
        next(reading)


def test_kept_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_files, "games_folder", lambda: tmp_path / "games")
    assert record_files.kept() == []
    game = kibitz.make("tictactoe")
    record = record_of(game, played(game, 1), began="2026-11-18T20:15:00+00:00")
    paths = [record_files.keep(record), record_files.keep(record)]
    assert [path.name for path in paths] == ["2026-11-18-201500-tictactoe.json", "2026-11-18-201500-tictactoe-2.json"]
    assert record_files.kept() == sorted(paths)
    assert Record.load(paths[0]) == record
