"""Writing files so that a reader never sees half of one, and two writers never work on the same."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt

    def _take(file: BinaryIO) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(file: BinaryIO) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keeps others out of a folder; ValueError where somebody else is in it. Who dies, however suddenly, is out."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / ".lock"
    with path.open("ab") as file:
        try:
            _take(file)
            ours = os.fstat(file.fileno()).st_ino == path.stat().st_ino  # or is it one that was taken away just now?
        except (BlockingIOError, PermissionError, FileNotFoundError):
            ours = False
        if not ours:
            raise ValueError(f"another run is at work in {folder}: wait for it, or use another --out")
        try:
            yield
        finally:
            with contextlib.suppress(OSError):  # Windows keeps it while it is open
                path.unlink()


def write_atomically(path: Path, data: str | bytes) -> None:
    """Writes beside `path` and renames: after a crash there is the old file or the new one, nothing between."""
    raw = data.encode() if isinstance(data, str) else data
    # Not tempfile: its files are private (0600), and results should have the user's ordinary permissions.
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with beside.open("wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
