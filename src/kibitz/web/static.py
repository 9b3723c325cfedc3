"""The page: built files inside the package, with types of our own choosing."""

from __future__ import annotations

import gzip
from functools import cache
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


PACKED = (".html", ".js", ".css", ".svg", ".json", ".webmanifest", ".txt")


def answer(path: str, accepted: str = "") -> Response:
    """A file of the page. The index is asked for anew every time, so that nobody keeps an old page.

    Only these files are compressed: they hold nothing that a length could tell.
    """
    found = _files().get(path.strip("/") or "index.html")
    if found is None:
        return JSONResponse({"code": "no_table"}, 404)
    hashed = "assets" in found.relative_to(FOLDER).parts
    headers = {"Cache-Control": FOR_EVER if hashed else "no-cache", "Vary": "Accept-Encoding"}
    if found.suffix in PACKED and "gzip" in accepted:
        headers["Content-Encoding"] = "gzip"
        return Response(_packed(found), media_type=TYPES[found.suffix], headers=headers)
    return FileResponse(found, media_type=TYPES[found.suffix], headers=headers)


@cache
def _files() -> dict[str, Path]:
    """Only what is there: the names are looked up, not joined."""
    files = [file for file in FOLDER.rglob("*") if file.suffix in TYPES and file.is_file()]
    return {file.relative_to(FOLDER).as_posix(): file for file in files}


@cache
def _packed(file: Path) -> bytes:
    return gzip.compress(file.read_bytes(), mtime=0)
