"""The real server: killed, told to stop, out of disk, locked out of its database; garbage on its socket."""

from __future__ import annotations

import asyncio
import json
import resource
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets
from web_process import LIMIT, Player, Server, check_kept, guest, kill_and_go_on, new_players

from kibitz.web import join

KEPT = "sqlite+aiosqlite:///{}/table.sqlite"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    made = Server(tmp_path)
    made.start()
    yield made
    made.stop()


def run(work: Awaitable[Any]) -> None:
    asyncio.run(asyncio.wait_for(work, LIMIT))


def test_killed_while_games_run_it_loses_and_doubles_nothing(server: Server) -> None:
    async def play() -> None:
        await check_kept(KEPT.format(server.folder), await kill_and_go_on(server, 50, 4))

    run(play())


def test_told_to_stop_it_says_farewell_and_goes_on_later(server: Server) -> None:
    async def play() -> None:
        players = await new_players(server, 10)
        for player in players:
            player.most = 2  # none of Connect Four is over by then
        games = [asyncio.create_task(player.play()) for player in players]
        while any(len(player.acked) < 2 and player.over is None for player in players):
            await asyncio.sleep(0.001)
        running = [player for player in players if player.over is None]
        await asyncio.to_thread(server.stop)
        for player in players:
            player.most = 10_000
        await asyncio.to_thread(server.start)
        await asyncio.gather(*games)
        told = [player for player in running if player.refused["closing"]]
        assert told
        assert all(1001 in player.closed for player in told)
        await check_kept(KEPT.format(server.folder), players)

    run(play())


async def _storage_fails(server: Server, fail: Callable[[], None], mend: Callable[[], None]) -> None:
    """Moves are refused with a code, nothing acknowledged is lost, and the games go on when it works again."""
    players = await new_players(server, 5)
    games = [asyncio.create_task(player.play()) for player in players]
    while sum(len(player.acked) for player in players) < 8:
        await asyncio.sleep(0.001)
    fail()
    while not any(player.refused["storage"] for player in players):
        assert not all(game.done() for game in games), "it was over before"
        await asyncio.sleep(0.01)
    mend()
    await asyncio.gather(*games)
    await check_kept(KEPT.format(server.folder), players)
    said = [json.loads(line) for line in server.log.read_text().splitlines()]
    problems = {line["problem"] for line in said if line["what"] == "cannot save"}
    assert problems & {"database is locked", "disk I/O error", "database or disk is full"}


def test_a_full_disk_loses_nothing(server: Server) -> None:
    """The process may write no large file for a while: neither the database nor what was written ahead of it."""
    assert server.process is not None
    pid, free = server.process.pid, resource.RLIM_INFINITY

    def limit(size: int) -> None:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, free))

    run(_storage_fails(server, lambda: limit(40_000), lambda: limit(free)))


def test_a_locked_database_loses_nothing(server: Server) -> None:
    other = sqlite3.connect(server.folder / "table.sqlite", isolation_level=None)
    run(_storage_fails(server, lambda: _ignore(other.execute("BEGIN IMMEDIATE")), other.rollback))
    other.close()


def _ignore(_: object) -> None: ...


# ---- bad clients


async def _until_hung_up(socket: websockets.ClientConnection, times: int, text: str) -> tuple[set[str], int | None]:
    """Sends a message so many times: the codes of the refusals, and that with which the server hung up."""
    codes = set()
    try:
        for _ in range(times):
            await socket.send(text)
    except websockets.ConnectionClosed:  # in the middle of it
        pass
    try:
        async for answer in socket:
            codes.add(json.loads(answer).get("code", ""))
    except websockets.ConnectionClosed:
        pass
    return codes - {""}, socket.close_code


async def _refusals(address: str, *messages: Any) -> list[str]:
    async with websockets.connect(address) as socket:
        for message in messages:
            await socket.send(message if isinstance(message, str) else json.dumps(message))
        codes: list[str] = []
        while len(codes) < len(messages):
            answer = json.loads(await socket.recv())
            if answer["type"] == "refused":
                codes.append(answer["code"])
        return codes


def _hello(table: str, token: str | None) -> dict[str, Any]:
    return {"type": "hello", "version": 1, "table": table, "token": token}


async def _bad_clients(server: Server, player: Player) -> None:
    address, table = server.socket, player.table
    act = {"type": "act", "cid": "a", "turn": 0, "action": 0}
    told = await _refusals(address, "", "garbage", "[" * 2000, act, _hello("none", None), _hello("none", "person.x.y"))
    assert told == ["bad_message", "bad_message", "bad_message", "hello_first", "no_table", "no_table"]
    assert await _refusals(address, _hello(table, player.token[:-2] + "xx")) == ["bad_token"]
    assert await _refusals(address, {"type": "hello", "version": 2, "table": table}) == ["version"]
    for token, turn, code in ((await guest(server, "Eve"), 0, "not_seated"), (player.token, 99, "old_turn")):
        async with websockets.connect(address) as socket:  # another person's table, and another turn of one's own
            await socket.send(json.dumps(_hello(table, token)))
            await socket.send(json.dumps(act | {"cid": "z", "turn": turn}))
            while (answer := json.loads(await socket.recv()))["type"] != "refused":
                pass
            assert answer["code"] == code
    async with websockets.connect(address) as socket:
        codes, closed = await _until_hung_up(socket, 1000, '{"type": "ping"}')
        assert codes == {"too_fast"}
        assert closed in (1008, 1013)  # too many refusals, or more answers than it takes in
    async with websockets.connect(address) as socket:
        assert await _until_hung_up(socket, 1, "x" * 10_000_000) == (set(), 1009)
    assert await _refusals(address, "x" * 5000) == ["too_large"]
    with pytest.raises(websockets.InvalidStatus):
        async with websockets.connect(address, origin=websockets.Origin("https://evil.example")):
            pass


def test_bad_clients_are_refused_with_a_code_and_others_play_on(server: Server) -> None:
    async def play() -> None:
        players = await new_players(server, 5)
        games = [asyncio.create_task(player.play()) for player in players[1:]]
        await _bad_clients(server, players[0])
        await asyncio.gather(*games)
        await check_kept(KEPT.format(server.folder), players[1:])

    run(play())
    with httpx.Client(base_url=server.url) as http:
        page = http.get("/health")
        assert page.text == "ok\n"
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert "kibitz_moves_total" in http.get("/metrics").text
        assert http.get("/api/me").json() == {"code": "bad_token"}
        assert http.get("/api/games", headers={"Origin": "https://evil.example"}).status_code == 403
        assert http.get("/api/games", headers={"Host": "evil.example"}).status_code == 403
        assert http.get("/api/games", headers={"Host": "localhost:1"}).status_code == 200
        assert http.get("/../../etc/passwd").status_code == 404
        assert http.post("/api/people", content=b"x" * 10_000_000).json() == {"code": "too_large"}
        codes = {http.post("/api/people", json={"name": "Ada"}).status_code for _ in range(80)}
        assert codes == {200, 429}


async def _open_table(server: Server, game: dict[str, Any]) -> str:
    """The link to a table with an open seat and bots on the others."""
    head = {"Authorization": f"Bearer {await guest(server)}"}
    async with httpx.AsyncClient(base_url=server.url, headers=head) as http:
        seats = [{"who": "open"}] + [{"who": "bot"}] * (game.pop("seats") - 1)
        made = (await http.post("/api/tables", json=game | {"seats": seats, "level": "beginner"})).json()
        return f"{server.url}/#/t/{made['id']}"


def test_an_agent_of_ones_own_joins_by_the_link(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    """In the middle of the second game the server is killed: it comes back to its seat."""

    async def play() -> None:
        games = [{"game": "doudizhu", "seats": 3}, {"game": "uno", "players": 2, "seats": 2}]
        links = [await _open_table(server, game) for game in games]
        await join.play(links[0], "rules", "Bob")
        playing = asyncio.create_task(join.play(links[1], "rules", "Bob"))
        while not await asyncio.to_thread(_playing, server):
            await asyncio.sleep(0.01)
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        await playing

    run(play())
    said = capsys.readouterr().out
    assert said.count("Over: seat 0") == 2
    for link, problem in (("http://127.0.0.1:1/#/t/x", "no table at"), (f"{server.url}/#/t/none", "refuses")):
        with pytest.raises(ValueError, match=problem):
            run(join.play(link, "rules", "Bob"))


def _playing(server: Server) -> bool:
    with sqlite3.connect(server.folder / "table.sqlite") as database:
        found = "SELECT count(*) FROM entries JOIN tables ON \"table\" = id WHERE game = 'uno' AND kind = 'act'"
        (moves,) = database.execute(found).fetchone()
    database.close()
    return bool(moves)
