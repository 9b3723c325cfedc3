"""Playing and speaking at a table: what is asked for is checked, saved, or refused with a code."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kibitz.web import seen, wire
from kibitz.web.means import Client
from kibitz.web.seats import Place
from kibitz.web.store.base import Write
from kibitz.web.talk import PHRASES
from kibitz.web.wire import Code

if TYPE_CHECKING:
    from kibitz.web.table.task import Table


async def act(table: Table, client: Client, message: wire.Act) -> int | Code:
    at = table.situation
    place = at.of(client.person)
    if place is None:
        return Code.NOT_SEATED
    if at.status != "playing" or at.deal is None:
        return Code.CLOSED if at.status == "closed" else Code.NOT_NOW
    if message.turn != at.deal.turn:
        return Code.OLD_TURN
    if at.deal.to_act != at.seat(place):
        return Code.NOT_YOUR_TURN
    if message.action not in at.deal.legal():
        return Code.ILLEGAL
    return await play(table, "act", place, message.action, message.cid)


async def play(table: Table, kind: str, place: Place, action: int, cid: str | None = None) -> int:
    """Saves a legal action of the seat to act. Who acts while a bot plays for them is back."""
    deal = table.situation.deal
    assert deal is not None
    entries = []
    if kind == "act" and place.away:
        entries.append(table.entry("back", place))
    made = table.entry(kind, place, action=action, cid=cid)
    entries.append(replace(made, n=made.n + len(entries)))
    payoffs = deal.ends_with(action)
    finished = None if payoffs is None else replace(deal.row, payoffs=payoffs, finished=made.at)
    n = await table.save(entries, finished=finished, status=None if finished is None else "over")
    table.means.counts.moves += 1
    table.means.counts.bot_moves += kind == "auto"
    table.means.counts.finished += finished is not None
    return n


async def resign(table: Table, place: Place, cid: str) -> int | Code:
    """Where two play for one game: elsewhere others would lose by it, too; one can leave."""
    at = table.situation
    if at.status != "playing" or at.deal is None or at.game.players != 2 or at.row.series is not None:
        return Code.NOT_NOW
    low, high = at.game.payoff_range
    payoffs = [low if seat == at.seat(place) else high for seat in range(2)]
    finished = replace(at.deal.row, payoffs=payoffs, finished=table.means.timing.wall())
    return await table.save([table.entry("resign", place, cid=cid)], finished=finished, status="over")


async def say(table: Table, client: Client, message: wire.Say) -> int | Code:
    """Told to everybody, and kept for as long as the operator keeps what was said."""
    if client.person is None:
        return Code.NOT_SEATED
    row = await table.means.people.find(client.person)
    if row is None or row.muted:
        return Code.MUTED
    if message.phrase not in PHRASES:
        return Code.BAD_MESSAGE
    await table.means.store.append(Write(table.id, said=(row.id, message.phrase, table.means.timing.wall())))
    place = table.situation.of(client.person)
    seat = None if place is None else table.situation.seat(place)
    said = wire.Said(n=table.situation.n, seat=seat, person=row.id, name=row.name, phrase=message.phrase)
    for other in table.clients:
        other.send(seen.said(said))
    return table.situation.n
