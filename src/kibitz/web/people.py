"""People: guests with a name and a picture, who may keep their identity by a phrase that the server makes."""

from __future__ import annotations

import hashlib
import secrets
import unicodedata
from collections import OrderedDict
from dataclasses import replace

from kibitz.web import wire
from kibitz.web.store.base import PersonRow, Store
from kibitz.web.timing import Timing

NOBODY = "somebody"
DAY = 86_400
CACHED = 20_000
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
    """Who there is, with a cache: tables ask for names all the time."""

    def __init__(self, store: Store, timing: Timing) -> None:
        self._store, self._timing = store, timing
        self._known: OrderedDict[str, PersonRow] = OrderedDict()

    def name(self, id: str | None) -> tuple[str, int | None]:
        """Name and picture of somebody whom `find` has found before."""
        row = self._known.get(id) if id is not None else None
        return (row.name, row.picture) if row is not None else (NOBODY, None)

    async def find(self, id: str) -> PersonRow | None:
        """Also says that the person was seen today."""
        row = self._known.get(id) or await self._store.person(id)
        if row is None:
            return None
        today = self._timing.wall() // DAY * DAY
        if row.seen < today:
            row = replace(row, seen=today)
            await self._store.save_person(row)
        self._keep(row)
        return row

    async def add(self, id: str, name: str, picture: int) -> PersonRow:
        now = self._timing.wall()
        row = PersonRow(id, name, picture, now, now // DAY * DAY)
        await self._store.save_person(row)
        self._keep(row)
        return row

    async def save(self, row: PersonRow) -> None:
        await self._store.save_person(row)
        self._keep(row)

    async def delete(self, id: str) -> None:
        await self._store.delete_person(id)
        self._known.pop(id, None)

    async def renew(self, id: str) -> PersonRow | None:
        """As the store has it now."""
        row = await self._store.person(id)
        if row is None:
            self._known.pop(id, None)
        else:
            self._keep(row)
        return row

    async def by_phrase(self, phrase: str) -> PersonRow | None:
        row = await self._store.person_by_key(phrase_key(phrase))
        if row is not None:
            self._keep(row)
        return row

    def _keep(self, row: PersonRow) -> None:
        self._known[row.id] = row
        self._known.move_to_end(row.id)
        if len(self._known) > CACHED:
            self._known.popitem(last=False)


def shown(row: PersonRow) -> wire.Person:
    return wire.Person(id=row.id, name=row.name, picture=row.picture)
