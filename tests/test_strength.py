"""The experiments of strength: quick runs with all their files, what is counted, and that nothing is played twice."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz import experiments
from kibitz.arena.result import Deals
from kibitz.arena.seatings import rotations
from kibitz.arena.stats import Floats, Interval, winners
from kibitz.experiments.strength import belote, doudizhu, iterations, matches, uno
from kibitz.experiments.strength.matches import PAIR

QUICK = {
    "uno": {"times.csv", "win-rates.png"},
    "belote": {"draws.csv", "times.csv", "deals.png", "pairs.png"},
    "belote-colver": {"times.csv", "won.png"},
    "doudizhu": {"times.csv", "win-rates.png"},
    "rlcard": {"win-rates.png"},
    "rlcard-curve": {"curves.csv", "predicted.png", "won.png"},
    "judge": {"thresholds.csv"},
    "options": set(),
    "iterations": {"steps.csv", "belote.png", "uno-2-players.png", "dou-di-zhu-landlord.png", "hex-5x5.png"},
}


@pytest.mark.parametrize("name", sorted(QUICK))
def test_quick(name: str, tmp_path: Path) -> None:
    report = experiments.reproduce(f"strength/{name}", out=tmp_path, quick=True)
    assert report is not None
    folder = tmp_path / "strength" / name / "quick"
    assert QUICK[name] | {"README.md", "table.csv", "run.json"} <= {path.name for path in folder.iterdir()}
    for row in report.rows:
        assert row.games > 0
        assert row.interval is not None
        assert row.interval.low <= row.ours <= row.interval.high
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert all(f"]({path.name})" in readme for path in folder.glob("*.png"))
    assert len(list(csv.reader((folder / "table.csv").open()))) == 1 + len(report.rows)


def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uno, "AGENTS", dict.fromkeys((2, 3, 4), "mcs:iterations=8"))
    monkeypatch.setattr(uno, "FLAT", "mcs:iterations=4")
    monkeypatch.setattr(uno, "PEEKING", ("cheat-mcs:iterations=4", "cheat-uct:iterations=4"))


def test_threads_and_cuts_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cheap(monkeypatch)
    monkeypatch.setattr(uno, "DEALS_PER_UNIT", 7)
    one = experiments.reproduce("strength/uno", out=tmp_path / "one", scale=0.005, threads=1)
    played = matches.part_of
    left = [9]

    def cut(*arguments: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return played(*arguments)

    monkeypatch.setattr(matches, "part_of", cut)
    with pytest.raises(KeyboardInterrupt):
        experiments.reproduce("strength/uno", out=tmp_path / "two", scale=0.005, threads=2)
    left[0] = 10**6
    two = experiments.reproduce("strength/uno", out=tmp_path / "two", scale=0.005, threads=2)
    assert one is not None
    assert two is not None
    assert one.rows == two.rows
    assert one.note == two.note


def test_another_agent_replays_only_its_own_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cheap(monkeypatch)
    first = experiments.reproduce("strength/uno", out=tmp_path, scale=0.002)
    assert first is not None
    played = matches.part_of
    units = []

    def count(*arguments: Any) -> Any:
        units.append(1)
        return played(*arguments)

    monkeypatch.setattr(matches, "part_of", count)
    monkeypatch.setattr(uno, "AGENTS", uno.AGENTS | {3: "mcs:iterations=16"})
    second = experiments.reproduce("strength/uno", out=tmp_path, scale=0.002)
    assert second is not None
    assert len(units) == 1
    differ = [b.figure for a, b in zip(first.rows, second.rows, strict=True) if a != b]
    assert differ == ["3 players: mcs:iterations=16"]


def test_the_same_match_as_the_arena(tmp_path: Path) -> None:
    run = experiments.Run(tmp_path, experiments.Settings())
    run.open("test", fresh=True)
    spec = "uno:rules=rlcard,players=3"
    agents = ["rules", "random", "random"]
    found = matches.play(run, "x", spec, agents, rotations(3), deals=40, size=40)
    expected = kibitz.play(spec, agents, games=120, seed=run.seed_of(0))
    assert found.games == expected.games
    # The arena adds without rounding, and NumPy does not.
    for ours, arenas in (
        (found.win_rate(draw=0.0), expected.agents[0].win_rate),
        (found.gain(), expected.agents[0].payoff),
    ):
        assert vars(ours) == pytest.approx(vars(arenas), rel=1e-12)


def deals_of(payoffs: Floats) -> Deals:
    """Of pairs of Belote, payoffs [pair, game, agent]."""
    return replace(
        Deals.of(payoffs, *winners(payoffs, np.array([[0, 1, 0, 1], [1, 0, 1, 0]]))), payoff_range=(-272.0, 272.0)
    )


def test_pairs_deals_and_draws() -> None:
    gains = np.array([[30, -10], [-162, 152], [0, 0], [5, -5], [0, 8]], float)  # the first side, in both games
    payoffs = np.stack([gains, -gains, gains, -gains], axis=-1)
    match = deals_of(payoffs)
    assert belote.pair_shares(match).tolist() == [1, 0, 0.5, 0.5, 1]
    assert match.shares().tolist() == [0.5, 0.5, 0.5, 0.5, 0.75]
    assert match.shares(draw=1.0).tolist() == [0.5, 0.5, 1, 0.5, 1]
    assert match.drawn.sum() == 3
    assert match.gains().tolist() == [10, -5, 0, 0, 4]
    assert match.games == 10


def test_sides_change_within_a_pair() -> None:
    game = kibitz.make(belote.GAME)
    assert [[game.teams[seat] for seat in seats] for seats in PAIR] == [[0, 1, 0, 1], [1, 0, 1, 0]]


def test_roles_of_dou_di_zhu(tmp_path: Path) -> None:
    """An agent against itself in both roles of the same deals: one wins where the other loses."""
    run = experiments.Run(tmp_path, experiments.Settings(scale=0.01))
    run.open("test", fresh=True)
    pair = [doudizhu._match(run, "rules", "rules", role) for role in doudizhu.ROLES]
    rate = doudizhu.both(pair)
    assert rate.mean == 0.5
    assert pair[0].payoffs[:, 1].tolist() == pair[0].payoffs[:, 2].tolist()


@pytest.mark.parametrize(
    ("rate", "words"),
    [
        (Interval(0.7, 0.65, 0.75), "is reached"),
        (Interval(0.7, 0.64, 0.75), "not decided"),
        (Interval(0.6, 0.55, 0.64), "is missed"),
    ],
)
def test_a_goal_is_reached_by_the_lower_end(rate: Interval, words: str) -> None:
    assert words in matches.verdict("x", rate, 0.65)


def test_steps_are_judged_on_the_same_deals() -> None:
    def match(shift: float, noise: float = 0.0) -> Deals:
        luck = np.random.default_rng(1).normal(0, 50, (400, 2))
        payoffs = np.stack([luck + shift, -luck - shift] * 2, axis=-1)
        payoffs[::2, :, 0] += noise
        payoffs[1::2, :, 0] -= noise
        return deals_of(payoffs)

    case = next(case for case in iterations.CASES if case.points)
    steps = iterations._steps(case, (10, 32, 100, 316), [match(0.0), match(1.0), match(1.0, noise=9), match(-2.0)])
    assert [step.judged for step in steps] == ["stronger", "not decided", "weaker"]
    table = [("Belote", s.before, s.after, 0, 0, 0, s.judged) for s in steps]
    assert "Weaker: Belote from 100 to 316 iterations." in iterations._summary(table)


def test_names_of_stages_are_file_names() -> None:
    long = matches.stage_of("x", "game", [f"net:{'a' * 300}"])
    assert len(long) < 130
    assert long != matches.stage_of("x", "game", [f"net:{'a' * 301}"])
    assert matches.stage_of("2p", "uno:players=2", ["mcs", "random", "random"]) == "2p-uno-players=2-mcs-random"
