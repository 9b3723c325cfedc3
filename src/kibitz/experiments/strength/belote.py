"""Belote card play without bidding, in mirrored pairs of deals."""

from __future__ import annotations

import numpy as np

from kibitz.arena.result import Deals
from kibitz.arena.stats import Floats, Interval, rate_interval
from kibitz.experiments import Report, Row, Run, Table, experiment
from kibitz.experiments.strength import matches
from kibitz.experiments.strength.matches import PAIR

AGENT = "mcs:iterations=2000,opponents=random,rollout=rules"  # the best honest search against random players
BESIDE = ("ismcts:iterations=5000", "pimc:iterations=5000", "solver-pimc:worlds=5")
RULES = "rules"
CEILING = "cheat-minimax"  # exact, against players as good as itself
PEEKING = "cheat-uct:iterations=5000"  # counts on mistakes, as random play-outs make them
GAME = "belote:scoring=difference"  # payoff: own points less the others'

PAIRS = 2_000
GOAL_DEALS, GOAL_PAIRS = 0.80, 0.95
KNOWN = "colver's PIMC 92%, Olech 80% (30 games)"
PAIRS_PER_UNIT = 20


@experiment(
    "strength/belote",
    title="Belote card play against random players and rules",
    paper=(
        "32 cards, official rules, trump spades, no bidding. The agent holds both seats of a side. Every deal is "
        "played twice, the sides changed: a pair. A deal is won by the side with more points, and so is a pair; draws "
        "count half. The column *paper* has our goals, and what is known of others against random players."
    ),
)
def belote(run: Run) -> Report:
    honest = list(dict.fromkeys([AGENT, *BESIDE, RULES]))
    meetings = [(spec, "random") for spec in [*honest, CEILING, PEEKING]]
    meetings += [(spec, RULES) for spec in [*honest[:-1], CEILING, PEEKING]]
    found = {(spec, against): _match(run, spec, against) for spec, against in meetings}
    rows = [row for (spec, against), match in found.items() for row in _rows(spec, against, match)]
    single = [(f"{matches.cheats(spec)} v {against}", match.win_rate()) for (spec, against), match in found.items()]
    paired = [(f"{matches.cheats(spec)} v {against}", pairs_won(match)) for (spec, against), match in found.items()]
    number = len(next(iter(found.values())).payoffs)
    return Report(
        rows=rows,
        note=_note(found),
        tables={
            "draws": Table(("match", "deals", "drawn deals", "equal pairs"), [_draws(*x) for x in found.items()]),
            "times": matches.times([(f"{s} v {o}", m.milliseconds([0, 2])) for (s, o), m in found.items()]),
        },
        plots={
            "deals": lambda axes: matches.paint_bars(
                axes, f"Belote: {2 * number:,} single deals per bar", "deals won, %", single, [GOAL_DEALS]
            ),
            "pairs": lambda axes: matches.paint_bars(
                axes, f"Belote: {number:,} mirrored pairs per bar", "pairs with more points, %", paired, [GOAL_PAIRS]
            ),
        },
    )


def _match(run: Run, spec: str, against: str) -> Deals:
    pairs = run.games(PAIRS, quick=2)
    return matches.play(run, "pairs", GAME, [spec, against] * 2, PAIR, deals=pairs, size=PAIRS_PER_UNIT)


def pair_shares(match: Deals) -> Floats:
    """Per pair: 1 if the first side has more points in both games together, ½ if as many, else 0."""
    return np.asarray((np.sign(match.gains()) + 1) / 2, np.float64)


def pairs_won(match: Deals) -> Interval:
    return rate_interval(pair_shares(match))


def _rows(spec: str, against: str, match: Deals) -> list[Row]:
    who, pairs = f"{matches.cheats(spec)} v {against}", len(match.payoffs)
    goals = ("", "")
    if (spec, against) == (AGENT, "random"):
        goals = (f"goal {GOAL_DEALS:.0%}; {KNOWN}", f"goal {GOAL_PAIRS:.0%}")
    return [
        matches.share_row(f"{who}: deals won", goals[0], match.win_rate(), match.games),
        matches.share_row(f"{who}: deals won or drawn", "", match.win_rate(draw=1.0), match.games),
        matches.share_row(f"{who}: pairs with more points", goals[1], pairs_won(match), 2 * pairs),
        matches.points_row(f"{who}: points more per deal", "", match.gain(), match.games),
    ]


def _draws(meeting: tuple[str, str], match: Deals) -> tuple[str, int, int, int]:
    return f"{meeting[0]} v {meeting[1]}", match.games, int(match.drawn.sum()), int((match.gains() == 0).sum())


def _note(found: dict[tuple[str, str], Deals]) -> str:
    best, ceiling, peeking = (found[spec, "random"] for spec in (AGENT, CEILING, PEEKING))
    lines = [
        matches.verdict(f"`{AGENT}`, single deals against random", best.win_rate(), GOAL_DEALS),
        matches.verdict(f"`{AGENT}`, mirrored pairs against random", pairs_won(best), GOAL_PAIRS),
        f"The search that sees all cards and plays exactly wins {ceiling.win_rate().mean:.1%} of the deals and "
        f"{pairs_won(ceiling).mean:.1%} of the pairs against random. It supposes that its opponents play as well as it "
        "does, so it is a ceiling for play against the best, and can be beaten by one that counts on random mistakes. "
        f"`{PEEKING}`, which sees all cards, too, and counts on them, wins {peeking.win_rate().mean:.1%} and "
        f"{pairs_won(peeking).mean:.1%}.",
    ]
    return "\n".join(f"- {line}" for line in lines) + f"\n\nDraws are in `draws.csv`. {matches.TIMES}"
