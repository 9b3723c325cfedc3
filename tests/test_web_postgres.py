"""The table on PostgreSQL: Debian's, started here by an unprivileged user in a temporary folder.

Where it is not installed these tests are left out, unless KIBITZ_NEED_POSTGRES=1 says that they must run.
"""

from __future__ import annotations

import asyncio
import glob
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from web_common import Still, join, new_table, open_house, person, tell, until_asked
from web_process import LIMIT, Server, check_kept, kill_and_go_on

from kibitz.web.store.sql import SqlStore

TOOLS = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
NOBODY = 65534


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """The URL of a server of our own."""
    if not TOOLS:
        if os.environ.get("KIBITZ_NEED_POSTGRES") == "1":
            pytest.fail("PostgreSQL is not installed (apt install postgresql)")
        pytest.skip("PostgreSQL is not installed: the table is not tested on it")
    tools = Path(TOOLS[-1]).parent
    as_nobody = ["setpriv", f"--reuid={NOBODY}", "--clear-groups"] if os.getuid() == 0 else []
    with tempfile.TemporaryDirectory(prefix="kibitz-postgres-") as folder:
        if as_nobody:
            os.chown(folder, NOBODY, -1)
        data = f"{folder}/data"
        make = [*as_nobody, str(tools / "initdb"), "-D", data, "-U", "kibitz", "-A", "trust", "-N"]
        subprocess.run(make, stdout=subprocess.DEVNULL, check=True)
        control = [*as_nobody, str(tools / "pg_ctl"), "-D", data, "-w", "-l", f"{folder}/log"]
        options = f"-k {folder} -c listen_addresses=''"
        subprocess.run([*control, "-o", options, "start"], stdout=subprocess.DEVNULL, check=True)
        try:
            yield f"postgresql+asyncpg://kibitz@/postgres?host={folder}"
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

    asyncio.run(asyncio.wait_for(play(), LIMIT))


def test_killed_on_postgresql_it_loses_and_doubles_nothing(postgres: str, tmp_path: Path) -> None:
    server = Server(tmp_path, "--database", postgres)
    server.start()

    async def play() -> None:
        await check_kept(postgres, await kill_and_go_on(server, 50, 3))

    try:
        asyncio.run(asyncio.wait_for(play(), LIMIT))
    finally:
        server.stop()
