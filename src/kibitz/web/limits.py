"""How much one connection, one address and one person may ask for."""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass

from kibitz.web.timing import Timing


@dataclass
class Bucket:
    """So many at once, and so many a second after that."""

    rate: float
    burst: float
    level: float = 0.0  # how much of the burst is used
    at: float = 0.0

    def take(self, now: float, cost: float = 1.0) -> bool:
        self.level = max(0.0, self.level - (now - self.at) * self.rate)
        self.at = now
        if self.level + cost > self.burst:
            return False
        self.level += cost
        return True


class Buckets:
    """A bucket per key; those used longest ago are forgotten, so that memory stays bounded."""

    def __init__(self, timing: Timing, rate: float, burst: float, most: int = 10_000) -> None:
        self._timing, self._rate, self._burst, self._most = timing, rate, burst, most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, key: str, cost: float = 1.0) -> bool:
        bucket = self._buckets.pop(key, None) or Bucket(self._rate, self._burst, at=self._timing.now())
        self._buckets[key] = bucket
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return bucket.take(self._timing.now(), cost)


class Places:
    """How many connections there are, in all and of each address."""

    def __init__(self, most: int, per_address: int) -> None:
        self._most, self._per_address = most, per_address
        self._of: Counter[str] = Counter()

    @property
    def total(self) -> int:
        return self._of.total()

    def enter(self, address: str) -> bool:
        if self.total >= self._most or self._of[address] >= self._per_address:
            return False
        self._of[address] += 1
        return True

    def leave(self, address: str) -> None:
        self._of[address] -= 1
        if self._of[address] <= 0:
            del self._of[address]
