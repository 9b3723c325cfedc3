"""People: guests with a name and a picture, who may keep their identity by a phrase that the server makes."""

from __future__ import annotations

import hashlib
import secrets
import unicodedata
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace

from kibitz.web import wire
from kibitz.web.catalogue import UnknownError
from kibitz.web.store.base import PersonRow, Store
from kibitz.web.timing import Timing

NOBODY = "somebody"
DAY = 86_400
CACHED = 20_000
FRESH = 60.0  # seconds
_CONSONANTS, _VOWELS = "bdfghjklmnprstvz", "aeiou"
_WORDS = 6  # of 102,400 each: 99 bits


def clean(name: str) -> str:
    """A name without what could forge or break a line: controls, marks of direction, stacks of accents."""
    normal = unicodedata.normalize("NFC", name)
    kept = [
        letter for letter in normal if unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Mn", "Me")
    ]
    return " ".join("".join(kept).split())[:24]


def new_phrase() -> str:
    """Words that can be said aloud and written down."""
    letters = (_CONSONANTS, _VOWELS, _CONSONANTS, _VOWELS, _CONSONANTS)
    return "-".join("".join(secrets.choice(kind) for kind in letters) for _ in range(_WORDS))


def phrase_key(phrase: str) -> str:
    """What is kept of a phrase. It has 99 random bits, so that a plain hash cannot be tried out."""
    said = "-".join(phrase.lower().replace("-", " ").split())
    return hashlib.sha256(f"kibitz recovery phrase {said}".encode()).hexdigest()


class People:
    """Who there is, with a cache: tables ask for names all the time. An operator may have changed what is in it, so
    that a row which is older than FRESH is read again before anybody is let in by it."""

    def __init__(self, store: Store, timing: Timing, most: int) -> None:
        self._store, self._timing, self._most = store, timing, most
        self._known: OrderedDict[str, PersonRow] = OrderedDict()
        self._read: dict[str, float] = {}  # when, of the same people
        self.total = 0  # as it was counted last

    def name(self, id: str | None) -> tuple[str, int | None]:
        """Name and picture of somebody whom `find` has found before."""
        row = self._known.get(id) if id is not None else None
        return (row.name, row.picture) if row is not None else (NOBODY, None)

    async def find(self, id: str) -> PersonRow | None:
        """Also says that the person was seen today."""
        row = self._known.get(id)
        if row is None or self._timing.now() - self._read[id] >= FRESH:
            row = (await self.renew([id])).get(id)
        if row is None:
            return None
        today = self._timing.wall() // DAY * DAY
        if row.seen < today:
            row = replace(row, seen=today)
            await self._store.save_person(row)
            self._keep(row)
        return row

    async def add(self, id: str, name: str, picture: int) -> PersonRow:
        """UnknownError(FULL) if there are too many."""
        if self.total >= self._most:
            raise UnknownError(wire.Code.FULL)
        now = self._timing.wall()
        row = PersonRow(id, name, picture, now, now // DAY * DAY)
        self.total += 1
        await self._store.save_person(row)
        self._keep(row)
        return row

    async def save(self, row: PersonRow) -> None:
        await self._store.save_person(row)
        self._keep(row)

    async def delete(self, id: str) -> None:
        await self._store.delete_person(id)
        self._drop(id)

    async def renew(self, ids: Sequence[str]) -> dict[str, PersonRow]:
        """As the store has them now; who is missing is not there any more."""
        found = {row.id: row for row in await self._store.people(ids)}
        for id in ids:
            if id in found:
                self._keep(found[id])
            else:
                self._drop(id)
        return found

    async def by_phrase(self, phrase: str) -> PersonRow | None:
        row = await self._store.person_by_key(phrase_key(phrase))
        if row is not None:
            self._keep(row)
        return row

    def _keep(self, row: PersonRow) -> None:
        self._known[row.id] = row
        self._known.move_to_end(row.id)
        self._read[row.id] = self._timing.now()
        if len(self._known) > CACHED:
            self._drop(next(iter(self._known)))

    def _drop(self, id: str) -> None:
        self._known.pop(id, None)
        self._read.pop(id, None)


def shown(row: PersonRow) -> wire.Person:
    return wire.Person(id=row.id, name=row.name, picture=row.picture)
