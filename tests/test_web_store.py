"""The store: migrations, conflicts, a locked database, PostgreSQL; and the HTTP API under schemathesis."""

from __future__ import annotations

import asyncio
import glob
import json
import os
import sqlite3
import subprocess
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
from starlette.testclient import TestClient
from test_web_server import Server, _players
from web_common import Still, join, new_table, open_house, person, tell, until_asked

from kibitz.web.app import make_app
from kibitz.web.limits import Buckets
from kibitz.web.settings import Settings
from kibitz.web.store import schema
from kibitz.web.store.base import ConflictError, Entry, StoreError, TableRow, Write
from kibitz.web.store.sql import SqlStore

TOOLS = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))


def url(folder: Path) -> str:
    return f"sqlite+aiosqlite:///{folder / 'table.sqlite'}"


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


def test_a_locked_database_loses_nothing(tmp_path: Path) -> None:
    async def write() -> None:
        store = await SqlStore.open(url(tmp_path))
        await store.append(Write("a", created=row("a")))
        other = sqlite3.connect(tmp_path / "table.sqlite", isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError):
            await store.append(Write("b", created=row("b")))
        other.execute("ROLLBACK")
        other.close()
        await store.append(Write("b", created=row("b")))
        assert {found.id for found in await store.tables(["a", "b", "c"])} == {"a", "b"}
        await store.close()

    asyncio.run(write())


def test_what_a_deleted_person_leaves(tmp_path: Path) -> None:
    async def delete() -> None:
        house = await open_house(tmp_path, Still())
        me = await person(house, "Ada")
        table = await house.create(me, new_table("tictactoe"))
        await house.means.people.delete(me)
        saved = await house.means.store.load(table.id)
        assert saved is not None
        assert [entry.person for entry in saved.entries if entry.kind == "sit"] == ["somebody"]
        assert await house.means.store.people([me]) == []
        await house.close()

    asyncio.run(delete())


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A PostgreSQL server of our own, run by nobody in particular, in a temporary folder."""
    if not TOOLS:
        pytest.skip("PostgreSQL is not installed")
    tools, folder = Path(TOOLS[-1]).parent, tmp_path_factory.mktemp("postgres")
    somebody = ["setpriv", "--reuid", "65534", "--clear-groups"] if os.getuid() == 0 else []
    for parent in [folder, *folder.parents][:4]:
        if parent.stat().st_uid == os.getuid() and str(parent).startswith("/tmp/pytest"):
            parent.chmod(0o755)
    data = folder / "data"
    data.mkdir()
    if somebody:
        os.chown(data, 65534, -1)
    data.chmod(0o700)
    subprocess.run(
        [*somebody, tools / "initdb", "-D", data, "-U", "kibitz", "-A", "trust", "-N"],
        stdout=subprocess.DEVNULL,
        check=True,
    )
    options = f"-k {data} -c listen_addresses=''"
    control = [*somebody, str(tools / "pg_ctl"), "-D", str(data), "-w"]
    subprocess.run([*control, "-l", str(data / "log"), "-o", options, "start"], stdout=subprocess.DEVNULL, check=True)
    try:
        yield f"postgresql+asyncpg://kibitz@/postgres?host={data}"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], stdout=subprocess.DEVNULL, check=True)


def test_a_game_on_postgresql(postgres: str, tmp_path: Path) -> None:
    async def play() -> None:
        still = Still()
        house = await open_house(tmp_path, still, database=postgres)
        with pytest.raises(ValueError, match="another server"):
            await SqlStore.open(postgres)
        me = await person(house, "Ada")
        table = await house.create(me, new_table("uno", level="beginner"))
        client = await join(table, me)
        while (view := await until_asked(table, still, client)) is not None:
            action = view["choices"][0]["action"]
            await tell(table, client, type="act", cid=f"c{view['turn']}", turn=view["turn"], action=action)
        again = await join(table, me)
        await house.close()
        house = await open_house(tmp_path, still, seed=5, database=postgres)
        replayed = await house.table(table.id)
        assert replayed is not None
        assert (await join(replayed, me)).frames == again.frames
        await house.close()

    asyncio.run(asyncio.wait_for(play(), 120))


def test_killed_on_postgresql(postgres: str, tmp_path: Path) -> None:
    server = Server(tmp_path, "--database", postgres)
    server.start()

    async def play() -> None:
        players = await _players(server, 8)
        games = [asyncio.create_task(player.play()) for player in players]
        while sum(len(player.acked) for player in players) < 20:
            await asyncio.sleep(0.01)
        server.kill()
        server.start()
        await asyncio.gather(*games)

    try:
        asyncio.run(asyncio.wait_for(play(), 100))
    finally:
        server.stop()


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
