"""Why a move is advised: a sentence, from the worlds of a search and what each action got in them.

The figures in a sentence are those of the worlds that were looked into: shares of them, and means over them. A fact is
named only if the gain over another move differs by it far beyond chance; where nothing qualifies, nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kibitz import _core, advice
from kibitz.advice import facts, units, words
from kibitz.protocols import Game, State, Thought, View
from kibitz.registry import Spec, parse_spec

WORLDS = 400
MOST = 40_000  # play-outs for a reason
FEWEST = 20  # worlds on either side of a fact
CLEAR = 4.0  # standard errors: there are about a hundred facts to choose from
NEAR_OUT = 2  # cards of a player who is about to go out


@dataclass(frozen=True)
class Looked:
    """The worlds that a search looked into, and the payoff [world, action] of its seat in each by each action."""

    actions: Sequence[int]
    worlds: Sequence[State]
    payoffs: NDArray[np.float64]
    difference: bool = False  # they are differences, as in a thought

    def gains(self, action: int, rival: int) -> NDArray[np.float64]:
        """Per world, how much more the action gets; NaN where one of them was not tried."""
        mine, other = self.actions.index(action), self.actions.index(rival)
        gains: NDArray[np.float64] = self.payoffs[:, mine] - self.payoffs[:, other]
        return gains


@dataclass(frozen=True)
class Why:
    """A reason in its parts, so that a page can say it in any language; `says` is the sentence in English.

    `fact` is so for `seat` in `share` of the worlds, and `best` then gains `then` payoffs on `rival`, otherwise
    `otherwise`. The fact `follow`: the seat, with `cards` left, cannot follow `best` in `share` of the worlds, and
    `rival` in `then`.
    """

    says: str
    fact: str  # facts.Fact.kind, or follow
    seat: int
    what: str
    share: float
    best: str
    rival: str
    then: float
    otherwise: float = 0.0
    cards: int = 0


def look(game: Game, view: View, spec: str | None = None) -> Looked | None:
    """The worlds of the adviser's search, or of `spec`; None where it does not keep them. The same view, the same."""
    legal = view.legal()
    if not isinstance(game, _core.Game) or not isinstance(view, _core.View) or len(legal) < 2:
        return None
    search = parse_spec(spec or advice.choice(game).variant.adviser)
    if search.name != "mcs":
        return None
    budget = {"iterations": min(MOST, WORLDS * len(legal)), "keep": WORLDS}
    even = {key: option for key, option in search.options.items() if key != "halving"}  # all actions in all worlds
    driven = game.search(view, str(Spec(search.name, None, even | budget)), seed=view.key)
    driven.run()
    worlds, payoffs = driven.matrix()
    return Looked(legal, worlds, np.asarray(payoffs), even.get("goal") == "difference")


def reason(
    game: Game,
    view: View,
    thought: Thought,
    names: Sequence[str] = (),
    *,
    against: int | None = None,
    text: Callable[[str], str] = str,
    looked: Looked | None = None,
) -> str:
    """A sentence on why the thought's move is better than another; empty where nothing says why (`why`)."""
    found = why(game, view, thought, names, against=against, text=text, looked=looked)
    return "" if found is None else found.says


def why(
    game: Game,
    view: View,
    thought: Thought,
    names: Sequence[str] = (),
    *,
    against: int | None = None,
    text: Callable[[str], str] = str,
    looked: Looked | None = None,
) -> Why | None:
    """Why the thought's move is better than another: `against`, or the best that is clearly worse.

    None where no move is clearly worse, or no fact says why. `names` are the seats' names ("seat 2" without them);
    `text` writes cards and actions as the caller shows them."""
    best, rival = thought.best, _rival(thought) if against is None else against
    if rival is None or rival == best or words.undecided(thought):
        return None
    looked = look(game, view) if looked is None else looked
    if looked is None:
        return None
    gains = looked.gains(best, rival)
    told = ~np.isnan(gains)
    scene = facts.Scene(
        game, view, [world for world, known in zip(looked.worlds, told, strict=True) if known], names, text
    )
    if len(scene.worlds) < 2 * FEWEST:
        return None
    if game.name == "uno" and (said := _cannot_follow(scene, best, rival)):
        return said
    return _by_fact(scene, best, rival, gains[told], units.unit_of(game, view, difference=looked.difference))


def _rival(thought: Thought) -> int | None:
    groups = words.groups(thought)
    if len(groups) < 2 or words.loss_of(thought, groups[1][0]).mean is None:
        return None
    return thought.actions[groups[1][0]]


def _by_fact(scene: facts.Scene, best: int, rival: int, gains: NDArray[np.float64], unit: units.Unit) -> Why | None:
    """ "In 72% of the worlds West holds the A♠: 9♥ then gets 10.2 points more than K♥, otherwise 1.3 less." """
    known = facts.of(scene)
    clear = [abs(_contrast(fact.holds, gains)) for fact in known]
    if not clear or max(clear) < CLEAR:
        return None
    fact = known[int(np.argmax(clear))]
    then, otherwise = float(gains[fact.holds].mean()), float(gains[~fact.holds].mean())
    mine, other = (scene.card(scene.game.text(action)) for action in (best, rival))
    says = (
        f"In {fact.holds.mean():.0%} of the worlds {fact.says}: "
        f"{mine} then {unit.more(then)} than {other}, otherwise {unit.more(otherwise, verb=False)}."
    )
    played, instead = (scene.game.text(action) for action in (best, rival))
    share = float(fact.holds.mean())
    return Why(says, fact.kind, fact.seat, fact.what, share, played, instead, then, otherwise)


def _contrast(holds: facts.Mask, gains: NDArray[np.float64]) -> float:
    """By how many standard errors the mean gain differs between worlds where a fact holds and the others."""
    yes, no = gains[holds], gains[~holds]
    if min(len(yes), len(no)) < FEWEST:
        return 0.0
    error = float(np.sqrt(yes.var(ddof=1) / len(yes) + no.var(ddof=1) / len(no)))
    return float(yes.mean() - no.mean()) / error if error else 0.0


def _cannot_follow(scene: facts.Scene, best: int, rival: int) -> Why | None:
    """Uno, before a player who is about to go out: "Ann has 1 card and in 81% of the worlds cannot
    follow b-5; after r-5 in 40%." """
    dull = ("draw", "pass", "keep")
    mine, other = (facts.answers(scene, action, lambda reply: reply.startswith(dull)) for action in (best, rival))
    if mine is None or other is None or mine[0] != other[0]:
        return None
    seat, cards = mine[0], _count(scene, mine[0])
    here, there = float((~mine[1]).mean()), float((~other[1]).mean())
    error = np.sqrt((here * (1 - here) + there * (1 - there)) / len(scene.worlds))
    if cards > NEAR_OUT or here - there <= CLEAR * error:
        return None
    played, instead = (scene.game.text(action) for action in (best, rival))
    says = (
        f"{scene.who(seat)} has {cards} card{'s' * (cards != 1)} and in {here:.0%} of the worlds "
        f"cannot follow {scene.card(played)}; after {scene.card(instead)} in {there:.0%}."
    )
    return Why(says, "follow", seat, "", here, played, instead, there, cards=cards)


def _count(scene: facts.Scene, seat: int) -> int:
    hands = scene.hands()
    return sum(hands[seat][0].values()) if seat in hands else NEAR_OUT + 1
