"""Other names for everything in a rulesheet, so that players cannot know a game by its words."""

from __future__ import annotations

import random

from kibitz.ggp import kif
from kibitz.ggp.kif import KEYWORDS, Term

_CONSONANTS, _VOWELS = "bcdfgklmnprstvz", "aeiou"


class Scrambler:
    """Translates names there and back. Keywords, numbers and `random` stay what they are."""

    def __init__(self, names: set[str], seed: int) -> None:
        rng = random.Random(seed)
        self._there: dict[str, str] = {}
        used = {name.lower() for name in names} | KEYWORDS | {"nil"}
        for name in sorted(names):
            if name.lower() in KEYWORDS or name.lower() == "nil" or _number(name):
                continue
            variable = "?" if name.startswith("?") else ""
            word = variable + _word(rng)
            while word.lower() in used:
                word += _word(rng)
            used.add(word)
            self._there[name] = word
        self._back = {new: old for old, new in self._there.items()}

    def there(self, term: Term) -> Term:
        return kif.renamed(term, lambda name: self._there.get(name, name))

    def back(self, term: Term) -> Term:
        """What a player said, in the names of the rulesheet. In upper case, too, from players that shout."""
        return kif.renamed(term, lambda name: self._back.get(name) or self._back.get(name.lower(), name))


class Plain(Scrambler):
    """Leaves all names as they are."""

    def __init__(self) -> None:
        super().__init__(set(), 0)


def _word(rng: random.Random) -> str:
    return "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(3))


def _number(name: str) -> bool:
    return name.lstrip("+-").isdigit()
