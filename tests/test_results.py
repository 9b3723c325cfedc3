"""The committed results: what they were made by, and whether that still holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

RESULTS = Path(__file__).parents[1] / "results"
RUNS = sorted(RESULTS.glob("*/*/run.json"))
MARK = "*Made by Kibitz 0.1.0, whose matches had other seeds: the same command plays other games now.*"
# Made by learners of Q-tables alone, whose seeds are what they were, or exact.
WITHOUT_MATCHES = {"whitehouse/fig3", "wang/budget", *(f"wang/fig{n}" for n in range(1, 10))}


def test_there_are_results() -> None:
    assert len(RUNS) > 30


@pytest.mark.parametrize("run", RUNS, ids=lambda run: "/".join(run.parts[-3:-1]))
def test_results_with_the_old_seeds_say_so(run: Path) -> None:
    old = json.loads(run.read_text())["settings"]["version"] == "0.1.0"
    name = "/".join(run.parts[-3:-1])
    marked = MARK in (run.parent / "README.md").read_text()
    assert marked == (old and name not in WITHOUT_MATCHES)
