"""Uno's hidden cards, reasoned about from the rules alone: the oracle of test_uno_sample.py; and its deck.

A `Ledger` writes down what everybody at the table can see: when a hidden card came to a hand, when which card left it,
and what a player showed about the rest. `contradiction` then asks whether a full deal of the hidden cards could have
led to that: can every card that a seat holds or has played be given an arrival of its own, before it left, such that
no revelation excludes it while it was there? That is a bipartite matching. Statements that count cards ("at least one
red", "of the two g-5 one was in the pile when it was shuffled") do not fit into a matching: an integer program
decides those. Nothing here knows how the C++ core remembers or samples.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import Bounds, LinearConstraint, linear_sum_assignment, milp
from scipy.sparse import coo_matrix

Position = dict[str, Any]
Mask = npt.NDArray[np.bool_]  # over the 54 kinds of cards
Ints = npt.NDArray[np.int64]
Hands = Sequence[Iterable[str]]

COLOURS = "rgby"
TRAITS = [*map(str, range(10)), "skip", "reverse", "draw_2"]
KINDS = [f"{colour}-{trait}" for colour in COLOURS for trait in TRAITS] + ["wild", "wild_draw_4"]
KIND = {name: kind for kind, name in enumerate(KINDS)}
COPIES = np.array([4 if "wild" in name else 1 if name.endswith("-0") else 2 for name in KINDS])
DRAW = 60  # the action
NOW = 1_000_000_000  # when the cards still held will leave: later than everything so far
NEVER = 2_000_000_000
FORBIDDEN = 1_000_000  # the cost of a pair that is not allowed


def full_deck() -> list[str]:
    return [name for name, copies in zip(KINDS, COPIES, strict=True) for _ in range(copies)]


def random_stream(rng: random.Random) -> list[str]:
    return [f"{rng.getrandbits(64) | 1:016x}" for _ in range(2)]


def mask_of(*names: str) -> Mask:
    out = np.zeros(len(KINDS), dtype=bool)
    out[[KIND[name] for name in names]] = True
    return out


def colour_mask(colour: str) -> Mask:
    return np.array([name[:2] == f"{colour}-" for name in KINDS])


def trait_mask(trait: str) -> Mask:
    """Coloured cards with this number or symbol; for a wild there are none."""
    return np.array([name[1:] == f"-{trait}" for name in KINDS])


WILD, WILD_DRAW_4 = mask_of("wild"), mask_of("wild_draw_4")
WILDS = WILD | WILD_DRAW_4
OF_COLOUR = {colour: colour_mask(colour) for colour in COLOURS}
OF_TRAIT = {trait: trait_mask(trait) for trait in [*TRAITS, "wild", "wild_draw_4"]}


def counts_of(cards: Iterable[str]) -> Ints:
    return np.bincount([KIND[card] for card in cards], minlength=len(KINDS))


def card_of(text: str) -> str:
    """The card of a target or of an action: wilds drop the colour they were given."""
    return text[2:] if "wild" in text else text


@dataclass
class Hidden:
    """What the table saw of one seat's cards: when they came, when and which they left, what cannot have been where."""

    arrived: list[int] = field(default_factory=list)
    # barred[slot][kind]: from this time on the slot is known not to hold the kind.
    barred: list[Ints] = field(default_factory=list)
    # (time, kind, slot): the slot is None where nobody can tell which of its cards the seat played.
    played: list[tuple[int, int, int | None]] = field(default_factory=list)

    def bar(self, time: int, mask: Mask, slots: slice = slice(None)) -> None:
        for row in self.barred[slots]:
            row[mask & (row == NEVER)] = time


@dataclass(frozen=True)
class Fact:
    """At `time` the seat (None: all hidden hands together) held low[g] to high[g] cards of every group g of kinds."""

    time: int
    seat: int | None
    group: Ints  # of each kind; -1: in none
    low: Ints
    high: Ints


def census(time: int, seat: int | None, low: Ints, high: Ints) -> Fact:
    """A fact about every single kind."""
    return Fact(time, seat, np.arange(len(KINDS)), low, high)


@dataclass(frozen=True)
class Reshuffle:
    time: int
    discards: Ints  # per kind, the top card included
    hands: list[Ints]  # the true ones: only the viewer's own may be used

    def fact(self, viewer: int) -> Fact:
        """No kind can have had more copies in the hidden hands than neither lay open nor in the viewer's hand."""
        return census(self.time, None, np.zeros_like(COPIES), COPIES - self.discards - self.hands[viewer])


class Ledger:
    """What the table saw of a game so far. Subclasses know the rules; `step` takes one action down.

    True positions before and after an action serve for the bookkeeping, but only what is public goes in: sizes of hands
    and pile, discards, target. `after` checks that the rules as understood here account for all of it.
    """

    def __init__(self, start: Position) -> None:
        self.time = 0
        self.seats = [Hidden() for _ in start["hands"]]
        self.guilty: list[Fact] = []
        self.shown: list[tuple[int, Fact]] = []  # with the seat that was shown it
        self.reshuffles: list[Reshuffle] = []
        self.revelations = 0
        self.pile = 0
        self.discards: list[str] = []
        self.hands: list[Ints] = []
        for seat, hand in enumerate(start["hands"]):
            self.arrive(seat, len(hand))
        self.begin(start)

    # ------------------------------------------------------------------------------------------------ events

    def tick(self) -> int:
        self.time += 1
        return self.time

    def arrive(self, seat: int, count: int) -> None:
        for _ in range(count):
            self.seats[seat].arrived.append(self.tick())
            self.seats[seat].barred.append(np.full(len(KINDS), NEVER))

    def depart(self, seat: int, card: str, slot: int | None = None) -> None:
        self.seats[seat].played.append((self.tick(), KIND[card], slot))
        self.hands[seat][KIND[card]] -= 1
        self.discards.append(card)

    def reveal(self, seat: int, mask: Mask, slots: slice = slice(None)) -> None:
        self.seats[seat].bar(self.tick(), mask, slots)
        self.revelations += 1

    def reshuffle(self, kept: int) -> None:
        """All discards but the `kept` last ones go to the pile."""
        if len(self.discards) <= kept:
            return
        hands = [hand.copy() for hand in self.hands]
        self.reshuffles.append(Reshuffle(self.tick(), counts_of(self.discards), hands))
        self.pile += len(self.discards) - kept
        self.discards = self.discards[len(self.discards) - kept :]

    # ------------------------------------------------------------------------------------------------ one action

    def begin(self, before: Position) -> None:
        self.pile = len(before["pile"])
        self.discards = list(before["discards"])
        self.hands = [counts_of(hand) for hand in before["hands"]]

    def step(self, before: Position, action: str, after: Position) -> None:
        self.begin(before)
        self.record(before, action, after)
        assert self.pile == len(after["pile"])
        assert self.discards == after["discards"]
        for seat, hand in enumerate(after["hands"]):
            assert len(self.seats[seat].arrived) - len(self.seats[seat].played) == len(hand)

    def record(self, before: Position, action: str, after: Position) -> None:
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------ questions

    def put_back(self) -> Fact | None:
        """Of a kind that lay open with all its copies when the last reshuffle came, no hand held any then."""
        if not self.reshuffles:
            return None
        last = self.reshuffles[-1]
        return census(last.time, None, np.zeros_like(COPIES), COPIES * (last.discards < COPIES))

    def facts(self, viewer: int) -> list[Fact]:
        others = [fact for fact in self.guilty if fact.seat != viewer]
        shown = [fact for seat, fact in self.shown if seat == viewer]
        return others + shown + [reshuffle.fact(viewer) for reshuffle in self.reshuffles]


def fits(target: str) -> Mask:
    colour, trait = target.split("-", 1)
    mask: Mask = OF_COLOUR[colour] | OF_TRAIT[trait]
    return mask


def next_seat(position: Position, seat: int) -> int:
    return int((seat + position["direction"]) % len(position["hands"]))


class RlcardLedger(Ledger):
    def record(self, before: Position, action: str, after: Position) -> None:
        seat = before["to_act"]
        if action == "draw":
            self.draw(before, seat, after)
            return
        card = card_of(action)
        self.depart(seat, card)
        if card == "wild_draw_4":  # legal only because nothing else was
            self.reveal(seat, fits(before["target"]) | WILD)
        self.penalty(card, next_seat(before, seat))

    def penalty(self, card: str, victim: int) -> None:
        count = 4 if card == "wild_draw_4" else 2 if card.endswith("draw_2") else 0
        if self.pile < count:
            self.reshuffle(kept=0)
        count = min(count, self.pile)
        self.pile -= count
        self.arrive(victim, count)

    def draw(self, before: Position, seat: int, after: Position) -> None:
        self.reveal(seat, fits(before["target"]) | WILDS)
        if self.pile == 0:
            self.reshuffle(kept=0)
        if self.pile == 0:
            return
        self.pile -= 1
        if len(after["hands"][seat]) > len(before["hands"][seat]):
            self.arrive(seat, 1)  # kept, so it was no wild and of another colour, though perhaps of the same number
            self.reveal(seat, OF_COLOUR[before["target"][0]] | WILDS, slice(-1, None))
            return
        card = card_of(after["target"])
        self.discards.append(card)
        if "wild" not in card:  # a Wild Draw 4 that was drawn has no effect
            self.penalty(card, next_seat(before, seat))


class OfficialLedger(Ledger):
    """Without house rules, calls of Uno automatic."""

    def record(self, before: Position, action: str, after: Position) -> None:
        seat = before["to_act"]
        newest = len(self.seats[seat].arrived) - 1
        if action == "draw":
            self.give(seat, 1)
        elif action == "challenge":
            self.challenge(before, after)
        elif action == "accept":
            self.give(seat, before["pending"])
        elif action == "play":
            # Everybody sees that it is the card just drawn that is played.
            if "wild" in before["drawn"]:
                only: Mask = ~mask_of(before["drawn"])
                self.reveal(seat, only, slice(-1, None))
            else:
                self.play(before, after, before["drawn"], newest)
        elif action.startswith("name-"):
            if "drawn" in before:
                self.play(before, after, before["drawn"], newest)
        elif action != "keep":
            self.play(before, after, card_of(action), None)

    def play(self, before: Position, after: Position, card: str, slot: int | None) -> None:
        seat = before["to_act"]
        self.depart(seat, card, slot)
        last = after["phase"] == "over"
        if card.endswith("-draw_2") or (card == "wild_draw_4" and last):
            self.give(next_seat(before, seat), 2 if card.endswith("-draw_2") else 4)

    def challenge(self, before: Position, after: Position) -> None:
        challenger, bluffer = before["to_act"], before["turn"]
        time = self.tick()
        hand = counts_of(before["hands"][bluffer])
        self.shown.append((challenger, census(time, bluffer, hand, hand)))
        colour = OF_COLOUR[before["before"]]
        if after["to_act"] == challenger:
            self.guilty.append(Fact(time, bluffer, np.where(colour, 0, -1), np.array([1]), np.array([108])))
            self.give(bluffer, before["pending"])
        else:
            self.reveal(bluffer, colour)
            self.give(challenger, before["pending"] + 2)

    def give(self, seat: int, count: int) -> None:
        """One card after the other; the discards are shuffled when the pile has run out."""
        for _ in range(count):
            if self.pile == 0:
                self.reshuffle(kept=1)
            if self.pile == 0:
                return
            self.pile -= 1
            self.arrive(seat, 1)


def ledger_for(start: Position) -> Ledger:
    return RlcardLedger(start) if start["rules"] == "rlcard" else OfficialLedger(start)


# ---------------------------------------------------------------------------------------------------- contradictions


@dataclass
class Puzzle:
    """One seat: cards (held, then played) to be given slots, that is arrivals. allowed[card, slot]."""

    seat: int
    kinds: Ints
    left: Ints
    arrived: Ints
    allowed: Mask

    def about(self, fact: Fact) -> bool:
        return fact.seat is None or fact.seat == self.seat

    def there(self, fact: Fact) -> Mask:
        """Which pairs (card, slot) mean that a card of one of the fact's groups was in the hand at that time."""
        cards = (fact.group[self.kinds] >= 0) & (self.left > fact.time)
        pairs: Mask = cards[:, None] & (self.arrived < fact.time)[None, :]
        return pairs


def puzzle_of(ledger: Ledger, seat: int, hand: Iterable[str]) -> Puzzle:
    hidden = ledger.seats[seat]
    held = [KIND[card] for card in hand]
    kinds = np.array(held + [kind for _, kind, _ in hidden.played], dtype=np.int64)
    left = np.array([NOW] * len(held) + [time for time, _, _ in hidden.played], dtype=np.int64)
    arrived = np.array(hidden.arrived, dtype=np.int64)
    barred = np.array(hidden.barred)[:, kinds].T
    allowed = (arrived[None, :] < left[:, None]) & (left[:, None] < barred)
    for card, (_, _, slot) in enumerate(hidden.played, start=len(held)):
        if slot is not None:
            allowed[card, np.arange(len(arrived)) != slot] = False
    return Puzzle(seat, kinds, left, arrived, allowed)


def match(puzzle: Puzzle, facts: list[Fact]) -> Ints | None:
    """The slots of a perfect matching, if there is one: one that tends to respect the facts."""
    cost = np.where(puzzle.allowed, 0, FORBIDDEN)
    for fact in facts:
        if puzzle.about(fact):
            wanted = np.where(fact.low[fact.group[puzzle.kinds]] > 0, -1, 1)
            cost += puzzle.there(fact) * wanted[:, None]
    if cost.shape[0] != cost.shape[1]:
        return None
    slots: Ints = linear_sum_assignment(cost)[1]
    return slots if puzzle.allowed[np.arange(len(slots)), slots].all() else None


def holds(fact: Fact, puzzles: list[Puzzle], slots: list[Ints]) -> bool:
    count = np.zeros_like(fact.low)
    for p, slot_of in zip(puzzles, slots, strict=True):
        if p.about(fact):
            group = fact.group[p.kinds[(p.left > fact.time) & (p.arrived[slot_of] < fact.time)]]
            count += np.bincount(group[group >= 0], minlength=len(fact.low))
    return bool((fact.low <= count).all() and (count <= fact.high).all())


def statement(fact: Fact, puzzles: list[Puzzle]) -> LinearConstraint:
    """The fact as rows of a linear program over all allowed pairs: one row per group."""
    grouped = [np.where(p.there(fact) & p.about(fact), fact.group[p.kinds][:, None], -1)[p.allowed] for p in puzzles]
    group = np.concatenate(grouped)
    at = np.nonzero(group >= 0)[0]
    rows = coo_matrix((np.ones(len(at)), (group[at], at)), shape=(len(fact.low), len(group)))
    return LinearConstraint(rows.tocsr(), fact.low, fact.high)


def merged(p: Puzzle, facts: list[Fact]) -> tuple[Puzzle, tuple[Ints, Ints]]:
    """One card for all that are alike, and one slot, and how many each stands for.

    Cards of a kind are alike if they may go to the same slots and were all there, or all gone, at the time of every
    fact; slots, if they may take the same cards and were filled before the same facts.
    """
    times = np.array([fact.time for fact in facts], dtype=np.int64)
    cards, copies = alike(np.column_stack([p.kinds, p.left[:, None] > times, p.allowed]))
    slots, places = alike(np.column_stack([p.arrived[:, None] < times, p.allowed.T]))
    few = Puzzle(p.seat, p.kinds[cards], p.left[cards], p.arrived[slots], p.allowed[np.ix_(cards, slots)])
    return few, (copies, places)


def alike(rows: Ints) -> tuple[Ints, Ints]:
    """The first of every set of equal rows, and how many they are."""
    _, first, counts = np.unique(rows, axis=0, return_index=True, return_counts=True)
    return first, counts


def solvable(puzzles: list[Puzzle], facts: list[Fact]) -> bool:
    """Whether matchings of all seats exist that respect the facts, too: an integer program over the allowed pairs, in
    which those that are alike are counted together, since their permutations would take it very long."""
    few = [merged(p, facts) for p in puzzles]
    sizes = [int(p.allowed.sum()) for p, _ in few]
    n = sum(sizes)
    constraints = []
    for start, size, (p, numbers) in zip(np.cumsum([0, *sizes]), sizes, few, strict=False):
        for number, places in zip(numbers, np.nonzero(p.allowed), strict=True):
            shape = (len(number), n)
            each = coo_matrix((np.ones(size), (places, np.arange(start, start + size))), shape=shape)
            constraints.append(LinearConstraint(each.tocsr(), number, number))
    constraints += [statement(fact, [p for p, _ in few]) for fact in facts]
    result = milp(np.zeros(n), constraints=constraints, integrality=np.ones(n, dtype=np.int64), bounds=Bounds(0))
    assert result.status in (0, 2), result.message  # solved, or infeasible
    return bool(result.status == 0)


def contradiction(ledger: Ledger, viewer: int, hands: Hands, exact: bool = True) -> str | None:
    """Why the viewer, knowing what it knows, must rule these hands out; None if it need not.

    Not `exact`: of what reshuffles tell, only that a kind that lay open with all its copies when the last one came was
    in no hand then; and nothing of what challenges tell but that a hand had none of the colour.
    """
    puzzles = [puzzle_of(ledger, seat, hand) for seat, hand in enumerate(hands) if seat != viewer]
    put_back = ledger.put_back()
    if put_back is not None:
        for p in puzzles:
            p.allowed &= ~(p.there(put_back) & (put_back.high[p.kinds] == 0)[:, None])
    facts = ledger.facts(viewer) if exact else []
    chosen: list[Ints] = []
    for p in puzzles:
        slots = match(p, facts)
        if slots is None:
            return f"seat {p.seat} cannot have these cards"
        chosen.append(slots)
    if all(holds(fact, puzzles, chosen) for fact in facts) or solvable(puzzles, facts):
        return None
    return "the hands contradict a challenge or a reshuffle"


# ---------------------------------------------------------------------------------------------------- deals


def unseen_by(position: Position, seat: int) -> list[str]:
    """All cards that neither lie open nor in the seat's hand."""
    left = Counter({name: int(n) for name, n in zip(KINDS, COPIES, strict=True)})
    left -= Counter(position["discards"]) + Counter(position["hands"][seat])
    return sorted(left.elements())


def naive_hands(position: Position, seat: int, rng: np.random.Generator) -> list[list[str]]:
    """Hands dealt at random from the unseen cards, whatever has been revealed."""
    cards = unseen_by(position, seat)
    deck = [cards[i] for i in rng.permutation(len(cards))]
    return [list(hand) if i == seat else [deck.pop() for _ in hand] for i, hand in enumerate(position["hands"])]
