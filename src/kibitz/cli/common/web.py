"""What the commands of the table share. Nothing of the server is imported before it is used."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from kibitz.extras import how_to_get, installed

if TYPE_CHECKING:
    from kibitz.web.settings import Settings
    from kibitz.web.store.sql import SqlStore

T = TypeVar("T")
NEEDED = (
    "pydantic",
    "fastapi",
    "uvicorn",
    "websockets",
    "sqlalchemy",
    "aiosqlite",
    "alembic",
    "openskill",
    "platformdirs",
)


def need_web() -> None:
    lacking = [name for name in NEEDED if not installed(name)]
    if lacking:
        raise ValueError(
            f"the table needs {lacking[0]}: {how_to_get('web')}; kibitz play plays in the terminal without it"
        )


def settings(database: str | None, data: Path | None, **more: Any) -> Settings:
    need_web()
    from kibitz.web.settings import Settings

    return Settings(database=database, data=data, **more)


def with_store(made: Settings, work: Callable[[SqlStore], Awaitable[T]]) -> T:
    """Opens the store beside a server that may be running, and closes it."""
    from kibitz.web.store.sql import SqlStore

    async def opened() -> T:
        store = await SqlStore.open(made.url(), alone=False)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(opened())
