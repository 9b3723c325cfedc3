"""Where commands print."""

from __future__ import annotations

import sys

from rich.console import Console


class Screen(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError  # errors.py ends commands whose reader has gone; Rich would end them with code 1


def out() -> Console:
    """Standard output. Tables that go into a file or a pipe are not squeezed into 80 columns. Brackets are brackets:
    Rich would take those in names and hints for markup."""
    return Screen(highlight=False, markup=False, width=None if sys.stdout.isatty() else 160)


def note(message: str) -> None:
    """A remark beside the output: on stderr, so that what is piped stays clean."""
    print(message, file=sys.stderr)
