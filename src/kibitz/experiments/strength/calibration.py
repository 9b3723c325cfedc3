"""Do values come true? What an adviser says of the move that it plays, against what it then gets against itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import kibitz
from kibitz import advice
from kibitz.arena.stats import mean_interval
from kibitz.experiments import Report, Row, Run, experiment, stats
from kibitz.experiments.strength import matches

GAMES = ("uno:players=3", "belote", "belote:bidding=true", "doudizhu", "doudizhu:bidding=true")
DEALS = 200
TRUE = "cheat-mcs:iterations=400,rollout=rules"
LADDER = (100, 300, 1_000, 3_000)  # iterations
POSITIONS = 200
PARTS = ("choice", "worlds", "play")


@dataclass
class _Sums:
    """Of one deal: decisions, and what each part adds to the prediction."""

    decisions: int = 0
    parts: tuple[float, ...] = (0.0, 0.0, 0.0)

    def add(self, values: tuple[float, float, float, float]) -> None:
        said, fresh, true, got = values
        self.decisions += 1
        steps = (said - fresh, fresh - true, true - got)
        self.parts = tuple(old + new for old, new in zip(self.parts, steps, strict=True))


@experiment(
    "strength/calibration",
    title="Predicted values against what then happens",
    paper=(
        "The adviser plays all seats. At each decision the value of the action that it plays is compared with the "
        "payoff that its seat gets in the end, or, where it plays for the difference between the sides, with that. How "
        "much higher the value is is the sum of three. *Choice*: the action was chosen "
        "because its value looked high; a second search with other chance says how high it is. *Worlds*: worlds are "
        "drawn uniformly, whatever the others have shown by their play; the same play-outs in the true state say what "
        "that is worth. *Play*: the play-outs are not what the players then do. Agreement: the share of positions in "
        "which two searches with different seeds choose the same action, by iterations."
    ),
)
def calibration(run: Run) -> Report:
    rows: list[Row] = []
    lines: list[str] = []
    for spec in GAMES:
        deals = [_Sums(*part) for part in _self_play(run, spec)]
        rows += _rows(spec, deals)
        total = mean_interval(np.array([sum(d.parts) / d.decisions for d in deals]), -np.inf, np.inf)
        if total.low > 0:
            lines.append(f"{spec}: values are too high by {total.mean:.3g} ({total.low:.3g} to {total.high:.3g}).")
    ladder = LADDER[:1] if run.settings.quick else LADDER
    for spec in GAMES:
        for iterations in ladder:
            same = _agreement(run, spec, iterations)
            label = f"{spec}: same choice with another seed, {iterations:,} iterations"
            rows.append(Row(label, "", stats.share(sum(same), len(same)), len(same), "{:.1%}"))
    said = lines or ["No adviser's values are too high beyond the interval."]
    return Report(rows=rows, note="\n".join(f"- {line}" for line in said))


def _rows(spec: str, deals: list[_Sums]) -> list[Row]:
    out = []
    for name, pick in (("too high", slice(0, 3)), *((f"by {part}", slice(i, i + 1)) for i, part in enumerate(PARTS))):
        scores = np.array([sum(deal.parts[pick]) / deal.decisions for deal in deals])
        out.append(Row(f"{spec}: {name}", "", mean_interval(scores, -np.inf, np.inf), len(deals), "{:+.3f}"))
    return out


def _self_play(run: Run, spec: str) -> list[list[Any]]:
    game = kibitz.make(spec)
    asked = advice.choice(game).variant.adviser
    difference = kibitz.registry.parse_spec(asked).options.get("goal") == "difference"
    goal = ",goal=difference" * difference

    def work(unit: int) -> list[Any]:
        agent, again, true = kibitz.agent(asked), kibitz.agent(asked), kibitz.agent(TRUE + goal)
        seed = run.seed_of(unit)
        for player, salt in ((agent, 1), (again, 2), (true, 3)):
            player.begin(kibitz._core.mix(seed, salt))
        state, sums, said = game.deal(seed), _Sums(), []
        while not state.over:
            view = state.view(state.to_act)
            if len(view.legal()) == 1:
                state.apply(view.legal()[0])
                continue
            thought = agent.think(view)
            at = thought.actions.index(thought.best)
            here, fresh, there = (found.value[at] for found in (thought, again.think(view), true.think(state)))
            if here is not None and fresh is not None and there is not None:
                said.append((state.to_act, here, fresh, there))
            state.apply(thought.best)
        for seat, here, fresh, there in said:
            sums.add((here, fresh, there, _gets(game, state, seat, difference=difference)))
        return [sums.decisions, sums.parts]

    parts = run.units(matches.stage_of("self", spec, [asked]), run.games(DEALS, quick=2), work)
    return [part for part in parts if part[0]]


def _gets(game: kibitz.Game, state: kibitz.State, seat: int, *, difference: bool) -> float:
    own = float(state.payoffs[seat])
    others = [state.payoffs[other] for other in range(game.players) if game.teams[other] != game.teams[seat]]
    return own - float(np.mean(others)) if difference else own


def _agreement(run: Run, spec: str, iterations: int) -> list[bool]:
    """Per position, a decision of a game between `rules`."""
    game = kibitz.make(spec)
    search = kibitz.registry.parse_spec(advice.choice(game).variant.adviser)
    asked = str(kibitz.registry.Spec(search.name, None, search.options | {"iterations": iterations}))

    def work(unit: int) -> bool:
        seed = run.seed_of(unit)
        state, mover = game.deal(seed), kibitz.agent("rules")
        mover.begin(seed)
        moves = 2 + unit % 12
        while not state.over and (len(state.history) < moves or len(state.legal()) == 1):
            state.apply(mover.act(state.view(state.to_act)))
        if state.over:  # all passed: the deal before its first action
            state = game.deal(seed)
        chosen = []
        for salt in (1, 2):
            agent = kibitz.agent(asked)
            agent.begin(kibitz._core.mix(seed, salt))
            chosen.append(agent.act(state.view(state.to_act)))
        return chosen[0] == chosen[1]

    return run.units(matches.stage_of("agree", spec, [asked]), run.games(POSITIONS, quick=2), work)
