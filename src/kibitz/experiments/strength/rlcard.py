"""Uno inside rlcard's own environment, against its rule agent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import kibitz
from kibitz import _core
from kibitz.adapters import peer
from kibitz.adapters.rlcard_table import RlcardSeat
from kibitz.arena.result import Deals
from kibitz.arena.seatings import rotations
from kibitz.arena.stats import Interval
from kibitz.experiments import Report, Row, Run, experiment
from kibitz.experiments.strength import matches

PEER = "uno-rule-v1"
NET = "net:uno-2p"
DEALS = {NET: 5_000, "mcs:iterations=1000": 500, "rules": 1_000, "random": 1_000}  # at scale 1; two games each
GOAL = 0.55
SEATINGS = rotations(2)
DEALS_PER_UNIT = 100
PACKAGE = "rlcard==1.2.0"


@experiment(
    "strength/rlcard",
    title="Uno in rlcard's own environment, against its rule agent",
    paper=(
        f"`rlcard.make('uno')` of rlcard 1.2.0 deals, rules and counts; its own `{PEER}` sits in the other seat. Our "
        "agents see what rlcard shows a player there, and nothing else. Every deal is played twice, the seats changed. "
        "The column *paper* has our goal."
    ),
)
def rlcard(run: Run) -> Report:
    rows: list[Row] = []
    bars: list[tuple[str, Interval]] = []
    found: dict[str, Deals] = {}
    for spec, deals in DEALS.items():
        match = found[spec] = _match(run, spec, run.games(deals, quick=2))
        rows.append(matches.share_row(spec, f"above {GOAL:.0%}" if spec == NET else "", match.win_rate(), match.games))
        bars.append((f"{spec}, {match.games:,} games", match.win_rate()))
    title = f"Uno inside rlcard, against {PEER}"
    return Report(
        rows=rows,
        note=f"- {matches.verdict(f'`{NET}`, a network alone', found[NET].win_rate(), GOAL)}{_NOTE}",
        plots={"win-rates": lambda axes: matches.paint_bars(axes, title, "games won, %", bars, [0.5, GOAL])},
    )


def _match(run: Run, spec: str, deals: int) -> Deals:
    theirs = peer("rlcard.models", PACKAGE).load(PEER).agents[0]

    def work(unit: int) -> dict[str, Any]:
        return play(spec, theirs, run.seed_of(unit), min(DEALS_PER_UNIT, deals - unit * DEALS_PER_UNIT))

    parts = run.units(matches.stage_of("uno", "", [spec]), -(-deals // DEALS_PER_UNIT), work)
    return matches.match_of(kibitz.make("uno", players=2, rules="rlcard"), SEATINGS, parts)


def play(spec: str, theirs: Any, seed: int, deals: int) -> dict[str, Any]:
    """Deals of one seed, each in both seats: a unit as `matches.match_of` takes it."""
    env = peer("rlcard", PACKAGE).make("uno")
    ours = RlcardSeat(spec)
    payoffs: list[list[list[float]]] = []
    seeds = _core.Seeds(seed)
    for deal in range(deals):
        payoffs.append([])
        for k, seats in enumerate(SEATINGS):
            env.seed(seeds.deal(deal) >> 33)  # rlcard deals the same cards again
            ours.begin(seeds.agent(deal, k, seats[0]))
            env.set_agents([ours if seat == seats[0] else theirs for seat in range(2)])
            with _global_stream(seeds.agent(deal, k, seats[1]) >> 33):
                won = env.run()[1]
            payoffs[-1].append([float(won[seat]) for seat in seats])
    return {"payoffs": payoffs, "seconds": [0.0, 0.0], "moves": [0, 0]}  # not timed


@contextmanager
def _global_stream(seed: int) -> Iterator[None]:
    """rlcard's agent draws from NumPy's global stream, which is given back as it was."""
    before = np.random.get_state()
    np.random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(before)


_NOTE = """

rlcard shows its players the hand, the open cards, how many cards everybody holds, the legal actions, and all earlier
actions. From these ours conclude what the other cannot hold, a little less than at our own tables. The colour of a wild
that was drawn is shown to nobody (rlcard shows the printed one); ours read it from their legal actions."""
