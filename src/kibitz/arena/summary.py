"""A tournament in figures: plain values, the same whenever they are made from the same games. Reports show them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from kibitz import advice, registry
from kibitz.arena.plan import Plan
from kibitz.arena.ratings import SAMPLES, Rating, cycles, fixed_in, rate
from kibitz.arena.regret import Regret, regrets
from kibitz.arena.standings import AgentFigures, Pair, Standings
from kibitz.arena.store import Store
from kibitz.arena.tournament import Outcome, outcome

FORMAT = "kibitz tournament result"
VERSION = 1


@dataclass(frozen=True)
class Line:
    """An agent's figures; `plays` is the agent behind a level."""

    figures: AgentFigures
    rating: Rating
    plays: str

    @property
    def name(self) -> str:
        return self.figures.name


@dataclass(frozen=True)
class Summary:
    """Everything that a report shows; lines best first."""

    plan: Plan
    outcome: Outcome
    lines: list[Line]
    cycles: list[tuple[str, ...]]
    regrets: list[Regret]

    @property
    def standings(self) -> Standings:
        return self.outcome.standings

    def pair(self, a: str, b: str) -> Pair | None:
        """Of two agents' names, where they have met."""
        names = self.plan.names
        return self.standings.pairs.get((names.index(a), names.index(b)))

    def title(self) -> str:
        return self.plan.title or f"{self.plan.game}: {len(self.plan.agents)} agents"

    def what(self) -> list[str]:
        """What was played, in sentences."""
        plan, standings = self.plan, self.standings
        options = ", ".join(f"{key}={value}" for key, value in plan.options if value not in (False, None))
        per_line_up = len(plan.line_ups[0][1].sittings)
        kind = f"gauntlet of {plan.gauntlet}" if plan.gauntlet else "round robin"
        said = [
            f"{plan.game}{f' ({options})' if options else ''}: {standings.games:,} games, {kind} of "
            f"{len(plan.agents)} agents, {len(plan.line_ups):,} line-ups of {plan.together}, every deal under "
            f"{per_line_up} sittings, seed {plan.seed}, Kibitz {plan.kibitz}."
        ]
        if not self.outcome.complete:
            said.append(f"Not complete: {self.outcome.played:,} of {plan.played:,} games are played.")
        said += [f"Question {found}." for found in self.outcome.answers]
        return said

    def scale(self) -> str:
        """What a rating means."""
        fixed = fixed_in(self.plan.anchors, self.plan.names)
        named = ", ".join(f"{name} = {value:g}" for name, value in fixed.items()) or "none plays: the mean is 0"
        model = "Bradley-Terry" if self.plan.together == 2 else "Plackett-Luce (winners)"
        return (
            f"{model}, 400 points for odds of 10 to 1; anchors, version {self.plan.anchors.version}: {named}. "
            f"Intervals are 95%: of ratings by {SAMPLES} bootstrap samples of deals, of shares from the variance "
            f"between deals."
        )

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; times, which differ from run to run, are left out."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "title": self.title(),
            "game": self.plan.game,
            "options": dict(self.plan.options),
            "seed": self.plan.seed,
            "kibitz": self.plan.kibitz,
            "games": self.standings.games,
            "drawn": self.standings.drawn,
            "line_ups": len(self.plan.line_ups),
            "sittings": len(self.plan.line_ups[0][1].sittings),
            "complete": self.outcome.complete,
            "anchors": asdict(self.plan.anchors),
            "agents": [_agent(line) for line in self.lines],
            "pairs": [self._pair(pair) for pair in self.standings.pairs.values() if pair.a < pair.b],
            "cycles": [list(ring) for ring in self.cycles],
            "answers": [_answer(found) for found in self.outcome.answers],
            "regrets": [asdict(regret) for regret in self.regrets],
        }

    def _pair(self, pair: Pair) -> dict[str, Any]:
        names = self.plan.names
        return {"a": names[pair.a], "b": names[pair.b], "games": pair.games, "share": pair.share.to_dict()}


def _agent(line: Line) -> dict[str, Any]:
    figures = line.figures
    return {
        "name": figures.name,
        "spec": figures.spec,
        "plays": line.plays,
        "cheats": figures.cheats,
        "rating": line.rating.points.to_dict(),
        "anchor": line.rating.anchor,
        "games": figures.games,
        "share": figures.share.to_dict(),
        "payoff": figures.payoff.to_dict(),
        "decisions": figures.decisions,
    }


def _answer(found: Any) -> dict[str, Any]:
    return {
        "question": found.question.text,
        "verdict": found.verdict or None,
        "deals": found.deals,
        "score": found.score,
        "error": found.error,
    }


def summary(store: Store) -> Summary:
    """Of what a store has."""
    found = outcome(store)
    plan = found.standings.plan
    if not found.standings.games:
        raise ValueError(f"{store.path}: no game is played yet")
    lines = [
        Line(figures, rating, _plays(plan, figures.spec))
        for figures, rating in zip(found.standings.agents, rate(found.standings), strict=True)
    ]
    lines.sort(key=lambda line: (-line.rating.points.mean, line.name))
    rings = [tuple(plan.names[agent] for agent in ring) for ring in cycles(found.standings.pairs)]
    return Summary(plan, found, lines, rings, regrets(plan, list(store.regrets().values())))


def _plays(plan: Plan, spec: str) -> str:
    parsed = registry.parse_spec(spec)
    return advice.level(plan.made, parsed.source).spec if parsed.name == "level" and parsed.source else spec
