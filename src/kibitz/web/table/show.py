"""What each client of a table is told, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz._core import View
from kibitz.web import seen, wire
from kibitz.web.means import Client
from kibitz.web.seats import Place
from kibitz.web.seen import SPECTATOR, Audience, Seen
from kibitz.web.store.base import Entry
from kibitz.web.table.panel import allowed
from kibitz.web.talk import PHRASES

if TYPE_CHECKING:
    from kibitz.web.table.task import Table

BY = {"act": "person", "auto": "bot", "clock": "clock"}


class Show:
    """Collects what entries changed, and tells it once: views per audience, seats, the end of a deal."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._seats_changed = False
        self._before: dict[int, int] = {}  # seat -> how many moves its view knew before the last one
        self._moves: list[tuple[Entry, dict[int, Seen]]] = []
        self._dealt = False
        self._over = False

    # ---- entries

    def before(self, entry: Entry) -> None:
        deal = self.table.situation.deal
        if entry.kind in BY and deal is not None:
            shown = {seat: self._view(seat) for seat in self._seats()}
            self._before = {seat: len(view.history) for seat, view in shown.items() if view is not None}

    def after(self, entry: Entry) -> None:
        at = self.table.situation
        if entry.kind in BY:
            assert entry.place is not None
            mover = at.seat(at.places[entry.place])
            views = {seat: self._moved(seat, mover, entry) for seat in self._seats()}
            self._moves.append((entry, {seat: view for seat, view in views.items() if view is not None}))
            self._over |= at.status == "over"
        elif entry.kind == "deal":
            self._dealt = self._seats_changed = True
        elif entry.kind == "resign":
            self._over = True
        elif entry.kind not in ("look", "share"):
            self._seats_changed = True

    def news(self) -> None:
        """Tells what has changed since the last time."""
        moves, dealt, over, seats = self._moves, self._dealt, self._over, self._seats_changed
        self._moves, self._dealt, self._over, self._seats_changed = [], False, False, False
        if dealt or seats:
            self._reseat(dealt)
        for _, views in moves:
            for client in self.table.clients:
                made = views.get(client.audience.seat)
                if made is not None and made.audience == client.audience:
                    client.send(made)
        if over:
            self._tell_over()
        if seats or over:
            self.people()

    def _reseat(self, dealt: bool) -> None:
        """Clients whose seat is another one now, and all of them after a deal, begin anew."""
        for client in self.table.clients:
            if dealt or client.audience != self.audience(client):
                self.everything(client, "deal" if dealt else "sync")

    # ---- whole things

    def audience(self, client: Client) -> Audience:
        return Audience(self.table.id, self.table.situation.number, self.table.seat_of(client))

    def everything(self, client: Client, kind: str = "sync") -> None:
        """Welcome, people, view, and the end if it has come."""
        at = self.table.situation
        client.audience = self.audience(client)
        client.send(seen.welcome(client.audience, self._you(client), self.info(), PHRASES))
        client.send(seen.people(self.info(), at.n))
        if at.deal is None:
            return
        shown = self._view(client.audience.seat)
        if shown is None or (client.audience.seat == SPECTATOR and not self.table.row.watching):
            client.send(seen.refused(None, wire.Code.NO_WATCHING))
        else:
            cause = wire.Cause.model_validate({"kind": kind})
            client.send(seen.view(client.audience, shown, self._scene(), cause, whole=True))
        if at.deal.over:
            self._send_over(client)

    def people(self) -> None:
        told = seen.people(self.info(), self.table.situation.n)
        for client in self.table.clients:
            client.send(told)

    def _tell_over(self) -> None:
        for client in self.table.clients:
            self._send_over(client)

    def _send_over(self, client: Client) -> None:
        at = self.table.situation
        if at.deal is None or at.result is None:
            return
        if client.audience.seat == SPECTATOR and not self.table.row.watching:
            return
        opened = at.deal.opened()
        client.send(seen.over(client.audience, opened, at.result, at.n, at.deal.number, at.deal.resigned))

    # ---- parts

    def _seats(self) -> set[int]:
        """Whose views are wanted."""
        return {self.table.seat_of(client) for client in self.table.clients}

    def _view(self, seat: int) -> View | None:
        deal = self.table.situation.deal
        assert deal is not None
        if seat != SPECTATOR:
            return deal.view(seat)
        return deal.public() if self.table.row.watching else None

    def _moved(self, seat: int, mover: int, entry: Entry) -> Seen | None:
        shown = self._view(seat)
        if shown is None:
            return None
        audience = Audience(self.table.id, self.table.situation.number, seat)
        cause = seen.moved(shown, self._before.get(seat, 0), mover, BY[entry.kind])
        return seen.view(audience, shown, self._scene(entry.n), cause, whole=False)

    def _scene(self, n: int | None = None) -> seen.Scene:
        at = self.table.situation
        assert at.deal is not None
        number = at.n if n is None else n
        return seen.Scene(number, at.deal.number, at.deal.turn, at.deal.row.hash, self.table.pace.clock())

    def _you(self, client: Client) -> wire.You:
        at = self.table.situation
        place = at.of(client.person)
        if place is None:
            return wire.You(person=client.person, seat=None, host=_is(at.host, client.person), token=None)
        token = self.table.means.tokens.seat(self.table.id, place.number, place.since)
        return wire.You(person=client.person, seat=at.seat(place), host=at.host == client.person, token=token)

    def info(self) -> wire.TableInfo:
        """What everybody may know."""
        at, row = self.table.situation, self.table.row
        watchers = sum(1 for client in self.table.clients if at.of(client.person) is None)
        return wire.TableInfo.model_validate(
            {
                "id": row.id,
                "game": row.game,
                "options": row.options,
                "players": at.game.players,
                "series": None if row.series is None else {"to": row.series},
                "clock_s": row.clock_s,
                "public": row.public,
                "watching": row.watching,
                "mode": row.mode,
                "thoughts": allowed(at),
                "status": at.status,
                "deal": at.number,
                "seats": [self._seat_info(at.at(seat), seat) for seat in range(at.game.players)],
                "watchers": watchers,
                "created": row.created,
                "named": None if row.named is None else {"id": row.named, "name": row.named_as},
            }
        )

    def _seat_info(self, place: Place, seat: int) -> wire.SeatInfo:
        at = self.table.situation
        name, picture = self.table.means.people.name(place.person) if place.person else (place.name, None)
        return wire.SeatInfo(
            seat=seat,
            kind="person" if place.person else "open" if place.open else "bot",
            name="" if place.open else name,
            picture=picture,
            person=place.person,
            level=place.level,
            here=self.table.here(place) if place.person else True,
            bot_plays=place.person is not None and place.away,
            ready=place.ready,
            agrees=place.agrees,
            points=at.score.points[place.number],
            team=at.game.teams[seat],
        )


def _is(host: str | None, person: str | None) -> bool:
    return host is not None and host == person
