"""Thoughts as tables: what an agent says of each action, and where it expects the hidden cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from kibitz.advice import words
from kibitz.beliefs import WORLDS, Cards
from kibitz.protocols import Game, Thought, View
from kibitz.terminal.painter import painter_of

LONGEST = 24  # columns of an action before it wraps, too
CERTAIN, IMPOSSIBLE = "●", "·"
LEGEND = f"% of {WORLDS} worlds where the seat holds the card: {CERTAIN} all, {IMPOSSIBLE} none, blank: not hidden"


def ranking(thought: Thought) -> list[int]:
    """Places in the thought's lists, the best first, then in the order of `words.groups`."""
    return [at for group in words.groups(thought) for at in group]


def action_table(
    game: Game,
    thought: Thought,
    top: int = 0,
    *,
    view: View | None = None,
    text: Callable[[int], str] | None = None,
    verbose: bool = False,
) -> RenderableType:
    """The actions, best first and marked; only the `top` best of them unless that is 0. `verbose`: how much of the
    search each of them got."""
    named, order = text or game.text, ranking(thought)
    # Where the screen is narrow, words about an action wrap; the action itself never gives way.
    longest = max(len(named(thought.actions[at])) for at in order[: top or None])
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("", min_width=1)
    table.add_column("action", overflow="fold", min_width=min(longest, LONGEST))
    table.add_column("worth", justify="right")
    table.add_column("")
    for name in ("visits", "share") * verbose:
        table.add_column(name, justify="right", no_wrap=True)
    for at in order[: top or None]:
        chosen = thought.actions[at] == thought.best
        worth = words.value(game, thought.value[at], thought.error[at], view, difference=thought.difference)
        cells = ["*" if chosen else " ", Text(named(thought.actions[at])), worth, compared(game, thought, at, view)]
        table.add_row(*cells, *(_effort_of(thought, at) if verbose else []), style="bold" if chosen else "")
    if top and len(order) > top:
        table.add_row("", f"… {len(order) - top} more")
    return table


def _effort_of(thought: Thought, at: int) -> list[str]:
    visits = thought.visits[at]
    return ["-" if visits is None else f"{visits:,}", f"{100 * thought.share[at]:.1f}%"]


def compared(game: Game, thought: Thought, at: int, view: View | None = None) -> str:
    """How an action compares with the one that the agent would play: no more is said than the errors allow."""
    loss = words.loss_of(thought, at)
    if thought.actions[at] == thought.best or loss.mean is None or words.undecided(thought):
        return ""
    if loss.beyond:
        return f"{words.loss(game, loss.mean, loss.error, view, difference=loss.difference)} less"
    return "about equal" if loss.error is not None else ""


def effort(thought: Thought) -> str:
    """What a search did for its opinion; empty for agents that do not search."""
    counted = ((thought.iterations, "iteration"), (thought.nodes, "node"))
    parts = [f"{count:,} {what}{'s' * (count != 1)}" for count, what in counted if count is not None]
    return ", ".join(parts) + (" (the bound was reached)" if thought.full else "")


def remarks(agent: Any, thought: Thought | None = None) -> list[str]:
    """What must be said of an agent's opinion of a position, beside the opinion."""
    guesses = getattr(agent, "options", {}).get("inference", "none") != "none"
    out = ["the position has no history: inference has nothing to go on"] * guesses
    return out + ([] if thought is None else words.caveats(thought))


def card_table(game: Game, cards: Cards, names: Sequence[str] = (), *, signs: bool = False) -> RenderableType:
    """The unseen cards by seat; in games that have no grid as a list for each seat, likeliest first. `signs`: suits
    as people at a table see them, in the place of the game's letters."""
    grid = painter_of(game).grid
    if grid is None:
        return _card_list(cards, names)
    places = {grid.place(card): card for odds in cards.values() for card in odds}
    rows = [row for row in grid.rows if any(place[0] == row for place in places)]
    columns = [column for column in grid.columns if any(place[1] == column for place in places)]
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    table.add_column("")
    table.add_column("")
    for column in columns:
        table.add_column(grid.heads.get(column, column), justify="right", no_wrap=True, min_width=3)
    for seat, odds in cards.items():
        for row in rows:
            found = [places.get((row, column)) for column in columns]
            label = _who(seat, names) if row == rows[0] else ""
            table.add_row(
                label,
                grid.heads.get(row, row) if signs else row,
                *("" if card is None else per_cent(odds[card]) for card in found),
            )
    return table


def _card_list(cards: Cards, names: Sequence[str]) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    for seat, odds in cards.items():
        likeliest = sorted(odds, key=lambda card: -odds[card])
        table.add_row(_who(seat, names), Text(", ".join(f"{card} {per_cent(odds[card])}" for card in likeliest)))
    return table


def _who(seat: int, names: Sequence[str]) -> Text:
    return Text(names[seat] if seat < len(names) else f"seat {seat}")


def per_cent(probability: float) -> str:
    """What is almost sure is not shown as sure."""
    if probability in (0, 1):
        return CERTAIN if probability else IMPOSSIBLE
    if probability < 0.005 or probability > 0.995:
        return "<1" if probability < 0.5 else ">99"
    return f"{100 * probability:.0f}"
