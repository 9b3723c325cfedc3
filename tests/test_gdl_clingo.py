"""Every rulesheet of the package and of the tests, beside an answer set solver: what holds at first, who may do what,
what comes of it, who sees what, when it is over and what it is worth."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from gdl_clingo import Solver
from gdl_sheets import SHEETS

from kibitz import gdl
from kibitz.ggp.referee import Referee, Rules, read_rules

LARGE = {path.stem: path for path in Path(__file__).with_name("sheets").glob("*.kif")}
TEXTS = {
    **{name: sheet.text for name, sheet in SHEETS.items()},
    **{name: gdl.find(name).read_text() for name in gdl.rulesheets()},
    **{f"{name} (large)": path.read_bytes().decode("utf-8", errors="replace") for name, path in LARGE.items()},
}
PROVER = {"chess (large)"}  # too large to be grounded
SLOW = {"amazons (large)": 2, "chess (large)": 8, "sudoku (large)": 8}  # turns of a game


# Nothing comes of it, but it has so many instances that rules are split.
PADDING = (
    "".join(f"(init (padding {i}))" for i in range(14))
    + f"(<= (next padded) {' '.join(f'(true (padding ?p{i}))' for i in range(6))})"
)


def real(fluents: list[str]) -> set[str]:
    return {fluent for fluent in fluents if "padd" not in fluent}


def compare(rules: Rules, solver: Solver, engine: str, seed: int, turns: int) -> int:
    """A random game; how many positions were the same."""
    ours, rng = Referee(rules, engine=engine, seconds=600), random.Random(seed)
    assert ours.game.about["engine"] == engine
    assert real(ours.fluents()) == solver.init
    for turn in range(turns):
        fluents = real(ours.fluents())
        known = solver.ask(fluents)
        stuck = not all(known.legal)  # no sound rulesheet comes to this
        assert ours.over == (known.over or stuck)
        if ours.over:
            assert ours.goals == [max(goals, default=0) for goals in known.goals]
            return turn + 1
        legal = ours.legal()
        assert list(map(set, legal)) == known.legal
        moves = [rng.choice(choices) for choices in legal]
        known = solver.ask(fluents, moves)
        ours.play(moves)
        assert real(ours.fluents()) == known.next
        if rules.hidden:
            assert list(map(set, ours.percepts())) == known.sees
    return turns


@pytest.mark.parametrize("name", TEXTS)
def test_engines_know_what_the_solver_knows(name: str) -> None:
    rules, solver = read_rules(TEXTS[name]), Solver(TEXTS[name])
    games, turns = (2, SLOW.get(name, 20)) if "large" in name else (5, 60)
    for engine in ("propnet", "prover"):
        if engine == "prover" or name not in PROVER:
            assert sum(compare(rules, solver, engine, seed, turns) for seed in range(games)) > games


@pytest.mark.parametrize("name", [name for name in [*SHEETS, *gdl.rulesheets()] if "(true ?" not in TEXTS[name]])
def test_split_rules_say_the_same(name: str) -> None:
    rules, solver = read_rules(TEXTS[name] + PADDING), Solver(TEXTS[name])
    assert sum(compare(rules, solver, "propnet", seed, 30) for seed in range(3)) > 3
