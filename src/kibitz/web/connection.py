"""A client's socket: reading with limits, writing through one exit."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from pydantic import TypeAdapter, ValidationError

from kibitz.web import seen, wire
from kibitz.web.limits import Bucket
from kibitz.web.means import Means
from kibitz.web.seen import EVERYBODY, Audience, Seen
from kibitz.web.wire import Code

log = logging.getLogger("kibitz.web")
OUTBOX = 64  # messages on their way; who is slower than that connects again
SEND_SECONDS = 5.0
RATE, BURST = 10.0, 40.0  # messages of a client
PATIENCE = 100  # refused messages, then it is hung up
POLICY, TRY_LATER, GOING_AWAY = 1008, 1013, 1001  # closing codes

_MESSAGES: TypeAdapter[wire.ClientMessage] = TypeAdapter(wire.ClientMessage)


class Connection:
    """What a table knows of a client. `send` is the only way to it, and compares audiences."""

    def __init__(self, means: Means, write: Callable[[str], Awaitable[None]]) -> None:
        self.person: str | None = None
        self.audience: Audience = EVERYBODY
        self.closing: int | None = None
        self._means, self._write = means, write
        self._outbox: asyncio.Queue[str | None] = asyncio.Queue()
        self._bucket = Bucket(RATE, BURST, at=means.timing.now())
        self._refusals = 0

    def send(self, seen: Seen) -> None:
        if seen.audience not in (EVERYBODY, self.audience):
            log.error("a message for another audience was held back")
            self.hang_up(POLICY)
            return
        if self.closing is not None:
            return
        if self._outbox.qsize() >= OUTBOX:
            self._means.counts.slow_clients += 1
            self.hang_up(TRY_LATER)
            return
        self._outbox.put_nowait(seen.text)

    def hang_up(self, code: int) -> None:
        if self.closing is None:
            self.closing = code
            self._outbox.put_nowait(None)

    def read(self, text: str) -> wire.ClientMessage | None:
        """A message, or None, and then it has been refused."""
        if not self._bucket.take(self._means.timing.now()):
            self.refuse(None, Code.TOO_FAST)
            return None
        if len(text.encode(errors="replace")) > wire.MAX_FRAME:
            self.refuse(None, Code.TOO_LARGE)
            return None
        try:
            return _MESSAGES.validate_json(text)
        except (ValidationError, ValueError, RecursionError):
            self.refuse(None, Code.BAD_MESSAGE)
            return None

    def refuse(self, cid: str | None, code: Code) -> None:
        self._means.counts.refuse(code.value)
        self._refusals += 1
        self.send(seen.refused(cid, code))
        if self._refusals > PATIENCE:
            self.hang_up(POLICY)

    async def write_all(self) -> None:
        """The writer: until it is hung up, or the client is too slow."""
        while (text := await self._outbox.get()) is not None:
            try:
                await asyncio.wait_for(self._write(text), SEND_SECONDS)
            except Exception:  # whatever the socket has against it: the reader hears of it, too
                self.closing = self.closing or TRY_LATER
                return

    @staticmethod
    async def end(task: asyncio.Task[None]) -> None:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
