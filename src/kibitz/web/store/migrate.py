"""Bringing a database up to the schema of this version, with a copy of the file before."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

MIGRATIONS = Path(__file__).parent / "migrations"


def migrate(connection: Connection, file: Path | None) -> None:
    """Runs inside the connection's transaction: all of it or nothing. ValueError for a database of a later version."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    scripts = ScriptDirectory.from_config(config)
    at = MigrationContext.configure(connection).get_current_revision()
    if at == scripts.get_current_head():
        return
    if at is not None and at not in {script.revision for script in scripts.walk_revisions()}:
        raise ValueError(f"the database is of a later version of Kibitz (its schema is {at}): use that version")
    if at is None and inspect(connection).has_table("tables"):
        raise ValueError("the database has a table `tables` that is not ours: use another database")
    if at is not None and file is not None:
        copy_sqlite(file, file.with_name(f"{file.name}.before-{scripts.get_current_head()}"))
    command.upgrade(config, "head")


def copy_sqlite(source: Path, target: Path) -> None:
    """A consistent copy, while others write."""
    with sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True) as old:
        beside = target.with_name(f".{target.name}.tmp")
        beside.unlink(missing_ok=True)
        with sqlite3.connect(beside) as new:
            old.backup(new)
        new.close()
    old.close()
    beside.replace(target)
