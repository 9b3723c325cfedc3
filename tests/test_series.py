"""Series: deals played to a score, the points that a deal holds for the next, and what the command line makes of it."""

from __future__ import annotations

import io
import itertools
import json
import math
from typing import Any

import numpy as np
import pytest
from toy_game import FOLD, STAY, Bold, Fixed, ToyGame

from kibitz import make, play, series
from kibitz._core import Seeds
from kibitz.arena import Chunk
from kibitz.cli import run


def _series_by_hand(game: ToyGame, to: float, groups: int, seed: int) -> tuple[list[int], int, list[list[float]]]:
    """Series of Bold against Fixed(STAY), neither of which has any randomness: wins, rounds, points."""
    agents = [Bold(), Fixed(STAY)]
    wins, rounds, ends = [0, 0], 0, []
    for group, k in itertools.product(range(groups), range(2)):
        points, r = [0.0, 0.0], 0
        while max(points) < to:
            state = game.deal(Seeds(Seeds(seed).series(group)).deal(r))
            shift = (k + r) % 2
            while not state.over:
                state.apply(agents[(state.to_act - shift) % 2].act(state.view(state.to_act)))
            gained = [state.payoffs[(agent + shift) % 2] for agent in range(2)]
            if gained[0] != gained[1]:
                best = gained.index(max(gained))
                points[best] += gained[best]
            r += 1
        wins[points.index(max(points))] += 1
        rounds += r
        ends.append(points)
    return wins, rounds, ends


def test_series() -> None:
    game = ToyGame(2)
    result = series(game, [Bold(), Fixed(STAY)], to=10, series=60, seed=3)
    wins, rounds, ends = _series_by_hand(game, 10, 30, 3)
    assert [agent.wins for agent in result.agents] == wins
    assert (result.games, result.deals, result.rounds, result.to, result.drawn) == (60, 30, rounds, 10, 0)
    for a, agent in enumerate(result.agents):
        assert agent.payoff.mean == pytest.approx(np.mean([points[a] for points in ends]))
        assert agent.decisions == rounds  # one each in every round of the toy
    assert result == series(game, [Bold(), Fixed(STAY)], to=10, series=60, seed=3, threads=2)
    assert result != series(game, [Bold(), Fixed(STAY)], to=10, series=60, seed=4)
    data = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert (data["version"], data["kind"], data["to"], data["rounds"]) == (1, "series", 10, rounds)
    assert "60 series" in str(result)
    assert "to 10 points (" in result.title()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_series_native_path_equals_python_path(players: int) -> None:
    game = make("uno", players=players, rules="rlcard")
    agents = ["rules"] + ["random"] * (players - 1)
    native = series(game, agents, to=4, series=50, seed=1)
    python = series(game, agents, to=4, series=50, seed=1, native=False)
    assert (native.native, python.native) == (True, False)
    assert native == python
    assert native.rounds > 3 * native.games
    assert native.games == -(-50 // players) * players
    assert bool(native.notes) == (native.games != 50)


def test_series_that_nobody_finishes_is_drawn() -> None:
    # Cards of one rank: whoever stay share the pot, nobody ever wins a round.
    result = series(ToyGame(2, ranks=1), [Fixed(STAY), Fixed(STAY)], to=10, series=4, max_rounds=7)
    assert (result.drawn, result.rounds) == (4, 28)
    assert [(agent.wins, agent.draws, agent.losses) for agent in result.agents] == [(0, 4, 0)] * 2
    assert result.agents[0].payoff.mean == 0.0
    # Also for those who are behind when time is up.
    result = series(ToyGame(2), [Fixed(STAY), Fixed(FOLD)], to=20, series=40, max_rounds=10)
    assert result.agents[0].payoff.mean > result.agents[1].payoff.mean
    assert [(agent.wins, agent.draws, agent.losses) for agent in result.agents] == [(0, 40, 0)] * 2


def test_partners_win_a_series_together() -> None:
    result = series(ToyGame(4, partners=True), [Bold(), Fixed(FOLD), Bold(), Fixed(FOLD)], to=5, series=40)
    assert result.agents[0].wins == result.agents[2].wins > result.agents[1].wins == result.agents[3].wins
    assert result.agents[0].wins + result.agents[1].wins == result.games == 40


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ({"to": 0}, "to must be more than 0 points, not 0"),
        ({"to": math.nan}, "to must be more than 0 points, not nan"),
        ({"series": 0}, "series must be at least 1, not 0"),
        ({"max_rounds": 0}, "max_rounds must be at least 1, not 0"),
        ({"to": 500}, "toy pays at most 2 a round, so nobody can get 500 in 200 rounds"),
        ({"agents": ["random"]}, "toy has 2 players, but 1 agents were given"),
    ],
)
def test_bad_series(arguments: dict[str, Any], wrong: str) -> None:
    defaults: dict[str, Any] = {"game": ToyGame(2), "agents": ["random"] * 2, "to": 10, "series": 2}
    with pytest.raises(ValueError, match=wrong):
        series(**(defaults | arguments))


def test_uno_series_to_500() -> None:
    game = make("uno", players=3, scoring="points")
    agents = ["rules", "random", "random"]
    result = series(game, agents, to=500, series=30, seed=1)
    assert result.native
    assert result.drawn == 0
    assert sum(agent.wins for agent in result.agents) == 30
    assert result == series(game, agents, to=500, series=30, seed=1, native=False)
    with pytest.raises(ValueError, match="scoring='points'"):
        series("uno", ["random"] * 2, to=500)


# Belote: a tie holds the takers' points


class Last(Bold):
    """The last legal action: it takes in the bidding, where the first one is to pass."""

    name = "last"

    def act(self, view: Any) -> int:
        return int(view.legal()[-1])


def _belote_deal(game: Any, seed: int) -> tuple[list[float], float, int | None]:
    """Points of both sides, points held, and the side that won, worked out from the cards in the end."""
    state = game.deal(seed)
    while not state.over:
        state.apply(state.legal()[-1])
    position = game.position(state)
    taken = [float(points) for points in position["points"]]
    taken[position["to_act"] % 2] += 100 if 0 in position["tricks"] else 10
    royals = {f"{rank}{position['trump']}" for rank in "KQ"}
    for seat, cards in enumerate(position["played"]):
        taken[seat % 2] += 20 if royals <= set(cards) else 0
    points = list(state.payoffs[:2])
    if taken[0] == taken[1]:
        assert sorted(points) == [0, taken[0]]
        return points, taken[0], None
    return points, 0.0, points.index(max(points))


def test_points_held_in_a_tie_go_to_the_next_winners() -> None:
    game, seed, to = make("belote", bidding=True), 7, 1000
    ends, rounds, ties = [], 0, 0
    for group, k in itertools.product(range(8), range(4)):
        points, pot, r = [0.0, 0.0], 0.0, 0
        while max(points) < to:
            gained, held, winner = _belote_deal(game, Seeds(Seeds(seed).series(group)).deal(r))
            for side in range(2):
                mine = (side + k + r) % 2  # all four moved on by one seat
                points[side] += gained[mine] + (pot if winner == mine else 0.0)
            pot = pot + held if winner is None else 0.0
            ties += held > 0
            r += 1
        rounds += r
        ends.append(points)
    assert ties > 3
    result = series(game, [Last() for _ in range(4)], to=to, series=32, seed=seed)
    assert result.rounds == rounds
    for a, agent in enumerate(result.agents):
        assert agent.payoff.mean == pytest.approx(np.mean([points[a % 2] for points in ends]))
        assert agent.wins == sum(points[a % 2] > points[1 - a % 2] for points in ends)


def test_what_a_deal_holds() -> None:
    bidding = make("belote", bidding=True)
    for payoffs, held in (
        ([81, 0, 81, 0], 81),
        ([0, 91, 0, 91], 91),
        ([0, 162, 0, 162], 0),  # dedans, or no point for the defence
        ([20, 162, 20, 162], 0),
        ([0, 252, 0, 252], 0),
        ([100, 62, 100, 62], 0),
        ([0, 0, 0, 0], 0),  # all passed
    ):
        assert bidding.held(payoffs) == held
        assert make("belote").held(payoffs) == 0, "without a taker nothing is held"
    with pytest.raises(ValueError, match="4 numbers, not 2"):
        bidding.held([81, 0])


def test_belote_series_are_the_same_inside_the_core_and_move_by_move() -> None:
    game = make("belote", bidding=True)
    agents = ["rules", "random", "rules", "random"]
    native = series(game, agents, to=501, series=40, seed=2)
    assert native.native
    assert native == series(game, agents, to=501, series=40, seed=2, native=False, threads=2)


# Dou Di Zhu: partners are found in the game


@pytest.mark.parametrize("options", [{"bidding": True}, {"landlord": "random"}, {"landlord": "strongest"}, {}], ids=str)
def test_peasants_win_together(options: dict[str, Any]) -> None:
    chunks: list[Chunk] = []
    result = play(make("doudizhu", **options), ["rules", "random", "random"], 600, seed=1, on_chunk=chunks.append)
    won = np.concatenate([chunk.won for chunk in chunks])
    payoffs = np.concatenate([chunk.payoffs for chunk in chunks])
    tied = np.concatenate([chunk.tied for chunk in chunks])
    assert (won == (payoffs > 0)).all()
    assert (tied == (payoffs == 0)).all()
    assert set(won.sum(axis=-1).ravel().tolist()) == ({0, 1, 2} if "bidding" in options else {1, 2})
    assert result.drawn == (tied.sum() // 3)


def test_nobody_is_anybodys_partner_for_a_series_of_doudizhu() -> None:
    game = make("doudizhu", scoring="adp", bidding=True)
    result = series(game, ["rules", "random", "random"], to=30, series=60, seed=1)
    assert sum(agent.wins for agent in result.agents) + result.drawn == result.games == 60
    assert result.agents[0].wins > 30
    with pytest.raises(ValueError, match="scoring='adp'"):
        series("doudizhu", ["random"] * 3, to=500)


# The command line


@pytest.mark.parametrize(
    ("words", "scoring"),
    [
        (["belote", "--agents", "rules,random,rules,random", "--series", "501"], "points"),
        (["belote", "--agents", "rules,random,rules,random", "--series", "1000", "-o", "bidding=true"], "points"),
        (["doudizhu", "--agents", "rules,random,random", "--series", "20"], "adp"),
        (["doudizhu", "--agents", "rules,random,random", "--series", "5", "-o", "scoring=wp"], "wp"),
        (["doudizhu:scoring=wp", "--agents", "rules,random,random", "--series", "5"], "wp"),
        (["tictactoe", "--agents", "random,random", "--series", "3"], None),
        (["mini_doudizhu", "--agents", "random,random", "--series", "3"], None),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_series_of_every_game(words: list[str], scoring: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["match", *words, "--games", "12", "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["options"].get("scoring") == scoring
    assert result["games"] == 12
    assert max(agent["payoff"]["mean"] for agent in result["agents"]) > 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["doudizhu", "--agents", "random,random,random", "-o", "scoring=points"], "allowed: wp, adp"),
        (["doudizhu", "--agents", "random,random,random", "-o", "scoring=wp"], "make it with scoring='adp'"),
        (["hex", "--agents", "random,random"], "nobody can get 500 in 200 rounds"),
    ],
)
def test_series_that_cannot_be(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["match", *words, "--series", "500"]) == 2
    said = capsys.readouterr().err
    assert says in said
    assert said.count("\n") == 1


def test_both_sides_score_at_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 2000))
    assert run(["play", "belote", "-o", "bidding=false", "--seed", "5", "--seat", "0", "--series", "400"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].endswith("the series.")
    ends = [line for line in lines if line.startswith("Points: ")]
    points = [float(part.rpartition(" ")[2]) for part in ends[-1][8:].split(", ")]
    assert len(points) == 2, "partners score together"
    assert min(points) > 0, "the losers have points, too"
    assert max(points) >= 400
