"""Rulesheets with unsafe variables: errors, but with strict=False they are played as those that say what they mean."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from gdl_clingo import Solver

import kibitz
from kibitz import gdl
from kibitz.cli import run
from kibitz.ggp import kif
from kibitz.ggp.referee import Referee, Rules
from kibitz.ggp.thinker import Thinker

WALK = """(role a) (file x) (file y) (file z) (beside 1 2) (beside 2 3) (beside 3 4) (next_to x y) (next_to y z)
    (init (at x 1)) (init (wall y 2))
    (<= (legal a (go ?u ?v)) (true (at ?x ?y)) (step ?x ?y ?u ?v) (not (shut ?u ?v)))
    (legal a wait)
    (<= (next (at ?u ?v)) (does a (go ?u ?v))) (<= (next (at ?u ?v)) (does a wait) (true (at ?u ?v)))
    (<= (next (wall ?u ?v)) (true (wall ?u ?v)))
    (<= terminal (true (at ?u 4))) (goal a 100)"""

# An unsafe part, the same said safely, and words of the warning.
MENDED = {
    "what is asked for": (
        "(<= (step ?x ?y ?x ?v) (beside ?y ?v)) (<= (step ?x ?y ?u ?y) (next_to ?x ?u))"
        "(<= (shut ?x ?y) (true (wall ?x ?y)))",
        "(<= (step ?x ?y ?x ?v) (beside ?y ?v) (file ?x)) (<= (step ?x ?y ?u ?y) (next_to ?x ?u) (row ?y))"
        "(<= (shut ?x ?y) (true (wall ?x ?y))) (row 1) (row 2) (row 3) (row 4)",
        "?x is in no positive condition; it stands for what is asked for",
    ),
    "asked for by a `not`": (
        "(<= (step ?x ?y ?u ?v) (beside ?y ?v) (file ?x) (file ?u) (same ?x ?u)) (same ?x ?x)"
        "(<= (shut ?x ?y) (far ?x ?y)) (<= (far ?x ?y) (distinct ?x x))",
        "(<= (step ?x ?y ?x ?v) (beside ?y ?v) (file ?x)) (<= (shut ?x ?y) (file ?x) (beside ?z ?y) (distinct ?x x))",
        "?y is in no positive condition; it stands for what is asked for",
    ),
    "asked for through others, and again": (
        "(<= (step ?x ?y ?u ?v) (move ?x ?y ?u ?v)) (<= (move ?x ?y ?x ?v) (up ?x ?y ?v))"
        "(<= (up ?x ?y ?v) (beside ?y ?v)) (<= (up ?x ?y ?v) (beside ?y ?w) (up ?x ?w ?v)) (<= (shut ?x 3) (file ?x))",
        "(<= (step ?x ?y ?x ?v) (up ?y ?v) (file ?x)) (<= (up ?y ?v) (beside ?y ?v))"
        "(<= (up ?y ?v) (beside ?y ?w) (up ?w ?v)) (<= (shut ?x 3) (file ?x))",
        "it stands for what is asked for",
    ),
    "within a `not`": (
        "(<= (step ?x ?y ?x ?v) (file ?x) (beside ?y ?v) (not (true (wall ?x ?w))))"
        "(<= (step ?x ?y ?u ?y) (next_to ?x ?u) (row ?y)) (row 1) (row 2) (<= (shut ?x ?y) (true (wall ?x ?y)))",
        "(<= (step ?x ?y ?x ?v) (file ?x) (beside ?y ?v) (not (walled ?x))) (<= (walled ?x) (true (wall ?x ?w)))"
        "(<= (step ?x ?y ?u ?y) (next_to ?x ?u) (row ?y)) (row 1) (row 2) (<= (shut ?x ?y) (true (wall ?x ?y)))",
        "?w is in no positive condition; it is read as 'there is no such'",
    ),
    "a role, and what nobody asks for": (
        "(<= (step ?x ?y ?x ?v) (file ?x) (beside ?y ?v)) (shut z 2) (legal ?r rest)"
        "(<= (legal ?r nap) (not (true (at z 1)))) (never ?x ?y) (<= (base (at ?x ?y)) (file ?x))",
        "(<= (step ?x ?y ?x ?v) (file ?x) (beside ?y ?v)) (shut z 2) (legal a rest)"
        "(<= (legal a nap) (not (true (at z 1))))",
        "it is read as any role",
    ),
}

UNCLEAR = {
    "a move": "(<= (step ?x ?y ?x ?v) (file ?x) (beside ?y ?v)) (shut z 2) (<= (legal a (say ?w)) (true (at ?x ?y)))",
    "two that wait for each other": "(step x 1 y 1) (shut z 2) (<= (next (lit ?w)) (b ?w) (c ?w)) (b ?w) (c ?w)",
    "a test of nothing": "(<= (step ?x ?y ?x ?v) (file ?x) (beside ?y ?v) (distinct ?w 1)) (shut z 2)",
    "a question that grows": """(<= (step ?x ?y ?x ?v) (file ?x) (beside ?y ?v) (big ?y 9)) (shut z 2)
        (<= (big ?y ?z) (big (s ?y) ?z)) (big ?y 9)""",
}


def rules_of(text: str) -> Rules:
    return Rules(kif.parse(text))


@pytest.mark.parametrize("engine", ["propnet", "prover"])
@pytest.mark.parametrize("name", MENDED)
def test_unsafe_rules_are_played_as_they_are_meant(name: str, engine: str) -> None:
    unsafe, safe, words = MENDED[name]
    text = WALK + unsafe
    assert any("unsafe" in finding.text for finding in gdl.check(text) if finding.error)
    found = gdl.check(text, strict=False)
    assert not [str(finding) for finding in found if finding.error]
    assert any(words in finding.text for finding in found), [str(finding) for finding in found]
    with pytest.raises(ValueError, match="unsafe"):
        kibitz.make("gdl", text=text)
    solver, rules, positions = Solver(WALK + safe), rules_of(text), 0
    for seed in range(10):
        ours, rng = Referee(rules, engine=engine, strict=False), random.Random(seed)
        while not ours.over and ours.turn < 12:
            known = solver.ask(ours.fluents())
            legal = ours.legal()
            assert list(map(set, legal)) == known.legal
            moves = [rng.choice(choices) for choices in legal]
            known = solver.ask(ours.fluents(), moves)
            ours.play(moves)
            assert set(ours.fluents()) == known.next
            positions += 1
    assert positions > 20


@pytest.mark.parametrize("name", UNCLEAR)
def test_what_is_not_clear_stays_an_error(name: str) -> None:
    assert any(finding.error for finding in gdl.check(WALK + UNCLEAR[name], strict=False))
    with pytest.raises(ValueError, match="the rulesheet has errors"):
        kibitz.make("gdl", text=WALK + UNCLEAR[name], strict=False)


def test_sound_rulesheets_are_left_alone() -> None:
    for name in gdl.rulesheets():
        text = gdl.find(name).read_text(encoding="utf-8")
        assert gdl.check(text, strict=False) == []
        strict, other = (kibitz.make("gdl", text=text, strict=strict).about for strict in (True, False))
        assert strict | {"seconds": 0} == other | {"seconds": 0}


def test_positions_say_how_strict_the_game_is() -> None:
    game = kibitz.make("gdl", text=WALK + MENDED["within a `not`"][0], strict=False)
    state = game.deal()
    assert game.position(state)["strict"] is False
    assert game.from_position(game.position(state)) == state


def test_players_play_what_they_are_sent(capsys: pytest.CaptureFixture[str]) -> None:
    mind = Thinker(rules_of(WALK + MENDED["what is asked for"][0]), "a", "random", 1)
    assert mind.told(None, 0, None) == ""
    assert mind.match.legal() == ["(go x 2)", "(go y 1)", "wait"]
    assert "has errors, and is played all the same: unsafe" in capsys.readouterr().err


def test_check_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "unsafe.kif"
    file.write_text(WALK + MENDED["within a `not`"][0])
    assert run(["gdl", "check", str(file)]) == 1
    assert "it is played with -o strict=false only" in capsys.readouterr().out
    assert run(["gdl", "check", str(file), "-o", "strict=false"]) == 0
    said = capsys.readouterr().out
    assert "there is no such" in said
    assert "ok: propnet" in said
