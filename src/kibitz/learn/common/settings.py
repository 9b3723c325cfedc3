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
from typing import Any, Self


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What all learners have in common. Each learner's own class adds to it and sets the paper's numbers."""

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
        for field in ("episodes", "tables", "batch", "test_every", "test_games", "checkpoint_every", "threads"):
            if getattr(self, field) < 1:
                raise ValueError(f"{field} must be at least 1, not {getattr(self, field)}")
        if not 0 <= self.discount <= 1:
            raise ValueError(f"discount must be from 0 to 1, not {self.discount}")
        if not self.learning_rate > 0:
            raise ValueError(f"learning_rate must be above 0, not {self.learning_rate}")
        if not self.opponents:
            raise ValueError("opponents must name somebody: random, rules, self, past, net:FILE, ...")
        if any(size < 1 for size in self.hidden):
            raise ValueError(f"hidden must be sizes of layers, not {list(self.hidden)}")
        self.player_counts()

    def player_counts(self) -> list[int]:
        """The numbers of players at the tables."""
        low, dash, high = self.players.partition("-")
        try:
            first, last = int(low), int(high if dash else low)
        except ValueError:
            first, last = 1, 0
        if not 1 <= first <= last:
            raise ValueError(f"players must be a number, as in 3, or a range, as in 2-5; not {self.players!r}")
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
        raise ValueError(f"{name} must be {kind.__name__}, not {value!r}")
    return value
