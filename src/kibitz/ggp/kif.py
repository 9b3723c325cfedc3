"""Lists of names, as rulesheets, messages and moves are made of: a name is a str, a list a tuple of terms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

Term = str | tuple["Term", ...]

MOST_DEPTH = 400  # of lists within lists, the same as for rulesheets

# Relations and connectives of the language, which may be written in any case.
RELATIONS = ("role", "init", "true", "next", "legal", "does", "goal", "terminal", "base", "input", "sees")
KEYWORDS = frozenset((*RELATIONS, "random", "<=", "not", "or", "and", "distinct"))

_TOKEN = re.compile(r"[()]|[^\s();]+|;[^\r\n]*", re.ASCII)  # other spaces are parts of names, as in the engine


def parse(text: str) -> list[Term]:
    """All terms of a text, one after the other. ValueError says what is wrong."""
    open_lists: list[list[Term]] = [[]]
    for found in _TOKEN.finditer(text):
        token = found[0]
        if token == "(":
            if len(open_lists) > MOST_DEPTH:
                raise ValueError(f"lists are nested more than {MOST_DEPTH} deep")
            open_lists.append([])
        elif token == ")":
            if len(open_lists) == 1:
                raise ValueError("a ')' closes nothing")
            done = tuple(open_lists.pop())
            open_lists[-1].append(done)
        elif not token.startswith(";"):
            open_lists[-1].append(token)
    if len(open_lists) > 1:
        raise ValueError(f"{len(open_lists) - 1} lists are not closed")
    return open_lists[0]


def parse_one(text: str) -> Term:
    """The only term of a text."""
    terms = parse(text)
    if len(terms) != 1:
        raise ValueError(f"one term is expected, not {len(terms)}")
    return terms[0]


def text(term: Term) -> str:
    """As positions and records have it: (mark 1 2)."""
    return term if isinstance(term, str) else f"({' '.join(map(text, term))})"


def spaced(term: Term) -> str:
    """As public servers write it: ( mark 1 2 )."""
    return term if isinstance(term, str) else " ".join(["(", *map(spaced, term), ")"])


def is_nil(term: Term) -> bool:
    """NIL, in any case, stands for nothing; so does an empty list."""
    return not term or (isinstance(term, str) and term.lower() == "nil")


def word(term: Term) -> str:
    """The keyword that a term is or begins with; empty if it is none."""
    name = term if isinstance(term, str) else term[0] if term else ""
    return name.lower() if isinstance(name, str) and name.lower() in KEYWORDS else ""


def renamed(term: Term, new: Callable[[str], str]) -> Term:
    """The same term with other names."""
    return new(term) if isinstance(term, str) else tuple(renamed(part, new) for part in term)


def names(terms: Iterable[Term]) -> set[str]:
    """All names in the terms."""
    found: set[str] = set()
    waiting = list(terms)
    while waiting:
        term = waiting.pop()
        if isinstance(term, str):
            found.add(term)
        else:
            waiting.extend(term)
    return found


def fresh(name: str, taken: set[str]) -> str:
    """The name, or one like it that is not taken, whatever the case."""
    lower = {other.lower() for other in taken}
    while name.lower() in lower:
        name += "_"
    return name


def choose(term: Term, among: Iterable[str]) -> str | None:
    """Which of the texts the term is. Names count exactly; older programs change the case of everything, so that a
    term that is only in another case is taken, too, if it can mean one thing only."""
    wanted = text(term)
    options = list(among)
    if wanted in options:
        return wanted
    similar = [option for option in options if option.lower() == wanted.lower()]
    return similar[0] if len(similar) == 1 else None
