"""Rulesheets that double something again and again: making a game of them stays within its seconds and its memory.

Nothing is timed here. Each is made in a process of its own that the system ends when it takes more of the processor or
of memory than it may, which is several times what the bounds of `kibitz.make` leave to it.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

import kibitz
from kibitz import gdl

pytest.importorskip("resource")  # limits of processes are a matter of Unix

BASE = """(role r) (role s) (init (at 0)) (legal r go) (legal r stay) (legal s go) (<= (next done) (does r go))
(<= (next (at ?x)) (true (at ?x))) (<= terminal (true done)) (<= (goal ?p 50) (role ?p))
"""
TWELVE = "(or (p 1) (p 2)) " * 12 + ") (p 1) "  # 4,096 alternatives, and the end of the rule


def values(many: int) -> str:
    return " ".join(f"(v {i})" for i in range(many)) + "\n"


def variables(many: int, name: str = "x") -> str:
    return " ".join(f"?{name}{i}" for i in range(many))


def product(head: str, many: int) -> str:
    return f"(<= {head} {' '.join(f'(v ?x{i})' for i in range(many))})\n"


def levels(step: str, many: int) -> str:
    """Rules from level to level; `#` is the one below."""
    return "".join(f"(<= (p{i + 1} {step.replace('#', f'p{i}')})\n" for i in range(many))


# Where it doubles, and what to do with the rulesheet. Terms that have two halves are also written out where goals are
# read, and where moves are sorted.
SHEETS = {
    "reading: alternatives of a wide rule": f"(<= (legal r (m)) (w {variables(20_000)}) {TWELVE}",
    "reading: alternatives of a long name": f"(<= (legal r m) (p ?{'x' * 500_000}) {TWELVE}",
    "checking: a long goal in every alternative": f"(<= (goal r (f {'x ' * 250_000})) {TWELVE}",
    "checking: long recursion in every alternative": f"(<= (p ?y (f {'x ' * 250_000})) (p ?z ?y) (q ?z) {TWELVE}",
    "planning: long rules": values(2)
    + "".join(f"(<= (legal r x{j}) {' '.join(f'(p ?x{i} ?x{i + 1})' for i in range(990))})\n" for j in range(200))
    + "(p 1 2)",
    "grounding: twice as many arguments": "(p0 0) (p0 1)"
    + "".join(
        f"(<= (p{i + 1} {variables(2**i)} {variables(2**i, 'y')})"
        f" (p{i} {variables(2**i)}) (p{i} {variables(2**i, 'y')}))"
        for i in range(6)
    )
    + f"(<= (legal r (m ?x0)) (p6 {variables(64)}))",
    "grounding: pairs of pairs": f"(p0 a) (p0 b) {levels('(f ?x ?y)) (# ?x) (# ?y)', 6)} (<= (legal r (m ?x)) (p6 ?x))",
    "grounding: fluents that are pairs of fluents": "(init (n a)) (init (n b))"
    "(<= (next (n (f ?x ?y))) (true (n ?x)) (true (n ?y)))",
    "terms: two equal halves": f"(p0 z) {levels('(f ?x ?x)) (# ?x)', 60)} (<= (legal r (m ?x)) (p60 ?x))"
    "(<= (goal s ?x) (p60 ?x))",
    "moves": values(40) + product(f"(legal r (m {variables(4)}))", 4),
    "the network: percepts": values(500)
    + product(f"(sees r (x {variables(2)}))", 2)
    + "(<= (sees s ?x) (does r ?x) (v 1))",
    "the first position": values(40) + product(f"(init (m {variables(5)}))", 5),
    "the first position, questions of all forms": values(2)
    + product(f"(q {variables(14)})", 14)
    + f"(<= (init (y {variables(14)} {variables(14, 'y')})) (q {variables(14)}) (q {variables(14, 'y')}))",
    "games that are tried: long chains": values(6)
    + "".join(
        f"(<= (legal r m{j}) {' '.join(f'(true (e{j} ?x{i} ?x{i + 1}))' for i in range(49))})\n"
        f"(<= (init (e{j} ?a ?b)) (v ?a) (v ?b))\n"
        for j in range(100)
    ),
    "games that are tried: all ways": values(170)
    + product(f"(init (e {variables(2)}))", 2)
    + """(<= (next (e ?a ?b)) (true (e ?a ?b)) (does r stay)) (<= (far ?a ?b) (true (e ?a ?b)))
    (<= (far ?a ?c) (far ?a ?b) (far ?b ?c)) (<= (legal r m) (far 1 2))""",
}
UNSAFE = {
    "mending: 'not' of many variables": "".join(
        f"(<= (legal r m{j}) {' '.join(f'(not (true (q ?x{i})))' for i in range(900))})\n" for j in range(100)
    ),
}

# Bounded from where everything is loaded. The second is what a game may take; the third is freeing what was taken.
CHILD = """
import json, resource, sys, time
import kibitz
text, options = json.load(sys.stdin)
pages = int(open("/proc/self/statm").read().split()[0]) if sys.platform == "linux" else None
if pages is not None:
    most = pages * resource.getpagesize() + 900 * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
most = int(time.process_time()) + 1 + options["seconds"] + 2
resource.setrlimit(resource.RLIMIT_CPU, (most, most))
try:
    print(kibitz.make("gdl", text=text, **options).about["engine"])
except ValueError as error:
    print(f"ValueError: {error}")
"""


def make_bounded(text: str, **options: object) -> str:
    """The engine of the game, or the error, in one line; the process is ended where it takes too much."""
    task = json.dumps([BASE + text, {"seconds": 1} | options])
    done = subprocess.run([sys.executable, "-c", CHILD], input=task, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.returncode}: {done.stderr[-500:]}"
    assert done.stdout.count("\n") == 1
    return done.stdout.strip()


@pytest.mark.parametrize("name", SHEETS)
def test_making_a_game_is_bounded(name: str) -> None:
    said = make_bounded(SHEETS[name])
    assert said in ("prover", "propnet") or "cannot be" in said


@pytest.mark.parametrize("name", UNSAFE)
def test_mending_is_bounded(name: str) -> None:
    said = make_bounded(UNSAFE[name], strict=False)
    assert said in ("prover", "propnet") or "cannot be read and checked" in said


@pytest.mark.parametrize("engine", ["propnet", "prover"])
def test_engines_that_were_asked_for_are_bounded_too(engine: str) -> None:
    said = make_bounded(SHEETS["grounding: pairs of pairs"], engine=engine)
    assert said.startswith({"propnet": "ValueError: the rulesheet cannot be grounded", "prover": "prover"}[engine])


def test_who_runs_out_of_time_says_so() -> None:
    """Every alternative is written out: that takes seconds on any machine."""
    text = BASE + SHEETS["checking: a long goal in every alternative"]
    with pytest.raises(ValueError, match=r"^the rulesheet cannot be read and checked: it .* longer than 1 second$"):
        kibitz.make("gdl", text=text, seconds=1)
    text = BASE + SHEETS["the first position"]
    with pytest.raises(ValueError, match=r"^the first position of the rulesheet cannot be found: it would take"):
        kibitz.make("gdl", text=text, seconds=1)


def test_who_runs_out_of_memory_says_so() -> None:
    text = BASE + SHEETS["reading: alternatives of a wide rule"]
    with pytest.raises(ValueError, match=r"^the rulesheet cannot be read and checked: it .* 512 MB of memory$"):
        kibitz.make("gdl", text=text)
    assert any("cannot be checked" in f.text and "512 MB" in f.text for f in gdl.check(text) if f.error)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(init (n z)) (<= (next (n (f ?x ?x))) (true (n ?x)))", "more than 1048576 characters"),
        (SHEETS["grounding: fluents that are pairs of fluents"], "more than|longer than"),
    ],
)
def test_what_cannot_be_grounded_is_played(text: str, why: str) -> None:
    game = kibitz.make("gdl", text=BASE + text, seconds=2)
    assert game.about["engine"] == "prover"
    assert re.search(why, game.about["why"])
    state = game.deal()
    state.apply(game.parse("stay"))
    assert len(game.position(state)["fluents"]) in (2, 5)  # a term of two halves, or four pairs
    state.apply(game.parse("go"))
    assert state.payoffs == [50, 50]


def test_not_all_moves_are_listed_to_be_refused() -> None:
    with pytest.raises(ValueError, match="cannot be grounded: there are more than 65535 moves"):
        kibitz.make("gdl", text=BASE + SHEETS["moves"], engine="propnet", seconds=60)


def test_findings_are_short() -> None:
    name = "é" * 100_000
    found = gdl.check(BASE + f"(<= (legal r a) (not (p ?{name})))")
    assert all(len(f.text.encode()) <= 2003 for f in found)
    assert any("unsafe" in f.text for f in found)
