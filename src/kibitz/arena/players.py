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

from kibitz import _core
from kibitz._core import NATURE, OVER, Rng, Seeds
from kibitz.arena.games import PlayedGame
from kibitz.arena.result import Chunk
from kibitz.arena.seatings import Seatings, seated, sitting
from kibitz.arena.stats import Floats, sides_of
from kibitz.protocols import Agent, Game, State


class Player(Protocol):
    block: int  # how many rounds of a series are best played in one call
    keep: bool  # hands the games over, too

    def deals(self, seed: int, first: int, count: int) -> Chunk:
        """Plays deals first..first+count-1 of `seed`, each under every seating."""


@dataclass
class NativePlayer:
    """All inside the core, on several threads."""

    game: _core.Game
    handles: list[_core.Agent]
    seatings: Seatings
    threads: int
    keep: bool = False
    block: int = 16  # a game takes microseconds, the call more

    def deals(self, seed: int, first: int, count: int) -> Chunk:
        played = self.game.native_match(self.handles, self.seatings, seed, first, count, self.threads, self.keep)
        figures = (played.decisions, played.seconds, played.timed_decisions)
        decisions, seconds, timed = map(np.asarray, figures)
        sides = seated(sides_of(self.game), self.seatings)
        payoffs = np.asarray(played.payoffs)
        games = self._games(Seeds(seed), first, payoffs, played) if self.keep else ()
        return Chunk.of(first, payoffs, sides, decisions, seconds, timed, games)

    def _games(self, seeds: Seeds, first: int, payoffs: Floats, played: _core.NativeMatch) -> list[PlayedGame]:
        parts = np.split(np.asarray(played.actions), np.asarray(played.ends)[:-1])
        games = []
        for at, actions in enumerate(parts):
            deal, k = divmod(at, len(self.seatings))
            agents = sitting(self.seatings[k])
            seed = seeds.deal(first + deal)
            games.append(PlayedGame(seed, agents, actions.tolist(), payoffs[deal, k, agents].tolist()))
        return games


@dataclass
class PythonPlayer:
    """Any game, any agents, one game at a time."""

    game: Game
    agents: list[Agent]
    seatings: Seatings
    keep: bool = False
    block: int = 1  # agents may be slow: no round is played that is not needed

    def deals(self, seed: int, first: int, count: int) -> Chunk:
        shape = (count, len(self.seatings), len(self.agents))
        payoffs, decisions, seconds = np.zeros(shape), np.zeros(shape, np.uint32), np.zeros(shape)
        seeds, games = Seeds(seed), []
        for deal in range(count):
            for k in range(len(self.seatings)):
                at = deal, k
                state, decisions[at], seconds[at] = self._play(seeds, first + deal, k)
                payoffs[at] = [state.payoffs[seat] for seat in self.seatings[k]]
                if self.keep:
                    actions, agents = [action for _, action in state.history], sitting(self.seatings[k])
                    games.append(PlayedGame(seeds.deal(first + deal), agents, actions, list(map(float, state.payoffs))))
        # Every decision is timed here, so the two counts are one array.
        sides = seated(sides_of(self.game), self.seatings)
        return Chunk.of(first, payoffs, sides, decisions, seconds, decisions, games)

    def _play(self, seeds: Seeds, number: int, k: int) -> tuple[State, list[int], list[float]]:
        """One game: its last state, decisions and seconds of each agent."""
        seats = self.seatings[k]
        agents = sitting(seats)
        for seat, index in enumerate(agents):
            self.agents[index].begin(seeds.agent(number, k, seat))
        nature = Rng(seeds.nature(number))
        decisions, seconds = [0] * len(seats), [0.0] * len(seats)
        state = self.game.deal(seeds.deal(number))
        while (seat := state.to_act) != OVER:
            legal = state.legal()
            if seat == NATURE:
                state.apply(legal[nature.below(len(legal))])
                continue
            agent = self.agents[agents[seat]]
            shown = state.copy() if agent.peeks else state.view(seat)
            start = time.perf_counter()
            action = agent.act(shown)
            seconds[agents[seat]] += time.perf_counter() - start
            decisions[agents[seat]] += 1
            state.apply(_checked(self.game, agent, action, legal))
        if len(state.payoffs) != len(seats):
            raise ValueError(f"game {self.game.name!r} gave {len(state.payoffs)} payoffs to {len(seats)} seats")
        return state, decisions, seconds


def _checked(game: Game, agent: Agent, action: Any, legal: Sequence[int]) -> int:
    try:
        number = operator.index(action)  # NumPy's integers too
    except TypeError:
        number = None
    if number is None or number not in legal:
        allowed = ", ".join(f"{a} ({game.text(a)})" for a in legal)
        raise ValueError(f"agent {agent.name!r} chose {action!r}, which is not legal; legal are: {allowed}")
    return number
