"""Regret: what agents lose at sampled decisions, by a judge that looks deeper than they do.

Close agents need many thousand games to be told apart. Here all of them are asked about the same decisions, and what
each would have played is judged in the same worlds (`kibitz.advice.judge`): differences show with far less work. It is
no substitute for games: the judge has errors of its own, and a decision in the middle of a game is not a whole game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from kibitz import protocols, registry
from kibitz._core import NATURE, OVER, Rng, Seeds
from kibitz.advice import judge
from kibitz.arena.plan import Plan
from kibitz.arena.stats import Interval, mean_interval
from kibitz.arena.store import Store
from kibitz.protocols import Agent, State

_TRIES = 1000  # deals for one decision: in some games most have none


@dataclass(frozen=True)
class Regret:
    """Of one agent, in payoff per decision that had an alternative."""

    name: str
    decisions: int
    loss: Interval
    best: float  # the share of decisions at which the judge knows nothing better
    behind: Interval  # how much more it loses than the agent that loses least


def sample(store: Store, progress: Callable[[int, int], None] | None = None) -> bool:
    """Judges as many decisions as the plan says, those that were not yet. Ctrl-C keeps what is done; False says so."""
    plan = store.plan
    done = store.regrets()
    agents = [registry.agent(entry.spec) for entry in plan.agents]
    for agent in agents:
        protocols.native(agent, plan.made)  # tells it the game
    try:
        for number in range(plan.regret):
            if progress:
                progress(number, plan.regret)
            if number not in done:
                store.add_regret(number, _decision(plan, agents, number))
    except KeyboardInterrupt:
        return False
    return True


def _decision(plan: Plan, agents: Sequence[Agent], number: int) -> dict[str, Any]:
    """Decision `number`: from a game between agents drawn by lot, one of its decisions drawn by lot."""
    seed = Seeds(plan.seed).series(number)
    rng = Rng(seed)
    for deal in range(_TRIES):
        found = _game(plan, agents, Seeds(seed), deal, rng)
        if found:
            break
    else:
        raise ValueError(f"no decision with an alternative in {_TRIES:,} deals of {plan.game}")
    state = found[rng.below(len(found))]
    losses: dict[int, float | None] = {}
    actions = []
    for agent in agents:
        agent.begin(Seeds(seed).agent(0, 0, 0))
        actions.append(int(agent.act(state.copy() if agent.peeks else state.view(state.to_act))))
        if actions[-1] not in losses:
            judged = judge.decision(plan.made, state, actions[-1], effort=plan.effort, seed=seed, over=False)
            losses[actions[-1]] = None if judged.known is None else judged.known.loss
    named = zip(plan.names, actions, strict=True)
    return {"effort": plan.effort, "losses": {name: losses[action] for name, action in named}}


def _game(plan: Plan, agents: Sequence[Agent], seeds: Seeds, deal: int, rng: Rng) -> list[State]:
    """The states of a game at which there was something to decide."""
    at_seat = [agents[rng.below(len(agents))] for _ in range(plan.made.players)]
    for seat, agent in enumerate(at_seat):
        agent.begin(seeds.agent(deal, 1, seat))
    state, nature, found = plan.made.deal(seeds.deal(deal)), Rng(seeds.nature(deal)), []
    while (seat := state.to_act) != OVER:
        legal = state.legal()
        if seat == NATURE:
            state.apply(legal[nature.below(len(legal))])
            continue
        if len(legal) > 1:
            found.append(state.copy())
        agent = at_seat[seat]
        state.apply(agent.act(state.copy() if agent.peeks else state.view(seat)))
    return found


def regrets(plan: Plan, decisions: Sequence[dict[str, Any]]) -> list[Regret]:
    """Least first; decisions that the judge could not decide for every agent are left out."""
    judged = [d["losses"] for d in decisions if d["effort"] == plan.effort]
    whole = [losses for losses in judged if all(losses.get(name) is not None for name in plan.names)]
    if not whole:
        return []
    table = np.asarray([[losses[name] for name in plan.names] for losses in whole], np.float64)
    order = np.argsort(table.mean(axis=0), kind="stable").tolist()
    first = table[:, order[0]]
    return [
        Regret(
            plan.names[a],
            len(table),
            mean_interval(table[:, a], 0.0, inf),
            float((table[:, a] == 0).mean()),
            mean_interval(table[:, a] - first, -inf, inf),
        )
        for a in order
    ]
