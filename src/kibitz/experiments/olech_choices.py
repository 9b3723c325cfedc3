"""Olech: what the paper does otherwise than we, or leaves open, tried both ways in Belote with 12 cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

import kibitz
from kibitz._core import Game
from kibitz.agents.base import AgentBase
from kibitz.arena.players import PythonPlayer
from kibitz.arena.stats import Floats, mean_interval
from kibitz.experiments import Report, Run, Table, experiment
from kibitz.experiments import matches as m
from kibitz.experiments.olech import MIRRORED, AllWorlds

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DEALS, NAIVE_DEALS = 1_000, 10_000
EACH = 400  # iterations in a world
HALF, WHOLE = 40, 80
VISITS, MEAN, VOIDS, STRICT, STRICT_MEAN = (
    "as in Table 1: votes by visits, voids known",
    "votes by the highest mean",
    "voids forgotten",
    "always trump when void",
    "the same, votes by the highest mean",
)
STRONGEST = "the strongest card"
_RANKS = {"7": 0, "8": 1, "9": 2, "J": 3, "Q": 4, "K": 5, "10": 6, "A": 7}
_TRUMPS = _RANKS | {"9": 8, "J": 9}


class Forgetful(AllWorlds):
    """All worlds that agree with the cards seen, those included in which a seat holds what it has shown not to have."""

    def act(self, view: Any) -> int:
        position = view.game.position(view)
        position.pop("barred", None)
        return super().act(view.game.from_position(position))


class Strongest(AgentBase):
    """The highest card that may be played, trumps above all others; of equal ones the first."""

    name = STRONGEST

    def act(self, view: Any) -> int:
        trump = view.game.position(view)["trump"]
        legal: list[int] = view.legal()
        return max(legal, key=lambda action: strength(view.game.text(action), trump))


def strength(card: str, trump: str) -> int:
    rank, suit = card[:-1], card[-1]
    return 10 + _TRUMPS[rank] if suit == trump else _RANKS[rank]


@experiment(
    "olech/choices",
    title="Olech: choices of the paper tried both ways, Belote with 12 cards",
    paper=(
        "Algorithm 2 ends with the child of the highest mean, so that a world votes by that. The worlds of section 4.3 "
        "are those that agree with the own cards, the table and the tricks won; what players have shown not to have is "
        "not named, and the number 1,680 is given for all moves. Always playing the strongest card was observed to be "
        "worse than playing at random (no figures)."
    ),
)
def choices(run: Run) -> Report:
    deals, naive = run.games(DEALS, quick=4), run.games(NAIVE_DEALS, quick=50)
    each = 20 if run.settings.quick else EACH
    usual = kibitz.make("belote", cards=12, rules="olech", scoring="points")
    strict = kibitz.make("belote", cards=12, rules="olech", scoring="points", trumping="strict")
    by_visits, by_mean = (f"pimc:c=1.0,aggregate={vote}" for vote in ("times_best", "mean_best"))
    lines: dict[str, tuple[Game, Any]] = {
        VISITS: (usual, lambda: AllWorlds(by_visits, each, run.threads)),
        MEAN: (usual, lambda: AllWorlds(by_mean, each, run.threads)),
        VOIDS: (usual, lambda: Forgetful(by_visits, each, run.threads)),
        STRICT: (strict, lambda: AllWorlds(by_visits, each, run.threads)),
        STRICT_MEAN: (strict, lambda: AllWorlds(by_mean, each, run.threads)),
    }
    scores = {name: _scores(run, game, name, agent, deals, 40) for name, (game, agent) in lines.items()}
    scores[STRONGEST] = _scores(run, usual, STRONGEST, Strongest, naive, 1_000)
    rows = []
    for name, found in scores.items():
        rows.append(m.row(f"{name}: wins", "", m.rate(_wins(found)), found.size))
        mean = mean_interval(found.mean(axis=1), 0.0, float(WHOLE))
        rows.append(m.row(f"{name}: score of {WHOLE}", "", mean, found.size, "{:.2f}"))
    return Report(
        rows=rows,
        note=_note(scores),
        tables={"deals": Table(("deal", *lines), [(d, *(_wins(scores[x])[d] for x in lines)) for d in range(deals)])},
        plots={"wins": lambda axes: _paint(axes, scores)},
    )


def _scores(run: Run, game: Game, name: str, make: Any, deals: int, size: int) -> Floats:
    """Points of the team [deal, leading or second] against two random players, on the deals of Table 1."""
    pieces = m.parts(deals, size)

    def work(unit: int) -> list[list[int]]:
        agents = [make(), make(), kibitz.agent("random"), kibitz.agent("random")]
        part = pieces[unit]
        payoffs = np.asarray(PythonPlayer(game, agents, MIRRORED).deals(run.seed_of(0), part.start, len(part)).payoffs)
        return [[int(x) for x in deal] for deal in payoffs[:, :, 0]]

    stage = name.partition(":")[0].replace(" ", "-").replace(",", "").lower()
    return np.array([deal for part in run.units(stage, len(pieces), work) for deal in part], float)


def _wins(scores: Floats) -> Floats:
    return np.asarray((scores > HALF).mean(axis=1))


def _note(scores: Mapping[str, Floats]) -> str:
    won = {name: _wins(found) for name, found in scores.items()}
    lost = np.asarray((scores[STRONGEST] < HALF).mean(axis=1))
    lines = [
        m.judge_equal("votes by the highest mean win as often as votes by visits", m.gap(won[MEAN], won[VISITS])),
        m.judge_equal("it makes no difference to forget voids", m.gap(won[VOIDS], won[VISITS])),
        m.judge_equal("where one must always trump, votes by mean win as often", m.gap(won[STRICT_MEAN], won[STRICT])),
        m.judge("always the strongest card is worse than random", m.gap(lost, won[STRONGEST])),
    ]
    how = (
        "Max times best against two random players, with the deals and budgets of `olech/table1`; differences are "
        "those on the same deals. Of the list of sampled worlds that the paper draws anew when it is used up nothing "
        "is tried: each trial still gets a world drawn uniformly, only with some drawn twice among a thousand. The "
        "strongest card is the highest trump, or else the card that would take the trick from most others."
    )
    return "\n".join(["What these choices are worth, judged by the intervals:", "", *lines, "", how])


def _paint(axes: Axes, scores: Mapping[str, Floats]) -> None:
    names = ("by visits", "by mean", "voids\nforgotten", "strict\ntrumping", "strict,\nby mean", "strongest\ncard")
    bars = [m.Bar(label, m.rate(_wins(found))) for label, found in zip(names, scores.values(), strict=True)]
    m.paint_bars(axes, bars, "Belote with 12 cards, max times best against random players", "win rate")
    axes.axhline(0.5, color="#555753", linestyle="--", linewidth=1)
