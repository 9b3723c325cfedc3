"""A tournament in an SQLite file: its plan, and every chunk as soon as it was played.

A chunk is written in one transaction and has its line-up and its first deal as key, so that it is there wholly or not
at all, and once: a process may be killed at any moment. Nothing of the results is kept but the chunks.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.arena.jobs import JobResult
from kibitz.arena.plan import Plan, canonical
from kibitz.arena.stats import Moments
from kibitz.files import alone

FORMAT = "kibitz tournament"
VERSION = 1
_ID = 0x6B696274  # application_id: tells our files from others
_SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE chunks (
  line_up TEXT NOT NULL,     -- LineUp.key
  first INTEGER NOT NULL,    -- deal
  count INTEGER NOT NULL,    -- of deals
  patterns BLOB NOT NULL,    -- [pattern, sitting], little-endian uint32
  counts BLOB NOT NULL,      -- [pattern], little-endian int64
  payoffs TEXT NOT NULL,     -- [agent], sum and sum of squares of what deals gave it, as exact fractions
  decisions TEXT NOT NULL,   -- [agent]
  seconds TEXT NOT NULL,     -- [agent], of its timed decisions
  timed TEXT NOT NULL,
  PRIMARY KEY (line_up, first)
) WITHOUT ROWID;
CREATE TABLE records (line_up TEXT, first INTEGER, lines BLOB NOT NULL, PRIMARY KEY (line_up, first)) WITHOUT ROWID;
CREATE TABLE regrets (number INTEGER PRIMARY KEY, decision TEXT NOT NULL);
"""


@dataclass(frozen=True)
class Row:
    """A chunk that was played; the members as of `JobResult`."""

    line_up: str
    first: int
    count: int
    patterns: NDArray[np.uint32]
    counts: NDArray[np.int64]
    payoffs: Sequence[Moments]
    decisions: Sequence[int]
    seconds: Sequence[float]
    timed: Sequence[int]

    @classmethod
    def of(cls, result: JobResult) -> Row:
        job = result.job
        members = (result.patterns, result.counts, result.payoffs, result.decisions, result.seconds, result.timed)
        return cls(job.line_up.key, job.first, job.count, *members)


class Store:
    """An open file; a plan and chunks go in, the same come out."""

    def __init__(self, path: Path) -> None:
        """Of a file that is there. ValueError where it is none of ours."""
        if not path.is_file():
            raise ValueError(f"there is no tournament {path}")
        self.path = path
        self._database = sqlite3.connect(path, isolation_level=None, timeout=30)
        try:
            found = self._database.execute("PRAGMA application_id").fetchone()[0]
            about = dict(self._database.execute("SELECT key, value FROM about")) if found == _ID else {}
        except sqlite3.DatabaseError:
            about = {}
        if about.get("format") != FORMAT:
            self.close()
            raise ValueError(f"{path} is no tournament")
        if about["version"] != str(VERSION):
            self.close()
            raise ValueError(f"{path} has version {about['version']}; this Kibitz reads {VERSION}")
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = NORMAL")  # a power cut may lose the last chunks, never half of one

    @classmethod
    def create(cls, path: Path, plan: Plan) -> Store:
        """A new file; there is none yet."""
        if path.exists():
            raise ValueError(f"{path} is there already: go on with --resume, or name another file")
        if not path.parent.is_dir():
            raise ValueError(f"there is no folder {path.parent}")
        # Beside the real one first: a tournament that was killed here can be begun again.
        draft = path.with_name(f".{path.name}.new")
        draft.unlink(missing_ok=True)
        database = sqlite3.connect(draft)
        with database:
            database.execute(f"PRAGMA application_id = {_ID}")
            database.executescript(_SCHEMA)
            about = {"format": FORMAT, "version": str(VERSION), "plan": canonical(plan)}
            database.executemany("INSERT INTO about VALUES (?, ?)", about.items())
        database.close()
        draft.replace(path)
        return cls(path)

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Keeps other runs away from this file; ValueError where one is at work."""
        with alone(self.path.parent, f".{self.path.name}.lock"):
            yield

    @property
    def plan(self) -> Plan:
        return Plan.from_json(json.loads(self._about("plan")))

    def replan(self, plan: Plan) -> None:
        """Goes on with another plan; ValueError where that would not fit what was played."""
        plan.continues(self.plan)
        self._database.execute("UPDATE about SET value = ? WHERE key = 'plan'", [canonical(plan)])

    def _about(self, key: str) -> str:
        return str(self._database.execute("SELECT value FROM about WHERE key = ?", [key]).fetchone()[0])

    def add(self, result: JobResult) -> bool:
        """Whether it was new."""
        row = Row.of(result)
        values: list[Any] = [row.line_up, row.first, row.count]
        values += [row.patterns.astype("<u4").tobytes(), row.counts.astype("<i8").tobytes()]
        sums = [[str(moments.total), str(moments.squares)] for moments in row.payoffs]
        values += map(json.dumps, (sums, row.decisions, row.seconds, row.timed))
        self._database.execute("BEGIN IMMEDIATE")
        try:
            done = self._database.execute("INSERT OR IGNORE INTO chunks VALUES (?,?,?,?,?,?,?,?,?)", values).rowcount
            if done and result.records:
                lines = "".join(record.line() for record in result.records).encode()
                packed = [row.line_up, row.first, zlib.compress(lines)]
                self._database.execute("INSERT INTO records VALUES (?,?,?)", packed)
            self._database.execute("COMMIT")
        except BaseException:  # Ctrl-C, too
            self._database.execute("ROLLBACK")
            raise
        return bool(done)

    def counts(self) -> dict[tuple[str, int], int]:
        """By line-up and first deal, the deals of every chunk."""
        found = self._database.execute("SELECT line_up, first, count FROM chunks")
        return {(line_up, first): count for line_up, first, count in found}

    def row(self, line_up: str, first: int) -> Row:
        found = self._database.execute("SELECT * FROM chunks WHERE line_up = ? AND first = ?", [line_up, first])
        return _row(found.fetchone())

    def records(self, line_up: str, end: int) -> Iterator[bytes]:
        """The lines of records of a line-up's deals before `end`, in their order, a chunk at a time."""
        wanted = "SELECT lines FROM records WHERE line_up = ? AND first < ? ORDER BY first"
        for (lines,) in self._database.execute(wanted, [line_up, end]):
            yield zlib.decompress(lines)

    def add_regret(self, number: int, decision: dict[str, Any]) -> None:
        """Of a sampled decision; see `regret.py`."""
        text = json.dumps(decision, sort_keys=True)
        self._database.execute("INSERT OR IGNORE INTO regrets VALUES (?, ?)", [number, text])

    def regrets(self) -> dict[int, dict[str, Any]]:
        found = self._database.execute("SELECT number, decision FROM regrets ORDER BY number")
        return {number: json.loads(decision) for number, decision in found}


def _row(found: tuple[Any, ...]) -> Row:
    line_up, first, count, patterns, counts, payoffs, *rest = found
    numbers = np.frombuffer(counts, "<i8")
    decisions, seconds, timed = map(json.loads, rest)
    sums = [Moments(count, Fraction(total), Fraction(squares)) for total, squares in json.loads(payoffs)]
    shown = np.frombuffer(patterns, "<u4").reshape(len(numbers), -1)
    return Row(line_up, first, count, shown, numbers, sums, decisions, seconds, timed)
