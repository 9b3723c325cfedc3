"""No leak: a seat or a stranger gets the same bytes in every world that the seat cannot tell from the real one."""

from __future__ import annotations

import asyncio
import logging
import random
from functools import partial
from pathlib import Path

import pytest
from web_common import Listener, Still, join, new_table, open_house, person, tell, wire_message

from kibitz._core import State
from kibitz.web.secret import Secret
from kibitz.web.store.base import Entry
from kibitz.web.table.task import Table

HIDING = [("uno", 3), ("belote", 4), ("doudizhu", 3), ("mini_doudizhu", 2)]


async def _answers(table: Table, who: str | None, turn: int) -> list[str]:
    """Everything that can be got at this moment: a new welcome with the whole view, and refusals."""
    client = await join(table, who)
    for message in (
        {"type": "resync"},
        {"type": "act", "cid": "x1", "turn": turn + 1, "action": 0},
        {"type": "act", "cid": "x2", "turn": turn, "action": 2**52},
        {"type": "seat", "cid": "x3", "want": "resign"} if who is None else {"type": "resync"},
        {"type": "seat", "cid": "x4", "want": "take", "seat": 1},
    ):
        table.post(partial(table.receive, client, wire_message(message)))
        await table.idle()
    table.post(lambda: table.depart(client))
    await table.idle()
    return client.frames


def _swap(table: Table, world: State) -> State:
    deal = table.situation.deal
    assert deal is not None
    real = deal._state.open()
    deal._state = Secret(world)
    return real


async def _compare(table: Table, watched: Listener, rng: random.Random) -> None:
    """The real state, then a world drawn from the watched seat's view: bytes, and the frames of a move, are equal."""
    deal = table.situation.deal
    assert deal is not None
    seat = table.situation.seat(table.situation.places[0])
    view = deal.view(seat)
    world = view.sample(rng.getrandbits(63))
    seen = [await _answers(table, watched.person, deal.turn), await _answers(table, None, deal.turn)]
    real = _swap(table, world)
    try:
        assert [await _answers(table, watched.person, deal.turn), await _answers(table, None, deal.turn)] == seen
    finally:
        _swap(table, real)


@pytest.mark.parametrize(("game", "players"), HIDING)
def test_worlds_that_a_seat_cannot_tell_apart_give_equal_bytes(
    game: str, players: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """All seats are people with a script, so that nothing but the state differs."""

    async def play() -> None:
        rng, still = random.Random(game), Still()
        house = await open_house(tmp_path, still)
        names = [await person(house, f"P{number}") for number in range(players)]
        seats = [{"who": "me"}] + [{"who": "open"}] * (players - 1)
        table = await house.create(names[0], new_table(game, players=players, seats=seats))
        clients = [await join(table, name) for name in names]
        for number in range(1, players):
            assert (await tell(table, clients[number], type="seat", cid="s", want="take", seat=number))["type"] == "ack"
        moves = 0
        while table.situation.status == "playing" and moves < 400:
            deal = table.situation.deal
            assert deal is not None
            if rng.random() < 0.15:
                await _compare(table, clients[0], rng)
            mover = next(client for client in clients if table.seat_of(client) == deal.to_act)
            action = rng.choice(deal.legal())
            answer = await tell(table, mover, type="act", cid=f"c{moves}", turn=deal.turn, action=action)
            assert answer["type"] == "ack"
            moves += 1
        await house.close()

    with caplog.at_level(logging.DEBUG, "kibitz.web"):
        asyncio.run(asyncio.wait_for(play(), 200))
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_a_move_looks_the_same_in_both_worlds(tmp_path: Path) -> None:
    """The frames that follow another seat's move differ only where the move shows something."""

    async def play() -> None:
        rng, still = random.Random(1), Still()
        house = await open_house(tmp_path, still)
        names = [await person(house, f"P{number}") for number in range(2)]
        table = await house.create(names[0], new_table("uno", players=2, seats=[{"who": "me"}, {"who": "open"}]))
        clients = [await join(table, name) for name in names]
        await tell(table, clients[1], type="seat", cid="s", want="take", seat=1)
        compared = 0
        for number in range(200):
            deal = table.situation.deal
            if table.situation.status != "playing" or deal is None or deal.to_act is None:
                break
            seat = deal.to_act
            draw = 60 if 60 in deal.legal() else rng.choice(deal.legal())
            if seat == 1 and draw == 60:  # a card is drawn that seat 0 does not see
                after = deal.view(0).sample(number)
                after.apply(60)
                before = len(clients[0].frames)
                real = deal._state.open().copy()
                real.apply(60)
                if after.view(0) == real.view(0):
                    await tell(table, clients[1], type="act", cid=f"c{number}", turn=deal.turn, action=60)
                    frames = clients[0].frames[before:]
                    kept = _swap(table, after)
                    assert table.show._moved(0, 1, _entry(table)) is not None
                    again = table.show._moved(0, 1, _entry(table))
                    assert again is not None
                    _swap(table, kept)
                    assert again.text == frames[0]
                    compared += 1
                    continue
            mover = clients[seat]
            await tell(table, mover, type="act", cid=f"c{number}", turn=deal.turn, action=draw)
        assert compared > 3
        await house.close()

    asyncio.run(asyncio.wait_for(play(), 100))


def _entry(table: Table) -> Entry:
    return Entry(table.situation.n, 0, "act", 0, 1, 60)
