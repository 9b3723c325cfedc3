"""Trainings inside experiments: each done once, shared by the experiments of a paper, on all cores.

OUT/PAPER/trained/KEY/        a training: point-*.json, one after every test, and the weights, kept in git; what it
                              would need to go on, which is large, git ignores
OUT/PAPER/NAME/quick/parts/…  the same for --quick, which shares nothing

A training goes from test to test, by the learner's own checkpoint. The pieces of one training follow each other, those
of different trainings run side by side; since everything that matters is on disk, it makes no difference in which
process a piece is done.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import secrets
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import kibitz
from kibitz._core import mix
from kibitz.experiments.run import Run, Spread
from kibitz.files import alone, write_atomically
from kibitz.learn import learner

SEEDS = 3
POINTS = 20  # of a curve, at least
PROBE_GAMES = 256
LEAST_STEP = 64  # tables in lockstep end some games beyond a step, which must stay less than the next one
WEIGHTS = "final.safetensors"  # there only when a training has come to its end
MARK = ".shared"  # tells a worker that it sees the same folder
PASSING = ("checkpoint.kibitz", "best.safetensors", "last.safetensors", MARK)  # nothing that is kept


@dataclass(frozen=True)
class Job:
    """One training. What is not in `settings` is the method's default."""

    method: str
    settings: Mapping[str, Any]
    step: int  # episodes between tests
    points: int  # tests
    keeps: bool = True  # the weights
    probes: bool = False  # what the net predicts, if it is one of payoffs

    @property
    def episodes(self) -> int:
        return self.step * self.points

    @property
    def key(self) -> str:
        """The name of its folder: equal trainings, equal keys."""
        told = json.dumps(asdict(self) | {"version": kibitz.__version__}, sort_keys=True)
        digest = hashlib.sha256(told.encode()).hexdigest()[:12]
        words = [self.method, f"{self.settings['players']}p", self.settings.get("encoder", ""), digest]
        return "-".join(filter(None, words))


@dataclass(frozen=True)
class Trained:
    """What a training gave: a point after every test."""

    job: Job
    points: list[dict[str, Any]]
    weights: Path

    def column(self, name: str) -> list[float]:
        return [point[name] for point in self.points]


def seeds(run: Run) -> list[int]:
    """The same for every method, so that methods are compared in pairs."""
    return [run.seed_of(i) for i in range(2 if run.settings.quick else SEEDS)]


def steps(run: Run, paper: int, *, quick: int, every: int = 1_000) -> dict[str, int]:
    """`step` and `points` of a training that has `paper` episodes at scale 1. A shorter one is tested more often."""
    episodes = run.games(paper, quick=quick)
    points, least = (3, 1) if run.settings.quick else (POINTS, LEAST_STEP)
    step = max(least, min(every, episodes // points))
    return {"step": step, "points": max(1, episodes // step)}


def folder_of(run: Run) -> Path:
    """Where the trainings of a run are."""
    if run.settings.quick:
        return run.folder / "parts" / "trained"
    return run.folder.parent / "trained"


def train_all(run: Run, jobs: Sequence[Job]) -> list[Trained]:
    """All trainings, or what is missing of them; in the order of `jobs`."""
    folder = folder_of(run)
    with alone(folder):  # another experiment may want the same trainings
        write_atomically(folder / ".gitignore", "".join(f"{name}\n" for name in PASSING))
        return _train_all(run, folder, jobs)


def _train_all(run: Run, folder: Path, jobs: Sequence[Job]) -> list[Trained]:
    pieces = [(job, point) for job in jobs for point in range(job.points)]

    def produce(missing: list[int]) -> Iterator[tuple[int, Any]]:
        chains: dict[str, list[int]] = {}
        for unit in missing:
            job, point = pieces[unit]
            known = _known(folder / job.key, job, point)
            if known is not None:
                yield unit, known
            else:
                chains.setdefault(job.key, []).append(unit)
        for method in {pieces[chain[0]][0].method for chain in chains.values()}:
            learner(method)  # says here what is not installed, not in another process
        if run.spread is not None:
            yield from _spread(run.spread, folder.resolve(), pieces, list(chains.values()))
        else:
            yield from _work(folder, pieces, list(chains.values()), run.threads)

    found = run.gather("trainings", len(pieces), produce)
    out, at = [], 0
    for job in jobs:
        weights = folder / job.key / WEIGHTS
        if job.keeps and not weights.exists():
            raise ValueError(f"the weights {weights} are gone: use --fresh to train again")
        out.append(Trained(job, found[at : at + job.points], weights))
        at += job.points
    return out


def _work(
    folder: Path, pieces: Sequence[tuple[Job, int]], chains: list[list[int]], workers: int
) -> Iterator[tuple[int, Any]]:
    """Does the units of all chains, each chain in its order."""
    if workers == 1 or len(chains) < 2:
        for chain in chains:
            for unit in chain:
                yield unit, advance(folder, *pieces[unit])
        return
    pool = ProcessPoolExecutor(
        min(workers, len(chains)), mp_context=multiprocessing.get_context("spawn"), initializer=_settle
    )
    try:
        running = {pool.submit(advance, folder, *pieces[chain[0]]): chain for chain in chains}
        while running:
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                unit, *rest = running.pop(future)
                try:
                    result = future.result()
                except BrokenProcessPool:
                    why = "a process that was training ended unexpectedly (out of memory?); the same command goes on"
                    raise ChildProcessError(why) from None
                if rest:
                    running[pool.submit(advance, folder, *pieces[rest[0]])] = rest
                yield unit, result
    finally:
        pool.shutdown(cancel_futures=True)


def _spread(
    spread: Spread, folder: Path, pieces: Sequence[tuple[Job, int]], chains: list[list[int]]
) -> Iterator[tuple[int, Any]]:
    """The same by workers elsewhere, each of which does a whole chain, in the same folder."""
    mark = secrets.token_hex(8)
    write_atomically(folder / MARK, mark)
    work = ((folder, mark, [(unit, *pieces[unit]) for unit in chain]) for chain in chains)
    found = spread(_chain, work)
    assert found is not None  # a function of a module, and plain values
    for done in found:
        yield from done


def _chain(folder: Path, mark: str, units: list[tuple[int, Job, int]]) -> list[tuple[int, Any]]:
    """In a worker: what an earlier one has left undone, if it died on the way."""
    if not (folder / MARK).is_file() or (folder / MARK).read_text() != mark:
        raise ValueError(f"a worker does not see {folder}: trainings need an --out that all nodes share")
    return [(unit, _known(folder / job.key, job, point) or advance(folder, job, point)) for unit, job, point in units]


def _settle() -> None:
    """A worker process: Ctrl-C is for the training to hear, which keeps a checkpoint; and it goes with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _point_file(folder: Path, point: int) -> Path:
    return folder / f"point-{point:03d}.json"


def _known(folder: Path, job: Job, point: int) -> dict[str, Any] | None:
    """The point, if an experiment has been there before."""
    last = point == job.points - 1
    if last and job.keeps and not (folder / WEIGHTS).exists():
        return None
    try:
        data: dict[str, Any] = json.loads(_point_file(folder, point).read_text())
    except FileNotFoundError:
        return None
    return data


def advance(out: Path, job: Job, point: int) -> dict[str, Any]:
    """Trains to this point, from wherever the checkpoint is."""
    from kibitz.learn.common.run import BEST, CHECKPOINT, LAST, METRICS

    folder = out / job.key
    if not (folder / CHECKPOINT).exists():  # it begins again: nothing that was said of it before counts
        for old in [*folder.glob("point-*.json"), *(folder / name for name in (WEIGHTS, BEST, LAST, METRICS))]:
            old.unlink(missing_ok=True)
    method = learner(job.method)
    goal = {"episodes": job.step * (point + 1), "test_every": job.step, "tensorboard": False, "threads": 1}
    settings = method.Settings.read(job.settings, goal)
    trained = method.train(settings, folder, resume=(folder / CHECKPOINT).exists())
    row = _row_of(trained.rows, job, point, folder)
    if job.probes and trained.learner.output == "q":
        row |= probe(settings, folder / LAST, mix(settings.seed, 20_000_000 + point))
    last = point == job.points - 1
    if last and job.keeps:
        write_atomically(folder / WEIGHTS, (folder / LAST).read_bytes())
    write_atomically(_point_file(folder, point), json.dumps(row))
    if last:  # nobody goes on from here, and memories are large
        for name in (CHECKPOINT, BEST, LAST):
            (folder / name).unlink(missing_ok=True)
    return row


def _row_of(rows: Sequence[Mapping[str, Any]], job: Job, point: int, folder: Path) -> dict[str, Any]:
    """The test after so many steps, and no other: tables in lockstep end a little beyond a step, never a whole one."""
    row = dict(rows[-1])
    if row["episodes"] // job.step != point + 1:
        raise ValueError(
            f"the training in {folder} has come to {row['episodes']} games, not to {job.step * (point + 1)}: delete it"
        )
    del row["seconds"]
    return row


def probe(settings: Any, weights: Path, seed: int) -> dict[str, float]:
    """What a net of payoffs says of its own actions, and what they brought: a game at each of so many tables.

    `predicted` is the mean of Q(s, a) over the decisions of a game, `obtained` that of the payoff, discounted as the
    learner does; both are means over games. `error` is the standard error of their difference.
    """
    from kibitz.learn.common.tables import Choice, Group, Returns

    games = min(PROBE_GAMES, settings.test_games)
    group = Group(replace(settings, tables=games, seed=seed >> 1))
    net, recorder = kibitz.Net.load(weights), Returns(group, settings.discount)
    first = np.ones(games, bool)  # at these tables the first game is still running
    sums = np.zeros((games, 3))  # decisions, Q, returns
    while first.any():
        q = np.where(group.mask, net.evaluate(group.obs), -np.inf)
        actions = q.argmax(1)
        table = np.where(first, np.arange(games), -1)
        recorder.record(group, Choice(actions, {"table": table, "q": q[np.arange(games), actions]}))
        group.step(actions)
        rows = recorder.finish(group)
        if rows:
            counted = rows["table"] >= 0
            values = np.stack([np.ones(counted.sum()), rows["q"][counted], rows["goal"][counted]], 1)
            np.add.at(sums, rows["table"][counted], values)
        first &= ~group.done
    played = sums[sums[:, 0] > 0]
    predicted, obtained = played[:, 1] / played[:, 0], played[:, 2] / played[:, 0]
    error = (predicted - obtained).std(ddof=1) / np.sqrt(len(played))
    return {"predicted": float(predicted.mean()), "obtained": float(obtained.mean()), "error": float(error)}
