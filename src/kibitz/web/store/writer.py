"""One writer for all tables: what has gathered is committed together (group commit)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence

from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from kibitz.web.store.base import ConflictError, StoreError, Write

Job = Callable[[AsyncConnection], Awaitable[None]]
Together = Callable[[AsyncConnection, Sequence[Write]], Awaitable[None]]
MOST = 256  # of one transaction


class Writer:
    """Does what it is given in the order of its coming; a future is done when its transaction has been committed.

    `together` executes any number of writes with few statements: nearly all that comes are moves of different tables,
    which differ in nothing but their values.
    """

    def __init__(self, engine: AsyncEngine, together: Together) -> None:
        self._engine, self._together = engine, together
        self._waiting: asyncio.Queue[tuple[Write | Job, asyncio.Future[None]]] = asyncio.Queue()
        self._task = asyncio.create_task(self._run())
        self.commits = 0

    async def do(self, what: Write | Job) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait((what, done))
        # What was asked for is done even if nobody waits any more: a table that is cancelled leaves no half move.
        await asyncio.shield(done)

    async def close(self) -> None:
        """After what is waiting has been written."""
        await self._waiting.join()
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def _run(self) -> None:
        while True:
            batch = [await self._waiting.get()]
            while not self._waiting.empty() and len(batch) < MOST:
                batch.append(self._waiting.get_nowait())
            failed = await self._commit([what for what, _ in batch])
            self.commits += 1
            for number, (_, done) in enumerate(batch):
                self._waiting.task_done()
                if done.cancelled():
                    continue
                if number in failed:
                    done.set_exception(failed[number])
                else:
                    done.set_result(None)

    async def _commit(self, batch: list[Write | Job]) -> dict[int, Exception]:
        """What failed, by its place in the batch."""
        try:
            try:
                await self._at_once(batch)
                return {}
            except IntegrityError:  # one of them: which, and only that one, is found out by doing each alone
                return await self._one_by_one(batch)
        except (SQLAlchemyError, OSError) as problem:
            cause = problem.orig if isinstance(problem, DBAPIError) else problem
            # Not the statement: its parameters may be secret.
            return {number: StoreError(str(cause)) for number in range(len(batch))}

    async def _at_once(self, batch: list[Write | Job]) -> None:
        async with self._engine.begin() as connection:
            await self._together(connection, [what for what in batch if isinstance(what, Write)])
            for what in batch:
                if not isinstance(what, Write):
                    await what(connection)

    async def _one_by_one(self, batch: list[Write | Job]) -> dict[int, Exception]:
        failed: dict[int, Exception] = {}
        async with self._engine.begin() as connection:
            for number, what in enumerate(batch):
                try:
                    async with connection.begin_nested():  # one that fails takes no other with it
                        await (self._together(connection, [what]) if isinstance(what, Write) else what(connection))
                except IntegrityError as problem:
                    failed[number] = ConflictError(type(problem.orig).__name__)
        return failed
