"""Sequential tests: stop a tournament where a question is decided, with an error that is stated and holds.

The question "A > B" is decided by the deals in which both sit. Each gives a score of A against B within 0..1, 1/2 among
equals (a deal is played under every sitting). A gambler who bets on "more than 1/2" with fair or worse odds hardly gets
rich if that is false: his capital is, whenever one looks, 1/e or more with probability e at most (Ville's inequality).
He splits his first capital among bets of different sizes, so none need be chosen beforehand, and his capital depends
on the counts of scores alone. No normal approximation enters, nor how often one looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from kibitz import meant
from kibitz.arena.plan import Plan
from kibitz.arena.standings import Meeting
from kibitz.arena.stats import Floats

STRONGER, WEAKER, EQUAL = "stronger", "weaker", "equal"
_SIZES = 0.95 * 2.0 ** (-np.arange(24) / 2)  # of bets, as shares of the largest that cannot ruin: down to 1/3000


@dataclass(frozen=True)
class Question:
    """Is agent `a` stronger than agent `b`? Numbers of the plan."""

    a: int
    b: int
    text: str

    @classmethod
    def of(cls, plan: Plan, text: str) -> Question:
        names = [part.strip() for part in text.split(">")]
        if len(names) != 2 or names[0] == names[1]:
            raise ValueError(f'bad question {text!r}: write it as in "rules > random", with two agents\' names')
        for name in names:
            if name not in plan.names:
                known = ", ".join(plan.names)
                raise ValueError(
                    f"unknown agent {name!r} in question {text!r}; there are: {known}{meant.hint(name, plan.names)}"
                )
        a, b = map(plan.names.index, names)
        if not any(a in agents and b in agents for agents, _ in plan.line_ups):
            raise ValueError(f"question {text!r}: the two never meet")
        return cls(a, b, f"{names[0]} > {names[1]}")


@dataclass(frozen=True)
class Answer:
    """What the games say to a question: `verdict` is empty while it is not decided."""

    question: Question
    verdict: str
    deals: int
    score: float  # of a against b
    error: float  # the most likely a wrong verdict is

    def __str__(self) -> str:
        what = {STRONGER: "yes", WEAKER: "no, the other is stronger", EQUAL: "equal within the margin"}
        found = what.get(self.verdict, "not decided")
        bound = f", wrong with probability at most {self.error:g}" if self.verdict else ""
        return f"{self.question.text}: {found} after {self.deals:,} deals (score {self.score:.4f}{bound})"


def answer(question: Question, meetings: Sequence[Meeting], error: float, margin: float) -> Answer:
    """From all deals in which both sat."""
    parts = [_scores(meeting, question) for meeting in meetings if meeting.deals]
    parts = [part for part in parts if len(part[0])]
    if not parts:
        return Answer(question, "", 0, 0.5, error)
    scores, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    deals = int(counts.sum())
    wanted = log(2 / error)  # two sides share the error

    def sure(mean: float, sign: int) -> bool:
        """Whether the mean is surely above, with sign 1, or below, with -1."""
        return capital(scores, counts, mean, sign) >= wanted

    verdict = ""
    if sure(0.5, 1):
        verdict = STRONGER
    elif sure(0.5, -1):
        verdict = WEAKER
    elif margin and sure(0.5 - margin, 1) and sure(0.5 + margin, -1):
        verdict = EQUAL
    return Answer(question, verdict, deals, float(scores @ counts) / deals, error)


def capital(scores: Floats, counts: Floats, mean: float, sign: int) -> float:
    """The logarithm of what a gambler has who bet 1 on scores above `mean` (below it, if sign is -1)."""
    bets = sign * _SIZES / (mean if sign > 0 else 1 - mean)
    grown = np.log1p(bets[:, None] * (scores - mean)) @ counts
    return float(np.logaddexp.reduce(grown) - log(len(bets)))


def _scores(meeting: Meeting, question: Question) -> tuple[Floats, Floats]:
    """Different scores of a deal, and how many deals had them."""
    if question.a not in meeting.agents or question.b not in meeting.agents:
        return np.zeros(0), np.zeros(0)
    won = meeting.claimed()
    a, b = meeting.agents.index(question.a), meeting.agents.index(question.b)
    scores = 0.5 + (won[:, a] - won[:, b]) / (2 * len(meeting.line_up.sittings))
    return scores, meeting.counts().astype(np.float64)
