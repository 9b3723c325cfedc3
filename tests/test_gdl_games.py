"""Rulesheets of real games at their real size (tests/sheets): legal moves, ends and goals beside plain Python, known
counts of sequences, and both engines in the same positions."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gdl_puzzles as puzzles
import gdl_reference as reference
import pytest

import kibitz
from kibitz import gdl
from kibitz.ggp.referee import Referee, Rules, read_rules

SHEETS = Path(__file__).with_name("sheets")

REFERENCES: dict[str, Callable[[], Any]] = {
    "amazons": reference.Amazons,
    "bidding_tictactoe": puzzles.BiddingTicTacToe,
    "blocker": puzzles.Blocker,
    "breakthrough": reference.Breakthrough,
    "checkers": reference.Checkers,
    "chess": reference.Chess,
    "chinese_checkers": reference.ChineseCheckers,
    "corridor": puzzles.Corridor,
    "eight_puzzle": puzzles.EightPuzzle,
    "knights_tour": puzzles.KnightsTour,
    "lights_out": puzzles.LightsOut,
    "nim": reference.Nim,
    "othello": reference.Othello,
    "peg_solitaire": puzzles.PegSolitaire,
    "pentago": reference.Pentago,
    "sudoku": puzzles.Sudoku,
}
OTHERS = ["connect_four_classic", "mastermind"]  # compared with a native game; with counting
BIG = {"amazons": 1}  # turns: the prover needs seconds for each
GAMES = {"amazons": 1, "chess": 1, "othello": 3, "chinese_checkers": 3}


def rules_of(name: str) -> Rules:
    return read_rules((SHEETS / f"{name}.kif").read_bytes().decode("utf-8", errors="replace"))


def make(name: str, **options: Any) -> Any:
    return kibitz.make("gdl", file=str(SHEETS / f"{name}.kif"), **options)


def test_every_sheet_has_its_test() -> None:
    assert sorted([*REFERENCES, *OTHERS]) == sorted(path.stem for path in SHEETS.glob("*.kif"))


@pytest.mark.parametrize("name", [*REFERENCES, *OTHERS])
def test_sheets_are_sound(name: str) -> None:
    assert gdl.check((SHEETS / f"{name}.kif").read_bytes().decode("utf-8", errors="replace")) == []


@pytest.mark.parametrize("name", REFERENCES)
def test_play_is_that_of_the_reference(name: str) -> None:
    """In every position of random games, for every role."""
    rules = rules_of(name)
    for seed in range(GAMES.get(name, 10)):
        ours, other, rng = Referee(rules), REFERENCES[name](), random.Random(seed)
        while not ours.over and (name != "chess" or ours.turn < 30):
            assert not other.over
            legal = ours.legal()
            assert list(map(set, legal)) == other.legal()
            moves = [rng.choice(known) for known in legal]
            ours.play(moves)
            other.play(moves)
        assert ours.over == other.over
        assert not ours.over or ours.goals == other.goals


# Chess is too large to ground: the prover alone plays it.
@pytest.mark.parametrize("name", [name for name in [*REFERENCES, *OTHERS] if name != "chess"])
def test_engines_agree(name: str) -> None:
    one, two = (make(name, engine=engine, seconds=600) for engine in ("propnet", "prover"))
    a, b, rng = one.deal(1), two.deal(1), random.Random(1)
    for _ in range(BIG.get(name, 30)):
        assert one.position(a)["fluents"] == two.position(b)["fluents"]
        assert a.legal() == b.legal()
        assert a.payoffs == b.payoffs
        if a.over:
            break
        action = rng.choice(a.legal())
        a.apply(action)
        b.apply(action)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("breakthrough", [22, 484, 11132, 256036]),
        ("othello", [4, 12, 56, 244, 1396, 8200, 55092]),
        ("checkers", [7, 49, 302, 1469, 7361]),
        ("chess", [20]),
        ("connect_four_classic", [7, 49, 343, 2401, 16807, 117649]),
        ("amazons", [1232]),
    ],
)
def test_known_counts_of_sequences(name: str, counts: list[int]) -> None:
    game = make(name)
    assert [game.perft(game.deal(), depth) for depth in range(1, len(counts) + 1)] == counts


def sequences(at: Any, depth: int) -> int:
    """Of games in which one role at a time has a choice."""
    if at.over or depth == 0:
        return int(depth == 0)
    total = 0
    legal = at.legal()
    mover = max(range(len(legal)), key=lambda role: len(legal[role]))
    for chosen in legal[mover]:
        after = copy.deepcopy(at)
        after.play([chosen if role == mover else next(iter(known)) for role, known in enumerate(legal)])
        total += sequences(after, depth - 1)
    return total


@pytest.mark.parametrize(
    ("name", "depth"), [("knights_tour", 4), ("peg_solitaire", 4), ("eight_puzzle", 6), ("pentago", 2), ("othello", 3)]
)
def test_counts_of_sequences(name: str, depth: int) -> None:
    game = make(name)
    assert game.perft(game.deal(), depth) == sequences(REFERENCES[name](), depth)


def test_connect_four_in_capitals_is_connect_four() -> None:
    native, game = kibitz.make("connect_four"), make("connect_four_classic")
    rng = random.Random(2)
    for _ in range(200):
        a, b = native.deal(), game.deal()
        while not a.over:
            assert [f"(DROP {native.text(action)})" for action in a.legal()] == [game.text(x) for x in b.legal()]
            action = rng.choice(a.legal())
            a.apply(action)
            b.apply(game.parse(f"(DROP {native.text(action)})"))
        assert b.over
        assert b.payoffs == [50 + 50 * payoff for payoff in a.payoffs]


def test_mastermind_hides_its_code() -> None:
    """All codes that fit the hints are as likely, and no other one."""
    game = make("mastermind")
    state = game.deal(3)
    state.apply(game.parse("wait"))
    colours = ("red", "green", "blue", "black")
    fitting = {(a, b, c) for a in colours for b in colours for c in colours}
    for guess in (("red", "red", "green"), ("blue", "red", "black")):
        state.apply(game.parse(f"(guess {' '.join(guess)})"))
        if state.over:
            break
        [seen] = game.position(state.view(0))["past"][-1]["sees"]
        hits = int(seen.split()[1].rstrip(")"))
        fitting = {code for code in fitting if sum(x == y for x, y in zip(code, guess, strict=True)) == hits}
    drawn = set()
    for seed in range(40 * len(fitting)):
        world = game.position(state.view(0).sample(seed))["fluents"]
        code = sorted(fluent for fluent in world if fluent.startswith("(code"))
        drawn.add(tuple(fluent.split()[2].rstrip(")") for fluent in code))
    assert drawn == fitting


def test_what_cannot_be_grounded_is_played_all_the_same() -> None:
    game = make("chess", seconds=600)  # of which it needs a few, but a busy machine more
    assert game.about["engine"] == "prover"
    assert "conditions" in game.about["why"]
    state = game.deal()
    for text in ("(move 6 2 6 3)", "(move 5 7 5 5)", "(move 7 2 7 4)", "(move 4 8 8 4)"):
        state.apply(game.parse(text))
    assert state.over
    assert state.payoffs == [0, 100]


def test_pictures_tell_pieces_apart() -> None:
    """Also of the prover, which does not know where else something could stand."""
    lines = str(make("chess", seconds=0).deal()).splitlines()
    assert lines[2:5] == [
        "   8  bro bkn bbi bqu bki bbi bkn bro",
        "   7  bpa bpa bpa bpa bpa bpa bpa bpa",
        "   6    .   .   .   .   .   .   .   .",
    ]
    assert lines[10] == "        1   2   3   4   5   6   7   8"


def test_pictures_of_other_boards() -> None:
    """Letters or numbers of two digits along the sides; black is not blank."""
    text = """(role r) (legal r x) (<= terminal (true (cell a 1 w))) (goal r 1)
        (init (cell a 1 w)) (init (cell b 10 b)) (init (cell b 9 empty)) (init (turn 1 2)) (init (turn 3 4))"""
    lines = str(kibitz.make("gdl", text=text).deal()).splitlines()
    assert lines[1:5] == ["cell:", "  10  . b", "   9  . .", "   8  . ."]
    assert lines[12:14] == ["      a b", "(turn 1 2) (turn 3 4)"]


def test_pictures_of_empty_boards() -> None:
    lines = str(kibitz.make("gdl", file="hex_3").deal()).splitlines()
    assert lines[1:] == ["cell:", "   3  . . .", "   2  . . .", "   1  . . .", "      a b c", "(control red)"]


@pytest.mark.parametrize(
    ("cells", "rows"),
    [
        ([("1", "1", "black_king"), ("2", "2", "blue_king")], ["   2     . bluk", "   1  blak    ."]),
        ([("1", "1", "b"), ("2", "2", "y"), ("1", "2", "empty")], ["   2  . y", "   1  b ."]),
        ([("2147483640", "1", "x"), ("2147483647", "2", "o")], ["   2    .   o", "   1    x   ."]),
        ([("éé", "1", "ü"), ("üü", "2", "ö")], ["   2   .  ö", "   1   ü  ."]),
    ],
)
def test_pictures_of_odd_boards(cells: list[tuple[str, str, str]], rows: list[str]) -> None:
    inits = " ".join(f"(init (cell {' '.join(cell)}))" for cell in cells)
    game = kibitz.make("gdl", text=f"(role r) (legal r x) (legal r y) (<= terminal (true done)) (goal r 1) {inits}")
    assert str(game.deal()).splitlines()[2:4] == rows
