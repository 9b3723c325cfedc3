"""Where the jobs of a tournament are played on one machine: in this process, or in worker processes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kibitz.arena.jobs import Job, JobResult, play_job
from kibitz.arena.run import Crew, pack


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
        left = iter(jobs)
        with Crew(self.workers, pack(play_job, [], [])) as crew:
            trouble = crew.trouble()
            if trouble:
                raise ChildProcessError(f"a worker process could not start: {trouble}")
            while True:
                while crew.idle and (job := next(left, None)) is not None:
                    crew.give(job)
                if not crew.busy:
                    return
                for result, _ in crew.finished():
                    yield result
