"""Options of searches: each against the same search without it."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.experiments import Report, Row, Run, experiment
from kibitz.experiments.strength.duels import duel_of

DEALS_PER_UNIT = 25
FLAT, TREE = "mcs:iterations=1000,rollout=rules", "ismcts:iterations=1000,rollout=rules"
HALVING, NET = f"{FLAT},halving=true", f"{FLAT},net=doudizhu,prior=50"


@dataclass(frozen=True)
class Trial:
    game: str
    search: str
    option: str
    deals: int


TRIALS = (
    Trial("belote", TREE, "common=true", 150),
    Trial("doudizhu", TREE, "common=true", 150),
    Trial("belote", TREE, "prior=20,prior_by=rules", 150),
    Trial("doudizhu", TREE, "prior=10,prior_by=rules", 150),
    Trial("doudizhu", TREE, "net=doudizhu,prior=10", 150),
    Trial("doudizhu", NET, "halving=true", 150),
    Trial("uno:players=2", HALVING, "base=rules", 200),
    Trial("doudizhu", FLAT, "inference=rules,candidates=100", 100),
    Trial("doudizhu", "mcs:iterations=400,rollout=rules", "inference=rules,doubt=0.9,candidates=200", 100),
)


@experiment(
    "strength/options",
    title="Options of searches against the same without",
    paper=(
        "One player with the option among players without it, in every seat in turn; in Belote side against side, in "
        "Dou Di Zhu in both roles, in the same deals. An option helps when the whole interval lies above what an agent "
        "gets against itself, which the column *paper* has, and harms when it lies below."
    ),
)
def options(run: Run) -> Report:
    rows: list[Row] = []
    lines: list[str] = []
    for trial in TRIALS:
        deals = run.games(trial.deals, quick=1)
        changed = f"{trial.search},{trial.option}"
        found = duel_of(trial.game).play(run, "option", changed, trial.search, deals=deals, size=DEALS_PER_UNIT)
        label = f"{trial.game}: `{trial.search}` with `{trial.option}`"
        rows.append(found.row(label, f"{found.duel.fair:.3g}"))
        interval, fair = found.interval(), found.duel.fair
        verdict = "helps" if interval.low > fair else "harms" if interval.high < fair else "shows no difference"
        lines.append(f"{label}: {verdict}.")
    return Report(rows=rows, note="\n".join(f"- {line}" for line in lines))
