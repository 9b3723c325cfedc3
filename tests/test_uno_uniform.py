"""Worlds of Uno are equally likely: `view.sample` against enumeration in rlcard.

Few cards are hidden at the start, nothing is known of them. A few moves later all deals that could have been at the
start are replayed in rlcard itself; those in which everything looks the same to seat 0 are its worlds. README.md of
the game says where worlds are only nearly uniform; here it is measured.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from rlcard.games.uno.card import UnoCard
from rlcard.games.uno.player import UnoPlayer
from rlcard.games.uno.round import UnoRound
from scipy.stats import chisquare
from uno_oracle import DRAW, KIND, Position, full_deck, random_stream, unseen_by

import kibitz

Worlds = Counter[tuple[tuple[str, ...], ...]]  # the other hands, with the number of physical deals
Observation = tuple[Any, ...]
POOL = [f"{colour}-{trait}" for colour in "rgby" for trait in (1, 2, 3, "skip")] * 2


@dataclass(frozen=True)
class Shape:
    others: tuple[int, ...]  # cards in the hidden hands
    pile: int
    moves: int
    reshuffle: bool = False


@dataclass
class Story:
    """A start, what was played, and what seat 0 saw after each action."""

    start: Position
    shape: Shape
    state: Any
    actions: list[str] = field(default_factory=list)
    seen: list[Observation] = field(default_factory=list)
    forced: Counter[int] = field(default_factory=Counter)  # draws of other seats, which show that nothing fits
    unclear: Counter[int] = field(default_factory=Counter)  # cards played by seats that had drawn before
    reshuffles: int = 0


def tiny_start(shape: Shape, rng: random.Random) -> Position:
    """All cards but a few lie open; where a reshuffle is wanted, they are in the hand of seat 0 instead."""
    deck = Counter(full_deck())
    pool = POOL.copy()
    rng.shuffle(pool)
    hidden = [[pool.pop() for _ in range(n)] for n in (*shape.others, shape.pile)]
    target = next(card for card in pool if not card.endswith("skip"))
    pool.remove(target)
    own = [pool.pop() for _ in range(4)] + ["r-draw_2", "y-draw_2"]
    discards = [pool.pop() for _ in range(2)]
    deck.subtract([*itertools.chain(*hidden), target, *own, *discards])
    rest = sorted(deck.elements())
    if shape.reshuffle:
        own = own + rest
    else:
        discards = discards + rest
    table = {"game": "uno", "players": len(shape.others) + 1, "rules": "rlcard", "to_act": 0, "target": target}
    hands = [own, *hidden[:-1]]
    return table | {"discards": [*discards, target], "hands": hands, "pile": hidden[-1], "stream": random_stream(rng)}


def look(position: Position) -> Observation:
    """Of the discards the last is enough: the others were last before."""
    counts = tuple(len(hand) for hand in position["hands"])
    top = (len(position["discards"]), *position["discards"][-1:])
    own = tuple(sorted(position["hands"][0]))
    return position["target"], position["to_act"], position["direction"], counts, top, own


def tell(shape: Shape, seed: int) -> Story | None:
    """A random story of this shape; None if it ends early or takes a turn that cannot be enumerated."""
    rng = random.Random(seed)
    start = tiny_start(shape, rng)
    game = kibitz.make("uno", players=len(shape.others) + 1, rules="rlcard")
    story = Story(start, shape, game.from_position(start))
    for _ in range(shape.moves):
        legal = [a for a in story.state.legal() if a == DRAW or a % 15 < 13]  # a wild's colour would be chance
        if not legal:
            return None
        before, action = game.position(story.state), rng.choice(legal)
        story.state.apply(action)
        after = game.position(story.state)
        note(story, before, action, game.text(action))
        story.seen.append(look(after))
        if len(after["discards"]) < len(before["discards"]) + (action != DRAW):
            story.reshuffles += 1
            if len(before["discards"]) + len(before["pile"]) > 5:  # too many orders
                return None
        if story.state.over or story.reshuffles > shape.reshuffle:
            return None
    return story


def note(story: Story, before: Position, action: int, text: str) -> None:
    seat = before["to_act"]
    story.actions.append(text)
    if seat != 0 and action == DRAW:
        story.forced[seat] += 1
    elif story.forced[seat]:
        story.unclear[seat] += 1


def find(shape: Shape, wanted: Callable[[Story], bool], skip: int = 0) -> Story:
    """The first stories, by seed, that are as wanted."""
    found = (story for story in (tell(shape, seed) for seed in range(100_000)) if story and wanted(story))
    return next(itertools.islice(found, skip, None))


class ShuffleError(Exception):
    """rlcard shuffles, and the script does not say how."""


class ScriptedDealer:
    """rlcard's dealer, with a given deck (the top is last) and given shuffles."""

    def __init__(self, deck: list[Any], order: tuple[int, ...] | None) -> None:
        self.deck = deck
        self.order = order

    def deal_cards(self, player: Any, num: int) -> None:
        for _ in range(num):
            player.hand.append(self.deck.pop())

    def shuffle(self) -> None:
        if self.order is None:
            raise ShuffleError(len(self.deck))
        self.deck[:] = [self.deck[i] for i in self.order]


def their_card(text: str) -> UnoCard:
    if text.startswith("wild"):
        return UnoCard("wild", "r", text)
    colour, trait = text.split("-")
    return UnoCard("number" if trait.isdigit() else "action", colour, trait)


def our_text(card: UnoCard) -> str:
    return str(card.trait if card.type == "wild" else f"{card.color}-{card.trait}")


CARDS = {name: their_card(name) for name in KIND}


def replay(story: Story, hands: list[list[str]], deck: list[str], order: tuple[int, ...] | None) -> list[Any] | None:
    """The other hands at the end, if all along rlcard shows seat 0 what it saw in the story; and in how many ways.

    A player with two equal cards may play either: these are two ways, so that in the end all places of the physical
    cards that are still hidden count the same.
    """
    dealer = ScriptedDealer([CARDS[card] for card in deck], order)
    players = [UnoPlayer(seat, None) for seat in range(len(hands))]
    for player, hand in zip(players, hands, strict=True):
        player.hand = [CARDS[card] for card in hand]
    round_ = UnoRound(dealer, len(hands), None)
    round_.target = CARDS[story.start["target"]]
    round_.played_cards = [CARDS[card] for card in story.start["discards"]]
    ways = 1
    for action, seen in zip(story.actions, story.seen, strict=True):
        seat = round_.current_player
        if action not in round_.get_legal_actions(players, seat):
            return None
        if seat != 0 and action != "draw":
            ways *= players[seat].hand.count(CARDS[action])
        round_.proceed_round(players, action)
        if their_look(round_, players, seen) != seen:
            return None
    return [ways, *(player.hand for player in players[1:])]


def their_look(round_: Any, players: list[Any], seen: Observation) -> Observation:
    """As `look`. The own hand, which may be long, only if the rest agrees already."""
    counts = tuple(len(player.hand) for player in players)
    top = (len(round_.played_cards), *map(our_text, round_.played_cards[-1:]))
    short = our_text(round_.target), round_.current_player, round_.direction, counts, top
    return (*short, tuple(sorted(map(our_text, players[0].hand)))) if short == seen[:5] else short


def deals(cards: list[str], sizes: tuple[int, ...]) -> Iterator[tuple[list[list[str]], list[str]]]:
    """Every way to deal physical cards to hands (as sets) and a pile (in order)."""
    if not sizes:
        for order in itertools.permutations(cards):
            yield [], list(order)
        return
    for chosen in itertools.combinations(range(len(cards)), sizes[0]):
        rest = [card for i, card in enumerate(cards) if i not in chosen]
        for hands, pile in deals(rest, sizes[1:]):
            yield [[cards[i] for i in chosen], *hands], pile


def enumerate_worlds(story: Story) -> Worlds:
    worlds: Worlds = Counter()
    own = story.start["hands"][0]
    for hidden, pile in deals(unseen_by(story.start, 0), story.shape.others):
        orders: Any = [None]
        try:
            replay(story, [own, *hidden], pile, None)
        except ShuffleError as shuffled:
            orders = itertools.permutations(range(shuffled.args[0]))
        for order in orders:
            found = replay(story, [own, *hidden], pile, order)
            if found is not None:
                ways, *hands = found
                worlds[tuple(tuple(sorted(map(our_text, hand))) for hand in hands)] += ways
    return worlds


def sampled_worlds(story: Story, count: int) -> Worlds:
    view = story.state.view(0)
    pictures = Counter(str(view.sample(seed)) for seed in range(count))  # far quicker than positions
    worlds: Worlds = Counter()
    for picture, n in pictures.items():
        lines = [line.split() for line in picture.splitlines() if " seat " in line]
        worlds[tuple(tuple(sorted(word for word in line if word in KIND)) for line in lines[1:])] += n
    return worlds


@dataclass
class Fit:
    """How well samples agree with the exact distribution."""

    worlds: int
    p: float
    distance: float  # total variation
    noise: float  # what exact sampling would give, on average


def measure(story: Story, count: int) -> Fit:
    exact, drawn = enumerate_worlds(story), sampled_worlds(story, count)
    assert set(drawn) <= set(exact), "impossible worlds"
    keys = sorted(exact)
    share = np.array([exact[key] for key in keys]) / exact.total()
    got = np.array([drawn[key] for key in keys])
    ideal = np.random.default_rng(0).multinomial(count, share, size=50)
    p = 1.0 if len(keys) == 1 else merged_p(got, share * count)
    return Fit(len(keys), p, variation(got, share), float(np.mean([variation(row, share) for row in ideal])))


def variation(got: npt.NDArray[Any], share: npt.NDArray[Any]) -> float:
    return float(np.abs(got / got.sum() - share).sum() / 2)


def merged_p(got: npt.NDArray[Any], expected: npt.NDArray[Any]) -> float:
    """Chi-squared; cells with few expected counts are put together."""
    small = expected < 10
    if small.any():
        got = np.append(got[~small], got[small].sum())
        expected = np.append(expected[~small], expected[small].sum())
    return float(chisquare(got, expected).pvalue)


def report(fit: Fit, story: Story, record_property: Callable[[str, object], None]) -> None:
    for name, value in vars(fit).items():
        record_property(name, value)
    print(fit, " ".join(story.actions))


TWO, THREE = Shape((3,), 5, 7), Shape((2, 3), 4, 8)
TWO_SHUFFLED, THREE_SHUFFLED = Shape((3,), 2, 6, reshuffle=True), Shape((2, 2), 1, 5, reshuffle=True)


def shown_by_one(story: Story) -> bool:
    """One other seat, which has shown something and has played nothing since."""
    return story.forced[1] > 0 and not story.unclear


def nothing_shown(story: Story) -> bool:
    return not story.forced and len(set(story.actions)) > 3


def unclear_by_one(story: Story) -> bool:
    return story.unclear[1] > 0


def shown_by_two(story: Story) -> bool:
    return story.forced[1] > 0 and story.forced[2] > 0 and not story.unclear


def unclear_by_two(story: Story) -> bool:
    return story.forced[1] > 0 and story.forced[2] > 0 and story.unclear.total() > 1


def reshuffled(story: Story) -> bool:
    return story.reshuffles == 1 and story.forced.total() > 0


# The numbers pick stories with many worlds among the first 60 of each kind, and those that deviated most.
EXACT = [(TWO, shown_by_one, n) for n in (0, 4, 7)] + [(TWO, nothing_shown, 0)]
EXACT += [(THREE, nothing_shown, n) for n in (0, 1)]
EXACT += [(TWO, unclear_by_one, n) for n in (1, 2, 5)] + [(THREE, shown_by_two, n) for n in (1, 6)]
EXACT += [(THREE, unclear_by_two, n) for n in (5, 9, 51, 55)]
NEARLY = [(TWO_SHUFFLED, reshuffled, n) for n in (1, 2)] + [(THREE_SHUFFLED, reshuffled, n) for n in (7, 10, 13)]


@pytest.mark.parametrize(("shape", "wanted", "skip"), EXACT)
def test_worlds_are_uniform(
    shape: Shape, wanted: Callable[[Story], bool], skip: int, record_property: Callable[[str, object], None]
) -> None:
    story = find(shape, wanted, skip)
    fit = measure(story, 40_000)
    report(fit, story, record_property)
    assert fit.worlds > 4
    assert fit.p > 1e-3


@pytest.mark.parametrize(("shape", "wanted", "skip"), NEARLY)
def test_worlds_are_nearly_uniform(
    shape: Shape, wanted: Callable[[Story], bool], skip: int, record_property: Callable[[str, object], None]
) -> None:
    story = find(shape, wanted, skip)
    fit = measure(story, 40_000)
    report(fit, story, record_property)
    assert fit.worlds > 1
    assert fit.distance - fit.noise < 0.02
