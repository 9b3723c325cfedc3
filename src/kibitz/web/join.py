"""A client of the table without a browser: a person at the terminal, or an agent."""

from __future__ import annotations

import asyncio
import json
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
    async with websockets.connect(server.replace("http", "ws", 1) + "/ws") as socket:
        hello = {"type": "hello", "version": wire.VERSION, "table": table, "token": token}
        await socket.send(json.dumps(hello))
        await _talk(socket, player)


async def _talk(socket: websockets.ClientConnection, player: Player) -> None:
    number = 0
    async for text in socket:
        message = json.loads(text)
        number += 1
        if message["type"] == "welcome" and message["you"]["seat"] is None:
            free = [seat["seat"] for seat in message["table"]["seats"] if seat["kind"] != "person"]
            if not free:
                raise ValueError("no seat is free at this table")
            wish = {"type": "seat", "cid": f"j{number}", "want": "take", "seat": free[0]}
            await socket.send(json.dumps(wish))
        elif message["type"] == "view" and message["choices"]:
            action = await player.choose(message)
            act = {"type": "act", "cid": f"j{number}", "turn": message["turn"], "action": action}
            await socket.send(json.dumps(act))
        elif message["type"] == "refused" and message["code"] != "old_turn":
            print(f"refused: {message['code']}")
        elif message["type"] == "over":
            print("Over:", ", ".join(f"seat {seat} {payoff:+g}" for seat, payoff in enumerate(message["payoffs"])))
            if message["series_over"]:
                return
            await socket.send(json.dumps({"type": "seat", "cid": f"j{number}", "want": "next"}))
