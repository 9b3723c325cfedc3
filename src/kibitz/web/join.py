"""A client of the table without a browser: a person at the terminal, or an agent."""

from __future__ import annotations

import asyncio
import json
import secrets
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlsplit

import websockets

import kibitz
from kibitz._core import Game
from kibitz.protocols import Agent
from kibitz.web import wire


def parse(url: str) -> tuple[str, str, str | None]:
    """The server, the table and the seat's token of an invitation or a personal link."""
    parts = urlsplit(url)
    path = parts.fragment.strip("/").split("/")
    if parts.scheme not in ("http", "https") or len(path) not in (2, 3) or path[0] != "t":
        raise ValueError(f"bad link {url[:100]!r}: it looks like http://HOST/#/t/TABLE")
    return f"{parts.scheme}://{parts.netloc}", path[1], path[2] if len(path) == 3 else None


def request(server: str, path: str, body: dict[str, Any] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    made = urllib.request.Request(server + path, data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(made, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as problem:
        raise ValueError(f"{server} refuses {path}: {problem.code}") from None
    except (urllib.error.URLError, OSError, ValueError) as problem:
        raise ValueError(f"there is no table at {server}: {getattr(problem, 'reason', problem)}") from None


class Player:
    """Whoever decides."""

    def __init__(self, game: Game, agent: Agent | None) -> None:
        self.game, self.agent = game, agent

    async def choose(self, view: dict[str, Any]) -> int:
        if self.agent is not None:
            shown = self.game.from_position(view["position"])
            return await asyncio.to_thread(self.agent.act, shown)
        print(view["text"])
        texts = {choice["text"]: choice["action"] for choice in view["choices"]}
        print("  ".join(texts))
        while True:
            typed = (await asyncio.to_thread(input, "> ")).strip()
            if typed in texts:
                return int(texts[typed])
            print("One of these, please.")


async def play(url: str, spec: str | None, name: str) -> None:
    """Until the table is over."""
    server, table, token = parse(url)
    agent = kibitz.agent(spec) if spec is not None else None
    if agent is not None and agent.peeks:
        raise ValueError(f"agent {spec!r} sees hidden cards: a table does not show them")
    info = request(server, f"/api/tables/{table}")
    if info["game"].startswith("gdl:"):
        raise ValueError("rulesheets of a server can be played in the browser only")
    player = Player(kibitz.make(info["game"], **info["options"]), agent)
    if agent is not None:
        agent.begin(0)
    token = token or request(server, "/api/people", {"name": name})["token"]
    hello = {"type": "hello", "version": wire.VERSION, "table": table, "token": token}
    seat, tries = _Seat(player), 0
    while tries < len(_WAITS):
        try:
            async with websockets.connect(server.replace("http", "ws", 1) + "/ws") as socket:
                tries = 0
                await socket.send(json.dumps(hello))
                if await seat.talk(socket):
                    return
        except (OSError, websockets.WebSocketException):
            print("The server does not answer; trying again.")
        await asyncio.sleep(_WAITS[tries])
        tries += 1
    raise ValueError(f"{server} has gone")


_WAITS = (0.5, 1, 2, 4, 8, 15, 15, 15)  # seconds; a server that restarts is back by then


class _Seat:
    """The conversation about one seat. What was not acknowledged is sent again on the next socket."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._pending: dict[str, Any] | None = None
        self._tried: set[int] = set()  # seats that others were quicker to take
        self._number = 0

    async def talk(self, socket: websockets.ClientConnection) -> bool:
        """Until the table is over (True) or the socket has gone."""
        if self._pending is not None:
            await socket.send(json.dumps(self._pending))
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "over" and message["series_over"]:
                _tell(message)
                return True
            await self._answer(socket, message)
        return False

    async def _answer(self, socket: websockets.ClientConnection, message: dict[str, Any]) -> None:
        match message["type"]:
            case "welcome":
                if message["you"]["seat"] is None:
                    await self._take(socket, message["table"]["seats"])
            case "view":
                if message["choices"] and (self._pending is None or self._pending.get("turn") != message["turn"]):
                    action = await self._player.choose(message)
                    await self._send(socket, type="act", turn=message["turn"], action=action)
            case "ack":
                self._pending = None
            case "refused":
                await self._refused(socket, message["code"])
            case "over":
                _tell(message)
                await self._send(socket, type="seat", want="next")

    async def _take(self, socket: websockets.ClientConnection, seats: list[dict[str, Any]]) -> None:
        """An open seat before a bot's."""
        free = [seat for seat in seats if seat["kind"] != "person" and seat["seat"] not in self._tried]
        if not free:
            raise ValueError("no seat is free at this table")
        wanted = min(free, key=lambda seat: (seat["kind"] != "open", seat["seat"]))["seat"]
        self._tried.add(wanted)
        await self._send(socket, type="seat", want="take", seat=wanted)

    async def _refused(self, socket: websockets.ClientConnection, code: str) -> None:
        again, pending = self._pending, self._pending or {}
        self._pending = None
        if code in ("busy", "storage", "too_fast") and again is not None:  # try again
            self._pending = again
            await asyncio.sleep(1)
            await socket.send(json.dumps(again))
        elif code == "taken" and pending.get("want") == "take":
            await socket.send(json.dumps({"type": "resync"}))
        elif code not in ("old_turn", "closing", "storage", "not_now"):
            raise ValueError(f"the table refuses: {code}")

    async def _send(self, socket: websockets.ClientConnection, **message: Any) -> None:
        self._number += 1
        self._pending = message | {"cid": f"j{self._number}-{secrets.token_hex(4)}"}
        await socket.send(json.dumps(self._pending))


def _tell(over: dict[str, Any]) -> None:
    print("Over:", ", ".join(f"seat {seat} {payoff:+g}" for seat, payoff in enumerate(over["payoffs"])))
