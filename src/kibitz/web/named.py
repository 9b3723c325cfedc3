"""Deals with a name: the same cards for everybody who gives it, and nobody knows them before.

A name belongs to a game, its options and the level of the bots. Its seed is a keyed hash with the server's secret, so
that it cannot be worked out. What counts is the first try of each person: who has begun before, or has looked at the
deal when others had played it, is listed apart.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kibitz.protocols import facts
from kibitz.web import people, wire
from kibitz.web.catalogue import Catalogue, UnknownError
from kibitz.web.store.base import Finished, Saved, Store
from kibitz.web.tokens import Tokens
from kibitz.web.wire import Code

LOOKED = ("look", "sit")


@dataclass(frozen=True)
class Name:
    """`id` says it in links; `seed` is its deal's."""

    id: str
    shown: str
    seed: int


def name_of(tokens: Tokens, catalogue: Catalogue, wanted: wire.NewTable, options: Mapping[str, Any]) -> Name | None:
    """The name that a new table is to have; UnknownError where a deal cannot have one."""
    if wanted.named is None:
        return None
    shown = people.clean(wanted.named)
    alone = wanted.seats is None and wanted.series is None and wanted.mode == "casual" and not wanted.public
    if not shown or not alone or not facts(catalogue.game(wanted.game, options)).hidden:
        raise UnknownError(Code.BAD_OPTIONS)
    level = wanted.level or catalogue.info(wanted.game).level
    id = tokens.name(json.dumps([wanted.game, dict(sorted(options.items())), level, shown.casefold()]))
    return Name(id, shown, tokens.seed(f"deal.{id}"))


@dataclass(frozen=True)
class Try:
    """A person's game of a named deal. `first`: nothing of the deal was known to the person before."""

    person: str
    table: str
    began: int
    payoffs: tuple[float, ...] | None  # None: it is not over
    first: bool


async def tables_of(store: Store, id: str) -> list[Saved]:
    """All tables where it was dealt, in the order of their making."""
    rows = await store.finished(Finished(named=id, unfinished=True))
    found = [await store.load(table) for table in dict.fromkeys(row.id for row, _ in rows)]
    return sorted((saved for saved in found if saved is not None), key=lambda saved: saved.table.created)


def tries(tables: list[Saved]) -> list[Try]:
    """In the order of their beginnings."""
    found: list[Try] = []
    for saved in tables:
        person = next((entry.person for entry in saved.entries if entry.kind == "sit"), None)
        deal = next((deal for deal in saved.deals if deal.deal == 0), None)
        if person is None or deal is None:
            continue
        known = {entry.person for other in tables for entry in other.entries if _before(entry, other, saved)}
        payoffs = None if deal.payoffs is None else tuple(deal.payoffs)
        found.append(Try(person, saved.table.id, deal.started, payoffs, person not in known))
    return found


def _before(entry: Any, other: Saved, saved: Saved) -> bool:
    """Whether an entry says that its person knew the deal when the table `saved` was made."""
    if entry.kind not in LOOKED or other is saved:
        return False
    made = saved.table.created
    if entry.at == made and entry.kind == "sit":  # two tables of the same second: the one with the smaller id is first
        return other.table.id < saved.table.id
    return bool(entry.at <= made)


def has_played(tables: list[Saved], person: str) -> bool:
    """Whether the person has finished it, or looked at it: then nothing is hidden any more."""
    looked = any(entry.kind == "look" and entry.person == person for saved in tables for entry in saved.entries)
    return looked or any(one.person == person and one.payoffs is not None for one in tries(tables))
