"""What may be so in a world and not in another: who holds which card, who can follow, who can beat a move.

A fact is a sentence about a seat with the worlds in which it is true. Sentences begin with the seat's name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz import beliefs, protocols
from kibitz.protocols import Game, State, View

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Fact:
    says: str  # "West holds A♠"
    holds: Mask  # [world]
    seat: int
    kind: str  # card, no_suit, no_colour, wild, pair, bomb, rocket
    what: str = ""  # the card, suit, colour or rank, as the game writes it


@dataclass(frozen=True)
class Scene:
    """What facts are about: a view, the worlds that were looked into, and how seats and cards are called."""

    game: Game
    view: View
    worlds: Sequence[State]
    names: Sequence[str] = ()
    card: Callable[[str], str] = str

    def who(self, seat: int) -> str:
        return self.names[seat] if seat < len(self.names) else f"seat {seat}"

    def hands(self) -> dict[int, list[Counter[str]]]:
        """By hidden seat, the cards in each world; empty where there are no hands."""
        hidden = beliefs.hidden_seats(self.view, self.game)
        if not hidden:
            return {}
        dealt = [protocols.position(self.game, world)["hands"] for world in self.worlds]
        return {seat: [Counter(hands[seat]) for hands in dealt] for seat in hidden}


def of(scene: Scene) -> list[Fact]:
    """Those that are true in some worlds and false in others, once each."""
    makers = [_cards, *_GAMES.get(scene.game.name, ())]
    hands = scene.hands()
    found = [fact for make in makers for seat in hands for fact in make(scene, seat, hands[seat])]
    different = {fact.holds.tobytes(): fact for fact in reversed(found) if 0 < fact.holds.sum() < len(fact.holds)}
    return list(reversed(different.values()))


_Hands = Sequence[Counter[str]]


def _cards(scene: Scene, seat: int, hands: _Hands) -> list[Fact]:
    """Single cards."""
    about = sorted(set().union(*hands))
    return [
        Fact(
            f"{scene.who(seat)} holds {scene.card(card)}",
            np.array([card in hand for hand in hands]),
            seat,
            "card",
            card,
        )
        for card in about
    ]


def _suits(scene: Scene, seat: int, hands: _Hands) -> list[Fact]:
    """Belote: no card of a suit."""
    names = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
    void = {suit: np.array([all(card[-1] != suit for card in hand) for hand in hands]) for suit in names}
    return [Fact(f"{scene.who(seat)} has no {name}", void[suit], seat, "no_suit", suit) for suit, name in names.items()]


def _colours(scene: Scene, seat: int, hands: _Hands) -> list[Fact]:
    """Uno: no card of a colour, some wild card."""
    names = {"r": "red", "g": "green", "b": "blue", "y": "yellow"}
    out = [
        Fact(
            f"{scene.who(seat)} has no {name} card",
            np.array([all(not card.startswith(f"{colour}-") for card in hand) for hand in hands]),
            seat,
            "no_colour",
            colour,
        )
        for colour, name in names.items()
    ]
    wild = np.array([any(card.startswith("wild") for card in hand) for hand in hands])
    return [*out, Fact(f"{scene.who(seat)} holds a wild card", wild, seat, "wild")]


def _ranks(scene: Scene, seat: int, hands: _Hands) -> list[Fact]:
    """Dou Di Zhu: pairs of high ranks, bombs, the rocket."""
    who = scene.who(seat)
    pairs = {rank: np.array([hand[rank] >= 2 for hand in hands]) for rank in "QKA2"}
    bomb = np.array([max(hand.values(), default=0) == 4 for hand in hands])
    rocket = np.array([hand["B"] > 0 and hand["R"] > 0 for hand in hands])
    return [
        *(Fact(f"{who} holds a pair of {rank}", holds, seat, "pair", rank) for rank, holds in pairs.items()),
        Fact(f"{who} holds a bomb", bomb, seat, "bomb"),
        Fact(f"{who} holds the rocket", rocket, seat, "rocket"),
    ]


_GAMES: Mapping[str, Sequence[Callable[[Scene, int, _Hands], list[Fact]]]] = {
    "belote": (_suits,),
    "doudizhu": (_ranks,),
    "mini_doudizhu": (_ranks,),
    "uno": (_colours,),
}


def answers(scene: Scene, action: int, dull: Callable[[str], bool]) -> tuple[int, Mask] | None:
    """Who acts after `action`, and in which worlds that seat then has anything but what is `dull`: a draw, a pass.

    None where that is not the same other seat in all worlds."""
    seats, able = set(), []
    for world in scene.worlds:
        after: Any = world.copy()
        after.apply(action)
        seats.add(after.to_act)
        able.append(after.to_act >= 0 and not all(dull(scene.game.text(reply)) for reply in after.legal()))
    if len(seats) != 1 or (seat := seats.pop()) < 0 or seat == scene.view.seat:
        return None
    return seat, np.array(able)
