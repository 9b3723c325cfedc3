"""What a player knows of a match: scrambled names, referees, and minds that follow by what they are told."""

from __future__ import annotations

import random
import time

import pytest
from gdl_sheets import SHEETS
from ggp_common import run, sheet, terms

from kibitz import gdl
from kibitz.ggp import kif, manager, thinker
from kibitz.ggp.referee import Referee, Rules, goals_that_hold, read_rules
from kibitz.ggp.scramble import Scrambler


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


def test_work_that_does_not_end_is_left_behind() -> None:
    worker = thinker.Worker()
    with pytest.raises(ValueError, match="not ready in time"):
        worker.do(time.sleep, 0.3, until=time.monotonic() + 0.01)
    assert worker.do(lambda: 3) == 3


def test_the_agent_fits_the_game() -> None:
    assert thinker.Thinker(sheet("tictactoe"), "x", None, 1).agent == "uct"
    assert thinker.Thinker(sheet("kuhn_poker"), "first", None, 1).agent == "ismcts"
    assert thinker.Thinker(sheet("kuhn_poker"), "first", "uct", 1).agent == "ismcts"  # uct cannot play it
    assert thinker.Thinker(sheet("tictactoe"), "x", "pimc:worlds=3", 1).agent == "pimc:worlds=3"
    with pytest.raises(ValueError, match="roles are x, o"):
        thinker.Thinker(sheet("tictactoe"), "z", None, 1)


def test_searches_that_end_late_are_told_to_end_earlier() -> None:
    mind = thinker.Thinker(sheet("tictactoe"), "x", None, 1)
    assert mind.choose(time.monotonic() + 0.2) in mind.match.legal()
    assert 0 <= mind.overrun < 0.2
    mind.overrun = 0.5
    begun = time.monotonic()
    assert mind.choose(begun + 0.8) in mind.match.legal()
    assert time.monotonic() - begun < 0.6
    mind.overrun = 10.0  # a play-out of chess may take so long
    with pytest.raises(ValueError, match="longer than there is time"):
        mind.choose(time.monotonic() + 1)
    assert mind.overrun < 10
