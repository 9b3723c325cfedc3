"""What a game and an agent must offer, each member with its law.

The native classes of `kibitz._core` satisfy these protocols, and so may plain Python classes: they then work in the
same places (matches, searches), slower. A game in Python may also have what the native ones have beside the contract:
`options` (a dict that makes the same game again), `teams` (a team number per seat; without it everybody plays alone),
`partners_vary` (True: those with the highest payoff win together, whoever they are), `held` (payoffs -> points that a
series keeps for the winners of the next deal), `zero_sum`, `encoders`, `position`, `from_position`, `hidden` (False:
every seat knows everything, coming chance included; without it something is hidden). Some searches ask for more:
`state.solver_key` (a whole number below 2**128, equal exactly where the rest of the game is the same) and
`view.all_worlds()` (every world with its weight); docs/search.md says which. States and views that have `public()`
(what every seat knows, a view with the seat PUBLIC) can be shown to spectators.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast, runtime_checkable

from kibitz import _core


@runtime_checkable
class View(Protocol):
    """All that one seat may know of a state, with perfect recall; a value that never changes."""

    @property
    def seat(self) -> int:
        """Whose view this is."""

    @property
    def to_act(self) -> int:
        """The seat to act, NATURE or OVER: the same as the state's."""

    @property
    def key(self) -> int:
        """64 bits; equal views have equal keys."""

    @property
    def history(self) -> Sequence[tuple[int, int]]:
        """The (seat, action) pairs so far, as far as this seat may know them."""

    def legal(self) -> list[int]:
        """The state's legal actions if this seat is to act, else none."""

    def sample(self, seed: int) -> State:
        """A world, uniform over those consistent with the view: `view.sample(s).view(view.seat) == view`."""


@runtime_checkable
class State(Protocol):
    """Everything, hidden cards and all future chance included."""

    @property
    def to_act(self) -> int:
        """The seat to act; NATURE when chance is (uniform over `legal()`); OVER at the end."""

    @property
    def over(self) -> bool:
        """Exactly when `to_act` is OVER."""

    @property
    def payoffs(self) -> Sequence[float]:
        """Per seat, in natural units within the game's range; zeros while the game runs; partners get equal ones."""

    @property
    def history(self) -> Sequence[tuple[int, int]]:
        """The (seat, action) pairs so far; replayed from the same deal they give the same state."""

    def legal(self) -> list[int]:
        """Ascending, no duplicates, never empty while the game runs."""

    def apply(self, action: int) -> None:
        """Plays a legal action in place; deterministic. An illegal one raises ValueError and changes nothing."""

    def copy(self) -> State:
        """An independent state with the same future."""

    def view(self, seat: int) -> View:
        """Equal for states that differ only in what the seat cannot know."""


@runtime_checkable
class Game(Protocol):
    """A rule set with its options; never changes, so that one object serves any number of tables."""

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
    def payoff_range(self) -> tuple[float, float]:
        """The least and the greatest payoff of a seat; every payoff lies within."""

    def deal(self, seed: int = 0) -> State:
        """A new state; the seed (64 bits, unsigned) is all the chance there is."""

    def text(self, action: int) -> str:
        """A short readable name, different for every action."""

    def parse(self, text: str) -> int:
        """The inverse of `text`; anything else raises ValueError."""


@dataclass(frozen=True)
class Thought:
    """What an agent says of each legal action; the lists run parallel to `actions`.

    `value` is the expected payoff of the agent's seat, `visits` how often a search tried the action, `share` how
    strongly the agent prefers it: they sum to 1, and it plays the one with most (a random agent draws by them). None
    where the agent has no such figure.

    `cards`: seat -> card -> estimated probability that the seat holds at least one such card, for every seat whose hand
    is hidden and every card that is not seen (`kibitz.beliefs`). None where nothing is hidden from the agent, or where
    it does not say.

    `iterations` is the play-outs of a search, or the worlds that it solved; `nodes` the nodes of all its trees; None
    where the agent has no such figure. `full`: it reached its bound of nodes, so that a tree did not grow any more, or
    a world was not solved to the end. `asked` is the iterations of the whole budget: with fewer `iterations` the search
    was cut short. `undecided`: it found nothing that tells the best actions apart, and what it plays is a fallback.

    `error` is the standard error of `value`, `loss` how much less an action gets than the one that the agent would
    play (0 for that one; slightly negative where it does not play the action of highest value), and `loss_error` the
    standard error of that difference, which is smaller than those of the two values where luck is common to both.
    None, and so is the whole list if it is left out, where the agent has no such figure.

    `difference`: all these values, errors and losses are those of how much more the seat's side gets than the other.
    `game` names the actions where a thought is shown; None where the agent does not know it.
    """

    actions: list[int]
    value: list[float | None]
    visits: list[int | None]
    share: list[float]
    cards: dict[int, dict[str, float]] | None = None
    iterations: int | None = None
    nodes: int | None = None
    full: bool = False
    error: list[float | None] = field(default_factory=list)
    loss: list[float | None] = field(default_factory=list)
    loss_error: list[float | None] = field(default_factory=list)
    asked: int | None = None
    undecided: bool = False
    difference: bool = False
    game: Game | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("error", "loss", "loss_error"):
            if not getattr(self, name):
                object.__setattr__(self, name, [None] * len(self.actions))
        lists = ("actions", "value", "visits", "share", "error", "loss", "loss_error")
        sizes = [len(getattr(self, name)) for name in lists]
        if len(set(sizes)) != 1:
            raise ValueError(f"the lists of a thought differ in length: {', '.join(lists)} have {sizes}")

    @property
    def best(self) -> int:
        """The action with the largest share, the first of them on ties."""
        return self.actions[max(range(len(self.actions)), key=self.share.__getitem__)]

    def _repr_html_(self) -> str:
        from kibitz import html

        return html.thought(self)


class Positions(Protocol):
    """A game whose states and views can be written down."""

    def position(self, state: Any, /) -> dict[str, Any]:
        """JSON-ready; a view's leaves unknown what its seat does not know."""

    def from_position(self, position: dict[str, Any], /) -> Any:
        """The state of a position, or the view, where it has a seat."""


class HoldsPoints(Protocol):
    """A game whose deals may keep points for the winners of the next one."""

    def held(self, payoffs: list[float], /) -> float:
        """Of a deal with these payoffs."""


def held(game: Game, payoffs: list[float]) -> float:
    """Points that a deal keeps for the next one; of a game that can, which the caller has asked."""
    return cast(HoldsPoints, game).held(payoffs)


def position(game: Game, shown: State | View) -> dict[str, Any]:
    """Of a state or a view of a game that has positions."""
    return cast(Positions, game).position(shown)


@runtime_checkable
class Agent(Protocol):
    """Maps a view to an action. Optional: `native(game)`, the native agent that plays exactly the same, or None."""

    @property
    def name(self) -> str:
        """What tables call it; best the spec string that makes it again."""

    @property
    def peeks(self) -> bool:
        """True: it gets the State where others get their View, and every table says "cheats"."""

    def begin(self, seed: int) -> None:
        """Called before every game; the seed is the only source of the agent's randomness in that game."""

    # Any, because it is a View for most and a State for those that peek.
    def act(self, view: Any) -> int:
        """One of `view.legal()`, which is not empty."""

    def think(self, view: Any) -> Thought:
        """Its opinion of all of `view.legal()`."""


@dataclass(frozen=True)
class Facts:
    """What a game says of itself beside the protocol; a game in Python may leave any of it out."""

    options: Mapping[str, Any]  # that make the same game again
    teams: Sequence[int]  # a number per seat, equal for partners
    zero_sum: bool
    hidden: bool  # some seat does not know everything
    partners_vary: bool  # those with the highest payoff win together, whoever they are
    point_scoring: str  # the value of the option `scoring` that counts points; empty without one


def facts(game: Game) -> Facts:
    """What is known of a game, the core's or Python's, with what holds where it does not say."""
    teams = [int(team) for team in getattr(game, "teams", range(game.players))]
    return Facts(
        getattr(game, "options", {}),
        teams,
        bool(getattr(game, "zero_sum", False)),
        bool(getattr(game, "hidden", True)),
        bool(getattr(game, "partners_vary", False)),
        getattr(game, "point_scoring", ""),
    )


# What the core's games have beside the protocols, and those of Python may.
_MEMBERS = ("encoders", "from_position", "position")


def can(game: Game, name: str) -> bool:
    """Whether a game, the core's or Python's, has a member that only some have: what `Game.can` knows, and
    encoders, position, from_position."""
    if name in _MEMBERS:
        return hasattr(game, name)
    if isinstance(game, _core.Game):
        return game.can(name)
    return hasattr(game, name)


def native(agent: Agent, game: Game) -> _core.Agent | None:
    """The agent of the core that plays exactly like this one, if there is one."""
    found = getattr(agent, "native", None)
    made = found(game) if found is not None else None
    return made if isinstance(made, _core.Agent) else None


def game_of(shown: object) -> Game | None:
    """The game of a state or a view, where it says: those of the core do."""
    if isinstance(shown, (_core.View, _core.State)):
        return shown.game
    game: Game | None = getattr(shown, "game", None)
    return game


def missing(thing: object, protocol: type) -> list[str]:
    """The members that `thing` lacks of one of the protocols above, for error messages."""
    members = [name for name in vars(protocol) if not name.startswith("_")]
    return [name for name in members if not hasattr(thing, name)]
