"""Who has won, and who sits where: one definition of each, which matches, trainings and the terminal share."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from toy_game import ToyGame, ToyState

import kibitz
from kibitz.arena.result import Deals
from kibitz.arena.seatings import permutations, rotations, seated, sitting
from kibitz.arena.stats import sides_of, winners
from kibitz.experiments import networks
from kibitz.terminal import evening


class SettledState(ToyState):
    game: Settled

    @property
    def payoffs(self) -> list[float]:
        return list(self.game.fixed) if self.over else [0.0] * self.game.players

    def copy(self) -> SettledState:
        return SettledState(self.game, list(self.cards), list(self.history))


class Settled(ToyGame):
    """A game whose payoffs do not depend on how it is played."""

    def __init__(self, payoffs: list[float], teams: list[int] | None = None) -> None:
        super().__init__(len(payoffs))
        self.fixed = payoffs  # by seat
        self.payoff_range = (min(payoffs), max(payoffs))
        self.teams = list(range(len(payoffs))) if teams is None else teams

    def deal(self, seed: int = 0) -> SettledState:
        return SettledState(self, super().deal(seed).cards)

    def native_match(
        self, agents: list[Any], seatings: list[list[int]], seed: int, first: int, deals: int, threads: int = 1
    ) -> Any:
        """As the core's games have it, for trainings, which play inside the core."""
        payoffs = np.tile([[self.fixed[seat] for seat in seats] for seats in seatings], (deals, 1, 1))
        return SimpleNamespace(payoffs=payoffs.astype(float))


# By seat: payoffs, teams, and the seats that have won.
CASES: list[tuple[list[float], list[int] | None, list[int]]] = [
    ([2, -1, -1], None, [0]),
    ([1, 1, -2], None, []),  # the best two are opponents: drawn
    ([0, 0, 0], None, []),
    ([1, -1, 1, -1], [0, 1, 0, 1], [0, 2]),
    ([1, 1, -1, -1], [0, 1, 0, 1], []),
]


@pytest.mark.parametrize(("payoffs", "teams", "won"), CASES)
def test_matches_trainings_and_the_terminal_agree_on_who_won(
    monkeypatch: pytest.MonkeyPatch, payoffs: list[float], teams: list[int] | None, won: list[int]
) -> None:
    run = pytest.importorskip("kibitz.learn.common.run")
    monkeypatch.setattr(run, "native_agent", lambda game, spec: object())
    game: Any = Settled(payoffs, teams)
    n = len(payoffs)
    rate = len(won) / n  # an agent sits in every seat once

    result = kibitz.play(game, ["random"] * n, games=5 * n)
    assert [agent.win_rate.mean for agent in result.agents] == [pytest.approx(rate)] * n
    assert result.drawn == (0 if won else 5 * n)
    assert run.score(game, "some.safetensors", "random", 5 * n, 1) == pytest.approx((np.mean(payoffs), rate, 5 * n))

    names = [f"p{seat}" for seat in range(n)]
    told = evening._who_won(names, np.array(payoffs), np.array(sides_of(game)))
    winning = " and ".join(names[seat] for seat in won)
    assert told.startswith(f"{winning} win") if won else "win" not in told or told in ("Nobody wins.", "It is a draw.")


def test_a_draw_at_the_terminal() -> None:
    alone, names = np.arange(3), ["You", "rules", "random"]
    assert evening._who_won(names, np.array([1.0, 1, -2]), alone) == "You and rules tie."
    assert evening._who_won(names, np.array([1.0, 1, 1]), alone) == "Nobody wins."
    assert evening._who_won(names, np.array([2.0, 1, 1]), alone) == "You win."
    assert evening._who_won(names, np.array([1.0, 2, 1]), alone) == "rules wins."
    assert evening._who_won(names, np.array([-2.0, 1, 1]), np.zeros(3, np.int64)) == "rules and random win."


def test_what_each_deal_gave() -> None:
    payoffs = np.array([[[2.0, -1, -1], [1, 1, -2]], [[0, 0, 0], [-1, 2, -1]]])  # [deal, seating, agent]
    found = Deals.of(payoffs, *winners(payoffs, np.arange(3)))
    assert found.wins.tolist() == [[1, 0, 0], [0, 1, 0]]
    assert found.ties.tolist() == [[1, 1, 0], [1, 1, 1]]
    assert found.payoffs.tolist() == [[3, 0, -3], [-1, 2, -1]]
    assert found.drawn.tolist() == [1, 1]
    assert (found.games, found.seatings) == (4, 2)
    assert found.shares(0).tolist() == [0.75, 0.25]
    assert found.shares(0, draw=0.0).tolist() == [0.5, 0.0]
    assert found.gains(1).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("players", [1, 2, 3, 4, 7])
def test_rotations_seat_every_agent_once_in_every_seat(players: int) -> None:
    seatings = rotations(players)
    assert seatings[0] == list(range(players))
    assert all(sorted(seats) == list(range(players)) for seats in [*seatings, *zip(*seatings, strict=True)])
    for before, after in pairwise(seatings):
        assert after == [(seat + 1) % players for seat in before]  # everybody moves on by one seat
    for seats in seatings:
        assert [seats[agent] for agent in sitting(seats)] == list(range(players))


def test_every_seating_once() -> None:
    assert permutations(3) == [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    assert seated([0, 1, 1], [[0, 1, 2], [1, 2, 0]]).tolist() == [[0, 1, 1], [1, 1, 0]]
    assert networks.LineUp("", ["a", "b", "b"], [], 3).seatings() == rotations(3)
