"""kibitz backup: a copy of the table's database while it is used."""

from __future__ import annotations

from pathlib import Path

from cyclopts import App

from kibitz.cli.common.web import settings
from kibitz.files import check_writable

app = App(
    name="backup",
    help_epilogue="""Examples:
    kibitz backup table-backup.sqlite
    kibitz backup /backups/table.sqlite --data /var/lib/kibitz
""",
)


@app.default
def backup(to: Path, /, *, database: str | None = None, data: Path | None = None) -> None:
    """Copy the table's SQLite database, also while a server uses it. (For PostgreSQL use pg_dump.)

    Parameters
    ----------
    to
        The file to write; one that is there is replaced.
    database
        As for kibitz serve.
    data
        As for kibitz serve.
    """
    made = settings(database, data)
    from kibitz.web.store.migrate import copy_sqlite
    from kibitz.web.store.sql import sqlite_file

    file = sqlite_file(made.url())
    if file is None:
        raise ValueError("kibitz backup copies SQLite databases; for PostgreSQL use pg_dump")
    if not file.is_file():
        raise ValueError(f"there is no database {file}")
    check_writable(to)
    copy_sqlite(file, to)
    print(f"{file} was copied to {to}")
