"""A table: one task that takes one thing after another from its inbox.

Whatever changes the table is an entry: saved first, then folded into the situation, then shown to every audience. So
nothing is shown or acknowledged that a crash could take back.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence

from kibitz.web import seen, wire
from kibitz.web.means import Client, Means
from kibitz.web.seats import Place
from kibitz.web.seen import SPECTATOR
from kibitz.web.store.base import DealRow, Entry, Saved, StoreError, TableRow, Write
from kibitz.web.table import acts, wishes
from kibitz.web.table.deal import draw
from kibitz.web.table.pace import Pace
from kibitz.web.table.panel import Panel
from kibitz.web.table.show import Show
from kibitz.web.table.situation import Situation
from kibitz.web.wire import Code

log = logging.getLogger("kibitz.web")
INBOX = 64  # clients' messages that may wait; what the server itself posts always may
MOVES = {"act": "person", "auto": "bot", "clock": "clock"}
Item = Callable[[], Awaitable[None]]
Wish = wire.Act | wire.SeatWish | wire.Say | wire.Think


class Table:
    """Use `house.table(id)`. What is not a property, `post` or `offer` runs in the table's own task."""

    def __init__(self, means: Means, saved: Saved) -> None:
        self.means = means
        self.game = means.catalogue.game(saved.table.game, saved.table.options)
        self.situation = Situation.replay(saved, self.game)
        self.clients: list[Client] = []
        self.touched = means.timing.now()
        self.show = Show(self)
        self.pace = Pace(self)
        self.panel = Panel(self)
        self._inbox: asyncio.Queue[Item] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self._in_doubt = False  # something may or may not have been saved

    @property
    def row(self) -> TableRow:
        return self.situation.row

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def alone(self) -> bool:
        """Nobody looks at it, and nobody is about to."""
        return not self.clients and self._inbox.empty()

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name=f"table {self.id}")

    async def stop(self) -> None:
        """After what it is saving; what waits is left undone, and has not been acknowledged."""
        self.pace.cancel()
        self.panel.cancel()
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def post(self, item: Item) -> None:
        self._inbox.put_nowait(item)

    def offer(self, item: Item) -> bool:
        """For what clients send: False if the inbox is full."""
        if self._inbox.qsize() >= INBOX:
            return False
        self.post(item)
        return True

    async def idle(self) -> None:
        """When everything posted so far is done."""
        await self._inbox.join()

    async def _run(self) -> None:
        while True:
            item = await self._inbox.get()
            try:
                await item()
            except StoreError as problem:  # nobody asked for it, so everybody is told; it is tried again
                self._failed(problem)
                for client in self.clients:
                    client.send(seen.refused(None, Code.STORAGE))
                self.pace.retry()
            except Exception:  # one bad message must not end the table for all who play at it
                log.exception("table failed", extra={"table": self.id})
            finally:
                self._inbox.task_done()

    # ---- clients

    def here(self, place: Place) -> bool:
        return any(client.person == place.person for client in self.clients) if place.person else False

    def seat_of(self, client: Client) -> int:
        place = self.situation.of(client.person)
        return SPECTATOR if place is None else self.situation.seat(place)

    async def arrive(self, client: Client) -> None:
        self.touched = self.means.timing.now()
        self.clients.append(client)
        self.show.everything(client)
        place = self.situation.of(client.person)
        if place is not None:
            self.pace.came(place)
            if place.away:
                await self.save([self.entry("back", place)])
        self.show.people()
        await self.go_on()

    async def depart(self, client: Client) -> None:
        if client not in self.clients:
            return
        self.clients.remove(client)
        self.panel.leave(client)
        self.touched = self.means.timing.now()
        place = self.situation.of(client.person)
        if place is not None and not self.here(place):
            self.pace.went(place)
        self.show.people()
        await self.go_on()

    async def receive(self, client: Client, message: Wish | wire.Resync) -> None:
        """A message of a client that has been welcomed."""
        self.touched = self.means.timing.now()
        if isinstance(message, wire.Resync):
            self.show.everything(client)
            return
        answer: int | Code | None
        try:
            if self._in_doubt:
                await self._recheck()
            answer = self._known(client, message.cid)
            if answer is None:
                answer = await self._do(client, message)
        except StoreError as problem:
            self._failed(problem)
            answer = Code.STORAGE
        if isinstance(answer, Code):
            self.means.counts.refuse(answer.value)
            client.send(seen.refused(message.cid, answer))
            return
        client.send(seen.ack(message.cid, answer))
        self.show.news()
        await self.go_on()

    def _known(self, client: Client, cid: str) -> int | Code | None:
        """What was done before is acknowledged again, and not done again."""
        place = self.situation.of(client.person)
        return None if place is None else self.situation.cids.get((place.number, cid))

    async def _do(self, client: Client, message: Wish) -> int | Code:
        if isinstance(message, wire.Think):
            return self.panel.think(client, message)
        if isinstance(message, wire.Act):
            return await acts.act(self, client, message)
        if isinstance(message, wire.SeatWish):
            return await wishes.grant(self, client, message)
        return await acts.say(self, client, message)

    async def go_on(self) -> None:
        """Whatever follows by itself: the first deal, the next one, the end of the table; then whose turn it is."""
        follows = wishes.follows(self)
        if follows == "deal":
            await self.deal()
        elif follows == "close":
            await self.save([self.entry("close")], status="closed")
        self.show.news()
        self.pace.plan()

    async def close(self) -> None:
        """By the operator."""
        if self.situation.status != "closed":
            await self.save([self.entry("close")], status="closed")
        self.show.news()
        self.pace.cancel()

    # ---- entries

    def entry(
        self,
        kind: str,
        place: Place | None = None,
        *,
        action: int | None = None,
        cid: str | None = None,
        person: str | None = None,
        level: str | None = None,
    ) -> Entry:
        """The next one."""
        number = None if place is None else place.number
        at, n = self.means.timing.wall(), self.situation.n + 1
        return Entry(n, self.situation.number, kind, at, number, action, cid, person, level)

    async def deal(self) -> None:
        number = 0 if self.situation.deal is None else self.situation.deal.number + 1
        at = self.means.timing.wall()
        dealt = draw(number, self.means.chance, at)
        await self.save([Entry(self.situation.n + 1, number, "deal", at)], dealt=dealt, status="playing")
        self.means.counts.deals += 1

    async def save(
        self,
        entries: Sequence[Entry],
        *,
        dealt: DealRow | None = None,
        finished: DealRow | None = None,
        status: str | None = None,
    ) -> int:
        """Commits, then folds. StoreError: nothing has changed."""
        if self._in_doubt:  # what was to be saved was made from what may be out of date
            await self._recheck()
            raise StoreError("the table was read again")
        self._in_doubt = True  # until the store says so
        await self.means.store.append(Write(self.id, entries, None, dealt, finished, status))
        self._in_doubt = False
        for entry in entries:
            self.show.before(entry)
            self.situation.fold(entry, dealt)
            self.show.after(entry)
            if entry.kind in MOVES or entry.kind == "deal":
                self.pace.new_turn()
        self.panel.check()
        return self.situation.n

    async def _recheck(self) -> None:
        """What was in doubt may have been saved: the database knows."""
        saved = await self.means.store.load(self.id)
        if saved is None:
            raise StoreError("the table is not in the database")
        self.situation = Situation.replay(saved, self.game)
        self._in_doubt = False
        self.pace.new_turn()
        self.panel.check()
        for client in self.clients:
            self.show.everything(client)
        self.pace.plan()

    def _failed(self, problem: StoreError) -> None:
        self.means.counts.storage_errors += 1
        log.error("cannot save", extra={"table": self.id, "problem": str(problem)})
