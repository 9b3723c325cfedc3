"""Tic-Tac-Toe, Connect Four and Hex: published counts, open_spiel 2.0.2 move by move, positions and bad input."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyspiel
import pytest

import kibitz

PEERS = [
    ("tictactoe", {}, "tic_tac_toe", 300),
    ("connect_four", {}, "connect_four", 150),
    ("connect_four", {"rows": 4, "columns": 4}, "connect_four(rows=4,columns=4)", 150),
    ("connect_four", {"rows": 4, "columns": 9}, "connect_four(rows=4,columns=9)", 100),
    ("connect_four", {"rows": 8, "columns": 8}, "connect_four(rows=8,columns=8)", 100),
    ("connect_four", {"rows": 10, "columns": 11}, "connect_four(rows=10,columns=11)", 60),
    ("hex", {"size": 2}, "hex(board_size=2)", 50),
    ("hex", {"size": 3}, "hex(board_size=3)", 200),
    ("hex", {"size": 5}, "hex(board_size=5)", 100),
    ("hex", {"size": 8}, "hex(board_size=8)", 40),
    ("hex", {"size": 9}, "hex(board_size=9)", 30),
    ("hex", {"size": 4, "swap": True}, "hex(board_size=4,swap=True)", 300),
    ("hex", {"size": 11}, "hex", 20),
    ("hex", {"size": 19}, "hex(board_size=19)", 5),
]


def board(game: Any, state: Any) -> list[str]:
    return list(game.position(state)["board"])


def their_board(state: pyspiel.State) -> list[str]:
    rows = ["".join(line.split()) for line in str(state).splitlines()]
    return [row for row in rows if row and set(row) <= set("xo.")]


@pytest.mark.parametrize(("name", "options", "peer", "games"), PEERS)
def test_every_move_agrees_with_open_spiel(name: str, options: dict[str, Any], peer: str, games: int) -> None:
    game, theirs = kibitz.make(name, **options), pyspiel.load_game(peer)
    assert game.num_actions == theirs.num_distinct_actions()
    rng = random.Random(7)
    ends = set()
    for seed in range(games):
        state, other = game.deal(seed), theirs.new_initial_state()
        while not other.is_terminal():
            assert not state.over
            assert state.to_act == other.current_player()
            assert state.legal() == other.legal_actions()
            action = rng.choice(state.legal())
            state.apply(action)
            other.apply_action(action)
            assert board(game, state) == their_board(other)
            assert game.from_position(game.position(state)) == state
        assert state.over
        assert state.legal() == []
        assert state.payoffs == other.returns()
        ends.add(state.payoffs[0])
    assert {1.0, -1.0} <= ends


@pytest.mark.parametrize("size", [4, 5])
def test_larger_tictactoe_ends_with_a_full_line(size: int) -> None:
    """A slow reference: rows, columns and diagonals as strings."""
    game = kibitz.make("tictactoe", size=size)
    rng = random.Random(size)
    won = 0
    for _ in range(300):
        state = game.deal()
        while not state.over:
            state.apply(rng.choice(state.legal()))
            rows = board(game, state)
            lines = [*rows, *("".join(column) for column in zip(*rows, strict=True))]
            lines.append("".join(rows[i][i] for i in range(size)))
            lines.append("".join(rows[i][-1 - i] for i in range(size)))
            winner = [seat for seat in (0, 1) if "xo"[seat] * size in lines]
            assert state.over == (bool(winner) or "." not in "".join(rows))
            if winner:
                assert state.payoffs == ([1, -1] if winner == [0] else [-1, 1])
                won += 1
    assert won > 20


def test_tictactoe_has_its_known_numbers_of_games_and_positions() -> None:
    game = kibitz.make("tictactoe")
    layer = {"": (game.deal(), 1)}  # board -> a state and the number of ways to it
    games = positions = 0
    while layer:
        positions += len(layer)
        following: dict[str, tuple[Any, int]] = {}
        for state, ways in layer.values():
            games += ways * state.over
            for action in state.legal():
                after = state.copy()
                after.apply(action)
                key = "".join(board(game, after))
                following[key] = (after, following.get(key, (after, 0))[1] + ways)
        layer = following
    assert games == 255_168
    assert positions == 5_478


def test_connect_four_has_its_known_perft() -> None:
    game = kibitz.make("connect_four")
    counts = [game.perft(game.deal(), depth) for depth in range(9)]
    assert counts == [1, 7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234]


def test_perft_is_the_same_in_one_word_and_in_two() -> None:
    """Columns far from the stones do not change who wins: perft to a depth below any filled column only needs width."""
    narrow, wide = kibitz.make("connect_four", rows=7, columns=8), kibitz.make("connect_four", rows=8, columns=8)
    assert [narrow.perft(narrow.deal(), d) for d in range(7)] == [wide.perft(wide.deal(), d) for d in range(7)]


def test_perft_counts_no_games_that_ended() -> None:
    game = kibitz.make("tictactoe")
    assert [game.perft(game.deal(), d) for d in (5, 6, 9, 10)] == [15_120, 54_720, 127_872, 0]
    with pytest.raises(ValueError, match="0 to 1000"):
        game.perft(game.deal(), -1)


def test_swap_takes_over_the_mirrored_stone() -> None:
    game = kibitz.make("hex", size=4, swap=True)
    state = game.deal()
    assert game.num_actions == 17
    assert 16 not in state.legal()
    state.apply(game.parse("d1"))
    assert state.legal()[-1] == game.parse("swap") == 16
    kept = state.copy()
    state.apply(16)
    assert board(game, state) == ["....", "....", "....", "o..."]
    assert state.to_act == 0
    state.apply(game.parse("a1"))
    assert 16 not in state.legal()
    assert game.from_position(game.position(state)) == state
    kept.apply(game.parse("a1"))
    assert 16 not in kept.legal()


@pytest.mark.parametrize("seat", [0, 1])
def test_planes_show_own_stones_first(seat: int) -> None:
    game = kibitz.make("connect_four", rows=4, columns=5)
    state = game.deal()
    for column in (0, 0, 4):
        state.apply(column)
    planes = state.view(seat).encode("planes")
    assert planes.shape == (3, 4, 5)
    first = np.zeros((4, 5))
    first[3, 0] = first[3, 4] = 1
    second = np.zeros((4, 5))
    second[2, 0] = 1
    np.testing.assert_array_equal(planes[seat], first)
    np.testing.assert_array_equal(planes[1 - seat], second)
    assert (planes[2] == (seat == 1)).all()
    hex_planes = kibitz.make("hex", size=3).deal().view(seat).encode("planes")
    assert (hex_planes[3] == (seat == 0)).all()


def test_views_are_the_state() -> None:
    game = kibitz.make("hex", size=4)
    state = game.deal()
    state.apply(5)
    for seat in (0, 1):
        view = state.view(seat)
        assert view.sample(3) == state
        assert view.legal() == (state.legal() if seat == 1 else [])
        assert game.from_position(game.position(view)) == view
    assert str(state.view(0)) == str(state)


def test_pictures() -> None:
    game = kibitz.make("tictactoe")
    state = game.deal()
    state.apply(game.parse("b2"))
    assert str(state) == "tictactoe, o (seat 1) to move\n  a b c\n1 . . .\n2 . x .\n3 . . ."
    game = kibitz.make("hex", size=2)
    state = game.deal()
    for text in ("a1", "b1", "a2"):
        state.apply(game.parse(text))
    assert str(state) == "hex, over: x (seat 0) won\n  a b\n1 x o\n2  x ."
    assert str(kibitz.make("connect_four", rows=1, columns=11).deal()).splitlines()[1] == "1 2 3 4 5 6 7 8 9 0 1"


BAD_OPTIONS = [
    ("tictactoe", {"size": 6}, "from 3 to 5, not 6"),
    ("tictactoe", {"size": "3"}, "whole number"),
    ("tictactoe", {"rows": 3}, "allowed: size"),
    ("tictactoe", {"players": 3}, "from 2 to 2, not 3"),
    ("connect_four", {"rows": 0}, "from 1 to 20, not 0"),
    ("connect_four", {"rows": 12, "columns": 12}, r"columns \* \(rows \+ 1\) must be at most 128, not 156"),
    ("connect_four", {"size": 4}, "allowed: rows, columns"),
    ("hex", {"size": 20}, "from 2 to 19, not 20"),
    ("hex", {"swap": 1}, "true or false"),
]


@pytest.mark.parametrize(("name", "options", "says"), BAD_OPTIONS)
def test_bad_options_say_what_is_allowed(name: str, options: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        kibitz.make(name, **options)


HEX = {"size": 3}
BAD_POSITIONS: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("tictactoe", {}, {}, "needs a board"),
    ("tictactoe", {}, {"board": "xo"}, "must be a list"),
    ("tictactoe", {}, {"board": ["...", "..."]}, "3 rows, not 2"),
    ("tictactoe", {}, {"board": ["...", "....", "..."]}, "3 cells"),
    ("tictactoe", {}, {"board": ["...", ".X.", "..."]}, "unknown cell 'X'"),
    ("tictactoe", {}, {"board": ["...", 3, "..."]}, "must be text"),
    ("tictactoe", {}, {"board": ["xx.", "...", "..."]}, "2 x and 0 o"),
    ("tictactoe", {}, {"board": ["x..", "...", "..."], "to_act": 0}, "to_act must be 1"),
    ("tictactoe", {}, {"board": ["xxx", "ooo", "..."]}, "has moved since"),
    ("tictactoe", {}, {"board": ["xxx", "oo.", "o.."]}, "has moved since"),
    ("tictactoe", {"size": 5}, {"board": ["xxxxx", "xxxxx", "oooo.", "oooo.", "....o"]}, "no single move"),
    ("tictactoe", {}, {"board": ["...", "...", "..."], "size": 4}, "size 4, this game has 3"),
    ("tictactoe", {}, {"board": ["...", "...", "..."], "game": "uno"}, "position of 'uno'"),
    ("tictactoe", {}, {"board": ["...", "...", "..."], "version": 2}, "version"),
    ("tictactoe", {}, {"board": ["...", "...", "..."], "colour": 2}, "member"),
    ("tictactoe", {}, {"board": ["...", "...", "..."], "seat": 2}, "seat"),
    ("connect_four", {"rows": 2, "columns": 2}, {"board": ["x.", ".."]}, "column 1 .* in the air"),
    ("hex", HEX, {"board": ["xo.", "xo.", "xo."]}, "has moved since"),
    ("hex", HEX, {"board": ["xx.", "x..", "..."]}, "3 x and 0 o"),
    ("hex", HEX | {"swap": True}, {"board": ["oo.", "x..", "..."], "to_act": 1}, "after a swap"),
]


@pytest.mark.parametrize(("name", "options", "position", "says"), BAD_POSITIONS)
def test_bad_positions_say_what_is_wrong(
    name: str, options: dict[str, Any], position: dict[str, Any], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        kibitz.make(name, **options).from_position(position)


@pytest.mark.parametrize(("name", "text"), [("tictactoe", "d1"), ("connect_four", "0"), ("hex", "swap")])
def test_unknown_actions_say_what_is_allowed(name: str, text: str) -> None:
    game = kibitz.make(name)
    with pytest.raises(ValueError, match="actions are"):
        game.parse(text)
    for action in range(game.num_actions):
        assert game.parse(game.text(action)) == action


def test_matches_and_tables_play_them() -> None:
    for name in ("tictactoe", "connect_four", "hex"):
        game = kibitz.make(name)
        assert kibitz.make(name, players=2) == game
        assert kibitz.play(game, ["random", "random"], games=20, seed=1).games >= 20
