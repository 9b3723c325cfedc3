"""Where commands print, and what a terminal can show: letters in the place of suits where it has no others."""

from __future__ import annotations

import codecs
import io
import os
import sys
import unicodedata
from typing import IO, TextIO, cast

from rich.console import Console

# What ASCII has for the signs that we use; accents of letters are left out.
LETTERS = {
    "♠": "s",
    "♥": "h",
    "♦": "d",
    "♣": "c",
    "▮": "#",
    "●": "*",
    "•": "*",
    "·": ".",
    "…": "...",
    "±": "+-",
    "\u00d7": "x",  # multiplication sign
    "\u2013": "-",  # en dash
    "─": "-",
    "“": '"',
    "”": '"',
    "\u2019": "'",
}
_TABLE = str.maketrans(LETTERS)


class Screen(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError  # errors.py ends commands whose reader has gone; Rich would end them with code 1


class Letters(io.TextIOBase):
    """A stream that writes to another in ASCII."""

    encoding = "ascii"  # from which Rich concludes that boxes are drawn with - and |

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        plain = unicodedata.normalize("NFKD", text.translate(_TABLE)).encode("ascii", "ignore").decode()
        return self._stream.write(plain)

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()


def only_letters(stream: TextIO) -> bool:
    """Whether suits have to be letters: by request (KIBITZ_ASCII), on a simple terminal, or in an encoding without."""
    if os.environ.get("KIBITZ_ASCII", "") not in ("", "0"):
        return True
    if stream.isatty() and os.environ.get("TERM") == "dumb":
        return True
    try:
        "♠♥♦♣".encode(codecs.lookup(stream.encoding or "utf-8").name)  # a stream in memory has none
    except (LookupError, UnicodeEncodeError):
        return True
    return False


def out() -> Console:
    """Standard output. Tables that go into a file or a pipe are not squeezed into 80 columns. Brackets are brackets:
    Rich would take those in names and hints for markup."""
    return _screen(None if sys.stdout.isatty() else 160)


def table() -> Console:
    """Standard output for people at a table, as wide as the terminal."""
    return _screen(None)


def _screen(width: int | None) -> Console:
    file = cast(IO[str], Letters(sys.stdout)) if only_letters(sys.stdout) else None
    return Screen(file=file, highlight=False, markup=False, width=width)


def note(message: str) -> None:
    """A remark beside the output: on stderr, so that what is piped stays clean."""
    print(message, file=sys.stderr)
