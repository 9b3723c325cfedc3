"""Li, IV.A: what trained agents have learnt to do, counted in games against random players."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import kibitz
from kibitz._core import OVER, Game, Seeds, agent_stream, mix
from kibitz.arena.stats import Interval
from kibitz.experiments import Report, Row, Run, Table, experiment, stats
from kibitz.experiments.curves import length_note, run_plans
from kibitz.experiments.li_tables import nets_of
from kibitz.experiments.li_training import MCTS, plans
from kibitz.tables import native_agent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GAMES = 3_000  # of every kind of agent, its seeds together; whatever the scale
PLAYERS = 3
MANY = 5  # cards
WILD, WILD4 = "wild", "wild_draw_4"
ACTIONS = ("skip", "reverse", "draw_2")
RANDOM, RULES = "random", "rules"


@dataclass(frozen=True)
class Decision:
    """What lay before a player, and what it did. Cards are r-5, wild; actions r-5, b-wild, draw."""

    hand: Sequence[str]
    legal: Sequence[str]
    action: str
    target: str  # with the colour that counts: r-5, b-wild
    next_cards: int  # in the hand of the next seat


def trait(card: str) -> str:
    """5, skip, wild, … of a card or an action."""
    return card.rpartition("-")[2]


def colour(card: str) -> str:
    return card.partition("-")[0]


def is_wild(card: str) -> bool:
    return trait(card) in (WILD, WILD4)


def _choice(decision: Decision, kind: Callable[[str], bool]) -> bool | None:
    """Whether an action of this kind was played; None where there was no choice between this kind and another."""
    some = [kind(action) for action in decision.legal]
    return kind(decision.action) if any(some) and not all(some) else None


def _two_with(decision: Decision, card: str) -> bool:
    """Two cards, of which just one is a wild: this one."""
    wild = [trait(held) for held in decision.hand if is_wild(held)]
    return len(decision.hand) == 2 and wild == [card]


def keeps_wild(decision: Decision) -> bool | None:
    played = _choice(decision, is_wild) if _two_with(decision, WILD) else None
    return None if played is None else not played


def keeps_wild4(decision: Decision) -> bool | None:
    """Also where the rules forbid to play it: what the paper saw."""
    fits = any(not is_wild(action) and action != "draw" for action in decision.legal)
    return not is_wild(decision.action) if _two_with(decision, WILD4) and fits else None


def wild4_allowed(decision: Decision) -> bool | None:
    """Of the hands with many cards and a Wild Draw 4, those where it may be played."""
    held = len(decision.hand) >= MANY and any(trait(card) == WILD4 for card in decision.hand)
    return any(trait(action) == WILD4 for action in decision.legal) if held else None


def wild4_played(decision: Decision) -> bool | None:
    return trait(decision.action) == WILD4 if wild4_allowed(decision) else None


def wild4_chosen(decision: Decision) -> bool | None:
    """Where anything else could be played."""
    return _choice(decision, lambda action: trait(action) == WILD4) if wild4_allowed(decision) else None


def wild_early(decision: Decision) -> bool | None:
    return _choice(decision, is_wild) if len(decision.hand) >= MANY else None


def action_card(decision: Decision) -> bool | None:
    """A Skip, Reverse or Draw 2 before a number, wilds apart."""
    coloured = [action for action in decision.legal if not is_wild(action)]
    some = [trait(action) in ACTIONS for action in coloured]
    if is_wild(decision.action) or not any(some) or all(some):
        return None
    return trait(decision.action) in ACTIONS


def attacks(decision: Decision) -> bool | None:
    """A Skip or Draw 2 when the next seat has at most two cards."""
    return _choice(decision, lambda action: trait(action) in ("skip", "draw_2")) if decision.next_cards <= 2 else None


def keeps_colour(decision: Decision) -> bool | None:
    """Plays the target's colour where a card of another would fit, too; wilds apart."""
    some = [colour(action) == colour(decision.target) for action in decision.legal if not is_wild(action)]
    if is_wild(decision.action) or not any(some) or all(some):
        return None
    return colour(decision.action) == colour(decision.target)


def best_colour(decision: Decision) -> bool | None:
    """Names a colour of which it holds most."""
    held = [colour(card) for card in decision.hand if not is_wild(card)]
    if not is_wild(decision.action) or len(set(held)) == 0:
        return None
    return held.count(colour(decision.action)) == max(held.count(c) for c in held)


PAPER_SAVES = "they will save these for the final play"
QUESTIONS: dict[str, tuple[Callable[[Decision], bool | None], str]] = {
    "keeps the Wild of its last two cards": (keeps_wild, PAPER_SAVES),
    "keeps the Wild Draw 4 of its last two cards": (keeps_wild4, PAPER_SAVES),
    f"has {MANY} cards or more and a Wild Draw 4: may play it": (wild4_allowed, ""),
    "plays it if it may": (wild4_played, "they tend to play it immediately"),
    "plays it if something else fits, too": (wild4_chosen, ""),
    f"plays a wild with {MANY} cards or more where a coloured card fits": (wild_early, ""),
    "plays Skip, Reverse or Draw 2 where a number fits": (action_card, ""),
    "plays Skip or Draw 2 if the next seat has one or two cards": (attacks, ""),
    "keeps the colour where another fits": (keeps_colour, ""),
    "names a colour of which it holds most": (best_colour, ""),
}


def count(decisions: Iterable[Decision]) -> dict[str, list[int]]:
    """For every question: how often it was so, and how often it was asked."""
    found = {question: [0, 0] for question in QUESTIONS}
    for decision in decisions:
        for question, (ask, _) in QUESTIONS.items():
            answer = ask(decision)
            if answer is not None:
                found[question][0] += answer
                found[question][1] += 1
    return found


def record(spec: str, games: int, seed: int) -> Iterable[Decision]:
    """The decisions of an agent in so many games against random players, its seat moving on."""
    game = kibitz.make("uno", players=PLAYERS, rules="rlcard")
    mine, other = native_agent(game, spec), native_agent(game, RANDOM)
    seeds = Seeds(seed)
    for i in range(games):
        state, rng = game.deal(seeds.deal(i)), agent_stream(seeds.agent(i, 0, 0))
        while state.to_act != OVER:
            seat = state.to_act
            agent = mine if seat == i % PLAYERS else other
            action = agent.act(state.view(seat), rng)
            if agent is mine:
                yield describe(game, state, action)
            state.apply(action)


def describe(game: Game, state: Any, action: int) -> Decision:
    position = game.position(state)
    seat, hands = position["to_act"], position["hands"]
    after = hands[(seat + position["direction"]) % len(hands)]
    legal = [game.text(a) for a in state.legal()]
    return Decision(hands[seat], legal, game.text(action), position["target"], len(after))


@experiment(
    "li/knowledge",
    title="Li, IV.A: what the trained agents have learnt",
    paper=(
        '"When the agents have many cards along with a \'wild draw 4\', they tend to play it immediately." "When the '
        "agents are down to only two cards, and one of them is a 'wild' or 'wild draw 4', they will save these for the "
        'final play."'
    ),
)
def knowledge(run: Run) -> Report:
    curves = run_plans(run, plans(run, PLAYERS))
    agents = {label: nets_of(curve) for label, curve in curves.items()} | {RANDOM: [RANDOM], RULES: [RULES]}
    total = 60 if run.settings.quick else GAMES
    units = [(label, spec, total // len(specs)) for label, specs in agents.items() for spec in specs]
    seed = run.seed_of(40)
    parts = run.units("counts", len(units), lambda unit: count(record(*units[unit][1:], mix(seed, unit))))
    counts: dict[str, dict[str, list[int]]] = {label: {q: [0, 0] for q in QUESTIONS} for label in agents}
    for (label, _, _), part in zip(units, parts, strict=True):
        for question, (hits, asked) in part.items():
            counts[label][question][0] += hits
            counts[label][question][1] += asked
    return Report(
        rows=[row for question in QUESTIONS for row in _rows(question, counts)],
        note=_note(counts) + length_note(list(curves.values())) + _HOW,
        tables={"counts": _table(counts)},
        plots={"shares": lambda axes: _paint(axes, counts)},
    )


_HOW = f"""

Each kind of agent played {GAMES:,} games with three players under rlcard's rules against random players (those of a
learner: the networks of all seeds together, so that nothing is said of other trainings). The column *games* counts the
decisions where the question arose; they are taken as independent. *may play it* and *plays it if it may* need no
learning: rlcard allows a Wild Draw 4 only if nothing else can be played, and drawing only if no card can. So whoever
may play it must, as the random player does, and it stays for the last card by itself wherever the other one fits."""


def share(count: Sequence[int]) -> Interval:
    return stats.share(*count)


def _rows(question: str, counts: Mapping[str, Mapping[str, Sequence[int]]]) -> list[Row]:
    """Of those who were ever asked."""
    out = []
    for label, found in counts.items():
        if found[question][1]:
            paper = QUESTIONS[question][1] if label == MCTS else ""
            out.append(Row(f"{question}: {label}", paper, share(found[question]), found[question][1], "{:.1%}"))
    return out


def _note(counts: Mapping[str, Mapping[str, Sequence[int]]]) -> str:
    """How DDQN with MCTS differs from random play and from rules, question by question."""
    lines = []
    for question in QUESTIONS:
        mine = counts[MCTS][question]
        if not mine[1]:
            lines.append(f"- {MCTS} {question}: the question never arose.")
            continue
        told = [_compare(mine, counts[other][question], other) for other in (RANDOM, RULES)]
        ours = share(mine)
        shown = f"{ours.mean:.1%} [{ours.low:.1%}, {ours.high:.1%}]"
        lines.append(f"- {MCTS} (these networks) {question}: {shown}, {' and '.join(filter(None, told))}.")
    return "\n".join(lines)


def _compare(mine: Sequence[int], theirs: Sequence[int], other: str) -> str:
    """By the interval of the difference (Newcombe's, from the two intervals of Wilson)."""
    if not theirs[1]:
        return ""
    a, b = share(mine), share(theirs)
    low = a.mean - b.mean - np.hypot(a.mean - a.low, b.high - b.mean)
    high = a.mean - b.mean + np.hypot(a.high - a.mean, b.mean - b.low)
    word = "more often than" if low > 0 else "less often than" if high < 0 else "not provably different from"
    return f"{word} {other} ({b.mean:.1%})"


def _table(counts: Mapping[str, Mapping[str, Sequence[int]]]) -> Table:
    lines: list[tuple[Any, ...]] = []
    for label, found in counts.items():
        for question, (hits, asked) in found.items():
            shares = astuple(share((hits, asked))) if asked else ("", "", "")
            lines.append((label, question, hits, asked, *shares))
    return Table(("agent", "question", "hits", "decisions", "share", "low95", "high95"), lines)


def _paint(axes: Axes, counts: Mapping[str, Mapping[str, Sequence[int]]]) -> None:
    height = 0.8 / len(counts)
    for i, (label, found) in enumerate(counts.items()):
        shares = [hits / asked if asked else np.nan for hits, asked in found.values()]
        axes.barh(np.arange(len(shares)) + i * height, shares, height, label=label)
    axes.set_yticks(np.arange(len(QUESTIONS)) + 0.4, [textwrap.fill(q, 44) for q in QUESTIONS], fontsize=7)
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}%")
    axes.set_title("How often agents do it where the question arises")
    axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.0, 1.0))
