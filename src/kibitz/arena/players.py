"""Two ways to play deals under every seating: inside the core, or move by move in Python. They give the same games.

All seeds come from the match seed by way of `Seeds`: no agent can work its deal out from the seed that it begins with.
"""

from __future__ import annotations

import operator
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kibitz._core import NATURE, OVER, Rng, Seeds
from kibitz.arena.stats import Floats
from kibitz.protocols import Agent, Game


class Played(Protocol):
    """Played deals; the arrays are indexed [deal, seating, agent]. The core's NativeMatch is one."""

    @property
    def payoffs(self) -> Floats: ...
    @property
    def decisions(self) -> NDArray[np.uint32]: ...
    @property
    def seconds(self) -> Floats:
        """The time spent on the timed decisions."""

    @property
    def timed_decisions(self) -> NDArray[np.uint32]: ...


class Player(Protocol):
    block: int  # how many rounds of a series are best played in one call

    def deals(self, seed: int, first: int, count: int) -> Played:
        """Plays deals first..first+count-1 of `seed`, each under every seating."""


@dataclass
class NativePlayer:
    """All inside the core, on several threads."""

    game: Any
    handles: list[Any]
    seatings: list[list[int]]  # [seating][agent] -> seat
    threads: int
    block: int = 16  # a game takes microseconds, the call more

    def deals(self, seed: int, first: int, count: int) -> Played:
        played: Played = self.game.native_match(self.handles, self.seatings, seed, first, count, self.threads)
        return played


@dataclass
class _Record:
    payoffs: Floats
    decisions: NDArray[np.uint32]
    seconds: Floats
    timed_decisions: NDArray[np.uint32]


@dataclass
class PythonPlayer:
    """Any game, any agents, one game at a time."""

    game: Game
    agents: list[Agent]
    seatings: list[list[int]]
    block: int = 1  # agents may be slow: no round is played that is not needed

    def deals(self, seed: int, first: int, count: int) -> Played:
        shape = (count, len(self.seatings), len(self.agents))
        decisions = np.zeros(shape, np.uint32)
        # Every decision is timed here, so the two counts are one array.
        record = _Record(np.zeros(shape), decisions, np.zeros(shape), decisions)
        seeds = Seeds(seed)
        for deal in range(count):
            for k in range(len(self.seatings)):
                self._play(seeds, first + deal, k, record, (deal, k))
        return record

    def _play(self, seeds: Seeds, number: int, k: int, record: _Record, where: tuple[int, int]) -> None:
        seats = self.seatings[k]
        sitting = sorted(range(len(seats)), key=seats.__getitem__)  # [seat] -> agent
        for seat, index in enumerate(sitting):
            self.agents[index].begin(seeds.agent(number, k, seat))
        nature = Rng(seeds.nature(number))
        decisions, seconds = [0] * len(seats), [0.0] * len(seats)
        state = self.game.deal(seeds.deal(number))
        while (seat := state.to_act) != OVER:
            legal = state.legal()
            if seat == NATURE:
                state.apply(legal[nature.below(len(legal))])
                continue
            agent = self.agents[sitting[seat]]
            shown = state.copy() if agent.peeks else state.view(seat)
            start = time.perf_counter()
            action = agent.act(shown)
            seconds[sitting[seat]] += time.perf_counter() - start
            decisions[sitting[seat]] += 1
            state.apply(_checked(self.game, agent, action, legal))
        if len(state.payoffs) != len(seats):
            raise ValueError(f"game {self.game.name!r} gave {len(state.payoffs)} payoffs to {len(seats)} seats")
        record.payoffs[where] = [state.payoffs[seat] for seat in seats]
        record.decisions[where] = decisions
        record.seconds[where] = seconds


def _checked(game: Game, agent: Agent, action: Any, legal: Sequence[int]) -> int:
    try:
        number = operator.index(action)  # NumPy's integers too
    except TypeError:
        number = None
    if number is None or number not in legal:
        allowed = ", ".join(f"{a} ({game.text(a)})" for a in legal)
        raise ValueError(f"agent {agent.name!r} chose {action!r}, which is not legal; legal are: {allowed}")
    return number
