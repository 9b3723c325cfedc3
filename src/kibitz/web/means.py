"""What every table works with, so that a test can give it other ones."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Protocol

from kibitz.web.bots import Bots
from kibitz.web.catalogue import Catalogue
from kibitz.web.desk import Desk
from kibitz.web.people import People
from kibitz.web.seen import Audience, Seen
from kibitz.web.settings import Settings
from kibitz.web.store.base import Store
from kibitz.web.timing import Ticks, Timing
from kibitz.web.tokens import Tokens


class Chance:
    """Where seeds, salts and ids come from: the system. Tests have one of their own."""

    def seed(self) -> int:
        return secrets.randbits(64)

    def salt(self) -> str:
        return secrets.token_hex(32)

    def id(self) -> str:
        return secrets.token_hex(9)


class Client(Protocol):
    """A connection, as its table sees it."""

    person: str | None
    audience: Audience

    def send(self, seen: Seen) -> None:
        """The only way out. Refuses what is for another audience."""

    def hang_up(self, code: int) -> None:
        """Ends it, after what is on its way."""


@dataclass
class Counts:
    """For /metrics."""

    moves: int = 0
    bot_moves: int = 0
    deals: int = 0
    finished: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    storage_errors: int = 0
    slow_clients: int = 0

    def refuse(self, code: str) -> None:
        self.refused[code] = self.refused.get(code, 0) + 1


@dataclass(frozen=True)
class Means:
    settings: Settings
    timing: Timing
    store: Store
    bots: Bots
    desk: Desk
    catalogue: Catalogue
    people: People
    tokens: Tokens
    chance: Chance
    counts: Counts = field(default_factory=Counts)
    ticks: Ticks = field(default_factory=Ticks)
