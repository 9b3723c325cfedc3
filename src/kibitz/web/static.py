"""The page: built files inside the package, with types of our own choosing."""

from __future__ import annotations

from pathlib import Path

from starlette.responses import FileResponse, JSONResponse, Response

FOLDER = Path(__file__).parent / "static"
# Pinned: what a system's registry says of .js may be text/plain, and browsers then refuse it.
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
}
FOR_EVER = "public, max-age=31536000, immutable"  # names of assets carry a hash of what is in them


def answer(path: str) -> Response:
    """A file of the page. The index is asked for anew every time, so that nobody keeps an old page."""
    found = _find(path)
    if found is None:
        return JSONResponse({"code": "no_table"}, 404)
    hashed = "assets" in found.relative_to(FOLDER).parts
    headers = {"Cache-Control": FOR_EVER if hashed else "no-cache"}
    return FileResponse(found, media_type=TYPES[found.suffix], headers=headers)


def _find(path: str) -> Path | None:
    """Only what is there: the names are looked up, not joined."""
    files = [file for file in FOLDER.rglob("*") if file.suffix in TYPES and file.is_file()]
    known = {file.relative_to(FOLDER).as_posix(): file for file in files}
    return known.get(path.strip("/") or "index.html")
