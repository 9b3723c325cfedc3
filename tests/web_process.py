"""The real server, in a process of its own, and clients with a script that survive its end."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import websockets

from kibitz.web.store.sql import SqlStore

# Each to be over soon: whatever is played, with whatever luck.
GAMES: list[dict[str, Any]] = [
    {"game": "connect_four"},
    {"game": "uno", "players": 2, "options": {"uno_call": "auto"}},
    {"game": "tictactoe"},
    {"game": "mini_doudizhu"},
    {"game": "hex", "options": {"size": 5}},
]
LIMIT = 300  # seconds: only keeps a test from hanging
LATE = ("old_turn", "not_now", "not_your_turn")  # refusals where the server has played the only possible move itself
AGAIN = ("too_fast", "busy", "storage")  # refusals after which the same is sent again


class Server:
    """`kibitz serve` on a port of the system's choice, then always on the same. What it logs is in `log`.

    `before`: what its process runs first.
    """

    def __init__(self, folder: Path, *more: str, before: str = "") -> None:
        self.folder, self.port, self.more, self.before = folder, 0, more, before
        self.log = folder / "log.jsonl"
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        code = f"{self.before}\nfrom kibitz.cli import main; main()"
        command = [sys.executable, "-c", code, "serve", "--pace", "0.02"]
        command += ["--port", str(self.port), "--data", str(self.folder), "--per-address", "100", *self.more]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "Kibitz is at" in line, line + self.log.read_text()
        self.port = int(line.split(":")[2].split("/")[0])

    def kill(self) -> None:
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(timeout=60)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def socket(self) -> str:
        return self.url.replace("http", "ws") + "/ws"


class Player:
    """Plays the first choice, resends what was not acknowledged, and keeps what the server says."""

    def __init__(self, server: Server, token: str, table: str) -> None:
        self.server, self.token, self.table = server, token, table
        self.acked: dict[str, int] = {}
        self.refused: Counter[str] = Counter()
        self.closed: list[int] = []
        self.pending: dict[str, Any] | None = None
        self.most = 10_000  # moves, then it waits
        self._only = False  # nothing else could be played than what is pending
        self._settled: set[str] = set()  # acknowledged, or played by the server
        self.over: dict[str, Any] | None = None

    async def play(self) -> None:
        while not self._done():
            try:
                async with websockets.connect(self.server.socket) as socket:
                    await self._talk(socket)
                    self.closed.append(socket.close_code or 0)
            except (OSError, websockets.WebSocketException):
                pass
            if not self._done():
                await asyncio.sleep(0.05)  # it is being started again

    def _done(self) -> bool:
        """A killed server may say first that the game is over, then that it has the last move."""
        return self.over is not None and self.pending is None

    async def _talk(self, socket: websockets.ClientConnection) -> None:
        view: dict[str, Any] | None = None
        await socket.send(json.dumps({"type": "hello", "version": 1, "table": self.table, "token": self.token}))
        if self.pending is not None:
            await socket.send(json.dumps(self.pending))
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "ack":
                assert self.acked.setdefault(message["cid"], message["n"]) == message["n"]
                self._answered(message["cid"])
            elif message["type"] == "over":
                self.over = message
            elif message["type"] == "refused":
                await self._refused(socket, message)
            elif message["type"] == "view":
                view = message
            if self._done():
                return
            # A view that came before the acknowledgement of an earlier move is answered after it.
            if self.pending is None and view is not None and view["choices"] and len(self._settled) < self.most:
                await self._act(socket, view)

    async def _act(self, socket: websockets.ClientConnection, view: dict[str, Any]) -> None:
        if f"t{view['turn']}" in self._settled:
            return
        self._only = len(view["choices"]) == 1
        action = view["choices"][0]["action"]
        self.pending = {"type": "act", "cid": f"t{view['turn']}", "turn": view["turn"], "action": action}
        await socket.send(json.dumps(self.pending))

    def _answered(self, cid: str) -> None:
        self._settled.add(cid)
        if self.pending is not None and self.pending["cid"] == cid:
            self.pending = None

    async def _refused(self, socket: websockets.ClientConnection, message: dict[str, Any]) -> None:
        code, cid = message["code"], message["cid"]
        self.refused[code] += 1
        if code == "closing" or self.pending is None or cid not in (None, self.pending["cid"]):
            return  # a bot's move could not be saved, or something was sent twice
        if code in LATE and self._only:
            self._answered(cid)
            return
        assert code in AGAIN, code
        await asyncio.sleep(0.1)
        await socket.send(json.dumps(self.pending))


async def guest(server: Server, name: str = "Ada") -> str:
    """A new person's token."""
    async with httpx.AsyncClient(base_url=server.url) as http:
        return str((await http.post("/api/people", json={"name": name})).json()["token"])


async def new_players(server: Server, number: int) -> list[Player]:
    """Each at a table of its own against bots."""
    token = await guest(server)
    async with httpx.AsyncClient(base_url=server.url, headers={"Authorization": f"Bearer {token}"}) as http:
        made = []
        for k in range(number):
            answer = await http.post("/api/tables", json=GAMES[k % len(GAMES)] | {"level": "beginner"})
            made.append(Player(server, token, answer.json()["id"]))
        return made


async def kill_and_go_on(server: Server, number: int, kills: int) -> list[Player]:
    """So many running games, the server killed at random moments; all are over in the end."""
    rng, players = random.Random(number), await new_players(server, number)
    games = [asyncio.create_task(player.play()) for player in players]
    for _ in range(kills):
        until = sum(len(player.acked) for player in players) + rng.randint(20, 120)
        while sum(len(player.acked) for player in players) < until and not all(game.done() for game in games):
            await asyncio.sleep(0.001)
        assert not all(game.done() for game in games), "killed too late"
        server.kill()
        server.start()
    await asyncio.gather(*games)
    return players


async def check_kept(url: str, players: list[Player]) -> None:
    """Every acknowledged move is in the database, once, under the number that its player was told."""
    store = await SqlStore.open(url, alone=False)
    for player in players:
        saved = await store.load(player.table)
        assert saved is not None
        numbers = [entry.n for entry in saved.entries]
        assert numbers == list(range(1, len(numbers) + 1))
        kept = {entry.cid: entry.n for entry in saved.entries if entry.cid is not None}
        assert player.acked == kept
        assert player.over is not None
        assert player.over["n"] == numbers[-1]
    await store.close()
