"""What JSON from outside must be: declared as tables of members, checked in one place, refused in one sentence."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any


@dataclass(frozen=True)
class Member:
    """What a member must be: `holds` decides, `must` says it."""

    must: str
    holds: Callable[[Any], bool]
    needed: bool = True

    def optional(self) -> Member:
        return replace(self, needed=False)


def members(data: Any, what: str, shape: Mapping[str, Member]) -> dict[str, Any]:
    """The members of an object, all of them known and as they must be. ValueError says of `what` something is wrong."""
    if not isinstance(data, dict):
        raise ValueError(f"{what} must be an object with {', '.join(shape)}")
    strange = sorted(data.keys() - shape.keys())
    if strange:
        raise ValueError(f"{what} has an unknown member {strange[0]!r}; known: {', '.join(shape)}")
    for name, member in shape.items():
        if name not in data:
            if member.needed:
                raise ValueError(f"{what} has no {name!r}")
        elif not member.holds(data[name]):
            raise ValueError(f"{name} of {what} must be {member.must}, not {_short(data[name])}")
    return dict(data)


def load(text: str | bytes) -> Any:
    """JSON in which no member is given twice."""
    try:
        return json.loads(text, object_pairs_hook=_once)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except json.JSONDecodeError as problem:
        raise ValueError(f"not JSON: {problem}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"member {next(name for name in names if names.count(name) > 1)!r} is given twice")
    return found


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _digits(pattern: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def _time(value: Any) -> bool:
    try:
        return isinstance(value, str) and datetime.fromisoformat(value) is not None
    except ValueError:
        return False


OBJECT = Member("an object", lambda value: isinstance(value, dict))
OBJECTS = Member("a list of objects", lambda value: isinstance(value, list) and all(map(OBJECT.holds, value)))
FLAG = Member("true or false", lambda value: isinstance(value, bool))
TEXT = Member("a text", lambda value: isinstance(value, str))
NUMBER = Member("a number", _number)
NUMBERS = Member("a list of numbers", lambda value: isinstance(value, list) and all(map(_number, value)))
POSITIVE = Member("a number above 0", lambda value: _number(value) and value > 0)
COUNT = Member("a whole number from 0", lambda value: type(value) is int and value >= 0)
TIME = Member("date and time as in 2026-11-18T20:15:00+00:00", _time)
# As text: many programs round numbers beyond 2^53.
SEED = Member(
    "a text of decimal digits, below 2^64", lambda value: _digits("0|[1-9][0-9]{0,19}")(value) and int(value) < 2**64
)


def printable(most: int) -> Member:
    return Member(
        f"a text of 1 to {most:,} printable characters",
        lambda value: isinstance(value, str) and 0 < len(value) <= most and value.isprintable(),
    )


def texts(most: int) -> Member:
    return Member(
        f"a list of at most {most:,} texts",
        lambda value: isinstance(value, list) and len(value) <= most and all(map(TEXT.holds, value)),
    )


def hexadecimal(least: int, most: int) -> Member:
    many = f"{least} to {most}" if least < most else f"{least}"
    return Member(f"{many} hexadecimal digits", _digits(f"[0-9a-f]{{{least},{most}}}"))


def one_of(*words: str) -> Member:
    return Member(f"one of {', '.join(words)}", words.__contains__)
