"""What the server keeps, and what a store promises.

The truth of a table is its list of entries: everything that has happened there, in order. Seats, score and state follow
from them, so that a table can be replayed at any time, after a crash, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from kibitz.web.secret import Secret


class StoreError(Exception):
    """Nothing was saved; it may work later (disk full, database locked or away)."""


class ConflictError(StoreError):
    """Somebody else has saved the same number or the same cid."""


@dataclass(frozen=True)
class Entry:
    """Something that happened at a table. `place` is where its doer sits through all deals (kibitz.web.seats).

    Kinds: sit, bot, free, leave, away, back, agree, disagree (seats) · deal, act, auto, clock, ready, resign (play;
    `auto` is a bot's act and `clock` one that the clock chose) · look, share (a finished deal was looked at, or given
    to everybody, by `person`) · close.
    """

    n: int
    deal: int
    kind: str
    at: int
    place: int | None = None
    action: int | None = None
    cid: str | None = None
    person: str | None = None
    level: str | None = None


@dataclass(frozen=True)
class TableRow:
    """How a table was made."""

    id: str
    game: str
    options: dict[str, Any]
    series: int | None
    clock_s: int | None
    public: bool
    watching: bool
    host: str | None
    created: int
    status: str = "waiting"
    mode: str = "casual"  # teaching, rated, practice
    named: str | None = None  # id of the named deal that is dealt first (kibitz.web.named)
    named_as: str | None = None  # its name


@dataclass(frozen=True)
class DealRow:
    """The chance of a deal. `hash` is public from the beginning; `payoffs`, by seat, is there when it is over.

    `start`: the whole position that the deal began with, as JSON, where it was not dealt from the seed."""

    deal: int
    seed: Secret[int]
    salt: Secret[str]
    hash: str
    started: int
    payoffs: list[float] | None = None
    finished: int | None = None
    start: Secret[str] | None = None


@dataclass(frozen=True)
class PersonRow:
    """Somebody. `key` is the hash of the recovery phrase."""

    id: str
    name: str
    picture: int
    created: int
    seen: int  # when last, in seconds since 1970; rounded to days
    key: str | None = None
    muted: bool = False
    banned: bool = False


@dataclass(frozen=True)
class Saved:
    """A whole table."""

    table: TableRow
    deals: list[DealRow]
    entries: list[Entry]


@dataclass(frozen=True)
class Write:
    """What is saved together, or not at all."""

    table: str
    entries: Sequence[Entry] = ()
    created: TableRow | None = None
    dealt: DealRow | None = None
    finished: DealRow | None = None
    status: str | None = None
    said: tuple[str, str, int] | None = None  # person, phrase, when


@dataclass(frozen=True)
class Finished:
    """What filters finished deals: all of a table, or of a person, or since a time. `unfinished`: also the others."""

    table: str | None = None
    named: str | None = None
    unfinished: bool = False
    person: str | None = None
    since: int = 0
    games: Sequence[str] = field(default_factory=tuple)
    mode: str | None = None


class Store(Protocol):
    """At most ten coroutines. Whatever writes has been committed to the disk when it returns."""

    async def append(self, write: Write) -> None:
        """Saves; StoreError if it could not, and then nothing of it was saved."""

    async def load(self, table: str) -> Saved | None:
        """A table with all of its entries."""

    async def tables(self, ids: Sequence[str]) -> list[TableRow]:
        """Those of them that there are."""

    async def finished(self, which: Finished) -> list[tuple[TableRow, DealRow]]:
        """Deals that are over, in the order of their ends."""

    async def people(self, ids: Sequence[str]) -> list[PersonRow]:
        """Those of them that there are."""

    async def person_by_key(self, key: str) -> PersonRow | None: ...

    async def save_person(self, person: PersonRow) -> None:
        """A new person; of a known one, all but what the operator decides (muted, banned)."""

    async def delete_person(self, id: str) -> None:
        """The row and what was said go; finished games stay, with an id that leads to nobody."""

    async def forget(self, before: int) -> int:
        """Deletes tables where nothing has happened, and guests who were not seen, since a time: how many people are
        left."""

    async def close(self) -> None: ...
