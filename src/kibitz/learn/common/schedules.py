"""How exploration fades."""

from __future__ import annotations


def linear(start: float, end: float, steps: int, at: int) -> float:
    """From `start` to `end` in `steps` equal steps, then `end`."""
    return end if at >= steps else start + (end - start) * at / steps


def decaying(start: float, factor: float, at: float) -> float:
    """`start`, multiplied by `factor` at every step."""
    return float(start * factor**at)
