"""Uno against rlcard 1.2.0, which nobody here wrote: every state, every transition.

rlcard keeps its pile as a list and shuffles; ours picks from an unordered pile by a stream inside the state. The test
knows the stream, so it lays the pile out such that both draw the same cards: then draws can be compared, too, and only
two things stay out: the random colour of a wild that was drawn, and draws after a reshuffle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from rlcard.games.uno import Game as RlcardGame
from rlcard.games.uno.utils import ACTION_LIST, ACTION_SPACE, encode_hand, encode_target

import kibitz

GAMES = 500  # per number of players
STREAM = (0x0123456789ABCDEF, 0xFEDCBA9876543211)
MASK = (1 << 64) - 1


def stream() -> Iterator[int]:
    """xoroshiro128++ (Blackman, Vigna), 64 bits at a time, written down once more to check ours."""
    a, b = STREAM

    def rotl(x: int, k: int) -> int:
        return ((x << k) | (x >> (64 - k))) & MASK

    while True:
        yield (rotl((a + b) & MASK, 17) + a) & MASK
        b ^= a
        a, b = rotl(a, 49) ^ b ^ ((b << 21) & MASK), rotl(b, 28)


def picks(size: int, count: int) -> list[int]:
    """Which places of a pile the first `count` draws come from."""
    bits = stream()
    labels = list(range(size))
    out = []
    for _ in range(count):
        i = ((next(bits) >> 32) * len(labels)) >> 32
        out.append(labels[i])
        labels[i] = labels[-1]
        labels.pop()
    return out


def laid_out(deck: list[str], count: int) -> list[str]:
    """The deck (top last) as a pile of ours whose first draws are the deck's top cards in their order."""
    count = min(count, len(deck))
    chosen = picks(len(deck), count)
    pile: list[str | None] = [None] * len(deck)
    for place, card in zip(chosen, reversed(deck[len(deck) - count :]), strict=True):
        pile[place] = card
    rest = iter(deck[: len(deck) - count])
    return [card if card is not None else next(rest) for card in pile]


def name(card: Any) -> str:
    """Our text for a card of rlcard's; as a card, a wild has no colour."""
    return card.trait if card.type == "wild" else f"{card.color}-{card.trait}"


def position_of(theirs: RlcardGame) -> dict[str, Any]:
    round_ = theirs.round
    target = f"{round_.target.color}-{round_.target.trait}"
    over = bool(round_.is_over)
    return {
        "game": "uno",
        "version": 1,
        "players": theirs.num_players,
        "rules": "rlcard",
        "to_act": round_.current_player,
        "direction": round_.direction,
        "phase": "over" if over else "play",
        "target": target,
        **({"winner": round_.winner[0]} if over else {}),
        "discards": [name(card) for card in round_.played_cards],
        "hands": [[name(card) for card in player.hand] for player in theirs.players],
        "pile": laid_out([name(card) for card in theirs.dealer.deck], 4),
        "stream": [f"{word:016x}" for word in STREAM],
    }


def comparable(position: dict[str, Any]) -> dict[str, Any]:
    """The position with hands and pile as multisets, without stream and memory (rlcard has none)."""
    skip = {"stream", "memory", "reshuffled", "remainder", "reshuffles", "idle"}
    out = {key: value for key, value in position.items() if key not in skip}
    out["hands"] = [Counter(hand) for hand in position["hands"]]
    out["pile"] = Counter(position["pile"])
    return out


def counts(position: dict[str, Any]) -> dict[str, Any]:
    """What is left to compare once a reshuffle made the drawn cards differ."""
    out = {key: position[key] for key in ("to_act", "direction", "phase", "target")}
    out["hands"] = [len(hand) for hand in position["hands"]]
    return out


def new_game(players: int, seed: int) -> RlcardGame:
    theirs = RlcardGame(num_players=players)  # the environment's own option is ignored for Uno
    theirs.np_random = np.random.RandomState(seed)
    theirs.init_game()
    return theirs


def check_planes(theirs: RlcardGame, state: Any, seat: int) -> None:
    """`li` equals rlcard's planes but for its documented bugs: colour of a wild target, count of wilds."""
    ours = state.view(seat).encode("li")
    planes = np.zeros((4, 4, 15), dtype=int)
    encode_hand(planes[:3], [card.get_str() for card in theirs.players[seat].hand])
    np.testing.assert_array_equal(ours[:3, :, :13], planes[:3, :, :13])
    for trait, label in ((13, "wild"), (14, "wild_draw_4")):
        held = sum(card.trait == label for card in theirs.players[seat].hand)
        want = np.zeros((3, 4))
        want[min(held, 2)] = 1
        np.testing.assert_array_equal(ours[:3, :, trait], want)
        if held <= 1:  # where rlcard does not lose the count it agrees
            np.testing.assert_array_equal(ours[:3, :, trait], planes[:3, :, trait])
    target = theirs.round.target
    encode_target(planes[3], f"{target.color}-{target.trait}")  # its own string may show another colour
    np.testing.assert_array_equal(ours[3], planes[3])


def follow(theirs: RlcardGame, game: Any, rng: np.random.RandomState) -> Counter[str]:
    """Plays one game of rlcard's with ours beside it; returns how many transitions were compared, by kind."""
    seen: Counter[str] = Counter()
    while not theirs.round.is_over:
        state = game.from_position(position_of(theirs))
        legal = sorted({ACTION_SPACE[action] for action in theirs.get_legal_actions()})
        assert state.legal() == legal
        assert state.to_act == theirs.round.current_player
        check_planes(theirs, state, state.to_act)

        action = int(rng.choice(legal))
        deck_before = len(theirs.dealer.deck)
        top_is_wild = bool(theirs.dealer.deck) and theirs.dealer.deck[-1].type == "wild"
        try:
            theirs.step(ACTION_LIST[action])
        except IndexError:  # rlcard ran out of cards
            return seen + Counter(crashed=1)
        state.apply(action)

        after, ours = position_of(theirs), game.position(state)
        reshuffled = len(theirs.dealer.deck) > deck_before or not theirs.round.played_cards
        if action == ACTION_SPACE["draw"] and (top_is_wild or deck_before == 0):
            # A drawn wild gets a random colour: the rest must agree.
            for position in (after, ours):
                position["target"] = position["target"][2:]
        if reshuffled:
            if deck_before:  # a penalty: which cards came is chance, how many is not
                assert counts(ours) == counts(after)
            seen["reshuffled"] += 1
        else:
            assert comparable(ours) == comparable(after)
            seen["draw" if action == ACTION_SPACE["draw"] else "play"] += 1
        assert state.over == theirs.round.is_over
    payoffs = state.payoffs
    assert payoffs == [1.0 if seat == theirs.round.winner[0] else -1.0 for seat in range(theirs.num_players)]
    return seen


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_state_and_transition_agrees_with_rlcard(players: int) -> None:
    game = kibitz.make("uno", players=players, rules="rlcard")
    rng = np.random.RandomState(players)
    seen: Counter[str] = Counter()
    for seed in range(GAMES):
        seen += follow(new_game(players, seed), game, rng)
    assert seen["play"] > 20 * GAMES
    assert seen["draw"] > 4 * GAMES
    assert seen["crashed"] < 5


def test_action_names_are_rlcards() -> None:
    game = kibitz.make("uno", rules="rlcard")
    assert game.num_actions == 61
    assert [game.text(action) for action in range(61)] == ACTION_LIST
    assert [game.parse(text) for text in ACTION_LIST] == list(range(61))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_deals_have_the_distribution_of_rlcards(players: int) -> None:
    """First target and its consequences: who starts, in which direction, with how many cards."""
    game = kibitz.make("uno", players=players, rules="rlcard")
    for seed in range(2000):
        position = game.position(game.deal(seed))
        trait = position["target"][2:]
        start = {"skip": 1, "reverse": players - 1}.get(trait, 0)
        cards = [7] * players
        if trait == "draw_2":
            cards[0] = 9
        assert trait != "wild_draw_4"
        assert position["to_act"] == start
        assert position["direction"] == (-1 if trait == "reverse" else 1)
        assert [len(hand) for hand in position["hands"]] == cards
