"""Starting the server."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator
from typing import TextIO

import uvicorn
from fastapi import FastAPI

from kibitz.files import alone
from kibitz.web.app import make_app
from kibitz.web.house import House
from kibitz.web.settings import Settings
from kibitz.web.wire import MAX_FRAME

_FIELDS = ("table", "problem", "spec")


class _Lines(logging.Formatter):
    """One JSON object a line: when, how bad, what, and a few known fields. Never a position, a token or an address."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, object] = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "what": record.getMessage() if record.name.startswith("kibitz") else _first_words(record),
        }
        said |= {name: getattr(record, name) for name in _FIELDS if hasattr(record, name)}
        if record.exc_info and record.exc_info[0] is not None:
            # Where, not with what: a message or a value could have a card in it.
            trace, frames = record.exc_info[2], []
            while trace is not None:
                frames.append(f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}")
                trace = trace.tb_next
            said |= {"error": record.exc_info[0].__name__, "trace": frames}
        return json.dumps(said)


def _first_words(record: logging.LogRecord) -> str:
    """Of what a library says: what comes after them may show values of ours."""
    return " ".join(str(record.msg).partition("\n")[0].partition("%")[0].split()[:12])


def log_to(stream: TextIO) -> None:
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_Lines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)


class _Server(uvicorn.Server):
    """Says when it can be reached (with port 0 the system has chosen one), and farewell before it ends."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, ready: Callable[[int], None]) -> None:
        super().__init__(config)
        self._app, self._ready = app, ready

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Clients hear that the server restarts before their sockets are closed."""
        house: House = self._app.state.house
        await house.farewell()
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and self.servers:
            self._ready(self.servers[0].sockets[0].getsockname()[1])


def run(settings: Settings, browse: bool = False) -> None:
    """Until it is told to stop. ValueError if another server is at work on the same data."""
    log_to(sys.stderr)
    for chatty in ("uvicorn", "uvicorn.error", "uvicorn.access", "alembic"):  # they would log addresses of clients
        logging.getLogger(chatty).setLevel(logging.WARNING)

    def ready(port: int) -> None:
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        url = f"http://{'127.0.0.1' if host in ('0.0.0.0', '[::]') else host}:{port}/"
        print(f"Kibitz is at {url}  (Ctrl-C ends it)", flush=True)
        if browse and _has_browser():
            webbrowser.open(url)

    app = make_app(settings)
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        ws="websockets-sansio",
        ws_max_size=2 * MAX_FRAME,
        ws_per_message_deflate=False,  # a compressor costs each connection more memory than its table
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        timeout_graceful_shutdown=5,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=settings.trusted_proxy is not None,
        forwarded_allow_ips=settings.trusted_proxy,
        limit_concurrency=None,
    )
    with _only_one(settings):
        _Server(config, app, ready).run()


@contextlib.contextmanager
def _only_one(settings: Settings) -> Iterator[None]:
    """Two servers on one SQLite file would number moves twice. (PostgreSQL has a lock of its own.)"""
    if settings.database is not None and not settings.database.startswith("sqlite"):
        yield
        return
    try:
        with alone(settings.folder()):
            yield
    except ValueError as problem:
        if "another run is at work" in str(problem):
            raise ValueError(
                f"another server is at work in {settings.folder()}: stop it, or use another --data"
            ) from None
        raise


def _has_browser() -> bool:
    """Not in a terminal without a screen: a text browser would take it over."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    return os.environ.get("TERM") != "dumb"
