"""kibitz report: the report of a tournament, again from its store."""

from __future__ import annotations

from pathlib import Path

from cyclopts import App

from kibitz.arena import report as reports
from kibitz.arena.store import Store
from kibitz.arena.summary import summary
from kibitz.terminal import screen

app = App(
    name="report",
    help_epilogue="""Examples:
    kibitz report uno.db
    kibitz report uno.db --out report

The page, report.html, has everything in it and loads nothing. The same store gives the same bytes.
""",
)


@app.default
def report(store: Path, /, *, out: Path | None = None) -> None:
    """Print the report of a tournament as Markdown, or write it: Markdown, CSV, JSON, and a page with plots.

    Parameters
    ----------
    store
        The SQLite file of the tournament, also of one that is still being played.
    out
        The folder to write to.
    """
    with Store(store) as opened:
        found = summary(opened)
    if out is None:
        print(reports.markdown(found), end="")
        return
    for path in reports.write(found, out):
        screen.note(f"written: {path}")
