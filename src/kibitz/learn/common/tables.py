"""The tables at which a learner plays, and how its decisions become transitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

import kibitz
from kibitz import _core
from kibitz.learn.common import checkpoint
from kibitz.learn.common.replay import Array, Rows, check_alike, joined, read_columns
from kibitz.learn.common.settings import Settings, check_fixed, fixed_players
from kibitz.registry import parse_spec

SELF, PAST = "self", "past"


def make_games(settings: Settings) -> list[Any]:
    """The game with each number of players."""
    if "players" in parse_spec(settings.game).options:
        raise ValueError(f"the number of players is a setting of its own, players, and not part of {settings.game!r}")
    fixed = fixed_players(settings.game)
    if fixed is None:
        return [kibitz.make(settings.game, players=n) for n in settings.player_counts()]
    check_fixed(settings.game, fixed, settings.players)
    return [kibitz.make(settings.game)]


class SearchSettings(Protocol):
    """What `Tables.value_search` is told, by the same names."""

    @property
    def simulations(self) -> int: ...
    @property
    def c(self) -> float: ...
    @property
    def discount(self) -> float: ...
    @property
    def worlds(self) -> str: ...
    @property
    def per_world(self) -> int: ...


class Group:
    """Tables with each number of players and each kind of opponents, as if they were one; arrays are copies.

    All kinds get the same share of the tables, and so of the decisions. Games with more players take longer, so that
    fewer of them are finished. `payoff` has as many columns as the largest game has seats.
    """

    def __init__(self, settings: Settings) -> None:
        self.games = make_games(settings)
        if not self.games[0].encoders:
            needs = "a rulesheet has one where all its facts and moves can be listed"
            raise ValueError(f"{settings.game} has no encoder to learn from; {needs}")
        self.encoder = settings.encoder or next(iter(self.games[0].encoders))
        kinds = [(game, who) for game in self.games for who in settings.opponents]
        if settings.tables < len(kinds):
            raise ValueError(f"tables must be at least {len(kinds)}, one for each number of players and opponents")
        self._kinds: list[tuple[kibitz.Tables, str]] = []
        for i, (game, who) in enumerate(kinds):
            share = (i + 1) * settings.tables // len(kinds) - i * settings.tables // len(kinds)
            seed = _core.mix(settings.seed, i)
            opponents = _opponents(who, None)
            tables = kibitz.Tables(game, share, opponents, encoder=self.encoder, seed=seed, threads=settings.threads)
            self._kinds.append((tables, who))
        self._all = [tables for tables, _ in self._kinds]
        widths = {tables.obs.shape[1] for tables in self._all}
        if len(widths) > 1:
            raise ValueError(f"encoder {self.encoder!r} is not the same size for {settings.players} players")
        self.batch = settings.tables
        self.seats = max(game.players for game in self.games)
        self.features = widths.pop()
        self.actions: int = self.games[0].num_actions
        self.action_features: int = self.games[0].action_features
        self.ragged = self._all[0].ragged
        known = self.games[0].options
        for name in settings.any_options:
            if name not in known:
                raise ValueError(f"any_options: {self.games[0].name} has no option {name!r}; it has {', '.join(known)}")
        self.mixed_options = ["players"] if len(self.games) > 1 else []  # not the same at all tables
        self.any_options = [*settings.any_options, *self.mixed_options]  # weights do not insist on them
        self.done: npt.NDArray[np.bool_]
        self._ends = np.cumsum([tables.batch for tables in self._all])[:-1]
        self._look()

    def step(self, actions: npt.NDArray[np.integer]) -> None:
        for tables, part in zip(self._all, np.split(actions, self._ends), strict=True):
            tables.step(part)
        self._look()

    def value_search(self, net: kibitz.Net, seed: int, settings: SearchSettings) -> tuple[Array, Array, int]:
        """Q_m [B, A], r_m [B], states the net was asked about."""
        found = [
            tables.value_search(
                net,
                simulations=settings.simulations,
                c=settings.c,
                discount=settings.discount,
                worlds=settings.worlds,
                per_world=settings.per_world,
                seed=_core.mix(seed, i),
            )
            for i, tables in enumerate(self._all)
        ]
        return (
            np.concatenate([q for q, _, _ in found]),
            np.concatenate([r for _, r, _ in found]),
            sum(leaves for _, _, leaves in found),
        )

    def think(self, agent: str, seed: int) -> tuple[Array, Array]:
        """Values and visits of a search, [B, A]; zeros at tables without a choice."""
        found = [tables.think(agent, seed=_core.mix(seed, i)) for i, tables in enumerate(self._all)]
        return np.concatenate([values for values, _ in found]), np.concatenate([visits for _, visits in found])

    def advise(self, agent: str, seed: int) -> npt.NDArray[np.int32]:
        """What an agent would do at every table [B]."""
        return np.concatenate([t.advise(agent, seed=_core.mix(seed, i)) for i, t in enumerate(self._all)])

    def replace_past(self, net: str) -> None:
        for tables, who in self._kinds:
            if who == PAST:
                tables.replace(_opponents(who, net))

    def state(self) -> Rows:
        kept = {str(i): np.frombuffer(tables.save(), np.uint8) for i, tables in enumerate(self._all)}
        return kept | {"done": self.done}

    def restore(self, state: Mapping[str, Array]) -> None:
        done = checkpoint.array(state, "done", np.bool_, (self.batch,))
        for i, tables in enumerate(self._all):
            tables.restore(checkpoint.array(state, str(i), np.uint8, (-1,)).tobytes())
        self._look()
        self.done = done  # tables forget which of their games have just begun

    def _look(self) -> None:
        def all_of(name: str) -> Any:
            return np.concatenate([getattr(tables, name) for tables in self._all])

        self.obs: npt.NDArray[np.float32] = all_of("obs")
        self.seat: npt.NDArray[np.int32] = all_of("seat")
        self.done = all_of("done")
        self.payoff = np.zeros((self.batch, self.seats), np.float32)
        at = 0
        for tables in self._all:
            self.payoff[at : at + tables.batch, : tables.game.players] = tables.payoff
            at += tables.batch
        if self.ragged:
            self.ids: npt.NDArray[np.int32] = all_of("ids")
            self.options: npt.NDArray[np.float32] = all_of("features")  # of all legal actions
            self.counts = np.concatenate([np.diff(tables.offsets) for tables in self._all])
        else:
            self.mask: npt.NDArray[np.bool_] = all_of("mask")


def _opponents(who: str, past: str | None) -> Any:
    if who == SELF:
        return None
    return (f"net:{past}" if past is not None else "random") if who == PAST else who


@dataclass
class Choice:
    """What a learner decided at all tables."""

    actions: npt.NDArray[np.integer]
    extra: Rows = field(default_factory=dict)  # kept with the transitions
    aside: Rows = field(default_factory=dict)  # for `Learner.put_aside`, whatever comes of the games
    counts: dict[str, int] = field(default_factory=dict)  # to be added to the learner's


class Recorder(Protocol):
    """Turns the decisions at the tables into rows to learn from."""

    def record(self, group: Group, choice: Choice) -> Rows:
        """The decisions before a step; returns the rows that they complete."""

    def finish(self, group: Group) -> Rows:
        """After a step: the rows that ended with their game."""

    def state(self) -> Rows: ...

    def restore(self, state: Mapping[str, Array]) -> None: ...


class Decisions:
    """Every decision with a choice by itself. Columns: obs, mask, action, and those of `Choice.extra`."""

    def record(self, group: Group, choice: Choice) -> Rows:
        free = group.mask.sum(1) > 1
        rows: Rows = {"obs": group.obs, "mask": group.mask, "action": choice.actions.astype(np.int64), **choice.extra}
        return {key: values[free] for key, values in rows.items()} if free.any() else {}

    def finish(self, group: Group) -> Rows:
        return {}

    def state(self) -> Rows:
        return {}

    def restore(self, state: Mapping[str, Array]) -> None:
        pass


class Steps:
    """One-step transitions of every learning seat: its next decision may come several steps later.

    Columns: obs, action, reward, next_obs, next_mask, next_action, done, and those of `Choice.extra`. Rewards are
    payoffs, at the end; after the end next_mask is all true, so that nothing is minus infinity.
    """

    def __init__(self, group: Group) -> None:
        self._shape = (group.batch, group.seats)
        self._features, self._actions = group.features, group.actions
        self._waiting = np.zeros(self._shape, bool)
        self._kept: Rows = {}

    def record(self, group: Group, choice: Choice) -> Rows:
        """The decisions before a step; returns the transitions that they complete."""
        tables = np.arange(self._shape[0])
        come = self._waiting[tables, group.seat]
        at = tables[come], group.seat[come]
        rows = self._rows(at, np.zeros(len(at[0]), np.float32)) | {
            "next_obs": group.obs[come],
            "next_mask": group.mask[come],
            "next_action": choice.actions[come].astype(np.int64),
            "done": np.zeros(len(at[0]), bool),
        }
        made: Rows = {"obs": group.obs, "action": choice.actions.astype(np.int64), **choice.extra}
        check_alike(self._kept, made, leading=2)
        for key, values in made.items():
            if key not in self._kept:
                self._kept[key] = np.zeros((*self._shape, *values.shape[1:]), values.dtype)
            self._kept[key][tables, group.seat] = values
        self._waiting[tables, group.seat] = True
        return rows if self._ready(rows) else {}

    def finish(self, group: Group) -> Rows:
        """After a step: the transitions that ended with their game."""
        at = np.nonzero(self._waiting & group.done[:, None])
        n = len(at[0])
        rows = self._rows(at, group.payoff[at]) | {
            "next_obs": np.zeros((n, self._features), np.float32),
            "next_mask": np.ones((n, self._actions), bool),
            "next_action": np.zeros(n, np.int64),
            "done": np.ones(n, bool),
        }
        self._waiting[group.done] = False
        return rows if self._ready(rows) else {}

    def _rows(self, at: tuple[Array, ...], reward: Array) -> Rows:
        return {key: values[at] for key, values in self._kept.items()} | {"reward": reward}

    def _ready(self, rows: Rows) -> bool:
        return len(rows["reward"]) > 0

    def state(self) -> Rows:
        return {f"kept.{key}": values for key, values in self._kept.items()} | {"waiting": self._waiting}

    def restore(self, state: Mapping[str, Array]) -> None:
        self._waiting = checkpoint.array(state, "waiting", np.bool_, self._shape)
        self._kept = read_columns(state, "kept.", self._shape)
        checkpoint.need(bool(self._kept) or not self._waiting.any(), "decisions wait that are not kept")


class Returns:
    """Whole games: every decision with what its seat got in the end, discounted by the decisions in between.

    Columns: obs, action, those of `Choice.extra`, and `goal`, the return.
    """

    def __init__(self, group: Group, discount: float) -> None:
        self._discount = discount
        self._last = np.full((group.batch, group.seats), -1)  # the slot of a seat's last decision
        self._before = np.zeros(0, np.int64)  # the slot of the decision before; -1: there was none
        self._free = np.zeros(0, np.int64)
        self._kept: Rows = {}

    def record(self, group: Group, choice: Choice) -> Rows:
        n = group.batch
        rows: Rows = {"obs": group.obs, "action": choice.actions.astype(np.int64), **choice.extra}
        check_alike(self._kept, rows)
        if len(self._free) < n:
            self._grow(rows, max(n, len(self._before)))
        slots, self._free = self._free[-n:], self._free[:-n]
        for key, values in rows.items():
            self._kept[key][slots] = values
        at = np.arange(n), group.seat
        self._before[slots] = self._last[at]
        self._last[at] = slots
        return {}

    def finish(self, group: Group) -> Rows:
        ended = np.nonzero((self._last >= 0) & group.done[:, None])
        slots, goal = self._last[ended], group.payoff[ended]
        parts: list[Rows] = []
        used: list[Array] = []
        while len(slots):  # as often as the longest game has decisions of a seat, each time for all games
            parts.append({key: values[slots] for key, values in self._kept.items()} | {"goal": goal})
            used.append(slots)
            slots, goal = self._before[slots], goal * np.float32(self._discount)
            more = slots >= 0
            slots, goal = slots[more], goal[more]
        self._last[group.done] = -1
        self._free = np.concatenate([self._free, *used])
        return joined(parts)

    def _grow(self, rows: Mapping[str, Array], by: int) -> None:
        size = len(self._before)
        for key, values in rows.items():
            old = self._kept.get(key, np.zeros((0, *values.shape[1:]), values.dtype))
            self._kept[key] = np.concatenate([old, np.zeros((by, *values.shape[1:]), values.dtype)])
        self._before = np.concatenate([self._before, np.zeros(by, np.int64)])
        self._free = np.concatenate([self._free, np.arange(size, size + by)])

    def state(self) -> Rows:
        kept = {f"kept.{key}": values for key, values in self._kept.items()}
        return kept | {"last": self._last, "before": self._before, "free": self._free}

    def restore(self, state: Mapping[str, Array]) -> None:
        self._last = checkpoint.array(state, "last", np.int64, self._last.shape)
        self._before = checkpoint.array(state, "before", np.int64, (-1,))
        self._free = checkpoint.array(state, "free", np.int64, (-1,))
        self._kept = read_columns(state, "kept.", self._before.shape)
        self._check_chains()

    def _check_chains(self) -> None:
        """Every slot is free or in one chain of decisions, once: or `finish` might never come to an end."""
        size = len(self._before)
        parts, total = [self._free], len(self._free)
        slots = self._last[self._last >= 0]
        while len(slots) and total <= size:
            parts.append(slots)
            total += len(slots)
            checkpoint.need(bool((slots < size).all()), "a decision is kept nowhere")
            slots = self._before[slots]
            slots = slots[slots >= 0]
        used = np.sort(np.concatenate(parts))
        checkpoint.need(total == size and bool((used == np.arange(size)).all()), "decisions are kept twice, or never")


def epsilon_greedy(
    q: npt.NDArray[np.floating], mask: npt.NDArray[np.bool_], epsilon: float, rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """The best legal action by Q [B, A], the first of equals, or with probability epsilon any."""
    return explore(np.where(mask, q, -np.inf).argmax(1), mask, epsilon, rng)


def explore(
    greedy: npt.NDArray[np.integer], mask: npt.NDArray[np.bool_], epsilon: float, rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """These actions, or with probability epsilon any legal one."""
    keys = rng.random(mask.shape, dtype=np.float32)
    anything = np.where(mask, keys, -1).argmax(axis=1)
    return np.where(rng.random(len(greedy)) < epsilon, anything, greedy).astype(np.int64)


def best_of_each(values: npt.NDArray[np.floating], counts: Sequence[int] | Array) -> npt.NDArray[np.int64]:
    """Ragged argmax: the index, within all values, of the first best of each run of `counts` values."""
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
    best = np.repeat(np.maximum.reduceat(values, starts), counts)
    where = np.where(values == best, np.arange(len(values)), len(values))
    return np.minimum.reduceat(where, starts).astype(np.int64)
