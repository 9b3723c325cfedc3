"""The kibitzer at the table: thoughts for a seated person, from that person's view alone, where the table allows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from kibitz.advice.report import Report
from kibitz.advice.thinking import Thinking
from kibitz.web import seen, wire
from kibitz.web.desk import Job
from kibitz.web.means import Client
from kibitz.web.seats import people_at
from kibitz.web.seen import Audience, Seen
from kibitz.web.wire import Code

if TYPE_CHECKING:
    from kibitz.web.table.situation import Situation
    from kibitz.web.table.task import Table


def allowed(at: Situation) -> bool:
    """Alone with bots, or all people agree at a teaching table; never where results are rated, or compared by the
    name of the deal."""
    people = people_at(at.places)
    if at.row.mode == "rated" or (at.row.named is not None and at.number == 0):
        return False
    return len(people) == 1 or (at.row.mode == "teaching" and all(place.agrees for place in people))


@dataclass(eq=False)
class _Talk:
    """The thoughts about one decision, and who listens: all devices of its person."""

    audience: Audience
    turn: int
    clients: list[Client] = field(default_factory=list)
    job: Job | None = None
    last: Seen | None = None


class Panel:
    """Use from the table's own task."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._talk: _Talk | None = None  # one seat is to act, so there is one at most

    def think(self, client: Client, message: wire.Think) -> int | Code:
        at = self.table.situation
        if not message.on:
            self.leave(client)
            return at.n
        place = at.of(client.person)
        if place is None:
            return Code.NOT_SEATED
        if not allowed(at):
            return Code.NO_THOUGHTS
        if at.status != "playing" or at.deal is None:
            return Code.NOT_NOW
        if at.deal.to_act != at.seat(place):
            return Code.NOT_YOUR_TURN
        return self._listen(client)

    def _listen(self, client: Client) -> int | Code:
        at, audience = self.table.situation, self.table.show.audience(client)
        assert at.deal is not None
        if client.audience != audience:
            return Code.NOT_NOW
        talk = self._talk
        if talk is None:
            talk = _Talk(audience, at.deal.turn)
            names = [seat.name for seat in self.table.show.info().seats]
            thinking = Thinking(at.deal.view(audience.seat), names=names)
            talk.job = self.table.means.desk.ask(thinking, partial(self._told, talk))
            if talk.job is None:
                return Code.BUSY
            self._talk = talk
        if client not in talk.clients:
            talk.clients.append(client)
        if talk.last is not None:
            client.send(talk.last)
        return at.n

    def _told(self, talk: _Talk, report: Report) -> None:
        """In the event loop, between two messages of the table. What is late is dropped."""
        if talk is not self._talk:
            return
        talk.last = seen.thought(talk.audience, report, talk.turn)
        for client in talk.clients:
            if client.audience == talk.audience:
                client.send(talk.last)

    def check(self) -> None:
        """After every change: thoughts end with their turn, with the permission, and with their audience."""
        talk, at = self._talk, self.table.situation
        if talk is None:
            return
        over = at.status != "playing" or at.deal is None or at.deal.turn != talk.turn
        place = at.at(talk.audience.seat)
        if over or at.number != talk.audience.deal or place.person is None or not allowed(at):
            self.cancel()
            return
        talk.clients = [client for client in talk.clients if client.person == place.person]
        if not talk.clients:
            self.cancel()

    def leave(self, client: Client) -> None:
        """Does not want to hear more, or has gone."""
        if self._talk is not None and client in self._talk.clients:
            self._talk.clients.remove(client)
            if not self._talk.clients:
                self.cancel()

    def cancel(self) -> None:
        if self._talk is not None and self._talk.job is not None:
            self._talk.job.cancel()
        self._talk = None
