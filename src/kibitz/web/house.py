"""All tables of a server: making them, finding them, replaying them, and forgetting those that nobody looks at."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from kibitz._core import State, View
from kibitz.protocols import facts
from kibitz.web import seen, wire
from kibitz.web.bots import Bots
from kibitz.web.catalogue import Catalogue, UnknownError
from kibitz.web.desk import Desk
from kibitz.web.means import Chance, Counts, Means
from kibitz.web.named import name_of
from kibitz.web.people import People
from kibitz.web.ratings import Ratings, can_rate
from kibitz.web.secret import Secret
from kibitz.web.settings import Settings
from kibitz.web.store.base import DealRow, Entry, Saved, StoreError, TableRow, Write
from kibitz.web.store.sql import SqlStore
from kibitz.web.table.deal import draw
from kibitz.web.table.task import Table
from kibitz.web.timing import RealTiming, Timing
from kibitz.web.tokens import Tokens, signer
from kibitz.web.wire import Code

log = logging.getLogger("kibitz.web")
LOBBY = 50  # tables that it shows


class House:
    """Use `await House.open(settings)`."""

    def __init__(self, means: Means) -> None:
        self.means = means
        self.ratings = Ratings(means)
        self.tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Lock] = {}

    @classmethod
    async def open(cls, settings: Settings, timing: Timing | None = None, chance: Chance | None = None) -> House:
        catalogue = Catalogue.of(settings)
        store = await SqlStore.open(settings.url())
        clock = timing or RealTiming()
        bots, people = Bots(settings.threads), People(store, clock, settings.max_people)
        tokens = Tokens(signer(Secret.open(store.key)))
        desk = Desk(bots, clock)
        return cls(Means(settings, clock, store, bots, desk, catalogue, people, tokens, chance or Chance(), Counts()))

    async def close(self) -> None:
        """A deal is left as it is: it goes on when the server is started again."""
        for table in list(self.tables.values()):
            await table.stop()
        self.means.desk.close()
        self.means.bots.close()
        await self.means.store.close()

    async def table(self, id: str) -> Table | None:
        """In memory, or replayed from the store. UnknownError(FULL) if there are too many."""
        found = self.tables.get(id)
        if found is not None:
            return found
        lock = self._loading.setdefault(id, asyncio.Lock())
        try:
            async with lock:
                if id in self.tables:
                    return self.tables[id]
                saved = await self.means.store.load(id)
                return None if saved is None else await self._open(saved)
        finally:
            self._loading.pop(id, None)

    async def create(self, host: str, wanted: wire.NewTable) -> Table:
        """UnknownError says, as a code, what is not offered."""
        means = self.means
        options = means.catalogue.options(wanted.game, wanted.players, wanted.options, wanted.series)
        if wanted.mode == "rated" and not can_rate(wanted.game):
            raise UnknownError(Code.BAD_OPTIONS)
        game = means.catalogue.game(wanted.game, options)
        name = name_of(means.tokens, means.catalogue, wanted, options)
        now = means.timing.wall()
        row = TableRow(
            means.chance.id(),
            wanted.game,
            dict(sorted(options.items())),
            wanted.series,
            wanted.clock_s,
            wanted.public,
            wanted.watching and name is None,  # spectators would see the cards before they play them
            host,
            now,
            mode=wanted.mode,
            named=None if name is None else name.id,
            named_as=None if name is None else name.shown,
        )
        usual = wanted.level or means.catalogue.info(wanted.game).level
        seats = wanted.seats or [wire.NewSeat(who="me"), *[wire.NewSeat(who="bot")] * (game.players - 1)]
        entries = _first_entries(seats, game.players, host, usual, now)
        for entry in entries:
            means.catalogue.spec(wanted.game, game, entry.level or usual, rated=wanted.mode == "rated")
        whole = all(seat.who != "open" for seat in seats)
        seed = None if name is None else name.seed
        return await self._begin(row, entries, draw(0, means.chance, now, seed=seed) if whole else None)

    async def play_on(self, host: str, name: str, start: State | View, seats: list[wire.NewSeat]) -> Table:
        """A table that begins with a position. It is nobody's business but the host's, and never rated."""
        means, game, now = self.means, start.game, self.means.timing.wall()
        sheet = name.startswith("gdl:")
        options = means.catalogue.options(name, None, {}, None) if sheet else dict(facts(game).options)
        options = dict(sorted(options.items()))
        row = TableRow(means.chance.id(), name, options, None, None, False, False, host, now, mode="practice")
        usual = means.catalogue.info(name).level
        entries = _first_entries(seats, game.players, host, usual, now)
        for entry in entries:
            means.catalogue.spec(name, game, entry.level or usual)
        return await self._begin(row, entries, draw(0, means.chance, now, start))

    async def _begin(self, row: TableRow, entries: list[Entry], dealt: DealRow | None) -> Table:
        """Saves a new table; the first deal begins if there is one."""
        if dealt is not None:
            entries.append(Entry(len(entries) + 1, 0, "deal", row.created))
            row = replace(row, status="playing")
        self._make_room()
        await self.means.store.append(Write(row.id, entries, created=row, dealt=dealt))
        return await self._open(Saved(row, [dealt] if dealt else [], entries))

    async def note(self, table: str, deal: int, kind: str, person: str) -> None:
        """Writes down at a table that a person has looked at a finished deal, or shared it; once."""
        found = await self.table(table)
        if found is None:
            raise UnknownError(Code.NO_TABLE)

        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def save() -> None:
            try:
                await found.save([replace(found.entry(kind, person=person), deal=deal)])
                done.set_result(None)
            except StoreError as problem:
                done.set_exception(problem)

        found.post(save)
        await done

    async def lobby(self) -> list[wire.TableInfo]:
        """Public tables that are in memory: what nobody has looked at for long is not worth showing."""
        open_to_all = [table.show.info() for table in self.tables.values() if table.row.public and table.clients]
        listed = [info for info in open_to_all if info.status in ("waiting", "playing", "over")]
        listed.sort(key=lambda info: (info.status != "waiting", -info.created))
        return listed[:LOBBY]

    async def _open(self, saved: Saved) -> Table:
        self._make_room()
        await self.means.people.renew(list({entry.person for entry in saved.entries if entry.person is not None}))
        try:
            table = Table(self.means, saved)
        except ValueError as problem:  # its rulesheet has gone or changed
            log.warning("table cannot be opened", extra={"table": saved.table.id, "problem": str(problem)})
            raise UnknownError(Code.CLOSED) from None
        if saved.table.id in self.tables:  # somebody else was quicker
            return self.tables[saved.table.id]
        table.start()
        self.tables[saved.table.id] = table
        return table

    def _make_room(self) -> None:
        if len(self.tables) < self.means.settings.max_tables:
            return
        idle = [table for table in self.tables.values() if table.alone]
        if not idle:
            raise UnknownError(Code.FULL)
        self._forget(min(idle, key=lambda table: table.touched))

    def tidy(self) -> None:
        """Tables that nobody has looked at for a while leave the memory; the store has them."""
        late = self.means.timing.now() - self.means.settings.idle
        for table in list(self.tables.values()):
            if table.alone and table.touched < late:
                self._forget(table)

    async def look(self) -> None:
        """Notices what an operator has done meanwhile (kibitz admin): closed tables, people who may not come."""
        for row in await self.means.store.tables(list(self.tables)):
            table = self.tables.get(row.id)
            if row.status == "closed" and table is not None and table.situation.status != "closed":
                table.post(table.close)
        here = {client.person for table in self.tables.values() for client in table.clients}
        rows = await self.means.people.renew([person for person in here if person is not None])
        for person in here:
            if person is not None and (person not in rows or rows[person].banned):
                self.dismiss(person)

    def dismiss(self, person: str) -> None:
        """Hangs up on somebody."""
        for table in self.tables.values():
            for client in table.clients:
                if client.person == person:
                    client.hang_up(1008)

    async def farewell(self) -> None:
        """Before the server ends: everybody is told to come back."""
        for table in self.tables.values():
            for client in table.clients:
                client.send(seen.refused(None, Code.CLOSING))
                client.hang_up(1001)
        for _ in range(400):  # until they have heard it, but no longer than a few seconds
            if not any(table.clients for table in self.tables.values()):
                return
            await asyncio.sleep(0.01)

    def _forget(self, table: Table) -> None:
        self.tables.pop(table.id, None)
        self._stopping = asyncio.ensure_future(table.stop())


def _first_entries(seats: list[wire.NewSeat], players: int, host: str, usual: str, now: int) -> list[Entry]:
    if len(seats) != players or sum(seat.who == "me" for seat in seats) > 1:
        raise UnknownError(Code.BAD_OPTIONS)
    if all(seat.who == "bot" for seat in seats):
        raise UnknownError(Code.BAD_OPTIONS)
    entries: list[Entry] = []
    for place, seat in enumerate(seats):
        level = seat.level or usual
        if seat.who == "me":
            entries.append(Entry(len(entries) + 1, 0, "sit", now, place, person=host, level=level))
        elif seat.who == "bot":
            entries.append(Entry(len(entries) + 1, 0, "bot", now, place, level=level))
    return entries


__all__ = ["House", "StoreError"]
