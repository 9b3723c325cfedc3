"""Where the games of a table are written down."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kibitz import record_files
from kibitz.files import check_writable
from kibitz.protocols import Game, State
from kibitz.record import Record, Seat, Series

OURS = "play"  # the member of a record's `more` that people's games have


class Keeper:
    """Writes the record of each deal. With `always` it does so after every move of a person; `path` is the file then,
    and the deals after the first go beside it (game.json, game-2.json, …); without `path` it is one in the user's own
    folder. Otherwise a deal is written when a person asks for it, and from then on always."""

    def __init__(self, path: Path | None = None, *, always: bool = False) -> None:
        self._always = always or path is not None
        self._base = path
        self._path: Path | None = None  # of this deal
        self._series: Series | None = None
        self._more: dict[str, Any] = {}
        self._began: str | None = None

    def begin(self, series: Series | None, more: dict[str, Any], taken_up: Record | None = None) -> None:
        """A deal, with what its record says besides the moves. One that was taken up again stays in its file."""
        self._path = self._base if taken_up is not None else None
        self._series, self._more = series, more
        self._began = datetime.now(UTC).isoformat(timespec="seconds") if taken_up is None else taken_up.began

    def record(
        self, game: Game, state: State, seats: Sequence[Seat], *, seed: int | None, start: State | None, undone: int
    ) -> Record:
        more = self._more | ({"undone": undone + self._more.get("undone", 0)} if undone else {})
        return Record.of(
            game,
            state,
            seats,
            seed=seed,
            start=start,
            series=self._series,
            began=self._began,
            more={OURS: more} if more else None,
        )

    @property
    def wanted(self) -> bool:
        """Whether this deal is written down without being asked."""
        return self._always or self._path is not None

    def write(self, record: Record) -> Path:
        """Into the file of this deal, whole or not at all."""
        if self._path is not None:
            record.save(self._path)
        elif self._base is None:
            self._path = record_files.keep(record)
        else:
            self._path = free(self._base)
            record.save(self._path)
        return self._path

    def save(self, record: Record, path: Path | None) -> Path:
        """Because a person asks for it; `path` if they say where."""
        if path is not None and path != self._path:
            check_new(path)
            self._path = path
        return self.write(record)


def free(path: Path) -> Path:
    """A name that is not taken: game.json, game-2.json, …"""
    number, found = 1, path
    while found.exists():
        number += 1
        found = path.with_stem(f"{path.stem}-{number}")
    return found


def check_new(path: Path) -> None:
    """ValueError where a game cannot be saved, or another would be lost."""
    if path.suffix != record_files.ONE:
        raise ValueError(f"a game is saved in a file that ends in {record_files.ONE}, not in {path}")
    if path.exists():
        raise ValueError(f"{path} exists: give another name, or go on with it by kibitz play --resume {path}")
    check_writable(path)
