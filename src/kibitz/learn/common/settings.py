"""Settings of a training: a dataclass per learner, read from TOML files and command lines."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import tomllib
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import kibitz

Ranges = dict[str, tuple[float, float]]  # name -> least and most
SHARE, RATE, COUNT = (0, 1), (1e-12, 1), (1, 10**9)
REPLAY_RANGES: Ranges = {
    "replay": (1, 10**8),
    "warm_up": (0, 10**9),
    "every": (1e-6, 10**9),
    "epsilon_start": SHARE,
    "epsilon_end": SHARE,
    "epsilon_steps": COUNT,
}
SEARCH_RANGES: Ranges = {"simulations": (1, 10**6), "c": (0, 1000), "per_world": (1, 10**6)}
MOST_PLAYERS = 100
KINDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What all learners have in common. Each learner's own class adds to it and sets the paper's numbers."""

    # What is beyond these is a slip of the pen, or more than any machine has.
    ranges: ClassVar[Ranges] = {
        "episodes": COUNT,
        "tables": (1, 10**6),
        "seed": (0, 2**64 - 1),
        "hidden": (1, 2**14),
        "learning_rate": RATE,
        "batch": (1, 10**6),
        "discount": SHARE,
        "test_every": COUNT,
        "test_games": (1, 10**7),
        "checkpoint_every": COUNT,
        "threads": (1, 1024),
    }

    game: str = "uno:rules=rlcard"  # without the number of players
    players: str = "3"  # "3", or "2-5": tables with each of these numbers
    encoder: str = ""  # the game's first, if empty
    # Who sits in the other seats. Several: each gets a share of the tables. "self": every seat learns; "past": an
    # earlier version of the learner, replaced at every test.
    opponents: tuple[str, ...] = ("random",)
    episodes: int = 100_000
    tables: int = 32  # games in lockstep
    seed: int = 1

    hidden: tuple[int, ...] = (64, 64)
    learning_rate: float = 5e-5
    batch: int = 32
    discount: float = 0.99

    test_every: int = 1_000  # episodes
    test_games: int = 1_000
    test_opponents: str = "random"
    checkpoint_every: int = 5_000  # episodes; at tests only
    any_options: tuple[str, ...] = ()  # options of the game, as players, that the weights do not insist on
    tensorboard: bool = True
    threads: int = 1
    device: str = "cpu"  # or "cuda"

    def __post_init__(self) -> None:
        check_ranges(self, self.ranges)
        if not self.opponents:
            raise ValueError("opponents must name somebody: random, rules, self, past, net:FILE, ...")
        self.player_counts()

    def player_counts(self) -> list[int]:
        """The numbers of players at the tables."""
        low, dash, high = self.players.partition("-")
        try:
            first, last = int(low), int(high if dash else low)
        except ValueError:
            first, last = 1, 0
        if not 1 <= first <= last <= MOST_PLAYERS:
            raise ValueError(
                f"players must be a number, as in 3, or a range, as in 2-5, up to {MOST_PLAYERS}; not {self.players!r}"
            )
        return list(range(first, last + 1))

    def agents(self) -> list[str]:
        """Those that the training will need: that they exist is known before the first game."""
        return [self.test_opponents]

    @classmethod
    def read(cls, *sources: Mapping[str, Any]) -> Self:
        return cls(**read_values(cls, *sources))

    @classmethod
    def of_earlier(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """Settings that an earlier version of Kibitz has kept: what it did not know is as it always was."""
        known = dict(values)
        if known.pop("any_players", False):
            known["any_options"] = ["players"]
        return cls().to_dict() | known

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON; `read` takes it back."""
        return {key: list(v) if isinstance(v, tuple) else v for key, v in dataclasses.asdict(self).items()}

    def to_json(self) -> str:
        return json.dumps(self.to_dict())


def check_room(replay: int, batch: int) -> None:
    if replay < batch:
        raise ValueError(f"replay must have room for a batch of {batch}, not only for {replay}")


def check_worlds(worlds: str) -> None:
    if worlds not in ("sampled", "true"):
        raise ValueError(f"worlds must be sampled or true, not {worlds!r}")


def fixed_players(game: str) -> int | None:
    """How many play a game that has no option for it; None where it has one."""
    made = kibitz.make(game)
    return None if "players" in getattr(made, "options", {}) else int(made.players)


def check_fixed(game: str, fixed: int, players: str) -> None:
    if players != str(fixed):
        raise ValueError(f"{game} is for {fixed} player{'s' * (fixed != 1)} and has no option for it, so not {players}")


def check_ranges(settings: Any, ranges: Ranges) -> None:
    """ValueError names the setting that is out of its range; NaN is out of every range."""
    for name, (least, most) in ranges.items():
        value = getattr(settings, name)
        for number in value if isinstance(value, tuple) else (value,):
            if not least <= number <= most:
                raise ValueError(f"{name.rstrip('_')} must be from {least:,} to {most:,}, not {number}")


def read_values(settings: type[Any], *sources: Mapping[str, Any]) -> dict[str, Any]:
    """For a class of settings, from mappings of names to values, texts included; later ones win. ValueError names what
    is unknown."""
    kinds = typing.get_type_hints(settings)
    names = [field.name for field in dataclasses.fields(settings)]
    values: dict[str, Any] = {}
    for source in sources:
        for given, value in source.items():
            name = given.replace("-", "_")
            name = name if name in names else f"{name}_"  # lambda is a word of Python
            if name not in names:
                known = ", ".join(known.rstrip("_") for known in names)
                raise ValueError(f"unknown setting {given!r}; known settings: {known}")
            values[name] = _convert(name, kinds[name], value)
    return values


def read_toml(path: Path) -> dict[str, Any]:
    """The settings in a file; ValueError where it is no TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: {error}") from None


def _convert(name: str, kind: Any, value: Any) -> Any:
    if isinstance(kind, types.UnionType):  # X | None
        if value is None or value == "none":
            return None
        kind = kind.__args__[0]
    if isinstance(kind, types.GenericAlias):  # tuple[X, ...]
        parts = [part for part in value.split(",") if part] if isinstance(value, str) else value
        if not isinstance(parts, list | tuple):
            raise ValueError(f"{name} must be a list, not {value!r}")
        return tuple(_convert(name, kind.__args__[0], part) for part in parts)
    if kind is bool and isinstance(value, str):
        value = {"true": True, "false": False}.get(value.lower(), value)
    elif kind in (int, float) and isinstance(value, str):
        with contextlib.suppress(ValueError):  # complained about below
            value = kind(value.replace("_", ""))
    elif kind is float and type(value) is int:
        value = float(value)
    elif kind is str and type(value) is int:
        value = str(value)  # players = 3
    if type(value) is not kind:
        raise ValueError(f"{name.rstrip('_')} must be {KINDS[kind]}, not {repr(value)[:60]}")
    return value
