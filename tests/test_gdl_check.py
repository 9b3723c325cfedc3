"""Reader and checker of rulesheets: every condition with its place, and nothing that a file may hold breaks them."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from gdl_sheets import SHEETS
from hypothesis import given
from hypothesis import strategies as st
from variants import effort

import kibitz
from kibitz import gdl
from kibitz.cli import run

SOUND = "(role r)\n(legal r a)\n(<= terminal (true done))\n(next done)\n(goal r 50)\n"

ERRORS = {  # what is added to a sound rulesheet in line 6: the column, and words of the finding
    "unclosed": ("(init (p 1)", 1, "never closed"),
    "unopened": ("(init p))", 9, "closes nothing"),
    "empty list": ("()", 1, "empty list"),
    "no head": ("(<=)", 1, "needs a head"),
    "variable as a relation": ("(<= p (?x 1))", 8, "not the variable"),
    "list as a relation": ("((p) 1)", 2, "must be a name"),
    "variable as a function": ("(<= p (q (?f 1)))", 11, "not the variable"),
    "unsafe head": ("(<= (p ?x) (q ?y))", 1, "unsafe: the variable ?x of the head"),
    "unsafe fact": ("(p ?x)", 1, "unsafe: the variable ?x of a fact"),
    "unsafe not": ("(<= (p ?x) (q ?x) (not (q ?y)))", 24, "unsafe: the variable ?y of 'not'"),
    "unsafe distinct": ("(<= (p ?x) (q ?x) (distinct ?x ?y))", 19, "unsafe: the variable ?y of 'distinct'"),
    "unsafe in one alternative": ("(<= (p ?x) (or (q ?x) (q 1)))", 1, "unsafe"),
    "negation in a cycle": ("(<= p (not q)) (<= q p)", 12, "not stratified"),
    "negation in a cycle of what never changes": ("(<= (p 1) (not (p 2)))", 16, "not stratified"),
    "negation in a cycle by arguments": ("(<= (goal r 1) (true x) (not (goal ?r ?n)) (q ?r ?n))", 30, "not stratified"),
    "negation of itself": ("(<= p (true x) (not p))", 21, "not stratified"),
    "unbounded recursion": ("(p zero) (<= (p (s ?x)) (p ?x))", 25, "unbounded recursion"),
    "unbounded recursion of questions": ("(q 1) (<= (p ?x) (p (s ?x)) (q ?x))", 18, "unbounded recursion"),
    "legal by does": ("(<= (legal r b) (does r a))", 17, "'legal' must not depend on 'does'"),
    "goal by does": ("(<= (goal r 1) help) (<= help (does r a))", 31, "goal -> help -> does"),
    "terminal by does": ("(<= terminal (not (does r a)))", 19, "'terminal' must not depend on 'does'"),
    "init by true": ("(<= (init p) (true q))", 14, "'init' must not depend on 'true'"),
    "relation of two arities": ("(p 1) (p 1 2)", 7, "relation 'p' has 2 arguments here, but 1 in line 6"),
    "function of two arities": ("(init (f 1)) (init (f 1 2))", 20, "function 'f'"),
    "true as a head": ("(true p)", 1, "'true' can only be a condition"),
    "does as a head": ("(<= (does r a) (true p))", 1, "'does' can only be a condition"),
    "next as a condition": ("(<= p (next q))", 7, "'next' can only be a head"),
    "init as a condition": ("(<= p (init q))", 7, "'init' can only be a head"),
    "sees as a condition": ("(<= p (sees r q))", 7, "'sees' can only be a head"),
    "role with conditions": ("(<= (role q) (true p))", 1, "must be a fact"),
    "keyword of wrong arity": ("(<= p (true a b))", 7, "'true' takes 1 argument, here it has 2"),
    "not of wrong arity": ("(<= p (not a b))", 7, "'not' takes 1 argument"),
    "distinct of wrong arity": ("(<= p (distinct a))", 7, "'distinct' takes 2 arguments"),
    "or as a head": ("(<= (or a b) c)", 5, "cannot be a head"),
    "distinct as a fact": ("(distinct a b)", 1, "cannot be a head or a fact"),
    "rule within a rule": ("(<= p (<= q r))", 7, "cannot stand here"),
    "goal that is no number": ("(goal r high)", 1, "whole number"),
    "goal out of range": ("(goal r 101)", 1, "0 to 100"),
}

WARNINGS = {
    "undefined": ("(<= p (nowhere 1))", 7, "nowhere defined"),
    "undefined by its case": ("(Near 1) (<= p (near 1))", 16, "always false; 'Near' is another name"),
    "fluent that nothing makes": ("(<= p (true (dnoe 1)))", 7, "(dnoe 1) never holds"),
    "move that nobody has": ("(init q) (<= (next q) (does r (aa ?x)) (true q))", 23, "(aa ?x) is never done"),
    "no such role": ("(legal somebody a)", 1, "is no role"),
    "negation in a cycle only by names": ("(<= (goal r 1) (true x) (not (goal r 50)))", 30, "by their arguments"),
    "sees by next": ("(<= (sees r p) (next done))", 16, "not in the standard"),
    "base of an older kind": ("(base cell (x 1 2) (y 1 2)) (base val (x 1))", 1, "'base' takes 1 argument"),
    "input of an older kind": ("(<= (input r) (true p))", 5, "it is left out"),
    "and": ("(<= p (and (true a) (true b)))", 7, "'and' is no word"),
    "recursion that cannot grow": (
        "(e 1 2) (<= (p ?x ?y) (e ?x ?y)) (<= (p ?x ?z) (p ?x ?y) (p ?y ?z))",
        48,
        "bounded",
    ),
}


@pytest.mark.parametrize(("added", "column", "words"), ERRORS.values(), ids=list(ERRORS))
def test_errors_have_their_place(added: str, column: int, words: str) -> None:
    found = [finding for finding in gdl.check(SOUND + added) if finding.error]
    assert found
    assert any((f.line, f.column) == (6, column) and words in f.text for f in found), [str(f) for f in found]
    with pytest.raises(ValueError, match="the rulesheet has errors"):
        kibitz.make("gdl", text=SOUND + added)


@pytest.mark.parametrize(("added", "column", "words"), WARNINGS.values(), ids=list(WARNINGS))
def test_warnings_do_not_forbid_play(added: str, column: int, words: str) -> None:
    found = gdl.check(SOUND + added)
    assert any((f.line, f.column) == (6, column) and words in f.text for f in found), [str(f) for f in found]
    assert not any(f.error for f in found)
    kibitz.make("gdl", text=SOUND + added)


def test_everybody_needs_a_move() -> None:
    found = gdl.check("(role r) (role s) (legal r a) (<= terminal (true done)) (next done) (goal r 1) (goal s 1)")
    assert [(f.error, "has no 'legal'" in f.text and "'s'" in f.text) for f in found] == [(False, True)]


def test_many_negations_take_no_time() -> None:
    """Each of them was once compared with all others, for all others."""
    many = " ".join(f"(a {i})" for i in range(300))
    text = SOUND + f"(q 1) (<= (p ?x) (true x) (q ?x) (or {many}) {'(not (p ?x)) ' * 300})"
    assert any("not stratified" in f.text for f in gdl.check(text))


def test_all_findings_at_once() -> None:
    text = "(role r)\n(p ?x)\n(<= q (not q))\n(goal r 200)\n(legal r a)"
    assert [(f.line, f.error) for f in gdl.check(text)] == [(1, False), (2, True), (3, True), (4, True)]


def test_what_could_not_be_read_is_not_called_missing() -> None:
    found = gdl.check("(role r)\n(legal r)\n(<= (goal r 1) (seen 1))\n(seen (?x))\n(<= terminal)")
    assert [(f.line, f.error) for f in found] == [(2, True), (4, True)]


def test_recursion_that_fluents_restrict_is_not_mentioned() -> None:
    text = SOUND + "(<= (p (f ?x)) (true (e ?x ?x))) (<= (p (f ?x)) (true (e ?x ?y)) (p ?y)) (init (e 1 1))"
    assert gdl.check(text) == []


def test_and_is_mentioned_once() -> None:
    text = SOUND + "(<= p (and (true a) (true b)))\n(<= p (or (and (true c) (true a)) (and)))"
    assert [f.line for f in gdl.check(text) if "'and'" in f.text and "no word" in f.text] == [6]


def test_a_list_that_is_never_closed_hides_nothing() -> None:
    text = "(role r)\n(init (p 1)\n(legal r a)\n(goal r 200)\n(<= p (true done)\n(q ?x)\n(next done)\n"
    found = [(f.line, f.column) for f in gdl.check(text + "(<= terminal (true done))")]
    assert found == [(2, 1), (4, 1), (5, 1), (6, 1)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "nothing in the rulesheet"),
        ("; only a comment", "nothing in the rulesheet"),
        ("(legal r a)", "no role"),
        ("(role r)", "no 'legal'"),
        ("(role random) (legal random a)", "nobody plays"),
        (" ".join(f"(role r{i})" for i in range(20)), "more than 16 roles"),
        ("(" * 5000, "nested more than"),
        ("(p " * 1000 + ")" * 1000, "nested more than"),
        ("a" * (5 << 20), "larger than"),
        ("(role r) (legal r a) (<= p " + "(true q) " * 1001 + ")", "more than 1000 conditions"),
        ("(role r) (legal r a) (<= p " + "(or (true q) (true r)) " * 20 + ")", "too many alternatives"),
        ("(role \x00)", "control character"),
    ],
)
def test_whole_files(text: str, words: str) -> None:
    assert any(words in f.text for f in gdl.check(text) if f.error)


def test_large_files_take_no_more_than_their_share() -> None:
    """Alternatives of all rules together are bounded, and no check looks at every pair of arguments."""
    rule = "(<= (p ?x) (true (q ?x)) " + "(or (true (q 1)) (true (q 2))) " * 12 + ")\n"
    assert any("'or's multiplied" in f.text for f in gdl.check(SOUND + rule * 200) if f.error)
    many = 150_000
    wide = f"(<= (p {'?a ' * many}) (p {'?b ' * many}) (q ?a))"
    assert any("is not restricted" in f.text for f in gdl.check(SOUND + wide))
    hundred = " ".join(f"?v{i}" for i in range(20_000))
    assert not any(f.error for f in gdl.check(SOUND + f"(<= (p {hundred}) (q {hundred}) (p {hundred}))"))


def test_findings_have_an_end() -> None:
    assert len(gdl.check(")" * 10_000)) == 200


@pytest.mark.parametrize("name", gdl.rulesheets())
def test_ours_are_clean(name: str) -> None:
    assert gdl.check(gdl.find(name).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("name", list(SHEETS))
def test_small_ones_have_no_errors(name: str) -> None:
    assert not [str(f) for f in gdl.check(SHEETS[name].text) if f.error]


# ---------------------------------------------------------------------------------------------- the command


def test_check_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["gdl", "check", "connect_four"]) == 0
    assert "propnet" in capsys.readouterr().out
    bad = tmp_path / "bad.kif"
    bad.write_text("(role r)\n(p ?x)\n(legal r a)\n(goal r 101)", encoding="utf-8")
    assert run(["gdl", "check", str(bad)]) == 1
    said = capsys.readouterr().out
    assert f"{bad}:2:1: error: unsafe" in said
    assert "2 errors: it cannot be played" in said
    assert run(["gdl", "check", "no-such-file"]) == 2
    assert "connect_four" in capsys.readouterr().err


def test_a_game_that_is_over_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "over.kif"
    file.write_text("(role r) (<= (legal r (paint C)) (colour C)) (colour red) (<= terminal (true done)) (goal r 5)")
    assert run(["gdl", "check", str(file)]) == 0
    assert "over before it begins" in capsys.readouterr().out
    file.write_text("(role r) (legal r wait) (next done) (<= terminal (true done)) (goal r 5)")
    assert run(["gdl", "check", str(file)]) == 0
    assert "nobody ever has a choice; it is over after 1 turns" in capsys.readouterr().out


def test_rulesheets_are_played_by_their_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nq\n"))
    assert run(["play", "--file", "hex_3", "--seat", "0", "--seed", "1"]) == 0
    assert "gdl, 2 players" in capsys.readouterr().out
    assert run(["play", "gdl", "--file", "nosuch"]) == 2
    assert "hex_3" in capsys.readouterr().err
    assert run(["play", "belote", "--file", "hex_3"]) == 2
    assert "'file' is unknown" in capsys.readouterr().err


@pytest.mark.parametrize("name", gdl.rulesheets())
def test_show_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["gdl", "show", name]) == 0
    said = capsys.readouterr().out
    assert "roles" in said
    assert "turn 0" in said


# ------------------------------------------------------------------------------------------------- fuzzing

KEYWORDS = (
    "role",
    "init",
    "true",
    "does",
    "next",
    "legal",
    "goal",
    "terminal",
    "base",
    "input",
    "sees",
    "ROLE",
    "Does",
)
CONNECTIVES = ("<=", "not", "or", "and", "distinct")
NAMES = ("p", "q", "r", "f", "a", "b", "1", "100", "random", "é", "?x", "?y", "?")
WORDS = st.sampled_from([*KEYWORDS, *CONNECTIVES, *NAMES, ";", "(", ")", "\r", "\n", "\x01"])
NESTED = st.recursive(
    WORDS, lambda inner: st.lists(inner, max_size=5).map(lambda items: "(" + " ".join(items) + ")"), max_leaves=30
)


GIVING_UP = r"longer than|more than|too deep|too many"  # what a bound of the prover says


def try_text(text: str) -> bool:
    """Findings, or a game that both engines play alike; says whether it is a game."""
    findings = gdl.check(text)
    assert all(f.line >= 1 and f.column >= 1 and f.text for f in findings)
    if any(f.error for f in findings):
        with pytest.raises(ValueError, match=r"\S"):
            kibitz.make("gdl", text=text or " ")
        return False
    engines = [kibitz.make("gdl", text=text, engine=engine, turns=5, seconds=1) for engine in ("auto", "prover")]
    one, two = (game.deal(1) for game in engines)
    try:
        while not one.over:
            assert sorted(map(engines[0].text, one.legal())) == sorted(map(engines[1].text, two.legal()))
            chosen = engines[0].text(one.legal()[0])
            one.apply(engines[0].parse(chosen))
            two.apply(engines[1].parse(chosen))
        assert one.payoffs == two.payoffs
    except ValueError as error:
        if not re.search(GIVING_UP, str(error)):
            raise
    return True


@effort(300)
@given(st.lists(NESTED, max_size=12))
def test_anything_made_of_words(sentences: list[str]) -> None:
    text = "\n".join(sentences)
    assert not try_text(text) or "role" in text  # a game has somebody who plays it


@effort(300)
@given(st.lists(NESTED, max_size=8))
def test_anything_added_to_a_sound_rulesheet(sentences: list[str]) -> None:
    assert try_text(SOUND + "\n".join(sentences)) or sentences


@effort(200)
@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    lines = text.count("\n") + 1
    assert all(1 <= f.line <= lines and f.text for f in gdl.check(text))


@effort(300)
@given(st.sampled_from(sorted(SHEETS)), st.data())
def test_sheets_with_something_changed(name: str, data: st.DataObject) -> None:
    text = SHEETS[name].text
    begin = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(begin, min(len(text), begin + 20)))
    changed = text[:begin] + data.draw(st.one_of(WORDS, NESTED)) + text[end:]
    assert try_text(changed) or changed != text
