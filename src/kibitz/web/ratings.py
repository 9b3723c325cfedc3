"""Ratings of people, per game, by openskill: worked out from the finished deals of rated tables, in their order.

Nothing is saved: the deals are the truth, and the same deals give the same ratings. Levels are anchors: they count as
opponents and partners, and stay where they are. Whoever sat there when a deal began is rated by its end, also if a bot
finished it. People who deleted their data count under a name that leads to nobody, so that the others keep theirs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np
from openskill.models.weng_lin.plackett_luce import PlackettLuceRating

from kibitz._core import Game
from kibitz.arena.stats import sides_of, winners
from kibitz.web import wire
from kibitz.web.anchors import MODEL, anchors
from kibitz.web.catalogue import OFFERS, Catalogue
from kibitz.web.means import Means
from kibitz.web.people import shown
from kibitz.web.series import place_of
from kibitz.web.store.base import DealRow, Finished, PersonRow, Saved, Store

Z = 1.96
SURE = 0.01  # the uncertainty of an anchor
LISTED = 100
SEATED = ("sit", "bot", "free", "leave")


@dataclass
class Standing:
    """Of one person."""

    mu: float = float(MODEL.mu)
    sigma: float = float(MODEL.sigma)
    games: int = 0

    @property
    def low(self) -> float:
        return self.mu - Z * self.sigma


@dataclass(frozen=True)
class Rated:
    """A finished deal: who sat on each seat when it began, a person or a level, and who won."""

    people: Sequence[str | None]
    levels: Sequence[str | None]
    payoffs: Sequence[float]


@dataclass
class Board:
    """The standings of a game."""

    people: dict[str, Standing] = field(default_factory=dict)
    counted: set[tuple[str, int]] = field(default_factory=set)  # deals of the last second that was looked at
    until: int = 0

    def count(self, game: Game, deal: Rated) -> None:
        """One deal more; one that was thrown in says nothing."""
        seats = range(game.players)
        means = anchors(game)
        before = [self._rating(deal, seat, means) for seat in seats]
        teams = _teams(game, deal.payoffs)
        if len(teams) < 2:
            return
        most = max(map(len, teams))
        # A landlord plays for two: the model adds up the players of a side.
        full = [[team[at % len(team)] for at in range(most)] for team in teams]
        won = winners(np.asarray(deal.payoffs), np.asarray(sides_of(game)))[0]
        after = MODEL.rate(
            [[before[seat] for seat in team] for team in full], scores=[float(won[team[0]]) for team in full]
        )
        for seat in seats:
            person = deal.people[seat]
            if person is not None:
                mine = [
                    rating
                    for team, rated in zip(full, after, strict=True)
                    for at, rating in zip(team, rated, strict=True)
                    if at == seat
                ]
                standing = self.people.setdefault(person, Standing())
                standing.mu = sum(rating.mu for rating in mine) / len(mine)
                standing.sigma = sqrt(sum(rating.sigma**2 for rating in mine) / len(mine))
                standing.games += 1

    def _rating(self, deal: Rated, seat: int, means: Mapping[str, float]) -> PlackettLuceRating:
        person = deal.people[seat]
        if person is not None:
            standing = self.people.get(person, Standing())
            return MODEL.rating(mu=standing.mu, sigma=standing.sigma)
        mean = means.get(deal.levels[seat] or "", float(MODEL.mu))
        return MODEL.rating(mu=mean, sigma=SURE)


def _teams(game: Game, payoffs: Sequence[float]) -> list[list[int]]:
    """The seats of each side; partners who found each other in the game have equal payoffs."""
    sides = list(payoffs) if game.partners_vary else list(game.teams)
    return [[seat for seat in range(game.players) if sides[seat] == side] for side in dict.fromkeys(sides)]


def rated_deals(saved: Saved, players: int) -> Iterator[tuple[DealRow, Rated]]:
    """The finished deals of a table, with those who sat there when each began."""
    people: list[str | None] = [None] * players
    levels: list[str | None] = [None] * players
    rows = {row.deal: row for row in saved.deals}
    for entry in saved.entries:
        if entry.kind in SEATED and entry.place is not None:
            people[entry.place] = entry.person if entry.kind == "sit" else None
            levels[entry.place] = entry.level
        elif entry.kind == "deal" and (row := rows[entry.deal]).payoffs is not None:
            places = [place_of(seat, entry.deal, players) for seat in range(players)]
            yield row, Rated([people[at] for at in places], [levels[at] for at in places], row.payoffs)


class Ratings:
    """All boards of a server, brought up to date when they are asked for."""

    def __init__(self, means: Means) -> None:
        self._store: Store = means.store
        self._catalogue: Catalogue = means.catalogue
        self._timing = means.timing
        self._boards: dict[str, Board] = {}
        self._lock = asyncio.Lock()

    async def board(self, name: str) -> wire.Ratings:
        """The leaderboard of a game, first who is surely good."""
        async with self._lock:
            board = self._boards.setdefault(name, Board())
            await self._renew(name, board)
            rows = await self._people(board)
            if any(id not in rows and not id.startswith(wire.GONE) for id in board.people):  # deleted since
                board = self._boards[name] = Board()
                await self._renew(name, board)
                rows = await self._people(board)
        listed = [id for id in board.people if id in rows and not rows[id].banned]
        best = sorted(listed, key=lambda id: (-board.people[id].low, id))
        levels = anchors(self._catalogue.game(name, self._catalogue.options(name, None, {}, None)))
        return wire.Ratings(
            game=name,
            people=[_line(rows[id], board.people[id]) for id in best[:LISTED]],
            levels=[wire.Anchor(level=level, rating=round(mean, 2)) for level, mean in levels.items()],
        )

    async def _people(self, board: Board) -> dict[str, PersonRow]:
        return {row.id: row for row in await self._store.people(list(board.people))}

    async def _renew(self, name: str, board: Board) -> None:
        """Counts what has ended since. The running second is left for later: its order is not known yet."""
        now = self._timing.wall()
        found = await self._store.finished(Finished(since=board.until, games=[name], mode="rated"))
        new = [
            (table.id, deal.deal, deal.finished or 0)
            for table, deal in found
            if (deal.finished or 0) < now and (table.id, deal.deal) not in board.counted
        ]
        tables: dict[str, tuple[Game, dict[int, Rated]]] = {}
        for id in dict.fromkeys(table for table, _, _ in new):
            saved = await self._store.load(id)
            if saved is not None:
                game = self._catalogue.game(name, saved.table.options)
                tables[id] = game, {row.deal: rated for row, rated in rated_deals(saved, game.players)}
        for id, deal, at in new:
            if id in tables and deal in tables[id][1]:
                board.count(tables[id][0], tables[id][1][deal])
            if at > board.until:
                board.until, board.counted = at, set()
            board.counted.add((id, deal))


def can_rate(game: str) -> bool:
    """Whether a game has ratings: rulesheets are the operator's own."""
    return game in OFFERS


def _line(row: PersonRow, standing: Standing) -> wire.Rating:
    half = Z * standing.sigma
    return wire.Rating(
        person=shown(row),
        rating=round(standing.mu, 2),
        low=round(standing.mu - half, 2),
        high=round(standing.mu + half, 2),
        games=standing.games,
    )
