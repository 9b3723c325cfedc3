"""The table's server under load, over loopback: one server process, scripted players in this one.

    python benchmarks/web.py [--tables 300] [--rate 1] [--seconds 30] [--games 1000] [--database URL]
                             [--only start,panel,review,load,most,day]

start  seconds from the start of the process to the first card: welcome and view of a new game
panel  from asking for thoughts to the first figures, and to the last
review seconds for a whole Uno game and for a Belote deal; round trips of moves at 30 tables while ten reviews run
load   round trips of moves (sent to acknowledged, which is after it was saved) at so many tables, each with a player
       who makes so many moves a second; memory of the server for each table
most   the same at growing rates: the highest at which 99% of moves take less than 100 ms and none is left behind
day    so many games, each at a table of its own, as fast as they go; memory of the server on the way

Bots are `beginner`. Players come from several addresses of this machine, as the limits per address want it.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import websockets

import kibitz
from kibitz.record import Record, Seat

GAMES: list[dict[str, Any]] = [
    {"game": "uno", "players": 4},
    {"game": "connect_four"},
    {"game": "belote"},
    {"game": "doudizhu"},
    {"game": "hex"},
]
SHORT: list[dict[str, Any]] = [{"game": "tictactoe"}, {"game": "mini_doudizhu"}]
GOAL = 0.1  # seconds within which 99% of moves are acknowledged
PER_ADDRESS = 30  # tables; the server allows 40 connections, and makes 60 things at once


class Server:
    """`kibitz serve` with a database of its own."""

    def __init__(self, folder: str, *more: str, database: str | None = None) -> None:
        command = [sys.executable, "-c", "from kibitz.cli import main; main()", "serve", "--port", "0"]
        command += ["--data", folder, *more, *(["--database", database] if database else [])]
        self.began = time.perf_counter()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        self.port = int(line.split(":")[2].split("/")[0])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def memory(self) -> float:
        """Megabytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return float(status.split("VmRSS:")[1].split()[0]) / 1024

    def busy(self) -> float:
        """Seconds of processor so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def moves(self) -> int:
        told = httpx.get(f"{self.url}/metrics").text
        return int(next(line.split()[1] for line in told.splitlines() if line.startswith("kibitz_moves_total")))


@contextmanager
def serving(*more: str, database: str | None = None) -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="kibitz-load-") as folder:
        server = Server(folder, *more, database=database)
        try:
            yield server
        finally:
            server.process.terminate()
            server.process.wait(timeout=60)


def address(number: int) -> str:
    """One of this machine's own."""
    return f"127.{1 + number // 62_500}.{number // 250 % 250}.{1 + number % 250}"


@dataclass
class Player:
    """At a table of its own; plays random choices at a pace, and rematches."""

    url: str
    table: str
    token: str
    source: str
    every: float  # seconds from move to move; 0: as fast as it goes
    rng: random.Random
    once: bool = False  # one game
    trips: list[float] = field(default_factory=list)
    seen: float = 0.0  # when the first view came

    async def play(self) -> None:
        where = self.url.replace("http", "ws") + "/ws"
        async with websockets.connect(where, local_addr=(self.source, 0), compression=None) as socket:
            await _send(socket, type="hello", version=1, table=self.table, token=self.token)
            await self._talk(socket)

    async def _talk(self, socket: websockets.ClientConnection) -> None:
        sent, due, numbers = 0.0, time.perf_counter() + self.rng.random() * self.every, itertools.count()
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "ack" and sent:
                self.trips.append(time.perf_counter() - sent)
                sent = 0.0
            elif message["type"] == "view":
                self.seen = self.seen or time.perf_counter()
                if message["choices"]:
                    due = await self._wait(due)
                    sent = time.perf_counter()
                    action = self.rng.choice(message["choices"])["action"]
                    await _send(socket, type="act", cid=f"c{next(numbers)}", turn=message["turn"], action=action)
            elif message["type"] == "over":
                if self.once:
                    return
                await _send(socket, type="seat", cid=f"n{next(numbers)}", want="next")

    async def _wait(self, due: float) -> float:
        """Until the move is due; when the next one is."""
        now = time.perf_counter()
        if self.every and now < due:
            await asyncio.sleep(due - now)
        return max(due, now - self.every) + self.every


async def _send(socket: websockets.ClientConnection, **message: Any) -> None:
    await socket.send(json.dumps(message))


async def new_tables(server: Server, wanted: list[dict[str, Any]], every: float, once: bool = False) -> list[Player]:
    """A player for each, from addresses enough."""
    players: list[Player] = []
    for first in range(0, len(wanted), PER_ADDRESS):
        source = address(next(SOURCES))
        transport = httpx.AsyncHTTPTransport(local_address=source)
        async with httpx.AsyncClient(transport=transport, base_url=server.url) as http:
            token = (await http.post("/api/people", json={"name": "Ada"})).json()["token"]
            head = {"Authorization": f"Bearer {token}"}
            for number, game in enumerate(wanted[first : first + PER_ADDRESS], start=first):
                made = (await http.post("/api/tables", json=game | {"level": "beginner"}, headers=head)).json()
                rng = random.Random(number)
                players.append(Player(server.url, made["id"], token, source, every, rng, once))
    return players


SOURCES = itertools.count()


def start(_: argparse.Namespace) -> None:
    """A new data folder each time, as for a person who has just installed it."""
    torch = "import sys, kibitz.web.run; print('torch' in sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", torch], capture_output=True, text=True, check=True).stdout.strip()
    taken = []
    for _n in range(3):
        with serving() as server:
            ready = time.perf_counter() - server.began
            (player,) = asyncio.run(new_tables(server, [{"game": "uno"}], 0))
            with suppress(TimeoutError):
                asyncio.run(asyncio.wait_for(_first_card(player), 60))
            taken.append((ready, player.seen - server.began))
    ready, card = (statistics.median(column) for column in zip(*taken, strict=True))
    print(f"start   server ready {ready:.2f} s, first card {card:.2f} s (median of 3; PyTorch loaded: {loaded})")


async def _first_card(player: Player) -> None:
    playing = asyncio.create_task(player.play())
    while not player.seen:
        await asyncio.sleep(0.001)
    playing.cancel()


@dataclass
class Load:
    """What came of one run."""

    trips: list[float]
    seconds: float
    all_moves: int  # bots' too
    busy: float  # share of one processor

    def quantile(self, share: float) -> float:
        ordered = sorted(self.trips) or [float("inf")]
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    def line(self) -> str:
        milliseconds = [1000 * self.quantile(share) for share in (0.5, 0.99, 1.0)]
        return (
            f"{len(self.trips) / self.seconds:7.0f} moves/s ({self.all_moves / self.seconds:.0f} with bots)  "
            f"p50 {milliseconds[0]:.1f}  p99 {milliseconds[1]:.1f}  max {milliseconds[2]:.0f} ms  "
            f"server busy {self.busy:.0%}"
        )


async def measure(server: Server, players: list[Player], every: float, seconds: float) -> Load:
    for player in players:
        player.every = every
    await asyncio.sleep(2)  # until they are used to it
    for player in players:
        player.trips = []
    began, busy, moves = time.perf_counter(), server.busy(), await asyncio.to_thread(server.moves)
    await asyncio.sleep(seconds)
    took = time.perf_counter() - began
    made = await asyncio.to_thread(server.moves) - moves
    trips = [trip for player in players for trip in player.trips]
    return Load(trips, took, made, (server.busy() - busy) / took)


async def under_load(server: Server, options: argparse.Namespace, rates: list[float], seconds: float) -> None:
    empty = server.memory()
    players = await new_tables(server, [GAMES[n % len(GAMES)] for n in range(options.tables)], 1 / rates[0])
    playing = [asyncio.create_task(player.play()) for player in players]
    best = 0.0
    for rate in rates:
        load = await measure(server, players, 1 / rate, seconds)
        if failed := [task for task in playing if task.done()]:
            raise RuntimeError(f"{len(failed)} players ended: {failed[0].exception()}")
        print(f"        {options.tables} tables at {rate:g}/s each: {load.line()}")
        if load.quantile(0.99) > GOAL:
            break
        best = max(best, len(load.trips) / load.seconds)
    if len(rates) == 1:
        size = (server.memory() - empty) * 1024 / options.tables
        print(f"load    goal p99 < {GOAL * 1000:.0f} ms; memory {empty:.0f} MB empty, {size:.0f} kB for each table")
    else:
        print(f"most    {best:.0f} moves/s of players with p99 < {GOAL * 1000:.0f} ms")
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)


def load(options: argparse.Namespace) -> None:
    with serving("--pace", "0.1", "--max-tables", "5000", database=options.database) as server:
        asyncio.run(under_load(server, options, [options.rate], options.seconds))


def most(options: argparse.Namespace) -> None:
    with serving("--pace", "0.02", "--max-tables", "5000", database=options.database) as server:
        asyncio.run(under_load(server, options, [1, 2, 3, 4, 6, 8], max(3.0, options.seconds / 5)))


async def many_games(server: Server, games: int) -> None:
    """Thirty at once; a game's table is left for good, and the server forgets it when it needs the room."""
    told: list[float] = []
    done, step, began = 0, max(1, games // 10), time.perf_counter()
    for first in range(0, games, PER_ADDRESS):
        wanted = [SHORT[n % len(SHORT)] for n in range(first, min(games, first + PER_ADDRESS))]
        players = await new_tables(server, wanted, 0, once=True)
        await asyncio.gather(*(player.play() for player in players))
        done += len(players)
        if done // step > len(told):
            told.append(server.memory())
    took = time.perf_counter() - began
    shown = " ".join(f"{memory:.0f}" for memory in told)
    print(f"day     {done} games in {took:.0f} s; memory after each tenth: {shown} MB")


def day(options: argparse.Namespace) -> None:
    with serving("--pace", "0.01", "--max-tables", "100", database=options.database) as server:
        asyncio.run(many_games(server, options.games))


async def _thoughts(player: Player) -> tuple[float, float]:
    """Seconds to the first and to the last thought about the first real choice."""
    began = first = 0.0
    where = player.url.replace("http", "ws") + "/ws"
    async with websockets.connect(where, local_addr=(player.source, 0), compression=None) as socket:
        await _send(socket, type="hello", version=1, table=player.table, token=player.token)
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "view" and len(message["choices"]) == 1:
                action = message["choices"][0]["action"]
                await _send(socket, type="act", cid=f"c{message['turn']}", turn=message["turn"], action=action)
            elif message["type"] == "view" and message["choices"] and not began:
                began = time.perf_counter()
                await _send(socket, type="think", cid="t")
            elif message["type"] == "thought":
                first = first or time.perf_counter() - began
                if message["report"]["done"]:
                    return first, time.perf_counter() - began
    raise RuntimeError("hung up")


def panel(_: argparse.Namespace) -> None:
    async def ask(server: Server) -> None:
        for game in GAMES:
            found = [await _thoughts(player) for player in await new_tables(server, [game] * 10, 0)]
            first, last = (sorted(1000 * taken for taken in column) for column in zip(*found, strict=True))
            print(
                f"panel   {game['game']:12} first figures {statistics.median(first):.0f} ms (worst of 10: "
                f"{first[-1]:.0f}), last {statistics.median(last):.0f} ms"
            )

    with serving("--pace", "0.05") as server:
        asyncio.run(ask(server))


def _record(name: str, seed: int, **options: Any) -> dict[str, Any]:
    """A game that agents of the level `club` played."""
    game = kibitz.make(name, **options)
    state, agent = game.deal(seed), kibitz.agent("level:club")
    agent.begin(seed)
    while not state.over:
        state.apply(agent.act(state.view(state.to_act)))
    return Record.of(game, state, [Seat("x", "level:club")] * game.players).to_json()


async def _review(server: Server, record: dict[str, Any]) -> float:
    """Seconds; from an address of its own."""
    transport = httpx.AsyncHTTPTransport(local_address=address(next(SOURCES)))
    async with httpx.AsyncClient(transport=transport, base_url=server.url, timeout=600) as http:
        began = time.perf_counter()
        (await http.post("/api/review", json={"record": record})).raise_for_status()
        return time.perf_counter() - began


async def _reviews(server: Server) -> None:
    games: dict[str, dict[str, Any]] = {
        "uno game": {"name": "uno", "players": 4},
        "belote deal": {"name": "belote", "bidding": True},
    }
    for name, game in games.items():
        taken = [await _review(server, _record(**game, seed=seed)) for seed in range(5)]
        print(f"review  {name:12} {statistics.median(taken):.1f} s (worst of 5: {max(taken):.1f})")
    players = await new_tables(server, [GAMES[n % len(GAMES)] for n in range(30)], 1.0)
    playing = [asyncio.create_task(player.play()) for player in players]
    print(f"        moves, nothing else:  {(await measure(server, players, 1.0, 10)).line()}")
    records = [_record("uno", seed, players=4) for seed in range(10)]
    reviews = [asyncio.create_task(_review(server, record)) for record in records]
    print(f"        with ten reviews:     {(await measure(server, players, 1.0, 10)).line()}")
    for task in (*playing, *reviews):
        task.cancel()
    await asyncio.gather(*playing, *reviews, return_exceptions=True)


def review(_: argparse.Namespace) -> None:
    with serving("--pace", "0.1") as server:
        asyncio.run(_reviews(server))


PARTS = {"start": start, "panel": panel, "review": review, "load": load, "most": most, "day": day}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--rate", type=float, default=1.0)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--database")
    parser.add_argument("--only", default=",".join(PARTS))
    options = parser.parse_args()
    for name in options.only.split(","):
        PARTS[name](options)


if __name__ == "__main__":
    main()
