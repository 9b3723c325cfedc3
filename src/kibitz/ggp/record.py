"""Records of matches: what happened, turn by turn, as JSON with a version; and their pictures."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import kibitz
from kibitz.files import write_atomically
from kibitz.ggp import kif
from kibitz.ggp.referee import Referee, read_rules

FORMAT = "kibitz ggp match"
VERSION = 1
MOST_BYTES = 256 << 20


@dataclass(frozen=True)
class Mishap:
    """An answer that was not taken. `error` is TO (too late), CE (no connection), IL and what was said (not legal), or
    GOAL (the rulesheet's fault); `played` is the random legal move in its place; `turn` None: at the start or end."""

    turn: int | None
    role: str
    error: str
    why: str
    played: str | None = None


@dataclass
class Record:
    """A match. Lists of a turn have one entry per role; `states` has one entry more than `moves`."""

    match: str
    game: str
    rules: str
    roles: list[str]
    players: list[str]  # per role
    start_clock: int
    play_clock: int
    seed: int
    scrambled: bool
    began: str  # UTC
    status: str = "running"  # then over, or aborted
    states: list[list[str]] = field(default_factory=list)
    moves: list[list[str]] = field(default_factory=list)
    percepts: list[list[list[str]]] | None = None  # per turn and role; None where nothing is hidden
    errors: list[Mishap] = field(default_factory=list)
    goals: list[int] | None = None  # per role, once the match is over

    def to_dict(self) -> dict[str, Any]:
        return {"format": FORMAT, "version": VERSION} | asdict(self)

    def save(self, path: Path) -> None:
        write_atomically(path, json.dumps(self.to_dict(), indent=1) + "\n")

    @classmethod
    def from_dict(cls, data: Any) -> Record:
        """ValueError says what is wrong."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ValueError(f'not a match record: "format" is not {FORMAT!r}')
        if data.get("version") != VERSION:
            raise ValueError(f"a match record of version {data.get('version')!r}; this program reads version {VERSION}")
        known = {member.name for member in fields(cls)}
        lacks = sorted({"match", "roles", "players", "states", "moves", "status"} - data.keys())
        if lacks:
            raise ValueError(f"a match record without {', '.join(lacks)}")
        usual = {"game": "", "rules": "", "start_clock": 0, "play_clock": 0, "seed": 0, "scrambled": False, "began": ""}
        record = cls(**(usual | {name: value for name, value in data.items() if name in known}))
        record._check()
        record.errors = [Mishap(**error) for error in data.get("errors", [])]
        return record

    def _check(self) -> None:
        many = len(self.roles) if _texts(self.roles) else -1
        turns = [*self.moves, self.players] if isinstance(self.moves, list) else [None]
        if many < 1 or not all(_texts(turn) and len(turn) == many for turn in turns):
            raise ValueError("roles, players and each entry of moves must be lists of as many texts")
        if not isinstance(self.states, list) or not all(map(_texts, self.states)):
            raise ValueError("states must be lists of fluents")
        if len(self.states) != len(self.moves) + 1:
            raise ValueError(f"{len(self.moves)} moves lead to {len(self.moves) + 1} states, not {len(self.states)}")
        if self.percepts is not None and not _lists(self.percepts, len(self.moves), many):
            raise ValueError("percepts must have, for each turn and role, a list of texts")
        if self.goals is not None and not (
            isinstance(self.goals, list) and len(self.goals) == many and all(isinstance(g, int) for g in self.goals)
        ):
            raise ValueError("goals must be one number per role")

    @classmethod
    def load(cls, path: Path) -> Record:
        if path.stat().st_size > MOST_BYTES:
            raise ValueError(f"{path} is too large for a match record")
        try:
            return cls.from_dict(json.loads(path.read_bytes()))
        except RecursionError:
            raise ValueError(f"{path}: nested too deeply for a match record") from None
        except TypeError as problem:  # members that a mishap does not have
            raise ValueError(f"{path}: {problem}") from None
        except ValueError as problem:
            raise ValueError(f"{path}: {problem}") from None


def _texts(thing: Any) -> bool:
    return isinstance(thing, list) and all(isinstance(text, str) for text in thing)


def _lists(thing: Any, turns: int, roles: int) -> bool:
    return (
        isinstance(thing, list)
        and len(thing) == turns
        and all(isinstance(turn, list) and len(turn) == roles and all(map(_texts, turn)) for turn in thing)
    )


def pictures(record: Record) -> list[str]:
    """All states of a record as drawings, by its rules; by what the states hold alone, where the rules or moves do not
    lead there (somebody may have written the record by hand)."""
    try:
        referee = Referee(read_rules(record.rules))
        drawn = [referee.picture()]
        for moves in record.moves:
            referee.play(moves)
            drawn.append(referee.picture())
        if sorted(referee.fluents()) == sorted(record.states[-1]):
            return drawn
    except ValueError:
        pass
    return _drawn_alone(record)


def _drawn_alone(record: Record) -> list[str]:
    """The engine draws positions of a game, so it gets one in which exactly these fluents can come to hold. All
    pictures thus have the same cells, also those where some are empty."""
    terms = {kif.parse_one(fluent) for state in record.states for fluent in state}
    taken = kif.names(terms)
    one, two, viewer = (kif.fresh(name, taken) for name in ("one", "two", "viewer"))
    lines = [f"(role {viewer})", f"(legal {viewer} {one})", f"(legal {viewer} {two})"]
    lines += [f"(<= (next {kif.text(term)}) (does {viewer} {one}))" for term in sorted(terms, key=kif.text)]
    game = kibitz.make("gdl", text="\n".join(lines))
    states = (game.from_position({"game": "gdl", "version": 1, "fluents": state}) for state in record.states)
    return [str(state).partition("\n")[2] for state in states]


def describe_turn(record: Record, turn: int) -> str:
    """What was done in a turn, in a line or some."""
    lines = ["  ".join(f"{role} {move}" for role, move in zip(record.roles, record.moves[turn], strict=True))]
    if record.percepts is not None:
        seen = zip(record.roles, record.percepts[turn], strict=True)
        lines += [f"  {role} sees {' '.join(what)}" for role, what in seen if what]
    lines += [f"  {describe_mishap(error)}" for error in record.errors if error.turn == turn]
    return printable("\n".join(lines))


def describe_mishap(error: Mishap) -> str:
    instead = f"; {error.played} instead" if error.played is not None else ""
    return printable(f"{error.role}: {error.error} ({error.why}){instead}")


def printable(text: str) -> str:
    """Without what could play tricks with a terminal: players say what they like, and records come from anywhere."""
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)
