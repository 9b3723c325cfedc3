"""Our games and agents in OpenSpiel: `pyspiel.load_game("kibitz_belote(bidding=true)")`, and agents as bots.

Importing this module registers the games of the core. In OpenSpiel chance moves in the open: the seed of a deal is
dealt byte by byte (eight chance nodes of 256 outcomes: exactly our deals), or, in games that can list their deals, the
deal itself is the one chance node, so that algorithms which walk the whole tree have a small one. Games in which chance
plays no part have none. Information states are views, as text; observation tensors are by the game's first encoder.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from kibitz import _core
from kibitz import agent as make_agent
from kibitz._core import Game, State, View
from kibitz.adapters import missing
from kibitz.adapters.environment import fair_encoder, native_game
from kibitz.adapters.openspiel_game import OpenSpielGame, OpenSpielState
from kibitz.protocols import Agent

try:
    import pyspiel
except ImportError:
    raise missing("open_spiel") from None

SEED_BYTES = 8
MOST_PLAYERS = 10
LONGEST = 100_000  # decisions; no game of the core comes near
_DEALS = 10_000  # a list of more is no small tree


class Rules:
    """What all states of a game share; never copied."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.encoder = fair_encoder(game, None)
        self.deals = game.deals() if game.hidden and game.can("deals") else []
        if len(self.deals) > _DEALS:
            self.deals = []
        if not game.hidden:
            self.outcomes: list[tuple[int, float]] = []
        elif self.deals:
            total = sum(weight for _, weight in self.deals)
            self.outcomes = [(at, weight / total) for at, (_, weight) in enumerate(self.deals)]
        else:
            self.outcomes = [(byte, 1 / 256) for byte in range(256)]
        self.chance_nodes = 0 if not self.outcomes else 1 if self.deals else SEED_BYTES

    def __deepcopy__(self, memo: object) -> Rules:
        return self

    def __reduce__(self) -> tuple[type[Rules], tuple[Game]]:
        return Rules, (self.game,)

    def deal(self, drawn: list[int]) -> State:
        """The state that the chance nodes lead to."""
        if self.deals:
            return self.deals[drawn[0]][0].copy()
        return self.game.deal(int.from_bytes(bytes(drawn), "big"))


class Running:
    """A state of ours inside one of OpenSpiel's, which copies and pickles its members."""

    def __init__(self, rules: Rules, drawn: list[int], state: State, replays: bool = True) -> None:
        self.rules, self.drawn, self.state, self.replays = rules, drawn, state, replays

    def __deepcopy__(self, memo: object) -> Running:
        return Running(self.rules, self.drawn, self.state.copy(), self.replays)

    def __reduce__(self) -> tuple[Any, ...]:
        if not self.replays:
            raise ValueError("a resampled state cannot be written down: no deal leads to it")
        return _replay, (self.rules, self.drawn, [action for _, action in self.state.history])


def _replay(rules: Rules, drawn: list[int], actions: list[int]) -> Running:
    state = rules.deal(drawn)
    for action in actions:
        state.apply(action)
    return Running(rules, drawn, state)


class KibitzGame(pyspiel.Game):
    """A game of the core; subclasses, one for each, have its name."""

    kibitz_name = ""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.rules = Rules(_made(self.kibitz_name, params or {}))
        game = self.rules.game
        low, high = game.payoff_range
        info = pyspiel.GameInfo(
            num_distinct_actions=game.num_actions,
            max_chance_outcomes=len(self.rules.outcomes),
            num_players=game.players,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if game.zero_sum else None,
            max_game_length=LONGEST,
        )
        super().__init__(game_type(game), info, params or {})

    def new_initial_state(self) -> KibitzState:
        return KibitzState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> KibitzObserver:
        if params:
            raise ValueError(f"observations take no parameters, but were given {params}")
        return KibitzObserver(self.rules, iig_obs_type is not None and iig_obs_type.perfect_recall)

    def max_chance_nodes_in_history(self) -> int:
        return self.rules.chance_nodes


class KibitzState(pyspiel.State):
    """`kibitz` is the state of ours, None before the deal."""

    def __init__(self, game: KibitzGame) -> None:
        super().__init__(game)
        self.rules = game.rules
        self.drawn: list[int] = []
        self.running: Running | None = None
        if not self.rules.outcomes:
            self._deal()

    @property
    def kibitz(self) -> State | None:
        return None if self.running is None else self.running.state

    def _deal(self) -> None:
        self.running = Running(self.rules, self.drawn, self.rules.deal(self.drawn))

    def current_player(self) -> int:
        if self.kibitz is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.kibitz.over else int(self.kibitz.to_act)

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.kibitz.legal()) if self.kibitz is not None else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.rules.outcomes

    def _apply_action(self, action: int) -> None:
        if self.kibitz is not None:
            self.kibitz.apply(action)
            return
        self.drawn.append(action)
        if len(self.drawn) == self.rules.chance_nodes:
            self._deal()

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player < 0 else self.rules.game.text(action)

    def is_terminal(self) -> bool:
        return self.kibitz is not None and self.kibitz.over

    def returns(self) -> list[float]:
        return list(self.kibitz.payoffs) if self.kibitz is not None else [0.0] * self.rules.game.players

    def __str__(self) -> str:
        return f"dealing {self.drawn}" if self.kibitz is None else str(self.kibitz)


class KibitzObserver:
    """What OpenSpiel asks for observations: a tensor by the encoder, and views as text."""

    def __init__(self, rules: Rules, recall: bool) -> None:
        self._rules, self._recall = rules, recall
        self.tensor = None if recall else np.zeros(rules.encoder.size, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor.reshape(rules.encoder.shape)}

    def set_from(self, state: KibitzState, player: int) -> None:
        if self.tensor is None:
            raise ValueError("information states are given as text alone")
        self.tensor[:] = 0 if state.kibitz is None else state.kibitz.encode(self._rules.encoder.name, player).ravel()

    def string_from(self, state: KibitzState, player: int) -> str:
        if state.kibitz is None:
            return f"seat {player}, before the deal"
        view: View = state.kibitz.view(player)
        return information(view) if self._recall else str(view)


def load(name: str) -> Any:
    """`pyspiel.load_game`, with our games registered for certain."""
    return pyspiel.load_game(name)


def information(view: View) -> str:
    """All that the seat knows and remembers: different for different views, the same for the same."""
    told = {"seat": view.seat, "position": view.game.position(view), "history": view.history}
    return json.dumps(told, sort_keys=True, separators=(",", ":"))


def resample(state: KibitzState, player: int, seed: int) -> KibitzState:
    """Another state that looks the same to the player, uniformly drawn: what ISMCTS of OpenSpiel calls a resampler
    (`set_resampler(lambda state, player: resample(state, player, rng.integers(2**63)))`)."""
    drawn: KibitzState = state.clone()
    if drawn.kibitz is not None:
        world = drawn.kibitz.view(player).sample(int(seed))
        drawn.running = Running(drawn.rules, drawn.drawn, world, replays=False)
    return drawn


class KibitzBot(pyspiel.Bot):
    """An agent of ours as a bot, in our games and in those of OpenSpiel that our searches can play."""

    def __init__(self, agent: str | Agent, player_id: int, seed: int = 0) -> None:
        super().__init__()
        self.agent = make_agent(agent)
        if self.agent.peeks:
            raise ValueError(f"{self.agent.name} must see all cards; bots see what their player may know")
        self._player, self._seed = player_id, seed
        self._games: dict[str, OpenSpielGame] = {}
        self.restart()

    def player_id(self) -> int:
        return self._player

    def restart(self) -> None:
        """Before every game; each has a seed of its own."""
        self.agent.begin(self._seed)
        self._seed = _core.mix(self._seed, 1)

    def restart_at(self, state: Any) -> None:
        self.restart()

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Nothing to remember: the next state has it."""

    def provides_policy(self) -> bool:
        return True

    def step(self, state: Any) -> int:
        return int(self.agent.act(self._view(state)))

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        thought = self.agent.think(self._view(state))
        return list(zip(thought.actions, thought.share, strict=True)), thought.best

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        return self.step_with_policy(state)[0]

    def _view(self, state: Any) -> Any:
        if isinstance(state, KibitzState):
            if state.kibitz is None:
                raise ValueError("nothing has been dealt yet")
            return state.kibitz.view(self._player)
        name = str(state.get_game())
        game = self._games.setdefault(name, OpenSpielGame(state.get_game()))
        return OpenSpielState(game, state.clone(), _core.Rng(self._seed)).view(self._player)


def game_type(game: Game) -> Any:
    """What OpenSpiel is told of a game with its options."""
    kinds = pyspiel.GameType
    hidden = game.hidden
    return kinds(
        short_name=f"kibitz_{game.name}",
        long_name=f"Kibitz {game.name}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if hidden else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if hidden else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if game.zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=MOST_PLAYERS,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_usual(game.name),
    )


def _usual(name: str) -> dict[str, Any]:
    return native_game(name, {}).options


def _made(name: str, params: dict[str, Any]) -> Game:
    """OpenSpiel fills in what was left out, as it is in the game without options. Where that does not go together
    (Belote with an auction has no trump beforehand), what is as usual is left out again."""
    try:
        return native_game(name, params)
    except ValueError:
        usual = _usual(name)
        return native_game(name, {key: value for key, value in params.items() if value != usual.get(key)})


def _register() -> None:
    for name in _core.games():
        kind = type(f"Kibitz{name.title().replace('_', '')}", (KibitzGame,), {"kibitz_name": name})
        pyspiel.register_game(game_type(native_game(name, {})), kind)


_register()
