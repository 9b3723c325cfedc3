"""A store in SQLite or PostgreSQL, by SQLAlchemy Core."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sqlalchemy import Row, Select, Table, Update, delete, event, exists, func, insert, select, text, update
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from kibitz.web.secret import Secret
from kibitz.web.store import schema
from kibitz.web.store.base import DealRow, Entry, Finished, PersonRow, Saved, StoreError, TableRow, Write
from kibitz.web.store.migrate import migrate
from kibitz.web.store.writer import Writer
from kibitz.web.wire import GONE

LOCK = 7_465_001  # of PostgreSQL: one server per database
IDS = 500  # of one query


class SqlStore:
    """Use `SqlStore.open(url)`."""

    def __init__(self, engine: AsyncEngine, readers: AsyncEngine, key: Secret[bytes], lock: AsyncConnection | None):
        self._engine, self._readers, self._lock = engine, readers, lock
        self.key = key  # that tokens are signed with
        self.writer = Writer(engine, _together)

    @classmethod
    async def open(cls, url: str | URL, alone: bool = True) -> SqlStore:
        """Connects, brings the schema up to date, makes a key where there is none. ValueError says what is wrong."""
        file = sqlite_file(url)
        writing, reading = _engine(url, "BEGIN IMMEDIATE", 1), _engine(url, "BEGIN", 4)
        try:
            lock = await _alone(reading) if alone and file is None else None
            async with writing.begin() as connection:
                await connection.run_sync(migrate, file)
                key = await _signing_key(connection)
        except (SQLAlchemyError, OSError) as problem:
            await writing.dispose()
            await reading.dispose()
            where = make_url(url).render_as_string(hide_password=True)
            raise ValueError(f"cannot use the database {where}: {_cause(problem)}") from None
        except ValueError:
            await writing.dispose()
            await reading.dispose()
            raise
        return cls(writing, reading, key, lock)

    async def close(self) -> None:
        await self.writer.close()
        if self._lock is not None:
            await self._lock.close()
        await self._engine.dispose()
        await self._readers.dispose()

    async def append(self, write: Write) -> None:
        await self.writer.do(write)

    async def load(self, table: str) -> Saved | None:
        entries = select(schema.entries).where(schema.entries.c.table == table).order_by(schema.entries.c.n)
        deals = select(schema.deals).where(schema.deals.c.table == table).order_by(schema.deals.c.deal)
        found = await self._rows(select(schema.tables).where(schema.tables.c.id == table))
        if not found:
            return None
        return Saved(
            _table(found[0]),
            [_deal(row) for row in await self._rows(deals)],
            [_entry(row) for row in await self._rows(entries)],
        )

    async def tables(self, ids: Sequence[str]) -> list[TableRow]:
        return [_table(row) for row in await self._with_ids(schema.tables, ids)]

    async def finished(self, which: Finished) -> list[tuple[TableRow, DealRow]]:
        deal, table = schema.deals.c, schema.tables.c
        query = select(schema.tables, schema.deals).join_from(schema.deals, schema.tables, deal.table == table.id)
        if not which.unfinished:
            query = query.where(deal.finished.is_not(None), deal.finished >= which.since)
        if which.named is not None:
            query = query.where(table.named == which.named)
        if which.table is not None:
            query = query.where(table.id == which.table)
        if which.mode is not None:
            query = query.where(table.mode == which.mode)
        if which.games:
            query = query.where(table.game.in_(which.games))
        if which.person is not None:
            entry = schema.entries.c
            query = query.where(exists().where(entry.table == table.id, entry.person == which.person))
        rows = await self._rows(query.order_by(deal.finished, deal.table, deal.deal))
        return [(_table(row), _deal(row)) for row in rows]

    async def people(self, ids: Sequence[str]) -> list[PersonRow]:
        return [PersonRow(**row._mapping) for row in await self._with_ids(schema.people, ids)]

    async def person_by_key(self, key: str) -> PersonRow | None:
        rows = await self._rows(select(schema.people).where(schema.people.c.key == key))
        return PersonRow(**rows[0]._mapping) if rows else None

    async def save_person(self, person: PersonRow) -> None:
        async def job(connection: AsyncConnection) -> None:
            values = asdict(person)
            own = {name: value for name, value in values.items() if name not in ("muted", "banned")}
            changed = await connection.execute(update(schema.people).where(schema.people.c.id == person.id).values(own))
            if changed.rowcount == 0:
                await connection.execute(insert(schema.people), values)

        await self.writer.do(job)

    async def judge(self, id: str, **flags: bool) -> None:
        """What the operator decides about a person: muted, banned."""

        async def job(connection: AsyncConnection) -> None:
            await connection.execute(update(schema.people).where(schema.people.c.id == id).values(flags))

        await self.writer.do(job)

    async def delete_person(self, id: str) -> None:
        gone = GONE + secrets.token_hex(8)  # a new one each time: two people who have gone stay two

        async def job(connection: AsyncConnection) -> None:
            await connection.execute(update(schema.entries).where(schema.entries.c.person == id).values(person=gone))
            await connection.execute(update(schema.tables).where(schema.tables.c.host == id).values(host=None))
            await connection.execute(delete(schema.says).where(schema.says.c.person == id))
            await connection.execute(delete(schema.people).where(schema.people.c.id == id))

        await self.writer.do(job)

    async def forget(self, before: int) -> int:
        async def job(connection: AsyncConnection) -> None:
            of, entry, person = schema.tables.c, schema.entries.c, schema.people.c
            lately = exists().where(entry.table == of.id, entry.at >= before)
            await connection.execute(delete(schema.tables).where(of.created < before, ~lately))
            plays = exists().where(entry.person == person.id)
            await connection.execute(delete(schema.people).where(person.seen < before, person.key.is_(None), ~plays))

        await self.writer.do(job)
        return int((await self._rows(select(func.count()).select_from(schema.people)))[0][0])

    async def _with_ids(self, table: Table, ids: Sequence[str]) -> list[Row[Any]]:
        """In pieces: databases bound the length of a list. Also without ids, so that asking for none asks."""
        found: list[Row[Any]] = []
        for first in range(0, max(1, len(ids)), IDS):
            found += await self._rows(select(table).where(table.c.id.in_(ids[first : first + IDS])))
        return found

    async def _rows(self, query: Select[Any]) -> Sequence[Row[Any]]:
        try:
            async with self._readers.connect() as connection:
                found: Sequence[Row[Any]] = (await connection.execute(query)).all()
                return found
        except (SQLAlchemyError, OSError) as problem:
            raise StoreError(_cause(problem)) from None


def sqlite_file(url: str | URL) -> Path | None:
    made = make_url(url)
    return Path(made.database) if made.get_backend_name() == "sqlite" and made.database else None


def _engine(url: str | URL, begin: str, size: int) -> AsyncEngine:
    """`begin`: how transactions of SQLite begin; a writer takes the lock at once, or it might fail in the middle."""
    if make_url(url).get_backend_name() != "sqlite":
        return create_async_engine(url, pool_size=size, max_overflow=0, pool_pre_ping=True)
    engine = create_async_engine(url, connect_args={"timeout": 5.0}, pool_size=size, max_overflow=0)

    @event.listens_for(engine.sync_engine, "connect")
    def set_up(connection: Any, _: object) -> None:
        connection.isolation_level = None  # SQLAlchemy begins transactions, not the driver
        cursor = connection.cursor()
        # FULL: what was committed is on the disk, also when the power fails.
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def start(connection: Any) -> None:
        connection.exec_driver_sql(begin)

    return engine


async def _alone(engine: AsyncEngine) -> AsyncConnection:
    """Two servers would number the same table's moves twice: PostgreSQL keeps the second one out."""
    connection = await engine.connect()
    got = (await connection.execute(text("SELECT pg_try_advisory_lock(:lock)"), {"lock": LOCK})).scalar()
    await connection.commit()
    if not got:
        await connection.close()
        raise ValueError("another server uses this database: stop it, or use another --database")
    return connection


async def _signing_key(connection: AsyncConnection) -> Secret[bytes]:
    found = (await connection.execute(select(schema.meta.c.value).where(schema.meta.c.key == "key"))).scalar()
    if found is None:
        found = secrets.token_hex(32)
        await connection.execute(insert(schema.meta), {"key": "key", "value": found})
    return Secret(bytes.fromhex(found))


def _cause(problem: BaseException) -> str:
    return str(getattr(problem, "orig", None) or problem)


async def _together(connection: AsyncConnection, writes: Sequence[Write]) -> None:
    """New rows of each kind with one statement, what they refer to before them; then what changes rows."""
    rows: dict[Table, list[dict[str, Any]]] = {
        schema.tables: [_table_values(write.created) for write in writes if write.created is not None],
        schema.deals: [_deal_values(write.table, write.dealt) for write in writes if write.dealt is not None],
        schema.entries: [vars(entry) | {"table": write.table} for write in writes for entry in write.entries],
        schema.says: [_said_values(write.table, *write.said) for write in writes if write.said is not None],
    }
    for table, values in rows.items():
        if values:
            await connection.execute(insert(table), values)
    for write in writes:
        for change in _changes(write):
            await connection.execute(change)


def _changes(write: Write) -> Iterator[Update]:
    if write.finished is not None:
        of = schema.deals.c
        ended = update(schema.deals).where(of.table == write.table, of.deal == write.finished.deal)
        yield ended.values(payoffs=json.dumps(write.finished.payoffs), finished=write.finished.finished)
    if write.status is not None:
        yield update(schema.tables).where(schema.tables.c.id == write.table).values(status=write.status)


def _table_values(row: TableRow) -> dict[str, Any]:
    return vars(row) | {"options": json.dumps(row.options, sort_keys=True)}


def _said_values(table: str, person: str, phrase: str, at: int) -> dict[str, Any]:
    return {"table": table, "person": person, "phrase": phrase, "at": at}


def _deal_values(table: str, deal: DealRow) -> dict[str, Any]:
    return {
        "table": table,
        "deal": deal.deal,
        "seed": str(deal.seed.open()),
        "salt": deal.salt.open(),
        "hash": deal.hash,
        "started": deal.started,
        "start": None if deal.start is None else deal.start.open(),
    }


def _table(row: Row[Any]) -> TableRow:
    names = TableRow.__dataclass_fields__
    values = {name: row._mapping[schema.tables.c[name]] for name in names}
    return TableRow(**values | {"options": json.loads(values["options"])})


def _deal(row: Row[Any]) -> DealRow:
    values = {name: row._mapping[schema.deals.c[name]] for name in DealRow.__dataclass_fields__}
    payoffs = json.loads(values["payoffs"]) if values["payoffs"] is not None else None
    secret: dict[str, Any] = {"seed": Secret(int(values["seed"])), "salt": Secret(values["salt"])}
    secret["start"] = None if values["start"] is None else Secret(values["start"])
    return DealRow(**values | secret | {"payoffs": payoffs})


def _entry(row: Row[Any]) -> Entry:
    return Entry(**{name: row._mapping[schema.entries.c[name]] for name in Entry.__dataclass_fields__})
