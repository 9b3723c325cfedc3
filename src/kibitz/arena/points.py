"""Series: rounds of a game played until an agent has a number of points, as people play Uno to 500."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz import protocols
from kibitz._core import Seeds
from kibitz.arena.games import PlayedGame, recording
from kibitz.arena.match import OnChunk, Outcome, Progress, positive, prepare
from kibitz.arena.players import Player
from kibitz.arena.result import Chunk, SeriesResult
from kibitz.arena.run import Hire
from kibitz.arena.seatings import Seatings, seated
from kibitz.arena.stats import Bools, Floats, teams_of, winners
from kibitz.protocols import Agent, Game, can, facts
from kibitz.record import Series
from kibitz.registry import Policy


def series(
    game: str | Game,
    agents: Sequence[str | Agent | Policy],
    to: float = 500,
    series: int = 1000,
    seed: int = 0,
    threads: int = 1,
    progress: Progress | None = None,
    on_chunk: OnChunk | None = None,
    *,
    max_rounds: int = 200,
    native: bool = True,
    records: str | Path | None = None,
    hire: Hire | None = None,
) -> SeriesResult:
    """Plays `series` series to `to` points and says who won how many. Same seed, same result.

    The winners of a round (partners win together) each score their payoff if it is positive; nobody else scores, nor
    anybody in a drawn round. In a game whose payoffs are never negative (Belote) everybody scores the own one. Points
    that a round holds (`game.held`) go to the winners of the next round that has any and holds none itself.

    Agents move on by one seat after every round. The series ends when somebody has `to` points, and is won by whoever
    has most. It is drawn, for all who are level, if opponents share the most; and for everybody if nobody gets there
    within `max_rounds` rounds.

    Series come in groups, one with each rotation of the seats in the first round, all with the same deals: `series`
    is rounded up to whole groups, and a group is to the intervals what a deal is in `play`, where the other arguments
    are described. Games that count cards need to be made so: `make("uno", scoring="points")`.
    """
    setup = prepare(game, agents, seed, threads, "rotations", native)
    wanted, limit = positive("series", series), positive("max_rounds", max_rounds)
    most = float(setup.game.payoff_range[1])
    if not to > 0:
        raise ValueError(f"to must be more than 0 points, not {to}")
    if most * limit < to:
        of = facts(setup.game)
        scoring, counts = of.point_scoring, of.options.get("scoring") == of.point_scoring
        points = f"; make it with scoring={scoring!r}" if scoring and not counts else ""
        raise ValueError(
            f"{setup.game.name} pays at most {most:g} a round, so nobody can get {to:g} in {limit} rounds{points}"
        )
    groups = -(-wanted // len(setup.seatings))
    scorer, partners = Scorer(setup.game), partners_of(setup.game, setup.seatings)
    with recording(records, setup.game, setup.agents) as keep:
        outcome = Outcome(setup, groups, progress, on_chunk, keep, hire)
        outcome.run(SeriesTask(setup.player(keep=keep is not None), setup.seed, scorer, partners, float(to), limit))
    played = groups * len(setup.seatings)
    if played != wanted:
        outcome.notes.append(f"{wanted:,} series asked for: rounded up to {played:,}, one with every first seating")
    # Before the last round an agent has less than `to`; and what is held others have got, in ties, with less than `to`.
    fields = outcome.fields((0.0, to + most + (2 * to if scorer.holds else 0)))
    return SeriesResult(**fields, to=to, rounds=outcome.tally.rounds(), max_rounds=limit)


def partners_of(game: Game, seatings: Seatings) -> NDArray[np.int64]:
    """The sides of a series: [agent] -> the first agent who is its partner in every seating; itself if none is."""
    teams = seated(teams_of(game), seatings)
    same = (teams[:, :, None] == teams[:, None, :]).all(axis=0)
    return np.asarray(same.argmax(axis=1), np.int64)


@dataclass(frozen=True)
class Rounds:
    """What finished rounds are worth in a series; arrays [round, seating, agent] like the payoffs."""

    gains: Floats
    won: Bools  # who also gets what rounds before hold
    held: Floats  # [round, seating, 1]

    def settle(self, number: int, seatings: NDArray[np.int64], pot: Floats) -> tuple[Floats, Floats]:
        """Points of each agent [series, agent], and what is held afterwards [series, 1], `pot` being held before."""
        won = self.won[number, seatings]
        gains = self.gains[number, seatings] + np.where(won, pot, 0.0)
        return gains, np.where(won.any(axis=-1, keepdims=True), 0.0, pot + self.held[number, seatings])


@dataclass(frozen=True)
class Scorer:
    """How payoffs become points."""

    game: Game

    @property
    def holds(self) -> bool:
        return can(self.game, "held")

    def __call__(self, payoffs: Floats, won: Bools) -> Rounds:
        """Of rounds that were played, [round, seating, agent]."""
        everybody = self.game.payoff_range[0] >= 0
        gains = np.where(won | everybody, np.maximum(payoffs, 0.0), 0.0)
        held = np.zeros((*payoffs.shape[:-1], 1))
        if self.holds:
            for at in np.ndindex(*payoffs.shape[:-1]):
                held[at] = protocols.held(self.game, payoffs[at].tolist())
        return Rounds(gains, won & (held == 0), held)


@dataclass
class Group:
    """What came of a group of series: points, decisions, seconds and timed decisions, each [series, agent]."""

    totals: list[NDArray[Any]]
    games: list[list[PlayedGame]]  # of each series, where they are to be kept
    rounds: int = 0


@dataclass
class SeriesTask:
    """Plays groups of series; a group has one series per rotation.

    Group g uses the deals of the match seed `Seeds(seed).series(g)`: round r of its series k is deal r in seating
    (k + r) mod n. So the series of a group together use every seating of every deal once, and none is played for
    nothing before one ends.
    """

    player: Player
    seed: int
    scorer: Scorer
    partners: NDArray[np.int64]  # [agent]
    to: float
    max_rounds: int

    def __call__(self, first: int, count: int) -> Chunk:
        seeds = Seeds(self.seed)
        groups = [self._group(seeds.series(group)) for group in range(first, first + count)]
        stacked = [np.stack(arrays) for arrays in zip(*(group.totals for group in groups), strict=True)]
        points, decisions, seconds, timed = stacked
        won, tied = winners(points, self.partners)
        finished = points.max(axis=-1, keepdims=True) >= self.to
        rounds = sum(group.rounds for group in groups)
        games = [game for group in groups for series in group.games for game in series]
        return Chunk(first, points, won & finished, tied | ~finished, decisions, seconds, timed, rounds, games)

    def _group(self, seed: int) -> Group:
        n = len(self.partners)
        totals: list[NDArray[Any]] = [np.zeros((n, n), kind) for kind in (np.float64, np.uint32, np.float64, np.uint32)]
        group = Group(totals, [[] for _ in range(n)])
        running, pot = np.ones(n, np.bool_), np.zeros((n, 1))
        for start in range(0, self.max_rounds, self.player.block):
            count = min(self.player.block, self.max_rounds - start)
            played = self.player.deals(seed, start, count)
            scored = self.scorer(played.payoffs, played.won)
            parts: list[NDArray[Any]] = [played.decisions, played.seconds, played.timed]
            for r in range(count):
                seating = (np.arange(n) + start + r)[running] % n
                if self.player.keep:
                    self._keep(group, start + r, np.flatnonzero(running), pot, played.games[r * n : (r + 1) * n])
                gains, pot[running] = scored.settle(r, seating, pot[running])
                totals[0][running] += gains
                for total, part in zip(totals[1:], parts, strict=True):
                    total[running] += part[r, seating]
                group.rounds += len(seating)
                running &= totals[0].max(axis=1) < self.to
            if not running.any():
                break
        return group

    def _keep(
        self, group: Group, number: int, running: NDArray[np.int64], pot: Floats, played: Sequence[PlayedGame]
    ) -> None:
        """The games of a round [seating] in the series that are not over yet, with the points before it."""
        for k in running.tolist():
            game = played[(k + number) % len(played)]
            scores = tuple(group.totals[0][k, game.agents].tolist())
            series = Series(self.to, number, scores, pot[k].item())
            group.games[k].append(replace(game, series=series))
