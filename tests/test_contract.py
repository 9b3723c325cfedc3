"""The laws of a game (src/kibitz/contract.py), checked over random play of every game and variant (tests/variants.py).

A game that satisfies the protocol alone (plain Python) is held to the laws that concern what it has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_game import ToyGame, ToyState
from variants import PERFECT_INFORMATION, Variant, effort, native_variants

import kibitz
from kibitz.contract import LAWS, Table, reach

TOYS = [
    Variant("toy", ToyGame),
    Variant("toy", ToyGame, {"players": 5, "ranks": 3}),
    Variant("toy", ToyGame, {"players": 4, "partners": True}),
]
SEEDS = st.integers(0, 2**64 - 1)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: str(law.__name__))
@pytest.mark.parametrize("variant", native_variants() + TOYS, ids=str)
def test_contract(variant: Variant, law: Callable[[Table], None]) -> None:
    # A function of its own for every pair: hypothesis lengthens the settings of one that pytest parametrizes by a link
    # per set of parameters, and a chain of a thousand is too deep for Python.
    @effort(20)
    @given(SEEDS, st.integers(0, 100), st.lists(st.integers(0, 99), max_size=10))
    def holds(seed: int, percent: int, choices: list[int]) -> None:
        law(reach(variant.make(), seed, percent, choices))

    holds()


@pytest.mark.parametrize("variant", native_variants() + TOYS, ids=str)
def test_options_make_the_same_game_again(variant: Variant) -> None:
    game = variant.make()
    assert variant.factory(**game.options) == game


@pytest.mark.parametrize("variant", native_variants() + TOYS, ids=str)
def test_seeds_matter(variant: Variant) -> None:
    """Different seeds give different deals, different samples different worlds: else the laws above say little."""
    game = variant.make()
    if variant.name in PERFECT_INFORMATION:
        assert len({game.deal(seed).view(0).key for seed in range(50)}) == 1
        return
    assert len({game.deal(seed).view(0).key for seed in range(50)}) > 2
    view = game.deal(3).view(0)
    assert len({view.sample(seed).view(1).key for seed in range(50)}) > 2


def test_options_tell_games_apart() -> None:
    for name in {variant.name for variant in native_variants()}:
        games = [variant.make() for variant in native_variants(name)]
        assert len({str(game.options) for game in games}) == len(set(games)) == len(games)


def test_check_finds_nothing_in_our_games(capsys: pytest.CaptureFixture[str]) -> None:
    for game in (kibitz.make("mini_doudizhu"), kibitz.make("tictactoe"), ToyGame()):
        assert kibitz.check(game, deals=4) == []
        assert f"{len(LAWS)} of {len(LAWS)} laws hold" in capsys.readouterr().out


class Forgetful(ToyGame):
    """Deals a state that lets a seat fold twice and pays without end."""

    name = "forgetful"

    def deal(self, seed: int = 0) -> ToyState:
        return Leaky(self, super().deal(seed).cards)


class Leaky(ToyState):
    @property
    def payoffs(self) -> list[float]:
        return [1.0] * self.game.players

    def legal(self) -> list[int]:
        return super().legal()[::-1]

    def copy(self) -> ToyState:
        return Leaky(self.game, self.cards, self.history)


def test_check_names_what_fails(capsys: pytest.CaptureFixture[str]) -> None:
    found = {failure.law: failure.text for failure in kibitz.check(Forgetful(), deals=4)}
    assert "must ascend" in found["legal_ascends_and_ends_with_the_game"]
    assert "zero while the game runs" in found["payoffs_keep_their_promises"]
    assert "copies_are_independent" in found
    assert "texts_name_actions" not in found
    said = capsys.readouterr().out
    assert "FAILS legal ascends" in said
    assert f"{len(LAWS) - len(found)} of {len(LAWS)} laws hold" in said


def test_check_says_what_is_no_game(capsys: pytest.CaptureFixture[str]) -> None:
    thing: Any = object()
    assert "lacks" in kibitz.check(thing)[0].text
    with pytest.raises(ValueError, match="deals"):
        kibitz.check(ToyGame(), deals=0)
