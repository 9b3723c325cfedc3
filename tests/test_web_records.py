"""Finished deals of the table as records: kibitz export, kibitz verify, the API, and what the server had promised."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from web_common import Still, join, new_table, open_house, person, play_out, tell

from kibitz import gdl
from kibitz.cli import run
from kibitz.record import Record
from kibitz.web.app import make_app
from kibitz.web.settings import Settings


async def games(folder: Path) -> list[dict[str, Any]]:
    """A deal of a series, a rulesheet's, and one that was given up. What the server promised and told."""
    still = Still()
    house = await open_house(folder, still)
    me = await person(house, "Ada")
    told = []
    for wanted in (new_table("uno", series=200, players=2, level="beginner"), new_table("gdl:kuhn_poker")):
        table = await house.create(me, wanted)
        client = await join(table, me)
        promised = client.last("view")["hash"]
        told.append(await play_out(table, still, client) | {"promised": promised, "table": table.id})
    table = await house.create(me, new_table("connect_four", level="beginner"))
    client = await join(table, me)
    await tell(table, client, type="act", cid="a", turn=0, action=3)
    await tell(table, client, type="seat", cid="b", want="resign")
    promised = client.last("view")["hash"]
    told.append(client.last("over") | {"promised": promised, "table": table.id})
    await house.close()
    return told


@pytest.fixture
def played(tmp_path: Path) -> tuple[Path, list[dict[str, Any]]]:
    sheets = tmp_path / "rulesheets"
    sheets.mkdir()
    shutil.copy(Path(gdl.__file__).parent / "rulesheets" / "kuhn_poker.kif", sheets)
    return tmp_path, asyncio.run(asyncio.wait_for(games(tmp_path), 120))


def test_export_and_verify(
    played: tuple[Path, list[dict[str, Any]]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, told = played
    file = tmp_path / "games.jsonl"
    assert run(["export", str(file), "--data", str(folder)]) == 0
    records = [Record.loads(line) for line in file.read_text().splitlines()]
    assert [record.start.hash for record in records] == [over["promised"] for over in told]
    assert [record.game for record in records] == ["uno", "gdl", "connect_four"]
    assert [seat.agent for seat in records[0].seats] == ["human", "level:beginner"]
    assert "Ada" not in [seat.name for record in records for seat in record.seats if seat.person]
    assert records[0].series is not None
    assert records[0].series.to == 200
    assert list(records[0].payoffs or ()) == told[0]["payoffs"]
    assert set(records[0].more["table"]["by"]) <= {"person", "bot"}
    assert records[2].payoffs is None  # the moves lead to none
    assert records[2].more["table"]["resigned"] == 0
    assert records[2].more["table"]["payoffs"] == told[2]["payoffs"]
    capsys.readouterr()
    assert run(["verify", str(file)]) == 0
    assert "3 records" in capsys.readouterr().out
    assert run(["verify", str(file), "--hash", told[1]["promised"]]) == 0
    assert "gdl" in capsys.readouterr().out
    assert run(["verify", str(file), "--hash", "0" * 64]) == 2


def test_another_deal_than_promised_is_found_out(
    played: tuple[Path, list[dict[str, Any]]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, _ = played
    assert run(["export", str(tmp_path / "out"), "--data", str(folder)]) == 0
    file = tmp_path / "out" / "000001.json"
    record = json.loads(file.read_text())
    record["start"]["salt"] = "0" * 64
    file.write_text(json.dumps(record))
    assert run(["verify", str(file)]) == 2
    assert "not the deal that was promised" in capsys.readouterr().err


def test_a_changed_rulesheet_is_left_out(
    played: tuple[Path, list[dict[str, Any]]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, _ = played
    sheet = folder / "rulesheets" / "kuhn_poker.kif"
    sheet.write_text(sheet.read_text() + "\n; changed\n")
    assert run(["export", str(tmp_path / "games.jsonl"), "--data", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "2 deals" in said
    assert "1 tables were left out" in said


def test_the_api_gives_the_record_of_a_finished_deal(played: tuple[Path, list[dict[str, Any]]], tmp_path: Path) -> None:
    folder, told = played
    with TestClient(make_app(Settings(data=folder, keep_days=36_500)), base_url="http://localhost") as http:
        for over in told:
            answer = http.get(f"/api/tables/{over['table']}/deals/0")
            assert answer.status_code == 200
            record = Record.loads(answer.content)
            assert record.start.hash == over["promised"]
            assert http.get(f"/api/tables/{over['table']}/deals/1").json() == {"code": "not_now"}
        assert http.get("/api/tables/none/deals/0").json() == {"code": "no_table"}
        ada = {"Authorization": f"Bearer {http.post('/api/people', json={'name': 'Ada'}).json()['token']}"}
        running = http.post("/api/tables", json={"game": "uno", "watching": False}, headers=ada).json()["id"]
        path = f"/api/tables/{running}/deals/0"
        assert http.get(path, headers=ada).json() == {"code": "not_now"}
        assert http.get(path).json() == {"code": "bad_token"}
        bob = {"Authorization": f"Bearer {http.post('/api/people', json={'name': 'Bob'}).json()['token']}"}
        assert http.get(path, headers=bob).json() == {"code": "no_watching"}
