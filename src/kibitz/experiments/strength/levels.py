"""Every level of the table against the one below it, on the very rules of its variant."""

from __future__ import annotations

from itertools import pairwise

from kibitz.advice import table
from kibitz.advice.table import Variant
from kibitz.experiments import Report, Row, Run, experiment
from kibitz.experiments.strength import matches
from kibitz.experiments.strength.duels import Outcome, duel_of

DEALS = 1_000
FREE, FREE_DEALS = ("random", "rules"), 5_000  # deals of agents that do not search cost next to nothing
DEALS_PER_UNIT = 50
QUICK = ("tictactoe", "mini_doudizhu")  # games of a test that ends within seconds


@experiment(
    "strength/levels",
    title="Levels: each against the one below it",
    paper=(
        "The levels of `src/kibitz/advice/table.py`, on the rules that each entry names. One player of the higher "
        "level sits among players of the lower one, in every seat in turn; in Belote, and in Dou Di Zhu without "
        "bidding, side against side in the same deals. A level is stronger than the one below it when the whole "
        "interval lies above what an agent gets against itself, which the column *paper* has. Scale 1 is 1,000 deals, "
        "and 5,000 where neither searches."
    ),
)
def levels(run: Run) -> Report:
    rows: list[Row] = []
    lines: list[str] = []
    times: list[tuple[str, float]] = []
    for variant in variants(quick=run.settings.quick):
        for (low, weaker), (high, stronger) in pairwise(variant.levels.items()):
            found = _match(run, variant, stronger, weaker)
            label = f"{variant.title}: {high} (`{stronger}`) v {low} (`{weaker}`)"
            rows.append(found.row(label, f"above {found.duel.fair:.3g}"))
            times.append((label, found.milliseconds()))
            if not found.better():
                lines.append(f"{variant.title}: that {high} is stronger than {low} is not shown by these games.")
    said = lines or ["Every level is stronger than the one below it."]
    note = "\n".join(f"- {line}" for line in said) + f"\n\n{matches.TIMES}"
    return Report(rows=rows, note=note, tables={"times": matches.times(times)})


def variants(*, quick: bool) -> list[Variant]:
    named = [v for name, found in table.VARIANTS.items() for v in found if not quick or name in QUICK]
    return named if quick else [*named, table.OPEN, table.SECRET]


def _match(run: Run, variant: Variant, stronger: str, weaker: str) -> Outcome:
    searches = any(spec not in FREE for spec in (stronger, weaker))
    deals = run.games(DEALS if searches else FREE_DEALS, quick=4)
    return duel_of(variant.game).play(run, "level", stronger, weaker, deals=deals, size=DEALS_PER_UNIT)
