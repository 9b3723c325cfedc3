"""Tables of action values: updates as worked out by hand, play close to the best possible, files that resume."""

from __future__ import annotations

import math
import signal
import threading
import tracemalloc
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gdl_sheets import SHEETS
from q_table_common import entries, train_and_gather

import kibitz
from kibitz import _core, experiments
from kibitz.cli import run as cli
from kibitz.experiments import wang
from kibitz.experiments.wang_table import best_against_random
from kibitz.learn import q_table
from kibitz.learn.q_table import Settings, q_player, qm_player, td_player

# --- a slow learner in plain Python, written from the paper and not from the core

WAIT = 1 << 32


class Slow:
    """The same matches and the same updates, with a dict per seat."""

    def __init__(self, game: Any, settings: Settings) -> None:
        self.game, self.settings = game, settings
        self.tables: list[dict[int, float]] = [{} for _ in range(game.players)]
        self.payoffs: list[list[float]] = []

    def run(self) -> None:
        for m, epsilon in enumerate(q_table.epsilon(self.settings)):
            self.match(m, float(epsilon), learn=m < self.settings.learning)

    def match(self, m: int, epsilon: float, *, learn: bool) -> None:
        deal = _core.mix(self.settings.seed, m)
        streams = [_core.Rng(_core.mix(_core.mix(deal, 0), s)) for s in range(self.game.players)]
        learners = [m % self.game.players] if self.settings.opponent != "self" else list(range(self.game.players))
        steps: dict[int, list[tuple[list[int], int]]] = {s: [] for s in learners}
        state = self.game.deal(seed=deal)
        while not state.over:
            seat = state.to_act
            if self.settings.states == "all":
                for s in learners:
                    if s != seat:
                        steps[s].append(([_core.mix(state.view(s).key, WAIT)], 0))
            legal, rng = state.legal(), streams[seat]
            if seat in learners:
                keys = [_core.mix(state.view(seat).key, a) for a in legal]
                index = self.choose(seat, keys, epsilon, rng)
                steps[seat].append((keys, index))
            else:
                index = rng.below(len(legal)) if len(legal) > 1 else 0
            state.apply(legal[index])
        self.payoffs.append(list(state.payoffs))
        if learn:
            low, high = self.game.payoff_range
            for s in learners:
                self.update(self.tables[s], steps[s], (state.payoffs[s] - low) / (high - low))

    def choose(self, seat: int, keys: list[int], epsilon: float, rng: Any) -> int:
        if len(keys) == 1:
            return 0
        if epsilon > 0 and rng.unit() < epsilon:
            return int(rng.below(len(keys)))
        values = [self.tables[seat].get(key, 0.0) for key in keys]
        return values.index(max(values)) if max(values) > 0 else int(rng.below(len(keys)))

    def update(self, table: dict[int, float], steps: list[tuple[list[int], int]], reward: float) -> None:
        s = self.settings
        old = dict(table)
        result = reward  # of TD(λ)
        for t in reversed(range(len(steps))):
            keys, index = steps[t]
            last = t == len(steps) - 1
            if s.method == "td":
                if not last:
                    next_keys, next_index = steps[t + 1]
                    value = old.get(next_keys[next_index], 0.0)
                    result = s.gamma * ((1 - s.lambda_) * value + s.lambda_ * result)
                target = result
            else:
                target = reward if last else s.gamma * max(table.get(key, 0.0) for key in steps[t + 1][0])
            table[keys[index]] = (1 - s.alpha) * table.get(keys[index], 0.0) + s.alpha * target


@pytest.mark.parametrize("states", ["all", "own"])
@pytest.mark.parametrize("method", ["q", "td"])
@pytest.mark.parametrize("game", ["tictactoe", "gdl:file=kuhn_poker", "uno:rules=rlcard,players=3"])
@pytest.mark.parametrize("opponent", ["random", "self"])
def test_the_core_learns_what_the_slow_learner_learns(game: str, method: str, states: str, opponent: str) -> None:
    make = q_player if method == "q" else td_player
    settings = make(game=game, states=states, opponent=opponent, learning=20, playing=3, seed=5)
    trained, matches = train_and_gather(settings)
    slow = Slow(trained.game, settings)
    slow.run()
    assert matches.payoffs.tolist() == slow.payoffs
    for seat in range(trained.game.players):
        mine = entries(trained, seat)
        assert mine.keys() == slow.tables[seat].keys()
        assert all(math.isclose(mine[key], value, abs_tol=1e-12) for key, value in slow.tables[seat].items())


def maze() -> Any:
    return kibitz.make("gdl", text=SHEETS["a maze"].text)


def test_a_way_through_a_maze_by_hand() -> None:
    """start -> hall -> garden, alpha 0.5, gamma 0.9, always the shortest way after the first match."""
    game = maze()
    settings = q_player(learning=1, alpha=0.5, epsilon_a=0.0, seed=1)
    trained = q_table.train(settings, game=game)
    state = game.deal(seed=0)
    start = state.view(0).key
    state.apply(game.parse("(go hall)"))
    hall = state.view(0).key
    learnt = entries(trained, 0)
    garden = _core.mix(hall, game.parse("(go garden)"))
    # The last step is worth half of the reward; the first, updated after it, half of 0.9 times that.
    assert learnt[garden] == 0.5
    steps = [_core.mix(start, game.parse("(go hall)")), garden]
    if len(learnt) == 2:  # nobody went to the cellar
        assert learnt[steps[0]] == pytest.approx(0.5 * 0.9 * 0.5)


def test_games_of_one_player() -> None:
    """Algorithm 1: the lamps are lit at once, the maze is left by the shortest way."""
    for name, best in {"a puzzle with lamps": 1, "a maze": 2}.items():
        game = kibitz.make("gdl", text=SHEETS[name].text)
        trained = q_table.train(q_player(learning=300), game=game)
        agent, state, steps = trained.agent(), game.deal(seed=3), 0
        while not state.over:
            state.apply(agent.act(state.view(0), _core.Rng(1)))
            steps += 1
        assert (steps, state.payoffs) == (best, [100.0])


# --- strength


@pytest.mark.parametrize("settings", [q_player(), q_player(states="own"), qm_player()], ids=["q", "own", "qm"])
def test_close_to_the_best_in_tic_tac_toe(settings: Settings) -> None:
    """After enough matches, the mean reward of 20,000 more is within 0.02 of what is possible at all."""
    learning = 500_000
    trained = q_table.train(replace(settings, learning=learning, playing=20_000))
    best = sum(best_against_random(trained.game, seat, lambda payoff: (payoff + 1) / 2) for seat in (0, 1)) / 2
    after = trained.curve.between(learning, learning + 20_000)
    assert best - 0.02 < (after.payoff + 1) / 2 < best + 0.005
    assert 1 - after.ahead - after.level < 0.02


def test_learning_from_itself_ends_in_draws() -> None:
    settings = q_player(opponent="self", schedule="fixed", epsilon_a=0.3, learning=500_000, playing=10)
    assert q_table.train(settings).curve.between(500_000, 500_010).level == 1


def test_td_learns_too() -> None:
    trained = q_table.train(td_player(learning=20_000, playing=5_000))
    assert trained.curve.between(20_000, 25_000).ahead > 0.6


def test_search_helps_early() -> None:
    q, qm = (q_table.train(make(learning=2_000)).curve.between(0, 500) for make in (q_player, qm_player))
    assert qm.ahead > q.ahead + 0.05


# --- settings, schedule, resuming


def test_epsilon() -> None:
    cosine = q_table.epsilon(q_player(learning=100, playing=50))
    assert cosine[0] == pytest.approx(0.5 * math.cos(math.pi / 200))
    assert cosine[49] == pytest.approx(0.5 * math.cos(math.pi / 4))
    assert cosine[99] == pytest.approx(0.0, abs=1e-12)
    assert (cosine[100:] == 0).all()
    assert (np.diff(cosine[:100]) < 0).all()
    raised = q_table.epsilon(q_player(learning=10, epsilon_a=0.4, epsilon_b=0.1))
    assert raised[-1] == pytest.approx(0.1)
    fixed = q_table.epsilon(q_player(learning=3, playing=2, schedule="fixed", epsilon_a=0.2))
    assert fixed.tolist() == [0.2, 0.2, 0.2, 0.0, 0.0]


@pytest.mark.parametrize("schedule", ["cosine", "fixed"])
def test_epsilon_of_some_matches_is_that_of_all(schedule: str) -> None:
    """To the bit: a training must not depend on the parts in which the core plays it."""
    settings, rng = q_player(learning=3_001, playing=70, schedule=schedule, epsilon_b=0.1), np.random.default_rng(1)
    whole = q_table.epsilon(settings)
    for _ in range(200):
        first, last = sorted(rng.integers(0, settings.matches + 1, 2).tolist())
        assert (q_table.epsilon(settings, first, last) == whole[first:last]).all()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"method": "sarsa"}, "method must be one of q, td"),
        ({"alpha": 1.5}, "alpha must be from 0 to 1"),
        ({"alpha": math.nan}, "alpha must be from 0 to 1"),
        ({"epsilon_a": 0.8, "epsilon_b": 0.4}, "at most 1"),
        ({"learning": -1}, "learning must be a whole number from 0"),
        ({"states": "some"}, "states must be one of"),
        ({"learning": 2.0}, "learning must be a whole number from 0"),
        ({"playing": True}, "playing must be a whole number from 0"),
        ({"seed": -1}, "seed must be a whole number from 0"),
        ({"gamma": True}, "gamma must be from 0 to 1, not True"),
        ({"gamma": "1"}, "gamma must be from 0 to 1, not '1'"),
        ({"game": None}, "game must be a text, not None"),
        ({"opponent": None}, "opponent must be a text, not None"),
        ({"fallback": 3}, "fallback must be a text, not 3"),
    ],
)
def test_bad_settings(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Settings(**wrong)


def test_agents_must_be_native_and_fair() -> None:
    with pytest.raises(ValueError, match="does not play inside the core"):
        q_table.train(q_player(opponent="human", learning=1))
    with pytest.raises(ValueError, match="peeks"):
        q_table.train(q_player(game="uno", fallback="cheat-mcs:iterations=5", learning=1))
    with pytest.raises(ValueError, match="unknown option"):
        q_table.train(qm_player(fallback="mcs:iterashuns=5", learning=1))


@pytest.mark.parametrize("make", [q_player, qm_player, td_player])
def test_a_training_that_was_cut_goes_on_the_same(make: Any, tmp_path: Path) -> None:
    file = tmp_path / "table.npz"
    settings = make(learning=300, playing=100, seed=4, save_every=70, file=str(file))

    class CutError(Exception):
        pass

    def cut(done: int, total: int) -> None:
        if done >= 140:
            raise CutError

    with pytest.raises(CutError):
        q_table.train(settings, progress=cut)
    assert q_table.load(file).learner.played == 140
    resumed = q_table.train(settings)
    whole = q_table.train(replace(settings, file=str(tmp_path / "whole.npz"), save_every=1_000))
    assert resumed.curve.windows == whole.curve.windows
    for seat in (0, 1):
        assert entries(resumed, seat) == entries(whole, seat)
    again = q_table.train(settings)  # nothing is left to do
    assert entries(again, 0) == entries(whole, 0)
    with pytest.raises(ValueError, match=r"alpha 0\.\d+ \(now 0\.2\)"):
        q_table.train(replace(settings, alpha=0.2))


def check_what_was_kept(settings: Settings) -> None:
    """The file of a training that was cut has the tables and the curve of as many matches, played in one go."""
    assert settings.file is not None
    saved = q_table.load(settings.file)
    played = saved.learner.played
    assert 0 < played < settings.learning
    again = q_table._new_learner(saved.game, settings.seed)
    payoffs = np.zeros((played, 2))
    random = saved.game.native_agent("random")
    again.run(q_table.epsilon(settings, 0, played), payoffs, 0.1, 0.9, -1.0, True, True, random, None)
    assert entries(saved, 0) == entries(replace(saved, learner=again), 0)
    curve = q_table.Curve(settings)
    curve.add(q_table.Chunk(0, payoffs))
    assert (curve.played, curve.sums.tolist()) == (played, saved.curve.sums.tolist())


def test_ctrl_c_keeps_what_is_finished(tmp_path: Path) -> None:
    """From outside, at some time after the first report; the training would last for hours."""
    settings = q_player(learning=10**9, save_every=10**9, file=str(tmp_path / "table.npz"))
    begun = threading.Event()

    def interrupt() -> None:
        begun.wait()
        signal.raise_signal(signal.SIGINT)

    sender = threading.Thread(target=interrupt)
    sender.start()
    with pytest.raises(KeyboardInterrupt):
        q_table.train(settings, progress=lambda done, total: begun.set())
    sender.join()
    check_what_was_kept(settings)


class CutLearner:
    """A learner that Ctrl-C stops in the middle of its second call."""

    def __init__(self, learner: Any) -> None:
        self._learner, self._calls = learner, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._learner, name)

    def run(self, epsilon: Any, payoffs: Any, *settings: Any) -> None:
        self._calls += 1
        part = len(epsilon) if self._calls == 1 else len(epsilon) // 2
        self._learner.run(epsilon[:part], payoffs[:part], *settings)
        if self._calls == 2:
            raise KeyboardInterrupt


def test_ctrl_c_within_a_call_of_the_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = q_player(learning=10**9, save_every=10**9, file=str(tmp_path / "table.npz"))
    make, chunks = q_table._new_learner, list[q_table.Chunk]()
    with monkeypatch.context() as patch:
        patch.setattr(q_table, "_new_learner", lambda game, seed: CutLearner(make(game, seed)))
        patch.setattr(q_table, "REPORT", 1e9)  # so that calls grow
        with pytest.raises(KeyboardInterrupt):
            q_table.train(settings, on_chunk=chunks.append)
    check_what_was_kept(settings)
    assert [len(chunk.payoffs) for chunk in chunks] == [1, 2]


def test_ctrl_c_while_the_curve_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = q_player(learning=10**9, save_every=10**9, file=str(tmp_path / "table.npz"))
    add, calls = q_table.Curve.add, []

    def interrupted(self: q_table.Curve, chunk: q_table.Chunk) -> None:
        calls.append(chunk)
        if len(calls) == 3:
            raise KeyboardInterrupt
        add(self, chunk)

    with monkeypatch.context() as patch:
        patch.setattr(q_table.Curve, "add", interrupted)
        with pytest.raises(KeyboardInterrupt):
            q_table.train(settings)
    check_what_was_kept(settings)


def test_a_long_training_takes_no_more_memory(tmp_path: Path) -> None:
    """Neither ε nor payoffs are kept for each of two thousand million matches."""

    class CutError(Exception):
        pass

    def cut(done: int, total: int) -> None:
        if done > 20_000:
            raise CutError

    settings = q_player(learning=10**9, playing=10**9, file=str(tmp_path / "table.npz"))
    tracemalloc.start()
    try:
        with pytest.raises(CutError):
            q_table.train(settings, progress=cut)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 30e6
    assert (tmp_path / "table.npz").stat().st_size < 2e6


def test_calls_of_the_core_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(q_table, "REPORT", 1e9)  # they would grow to what takes that long
    monkeypatch.setattr(q_table, "MOST_MATCHES", 50)
    sizes: list[int] = []
    q_table.train(q_player(learning=300), on_chunk=lambda chunk: sizes.append(len(chunk.payoffs)))
    assert max(sizes) == 50


# --- the curve


def test_a_curve_by_hand() -> None:
    """Three seats, which the learner has in turn."""
    payoffs = np.array([[1.0, 0, 0], [0.5, 0.5, -1], [2, 0, 1], [-1, 0, 0], [0, 3, 0], [0, 0, 4], [1, 0, 0]])
    chunk = q_table.Chunk(0, payoffs)
    assert chunk.own.tolist() == [1, 0.5, 1, -1, 3, 4, 1]
    settings = q_player(learning=4, playing=3)
    curve = q_table.Curve(settings)
    curve.add(q_table.Chunk(0, payoffs[:3]))
    curve.add(q_table.Chunk(3, payoffs[3:6]))
    assert curve.windows[-1] == q_table.Window(5, 6, 4.0, 1.0, 0.0)
    curve.add(q_table.Chunk(6, payoffs[6:]))
    assert curve.between(0, 4) == q_table.Window(0, 4, 1.5 / 4, 1 / 4, 1 / 4)
    assert curve.between(4, 7) == q_table.Window(4, 7, 8 / 3, 1.0, 0.0)
    assert len(curve.windows) == 7
    for first, last in ((0, 8), (2, 2), (-1, 3)):
        with pytest.raises(ValueError, match="not whole windows"):
            curve.between(first, last)


def test_a_curve_does_not_depend_on_the_chunks() -> None:
    rng = np.random.default_rng(2)
    settings = q_player(learning=7_000, playing=333)
    payoffs = rng.normal(size=(settings.matches, 2)) * 10.0 ** rng.integers(-9, 9, (settings.matches, 1))
    whole = q_table.Curve(settings)
    whole.add(q_table.Chunk(0, payoffs))
    assert len(whole.windows) == 150
    own = q_table.Chunk(0, payoffs).own
    for window in whole.windows:
        assert window.payoff == pytest.approx(own[window.first : window.last].mean())
    for _ in range(20):
        cuts = sorted({0, settings.matches, *rng.integers(0, settings.matches, 30).tolist()})
        parts = q_table.Curve(settings)
        for first, last in pairwise(cuts):
            parts.add(q_table.Chunk(first, payoffs[first:last]))
        assert parts.sums.tolist() == whole.sums.tolist()


def test_the_same_seed_gives_the_same_file(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.npz", "b.npz", "c.npz")]
    for file, seed in zip(files, (1, 1, 2), strict=True):
        q_table.train(q_player(learning=200, seed=seed, file=str(file)))
    first, second, other = (file.read_bytes() for file in files)
    assert first == second != other


# --- files and agents


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "ttt.npz"
    q_table.train(q_player(learning=3_000, file=str(file)))
    return file


def test_agents_play_from_files(table: Path) -> None:
    game = kibitz.make("tictactoe")
    result = kibitz.play(game, [f"q:{table}", "random"], games=400, seed=1)
    assert result.agents[0].win_rate.low > 0.5
    searching = kibitz.play(game, [f"qm:{table},iterations=20", "random"], games=400, seed=1)
    assert searching.agents[0].win_rate.low > 0.5
    agent = kibitz.agent(f"qm:{table}")
    thought = agent.think(game.deal(seed=0).view(0))
    assert sum(thought.share) == pytest.approx(1)
    assert all(value is None or -1 <= value <= 1 for value in thought.value)
    chosen = thought.actions[thought.share.index(max(thought.share))]
    assert agent.act(game.deal(seed=0).view(0)) == chosen


def test_matches_in_python_and_in_the_core_are_the_same(table: Path) -> None:
    game = kibitz.make("tictactoe")
    agent: Any = kibitz.agent(f"qm:{table},iterations=10")
    played = game.native_match([agent.native(game), game.native_agent("random")], [[0, 1]], 3, 0, 20)
    for d in range(20):
        seeds = _core.Seeds(3)
        state, streams = game.deal(seed=seeds.deal(d)), [seeds.agent(d, 0, s) for s in (0, 1)]
        players: list[Any] = [agent, kibitz.agent("random")]
        for player, seed in zip(players, streams, strict=True):
            player.begin(seed)
        while not state.over:
            state.apply(players[state.to_act].act(state.view(state.to_act)))
        assert state.payoffs[0] == played.payoffs[d, 0, 0]


def test_other_rules_are_refused(table: Path, tmp_path: Path) -> None:
    agent: Any = kibitz.agent(f"q:{table}")
    with pytest.raises(ValueError, match="learnt on other rules: options"):
        agent.act(kibitz.make("tictactoe", size=4).deal(seed=1).view(0))
    with pytest.raises(ValueError, match="learnt on other rules"):
        agent.act(kibitz.make("connect_four").deal(seed=1).view(0))
    sheet = tmp_path / "game.kif"
    sheet.write_text(SHEETS["a maze"].text)
    own = tmp_path / "maze.npz"
    q_table.train(q_player(game=f"gdl:file={sheet}", learning=10, file=str(own)))
    q_table.load(own, maze())  # the same text, wherever it is
    sheet.write_text(SHEETS["a maze"].text + "\n; changed")
    with pytest.raises(ValueError, match="learnt on other rules: text"):
        q_table.load(own)


# --- the paper's experiments


def test_progress_is_told_between_saves() -> None:
    told: list[tuple[int, int]] = []
    q_table.train(q_player(learning=300, playing=50), progress=lambda done, total: told.append((done, total)))
    assert len(told) > 2
    assert told == sorted(set(told))
    assert told[-1] == (350, 350)


# --- the command


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "hex.npz"
    common = ["train", "wang-qm", "--out", str(file)]
    learnt = ["--game", "gdl:file=hex_3", "--episodes", "200", "--playing", "50"]
    assert cli([*common, *learnt, "--fallback", "mcs:iterations=9", "--self-play"]) == 0
    said = capsys.readouterr().out
    assert "201 to 250" in said
    assert f"play with q:{file}" in said.replace("\n", "")
    settings = q_table.read(file).settings
    assert settings == replace(settings, learning=200, opponent="self", fallback="mcs:iterations=9")
    kept = file.read_bytes()
    assert cli([*common, "--resume"]) == 0  # nothing is left to do
    assert file.read_bytes() == kept
    uno = ["--game", "uno", "--players", "3", "--episodes", "0"]
    assert cli(["train", "td", "--lambda", "0.5", *uno, "--out", str(tmp_path / "u")]) == 0
    settings = q_table.read(tmp_path / "u").settings
    assert settings == replace(settings, lambda_=0.5, game="uno:players=3", alpha=0.3)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "needs a file"),
        (["--out", "there.npz"], "is there already"),
        (["--out", "none.npz", "--resume"], "no file"),
        (["--out", "/no/such/place/x.npz"], "/no/such/place"),
        (["--out", "new.npz", "--alpha", "2"], "alpha must be from 0 to 1"),
        (["--out", "new.npz", "--alpha", "much"], "alpha must be a number"),
        (["--out", "new.npz", "--hidden", "64"], "unknown setting 'hidden'"),
        (["--out", "new.npz", "--opponents", "nobody"], "unknown agent"),
        (["--out", "new.npz", "--game", "chess"], "unknown game"),
        (["--out", "there.npz", "--resume", "--seed", "7"], "seed 1 (now 7)"),
        (["--out", "new.npz", "--players", "3"], "players"),
    ],
)
def test_bad_commands(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    q_table.train(q_player(learning=3, file="there.npz"))
    assert cli(["train", "td", "--out", "there.npz", "--resume"]) == 2
    assert "holds a training of q, not of td" in capsys.readouterr().err
    assert cli(["train", "q", *arguments]) == 2
    assert words in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["there.npz"]


@pytest.mark.parametrize("name", [*(f"wang/fig{i}" for i in range(1, 10)), "wang/budget", "wang/table1"])
def test_quick_runs(name: str, tmp_path: Path) -> None:
    report = experiments.reproduce(name, out=tmp_path, quick=True, threads=1)
    assert report is not None
    folder = experiments.folder_of(name, tmp_path, quick=True)
    assert (folder / "README.md").exists()
    assert list(folder.glob("*.png"))
    for line in report.rows:
        if line.interval is not None:
            assert line.interval.low <= line.ours <= line.interval.high
    assert len(report.note) > 100


def test_the_best_against_random_is_as_known() -> None:
    """In Tic-Tac-Toe the first player can always reach a draw, and wins 99.5% against random."""
    game = kibitz.make("tictactoe")
    assert best_against_random(game, 0, lambda payoff: float(payoff > 0)) == pytest.approx(0.995, abs=0.001)
    assert best_against_random(game, 0, lambda payoff: float(payoff >= 0)) == 1
    assert best_against_random(game, 1, lambda payoff: float(payoff >= 0)) == 1


def test_points_of_a_curve_end_with_the_learning() -> None:
    for learning, playing in [(50_000, 25_000), (7, 3), (2, 1), (301, 150)]:
        ends = wang._bins(Settings(learning=learning, playing=playing))
        assert learning in ends
        assert ends[-1] == learning + playing
        assert (np.diff([0, *ends]) > 0).all()
