"""Our games behind the interface of rlcard's environments, so that rlcard's agents and trainers run on them unchanged.

`make("uno", {"seed": 7})` stands where `rlcard.make("uno", config={"seed": 7})` stood. Settings that begin with `game_`
are options of the game (`game_players`; rlcard's own `game_num_players` means the same). Games that have rlcard's rules
are played by them, and their observations are rlcard's, number by number. rlcard itself is not needed.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz._core import Game, State, View
from kibitz.adapters.environment import fair_encoder, native_game, observe
from kibitz.adapters.rlcard import doudizhu_state
from kibitz.agents.base import AgentBase

Array = npt.NDArray[Any]
_CARDS = "3456789TJQKA2"
_DECIDED = 9  # the last so many actions are shown


@dataclass(frozen=True)
class Layout:
    """How a game is shown to rlcard's agents. `action` is None where an action is its own number."""

    observe: Callable[[State, int], Array]
    state_shape: list[list[int]]
    action_shape: list[list[int] | None]
    action: Callable[[int], Array] | None = None
    raw: Callable[[View], dict[str, Any]] | None = None
    payoffs: Callable[[Sequence[float]], Array] = np.asarray


class Shown(dict[str, Any]):
    """What rlcard calls a state. What only few agents ask for is worked out when they do."""

    def __init__(self, view: View, layout: Layout, now: dict[str, Any]) -> None:
        super().__init__(now)
        self._view, self._layout = view, layout

    def __missing__(self, key: str) -> Any:
        if key == "raw_legal_actions":
            self[key] = [self._view.game.text(action) for action in self["legal_actions"]]
        elif key == "action_record":
            self[key] = [(seat, self._view.game.text(action)) for seat, action in self._view.history]
        elif key == "raw_obs":
            self[key] = (self._layout.raw or self._view.game.position)(self._view)
        else:
            raise KeyError(key)
        return self[key]


class RlcardEnv:
    """The members of rlcard 1.2.0's `Env`, on a game of the core."""

    def __init__(self, game: Game, *, seed: int | None = None, allow_step_back: bool = False) -> None:
        self.kibitz_game = game
        self.name = game.name
        self.num_players, self.num_actions = game.players, game.num_actions
        self.layout = _layout(game)
        self.state_shape, self.action_shape = self.layout.state_shape, self.layout.action_shape
        self.allow_step_back = allow_step_back
        self.timestep = 0
        self.agents: Sequence[Any] = []
        self._state: State | None = None
        self._before: list[State] = []
        self.seed(seed)

    def seed(self, seed: int | None = None) -> int | None:
        self.np_random = np.random.default_rng(seed)
        return seed

    def set_agents(self, agents: Sequence[Any]) -> None:
        """One for each seat; rlcard's, or any with its `step`, `eval_step` and `use_raw`."""
        self.agents = agents

    def reset(self) -> tuple[Shown, int]:
        self._state = self.kibitz_game.deal(int(self.np_random.integers(2**63)))
        self._before = []
        return self._now()

    def step(self, action: int | str, raw_action: bool = False) -> tuple[Shown, int]:
        """Unlike rlcard, which plays at random in its place, an illegal action raises ValueError."""
        state = self._running()
        if self.allow_step_back:
            self._before.append(state.copy())
        state.apply(self.kibitz_game.parse(str(action)) if raw_action else int(action))
        self.timestep += 1
        return self._now()

    def step_back(self) -> tuple[Shown, int] | bool:
        """Takes the last action back; False at the beginning."""
        if not self.allow_step_back:
            raise ValueError("step_back needs an environment that was made with allow_step_back=True")
        if not self._before:
            return False
        self._state = self._before.pop()
        return self._now()

    def run(self, is_training: bool = False) -> tuple[list[list[Any]], Array]:
        """A whole game: per seat what it saw and did by turns and what it saw at the end; and the payoffs."""
        seen: list[list[Any]] = [[] for _ in range(self.num_players)]
        shown, seat = self.reset()
        while not self.is_over():
            agent = self.agents[seat]
            action = agent.step(shown) if is_training else agent.eval_step(shown)[0]
            seen[seat] += [shown, action]
            shown, seat = self.step(action, agent.use_raw)
        for player, turns in enumerate(seen):
            turns.append(self.get_state(player))
        return seen, self.get_payoffs()

    def is_over(self) -> bool:
        return self._running().over

    def get_player_id(self) -> int:
        """The seat to act; at the end, who acted last."""
        state = self._running()
        return state.history[-1][0] if state.over else state.to_act

    def get_state(self, player_id: int) -> Shown:
        state = self._running()
        view = state.view(player_id)
        features = self.layout.action
        legal = OrderedDict((action, features(action) if features else None) for action in view.legal())
        return Shown(view, self.layout, {"obs": self.layout.observe(state, player_id), "legal_actions": legal})

    def get_payoffs(self) -> Array:
        return self.layout.payoffs(self._running().payoffs)

    def get_perfect_information(self) -> dict[str, Any]:
        """The position of the state, hidden cards included."""
        return self.kibitz_game.position(self._running())

    def get_action_feature(self, action: int) -> Array:
        if self.layout.action:
            return self.layout.action(int(action))
        feature = np.zeros(self.num_actions, np.int8)
        feature[action] = 1
        return feature

    def _now(self) -> tuple[Shown, int]:
        seat = self.get_player_id()
        return self.get_state(seat), seat

    def _running(self) -> State:
        if self._state is None:
            raise ValueError("no game is running: call reset first")
        return self._state

    # Trainers send environments to other processes before the first game.
    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key not in ("layout", "_state", "_before")}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept | {"layout": _layout(kept["kibitz_game"]), "_state": None, "_before": []})


def make(env_id: str, config: Mapping[str, Any] | None = None) -> RlcardEnv:
    """An environment by the name of its game; `config` as for `rlcard.make`."""
    settings = dict(config or {})
    options = {key[5:]: settings.pop(key) for key in [*settings] if key.startswith("game_")}
    if "num_players" in options:
        options["players"] = options.pop("num_players")
    known = {key: settings.pop(key) for key in ("seed", "allow_step_back") if key in settings}
    if settings:
        raise ValueError(f"unknown setting {min(settings)!r}; known: seed, allow_step_back, and game_OPTION")
    if env_id in _RLCARD_RULES:
        options.setdefault("rules", "rlcard")
    return RlcardEnv(native_game(env_id, options), **known)


class RlcardAgent(AgentBase):
    """An agent of rlcard's, trained or not, at our tables: `kibitz.play(game, [RlcardAgent(dqn), "random"])`."""

    def __init__(self, agent: Any, name: str | None = None) -> None:
        super().__init__()
        self.agent = agent
        self.name = name or f"rlcard-{type(agent).__name__}"

    def act(self, view: Any) -> int:
        game: Game = view.game
        layout = _layout(game)
        features = layout.action
        legal = OrderedDict((action, features(action) if features else None) for action in view.legal())
        # A world looks to the seat as the real state does, and nothing else of it is shown.
        seen = layout.observe(view.sample(0), view.seat)
        chosen = self.agent.eval_step(Shown(view, layout, {"obs": seen, "legal_actions": legal}))[0]
        return game.parse(str(chosen)) if self.agent.use_raw else int(chosen)


# ------------------------------------------------------------------------------------------------------- the games


def _layout(game: Game) -> Layout:
    own = _RLCARD_RULES.get(game.name)
    if own is not None and game.options["rules"] == "rlcard":
        found = own(game)
        if found is not None:
            return found
    return _plain(game, fair_encoder(game, None).name)


def _plain(game: Game, encoder_name: str, raw: Callable[[View], dict[str, Any]] | None = None) -> Layout:
    """By an encoder; one of zeros and ones as bytes, which is what trainers keep."""
    encoder = fair_encoder(game, encoder_name)
    kind = np.int8 if encoder.binary else np.float32

    def seen(state: State, seat: int) -> Array:
        return observe(state, encoder, seat).astype(kind)

    return Layout(seen, [list(encoder.shape)] * game.players, [None] * game.players, raw=raw)


def _uno(game: Game) -> Layout:
    """By the encoder `li`, whose planes are rlcard's but for wild cards: there rlcard does not tell one from more."""
    plain = _plain(game, "li", _uno_raw)

    def seen(state: State, seat: int) -> Array:
        planes = plain.observe(state, seat)
        planes[1, :, 13:] |= planes[2, :, 13:]
        planes[2, :, 13:] = 0
        return planes

    return replace(plain, observe=seen)


def _uno_raw(view: View) -> dict[str, Any]:
    """What rlcard's rule agents read; a wild card in a hand has a colour there, which means nothing."""
    position = view.game.position(view)
    hands = position["hands"]
    return {
        "hand": [card if "-" in card else f"r-{card}" for card in hands[view.seat]],
        "target": position["target"],
        "played_cards": [card if "-" in card else f"r-{card}" for card in position["discards"]],
        "legal_actions": [view.game.text(action) for action in view.legal()],
        "num_cards": [len(hand) if isinstance(hand, list) else hand["count"] for hand in hands],
        "num_players": view.game.players,
        "current_player": max(view.to_act, 0),
    }


def _doudizhu(game: Game) -> Layout | None:
    """rlcard's own features; it has no auction, and the first seat is landlord."""
    if game.options["bidding"] or game.options["landlord"] != "first":
        return None

    def seen(state: State, seat: int) -> Array:
        return _doudizhu_features(doudizhu_state(state.view(seat)))

    return Layout(
        seen,
        [[790], [901], [901]],
        [[54]] * 3,
        lambda action: _card_features(game.text(action)),
        doudizhu_state,
        lambda payoffs: (np.asarray(payoffs) > 0).astype(int),  # 1 for those who have won
    )


@cache
def _card_features(cards: str) -> Array:
    """54 bits: for each rank as many of four as there are cards of it; then the jokers, black and red. Not to be
    written to: who asks again gets the same array."""
    out = np.zeros(54, np.int8)
    if cards == "pass":
        return out
    for rank, count in Counter(cards).items():
        if rank in "BR":
            out[52 + "BR".index(rank)] = 1
        else:
            at = 4 * _CARDS.index(rank)
            out[at : at + count] = 1
    return out


def _one_of(count: int, most: int) -> Array:
    """A bit for how many cards are left; none left is the last bit, as in rlcard."""
    out = np.zeros(most, np.int8)
    out[count - 1] = 1
    return out


def _doudizhu_features(raw: dict[str, Any]) -> Array:
    seat, played, left = raw["self"], raw["played_cards"], raw["num_cards_left"]
    moves = [move for _, move in raw["trace"]]
    last = "" if not moves else moves[-1] if moves[-1] != "pass" else moves[-2]
    recent = [""] * max(0, _DECIDED - len(moves)) + moves[-_DECIDED:]
    parts = [_card_features(cards) for cards in (raw["current_hand"], raw["others_hand"], last, *recent)]
    if seat == 0:
        parts += [_card_features(played[2]), _card_features(played[1]), _one_of(left[2], 17), _one_of(left[1], 17)]
        return np.concatenate(parts)
    partner = 3 - seat
    parts += [_card_features(cards) for cards in (played[0], played[partner])]
    for who, nothing in ((0, ""), (partner, "pass")):
        # rlcard looks for the last action of a player from the end, and keeps the one that it finds last: the first.
        parts.append(_card_features(next((move for actor, move in raw["trace"] if actor == who), nothing)))
    return np.concatenate([*parts, _one_of(left[0], 20), _one_of(left[partner], 17)])


_RLCARD_RULES: dict[str, Callable[[Game], Layout | None]] = {"doudizhu": _doudizhu, "uno": _uno}
