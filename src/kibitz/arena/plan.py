"""What a tournament is: its game, its agents, who meets whom, how many deals, and what is to be decided.

A plan is read from a TOML file (docs/tournaments.md) or put together by a caller, and kept in the tournament's
database. Its line-ups, their seeds and their chunks follow from it alone.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import kibitz
from kibitz import advice, meant, registry
from kibitz.advice.columns import EFFORT
from kibitz.agents.network import find_net
from kibitz.arena.jobs import Job, LineUp, Options, Sittings, check
from kibitz.arena.match import positive, seating_table
from kibitz.arena.seatings import sitting
from kibitz.arena.stats import teams_of
from kibitz.protocols import Game, facts

VERSION = 1  # of the file and of the plan in a database
MOST_AGENTS = 200
MOST_LINE_UPS = 100_000
_CELL = 32_768  # games of quick agents in a chunk: some hundredths of a second
_LEAST = 8  # deals in a chunk, so that several threads have something to share
_BUDGETS = ("iterations", "trees", "worlds")  # options of searches that multiply their work
_CHEAP = {"random": 0, "rules": 0, "net": 2}  # the work of agents that do not search, in iterations
_UNKNOWN = 1000  # of other agents without a budget


@dataclass(frozen=True)
class Entry:
    """An agent of the tournament: what reports call it, and the spec string that makes it."""

    name: str
    spec: str


@dataclass(frozen=True)
class Anchors:
    """Agents whose ratings are fixed, in points. A new version says that ratings cannot be compared with older ones."""

    version: int = 1
    ratings: Mapping[str, float] = field(default_factory=lambda: {"random": 0.0})


@dataclass(frozen=True)
class Plan:
    """Checked by `check`, which whatever makes one calls."""

    game: str
    options: Options
    agents: tuple[Entry, ...]
    games: int  # rounded up to whole deals under every sitting of every line-up
    seed: int = 0
    meet: int = 0  # how many different agents meet in a game; 0: one for each side
    seatings: str = "rotations"
    gauntlet: str = ""  # the agent that sits in every line-up, if there is one
    records: bool = False
    regret: int = 0  # decisions at which what agents lose is judged
    effort: int = EFFORT  # of that judge
    until: tuple[str, ...] = ()  # questions, "A > B"
    error: float = 0.05  # the most likely wrong answers to `until` may be, all together
    margin: float = 0.0  # of a share of games: agents this near each other are called equal
    anchors: Anchors = field(default_factory=Anchors)
    title: str = ""
    files: Mapping[str, str] = field(default_factory=dict)  # of agents, with digests
    kibitz: str = kibitz.__version__

    @cached_property
    def made(self) -> Game:
        return registry.make(self.game, **dict(self.options))

    @cached_property
    def names(self) -> list[str]:
        return [entry.name for entry in self.agents]

    @cached_property
    def line_ups(self) -> list[tuple[tuple[int, ...], LineUp]]:
        """Numbers of the agents, and how they sit."""
        who = itertools.combinations(range(len(self.agents)), self.together)
        chosen = self.names.index(self.gauntlet) if self.gauntlet else None
        sittings = _sittings(self.made, self.together, self.seatings)
        return [
            (numbers, LineUp(self.game, self.options, tuple(self.agents[n].spec for n in numbers), sittings))
            for numbers in who
            if chosen is None or chosen in numbers
        ]

    @property
    def samples(self) -> list[LineUp]:
        """A few line-ups that together have every agent."""
        return list({spec: line_up for _, line_up in self.line_ups for spec in line_up.agents}.values())

    @property
    def together(self) -> int:
        return self.meet or _sides(self.made)

    @cached_property
    def deals(self) -> int:
        """Of each line-up."""
        return -(-self.games // (len(self.line_ups) * len(self.line_ups[0][1].sittings)))

    @property
    def played(self) -> int:
        """Games in all."""
        return self.deals * len(self.line_ups) * len(self.line_ups[0][1].sittings)

    def seed_of(self, line_up: LineUp) -> int:
        """A line-up has its own deals, whichever others there are: agents can be added to a tournament."""
        keyed = hashlib.blake2b(line_up.key.encode(), digest_size=8, key=self.seed.to_bytes(8, "little"))
        return int.from_bytes(keyed.digest(), "little")

    def size(self, line_up: LineUp) -> int:
        """Deals in a chunk: fewer of slow agents. It depends on nothing that differs from run to run."""
        work = 1 + 16 * max(budget(self.made, spec) for spec in line_up.agents)
        return max(_LEAST, _CELL // (len(line_up.sittings) * work))

    def rounds(self) -> Iterator[list[Job]]:
        """All chunks; in round r number r of every line-up, so that a cut tournament is an even one."""
        for number in itertools.count():
            jobs = [self._job(line_up, number * self.size(line_up)) for _, line_up in self.line_ups]
            left = [job for job in jobs if job.count > 0]
            if not left:
                return
            yield left

    def _job(self, line_up: LineUp, first: int) -> Job:
        return Job(line_up, self.seed_of(line_up), first, min(self.size(line_up), self.deals - first), self.records)

    def check(self) -> Self:
        """Raises ValueError for anything that is wrong, before the first card is dealt."""
        positive("games", self.games)
        _check_agents(self)
        if self.gauntlet and self.gauntlet not in self.names:
            raise _unknown("gauntlet", self.gauntlet, self.names)
        if self.together not in (2, _sides(self.made)):
            raise ValueError(f"meet must be 2 or {_sides(self.made)}, the sides of this game, not {self.meet}")
        if len(self.agents) < self.together:
            raise ValueError(f"{self.together} agents meet in a game, but there are {len(self.agents)}; or use meet=2")
        if not 0 < self.error < 1 or not 0 <= self.margin < 0.5:
            raise ValueError(f"error must be within 0..1, margin within 0..0.5, not {self.error:g} and {self.margin:g}")
        if len(self.line_ups) > MOST_LINE_UPS:
            raise ValueError(f"{len(self.line_ups):,} line-ups are too many; the most is {MOST_LINE_UPS:,}")
        for line_up in self.samples:
            check(line_up)
        return self

    def to_json(self) -> dict[str, Any]:
        return {"version": VERSION} | asdict(self)

    @classmethod
    def from_json(cls, plan: dict[str, Any]) -> Self:
        if plan.get("version") != VERSION:
            raise ValueError(f"its plan has version {plan.get('version')!r}; this Kibitz reads {VERSION}")
        made = {key.name: plan[key.name] for key in fields(cls) if key.name in plan}
        made["options"] = tuple((key, value) for key, value in made["options"])
        made["agents"] = tuple(Entry(**entry) for entry in made["agents"])
        made["anchors"] = Anchors(**made["anchors"])
        return cls(**made | {"until": tuple(made["until"])})

    def continues(self, old: Plan) -> None:
        """ValueError where this plan cannot go on with what was played of `old`: it may have more games and agents."""
        for key in ("game", "options", "seed", "meet", "seatings", "gauntlet", "records", "kibitz"):
            if getattr(self, key) != getattr(old, key):
                raise ValueError(f"{key} was {getattr(old, key)!r} and is now {getattr(self, key)!r}")
        gone = [entry.name for entry in old.agents if entry not in self.agents]
        if gone:
            raise ValueError(f"agent {gone[0]!r} is missing, or has another spec now")
        for file, digest in old.files.items():
            if self.files.get(file, digest) != digest:
                raise ValueError(f"the file of {file} has changed")
        if self.deals < old.deals:
            raise ValueError(f"{old.games:,} games were asked for, and now only {self.games:,}")


def plan_of(
    game: Game,
    agents: Mapping[str, str],
    games: int,
    **more: Any,
) -> Plan:
    """A checked plan; `agents` by name, `more` as the fields of `Plan`."""
    entries = tuple(Entry(name, spec) for name, spec in agents.items())
    options = tuple(sorted(facts(game).options.items()))
    plan = Plan(game.name, options, entries, games, **more)
    return replace(plan, files={spec: digest for spec in agents.values() if (digest := _digest(game, spec))}).check()


# What a file may have, beside the agents.
_MEMBERS: Mapping[str, type | tuple[type, ...]] = {
    "version": int,
    "title": str,
    "game": str,
    "games": int,
    "seed": int,
    "meet": int,
    "seatings": str,
    "gauntlet": str,
    "until": list,
    "error": (int, float),
    "margin": (int, float),
    "agents": dict,
    "anchors": dict,
}


def read_file(path: Path) -> dict[str, Any]:
    """The members of a TOML file: agents, and any fields of a plan. ValueError says what is wrong with it."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise ValueError(f"{path} is no TOML: {problem}") from None
    for key, value in found.items():
        if key not in _MEMBERS:
            raise ValueError(f"{path}: {_unknown('member', key, list(_MEMBERS))}")
        if not isinstance(value, _MEMBERS[key]) or isinstance(value, bool):
            raise ValueError(f"{path}: {key} cannot be {value!r}")
    if found.pop("version", None) != VERSION:
        raise ValueError(f"{path}: it must have version = {VERSION}")
    agents = found.get("agents", {})
    for name, spec in agents.items():
        if not isinstance(spec, str):
            raise ValueError(f'{path}: agent {name!r} must be a spec string, as in rules = "rules", not {spec!r}')
    if "anchors" in found:
        found["anchors"] = _anchors(path, found["anchors"])
    return found | {"until": tuple(found.get("until", ()))}


def _anchors(path: Path, given: dict[str, Any]) -> Anchors:
    ratings = {name: value for name, value in given.items() if name != "version"}
    numbers = [given.get("version"), *ratings.values()]
    if not ratings or any(not isinstance(n, int | float) or isinstance(n, bool) for n in numbers):
        raise ValueError(f"{path}: anchors must be a version and numbers by agent, as in version = 1, random = 0")
    return Anchors(int(given["version"]), {name: float(value) for name, value in ratings.items()})


def budget(game: Game, spec: str) -> int:
    """The work of an agent at a move, in iterations; of one that we do not know, a guess."""
    parsed = registry.parse_spec(spec)
    if parsed.name == "level" and parsed.source is not None:
        return budget(game, advice.level(game, parsed.source).spec)
    if parsed.name in _CHEAP:
        return _CHEAP[parsed.name]
    product = 1
    found = [value for key in _BUDGETS if isinstance(value := parsed.options.get(key), int)]
    for value in found:
        product *= max(1, value)
    return product if found else _UNKNOWN


def _sides(game: Game) -> int:
    """How many agents can meet: a side plays together."""
    return len(set(teams_of(game)))


def _sittings(game: Game, together: int, seatings: str) -> Sittings:
    """A side is one agent's. Where fewer agents meet than there are sides, each sits alone against the other one."""
    sides = sorted(set(teams_of(game)))
    if together == len(sides):
        table = [sitting(seats) for seats in seating_table(seatings, together)]
    else:
        alone = [[int(at != one) for at in range(len(sides))] for one in range(len(sides))]
        table = [*alone, *([1 - agent for agent in row] for row in alone)]
    return tuple(tuple(row[sides.index(team)] for team in teams_of(game)) for row in table)


def _check_agents(plan: Plan) -> None:
    if len(plan.agents) < 2:
        raise ValueError("a tournament needs at least two agents")
    if len(plan.agents) > MOST_AGENTS:
        raise ValueError(f"{len(plan.agents)} agents are too many; the most is {MOST_AGENTS}")
    for what in ("name", "spec"):
        seen = [getattr(entry, what) for entry in plan.agents]
        twice = next((text for text in seen if seen.count(text) > 1), None)
        if twice is not None:
            raise ValueError(f"two agents have the {what} {twice!r}")
    for entry in plan.agents:
        if not entry.name.strip() or ">" in entry.name or len(entry.name) > 100 or not entry.name.isprintable():
            raise ValueError(f"bad agent name {entry.name!r}: 1 to 100 printable characters without >")
        if registry.parse_spec(entry.spec).name == "human":
            raise ValueError("a tournament has no room for a human; play with: kibitz play")


def _digest(game: Game, spec: str) -> str:
    """Of the network that an agent plays with, or nothing."""
    parsed = registry.parse_spec(spec)
    if parsed.name == "level" and parsed.source is not None:
        return _digest(game, advice.level(game, parsed.source).spec)
    source = parsed.source if parsed.name == "net" else parsed.options.get("net")
    if not isinstance(source, str):
        return ""
    return hashlib.sha256(find_net(source).read_bytes()).hexdigest()[:16]


def _unknown(what: str, name: str, known: list[str]) -> ValueError:
    return ValueError(f"unknown {what} {name!r}; there are: {', '.join(known)}{meant.hint(name, known)}")


def canonical(plan: Plan) -> str:
    """As it is kept in a database."""
    return json.dumps(plan.to_json(), sort_keys=True)
