"""The native core of Kibitz: games, agents, matches and tables."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, overload

import numpy
import numpy.typing
from numpy.typing import NDArray


OVER: int = -2

NATURE: int = -1

PUBLIC: int = -1

def mix(a: int, b: int) -> int:
    """
    A seed for part b of the thing seeded with a. It keeps no secret: whoever knows one seed can work out the other.
    """

def agent_stream(seed: int) -> Rng:
    """
    The stream that an agent begins with; never the one that a deal of the same seed has.
    """

def simd() -> str:
    """Which registers networks are worked out in on this machine."""

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

class Encoder:
    """How an encoder lays out its features."""

    @property
    def name(self) -> str: ...

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the features of one state."""

    @property
    def size(self) -> int:
        """How many features that is."""

    @property
    def peeks(self) -> bool:
        """Reads hidden cards; not offered on views."""

    @property
    def binary(self) -> bool:
        """Every feature is 0 or 1: tables may keep them as bytes."""

    def __repr__(self) -> str: ...

class Playouts:
    """What random games gave: lengths [n], payoffs [n, players]."""

    @property
    def lengths(self) -> NDArray[numpy.uint32]:
        """Decisions of each game."""

    @property
    def payoffs(self) -> NDArray[numpy.float32]:
        """Per game and seat."""

    @property
    def games(self) -> int:
        """How many games."""

    @property
    def decisions(self) -> int:
        """Of all games together."""

class NativeMatch:
    """Arrays [deal, seating, agent] of a match."""

    @property
    def payoffs(self) -> NDArray[numpy.float64]:
        """Of each game."""

    @property
    def decisions(self) -> NDArray[numpy.uint32]:
        """Of each game."""

    @property
    def seconds(self) -> NDArray[numpy.float64]:
        """
        Time spent deciding, on every 16th deal; on all where an agent searches.
        """

    @property
    def timed_decisions(self) -> NDArray[numpy.uint32]:
        """How many decisions `seconds` is about."""

    @property
    def actions(self) -> NDArray[numpy.uint16]:
        """
        Of all games, one after the other, the seatings of a deal together; empty unless they were to be kept.
        """

    @property
    def ends(self) -> NDArray[numpy.int64]:
        """Where in `actions` those of each game end."""

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

class Game:
    """
    A rule set with its options. Immutable: any number of tables and threads share one.
    """

    def __reduce__(self) -> tuple[Any, ...]: ...

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    @property
    def name(self) -> str:
        """The name that `kibitz.make` knows it by."""

    @property
    def players(self) -> int:
        """The number of seats."""

    @property
    def num_actions(self) -> int:
        """Action ids are 0..num_actions-1."""

    @property
    def action_features(self) -> int:
        """Floats that describe an action; 0 in games without such features."""

    @property
    def payoff_range(self) -> tuple[float, float]:
        """The least and the greatest payoff of a seat."""

    @property
    def zero_sum(self) -> bool:
        """Whether payoffs sum to zero."""

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
    def encoders(self) -> dict[str, Encoder]:
        """What writes features for learners, by name."""

    @property
    def state_bytes(self) -> int:
        """The size of a state in the core."""

    def can(self, name: str) -> bool:
        """
        Whether it has what only some games have: about, action_features, all_worlds, card_odds, deals, held, solve, worlds. What a game cannot do raises a ValueError that says why.
        """

    def deal(self, seed: int = 0) -> State:
        """A new state; the same seed, the same deal, on every platform."""

    def text(self, action: int) -> str:
        """A short readable name of an action."""

    def parse(self, text: str) -> int:
        """The action with this name. ValueError names what is allowed."""

    def position(self, state: State | View) -> dict[str, Any]:
        """A readable, JSON-ready position of a state or a view."""

    def from_position(self, position: dict[str, Any]) -> Any:
        """
        The state of a position; the view, where the position has a seat and leaves cards unknown. ValueError says what is wrong with it.
        """

    def playouts(self, n: int, seed: int = 0, threads: int = 1) -> Playouts:
        """n random games inside the core; threads=0 uses all cores."""

    def perft(self, state: State, depth: int) -> int:
        """How many sequences of so many legal actions start here."""

    def native_match(self, agents: Sequence[Agent], seatings: Sequence[Sequence[int]], seed: int, first: int, deals: int, threads: int = 1, keep: bool = False) -> NativeMatch:
        """
        Deals first..first+deals-1 under every seating; seatings[k][agent] is a seat. Arrays are [deal, seating, agent]. keep: the actions of all games, too.
        """

    def solve(self, state: State, *, nodes: int = 100000000, all_actions: bool = False, tie_break: float = 0.0) -> Solution:
        """
        The exact value for the side to act if nothing were hidden, or bounds where the nodes ran out; see game.can('solve').
        """

    def deals(self) -> list[tuple[State, int]]:
        """
        Every distinct deal with its weight, the number of ways to deal physical cards so; see game.can('deals').
        """

    def held(self, payoffs: Sequence[float]) -> float:
        """
        Points that this deal keeps for the winners of the next one, in a series; see game.can('held').
        """

    @property
    def about(self) -> dict[str, Any]:
        """What there is to say of a rulesheet; see game.can('about')."""

    @property
    def native_agents(self) -> list[str]:
        """The names of its agents in the core."""

    def native_agent_options(self, name: str) -> list[OptionInfo]:
        """The options of one of these."""

    def why_no_agent(self, name: str) -> str:
        """
        Why it has no agent of this name; empty where it has, and for names that no search has.
        """

    def native_agent(self, name: str, options: dict[str, Any] = {}) -> Agent:
        """An agent of the core for this game."""

    def search(self, view: View | State, spec: str, seed: int = 0) -> Search:
        """
        A search of the view that can be driven, by a spec as for `kibitz.agent`: run, thought, stop.
        """

    def native_waves(self, name: str, options: dict[str, Any], views: list[View | State], rng: Rng) -> Waves:
        """
        Searches of the views, side by side, whose leaves are valued in Python.
        """

    def native_tables(self, batch: int, encoder: str, players: Sequence[Agent | None], seed: int = 0, threads: int = 1, bytes: bool = False, ends: bool = False) -> Tables:
        """Lockstep tables; None among the players is a learner."""

    def native_q_learner(self, seed: int) -> QLearner:
        """Learns tables; see kibitz.learn.q_table."""

class State:
    """
    Everything, hidden cards included: a position of a game that can be played on.
    """

    @property
    def game(self) -> Game:
        """The game that it belongs to."""

    @property
    def to_act(self) -> int:
        """The seat to act; OVER at the end."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""

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
        """Legal actions, ascending; empty at the end."""

    def apply(self, action: int) -> None:
        """
        Play an action, in place. ValueError if it is illegal, and then nothing has changed.
        """

    def copy(self) -> State:
        """An independent state with the same future."""

    def __copy__(self) -> State:
        """The same as `copy`."""

    def __deepcopy__(self, memo: object) -> State:
        """The same as `copy`."""

    def view(self, seat: int) -> View:
        """All that the seat may know."""

    def public(self) -> View:
        """What every seat knows, for spectators: a view with the seat PUBLIC."""

    def encode(self, encoder: str, seat: int) -> NDArray[numpy.float32]:
        """Features for the seat; encoders that peek work only here."""

    def action_features(self) -> NDArray[numpy.float32]:
        """
        Features [n, game.action_features] of the legal actions, in their order.
        """

    def __eq__(self, arg: object, /) -> bool: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

class View:
    """All that one seat may know of a state. It never changes."""

    @property
    def game(self) -> Game:
        """The game that it belongs to."""

    @property
    def seat(self) -> int:
        """Whose view it is; PUBLIC: what every seat knows."""

    @property
    def to_act(self) -> int:
        """The seat to act; OVER at the end."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""

    @property
    def key(self) -> int:
        """64 bits; equal views have equal keys."""

    @property
    def history(self) -> list[tuple[int, int]]:
        """The (seat, action) pairs that the seat knows of."""

    def legal(self) -> list[int]:
        """Legal actions of this seat, ascending; empty unless it is to act."""

    def public(self) -> View:
        """
        What every seat knows: equal to `public` of the state, from whichever seat.
        """

    def sample(self, seed: int) -> State:
        """
        A world: a state consistent with this view. Never by the stream that a deal of the same seed has.
        """

    def encode(self, encoder: str) -> NDArray[numpy.float32]:
        """Features for the seat, by an encoder that does not peek."""

    def action_features(self) -> NDArray[numpy.float32]:
        """
        Features [n, game.action_features] of the legal actions, in their order.
        """

    def worlds(self) -> float:
        """
        How many worlds are consistent with this view, all equally likely in `sample`; see game.can('worlds').
        """

    def all_worlds(self) -> list[tuple[State, float]]:
        """
        Every world with its weight, to which its odds in `sample` are proportional; see game.can('all_worlds').
        """

    def card_odds(self, worlds: int, seed: int | None = None) -> dict[int, dict[str, float]]:
        """
        Per hidden seat and unseen card: the share of so many sampled worlds in which the seat holds one; see kibitz.beliefs and game.can('card_odds').
        """

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

class NativeThought:
    """What a native agent says of the legal actions, in their order."""

    @property
    def actions(self) -> list[int]:
        """The legal actions."""

    @property
    def values(self) -> list[float]:
        """Expected payoffs; meaningless without visits."""

    @property
    def visits(self) -> list[float]:
        """How often each was tried."""

    @property
    def shares(self) -> list[float]:
        """They sum to 1; it plays the action with most."""

    @property
    def errors(self) -> list[float]:
        """Standard errors of the values; NaN where unknown."""

    @property
    def losses(self) -> list[float]:
        """How much less each gets than the best one; NaN where unknown."""

    @property
    def loss_errors(self) -> list[float]:
        """Standard errors of the losses; NaN where unknown."""

    @property
    def best(self) -> int:
        """The action with the largest share, the first of them on ties."""

    @property
    def iterations(self) -> int:
        """Play-outs, or worlds solved."""

    @property
    def nodes(self) -> int:
        """Of all trees together."""

    @property
    def full(self) -> bool:
        """A tree reached its bound and did not grow any more."""

    @property
    def asked(self) -> int:
        """Iterations of the whole budget; 0 where there is none."""

    @property
    def undecided(self) -> bool:
        """Nothing tells the best actions apart: what it plays is a fallback."""

class Search:
    """
    A search under way: run it a little, look at its thought, run it on. For one thread at a time, but any thread may stop it.
    """

    def run(self, iterations: int | None = None, ms: float | None = None) -> None:
        """
        So many iterations more, or milliseconds, or what comes first of both; without either, what is left of the budget in its options. Iterations in several runs give the same thought, bit by bit, as in one. Searches that cannot be divided (expectimax) do everything in the first run.
        """

    def thought(self) -> NativeThought:
        """What it thinks so far."""

    def matrix(self) -> tuple[list[State], Annotated[numpy.typing.NDArray[numpy.float64], dict(shape=(None, None))]]:
        """
        The worlds that it looked into, and the payoff of the searching seat in each [worlds] by each legal action [actions]; NaN where an action was not tried. For mcs with the option keep=N, pimc, solver-pimc, minimax.
        """

    def stop(self) -> None:
        """
        Ends the run under way, and every later one before it begins. From any thread; it does not wait.
        """

    @property
    def stopped(self) -> bool:
        """Whether it was told to stop."""

class Agent:
    """An agent of the core, made for one game."""

    @property
    def name(self) -> str:
        """The name that the game knows it by."""

    @property
    def game(self) -> Game:
        """The game that it plays."""

    @property
    def peeks(self) -> bool:
        """Whether it sees hidden cards."""

    def act(self, view: View | State, rng: Rng) -> int:
        """
        The action of choice for the seat to act; agents that peek need the state.
        """

    def think(self, view: View | State, rng: Rng) -> NativeThought:
        """What it says of every legal action."""

    def search(self, view: View | State, rng: Rng) -> Search:
        """
        The same as a search that can be driven; nothing is searched before its first run.
        """

    def worlds(self, view: View) -> list[tuple[State, float]]:
        """All worlds and how likely a search that does not peek thinks them."""

    def __repr__(self) -> str: ...

class Waves:
    """Searches whose leaves are valued outside; see kibitz.GuidedSearch."""

    @property
    def width(self) -> int:
        """Numbers per answer."""

    def select(self) -> bool:
        """Selects the next leaves of all searches; False at the end."""

    def show(self) -> tuple[NDArray[numpy.float32], NDArray[numpy.int32]]:
        """
        What the seats to act see in the selected leaves [B, D], and which seats they are [B].
        """

    def answer(self, rows: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """What the selected leaves are worth."""

    def thoughts(self) -> list[NativeThought]:
        """What the searches think, in the order of their views."""

class SearchInfo:
    """What is declared of a search."""

    @property
    def name(self) -> str:
        """In spec strings."""

    @property
    def summary(self) -> str:
        """What it does, in a line."""

    @property
    def needs(self) -> list[str]:
        """What it needs of a game: hidden, open, solver, worlds."""

    @property
    def python(self) -> bool:
        """Whether it plays games written in Python, too."""

    def __repr__(self) -> str: ...

class OptionInfo:
    """What is declared of an option of an agent."""

    @property
    def name(self) -> str: ...

    @property
    def usual(self) -> str:
        """What it is if it is not given."""

    @property
    def allowed(self) -> str:
        """In words."""

    @property
    def meaning(self) -> str:
        """In a line."""

    def __repr__(self) -> str: ...

def searches() -> list[SearchInfo]:
    """The searches of the core."""

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

class Tables:
    """B games in lockstep; see kibitz.Tables."""

    @property
    def game(self) -> Game:
        """The game that is played."""

    def step(self, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """One action per table, each legal there."""

    def run(self, steps: int, agent: Agent) -> None:
        """Steps with the learners' actions chosen by a native agent."""

    @property
    def obs(self) -> NDArray[numpy.float32]:
        """Features for the seat to act."""

    @property
    def obs_bytes(self) -> NDArray[numpy.uint8]:
        """The same as bytes."""

    @property
    def final_obs(self) -> NDArray[numpy.float32]:
        """What the seat that acted saw at the end."""

    @property
    def final_obs_bytes(self) -> NDArray[numpy.uint8]:
        """The same as bytes."""

    @property
    def mask(self) -> NDArray[numpy.uint8]:
        """Its legal actions."""

    @property
    def payoff(self) -> NDArray[numpy.float32]:
        """Of games that ended."""

    @property
    def seat(self) -> NDArray[numpy.int32]:
        """The seat to act."""

    @property
    def acted(self) -> NDArray[numpy.int32]:
        """The seat that the last step moved."""

    @property
    def done(self) -> NDArray[numpy.uint8]:
        """Whether the last step ended the game."""

    @property
    def ragged(self) -> bool:
        """Whether legal actions are ids, offsets and features instead of a mask."""

    @property
    def offsets(self) -> NDArray[numpy.int64]:
        """Where each table's actions begin."""

    @property
    def ids(self) -> NDArray[numpy.int32]:
        """The legal actions of all tables."""

    @property
    def features(self) -> NDArray[numpy.float32]:
        """A row for each of them."""

    def value_search(self, net: Net, simulations: int, c: float, discount: float, per_world: int, peek: bool, seed: int) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32], int]:
        """
        Value MCTS at every table: Q_m [B, A], r_m [B], and how often the net was asked.
        """

    def think(self, agent: Agent, seed: int) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]:
        """
        What an agent thinks of the actions at every table: values and visits, [B, A].
        """

    def advise(self, agent: Agent, seed: int) -> NDArray[numpy.int32]:
        """What an agent would do at every table."""

    def seat_players(self, players: Sequence[Agent | None]) -> None:
        """Other opponents from now on."""

    def put(self, table: int, state: State) -> None:
        """Goes on from this state at one table."""

    def save(self) -> list[dict[str, Any]]:
        """Per table what its future depends on, ready for JSON."""

    def restore(self, saved: list[Any]) -> None:
        """
        Goes on as after `save`. ValueError says what does not hold, and then nothing has changed.
        """

class QLearner:
    """Learns tables of action values by playing; see kibitz.learn.q_table."""

    @property
    def game(self) -> Game:
        """The game that it learns."""

    @property
    def played(self) -> int:
        """Matches so far."""

    @played.setter
    def played(self, arg: int, /) -> None: ...

    def run(self, epsilon: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], payoffs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], alpha: float, gamma: float, lambda_: float, waiting: bool, learn: bool, opponent: Agent | None, fallback: Agent | None) -> None:
        """
        One match per epsilon; writes payoffs [match, seat]. lambda_ below 0 is Q-learning.
        """

    def size(self, seat: int) -> int:
        """Entries of a seat."""

    def save(self, seat: int, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], visits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Writes all entries, sorted by their keys."""

    def load(self, seat: int, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], visits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Adds entries, which must be new."""

    def agent(self, name: str, fallback: Agent | None) -> Agent:
        """Plays from a copy of the tables."""

def make(name: str, options: dict[str, Any]) -> Game:
    """A game of the core; people use `kibitz.make`."""

def games() -> list[str]:
    """The names of the core's games."""

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

def gdl_check(text: str, strict: bool = True) -> list[tuple[int, int, bool, str]]:
    """
    Findings of a rulesheet: line, column, whether it is an error, what it is.
    """
