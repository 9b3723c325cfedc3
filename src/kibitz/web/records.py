"""Finished deals, everything open, as `kibitz export` writes and `kibitz verify` reads them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from kibitz.web.catalogue import Catalogue
from kibitz.web.store.base import Finished, Store
from kibitz.web.table.situation import Situation

MOVES = ("act", "auto", "clock")


async def finished_deals(store: Store, which: Finished | None = None) -> AsyncIterator[dict[str, Any]]:
    """In the order of their ends. A rulesheet's deals are left out: the sheet is the operator's."""
    catalogue = Catalogue()
    for row, deal in await store.finished(which or Finished()):
        saved = await store.load(row.id)
        if saved is None or row.game not in catalogue.names():
            continue
        at = Situation(saved.table, catalogue.game(row.game, row.options))
        deals = {other.deal: other for other in saved.deals}
        for entry in saved.entries:
            if entry.deal > deal.deal:
                break
            at.fold(entry, deals.get(entry.deal))
            if at.deal is not None and at.deal.number == deal.deal and at.deal.over:
                break
        if at.deal is None or not at.deal.over:
            continue
        opened = at.deal.opened()
        moves = [entry for entry in saved.entries if entry.deal == deal.deal and entry.kind in MOVES]
        yield {
            "format": "kibitz-table-deal",
            "version": 1,
            "table": row.id,
            "deal": deal.deal,
            "game": row.game,
            "options": row.options,
            "seats": [
                {"kind": "person" if place.person else "bot", "level": None if place.person else place.level}
                for place in (at.at(seat) for seat in range(at.game.players))
            ],
            "by_bots": [entry.kind == "auto" for entry in moves],
            "moves": [entry.action for entry in moves],
            "resigned": at.deal.resigned,
            "payoffs": at.deal.payoffs(),
            "finished": deal.finished,
            "seed": opened.seed,
            "salt": opened.salt,
            "hash": opened.hash,
            "commitment": opened.commitment,
            "dealt": opened.dealt,
            "position": opened.position,
        }
