"""The real server: a process that is killed, garbage on its socket, foreign origins, its headers."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

GAMES = ["connect_four", "uno", "tictactoe", "mini_doudizhu", "hex"]
LIMIT = 400  # seconds: only keeps a test from hanging


class Server:
    """`kibitz serve` on a port of the system's choice, then always on the same."""

    def __init__(self, folder: Path, *more: str) -> None:
        self.folder, self.port, self.more = folder, 0, more
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = [sys.executable, "-c", "from kibitz.cli import main; main()", "serve", "--pace", "0.02"]
        command += ["--port", str(self.port), "--data", str(self.folder), *self.more]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "Kibitz is at" in line, line
        self.port = int(line.split(":")[2].split("/")[0])

    def kill(self) -> None:
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        assert self.process is not None
        self.process.terminate()
        self.process.wait(timeout=30)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


class Player:
    """Plays the first choice, resends what was not acknowledged, and counts what the server says."""

    def __init__(self, server: Server, game: str, token: str, table: str) -> None:
        self.server, self.game, self.token, self.table = server, game, token, table
        self.acked: dict[str, int] = {}
        self.pending: dict[str, Any] | None = None
        self.over: dict[str, Any] | None = None

    async def play(self) -> None:
        while self.over is None:
            try:
                async with websockets.connect(self.server.url.replace("http", "ws") + "/ws") as socket:
                    await self._talk(socket)
            except (OSError, websockets.WebSocketException):
                await asyncio.sleep(0.05)  # it is being started again

    async def _talk(self, socket: websockets.ClientConnection) -> None:
        view: dict[str, Any] | None = None
        await socket.send(json.dumps({"type": "hello", "version": 1, "table": self.table, "token": self.token}))
        if self.pending is not None:
            await socket.send(json.dumps(self.pending))
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "ack":
                assert self.acked.setdefault(message["cid"], message["n"]) == message["n"]
                self.pending = None
            elif message["type"] == "over":
                self.over = message
                return
            elif message["type"] == "refused":
                assert message["code"] in ("too_fast", "busy"), message
                await asyncio.sleep(0.1)
                await socket.send(json.dumps(self.pending))
            elif message["type"] == "view":
                view = message
            # A view that came before the acknowledgement of an earlier move is answered after it.
            if self.pending is None and view is not None and view["choices"] and f"t{view['turn']}" not in self.acked:
                cid, action = f"t{view['turn']}", view["choices"][0]["action"]
                self.pending = {"type": "act", "cid": cid, "turn": view["turn"], "action": action}
                await socket.send(json.dumps(self.pending))


async def _players(server: Server, number: int) -> list[Player]:
    async with httpx.AsyncClient(base_url=server.url) as http:
        made = (await http.post("/api/people", json={"name": "Ada"})).json()
        head = {"Authorization": f"Bearer {made['token']}"}
        players = []
        for k in range(number):
            game = GAMES[k % len(GAMES)]
            answer = await http.post("/api/tables", json={"game": game, "level": "beginner"}, headers=head)
            while answer.status_code == 429:  # as fast as one address may
                await asyncio.sleep(0.1)
                answer = await http.post("/api/tables", json={"game": game, "level": "beginner"}, headers=head)
            players.append(Player(server, game, made["token"], answer.json()["id"]))
        return players


def test_killed_while_games_run_it_loses_and_doubles_nothing(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()

    async def play() -> list[Player]:
        players = await _players(server, 30)
        games = [asyncio.create_task(player.play()) for player in players]
        for _ in range(3):
            moves = sum(len(player.acked) for player in players)
            while sum(len(player.acked) for player in players) < moves + 40 and not all(game.done() for game in games):
                await asyncio.sleep(0.01)
            server.kill()
            server.start()
        await asyncio.gather(*games)
        return players

    try:
        players = asyncio.run(asyncio.wait_for(play(), LIMIT))
    finally:
        server.stop()
    with sqlite3.connect(tmp_path / "table.sqlite") as database:
        for player in players:
            kept = dict(
                database.execute('SELECT cid, n FROM entries WHERE "table" = ? AND cid IS NOT NULL', (player.table,))
            )
            assert player.acked.items() <= kept.items()
            numbers = [
                n for (n,) in database.execute('SELECT n FROM entries WHERE "table" = ? ORDER BY n', (player.table,))
            ]
            assert numbers == list(range(1, len(numbers) + 1))
            assert player.over is not None
            assert player.over["n"] == numbers[-1]


async def _flood(socket: websockets.ClientConnection, times: int, text: str = '{"type": "ping"}') -> None:
    for _ in range(times):
        await socket.send(text)
    while True:  # until it is hung up
        await socket.recv()


def test_garbage_is_refused_and_others_play_on(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()

    async def play() -> None:
        address = server.url.replace("http", "ws") + "/ws"
        (player,) = await _players(server, 1)
        game = asyncio.create_task(player.play())
        async with websockets.connect(address) as socket:
            for text in ("", "garbage", "[" * 2000, '{"type": "act", "cid": "a", "turn": 0, "action": 0}'):
                await socket.send(text)
            codes = [json.loads(await socket.recv())["code"] for _ in range(4)]
            assert codes == ["bad_message", "bad_message", "bad_message", "hello_first"]
            for token, code in ((None, "no_table"), ("person.x.y", "no_table")):
                await socket.send(json.dumps({"type": "hello", "version": 1, "table": "none", "token": token}))
                assert json.loads(await socket.recv())["code"] == code
            forged = {"type": "hello", "version": 1, "table": player.table, "token": player.token[:-2] + "xx"}
            await socket.send(json.dumps(forged))
            assert json.loads(await socket.recv())["code"] == "bad_token"
        async with websockets.connect(address) as socket:
            with pytest.raises(websockets.ConnectionClosed):
                await _flood(socket, 1000)
        async with websockets.connect(address) as socket:
            with pytest.raises(websockets.ConnectionClosed):
                await _flood(socket, 1, "x" * 10_000_000)
        with pytest.raises(websockets.InvalidStatus):
            async with websockets.connect(address, origin=websockets.Origin("https://evil.example")):
                pass
        await game

    try:
        asyncio.run(asyncio.wait_for(play(), LIMIT))
        page = httpx.get(f"{server.url}/health")
        assert page.text == "ok\n"
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert "kibitz_moves_total" in httpx.get(f"{server.url}/metrics").text
        assert httpx.get(f"{server.url}/api/me").json() == {"code": "bad_token"}
        assert httpx.get(f"{server.url}/api/games", headers={"Origin": "https://evil.example"}).status_code == 403
        assert httpx.get(f"{server.url}/../../etc/passwd").status_code == 404
    finally:
        server.stop()
