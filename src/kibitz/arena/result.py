"""What a match gave, in three shapes, each for a reason.

Chunk        raw games, [deal, seating, agent]: what the players of a match hand over, and `on_chunk` gets. Nobody keeps
             them: a billion games would not fit into memory.
Deals        what each deal gave each agent, [deal, agent]. A deal is the unit of observation, and experiments compare
             agents deal by deal.
MatchResult  what is reported: numbers for programs, a table for people. A Tally makes it of chunks, of which it keeps
             nothing but sums.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from kibitz.arena.games import PlayedGame
from kibitz.arena.stats import Bools, Floats, Interval, Moments, mean_interval, rate_interval, winners

if TYPE_CHECKING:
    from rich.table import Table


@dataclass(frozen=True)
class Chunk:
    """Deals `first` to `first + len(payoffs) - 1` of a match; arrays are indexed [deal, seating, agent]."""

    first: int
    payoffs: Floats
    won: Bools
    tied: Bools  # among the best of a drawn game
    decisions: NDArray[np.uint32]
    seconds: Floats  # spent by the agent on `timed` of its decisions
    timed: NDArray[np.uint32]
    rounds: int  # games played; more than one per deal and seating in a series
    games: Sequence[PlayedGame] = ()  # those of a deal together, where they are to be kept

    @classmethod
    def of(
        cls,
        first: int,
        payoffs: Floats,
        sides: NDArray[np.int64],
        decisions: NDArray[np.uint32],
        seconds: Floats,
        timed: NDArray[np.uint32],
        games: Sequence[PlayedGame] = (),
    ) -> Self:
        """Single games, won by `sides` [seating, agent]."""
        won, tied = winners(payoffs, sides)
        return cls(first, payoffs, won, tied, decisions, seconds, timed, payoffs.shape[0] * payoffs.shape[1], games)


@dataclass(frozen=True)
class Deals:
    """What each deal gave each agent; arrays [deal, agent] have sums over the games of the deal, one per seating."""

    wins: NDArray[np.int64]
    ties: NDArray[np.int64]  # drawn games in which it was among the best
    payoffs: Floats
    drawn: NDArray[np.int64]  # [deal], games without a winner
    seatings: int
    payoff_range: tuple[float, float] = (-math.inf, math.inf)
    seconds: Sequence[float] = ()  # [agent], of all deals; empty where nothing was timed
    moves: Sequence[int] = ()  # likewise, those that were timed

    @classmethod
    def of(cls, payoffs: Floats, won: Bools, tied: Bools) -> Self:
        """From arrays of games, [deal, seating, agent]."""
        deals, seatings, agents = payoffs.shape
        total = np.zeros((deals, agents))
        for k in range(seatings):  # not payoffs.sum(axis=1): NumPy may add in another order for another shape
            total += payoffs[:, k]
        return cls(won.sum(axis=1), tied.sum(axis=1), total, (~won.any(axis=-1)).sum(axis=1), seatings)

    @property
    def games(self) -> int:
        return len(self.payoffs) * self.seatings

    def shares(self, agent: int = 0, draw: float = 0.5) -> Floats:
        """Per deal, the share of its games that the agent won; a drawn one counts `draw`."""
        shares: Floats = (self.wins[:, agent] + draw * self.ties[:, agent]) / self.seatings
        return shares

    def gains(self, agent: int = 0) -> Floats:
        """Per deal, the mean payoff over its seatings."""
        gains: Floats = self.payoffs[:, agent] / self.seatings
        return gains

    def win_rate(self, agent: int = 0, draw: float = 0.5) -> Interval:
        return rate_interval(self.shares(agent, draw))

    def gain(self, agent: int = 0) -> Interval:
        return mean_interval(self.gains(agent), *self.payoff_range)

    def milliseconds(self, agents: Sequence[int]) -> float:
        """Per move of these agents."""
        moves = sum(self.moves[agent] for agent in agents)
        return 1e3 * sum(self.seconds[agent] for agent in agents) / moves if moves else 0.0


@dataclass(frozen=True)
class AgentResult:
    """One agent's part; the intervals are 95% and cluster-robust (see `kibitz.arena.stats`)."""

    name: str
    cheats: bool  # it saw the hidden cards
    wins: int
    draws: int  # drawn games in which it was among the best
    losses: int
    win_rate: Interval
    payoff: Interval
    decisions: int
    decisions_per_game: float
    seat_win_rates: list[float | None]
    microseconds_per_move: float | None = field(compare=False)  # None: too few games to have timed any

    def to_dict(self) -> dict[str, Any]:
        return vars(self) | {"win_rate": self.win_rate.to_dict(), "payoff": self.payoff.to_dict()}

    def row(self) -> dict[str, Any]:
        """The same, flat."""
        row: dict[str, Any] = {}
        for key, value in vars(self).items():
            if isinstance(value, Interval):
                mean = value.to_dict()["mean"]
                row |= {key: mean, f"{key}_low": value.low, f"{key}_high": value.high}
            elif key != "seat_win_rates":
                row[key] = value
        return row | {f"seat_{seat}_win_rate": rate for seat, rate in enumerate(self.seat_win_rates)}


@dataclass(frozen=True)
class MatchResult:
    """A finished or interrupted match.

    Every deal was played under each of `seatings`, so the games of one deal are correlated: all intervals take the
    variance between deal means, and a match is as informative as it has deals. Equal results compare equal: times and
    notes, which differ between runs, are left out of the comparison.
    """

    game: str
    options: dict[str, Any]
    seed: int
    games: int
    deals: int
    seatings: int
    drawn: int  # games without a winner
    agents: list[AgentResult]
    interrupted: bool = False
    native: bool = field(default=False, compare=False)  # played inside the core
    seconds: float = field(default=0.0, compare=False)
    notes: list[str] = field(default_factory=list, compare=False)

    _kind = "match"
    _unit = "game"
    _unit_plural = "games"
    _gain = "mean payoff"
    _by_seat = "win %\nby seat"

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {"version": 1, "kind": self._kind} | vars(self) | {"agents": [agent.to_dict() for agent in self.agents]}

    def to_csv(self) -> str:
        """One line per agent under a line of names."""
        rows = [agent.row() for agent in self.agents]
        text = io.StringIO()
        writer = csv.DictWriter(text, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    def title(self) -> str:
        """What was played, in one line."""
        options = ", ".join(f"{key}={value}" for key, value in self.options.items() if value not in (False, None))
        game = self.game + (f" ({options})" if options else "")
        return f"{game}: {self.games:,} {self._unit_plural} ({self._shape()}), seed {self.seed}"

    def _shape(self) -> str:
        return f"{self.deals:,} deals, each under {self.seatings} seating{'s' * (self.seatings != 1)}"

    def table(self) -> Table:
        """For the terminal."""
        from rich.table import Table
        from rich.text import Text

        # As Text, since Rich would take brackets in names of files for markup.
        title = Text(self.title(), style="table.title")
        caption = Text("\n".join(self._remarks()), style="table.caption")
        table = Table(title=title, caption=caption, title_justify="left", caption_justify="left")
        table.add_column("agent")
        headings = ["wins", "win rate", self._gain, "draws", f"decisions\n/{self._unit}", "µs/move", self._by_seat]
        alone = len(self.agents) == 1  # who plays alone neither wins nor draws
        shown = [i for i, heading in enumerate(headings) if not (alone and ("win" in heading or heading == "draws"))]
        for i in shown:
            table.add_column(headings[i], justify="right")
        for agent in self.agents:
            name, *cells = _cells(agent)
            table.add_row(Text(name), *(cells[i] for i in shown))
        return table

    def _remarks(self) -> list[str]:
        remarks = ["in brackets: 95% intervals from the variance between deals", *self.notes]
        if self.interrupted:
            remarks.append("interrupted: only what was finished is counted")
        return remarks

    def _repr_html_(self) -> str:
        from kibitz import html

        return html.result(self)

    def __str__(self) -> str:
        from rich.console import Console

        text = io.StringIO()
        Console(file=text, width=160, color_system=None, force_terminal=False, legacy_windows=False).print(self.table())
        return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


@dataclass(frozen=True)
class SeriesResult(MatchResult):
    """A match of series: `games` counts series, payoffs are the points at their end, seats those of the first round."""

    to: float = 0.0
    rounds: int = 0  # of all series together
    max_rounds: int = 0

    _kind = "series"
    _unit = "series"
    _unit_plural = "series"
    _gain = "mean points"
    _by_seat = "win %\nby first seat"

    def _shape(self) -> str:
        return f"{self.deals:,} groups, one with each of {self.seatings} first seatings"

    def title(self) -> str:
        each = self.rounds / self.games if self.games else 0.0
        return f"{super().title()}, to {self.to:g} points ({each:.1f} rounds each)"


def _cells(agent: AgentResult) -> list[str]:
    rate, payoff, time = agent.win_rate, agent.payoff, agent.microseconds_per_move
    known = not math.isnan(rate.mean)
    digits = 4 if payoff.high - payoff.low < 1 else 1  # payoffs of 1 or so, or points
    return [
        agent.name + (" (cheats)" if agent.cheats else ""),
        f"{agent.wins:,}",
        f"{100 * rate.mean:.2f}% [{100 * rate.low:.2f}, {100 * rate.high:.2f}]" if known else "-",
        f"{payoff.mean:.{digits}f} [{payoff.low:.{digits}f}, {payoff.high:.{digits}f}]" if known else "-",
        f"{agent.draws:,}",
        f"{agent.decisions_per_game:.2f}",
        "-" if time is None else f"{time:.2f}" if time < 100 else f"{time:,.0f}",
        " ".join("-" if seat is None else f"{100 * seat:.1f}" for seat in agent.seat_win_rates),
    ]


@dataclass(frozen=True)
class _Sums:
    """What the result needs of deals; as much for a billion of them as for one."""

    deals: int
    drawn: int
    rounds: int
    wins: tuple[Moments, ...]  # [agent], of the number in each deal
    payoffs: tuple[Moments, ...]  # likewise, of the sum
    seat_wins: NDArray[np.int64]  # [agent, seat]
    ties: NDArray[np.int64]  # [agent], and so on
    decisions: NDArray[np.int64]
    timed: NDArray[np.int64]
    seconds: Floats

    def __add__(self, other: _Sums) -> _Sums:
        return _Sums(
            self.deals + other.deals,
            self.drawn + other.drawn,
            self.rounds + other.rounds,
            tuple(a + b for a, b in zip(self.wins, other.wins, strict=True)),
            tuple(a + b for a, b in zip(self.payoffs, other.payoffs, strict=True)),
            self.seat_wins + other.seat_wins,
            self.ties + other.ties,
            self.decisions + other.decisions,
            self.timed + other.timed,
            self.seconds + other.seconds,
        )


class Tally:
    """Gathers chunks and makes the result of them.

    Nothing is rounded before the end, so no bit of a result depends on the sizes of the chunks, nor on which was
    finished first (times alone do, and differ from run to run anyway). Nothing is kept of a chunk but sums: a long
    match takes no more memory than a short one. They change in one step that Ctrl-C cannot cut in two.
    """

    def __init__(self, seatings: Sequence[Sequence[int]]) -> None:
        self._seats = np.asarray(seatings)  # [seating, agent]
        n = self._seats.shape[1]
        nothing, none = (Moments(),) * n, np.zeros(n, np.int64)
        self._sums = _Sums(0, 0, 0, nothing, nothing, np.zeros((n, n), np.int64), none, none, none, np.zeros(n))

    def add(self, chunk: Chunk) -> None:
        seatings, agents = self._seats.shape
        seat_wins = np.zeros((agents, agents), np.int64)
        for k in range(seatings):
            seat_wins[np.arange(agents), self._seats[k]] += chunk.won[:, k].sum(axis=0)
        found = Deals.of(chunk.payoffs, chunk.won, chunk.tied)
        self._sums += _Sums(
            deals=len(chunk.payoffs),
            drawn=int(found.drawn.sum()),
            rounds=chunk.rounds,
            wins=tuple(Moments.of(column) for column in found.wins.T),
            payoffs=tuple(Moments.of(column) for column in found.payoffs.T),
            seat_wins=seat_wins,
            ties=found.ties.sum(axis=0),
            decisions=chunk.decisions.sum(axis=(0, 1), dtype=np.int64),
            timed=chunk.timed.sum(axis=(0, 1), dtype=np.int64),
            seconds=chunk.seconds.sum(axis=(0, 1)),
        )

    def deals(self) -> int:
        return self._sums.deals

    def drawn(self) -> int:
        return self._sums.drawn

    def rounds(self) -> int:
        return self._sums.rounds

    def agents(self, names: list[str], cheats: list[bool], payoff_range: tuple[float, float]) -> list[AgentResult]:
        sums, seatings, games = self._sums, len(self._seats), self.deals() * len(self._seats)
        ties, decisions, timed, seconds = (
            part.tolist() for part in (sums.ties, sums.decisions, sums.timed, sums.seconds)
        )
        per_seat = games // len(names)  # every agent sits equally often in every seat
        return [
            AgentResult(
                name=name,
                cheats=cheats[a],
                wins=int(sums.seat_wins[a].sum()),
                draws=ties[a],
                losses=games - int(sums.seat_wins[a].sum()) - ties[a],
                win_rate=rate_interval(sums.wins[a].estimate(seatings)),
                payoff=mean_interval(sums.payoffs[a].estimate(seatings), *payoff_range),
                decisions=decisions[a],
                decisions_per_game=decisions[a] / games if games else 0.0,
                seat_win_rates=[int(won) / per_seat if per_seat else None for won in sums.seat_wins[a]],
                microseconds_per_move=1e6 * seconds[a] / timed[a] if timed[a] else None,
            )
            for a, name in enumerate(names)
        ]
