"""Matches: the same whoever plays them, and what comes out."""

from __future__ import annotations

import csv
import gc
import io
import itertools
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats
from toy_game import FOLD, STAY, Bold, Fixed, Peeker, ToyGame, ToyState

from kibitz import _core, make, play, registry
from kibitz._core import NATURE, OVER, Seeds
from kibitz.agents.random import RandomAgent
from kibitz.arena import Chunk, MatchResult
from kibitz.arena import match as arena_match
from kibitz.arena import run as arena_run
from kibitz.arena.result import AgentResult, Tally
from kibitz.arena.stats import rate_interval


@pytest.fixture(autouse=True)
def _tidy() -> Iterator[None]:
    """What a test registers is gone after it, and no worker process outlives its match."""
    yield
    registry._games.added.clear()
    registry._agents.added.clear()
    assert multiprocessing.active_children() == []


# A match against what can be worked out without it


def _exact_payoff(game: ToyGame) -> float:
    """Bold's expected payoff against random, over both seatings and all deals, by enumeration."""
    total, count, bold = 0.0, 0, Bold()
    deck = list(enumerate(game.deck()))
    for (_, first), (_, second) in itertools.permutations(deck, 2):
        for seat in (0, 1):
            total += _expect(ToyState(game, [first, second]), seat, bold)
            count += 1
    return total / count


def _expect(state: ToyState, seat: int, bold: Bold) -> float:
    if state.over:
        return state.payoffs[seat]
    options = [bold.act(state.view(seat))] if state.to_act == seat else state.legal()
    values = []
    for action in options:
        after = state.copy()
        after.apply(action)
        values.append(_expect(after, seat, bold))
    return sum(values) / len(values)


@pytest.mark.parametrize("deals", [12, 60])
def test_match_interval_covers_the_exact_value(deals: int) -> None:
    game = ToyGame(2)
    exact = _exact_payoff(game)
    assert exact > 0.1
    trials = 200
    covered = 0
    for seed in range(trials):
        interval = play(game, [Bold(), "random"], games=2 * deals, seed=seed).agents[0].payoff
        covered += interval.low <= exact <= interval.high
    assert scipy_stats.binomtest(covered, trials, 0.95).pvalue > 0.001, covered
    result = play(game, [Bold(), "random"], games=40_000, seed=1).agents[0].payoff
    assert abs(result.mean - exact) < 2 * (result.high - result.low)
    assert result.high - result.low < 0.1


def test_result_equals_a_direct_computation() -> None:
    game, chunks = ToyGame(3), list[Chunk]()
    result = play(game, [Bold(), "random", Fixed(STAY, "stay")], games=600, seed=3, on_chunk=chunks.append)
    assert (result.games, result.deals, result.seatings, result.notes) == (600, 200, 3, [])
    wins, seat_wins, payoffs, drawn = np.zeros((200, 3)), np.zeros((3, 3)), np.zeros((200, 3)), 0
    decisions, ties = np.zeros(3), np.zeros(3)
    for deal, k in itertools.product(range(200), range(3)):
        agents: list[Any] = [Bold(), RandomAgent(), Fixed(STAY)]
        state = game.deal(Seeds(3).deal(deal))
        agents[1].begin(Seeds(3).agent(deal, k, (1 + k) % 3))
        while not state.over:
            acting = (state.to_act - k) % 3
            decisions[acting] += 1
            state.apply(agents[acting].act(state.view(state.to_act)))
        gained = [state.payoffs[(a + k) % 3] for a in range(3)]
        payoffs[deal] += np.array(gained) / 3
        best = [agent for agent in range(3) if gained[agent] == max(gained)]
        if len(best) == 1:
            wins[deal, best[0]] += 1 / 3
            seat_wins[best[0], (best[0] + k) % 3] += 1
        else:
            drawn += 1
            ties[best] += 1
    assert result.drawn == drawn > 0
    for a, agent in enumerate(result.agents):
        assert agent.wins == round(3 * wins[:, a].sum())
        assert agent.draws == ties[a]
        assert agent.wins + agent.draws + agent.losses == 600
        rate = rate_interval(wins[:, a])
        assert vars(agent.win_rate) == pytest.approx(vars(rate))
        assert rate.mean == pytest.approx(agent.wins / 600)
        low, high = scipy_stats.t.interval(0.95, 199, payoffs[:, a].mean(), scipy_stats.sem(payoffs[:, a]))
        assert (agent.payoff.mean, agent.payoff.low, agent.payoff.high) == pytest.approx(
            (payoffs[:, a].mean(), low, high), abs=1e-4
        )
        assert agent.decisions == decisions[a]
        assert agent.decisions_per_game == decisions[a] / 600
        assert agent.seat_win_rates == pytest.approx(list(seat_wins[a] / 200))
        assert agent.microseconds_per_move is not None
        assert agent.microseconds_per_move > 0
    assert sum(len(chunk.payoffs) for chunk in chunks) == 200


def test_mirroring_takes_the_luck_of_the_deal_away() -> None:
    """Two agents that always stay: the better card wins from either side, so every deal comes out even."""
    result = play(ToyGame(2), [Fixed(STAY), Fixed(STAY)], games=2000, seed=1)
    payoff, rate = result.agents[0].payoff, result.agents[0].win_rate
    assert payoff.mean == 0.0
    assert payoff.high - payoff.low < 0.02  # independent games would give 0.17
    assert rate.mean * result.games == result.agents[1].wins


def test_partners_win_together() -> None:
    result = play(ToyGame(4, partners=True), [Fixed(STAY), Fixed(FOLD), Fixed(STAY), Fixed(FOLD)], games=400)
    stay, fold, other_stay, other_fold = result.agents
    assert stay.wins == other_stay.wins > 0
    assert fold.wins == other_fold.wins
    assert stay.wins + fold.wins + result.drawn == result.games
    assert stay.draws == fold.draws == result.drawn


# The same games whoever plays them


def test_same_seed_same_result() -> None:
    def match(seed: int, threads: int = 1) -> MatchResult:
        return play(ToyGame(3), ["random", Bold(), "random"], games=900, seed=seed, threads=threads)

    first = match(5)
    assert first == match(5)
    assert first != match(6)
    for threads in (2, 3):
        assert match(5, threads) == first
        assert match(5, threads).notes == []


def test_chunk_sizes_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ToyGame(3)
    first = play(game, ["random", Bold(), "random"], games=300)
    monkeypatch.setattr(arena_run.Pace, "learn", lambda self, deals, seconds: setattr(self, "size", 7))
    chunks: list[Chunk] = []
    assert play(game, ["random", Bold(), "random"], games=300, on_chunk=chunks.append) == first
    assert {len(chunk.payoffs) for chunk in chunks} == {1, 7}


def _chunk(first: int, payoffs: Any) -> Chunk:
    """Some deals with these payoffs, won by the highest."""
    shape = payoffs.shape
    won = payoffs == payoffs.max(axis=-1, keepdims=True)
    ones = np.ones(shape, np.uint32)
    return Chunk(first, payoffs, won, np.zeros(shape, np.bool_), ones, np.zeros(shape), ones, shape[0] * shape[1])


_SEATINGS = [[0, 1, 2], [1, 2, 0], [2, 0, 1]]


def _tally(chunks: Sequence[Chunk]) -> list[AgentResult]:
    tally = Tally(_SEATINGS)
    for chunk in chunks:
        tally.add(chunk)
    return tally.agents(["a", "b", "c"], [False] * 3, (-1e9, 1e9))


def test_no_bit_depends_on_the_chunks_or_their_order() -> None:
    rng = np.random.default_rng(1)
    payoffs = rng.normal(size=(500, 3, 3)) * 10.0 ** rng.integers(-6, 6, (500, 1, 1))  # sums of such are rounded
    whole = _tally([_chunk(0, payoffs)])
    assert whole[0].payoff.mean == pytest.approx(payoffs[..., 0].mean())
    for _ in range(20):
        cuts = sorted({0, 500, *rng.integers(0, 500, 12).tolist()})
        parts = [_chunk(first, payoffs[first:last]) for first, last in itertools.pairwise(cuts)]
        rng.shuffle(parts)
        assert _tally(parts) == whole


def test_a_long_match_takes_no_more_memory() -> None:
    """What is kept after 300 chunks is as large as after 30."""
    rng, tally = np.random.default_rng(2), Tally(_SEATINGS)
    tracemalloc.start()
    try:
        kept = []
        for i in range(301):
            tally.add(_chunk(100 * i, rng.integers(-5, 6, (100, 3, 3)) / 10))
            if i in (30, 300):
                gc.collect()
                kept.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert tally.deals() == 30_100
    assert kept[1] - kept[0] < 10_000  # two numbers per deal and agent would be 1.3 MB


def test_chunks_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """However quickly deals are played: a chunk of all deals of a long match would not fit into memory."""
    sizes: list[int] = []

    def task(first: int, count: int) -> Chunk:
        sizes.append(count)
        return _chunk(first, np.zeros((1, 3, 3)))

    def take(chunk: Chunk) -> None:
        if len(sizes) == 40:
            raise KeyboardInterrupt

    run = arena_run.Run(task, 10**9, 5_000, take)
    run.here()
    assert run.interrupted
    assert max(sizes) <= 5_000
    monkeypatch.setattr(arena_run, "CHUNK_SECONDS", 1e9)
    monkeypatch.setattr(arena_match, "_MOST_CELLS", 30)
    chunks: list[Chunk] = []
    result = play(ToyGame(3), ["random", Bold(), "random"], games=300, on_chunk=chunks.append)
    assert {len(chunk.payoffs) for chunk in chunks} == {1, 3}  # 30 // (3 * 3)
    monkeypatch.undo()
    assert result == play(ToyGame(3), ["random", Bold(), "random"], games=300)


def test_payoffs_must_be_numbers() -> None:
    with pytest.raises(ValueError, match="payoffs must be finite numbers"):
        Tally(_SEATINGS).add(_chunk(0, np.full((1, 3, 3), np.nan)))


def test_native_path_equals_python_path() -> None:
    game = make("uno", players=3, rules="rlcard")
    agents = ["rules", "random", "random"]
    native, python = play(game, agents, games=600, seed=2), play(game, agents, games=600, seed=2, native=False)
    assert (native.native, python.native) == (True, False)
    assert native == python
    assert native == play(game, agents, games=600, seed=2, native=False, threads=2)
    assert (native.agents[0].microseconds_per_move or 0) > 0  # of every 16th deal
    assert not play(game, ["rules", "random", Fixed(STAY)], games=3).native


def test_all_seatings() -> None:
    result = play(ToyGame(3), ["random", Bold(), Fixed(STAY)], games=60, seatings="all")
    assert (result.games, result.deals, result.seatings) == (60, 10, 6)
    for agent in result.agents:
        seats = [rate for rate in agent.seat_win_rates if rate is not None]
        assert sum(seats) * 20 == pytest.approx(agent.wins)


def test_games_are_rounded_up_to_whole_deals() -> None:
    result = play(ToyGame(3), ["random"] * 3, games=10)
    assert (result.games, result.deals) == (12, 4)
    assert result.notes == ["10 games asked for: rounded up to 12, whole deals under every seating"]


def test_one_agent_in_two_seats_has_two_streams() -> None:
    agent = RandomAgent()
    assert play(ToyGame(2), [agent, agent], games=200, seed=4) == play(ToyGame(2), ["random"] * 2, games=200, seed=4)


def test_game_by_name() -> None:
    registry.register_game("toy", ToyGame)
    assert play("toy:players=3", ["random"] * 3, games=30) == play(ToyGame(3), ["random"] * 3, games=30)


class CoinState:
    """Nature throws a coin, then seat 0 says whether it will be paid with it: payoffs are the coin's."""

    def __init__(self) -> None:
        self.history: list[tuple[int, int]] = []

    to_act = property(lambda self: (NATURE, 0, OVER)[len(self.history)])
    over = property(lambda self: len(self.history) == 2)

    @property
    def payoffs(self) -> list[float]:
        return [1.0, -1.0] if self.over and self.history[0] == (NATURE, 1) else [-1.0, 1.0]

    def legal(self) -> list[int]:
        return [0, 1]

    def apply(self, action: int) -> None:
        self.history.append((self.to_act, action))

    def view(self, seat: int) -> Any:
        return self

    copy = view


class CoinGame(ToyGame):
    def deal(self, seed: int = 0) -> Any:
        return CoinState()


def test_nature_throws_a_fair_coin_once_per_deal() -> None:
    chunks: list[Chunk] = []
    play(CoinGame(), [Fixed(0), Fixed(0)], games=1000, on_chunk=chunks.append)
    payoffs = np.concatenate([chunk.payoffs for chunk in chunks])
    heads = int((payoffs[:, 0, 0] > 0).sum())
    assert 200 < heads < 300  # 500 deals, six standard deviations
    assert (payoffs[:, 0, 0] == payoffs[:, 1, 1]).all()  # the other agent in the same seat has the same luck


# Agents that peek, and agents that err


def test_peeking_is_marked() -> None:
    result = play(ToyGame(2), [Peeker(), Bold()], games=2000)
    assert [agent.cheats for agent in result.agents] == [True, False]
    assert "peeker (cheats)" in str(result)
    assert "bold (cheats)" not in str(result)
    assert result.to_dict()["agents"][0]["cheats"] is True
    assert result.agents[0].payoff.low > 0


def test_a_peeking_agent_cannot_move_the_cards() -> None:
    class Thief(Peeker):
        def act(self, state: Any) -> int:
            state.cards[state.to_act] = 99
            return STAY

    honest = play(ToyGame(2), [Fixed(STAY), Fixed(STAY)], games=100)
    assert play(ToyGame(2), [Thief(), Fixed(STAY)], games=100).agents[0].wins == honest.agents[0].wins


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("action", [7, -1, None, 1.0, "stay"])
def test_illegal_action(action: Any, threads: int) -> None:
    class Wrong(Bold):
        name = "wrong"

        def act(self, view: Any) -> Any:
            return action

    globals()["Wrong"] = Wrong  # where pickle looks for it
    Wrong.__qualname__ = "Wrong"
    with pytest.raises(ValueError, match=r"agent 'wrong' chose .*not legal; legal are: .*1 \(stay\)") as info:
        play(ToyGame(2), ["random", Wrong()], games=100, threads=threads)
    assert repr(action) in str(info.value)


def test_numpy_integers_are_actions() -> None:
    class Numpy(Bold):
        def act(self, view: Any) -> Any:
            return np.int64(super().act(view))

    theirs, ours = (play(ToyGame(2), [agent, "random"], games=100).agents[0].wins for agent in (Numpy(), Bold()))
    assert theirs == ours


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ({"games": 0}, "games must be at least 1, not 0"),
        ({"games": -5}, "games must be at least 1, not -5"),
        ({"games": 2.5}, "games must be a whole number, not 2.5"),
        ({"threads": -1}, "threads must be from 0 .all cores. to 1024, not -1"),
        ({"seed": -1}, "seed must be from 0 to"),
        ({"seed": 2**64}, "seed must be from 0 to"),
        ({"seatings": "some"}, "unknown seatings 'some'; allowed: rotations, all"),
        ({"agents": ["random"] * 2}, "toy has 3 players, but 2 agents were given"),
        ({"agents": ["random"] * 4}, "toy has 3 players, but 4 agents were given"),
        ({"agents": "random"}, "agents must be a list"),
        ({"agents": ["random", "random", "nobody"]}, "unknown agent 'nobody'"),
        ({"agents": ["random", "random", 3]}, "'int' is no agent"),
        ({"agents": ["random", "random", "rules"]}, "game 'toy' has no rules agent"),
        ({"game": "nothing"}, "unknown game 'nothing'"),
        ({"game": 7}, "int is no game"),
        ({"game": ToyGame(8), "agents": ["random"] * 8, "seatings": "all"}, "up to 6 players, not 8"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], wrong: str) -> None:
    defaults: dict[str, Any] = {"game": ToyGame(3), "agents": ["random"] * 3, "games": 10}
    with pytest.raises(ValueError, match=wrong) as info:
        play(**(defaults | arguments))
    assert "\n" not in str(info.value)


# Worker processes


def test_agent_that_cannot_be_sent() -> None:
    agent = Fixed(STAY, "odd")
    agent.window = lambda: None  # type: ignore[attr-defined]
    result = play(ToyGame(2), [agent, "random"], games=100, threads=2)
    assert len(result.notes) == 1
    assert result.notes[0].startswith("played in one process, since agent 'odd' cannot be sent")
    assert result.notes[0] in " ".join(str(result).split())
    assert result == play(ToyGame(2), [Fixed(STAY, "odd"), "random"], games=100)


def test_run_time_agents_reach_the_workers() -> None:
    registry.register_agent("mine", lambda action=0: Fixed(action))
    one, two = (play(ToyGame(2), ["mine:action=1", "random"], games=200, threads=n) for n in (1, 2))
    assert one == two
    assert two.notes == []


class Deadly(Bold):
    """Kills the process that it plays in, unless that is the parent."""

    parent = os.getpid()

    def act(self, view: Any) -> int:
        if os.getpid() != self.parent:
            os._exit(3)
        return super().act(view)


def test_a_worker_that_dies_is_noticed() -> None:
    agent = Deadly()
    agent.parent = os.getpid()
    with pytest.raises(ChildProcessError, match="worker process ended unexpectedly"):
        play(ToyGame(2), [agent, "random"], games=100, threads=2)


class Jumpy(Deadly):
    """Sends Ctrl-C to the worker process that it plays in."""

    def act(self, view: Any) -> int:
        if os.getpid() != self.parent:
            os.kill(os.getpid(), signal.SIGINT)
        return Bold.act(self, view)


def test_workers_leave_ctrl_c_to_the_parent() -> None:
    agent = Jumpy()
    agent.parent = os.getpid()
    result = play(ToyGame(2), [agent, "random"], games=100, threads=2)
    assert result.agents == play(ToyGame(2), [Bold(), "random"], games=100).agents
    assert not result.interrupted


class Homesick(Bold):
    """Can be packed but not unpacked."""

    def __getstate__(self) -> dict[str, Any]:
        return {"home": "here"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        raise OSError("no display")


def test_a_worker_that_cannot_start_is_replaced() -> None:
    result = play(ToyGame(2), [Homesick(), "random"], games=100, threads=2)
    assert result.games == 100
    assert result.notes == ["played in one process, since a worker process could not start: OSError: no display"]


# Progress and interruption


class Slow(Bold):
    """Takes its time."""

    def act(self, view: Any) -> int:
        time.sleep(0.004)
        return super().act(view)


class Clock:
    """In place of the module `time`: it stands still while nobody moves it."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


class Ticking(Bold):
    """Its decisions take 4 ms of a clock."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def act(self, view: Any) -> int:
        self.clock.now += 0.004
        return super().act(view)


def test_progress_is_told_ten_times_a_second_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(arena_match, "time", clock)
    monkeypatch.setattr(arena_run, "time", clock)
    monkeypatch.setattr(arena_run, "CHUNK_SECONDS", 0.03)
    told: list[tuple[float, int]] = []
    play(ToyGame(2), [Ticking(clock), "random"], games=400, progress=lambda done, _: told.append((clock.now, done)))
    times, games = zip(*told, strict=True)
    assert list(games) == sorted(set(games))
    assert games[-1] == 400
    assert len(told) >= 10  # of 1.6 s
    # But for the last, which always comes.
    assert all(later - earlier >= 0.0999 for earlier, later in itertools.pairwise(times[:-1]))


@pytest.mark.parametrize("threads", [1, 2])
def test_progress(threads: int) -> None:
    calls: list[tuple[int, int]] = []
    play(ToyGame(2), [Bold(), "random"], games=100, threads=threads, progress=lambda *numbers: calls.append(numbers))
    assert calls[-1] == (100, 100)
    assert [done for done, _ in calls] == sorted({done for done, _ in calls})


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("native", [True, False])
def test_interruption_keeps_what_is_finished(threads: int, native: bool) -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    game = make("uno", rules="rlcard")
    result = play(game, ["random", "rules"], games=10**6, seed=1, threads=threads, progress=stop, native=native)
    assert result.interrupted
    assert 0 < result.deals < 100
    assert result.games == 2 * result.deals
    assert sum(agent.wins for agent in result.agents) + result.drawn == result.games
    assert "interrupted" in str(result)
    if threads == 1:
        assert result.agents == play(game, ["random", "rules"], games=result.games, seed=1).agents


def test_interruption_before_anything_is_finished() -> None:
    class Impatient(Bold):
        def act(self, view: Any) -> int:
            raise KeyboardInterrupt

    result = play(ToyGame(2), [Impatient(), "random"], games=10)
    assert result.interrupted
    assert (result.games, result.deals, result.agents[0].wins) == (0, 0, 0)
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["agents"][0]["win_rate"]["mean"] is None
    assert "- " in str(result)
    assert result.to_csv().count("\n") == 3


_SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
from test_arena import Slow
from toy_game import ToyGame
import kibitz
if __name__ == "__main__":
    result = kibitz.play(ToyGame(2), [Slow(), "random"], games=10**6, threads={threads},
                         progress=lambda done, total: print("playing", flush=True))
    print("interrupted" if result.interrupted else "finished", result.games, flush=True)
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c(threads: int) -> None:
    script = _SCRIPT.format(tests=str(Path(__file__).parent), threads=threads)
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "playing\n"
        # To the whole group, as a terminal does: the workers must leave it to the parent.
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=100)  # of a machine that has other work
    finally:
        process.kill()
    assert process.returncode == 0, err
    word, games = out.split("\n")[-2].split()
    assert word == "interrupted"
    assert int(games) > 0
    assert "Traceback" not in err


# What comes out


def test_outputs() -> None:
    result = play(ToyGame(3), ["random", Bold(), "random"], games=90, seed=8)
    data = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert (data["version"], data["kind"], data["game"], data["seed"]) == (1, "match", "toy", 8)
    assert data["options"] == {"players": 3, "ranks": 6, "partners": False}
    assert (data["games"], data["deals"], data["seatings"], data["interrupted"]) == (90, 30, 3, False)
    assert [agent["name"] for agent in data["agents"]] == ["random", "bold", "random"]
    bold = data["agents"][1]
    assert bold["win_rate"]["mean"] == pytest.approx(bold["wins"] / 90)
    assert bold["win_rate"]["low"] < bold["wins"] / 90 < bold["win_rate"]["high"]
    rows = list(csv.DictReader(io.StringIO(result.to_csv())))
    assert [row["name"] for row in rows] == ["random", "bold", "random"]
    assert float(rows[1]["win_rate_low"]) == bold["win_rate"]["low"]
    assert [float(rows[1][f"seat_{seat}_win_rate"]) for seat in range(3)] == bold["seat_win_rates"]
    text = str(result)
    assert "toy (players=3, ranks=6): 90 games (30 deals, each under 3 seatings), seed 8" in text
    assert f"{100 * bold['win_rate']['mean']:.2f}%" in text
    assert "\x1b" not in text
    assert result.table().row_count == 3


# The core's Uno (these need it built)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rules", ["official", "rlcard"])
def test_uno_is_the_same_inside_the_core_and_move_by_move(players: int, rules: str) -> None:
    game = make("uno", players=players, rules=rules)
    agents = ["rules"] + ["random"] * (players - 1)
    native = play(game, agents, games=40 * players, seed=1)
    assert native.native
    assert native == play(game, agents, games=40 * players, seed=1, threads=2)
    python = play(game, agents, games=40 * players, seed=1, native=False)
    assert not python.native
    assert python == native
    assert python == play(game, agents, games=40 * players, seed=1, native=False, threads=2)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rules_beat_random_at_uno(players: int) -> None:
    result = play("uno", ["rules", "random"], games=10_000, seed=1) if players == 2 else None
    result = result or play(f"uno:players={players}", ["rules"] + ["random"] * (players - 1), games=10_000, seed=1)
    assert result.native
    assert result.games >= 10_000
    assert result.agents[0].win_rate.low > 1 / players
    assert result.agents[0].payoff.low > 0


def test_uno_with_a_python_agent() -> None:
    class First(RandomAgent):
        def act(self, view: Any) -> int:
            return int(view.legal()[0])

    result = play("uno", [First(), "random"], games=20)
    assert not result.native
    assert result.games == 20


def test_core_constants() -> None:
    assert (_core.NATURE, _core.OVER) == (-1, -2)
