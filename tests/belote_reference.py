"""Belote once more, slowly, in plain Python from the text of the rules: lists of cards, no tricks.

Nothing here is shared with the core. Cards are the texts the core uses ("10h", "Js"), seats 0 to 3, partners opposite.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

SUITS = "shdc"
RANKS = ["7", "8", "9", "10", "J", "Q", "K", "A"]
TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "10": 10, "K": 4, "Q": 3, "8": 0, "7": 0}  # strongest first
PLAIN_POINTS = {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
TRUMP_ORDER, PLAIN_ORDER = list(TRUMP_POINTS), list(PLAIN_POINTS)
DECKS = {
    32: [rank + suit for suit in SUITS for rank in RANKS],
    12: [rank + suit for suit in SUITS for rank in ("9", "10", "J")],
}


def suit(card: str) -> str:
    return card[-1]


def rank(card: str) -> str:
    return card[:-1]


def points(card: str, trump: str) -> int:
    return (TRUMP_POINTS if suit(card) == trump else PLAIN_POINTS)[rank(card)]


def beats(card: str, other: str, trump: str) -> bool:
    """Whether `card`, played later in a trick, takes it from `other`, which holds it."""
    if suit(card) == suit(other):
        order = TRUMP_ORDER if suit(card) == trump else PLAIN_ORDER
        return order.index(rank(card)) < order.index(rank(other))
    return suit(card) == trump


def holder(trick: list[str], trump: str) -> int:
    """The place in the trick of the card that holds it."""
    best = 0
    for place in range(1, len(trick)):
        if beats(trick[place], trick[best], trump):
            best = place
    return best


@dataclass
class Rules:
    official: bool = True
    strict: bool = False
    discard: bool = False
    bidding: bool = False

    def legal(self, hand: list[str], trick: list[str], trump: str) -> list[str]:
        """The cards of the hand that may be played to the trick."""
        if not trick:
            return hand
        led = suit(trick[0])
        trumps = [card for card in hand if suit(card) == trump]
        on_table = [card for card in trick if suit(card) == trump]
        higher = [card for card in trumps if all(beats(card, other, trump) for other in on_table)]
        if led == trump:
            if self.strict:
                return trumps or hand
            return higher or trumps or hand
        following = [card for card in hand if suit(card) == led]
        if following:
            return following
        if self.strict:
            return trumps or hand
        partner_holds = len(trick) >= 2 and holder(trick, trump) == len(trick) - 2
        if partner_holds or not trumps:
            return hand
        if higher:
            return higher
        return hand if self.discard else trumps


@dataclass
class Deal:
    """One deal as it is played; hands as dealt for play."""

    rules: Rules
    trump: str
    hands: list[list[str]]
    taker: int | None = None
    to_act: int = 0
    trick: list[str] = field(default_factory=list)
    tricks: list[tuple[int, list[str]]] = field(default_factory=list)  # (who took it, its cards)
    belote: int | None = None  # who has K and Q of trump, known from the first of them on
    told: list[bool] = field(default_factory=list)  # for each card played: whether it came with "belote"

    def __post_init__(self) -> None:
        self.hands = [list(hand) for hand in self.hands]
        self.size = len(self.hands[0])
        self.royals = {"K" + self.trump, "Q" + self.trump}
        self.owners = [seat for seat in range(4) if self.rules.official and self.royals <= set(self.hands[seat])]

    @property
    def over(self) -> bool:
        return len(self.tricks) == self.size

    def legal(self) -> list[str]:
        return [] if self.over else self.rules.legal(self.hands[self.to_act], self.trick, self.trump)

    def play(self, card: str) -> None:
        self.told.append(card in self.royals and self.owners == [self.to_act])
        self.hands[self.to_act].remove(card)
        self.trick.append(card)
        self.to_act = (self.to_act + 1) % 4
        if len(self.trick) == 4:
            self.to_act = (self.to_act + holder(self.trick, self.trump)) % 4
            self.tricks.append((self.to_act, self.trick))
            self.trick = []

    def card_points(self) -> list[int]:
        """Of seats 0 and 2, and of 1 and 3."""
        out = [0, 0]
        for taker, cards in self.tricks:
            out[taker % 2] += sum(points(card, self.trump) for card in cards)
        return out

    def taken(self) -> list[int]:
        """With the last trick or capot, and belote-rebelote."""
        out = self.card_points()
        if not self.rules.official:
            return out
        teams = {taker % 2 for taker, _ in self.tricks}
        out[self.tricks[-1][0] % 2] += 100 if len(teams) == 1 else 10
        for seat in self.owners:
            out[seat % 2] += 20
        return out

    def scores(self) -> list[int]:
        out = self.taken()
        if self.taker is None:
            return out
        takers, defence = self.taker % 2, 1 - self.taker % 2
        if out[takers] == out[defence]:
            out[takers] = 0
        elif out[takers] < out[defence]:
            kept = 20 if any(seat % 2 == takers for seat in self.owners) else 0
            out[defence] += out[takers] - kept
            out[takers] = kept
        return out


def replays(rules: Rules, trump: str, hands: list[list[str]], line: list[tuple[int, str]], told: list[bool]) -> bool:
    """Whether these cards could be played from these hands, with the same words said."""
    deal = Deal(rules, trump, hands)
    for seat, card in line:
        if seat != deal.to_act or card not in deal.legal():
            return False
        deal.play(card)
    return deal.told == told


def deals_of(cards: list[str], sizes: list[int]) -> Iterator[list[list[str]]]:
    """Every way to give so many of the cards to each."""
    if not sizes:
        yield []
        return
    for hand in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in hand]
        for others in deals_of(rest, sizes[1:]):
            yield [list(hand), *others]


def lines(deal_rules: Rules, trump: str, hands: list[list[str]]) -> int:
    """The number of complete lines of play under a full deal."""

    def count(deal: Deal) -> int:
        if deal.over:
            return 1
        total = 0
        for card in deal.legal():
            after = Deal(deal.rules, deal.trump, deal.hands, None, deal.to_act, list(deal.trick), list(deal.tricks))
            after.size = deal.size
            after.play(card)
            total += count(after)
        return total

    return count(Deal(deal_rules, trump, hands))


def best(rules: Rules, trump: str, deal: Deal) -> dict[str, int]:
    """What seats 0 and 2 take more than 1 and 3, after each legal card and best play by all: by brute force."""

    def value(position: Deal) -> int:
        if position.over:
            mine, theirs = position.taken()
            return mine - theirs
        values = [value(after(position, card)) for card in position.legal()]
        return max(values) if position.to_act % 2 == 0 else min(values)

    def after(position: Deal, card: str) -> Deal:
        copy = Deal(rules, trump, position.hands, None, position.to_act, list(position.trick), list(position.tricks))
        copy.size, copy.owners = position.size, position.owners
        copy.play(card)
        return copy

    return {card: value(after(deal, card)) for card in deal.legal()}
