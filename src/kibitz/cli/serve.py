"""kibitz serve: the table, for the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cyclopts import App

from kibitz.cli.common import inputs
from kibitz.cli.common.web import need_web

app = App(
    name="serve",
    help_epilogue="""Examples:
    kibitz
    kibitz serve --port 9000
    kibitz serve --host 0.0.0.0 --database postgresql://kibitz@localhost/kibitz
    kibitz serve --host 127.0.0.1 --trusted-proxy 127.0.0.1 --origin https://cards.example.org
""",
)

HOST, PORT = "127.0.0.1", 8420


@app.default
def serve(
    *,
    host: str = HOST,
    port: Annotated[int, inputs.whole(0, 65535)] = PORT,
    database: str | None = None,
    data: Path | None = None,
    agents: Path | None = None,
    rulesheets: Path | None = None,
    max_tables: Annotated[int, inputs.whole(1, 100_000)] = 1000,
    per_address: Annotated[int, inputs.whole(1, 100_000)] = 40,
    trusted_proxy: str | None = None,
    origin: list[str] | None = None,
    pace: Annotated[float, inputs.number(0.01, 60)] = 0.8,
    threads: inputs.Threads = 0,
    keep_days: Annotated[int, inputs.whole(1, 36_500)] = 365,
    browser: inputs.Flag = False,
) -> None:
    """Serve the table, where people play in the browser against agents and with each other.

    Parameters
    ----------
    host
        Address to listen on; only this machine if left out.
    port
        0: one that is free.
    database
        sqlite:///FILE or postgresql://USER@HOST/NAME; a file in the data folder if left out.
    data
        Folder for the database and the rulesheets; the user's own if left out.
    agents
        TOML file with further agents that people may play against, a table [GAME] of "name" = "spec".
    rulesheets
        Folder with rulesheets (*.kif) that can be played; `rulesheets` in the data folder if left out.
    max_tables
        Tables in memory at once.
    per_address
        Connections of one address at once.
    trusted_proxy
        Address of a reverse proxy whose X-Forwarded-For and X-Forwarded-Proto are believed.
    origin
        Origin of the page beside the server's own; may be given repeatedly.
    pace
        Seconds between the moves of bots.
    keep_days
        How long finished games and guests who do not come back are kept.
    browser
        Open the page.
    """
    where = {"host": host, "port": port, "trusted_proxy": trusted_proxy, "origins": tuple(origin or ())}
    what = {"database": database, "data": data, "agents": agents, "rulesheets": rulesheets, "keep_days": keep_days}
    limits = {"max_tables": max_tables, "per_address": per_address}
    start(browser, **where, **what, **limits, pace=pace, threads=threads)


def start(browse: bool, **settings: Any) -> None:
    """Imported late: nobody else should wait for the server's packages."""
    need_web()
    from kibitz.web.run import run
    from kibitz.web.settings import Settings

    run(Settings(**settings), browse)
