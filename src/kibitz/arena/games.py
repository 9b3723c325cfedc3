"""The games of a match themselves, for those who ask for records: results keep none of them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.protocols import Agent, Game
from kibitz.record import MOST_NAME, Record, Seat, Series, Start, portable
from kibitz.record_files import Add, writing_all

if TYPE_CHECKING:
    from kibitz.arena.result import Chunk


@dataclass(frozen=True)
class PlayedGame:
    """One game: the seed of its deal, the agent in each seat, what was played, and what each seat got."""

    seed: int
    agents: Sequence[int]
    actions: Sequence[int]
    payoffs: Sequence[float]
    series: Series | None = None


@dataclass
class Recorder:
    """Makes records of the games of chunks, in the order of the deals, whichever chunk is finished first."""

    game: Game
    agents: Sequence[Agent]
    add: Add

    def __post_init__(self) -> None:
        self._options = portable(self.game)
        self._text: Callable[[int], str] = cache(self.game.text)
        self._seats = [Seat(agent.name[:MOST_NAME], agent.name) for agent in self.agents]
        self._waiting: dict[int, Chunk] = {}  # by first deal
        self._next = 0

    def take(self, chunk: Chunk) -> None:
        self._waiting[chunk.first] = chunk
        while self._next in self._waiting:
            self._write(self._waiting.pop(self._next))

    def finish(self) -> None:
        """Also what comes after deals that were never finished."""
        for first in sorted(self._waiting):
            self._write(self._waiting.pop(first))

    def _write(self, chunk: Chunk) -> None:
        self._next = chunk.first + len(chunk.payoffs)
        for played in chunk.games:
            self.add(self.record(played))

    def record(self, played: PlayedGame) -> Record:
        """Of one game."""
        return Record(
            self.game.name,
            self._options,
            tuple(self._seats[agent] for agent in played.agents),
            Start(played.seed),
            tuple(map(self._text, played.actions)),
            tuple(played.payoffs),
            played.series,
        )


@contextlib.contextmanager
def recording(path: Path | str | None, game: Game, agents: Sequence[Agent]) -> Iterator[Callable[[Chunk], None] | None]:
    """What takes finished chunks and writes their games to `path`; None if that is None."""
    if path is None:
        yield None
        return
    with writing_all(Path(path)) as add:
        recorder = Recorder(game, agents, add)
        yield recorder.take
        recorder.finish()
