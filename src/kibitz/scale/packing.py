"""Steps of self-play as few, large arrays: what goes over the network, and costs one copy at either end.

Most features of observations are zeros and ones, masks are nothing else: eight of them are a byte. So are small whole
numbers, each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.learn.common.experience import Step
from kibitz.learn.common.replay import Array, Rows, count, joined


@dataclass(frozen=True)
class Column:
    """An array [N, ...] in fewer bytes."""

    shape: tuple[int, ...]
    kind: str  # NumPy's name of the type
    binary: npt.NDArray[np.bool_]  # of each feature: whether it is 0 or 1 in all rows
    bits: Array  # of those that are, eight to a byte
    rest: Array  # [N, those that are not]

    @property
    def bytes(self) -> int:
        return self.bits.nbytes + self.rest.nbytes

    def array(self) -> Array:
        rows, whole = len(self.rest), bool(self.binary.all())
        count = rows * int(self.binary.sum())
        bits = np.unpackbits(self.bits, count=count).reshape(rows, -1) if count else None
        if whole and bits is not None:
            return bits.astype(self.kind).reshape(self.shape)
        if bits is None:
            return self.rest.astype(self.kind, copy=False).reshape(self.shape)
        out = np.empty((rows, len(self.binary)), self.kind)
        out[:, self.binary], out[:, ~self.binary] = bits, self.rest
        return out.reshape(self.shape)


def small(values: Array) -> Column:
    """The same values: features in bits, or in bytes, where they fit."""
    flat = values.reshape(len(values), -1) if values.size else values.reshape(len(values), 0)
    if values.dtype == np.bool_ or values.dtype == np.float32:
        binary = ((flat == 0) | (flat == 1)).all(axis=0)
    else:
        binary = np.zeros(flat.shape[1], np.bool_)
    rest = flat[:, ~binary]
    bits = np.packbits(flat[:, binary].astype(np.bool_))
    return Column(values.shape, values.dtype.str, binary, bits, rest.astype(_least(rest), copy=False))


def _least(values: Array) -> npt.DTypeLike:
    """The smallest type that has all these values."""
    if values.dtype.kind not in "if" or not values.size:
        return values.dtype
    low, high = values.min(), values.max()
    for kind, most in ((np.uint8, 2**8 - 1), (np.uint16, 2**16 - 1)):
        if low >= 0 and high <= most and (values.dtype.kind == "i" or bool((values == np.floor(values)).all())):
            return kind
    return values.dtype


@dataclass(frozen=True)
class Packed:
    """Steps, all their rows in one; `layout` says of every step its games, rows of each part, rows aside, counts."""

    rows: dict[str, Column]
    aside: dict[str, Column]
    layout: list[tuple[int, list[int], int, dict[str, int]]]

    @property
    def bytes(self) -> int:
        return sum(column.bytes for columns in (self.rows, self.aside) for column in columns.values())

    @property
    def games(self) -> int:
        return sum(games for games, *_ in self.layout)

    @property
    def transitions(self) -> int:
        return sum(sum(parts) for _, parts, _, _ in self.layout)


def pack(steps: list[Step]) -> Packed:
    rows = joined([part for step in steps for part in step.rows])
    aside = joined([step.aside for step in steps if step.aside])
    layout = [(step.games, [count(part) for part in step.rows], count(step.aside), step.counts) for step in steps]
    return Packed(_all(rows), _all(aside), layout)


def unpack(packed: Packed) -> Iterator[Step]:
    """What `pack` was given."""
    rows, aside = _arrays(packed.rows), _arrays(packed.aside)
    at = at_aside = 0
    for games, parts, beside, counts in packed.layout:
        found: list[Rows] = []
        for n in parts:
            found.append(_cut(rows, at, n))
            at += n
        yield Step(games, found, _cut(aside, at_aside, beside) if beside else {}, counts)
        at_aside += beside


def _all(rows: Rows) -> dict[str, Column]:
    return {key: small(values) for key, values in rows.items()}


def _arrays(columns: Mapping[str, Column]) -> Rows:
    return {key: column.array() for key, column in columns.items()}


def _cut(rows: Mapping[str, Any], at: int, n: int) -> Rows:
    return {key: values[at : at + n] for key, values in rows.items()}
