"""Did you mean …? The nearest of the words that are allowed, for errors about one that is not."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

NEAR = 0.6  # of difflib: what is less alike is no slip of the finger
ASKED = "did you mean"

# Our errors quote what was wrong and list what is allowed: "unknown game 'un'; known games: belote, hex, uno".
_REFUSAL = re.compile(
    r"(?:unknown [\w ]*'(?P<before>[^']+)'|'(?P<after>[^']+)' is unknown|there is no [\w ]*'(?P<missing>[^']+)')"
    r"[^;]*; (?:[^:;]*: |there are )(?P<allowed>[^;]+)"
)


def nearest(wrong: str, allowed: Iterable[str]) -> str | None:
    """The most similar word, whatever its case; None where nothing is similar."""
    words = {word.casefold(): word for word in allowed}
    found = difflib.get_close_matches(wrong.casefold(), words, n=1, cutoff=NEAR)
    return words[found[0]] if found else None


def hint(wrong: str, allowed: Iterable[str]) -> str:
    """A question to put behind an error; empty where nothing is similar."""
    word = nearest(wrong, allowed)
    return "" if word is None else f"; {ASKED} {word!r}?"


def asked(message: str) -> str:
    """An error with the question behind it, if it says what is allowed and that has something similar."""
    found = _REFUSAL.search(message)
    if found is None or ASKED in message:
        return message
    wrong = found["before"] or found["after"] or found["missing"]
    return message + hint(wrong, [word.strip() for word in found["allowed"].split(",")])
