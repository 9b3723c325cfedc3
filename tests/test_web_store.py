"""The store: migrations, conflicts, people who go; and the HTTP API under schemathesis."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from hypothesis import HealthCheck, settings
from schemathesis.core import NotSet
from sqlalchemy.engine import URL
from starlette.testclient import TestClient
from web_common import Still, new_table, open_house, person

from kibitz.web.app import make_app
from kibitz.web.limits import Buckets
from kibitz.web.settings import Settings
from kibitz.web.store import migrate, schema
from kibitz.web.store.base import ConflictError, Entry, TableRow, Write
from kibitz.web.store.sql import SqlStore


def url(folder: Path) -> URL:
    return Settings(data=folder).url()


def row(id: str) -> TableRow:
    return TableRow(id, "uno", {}, None, None, False, True, None, 0)


def test_the_migrations_give_the_schema(tmp_path: Path) -> None:
    async def compare() -> None:
        store = await SqlStore.open(url(tmp_path))
        async with store._engine.begin() as connection:
            found = await connection.run_sync(
                lambda sync: compare_metadata(MigrationContext.configure(sync), schema.metadata)
            )
        assert found == []
        await store.close()

    asyncio.run(compare())


def test_a_conflict_takes_no_other_write_with_it(tmp_path: Path) -> None:
    async def write() -> None:
        store = await SqlStore.open(url(tmp_path))
        entry = Entry(1, 0, "bot", 0, 0, level="club", cid="a")
        await store.append(Write("a", [entry], created=row("a")))
        done = await asyncio.gather(
            store.append(Write("a", [entry])),
            store.append(Write("b", [entry], created=row("b"))),
            store.append(Write("a", [Entry(2, 0, "bot", 0, 0, level="club", cid="a")])),
            return_exceptions=True,
        )
        assert [type(answer) for answer in done] == [ConflictError, type(None), ConflictError]
        assert store.writer.commits == 2
        saved = await store.load("b")
        assert saved is not None
        assert saved.entries == [entry]
        await store.close()

    asyncio.run(write())


def test_the_file_is_copied_before_it_is_migrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a next revision, which adds a column; a program without it refuses the file."""
    later = tmp_path / "later"
    shutil.copytree(migrate.MIGRATIONS, later)
    (later / "versions" / "0005_more.py").write_text(NEXT)
    folder = tmp_path / "data #1?"  # a path that is no URL
    folder.mkdir()

    async def open_twice() -> None:
        store = await SqlStore.open(url(folder))
        await store.append(Write("a", created=row("a")))
        await store.close()
        with monkeypatch.context() as patch:
            patch.setattr(migrate, "MIGRATIONS", later)
            store = await SqlStore.open(url(folder))
            assert [found.id for found in await store.tables(["a"])] == ["a"]
            await store.close()
        with pytest.raises(ValueError, match="later version"):
            await SqlStore.open(url(folder))

    asyncio.run(open_twice())
    for name, columns in (("table.sqlite", 14), ("table.sqlite.before-0005", 13)):
        with sqlite3.connect(folder / name) as database:
            assert len(database.execute("SELECT * FROM tables").fetchone()) == columns
        database.close()


NEXT = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "0005", "0004"


def upgrade():
    op.add_column("tables", sa.Column("more", sa.Integer()))
"""


def test_tables_from_before_there_were_modes_are_casual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    early = tmp_path / "early"
    shutil.copytree(migrate.MIGRATIONS, early)
    for later in ("0002_modes.py", "0003_starts.py", "0004_named.py"):
        (early / "versions" / later).unlink()

    async def open_twice() -> None:
        with monkeypatch.context() as patch:
            patch.setattr(migrate, "MIGRATIONS", early)
            await (await SqlStore.open(url(tmp_path))).close()
        with sqlite3.connect(tmp_path / "table.sqlite") as database:
            database.execute("INSERT INTO tables VALUES ('a', 'uno', '{}', NULL, NULL, 0, 1, NULL, 'over', 0)")
        database.close()
        store = await SqlStore.open(url(tmp_path))
        assert [found.mode for found in await store.tables(["a"])] == ["casual"]
        await store.close()

    asyncio.run(open_twice())


def test_what_a_deleted_person_leaves(tmp_path: Path) -> None:
    async def delete() -> None:
        house = await open_house(tmp_path, Still())
        me = await person(house, "Ada")
        table = await house.create(me, new_table("tictactoe"))
        await house.means.people.delete(me)
        saved = await house.means.store.load(table.id)
        assert saved is not None
        (left,) = [entry.person for entry in saved.entries if entry.kind == "sit"]
        assert left is not None
        assert left.startswith("somebody-")
        assert await house.means.store.people([me]) == []
        await house.close()

    asyncio.run(delete())


APP = make_app(Settings(data=Path(tempfile.mkdtemp(prefix="kibitz-api-"))))
API = schemathesis.openapi.from_dict(APP.openapi())


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(APP, base_url="http://localhost") as opened:
        APP.state.requests = APP.state.makings = Buckets(Still(), 1.0, 1e9)
        made = opened.post("/api/people", json={"name": "Ada"}).json()
        opened.headers["Authorization"] = f"Bearer {made['token']}"
        yield opened


@API.parametrize()
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_the_api_never_fails(case: schemathesis.Case[Any], client: TestClient) -> None:
    sent = None if isinstance(case.body, NotSet) else json.dumps(case.body, default=str).encode()
    head = {"Content-Type": "application/json"}
    answer = client.request(case.method, case.formatted_path, params=case.query or {}, content=sent, headers=head)
    assert answer.status_code < 500, (case.method, case.formatted_path)
    assert answer.headers["content-type"].startswith("application/json")
