"""NumPy archives (.npz) that need not be trusted: a size is checked before anything of that size is made.

`numpy.load` believes a file: a few megabytes of zeros, deflated, become gigabytes. Here the directory and the headers
of the arrays are read first, so that the caller can refuse what does not belong or is too large, and then unpack it.
"""

from __future__ import annotations

import math
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

_BLOCK = 1 << 20  # bytes unpacked at a time
_PREFIX = b"\x93NUMPY\x01\x00"
_MOST_HEADER = 1 << 10  # bytes; NumPy writes 118
# As NumPy writes it. Its own reader evaluates the text as Python.
_HEADER = re.compile(
    rb"\{'descr': '(<f8|<u8|<U\d{1,7})', 'fortran_order': False, 'shape': \(((?:\d{1,15}, ?)*(?:\d{1,15})?)\), \} *\n"
)
# What zipfile raises for a file that is no archive, or a damaged one.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    struct.error,
    OverflowError,
    ValueError,
)


@dataclass(frozen=True)
class Layout:
    """What an array is said to be; that its member has as many bytes has been checked."""

    kind: str  # NumPy's name of the type, as in "<f8"
    shape: tuple[int, ...]
    start: int  # of the content, in the member

    @property
    def bytes(self) -> int:
        return math.prod(self.shape) * np.dtype(self.kind).itemsize


class Archive:
    """The arrays of a file. Every method raises ValueError where the file is not as it should be."""

    def __init__(self, file: BinaryIO) -> None:
        try:
            self._zip = zipfile.ZipFile(file)
        except _DAMAGE:
            raise ValueError("it is no archive of arrays, or damaged") from None
        self._members: dict[str, zipfile.ZipInfo] = {}
        for member in self._zip.infolist():
            name = member.filename.removesuffix(".npy")
            plain = member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) and not member.flag_bits & 1
            if name in self._members or name == member.filename or not plain:
                raise ValueError(f"{member.filename[:60]!r} in it is no array, or there twice")
            self._members[name] = member

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._zip.close()

    @property
    def names(self) -> set[str]:
        return set(self._members)

    def layout(self, name: str) -> Layout:
        """Type and shape of an array, of which nothing but the header is unpacked."""
        if name not in self._members:
            raise ValueError(f"it lacks {name!r}")
        start = len(_PREFIX) + 2
        prefix = self._bytes(name, 0, min(start, self._members[name].file_size))
        length = int.from_bytes(prefix[-2:], "little")
        if not prefix.startswith(_PREFIX) or length > _MOST_HEADER:
            raise ValueError(f"{name!r} in it is no array")
        header = _HEADER.fullmatch(self._bytes(name, start, start + length))
        if header is None:
            raise ValueError(f"{name!r} in it is no array of numbers in rows, nor a text")
        layout = Layout(header[1].decode(), tuple(map(int, re.findall(rb"\d+", header[2]))), start + length)
        if layout.start + layout.bytes != self._members[name].file_size:
            raise ValueError(f"{name!r} in it is larger or smaller than it says")
        return layout

    def read(self, name: str, layout: Layout) -> NDArray[Any]:
        """The whole array; the caller has decided that it is not too large."""
        content = np.empty(layout.bytes, np.uint8)
        at = 0
        for block in self._unpack(name, layout.start, layout.start + layout.bytes):
            content[at : at + len(block)] = np.frombuffer(block, np.uint8)
            at += len(block)
        return content.view(layout.kind).reshape(layout.shape)

    def rows(self, name: str, layout: Layout) -> Iterator[NDArray[Any]]:
        """A matrix, some rows at a time: the whole is never in memory."""
        width = layout.shape[1] * np.dtype(layout.kind).itemsize
        rest = b""
        for block in self._unpack(name, layout.start, layout.start + layout.bytes):
            data = rest + block
            whole = len(data) - len(data) % width
            rest = data[whole:]
            yield np.frombuffer(data[:whole], layout.kind).reshape(-1, layout.shape[1])

    def _bytes(self, name: str, start: int, end: int) -> bytes:
        return b"".join(self._unpack(name, start, end))

    def _unpack(self, name: str, start: int, end: int) -> Iterator[bytes]:
        """Bytes start to end - 1 of a member, in blocks; never more, whatever the directory says of its size."""
        try:
            with self._zip.open(self._members[name]) as member:
                _skip(member, start)
                left = end - start
                while left > 0:
                    block = member.read(min(left, _BLOCK))
                    if not block:
                        raise EOFError
                    left -= len(block)
                    yield block
        except _DAMAGE:
            raise ValueError(f"{name!r} in it is damaged") from None


def _skip(member: IO[bytes], count: int) -> None:
    """Headers alone are skipped, so this is never much."""
    if len(member.read(count)) != count:
        raise EOFError
