"""The native core of Kibitz: games, agents, matches and tables."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray


OVER: int = -2

NATURE: int = -1

def games() -> dict[str, Any]:
    """The native games: name -> class."""

def mix(a: int, b: int) -> int:
    """A seed for part b of the thing seeded with a."""

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
        """Time spent deciding, on every 16th deal."""

    @property
    def timed_decisions(self) -> NDArray[numpy.uint32]: ...

class DouDiZhuAgent:
    """An agent inside the core."""

    @property
    def name(self) -> str: ...

    def act(self, view: DouDiZhuView, rng: Rng) -> int:
        """The action of choice for the view's seat, which must be to act."""

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
        """A world: a state consistent with this view."""

    def encode(self, encoder: str) -> NDArray[numpy.float32]: ...

    def action_features(self) -> NDArray[numpy.float32]:
        """
        Features [n, game.action_features] of the legal actions, in their order.
        """

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

class DouDiZhuTables:
    """B games in lockstep; see kibitz.Tables."""

    def __init__(self, game: DouDiZhuGame, batch: int, encoder: str, players: Sequence[DouDiZhuAgent | None], seed: int, threads: int) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def run(self, steps: int, agent: DouDiZhuAgent) -> None:
        """Steps with the learners' actions chosen by a native agent."""

    @property
    def obs(self) -> NDArray[numpy.float32]: ...

    @property
    def mask(self) -> NDArray[numpy.uint8]: ...

    @property
    def ragged(self) -> bool:
        """Whether legal actions are ids, offsets and features instead of a mask."""

    @property
    def offsets(self) -> NDArray[numpy.int64]: ...

    @property
    def ids(self) -> NDArray[numpy.int32]: ...

    @property
    def features(self) -> NDArray[numpy.float32]: ...

    @property
    def payoff(self) -> NDArray[numpy.float32]: ...

    @property
    def seat(self) -> NDArray[numpy.int32]: ...

    @property
    def acted(self) -> NDArray[numpy.int32]: ...

    @property
    def done(self) -> NDArray[numpy.uint8]: ...

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
    def teams(self) -> list[int]:
        """Team of each seat; partners share a payoff."""

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

    def native_agent(self, name: str, options: dict[str, Any] = {}) -> Any: ...

    def native_match(self, agents: Sequence[DouDiZhuAgent], seatings: Sequence[Sequence[int]], seed: int, first: int, deals: int, threads: int = 1) -> NativeMatch:
        """
        Deals first..first+deals-1 under every seating; seatings[k][agent] is a seat. Arrays are [deal, seating, agent].
        """

    def native_tables(self, batch: int, encoder: str, players: Sequence[DouDiZhuAgent | None], seed: int = 0, threads: int = 1) -> object:
        """Lockstep tables; None among the players is a learner."""

class UnoAgent:
    """An agent inside the core."""

    @property
    def name(self) -> str: ...

    def act(self, view: UnoView, rng: Rng) -> int:
        """The action of choice for the view's seat, which must be to act."""

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
        """A world: a state consistent with this view."""

    def encode(self, encoder: str) -> NDArray[numpy.float32]: ...

    def action_features(self) -> NDArray[numpy.float32]:
        """
        Features [n, game.action_features] of the legal actions, in their order.
        """

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

class UnoTables:
    """B games in lockstep; see kibitz.Tables."""

    def __init__(self, game: UnoGame, batch: int, encoder: str, players: Sequence[UnoAgent | None], seed: int, threads: int) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def run(self, steps: int, agent: UnoAgent) -> None:
        """Steps with the learners' actions chosen by a native agent."""

    @property
    def obs(self) -> NDArray[numpy.float32]: ...

    @property
    def mask(self) -> NDArray[numpy.uint8]: ...

    @property
    def ragged(self) -> bool:
        """Whether legal actions are ids, offsets and features instead of a mask."""

    @property
    def offsets(self) -> NDArray[numpy.int64]: ...

    @property
    def ids(self) -> NDArray[numpy.int32]: ...

    @property
    def features(self) -> NDArray[numpy.float32]: ...

    @property
    def payoff(self) -> NDArray[numpy.float32]: ...

    @property
    def seat(self) -> NDArray[numpy.int32]: ...

    @property
    def acted(self) -> NDArray[numpy.int32]: ...

    @property
    def done(self) -> NDArray[numpy.uint8]: ...

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
    def teams(self) -> list[int]:
        """Team of each seat; partners share a payoff."""

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

    def native_agent(self, name: str, options: dict[str, Any] = {}) -> Any: ...

    def native_match(self, agents: Sequence[UnoAgent], seatings: Sequence[Sequence[int]], seed: int, first: int, deals: int, threads: int = 1) -> NativeMatch:
        """
        Deals first..first+deals-1 under every seating; seatings[k][agent] is a seat. Arrays are [deal, seating, agent].
        """

    def native_tables(self, batch: int, encoder: str, players: Sequence[UnoAgent | None], seed: int = 0, threads: int = 1) -> object:
        """Lockstep tables; None among the players is a learner."""
