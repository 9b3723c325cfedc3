"""kibitz export: the finished games of the table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import App

from kibitz.cli.common.web import settings, with_store
from kibitz.files import write_atomically

if TYPE_CHECKING:
    from kibitz.web.store.sql import SqlStore

app = App(
    name="export",
    help_epilogue="""Examples:
    kibitz export games
    kibitz export games --database postgresql://kibitz@localhost/kibitz
""",
)


@app.default
def export(folder: Path, /, *, database: str | None = None, data: Path | None = None) -> None:
    """Write the finished deals of the table, a JSON file each, as kibitz verify reads them.

    Parameters
    ----------
    folder
        Where to; made if it is missing.
    database
        As for kibitz serve.
    data
        As for kibitz serve.
    """
    made = settings(database, data)
    folder.mkdir(parents=True, exist_ok=True)

    async def work(store: SqlStore) -> int:
        from kibitz.web.records import finished_deals

        number = 0
        async for record in finished_deals(store):
            name = f"{record['table']}-{record['deal']}.json"
            write_atomically(folder / name, json.dumps(record, indent=1) + "\n")
            number += 1
        return number

    print(f"{with_store(made, work)} deals were written to {folder}")
