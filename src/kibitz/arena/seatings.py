"""Who sits where: the agents of a match over the seats of its game."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Seatings = Sequence[Sequence[int]]  # [seating][agent] -> seat


def rotations(players: int) -> list[list[int]]:
    """As many seatings as players; in number k agent a sits in seat (a + k) mod players."""
    return [[(agent + k) % players for agent in range(players)] for k in range(players)]


def permutations(players: int) -> list[list[int]]:
    """All seatings there are."""
    return [list(seats) for seats in itertools.permutations(range(players))]


def sitting(seats: Sequence[int]) -> list[int]:
    """A seating the other way round: [seat] -> agent."""
    return sorted(range(len(seats)), key=seats.__getitem__)


def seated(per_seat: Sequence[int], seatings: Seatings) -> NDArray[np.int64]:
    """What holds for each seat, as its team, by agent: [seating, agent]."""
    return np.asarray([[per_seat[seat] for seat in seats] for seats in seatings], np.int64)
