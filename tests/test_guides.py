"""The rules for people: a guide per game and language, true where the game itself can be asked, and `kibitz rules`."""

from __future__ import annotations

import re

import pytest
from toy_game import ToyGame

import kibitz
from kibitz import guides
from kibitz.cli import run

WRITTEN = ["belote", "connect_four", "doudizhu", "hex", "mini_doudizhu", "tictactoe", "uno"]


def headings(text: str) -> list[int]:
    return [len(found) for found in re.findall(r"^(#+) ", text, flags=re.MULTILINE)]


def points(text: str) -> int:
    """The entries of lists."""
    return len(re.findall(r"^(-|\d\.) ", text, flags=re.MULTILINE))


@pytest.mark.parametrize("name", WRITTEN)
def test_every_game_has_a_guide_in_every_language(name: str) -> None:
    english = guides.guide(name)
    for language in guides.languages():
        text = guides.guide(name, language)
        assert headings(text) == headings(english), language  # the same sections
        assert points(text) == points(english), language
        assert (language == "en") == (text == english)
    assert guides.written() == WRITTEN


@pytest.mark.parametrize("name", WRITTEN)
def test_options_in_a_guide_are_options_of_the_game(name: str) -> None:
    """Every `option` and `option=value` is one that the game takes, and every option of the game is told."""
    options = kibitz.make(name).options
    for language in guides.languages():
        text = guides.guide(name, language)
        for option, value in re.findall(r"`([a-z_]+)=([a-z0-9]+)`", text):
            assert option in options
            made = kibitz.make(f"{name}:{option}={value}")
            assert str(made.options[option]).lower() == value
        told = set(re.findall(r"`([a-z_]+)(?:=[a-z0-9]+)?`", text))
        untold = {"players"} if name == "uno" else {"trumping"} if name == "belote" else set()  # in words, for study
        assert set(options) - told == untold - told


def test_moves_in_the_guide_of_dou_di_zhu_are_moves() -> None:
    game = kibitz.make("doudizhu")
    for language in guides.languages():
        moves = re.findall(r"`([3-9TJQKA2BR]+)`", guides.guide("doudizhu", language))
        assert len(moves) > 25
        for move in moves:
            game.parse(move)


@pytest.mark.parametrize("bridge", ["d6", "e6"])
def test_either_cell_of_the_bridge_joins_the_stones(bridge: str) -> None:
    """The example of Hex: with chains from the edges to e5 and d7, one of the two cells wins."""
    game = kibitz.make("hex")
    state = game.deal()
    chain = ["e1", "e2", "e3", "e4", "e5", "d7", "d8", "d9", "d10", "d11"]
    for number, cell in enumerate(chain, start=1):
        state.apply(game.parse(cell))
        state.apply(game.parse(f"k{number}"))
    assert not state.over
    state.apply(game.parse(bridge))
    assert state.payoffs == [1.0, -1.0]


def test_a_game_without_a_guide_is_described_by_what_is_known() -> None:
    for language in guides.languages():
        text = guides.guide("gdl:file=kuhn_poker", language)
        assert text.startswith("# kuhn_poker\n")
        assert "`first`, `second`, `random`" in text
        assert "`bet`, `check`" in text
        assert "0" in text
        assert "100" in text
    assert "fold" in guides.guide(ToyGame(players=3))
    with pytest.raises(ValueError, match="languages: en, fr, zh"):
        guides.guide("uno", "de")
    with pytest.raises(ValueError, match="unknown game"):
        guides.guide("chess")


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "uno"]) == 0
    shown = capsys.readouterr().out
    assert "Wild Draw 4" in shown
    assert "**" not in shown
    assert max(map(len, shown.splitlines())) <= 88
    assert run(["rules", "belote", "--language", "fr", "--plain"]) == 0
    assert capsys.readouterr().out == guides.guide("belote", "fr")
    assert run(["rules", "gdl", "--file", "hex_3"]) == 0
    assert "red" in capsys.readouterr().out
    assert run(["rules", "uno", "--language", "xx"]) == 2
    assert run(["rules", "chess"]) == 2
