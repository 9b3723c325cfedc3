"""Where commands print."""

from __future__ import annotations

import sys

from rich.console import Console


def out() -> Console:
    """Standard output. Tables that go into a file or a pipe are not squeezed into 80 columns."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else 160)


def note(message: str) -> None:
    """A remark beside the output: on stderr, so that what is piped stays clean."""
    print(message, file=sys.stderr)
