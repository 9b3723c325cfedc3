"""Dou Di Zhu as landlord and as peasants."""

from __future__ import annotations

import numpy as np

from kibitz.arena.result import Deals
from kibitz.arena.stats import Floats, Interval, rate_interval
from kibitz.experiments import Report, Row, Run, experiment
from kibitz.experiments.strength import matches
from kibitz.experiments.strength.matches import AS_GIVEN

AGENT = "ismcts:iterations=1000,rollout=rules"
NET = "net:doudizhu"
RULES = "rules"
CEILING = "cheat-uct:iterations=1000,rollout=rules"
PEER = "rlcard-rules"
GAME = "doudizhu:rules=rlcard"  # seat 0 is the landlord

DEALS = 2_000
DOUZERO = {"random": "DouZero 98.9%", PEER: "DouZero 88.9%"}
ROLES = ("landlord", "peasants")
DEALS_PER_UNIT = 100


@experiment(
    "strength/doudizhu",
    title="Dou Di Zhu against random players and rlcard's rule agent",
    paper=(
        "The agent is landlord against two players of the other kind, then both peasants against such a landlord, in "
        "the same deals, under rlcard's rules. `rlcard-rules` is rlcard 1.2.0's `DouDizhuRuleAgentV1`, which gets "
        "rlcard's own description of its seat's view. The column *paper* has what is known of DouZero, both roles "
        "together (30 days on 4 GPUs)."
    ),
)
def doudizhu(run: Run) -> Report:
    meetings = [(spec, against) for against in ("random", PEER) for spec in (AGENT, NET, RULES, CEILING)]
    meetings += [("random", PEER), (AGENT, RULES), (NET, RULES), (NET, AGENT)]
    found = {(spec, against): [_match(run, spec, against, role) for role in ROLES] for spec, against in meetings}
    rows: list[Row] = []
    bars: list[tuple[str, Interval]] = []
    measured: list[tuple[str, float]] = []
    for (spec, against), pair in found.items():
        who = f"{matches.cheats(spec)} v {against}"
        for role, match in zip(ROLES, pair, strict=True):
            rows.append(matches.share_row(f"{who}: as {role}", "", _rate(role, match), match.games))
            bars.append((f"{who}, {role}", _rate(role, match)))
            measured.append((f"{who}, {role}", match.milliseconds([0] if role == "landlord" else [1, 2])))
        known = DOUZERO.get(against, "") if spec in (AGENT, NET) else ""
        rows.append(matches.share_row(f"{who}: both roles", known, both(pair), 2 * len(pair[0].payoffs)))
    title = f"Dou Di Zhu: {rows[0].games:,} deals per bar"
    return Report(
        rows=rows,
        note=_note(found),
        tables={"times": matches.times(measured)},
        plots={"win-rates": lambda axes: matches.paint_bars(axes, title, "games won, %", bars, [0.5])},
    )


def _match(run: Run, spec: str, against: str, role: str) -> Deals:
    agents = [spec, against, against] if role == "landlord" else [against, spec, spec]
    deals = run.games(DEALS, quick=2)
    return matches.play(run, role, GAME, agents, AS_GIVEN, deals=deals, size=DEALS_PER_UNIT)


def _shares(role: str, match: Deals) -> Floats:
    return match.shares(ROLES.index(role))  # the landlord is agent 0, the first peasant agent 1


def _rate(role: str, match: Deals) -> Interval:
    return rate_interval(_shares(role, match))


def both(pair: list[Deals]) -> Interval:
    """The mean over both roles, deal by deal."""
    shares = [_shares(role, match) for role, match in zip(ROLES, pair, strict=True)]
    return rate_interval(np.asarray(np.mean(shares, axis=0), np.float64))


def _note(found: dict[tuple[str, str], list[Deals]]) -> str:
    lines = []
    for against in ("random", PEER):
        ours, net, ceiling, rules = (both(found[spec, against]) for spec in (AGENT, NET, CEILING, RULES))
        lines.append(
            f"Against `{against}`, both roles together: `{AGENT}` wins {ours.mean:.1%} ({ours.low:.1%} to "
            f"{ours.high:.1%}), the network {net.mean:.1%} ({net.low:.1%} to {net.high:.1%}), our `{RULES}` "
            f"{rules.mean:.1%}, the search that sees all cards {ceiling.mean:.1%} ({ceiling.low:.1%} to "
            f"{ceiling.high:.1%})."
        )
    for against in (RULES, AGENT):
        net = both(found[NET, against])
        lines.append(f"The network wins {net.mean:.1%} ({net.low:.1%} to {net.high:.1%}) against `{against}`.")
    base = both(found["random", PEER])
    lines.append(f"Random play wins {base.mean:.1%} ({base.low:.1%} to {base.high:.1%}) against `{PEER}`.")
    return "\n".join(f"- {line}" for line in lines) + _NOTE


_NOTE = f"""

The two roles are not equally hard; with deals that are equal for both, their mean is 50% for an agent against itself.
Where several moves of the same kind and rank would do, rlcard's agent takes the first in the list it is given: the
order is ours, ascending ids, where rlcard's own depends on its files.

{matches.TIMES}"""
