"""The kibitzer at the table: who may ask, what comes, when it ends, and that it knows no more than its seat."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from web_common import Listener, Still, join, new_table, open_house, person, tell, until_asked

from kibitz._core import State
from kibitz.web.bots import Bots
from kibitz.web.desk import Desk
from kibitz.web.house import House
from kibitz.web.secret import Secret
from kibitz.web.table.task import Table
from kibitz.web.timing import RealTiming

LIMIT = 200  # seconds: only keeps a test from hanging


async def _until(true: Callable[[], bool]) -> None:
    while not true():
        await asyncio.sleep(0.002)


def _thoughts(client: Listener) -> list[dict[str, Any]]:
    return client.got("thought")


async def _alone(folder: Path, still: Still, game: str = "uno", **more: Any) -> tuple[House, Table, Listener]:
    house = await open_house(folder, still)
    who = await person(house, "Ada")
    table = await house.create(who, new_table(game, **more))
    client = await join(table, who)
    await until_asked(table, still, client)
    return house, table, client


async def _three(folder: Path, still: Still, **more: Any) -> tuple[House, Table, list[Listener]]:
    """Two people and a bot; seat 2 is the bot's."""
    house = await open_house(folder, still)
    names = [await person(house, name) for name in ("Ada", "Ben")]
    seats = [{"who": "me"}, {"who": "open"}, {"who": "bot"}]
    table = await house.create(names[0], new_table("uno", players=3, seats=seats, **more))
    clients = [await join(table, name) for name in names]
    assert (await tell(table, clients[1], type="seat", cid="s", want="take", seat=1))["type"] == "ack"
    return house, table, clients


def _run(play: Callable[[], Any]) -> None:
    asyncio.run(asyncio.wait_for(play(), LIMIT))


@pytest.mark.parametrize("game", ["uno", "belote", "doudizhu", "mini_doudizhu", "connect_four"])
def test_thoughts_deepen_and_end_with_the_turn(game: str, tmp_path: Path) -> None:
    async def play() -> None:
        still = Still()
        house, table, client = await _alone(tmp_path, still, game)
        view = client.last("view")
        while len(view["choices"]) < 2:
            await tell(table, client, type="act", cid=f"c{view['turn']}", turn=view["turn"], action=_first(view))
            view = await until_asked(table, still, client) or client.last("view")
        assert (await tell(table, client, type="think", cid="t"))["type"] == "ack"
        await _until(lambda: bool(_thoughts(client)) and _thoughts(client)[-1]["report"]["done"])
        told = _thoughts(client)
        legal = sorted(choice["action"] for choice in view["choices"])
        iterations = [one["report"]["iterations"] for one in told]
        for one in told:
            assert (one["deal"], one["turn"]) == (view["deal"], view["turn"])
            report = one["report"]
            assert report["sees"] == "own view"
            assert report["seat"] == view["seat"]
            assert sorted(opinion["action"] for opinion in report["actions"]) == legal
            assert report["best"] == report["actions"][0]["action"]
            assert report["actions"][0]["group"] == 0
        if game != "mini_doudizhu":  # an exact search: one quick answer, then its own
            assert iterations == sorted(set(iterations))
            assert iterations[-1] > 100 * iterations[0]
        assert [one["report"]["done"] for one in told] == [False] * (len(told) - 1) + [True]
        hidden = told[-1]["report"]["beliefs"]
        assert (hidden is None) == (game == "connect_four")
        if hidden is not None:
            assert str(view["seat"]) not in hidden
        await house.close()

    _run(play)


def _first(view: dict[str, Any]) -> int:
    return int(view["choices"][0]["action"])


def test_thoughts_end_on_request_with_a_move_and_with_the_connection(tmp_path: Path) -> None:
    async def play() -> None:
        still = Still()
        house, table, client = await _alone(tmp_path, still, players=2)
        desk = house.means.desk
        for number, end in enumerate(("off", "move", "gone")):
            view = await until_asked(table, still, client)
            assert view is not None
            before = len(_thoughts(client))
            assert (await tell(table, client, type="think", cid=f"t{number}"))["type"] == "ack"
            await _until(partial(lambda at: len(_thoughts(client)) > at, before))
            if end == "off":
                await tell(table, client, type="think", cid="x", on=False)
            elif end == "move":
                await tell(table, client, type="act", cid="m", turn=view["turn"], action=_first(view))
            else:
                table.post(lambda: table.depart(client))
                await table.idle()
            after = len(_thoughts(client))
            await _until(lambda: desk.jobs == 0)
            assert len(_thoughts(client)) == after
        await house.close()

    _run(play)


def test_two_devices_of_a_person_hear_the_same(tmp_path: Path) -> None:
    async def play() -> None:
        house, table, client = await _alone(tmp_path, Still())
        other = await join(table, client.person)
        await tell(table, client, type="think", cid="a")
        await _until(lambda: bool(_thoughts(client)) and _thoughts(client)[-1]["report"]["done"])
        await tell(table, other, type="think", cid="b")
        assert _thoughts(other) == _thoughts(client)[-1:]
        await house.close()

    _run(play)


def test_where_thoughts_are_not_allowed_they_are_refused(tmp_path: Path) -> None:
    async def play() -> None:
        still = Still()
        house, table, client = await _alone(tmp_path, still, mode="rated")
        stranger = await join(table, None)
        assert client.last("welcome")["table"]["thoughts"] is False
        assert (await tell(table, client, type="think", cid="a"))["code"] == "no_thoughts"
        assert (await tell(table, client, type="seat", cid="b", want="agree"))["code"] == "no_thoughts"
        assert (await tell(table, stranger, type="think", cid="c"))["code"] == "not_seated"
        await house.close()
        house, table, clients = await _three(tmp_path / "casual", still)
        for number, each in enumerate(clients):
            assert (await tell(table, each, type="think", cid=f"x{number}"))["code"] == "no_thoughts"
        assert not any(_thoughts(each) for each in (client, stranger, *clients))
        await house.close()

    _run(play)


def test_at_a_teaching_table_all_people_must_agree(tmp_path: Path) -> None:
    async def play() -> None:
        still = Still()
        house, table, clients = await _three(tmp_path, still, mode="teaching")
        deal = table.situation.deal
        assert deal is not None
        while deal.to_act == 2 or len(deal.legal()) < 2:  # until a person has a choice
            if deal.to_act == 2:
                await _until(lambda: still.due() is not None)
                still.step()
                await table.idle()
            else:
                mover = clients[deal.to_act or 0]
                await tell(table, mover, type="act", cid=f"m{deal.turn}", turn=deal.turn, action=deal.legal()[0])
        mine, other = clients[deal.to_act or 0], clients[1 - (deal.to_act or 0)]
        assert (await tell(table, mine, type="think", cid="a"))["code"] == "no_thoughts"
        await tell(table, mine, type="seat", cid="b", want="agree")
        assert (await tell(table, mine, type="think", cid="c"))["code"] == "no_thoughts"
        await tell(table, other, type="seat", cid="d", want="agree")
        assert mine.last("people")["thoughts"] is True
        assert (await tell(table, other, type="think", cid="e"))["code"] == "not_your_turn"
        assert (await tell(table, mine, type="think", cid="f"))["type"] == "ack"
        await _until(lambda: bool(_thoughts(mine)))
        await tell(table, other, type="seat", cid="g", want="disagree")
        told = len(_thoughts(mine))
        await _until(lambda: house.means.desk.jobs == 0)
        assert len(_thoughts(mine)) == told
        assert not _thoughts(other)
        assert (await tell(table, mine, type="think", cid="h"))["code"] == "no_thoughts"
        await tell(table, other, type="seat", cid="i", want="agree")
        await tell(table, other, type="seat", cid="j", want="leave")  # alone now
        assert (await tell(table, mine, type="think", cid="k"))["type"] == "ack"
        await house.close()

    _run(play)


class _Counted:
    """Work of so many pieces."""

    def __init__(self, name: str, pieces: int, log: list[str]) -> None:
        self.name, self.left, self.log, self.finished = name, pieces, log, False

    def piece(self) -> int:
        self.left -= 1
        self.log.append(self.name)
        self.finished = self.left == 0
        return self.left

    def stop(self) -> None:
        self.finished = True


def test_jobs_take_turns_and_are_bounded() -> None:
    async def play() -> None:
        bots, log = Bots(threads=1), []  # type: tuple[Bots, list[str]]
        desk = Desk(bots, RealTiming(), most=2)
        ended: list[str] = []
        for name in ("a", "b"):
            assert desk.ask(_Counted(name, 3, log), lambda _: None, lambda _: ended.append("")) is not None
        assert desk.ask(_Counted("c", 1, log), lambda _: None) is None
        with pytest.raises(TimeoutError):
            await desk.result(_Counted("c", 1, log))
        await _until(lambda: len(ended) == 2)
        assert log == ["a", "b"] * 3
        assert await desk.result(_Counted("c", 4, log)) == 0
        bots.close()

    _run(play)


def test_moves_of_bots_come_first() -> None:
    """While bots use all threads no piece begins, unless it has waited for long."""

    async def play() -> None:
        still = Still()
        bots, log = Bots(threads=1), []  # type: tuple[Bots, list[str]]
        desk = Desk(bots, still)
        bots.waiting = 1  # a bot thinks, for as long as we like
        desk.ask(_Counted("a", 1, log), lambda _: None)
        await asyncio.sleep(0)
        assert not log
        bots.waiting = 0
        bots.rested()
        await _until(lambda: log == ["a"])
        bots.waiting = 1
        desk.ask(_Counted("b", 1, log), lambda _: None)
        still.time += 2.0  # long enough
        bots.rested()
        await _until(lambda: log == ["a", "b"])
        bots.close()

    _run(play)


# ---- no leak


def _swap(table: Table, world: State) -> State:
    deal = table.situation.deal
    assert deal is not None
    real = deal._state.open()
    deal._state = Secret(world)
    return real


async def _told(table: Table, who: str | None) -> list[str]:
    """Every byte of the thoughts about this decision, for the person and, if there were any, for a stranger."""
    client, stranger = await join(table, who), await join(table, None)
    await tell(table, client, type="think", cid="x")
    await tell(table, stranger, type="think", cid="y")
    await _until(lambda: bool(_thoughts(client)) and _thoughts(client)[-1]["report"]["done"])
    for each in (client, stranger):
        table.post(partial(table.depart, each))
    await table.idle()
    assert not _thoughts(stranger)
    return [text for text in client.frames if json.loads(text)["type"] == "thought"]


@pytest.mark.parametrize(("game", "players"), [("uno", 3), ("belote", 4), ("doudizhu", 3), ("mini_doudizhu", 2)])
def test_thoughts_are_the_same_bytes_in_every_world_of_the_seat(game: str, players: int, tmp_path: Path) -> None:
    async def play() -> None:
        rng, still = random.Random(game), Still()
        house, table, client = await _alone(tmp_path, still, game, **({"players": players} if game == "uno" else {}))
        compared = 0
        while compared < 4:
            view = await until_asked(table, still, client)
            if view is None:
                await tell(table, client, type="seat", cid=f"n{rng.random()}"[:20].replace(".", ""), want="next")
                continue
            deal = table.situation.deal
            assert deal is not None
            if len(view["choices"]) > 1:
                world = deal.view(view["seat"]).sample(rng.getrandbits(63))
                told = await _told(table, client.person)
                real = _swap(table, world)
                try:
                    assert await _told(table, client.person) == told
                finally:
                    _swap(table, real)
                compared += 1
            action = rng.choice(view["choices"])["action"]
            cid = f"c{view['deal']}-{view['turn']}"
            assert (await tell(table, client, type="act", cid=cid, turn=view["turn"], action=action))["type"] == "ack"
        await house.close()

    _run(play)
