"""Workers on a Ray cluster: with the interface of `kibitz.arena.run.Crew`, so that whatever has a crew can have this.

Work is a task of Ray's: Ray finds a place for it, and plays it again where its worker or its machine dies.
What a task returns depends on its arguments alone, so that it makes no difference how often it was begun.
"""

from __future__ import annotations

import contextlib
import io
import time
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from typing import Any

import kibitz
from kibitz import _core, registry
from kibitz.arena.run import Hire, share, unpack
from kibitz.scale import cluster

RETRIES = 10  # of a task whose worker died: then it is the task that kills them
AHEAD = 2  # tasks per worker: one that runs, and one that waits, so that the worker need not
LOOK_SECONDS = 5.0  # how often a crew looks how many CPUs there are


def hire(workers: int | None = None, threads: int = 1) -> Hire:
    """A crew on the cluster that this process is connected to. `workers`: at most so many at a time, without any task
    that waits; by default as many as there are CPUs for, now or later. `threads`: CPUs of each."""
    return partial(Crew, workers=workers, threads=threads)


def spread(function: Callable[..., Any], work: Iterable[tuple[Any, ...]]) -> Iterator[Any] | None:
    """What the function returns for all these arguments, in any order; None where it cannot be sent."""
    try:
        parcel = pack_function(function)
    except Exception:  # pickle raises many kinds of them
        return None
    return _spread(parcel, work)


def _spread(parcel: bytes, work: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
    with Crew(parcel) as crew:
        trouble = crew.trouble()
        if trouble:
            raise ValueError(f"a worker cannot do this: {trouble}")
        yield from share(crew, work)


class Crew:
    """Tasks under way on the cluster; leaving the `with` block ends them."""

    def __init__(self, parcel: bytes, workers: int | None = None, threads: int = 1) -> None:
        self._ray = cluster.ray()
        self._workers = workers
        self._threads = threads
        self._cpus, self._look = 1, 0.0
        self._parcel = self._ray.put(parcel)
        self._work = self._remote(_work)
        self.busy: dict[Any, None] = {}  # what tasks will give, in the order of giving

    @property
    def idle(self) -> range:
        return range(len(self) - len(self.busy))

    def __len__(self) -> int:
        now = time.monotonic()
        if now > self._look:  # clusters grow and shrink
            self._look, self._cpus = now + LOOK_SECONDS, cluster.cpus()
        return self._workers or AHEAD * max(1, self._cpus // self._threads)

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        for task in self.busy:
            with contextlib.suppress(Exception):
                self._ray.cancel(task, force=True)
        self.busy = {}

    def trouble(self) -> str:
        """Of the first worker: all are alike."""
        try:
            return str(self._ray.get(self._remote(_ready).remote(self._parcel, kibitz.__version__)))
        except self._ray.exceptions.RayError as error:
            return " ".join(str(error).split())[-300:]

    def _remote(self, function: Callable[..., Any]) -> Any:
        return self._ray.remote(num_cpus=self._threads, max_retries=RETRIES)(function)

    def give(self, *arguments: Any) -> None:
        self.busy[self._work.remote(self._parcel, arguments)] = None

    def finished(self) -> Iterator[tuple[Any, float]]:
        ready, _ = self._ray.wait(list(self.busy), num_returns=1)
        for task in ready:
            del self.busy[task]
            try:
                yield self._ray.get(task)
            except self._ray.exceptions.RayTaskError as error:  # what the task itself raised
                raise error.cause from None
            except self._ray.exceptions.RayError as error:
                told = str(error).strip().splitlines()[:1]
                raise ChildProcessError(f"a worker ended unexpectedly, and others with the same work: {told}") from None


def _work(parcel: bytes, arguments: tuple[Any, ...]) -> tuple[Any, float]:
    """In a worker: what the task returns, and the seconds that it took."""
    task = _task(bytes(parcel))
    began = time.perf_counter()
    result = task(*arguments)
    return result, time.perf_counter() - began


def _ready(parcel: bytes, version: str) -> str:
    """In a worker: why it cannot do the work, or nothing."""
    if version != kibitz.__version__:
        return f"it has Kibitz {kibitz.__version__}, not {version}: install the same on all nodes"
    try:
        _task(bytes(parcel))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


@lru_cache(maxsize=4)
def _task(parcel: bytes) -> Callable[..., Any]:
    """Unpacked once in a worker, which may do many tasks: games and agents take a while to make."""
    task: Callable[..., Any] = unpack(parcel)
    return task


def pack_function(function: Callable[..., Any]) -> bytes:
    """Any function, with what it has taken from around it, for `unpack`. Of the core, games go as name and options, and
    functions as their names."""
    from ray import cloudpickle

    pickler: Any = cloudpickle.CloudPickler
    file = io.BytesIO()
    packer = pickler(file)
    packer.dispatch_table = ChainMap({_core.Game: _recipe, type(_core.mix): _name}, packer.dispatch_table)
    packer.dump(function)
    return file.getvalue()


def _recipe(game: _core.Game) -> tuple[Any, ...]:
    return _made, (game.name, dict(game.options))


def _name(function: Any) -> tuple[Any, ...]:
    return getattr, (_core, function.__name__)


def _made(name: str, options: dict[str, Any]) -> Any:
    return registry.make(name, **options)
