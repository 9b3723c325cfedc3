"""Memories of transitions, as arrays: a ring that forgets the oldest, and a reservoir that forgets anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.learn.common import checkpoint

Array = npt.NDArray[Any]
Rows = dict[str, Array]  # columns with the same number of rows


def count(rows: Mapping[str, Array]) -> int:
    return len(next(iter(rows.values()))) if rows else 0


def joined(parts: list[Rows]) -> Rows:
    """One after the other; they have the same columns."""
    return {key: np.concatenate([part[key] for part in parts]) for key in parts[0]} if parts else {}


def check_alike(kept: Mapping[str, Array], rows: Mapping[str, Array], leading: int = 1) -> None:
    """Whether rows that come are like those that are kept, which may be a checkpoint's. `leading`: how many dimensions
    of what is kept count its rows."""
    have = {name: (column.dtype, column.shape[leading:]) for name, column in kept.items()}
    come = {name: (values.dtype, values.shape[1:]) for name, values in rows.items()}
    checkpoint.need(not have or have == come, "it keeps other transitions than are made now")


def read_columns(state: Mapping[str, Array], prefix: str, shape: tuple[int, ...]) -> Rows:
    """The arrays whose names begin so, without that; `shape` is what each of them begins with."""
    found: Rows = {}
    for name, values in state.items():
        if name.startswith(prefix):
            checkpoint.need(values.shape[: len(shape)] == shape, f"array {name!r} is of shape {list(values.shape)}")
            checkpoint.finite(values, name)
            found[name.removeprefix(prefix)] = np.array(values)
    return found


class Memory:
    """Up to `capacity` rows; columns are made for the first rows that come."""

    def __init__(self, capacity: int) -> None:
        if capacity < 1:
            raise ValueError(f"a memory needs room for at least 1 transition, not {capacity}")
        self.capacity = capacity
        self.seen = 0  # rows that ever came
        self._columns: Rows = {}
        self._drawn: Rows = {}

    @property
    def size(self) -> int:
        return min(self.seen, self.capacity)

    def _put(self, slots: npt.NDArray[np.int64], rows: Mapping[str, Array]) -> None:
        for key, values in rows.items():
            if key not in self._columns:
                self._columns[key] = np.zeros((self.capacity, *values.shape[1:]), values.dtype)
            self._columns[key][slots] = values

    def sample(self, rng: np.random.Generator, n: int) -> Rows:
        """`n` rows, any of them with the same probability, repeats included. They stand until the next call:
        the system hands fresh memory out page by page, which takes longer than to copy the rows of a large batch."""
        if self.size == 0:
            raise ValueError("the memory is empty")
        chosen = rng.integers(self.size, size=n)
        return {key: column.take(chosen, 0, self._room(key, n), "clip") for key, column in self._columns.items()}

    def _room(self, key: str, n: int) -> Array:
        """For `n` drawn rows of a column."""
        column, room = self._columns[key], self._drawn.get(key)
        if room is None or len(room) < n:
            room = self._drawn[key] = np.empty((n, *column.shape[1:]), column.dtype)
        return room[:n]

    def state(self) -> Rows:
        kept = {f"column.{key}": column[: self.size] for key, column in self._columns.items()}
        return kept | {"seen": np.array(self.seen)}

    def restore(self, state: Mapping[str, Array]) -> None:
        self.seen = checkpoint.whole(checkpoint.array(state, "seen", np.int64, ()).item(), "rows seen")
        columns = read_columns(state, "column.", (self.size,))
        checkpoint.need(bool(columns) == (self.seen > 0), "a memory has rows without columns, or the reverse")
        self._columns, self._drawn = {}, {}
        self._put(np.arange(self.size), columns)


class Replay(Memory):
    """Uniform replay: the last `capacity` transitions.

    With `values`, which tells what a target net says of observations, each drawn row has `next_q`: Q_target(s', ·). The
    net stays as it is while `drawn` rows are drawn. Where these are at least as many as the memory holds, the net is
    asked once about each transition, as it comes, and about all of them after a change (`renew`); else about the rows
    that are drawn.
    """

    TOGETHER = 1_024  # transitions that the net is asked about at once after a change

    def __init__(self, capacity: int, values: Callable[[Array], Array] | None = None, drawn: int = 0) -> None:
        super().__init__(capacity)
        self._values = values
        self.keeps_values = values is not None and capacity <= drawn

    def add(self, rows: Mapping[str, Array]) -> None:
        if self._values is not None and self.keeps_values:
            rows = {**rows, "next_q": self._values(rows["next_obs"])}
        check_alike(self._columns, rows)
        n = count(rows)
        first = max(0, n - self.capacity)  # of more than all, only the last stay
        slots = (self.seen + np.arange(first, n)) % self.capacity
        self._put(slots, {key: values[first:] for key, values in rows.items()})
        self.seen += n

    def sample(self, rng: np.random.Generator, n: int) -> Rows:
        rows = super().sample(rng, n)
        if self._values is not None and not self.keeps_values:
            rows["next_q"] = self._values(rows["next_obs"])
        return rows

    def renew(self) -> None:
        """After the target net has changed."""
        if self._values is None or not self.keeps_values:
            return
        for start in range(0, self.size, self.TOGETHER):
            slots = np.arange(start, min(start + self.TOGETHER, self.size))
            self._put(slots, {"next_q": self._values(self._columns["next_obs"][slots])})

    # Checkpoints have always called it `later`.

    def state(self) -> Rows:
        kept = super().state()
        return {("column.later" if name == "column.next_q" else name): values for name, values in kept.items()}

    def restore(self, state: Mapping[str, Array]) -> None:
        super().restore({("column.next_q" if name == "column.later" else name): v for name, v in state.items()})
        if "next_q" not in self._columns:  # of a version that did not keep it
            self.renew()


class Reservoir(Memory):
    """A uniform sample of everything that ever came (Vitter's algorithm R)."""

    def add(self, rows: Mapping[str, Array], rng: np.random.Generator) -> None:
        check_alike(self._columns, rows)
        n = count(rows)
        order = self.seen + np.arange(n)
        slots = np.where(order < self.capacity, order, rng.integers(0, order + 1))
        kept = slots < self.capacity
        # Two for the same slot: the later one, as if they had come one by one. NumPy promises that only for unique
        # slots, so the earlier ones go.
        slots, chosen = slots[kept][::-1], np.flatnonzero(kept)[::-1]
        slots, last = np.unique(slots, return_index=True)
        self._put(slots, {key: values[chosen[last]] for key, values in rows.items()})
        self.seen += n


class Fresh:
    """Transitions that are used once: those of the last games, in random order."""

    def __init__(self) -> None:
        self._parts: list[Rows] = []

    @property
    def size(self) -> int:
        return sum(count(part) for part in self._parts)

    def add(self, rows: Mapping[str, Array]) -> None:
        check_alike(self._parts[0] if self._parts else {}, rows)
        self._parts.append(dict(rows))

    def drain(self, rng: np.random.Generator, batch: int) -> list[Rows]:
        """All of them, shuffled, in batches; the last may be smaller."""
        rows = joined(self._parts)
        self._parts = []
        order = rng.permutation(count(rows))
        parts = [order[i : i + batch] for i in range(0, len(order), batch)]
        return [{key: values[part] for key, values in rows.items()} for part in parts]

    def state(self) -> Rows:
        return joined(self._parts)

    def restore(self, state: Mapping[str, Array]) -> None:
        rows = read_columns(state, "", (count(state),))
        self._parts = [rows] if rows else []
