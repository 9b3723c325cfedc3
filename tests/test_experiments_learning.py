"""The experiments on learners: what they write, trainings that are shared and lose nothing when cut, the figures."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from experiment_common import check_same, cut, written

import kibitz
from kibitz import experiments
from kibitz.arena.result import Deals
from kibitz.experiments import Run, Settings, brown, curves, li_knowledge, li_training, networks, training
from kibitz.experiments.li_knowledge import Decision
from kibitz.experiments.training import Job, Trained
from kibitz.files import alone

pytest.importorskip("torch")

FILES = {
    "li/fig6": ["curves.csv", "reward.png", "win-rate.png"],
    "li/fig7": ["curves.csv", "reward.png", "win-rate.png"],
    "li/table3": ["matches.csv", "wins.png"],
    "li/table4": ["matches.csv", "wins.png"],
    "li/overestimation": ["curves.csv", "values.png", "bias.png"],
    "li/knowledge": ["counts.csv", "shares.png"],
    "li/ablation": ["curves.csv", "variants.csv", "reward.png", "bias.png"],
    "brown/fig2": ["curves.csv", "reward.png", "win-rate.png"],
    "brown/fig3": ["curves.csv", "reward.png", "win-rate.png"],
    "brown/grid": ["grid.csv", "curves.csv", "grid.png"],
    "brown/table3": ["matches.csv", "wins-peeking.png", "wins-fair.png"],
    "brown/table4": ["matches.csv", "wins.png"],
}


def run_in(folder: Path, name: str, *, fresh: bool = False, threads: int = 1, quick: bool = True) -> Run:
    run = Run(folder, Settings(quick=quick, version=kibitz.__version__), threads=threads)
    run.open(name, fresh=fresh)
    return run


def read(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("name", FILES)
def test_a_quick_run_writes_everything_and_a_cut_one_the_same(name: str, tmp_path: Path) -> None:
    report, folder = written(name, tmp_path, FILES[name], threads=1)
    assert any(word in report.note for word in ("holds", "decided", "not provably", "the paper's choice is number"))
    assert all(row.interval is not None for row in report.rows)
    if "curves.csv" in FILES[name]:
        check_curves(read(folder / "curves.csv"))
    if "matches.csv" in FILES[name]:
        check_matches(read(folder / "matches.csv"), report)

    cut(folder)
    again = experiments.find(name).function(run_in(folder, name))
    check_same(again, report)
    assert again.note == report.note


def check_curves(points: list[dict[str, str]]) -> None:
    """Rewards are +1 and -1, so that they follow from the win rate; every curve has all its points."""
    for point in points:
        assert float(point["reward"]) == pytest.approx(2 * float(point["win_rate"]) - 1)
    seen: dict[tuple[str, str], list[float]] = {}
    for point in points:
        seen.setdefault((point["method"], point["seed"]), []).append(float(point["episodes"]))
    assert len({len(episodes) for episodes in seen.values()}) == 1
    assert {seed for _, seed in seen} == {"0", "1"}
    assert all(episodes == sorted(set(episodes)) for episodes in seen.values())


def check_matches(lines: list[dict[str, str]], report: experiments.Report) -> None:
    """Somebody wins every game; the figures of the table are the means over the seeds."""
    first: dict[str, list[float]] = {}
    while lines:
        players = int(lines[0]["players"])
        table, lines = lines[:players], lines[players:]
        assert len({(line["line-up"], line["seed"], line["games"]) for line in table}) == 1
        assert sum(float(line["win rate"]) for line in table) == pytest.approx(1)
        for i, line in enumerate(table):
            assert float(line["low95"]) <= float(line["win rate"]) <= float(line["high95"])
            assert float(line["reward"]) == pytest.approx(2 * float(line["win rate"]) - 1)
            if i == 0 or line["agent"] not in ("random", "others"):
                first.setdefault(f"{line['line-up']}: {line['agent']}", []).append(float(line["win rate"]))
    compared = [row for row in report.rows if row.figure in first]
    assert len(compared) == len(first)
    for row in compared:
        assert row.ours == pytest.approx(np.mean(first[row.figure]))


# -------------------------------------------------------------------------------------------------------- trainings

SMALL = {
    "game": "tictactoe",
    "players": "2",
    "hidden": [8],
    "tables": 4,
    "warm_up": 20,
    "test_games": 20,
}


def small(method: str = "ddqn", seed: int = 1, points: int = 3, **changes: Any) -> Job:
    return Job(method, {**SMALL, "seed": seed, **changes}, step=20, points=points, probes=True)


def test_processes_change_nothing(tmp_path: Path) -> None:
    jobs = [small(), small("dmc"), small(seed=2)]
    one = training.train_all(run_in(tmp_path / "1", "li/x", fresh=True), jobs)
    two = training.train_all(run_in(tmp_path / "2", "li/x", fresh=True, threads=2), jobs)
    assert [trained.points for trained in one] == [trained.points for trained in two]
    assert [trained.weights.read_bytes() for trained in one] == [trained.weights.read_bytes() for trained in two]
    assert one[0].points != one[2].points  # another seed is another training


def test_a_cut_training_goes_on_to_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = [small(), small("dmc")]
    whole = training.train_all(run_in(tmp_path / "whole", "li/x", fresh=True), jobs)
    done: list[tuple[str, int]] = []
    advance = training.advance

    def cut(out: Path, job: Job, point: int) -> dict[str, Any]:
        if len(done) == 4:
            raise RuntimeError("cut")
        done.append((job.method, point))
        return advance(out, job, point)

    monkeypatch.setattr(training, "advance", cut)
    with pytest.raises(RuntimeError, match="cut"):
        training.train_all(run_in(tmp_path / "cut", "li/x", fresh=True), jobs)
    monkeypatch.setattr(training, "advance", advance)
    found = training.train_all(run_in(tmp_path / "cut", "li/x"), jobs)
    assert done == [("ddqn", 0), ("ddqn", 1), ("ddqn", 2), ("dmc", 0)]
    assert [trained.points for trained in found] == [trained.points for trained in whole]
    assert [trained.weights.read_bytes() for trained in found] == [trained.weights.read_bytes() for trained in whole]


def test_a_point_lost_after_its_checkpoint_is_the_same_again(tmp_path: Path) -> None:
    job = small()
    first = training.advance(tmp_path, job, 0)
    lost = training.advance(tmp_path, job, 1)
    assert training.advance(tmp_path, job, 1) == lost != first
    with pytest.raises(ValueError, match=r"has played 4\d games; episodes can be raised, not lowered"):
        training.advance(tmp_path, job, 0)


def test_a_training_that_begins_again_forgets_what_was(tmp_path: Path) -> None:
    """Half-trained weights never pass for those of the end."""
    job = small()
    whole = [training.advance(tmp_path, job, point) for point in range(3)]
    weights = tmp_path / job.key / training.WEIGHTS
    final = weights.read_bytes()
    assert training.advance(tmp_path, job, 0) == whole[0]
    assert not weights.exists()
    assert training._known(tmp_path / job.key, job, 2) is None
    assert [training.advance(tmp_path, job, point) for point in (1, 2)] == whole[1:]
    assert weights.read_bytes() == final


def test_two_experiments_never_train_side_by_side(tmp_path: Path) -> None:
    with alone(tmp_path / "li/trained"), pytest.raises(ValueError, match=r"another run is at work in .*trained"):
        training.train_all(run_in(tmp_path / "li/a", "li/a", fresh=True, quick=False), [small()])


def test_experiments_of_a_paper_share_trainings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = [small(), small("dmc")]
    first = training.train_all(run_in(tmp_path / "li/a", "li/a", fresh=True, quick=False), jobs)
    hidden = (tmp_path / "li/trained/.gitignore").read_text().split()
    assert not [path for path in (tmp_path / "li/trained").glob("*/*") if path.name in hidden]  # all else is kept
    assert not list((tmp_path / "li/trained").glob("*/checkpoint.kibitz"))  # memories are large

    def never(*_: Any) -> None:
        raise AssertionError("trained twice")

    monkeypatch.setattr(training, "advance", never)
    second = training.train_all(run_in(tmp_path / "li/b", "li/b", fresh=True, quick=False, threads=2), jobs[::-1])
    assert [trained.points for trained in second] == [trained.points for trained in first][::-1]
    with pytest.raises(AssertionError, match="twice"):  # any other setting is another training
        training.train_all(run_in(tmp_path / "li/c", "li/c", fresh=True, quick=False), [small(discount=0.5)])
    first[0].weights.unlink()
    with pytest.raises(ValueError, match="--fresh"):
        training.train_all(run_in(tmp_path / "li/a", "li/a", quick=False), jobs)


def test_lengths_by_scale(tmp_path: Path) -> None:
    def lengths(scale: float) -> dict[str, int]:
        return training.steps(Run(tmp_path, Settings(scale=scale)), 100_000, quick=48)

    assert lengths(1) == {"step": 1_000, "points": 100}
    assert lengths(0.02) == {"step": 100, "points": 20}
    assert lengths(0.001) == {"step": 64, "points": 1}


def constant_net(folder: Path, value: float) -> tuple[Any, Path]:
    """A net of payoffs that says the same of everything, and settings to play it with."""
    from kibitz.learn import ddqn
    from kibitz.learn.common import nets
    from kibitz.learn.common.perceptron import Perceptron

    settings = ddqn.Settings(discount=1.0, test_games=60)
    game = kibitz.make("uno", players=3, rules="rlcard")
    net = Perceptron([240, 4, 61], 1)
    net.flat.zero_()
    net.layers[-1].bias.fill_(value)
    nets.save(folder / "net.safetensors", net, nets.describe(game, "li", "q", {}))
    return settings, folder / "net.safetensors"


def test_probe_of_a_net_that_knows_nothing(tmp_path: Path) -> None:
    settings, weights = constant_net(tmp_path, 0.25)
    found = training.probe(settings, weights, 5)
    assert found["predicted"] == pytest.approx(0.25)
    # Undiscounted, all decisions of a game have its payoff: 60 games of +1 and -1.
    wins = (found["obtained"] + 1) / 2 * 60
    assert wins == pytest.approx(round(wins))
    assert 8 <= wins <= 32  # a third, give or take
    assert found["error"] == pytest.approx(2 * np.sqrt(wins / 60 * (1 - wins / 60) / 59))


# ---------------------------------------------------------------------------------------------------------- figures


def curve(rewards: list[list[float]], label: str = "x") -> curves.Curve:
    """[seed][point]"""
    job = Job("ddqn", {"players": "3"}, step=10, points=len(rewards[0]))
    seeds = [
        Trained(job, [{"reward": r, "games": 100, "episodes": 10 * (i + 1)} for i, r in enumerate(row)], Path())
        for row in rewards
    ]
    return curves.Curve(label, seeds)


def test_means_of_a_curve() -> None:
    found = curve([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [10, 11, 12, 13, 14, 15, 16, 17, 18, 19]])
    assert found.whole("reward").tolist() == [4.5, 14.5]
    assert found.early("reward").tolist() == [0.5, 10.5]
    assert found.late("reward").tolist() == [8.5, 18.5]
    assert (found.games, found.late_games) == (2_000, 400)


def test_an_interval_over_three_trainings_is_students() -> None:
    found = curves.over_seeds(np.array([0.1, 0.2, 0.3]))
    assert (found.mean, found.high - found.mean) == pytest.approx((0.2, 4.30265 * 0.1 / np.sqrt(3)))
    equal = curves.over_seeds(np.array([0.1 + 0.2, 0.3, 0.3]))  # rounding is no variance
    assert equal.low < 0.3 < equal.high


def test_noise_is_what_a_trend_leaves() -> None:
    steady = curve([[0.01 * i for i in range(50)]])
    quick = curve([[0.3 * (1 - 0.5**i) for i in range(50)]])  # learns all at first
    shaken = curve([(np.random.default_rng(1).normal(0, 0.1, 2_000)).tolist()])
    assert brown.noise(steady)[0] == pytest.approx(0, abs=1e-12)
    assert brown.noise(quick)[0] < 1e-6
    assert brown.noise(shaken)[0] == pytest.approx(0.1, rel=0.1)


def test_a_value_is_compared_where_all_else_is_equal() -> None:
    """A discount of 0.95 is worth two points, the decay nothing; other settings differ by more."""
    rng = np.random.default_rng(1)
    settings = [(g, a, k) for g in brown.GAMMAS for a in brown.ALPHAS for k in brown.KAPPAS]
    rates = {
        (label, encoder, (g, a, k)): 0.3 + 0.02 * (g == 0.95) + 0.1 * (a == 0.01) + rng.normal(0, 1e-3, 3)
        for label in brown.METHODS
        for encoder in brown.ENCODERS
        for g, a, k in settings
    }
    discount, rate, decay = (line for place in range(3) for line in brown._value_line(rates, place))
    assert "discount 0.95 wins more than the other values, all else equal: holds (+2.0 points" in discount
    assert "rate 0.0001" in rate
    assert "-5.0 points" in rate
    assert "decay 0.95" in decay
    assert "(+0.0 points" in decay
    assert brown._value_line({cell: rates[cell] for cell in list(rates)[:1]}, 0) == []


def test_who_overestimates_less() -> None:
    high, low = np.full((3, 4), 0.3), np.full((3, 4), -0.4)
    high[:, 3] += [0.01, 0.02, 0.03]  # only the last point; what does not vary at all proves nothing
    low[:, 3] += [0.01, 0.01, 0.02]
    biases = {li_training.DDQN: high, li_training.MCTS: low}
    less, nearer = li_training._advantages(biases, li_training.MCTS, 0)
    assert less == pytest.approx(0.7 + np.array([0.0, 0.01, 0.01]) / 4)
    assert nearer == pytest.approx(-0.1 + np.array([0.02, 0.03, 0.05]) / 4)
    noisy = {li_training.DDQN: np.tile([0.5, -0.5], (3, 2)), li_training.MCTS: np.full((3, 4), 0.1)}
    assert (li_training._advantages(noisy, li_training.MCTS, 0)[1] < 0).all()  # noise around the truth is no error
    lines = li_training._bias_lines(biases, -1, "at the end")
    assert [line.partition(": ")[2].partition(" (")[0] for line in lines] == [
        "holds",  # DDQN predicts more than it gets
        "does not hold",  # DDQN with MCTS
        "holds",  # it overestimates less
        "does not hold",  # but is farther from the truth
    ]


def played(rates: list[list[float]], deals: int = 400) -> networks.Played:
    """[seed][agent]: each wins this share of the deals, whole deals each."""
    names = [f"agent {i}" for i in range(len(rates[0]))]
    line_up = networks.LineUp("table", names, [names for _ in rates], len(names))
    wins = np.zeros((len(rates), deals, len(names)))
    for seed, row in enumerate(rates):
        owner = np.repeat(np.arange(len(row)), [round(rate * deals) for rate in row])
        wins[seed, np.random.default_rng(seed).permutation(deals), owner] = 1
    each = len(line_up.seatings())  # whole deals: a deal's winner wins all of its games
    none = np.zeros((deals, len(names)), np.int64)
    return networks.Played(
        line_up, [Deals((each * w).astype(np.int64), none, each * (2 * w - 1), none[:, 0], each) for w in wins]
    )


def test_a_verdict_follows_from_the_games() -> None:
    even = played([[0.5, 0.25, 0.25]] * 3)
    assert even.games == 3 * 400 * 6
    assert even.win_rate(0).mean == pytest.approx(0.5)
    assert even.reward(1).mean == pytest.approx(-0.5)
    assert even.lead(0, 1).mean == pytest.approx(0.25)
    assert even.judge("A", 0, 1).startswith("- A: holds (+25.0 points [")
    assert "with trainings as observations, too" in played([[0.5, 0.25, 0.25], [0.52, 0.24, 0.24]] * 2).judge("A", 0, 1)
    mixed = played([[0.6, 0.2, 0.2], [0.3, 0.4, 0.3], [0.5, 0.25, 0.25]]).judge("A", 0, 1)
    assert mixed.startswith("- A: holds")
    assert "is not decided with trainings as observations" in mixed
    assert played([[0.2, 0.5, 0.3]] * 3).judge("A", 0, 1).startswith("- A: does not hold (-30.0 points [")


def test_all_orders_unless_the_others_are_alike() -> None:
    different = networks.LineUp("", ["a", "b", "c"], [], 3).seatings()
    assert len(different) == 6
    alike = networks.LineUp("", ["a", "random", "random", "random"], [], 4).seatings()
    assert [seating[0] for seating in alike] == [0, 1, 2, 3]


def test_a_line_up_of_equals_wins_equally(tmp_path: Path) -> None:
    line_up = networks.LineUp("x", ["a", "b", "c"], [["random"] * 3], 3)
    (found,) = networks.play_all(run_in(tmp_path, "li/x", fresh=True), "games", [line_up], 3_000)
    assert found.wins.shape == (1, 500, 3)
    assert found.wins.sum(axis=2) == pytest.approx(1)
    for agent in range(3):
        assert found.win_rate(agent).mean == pytest.approx(1 / 3, abs=0.04)


# -------------------------------------------------------------------------------------------------------- knowledge


def asked(decision: Decision) -> dict[str, list[int]]:
    """The questions that arose, by their first words."""
    return {question: found for question, found in li_knowledge.count([decision]).items() if found[1]}


WILDS = ["r-wild", "g-wild", "b-wild", "y-wild"]
WILDS4 = [f"{colour}-wild_draw_4" for colour in "rgby"]
KEEPS, KEEPS4, MAY, PLAYS, CHOSEN, EARLY, ACTION, ATTACK, COLOUR, NAMES = li_knowledge.QUESTIONS


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        (Decision(["r-5", "wild"], ["r-5", *WILDS], "r-5", "r-2", 7), {KEEPS: [1, 1]}),
        (Decision(["r-5", "wild"], ["r-5", *WILDS], "r-wild", "r-2", 7), {KEEPS: [0, 1], NAMES: [1, 1]}),
        (Decision(["r-5", "wild"], WILDS, "g-wild", "b-2", 7), {NAMES: [0, 1]}),  # no choice but the colour
        (Decision(["wild", "wild"], WILDS, "g-wild", "b-2", 7), {}),
        (Decision(["r-5", "wild_draw_4"], ["r-5"], "r-5", "r-2", 7), {KEEPS4: [1, 1]}),  # by the rules
        (Decision(["r-5", "wild_draw_4"], WILDS4, "r-wild_draw_4", "b-2", 7), {NAMES: [1, 1]}),
        (
            Decision(["r-1", "r-2", "g-3", "g-4", "wild_draw_4"], WILDS4, "g-wild_draw_4", "b-9", 7),
            {MAY: [1, 1], PLAYS: [1, 1], NAMES: [1, 1]},  # two red, two green: both are most
        ),
        (Decision(["r-1", "r-2", "g-3", "g-4", "wild_draw_4"], ["r-1", "r-2"], "r-1", "r-9", 7), {MAY: [0, 1]}),
        (
            Decision(["r-1", "r-2", "g-3", "b-4", "wild"], ["r-1", "r-2", *WILDS], "b-wild", "r-9", 7),
            {EARLY: [1, 1], NAMES: [0, 1]},
        ),
        (Decision(["r-skip", "r-2", "b-4"], ["r-2", "r-skip"], "r-skip", "r-9", 2), {ACTION: [1, 1], ATTACK: [1, 1]}),
        (Decision(["r-reverse", "r-2"], ["r-2", "r-reverse"], "r-2", "r-9", 1), {ACTION: [0, 1]}),
        (Decision(["r-2", "b-9", "g-1"], ["r-2", "b-9"], "b-9", "r-9", 5), {COLOUR: [0, 1]}),
        (Decision(["r-2", "b-9", "g-1"], ["r-2", "b-9"], "r-2", "r-9", 5), {COLOUR: [1, 1]}),
        (Decision(["b-2", "g-1"], ["draw"], "draw", "r-9", 1), {}),
    ],
)
def test_what_a_decision_shows(decision: Decision, expected: dict[str, list[int]]) -> None:
    assert asked(decision) == expected


def test_counts_add_up() -> None:
    kept = Decision(["r-5", "wild"], ["r-5", *WILDS], "r-5", "r-2", 7)
    gone = Decision(["r-5", "wild"], ["r-5", *WILDS], "r-wild", "r-2", 7)
    assert li_knowledge.count([kept, kept, gone])[KEEPS] == [2, 3]


def test_the_record_of_games_is_that_of_the_rules() -> None:
    decisions = list(li_knowledge.record("rules", 40, 3))
    assert all(decision.action in decision.legal for decision in decisions)
    counts = li_knowledge.count(decisions)
    assert counts[EARLY][0] == 0 < counts[EARLY][1]  # rules keep their wilds
    assert counts[PLAYS][0] == counts[PLAYS][1] == counts[MAY][0]
    assert counts[CHOSEN] == [0, 0]  # rlcard allows a Wild Draw 4 only where nothing else is


def test_the_same_game_from_the_same_seed() -> None:
    assert list(li_knowledge.record("random", 3, 7)) == list(li_knowledge.record("random", 3, 7))


def test_done_points_are_json(tmp_path: Path) -> None:
    training.advance(tmp_path, small(points=1), 0)
    (point,) = tmp_path.glob("*/point-000.json")
    assert {"reward", "win_rate", "predicted", "obtained"} <= set(json.loads(point.read_text()))
    assert "seconds" not in point.read_text()


class Deadly:
    """Ends the process that unpacks it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (3,)


def test_a_training_process_that_dies_is_one_line(tmp_path: Path) -> None:
    deadly: Any = Deadly()
    with pytest.raises(ChildProcessError, match=r"ended unexpectedly.*the same command goes on"):
        list(training._work(tmp_path, [(deadly, 0), (deadly, 0)], [[0], [1]], 2))
