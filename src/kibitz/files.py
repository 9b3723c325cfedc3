"""Writing files so that a reader never sees half of one, and two writers never work on the same."""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
import sys
import threading
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


_numbers = itertools.count()


@contextlib.contextmanager
def alone(folder: Path, name: str = ".lock") -> Iterator[None]:
    """Keeps others out of a folder, or away from what the lock `name` is for; ValueError where somebody else is at
    work there. Who dies, however suddenly, is out."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
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
    """Writes the whole of a file at once, as `writing` does."""
    raw = data.encode() if isinstance(data, str) else data
    with writing(path) as file:
        file.write(raw)


@contextlib.contextmanager
def writing(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, however much, beside the real one, which it replaces when the block ends: after a crash, or
    where the block raises, there is the old file or none, nothing between.

    What is replaced keeps its mode; a link stays, and the file that it leads to is written. Devices and pipes are
    written through and never replaced. ValueError as from `check_writable`; an OSError names `path`, whatever failed.
    """
    check_writable(path)
    try:
        with _through(path) if _is_stream(path) else _beside(Path(os.path.realpath(path))) as file:
            yield file
    except BrokenPipeError:  # as such it would end a command quietly, as if the result had been delivered
        raise ValueError(f"cannot write {path}: nobody reads it any more") from None
    except OSError as problem:
        problem.filename, problem.filename2 = str(path), None
        raise


def check_writable(path: Path) -> None:
    """ValueError where `write_atomically` would refuse. For commands: before the work, not after it."""
    number = _descriptor(path)
    if number is not None:
        return _check_open(path, number)
    status = _status(path)
    if status is not None and stat.S_ISDIR(status.st_mode):
        raise ValueError(f"{path} is a folder, not a file")
    if status is not None and stat.S_ISSOCK(status.st_mode):
        raise ValueError(f"cannot write {path}: it is a socket")
    # Root may write to every file, but one that is read-only for everybody is so on purpose.
    if status is not None and not (status.st_mode & 0o222 and os.access(path, os.W_OK)):
        raise ValueError(f"cannot write {path}: it is read-only")
    folder = Path(os.path.realpath(path)).parent
    if not _is_stream(path) and not os.access(folder, os.W_OK | os.X_OK):
        raise ValueError(f"cannot write {path}: {folder} is not a folder we may write to")


def _status(path: Path) -> os.stat_result | None:
    """Of the file that a link leads to; None where there is nothing yet."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _is_stream(path: Path) -> bool:
    """Whether there is something that takes what is written, and cannot be replaced: a device, a pipe."""
    status = _status(path)
    return _descriptor(path) is not None or (status is not None and not stat.S_ISREG(status.st_mode))


def _descriptor(path: Path) -> int | None:
    """The open file of ours that a path stands for: 1 of /dev/stdout, 63 of /dev/fd/63.

    To open such a path is not the same as to write to what is open: a file would be written from its beginning, and a
    socket cannot be opened at all.
    """
    for _ in range(40):  # links, at most: as many as Linux follows
        folder = Path(os.path.realpath(path.parent))
        if str(folder) in (f"/proc/{os.getpid()}/fd", "/dev/fd") and path.name.isdecimal():
            return int(path.name)
        if not path.is_symlink():
            return None
        path = folder / path.readlink()
    return None


def _check_open(path: Path, number: int) -> None:
    try:
        os.write(number, b"")
    except OSError as problem:  # it is open for reading only, or not open
        raise ValueError(f"cannot write {path}: {problem.strerror}") from None
    except OverflowError:
        raise ValueError(f"cannot write {path}: there is no such descriptor") from None


@contextlib.contextmanager
def _through(path: Path) -> Iterator[BinaryIO]:
    number = _descriptor(path)
    sys.stdout.flush()  # which may be the same: what was printed before comes before
    # Neither created nor cut to nothing: it is there, and it is no file.
    with open(os.open(path, os.O_WRONLY) if number is None else os.dup(number), "wb") as file:
        yield file


@contextlib.contextmanager
def _beside(path: Path) -> Iterator[BinaryIO]:
    # Not tempfile: its files are private (0600), and results should have the user's ordinary permissions. Not the name
    # of the file: with more around it, it could be too long. A number, since several may be open at once.
    beside = path.with_name(f".kibitz.{os.getpid()}.{threading.get_ident()}.{next(_numbers)}.tmp")
    status = _status(path)
    beside.unlink(missing_ok=True)  # of a process of the same number that was killed
    try:
        with beside.open("xb") as file:
            if status is not None:
                beside.chmod(stat.S_IMODE(status.st_mode))  # before there is anything in it to read
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
