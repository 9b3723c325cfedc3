"""kibitz admin: what an operator of the table can do about people and tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from cyclopts import App

from kibitz.cli.common.web import settings, with_store

if TYPE_CHECKING:
    from kibitz.web.store.sql import SqlStore

app = App(
    name="admin",
    help_epilogue="""Examples:
    kibitz admin close TABLE
    kibitz admin mute PERSON
    kibitz admin ban PERSON --database postgresql://kibitz@localhost/kibitz
    kibitz admin delete PERSON
""",
)

FLAGS = {"mute": {"muted": True}, "unmute": {"muted": False}, "ban": {"banned": True}, "unban": {"banned": False}}


@app.default
def admin(
    what: Literal["close", "mute", "unmute", "ban", "unban", "delete"],
    who: str,
    /,
    *,
    database: str | None = None,
    data: Path | None = None,
) -> None:
    """Close a table; mute or ban a person; delete a person's data. A running server notices within a minute.

    Parameters
    ----------
    what
        close (a table), mute, unmute, ban, unban or delete (a person).
    who
        The id of the table or of the person; the page and the log show it.
    database
        As for kibitz serve.
    data
        As for kibitz serve.
    """

    async def work(store: SqlStore) -> None:
        if what == "close":
            await _close(store, who)
            return
        if not await store.people([who]):
            raise ValueError(f"there is no person {who!r}")
        if what == "delete":
            await store.delete_person(who)
        else:
            await store.judge(who, **FLAGS[what])

    with_store(settings(database, data), work)
    print(f"{what} {who}: done")


async def _close(store: SqlStore, table: str) -> None:
    from kibitz.web.store.base import Write

    if not await store.tables([table]):
        raise ValueError(f"there is no table {table!r}")
    await store.append(Write(table, status="closed"))
