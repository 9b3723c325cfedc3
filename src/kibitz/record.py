"""One record of a game, finished or not: JSON with a version, from which the game can be played through again.

Everything that plays reads and writes this format: people at the terminal, matches, general game players, the table.
docs/records.md lists the members. What is read is checked: the shape by `Record.from_json`, whether the moves are legal
and lead to the result by `Record.check`, which `Record.load` calls, too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from kibitz import gdl, protocols, registry, shape
from kibitz.files import write_atomically
from kibitz.protocols import Game, State
from kibitz.shape import Member, members

FORMAT = "kibitz game"
VERSION = 1
PERSON = "human"  # the agent of a seat where a person sat
MOST_BYTES = 64 << 20
MOST_ACTIONS = 1_000_000
MOST_NAME = 200
MOST_SPEC = 4_000


def opening(seed: int, salt: str) -> str:
    """What a server tells when a game that it dealt from `seed` is over: SEED:SALT, the seed in decimal digits."""
    return f"{seed}:{salt}"


def commitment(seed: int, salt: str) -> str:
    """What it publishes before it deals: the SHA-256 of its `opening`, in hexadecimal digits."""
    return hashlib.sha256(opening(seed, salt).encode()).hexdigest()


@dataclass(frozen=True)
class Seat:
    """Who sat there. `agent` is the spec that makes the agent again; a person is "human"."""

    name: str
    agent: str = PERSON

    @property
    def person(self) -> bool:
        return self.agent.partition(":")[0] == PERSON


@dataclass(frozen=True)
class Start:
    """A deal: its seed, with salt and hash where a server dealt (`commitment`); or the position of a whole state."""

    seed: int | None = None
    position: Mapping[str, Any] | None = None
    salt: str | None = None
    hash: str | None = None

    def __post_init__(self) -> None:
        if (self.seed is None) == (self.position is None):
            raise ValueError("start must have either seed or position")
        if (self.salt is None) != (self.hash is None) or (self.salt is not None and self.seed is None):
            raise ValueError("salt and hash of start belong together, and to a seed")


@dataclass(frozen=True)
class Series:
    """The series that a deal was part of, before it was played."""

    to: float  # points that end it
    deal: int  # this one's number, from 0
    scores: tuple[float, ...]  # per seat of this deal
    held: float = 0.0  # points that earlier deals kept for the next winners


@dataclass(frozen=True)
class Record:
    """A game that was played, as far as it went. `payoffs` are per seat, and None while it is not over."""

    game: str
    options: Mapping[str, Any]
    seats: tuple[Seat, ...]
    start: Start
    actions: tuple[str, ...] = ()  # as `game.text` has them, those of chance included
    payoffs: tuple[float, ...] | None = None
    series: Series | None = None
    began: str | None = None  # date and time, ISO 8601
    more: Mapping[str, Any] = field(default_factory=dict)  # by writer: what only it can use

    @classmethod
    def of(
        cls,
        game: Game,
        state: State,
        seats: Sequence[Seat],
        *,
        seed: int | None = None,
        start: State | None = None,
        salt: str | None = None,
        series: Series | None = None,
        began: str | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> Record:
        """The record of a game that has come to `state`.

        It was dealt from `seed`, which states of the core know themselves; or it began with the state `start`, of a
        game that has positions. With `salt` the record has the hash that was published.
        """
        if len(seats) != game.players:
            raise ValueError(f"{game.name} has {game.players} seats, but {len(seats)} were given")
        if seed is None and start is None:
            seed = getattr(state, "seed", None)
            if seed is None:
                raise ValueError("a record needs the seed of the deal, or the state that the game began with")
        where = {"position": protocols.position(game, start)} if start is not None else {"seed": seed}
        opened = None if salt is None or seed is None else commitment(seed, salt)
        return cls(
            game.name,
            portable(game),
            tuple(seats),
            Start(**where, salt=salt, hash=opened),
            tuple(game.text(action) for _, action in state.history),
            tuple(float(payoff) for payoff in state.payoffs) if state.over else None,
            series,
            began,
            dict(more or {}),
        )

    # ------------------------------------------------------------------------------------------ played again

    def make(self) -> Game:
        """The game that was played; the same object each time."""
        return self._made

    @cached_property
    def _made(self) -> Game:
        if self.game == "gdl" and self.options.get("file", "") not in ("", *gdl.rulesheets()):
            raise ValueError("a record has its rulesheet as text; file may only name one that comes with Kibitz")
        made: Game = registry.make_again(self.game, dict(self.options))
        if made.players != len(self.seats):
            raise ValueError(f"{self.game} with these options has {made.players} seats, not {len(self.seats)}")
        return made

    def first(self) -> State:
        """The state before the first move."""
        game = self.make()
        if self.start.seed is not None:
            return game.deal(self.start.seed)
        if not protocols.can(game, "from_position"):
            raise ValueError(f"game {game.name!r} reads no positions")
        state = cast(protocols.Positions, game).from_position(dict(self.start.position or {}))
        if not isinstance(state, State):
            raise ValueError("the start position leaves cards unknown; a record needs a whole one")
        return state

    def states(self) -> Iterator[State]:
        """Every state, from the first to the last: one more than there are actions. ValueError says at which move the
        game cannot go on as recorded; moves count from 1."""
        game, state = self.make(), self.first()
        yield state.copy()
        for number, text in enumerate(self.actions, start=1):
            if state.over:
                raise ValueError(f"move {number}, {text}: the game is over after move {number - 1}")
            state.apply(_legal(game, state, number, text))
            yield state.copy()

    def last(self) -> State:
        """The state that the game came to: what is played on when a game is taken up again."""
        *_, state = self.states()
        return state

    def check(self) -> None:
        """ValueError unless the moves are legal and lead to the result, and seed and salt give the hash."""
        state = self.last()
        if self.start.salt is not None and self.start.hash != commitment(cast(int, self.start.seed), self.start.salt):
            raise ValueError("seed and salt do not give the hash: this is not the deal that was promised")
        if state.over and self.payoffs is None:
            raise ValueError(f"the game is over after move {len(self.actions)}, but the record has no result")
        if not state.over and self.payoffs is not None:
            raise ValueError(f"the record has a result, but after its {len(self.actions)} moves the game is not over")
        if self.payoffs is not None and list(self.payoffs) != [float(payoff) for payoff in state.payoffs]:
            raise ValueError(f"the moves lead to the payoffs {list(state.payoffs)}, not {list(self.payoffs)}")

    # ------------------------------------------------------------------------------------------ as JSON

    def to_json(self) -> dict[str, Any]:
        """JSON-ready; what is not known is left out."""
        start = self.start
        where: dict[str, Any] = {"position": start.position} if start.seed is None else {"seed": str(start.seed)}
        if start.salt is not None:
            where |= {"salt": start.salt, "hash": start.hash}
        data: dict[str, Any] = {
            "format": FORMAT,
            "version": VERSION,
            "game": self.game,
            "options": dict(self.options),
            "seats": [{"name": seat.name, "agent": seat.agent} for seat in self.seats],
            "start": where,
            "actions": list(self.actions),
        }
        if self.payoffs is not None:
            data["result"] = {"payoffs": list(self.payoffs)}
        if self.series is not None:
            data["series"] = vars(self.series) | {"scores": list(self.series.scores)}
        if self.began is not None:
            data["began"] = self.began
        return data | ({"more": dict(self.more)} if self.more else {})

    @classmethod
    def from_json(cls, data: Any) -> Record:
        """The record that `to_json` gave. ValueError names what is wrong; the moves are not looked at (`check`)."""
        return _read(data)

    def line(self) -> str:
        """As one line of a file of many."""
        return json.dumps(self.to_json(), separators=(",", ":")) + "\n"

    def save(self, path: Path | str) -> None:
        """One file of its own, whole or not at all."""
        write_atomically(Path(path), json.dumps(self.to_json(), indent=1, ensure_ascii=False) + "\n")

    @classmethod
    def load(cls, path: Path | str) -> Record:
        """A file with one record, checked. ValueError names the file and what is wrong."""
        file = Path(path)
        if file.stat().st_size > MOST_BYTES:
            raise ValueError(f"{file} is too large for a record of a game")
        return cls.loads(file.read_bytes(), str(file))

    @classmethod
    def loads(cls, text: str | bytes, where: str = "record") -> Record:
        """A record from its text, checked; ValueError says that it is `where` something is wrong."""
        try:
            record = _read(shape.load(text))
            record.check()
        except ValueError as problem:
            raise ValueError(f"{where}: {problem}") from None
        return record


def _legal(game: Game, state: State, number: int, text: str) -> int:
    """The action that a text means at a state."""
    try:
        action = game.parse(text)
    except ValueError as problem:
        raise ValueError(f"move {number}: {problem}") from None
    legal = state.legal()
    if action not in legal:
        allowed = ", ".join(map(game.text, legal[:20])) + (", …" if len(legal) > 20 else "")
        raise ValueError(f"move {number}, {text}, is not legal then; legal: {allowed}")
    return action


def portable(game: Game) -> dict[str, Any]:
    """The options that make the game again, also on another machine: a rulesheet goes along as text."""
    options = dict(protocols.facts(game).options)
    file = options.get("file")
    if game.name == "gdl" and file and file not in gdl.rulesheets():
        text = Path(file).read_bytes().decode("utf-8", errors="replace")
        options = {key: value for key, value in options.items() if key != "file"} | {"text": text}
    return options


# ---------------------------------------------------------------------------------------------- reading


def _read(data: Any) -> Record:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f'not the record of a game: "format" is not "{FORMAT}"')
    if data.get("version") != VERSION:
        raise ValueError(f"a record of version {data.get('version')!r}; this program reads version {VERSION}")
    known = members(data, "the record", _RECORD)
    seats = tuple(Seat(**members(seat, f"seat {at}", _SEAT)) for at, seat in enumerate(known["seats"]))
    start = members(known["start"], "start", _START)
    if "seed" in start:
        start["seed"] = int(start["seed"])
    result = members(known["result"], "result", _RESULT) if "result" in known else {}
    series = members(known["series"], "series", _SERIES) if "series" in known else None
    for what, figures in (("payoffs", result.get("payoffs")), ("scores", (series or {}).get("scores"))):
        if figures is not None and len(figures) != len(seats):
            raise ValueError(f"{what}: there must be one number for each of the {len(seats)} seats")
    return Record(
        known["game"],
        known["options"],
        seats,
        Start(**start),
        tuple(known["actions"]),
        tuple(map(float, result["payoffs"])) if result else None,
        None if series is None else Series(**series | {"scores": tuple(series["scores"])}),
        known.get("began"),
        known.get("more", {}),
    )


_RECORD = {
    "format": shape.TEXT,
    "version": shape.COUNT,
    "game": Member("the name of a game", lambda value: isinstance(value, str) and registry.is_name(value)),
    "options": shape.OBJECT,
    "seats": shape.OBJECTS,
    "start": shape.OBJECT,
    "actions": shape.texts(MOST_ACTIONS),
    "result": shape.OBJECT.optional(),
    "series": shape.OBJECT.optional(),
    "began": shape.TIME.optional(),
    "more": shape.OBJECT.optional(),
}
_SEAT = {"name": shape.printable(MOST_NAME), "agent": shape.printable(MOST_SPEC)}
_START = {
    "seed": shape.SEED.optional(),
    "position": shape.OBJECT.optional(),
    "salt": shape.hexadecimal(32, 128).optional(),
    "hash": shape.hexadecimal(64, 64).optional(),
}
_RESULT = {"payoffs": shape.NUMBERS}
_SERIES = {
    "to": shape.POSITIVE,
    "deal": shape.COUNT,
    "scores": shape.NUMBERS,
    "held": shape.NUMBER.optional(),
}
