"""kibitz export: the finished games of the table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import App

from kibitz.cli.common.web import settings, with_store
from kibitz.record_files import check_target, writing_all

if TYPE_CHECKING:
    from kibitz.web.store.sql import SqlStore

app = App(
    name="export",
    help_epilogue="""Examples:
    kibitz export games.jsonl
    kibitz export games --database postgresql://kibitz@localhost/kibitz
""",
)


@app.default
def export(
    to: Path, /, *, database: str | None = None, data: Path | None = None, rulesheets: Path | None = None
) -> None:
    """Write the finished deals of the table as records (docs/records.md), everything open, without names of people.

    Parameters
    ----------
    to
        A file that ends in .jsonl, with a record in each line; or a new folder, with a file for each.
    database
        As for kibitz serve.
    data
        As for kibitz serve.
    rulesheets
        As for kibitz serve.
    """
    made = settings(database, data, rulesheets=rulesheets)
    check_target(to)

    async def work(store: SqlStore) -> tuple[int, int]:
        from kibitz.web.catalogue import Catalogue
        from kibitz.web.records import finished_tables, records

        catalogue, written, lost = Catalogue.of(made), 0, 0
        with writing_all(to) as add:
            async for saved in finished_tables(store):
                try:
                    found = records(saved, catalogue)
                except ValueError:  # its rulesheet has gone or changed
                    lost += 1
                    continue
                for record in found.values():
                    add(record)
                written += len(found)
        return written, lost

    written, lost = with_store(made, work)
    print(f"{written} deals were written to {to}")
    if lost:
        print(f"{lost} tables were left out: their rulesheets are not there any more, or were changed")
