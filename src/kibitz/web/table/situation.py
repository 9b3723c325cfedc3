"""What a table's entries amount to: the same code follows them as they come and replays them after a crash."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from kibitz._core import Game
from kibitz.web.seats import Place, people_at, place_with
from kibitz.web.series import Result, Score, place_of, seat_of
from kibitz.web.store.base import DealRow, Entry, Saved, TableRow
from kibitz.web.table.deal import Deal

REMEMBERED = 2048  # cids; the database knows the others


class Situation:
    """Changed by `fold` alone. Places are numbered through all deals, seats move on with each."""

    def __init__(self, row: TableRow, game: Game) -> None:
        self.row, self.game = row, game
        self.n = 0
        self.status = "waiting"
        self.places = [Place(number) for number in range(game.players)]
        self.score = Score(game, row.series)
        self.deal: Deal | None = None
        self.result: Result | None = None  # of the deal that is over
        self.cids: OrderedDict[tuple[int, str], int] = OrderedDict()

    @classmethod
    def replay(cls, saved: Saved, game: Game) -> Situation:
        made = cls(saved.table, game)
        deals = {row.deal: row for row in saved.deals}
        for entry in saved.entries:
            made.fold(entry, deals.get(entry.deal))
        if saved.table.status == "closed":  # by the operator
            made.status = "closed"
        return made

    @property
    def number(self) -> int:
        """Of the deal; before the first one, too."""
        return self.deal.number if self.deal is not None else 0

    def seat(self, place: Place) -> int:
        return seat_of(place.number, self.number, self.game.players)

    def at(self, seat: int) -> Place:
        return self.places[place_of(seat, self.number, self.game.players)]

    def of(self, person: str | None) -> Place | None:
        return place_with(self.places, person)

    @property
    def host(self) -> str | None:
        """Who made the table; if that person does not sit here any more, the first who does."""
        if self.of(self.row.host) is not None or self.status == "waiting":
            return self.row.host
        return next((place.person for place in people_at(self.places)), None)

    def fold(self, entry: Entry, dealt: DealRow | None = None) -> None:
        """One entry further."""
        if entry.n != self.n + 1:
            raise RuntimeError(f"entry {entry.n} after {self.n}")
        place = self.places[entry.place] if entry.place is not None else None
        FOLDS[entry.kind](self, entry, place, dealt)
        self.n = entry.n
        if entry.cid is not None and entry.place is not None:
            self.cids[entry.place, entry.cid] = entry.n
            if len(self.cids) > REMEMBERED:
                self.cids.popitem(last=False)

    def _end(self) -> None:
        """The deal may have ended."""
        if self.deal is not None and self.deal.over:
            self.status = "over"
            self.result = self.score.count(self.deal.payoffs(), self.deal.number)


Fold = Callable[[Situation, Entry, Place | None, DealRow | None], None]


def _sit(at: Situation, entry: Entry, place: Place | None, _: DealRow | None) -> None:
    assert place is not None
    place.person, place.level, place.away, place.ready = entry.person, entry.level or place.level, False, False
    place.since, place.agrees = entry.n, False
    if entry.person is not None:
        place.seen_by.add(entry.person)


def _bot(at: Situation, entry: Entry, place: Place | None, _: DealRow | None) -> None:
    """A bot sits down, where a person was or nobody; without a level the place is open."""
    assert place is not None
    place.person, place.level, place.away, place.ready = None, entry.level, False, False
    place.agrees = False


def _away(at: Situation, entry: Entry, place: Place | None, _: DealRow | None) -> None:
    assert place is not None
    place.away = entry.kind == "away"


def _agree(at: Situation, entry: Entry, place: Place | None, _: DealRow | None) -> None:
    assert place is not None
    place.agrees = entry.kind == "agree"


def _deal(at: Situation, entry: Entry, _: Place | None, dealt: DealRow | None) -> None:
    assert dealt is not None
    at.score.begin()
    at.deal, at.result, at.status = Deal(at.game, dealt), None, "playing"
    for place in at.places:
        place.ready = False
        place.seen_by = {place.person} if place.person is not None else set()


def _act(at: Situation, entry: Entry, _: Place | None, __: DealRow | None) -> None:
    assert at.deal is not None
    assert entry.action is not None
    at.deal.apply(entry.action)
    at._end()


def _ready(at: Situation, entry: Entry, place: Place | None, _: DealRow | None) -> None:
    assert place is not None
    place.ready = True


def _resign(at: Situation, entry: Entry, place: Place | None, _: DealRow | None) -> None:
    assert at.deal is not None
    assert place is not None
    at.deal.resign(at.seat(place))
    at._end()


def _look(at: Situation, entry: Entry, place: Place | None, _: DealRow | None) -> None:
    """A finished deal was looked at, or shared: the table stays as it is."""


def _close(at: Situation, entry: Entry, _: Place | None, __: DealRow | None) -> None:
    at.status = "closed"


FOLDS: dict[str, Fold] = {
    "sit": _sit,
    "bot": _bot,
    "free": _bot,
    "leave": _bot,
    "away": _away,
    "back": _away,
    "agree": _agree,
    "disagree": _agree,
    "deal": _deal,
    "act": _act,
    "auto": _act,
    "clock": _act,
    "look": _look,
    "share": _look,
    "ready": _ready,
    "resign": _resign,
    "close": _close,
}
