"""Small positions of Uno, laid out and played by hand.

A position gives hands, target and often the whole pile; the rest of the deck lies below the target. A pile of one card
makes a draw certain, and a pile of n cards makes certain which n cards come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import kibitz

COLOURS = "rgby"
TRAITS = [*"0123456789", "skip", "reverse", "draw_2"]
DECK = Counter(
    {f"{colour}-{trait}": 1 if trait == "0" else 2 for colour in COLOURS for trait in TRAITS}
    | {"wild": 4, "wild_draw_4": 4}
)
Hands = Sequence[str]  # the cards of each seat, separated by blanks


def uno(players: int = 3, **options: Any) -> Any:
    return kibitz.make("uno", players=players, **options)


def card_of(target: str) -> str:
    return target[2:] if "wild" in target and target[1] == "-" else target


def place(game: Any, hands: Hands, target: str, pile: str | None = None, **members: Any) -> Any:
    """A state with seat 0 to play; `pile` is all of it, None puts there whatever is nowhere else."""
    held = [hand.split() for hand in hands]
    position = {"phase": "play", "to_act": 0, "target": target, "hands": held, **members}
    if pile is not None:
        left = DECK.copy()
        left.subtract([*pile.split(), card_of(target), *(card for hand in held for card in hand)])
        assert min(left.values()) >= 0
        position |= {"pile": pile.split(), "discards": [*left.elements(), card_of(target)]}
    return game.from_position(position)


def fits_red_5(card: str) -> bool:
    return card.startswith("r-") or card.endswith("-5") or "wild" in card


def stuck(game: Any, **members: Any) -> Any:
    """Nothing to draw: all cards but the target are in the hands; nobody else has a card that fits."""
    left = DECK - Counter(["r-5"])
    fits = [card for card in left.elements() if fits_red_5(card)]
    others = list((left - Counter(fits)).elements())
    rest = [others[seat :: game.players - 1] for seat in range(game.players - 1)]
    return place(game, [" ".join(fits), *(" ".join(hand) for hand in rest)], "r-5", pile="", **members)


def play(state: Any, *texts: str) -> Any:
    for text in texts:
        assert text in options(state), f"{text} is not among {options(state)}"
        state.apply(state.game.parse(text))
    return state


def options(state: Any) -> list[str]:
    return [state.game.text(action) for action in state.legal()]


def where(state: Any) -> dict[str, Any]:
    position: dict[str, Any] = state.game.position(state)
    return position


def counts(state: Any) -> list[int]:
    return [len(hand) for hand in where(state)["hands"]]


def hand(state: Any, seat: int) -> Counter[str]:
    return Counter(where(state)["hands"][seat])


def wilds(name: str) -> list[str]:
    return [f"{colour}-{name}" for colour in COLOURS]


def turn(state: Any) -> tuple[int, str]:
    return state.to_act, where(state)["phase"]
