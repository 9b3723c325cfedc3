"""The networks that come with Kibitz: alone, and guiding a search."""

from __future__ import annotations

from kibitz.arena.result import Deals
from kibitz.experiments import Report, Run, experiment
from kibitz.experiments.matches import gap
from kibitz.experiments.strength import matches
from kibitz.experiments.strength.uno import against, title

NETS = {2: "uno-2p", 3: "uno-3p", 4: "uno-4p"}  # by players
SEARCH = "mcs:iterations=400,opponents=random,rollout=rules"
GUIDED = SEARCH + ",net={},prior=200"  # the net counts as much as 200 play-outs of every action

GOALS = {2: 0.61, 3: 0.39, 4: 0.30}
DEALS_PER_UNIT = 500


@experiment(
    "strength/nets",
    title="Uno: networks alone, and guiding a search",
    paper=(
        "One seat plays as named, all others at random, or by our rules agent, under the rules of rlcard 1.2.0. Every "
        "deal is played with the agent in each seat. The column *paper* has our goal for the network without any "
        "search. Published for two players: DMC after 10⁸ frames 60%, recurrent PPO over 60%."
    ),
)
def nets(run: Run) -> Report:
    figures = matches.Figures()
    verdicts: list[str] = []
    for players, name in NETS.items():
        net, guided = f"net:{name}", GUIDED.format(name)
        found: dict[str, Deals] = {}
        for spec, goal in ((net, f"goal {GOALS[players]:.0%}"), (SEARCH, ""), (guided, "")):
            found[spec] = against(run, spec, "random", players, size=DEALS_PER_UNIT)
            figures.add(f"{players} players: {spec}", goal, found[spec])
        rules = against(run, net, "rules", players, size=DEALS_PER_UNIT)
        label = f"{players} players: {net} against rules"
        figures.rows.append(matches.share_row(label, "", rules.win_rate(), rules.games))
        verdicts.append(matches.verdict(f"{players} players, {net} alone", found[net].win_rate(), GOALS[players]))
        verdicts += [
            _compare(players, found[guided], found[part], what) for part, what in ((net, "net"), (SEARCH, "search"))
        ]
    return figures.report(title(figures), verdicts, _NOTE, list(GOALS.values()))


def _compare(players: int, guided: Deals, part: Deals, what: str) -> str:
    """The same deals on both sides, so that the difference is taken deal by deal."""
    apart = gap(guided.shares(), part.shares())
    found = f"{apart.mean:+.1%} ({apart.low:+.1%} to {apart.high:+.1%})"
    word = "stronger than" if apart.low > 0 else "weaker than" if apart.high < 0 else "not provably different from"
    return f"{players} players: the search guided by the net is {word} the {what} alone, {found}."


_NOTE = f"""

The guided search takes what the net says of each action for as much as 200 play-outs (`prior=200`): the net has seen
many games, the search sees the cards of this one. Weights from 30 to 1,000 were tried with another seed; about half
the iterations did best.

{matches.TIMES}"""
