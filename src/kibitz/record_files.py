"""Records of many games: a file of its own for each, or one file with a line for each; and the user's own games."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from kibitz.files import check_writable, writing
from kibitz.record import MOST_BYTES, Record

LINES = ".jsonl"
ONE = ".json"

Add = Callable[[Record], None]


def read_all(path: Path | str) -> Iterator[Record]:
    """The records of a file (.jsonl: one in each line) or of the .json files of a folder, in their order, checked."""
    path = Path(path)
    if path.is_dir():
        for each in sorted(path.glob(f"*{ONE}")):
            yield Record.load(each)
    elif path.suffix == LINES:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(MOST_BYTES), b""), start=1):
                if line.strip():
                    yield Record.loads(line, f"{path}, line {number}")
    else:
        yield Record.load(path)


def check_target(path: Path) -> None:
    """ValueError where `writing_all` would refuse. For commands: before the work, not after it."""
    if path.suffix == ONE:
        raise ValueError(f"{path} is for one record: give a folder, or a file that ends in {LINES}")
    if _one_file(path):
        check_writable(path)
    elif path.is_dir() and any(path.glob(f"*{ONE}")):
        raise ValueError(f"{path} already has records: give another folder")


def _one_file(path: Path) -> bool:
    """For all records: also a device or a pipe, whatever its name."""
    return path.suffix == LINES or (path.exists() and not path.is_dir())


@contextlib.contextmanager
def writing_all(path: Path) -> Iterator[Add]:
    """A function that takes records, one after the other. A file that ends in .jsonl, a device or a pipe gets a line
    for each, and is there, whole, when the block ends; a folder gets a file for each at once, numbered from 1."""
    check_target(path)
    if _one_file(path):
        with writing(path) as file:

            def append(record: Record) -> None:
                file.write(record.line().encode())

            yield append
        return
    path.mkdir(parents=True, exist_ok=True)
    number = 0

    def add(record: Record) -> None:
        nonlocal number
        number += 1
        record.save(path / f"{number:06}{ONE}")

    yield add


def games_folder() -> Path:
    """Where games are kept for the user who asks for it."""
    import platformdirs  # late: most commands keep nothing

    return platformdirs.user_data_path("kibitz", appauthor=False) / "games"


def keep(record: Record) -> Path:
    """Saves a record in the user's folder under the time of its game, or now, and says where."""
    folder = games_folder()
    folder.mkdir(parents=True, exist_ok=True)
    time = datetime.now(UTC) if record.began is None else datetime.fromisoformat(record.began)
    name = f"{time:%Y-%m-%d-%H%M%S}-{record.game}"
    path = folder / f"{name}{ONE}"
    number = 1
    while path.exists():
        number += 1
        path = folder / f"{name}-{number}{ONE}"
    record.save(path)
    return path


def kept() -> list[Path]:
    """The user's games, the latest last."""
    folder = games_folder()
    return sorted(folder.glob(f"*{ONE}")) if folder.is_dir() else []
