"""The person at the terminal at Belote, Dou Di Zhu and the board games: what is shown, and what may be typed."""

from __future__ import annotations

import io
import random
from typing import Any

import pytest
from rich.console import Console
from variants import Variant, native_variants

import kibitz
from kibitz.terminal import PAINTERS
from kibitz.terminal.commands import Quit
from kibitz.terminal.human import Human
from kibitz.terminal.painter import MOST_OFFERED, Painter, painter_of

OTHERS = [variant for variant in native_variants() if variant.name != "uno"]


def asked(view: Any, *lines: str, width: int = 100) -> tuple[str, str]:
    """The action of somebody who types these lines, as text, and what the screen showed."""
    human, screen = Human(), io.StringIO()
    human.console = Console(file=screen, width=width, highlight=False)
    script = iter(lines)
    human.ask = lambda prompt: next(script)
    return str(view.game.text(human.act(view))), screen.getvalue()


@pytest.mark.parametrize("variant", OTHERS, ids=str)
def test_every_action_can_be_typed_as_its_text(variant: Variant) -> None:
    game, rng = variant.make(), random.Random(1)
    for seed in range(2):
        state = game.deal(seed)
        while not state.over:
            action = rng.choice(state.legal())
            text, screen = asked(state.view(state.to_act), game.text(action))
            assert text == game.text(action)
            assert max(map(len, screen.splitlines())) <= 100
            state.apply(action)


def state_of(game: Any, *moves: str, seed: int = 3) -> Any:
    state = game.deal(seed)
    for move in moves:
        state.apply(game.parse(move))
    return state


def test_belote_shows_suits_sides_and_the_trick() -> None:
    game = kibitz.make("belote", bidding=True)
    state = state_of(game)
    assert "Turned up   K♥" in asked(state.view(0), "1")[1]
    assert asked(state.view(0), "take hearts")[0] == asked(state.view(0), "take ♥")[0] == "take-h"
    for move in ("take-h", "10d"):
        state.apply(game.parse(move))
    position = game.position(state)
    _, screen = asked(state.view(1), "1")
    assert "Trump is ♥ hearts, taken by seat 0" in screen
    assert "Your side: 0 points, 0 tricks; the others: 0 points, 0 tricks" in screen
    for seat, hand in enumerate(position["hands"]):
        shown = [card.replace("s", "♠").replace("h", "♥").replace("d", "♦").replace("c", "♣") for card in hand]
        picture = screen[screen.index("Trump is") :]  # not what was told before
        assert all((f" {card} " in picture) == (seat == 1) for card in shown), f"the hand of seat {seat}"
    assert " 10♦ " in screen
    legal = [game.text(action) for action in state.legal()]
    card = legal[-1]
    for typed in (card, card.upper(), card[:-1] + "♠♥♦♣"["shdc".index(card[-1])], str(len(legal))):
        assert asked(state.view(1), typed)[0] == card


def test_a_queen_does_not_leave_the_game() -> None:
    game = kibitz.make("doudizhu")
    view = state_of(game).view(0)
    assert asked(view, "q")[0] == asked(view, "Q")[0] == "Q"
    with pytest.raises(Quit):
        asked(view, "/quit")
    with pytest.raises(Quit):
        asked(state_of(kibitz.make("belote")).view(0), "/q")


def test_numbers_are_cards_in_doudizhu_and_bids_while_bidding() -> None:
    game = kibitz.make("doudizhu", bidding=True)
    view = state_of(game).view(0)
    assert asked(view, "2")[0] == asked(view, "bid-2")[0] == "bid-2"
    state = state_of(game, "bid-3")
    text, screen = asked(state.view(0), "2")
    assert text == "2"
    assert "landlord  20 cards" in screen
    assert "single card: " in screen


def test_long_lists_are_cut_unless_somebody_asks() -> None:
    for name, last in (("hex", "k11"), ("doudizhu", "AAA2")):
        state = state_of(kibitz.make(name))
        assert len(state.legal()) > MOST_OFFERED
        _, short = asked(state.view(0), state.game.text(state.legal()[0]))
        assert " in all (/moves" in " ".join(short.split())
        assert last not in short
        _, everything = asked(state.view(0), "/moves", state.game.text(state.legal()[0]))
        assert last in everything


def test_a_bomb_is_always_offered() -> None:
    game = kibitz.make("doudizhu")
    bombs = {game.parse(4 * rank) for rank in "3456789TJQKA2"}
    deals = (game.deal(seed) for seed in range(1000))
    state = next(state for state in deals if bombs & set(state.legal()) and len(state.legal()) > MOST_OFFERED)
    bomb = game.text(min(bombs & set(state.legal())))
    assert f"bomb: {bomb}" in asked(state.view(0), bomb)[1]


def test_hex_says_which_edges_are_whose() -> None:
    state = state_of(kibitz.make("hex", size=3))
    assert "You are x and join top and bottom." in asked(state.view(0), "a1")[1]
    state.apply(0)
    assert "You are o and join left and right." in asked(state.view(1), "b1")[1]


@pytest.mark.parametrize("name", PAINTERS)
def test_every_painter_is_one_of_a_game(name: str) -> None:
    painter = painter_of(kibitz.make(name))
    assert issubclass(painter, Painter)
    assert painter is not Painter
    assert painter_of(None) is Painter
