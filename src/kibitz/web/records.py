"""Finished deals as records (`kibitz.record`): what `kibitz export` and the API give, and `kibitz verify` reads."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import kibitz
from kibitz._core import Game
from kibitz.record import PERSON, Record, Seat, Series
from kibitz.web.catalogue import Catalogue
from kibitz.web.seats import Place
from kibitz.web.store.base import Entry, Finished, Saved, Store
from kibitz.web.table.situation import Situation

BY = {"act": "person", "auto": "bot", "clock": "clock"}  # who chose a move


@dataclass(frozen=True)
class Sitter:
    """Who sat on a seat when a deal ended: a person, or a bot of a level. `level` of a person: of the stand-in."""

    person: str | None
    level: str | None
    name: str  # of the bot


@dataclass(frozen=True)
class Played:
    """A finished deal, and who sat there, by seat."""

    record: Record
    sitters: tuple[Sitter, ...]


async def finished_tables(store: Store, which: Finished | None = None) -> AsyncIterator[Saved]:
    """Every table with a finished deal."""
    rows = await store.finished(which or Finished())
    for table in dict.fromkeys(row.id for row, _ in rows):
        saved = await store.load(table)
        if saved is not None:
            yield saved


def records(saved: Saved, catalogue: Catalogue) -> dict[int, Record]:
    """The records of a table's finished deals, by their numbers. ValueError: its game is not there any more."""
    return {number: deal.record for number, deal in played(saved, catalogue).items()}


def played(saved: Saved, catalogue: Catalogue) -> dict[int, Played]:
    """A table's finished deals, by their numbers. ValueError: its game is not there any more."""
    game = catalogue.game(saved.table.game, saved.table.options)
    at, deals = Situation(saved.table, game), {row.deal: row for row in saved.deals}
    found: dict[int, Played] = {}
    series: Series | None = None
    moves: list[Entry] = []
    for entry in saved.entries:
        at.fold(entry, deals.get(entry.deal))
        if entry.kind == "deal":
            series, moves = _series(at), []
        elif entry.kind in BY:
            moves.append(entry)
        if at.deal is not None and at.deal.over and at.number not in found:
            record = at.deal.record(_seats(at), series, {"table": _more(at, moves)})
            places = [at.at(seat) for seat in range(at.game.players)]
            sitters = tuple(Sitter(place.person, place.level, place.name) for place in places)
            found[at.number] = Played(record, sitters)
    return found


def _series(at: Situation) -> Series | None:
    """As it stood before the deal."""
    if at.row.series is None:
        return None
    scores = tuple(at.score.points[at.at(seat).number] for seat in range(at.game.players))
    return Series(at.row.series, at.number, scores, at.score.held)


def _seats(at: Situation) -> list[Seat]:
    """Without names of people: they are theirs to delete, and a record is not."""
    return [_seat(at.at(seat), at.game) for seat in range(at.game.players)]


def _seat(place: Place, game: Game) -> Seat:
    if place.person is not None:
        return Seat(f"person {place.number + 1}", PERSON)
    level = place.level or "unknown"
    return Seat(place.name, f"level:{level}" if level in {known.name for known in kibitz.levels(game)} else level)


def _more(at: Situation, moves: list[Entry]) -> dict[str, Any]:
    """Which deal it was, and who chose each move: a bot may have played for a person who had gone."""
    assert at.deal is not None
    more: dict[str, Any] = {"id": at.row.id, "deal": at.number, "by": [BY[entry.kind] for entry in moves]}
    if at.deal.resigned is not None:
        more |= {"resigned": at.deal.resigned, "payoffs": at.deal.payoffs()}
    return more
