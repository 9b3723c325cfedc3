"""The combinations of Dou Di Zhu, told from the cards that they consist of."""

from __future__ import annotations

from collections import Counter
from itertools import groupby

RANKS = "3456789TJQKA2BR"
# By the name of a kind, in the order in which they are listed.
KINDS = (
    "single card",
    "pair",
    "three",
    "three + single",
    "three + pair",
    "sequence",
    "sequence of pairs",
    "plane",
    "plane + singles",
    "plane + pairs",
    "four + two singles",
    "four + two pairs",
    "bomb",
    "rocket",
)


def grouped(cards: str) -> str:
    """The cards with a space between ranks: 33 4 555."""
    return " ".join("".join(group) for _, group in groupby(cards))


def ordered(cards: str) -> str:
    """The cards as the game writes them, in rising order."""
    return "".join(sorted(cards, key=RANKS.index))


def kind(cards: str) -> str:
    """Of a legal combination: one of KINDS. It may also be an announcement: 333+solo, 3333+pairs."""
    main, _, kickers = cards.partition("+")
    held = Counter(main)
    most = max(held.values())
    if kickers:
        name = "four + two" if most == 4 else "plane +" if len(held) > 1 else "three +"
        return f"{name} {kickers.replace('solo', 'single')}"
    if cards == "BR":
        return "rocket"
    if len(held) == 1:
        return ("single card", "pair", "three", "bomb")[most - 1]
    if most <= 2:
        return "sequence" if most == 1 else "sequence of pairs"
    return _with_kickers(held)


def _with_kickers(held: Counter[str]) -> str:
    """Threes or fours with others. The chain of a plane is the longest run of neighbours that are held three times: a
    four among the kickers of a plane does not make it a four."""
    total = held.total()
    chain = _longest([RANKS.index(rank) for rank, count in held.items() if count >= 3 and rank not in "2BR"])
    if chain >= 2:
        return {3: "plane", 4: "plane + singles", 5: "plane + pairs"}.get(total // chain, "plane + singles")
    if max(held.values()) == 4:
        return "four + two singles" if total == 6 else "four + two pairs"
    return "three + single" if total == 4 else "three + pair"


def _longest(ranks: list[int]) -> int:
    """How many whole numbers of the list follow each other, at most."""
    best, run, last = 0, 0, -2
    for rank in sorted(ranks):
        run = run + 1 if rank == last + 1 else 1
        best, last = max(best, run), rank
    return best
