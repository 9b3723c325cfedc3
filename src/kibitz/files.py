"""Writing files so that a reader never sees half of one."""

from __future__ import annotations

import os
from pathlib import Path


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
