"""What a match needs of a rulesheet: whose moves are legal, what they lead to, who sees what, and who gets what.

As a game (`kibitz.make("gdl", ...)`) a rulesheet asks only those who have a choice, and plays the role random itself.
In a match every role moves in every turn, and somebody else plays random. So the referee has the engine play a slightly
different rulesheet: random is a role like all others, and where nothing hides anything, a percept that nobody ever gets
makes the engine ask everybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import kibitz
from kibitz.ggp import kif
from kibitz.ggp.kif import Term

MOST_TURNS = 10_000


class Rules:
    """A rulesheet taken apart as far as matches need it; whether it is sound is the engine's business."""

    def __init__(self, items: Iterable[Term]) -> None:
        self.items = tuple(items)
        self.names = kif.names(self.items)
        heads = [_head(item) for item in self.items]
        facts = (head[1] for head in heads if isinstance(head, tuple) and len(head) == 2 and kif.word(head) == "role")
        self.roles = list(dict.fromkeys(kif.text(role) for role in facts))
        self.hidden = any(kif.word(head) == "sees" for head in heads)
        self.games: dict[Any, Any] = {}  # those that referees have made of it, by their options

    @property
    def seats(self) -> list[str]:
        """The roles that somebody plays: all but random."""
        return [role for role in self.roles if role.lower() != "random"]

    def text(self) -> str:
        return rule_text(self.items)


def rule_text(items: Iterable[Term]) -> str:
    return "\n".join(map(kif.text, items)) + "\n"


def read_rules(text: str) -> Rules:
    """The rules of a text, checked by the engine; ValueError tells what is wrong."""
    findings = [finding for finding in kibitz.gdl.check(text) if finding.error]
    if findings:
        more = f" (and {len(findings) - 1} more errors, which kibitz gdl check tells)" if len(findings) > 1 else ""
        raise ValueError(f"the rulesheet has errors: {findings[0]}{more}")
    return Rules(kif.parse(text))


def _head(item: Term) -> Term:
    return item[1] if isinstance(item, tuple) and len(item) > 1 and item[0] == "<=" else item


class Referee:
    """A running match. Texts of moves, fluents and percepts are those of the rulesheet; lists have one entry per role,
    in the order of the rulesheet, random included."""

    def __init__(self, rules: Rules, **options: Any) -> None:
        """`options` of the engine."""
        self.rules = rules
        self.roles = rules.roles
        self._chance = kif.fresh("chance", rules.names)
        items = [kif.renamed(item, self._inwards) for item in rules.items]
        if not rules.hidden:
            nothing = kif.fresh("nothing", rules.names)
            first = kif.renamed(kif.parse_one(self.roles[0]), self._inwards) if self.roles else nothing
            items.append(("<=", ("sees", first, nothing), ("does", first, nothing)))
        key = tuple(sorted(options.items()))
        if key not in rules.games:
            rules.games[key] = kibitz.make("gdl", **({"text": rule_text(items), "turns": MOST_TURNS} | options))
        self.game = rules.games[key]
        if len(self.game.about["roles"]) != len(self.roles):
            raise ValueError(f"the roles of the rulesheet are unclear: {', '.join(self.roles)}")
        self.state = self.game.deal()
        self.turn = 0
        self._legal: list[dict[str, int]] | None = None

    def _inwards(self, name: str) -> str:
        return self._chance if name.lower() == "random" else name

    def _outwards(self, text: str) -> str:
        if self._chance not in text:
            return text
        return kif.text(kif.renamed(kif.parse_one(text), lambda name: "random" if name == self._chance else name))

    @property
    def over(self) -> bool:
        return bool(self.state.over)

    @property
    def goals(self) -> list[int]:
        return [round(goal) for goal in self.state.payoffs]

    def _moves(self) -> list[dict[str, int]]:
        """Per role: the legal moves and their ids."""
        if self._legal is None:
            self._legal = []
            at = self.state.copy()
            for role in range(len(self.roles) if not self.over else 0):
                ids = at.legal()
                self._legal.append({self._outwards(self.game.text(action)): action for action in ids})
                if role + 1 < len(self.roles):
                    at.apply(ids[0])
        return self._legal

    def legal(self) -> list[list[str]]:
        """What each role may do; empty when the match is over."""
        return [list(moves) for moves in self._moves()]

    def play(self, moves: Sequence[str]) -> None:
        """The legal moves of all roles; ValueError otherwise, and nothing is changed."""
        legal = self._moves()
        if len(moves) != len(legal):
            raise ValueError(f"there are {len(legal)} roles to move, not {len(moves)}")
        for role, move, known in zip(self.roles, moves, legal, strict=True):
            if move not in known:
                raise ValueError(f"{move} is not legal for {role}")
        for move, known in zip(moves, legal, strict=True):
            self.state.apply(known[move])
        self.turn += 1
        self._legal = None

    def fluents(self) -> list[str]:
        """What holds now."""
        return [self._outwards(fluent) for fluent in self.game.position(self.state)["fluents"]]

    def percepts(self) -> list[list[str]]:
        """What each role saw of the last turn."""
        views = (self.state.view(seat) for seat in range(len(self.roles)))
        return [[self._outwards(seen) for seen in self.game.position(view)["past"][-1]["sees"]] for view in views]

    def picture(self) -> str:
        """The position as a drawing: cells as a board, the rest as text."""
        lines = str(self.state).splitlines()[1:]  # the first is for those who play at this table
        if self.over and lines:
            lines.pop()  # the goals
        return re.sub(rf"(?<![^\s()]){re.escape(self._chance)}(?![^\s()])", "random", "\n".join(lines))


def goals_that_hold(rules: Rules, fluents: Sequence[str]) -> dict[str, list[int]]:
    """Per role all goals that hold in a position; a sound rulesheet has exactly one for each at the end.

    Asked of a game with one role whose legal moves are the goals, and in which only these fluents can come to hold.
    """
    taken = set(rules.names)
    ours = {word: kif.fresh(f"its_{word}", taken) for word in ("role", "legal", "goal", "terminal", "random")}
    asker, wait, pause, goal_is = (kif.fresh(name, taken) for name in ("asker", "wait", "pause", "goal_is"))

    def inwards(term: Term) -> Term:
        return kif.renamed(term, lambda name: ours.get(name.lower(), name))

    goal = (goal_is, "?role", "?goal")
    position = [inwards(kif.parse_one(fluent)) for fluent in fluents]
    items: list[Term] = [("role", asker), ("legal", asker, wait), ("legal", asker, pause)]
    items.append(("<=", ("legal", asker, goal), (ours["goal"], *goal[1:])))
    items += [("<=", ("next", fluent), ("does", asker, wait)) for fluent in position]
    items += [inwards(item) for item in rules.items if kif.word(_head(item)) not in _DYNAMIC]
    game = kibitz.make("gdl", text=rule_text(items))
    state = game.from_position({"game": "gdl", "version": 1, "fluents": [kif.text(fluent) for fluent in position]})
    found: dict[str, list[int]] = {role: [] for role in rules.roles}
    for action in state.legal():
        move = kif.parse_one(game.text(action))
        if isinstance(move, tuple) and move[0] == goal_is:
            role = kif.text(move[1])
            found.setdefault("random" if role == ours["random"] else role, []).append(int(kif.text(move[2])))
    return found


_DYNAMIC = ("init", "next", "sees", "base", "input")
