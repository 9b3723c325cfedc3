"""A table server inside the test, with time and chance of our own."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kibitz.web import wire
from kibitz.web.house import House
from kibitz.web.means import Chance
from kibitz.web.seen import EVERYBODY, Audience, Seen
from kibitz.web.settings import Settings
from kibitz.web.table.task import Table


class Still:
    """Time that stands still until a test moves it on."""

    def __init__(self) -> None:
        self.time = 1000.0
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._off: set[int] = set()
        self._numbers = itertools.count()

    def now(self) -> float:
        return self.time

    def wall(self) -> int:
        return 1_700_000_000 + int(self.time)

    def call_at(self, when: float, call: Callable[[], None]) -> Timer:
        number = next(self._numbers)
        heapq.heappush(self._due, (when, number, call))
        return Timer(self, number)

    def due(self) -> float | None:
        """When something happens next."""
        while self._due and self._due[0][1] in self._off:
            heapq.heappop(self._due)
        return self._due[0][0] if self._due else None

    def step(self) -> None:
        """On to the next thing that happens."""
        assert self.due() is not None
        when, _, call = heapq.heappop(self._due)
        self.time = max(self.time, when)
        call()


class Timer:
    def __init__(self, still: Still, number: int) -> None:
        self._still, self._number = still, number

    def cancel(self) -> None:
        self._still._off.add(self._number)


class Fixed(Chance):
    """Seeds, salts and ids that follow from one number."""

    def __init__(self, seed: int = 0) -> None:
        self._numbers = itertools.count(seed * 1_000_003)

    def seed(self) -> int:
        return next(self._numbers)

    def salt(self) -> str:
        return f"{next(self._numbers):064x}"

    def id(self) -> str:
        return f"id{next(self._numbers)}"


class Listener:
    """A client that keeps what it is sent."""

    def __init__(self, person: str | None) -> None:
        self.person = person
        self.audience: Audience = EVERYBODY
        self.frames: list[str] = []
        self.hung_up: int | None = None

    def send(self, seen: Seen) -> None:
        assert seen.audience in (EVERYBODY, self.audience)
        self.frames.append(seen.text)

    def hang_up(self, code: int) -> None:
        self.hung_up = code

    def got(self, kind: str) -> list[dict[str, Any]]:
        return [frame for text in self.frames if (frame := json.loads(text))["type"] == kind]

    def last(self, kind: str) -> dict[str, Any]:
        return self.got(kind)[-1]


async def open_house(folder: Path, still: Still | None = None, seed: int = 0, **settings: Any) -> House:
    return await House.open(Settings(data=folder, **settings), still or Still(), Fixed(seed))


async def person(house: House, name: str) -> str:
    return (await house.means.people.add(house.means.chance.id(), name, 0)).id


async def join(table: Table, who: str | None) -> Listener:
    listener = Listener(who)
    table.post(lambda: table.arrive(listener))
    await table.idle()
    return listener


async def tell(table: Table, client: Listener, **message: Any) -> dict[str, Any]:
    """Sends a message as the socket would, and gives the ack or the refusal."""
    before = len(client.frames)
    made = wire_message(message)
    table.post(lambda: table.receive(client, made))
    await table.idle()
    answers = [json.loads(text) for text in client.frames[before:]]
    return next((answer for answer in answers if answer["type"] in ("ack", "refused")), {})


def wire_message(message: dict[str, Any]) -> Any:
    from kibitz.web.connection import _MESSAGES

    return _MESSAGES.validate_json(json.dumps(message))


async def until_asked(table: Table, still: Still, client: Listener) -> dict[str, Any] | None:
    """Lets bots play until the client has a choice; None when the deal is over."""
    while True:
        await table.idle()
        at = table.situation
        if at.status != "playing":
            return None
        assert at.deal is not None
        view = client.last("view")
        if view["turn"] == at.deal.turn and view["choices"]:
            return view
        while still.due() is None:  # a bot thinks in its thread
            await asyncio.sleep(0.001)
        still.step()
        await table.idle()


async def play_out(table: Table, still: Still, client: Listener) -> dict[str, Any]:
    """The first choice each time; how the deal ended."""
    while (view := await until_asked(table, still, client)) is not None:
        act = {"cid": f"c{view['n']}", "turn": view["turn"], "action": view["choices"][0]["action"]}
        assert (await tell(table, client, type="act", **act))["type"] == "ack"
    return client.last("over")


def new_table(game: str, **more: Any) -> wire.NewTable:
    return wire.NewTable.model_validate({"game": game} | more)
