"""Records of the games of matches: every game that was counted, as it was played."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path

import pytest

import kibitz
from kibitz import cli, record_files
from kibitz.agents.random import RandomAgent
from kibitz.record import Record


class Slow(RandomAgent):
    """Random, but played move by move in Python."""

    def native(self, game: object) -> None:
        return None


def records(path: Path) -> list[Record]:
    return list(record_files.read_all(path))  # each is checked: its moves are legal, and lead to its result


@pytest.mark.parametrize("native", [True, False])
def test_every_game_is_there(native: bool, tmp_path: Path) -> None:
    game = kibitz.make("uno", players=3)
    path = tmp_path / "games.jsonl"
    agents = ["rules", "random", "mcs:iterations=10"]
    result = kibitz.play(game, agents, games=30, seed=5, records=path, native=native)
    found = records(path)
    assert len(found) == result.games
    wins = Counter(
        seat.agent for record in found for seat, got in zip(record.seats, record.payoffs or (), strict=True) if got > 0
    )
    assert [wins[agent.name] for agent in result.agents] == [agent.wins for agent in result.agents]
    assert len({record.start.seed for record in found}) == result.deals


def test_the_core_and_python_write_the_same(tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    game = kibitz.make("belote", bidding=True)
    kibitz.play(game, ["rules", "random"] * 2, games=12, seed=3, records=one)
    kibitz.play(game, ["rules", "random"] * 2, games=12, seed=3, records=other, native=False)
    assert one.read_bytes() == other.read_bytes()


def test_workers_keep_the_order(tmp_path: Path) -> None:
    paths = [tmp_path / f"{threads}.jsonl" for threads in (1, 2)]
    for threads, path in zip((1, 2), paths, strict=True):
        kibitz.play("tictactoe", [Slow(), "random"], games=200, seed=3, threads=threads, records=path)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_series_have_their_scores(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    game = kibitz.make("uno", players=2, scoring="points")
    result = kibitz.series(game, ["rules", "random"], to=200, series=6, seed=2, records=path)
    found = records(path)
    assert len(found) == result.rounds
    firsts = [at for at, record in enumerate(found) if record.series is not None and record.series.deal == 0]
    assert len(firsts) == result.games
    for before, after in itertools.pairwise(found):
        assert before.series is not None
        assert after.series is not None
        assert before.payoffs is not None
        if after.series.deal == 0:
            assert after.series.scores == (0, 0)
            continue
        gained = dict(zip((seat.agent for seat in before.seats), before.payoffs, strict=True))
        had = dict(zip((seat.agent for seat in before.seats), before.series.scores, strict=True))
        have = dict(zip((seat.agent for seat in after.seats), after.series.scores, strict=True))
        assert have == {agent: had[agent] + max(0.0, gained[agent]) for agent in had}
        assert after.seats == before.seats[::-1]  # who moves on by one


def test_the_command_writes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for target in ("games.jsonl", "folder"):
        path = tmp_path / target
        command = ["match", "tictactoe", "--agents", "random,random", "--games", "10", "--format", "json"]
        assert cli.run([*command, "--records", str(path)]) == 0
        shown = capsys.readouterr()
        assert json.loads(shown.out)["games"] == len(records(path)) == 10
        assert str(path) in shown.err
    assert cli.run([*command, "--records", str(tmp_path / "one.json")]) == 2
    assert "give a folder" in capsys.readouterr().err
