"""Dou Di Zhu: the list of moves, legal sets against rlcard and open_spiel, scoring, worlds, ragged tables, bad input.

KIBITZ_EFFORT=1 tries 10,000 late views for the replay law; without it there are fewer.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import kibitz

EFFORT = int(os.environ.get("KIBITZ_EFFORT", "0")) > 0
POSITIONS = 20_000  # compared with each of rlcard and open_spiel
VIEWS = 10_000 if EFFORT else 1_000  # late views for the replay law, per set of options
RANKS = "3456789TJQKA2BR"
DECK = Counter({rank: 1 if rank in "BR" else 4 for rank in RANKS})
CATEGORIES = {
    "solo": 15,
    "pair": 13,
    "trio": 13,
    "trio+solo": 182,
    "trio+pair": 156,
    "solo chain": 36,
    "pair chain": 52,
    "plane": 45,
    "plane+solo": 21_822,
    "plane+pair": 2_939,
    "quad+two solos": 1_326,
    "quad+two pairs": 858,
    "bomb": 13,
    "rocket": 1,
    "pass": 1,
}


def doudizhu(**options: Any) -> Any:
    return kibitz.make("doudizhu", **options)


def cards(counter: Counter[str]) -> str:
    return "".join(rank * counter[rank] for rank in RANKS)


def consecutive(ranks: list[int]) -> bool:
    return ranks == list(range(ranks[0], ranks[0] + len(ranks))) and ranks[-1] <= RANKS.index("A")


def category(move: str) -> str:
    """What a move is, from its cards alone: written from the rules, not from how the core makes its list."""
    if move in ("pass", "BR"):
        return "pass" if move == "pass" else "rocket"
    count = Counter(move)
    by_number = {n: sorted(RANKS.index(rank) for rank in count if count[rank] == n) for n in range(1, 5)}
    if len(count) == 1:
        return ("solo", "pair", "trio", "bomb")[len(move) - 1]
    if len(count) >= 5 and len(move) == len(count) and consecutive(by_number[1]):
        return "solo chain"
    if len(count) >= 3 and len(move) == 2 * len(count) == 2 * len(by_number[2]) and consecutive(by_number[2]):
        return "pair chain"
    if len(move) == 3 * len(by_number[3]) and consecutive(by_number[3]):
        return "plane"
    if by_number[4] and len(move) == 6:
        return "quad+two solos"
    if len(by_number[4]) == 1 and len(move) == 8 and len(by_number[2]) == 2:
        return "quad+two pairs"
    trios = by_number[3]
    if len(trios) == 1 and len(move) in (4, 5):
        return "trio+solo" if len(move) == 4 else "trio+pair"
    for length in range(len(trios), 1, -1):
        if any(consecutive(trios[i : i + length]) for i in range(len(trios) - length + 1)):
            if len(move) == 4 * length:
                return "plane+solo"
            if len(move) == 5 * length and len(by_number[2]) == length:
                return "plane+pair"
    raise AssertionError(f"no category for {move}")


# ------------------------------------------------------------------------------------------------- the list of moves


def test_there_are_27472_moves() -> None:
    game = doudizhu(rules="rlcard")
    assert game.num_actions == 27_472
    counts = Counter(category(game.text(action)) for action in range(game.num_actions))
    assert counts == CATEGORIES


def test_ids_and_texts_are_those_of_rlcard() -> None:
    from rlcard.games.doudizhu.utils import ID_2_ACTION

    game = doudizhu(rules="rlcard")
    assert [game.text(action) for action in range(game.num_actions)] == ID_2_ACTION
    assert [game.parse(text) for text in ID_2_ACTION] == list(range(game.num_actions))
    standard = doudizhu()
    assert [standard.text(action) for action in range(game.num_actions)] == ID_2_ACTION


def test_further_ids() -> None:
    game = doudizhu()
    assert [game.text(action) for action in range(27_472, 27_476)] == ["bid-0", "bid-1", "bid-2", "bid-3"]
    groups = [game.text(action) for action in range(27_476, 27_596)]
    assert groups[:2] + groups[-1:] == ["333+solo", "444+solo", "2222+pairs"]
    both = [game.text(action) for action in range(27_596, game.num_actions)]
    assert all(move.endswith("BR") for move in both)
    assert Counter(category(move) for move in both) == {"plane+solo": 1_462, "quad+two solos": 13}


# ------------------------------------------------------------------------------------------------- against rlcard


def test_legal_sets_equal_those_of_rlcard() -> None:
    from rlcard.games.doudizhu import Game

    ours, theirs = doudizhu(rules="rlcard"), Game()
    rng = random.Random(1)
    compared = 0
    while compared < POSITIONS:
        theirs.np_random = np.random.RandomState(rng.randrange(2**32))
        seen, player = theirs.init_game()
        hands = ["".join(card.rank or card.suit[0] for card in p.current_hand) for p in theirs.players]
        state = ours.from_position({"rules": "rlcard", "talon": seen["seen_cards"], "hands": hands})
        while not state.over:
            assert state.to_act == player
            legal = state.legal()
            assert sorted(seen["actions"]) == sorted(ours.text(action) for action in legal)
            compared += 1
            # Long moves are rarely drawn by chance and end games: mostly short ones, for more of the middle game.
            action = rng.choice(legal if rng.random() < 0.5 else legal[: len(legal) // 2 + 1])
            state.apply(action)
            seen, player = theirs.step(ours.text(action))
        assert theirs.is_over()
        won = theirs.judger.judge_payoffs(theirs.round.landlord_id, theirs.winner_id)
        assert [payoff > 0 for payoff in state.payoffs] == [bool(x) for x in won]


# ------------------------------------------------------------------------------------------------- against open_spiel


def spiel_text(text: str) -> str:
    """Ours for open_spiel's `666777-3(CJ)`."""
    if text == "Pass":
        return "pass"
    return "".join(sorted(text.replace("(BWJ)", "B").replace("(CJ)", "R").replace("-", ""), key=RANKS.index))


def spiel_deal(game: Any, rng: random.Random) -> tuple[Any, list[str], str]:
    """A state whose first speaker bid 3, the hands, and the talon that it got."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.chance_outcomes())[0])

    def hands() -> list[str]:
        lines = [state.observation_string(seat).splitlines()[0] for seat in range(3)]
        return [spiel_text(line.removeprefix("My hand ")) for line in lines]

    before, landlord = hands(), state.current_player()
    state.apply_action(state.legal_actions()[-1])
    return state, hands(), cards(Counter(hands()[landlord]) - Counter(before[landlord]))


def test_legal_sets_equal_those_of_open_spiel() -> None:
    """For what both have. open_spiel 2.0.2 has no quads with kickers, lets a bomb beat the rocket, and forgets chains
    that begin with a rank held four times."""
    pyspiel = pytest.importorskip("pyspiel")
    game, spiel = doudizhu(landlord="random"), pyspiel.load_game("dou_dizhu")
    rng = random.Random(2)
    compared = 0
    while compared < POSITIONS:
        theirs, hands, talon = spiel_deal(spiel, rng)
        state = game.from_position({"landlord_seat": theirs.current_player(), "talon": talon, "hands": hands})
        while not state.over:
            assert theirs.current_player() == state.to_act
            position = game.position(state)
            mine = {game.text(action) for action in state.legal()}
            named = {spiel_text(theirs.action_to_string(action)): action for action in theirs.legal_actions()}
            for move in mine - named.keys():
                forgotten = Counter(position["hands"][state.to_act])[move[0]] == 4 and "chain" in category(move)
                plane = category(move) == "plane" and Counter(position["hands"][state.to_act])[move[0]] == 4
                assert forgotten or plane or category(move).startswith("quad"), position
            for move in named.keys() - mine:
                assert category(move) == "bomb", position
                assert position["last"] == "BR", position
            compared += 1
            move = rng.choice(sorted(mine & named.keys()))
            state.apply(game.parse(move))
            theirs.apply_action(named[move])
        assert theirs.is_terminal()
