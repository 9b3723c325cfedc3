"""Ratings, cycles and sequential tests: against choix on games one by one, and against what was put in."""

from __future__ import annotations

from pathlib import Path

import choix
import numpy as np
import pytest

import kibitz
from kibitz.arena import ratings
from kibitz.arena.jobs import DRAWN, LineUp
from kibitz.arena.plan import Plan, plan_of
from kibitz.arena.ratings import SCALE, Counts, cycles, rate
from kibitz.arena.standings import Meeting, Pair, Standings, meetings_of
from kibitz.arena.stats import Interval, Moments
from kibitz.arena.store import Row
from kibitz.arena.until import EQUAL, STRONGER, WEAKER, Question, answer, capital

AGENTS = {"random": "random", "b": "mcs:iterations=1", "c": "mcs:iterations=2"}


def board(**more: object) -> Plan:
    return plan_of(kibitz.make("tictactoe"), AGENTS, 600, **more)


def filled(meeting: Meeting, codes: list[list[int]], counts: list[int]) -> None:
    """Adds deals with these codes."""
    n = len(meeting.agents)
    deals = sum(counts)
    zeros = [0] * n
    row = Row(
        meeting.line_up.key,
        meeting.deals,
        deals,
        np.asarray(codes, np.uint32),
        np.asarray(counts, np.int64),
        [Moments(deals)] * n,
        zeros,
        zeros,
        zeros,
    )
    meeting.add(row)


def test_pairs_are_rated_as_by_choix() -> None:
    won = np.asarray([[0, 30, 45], [10, 0, 25], [5, 15, 0]], np.float64)
    pairs = [(0, 1), (0, 2), (1, 2)]
    counts = Counts(3, np.asarray(pairs), np.ones((3, 2)), np.asarray([[won[a, b], won[b, a]] for a, b in pairs]))
    theirs = choix.ilsr_pairwise_dense(won)
    assert counts.fit() == pytest.approx(theirs - theirs.mean(), abs=1e-6)


def test_games_of_three_are_rated_as_by_choix() -> None:
    wins = {(0, 1, 2): (12, 5, 3), (0, 1, 3): (7, 9, 2), (1, 2, 3): (6, 3, 4)}
    who = np.asarray(list(wins))
    ours = Counts(4, who, np.ones(who.shape), np.asarray(list(wins.values()), np.float64)).fit()
    games = [
        (agents[at], tuple(agent for agent in agents if agent != agents[at]))
        for agents, counts in wins.items()
        for at, count in enumerate(counts)
        for _ in range(count)
    ]
    theirs = choix.ilsr_top1(4, games)
    assert ours == pytest.approx(theirs - theirs.mean(), abs=1e-6)


def test_two_claims_win_twice_as_often_among_equals() -> None:
    counts = Counts(2, np.asarray([[0, 1]]), np.asarray([[1.0, 2.0]]), np.asarray([[100.0, 200.0]]))
    assert counts.fit() == pytest.approx([0, 0], abs=1e-6)


def test_anchors_stand_and_intervals_hold_the_rating() -> None:
    plan = board()
    meetings = meetings_of(plan)
    for meeting in meetings.values():
        filled(meeting, [[1, 1], [1, 2], [2, 2]], [20, 60, 20])  # the first agent wins 80% of the games
    found = rate(Standings(plan, list(meetings.values())))
    assert found[0].points == Interval(0.0, 0.0, 0.0)
    assert found[0].anchor
    for rating in found[1:]:
        assert rating.points.low < rating.points.mean < rating.points.high < 0
    # 80% of games are odds of 4 to 1, but for the one game that every line-up is given beforehand.
    pair = LineUp("tictactoe", (), ("a", "b"), ((0, 1), (1, 0)))
    meeting = Meeting((0, 1), pair, (0, 1))
    filled(meeting, [[1, 1], [1, 2], [2, 2]], [2000, 6000, 2000])
    strengths = Counts(2, np.asarray([[0, 1]]), np.ones((1, 2)), (meeting.counts() @ meeting.credits().sum(1))[None])
    assert SCALE * np.ptp(strengths.fit()) == pytest.approx(400 * np.log10(4), abs=1e-3)


def test_an_agent_that_never_won_has_a_rating() -> None:
    plan = board()
    meetings = meetings_of(plan)
    for meeting in meetings.values():
        filled(meeting, [[1, 2]], [100])
    found = rate(Standings(plan, list(meetings.values())), samples=5)
    assert all(np.isfinite(rating.points.mean) for rating in found)


def test_drawn_games_are_shared() -> None:
    meeting = Meeting((0, 1), LineUp("tictactoe", (), ("a", "b"), ((0, 1), (1, 0))), (0, 1))
    filled(meeting, [[int(DRAWN) | 3, 1]], [4])
    assert meeting.drawn() == 4
    assert meeting.credits().tolist() == [[[0.5, 0.5], [0.0, 1.0]]]


def test_without_choix_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ratings, "installed", lambda package: False)
    with pytest.raises(ValueError, match=r"need the package choix: pip install .*\[ratings\]"):
        ratings.parts()


def beaten(a: int, b: int, low: float = 0.55) -> dict[tuple[int, int], Pair]:
    there, back = Interval(0.6, low, 0.65), Interval(0.4, 0.35, 1 - low)
    return {(a, b): Pair(a, b, 100, 200, there), (b, a): Pair(b, a, 100, 200, back)}


def test_cycles_are_found_where_they_are_sure() -> None:
    ring = beaten(0, 1) | beaten(1, 2) | beaten(2, 0) | beaten(0, 3) | beaten(1, 3) | beaten(2, 3)
    assert cycles(ring) == [(0, 1, 2)]
    assert cycles(ring | beaten(2, 0, low=0.49)) == []
    assert cycles(ring | beaten(0, 2)) == []


def test_a_fair_coin_is_hardly_ever_called_unfair() -> None:
    """Looked at after every 20 deals of 2,000: a test for one look would be wrong far more often."""
    rng = np.random.default_rng(5)
    scores, wrong, runs = np.asarray([0.0, 0.5, 1.0]), 0, 300
    for _ in range(runs):
        steps = rng.multinomial(20, (0.25, 0.5, 0.25), size=100).cumsum(axis=0)
        wrong += any(capital(scores, counts, 0.5, sign) >= np.log(2 / 0.1) for counts in steps for sign in (1, -1))
    assert wrong / runs <= 0.1


@pytest.mark.parametrize(
    ("counts", "margin", "verdict"),
    [
        ([10, 60, 130], 0.0, STRONGER),
        ([130, 60, 10], 0.0, WEAKER),
        ([50, 100, 50], 0.0, ""),
        ([5000, 10000, 5000], 0.0, ""),
        ([5000, 10000, 5000], 0.05, EQUAL),
    ],
)
def test_questions_are_answered(counts: list[int], margin: float, verdict: str) -> None:
    plan = board(until=("b > c",))
    meetings = meetings_of(plan)
    both = next(meeting for meeting in meetings.values() if meeting.agents == (1, 2))
    filled(both, [[2, 1], [1, 1], [1, 2]], counts)  # lost, shared and won twice by the first of the two
    found = answer(Question.of(plan, "b > c"), list(meetings.values()), 0.05, margin)
    assert (found.verdict, found.deals) == (verdict, sum(counts))
