"""Two servers in lockstep, whose tables differ only in what one seat cannot know: everything they say must be equal.

Both have the same clock, ids, seeds and commitments and are told the same. At random moments the state of the second is
replaced by a world drawn from a seat's view; from then on, until something is revealed, that seat, spectators and
strangers must get the same bytes from both. When something is revealed, the second gets the state of the first again.
"""

from __future__ import annotations

import asyncio
import io
import json
import logging
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
from starlette.websockets import WebSocketDisconnect
from web_common import Still, new_table, open_house, person

from kibitz._core import State
from kibitz.web import gate
from kibitz.web.app import make_app
from kibitz.web.house import House
from kibitz.web.limits import Buckets
from kibitz.web.positions import position
from kibitz.web.run import _Lines
from kibitz.web.secret import Secret
from kibitz.web.store.base import StoreError, Write
from kibitz.web.table.deal import Deal
from kibitz.web.tokens import Tokens, signer

PASSIVE = ("draw", "keep", "silent", "pass")


class Socket:
    """A WebSocket as the server sees it, with a test at the other end."""

    def __init__(self) -> None:
        self.frames: list[str] = []
        self._inbox: asyncio.Queue[str | None] = asyncio.Queue()

    async def accept(self) -> None: ...

    async def receive_text(self) -> str:
        text = await self._inbox.get()
        if text is None:
            raise WebSocketDisconnect
        return text

    async def send_text(self, text: str) -> None:
        self.frames.append(text)

    async def close(self, code: int) -> None:
        self.frames.append(f"closed {code}")

    def send(self, message: dict[str, Any] | str) -> None:
        self._inbox.put_nowait(message if isinstance(message, str) else json.dumps(message))

    def leave(self) -> None:
        self._inbox.put_nowait(None)


class Server:
    """One of the two. `heard` collects, by listener, whatever has been told since it was emptied last."""

    def __init__(self, house: House, http: httpx.AsyncClient, still: Still, lines: io.StringIO) -> None:
        self.house, self.http, self.still, self._lines = house, http, still, lines
        self.people: list[str] = []
        self.sockets: dict[str, Socket] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self.table = ""

    @classmethod
    @asynccontextmanager
    async def open(cls, folder: Path, **settings: Any) -> AsyncIterator[Server]:
        still, lines = Still(), io.StringIO()
        handler = logging.StreamHandler(lines)
        handler.setFormatter(_Lines())
        log = logging.getLogger("kibitz.web")
        house = await open_house(folder, still, keep_days=36_500, **settings)
        house.means = replace(house.means, tokens=Tokens(signer(b"the same key")))
        app = make_app(house.means.settings, house)
        transport = httpx.ASGITransport(app)
        try:
            async with (
                app.router.lifespan_context(app),
                httpx.AsyncClient(transport=transport, base_url="http://localhost") as http,
            ):
                app.state.requests = app.state.makings = Buckets(Still(), 1.0, 1e9)
                made = cls(house, http, still, lines)
                made.handler, made.log = handler, log
                try:
                    yield made
                finally:
                    for socket in made.sockets.values():
                        socket.leave()
                    await asyncio.gather(*made._tasks)
        finally:
            await house.close()

    handler: logging.Handler
    log: logging.Logger

    async def begin(self, game: str, players: int, options: dict[str, Any]) -> None:
        """All seats are people's, whom the test plays; a spectator and a guest without a seat look on."""
        self.people = [await person(self.house, f"P{number}") for number in range(players + 1)]
        seats = [{"who": "me"}] + [{"who": "open"}] * (players - 1)
        wanted = new_table(game, players=players, seats=seats, options=options)
        self.table = (await self.house.create(self.people[0], wanted)).id
        for number, id in enumerate(self.people[:players]):
            await self.connect(f"seat {number}", self.house.means.tokens.person(id))
            if number:
                await self.say(f"seat {number}", {"type": "seat", "cid": "sit", "want": "take", "seat": number})
        await self.connect("guest", self.house.means.tokens.person(self.people[players]))
        await self.connect("spectator", None)

    async def connect(self, name: str, token: str | None) -> None:
        socket = self.sockets[name] = Socket()
        self._tasks.append(asyncio.create_task(gate.serve(self.house, socket)))  # type: ignore[arg-type]
        await self.say(name, {"type": "hello", "version": 1, "table": self.table, "token": token})

    async def say(self, name: str, *messages: dict[str, Any] | str) -> None:
        """Says it, and waits for all that follows."""
        for message in messages:
            self.sockets[name].send(message)
        await self.settle()

    async def settle(self) -> None:
        self.log.addHandler(self.handler)
        try:
            quiet = 0
            while quiet < 3:  # nothing under way: not in the sockets, not at the table, not in the store
                sizes = [len(socket.frames) for socket in self.sockets.values()]
                for _ in range(5):
                    await asyncio.sleep(0)
                table = self.house.tables.get(self.table)
                if table is not None:
                    await table.idle()
                waiting = any(not socket._inbox.empty() for socket in self.sockets.values())
                still = sizes == [len(socket.frames) for socket in self.sockets.values()] and not waiting
                quiet = quiet + 1 if still else 0
        finally:
            self.log.removeHandler(self.handler)

    @property
    def deal(self) -> Deal:
        deal = self.house.tables[self.table].situation.deal
        assert deal is not None
        return deal

    @property
    def playing(self) -> bool:
        return self.house.tables[self.table].situation.status == "playing"

    @property
    def state(self) -> State:
        return self.deal._state.open()

    @state.setter
    def state(self, state: State) -> None:
        self.deal._state = Secret(state)

    def seat_of(self, number: int) -> str:
        """Who sits on a seat of this deal."""
        at = self.house.tables[self.table].situation
        return f"seat {at.at(number).number}"

    def cut(self, *names: str) -> dict[str, list[str]]:
        """What these listeners, and the log, were told since the last cut."""
        heard = {name: list(self.sockets[name].frames) for name in names}
        heard["log"] = [_timeless(line) for line in self._lines.getvalue().splitlines()]
        for socket in self.sockets.values():
            socket.frames.clear()
        self._lines.seek(0)
        self._lines.truncate()
        return heard

    async def ask(self, who: str) -> list[tuple[int, str, bytes]]:
        """Every response that the owner of a seat, and a stranger, can get over HTTP about this table."""
        at = self.house.tables[self.table].situation
        owner = at.places[int(who.split()[1])].person
        assert owner is not None
        mine = {"Authorization": f"Bearer {self.house.means.tokens.person(owner)}"}
        paths = ["", "/deals/0", "/deals/1", "/deals/0/replay", "/deals/1/replay?seat=0"]
        if at.status == "playing":  # of a finished deal it would begin, and be told as far as it has come
            paths += [f"/deals/{at.number}/review?seat=0", f"/deals/{at.number}/replay?look=true"]
        asked: list[tuple[str, dict[str, str]]] = [(f"/api/tables/{self.table}{path}", {}) for path in paths]
        asked += [(f"/api/tables/{self.table}{path}", mine) for path in paths]
        asked += [("/api/me/games", mine), ("/api/me/export", mine), ("/api/tables", {})]
        asked += [("/metrics", {}), ("/health", {}), ("/nothing", {})]
        told = []
        for path, head in asked:
            answer = await self.http.get(path, headers=head)
            told.append((answer.status_code, str(sorted(answer.headers.items())), answer.content))
        answer = await self.http.post(f"/api/tables/{self.table}/deals/{at.number}/share", headers=mine)
        assert at.status != "playing" or answer.status_code == 409
        told.append((answer.status_code, str(sorted(answer.headers.items())), answer.content))
        return told

    def break_store(self) -> None:
        """The next write fails."""
        store = self.house.means.store
        good = store.append

        async def bad(write: Write) -> None:
            store.append = good  # type: ignore[method-assign]
            raise StoreError("database or disk is full")

        store.append = bad  # type: ignore[method-assign]


def _timeless(line: str) -> str:
    said = json.loads(line)
    del said["at"]
    return json.dumps(said)


class Pair:
    """The two servers."""

    def __init__(self, real: Server, other: Server, rng: random.Random) -> None:
        self.both, self.rng = (real, other), rng
        self.real, self.other = real, other
        self.seat = 0  # from whose view the world was drawn
        self.apart = False  # whether the states differ
        self.compared = 0  # moves after which the bytes were compared
        self.phases: set[str] = set()  # of the game, in which they were

    @property
    def watched(self) -> tuple[str, ...]:
        return (self.real.seat_of(self.seat), "guest", "spectator")

    def swap(self) -> None:
        self.compare()
        self.seat = self.rng.randrange(self.real.state.game.players)
        self.other.state = self.real.state.view(self.seat).sample(self.rng.getrandbits(63))
        self.apart = True

    def join(self) -> None:
        self.compare()
        self.other.state = self.real.state.copy()
        self.apart = False

    def compare(self) -> None:
        first, second = (server.cut(*self.watched) for server in self.both)
        for name, told in first.items():
            assert told == second[name], f"{name} can tell the states apart"

    async def say(self, name: str, *messages: dict[str, Any] | str) -> None:
        for server in self.both:
            await server.say(name, *messages)

    async def probe(self) -> None:
        """Whatever can be tried: old and future turns, moves that are not one's own, garbage, everything anew."""
        turn, deal = self.real.deal.turn, self.real.deal
        tries: list[dict[str, Any] | str] = [
            {"type": "resync"},
            {"type": "act", "cid": "x1", "turn": turn + 1, "action": 0},
            {"type": "act", "cid": "x2", "turn": turn, "action": 2**52},
            {"type": "seat", "cid": "x3", "want": "take", "seat": 1},
            {"type": "seat", "cid": "x4", "want": "next"},
            "garbage",
        ]
        if deal.to_act != self.seat:  # any action: whether another seat could play it is not said
            ids = [self.rng.randrange(200) for _ in range(3)] + deal.legal()[:3]
            tries += [{"type": "act", "cid": f"y{id}", "turn": turn, "action": id} for id in ids]
        for name in self.watched:
            await self.say(name, *tries)
        mine = self.watched[0]
        assert await self.real.ask(mine) == await self.other.ask(mine)
        for name in (mine, "spectator"):  # comes back
            for server in self.both:
                server.sockets[name].leave()
                await server.settle()
                owner = server.house.tables[server.table].situation.places[int(mine.split()[1])].person
                token = server.house.means.tokens.person(owner) if name == mine and owner is not None else None
                await server.connect(name, token)
        self.compare()

    def choose(self) -> int:
        """Mostly an action after which the seat cannot tell the states apart, if there is one. Otherwise it reveals."""
        legal, game = self.real.state.legal(), self.real.state.game
        self.rng.shuffle(legal)
        if self.rng.random() < 0.9:  # or a game of Uno has thousands of moves
            legal.sort(key=lambda action: game.text(action) in PASSIVE)
        if self.apart:
            for action in legal if self.rng.random() < 0.4 else legal[:1]:
                if action in self.other.state.legal() and self._alike(action):
                    return action
            self.join()
        return legal[0]

    def _alike(self, action: int) -> bool:
        after = [server.state.copy() for server in self.both]
        for state in after:
            state.apply(action)
        views = [state.view(self.seat) for state in after]
        return not after[0].over and not after[1].over and views[0] == views[1]

    async def move(self, number: int) -> None:
        """One move of the seat to act, on both."""
        action, to_act = self.choose(), self.real.deal.to_act
        assert to_act is not None
        act = {"type": "act", "cid": f"c{number}", "turn": self.real.deal.turn, "action": action}
        if self.rng.random() < 0.1:  # nothing can be saved for a moment: it is sent again
            for server in self.both:
                server.break_store()
            await self.say(self.real.seat_of(to_act), act)
            if not self.apart:  # what is in doubt is read again from the database, where the state is the real one
                await self.say(self.real.seat_of(to_act), act)
                return
        for server in self.both:
            server.house.tables[server.table]._in_doubt = False
        await self.say(self.real.seat_of(to_act), act)
        if self.apart:
            self.compared += 1
            self.phases.add((position(self.real.state) or {}).get("phase", ""))


async def play(folder: Path, game: str, players: int, options: dict[str, Any], seed: int, least: int) -> Pair:
    """Whole games, until at least so many moves were made; AssertionError where the two servers differ."""
    sheets = folder / "sheets"
    places = [folder / "real", folder / "other"]
    async with (
        Server.open(places[0], rulesheets=sheets) as real,
        Server.open(places[1], rulesheets=sheets) as other,
    ):
        for server in (real, other):
            await server.begin(game, players, options)
        pair, number = Pair(real, other, random.Random(seed)), 0
        pair.compare()
        while number < least or pair.real.playing:
            if not real.playing:
                for name in [f"seat {seat}" for seat in range(players)]:
                    await pair.say(name, {"type": "seat", "cid": f"next{number}", "want": "next"})
                pair.compare()
            for server in pair.both:
                server.still.time += 5.0  # of the sixty that a decision may take, and enough for a client's rate
            if pair.rng.random() < 0.35:
                if not pair.apart:
                    pair.swap()
                await pair.probe()
            await pair.move(number)
            if pair.apart and not pair.real.playing:
                raise AssertionError("the end of a deal reveals everything")
            pair.compare()
            number += 1
        return pair
