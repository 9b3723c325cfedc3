"""rlcard's rule agent for Dou Di Zhu at our tables.

It plays from the dict that rlcard's own game would show it, built here from a view: all of it is known to the seat
(`others_hand` is what the two others hold together).
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from kibitz.adapters import peer
from kibitz.agents.base import AgentBase
from kibitz.protocols import Game, facts

RANKS = "3456789TJQKA2BR"
DECK = Counter({rank: 1 if rank in "BR" else 4 for rank in RANKS})


def doudizhu_state(view: Any) -> dict[str, Any]:
    """What rlcard 1.2.0 calls `raw_obs`, of the seat to act."""
    game = view.game
    position = game.position(view)
    seat: int = view.seat
    hand: str = position["hands"][seat]
    played: list[str] = [_in_order(Counter(cards)) for cards in position["played"]]
    others = DECK - Counter(hand) - Counter("".join(played))
    return {
        # rlcard takes all cards of a rank away as soon as the landlord plays one of it.
        "seen_cards": "".join(card for card in _in_order(Counter(position["talon"])) if card not in played[0]),
        "landlord": position["landlord_seat"],
        "trace": [(who, game.text(action)) for who, action in view.history],
        "played_cards": played,
        "self": seat,
        "current_hand": _in_order(Counter(hand)),
        "others_hand": _in_order(others),
        "num_cards_left": [len(cards) if isinstance(cards, str) else cards["count"] for cards in position["hands"]],
        "actions": [game.text(action) for action in view.legal()],
    }


def _in_order(cards: Counter[str]) -> str:
    return "".join(rank * cards[rank] for rank in RANKS)


class RlcardRules(AgentBase):
    """`DouDizhuRuleAgentV1`: leads what holds its lowest card, follows with the lowest move of the same kind."""

    name = "rlcard-rules"

    def __init__(self) -> None:
        super().__init__()
        self._rules: Any = None

    def native(self, game: Game) -> None:
        """Nothing native; but an agent that cannot play says so before the first card is dealt."""
        options = facts(game).options
        if game.name != "doudizhu" or options["rules"] != "rlcard" or options["landlord"] != "first":
            raise ValueError(f"{self.name} plays doudizhu with rules=rlcard and landlord=first, not {game!r}")
        self._load()

    def act(self, view: Any) -> int:
        if self._rules is None:
            self.native(view.game)
        state = doudizhu_state(view)
        chosen = self._step(state)
        if chosen not in state["actions"]:
            raise ValueError(f"{self.name} chose {chosen!r}, which is not legal; legal are: {state['actions']}")
        return int(view.game.parse(chosen))

    def _step(self, state: dict[str, Any]) -> str:
        # It draws from NumPy's global stream: ours while it does, and everybody else's is left as it was.
        before = np.random.get_state()
        np.random.seed(self.rng.below(2**31))
        try:
            return str(self._rules.step({"raw_obs": state}))
        finally:
            np.random.set_state(before)

    def _load(self) -> None:
        models = peer("rlcard.models.doudizhu_rule_models", "rlcard==1.2.0")
        self._rules = models.DouDizhuRuleAgentV1()

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_rules": None}
