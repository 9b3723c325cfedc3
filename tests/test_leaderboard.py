"""The committed leaderboard: page, data and reports agree, and are of the tournaments that the files describe."""

from __future__ import annotations

import json
from typing import Any

import leaderboard
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from kibitz.web import api
from kibitz.web.leaderboard import DATA

READ = json.loads(DATA.read_text(encoding="utf-8"))


def test_the_page_shows_the_data() -> None:
    assert leaderboard.PAGE.read_text(encoding="utf-8") == leaderboard.markdown(READ["games"])
    assert [board["name"] for board in READ["games"]] == leaderboard.ORDER
    assert {f"{name}.toml" for name in leaderboard.ORDER} == {path.name for path in leaderboard.FOLDER.glob("*.toml")}


@pytest.mark.parametrize("board", READ["games"], ids=leaderboard.ORDER)
def test_the_data_are_of_what_the_file_describes(board: dict[str, Any]) -> None:
    plan = leaderboard.plan_in(leaderboard.FOLDER / f"{board['name']}.toml")
    agents = {agent["name"]: agent["spec"] for agent in board["agents"]}
    assert agents == {entry.name: entry.spec for entry in plan.agents}
    assert (board["games"], board["seed"]) == (plan.played, plan.seed)
    assert board["options"] == dict(plan.options)
    report = json.loads((leaderboard.FOLDER / board["name"] / "result.json").read_text(encoding="utf-8"))
    assert report["complete"]
    assert [agent["rating"] for agent in report["agents"]] == [agent["rating"] for agent in board["agents"]]


def test_the_table_serves_it() -> None:
    app = FastAPI()
    app.include_router(api.router)
    answer = TestClient(app).get("/api/leaderboard")
    assert answer.status_code == 200
    boards = answer.json()["games"]
    assert [board["name"] for board in boards] == leaderboard.ORDER
    for shown, read in zip(boards, READ["games"], strict=True):
        assert [(agent["name"], agent["rating"]) for agent in shown["agents"]] == [
            (agent["name"], agent["rating"]) for agent in read["agents"]
        ]
