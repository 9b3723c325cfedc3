"""Self-play on Ray: actors play with the latest weights and send whole batches, the learner stays where it is.

    learner (this process)                        actor (any node, `count` of them)
    weights, counts, version  ---- collect() ---->  tables and recorder, in the core's own threads
    Learner.take(step) ...    <---- Batch --------  many steps, packed, with the version that played them

Every actor has at most `queue` calls under way, so that the batches which wait are bounded. The version is the number
of batches that the learner has taken; the age of a batch is how many were taken since its weights were sent. Calls
wait where more of them would grow too old, and what comes too old all the same, as from a slow machine, is dropped.

An episode counts when the learner has taken its end, once: what a dead actor played since its last batch is lost, and
nobody has counted it. The next actor in its place deals from a seed of its own.
"""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import io
import logging
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

import kibitz
from kibitz import _core
from kibitz.files import write_atomically
from kibitz.learn.common import checkpoint
from kibitz.learn.common.experience import Collector, Step
from kibitz.learn.common.replay import Array, Rows
from kibitz.learn.common.run import Learner
from kibitz.learn.common.tables import Group
from kibitz.scale import cluster
from kibitz.scale.packing import Packed, pack, unpack

FILE = "actors.csv"
QUEUE = 2  # calls per actor: one that it works on, and one that waits, so that the actor need not
ROWS = 1_024  # decisions in a batch, about
MOST_DEATHS = 3  # of an actor, one after the other and without a batch: then it is not chance
_SEEDS = 20_000_000  # apart from all other seeds of a training
_PATIENCE = 0.2  # seconds, until the training looks up
_SAID = 30.0  # seconds without a batch, until that is said

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Weights:
    """What an actor plays with."""

    version: int
    nets: Rows
    counts: dict[str, float]


@dataclass(frozen=True)
class Batch:
    """What an actor sends."""

    actor: int
    version: int  # of the weights that played it
    updates: int  # that these weights had seen
    packed: Packed


class SelfPlay:
    """An actor: tables, and a learner that only acts."""

    def __init__(self, version: str, make: type[Learner], settings: Any, number: int) -> None:
        if version != kibitz.__version__:
            raise ValueError(f"a worker has Kibitz {kibitz.__version__}, and the training {version}: install the same")
        self._number, self._past = number, ""
        own = {"seed": _core.mix(_core.mix(settings.seed, _SEEDS), number), "device": "cpu"}
        chosen = dataclasses.replace(settings, **own)
        torch.set_num_threads(chosen.threads)
        group = Group(chosen)
        self._collector = Collector(make(chosen, group), group)

    def collect(self, weights: Weights, past: tuple[str, bytes] | None, steps: int) -> Batch:
        collector = self._collector
        collector.learner.follow(weights.nets, weights.counts)
        if past is not None and past[0] != self._past:
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / past[0]
                file.write_bytes(past[1])
                collector.group.replace_past(str(file))
            self._past = past[0]
        played = [collector.collect() for _ in range(steps)]
        return Batch(self._number, weights.version, int(weights.counts["updates"]), pack(played))


@dataclass
class Ledger:
    """What a training has had from its actors."""

    started: int = 0  # actors, those in the place of dead ones included
    batches: int = 0  # taken, and so are the next three
    games: int = 0
    transitions: int = 0
    bytes: int = 0
    lost: int = 0  # batches, with their actor or on the way
    dropped: int = 0  # batches, too old
    dropped_games: int = 0
    age_sum: int = 0  # of the batches that were taken: in batches,
    age_most: int = 0
    behind_sum: int = 0  # and in updates of the learner

    def take(self, batch: Batch, updates: int) -> None:
        age = self.age(batch)
        self.batches += 1
        self.games += batch.packed.games
        self.transitions += batch.packed.transitions
        self.bytes += batch.packed.bytes
        self.age_sum += age
        self.age_most = max(self.age_most, age)
        self.behind_sum += updates - batch.updates

    def age(self, batch: Batch) -> int:
        return self.batches - batch.version

    def row(self, episodes: int, actors: int) -> dict[str, float]:
        batches = max(1, self.batches)
        means = {
            "age_mean": round(self.age_sum / batches, 3),
            "updates_behind_mean": round(self.behind_sum / batches, 1),
            "bytes_per_game": round(self.bytes / max(1, self.games), 1),
        }
        plain = {name: getattr(self, name) for name in COUNTED}
        return {"episodes": episodes, "actors": actors} | plain | means


COUNTED = ("started", "batches", "games", "transitions", "lost", "dropped", "dropped_games", "age_most")
COLUMNS = tuple(Ledger().row(0, 0))


@dataclass
class _Place:
    """Where an actor is, or will be."""

    actor: Any = None
    calls: int = 0  # under way
    deaths: int = 0  # since the last batch


class Fleet:
    """The actors of a training, as its `Source`. Needs a connection (`cluster.connected`)."""

    def __init__(
        self,
        learner: Learner,
        group: Group,
        *,
        actors: int,
        queue: int = QUEUE,
        rows: int = ROWS,
        oldest: int | None = None,
    ) -> None:
        self._ray = cluster.ray()
        self._learner = learner
        self._steps = max(1, rows // group.batch)
        self._queue = queue
        self._oldest = 2 * queue * actors if oldest is None else oldest  # the age that a batch may have
        self._places = [_Place() for _ in range(actors)]
        self._calls: dict[Any, _Place] = {}  # what calls will give, in the order of asking -> who was called
        self._past: Any = None
        self._weights: Any = None
        self._sent = -1  # the version in `_weights`
        self._rows: list[dict[str, float]] = []
        self._heard = time.monotonic()
        self.ledger = Ledger()

    def collect(self) -> list[Step]:
        self._ask()
        ready, _ = self._ray.wait(list(self._calls), timeout=_PATIENCE)
        if not ready:
            self._say_if_long()
            return []
        self._heard = time.monotonic()
        place = self._calls.pop(ready[0])
        place.calls -= 1
        try:
            batch: Batch = self._ray.get(ready[0])
        except self._ray.exceptions.RayTaskError as error:  # what the actor itself raised
            raise error.cause from None
        except self._ray.exceptions.RayError as error:
            self._replace(place, error)
            return []
        place.deaths = 0
        return self._taken(batch)

    def _taken(self, batch: Batch) -> list[Step]:
        if self.ledger.age(batch) > self._oldest:
            self.ledger.dropped += 1
            self.ledger.dropped_games += batch.packed.games
            return []
        self.ledger.take(batch, int(self._learner.counts["updates"]))
        return list(unpack(batch.packed))

    def _ask(self) -> None:
        """Calls every actor that has room for it, with the weights as they are now."""
        # The first to be asked are those with the fewest calls: where not all may be, it is the others' turn next.
        for place in sorted(self._places, key=lambda place: place.calls):
            while place.calls < self._queue and len(self._calls) <= self._oldest:
                if self._sent != self.ledger.batches:
                    self._send()
                if place.actor is None:
                    place.actor = self._start()
                place.calls += 1
                self._calls[place.actor.collect.remote(self._weights, self._past, self._steps)] = place

    def _send(self) -> None:
        learner = self._learner
        self._sent = self.ledger.batches
        self._weights = self._ray.put(Weights(self._sent, learner.weights(), dict(learner.counts)))

    def _start(self) -> Any:
        settings, number = self._learner.settings, self.ledger.started
        self.ledger.started += 1
        # Not by Ray's own restarts: the same actor again would deal the same games again.
        made = self._ray.remote(num_cpus=settings.threads, max_restarts=0)(SelfPlay)
        return made.remote(kibitz.__version__, type(self._learner), settings, number)

    def _replace(self, place: _Place, error: Exception) -> None:
        """The actor is gone, or cannot be reached; so are its other calls."""
        others = [ref for ref, called in self._calls.items() if called is place]
        for ref in others:
            del self._calls[ref]
        self.ledger.lost += 1 + len(others)
        with contextlib.suppress(Exception):
            self._ray.kill(place.actor)
        place.actor, place.calls = None, 0
        place.deaths += 1
        last = str(error).strip().splitlines()[-1:]
        told = last[0] if last else type(error).__name__
        if getattr(error, "actor_init_failed", False) or place.deaths >= MOST_DEATHS:
            raise ChildProcessError(f"an actor died {place.deaths} times before it sent anything: {told}") from None
        log.warning("an actor died, another takes its place: %s", told)

    def _say_if_long(self) -> None:
        if time.monotonic() - self._heard > _SAID:
            self._heard = time.monotonic()
            need = len(self._places) * self._learner.settings.threads
            log.warning("no batch for %d s; the actors need %d CPUs, the cluster has %d", _SAID, need, cluster.cpus())

    def replace_past(self, net: Path) -> None:
        self._past = self._ray.put((net.name, net.read_bytes()))

    def note(self, folder: Path, episodes: int) -> None:
        self._rows.append(self.ledger.row(episodes, len(self._places)))
        text = io.StringIO()
        writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self._rows)
        write_atomically(folder / FILE, text.getvalue())

    def state(self) -> tuple[Rows, dict[str, Any]]:
        return {}, {"ray": dataclasses.asdict(self.ledger), "ray_rows": self._rows}

    def restore(self, arrays: Mapping[str, Array], state: Mapping[str, Any]) -> None:
        """Also of a training that was played in one process so far: its running games are dealt anew."""
        kept, rows = state.get("ray", {}), state.get("ray_rows", [])
        names = {column.name for column in dataclasses.fields(Ledger)}
        checkpoint.need(isinstance(kept, dict) and kept.keys() <= names, f"of its actors it keeps {kept!r}"[:200])
        self.ledger = Ledger(**{name: checkpoint.whole(value, name) for name, value in kept.items()})
        checkpoint.need(isinstance(rows, list), "of its actors it has no rows")
        for row in rows:
            whole = isinstance(row, dict) and tuple(row) == COLUMNS
            checkpoint.need(whole and all(np.isfinite(float(value)) for value in row.values()), f"{row!r}"[:200])
        self._rows = list(rows)

    def close(self) -> None:
        for place in self._places:
            if place.actor is not None:
                with contextlib.suppress(Exception):
                    self._ray.kill(place.actor)
