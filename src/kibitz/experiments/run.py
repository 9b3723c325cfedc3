"""A run of an experiment: its folder, its settings, and the units of work that are already done.

OUT/PAPER/NAME/run.json               settings, progress, and the seconds that each stage took
OUT/PAPER/NAME/parts/STAGE.jsonl      one line per finished unit, appended at once
OUT/PAPER/NAME/parts/STAGE.jsonl.gz   the same, once the stage is complete: kept in git beside the results
OUT/PAPER/NAME/README.md *.csv *.png
OUT/PAPER/NAME/quick/…             the same for --quick, ignored by git: a test never replaces real results
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kibitz._core import mix
from kibitz.files import write_atomically

FORMAT = 1  # of run.json and the parts

Progress = Callable[[int, int], None]
# What a function returns for arguments, in any order; None where it cannot be sent.
Spread = Callable[
    [Callable[..., Any], Iterable[tuple[Any, ...]]], Iterator[Any] | None
]  # as `kibitz.scale.crew.spread`


@dataclass(frozen=True)
class Settings:
    """What decides the figures. Runs with equal settings give equal results; others never mix."""

    seed: int = 1
    scale: float = 1.0
    quick: bool = False
    version: str = ""  # of kibitz

    def __post_init__(self) -> None:
        if not 0.001 <= self.scale <= 1000:
            raise ValueError(f"scale must be from 0.001 to 1,000 (1: as many games as the paper), not {self.scale:g}")
        if not 0 <= self.seed < 2**63:
            raise ValueError(f"seed must be within 0..2^63-1, not {self.seed}")

    def __str__(self) -> str:
        words = ["quick"] if self.quick else [f"scale {self.scale:g}"]
        return ", ".join([*words, f"seed {self.seed}", f"kibitz {self.version}"])


class Run:
    """What an experiment's function works with."""

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        *,
        threads: int = 0,
        progress: Progress | None = None,
        database: str | None = None,
        spread: Spread | None = None,
    ) -> None:
        self.folder = folder
        self.settings = settings
        self.database = database  # for experiments that count what is in one; None: the user's own
        self.threads = threads or os.cpu_count() or 1
        self.spread = spread  # work for workers elsewhere; None: all of it is done here
        self._progress = progress or (lambda done, total: None)
        self._stages: dict[str, int] = {}
        self._seconds: dict[str, float] = {}

    def games(self, paper: int, *, quick: int) -> int:
        """How many games to play where the paper played `paper`."""
        return quick if self.settings.quick else max(1, round(paper * self.settings.scale))

    def seed_of(self, unit: int) -> int:
        """A seed for this unit alone: streams of different units have nothing in common."""
        return int(mix(self.settings.seed, unit))

    def units(self, stage: str, count: int, work: Callable[[int], Any]) -> list[Any]:
        """work(0), …, work(count - 1), each done once in the life of the run, however often that is cut.

        `work` must depend on its index and the settings alone; what it returns must be JSON.
        """

        def produce(missing: list[int]) -> Iterable[tuple[int, Any]]:
            elsewhere = None
            if self.spread is not None and len(missing) > 1:
                elsewhere = self.spread(lambda unit: (unit, work(unit)), ((unit,) for unit in missing))
            return elsewhere if elsewhere is not None else ((unit, work(unit)) for unit in missing)

        return self.gather(stage, count, produce)

    def __getstate__(self) -> dict[str, Any]:
        """For workers: a unit is done there on one thread, and what it is part of is not their business."""
        return self.__dict__ | {"threads": 1, "spread": None, "_progress": None}

    def gather(self, stage: str, count: int, produce: Callable[[list[int]], Iterable[tuple[int, Any]]]) -> list[Any]:
        """The same for units that are finished in any order: `produce` gets those that are missing, and gives each of
        them with its result as soon as it is there."""
        self._stages[stage] = count
        self._save("running")
        path = self.folder / "parts" / f"{stage}.jsonl"
        done = {line.unit: line for line in _read_parts(path) if line.unit < count}
        self._progress(len(done), count)
        missing = [unit for unit in range(count) if unit not in done]
        if missing:
            with path.open("ab") as file:
                began = time.monotonic()
                for unit, data in produce(missing):
                    now = time.monotonic()
                    line = _Line(unit, json.loads(json.dumps(data)), round(now - began, 3))
                    began = now
                    file.write(line.text())
                    file.flush()
                    os.fsync(file.fileno())
                    done[unit] = line  # as read back, so that a cut and an uncut run see the same (lists for tuples)
                    self._progress(len(done), count)
        lines = [done[unit] for unit in range(count)]
        if path.exists():
            self._seconds[stage] = round(sum(line.seconds for line in lines), 1)
            self._save("running")
            _pack(path, lines)
        return [line.data for line in lines]

    def is_done_without_parts(self) -> bool:
        """The results are there, but not what they were made from: a fresh checkout. ValueError as in `open`."""
        saved = read_run(self.folder)
        self._compare(saved)
        return saved is not None and saved.get("state") == "done" and not (self.folder / "parts").exists()

    def open(self, name: str, *, fresh: bool) -> None:
        """Takes the folder for this run; ValueError if it holds a run with other settings."""
        self._name = name
        if not fresh:
            saved = read_run(self.folder)
            self._compare(saved)
            self._seconds = dict((saved or {}).get("seconds", {}))
        parts = self.folder / "parts"
        if fresh:
            shutil.rmtree(parts, ignore_errors=True)
            (self.folder / "run.json").unlink(missing_ok=True)
        parts.mkdir(parents=True, exist_ok=True)
        if self.settings.quick:  # such a folder hides itself from git wherever --out puts it
            write_atomically(self.folder / ".gitignore", "*\n")
        self._save("running")

    def close(self) -> None:
        self._save("done")

    def _compare(self, saved: dict[str, Any] | None) -> None:
        if saved is None:
            return
        if saved.get("format") != FORMAT:
            raise ValueError(
                f"{self.folder} was written in format {saved.get('format')}, this program reads {FORMAT}: "
                "use --fresh to start again, or another --out"
            )
        theirs, ours = saved.get("settings", {}), asdict(self.settings)
        differ = [key for key in ours if theirs.get(key) != ours[key]]
        if differ:
            what = ", ".join(f"{key} {theirs.get(key)} (now {ours[key]})" for key in differ)
            raise ValueError(f"{self.folder} holds a run with {what}: use --fresh to start again, or another --out")

    def _save(self, state: str) -> None:
        data = {
            "format": FORMAT,
            "experiment": self._name,
            "settings": asdict(self.settings),
            "state": state,
            "stages": self._stages,
            "seconds": self._seconds,
        }
        write_atomically(self.folder / "run.json", json.dumps(data, indent=2) + "\n")


def read_run(folder: Path) -> dict[str, Any] | None:
    """run.json of a folder; None if there is none."""
    path = folder / "run.json"
    try:
        data = json.loads(path.read_text())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError:
        data = None
    if not isinstance(data, dict) or not _is_sound(data):
        raise ValueError(f"{path} is damaged: use --fresh to start again, or another --out")
    return data


def _is_sound(data: dict[str, Any]) -> bool:
    settings, stages = data.get("settings", {}), data.get("stages", {})
    return isinstance(settings, dict) and isinstance(stages, dict) and all(type(n) is int for n in stages.values())


def progress_of(folder: Path) -> str:
    """For lists: none, done, or partial with how much of it."""
    saved = read_run(folder)
    if saved is None:
        return "none"
    if saved.get("state") == "done":
        return "done"
    stages: dict[str, int] = saved.get("stages", {})
    have = sum(len(_lines(folder / "parts" / f"{stage}.jsonl")[0]) for stage in stages)
    return f"partial, {have} of {sum(stages.values())} parts" if stages else "partial"


@dataclass(frozen=True)
class _Line:
    """A finished unit as it is written down."""

    unit: int
    data: Any
    seconds: float = 0.0  # since the unit before was finished

    def text(self, *, timed: bool = True) -> bytes:
        seconds = {"seconds": self.seconds} if timed else {}
        return json.dumps({"unit": self.unit, **seconds, "data": self.data}).encode() + b"\n"


def _packed(path: Path) -> Path:
    return path.with_name(path.name + ".gz")


def _pack(path: Path, lines: Iterable[_Line]) -> None:
    """Puts a complete stage into one compressed file. It has no times: equal settings give equal bytes."""
    write_atomically(_packed(path), gzip.compress(b"".join(line.text(timed=False) for line in lines), mtime=0))
    path.unlink()


def _read_parts(path: Path) -> list[_Line]:
    """The finished units. A line torn by a crash is cut out of the file, so that its unit is done again."""
    good, torn = _lines(path)
    if torn:
        write_atomically(path, b"".join(line.text() for line in good))
    return good


def _lines(path: Path) -> tuple[list[_Line], bool]:
    """The whole lines of a stage, of its compressed file first, and whether the other file had torn ones."""
    good, torn = [], False
    if _packed(path).exists():
        good += [_parsed(line) for line in gzip.decompress(_packed(path).read_bytes()).splitlines(keepends=True)]
    for line in path.read_bytes().splitlines(keepends=True) if path.exists() else []:
        try:
            good.append(_parsed(line))
        except (ValueError, KeyError, TypeError):
            torn = True
    return good, torn


def _parsed(line: bytes) -> _Line:
    part = json.loads(line)
    # The newline is written last: without it the line may end anywhere, even where it looks complete.
    if not line.endswith(b"\n") or not isinstance(part["unit"], int):
        raise ValueError(f"a torn line of parts: {line[:80]!r}")
    return _Line(part["unit"], part["data"], part.get("seconds", 0.0))
