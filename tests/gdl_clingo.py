"""Rulesheets by an answer set solver (clingo): what holds in a position, from nobody's reasoner here.

A rulesheet is a stratified logic program, and so has one answer set. Names are numbered, since those of rulesheets may
have any characters; relations of the language keep theirs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import clingo

ASKED = {"role": 1, "init": 1, "legal": 2, "goal": 2, "terminal": 0, "next": 1, "sees": 2}
WORDS = {*ASKED, "true", "does", "base", "input"}


def read(text: str) -> list[Any]:
    """The lists of a text; a list of one name is the name."""
    stack: list[list[Any]] = [[]]
    for token in re.findall(r"[()]|[^\s();]+", re.sub(r";[^\r\n]*", "", text), re.ASCII):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done[0] if len(done) == 1 else done)
        else:
            stack[-1].append(token)
    return stack[0]


def word(item: Any) -> str:
    name = item if isinstance(item, str) else item[0]
    return name.lower() if isinstance(name, str) else ""


def alternatives(condition: Any, holds: bool = True) -> Iterator[list[tuple[Any, bool]]]:
    """A condition as a choice of conjunctions of atoms that hold or do not."""
    if word(condition) == "not":
        yield from alternatives(condition[1], not holds)
    elif word(condition) in ("or", "and"):
        parts = [list(alternatives(part, holds)) for part in condition[1:]]
        if (word(condition) == "or") == holds:
            yield from (one for part in parts for one in part)
        else:
            yield from ([atom for one in choice for atom in one] for choice in product(*parts))
    else:
        yield [(condition, holds)]


@dataclass
class Answers:
    legal: list[set[str]]  # per role
    goals: list[set[int]]
    over: bool
    next: set[str]
    sees: list[set[str]]


class Solver:
    def __init__(self, text: str) -> None:
        self.names: list[str] = []
        self.numbers: dict[str, int] = {}
        rules = (line for item in read(text) for line in self._rule(item))
        self.program = "\n".join([*rules, *(f"#show k_{name}/{arity}." for name, arity in ASKED.items())])
        found = self._solve([])
        heads = (item[1] if word(item) == "<=" else item for item in read(text))
        self.roles = list(dict.fromkeys(head[1] for head in heads if word(head) == "role"))
        assert set(self.roles) == {role for (role,) in found["role"]}
        self.init = {fluent for (fluent,) in found["init"]}

    def ask(self, fluents: Iterable[str], moves: Sequence[str] | None = None) -> Answers:
        """Of a position, and of what comes of it when every role makes its move."""
        facts = [f"k_true({self._term(item)})." for fluent in fluents for item in read(fluent)]
        for role, move in zip(self.roles, moves or (), strict=moves is not None):
            facts.append(f"k_does({self._term(role)}, {self._term(read(move)[0])}).")
        found = self._solve(facts)

        def of(name: str) -> list[set[str]]:
            return [{what for whose, what in found[name] if whose == role} for role in self.roles]

        goals = [{int(goal) for goal in goals} for goals in of("goal")]
        after = {fluent for (fluent,) in found["next"]}
        return Answers(of("legal"), goals, bool(found["terminal"]), after, of("sees"))

    def _solve(self, facts: list[str]) -> dict[str, list[list[str]]]:
        control = clingo.Control(["--warn=none", "--models=2"])
        control.add("base", [], "\n".join([self.program, *facts]))
        control.ground([("base", [])])
        found: dict[str, list[list[str]]] = {name: [] for name in ASKED}
        with control.solve(yield_=True) as models:
            answers = [model.symbols(shown=True) for model in models]
        assert len(answers) == 1
        for symbol in answers[0]:
            found[symbol.name[2:]].append([self._text(part) for part in symbol.arguments])
        return found

    def _rule(self, item: Any) -> Iterator[str]:
        head, *body = item[1:] if word(item) == "<=" else [item]
        for choice in product(*(list(alternatives(condition)) for condition in body)):
            atoms = [self._literal(atom, holds) for one in choice for atom, holds in one]
            yield f"{self._atom(head)}{' :- ' if atoms else ''}{', '.join(atoms)}."

    def _literal(self, atom: Any, holds: bool) -> str:
        if word(atom) == "distinct":
            return f"{self._term(atom[1])} {'!=' if holds else '='} {self._term(atom[2])}"
        return f"{'' if holds else 'not '}{self._atom(atom)}"

    def _atom(self, atom: Any) -> str:
        name, *parts = [atom] if isinstance(atom, str) else atom
        relation = f"k_{name.lower()}" if name.lower() in WORDS else f"r{self._number(name)}"
        return self._call(relation, parts)

    def _term(self, term: Any) -> str:
        if isinstance(term, str):
            return f"{'V' if term.startswith('?') else 'n'}{self._number(term)}"
        return self._call(f"n{self._number(term[0])}", term[1:])

    def _call(self, name: str, parts: Sequence[Any]) -> str:
        return f"{name}({', '.join(map(self._term, parts))})" if parts else name

    def _number(self, name: str) -> int:
        if name not in self.numbers:
            self.numbers[name] = len(self.names)
            self.names.append(name)
        return self.numbers[name]

    def _text(self, symbol: clingo.Symbol) -> str:
        name = self.names[int(symbol.name[1:])]
        return f"({' '.join([name, *map(self._text, symbol.arguments)])})" if symbol.arguments else name
