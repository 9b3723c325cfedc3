"""Runs a long task in chunks: here or in worker processes, with progress, and stopping cleanly on Ctrl-C.

The results do not depend on the number of workers or on the sizes of the chunks: a chunk is a function of the numbers
of its deals alone, and it does not matter in which order chunks are taken. None is kept here.
"""

from __future__ import annotations

import io
import multiprocessing
import pickle
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import connection
from multiprocessing.process import BaseProcess
from typing import Any, Protocol

from kibitz import _core, protocols, registry
from kibitz.arena.result import Chunk
from kibitz.protocols import Agent

CHUNK_SECONDS = 0.15  # short enough for Ctrl-C and progress to feel immediate, long enough to cost nothing

_MOST_DEATHS = 3  # of workers with the same work: then it is the work that kills them

Task = Callable[[int, int], Chunk]  # (first deal, number of deals) -> Chunk


class Workers(Protocol):
    """Who calls a task: worker processes (`Crew`), or workers on other machines (`kibitz.scale.crew`)."""

    @property
    def idle(self) -> Sized:
        """Those that can be given work."""

    @property
    def busy(self) -> Sized: ...

    def trouble(self) -> str:
        """Why a new worker could not unpack its parcel, or nothing. To be asked before they get work."""

    def give(self, *arguments: Any) -> None: ...

    def finished(self) -> Iterator[tuple[Any, float]]:
        """Waits for at least one worker; yields what the task returned, with the seconds it took, or raises what the
        task raised. Nothing is yielded where a worker died and another one has its work now."""

    def __len__(self) -> int: ...

    def __enter__(self) -> Workers: ...

    def __exit__(self, *_: object) -> None: ...


Hire = Callable[[bytes], Workers]  # who work at the task in a parcel


def share(crew: Workers, work: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
    """Gives work to a crew as its workers get free; yields what comes of each part, in any order."""
    left = iter(work)
    while True:
        while crew.idle and (arguments := next(left, None)) is not None:
            crew.give(*arguments)
        if not crew.busy:
            return
        for result, _ in crew.finished():
            yield result


@dataclass
class Pace:
    """Finds the number of deals that take about CHUNK_SECONDS."""

    most: int  # deals in a chunk, however quick they are
    size: int = 1

    def learn(self, deals: int, seconds: float) -> None:
        wanted = deals * CHUNK_SECONDS / max(seconds, 1e-6)
        # Growing by at most 8 at a time: the first chunks are too short to be measured well.
        self.size = max(1, min(int(wanted), 8 * self.size, self.most))


@dataclass
class Run:
    """Plays deals 0..total-1 of a task, at most `most` in a chunk, and hands every finished chunk to `take`."""

    task: Task
    total: int
    most: int
    take: Callable[[Chunk], None]
    interrupted: bool = False
    notes: list[str] = field(default_factory=list)

    def here(self) -> None:
        """In this process."""
        with self._stopping():
            self._here()

    def spread(self, workers: int, agents: list[Agent], specs: list[str | None]) -> None:
        """Over worker processes; in this one if a worker cannot get what it needs, and then `notes` says why."""
        with self._stopping():
            try:
                parcel = pack(self.task, agents, specs)
            except Exception as error:  # pickle raises many kinds of them
                self.notes.append(f"played in one process, since {_culprit(agents, specs)} cannot be sent: {error}")
                return self._here()
            with Crew(min(workers, self.total), parcel) as crew:
                trouble = crew.trouble()
                if not trouble:
                    return self._direct(crew)
            self.notes.append(f"played in one process, since a worker process could not start: {trouble}")
            self._here()

    def elsewhere(
        self, hire: Hire, agents: list[Agent], specs: list[str | None], handles: list[_core.Agent] | None
    ) -> None:
        """By workers on other machines; ValueError where they cannot get what they need."""
        with self._stopping():
            try:
                parcel = pack(self.task, agents, specs, handles)
            except Exception as error:  # pickle raises many kinds of them
                raise ValueError(f"{_culprit(agents, specs)} cannot be sent to workers: {error}") from error
            with hire(parcel) as crew:
                trouble = crew.trouble()
                if trouble:
                    raise ValueError(f"a worker cannot play this: {trouble}")
                self._direct(crew)

    @contextmanager
    def _stopping(self) -> Iterator[None]:
        """Ctrl-C ends the run: what has been taken stays, the rest is dropped."""
        try:
            yield
        except KeyboardInterrupt:
            self.interrupted = True

    def _here(self) -> None:
        pace, first = Pace(self.most), 0
        while first < self.total:
            count = min(pace.size, self.total - first)
            start = time.perf_counter()
            chunk = self.task(first, count)
            pace.learn(count, time.perf_counter() - start)
            first += count
            self.take(chunk)

    def _direct(self, crew: Workers) -> None:
        pace, first = Pace(self.most), 0
        while True:
            while crew.idle and first < self.total:
                # Towards the end smaller shares, so that all workers finish together.
                count = min(pace.size, -(-(self.total - first) // len(crew)))
                crew.give(first, count)
                first += count
            if not crew.busy:
                return
            for chunk, seconds in crew.finished():
                pace.learn(len(chunk.payoffs), seconds)
                self.take(chunk)


@dataclass
class Given:
    """Work that a worker has."""

    arguments: tuple[Any, ...]
    began: float
    deaths: int = 0  # of workers that had it before


class Crew:
    """Worker processes that call a task; leaving the `with` block ends them at once.

    A worker that dies is replaced, and its work given to the new one, unless that work has seen _MOST_DEATHS of them.
    """

    # Own processes and pipes rather than concurrent.futures: an executor cannot stop a worker in the middle of a
    # slow game when Ctrl-C comes, and multiprocessing.Pool waits for ever for one that was killed.
    def __init__(self, workers: int, parcel: bytes) -> None:
        self.idle: list[connection.Connection] = []
        self.busy: dict[connection.Connection, Given] = {}
        self._parcel = parcel
        self._processes: list[BaseProcess] = []
        try:
            for _ in range(workers):
                self._hire()
        except BaseException:
            self.__exit__()
            raise

    def _hire(self) -> None:
        context = multiprocessing.get_context()
        ours, theirs = context.Pipe()
        process: BaseProcess = context.Process(target=_work, args=(theirs, ours, self._parcel), daemon=True)
        self._processes.append(process)
        self.idle.append(ours)
        process.start()
        theirs.close()  # so that a dead worker is seen as the end of its pipe

    def __len__(self) -> int:
        return len(self.idle) + len(self.busy)

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            if process.pid is not None:
                process.terminate()
        for process in self._processes:
            if process.pid is not None:
                process.join()
        for pipe in [*self.idle, *self.busy]:
            pipe.close()

    def trouble(self) -> str:
        """Why a new worker could not unpack its parcel, or nothing. To be asked before they get work."""
        return next(filter(None, map(_ready, self.idle)), "")

    def give(self, *arguments: Any) -> None:
        pipe = self.idle.pop()
        pipe.send(arguments)
        self.busy[pipe] = Given(arguments, time.perf_counter())

    def finished(self) -> Iterator[tuple[Any, float]]:
        """Waits for at least one worker; yields what the task returned, with the seconds it took, or raises what the
        task raised. Nothing is yielded where a worker died and another one has its work now."""
        for pipe in connection.wait(list(self.busy)):
            assert isinstance(pipe, connection.Connection)
            given = self.busy.pop(pipe)
            try:
                reply = pipe.recv()
            except (EOFError, ConnectionResetError):
                self._replace(pipe, given)
                continue
            self.idle.append(pipe)
            if isinstance(reply, BaseException):
                raise reply
            yield reply, time.perf_counter() - given.began

    def _replace(self, dead: connection.Connection, given: Given) -> None:
        dead.close()
        if given.deaths + 1 >= _MOST_DEATHS:
            raise ChildProcessError(
                "a worker process ended unexpectedly, and others with the same work (out of memory?)"
            )
        self._hire()
        trouble = _ready(self.idle[-1])
        if trouble:
            raise ChildProcessError(f"a worker process ended unexpectedly, and no other could start: {trouble}")
        self.give(*given.arguments)
        next(reversed(self.busy.values())).deaths = given.deaths + 1


def _ready(pipe: connection.Connection) -> str:
    """Waits for a new worker's word; why it cannot work, or nothing."""
    try:
        return str(pipe.recv())
    except (EOFError, ConnectionResetError):
        return "it ended while starting"


def _work(pipe: connection.Connection, parents: connection.Connection, parcel: bytes) -> None:
    """The life of a worker process: says that it is ready, then answers arguments with what the task returns."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    parents.close()  # else this worker would keep its own pipe open when the parent dies
    try:
        task = unpack(parcel)
    except Exception as error:
        pipe.send(f"{type(error).__name__}: {error}")
        return
    pipe.send("")
    while True:
        try:
            arguments = pipe.recv()
        except EOFError:
            return  # the parent is gone
        try:
            pipe.send(task(*arguments))
        except Exception as error:
            pipe.send(_sendable(error))


def _sendable(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


class _Packer(pickle.Pickler):
    """Pickles a task; native games go as name and options, agents made from a lasting spec as that spec, and those of
    the core as the agent that they are and the game that they were made for."""

    def __init__(self, file: io.BytesIO, specs: dict[int, str], handles: dict[int, Agent]) -> None:
        super().__init__(file)
        self._specs, self._handles = specs, handles

    def persistent_id(self, thing: Any) -> tuple[str, Any] | None:
        if id(thing) in self._specs:
            return "agent", self._specs[id(thing)]
        if id(thing) in self._handles:
            return "native", (self._handles[id(thing)], thing.game)
        if isinstance(thing, _core.Game):
            return "game", (thing.name, dict(thing.options))
        return None


class _Unpacker(pickle.Unpickler):
    def persistent_load(self, recipe: tuple[str, Any]) -> Any:
        kind, what = recipe
        if kind == "native":
            return protocols.native(*what)
        return registry.agent(what) if kind == "agent" else registry.make(what[0], **what[1])


def pack(
    thing: Any, agents: list[Agent], specs: list[str | None], handles: Sequence[_core.Agent] | None = None
) -> bytes:
    """`thing` as bytes for `unpack` in another process; raises if something in it cannot be sent. `handles`: the
    agents of the core that `agents` are, where it has them."""
    made = {
        id(agent): spec
        for agent, spec in zip(agents, specs, strict=True)
        if spec is not None and registry.lasting_agent(spec)
    }
    file = io.BytesIO()
    known = {id(handle): agent for handle, agent in zip(handles or [], agents, strict=False)}
    _Packer(file, made, known).dump(thing)
    return file.getvalue()


def unpack(parcel: bytes) -> Any:
    return _Unpacker(io.BytesIO(parcel)).load()


def _culprit(agents: list[Agent], specs: list[str | None]) -> str:
    """What kept a task from being packed, in words."""
    for agent, spec in zip(agents, specs, strict=True):
        try:
            pack(agent, [agent], [spec])
        except Exception:
            return f"agent {agent.name!r}"
    return "the game"
