"""The papers' experiments, each reproducible by `kibitz reproduce PAPER/NAME`.

An experiment is one function in the file of its paper (li.py, brown.py, …):

    @experiment("li/fig2", title="…", paper="what the paper says of it")
    def fig2(run: Run) -> Report:
        games = run.games(100_000, quick=2_000)             # scaled by --scale
        parts = run.units("games", 100, play_some)          # saved as it goes, resumed if cut
        return Report(rows=[Row(…)], note="…", tables={…}, plots={…})

The files of this folder are found by themselves; there is no list to extend.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import kibitz
from kibitz.experiments import report as reports
from kibitz.experiments.report import Report, Row, Table
from kibitz.experiments.run import Progress, Run, Settings, Spread, progress_of
from kibitz.files import alone, check_writable

__all__ = [
    "Experiment",
    "Report",
    "Row",
    "Run",
    "Settings",
    "Table",
    "all_experiments",
    "experiment",
    "find",
    "folder_of",
    "progress_of",
    "reproduce",
]


@dataclass(frozen=True)
class Experiment:
    name: str  # PAPER/NAME
    title: str
    paper: str  # the paper's own words or figure
    function: Callable[[Run], Report]
    reads: bool = False  # counts what is in a database (`run.database`): anew each time, whatever seed and scale


_REGISTERED: dict[str, Experiment] = {}


def experiment(
    name: str, *, title: str, paper: str, reads: bool = False
) -> Callable[[Callable[[Run], Report]], Callable[[Run], Report]]:
    """Registers the function below it."""

    def register(function: Callable[[Run], Report]) -> Callable[[Run], Report]:
        if name in _REGISTERED and _REGISTERED[name].function.__module__ != function.__module__:
            raise ValueError(f"two experiments are called {name}")
        _REGISTERED[name] = Experiment(name, title, paper, function, reads)
        return function

    return register


def all_experiments() -> dict[str, Experiment]:
    """Every experiment, by name."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return dict(sorted(_REGISTERED.items()))


def find(name: str) -> Experiment:
    """The experiment of this name; ValueError lists those there are."""
    known = all_experiments()
    if name not in known:
        raise ValueError(f"unknown experiment {name!r}; there are: {', '.join(known)}")
    return known[name]


def folder_of(name: str, out: Path, *, quick: bool = False) -> Path:
    """Where the results of an experiment go."""
    return out / name / "quick" if quick else out / name


TRIAL = "A test of the command, not of the paper: it has too few games, and what learns has learnt too little."


def reproduce(
    name: str,
    *,
    out: Path = Path("results"),
    seed: int = 1,
    scale: float = 1.0,
    quick: bool = False,
    fresh: bool = False,
    threads: int = 0,
    progress: Progress | None = None,
    database: str | None = None,
    spread: Spread | None = None,
) -> Report | None:
    """Runs an experiment, or what is left of it, and writes its folder.

    A run that was cut goes on where it stopped. One that is done is only written down again, from its parts; where
    those are not at hand (they are not kept in git) nothing happens and None comes back. `spread` takes its parts to
    other machines (`kibitz.scale.crew`); the results are the same.
    """
    chosen = find(name)
    settings = Settings(seed=seed, scale=scale, quick=quick, version=kibitz.__version__)
    if database is not None and not chosen.reads:
        raise ValueError(f"{name} plays its own games: --database is for experiments that count those of people")
    more: dict[str, Any] = {"threads": threads, "progress": progress, "database": database, "spread": spread}
    run = Run(folder_of(name, out, quick=quick), settings, **more)
    fresh = fresh or quick or chosen.reads  # a quick run is a test: it takes seconds and always runs
    if not fresh and run.is_done_without_parts():
        return None
    with alone(run.folder):
        for file in reports.FILES:
            check_writable(run.folder / file)
        run.open(name, fresh=fresh)
        result = chosen.function(run)
        words = ["kibitz reproduce", name, "--quick" if quick else "", "" if scale == 1 else f"--scale {scale:g}"]
        command = " ".join([*filter(None, words), "--database URL" if chosen.reads else f"--seed {seed}"])
        about = {"title": chosen.title, "paper": chosen.paper, "command": command, "settings": str(settings)}
        reports.write(result, run.folder, **about, remark=TRIAL if quick else "")
        run.close()
    return result
