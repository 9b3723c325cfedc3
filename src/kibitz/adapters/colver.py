"""colver's searches for Belote at our tables: card play alone, under contrée's rules (`discard=true`).

colver searches from a whole deal and draws the hidden hands anew by itself. It never gets the real ones: it is shown a
world drawn from the view, so that nothing hidden can reach it, whatever it does with what it sees.
"""

from __future__ import annotations

from typing import Any

from kibitz.adapters import peer
from kibitz.agents.base import AgentBase
from kibitz.protocols import Game, facts
from kibitz.registry import Spec

METHODS = ("ismcts", "smart-ismcts", "isdd")
DEALER = 3  # seat 0 leads
_SUITS = "shdc"
_RANKS = ("7", "8", "9", "J", "Q", "K", "10", "A")  # colver's order
# Double-dummy PIMC over uniform worlds: its other sources of worlds are networks that must be downloaded. The bidder is
# never asked.
_ISDD = """
[bid]
strategy = "improved"
[play]
method = "isdd"
time_ms = {ms}
objective = "card_points"
[worlds]
source = "uniform"
"""


def cards_of(game: Game) -> dict[int, int]:
    """Our action -> colver's card."""
    names = [rank + suit for suit in _SUITS for rank in _RANKS]
    return {game.parse(name): card for card, name in enumerate(names)}


def deal(state: Any, cards: dict[int, int], seed: int = 0) -> Any:
    """colver's Env with the cards of this deal, before the auction; `seed` feeds its searches."""
    game = state.game
    position = game.position(state)
    hands = [
        [cards[game.parse(name)] for name in [*held, *played]]
        for held, played in zip(position["hands"], position["played"], strict=True)
    ]
    env = peer("colver", "colver==0.11.1").Env.deal(dealer=DEALER, seed=seed)
    env.redeal_with_hands(DEALER, hands)
    return env


def start(env: Any, trump: str, contract: int) -> None:
    """Skips the auction: seats 0 and 2 have promised `contract` points."""
    env.set_contract(_SUITS.index(trump), contract, 0, 0)
    env.set_phase_playing()


class Colver(AgentBase):
    """colver 0.11.1.

    method    ismcts (it calls it naive: UCT in worlds drawn anew), smart-ismcts (the same with beliefs), isdd
              (double-dummy PIMC: worlds solved exactly)
    ms        milliseconds per move; isdd takes longer where two worlds need more
    contract  what seats 0 and 2 have to make. ismcts and smart-ismcts play for the contract; 80, the lowest there is,
              is as near to "more than half of the points" as it gets. isdd is told to play for points.
    """

    def __init__(self, method: str = "ismcts", ms: int = 20, contract: int = 80) -> None:
        super().__init__()
        if method not in METHODS:
            raise ValueError(f"unknown method {method!r} of colver; allowed: {', '.join(METHODS)}")
        if not 1 <= ms <= 1_000_000:
            raise ValueError(f"ms must be within 1..1000000, not {ms}")
        if contract not in range(80, 170, 10):
            raise ValueError(f"contract must be 80, 90, … or 160, not {contract}")
        self.method, self.ms, self.contract = method, ms, contract
        given = {"method": (method, "ismcts"), "ms": (ms, 20), "contract": (contract, 80)}
        self.name = str(Spec("colver", None, {key: value for key, (value, usual) in given.items() if value != usual}))
        self._game: Any = None
        self._cards: dict[int, int] = {}
        self._ours: dict[int, int] = {}

    def native(self, game: Game) -> None:
        """Nothing native; but an agent that cannot play says so before the first card is dealt."""
        options = facts(game).options
        wanted = {"cards": 32, "rules": "official", "discard": True, "bidding": False}
        if game.name != "belote" or any(options[key] != value for key, value in wanted.items()):
            raise ValueError(f"colver plays belote with 32 cards, discard=true and no bidding, not {game!r}")
        peer("colver", "colver==0.11.1")

    def act(self, view: Any) -> int:
        if self._game is not view.game:
            self.native(view.game)
            self._cards = cards_of(view.game)
            self._ours = {card: action for action, card in self._cards.items()}
            self._game = view.game
        legal = view.legal()
        env, ask = self._seated(view)
        theirs = sorted(self._ours[card] for card in env.legal_actions())
        if theirs != legal:
            raise ValueError(f"colver allows {theirs}, we {legal}, at {view.game.position(view)}")
        return legal[0] if len(legal) == 1 else self._ours[ask()]

    def _seated(self, view: Any) -> tuple[Any, Any]:
        """An Env at the view's position, in a world drawn from it, and what to call for colver's choice."""
        world = view.sample(self.rng.next())
        env = deal(world, self._cards, self.rng.below(2**31))
        trump = view.game.position(view)["trump"]
        moves = [self._cards[action] for _, action in view.history]
        if self.method == "isdd":
            agent = peer("colver", "colver==0.11.1").Agent(
                _ISDD.format(ms=self.ms), seat=view.seat, seed=self.rng.below(2**31)
            )
            agent.init_deal(env)
            start(env, trump, self.contract)
            for card in moves:
                agent.observe(env, card)
                env.step(card)
            return env, lambda: agent.decide(env)["action"]
        start(env, trump, self.contract)
        if self.method == "smart-ismcts":
            env.smart_ismcts_init()
        step = env.smart_ismcts_step if self.method == "smart-ismcts" else env.step
        for card in moves:
            step(card)
        if self.method == "smart-ismcts":
            return env, lambda: env.action_smart_ismcts_with_stats(self.ms)["best_action"]
        return env, lambda: env.action_naive_ismcts_with_stats(self.ms)["best_action"]

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_game": None}
