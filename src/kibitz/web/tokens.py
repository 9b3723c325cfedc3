"""Signed tokens: a person's is the identity, a seat's opens one seat of one table."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass

Sign = Callable[[str], str]


def signer(key: bytes) -> Sign:
    """Signatures with the server's key, which stays inside."""

    def sign(text: str) -> str:
        mac = hmac.new(key, text.encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(mac[:24]).decode()

    return sign


@dataclass(frozen=True)
class Bearer:
    """What a token says."""

    person: str | None = None
    table: str | None = None
    place: int | None = None
    since: int | None = None


class Tokens:
    """Gives and reads tokens."""

    def __init__(self, sign: Sign) -> None:
        self._sign = sign

    def person(self, person: str) -> str:
        return self._signed(f"person.{person}")

    def seat(self, table: str, place: int, since: int) -> str:
        """`since`: the entry with which its owner sat down, so that it ends with the owner's stay."""
        return self._signed(f"seat.{table}.{place}.{since}")

    def read(self, token: str) -> Bearer | None:
        """None for what we have not signed."""
        body, _, mac = token.rpartition(".")
        if not body or not token.isascii() or not hmac.compare_digest(mac, self._sign(body)):
            return None
        match body.split("."):
            case ["person", person]:
                return Bearer(person=person)
            case ["seat", table, place, since]:
                return Bearer(table=table, place=int(place), since=int(since))
        return None

    def name(self, text: str) -> str:
        """A short id that follows from a text."""
        return self._sign(f"name.{text}")[:16]

    def seed(self, text: str) -> int:
        """64 bits that follow from a text, and that only this server can work out."""
        return int.from_bytes(base64.urlsafe_b64decode(self._sign(f"seed.{text}"))[:8], "big")

    def _signed(self, body: str) -> str:
        return f"{body}.{self._sign(body)}"
