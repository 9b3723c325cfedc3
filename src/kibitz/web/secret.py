"""`Secret[T]`: what no client may see, wrapped so that it does not slip out by accident.

A log line, an error message, JSON, a pickle or a copy of a secret raises instead of showing it. Only the table, the
house and the store import this module; a test reads the imports.
"""

from __future__ import annotations

from typing import Generic, NoReturn, TypeVar, final

T = TypeVar("T")


class LeakError(RuntimeError):
    """Something tried to show a secret."""


@final
class Secret(Generic[T]):
    """Holds a value; `open()` is the only way to it."""

    __slots__ = ("_value",)

    def __init__(self, value: T) -> None:
        self._value = value

    def open(self) -> T:
        return self._value

    def _refuse(self, *_: object) -> NoReturn:
        raise LeakError("a secret cannot be shown, compared, copied or saved")

    __repr__ = __str__ = __format__ = __reduce__ = __reduce_ex__ = __copy__ = __deepcopy__ = _refuse
    __eq__ = __iter__ = __bool__ = __getstate__ = _refuse
