"""What a player knows of a match: scrambled names, referees, and minds that follow by what they are told."""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from gdl_sheets import SHEETS
from ggp_common import PATIENCE, WATCHED, lines, program, run, sheet, terms

import kibitz
from kibitz import gdl
from kibitz.agents.base import AgentBase
from kibitz.ggp import kif, manager, thinker
from kibitz.ggp.referee import Referee, Rules, goals_that_hold, read_rules
from kibitz.ggp.scramble import Scrambler
from kibitz.registry import parse_spec

DAY = 86_400


@pytest.mark.parametrize("name", gdl.rulesheets())
def test_scrambled_names_give_the_same_game(name: str) -> None:
    rules = sheet(name)
    names = Scrambler(rules.names, 5)
    strange = Rules(names.there(item) for item in rules.items)
    kept = strange.names & rules.names
    assert {word for word in kept if not word.isdigit() and word.lower() not in kif.KEYWORDS} == set()
    plain, scrambled = Referee(rules), Referee(strange)
    rng = random.Random(1)

    def back(text: str) -> str:
        return kif.text(names.back(kif.parse_one(text)))

    while not plain.over:
        legal = plain.legal()
        assert [sorted(map(back, moves)) for moves in scrambled.legal()] == [sorted(moves) for moves in legal]
        assert sorted(map(back, scrambled.fluents())) == sorted(plain.fluents())
        moves = [rng.choice(known) for known in legal]
        plain.play(moves)
        scrambled.play([kif.text(names.there(kif.parse_one(move))) for move in moves])
        seen = [sorted(map(back, percepts)) for percepts in scrambled.percepts()]
        assert seen == [sorted(percepts) for percepts in plain.percepts()]
    assert scrambled.over
    assert scrambled.goals == plain.goals
    assert goals_that_hold(rules, plain.fluents()) == {
        role: [goal] for role, goal in zip(plain.roles, plain.goals, strict=True)
    }


def test_goals_that_are_none_or_several() -> None:
    rules = read_rules(
        "(role a) (role b) (init go) (legal a x) (legal b x) (<= terminal (not (true go))) (<= (next stop) (true go))"
        "(<= (goal a 10) (true stop)) (<= (goal a 20) (true stop)) (<= (goal b 5) (true go))"
    )
    record = run(manager.Match(rules, "odd", [None, None], manager.Settings()).run())
    assert record.goals == [20, 0]
    assert [(error.role, error.error, error.why) for error in record.errors] == [
        ("a", "GOAL", "several goals hold at the end: 10, 20"),
        ("b", "GOAL", "no goal holds at the end"),
    ]


def follow(rules: Rules, seed: int, most: int = 50) -> int:
    """Thinkers of all roles know their legal moves, by what they are told alone; returns how often they were asked."""
    asked = 0
    referee, rng = Referee(rules), random.Random(seed)
    minds = {role: thinker.Thinker(rules, role, "random", seed) for role in rules.seats}
    while not referee.over and referee.turn < most:
        for role, legal in zip(referee.roles, referee.legal(), strict=True):
            assert role not in minds or sorted(minds[role].match.legal()) == sorted(legal)
            asked += role in minds
        moves = [rng.choice(legal) for legal in referee.legal()]
        referee.play(moves)
        for at, role in enumerate(referee.roles if not referee.over else []):
            if role in minds and rules.hidden:
                seen = terms(*referee.percepts()[at])
                assert minds[role].told(seen, referee.turn, kif.parse_one(moves[at])) == ""
            elif role in minds:
                assert minds[role].told(terms(*moves), None, None) == ""
    return asked


@pytest.mark.parametrize("name", gdl.rulesheets())
def test_thinkers_follow_a_match(name: str) -> None:
    assert follow(sheet(name), 3) > 1


@pytest.mark.parametrize("name", SHEETS)
def test_thinkers_follow_odd_rulesheets(name: str) -> None:
    assert follow(read_rules(SHEETS[name].text), 1, most=12) > 0


def test_thinkers_go_on_where_nothing_fits() -> None:
    mind = thinker.Thinker(sheet("tictactoe"), "O", "random", 1)
    assert "not legal" in mind.told(terms("(mark 9 9)", "noop"), None, None)
    assert "not legal" in mind.told(terms("noop"), None, None)
    assert mind.match.turn == 2
    assert mind.choose(time.monotonic()) in mind.match.legal()
    poker = thinker.Thinker(sheet("kuhn_poker"), "first", None, 1)
    assert "cannot be" in poker.told(terms("(dealt ace)"), 1, "noop")
    assert sorted(poker.match.legal()) == ["bet", "check"]
    assert "were missed" in poker.told((), 3, None) or poker.match.turn == 3


def test_nothing_seen_may_be_nil() -> None:
    for first, later in ((None, None), (0, 1)):
        mind = thinker.Thinker(sheet("monty_hall"), "candidate", "random", 1)
        assert mind.told(None, first, None) == ""
        assert mind.told(None, later, ("choose_door", "2")) == ""
        assert mind.match.turn == 1
        assert mind.match.legal() == ["noop"]


@contextlib.contextmanager
def mind(agent: str | None = None, follow: bool = False) -> Iterator[tuple[subprocess.Popen[str], Iterator[str]]]:
    """A process that thinks about tictactoe, or follows it, and is ready; and what it says."""
    pipe = subprocess.PIPE
    with program(str(WATCHED), stdin=pipe, stdout=pipe, stderr=pipe) as running:
        start: dict[str, object] = {"rules": sheet("tictactoe").text(), "role": "x", "agent": agent}
        tell(running, start | {"seed": 1, "seconds": 10, "follow": follow})
        said = lines(running.stdout)
        assert json.loads(next(said))["ready"]
        yield running, said


def tell(running: subprocess.Popen[str], *messages: dict[str, object]) -> None:
    assert running.stdin is not None
    running.stdin.write("".join(json.dumps(message) + "\n" for message in messages))
    running.stdin.flush()


def question(number: int, seconds: float) -> dict[str, object]:
    told = {"number": number, "told": None, "turn": None, "last": None}
    return told | {"deadline": time.monotonic() + seconds}


@pytest.mark.parametrize("agent", [None, "sleeper"])
def test_moves_that_are_not_wanted_are_not_thought_about(agent: str | None) -> None:
    with mind(agent) as (running, said):
        tell(running, question(1, DAY), question(2, DAY))
        assert "searching" in lines(running.stderr)
        tell(running, {"unwanted": 2}, {"unwanted": 1}, question(3, DAY))  # the second has not come up yet
        assert "searching" in lines(running.stderr)
        tell(running, {"unwanted": 3}, {"unwanted": 3}, {"unwanted": 2}, question(4, 0))
        heard = [json.loads(next(said)) for _ in range(4)]
        assert [(what["number"], "legal" in what) for what in heard] == [(1, True), (2, True), (3, True), (4, True)]
        if agent is None:
            move = json.loads(next(said))
            assert move["number"] == 4
            assert move["move"] in heard[3]["legal"]


@pytest.mark.parametrize("doing", ["thinking", "following", "searching"])
def test_minds_end_when_the_player_hangs_up(doing: str) -> None:
    with mind(follow=doing == "following") as (running, _):
        assert running.stdin is not None
        if doing == "searching":
            tell(running, question(1, DAY))
            assert "searching" in lines(running.stderr)
        running.stdin.close()
        assert running.wait(PATIENCE) == 0


def test_the_agent_fits_the_game() -> None:
    assert thinker.Thinker(sheet("tictactoe"), "x", None, 1).agent == "uct"
    assert thinker.Thinker(sheet("kuhn_poker"), "first", None, 1).agent == "ismcts"
    assert thinker.Thinker(sheet("kuhn_poker"), "first", "uct", 1).agent == "ismcts"  # uct cannot play it
    assert thinker.Thinker(sheet("tictactoe"), "x", "pimc:worlds=3", 1).agent == "pimc:worlds=3"
    with pytest.raises(ValueError, match="roles are x, o"):
        thinker.Thinker(sheet("tictactoe"), "z", None, 1)


class Slow(AgentBase):
    """Takes `late` seconds more than the `ms` that it may, by a clock of its own."""

    now, late, ms = 1000.0, 0.0, 0

    def limited(self, spec: str) -> Slow:
        self.ms = parse_spec(spec).options["ms"]
        return self

    def act(self, view: Any) -> int:
        self.now += self.ms / 1000 + self.late
        return int(view.legal()[0])


def test_searches_that_end_late_are_told_to_end_earlier(monkeypatch: pytest.MonkeyPatch) -> None:
    mind = thinker.Thinker(sheet("tictactoe"), "x", None, 1)
    assert mind.choose(time.monotonic() + 0.01) in mind.match.legal()
    mind.overrun = 0.0
    slow = Slow()
    monkeypatch.setattr(thinker, "time", SimpleNamespace(monotonic=lambda: slow.now))
    monkeypatch.setattr(kibitz, "agent", slow.limited)
    turns = [(0.5, 2000, 0.5), (0.5, 1500, 0.5), (0.0, 1500, 0.4), (0.0, 1600, 0.32), (3.0, 1680, 3.0)]
    for slow.late, ms, overrun in turns:
        assert mind.choose(slow.now + 2.0) in mind.match.legal()
        assert slow.ms == pytest.approx(ms, abs=1)
        assert mind.overrun == pytest.approx(overrun, abs=0.002)
    with pytest.raises(ValueError, match="longer than there is time"):  # a play-out of chess may take so long
        mind.choose(slow.now + 2.0)
    assert mind.overrun == pytest.approx(2.4, abs=0.002)
