"""Matches between trained networks: every seed's networks play the same deals, in all seatings.

Two questions, two intervals. *These networks*: a deal is one observation (of all seeds together). *The method*: a
training is one observation, which is wide for three of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import kibitz
from kibitz._core import mix
from kibitz.arena.result import Deals
from kibitz.arena.seatings import permutations, rotations, seated
from kibitz.arena.stats import Floats, Interval, mean_interval, sides_of, winners
from kibitz.experiments.curves import over_seeds
from kibitz.experiments.matches import gap, judge, points, rate
from kibitz.experiments.report import Row, Table
from kibitz.experiments.run import Run
from kibitz.tables import native_agent


@dataclass(frozen=True)
class LineUp:
    """Who sits at a table: names, and for every seed the agents of these names."""

    name: str
    names: Sequence[str]
    agents: Sequence[Sequence[str]]  # [seed][agent], spec strings
    players: int

    def seatings(self) -> list[list[int]]:
        """All orders, if the agents differ; if all but the first are the same, each seat for the first."""
        n = self.players
        if len(set(self.names[1:])) == 1:
            return rotations(n)
        return permutations(n)


@dataclass(frozen=True)
class Played:
    """The matches of a line-up, one with each seed's networks."""

    line_up: LineUp
    matches: Sequence[Deals]  # [seed]

    @property
    def wins(self) -> Floats:
        """[seed, deal, agent], the share of the deal's games that it won."""
        return np.array([match.wins / match.seatings for match in self.matches])

    @property
    def rewards(self) -> Floats:
        """[seed, deal, agent], its mean payoff."""
        return np.array([match.payoffs / match.seatings for match in self.matches])

    @property
    def games(self) -> int:
        return int(self.wins.shape[0] * self.wins.shape[1]) * len(self.line_up.seatings())

    def win_rate(self, agent: int) -> Interval:
        return rate(self.wins[:, :, agent].mean(axis=0))

    def reward(self, agent: int) -> Interval:
        return mean_interval(self.rewards[:, :, agent].mean(axis=0), -1.0, 1.0)

    def lead(self, agent: int, other: int) -> Interval:
        """Of these networks."""
        wins = self.wins.mean(axis=0)
        return gap(wins[:, agent], wins[:, other])

    def lead_of_method(self, agent: int, other: int) -> Interval:
        wins = self.wins.mean(axis=1)
        return over_seeds(wins[:, agent] - wins[:, other], -1.0, 1.0)

    def rows(
        self, papers: Sequence[str], *, only: int | None = None, rewards: Sequence[str] | None = None
    ) -> list[Row]:
        """Win rates, and mean payoffs if the paper's are given (they may be empty)."""
        out = []
        for i in range(len(self.line_up.names)) if only is None else [only]:
            label, found = f"{self.line_up.name}: {self.line_up.names[i]}", self.win_rate(i)
            out.append(Row(label, papers[i], found, self.games, "{:.1%}"))
            if rewards is not None:
                found = self.reward(i)
                out.append(Row(f"{label}, reward", rewards[i], found, self.games))
        return out

    def judge(self, statement: str, agent: int, other: int) -> str:
        """Whether one wins more than the other: these networks, and the method."""
        by_seeds = self.lead_of_method(agent, other)
        verdict = judge(statement, self.lead(agent, other)).removesuffix(".")
        if by_seeds.low > 0:
            word = "holds with trainings as observations, too"
        elif by_seeds.high <= 0:
            word = "does not hold with trainings as observations"
        else:
            word = "is not decided with trainings as observations"
        return f"{verdict}; it {word} ({points(by_seeds)})."


def play_all(run: Run, stage: str, line_ups: Sequence[LineUp], games: int) -> list[Played]:
    """At least so many games of every line-up with each seed's networks."""
    units = [(line_up, seed) for line_up in line_ups for seed in range(len(line_up.agents))]
    found = run.units(stage, len(units), lambda unit: _play(run, *units[unit], games))
    out, at = [], 0
    for line_up in line_ups:
        mine = found[at : at + len(line_up.agents)]
        at += len(line_up.agents)
        out.append(Played(line_up, [_deals(line_up, part) for part in mine]))
    return out


def _play(run: Run, line_up: LineUp, seed: int, games: int) -> dict[str, Any]:
    """Wins and sums of payoffs, [deal][agent]; all line-ups and seeds play the same deals."""
    game = kibitz.make("uno", players=line_up.players, rules="rlcard")
    handles: dict[str, Any] = {spec: native_agent(game, spec) for spec in line_up.agents[seed]}
    agents = [handles[spec] for spec in line_up.agents[seed]]
    seatings = line_up.seatings()
    deals = -(-games // len(seatings))
    played = game.native_match(agents, seatings, mix(run.settings.seed, 77), 0, deals, run.threads)
    payoffs = np.asarray(played.payoffs)
    found = Deals.of(payoffs, *winners(payoffs, seated(sides_of(game), seatings)))
    return {"wins": found.wins.tolist(), "sums": found.payoffs.tolist()}


def _deals(line_up: LineUp, part: dict[str, Any]) -> Deals:
    wins = np.array(part["wins"], np.int64)
    none = np.zeros_like(wins)  # Uno always has one winner
    return Deals(wins, none, np.array(part["sums"], np.float64), none[:, 0], len(line_up.seatings()))


def table_of(played: Sequence[Played]) -> Table:
    """Every seed by itself."""
    lines = []
    for match in played:
        games = match.wins.shape[1] * len(match.line_up.seatings())
        for seed in range(match.wins.shape[0]):
            for i, name in enumerate(match.line_up.names):
                found = rate(match.wins[seed, :, i])
                mean = float(match.rewards[seed, :, i].mean())
                who = (match.line_up.name, match.line_up.players, name, seed)
                lines.append((*who, found.mean, found.low, found.high, mean, games))
    return Table(("line-up", "players", "agent", "seed", "win rate", "low95", "high95", "reward", "games"), lines)
