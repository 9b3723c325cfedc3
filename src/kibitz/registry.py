"""Games and agents by name: the built-in ones, those of installed packages, and those registered at run time.

Other packages add theirs by entry points in the groups `kibitz.games` (a callable(**options) that returns a Game) and
`kibitz.agents` (a callable(**options), or callable(source, **options), that returns an Agent). A name means the
built-in thing first, then the one registered at run time, then the installed one: installing a package never changes
what a name of ours means.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module, metadata
from typing import Any, TypeVar, cast, overload

from kibitz import _core, meant, protocols
from kibitz._core import Game

Factory = Callable[..., Any]
F = TypeVar("F", bound=Factory)

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]*")
_INT = re.compile(r"[+-]?[0-9]+(_[0-9]+)*")
_FLOAT = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)([eE][+-]?[0-9]+)?")
_BOOLS = {"true": True, "false": False}


def is_name(text: str) -> bool:
    """Whether a game or an agent may be called so."""
    return _NAME.fullmatch(text) is not None


@dataclass(frozen=True)
class Spec:
    """A spec string taken apart: `name`, `name:source`, `name:key=value,...` or `name:source,key=value,...`."""

    name: str
    source: str | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        parts = [] if self.source is None else [self.source]
        parts += [f"{key}={_value_text(value)}" for key, value in self.options.items()]
        return self.name + (":" + ",".join(parts) if parts else "")


def parse_spec(text: str) -> Spec:
    """Takes a spec string apart; values become int (also from 1e4), float, bool (true, false) or stay strings."""
    name, colon, rest = text.strip().partition(":")
    if not _NAME.fullmatch(name):
        raise ValueError(f"bad spec {text!r}: it must begin with a name, as in 'name:key=value,key=value'")
    if colon and not rest:
        raise ValueError(f"bad spec {text!r}: nothing follows the colon; write key=value,key=value or leave it out")
    source: str | None = None
    options: dict[str, Any] = {}
    for index, part in enumerate(rest.split(",") if rest else []):
        key, equals, value = part.partition("=")
        # A file name may hold '=', but the part before it is then hardly an identifier ('runs/lr=3').
        if equals and key.strip().isidentifier():
            key = key.strip()
            if key in options:
                raise ValueError(f"bad spec {text!r}: option {key!r} is given twice")
            options[key] = _parse_value(value.strip())
        elif index == 0 and part.strip():
            source = part.strip()
        else:
            raise ValueError(f"bad spec {text!r}: {part!r} is not key=value")
    return Spec(name, source, options)


def _parse_value(text: str) -> int | float | bool | str:
    if text.lower() in _BOOLS:
        return _BOOLS[text.lower()]
    if _INT.fullmatch(text):
        return int(text)
    # Not just float(text): that also takes 'nan' and 'infinity', which are more likely meant as words.
    if not _FLOAT.fullmatch(text):
        return text
    number = float(text)
    # 1e4 is how people write a large whole number. 1.0 stays as it was typed, for it is in the names of agents.
    return int(number) if "e" in text.lower() and number.is_integer() and abs(number) < 2**53 else number


def _value_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass
class _Shelf:
    """One kind of thing with its three sources of factories."""

    kind: str
    group: str
    builtin: Callable[[], Mapping[str, Factory | str]]  # a string is 'module:attribute', imported when first used
    added: dict[str, Factory] = field(default_factory=dict)

    def names(self) -> list[str]:
        installed = {point.name for point in metadata.entry_points(group=self.group)}
        return sorted(installed | set(self.builtin()) | set(self.added))

    def find(self, name: str) -> Factory:
        builtin = self.builtin().get(name)
        if isinstance(builtin, str):
            module, _, attribute = builtin.partition(":")
            factory: Factory = getattr(import_module(module), attribute)
            return factory
        if builtin is not None:
            return builtin
        if name in self.added:
            return self.added[name]
        for point in metadata.entry_points(group=self.group):
            if point.name == name:
                return self._load(point)
        known = self.names()
        listed = ", ".join(known) or "none"
        raise ValueError(f"unknown {self.kind} {name!r}; known {self.kind}s: {listed}{meant.hint(name, known)}")

    def _load(self, point: metadata.EntryPoint) -> Factory:
        try:
            factory: Factory = point.load()
        except Exception as error:  # whatever a third party's module raises while it is imported
            raise ValueError(f"{self.kind} {point.name!r} ({point.value}) cannot be loaded: {error}") from error
        return factory

    def add(self, name: str, factory: Factory, replace: bool) -> None:
        if not _NAME.fullmatch(name):
            raise ValueError(f"bad {self.kind} name {name!r}: letters, digits, '_', '-' and '.' are allowed")
        if name in self.builtin() or (name in self.added and not replace):
            raise ValueError(f"the name {name!r} is already taken by another {self.kind}")
        self.added[name] = factory

    def lasting(self, name: str) -> bool:
        """Whether a new process finds the same thing under the name."""
        return name in self.builtin() or name not in self.added


def _builtin_games() -> Mapping[str, Factory | str]:
    native: dict[str, Factory | str] = {name: partial(_make_native, name) for name in _core.games()}
    return native | {"gdl": "kibitz.gdl:make"}  # which knows where our rulesheets are


def _make_native(name: str, /, **options: Any) -> Game:
    return _core.make(name, options)


def _builtin_agents() -> Mapping[str, Factory | str]:
    from kibitz.agents import builtin  # late: the agents import the parser of this module

    return builtin()


_games = _Shelf("game", "kibitz.games", _builtin_games)
_agents = _Shelf("agent", "kibitz.agents", _builtin_agents)


def games() -> list[str]:
    """The names that `make` knows."""
    return _games.names()


def agents() -> list[str]:
    """The names that `agent` knows."""
    return _agents.names()


def make(name: str, **options: Any) -> Game:
    """A game by name, `make("uno", players=3)`, or by spec string, `make("uno:players=3")`.

    Games of the core are `kibitz.Game`s. A game written in Python is returned as it is: a `protocols.Game`, which may
    lack what the core's have beside the protocol.
    """
    spec = parse_spec(name)
    twice = sorted(spec.options.keys() & options.keys())
    if twice:
        raise ValueError(f"option {twice[0]!r} of game {spec.name!r} is given twice")
    return cast(Game, _build(_games, Spec(spec.name, spec.source, spec.options | options), protocols.Game))


def factory(name: str) -> Factory:
    """What makes the game of this name."""
    return _games.find(name)


def make_for(name: str, seats: int) -> Game:
    """A game for so many players, by its spec, where that leaves their number open; else the game that it says."""
    spec = parse_spec(name)
    if "players" in spec.options:
        return make(name)
    try:
        made = make(name)
    except ValueError as problem:  # it may be one that cannot be made without a number of players
        try:
            return make(name, players=seats)
        except ValueError:
            raise problem from None
    varies = "players" in protocols.facts(made).options
    return make(name, players=seats) if varies and made.players != seats else made


def make_again(name: str, options: dict[str, Any]) -> Game:
    """What a pickled game of the core is made from."""
    return cast(Game, _build(_games, Spec(name, None, options), protocols.Game))


Policy = Callable[[Any], int]  # a view -> an action


def agent(spec: str | protocols.Agent | Policy) -> protocols.Agent:
    """An agent from its spec string, `agent("rules")` or `agent("net:FILE,epsilon=0.1")`; an agent as it is; a
    plain function that maps a view to an action as an agent of its name."""
    from kibitz.agents.function import FunctionAgent, is_policy

    made: protocols.Agent
    if isinstance(spec, str):
        made = _build(_agents, parse_spec(spec), protocols.Agent)
    elif protocols.missing(spec, protocols.Agent) and is_policy(spec):
        made = FunctionAgent(cast(Policy, spec))
    else:
        made = _checked(spec, "agent", type(spec).__name__, protocols.Agent)
    return made


def _build(shelf: _Shelf, spec: Spec, protocol: type) -> Any:
    from kibitz.agents.function import FunctionAgent, is_policy

    factory = shelf.find(spec.name)
    if shelf is _agents and spec.name in shelf.added and is_policy(factory):
        factory = partial(FunctionAgent, factory, name=spec.name)
        if spec.source is not None or spec.options:
            raise ValueError(f"agent {spec.name!r} is a function of the view: it takes no options")
    arguments = [] if spec.source is None else [spec.source]
    _check_call(factory, shelf.kind, spec)
    return _checked(factory(*arguments, **spec.options), shelf.kind, spec.name, protocol)


def _checked(thing: Any, kind: str, name: str, protocol: type) -> Any:
    lacks = protocols.missing(thing, protocol)
    if lacks and inspect.isfunction(thing):
        raise ValueError(f"{name!r} is no {kind}: a function that plays takes one argument, the view")
    if lacks:
        raise ValueError(f"{name!r} is no {kind}: {type(thing).__name__} lacks {', '.join(lacks)}")
    return thing


def _check_call(factory: Factory, kind: str, spec: Spec) -> None:
    """Raises ValueError where calling the factory would raise a TypeError about its arguments."""
    try:
        signature = inspect.signature(factory)
    except (TypeError, ValueError):
        return  # somebody else's native class
    parameters = signature.parameters.values()
    takes_source = any(p.name == "source" or p.kind is p.VAR_POSITIONAL for p in parameters)
    if spec.source is not None and not takes_source:
        raise ValueError(f"{kind} {spec.name!r} takes no bare value, but was given {spec.source!r}; use key=value")
    if not any(p.kind is p.VAR_KEYWORD for p in parameters):
        allowed = [p.name for p in parameters if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)]
        for key in spec.options:
            if key not in allowed:
                known = ", ".join(allowed) or "none"
                close = meant.hint(key, allowed)
                raise ValueError(f"unknown option {key!r} of {kind} {spec.name!r}; allowed options: {known}{close}")
    try:
        signature.bind(*([] if spec.source is None else [spec.source]), **spec.options)
    except TypeError as error:
        raise ValueError(f"{kind} {spec.name!r}: {error}") from None


@overload
def register_game(name: str, factory: F, *, replace: bool = False) -> F: ...
@overload
def register_game(name: str, factory: None = None, *, replace: bool = False) -> Callable[[F], F]: ...
def register_game(name: str, factory: F | None = None, *, replace: bool = False) -> F | Callable[[F], F]:
    """Makes a callable(**options) -> Game known in this process; also usable as a decorator."""
    return _register(_games, name, factory, replace)


@overload
def register_agent(name: str, factory: F, *, replace: bool = False) -> F: ...
@overload
def register_agent(name: str, factory: None = None, *, replace: bool = False) -> Callable[[F], F]: ...
def register_agent(name: str, factory: F | None = None, *, replace: bool = False) -> F | Callable[[F], F]:
    """Makes a callable(**options) -> Agent known in this process; also usable as a decorator. A function of one
    argument that is not called `source` is no factory but the agent itself: it maps a view to an action."""
    return _register(_agents, name, factory, replace)


def _register(shelf: _Shelf, name: str, factory: F | None, replace: bool) -> F | Callable[[F], F]:
    def add(thing: F) -> F:
        shelf.add(name, thing, replace)
        return thing

    return add if factory is None else add(factory)


def added() -> tuple[list[str], list[str]]:
    """The names of games and agents that were registered in this process."""
    return sorted(_games.added), sorted(_agents.added)


def lasting_agent(spec: str) -> bool:
    """Whether a new process can make the agent from its spec (not if its name was registered at run time)."""
    return _agents.lasting(parse_spec(spec).name)


def lasting_game(name: str) -> bool:
    """Likewise of a game."""
    return _games.lasting(name)
