"""Reviews of finished deals: every decision of a seat in two columns, worked out once and kept for a while."""

from __future__ import annotations

from collections import OrderedDict
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request

from kibitz.record import Record
from kibitz.web import wire
from kibitz.web.api import REFUSALS, Authorization, TableId, TheHouse
from kibitz.web.asking import COSTS, WORLDS, Judging, Reviewing, spend
from kibitz.web.catalogue import UnknownError
from kibitz.web.deals import DealNumber, Look, opened
from kibitz.web.house import House
from kibitz.web.wire import Code

router = APIRouter(prefix="/api", responses=REFUSALS, tags=["finished deals"])
KEPT = 200  # reviews in memory
Key = tuple[str, int, int]  # table, deal, seat


class ReviewColumn(wire._Message):
    """A way to look at a decision: what the move played gets less than `best`, and its standard error; `fine` are the
    moves that are not bad by this measure."""

    best: str
    best_action: int
    says: str
    loss: float
    error: float | None
    worlds: int | None
    value: float | None
    chance: float | None
    exact: bool
    bad: bool
    fine: list[int]


class Decision(wire._Message):
    """`known`: over the worlds that the seat could imagine; `real`: in the cards as they lay. Never merged."""

    move: int  # from 1, of all moves of the game
    seat: int
    action: int
    text: str
    instead: str
    choices: int
    verdict: Literal["good", "mistake", "unlucky", "lucky", "unclear"]
    known: ReviewColumn | None
    real: ReviewColumn | None
    reason: str
    why: wire.Why | None
    unit: wire.Unit | None


class SeatReview(wire._Message):
    """The decisions of a seat; `moments`: the moves that are worth another look, by what they cost."""

    seat: int
    decisions: list[Decision]
    moments: list[int]
    forced: int
    given_away: float
    given_away_error: float
    chances: list[list[float]]  # after a move, the chance to win


class ReviewState(wire._Message):
    """How far it has come: so many of so many decisions. `failed`: this game cannot be judged."""

    done: int
    of: int
    failed: bool
    review: SeatReview | None


class Reviews:
    """What is being judged, and what was: the last ones stay in memory. The same deal gets the same review."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._known: OrderedDict[Key, _Review] = OrderedDict()

    def knows(self, key: Key) -> bool:
        return key in self._known

    def of(self, key: Key, record: Record) -> ReviewState:
        """Begins it, if it is not known; as far as it has come. UnknownError(BUSY): too many are at work."""
        if key not in self._known:
            made = _Review(record, key[2])
            made.begin(self._house)
            self._known[key] = made
            if len(self._known) > KEPT:
                self._known.popitem(last=False)[1].stop()
        self._known.move_to_end(key)
        return self._known[key].state()


class _Review:
    def __init__(self, record: Record, seat: int) -> None:
        self._reviewing = Reviewing(record, [seat], WORLDS["usual"])
        self._seat, self._works = seat, list[Judging]()
        self._left, self._failed = 0, False
        self._review: SeatReview | None = None

    def begin(self, house: House) -> None:
        for _ in range(house.means.bots.threads):
            work = Judging(self._reviewing)
            if house.means.desk.ask(work, lambda _: None, self._ended) is not None:
                self._works.append(work)
        self._left = len(self._works)
        if not self._works:
            raise UnknownError(Code.BUSY)

    def _ended(self, problem: Exception | None) -> None:
        self._left -= 1
        self._failed |= problem is not None
        if problem is not None:
            self.stop()
        elif self._left == 0 and not self._failed:
            self._review = self._told()

    def _told(self) -> SeatReview:
        told = self._reviewing.review().to_json()
        summary = told["summary"][0]
        names = ("given_away", "given_away_error", "chances")
        return SeatReview.model_validate(
            {name: told[name] for name in ("decisions", "moments", "forced")}
            | {name: summary[name] for name in names}
            | {"seat": self._seat}
        )

    def stop(self) -> None:
        for work in self._works:
            work.stop()

    def state(self) -> ReviewState:
        at = self._reviewing
        return ReviewState(done=len(at.done), of=at.total, failed=self._failed, review=self._review)


@router.get("/tables/{table}/deals/{deal}/review")
async def review(
    house: TheHouse,
    request: Request,
    table: TableId,
    deal: DealNumber,
    seat: Annotated[int, Query(ge=0, le=99)],
    authorization: Authorization = None,
    look: Look = False,
) -> ReviewState:
    """What the decisions of a seat were worth. The first question begins it: ask again until there is a review."""
    of = await opened(house, table, deal, authorization, look)
    reviews: Reviews = request.app.state.reviews
    key = (table, deal, seat)
    if seat >= len(of.record.seats):
        raise UnknownError(Code.BAD_OPTIONS)
    if not reviews.knows(key):
        spend(request, 5 * COSTS["usual"])
    return reviews.of(key, of.record)
