"""Belote card play against colver 0.11.1, at the same time per move."""

from __future__ import annotations

import time
from typing import Any

import kibitz
from kibitz.adapters.colver import Colver
from kibitz.agents.base import AgentBase
from kibitz.arena.match import prepare
from kibitz.arena.result import Deals
from kibitz.arena.stats import Interval
from kibitz.experiments import Report, Row, Run, Table, experiment
from kibitz.experiments.strength import matches
from kibitz.experiments.strength.belote import pairs_won
from kibitz.experiments.strength.matches import PAIR

MS = 20  # milliseconds per move, as given to colver
# colver's tree searches spend less than they are given once cards are played, and ours a little more; with this budget
# the measured times are about the same. The report says what they were.
OUR_MS = 10
AGENT = f"ismcts:ms={OUR_MS}"
# colver's method -> pairs at scale 1; isdd takes longer than it is given while hands are full.
METHODS = {"ismcts": 2_000, "smart-ismcts": 2_000, "isdd": 500}
GAME = "belote:discard=true,scoring=difference"  # contrée's rule: who cannot overtrump may play anything

PAIRS_PER_UNIT = 10
GOAL = 0.5


@experiment(
    "strength/belote-colver",
    title="Belote card play against colver",
    paper=(
        "colver played without its networks, which its package does not contain. "
        "colver 0.11.1 through its Python API, in the same process, everybody on one thread: `ismcts` (its naive "
        "ISMCTS), `smart-ismcts` (the same with beliefs), `isdd` (double-dummy PIMC with uniform worlds). Trump "
        "spades, seat 0 leads, no auction. Every deal is played twice, the sides changed: a pair; with more points in "
        "both games together it is won, with as many it counts half. colver sees a world drawn from its seat's view, "
        "never the real hands, and the legal cards of both engines are compared at each of its decisions."
    ),
)
def belote_colver(run: Run) -> Report:
    rows: list[Row] = []
    lines: list[str] = []
    timing: list[tuple[str | float, ...]] = []
    bars: list[tuple[str, Interval]] = []
    for method, number in METHODS.items():
        theirs = Colver(method=method, ms=MS)
        match = _match(run, theirs, run.games(number, quick=1))
        who, pairs = f"{AGENT} v {theirs.name}", pairs_won(match)
        rows.append(matches.share_row(f"{who}: pairs won", f"above {GOAL:.0%}", pairs, match.games))
        rows.append(matches.share_row(f"{who}: deals won", "", match.win_rate(), match.games))
        rows.append(matches.points_row(f"{who}: points more per deal", "", match.gain(), match.games))
        bars += [(f"{theirs.name}: pairs", pairs), (f"{theirs.name}: deals", match.win_rate())]
        clocks = (match.milliseconds([0, 2]), match.milliseconds([1, 3]))
        timing.append((method, *clocks))
        lines.append(_verdict(theirs.name, match, clocks))
    return Report(
        rows=rows,
        note="\n".join(f"- {line}" for line in lines) + _NOTE,
        tables={"times": Table(_TIMES, timing)},
        plots={"won": lambda axes: matches.paint_bars(axes, f"Belote: {AGENT} against colver", "won, %", bars, [GOAL])},
    )


class Clocked(AgentBase):
    """Another agent, with its time for decisions that leave a choice; forced cards are played at once."""

    def __init__(self, agent: Any) -> None:
        super().__init__()
        self.agent, self.name = agent, agent.name
        self.seconds, self.choices = 0.0, 0

    def begin(self, seed: int) -> None:
        self.agent.begin(seed)

    def act(self, view: Any) -> int:
        legal = view.legal()
        if len(legal) == 1:
            return int(legal[0])
        start = time.perf_counter()
        action = int(self.agent.act(view))
        self.seconds += time.perf_counter() - start
        self.choices += 1
        return action


def _match(run: Run, theirs: Colver, pairs: int) -> Deals:
    game = kibitz.make(GAME)
    theirs.native(game)  # says at once if colver is not there

    def work(unit: int) -> dict[str, Any]:
        peers = [Colver(theirs.method, theirs.ms, theirs.contract) for _ in range(2)]
        agents = [Clocked(kibitz.agent(AGENT)), Clocked(peers[0]), Clocked(kibitz.agent(AGENT)), Clocked(peers[1])]
        setup = prepare(game, agents, run.seed_of(unit), 1, PAIR, True)
        part = matches.part_of(setup, min(PAIRS_PER_UNIT, pairs - unit * PAIRS_PER_UNIT))
        return part | {"seconds": [a.seconds for a in agents], "moves": [a.choices for a in agents]}

    stage = matches.stage_of("pairs", GAME, [AGENT, theirs])
    parts = run.units(stage, -(-pairs // PAIRS_PER_UNIT), work)
    return matches.match_of(game, PAIR, parts)


def _verdict(name: str, match: Deals, clocks: tuple[float, float]) -> str:
    pairs, gain = pairs_won(match), match.gain()
    equal = int((match.gains() == 0).sum())
    found = f"{pairs.mean:.1%} ({pairs.low:.1%} to {pairs.high:.1%}) of {len(match.payoffs):,} mirrored pairs"
    if pairs.low > GOAL:
        judged = f"`{AGENT}` is stronger than `{name}`: it wins {found}"
    elif pairs.high < GOAL:
        judged = f"`{AGENT}` is weaker than `{name}`: it wins {found}"
    else:
        judged = f"Who is stronger, `{AGENT}` or `{name}`, is not decided: ours wins {found}"
    return (
        f"{judged} ({equal} equal), by {gain.mean:+.1f} points per deal ({gain.low:+.1f} to {gain.high:+.1f}). "
        f"Measured per decision with a choice: {clocks[0]:.1f} ms ours, {clocks[1]:.1f} ms colver's."
    )


_TIMES = ("colver's method", "our ms per choice", "colver's ms per choice")

_NOTE = """

colver's tree searches play to make or break a contract; here seats 0 and 2 always have to make 80, the lowest there is,
which is nearly the same as more than half of the points, so that the share of deals won is what they play for. Ours
plays for points, and so does `isdd` (its objective `card_points`). Of colver's further agents, those with networks must
be downloaded first and are not measured. Times are measured, so that two runs of this experiment never give exactly the
same figures, and want a machine without other work."""
