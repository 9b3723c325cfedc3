"""The person at the terminal at Belote, Dou Di Zhu and the board games: what is shown, and what may be typed."""

from __future__ import annotations

import io
import random
import re
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


def test_what_people_type_for_cards_of_belote() -> None:
    state = state_of(kibitz.make("belote", bidding=True), "pass", "pass", "pass", "pass", seed=3)
    for typed in ("take spades", "take-s", "take ♠", "take ♠ spades", "TAKE S"):
        assert asked(state.view(0), typed)[0] == "take-s"
    view = state_of(kibitz.make("belote"), seed=3).view(0)
    hand = kibitz.make("belote").position(view)["hands"][0]
    card = next(card for card in hand if card.startswith("10"))
    suit = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}[card[-1]]
    for typed in (card, f"{card[-1]}10", f"ten of {suit}", f"10 of {suit}", f"T{card[-1]}", f" 10 {suit} "):
        assert asked(view, typed)[0] == card
    missing = next(f"{rank}h" for rank in ("7", "8", "9", "J", "A") if f"{rank}h" not in hand)
    assert f"You have no {missing[:-1]}♥." in asked(view, missing, "1")[1]


def test_belote_says_why_a_card_cannot_be_played() -> None:
    game = kibitz.make("belote")
    for seed in range(20):
        state = game.deal(seed)
        state.apply(state.legal()[0])
        legal = [game.text(action) for action in state.legal()]
        refused = [card for card in game.position(state)["hands"][1] if card not in legal]
        if refused:
            assert "cannot be played: seat 0 led " in asked(state.view(1), refused[0], "1")[1]
            break
    else:
        pytest.fail("every card could be played")


def test_what_people_type_for_combinations() -> None:
    game = kibitz.make("doudizhu")
    seed = next(s for s in range(500) if {"B", "R"} <= set(game.position(game.deal(s))["hands"][0]))
    view = game.deal(seed).view(0)
    legal = {game.text(action) for action in view.legal()}
    for typed in ("rocket", "BR", "r b", "Black Joker, Red Joker"):
        assert asked(view, typed)[0] == "BR"
    trio = next(text for text in sorted(legal) if len(text) == 4 and len(set(text)) == 2)
    for typed in (trio[::-1], " ".join(trio).lower(), trio.replace("T", "10")):
        assert asked(view, typed)[0] == trio
    single = next(text for text in sorted(legal) if len(text) == 1)
    assert asked(view, single.lower())[0] == single
    assert "is no combination" in asked(view, "BR" + single, single)[1]


def test_a_card_is_not_the_beginning_of_a_pair() -> None:
    game = kibitz.make("doudizhu")
    for seed in range(200):
        state = game.deal(seed)
        if "33" not in [game.text(action) for action in state.legal()]:
            continue
        state.apply(game.parse("33"))
        pairs = [game.text(action) for action in state.legal() if len(game.text(action)) == 2]
        if pairs and pairs[0] != "BR":
            shown = asked(state.view(1), pairs[0][0], "pass")
            assert shown[0] == "pass"
            assert f"{pairs[0][0]} does not beat 33." in shown[1]
            return
    pytest.fail("nobody had a pair")


EXPLAINED = {
    "uno": "lies on the table: a",
    "belote:bidding=true": "is asked. The player who takes",
    "belote": "You lead: play any card.",
    "doudizhu:bidding=true": "The highest bidder is the landlord",
    "doudizhu": "You lead: play any single card",
    "mini_doudizhu": "You lead: play any single card",
    "connect_four": "Four of your stones in a row",
    "tictactoe": "A whole row, column or diagonal",
    "hex": "A chain of your stones from edge to edge",
    "gdl:file=kuhn_poker": "choices. Type its number",
}


@pytest.mark.parametrize("spec", EXPLAINED)
def test_a_question_mark_explains_the_moment(spec: str) -> None:
    state = kibitz.make(spec).deal(4)
    while state.to_act < 0 or len(state.legal()) < 2:
        state.apply(state.legal()[0])
    text = state.game.text(state.legal()[0])
    assert EXPLAINED[spec] in " ".join(asked(state.view(state.to_act), "?", text)[1].split())


def test_every_moment_can_be_explained() -> None:
    for variant in native_variants():
        game, rng = variant.make(), random.Random(2)
        for seed in range(2):
            state, steps = game.deal(seed), 0
            while not state.over and steps < 300:
                if state.to_act >= 0:
                    view = state.view(state.to_act)
                    painter = painter_of(game)(game, [f"P{seat}" for seat in range(game.players)], 80)
                    assert painter.explain(view).plain
                    assert painter.question(view)
                state.apply(rng.choice(state.legal()))
                steps += 1
            for view in (state.view(0), state.public()):
                painter = painter_of(game)(game, [f"P{seat}" for seat in range(game.players)], 80)
                Console(file=io.StringIO()).print(painter.picture(view))
                assert not state.over or isinstance(painter.ending(view, state.payoffs), str)


@pytest.mark.parametrize(
    ("spec", "moves", "payoffs", "says"),
    [
        ("connect_four", "1 2 1 2 1 2 1", [1, -1], "x has four in a row."),
        ("tictactoe", "a1 b1 a2 b2 c3 b3", [-1, 1], "o has a whole line."),
        ("hex:size=2", "a1 b1 a2", [1, -1], "x has joined top and bottom."),
        ("belote:bidding=true", "pass " * 8, [0] * 4, "Everybody passed twice: the cards are thrown in."),
        ("doudizhu:bidding=true", "bid-0 " * 3, [0] * 3, "Nobody bid: the cards are thrown in."),
    ],
)
def test_how_a_game_ended(spec: str, moves: str, payoffs: list[float], says: str) -> None:
    game = kibitz.make(spec)
    state = state_of(game, *moves.split())
    assert state.over
    assert list(state.payoffs) == payoffs
    assert painter_of(game)(game, ["A", "B", "C", "D"], 80).ending(state.view(0), state.payoffs) == says


def test_the_points_of_belote_add_up_at_the_end() -> None:
    """What is counted at the end is what the game pays, for whoever it pays it."""
    seen = set()
    for options in ({"bidding": True}, {}, {"cards": 12}, {"rules": "olech", "scoring": "points"}):
        game, rng = kibitz.make("belote", **options), random.Random(5)
        for seed in range(60):
            state = game.deal(seed)
            while not state.over:
                state.apply(rng.choice(state.legal()))
            said = painter_of(game)(game, ["A", "B", "C", "D"], 80).ending(state.view(0), state.payoffs)
            counted = [int(found) for found in re.findall(r": (\d+) point", said)]
            if "thrown in" in said or "fell short" in said or "tied" in said:
                seen.add(said.rpartition("took and ")[2][:4])
                continue
            assert counted == [state.payoffs[0], state.payoffs[1]], said
    assert "fell" in seen
