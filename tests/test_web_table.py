"""A table: its protocol, refusals, idempotency, replay, pacing, people who come and go."""

from __future__ import annotations

import ast
import asyncio
import hashlib
import json
import pickle
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from web_common import Still, join, new_table, open_house, person, tell, until_asked

import kibitz.web
from kibitz.record import commitment
from kibitz.web.bots import Bots
from kibitz.web.house import House
from kibitz.web.secret import LeakError, Secret
from kibitz.web.store.base import PersonRow, StoreError, Write
from kibitz.web.store.sql import SqlStore
from kibitz.web.timing import last_tick


def run(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 120))


@pytest.mark.parametrize("game", ["uno", "belote", "doudizhu", "mini_doudizhu", "connect_four", "hex", "tictactoe"])
def test_a_whole_game_and_its_replay(game: str, tmp_path: Path) -> None:
    """The first choice is played to the end; what a new server replays is the same to the byte."""

    async def play() -> None:
        still = Still()
        house = await open_house(tmp_path, still)
        me = await person(house, "Ada")
        table = await house.create(me, new_table(game, level="beginner"))
        client = await join(table, me)
        while (view := await until_asked(table, still, client)) is not None:
            answer = await tell(
                table,
                client,
                type="act",
                cid=f"c{view['turn']}",
                turn=view["turn"],
                action=view["choices"][0]["action"],
            )
            assert answer["type"] == "ack"
        over = client.last("over")
        assert hashlib.sha256(over["commitment"].encode()).hexdigest() == over["hash"] == client.last("view")["hash"]
        assert over["commitment"] == f"{over['seed']}:{over['salt']}"
        assert over["hash"] == commitment(int(over["seed"]), over["salt"])
        numbers = [frame["n"] for frame in client.got("view")]
        assert numbers == sorted(numbers)
        again = await join(table, me)
        await house.close()
        house = await open_house(tmp_path, still, seed=5)
        replayed = await house.table(table.id)
        assert replayed is not None
        third = await join(replayed, me)
        assert third.frames == again.frames
        await house.close()

    run(play)


def test_refusals_and_idempotency(tmp_path: Path) -> None:
    async def play() -> None:
        still = Still()
        house = await open_house(tmp_path, still)
        me, other = await person(house, "Ada"), await person(house, "Bob")
        table = await house.create(me, new_table("connect_four", seats=[{"who": "me"}, {"who": "open"}]))
        client, guest, stranger = await join(table, me), await join(table, other), await join(table, None)
        assert (await tell(table, client, type="act", cid="a", turn=0, action=0))["code"] == "not_now"
        assert (await tell(table, stranger, type="seat", cid="a", want="take", seat=1))["code"] == "not_seated"
        assert (await tell(table, guest, type="seat", cid="a", want="take", seat=0))["code"] == "taken"
        assert (await tell(table, guest, type="seat", cid="b", want="begin"))["code"] == "not_host"
        assert (await tell(table, guest, type="seat", cid="c", want="take", seat=1))["type"] == "ack"
        assert table.situation.status == "playing"
        assert (await tell(table, guest, type="act", cid="d", turn=0, action=0))["code"] == "not_your_turn"
        assert (await tell(table, stranger, type="act", cid="d", turn=0, action=0))["code"] == "not_seated"
        assert (await tell(table, client, type="act", cid="e", turn=0, action=77))["code"] == "illegal"
        first = await tell(table, client, type="act", cid="f", turn=0, action=3)
        assert await tell(table, client, type="act", cid="f", turn=0, action=3) == first
        assert (await tell(table, client, type="act", cid="g", turn=0, action=3))["code"] == "old_turn"
        assert (await tell(table, client, type="say", cid="h", phrase="nonsense"))["code"] == "bad_message"
        assert (await tell(table, client, type="say", cid="i", phrase="hello"))["type"] == "ack"
        assert guest.last("said")["phrase"] == "hello"
        assert table.situation.deal is not None
        assert table.situation.deal.turn == 1
        await house.close()

    run(play)


def test_bots_answer_on_the_grid(tmp_path: Path) -> None:
    """Whatever the cards and however long the thinking: moves of bots come whole ticks after the turn began."""

    async def play() -> None:
        still = Still()
        house = await open_house(tmp_path, still, pace=0.5)
        me = await person(house, "Ada")
        table = await house.create(me, new_table("uno", players=3, level="beginner"))
        client = await join(table, me)
        began, turn = still.now(), 0
        for _ in range(30):
            if table.situation.deal is None or table.situation.status != "playing":
                break
            view = client.last("view")
            if view["turn"] != turn:
                took = still.now() - began
                assert took == pytest.approx(0.5)
                began, turn = still.now(), view["turn"]
            if view["choices"]:
                await tell(table, client, type="act", cid=f"c{turn}", turn=turn, action=view["choices"][0]["action"])
                began, turn = still.now(), turn + 1
                continue
            while still.due() is None:
                await asyncio.sleep(0.001)
            still.step()
            await table.idle()
        await house.close()

    run(play)
    assert [last_tick(1.0, now, 0.5) for now in (1.0, 1.49, 1.5, 2.7)] == [1.0, 1.0, 1.5, 2.5]


def test_a_bot_plays_for_who_has_gone_and_hands_back(tmp_path: Path) -> None:
    async def play() -> None:
        still = Still()
        house = await open_house(tmp_path, still, grace=10.0)
        me, other = await person(house, "Ada"), await person(house, "Bob")
        table = await house.create(me, new_table("connect_four", seats=[{"who": "me"}, {"who": "open"}]))
        client, guest = await join(table, me), await join(table, other)
        await tell(table, guest, type="seat", cid="a", want="take", seat=1)
        table.post(lambda: table.depart(client))
        await table.idle()
        while not table.situation.places[0].away:
            still.step()
            await table.idle()
        assert still.now() == pytest.approx(1010.0)
        while (view := guest.last("view"))["turn"] == 0:
            while still.due() is None:
                await asyncio.sleep(0.001)
            still.step()
            await table.idle()
        assert view["cause"]["by"] == "bot"
        back = await join(table, me)
        assert not table.situation.places[0].away
        assert back.last("people")["seats"][0]["bot_plays"] is False
        await house.close()

    run(play)


def test_what_cannot_be_saved_is_refused_and_tried_again(tmp_path: Path) -> None:
    async def play() -> None:
        still = Still()
        house = await open_house(tmp_path, still)
        me = await person(house, "Ada")
        table = await house.create(me, new_table("connect_four", level="beginner"))
        client = await join(table, me)
        good = house.means.store.append

        async def bad(write: Write) -> None:
            raise StoreError("disk full")

        house.means.store.append = bad  # type: ignore[method-assign]
        assert (await tell(table, client, type="act", cid="a", turn=0, action=3))["code"] == "storage"
        assert client.last("view")["turn"] == 0
        house.means.store.append = good  # type: ignore[method-assign]
        answers = [await tell(table, client, type="act", cid="a", turn=0, action=3) for _ in range(2)]
        assert answers[-1]["type"] == "ack"
        assert table.situation.deal is not None
        assert table.situation.deal.turn == 1
        await house.close()

    run(play)


def test_secrets_do_not_show() -> None:
    secret = Secret("r-5")
    for show in (repr, str, pickle.dumps, json.dumps, bool, lambda it: f"{it}", lambda it: it == it):
        with pytest.raises((LeakError, TypeError)):
            show(secret)
    assert secret.open() == "r-5"


def test_only_table_house_and_store_know_secrets() -> None:
    folder = Path(kibitz.web.__file__).parent
    allowed = {"table", "house.py", "store"}
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{file} imports relatively"
                names = [f"{node.module}.{name}" for name in names]
            if any(name.startswith("kibitz.web.secret") for name in names):
                assert file.relative_to(folder).parts[0] in allowed, file


def test_bots_that_are_not_needed_any_more_stop(tmp_path: Path) -> None:
    """The queue is bounded and in order; a search under way ends when it is cancelled, and a waiting one leaves."""

    async def ask() -> None:
        bots = Bots(threads=1, most=3)
        view = kibitz.make("connect_four").deal(1).view(0)
        answers: list[str] = []
        done = asyncio.Event()

        def told(name: str, _: int) -> None:
            answers.append(name)
            done.set()

        asked = [
            bots.ask(view, f"uct:iterations={10**9 if name == 'endless' else 10}", 1, partial(told, name))
            for name in ("endless", "second", "third", "one too many")
        ]
        endless, second, third, refused = asked
        assert refused is None
        assert endless is not None
        assert second is not None
        assert third is not None
        second.cancel()
        while endless._search is None:  # its thread has not come to it
            await asyncio.sleep(0.001)
        endless.cancel()
        await done.wait()
        assert answers == ["third"]
        assert bots.waiting == 0
        bots.close()

    run(ask)


def test_what_an_operator_does_is_noticed(tmp_path: Path) -> None:
    """Closed tables, banned and deleted people: at the table, and wherever a row of theirs was remembered."""

    async def play() -> None:
        still = Still()
        house = await open_house(tmp_path, still)
        me, other = await person(house, "Ada"), await person(house, "Bob")
        table = await house.create(me, new_table("connect_four", level="beginner"))
        client, guest = await join(table, me), await join(table, other)
        beside = await SqlStore.open(house.means.settings.url(), alone=False)
        await beside.judge(other, banned=True)
        await house.means.people.save(replace(await known(house, other), name="Rob"))  # keeps what was decided
        still.time += 61
        row = await house.means.people.find(other)
        assert row is not None
        assert row.banned
        await house.look()
        assert (client.hung_up, guest.hung_up) == (None, 1008)
        await beside.append(Write(table.id, status="closed"))
        await house.look()
        await table.idle()
        assert client.last("people")["status"] == "closed"
        await beside.delete_person(me)
        await house.look()
        assert client.hung_up == 1008
        await beside.close()
        await house.close()

    async def known(house: House, id: str) -> PersonRow:
        row = await house.means.people.find(id)
        assert row is not None
        return row

    run(play)
