"""Tables that begin with a position: what was known stays, what was unknown is dealt, and nothing is rated."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from web_common import Still, join, open_house, person, play_out

import kibitz
from kibitz import positions
from kibitz._core import State, View
from kibitz.record import Record, Seat
from kibitz.web import wire
from kibitz.web.app import make_app
from kibitz.web.records import records
from kibitz.web.settings import Settings

GAMES = ["uno:players=3", "belote:bidding=true", "doudizhu:bidding=true", "mini_doudizhu", "connect_four", "hex:size=5"]


def _middle(spec: str, moves: int = 4) -> State:
    game, rng = kibitz.make(spec), random.Random(1)
    state = game.deal(3)
    for _ in range(moves):
        state.apply(rng.choice(state.legal()))
    assert isinstance(state, State)
    return state


def _seats(players: int, me: int) -> list[wire.NewSeat]:
    return [wire.NewSeat(who="me" if seat == me else "bot", level="beginner") for seat in range(players)]


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("whole", [True, False], ids=["state", "view"])
def test_a_table_begins_with_a_position_and_is_played_out(spec: str, whole: bool, tmp_path: Path) -> None:
    state = _middle(spec)
    game, seat = state.game, state.to_act
    shown: dict[str, Any] = game.position(state.view(seat))
    start = positions.read(game.position(state) if whole else shown)[1]
    assert isinstance(start, State if whole else View)

    async def play() -> None:
        still = Still()
        house = await open_house(tmp_path, still, seed=1)
        me = await person(house, "Ada")
        table = await house.play_on(me, game.name, start, _seats(game.players, seat))
        client = await join(table, me)
        assert client.last("view")["position"] == shown  # all that was known, and no more
        assert table.show.info().mode == "practice"
        assert table.show.info().thoughts
        await house.close()
        house = await open_house(tmp_path, still, seed=2)  # replayed from the database
        again = await house.table(table.id)
        assert again is not None
        client = await join(again, me)
        assert client.last("view")["position"] == shown
        over = await play_out(again, still, client)
        if whole:
            assert over["dealt"] == game.position(state)
        saved = await house.means.store.load(table.id)
        assert saved is not None
        record = records(saved, house.means.catalogue)[0]
        record.check()
        assert record.start.position == over["dealt"]
        assert (await house.ratings.board(game.name)).people == []
        await house.close()

    asyncio.run(play())


def test_the_request(tmp_path: Path) -> None:
    state = _middle("uno:players=3")
    game = state.game
    whole, view = game.position(state), game.position(state.view(state.to_act))
    record = Record.of(game, state, [Seat("x", "random")] * 3).to_json()
    with TestClient(make_app(Settings(data=tmp_path)), base_url="http://localhost") as http:
        token = http.post("/api/people", json={"name": "Ada"}).json()["token"]
        ada = {"Authorization": f"Bearer {token}"}

        def ask(status: int = 200, **body: Any) -> dict[str, Any]:
            answer = http.post("/api/play-on", json=body, headers=ada)
            assert answer.status_code == status, answer.text
            told: dict[str, Any] = answer.json()
            return told

        assert http.post("/api/play-on", json={"position": view}).status_code == 401
        for way in ({"position": whole}, {"position": view}, {"record": record}, {"record": record, "moves": 4}):
            made = ask(**way)
            assert [seat["kind"] == "person" for seat in made["seats"]] == [at == state.to_act for at in range(3)]
            assert not made["public"]
            assert not made["watching"]
            assert made["mode"] == "practice"
        made = ask(position=whole, seat=2, levels=["easy", "best", "club"])
        assert [seat["kind"] for seat in made["seats"]] == ["bot", "bot", "person"]
        assert [seat["level"] for seat in made["seats"]] == ["easy", "best", "club"]
        assert ask(400, position=whole, seat=3)["code"] == "bad_options"
        assert ask(400, position=whole, levels=["easy", "best"])["code"] == "bad_options"
        assert ask(400, position=whole, levels=["mcs:iterations=1"])["code"] == "no_level"
        assert ask(404, position={"game": "gdl:file=/etc/passwd"})["code"] == "no_game"
        assert "r-99" in ask(400, position=whole | {"target": "r-99"})["detail"]
        while not state.over:
            state.apply(state.legal()[0])
        assert "over" in ask(400, position=game.position(state))["detail"]
        answer = http.post("/api/tables", json={"game": "uno", "mode": "practice"}, headers=ada)
        assert answer.status_code == 422  # such a table needs a position
