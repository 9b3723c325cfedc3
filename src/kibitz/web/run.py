"""Starting the server."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import logging
import os
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator
from typing import TextIO

import uvicorn

from kibitz.files import alone, write_atomically
from kibitz.web.app import make_app
from kibitz.web.house import House
from kibitz.web.settings import Settings
from kibitz.web.wire import MAX_FRAME

_FIELDS = ("table", "problem", "spec")
ADDRESS = "address"  # file in the data folder: where the server is


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
    """Says when it can be reached, and farewell before it ends. A signal ends the process right after `shutdown`."""

    def __init__(self, config: uvicorn.Config, house: House, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._house, self._ready = house, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Clients hear that the server restarts before their sockets are closed; what is being saved is saved."""
        await self._house.farewell()
        await super().shutdown(sockets)
        await self._house.close()


def run(settings: Settings, browse: bool = False) -> None:
    """Until it is told to stop. ValueError if another server is at work on the same data, or something is not there.

    `browse`: opens the page, on a free port if the usual one is taken; where a server is at work, its page."""
    log_to(sys.stderr)
    for chatty in ("uvicorn", "uvicorn.error", "uvicorn.access", "alembic"):  # they would log addresses of clients
        logging.getLogger(chatty).setLevel(logging.WARNING)
    try:
        with _only_one(settings):
            asyncio.run(_serve(settings, browse))
    except _TwoError:
        url = _address(settings)
        if not browse or url is None:
            raise
        print(f"Kibitz is at {url} already", flush=True)
        _open(url)


async def _serve(settings: Settings, browse: bool) -> None:
    listening = _listen(settings, browse)
    port = listening.getsockname()[1]
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    url = f"http://{'127.0.0.1' if host in ('0.0.0.0', '[::]') else host}:{port}/"

    def ready() -> None:
        write_atomically(settings.folder() / ADDRESS, url + "\n")
        print(f"Kibitz is at {url}  (Ctrl-C ends it)", flush=True)
        if browse:
            _open(url)

    with listening:
        house = await House.open(settings)
        await _Server(_config(settings, house), house, ready).serve([listening])


def _listen(settings: Settings, browse: bool) -> socket.socket:
    """The port is taken before anything else, so that a server which cannot be reached leaves no trace."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=2048)
    except OSError as problem:
        if browse and problem.errno == errno.EADDRINUSE:
            return socket.create_server((settings.host, 0), family=family, backlog=2048)
        where = f"{settings.host}, port {settings.port}"
        raise ValueError(f"cannot listen on {where}: {problem.strerror or problem}; try another --port") from None


def _config(settings: Settings, house: House) -> uvicorn.Config:
    return uvicorn.Config(
        make_app(settings, house),
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


class _TwoError(ValueError):
    """Another server is at work on the same data."""


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
            raise _TwoError(
                f"another server is at work in {settings.folder()}: stop it, or use another --data"
            ) from None
        raise


def _address(settings: Settings) -> str | None:
    """Of the server that is at work."""
    try:
        return (settings.folder() / ADDRESS).read_text().strip()
    except OSError:
        return None


def _open(url: str) -> None:
    """Not in a terminal without a screen: a text browser would take it over."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    if os.environ.get("TERM") != "dumb":
        webbrowser.open(url)
