"""Where a WebSocket comes in: hello first, then its table has it."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from starlette.websockets import WebSocket, WebSocketDisconnect

from kibitz.web import seen, wire
from kibitz.web.catalogue import UnknownError
from kibitz.web.connection import POLICY, Connection
from kibitz.web.house import House
from kibitz.web.store.base import StoreError
from kibitz.web.table.task import Table
from kibitz.web.wire import Code

log = logging.getLogger("kibitz.web")
HELLO_SECONDS = 30.0  # to say hello in


async def serve(house: House, socket: WebSocket) -> None:
    """One client, from its first message to its last."""
    await socket.accept()
    connection = Connection(house.means, socket.send_text)
    writer = asyncio.create_task(connection.write_all())
    reader = asyncio.create_task(_read(house, connection, socket))
    try:
        await asyncio.wait({writer, reader}, return_when=asyncio.FIRST_COMPLETED)
        if not writer.done():
            connection.hang_up(1000)
            await asyncio.wait({writer}, timeout=5)
    finally:
        await Connection.end(reader)
        await Connection.end(writer)
    try:
        await socket.close(connection.closing or 1000)
    except (RuntimeError, WebSocketDisconnect):  # it is closed already
        return


async def _read(house: House, connection: Connection, socket: WebSocket) -> None:
    table: Table | None = None
    began = asyncio.get_running_loop().time()
    try:
        while True:
            async with asyncio.timeout_at(began + HELLO_SECONDS if table is None else None):
                text = await socket.receive_text()
            message = connection.read(text)
            if message is None:
                continue
            if isinstance(message, wire.Ping):
                connection.send(seen.pong())
            elif isinstance(message, wire.Hello):
                if table is not None:
                    connection.refuse(None, Code.BAD_MESSAGE)
                else:
                    table = await _hello(house, connection, message)
            elif table is None:
                connection.refuse(getattr(message, "cid", None), Code.HELLO_FIRST)
            elif not table.offer(partial(table.receive, connection, message)):
                connection.refuse(getattr(message, "cid", None), Code.BUSY)
    except TimeoutError:
        connection.refuse(None, Code.HELLO_FIRST)
        connection.hang_up(POLICY)
    except (WebSocketDisconnect, KeyError, RuntimeError):  # KeyError: a binary frame
        return
    finally:
        if table is not None:
            table.post(partial(table.depart, connection))


async def _hello(house: House, connection: Connection, hello: wire.Hello) -> Table | None:
    """The table, or None, and then the client has been refused."""
    if hello.version != wire.VERSION:
        connection.refuse(None, Code.VERSION)
        return None
    try:
        table = await house.table(hello.table)
        who = await who_is(house, table, hello.token) if table is not None else Code.NO_TABLE
        table = await house.table(hello.table)  # it may have left the memory meanwhile
    except UnknownError as unknown:
        who = unknown.code
    except StoreError:
        who = Code.STORAGE
    if isinstance(who, Code) or table is None:
        connection.refuse(None, who if isinstance(who, Code) else Code.NO_TABLE)
        return None
    connection.person = who
    table.post(partial(table.arrive, connection))
    return table


async def who_is(house: House, table: Table, token: str | None) -> str | Code | None:
    """The person of a token; None without one."""
    if token is None:
        return None
    bearer = house.means.tokens.read(token)
    if bearer is None:
        return Code.BAD_TOKEN
    person = bearer.person
    if bearer.place is not None:
        places = table.situation.places
        if bearer.table != table.id or bearer.place >= len(places) or places[bearer.place].since != bearer.since:
            return Code.BAD_TOKEN
        person = places[bearer.place].person
    row = await house.means.people.find(person) if person is not None else None
    if row is None:
        return Code.BAD_TOKEN
    return Code.BANNED if row.banned else row.id
