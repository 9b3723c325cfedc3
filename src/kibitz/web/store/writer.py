"""One writer for all tables: what has gathered is committed together (group commit)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from kibitz.web.store.base import ConflictError, StoreError

Job = Callable[[AsyncConnection], Awaitable[None]]
MOST = 256  # jobs of one transaction


class Writer:
    """Runs jobs in the order of their coming. A job's future is done when its transaction has been committed."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._waiting: asyncio.Queue[tuple[Job, asyncio.Future[None]]] = asyncio.Queue()
        self._task = asyncio.create_task(self._run())
        self.commits = 0

    async def do(self, job: Job) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait((job, done))
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
            await self._commit(batch)
            for _ in batch:
                self._waiting.task_done()

    async def _commit(self, batch: list[tuple[Job, asyncio.Future[None]]]) -> None:
        failed: dict[int, Exception] = {}
        try:
            async with self._engine.begin() as connection:
                for number, (job, _) in enumerate(batch):
                    try:
                        async with connection.begin_nested():  # one that fails takes no other with it
                            await job(connection)
                    except IntegrityError as problem:
                        failed[number] = ConflictError(type(problem.orig).__name__)
        except (SQLAlchemyError, OSError) as problem:
            cause = problem.orig if isinstance(problem, DBAPIError) else problem
            # Not the statement: its parameters may be secret.
            failed = {number: StoreError(str(cause)) for number in range(len(batch))}
        self.commits += 1
        for number, (_, done) in enumerate(batch):
            if done.cancelled():
                continue
            if number in failed:
                done.set_exception(failed[number])
            else:
                done.set_result(None)
