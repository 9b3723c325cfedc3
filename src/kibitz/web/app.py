"""The application: routes, headers, who may come in."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from ipaddress import ip_address
from urllib.parse import urlsplit

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, Response

import kibitz
from kibitz.web import api, asking, callers, compare, deals, editing, gallery, gate, metrics, reviews, static
from kibitz.web.catalogue import UnknownError
from kibitz.web.house import House
from kibitz.web.limits import Buckets, Places
from kibitz.web.settings import Settings
from kibitz.web.store.base import StoreError
from kibitz.web.wire import Code

log = logging.getLogger("kibitz.web")
MAX_BODY = 16_384
# Positions and records.
MAX_BODIES = {"/api/legal": 65_536, "/api/think": 65_536, "/api/position": 65_536}
MAX_BODIES |= {"/api/review": 262_144, "/api/play-on": 262_144}
TIDY_SECONDS = 60.0
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; media-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
Next = Callable[[Request], Awaitable[Response]]


def make_app(settings: Settings, house: House | None = None) -> FastAPI:
    """The server's application; with a `house`, one that the caller opened and closes."""

    @contextlib.asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        opened = house or await House.open(settings)
        app.state.house = opened
        app.state.requests = Buckets(opened.means.timing, 20.0, 100.0)
        app.state.makings = Buckets(opened.means.timing, 2.0, 60.0)
        app.state.places = Places(settings.max_connections, settings.per_address)
        app.state.asking = asking.allowance(opened.means.timing)
        app.state.callers = callers.Callers(opened, app.state.places)
        app.state.reviews = reviews.Reviews(opened)
        tidying = asyncio.create_task(_tidy(opened, settings))
        yield
        tidying.cancel()
        await asyncio.wait({tidying})
        if house is None:
            await opened.close()

    app = FastAPI(title="Kibitz", version=kibitz.__version__, lifespan=living, docs_url=None, redoc_url=None)
    app.include_router(api.router)
    for part in (asking, callers, deals, reviews, compare, editing, gallery):
        app.include_router(part.router)
    app.middleware("http")(_guard)
    app.add_exception_handler(UnknownError, _unknown)
    app.add_exception_handler(StoreError, _store)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_api_websocket_route("/ws", _socket)
    app.add_api_route("/health", _health, methods=["GET"], include_in_schema=False)
    app.add_api_route("/metrics", metrics.answer, methods=["GET"], include_in_schema=False)
    app.add_api_route("/{path:path}", _page, methods=["GET", "HEAD"], include_in_schema=False)
    return app


async def _tidy(house: House, settings: Settings) -> None:
    while True:
        house.tidy()
        with contextlib.suppress(StoreError):
            await house.look()
            before = house.means.timing.wall() - settings.keep_days * 86_400
            house.means.people.total = await house.means.store.forget(before)
        await asyncio.sleep(TIDY_SECONDS)


async def _socket(socket: WebSocket) -> None:
    app = socket.app
    house: House = app.state.house
    places: Places = app.state.places
    address = socket.client.host if socket.client else "?"
    if not own_page(socket.headers, house.means.settings):
        await socket.close(1008)
        return
    if not places.enter(address):
        await socket.close(1013)
        return
    try:
        await gate.serve(house, socket)
    finally:
        places.leave(address)


def own_page(headers: Headers, settings: Settings) -> bool:
    """Browsers say where a page is from: only ours may speak. Programs say nothing, and have no cookies to abuse.

    A server for this machine only is called by an address, or as localhost: another name is that of a page elsewhere
    which was made to lead here.
    """
    origin, host = headers.get("origin"), headers.get("host", "")
    known = {urlsplit(known).netloc for known in settings.origins}
    if settings.local and host not in known and not _names_this_machine(host):
        return False
    return origin is None or origin in settings.origins or urlsplit(origin).netloc == host


def _names_this_machine(host: str) -> bool:
    name = urlsplit(f"//{host}").hostname or ""
    try:
        return name == "localhost" or bool(ip_address(name))
    except ValueError:
        return False


async def _guard(request: Request, call: Next) -> Response:
    """Limits before, headers after. Nothing here, or in what is logged, has a query or a body in it."""
    address = request.client.host if request.client else "?"
    settings: Settings = request.app.state.house.means.settings
    if not own_page(request.headers, settings):
        response: Response = JSONResponse({"code": Code.BAD_TOKEN}, 403)
    elif request.url.path.startswith("/api") and not _may_ask(request, address):
        response = JSONResponse({"code": Code.TOO_FAST}, 429)
    elif (
        not request.headers.get("content-length", "0").isdecimal()
        or int(request.headers.get("content-length", "0")) > MAX_BODIES.get(request.url.path, MAX_BODY)
        or "transfer-encoding" in request.headers
    ):
        response = JSONResponse({"code": Code.TOO_LARGE}, 413)
    else:
        response = await call(request)
    for name, value in HEADERS.items():
        response.headers[name] = value
    if request.url.path.startswith("/api"):
        response.headers["Cache-Control"] = "no-store"
    return response


def _may_ask(request: Request, address: str) -> bool:
    """What makes rows in the database is rarer than what reads them."""
    if not request.app.state.requests.take(address):
        return False
    path = request.url.path
    makes = request.method == "POST" and (path in ("/api/people", "/api/tables", "/api/play-on") or "/deals/" in path)
    return not makes or bool(request.app.state.makings.take(address))


async def _unknown(_: Request, problem: Exception) -> Response:
    assert isinstance(problem, UnknownError)
    said = {"code": problem.code} | ({"detail": problem.detail} if problem.detail else {})
    return JSONResponse(said, api.STATUS.get(problem.code, 400))


async def _store(_: Request, problem: Exception) -> Response:
    log.error("cannot save", extra={"problem": str(problem)})
    return JSONResponse({"code": Code.STORAGE}, 503)


async def _invalid(_: Request, problem: Exception) -> Response:
    """Says where, and what is allowed there; never with what was sent."""
    wrong = problem.errors()[0] if isinstance(problem, RequestValidationError) and problem.errors() else {}
    where = ".".join(str(part)[:40] for part in wrong.get("loc", ())[:6])
    return JSONResponse({"code": Code.BAD_MESSAGE, "detail": f"{where}: {wrong.get('msg', 'not valid')}"[:300]}, 422)


async def _http(_: Request, problem: Exception) -> Response:
    status = problem.status_code if isinstance(problem, HTTPException) else 500
    return JSONResponse({"code": Code.BAD_MESSAGE}, status)


async def _health(request: Request) -> Response:
    house: House = request.app.state.house
    try:
        await house.means.store.tables([])
    except StoreError:
        return PlainTextResponse("the database does not answer\n", 503)
    return PlainTextResponse("ok\n")


async def _page(request: Request, path: str) -> Response:
    return static.answer(path, request.headers.get("accept-encoding", ""))
