"""Our agents at rlcard's Uno table (`rlcard.make("uno")`), seeing what rlcard shows a player there and nothing else.

What the other's draws have shown of its hand is concluded from the record of actions (`Shown`). The colour of a wild is
missing in rlcard's `target`, which shows the printed one. A wild that was played is in the record of actions,
with its colour. One that was drawn got a random colour which nobody is told; the player's own legal actions tell it, or
leave only colours that make no difference to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import kibitz
from kibitz.protocols import Agent

COLOURS = "rgby"


def card_of(text: str) -> str:
    """A card as our positions have it: wilds without a colour."""
    return text[2:] if "wild" in text else text


def uno_position(shown: dict[str, Any]) -> dict[str, Any]:
    """The position of the view of the seat to act, from the state that rlcard 1.2.0 hands to its agents."""
    raw = shown["raw_obs"]
    seat: int = raw["current_player"]
    hands: list[Any] = [{"count": count} for count in raw["num_cards"]]
    hands[seat] = [card_of(card) for card in raw["hand"]]
    discards = [card_of(card) for card in raw["played_cards"]]
    target: str = raw["target"]
    if "wild" in target:
        target = f"{_named(shown)}-{card_of(target)}"
    # With two players nothing depends on the direction. It is what the open cards say.
    turned = sum(card.endswith("reverse") for card in discards) % 2
    return {
        "seat": seat,
        "to_act": seat,
        "direction": -1 if turned else 1,
        "target": target,
        "discards": discards,
        "hands": hands,
    }


def _named(shown: dict[str, Any]) -> str:
    """The colour of the wild that is to be played on."""
    record: Sequence[tuple[int, str]] = shown["action_record"]
    raw = shown["raw_obs"]
    fitting = [action[0] for action in raw["legal_actions"] if action != "draw" and "wild" not in action]
    if fitting:
        return str(fitting[0])  # on a wild nothing fits but its colour
    # Behind the last play there may be draws that were kept; one that was played would have changed the target.
    played = next((action for _, action in reversed(record) if action != "draw"), "")
    held = {card[0] for card in raw["hand"] if "wild" not in card}
    if card_of(played) == card_of(raw["target"]) and played[0] not in held:
        return played[0]
    # Nothing that it holds fits, so that its colour is one of those which it does not hold.
    return next(colour for colour in COLOURS if colour not in held)


TRAITS = [*map(str, range(10)), "skip", "reverse", "draw_2"]
WILDS = ["wild", "wild_draw_4"]


class Shown:
    """What the other seat of a game for two has shown: in how many of its oldest cards there is none of a colour, of a
    number or symbol, of a wild. Who draws had nothing that fits. Where it is not clear what happened, less is known."""

    def __init__(self) -> None:
        self._record: list[Any] = []
        self._count = 0
        self._none = dict.fromkeys([*COLOURS, *TRAITS, *WILDS], 0)

    def add(self, shown: dict[str, Any], target: str) -> dict[str, Any]:
        """Goes on to the next decision of ours; the other's entry in the `memory` of a position."""
        raw, record = shown["raw_obs"], list(shown["action_record"])
        seat: int = raw["current_player"]
        if not self._record or record[: len(self._record)] != self._record:
            Shown.__init__(self)  # another game
        new, before = record[len(self._record) :], self._count
        for who, action in new:
            if who != seat and action != "draw":
                self._played(action)
        self._record, self._count = record, raw["num_cards"][1 - seat]
        if [who for who, _ in new] == [seat, 1 - seat] and new[1][1] == "draw":
            self._drew(new[0][1], target, before)
        return {
            "slots": self._count,
            "no_colour": [self._none[colour] for colour in COLOURS],
            "no_trait": [self._none[trait] for trait in TRAITS],
            "no_wild": [self._none[wild] for wild in WILDS],
        }

    def _played(self, action: str) -> None:
        """It may have been one of the oldest cards, unless there was none such among them."""
        card = card_of(action)
        for kind, none in self._none.items():
            if kind not in ({card} if "wild" in card else set(card.split("-"))):
                self._none[kind] = max(0, none - 1)

    def _drew(self, ours: str, target: str, before: int) -> None:
        """The other drew after our action, with `before` cards in its hand."""
        kept = self._count - before
        if ours == "draw" and (kept != 1 or "wild" in target):
            return  # what it drew on is not known
        colour, trait = (target if kept == 1 else ours).split("-")
        if trait in TRAITS:
            self._none[trait] = before
        for kind in (colour, *WILDS):
            self._none[kind] = before + kept  # a card that is kept has neither the colour, nor is it wild


class RlcardSeat:
    """An agent of ours as rlcard wants its agents: `env.set_agents([RlcardSeat("net:uno-2p"), other])`."""

    use_raw = False  # actions are numbers; rlcard's are the same as ours

    def __init__(self, agent: str | Agent) -> None:
        self.agent: Agent = kibitz.agent(agent)
        if self.agent.peeks:
            raise ValueError(f"{self.agent.name} must see all cards, which rlcard does not show to its players")
        self.game = kibitz.make("uno", players=2, rules="rlcard")
        self._shown = Shown()

    def begin(self, seed: int) -> None:
        """Before every game that is to be repeatable."""
        self.agent.begin(seed)

    def step(self, state: dict[str, Any]) -> int:
        position = uno_position(state)
        entries = [{}, self._shown.add(state, position["target"])]
        view = self.game.from_position(position | {"memory": entries if position["seat"] == 0 else entries[::-1]})
        legal = list(state["legal_actions"])
        if sorted(legal) != view.legal():
            raise ValueError(f"rlcard allows {legal}, we allow {view.legal()} in {self.game.position(view)}")
        return legal[0] if len(legal) == 1 else int(self.agent.act(view))

    def eval_step(self, state: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return self.step(state), {}
