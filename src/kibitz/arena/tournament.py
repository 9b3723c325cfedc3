"""Plays a tournament: chunk by chunk into its store, on any back end, until it is complete, decided or interrupted.

The result is a function of the plan and the chunks that belong to it. Which chunks those are does not depend on the
back end: questions are looked at after whole rounds (`Plan.rounds`), and what was played beyond the round that decided
is left out.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from multiprocessing import get_start_method
from pathlib import Path

from kibitz import registry
from kibitz.arena.backends import Here, Processes
from kibitz.arena.jobs import Backend, Job, check
from kibitz.arena.plan import Plan
from kibitz.arena.standings import Standings, meetings_of
from kibitz.arena.store import Row, Store
from kibitz.arena.until import Answer, Question, answer
from kibitz.record import Record
from kibitz.record_files import writing_all

Progress = Callable[[int, int], None]  # (games done, games in all)


@dataclass(frozen=True)
class Outcome:
    """A tournament as its store has it."""

    standings: Standings
    answers: list[Answer]
    complete: bool  # all games are played, or all questions decided
    played: int  # games, those left out included
    rounds: int | None = None  # that count; None: all

    @property
    def decided(self) -> bool:
        return bool(self.answers) and all(found.verdict for found in self.answers)


class Ledger:
    """Counts chunks in the order of rounds, and looks at the questions after each whole round."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._questions = [Question.of(plan, text) for text in plan.until]
        self._meetings = meetings_of(plan)
        self._sizes = {line_up.key: plan.size(line_up) for _, line_up in plan.line_ups}
        self._left = self._deals_of(0)  # of the present round
        self._waiting: dict[int, list[Row]] = {}  # by round
        self.round = 0
        self.decided = False
        self.answers: list[Answer] = self._look()

    def add(self, row: Row) -> None:
        number = row.first // self._sizes[row.line_up]
        self._waiting.setdefault(number, []).append(row)
        while not self.decided and self.round in self._waiting:
            self._settle()

    def _settle(self) -> None:
        """Counts what there is of the present round; goes on to the next where it is whole."""
        for row in self._waiting.pop(self.round, []):
            self._meetings[row.line_up].add(row)
            self._left -= row.count
        if self._left > 0:
            return
        self.answers = self._look()
        self.decided = bool(self.answers) and all(found.verdict for found in self.answers)
        if not self.decided:
            self.round += 1
            self._left = self._deals_of(self.round)

    def _deals_of(self, number: int) -> int:
        return sum(max(0, min(size, self._plan.deals - number * size)) for size in self._sizes.values())

    def _look(self) -> list[Answer]:
        # Several questions share the error.
        error = self._plan.error / max(1, len(self._questions))
        meetings = list(self._meetings.values())
        return [answer(question, meetings, error, self._plan.margin) for question in self._questions]

    def standings(self) -> Standings:
        """Of all that counts: where nothing is decided, also chunks of rounds that are not whole."""
        if not self.decided:
            for rows in self._waiting.values():
                for row in rows:
                    self._meetings[row.line_up].add(row)
            self._waiting.clear()
        return Standings(self._plan, list(self._meetings.values()))


def outcome(store: Store) -> Outcome:
    """What the chunks of a store say; the same whenever it is asked."""
    plan = store.plan
    ledger = Ledger(plan)
    counts = store.counts()
    sizes = {line_up.key: plan.size(line_up) for _, line_up in plan.line_ups}
    order = {line_up.key: number for number, (_, line_up) in enumerate(plan.line_ups)}
    for key, first in sorted(counts, key=lambda at: (at[1] // sizes[at[0]], order[at[0]], at[1])):
        ledger.add(store.row(key, first))
    standings = ledger.standings()
    per_deal = len(plan.line_ups[0][1].sittings)
    played = sum(counts.values()) * per_deal
    rounds = ledger.round + 1 if ledger.decided else None
    return Outcome(standings, ledger.answers, ledger.decided or played >= plan.played, played, rounds)


def jobs_left(plan: Plan, done: dict[tuple[str, int], int]) -> Iterator[Job]:
    """What is not played yet, in order. A chunk may be there in part, where the plan had fewer games."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for (key, first), count in sorted(done.items()):
        spans.setdefault(key, []).append((first, first + count))
    for jobs in plan.rounds():
        for job in jobs:
            yield from _gaps(job, spans.get(job.line_up.key, []))


def _gaps(job: Job, spans: list[tuple[int, int]]) -> Iterator[Job]:
    """The parts of a job that none of the spans, which ascend, has."""
    at, stop = job.first, job.first + job.count
    for first, end in spans[max(0, bisect_right(spans, (at, stop)) - 1) :]:
        if first >= stop:
            break
        if first > at:
            yield replace(job, first=at, count=first - at)
        at = max(at, end)
    if at < stop:
        yield replace(job, first=at, count=stop - at)


def run(store: Store, backend: Backend | None = None, progress: Progress | None = None) -> bool:
    """Plays what is left of a tournament; whether it came to its end. Ctrl-C ends it, and what was finished stays."""
    plan = store.plan
    ledger, done = Ledger(plan), store.counts()
    per_deal = len(plan.line_ups[0][1].sittings)
    count = sum(done.values())
    say = progress or (lambda done, total: None)
    if plan.until:  # the others need no look back
        for key, first in sorted(done, key=lambda at: at[1]):
            ledger.add(store.row(key, first))
    with store.writing():
        say(count * per_deal, plan.played)
        results = (backend or Here()).map(jobs_left(plan, done) if not ledger.decided else ())
        try:
            for result in results:
                count += result.job.count if store.add(result) else 0
                say(count * per_deal, plan.played)
                if plan.until:
                    ledger.add(Row.of(result))
                if ledger.decided:
                    break
        except KeyboardInterrupt:
            return False
        finally:
            close = getattr(results, "close", None)
            if close is not None:
                close()
    return True


def local(plan: Plan, threads: int) -> Backend:
    """Threads of the core where game and agents are native; else worker processes, if these can make all of them."""
    if threads == 1 or all(check(line_up) for line_up in plan.samples):
        return Here(threads)
    lasting = registry.lasting_game(plan.game) and all(registry.lasting_agent(entry.spec) for entry in plan.agents)
    return Processes(threads) if lasting or get_start_method() == "fork" else Here()


def write_records(store: Store, path: Path) -> int:
    """Records of all games that count, line-up by line-up, in the order of the deals; how many."""
    plan, rounds = store.plan, outcome(store).rounds
    if not plan.records:
        raise ValueError(f"{store.path} has no records: they must be asked for when a tournament begins")
    count = 0
    with writing_all(path) as add:
        for _, line_up in plan.line_ups:
            for lines in store.records(line_up.key, plan.deals if rounds is None else rounds * plan.size(line_up)):
                for line in lines.splitlines():
                    add(Record.from_json(json.loads(line)))
                    count += 1
    return count
