"""Who may hold which card: estimated from worlds that are drawn uniformly from those consistent with a view."""

from __future__ import annotations

from collections import Counter
from typing import Any

from kibitz import _core
from kibitz._core import mix
from kibitz.protocols import Game, View, can, game_of

WORLDS = 400  # a standard error of at most 2.5 points; some milliseconds

Cards = dict[int, dict[str, float]]


def cards(view: View, game: Game | None = None, *, worlds: int = WORLDS, seed: int | None = None) -> Cards | None:
    """Per hidden seat and unseen card: the share of worlds in which the seat holds at least one such card.

    Every seat has the same cards in its dict: those that some hidden seat holds in some world. So 1 is certain, and 0
    says that the card is about, but never with this seat. None where no hand is hidden: board games, a finished deal,
    games without positions. The same view gives the same figures; another `seed` draws other worlds.

    A position's `hands` has one entry per seat: the cards as a list, or as a text with one letter for each; in a view's
    position a dict (`{"count": n}`) where the hand is hidden.
    """
    if isinstance(view, _core.View):
        return (view.card_odds(worlds, seed) or None) if view.game.can("card_odds") else None
    rules: Any = game_of(view) or game  # a game in Python, which may have positions
    hidden = hidden_seats(view, rules)
    if not hidden:
        return None
    start = view.key if seed is None else seed
    held: dict[int, Counter[str]] = {seat: Counter() for seat in hidden}
    for number in range(worlds):
        hands = rules.position(view.sample(mix(start, number)))["hands"]
        for seat in hidden:
            held[seat].update(set(hands[seat]))
    about = sorted(set().union(*held.values()))
    return {seat: {card: held[seat][card] / worlds for card in about} for seat in hidden}


def colours(view: View, *, worlds: int = WORLDS) -> Cards | None:
    """Uno, per hidden seat: the share of worlds in which it holds a card of each colour, and a wild one ("w").

    None for other games. The figures of single cards do not give this: hands depend on each other."""
    rules: Any = game_of(view)
    if rules is None or rules.name != "uno" or not (hidden := hidden_seats(view, rules)):
        return None
    held = {seat: Counter(dict.fromkeys("rgbyw", 0)) for seat in hidden}
    for number in range(worlds):
        hands = rules.position(view.sample(mix(view.key, number)))["hands"]
        for seat in hidden:
            held[seat].update({card[0] for card in hands[seat]})
    return {seat: {colour: count / worlds for colour, count in held[seat].items()} for seat in hidden}


def hidden_seats(view: View, game: Any) -> list[int]:
    """The seats whose hands the view does not show."""
    if game is None or not can(game, "position"):
        return []
    hands = game.position(view).get("hands", [])
    return [seat for seat, hand in enumerate(hands) if isinstance(hand, dict) and seat != view.seat]
