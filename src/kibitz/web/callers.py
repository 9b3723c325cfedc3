"""A seat over HTTP, for programs that ask and answer: a language model, a script.

A caller is a client of its table like a socket, heard and refused by the same code; it has gone when it has not asked
for a while.
"""

from __future__ import annotations

import asyncio
import json
import logging
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request
from pydantic import Field, StringConstraints

from kibitz.web import gate, wire
from kibitz.web.api import REFUSALS, Authorization, TableId, TheHouse
from kibitz.web.catalogue import UnknownError
from kibitz.web.house import House
from kibitz.web.limits import Places
from kibitz.web.seen import EVERYBODY, Audience, Seen
from kibitz.web.table.task import Table, Wish
from kibitz.web.timing import Handle
from kibitz.web.wire import Code

log = logging.getLogger("kibitz.web")
router = APIRouter(prefix="/api/tables/{table}", responses=REFUSALS, tags=["a seat for a program"])
SILENCE = 60.0  # seconds until a caller has gone
WAIT = 30.0  # seconds that a request may wait for its turn
LISTED = 60  # legal actions in a detail


class Observation(wire._Message):
    """All that the seat may know. `view.choices` are the legal actions with their texts, if it is its turn;
    `view.history` has all moves that it knows of. `over`: the deal has ended. `illegal`: answers that were refused."""

    table: wire.TableInfo
    seat: int | None
    view: wire.View | None
    over: wire.Over | None
    illegal: int


class Play(wire._Message):
    """An action by its id or by its text, one of `view.choices`. `turn`: only if it is still that turn."""

    action: Annotated[int, Field(ge=0, lt=2**53)] | None = None
    text: Annotated[str, StringConstraints(max_length=200)] | None = None
    turn: Annotated[int, Field(ge=0)] | None = None


class Sit(wire._Message):
    """As in the message `seat` of the table's socket."""

    want: Literal["take", "leave", "resign", "begin", "next", "put", "free", "agree", "disagree"]
    seat: wire.Seat | None = None
    level: wire.Level | None = None


class Caller:
    """What a table knows of a program that asks by HTTP. It keeps the last message of each kind."""

    def __init__(self, table: Table, person: str | None, address: str) -> None:
        self.table, self.person, self.address = table, person, address
        self.audience: Audience = EVERYBODY
        self.heard: dict[str, dict[str, Any]] = {}
        self.news = asyncio.Event()
        self.closing: int | None = None
        self.illegal = 0
        self.silence: Handle | None = None
        self._answers: dict[str, asyncio.Future[Code | None]] = {}
        self._number = 0

    def send(self, seen: Seen) -> None:
        if seen.audience not in (EVERYBODY, self.audience):
            log.error("a message for another audience was held back")
            self.hang_up(1008)
            return
        message = json.loads(seen.text)
        if message["type"] == "welcome":
            self.heard = {}
        self.heard[message["type"]] = message
        if message["type"] in ("ack", "refused"):
            answer = self._answers.pop(message["cid"] or "", None)
            if answer is not None and not answer.done():
                answer.set_result(None if message["type"] == "ack" else Code(message["code"]))
        self.news.set()

    def hang_up(self, code: int) -> None:
        if self.closing is not None:
            return
        self.closing = code
        for answer in self._answers.values():
            if not answer.done():
                answer.set_result(Code.CLOSING)
        self.table.post(partial(self.table.depart, self))
        self.news.set()

    async def tell(self, kind: type[Wish], **members: Any) -> None:
        """As a client's message; UnknownError if it is refused."""
        self._number += 1
        cid = f"h{id(self):x}-{self._number}"
        message = kind.model_validate({"type": _TYPES[kind], "cid": cid} | members)
        answer = self._answers[cid] = asyncio.get_running_loop().create_future()
        if not self.table.offer(partial(self.table.receive, self, message)):
            self._answers.pop(cid)
            raise UnknownError(Code.BUSY)
        refused = await answer
        if refused is not None:
            self.illegal += refused == Code.ILLEGAL
            raise UnknownError(refused)

    async def renew(self) -> None:
        """Asks for everything again: with the whole history."""
        if not self.table.offer(partial(self.table.receive, self, wire.Resync(type="resync"))):
            raise UnknownError(Code.BUSY)
        await self.table.idle()

    @property
    def seat(self) -> int | None:
        return self.audience.seat if self.audience.seat >= 0 else None

    @property
    def view(self) -> wire.View | None:
        return wire.View.model_validate(self.heard["view"]) if "view" in self.heard else None

    def observed(self) -> Observation:
        view, over = self.heard.get("view"), self.heard.get("over")
        if view is not None and over is not None and over["deal"] != view["deal"]:
            over = None
        info = self.table.show.info()
        return Observation.model_validate(
            {"table": info, "seat": self.seat, "view": view, "over": over, "illegal": self.illegal}
        )

    def asked(self) -> bool:
        """Whether there is something to do: a move, or nothing to wait for."""
        view = self.heard.get("view")
        return self.closing is not None or view is None or "over" in self.heard or bool(view["choices"])


_TYPES: dict[type[Wish], str] = {wire.Act: "act", wire.SeatWish: "seat", wire.Say: "say", wire.Think: "think"}


class Callers:
    """All callers of a server. They take places like sockets do."""

    def __init__(self, house: House, places: Places) -> None:
        self._house, self._places = house, places
        self._known: dict[tuple[str, str], Caller] = {}

    async def find(self, table_id: str, token: str | None, address: str) -> Caller:
        table = await self._house.table(table_id)
        if table is None:
            raise UnknownError(Code.NO_TABLE)
        who = await gate.who_is(self._house, table, token)
        if isinstance(who, Code) or who is None:
            raise UnknownError(who or Code.BAD_TOKEN)
        known = self._known.get((table_id, who))
        if known is None or known.table is not table or known.closing is not None:
            known = await self._enter(table, who, address)
        self._watch(known)
        return known

    async def _enter(self, table: Table, who: str, address: str) -> Caller:
        self._leave((table.id, who))
        if not self._places.enter(address):
            raise UnknownError(Code.FULL)
        caller = self._known[table.id, who] = Caller(table, who, address)
        table.post(partial(table.arrive, caller))
        await table.idle()
        return caller

    def _watch(self, caller: Caller) -> None:
        """From now on it may be silent for so long."""
        if caller.silence is not None:
            caller.silence.cancel()
        timing = self._house.means.timing
        gone = partial(self._leave, (caller.table.id, caller.person or ""))
        caller.silence = timing.call_at(timing.now() + SILENCE, gone)

    def _leave(self, key: tuple[str, str]) -> None:
        caller = self._known.pop(key, None)
        if caller is not None:
            self._places.leave(caller.address)
            caller.hang_up(1000)


async def caller_of(request: Request, table: TableId, authorization: Authorization = None) -> Caller:
    kind, _, token = (authorization or "").partition(" ")
    callers: Callers = request.app.state.callers
    address = request.client.host if request.client else "?"
    return await callers.find(table, token if kind.lower() == "bearer" and token else None, address)


TheCaller = Annotated[Caller, Depends(caller_of)]


@router.get("/seat")
async def observe(
    house: TheHouse, caller: TheCaller, wait: Annotated[float, Query(ge=0, le=WAIT)] = 0.0
) -> Observation:
    """What the seat of a token sees. `wait`: so many seconds for its turn, or for the end of the deal."""
    await caller.renew()
    until = asyncio.get_running_loop().time() + wait
    while not caller.asked():
        caller.news.clear()
        try:
            async with asyncio.timeout_at(until):
                await caller.news.wait()
        except TimeoutError:
            break
    if wait:
        await caller.renew()
    return caller.observed()


@router.post("/seat")
async def sit(caller: TheCaller, wanted: Sit) -> Observation:
    """Sit down, stand up, be ready for the next deal."""
    await caller.tell(wire.SeatWish, **wanted.model_dump())
    await caller.renew()
    return caller.observed()


@router.post("/play")
async def play(caller: TheCaller, wanted: Play) -> Observation:
    """Plays an action. What is not legal is refused with the legal ones in `detail`, and counted."""
    await caller.renew()
    view = caller.view
    if view is None or caller.seat is None:
        raise UnknownError(Code.NOT_SEATED if caller.seat is None else Code.NOT_NOW)
    if not view.choices:
        raise UnknownError(Code.NOT_YOUR_TURN if view.to_act is not None else Code.NOT_NOW)
    action = _chosen(view, wanted)
    if action is None:
        caller.illegal += 1
        texts = ", ".join(choice.text for choice in view.choices[:LISTED])
        more = f" and {len(view.choices) - LISTED} more" if len(view.choices) > LISTED else ""
        raise UnknownError(Code.ILLEGAL, f"play one of: {texts}{more}")
    await caller.tell(wire.Act, turn=view.turn if wanted.turn is None else wanted.turn, action=action)
    await caller.renew()
    return caller.observed()


@router.post("/think")
async def think(caller: TheCaller, wait: Annotated[float, Query(ge=0.1, le=WAIT)] = 5.0) -> wire.Report:
    """What the adviser thinks of the seat's own decision, where the table allows it: the last report within `wait`."""
    caller.heard.pop("thought", None)
    await caller.tell(wire.Think)
    until = asyncio.get_running_loop().time() + wait
    while not (caller.heard.get("thought") or {"report": {"done": False}})["report"]["done"]:
        caller.news.clear()
        try:
            async with asyncio.timeout_at(until):
                await caller.news.wait()
        except TimeoutError:
            break
    told = caller.heard.get("thought")
    await caller.tell(wire.Think, on=False)
    if told is None:
        raise UnknownError(Code.BUSY)
    return wire.Report.model_validate(told["report"])


def _chosen(view: wire.View, wanted: Play) -> int | None:
    """The action that was meant, if it is legal."""
    said = " ".join((wanted.text or "").split()).casefold()
    for choice in view.choices:
        if wanted.action == choice.action or (wanted.action is None and choice.text.casefold() == said):
            return choice.action
    return None
