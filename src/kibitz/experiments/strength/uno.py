"""Uno under rlcard's rules against random players."""

from __future__ import annotations

from kibitz.arena.result import Deals
from kibitz.arena.seatings import rotations
from kibitz.experiments import Report, Run, experiment
from kibitz.experiments.strength import matches

BEST = "mcs:iterations={},opponents=random,rollout=rules"  # knows that the others play at random
AGENTS = {2: BEST.format(2000), 3: BEST.format(1000), 4: BEST.format(1000)}  # by players
FLAT = "mcs:iterations=1000"
RULES = "rules"
PEEKING = ("cheat-mcs:iterations=1000", "cheat-uct:iterations=1000")

GAMES = 10_000
GOALS = {2: 0.65, 3: 0.42, 4: 0.33}
# A flat probe of rlcard with 1,000 sampled worlds per move (500 with four players), and the same peeking at hands.
PROBE = {2: "probe 63.1 ± 1.8%", 3: "probe 40.2 ± 1.8%", 4: "probe 31.2 ± 2.2%"}
PEEKING_PROBE = {2: "probe 81.9%", 3: "probe 61.1%", 4: "probe 44.5%"}
RULE_AGENT = {2: "rlcard's rule agent 53.2 ± 0.8%", 3: "", 4: ""}
DEALS_PER_UNIT = 100


@experiment(
    "strength/uno",
    title="Uno against random players",
    paper=(
        "One seat plays as named, all others at random, under the rules of rlcard 1.2.0. Every deal is played with the "
        "agent in each seat. The column *paper* has our goal, or what is known of others: a flat Monte Carlo probe "
        "written against rlcard, without and with a look at the others' hands; rlcard's own rule agent. Published "
        "for two players: DMC after 10⁸ frames 60%, recurrent PPO over 60%."
    ),
)
def uno(run: Run) -> Report:
    figures = matches.Figures()
    verdicts: list[str] = []
    for players in (2, 3, 4):
        lines = [(AGENTS[players], f"goal {GOALS[players]:.0%}"), (FLAT, PROBE[players]), (RULES, RULE_AGENT[players])]
        lines += [(PEEKING[0], PEEKING_PROBE[players]), (PEEKING[1], "")]
        found: dict[str, Deals] = {}
        for spec, known in lines:
            if spec in found:
                continue  # the agent may be one of those beside it
            found[spec] = against(run, spec, "random", players, size=DEALS_PER_UNIT)
            figures.add(f"{players} players: {matches.cheats(spec)}", known, found[spec])
        verdicts.append(_verdict(players, found))
    return figures.report(title(figures), verdicts, _NOTE, list(GOALS.values()))


def title(figures: matches.Figures) -> str:
    return f"Uno, rlcard rules, against random players: {figures.rows[0].games:,} games per bar"


def against(run: Run, spec: str, others: str, players: int, *, size: int) -> Deals:
    """One seat against the others, every deal in each seat; `size` deals are a unit."""
    deals = -(-run.games(GAMES, quick=4) // players)
    game = f"uno:rules=rlcard,players={players}"
    agents = [spec] + [others] * (players - 1)
    return matches.play(run, f"{players}p", game, agents, rotations(players), deals=deals, size=size)


def _verdict(players: int, found: dict[str, Deals]) -> str:
    best = found[AGENTS[players]].win_rate()
    text = matches.verdict(f"{players} players", best, GOALS[players])
    ceiling = max((found[spec].win_rate() for spec in PEEKING), key=lambda rate: rate.mean)
    fair = 1 / players
    taken = (best.mean - fair) / (ceiling.mean - fair) if ceiling.mean > fair else float("nan")
    return f"{text} A fair share is {fair:.1%}; of what the peeking search gains beyond it, this is {taken:.0%}."


_NOTE = f"""

The `cheat-` searches see the hands, the pile and the cards that will be drawn: all chance of a deal is known to them,
which is more than the probe's look at the hands, and far more than any honest player can know.

{matches.TIMES}"""
