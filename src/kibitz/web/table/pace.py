"""When things happen at a table: bots on their grid, clocks, seats of people who have gone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from kibitz.protocols import facts
from kibitz.web import wire
from kibitz.web.bots import Request
from kibitz.web.clock import limit, window_action
from kibitz.web.seats import Place, people_at
from kibitz.web.table import acts
from kibitz.web.timing import Handle, last_tick

if TYPE_CHECKING:
    from kibitz.web.table.task import Table

RETRY = 2.0  # seconds until something that could not be saved is tried again


class Pace:
    """Plans what comes by itself. A table that nobody looks at stands still."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._timing = table.means.timing
        self._since = self._timing.now()  # when the turn began
        self._gone: dict[int, float] = {}  # place -> when its person went
        self._timers: list[Handle] = []
        self._request: Request | None = None
        self._asked: tuple[int, int] | None = None  # deal and turn of the request, or of its answer

    def new_turn(self) -> None:
        self._since = self._timing.now()
        self._drop_request()

    def came(self, place: Place) -> None:
        self._gone.pop(place.number, None)

    def went(self, place: Place) -> None:
        self._gone[place.number] = self._timing.now()

    def cancel(self) -> None:
        self._drop_timers()
        self._drop_request()

    def retry(self) -> None:
        self.cancel()
        self._later(self._timing.now() + RETRY, self.table.go_on)

    def plan(self) -> None:
        """After every change. What was planned before is planned anew; a bot that thinks goes on thinking."""
        self._drop_timers()
        at = self.table.situation
        if not self.table.clients or at.status == "closed":
            self._drop_request()
            return
        self._plan_gone()
        if at.status != "playing" or at.deal is None or at.deal.to_act is None:
            return
        place = at.at(at.deal.to_act)
        turn = (at.deal.number, at.deal.turn)
        if place.bot_plays:
            self._ask(place, turn)
            return
        self._drop_request()
        allowed = self._limit()
        if allowed is not None:
            self._later(self._since + allowed, lambda: self._time_up(turn))
        elif not facts(at.game).hidden and len(at.deal.legal()) == 1:
            # Nothing to choose and nothing hidden: played at the pace of bots. (Where something is hidden, the time
            # would tell that there was no choice.)
            only = at.deal.legal()[0]
            self._later(self._since + self.table.means.settings.pace, lambda: self._play(turn, only, "clock"))

    def clock(self) -> wire.Clock | None:
        """Of the seat to act."""
        at = self.table.situation
        if at.status != "playing" or at.deal is None or at.deal.to_act is None or at.at(at.deal.to_act).bot_plays:
            return None
        allowed = self._limit()
        if allowed is None:
            return None
        left = max(0.0, self._since + allowed - self._timing.now())
        return wire.Clock(seat=at.deal.to_act, left_ms=round(left * 1000), limit_ms=round(allowed * 1000))

    # ---- bots

    def _ask(self, place: Place, turn: tuple[int, int]) -> None:
        if self._asked == turn:
            return
        at, means = self.table.situation, self.table.means
        assert at.deal is not None
        assert at.deal.to_act is not None
        spec = means.catalogue.spec_or_weakest(at.row.game, at.game, place.level)
        view = at.deal.view(at.deal.to_act)
        self._asked = turn
        asked = last_tick(self._since, self._timing.now(), means.settings.pace)
        answer = partial(self._answered, turn, asked, f"{at.row.game} {spec}")
        # At a named deal bots draw the same lots for everybody: who plays the same gets the same answers.
        named = at.row.named if turn[0] == 0 else None
        seed = means.chance.seed() if named is None else means.tokens.seed(f"bot.{named}.{turn[1]}")
        self._request = means.bots.ask(view, spec, seed, answer)
        if self._request is None:  # too many wait
            self._asked = None
            self._later(asked + means.settings.pace, self.table.go_on)

    def _answered(self, turn: tuple[int, int], asked: float, kind: str, action: int) -> None:
        """Not played before its tick."""
        due = self.table.means.ticks.due(kind, asked, self._timing.now(), self.table.means.settings.pace)
        self._answer = self._timing.call_at(due, lambda: self.table.post(lambda: self._play(turn, action, "auto")))

    async def _play(self, turn: tuple[int, int], action: int, kind: str) -> None:
        """If it is still that turn, and still to be played for the seat."""
        place = self._to_act(turn)
        if place is None:
            return
        if kind == "auto" and (not place.bot_plays or self._asked != turn):
            return
        self._asked = None
        await acts.play(self.table, kind, place, action)
        self.table.show.news()
        await self.table.go_on()

    # ---- people

    def _limit(self) -> float | None:
        at, settings = self.table.situation, self.table.means.settings
        assert at.deal is not None
        assert at.deal.to_act is not None
        return limit(len(people_at(at.places)), at.row.clock_s, settings.window, at.deal.view(at.deal.to_act))

    async def _time_up(self, turn: tuple[int, int]) -> None:
        """A call window closes; any other decision is a bot's from now on, until the person is back."""
        place, at = self._to_act(turn), self.table.situation
        if place is None or at.deal is None:
            return
        missed = window_action(at.deal.view(at.seat(place)))
        if missed is not None:
            await self._play(turn, missed, "clock")
        elif not place.bot_plays:
            await self._away(place)

    def _to_act(self, turn: tuple[int, int]) -> Place | None:
        """Whose turn it is, if it is still that turn."""
        at = self.table.situation
        if at.status != "playing" or at.deal is None or (at.deal.number, at.deal.turn) != turn:
            return None
        return None if at.deal.to_act is None else at.at(at.deal.to_act)

    def _plan_gone(self) -> None:
        """A bot plays for people who have gone while others are there."""
        people = people_at(self.table.situation.places)
        others = any(self.table.here(place) for place in people)
        if len(people) < 2 or not others or self.table.situation.status == "waiting":
            return
        for place in people:
            if place.away or self.table.here(place):
                continue
            since = self._gone.setdefault(place.number, self._timing.now())
            self._later(since + self.table.means.settings.grace, partial(self._gone_for_long, place))

    async def _gone_for_long(self, place: Place) -> None:
        if not place.away and place.person is not None and not self.table.here(place):
            await self._away(place)

    async def _away(self, place: Place) -> None:
        await self.table.save([self.table.entry("away", place)])
        self.table.show.news()
        await self.table.go_on()

    # ---- timers

    def _later(self, when: float, item: Callable[[], Awaitable[None]]) -> None:
        self._timers.append(self._timing.call_at(when, lambda: self.table.post(item)))

    def _drop_timers(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers = []

    def _drop_request(self) -> None:
        self._asked = None
        if self._request is not None:
            self._request.cancel()
            self._request = None
