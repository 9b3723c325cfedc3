"""Where the jobs of a tournament are played: in this process, in worker processes, or on other machines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kibitz.arena.jobs import Job, JobResult, play_job
from kibitz.arena.run import Crew, Hire, pack, share


@dataclass(frozen=True)
class Here:
    """In this process, one job after the other, on so many threads of the core where game and agents are native."""

    threads: int = 1

    def map(self, jobs: Iterable[Job]) -> Iterator[JobResult]:
        for job in jobs:
            yield play_job(job, self.threads)


@dataclass(frozen=True)
class Processes:
    """In so many worker processes. One that dies is replaced, and its job played again."""

    workers: int

    def map(self, jobs: Iterable[Job]) -> Iterator[JobResult]:
        with Crew(self.workers, pack(play_job, [], [])) as crew:
            trouble = crew.trouble()
            if trouble:
                raise ChildProcessError(f"a worker process could not start: {trouble}")
            yield from share(crew, ((job,) for job in jobs))


@dataclass(frozen=True)
class Elsewhere:
    """By workers on other machines, as those of `kibitz.scale.crew`."""

    hire: Hire

    def map(self, jobs: Iterable[Job]) -> Iterator[JobResult]:
        with self.hire(pack(play_job, [], [])) as crew:
            trouble = crew.trouble()
            if trouble:
                raise ValueError(f"a worker cannot play this: {trouble}")
            yield from share(crew, ((job,) for job in jobs))
