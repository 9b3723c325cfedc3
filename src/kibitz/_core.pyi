"""The native core of Kibitz: games, agents, matches and tables."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, overload

import numpy
from numpy.typing import NDArray


OVER: int = -2

NATURE: int = -1

def games() -> dict[str, Any]:
    """The native games: name -> class."""

def mix(a: int, b: int) -> int:
    """
    A seed for part b of the thing seeded with a. It keeps no secret: whoever knows one seed can work out the other.
    """

def agent_stream(seed: int) -> Rng:
    """
    The stream that an agent begins with; never the one that a deal of the same seed has.
    """

class Rng:
    """
    A stream of random numbers, the same on every platform (xoroshiro128++).
    """

    def __init__(self, seed: int) -> None: ...

    def next(self) -> int:
        """64 random bits."""

    def below(self, n: int) -> int:
        """Uniform in 0..n-1."""

    def unit(self) -> float:
        """Uniform in [0, 1)."""

class Seeds:
    """
    The seeds of a match, one way from its own: none of them leads to another, or back to it.
    """

    def __init__(self, seed: int) -> None: ...

    def deal(self, deal: int) -> int:
        """Of `game.deal`."""

    def agent(self, deal: int, seating: int, seat: int) -> int:
        """Of `agent.begin`."""

    def nature(self, deal: int) -> int:
        """Of chance, in games where NATURE acts; the same in every seating."""

    def kibitzer(self, deal: int) -> int:
        """Of the agent behind a player."""

    def series(self, number: int) -> int:
        """The match seed of a series, whose rounds are its deals."""

    def lot(self, number: int) -> int:
        """Of what is drawn by lot before the first deal."""

    def scramble(self, number: int) -> int:
        """Of the names that a rulesheet is scrambled with."""

class Encoder:
    """How an encoder lays out its features."""

    @property
    def name(self) -> str: ...

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def size(self) -> int: ...

    @property
    def peeks(self) -> bool:
        """Reads hidden cards; not offered on views."""

    @property
    def binary(self) -> bool:
        """Every feature is 0 or 1: tables may keep them as bytes."""

class Playouts:
    """What random games gave: lengths [n], payoffs [n, players]."""

    @property
    def lengths(self) -> NDArray[numpy.uint32]: ...

    @property
    def payoffs(self) -> NDArray[numpy.float32]: ...

    @property
    def games(self) -> int: ...

    @property
    def decisions(self) -> int: ...

class NativeMatch:
    """Arrays [deal, seating, agent] of a match."""

    @property
    def payoffs(self) -> NDArray[numpy.float64]: ...

    @property
    def decisions(self) -> NDArray[numpy.uint32]: ...

    @property
    def seconds(self) -> NDArray[numpy.float64]:
        """
        Time spent deciding, on every 16th deal; on all where somebody searches.
        """

    @property
    def timed_decisions(self) -> NDArray[numpy.uint32]: ...

class Solution:
    """What a solver found out about a state, for the side to act."""

    @property
    def low(self) -> float:
        """The value is at least this."""

    @property
    def high(self) -> float:
        """The value is at most this."""

    @property
    def exact(self) -> bool:
        """Whether both meet."""

    @property
    def value(self) -> float | None:
        """The value under perfect play; None if only bounds are known."""

    @property
    def complete(self) -> bool:
        """False if the nodes ran out; the bounds hold all the same."""

    @property
    def best(self) -> int:
        """The first action with the highest lower bound."""

    @property
    def nodes(self) -> int:
        """How many nodes were used."""

    @property
    def bounds(self) -> dict[int, tuple[float, float]]:
        """(low, high) of every legal action."""

    @property
    def values(self) -> dict[int, float]:
        """
        The values of the actions as far as they are known: of all of them, if asked with all_actions=True and the nodes were enough.
        """

    def __repr__(self) -> str: ...

class NativeThought:
    """What a native agent says of the legal actions, in their order."""

    @property
    def actions(self) -> list[int]: ...

    @property
    def values(self) -> list[float]:
        """Expected payoffs; meaningless without visits."""

    @property
    def visits(self) -> list[float]: ...

    @property
    def shares(self) -> list[float]:
        """They sum to 1; it plays the action with most."""

    @property
    def iterations(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def full(self) -> bool:
        """A tree reached its bound and did not grow any more."""

class PythonGameAgent:
    """A search of the core on a game written in Python."""

    @property
    def name(self) -> str: ...

    @property
    def peeks(self) -> bool:
        """Whether it sees hidden cards."""

    def act(self, view: Any, rng: Rng) -> int:
        """
        The action of choice for the seat to act; agents that peek need the state.
        """

    def think(self, view: Any, rng: Rng) -> NativeThought:
        """What it says of every legal action."""

def python_agent(game: Any, name: str, options: dict[str, Any] = {}) -> PythonGameAgent:
    """A search for a game written in Python; see kibitz.agents.plain."""

class Net:
    """Weights with their meaning; see kibitz.Net."""

    @overload
    def __init__(self, content: bytes) -> None:
        """From the content of a safetensors file."""

    @overload
    def __init__(self, path: str) -> None:
        """From a safetensors file."""

    @overload
    def __init__(self, perceptron: Perceptron, metadata: Mapping[str, str]) -> None:
        """A copy of a perceptron's weights, as they are now."""

    @property
    def sizes(self) -> list[int]: ...

    @property
    def metadata(self) -> dict[str, str]: ...

    def evaluate(self, observations: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float32]: ...

class Perceptron:
    """A perceptron in training; see kibitz.learn.common.perceptron."""

    def __init__(self, sizes: Sequence[int]) -> None:
        """All weights are zero."""

    @property
    def weights(self) -> NDArray[numpy.float32]:
        """
        All weights in one vector, in the core's own memory: layer by layer, [inputs + bias, stride].
        """

    @property
    def strides(self) -> list[int]:
        """Of every layer: numbers from one input's weights to the next."""

    def values(self, obs: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float32]: ...

    def values_of_options(self, obs: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], options: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float32]: ...

class Gradient:
    """What the gradients of a perceptron's losses are worked out with."""

    def __init__(self, net: Perceptron) -> None: ...

    def begin(self, obs: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float32]: ...

    def back(self, obs: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], by_outputs: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], slope: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    def fit(self, obs: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], actions: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], goals: Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], float]], slope: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')]) -> tuple[float, float]: ...

class BeloteState:
    """Everything, hidden cards included."""

    @property
    def game(self) -> BeloteGame: ...

    @property
    def to_act(self) -> int:
        """The seat to act; OVER at the end."""

    @property
    def over(self) -> bool: ...

    @property
    def payoffs(self) -> list[float]:
        """Per seat; zeros while the game runs."""

    @property
    def history(self) -> list[tuple[int, int]]:
        """(seat, action) pairs since the deal or the position."""

    @property
    def seed(self) -> int | None:
        """The seed of the deal; None for a position or a world."""

    def legal(self) -> list[int]:
        """Legal actions, ascending."""

    def apply(self, action: int) -> None:
        """Play an action, in place. ValueError if it is illegal."""

    def copy(self) -> BeloteState: ...

    def __copy__(self) -> BeloteState: ...

    def __deepcopy__(self, memo: object) -> BeloteState: ...

    def view(self, seat: int) -> BeloteView:
        """All that the seat may know."""

    def encode(self, encoder: str, seat: int) -> NDArray[numpy.float32]:
        """Features for the seat; encoders that peek work only here."""

    def action_features(self) -> NDArray[numpy.float32]:
        """
        Features [n, game.action_features] of the legal actions, in their order.
        """

    def __eq__(self, arg: object, /) -> bool: ...

    def __str__(self) -> str: ...

class BeloteView:
    """All that one seat may know."""

    def worlds(self) -> float:
        """
        How many worlds are consistent with this view, all equally likely in `sample`.
        """

    def all_worlds(self) -> list[tuple[BeloteState, float]]:
        """
        Every world with its weight, to which its odds in `sample` are proportional.
        """

    @property
    def game(self) -> BeloteGame: ...

    @property
    def seat(self) -> int: ...

    @property
    def to_act(self) -> int: ...

    @property
    def over(self) -> bool: ...

    @property
    def key(self) -> int:
        """Equal views have equal keys."""

    @property
    def history(self) -> list[tuple[int, int]]:
        """(seat, action) pairs since the deal or the position."""

    def legal(self) -> list[int]:
        """Legal actions of this seat, ascending; empty unless it is to act."""

    def sample(self, seed: int) -> BeloteState:
        """
        A world: a state consistent with this view. Never by the stream that a deal of the same seed has.
        """

    def encode(self, encoder: str) -> NDArray[numpy.float32]: ...

    def action_features(self) -> NDArray[numpy.float32]:
        """
        Features [n, game.action_features] of the legal actions, in their order.
        """

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

class BeloteAgent:
    """An agent inside the core."""

    @property
    def name(self) -> str: ...

    @property
    def peeks(self) -> bool:
        """Whether it sees hidden cards."""

    def worlds(self, view: BeloteView) -> list[tuple[BeloteState, float]]:
        """All worlds and how likely a search that does not peek thinks them."""

    @overload
    def act(self, view: BeloteView, rng: Rng) -> int:
        """The action of choice for the view's seat, which must be to act."""

    @overload
    def act(self, view: BeloteState, rng: Rng) -> int:
        """The same, for the seat to act; agents that peek need the state."""

    @overload
    def think(self, view: BeloteView, rng: Rng) -> NativeThought: ...

    @overload
    def think(self, view: BeloteState, rng: Rng) -> NativeThought:
        """What it says of every legal action."""

class BeloteTables:
    """B games in lockstep; see kibitz.Tables."""

    def __init__(self, game: BeloteGame, batch: int, encoder: str, players: Sequence[BeloteAgent | None], seed: int, threads: int, bytes: bool) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def run(self, steps: int, agent: BeloteAgent) -> None:
        """Steps with the learners' actions chosen by a native agent."""

    @property
    def obs(self) -> NDArray[numpy.float32]: ...

    @property
    def obs_bytes(self) -> NDArray[numpy.uint8]: ...

    @property
    def mask(self) -> NDArray[numpy.uint8]: ...

    @property
    def payoff(self) -> NDArray[numpy.float32]: ...

    @property
    def seat(self) -> NDArray[numpy.int32]: ...

    @property
    def acted(self) -> NDArray[numpy.int32]: ...

    @property
    def done(self) -> NDArray[numpy.uint8]: ...

    @property
    def ragged(self) -> bool:
        """Whether legal actions are ids, offsets and features instead of a mask."""

    @property
    def offsets(self) -> NDArray[numpy.int64]: ...

    @property
    def ids(self) -> NDArray[numpy.int32]: ...

    @property
    def features(self) -> NDArray[numpy.float32]: ...

    def value_search(self, net: Net, simulations: int, exploration: float, discount: float, per_world: int, peek: bool, seed: int) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32], int]:
        """
        Value MCTS at every table: Q_m [B, A], r_m [B], and how often the net was asked.
        """

    def think(self, agent: BeloteAgent, seed: int) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]:
        """
        What an agent thinks of the actions at every table: values and visits, [B, A].
        """

    def advise(self, agent: BeloteAgent, seed: int) -> NDArray[numpy.int32]:
        """What an agent would do at every table."""

    def seat_players(self, players: Sequence[BeloteAgent | None]) -> None:
        """Other opponents from now on."""

    def put(self, table: int, state: BeloteState) -> None:
        """Goes on from this state at one table."""

    def save(self) -> list[dict[str, Any]]:
        """Per table what its future depends on, ready for JSON."""

    def restore(self, saved: list[Any]) -> None:
        """
        Goes on as after `save`. ValueError says what does not hold, and then nothing has changed.
        """

class BeloteWaves:
    """Searches whose leaves are valued outside; see kibitz.GuidedSearch."""

    @property
    def width(self) -> int: ...

    def select(self) -> bool:
        """Selects the next leaves of all searches; False at the end."""

    def show(self) -> tuple[NDArray[numpy.float32], NDArray[numpy.int32]]:
        """
        What the seats to act see in the selected leaves [B, D], and which seats they are [B].
        """

    def answer(self, rows: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """What the selected leaves are worth."""

    def thoughts(self) -> list[NativeThought]: ...

class BeloteQLearner:
    """Learns tables of action values by playing; see kibitz.learn.q_table."""

    def __init__(self, game: BeloteGame, seed: int) -> None: ...

    @property
    def played(self) -> int:
        """Matches so far."""

    @played.setter
    def played(self, arg: int, /) -> None: ...

    def run(self, epsilon: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], payoffs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], alpha: float, gamma: float, lambda_: float, waiting: bool, learn: bool, opponent: BeloteAgent | None, fallback: BeloteAgent | None) -> None:
        """
        One match per epsilon; writes payoffs [match, seat]. lambda_ below 0 is Q-learning.
        """

    def size(self, seat: int) -> int:
        """Entries of a seat."""

    def save(self, seat: int, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], visits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Writes all entries, sorted by their keys."""

    def load(self, seat: int, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], visits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Adds entries, which must be new."""

    def agent(self, name: str, fallback: BeloteAgent | None) -> BeloteAgent:
        """Plays from a copy of the tables."""

class BeloteGame:
    """A rule set with its options. Immutable."""

    def __init__(self, **options: Any) -> None: ...

    def __getstate__(self) -> object: ...

    def __setstate__(self, options: dict[str, Any], /) -> None: ...

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def players(self) -> int: ...

    @property
    def num_actions(self) -> int: ...

    @property
    def action_features(self) -> int:
        """Floats that describe an action; 0 in games without such features."""

    @property
    def payoff_range(self) -> tuple[float, float]: ...

    @property
    def zero_sum(self) -> bool: ...

    @property
    def hidden(self) -> bool:
        """Whether some seat does not know everything."""

    @property
    def teams(self) -> list[int]:
        """Team of each seat; partners share a payoff."""

    @property
    def partners_vary(self) -> bool:
        """
        Whether partners are found in the game: then `teams` has every seat alone.
        """

    @property
    def point_scoring(self) -> str:
        """
        The value of the option `scoring` that counts points; empty without one.
        """

    @property
    def options(self) -> dict[str, Any]:
        """All options, defaults filled in."""

    @property
    def encoders(self) -> dict[str, Encoder]: ...

    @property
    def state_bytes(self) -> int: ...

    @property
    def native_agents(self) -> list[str]: ...

    def deal(self, seed: int = 0) -> BeloteState:
        """A new state; the same seed, the same deal, on every platform."""

    def text(self, action: int) -> str: ...

    def parse(self, text: str) -> int: ...

    def position(self, state: object) -> dict[str, Any]:
        """A readable, JSON-ready position of a state or a view."""

    def from_position(self, position: dict[str, Any]) -> Any:
        """
        The state of a position; the view, where the position has a seat and leaves cards unknown. ValueError says what is wrong with it.
        """

    def playouts(self, n: int, seed: int = 0, threads: int = 1) -> Playouts:
        """n random games inside the core; threads=0 uses all cores."""

    def perft(self, state: BeloteState, depth: int) -> int:
        """How many sequences of so many legal actions start here."""

    def native_agent(self, name: str, options: dict[str, Any] = {}) -> Any: ...

    def native_waves(self, name: str, options: dict[str, Any], views: list[Any], rng: Rng) -> Any:
        """
        Searches of the views, side by side, whose leaves are valued in Python.
        """

    def native_match(self, agents: Sequence[BeloteAgent], seatings: Sequence[Sequence[int]], seed: int, first: int, deals: int, threads: int = 1) -> NativeMatch:
        """
        Deals first..first+deals-1 under every seating; seatings[k][agent] is a seat. Arrays are [deal, seating, agent].
        """

    def native_tables(self, batch: int, encoder: str, players: Sequence[BeloteAgent | None], seed: int = 0, threads: int = 1, bytes: bool = False) -> object:
        """Lockstep tables; None among the players is a learner."""

    def native_q_learner(self, seed: int) -> Any:
        """Learns tables; see kibitz.learn.q_table."""

    def held(self, payoffs: Sequence[float]) -> float:
        """
        Points that this deal keeps for the winners of the next one, in a series.
        """

    def solve(self, state: BeloteState, *, nodes: int = 100000000, all_actions: bool = False, tie_break: float = 0.0) -> Solution:
        """
        The exact value for the side to act if nothing were hidden, or bounds where the nodes ran out.
        """

class ConnectFourState:
    """Everything, hidden cards included."""

    @property
    def game(self) -> ConnectFourGame: ...

    @property
    def to_act(self) -> int:
        """The seat to act; OVER at the end."""

    @property
    def over(self) -> bool: ...

    @property
    def payoffs(self) -> list[float]:
        """Per seat; zeros while the game runs."""

    @property
    def history(self) -> list[tuple[int, int]]:
        """(seat, action) pairs since the deal or the position."""

    @property
    def seed(self) -> int | None:
        """The seed of the deal; None for a position or a world."""

    def legal(self) -> list[int]:
        """Legal actions, ascending."""

    def apply(self, action: int) -> None:
        """Play an action, in place. ValueError if it is illegal."""

    def copy(self) -> ConnectFourState: ...

    def __copy__(self) -> ConnectFourState: ...

    def __deepcopy__(self, memo: object) -> ConnectFourState: ...

    def view(self, seat: int) -> ConnectFourView:
        """All that the seat may know."""

    def encode(self, encoder: str, seat: int) -> NDArray[numpy.float32]:
        """Features for the seat; encoders that peek work only here."""

    def action_features(self) -> NDArray[numpy.float32]:
        """
        Features [n, game.action_features] of the legal actions, in their order.
        """

    def __eq__(self, arg: object, /) -> bool: ...

    def __str__(self) -> str: ...

class ConnectFourView:
    """All that one seat may know."""

    def all_worlds(self) -> list[tuple[ConnectFourState, float]]:
        """
        Every world with its weight, to which its odds in `sample` are proportional.
        """

    @property
    def game(self) -> ConnectFourGame: ...

    @property
    def seat(self) -> int: ...

    @property
    def to_act(self) -> int: ...

    @property
    def over(self) -> bool: ...

    @property
    def key(self) -> int:
        """Equal views have equal keys."""

    @property
    def history(self) -> list[tuple[int, int]]:
        """(seat, action) pairs since the deal or the position."""

    def legal(self) -> list[int]:
        """Legal actions of this seat, ascending; empty unless it is to act."""

    def sample(self, seed: int) -> ConnectFourState:
        """
        A world: a state consistent with this view. Never by the stream that a deal of the same seed has.
        """

    def encode(self, encoder: str) -> NDArray[numpy.float32]: ...

    def action_features(self) -> NDArray[numpy.float32]:
        """
        Features [n, game.action_features] of the legal actions, in their order.
        """

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

class ConnectFourAgent:
    """An agent inside the core."""

    @property
    def name(self) -> str: ...

    @property
    def peeks(self) -> bool:
        """Whether it sees hidden cards."""

    def worlds(self, view: ConnectFourView) -> list[tuple[ConnectFourState, float]]:
        """All worlds and how likely a search that does not peek thinks them."""

    @overload
    def act(self, view: ConnectFourView, rng: Rng) -> int:
        """The action of choice for the view's seat, which must be to act."""

    @overload
    def act(self, view: ConnectFourState, rng: Rng) -> int:
        """The same, for the seat to act; agents that peek need the state."""

    @overload
    def think(self, view: ConnectFourView, rng: Rng) -> NativeThought: ...

    @overload
    def think(self, view: ConnectFourState, rng: Rng) -> NativeThought:
        """What it says of every legal action."""

class ConnectFourTables:
    """B games in lockstep; see kibitz.Tables."""

    def __init__(self, game: ConnectFourGame, batch: int, encoder: str, players: Sequence[ConnectFourAgent | None], seed: int, threads: int, bytes: bool) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def run(self, steps: int, agent: ConnectFourAgent) -> None:
        """Steps with the learners' actions chosen by a native agent."""

    @property
    def obs(self) -> NDArray[numpy.float32]: ...

    @property
    def obs_bytes(self) -> NDArray[numpy.uint8]: ...

    @property
    def mask(self) -> NDArray[numpy.uint8]: ...

    @property
    def payoff(self) -> NDArray[numpy.float32]: ...

    @property
    def seat(self) -> NDArray[numpy.int32]: ...

    @property
    def acted(self) -> NDArray[numpy.int32]: ...

    @property
    def done(self) -> NDArray[numpy.uint8]: ...

    @property
    def ragged(self) -> bool:
        """Whether legal actions are ids, offsets and features instead of a mask."""

    @property
    def offsets(self) -> NDArray[numpy.int64]: ...

    @property
    def ids(self) -> NDArray[numpy.int32]: ...

    @property
    def features(self) -> NDArray[numpy.float32]: ...

    def value_search(self, net: Net, simulations: int, exploration: float, discount: float, per_world: int, peek: bool, seed: int) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32], int]:
        """
        Value MCTS at every table: Q_m [B, A], r_m [B], and how often the net was asked.
        """

    def think(self, agent: ConnectFourAgent, seed: int) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]:
        """
        What an agent thinks of the actions at every table: values and visits, [B, A].
        """

    def advise(self, agent: ConnectFourAgent, seed: int) -> NDArray[numpy.int32]:
        """What an agent would do at every table."""

    def seat_players(self, players: Sequence[ConnectFourAgent | None]) -> None:
        """Other opponents from now on."""

    def put(self, table: int, state: ConnectFourState) -> None:
        """Goes on from this state at one table."""

    def save(self) -> list[dict[str, Any]]:
        """Per table what its future depends on, ready for JSON."""

    def restore(self, saved: list[Any]) -> None:
        """
        Goes on as after `save`. ValueError says what does not hold, and then nothing has changed.
        """

class ConnectFourWaves:
    """Searches whose leaves are valued outside; see kibitz.GuidedSearch."""

    @property
    def width(self) -> int: ...

    def select(self) -> bool:
        """Selects the next leaves of all searches; False at the end."""

    def show(self) -> tuple[NDArray[numpy.float32], NDArray[numpy.int32]]:
        """
        What the seats to act see in the selected leaves [B, D], and which seats they are [B].
        """

    def answer(self, rows: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """What the selected leaves are worth."""

    def thoughts(self) -> list[NativeThought]: ...

class ConnectFourQLearner:
    """Learns tables of action values by playing; see kibitz.learn.q_table."""

    def __init__(self, game: ConnectFourGame, seed: int) -> None: ...

    @property
    def played(self) -> int:
        """Matches so far."""

    @played.setter
    def played(self, arg: int, /) -> None: ...

    def run(self, epsilon: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], payoffs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], alpha: float, gamma: float, lambda_: float, waiting: bool, learn: bool, opponent: ConnectFourAgent | None, fallback: ConnectFourAgent | None) -> None:
        """
        One match per epsilon; writes payoffs [match, seat]. lambda_ below 0 is Q-learning.
        """

    def size(self, seat: int) -> int:
        """Entries of a seat."""

    def save(self, seat: int, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], visits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Writes all entries, sorted by their keys."""

    def load(self, seat: int, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], visits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Adds entries, which must be new."""

    def agent(self, name: str, fallback: ConnectFourAgent | None) -> ConnectFourAgent:
        """Plays from a copy of the tables."""

class ConnectFourGame:
    """A rule set with its options. Immutable."""

    def __init__(self, **options: Any) -> None: ...

    def __getstate__(self) -> object: ...

    def __setstate__(self, options: dict[str, Any], /) -> None: ...

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def players(self) -> int: ...

    @property
    def num_actions(self) -> int: ...

    @property
    def action_features(self) -> int:
        """Floats that describe an action; 0 in games without such features."""

    @property
    def payoff_range(self) -> tuple[float, float]: ...

    @property
    def zero_sum(self) -> bool: ...

    @property
    def hidden(self) -> bool:
        """Whether some seat does not know everything."""

    @property
    def teams(self) -> list[int]:
        """Team of each seat; partners share a payoff."""

    @property
    def partners_vary(self) -> bool:
        """
        Whether partners are found in the game: then `teams` has every seat alone.
        """

    @property
    def point_scoring(self) -> str:
        """
        The value of the option `scoring` that counts points; empty without one.
        """

    @property
    def options(self) -> dict[str, Any]:
        """All options, defaults filled in."""

    @property
    def encoders(self) -> dict[str, Encoder]: ...

    @property
    def state_bytes(self) -> int: ...

    @property
    def native_agents(self) -> list[str]: ...

    def deal(self, seed: int = 0) -> ConnectFourState:
        """A new state; the same seed, the same deal, on every platform."""

    def text(self, action: int) -> str: ...

    def parse(self, text: str) -> int: ...

    def position(self, state: object) -> dict[str, Any]:
        """A readable, JSON-ready position of a state or a view."""

    def from_position(self, position: dict[str, Any]) -> Any:
        """
        The state of a position; the view, where the position has a seat and leaves cards unknown. ValueError says what is wrong with it.
        """

    def playouts(self, n: int, seed: int = 0, threads: int = 1) -> Playouts:
        """n random games inside the core; threads=0 uses all cores."""

    def perft(self, state: ConnectFourState, depth: int) -> int:
        """How many sequences of so many legal actions start here."""

    def native_agent(self, name: str, options: dict[str, Any] = {}) -> Any: ...

    def native_waves(self, name: str, options: dict[str, Any], views: list[Any], rng: Rng) -> Any:
        """
        Searches of the views, side by side, whose leaves are valued in Python.
        """

    def native_match(self, agents: Sequence[ConnectFourAgent], seatings: Sequence[Sequence[int]], seed: int, first: int, deals: int, threads: int = 1) -> NativeMatch:
        """
        Deals first..first+deals-1 under every seating; seatings[k][agent] is a seat. Arrays are [deal, seating, agent].
        """

    def native_tables(self, batch: int, encoder: str, players: Sequence[ConnectFourAgent | None], seed: int = 0, threads: int = 1, bytes: bool = False) -> object:
        """Lockstep tables; None among the players is a learner."""

    def native_q_learner(self, seed: int) -> Any:
        """Learns tables; see kibitz.learn.q_table."""

    def solve(self, state: ConnectFourState, *, nodes: int = 100000000, all_actions: bool = False, tie_break: float = 0.0) -> Solution:
        """
        The exact value for the side to act if nothing were hidden, or bounds where the nodes ran out.
        """

class DouDiZhuState:
    """Everything, hidden cards included."""

    @property
    def game(self) -> DouDiZhuGame: ...

    @property
    def to_act(self) -> int:
        """The seat to act; OVER at the end."""

    @property
    def over(self) -> bool: ...

    @property
    def payoffs(self) -> list[float]:
        """Per seat; zeros while the game runs."""

    @property
    def history(self) -> list[tuple[int, int]]:
        """(seat, action) pairs since the deal or the position."""

    @property
    def seed(self) -> int | None:
        """The seed of the deal; None for a position or a world."""

    def legal(self) -> list[int]:
        """Legal actions, ascending."""

    def apply(self, action: int) -> None:
        """Play an action, in place. ValueError if it is illegal."""

    def copy(self) -> DouDiZhuState: ...

    def __copy__(self) -> DouDiZhuState: ...

    def __deepcopy__(self, memo: object) -> DouDiZhuState: ...

    def view(self, seat: int) -> DouDiZhuView:
        """All that the seat may know."""

    def encode(self, encoder: str, seat: int) -> NDArray[numpy.float32]:
        """Features for the seat; encoders that peek work only here."""

    def action_features(self) -> NDArray[numpy.float32]:
        """
        Features [n, game.action_features] of the legal actions, in their order.
        """

    def __eq__(self, arg: object, /) -> bool: ...

    def __str__(self) -> str: ...

class DouDiZhuView:
    """All that one seat may know."""

    @property
    def game(self) -> DouDiZhuGame: ...

    @property
    def seat(self) -> int: ...

    @property
    def to_act(self) -> int: ...

    @property
    def over(self) -> bool: ...

    @property
    def key(self) -> int:
        """Equal views have equal keys."""

    @property
    def history(self) -> list[tuple[int, int]]:
        """(seat, action) pairs since the deal or the position."""

    def legal(self) -> list[int]:
        """Legal actions of this seat, ascending; empty unless it is to act."""

    def sample(self, seed: int) -> DouDiZhuState:
        """
        A world: a state consistent with this view. Never by the stream that a deal of the same seed has.
        """

    def encode(self, encoder: str) -> NDArray[numpy.float32]: ...

    def action_features(self) -> NDArray[numpy.float32]:
        """
        Features [n, game.action_features] of the legal actions, in their order.
        """

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

class DouDiZhuAgent:
    """An agent inside the core."""

    @property
    def name(self) -> str: ...

    @property
    def peeks(self) -> bool:
        """Whether it sees hidden cards."""

    @overload
    def act(self, view: DouDiZhuView, rng: Rng) -> int:
        """The action of choice for the view's seat, which must be to act."""

    @overload
    def act(self, view: DouDiZhuState, rng: Rng) -> int:
        """The same, for the seat to act; agents that peek need the state."""

    @overload
    def think(self, view: DouDiZhuView, rng: Rng) -> NativeThought: ...

    @overload
    def think(self, view: DouDiZhuState, rng: Rng) -> NativeThought:
        """What it says of every legal action."""

class DouDiZhuTables:
    """B games in lockstep; see kibitz.Tables."""

    def __init__(self, game: DouDiZhuGame, batch: int, encoder: str, players: Sequence[DouDiZhuAgent | None], seed: int, threads: int, bytes: bool) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def run(self, steps: int, agent: DouDiZhuAgent) -> None:
        """Steps with the learners' actions chosen by a native agent."""

    @property
    def obs(self) -> NDArray[numpy.float32]: ...

    @property
    def obs_bytes(self) -> NDArray[numpy.uint8]: ...

    @property
    def mask(self) -> NDArray[numpy.uint8]: ...

    @property
    def payoff(self) -> NDArray[numpy.float32]: ...

    @property
    def seat(self) -> NDArray[numpy.int32]: ...

    @property
    def acted(self) -> NDArray[numpy.int32]: ...

    @property
    def done(self) -> NDArray[numpy.uint8]: ...

    @property
    def ragged(self) -> bool:
        """Whether legal actions are ids, offsets and features instead of a mask."""

    @property
    def offsets(self) -> NDArray[numpy.int64]: ...

    @property
    def ids(self) -> NDArray[numpy.int32]: ...

    @property
    def features(self) -> NDArray[numpy.float32]: ...

    def value_search(self, net: Net, simulations: int, exploration: float, discount: float, per_world: int, peek: bool, seed: int) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32], int]:
        """
        Value MCTS at every table: Q_m [B, A], r_m [B], and how often the net was asked.
        """

    def think(self, agent: DouDiZhuAgent, seed: int) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]:
        """
        What an agent thinks of the actions at every table: values and visits, [B, A].
        """

    def advise(self, agent: DouDiZhuAgent, seed: int) -> NDArray[numpy.int32]:
        """What an agent would do at every table."""

    def seat_players(self, players: Sequence[DouDiZhuAgent | None]) -> None:
        """Other opponents from now on."""

    def put(self, table: int, state: DouDiZhuState) -> None:
        """Goes on from this state at one table."""

    def save(self) -> list[dict[str, Any]]:
        """Per table what its future depends on, ready for JSON."""

    def restore(self, saved: list[Any]) -> None:
        """
        Goes on as after `save`. ValueError says what does not hold, and then nothing has changed.
        """

class DouDiZhuWaves:
    """Searches whose leaves are valued outside; see kibitz.GuidedSearch."""

    @property
    def width(self) -> int: ...

    def select(self) -> bool:
        """Selects the next leaves of all searches; False at the end."""

    def show(self) -> tuple[NDArray[numpy.float32], NDArray[numpy.int32]]:
        """
        What the seats to act see in the selected leaves [B, D], and which seats they are [B].
        """

    def answer(self, rows: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """What the selected leaves are worth."""

    def thoughts(self) -> list[NativeThought]: ...

class DouDiZhuQLearner:
    """Learns tables of action values by playing; see kibitz.learn.q_table."""

    def __init__(self, game: DouDiZhuGame, seed: int) -> None: ...

    @property
    def played(self) -> int:
        """Matches so far."""

    @played.setter
    def played(self, arg: int, /) -> None: ...

    def run(self, epsilon: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], payoffs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], alpha: float, gamma: float, lambda_: float, waiting: bool, learn: bool, opponent: DouDiZhuAgent | None, fallback: DouDiZhuAgent | None) -> None:
        """
        One match per epsilon; writes payoffs [match, seat]. lambda_ below 0 is Q-learning.
        """

    def size(self, seat: int) -> int:
        """Entries of a seat."""

    def save(self, seat: int, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], visits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Writes all entries, sorted by their keys."""

    def load(self, seat: int, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], visits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Adds entries, which must be new."""

    def agent(self, name: str, fallback: DouDiZhuAgent | None) -> DouDiZhuAgent:
        """Plays from a copy of the tables."""

class DouDiZhuGame:
    """A rule set with its options. Immutable."""

    def __init__(self, **options: Any) -> None: ...

    def __getstate__(self) -> object: ...

    def __setstate__(self, options: dict[str, Any], /) -> None: ...

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def players(self) -> int: ...

    @property
    def num_actions(self) -> int: ...

    @property
    def action_features(self) -> int:
        """Floats that describe an action; 0 in games without such features."""

    @property
    def payoff_range(self) -> tuple[float, float]: ...

    @property
    def zero_sum(self) -> bool: ...

    @property
    def hidden(self) -> bool:
        """Whether some seat does not know everything."""

    @property
    def teams(self) -> list[int]:
        """Team of each seat; partners share a payoff."""

    @property
    def partners_vary(self) -> bool:
        """
        Whether partners are found in the game: then `teams` has every seat alone.
        """

    @property
    def point_scoring(self) -> str:
        """
        The value of the option `scoring` that counts points; empty without one.
        """

    @property
    def options(self) -> dict[str, Any]:
        """All options, defaults filled in."""

    @property
    def encoders(self) -> dict[str, Encoder]: ...

    @property
    def state_bytes(self) -> int: ...

    @property
    def native_agents(self) -> list[str]: ...

    def deal(self, seed: int = 0) -> DouDiZhuState:
        """A new state; the same seed, the same deal, on every platform."""

    def text(self, action: int) -> str: ...

    def parse(self, text: str) -> int: ...

    def position(self, state: object) -> dict[str, Any]:
        """A readable, JSON-ready position of a state or a view."""

    def from_position(self, position: dict[str, Any]) -> Any:
        """
        The state of a position; the view, where the position has a seat and leaves cards unknown. ValueError says what is wrong with it.
        """

    def playouts(self, n: int, seed: int = 0, threads: int = 1) -> Playouts:
        """n random games inside the core; threads=0 uses all cores."""

    def perft(self, state: DouDiZhuState, depth: int) -> int:
        """How many sequences of so many legal actions start here."""

    def native_agent(self, name: str, options: dict[str, Any] = {}) -> Any: ...

    def native_waves(self, name: str, options: dict[str, Any], views: list[Any], rng: Rng) -> Any:
        """
        Searches of the views, side by side, whose leaves are valued in Python.
        """

    def native_match(self, agents: Sequence[DouDiZhuAgent], seatings: Sequence[Sequence[int]], seed: int, first: int, deals: int, threads: int = 1) -> NativeMatch:
        """
        Deals first..first+deals-1 under every seating; seatings[k][agent] is a seat. Arrays are [deal, seating, agent].
        """

    def native_tables(self, batch: int, encoder: str, players: Sequence[DouDiZhuAgent | None], seed: int = 0, threads: int = 1, bytes: bool = False) -> object:
        """Lockstep tables; None among the players is a learner."""

    def native_q_learner(self, seed: int) -> Any:
        """Learns tables; see kibitz.learn.q_table."""

    def solve(self, state: DouDiZhuState, *, nodes: int = 100000000, all_actions: bool = False, tie_break: float = 0.0) -> Solution:
        """
        The exact value for the side to act if nothing were hidden, or bounds where the nodes ran out.
        """

class GdlState:
    """Everything, hidden cards included."""

    @property
    def game(self) -> GdlGame: ...

    @property
    def to_act(self) -> int:
        """The seat to act; OVER at the end."""

    @property
    def over(self) -> bool: ...

    @property
    def payoffs(self) -> list[float]:
        """Per seat; zeros while the game runs."""

    @property
    def history(self) -> list[tuple[int, int]]:
        """(seat, action) pairs since the deal or the position."""

    @property
    def seed(self) -> int | None:
        """The seed of the deal; None for a position or a world."""

    def legal(self) -> list[int]:
        """Legal actions, ascending."""

    def apply(self, action: int) -> None:
        """Play an action, in place. ValueError if it is illegal."""

    def copy(self) -> GdlState: ...

    def __copy__(self) -> GdlState: ...

    def __deepcopy__(self, memo: object) -> GdlState: ...

    def view(self, seat: int) -> GdlView:
        """All that the seat may know."""

    def encode(self, encoder: str, seat: int) -> NDArray[numpy.float32]:
        """Features for the seat; encoders that peek work only here."""

    def action_features(self) -> NDArray[numpy.float32]:
        """
        Features [n, game.action_features] of the legal actions, in their order.
        """

    def __eq__(self, arg: object, /) -> bool: ...

    def __str__(self) -> str: ...

class GdlView:
    """All that one seat may know."""

    @property
    def game(self) -> GdlGame: ...

    @property
    def seat(self) -> int: ...

    @property
    def to_act(self) -> int: ...

    @property
    def over(self) -> bool: ...

    @property
    def key(self) -> int:
        """Equal views have equal keys."""

    @property
    def history(self) -> list[tuple[int, int]]:
        """(seat, action) pairs since the deal or the position."""

    def legal(self) -> list[int]:
        """Legal actions of this seat, ascending; empty unless it is to act."""

    def sample(self, seed: int) -> GdlState:
        """
        A world: a state consistent with this view. Never by the stream that a deal of the same seed has.
        """

    def encode(self, encoder: str) -> NDArray[numpy.float32]: ...

    def action_features(self) -> NDArray[numpy.float32]:
        """
        Features [n, game.action_features] of the legal actions, in their order.
        """

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

class GdlAgent:
    """An agent inside the core."""

    @property
    def name(self) -> str: ...

    @property
    def peeks(self) -> bool:
        """Whether it sees hidden cards."""

    @overload
    def act(self, view: GdlView, rng: Rng) -> int:
        """The action of choice for the view's seat, which must be to act."""

    @overload
    def act(self, view: GdlState, rng: Rng) -> int:
        """The same, for the seat to act; agents that peek need the state."""

    @overload
    def think(self, view: GdlView, rng: Rng) -> NativeThought: ...

    @overload
    def think(self, view: GdlState, rng: Rng) -> NativeThought:
        """What it says of every legal action."""

class GdlTables:
    """B games in lockstep; see kibitz.Tables."""

    def __init__(self, game: GdlGame, batch: int, encoder: str, players: Sequence[GdlAgent | None], seed: int, threads: int, bytes: bool) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def run(self, steps: int, agent: GdlAgent) -> None:
        """Steps with the learners' actions chosen by a native agent."""

    @property
    def obs(self) -> NDArray[numpy.float32]: ...

    @property
    def obs_bytes(self) -> NDArray[numpy.uint8]: ...

    @property
    def mask(self) -> NDArray[numpy.uint8]: ...

    @property
    def payoff(self) -> NDArray[numpy.float32]: ...

    @property
    def seat(self) -> NDArray[numpy.int32]: ...

    @property
    def acted(self) -> NDArray[numpy.int32]: ...

    @property
    def done(self) -> NDArray[numpy.uint8]: ...

    @property
    def ragged(self) -> bool:
        """Whether legal actions are ids, offsets and features instead of a mask."""

    @property
    def offsets(self) -> NDArray[numpy.int64]: ...

    @property
    def ids(self) -> NDArray[numpy.int32]: ...

    @property
    def features(self) -> NDArray[numpy.float32]: ...

    def value_search(self, net: Net, simulations: int, exploration: float, discount: float, per_world: int, peek: bool, seed: int) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32], int]:
        """
        Value MCTS at every table: Q_m [B, A], r_m [B], and how often the net was asked.
        """

    def think(self, agent: GdlAgent, seed: int) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]:
        """
        What an agent thinks of the actions at every table: values and visits, [B, A].
        """

    def advise(self, agent: GdlAgent, seed: int) -> NDArray[numpy.int32]:
        """What an agent would do at every table."""

    def seat_players(self, players: Sequence[GdlAgent | None]) -> None:
        """Other opponents from now on."""

    def put(self, table: int, state: GdlState) -> None:
        """Goes on from this state at one table."""

    def save(self) -> list[dict[str, Any]]:
        """Per table what its future depends on, ready for JSON."""

    def restore(self, saved: list[Any]) -> None:
        """
        Goes on as after `save`. ValueError says what does not hold, and then nothing has changed.
        """

class GdlWaves:
    """Searches whose leaves are valued outside; see kibitz.GuidedSearch."""

    @property
    def width(self) -> int: ...

    def select(self) -> bool:
        """Selects the next leaves of all searches; False at the end."""

    def show(self) -> tuple[NDArray[numpy.float32], NDArray[numpy.int32]]:
        """
        What the seats to act see in the selected leaves [B, D], and which seats they are [B].
        """

    def answer(self, rows: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """What the selected leaves are worth."""

    def thoughts(self) -> list[NativeThought]: ...

class GdlQLearner:
    """Learns tables of action values by playing; see kibitz.learn.q_table."""

    def __init__(self, game: GdlGame, seed: int) -> None: ...

    @property
    def played(self) -> int:
        """Matches so far."""

    @played.setter
    def played(self, arg: int, /) -> None: ...

    def run(self, epsilon: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], payoffs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], alpha: float, gamma: float, lambda_: float, waiting: bool, learn: bool, opponent: GdlAgent | None, fallback: GdlAgent | None) -> None:
        """
        One match per epsilon; writes payoffs [match, seat]. lambda_ below 0 is Q-learning.
        """

    def size(self, seat: int) -> int:
        """Entries of a seat."""

    def save(self, seat: int, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], visits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Writes all entries, sorted by their keys."""

    def load(self, seat: int, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], visits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Adds entries, which must be new."""

    def agent(self, name: str, fallback: GdlAgent | None) -> GdlAgent:
        """Plays from a copy of the tables."""

class GdlGame:
    """A rule set with its options. Immutable."""

    def __init__(self, **options: Any) -> None: ...

    def __getstate__(self) -> object: ...

    def __setstate__(self, options: dict[str, Any], /) -> None: ...

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def players(self) -> int: ...

    @property
    def num_actions(self) -> int: ...

    @property
    def action_features(self) -> int:
        """Floats that describe an action; 0 in games without such features."""

    @property
    def payoff_range(self) -> tuple[float, float]: ...

    @property
    def zero_sum(self) -> bool: ...

    @property
    def hidden(self) -> bool:
        """Whether some seat does not know everything."""

    @property
    def teams(self) -> list[int]:
        """Team of each seat; partners share a payoff."""

    @property
    def partners_vary(self) -> bool:
        """
        Whether partners are found in the game: then `teams` has every seat alone.
        """

    @property
    def point_scoring(self) -> str:
        """
        The value of the option `scoring` that counts points; empty without one.
        """

    @property
    def options(self) -> dict[str, Any]:
        """All options, defaults filled in."""

    @property
    def encoders(self) -> dict[str, Encoder]: ...

    @property
    def state_bytes(self) -> int: ...

    @property
    def native_agents(self) -> list[str]: ...

    def deal(self, seed: int = 0) -> GdlState:
        """A new state; the same seed, the same deal, on every platform."""

    def text(self, action: int) -> str: ...

    def parse(self, text: str) -> int: ...

    def position(self, state: object) -> dict[str, Any]:
        """A readable, JSON-ready position of a state or a view."""

    def from_position(self, position: dict[str, Any]) -> Any:
        """
        The state of a position; the view, where the position has a seat and leaves cards unknown. ValueError says what is wrong with it.
        """

    def playouts(self, n: int, seed: int = 0, threads: int = 1) -> Playouts:
        """n random games inside the core; threads=0 uses all cores."""

    def perft(self, state: GdlState, depth: int) -> int:
        """How many sequences of so many legal actions start here."""

    def native_agent(self, name: str, options: dict[str, Any] = {}) -> Any: ...

    def native_waves(self, name: str, options: dict[str, Any], views: list[Any], rng: Rng) -> Any:
        """
        Searches of the views, side by side, whose leaves are valued in Python.
        """

    def native_match(self, agents: Sequence[GdlAgent], seatings: Sequence[Sequence[int]], seed: int, first: int, deals: int, threads: int = 1) -> NativeMatch:
        """
        Deals first..first+deals-1 under every seating; seatings[k][agent] is a seat. Arrays are [deal, seating, agent].
        """

    def native_tables(self, batch: int, encoder: str, players: Sequence[GdlAgent | None], seed: int = 0, threads: int = 1, bytes: bool = False) -> object:
        """Lockstep tables; None among the players is a learner."""

    def native_q_learner(self, seed: int) -> Any:
        """Learns tables; see kibitz.learn.q_table."""

    @property
    def about(self) -> dict[str, Any]:
        """What there is to say of the rulesheet."""

def gdl_check(text: str, strict: bool = True) -> list[tuple[int, int, bool, str]]:
    """
    Findings of a rulesheet: line, column, whether it is an error, what it is.
    """

def gdl_folder(folder: str) -> None:
    """Where rulesheets are found by their bare names."""

class HexState:
    """Everything, hidden cards included."""

    @property
    def game(self) -> HexGame: ...

    @property
    def to_act(self) -> int:
        """The seat to act; OVER at the end."""

    @property
    def over(self) -> bool: ...

    @property
    def payoffs(self) -> list[float]:
        """Per seat; zeros while the game runs."""

    @property
    def history(self) -> list[tuple[int, int]]:
        """(seat, action) pairs since the deal or the position."""

    @property
    def seed(self) -> int | None:
        """The seed of the deal; None for a position or a world."""

    def legal(self) -> list[int]:
        """Legal actions, ascending."""

    def apply(self, action: int) -> None:
        """Play an action, in place. ValueError if it is illegal."""

    def copy(self) -> HexState: ...

    def __copy__(self) -> HexState: ...

    def __deepcopy__(self, memo: object) -> HexState: ...

    def view(self, seat: int) -> HexView:
        """All that the seat may know."""

    def encode(self, encoder: str, seat: int) -> NDArray[numpy.float32]:
        """Features for the seat; encoders that peek work only here."""

    def action_features(self) -> NDArray[numpy.float32]:
        """
        Features [n, game.action_features] of the legal actions, in their order.
        """

    def __eq__(self, arg: object, /) -> bool: ...

    def __str__(self) -> str: ...

class HexView:
    """All that one seat may know."""

    def all_worlds(self) -> list[tuple[HexState, float]]:
        """
        Every world with its weight, to which its odds in `sample` are proportional.
        """

    @property
    def game(self) -> HexGame: ...

    @property
    def seat(self) -> int: ...

    @property
    def to_act(self) -> int: ...

    @property
    def over(self) -> bool: ...

    @property
    def key(self) -> int:
        """Equal views have equal keys."""

    @property
    def history(self) -> list[tuple[int, int]]:
        """(seat, action) pairs since the deal or the position."""

    def legal(self) -> list[int]:
        """Legal actions of this seat, ascending; empty unless it is to act."""

    def sample(self, seed: int) -> HexState:
        """
        A world: a state consistent with this view. Never by the stream that a deal of the same seed has.
        """

    def encode(self, encoder: str) -> NDArray[numpy.float32]: ...

    def action_features(self) -> NDArray[numpy.float32]:
        """
        Features [n, game.action_features] of the legal actions, in their order.
        """

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

class HexAgent:
    """An agent inside the core."""

    @property
    def name(self) -> str: ...

    @property
    def peeks(self) -> bool:
        """Whether it sees hidden cards."""

    def worlds(self, view: HexView) -> list[tuple[HexState, float]]:
        """All worlds and how likely a search that does not peek thinks them."""

    @overload
    def act(self, view: HexView, rng: Rng) -> int:
        """The action of choice for the view's seat, which must be to act."""

    @overload
    def act(self, view: HexState, rng: Rng) -> int:
        """The same, for the seat to act; agents that peek need the state."""

    @overload
    def think(self, view: HexView, rng: Rng) -> NativeThought: ...

    @overload
    def think(self, view: HexState, rng: Rng) -> NativeThought:
        """What it says of every legal action."""

class HexTables:
    """B games in lockstep; see kibitz.Tables."""

    def __init__(self, game: HexGame, batch: int, encoder: str, players: Sequence[HexAgent | None], seed: int, threads: int, bytes: bool) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def run(self, steps: int, agent: HexAgent) -> None:
        """Steps with the learners' actions chosen by a native agent."""

    @property
    def obs(self) -> NDArray[numpy.float32]: ...

    @property
    def obs_bytes(self) -> NDArray[numpy.uint8]: ...

    @property
    def mask(self) -> NDArray[numpy.uint8]: ...

    @property
    def payoff(self) -> NDArray[numpy.float32]: ...

    @property
    def seat(self) -> NDArray[numpy.int32]: ...

    @property
    def acted(self) -> NDArray[numpy.int32]: ...

    @property
    def done(self) -> NDArray[numpy.uint8]: ...

    @property
    def ragged(self) -> bool:
        """Whether legal actions are ids, offsets and features instead of a mask."""

    @property
    def offsets(self) -> NDArray[numpy.int64]: ...

    @property
    def ids(self) -> NDArray[numpy.int32]: ...

    @property
    def features(self) -> NDArray[numpy.float32]: ...

    def value_search(self, net: Net, simulations: int, exploration: float, discount: float, per_world: int, peek: bool, seed: int) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32], int]:
        """
        Value MCTS at every table: Q_m [B, A], r_m [B], and how often the net was asked.
        """

    def think(self, agent: HexAgent, seed: int) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]:
        """
        What an agent thinks of the actions at every table: values and visits, [B, A].
        """

    def advise(self, agent: HexAgent, seed: int) -> NDArray[numpy.int32]:
        """What an agent would do at every table."""

    def seat_players(self, players: Sequence[HexAgent | None]) -> None:
        """Other opponents from now on."""

    def put(self, table: int, state: HexState) -> None:
        """Goes on from this state at one table."""

    def save(self) -> list[dict[str, Any]]:
        """Per table what its future depends on, ready for JSON."""

    def restore(self, saved: list[Any]) -> None:
        """
        Goes on as after `save`. ValueError says what does not hold, and then nothing has changed.
        """

class HexWaves:
    """Searches whose leaves are valued outside; see kibitz.GuidedSearch."""

    @property
    def width(self) -> int: ...

    def select(self) -> bool:
        """Selects the next leaves of all searches; False at the end."""

    def show(self) -> tuple[NDArray[numpy.float32], NDArray[numpy.int32]]:
        """
        What the seats to act see in the selected leaves [B, D], and which seats they are [B].
        """

    def answer(self, rows: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """What the selected leaves are worth."""

    def thoughts(self) -> list[NativeThought]: ...

class HexQLearner:
    """Learns tables of action values by playing; see kibitz.learn.q_table."""

    def __init__(self, game: HexGame, seed: int) -> None: ...

    @property
    def played(self) -> int:
        """Matches so far."""

    @played.setter
    def played(self, arg: int, /) -> None: ...

    def run(self, epsilon: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], payoffs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], alpha: float, gamma: float, lambda_: float, waiting: bool, learn: bool, opponent: HexAgent | None, fallback: HexAgent | None) -> None:
        """
        One match per epsilon; writes payoffs [match, seat]. lambda_ below 0 is Q-learning.
        """

    def size(self, seat: int) -> int:
        """Entries of a seat."""

    def save(self, seat: int, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], visits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Writes all entries, sorted by their keys."""

    def load(self, seat: int, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], visits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Adds entries, which must be new."""

    def agent(self, name: str, fallback: HexAgent | None) -> HexAgent:
        """Plays from a copy of the tables."""

class HexGame:
    """A rule set with its options. Immutable."""

    def __init__(self, **options: Any) -> None: ...

    def __getstate__(self) -> object: ...

    def __setstate__(self, options: dict[str, Any], /) -> None: ...

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def players(self) -> int: ...

    @property
    def num_actions(self) -> int: ...

    @property
    def action_features(self) -> int:
        """Floats that describe an action; 0 in games without such features."""

    @property
    def payoff_range(self) -> tuple[float, float]: ...

    @property
    def zero_sum(self) -> bool: ...

    @property
    def hidden(self) -> bool:
        """Whether some seat does not know everything."""

    @property
    def teams(self) -> list[int]:
        """Team of each seat; partners share a payoff."""

    @property
    def partners_vary(self) -> bool:
        """
        Whether partners are found in the game: then `teams` has every seat alone.
        """

    @property
    def point_scoring(self) -> str:
        """
        The value of the option `scoring` that counts points; empty without one.
        """

    @property
    def options(self) -> dict[str, Any]:
        """All options, defaults filled in."""

    @property
    def encoders(self) -> dict[str, Encoder]: ...

    @property
    def state_bytes(self) -> int: ...

    @property
    def native_agents(self) -> list[str]: ...

    def deal(self, seed: int = 0) -> HexState:
        """A new state; the same seed, the same deal, on every platform."""

    def text(self, action: int) -> str: ...

    def parse(self, text: str) -> int: ...

    def position(self, state: object) -> dict[str, Any]:
        """A readable, JSON-ready position of a state or a view."""

    def from_position(self, position: dict[str, Any]) -> Any:
        """
        The state of a position; the view, where the position has a seat and leaves cards unknown. ValueError says what is wrong with it.
        """

    def playouts(self, n: int, seed: int = 0, threads: int = 1) -> Playouts:
        """n random games inside the core; threads=0 uses all cores."""

    def perft(self, state: HexState, depth: int) -> int:
        """How many sequences of so many legal actions start here."""

    def native_agent(self, name: str, options: dict[str, Any] = {}) -> Any: ...

    def native_waves(self, name: str, options: dict[str, Any], views: list[Any], rng: Rng) -> Any:
        """
        Searches of the views, side by side, whose leaves are valued in Python.
        """

    def native_match(self, agents: Sequence[HexAgent], seatings: Sequence[Sequence[int]], seed: int, first: int, deals: int, threads: int = 1) -> NativeMatch:
        """
        Deals first..first+deals-1 under every seating; seatings[k][agent] is a seat. Arrays are [deal, seating, agent].
        """

    def native_tables(self, batch: int, encoder: str, players: Sequence[HexAgent | None], seed: int = 0, threads: int = 1, bytes: bool = False) -> object:
        """Lockstep tables; None among the players is a learner."""

    def native_q_learner(self, seed: int) -> Any:
        """Learns tables; see kibitz.learn.q_table."""

    def solve(self, state: HexState, *, nodes: int = 100000000, all_actions: bool = False, tie_break: float = 0.0) -> Solution:
        """
        The exact value for the side to act if nothing were hidden, or bounds where the nodes ran out.
        """

class MiniDouDiZhuState:
    """Everything, hidden cards included."""

    @property
    def game(self) -> MiniDouDiZhuGame: ...

    @property
    def to_act(self) -> int:
        """The seat to act; OVER at the end."""

    @property
    def over(self) -> bool: ...

    @property
    def payoffs(self) -> list[float]:
        """Per seat; zeros while the game runs."""

    @property
    def history(self) -> list[tuple[int, int]]:
        """(seat, action) pairs since the deal or the position."""

    @property
    def seed(self) -> int | None:
        """The seed of the deal; None for a position or a world."""

    def legal(self) -> list[int]:
        """Legal actions, ascending."""

    def apply(self, action: int) -> None:
        """Play an action, in place. ValueError if it is illegal."""

    def copy(self) -> MiniDouDiZhuState: ...

    def __copy__(self) -> MiniDouDiZhuState: ...

    def __deepcopy__(self, memo: object) -> MiniDouDiZhuState: ...

    def view(self, seat: int) -> MiniDouDiZhuView:
        """All that the seat may know."""

    def encode(self, encoder: str, seat: int) -> NDArray[numpy.float32]:
        """Features for the seat; encoders that peek work only here."""

    def action_features(self) -> NDArray[numpy.float32]:
        """
        Features [n, game.action_features] of the legal actions, in their order.
        """

    def __eq__(self, arg: object, /) -> bool: ...

    def __str__(self) -> str: ...

class MiniDouDiZhuView:
    """All that one seat may know."""

    def worlds(self) -> float:
        """
        How many worlds are consistent with this view, all equally likely in `sample`.
        """

    def all_worlds(self) -> list[tuple[MiniDouDiZhuState, float]]:
        """
        Every world with its weight, to which its odds in `sample` are proportional.
        """

    @property
    def game(self) -> MiniDouDiZhuGame: ...

    @property
    def seat(self) -> int: ...

    @property
    def to_act(self) -> int: ...

    @property
    def over(self) -> bool: ...

    @property
    def key(self) -> int:
        """Equal views have equal keys."""

    @property
    def history(self) -> list[tuple[int, int]]:
        """(seat, action) pairs since the deal or the position."""

    def legal(self) -> list[int]:
        """Legal actions of this seat, ascending; empty unless it is to act."""

    def sample(self, seed: int) -> MiniDouDiZhuState:
        """
        A world: a state consistent with this view. Never by the stream that a deal of the same seed has.
        """

    def encode(self, encoder: str) -> NDArray[numpy.float32]: ...

    def action_features(self) -> NDArray[numpy.float32]:
        """
        Features [n, game.action_features] of the legal actions, in their order.
        """

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

class MiniDouDiZhuAgent:
    """An agent inside the core."""

    @property
    def name(self) -> str: ...

    @property
    def peeks(self) -> bool:
        """Whether it sees hidden cards."""

    def worlds(self, view: MiniDouDiZhuView) -> list[tuple[MiniDouDiZhuState, float]]:
        """All worlds and how likely a search that does not peek thinks them."""

    @overload
    def act(self, view: MiniDouDiZhuView, rng: Rng) -> int:
        """The action of choice for the view's seat, which must be to act."""

    @overload
    def act(self, view: MiniDouDiZhuState, rng: Rng) -> int:
        """The same, for the seat to act; agents that peek need the state."""

    @overload
    def think(self, view: MiniDouDiZhuView, rng: Rng) -> NativeThought: ...

    @overload
    def think(self, view: MiniDouDiZhuState, rng: Rng) -> NativeThought:
        """What it says of every legal action."""

class MiniDouDiZhuTables:
    """B games in lockstep; see kibitz.Tables."""

    def __init__(self, game: MiniDouDiZhuGame, batch: int, encoder: str, players: Sequence[MiniDouDiZhuAgent | None], seed: int, threads: int, bytes: bool) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def run(self, steps: int, agent: MiniDouDiZhuAgent) -> None:
        """Steps with the learners' actions chosen by a native agent."""

    @property
    def obs(self) -> NDArray[numpy.float32]: ...

    @property
    def obs_bytes(self) -> NDArray[numpy.uint8]: ...

    @property
    def mask(self) -> NDArray[numpy.uint8]: ...

    @property
    def payoff(self) -> NDArray[numpy.float32]: ...

    @property
    def seat(self) -> NDArray[numpy.int32]: ...

    @property
    def acted(self) -> NDArray[numpy.int32]: ...

    @property
    def done(self) -> NDArray[numpy.uint8]: ...

    @property
    def ragged(self) -> bool:
        """Whether legal actions are ids, offsets and features instead of a mask."""

    @property
    def offsets(self) -> NDArray[numpy.int64]: ...

    @property
    def ids(self) -> NDArray[numpy.int32]: ...

    @property
    def features(self) -> NDArray[numpy.float32]: ...

    def value_search(self, net: Net, simulations: int, exploration: float, discount: float, per_world: int, peek: bool, seed: int) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32], int]:
        """
        Value MCTS at every table: Q_m [B, A], r_m [B], and how often the net was asked.
        """

    def think(self, agent: MiniDouDiZhuAgent, seed: int) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]:
        """
        What an agent thinks of the actions at every table: values and visits, [B, A].
        """

    def advise(self, agent: MiniDouDiZhuAgent, seed: int) -> NDArray[numpy.int32]:
        """What an agent would do at every table."""

    def seat_players(self, players: Sequence[MiniDouDiZhuAgent | None]) -> None:
        """Other opponents from now on."""

    def put(self, table: int, state: MiniDouDiZhuState) -> None:
        """Goes on from this state at one table."""

    def save(self) -> list[dict[str, Any]]:
        """Per table what its future depends on, ready for JSON."""

    def restore(self, saved: list[Any]) -> None:
        """
        Goes on as after `save`. ValueError says what does not hold, and then nothing has changed.
        """

class MiniDouDiZhuWaves:
    """Searches whose leaves are valued outside; see kibitz.GuidedSearch."""

    @property
    def width(self) -> int: ...

    def select(self) -> bool:
        """Selects the next leaves of all searches; False at the end."""

    def show(self) -> tuple[NDArray[numpy.float32], NDArray[numpy.int32]]:
        """
        What the seats to act see in the selected leaves [B, D], and which seats they are [B].
        """

    def answer(self, rows: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """What the selected leaves are worth."""

    def thoughts(self) -> list[NativeThought]: ...

class MiniDouDiZhuQLearner:
    """Learns tables of action values by playing; see kibitz.learn.q_table."""

    def __init__(self, game: MiniDouDiZhuGame, seed: int) -> None: ...

    @property
    def played(self) -> int:
        """Matches so far."""

    @played.setter
    def played(self, arg: int, /) -> None: ...

    def run(self, epsilon: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], payoffs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], alpha: float, gamma: float, lambda_: float, waiting: bool, learn: bool, opponent: MiniDouDiZhuAgent | None, fallback: MiniDouDiZhuAgent | None) -> None:
        """
        One match per epsilon; writes payoffs [match, seat]. lambda_ below 0 is Q-learning.
        """

    def size(self, seat: int) -> int:
        """Entries of a seat."""

    def save(self, seat: int, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], visits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Writes all entries, sorted by their keys."""

    def load(self, seat: int, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], visits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Adds entries, which must be new."""

    def agent(self, name: str, fallback: MiniDouDiZhuAgent | None) -> MiniDouDiZhuAgent:
        """Plays from a copy of the tables."""

class MiniDouDiZhuGame:
    """A rule set with its options. Immutable."""

    def __init__(self, **options: Any) -> None: ...

    def __getstate__(self) -> object: ...

    def __setstate__(self, options: dict[str, Any], /) -> None: ...

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def players(self) -> int: ...

    @property
    def num_actions(self) -> int: ...

    @property
    def action_features(self) -> int:
        """Floats that describe an action; 0 in games without such features."""

    @property
    def payoff_range(self) -> tuple[float, float]: ...

    @property
    def zero_sum(self) -> bool: ...

    @property
    def hidden(self) -> bool:
        """Whether some seat does not know everything."""

    @property
    def teams(self) -> list[int]:
        """Team of each seat; partners share a payoff."""

    @property
    def partners_vary(self) -> bool:
        """
        Whether partners are found in the game: then `teams` has every seat alone.
        """

    @property
    def point_scoring(self) -> str:
        """
        The value of the option `scoring` that counts points; empty without one.
        """

    @property
    def options(self) -> dict[str, Any]:
        """All options, defaults filled in."""

    @property
    def encoders(self) -> dict[str, Encoder]: ...

    @property
    def state_bytes(self) -> int: ...

    @property
    def native_agents(self) -> list[str]: ...

    def deal(self, seed: int = 0) -> MiniDouDiZhuState:
        """A new state; the same seed, the same deal, on every platform."""

    def text(self, action: int) -> str: ...

    def parse(self, text: str) -> int: ...

    def position(self, state: object) -> dict[str, Any]:
        """A readable, JSON-ready position of a state or a view."""

    def from_position(self, position: dict[str, Any]) -> Any:
        """
        The state of a position; the view, where the position has a seat and leaves cards unknown. ValueError says what is wrong with it.
        """

    def playouts(self, n: int, seed: int = 0, threads: int = 1) -> Playouts:
        """n random games inside the core; threads=0 uses all cores."""

    def perft(self, state: MiniDouDiZhuState, depth: int) -> int:
        """How many sequences of so many legal actions start here."""

    def native_agent(self, name: str, options: dict[str, Any] = {}) -> Any: ...

    def native_waves(self, name: str, options: dict[str, Any], views: list[Any], rng: Rng) -> Any:
        """
        Searches of the views, side by side, whose leaves are valued in Python.
        """

    def native_match(self, agents: Sequence[MiniDouDiZhuAgent], seatings: Sequence[Sequence[int]], seed: int, first: int, deals: int, threads: int = 1) -> NativeMatch:
        """
        Deals first..first+deals-1 under every seating; seatings[k][agent] is a seat. Arrays are [deal, seating, agent].
        """

    def native_tables(self, batch: int, encoder: str, players: Sequence[MiniDouDiZhuAgent | None], seed: int = 0, threads: int = 1, bytes: bool = False) -> object:
        """Lockstep tables; None among the players is a learner."""

    def native_q_learner(self, seed: int) -> Any:
        """Learns tables; see kibitz.learn.q_table."""

    def deals(self) -> list[tuple[MiniDouDiZhuState, int]]:
        """
        Every distinct deal with its weight, the number of ways to deal physical cards so.
        """

    def solve(self, state: MiniDouDiZhuState, *, nodes: int = 100000000, all_actions: bool = False, tie_break: float = 0.0) -> Solution:
        """
        The exact value for the side to act if nothing were hidden, or bounds where the nodes ran out.
        """

class TicTacToeState:
    """Everything, hidden cards included."""

    @property
    def game(self) -> TicTacToeGame: ...

    @property
    def to_act(self) -> int:
        """The seat to act; OVER at the end."""

    @property
    def over(self) -> bool: ...

    @property
    def payoffs(self) -> list[float]:
        """Per seat; zeros while the game runs."""

    @property
    def history(self) -> list[tuple[int, int]]:
        """(seat, action) pairs since the deal or the position."""

    @property
    def seed(self) -> int | None:
        """The seed of the deal; None for a position or a world."""

    def legal(self) -> list[int]:
        """Legal actions, ascending."""

    def apply(self, action: int) -> None:
        """Play an action, in place. ValueError if it is illegal."""

    def copy(self) -> TicTacToeState: ...

    def __copy__(self) -> TicTacToeState: ...

    def __deepcopy__(self, memo: object) -> TicTacToeState: ...

    def view(self, seat: int) -> TicTacToeView:
        """All that the seat may know."""

    def encode(self, encoder: str, seat: int) -> NDArray[numpy.float32]:
        """Features for the seat; encoders that peek work only here."""

    def action_features(self) -> NDArray[numpy.float32]:
        """
        Features [n, game.action_features] of the legal actions, in their order.
        """

    def __eq__(self, arg: object, /) -> bool: ...

    def __str__(self) -> str: ...

class TicTacToeView:
    """All that one seat may know."""

    def all_worlds(self) -> list[tuple[TicTacToeState, float]]:
        """
        Every world with its weight, to which its odds in `sample` are proportional.
        """

    @property
    def game(self) -> TicTacToeGame: ...

    @property
    def seat(self) -> int: ...

    @property
    def to_act(self) -> int: ...

    @property
    def over(self) -> bool: ...

    @property
    def key(self) -> int:
        """Equal views have equal keys."""

    @property
    def history(self) -> list[tuple[int, int]]:
        """(seat, action) pairs since the deal or the position."""

    def legal(self) -> list[int]:
        """Legal actions of this seat, ascending; empty unless it is to act."""

    def sample(self, seed: int) -> TicTacToeState:
        """
        A world: a state consistent with this view. Never by the stream that a deal of the same seed has.
        """

    def encode(self, encoder: str) -> NDArray[numpy.float32]: ...

    def action_features(self) -> NDArray[numpy.float32]:
        """
        Features [n, game.action_features] of the legal actions, in their order.
        """

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

class TicTacToeAgent:
    """An agent inside the core."""

    @property
    def name(self) -> str: ...

    @property
    def peeks(self) -> bool:
        """Whether it sees hidden cards."""

    def worlds(self, view: TicTacToeView) -> list[tuple[TicTacToeState, float]]:
        """All worlds and how likely a search that does not peek thinks them."""

    @overload
    def act(self, view: TicTacToeView, rng: Rng) -> int:
        """The action of choice for the view's seat, which must be to act."""

    @overload
    def act(self, view: TicTacToeState, rng: Rng) -> int:
        """The same, for the seat to act; agents that peek need the state."""

    @overload
    def think(self, view: TicTacToeView, rng: Rng) -> NativeThought: ...

    @overload
    def think(self, view: TicTacToeState, rng: Rng) -> NativeThought:
        """What it says of every legal action."""

class TicTacToeTables:
    """B games in lockstep; see kibitz.Tables."""

    def __init__(self, game: TicTacToeGame, batch: int, encoder: str, players: Sequence[TicTacToeAgent | None], seed: int, threads: int, bytes: bool) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def run(self, steps: int, agent: TicTacToeAgent) -> None:
        """Steps with the learners' actions chosen by a native agent."""

    @property
    def obs(self) -> NDArray[numpy.float32]: ...

    @property
    def obs_bytes(self) -> NDArray[numpy.uint8]: ...

    @property
    def mask(self) -> NDArray[numpy.uint8]: ...

    @property
    def payoff(self) -> NDArray[numpy.float32]: ...

    @property
    def seat(self) -> NDArray[numpy.int32]: ...

    @property
    def acted(self) -> NDArray[numpy.int32]: ...

    @property
    def done(self) -> NDArray[numpy.uint8]: ...

    @property
    def ragged(self) -> bool:
        """Whether legal actions are ids, offsets and features instead of a mask."""

    @property
    def offsets(self) -> NDArray[numpy.int64]: ...

    @property
    def ids(self) -> NDArray[numpy.int32]: ...

    @property
    def features(self) -> NDArray[numpy.float32]: ...

    def value_search(self, net: Net, simulations: int, exploration: float, discount: float, per_world: int, peek: bool, seed: int) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32], int]:
        """
        Value MCTS at every table: Q_m [B, A], r_m [B], and how often the net was asked.
        """

    def think(self, agent: TicTacToeAgent, seed: int) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]:
        """
        What an agent thinks of the actions at every table: values and visits, [B, A].
        """

    def advise(self, agent: TicTacToeAgent, seed: int) -> NDArray[numpy.int32]:
        """What an agent would do at every table."""

    def seat_players(self, players: Sequence[TicTacToeAgent | None]) -> None:
        """Other opponents from now on."""

    def put(self, table: int, state: TicTacToeState) -> None:
        """Goes on from this state at one table."""

    def save(self) -> list[dict[str, Any]]:
        """Per table what its future depends on, ready for JSON."""

    def restore(self, saved: list[Any]) -> None:
        """
        Goes on as after `save`. ValueError says what does not hold, and then nothing has changed.
        """

class TicTacToeWaves:
    """Searches whose leaves are valued outside; see kibitz.GuidedSearch."""

    @property
    def width(self) -> int: ...

    def select(self) -> bool:
        """Selects the next leaves of all searches; False at the end."""

    def show(self) -> tuple[NDArray[numpy.float32], NDArray[numpy.int32]]:
        """
        What the seats to act see in the selected leaves [B, D], and which seats they are [B].
        """

    def answer(self, rows: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """What the selected leaves are worth."""

    def thoughts(self) -> list[NativeThought]: ...

class TicTacToeQLearner:
    """Learns tables of action values by playing; see kibitz.learn.q_table."""

    def __init__(self, game: TicTacToeGame, seed: int) -> None: ...

    @property
    def played(self) -> int:
        """Matches so far."""

    @played.setter
    def played(self, arg: int, /) -> None: ...

    def run(self, epsilon: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], payoffs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], alpha: float, gamma: float, lambda_: float, waiting: bool, learn: bool, opponent: TicTacToeAgent | None, fallback: TicTacToeAgent | None) -> None:
        """
        One match per epsilon; writes payoffs [match, seat]. lambda_ below 0 is Q-learning.
        """

    def size(self, seat: int) -> int:
        """Entries of a seat."""

    def save(self, seat: int, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], visits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Writes all entries, sorted by their keys."""

    def load(self, seat: int, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], visits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Adds entries, which must be new."""

    def agent(self, name: str, fallback: TicTacToeAgent | None) -> TicTacToeAgent:
        """Plays from a copy of the tables."""

class TicTacToeGame:
    """A rule set with its options. Immutable."""

    def __init__(self, **options: Any) -> None: ...

    def __getstate__(self) -> object: ...

    def __setstate__(self, options: dict[str, Any], /) -> None: ...

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def players(self) -> int: ...

    @property
    def num_actions(self) -> int: ...

    @property
    def action_features(self) -> int:
        """Floats that describe an action; 0 in games without such features."""

    @property
    def payoff_range(self) -> tuple[float, float]: ...

    @property
    def zero_sum(self) -> bool: ...

    @property
    def hidden(self) -> bool:
        """Whether some seat does not know everything."""

    @property
    def teams(self) -> list[int]:
        """Team of each seat; partners share a payoff."""

    @property
    def partners_vary(self) -> bool:
        """
        Whether partners are found in the game: then `teams` has every seat alone.
        """

    @property
    def point_scoring(self) -> str:
        """
        The value of the option `scoring` that counts points; empty without one.
        """

    @property
    def options(self) -> dict[str, Any]:
        """All options, defaults filled in."""

    @property
    def encoders(self) -> dict[str, Encoder]: ...

    @property
    def state_bytes(self) -> int: ...

    @property
    def native_agents(self) -> list[str]: ...

    def deal(self, seed: int = 0) -> TicTacToeState:
        """A new state; the same seed, the same deal, on every platform."""

    def text(self, action: int) -> str: ...

    def parse(self, text: str) -> int: ...

    def position(self, state: object) -> dict[str, Any]:
        """A readable, JSON-ready position of a state or a view."""

    def from_position(self, position: dict[str, Any]) -> Any:
        """
        The state of a position; the view, where the position has a seat and leaves cards unknown. ValueError says what is wrong with it.
        """

    def playouts(self, n: int, seed: int = 0, threads: int = 1) -> Playouts:
        """n random games inside the core; threads=0 uses all cores."""

    def perft(self, state: TicTacToeState, depth: int) -> int:
        """How many sequences of so many legal actions start here."""

    def native_agent(self, name: str, options: dict[str, Any] = {}) -> Any: ...

    def native_waves(self, name: str, options: dict[str, Any], views: list[Any], rng: Rng) -> Any:
        """
        Searches of the views, side by side, whose leaves are valued in Python.
        """

    def native_match(self, agents: Sequence[TicTacToeAgent], seatings: Sequence[Sequence[int]], seed: int, first: int, deals: int, threads: int = 1) -> NativeMatch:
        """
        Deals first..first+deals-1 under every seating; seatings[k][agent] is a seat. Arrays are [deal, seating, agent].
        """

    def native_tables(self, batch: int, encoder: str, players: Sequence[TicTacToeAgent | None], seed: int = 0, threads: int = 1, bytes: bool = False) -> object:
        """Lockstep tables; None among the players is a learner."""

    def native_q_learner(self, seed: int) -> Any:
        """Learns tables; see kibitz.learn.q_table."""

    def solve(self, state: TicTacToeState, *, nodes: int = 100000000, all_actions: bool = False, tie_break: float = 0.0) -> Solution:
        """
        The exact value for the side to act if nothing were hidden, or bounds where the nodes ran out.
        """

class UnoState:
    """Everything, hidden cards included."""

    @property
    def game(self) -> UnoGame: ...

    @property
    def to_act(self) -> int:
        """The seat to act; OVER at the end."""

    @property
    def over(self) -> bool: ...

    @property
    def payoffs(self) -> list[float]:
        """Per seat; zeros while the game runs."""

    @property
    def history(self) -> list[tuple[int, int]]:
        """(seat, action) pairs since the deal or the position."""

    @property
    def seed(self) -> int | None:
        """The seed of the deal; None for a position or a world."""

    def legal(self) -> list[int]:
        """Legal actions, ascending."""

    def apply(self, action: int) -> None:
        """Play an action, in place. ValueError if it is illegal."""

    def copy(self) -> UnoState: ...

    def __copy__(self) -> UnoState: ...

    def __deepcopy__(self, memo: object) -> UnoState: ...

    def view(self, seat: int) -> UnoView:
        """All that the seat may know."""

    def encode(self, encoder: str, seat: int) -> NDArray[numpy.float32]:
        """Features for the seat; encoders that peek work only here."""

    def action_features(self) -> NDArray[numpy.float32]:
        """
        Features [n, game.action_features] of the legal actions, in their order.
        """

    def __eq__(self, arg: object, /) -> bool: ...

    def __str__(self) -> str: ...

class UnoView:
    """All that one seat may know."""

    @property
    def game(self) -> UnoGame: ...

    @property
    def seat(self) -> int: ...

    @property
    def to_act(self) -> int: ...

    @property
    def over(self) -> bool: ...

    @property
    def key(self) -> int:
        """Equal views have equal keys."""

    @property
    def history(self) -> list[tuple[int, int]]:
        """(seat, action) pairs since the deal or the position."""

    def legal(self) -> list[int]:
        """Legal actions of this seat, ascending; empty unless it is to act."""

    def sample(self, seed: int) -> UnoState:
        """
        A world: a state consistent with this view. Never by the stream that a deal of the same seed has.
        """

    def encode(self, encoder: str) -> NDArray[numpy.float32]: ...

    def action_features(self) -> NDArray[numpy.float32]:
        """
        Features [n, game.action_features] of the legal actions, in their order.
        """

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

class UnoAgent:
    """An agent inside the core."""

    @property
    def name(self) -> str: ...

    @property
    def peeks(self) -> bool:
        """Whether it sees hidden cards."""

    @overload
    def act(self, view: UnoView, rng: Rng) -> int:
        """The action of choice for the view's seat, which must be to act."""

    @overload
    def act(self, view: UnoState, rng: Rng) -> int:
        """The same, for the seat to act; agents that peek need the state."""

    @overload
    def think(self, view: UnoView, rng: Rng) -> NativeThought: ...

    @overload
    def think(self, view: UnoState, rng: Rng) -> NativeThought:
        """What it says of every legal action."""

class UnoTables:
    """B games in lockstep; see kibitz.Tables."""

    def __init__(self, game: UnoGame, batch: int, encoder: str, players: Sequence[UnoAgent | None], seed: int, threads: int, bytes: bool) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def run(self, steps: int, agent: UnoAgent) -> None:
        """Steps with the learners' actions chosen by a native agent."""

    @property
    def obs(self) -> NDArray[numpy.float32]: ...

    @property
    def obs_bytes(self) -> NDArray[numpy.uint8]: ...

    @property
    def mask(self) -> NDArray[numpy.uint8]: ...

    @property
    def payoff(self) -> NDArray[numpy.float32]: ...

    @property
    def seat(self) -> NDArray[numpy.int32]: ...

    @property
    def acted(self) -> NDArray[numpy.int32]: ...

    @property
    def done(self) -> NDArray[numpy.uint8]: ...

    @property
    def ragged(self) -> bool:
        """Whether legal actions are ids, offsets and features instead of a mask."""

    @property
    def offsets(self) -> NDArray[numpy.int64]: ...

    @property
    def ids(self) -> NDArray[numpy.int32]: ...

    @property
    def features(self) -> NDArray[numpy.float32]: ...

    def value_search(self, net: Net, simulations: int, exploration: float, discount: float, per_world: int, peek: bool, seed: int) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32], int]:
        """
        Value MCTS at every table: Q_m [B, A], r_m [B], and how often the net was asked.
        """

    def think(self, agent: UnoAgent, seed: int) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]:
        """
        What an agent thinks of the actions at every table: values and visits, [B, A].
        """

    def advise(self, agent: UnoAgent, seed: int) -> NDArray[numpy.int32]:
        """What an agent would do at every table."""

    def seat_players(self, players: Sequence[UnoAgent | None]) -> None:
        """Other opponents from now on."""

    def put(self, table: int, state: UnoState) -> None:
        """Goes on from this state at one table."""

    def save(self) -> list[dict[str, Any]]:
        """Per table what its future depends on, ready for JSON."""

    def restore(self, saved: list[Any]) -> None:
        """
        Goes on as after `save`. ValueError says what does not hold, and then nothing has changed.
        """

class UnoWaves:
    """Searches whose leaves are valued outside; see kibitz.GuidedSearch."""

    @property
    def width(self) -> int: ...

    def select(self) -> bool:
        """Selects the next leaves of all searches; False at the end."""

    def show(self) -> tuple[NDArray[numpy.float32], NDArray[numpy.int32]]:
        """
        What the seats to act see in the selected leaves [B, D], and which seats they are [B].
        """

    def answer(self, rows: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """What the selected leaves are worth."""

    def thoughts(self) -> list[NativeThought]: ...

class UnoQLearner:
    """Learns tables of action values by playing; see kibitz.learn.q_table."""

    def __init__(self, game: UnoGame, seed: int) -> None: ...

    @property
    def played(self) -> int:
        """Matches so far."""

    @played.setter
    def played(self, arg: int, /) -> None: ...

    def run(self, epsilon: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], payoffs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], alpha: float, gamma: float, lambda_: float, waiting: bool, learn: bool, opponent: UnoAgent | None, fallback: UnoAgent | None) -> None:
        """
        One match per epsilon; writes payoffs [match, seat]. lambda_ below 0 is Q-learning.
        """

    def size(self, seat: int) -> int:
        """Entries of a seat."""

    def save(self, seat: int, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], visits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Writes all entries, sorted by their keys."""

    def load(self, seat: int, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], visits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Adds entries, which must be new."""

    def agent(self, name: str, fallback: UnoAgent | None) -> UnoAgent:
        """Plays from a copy of the tables."""

class UnoGame:
    """A rule set with its options. Immutable."""

    def __init__(self, **options: Any) -> None: ...

    def __getstate__(self) -> object: ...

    def __setstate__(self, options: dict[str, Any], /) -> None: ...

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def players(self) -> int: ...

    @property
    def num_actions(self) -> int: ...

    @property
    def action_features(self) -> int:
        """Floats that describe an action; 0 in games without such features."""

    @property
    def payoff_range(self) -> tuple[float, float]: ...

    @property
    def zero_sum(self) -> bool: ...

    @property
    def hidden(self) -> bool:
        """Whether some seat does not know everything."""

    @property
    def teams(self) -> list[int]:
        """Team of each seat; partners share a payoff."""

    @property
    def partners_vary(self) -> bool:
        """
        Whether partners are found in the game: then `teams` has every seat alone.
        """

    @property
    def point_scoring(self) -> str:
        """
        The value of the option `scoring` that counts points; empty without one.
        """

    @property
    def options(self) -> dict[str, Any]:
        """All options, defaults filled in."""

    @property
    def encoders(self) -> dict[str, Encoder]: ...

    @property
    def state_bytes(self) -> int: ...

    @property
    def native_agents(self) -> list[str]: ...

    def deal(self, seed: int = 0) -> UnoState:
        """A new state; the same seed, the same deal, on every platform."""

    def text(self, action: int) -> str: ...

    def parse(self, text: str) -> int: ...

    def position(self, state: object) -> dict[str, Any]:
        """A readable, JSON-ready position of a state or a view."""

    def from_position(self, position: dict[str, Any]) -> Any:
        """
        The state of a position; the view, where the position has a seat and leaves cards unknown. ValueError says what is wrong with it.
        """

    def playouts(self, n: int, seed: int = 0, threads: int = 1) -> Playouts:
        """n random games inside the core; threads=0 uses all cores."""

    def perft(self, state: UnoState, depth: int) -> int:
        """How many sequences of so many legal actions start here."""

    def native_agent(self, name: str, options: dict[str, Any] = {}) -> Any: ...

    def native_waves(self, name: str, options: dict[str, Any], views: list[Any], rng: Rng) -> Any:
        """
        Searches of the views, side by side, whose leaves are valued in Python.
        """

    def native_match(self, agents: Sequence[UnoAgent], seatings: Sequence[Sequence[int]], seed: int, first: int, deals: int, threads: int = 1) -> NativeMatch:
        """
        Deals first..first+deals-1 under every seating; seatings[k][agent] is a seat. Arrays are [deal, seating, agent].
        """

    def native_tables(self, batch: int, encoder: str, players: Sequence[UnoAgent | None], seed: int = 0, threads: int = 1, bytes: bool = False) -> object:
        """Lockstep tables; None among the players is a learner."""

    def native_q_learner(self, seed: int) -> Any:
        """Learns tables; see kibitz.learn.q_table."""
