"""The advisers of the card games against rules of thumb and the network, and what the one of Uno wants to draw for."""

from __future__ import annotations

from dataclasses import dataclass

import kibitz
from kibitz import advice
from kibitz.arena.stats import Interval
from kibitz.experiments import Report, Row, Run, experiment, stats
from kibitz.experiments.strength import matches
from kibitz.experiments.strength.duels import duel_of

DEALS_PER_UNIT = 25
DRAWS_GAME, DRAWS_DEALS, MOST_DRAWS = "uno:players=3", 100, 0.02


@dataclass(frozen=True)
class Meeting:
    game: str
    against: str
    deals: int
    goal: float


MEETINGS = (
    Meeting("uno:players=3", "rules", 2_000, 1 / 3),
    Meeting("doudizhu", "rules", 1_000, 0.62),
    Meeting("doudizhu", "net:doudizhu", 1_000, 0.55),
    Meeting("belote:bidding=true", "rules", 1_000, 12.0),
)


@experiment(
    "strength/adviser",
    title="The advisers against rules of thumb",
    paper=(
        "Each adviser (`kibitz.adviser`) on default rules, every deal under all seatings of the match. A goal, in the "
        "column *paper*, is reached when the nearer end of the interval reaches it. Drawing although a card fits is "
        "counted in games of Uno between `rules`, at every decision in which a card fits."
    ),
)
def adviser(run: Run) -> Report:
    rows: list[Row] = []
    lines: list[str] = []
    for meeting in MEETINGS:
        spec = advice.choice(meeting.game).variant.adviser
        deals = run.games(meeting.deals, quick=1)
        found = duel_of(meeting.game).play(run, "adviser", spec, meeting.against, deals=deals, size=DEALS_PER_UNIT)
        label = f"{meeting.game}: `{spec}` v `{meeting.against}`"
        rows.append(found.row(label, f"at least {meeting.goal:.3g}"))
        reached = "reached" if found.interval().low >= meeting.goal else "not reached"
        lines.append(f"{label}: the goal of {meeting.goal:.3g} is {reached}.")
    share, fits = _draws(run)
    label = f"{DRAWS_GAME}: wants to draw although a card fits"
    rows.append(Row(label, f"at most {MOST_DRAWS:.0%}", share, fits, "{:.1%}"))
    reached = "reached" if share.high <= MOST_DRAWS else "not reached"
    lines.append(f"{label}: the goal of at most {MOST_DRAWS:.0%} is {reached}.")
    return Report(rows=rows, note="\n".join(f"- {line}" for line in lines) + f"\n\n{_NOTE}")


_NOTE = "Games of the last row are decisions."


def _draws(run: Run) -> tuple[Interval, int]:
    """How often the adviser would draw where a card fits, and how often one did."""
    game = kibitz.make(DRAWS_GAME)
    draw = game.parse("draw")

    def work(unit: int) -> list[int]:
        asked, mover = kibitz.adviser(game), kibitz.agent("rules")
        state = game.deal(run.seed_of(unit))
        asked.begin(run.seed_of(unit))
        mover.begin(run.seed_of(unit))
        wanted = fits = 0
        while not state.over:
            view = state.view(state.to_act)
            legal = view.legal()
            if draw in legal and len(legal) > 1:
                fits += 1
                wanted += asked.act(view) == draw
            state.apply(mover.act(view))
        return [wanted, fits]

    stage = matches.stage_of("draws", DRAWS_GAME, [kibitz.adviser(game)])
    parts = run.units(stage, run.games(DRAWS_DEALS, quick=1), work)
    fits = sum(part[1] for part in parts)
    return stats.share(sum(part[0] for part in parts), fits), fits
