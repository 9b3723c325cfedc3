"""Thoughts as tables: what an agent says of each action, and where it expects the hidden cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from kibitz.beliefs import WORLDS, Cards
from kibitz.protocols import Game, Thought
from kibitz.terminal.painter import painter_of

BAR = 20  # characters
CERTAIN, IMPOSSIBLE = "●", "·"
LEGEND = f"% of {WORLDS} worlds where the seat holds the card: {CERTAIN} all, {IMPOSSIBLE} none, blank: not hidden"


def money(game: Game, value: float | None) -> str:
    """A payoff with as many decimals as its range deserves; a sign where payoffs can be negative."""
    if value is None:
        return "-"
    figure = amount(game, value)
    return f"+{figure}" if game.payoff_range[0] < 0 and float(figure) > 0 else figure


def amount(game: Game, value: float) -> str:
    """A difference of payoffs."""
    low, high = game.payoff_range
    figure = f"{value:.{1 if high - low > 20 else 3}f}"
    return figure if float(figure) else figure.lstrip("-")


def ranking(thought: Thought) -> list[int]:
    """Places in the thought's lists, the best first, then by share, then by value; as they come on ties."""

    def mark(at: int) -> tuple[bool, float, float]:
        value = thought.value[at]
        return thought.actions[at] != thought.best, -thought.share[at], float("inf") if value is None else -value

    return sorted(range(len(thought.actions)), key=mark)


def action_table(game: Game, thought: Thought, top: int = 0) -> RenderableType:
    """The actions, best first and marked; only the `top` best of them unless that is 0."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("")
    table.add_column("action", overflow="fold")
    for name in ("value", "visits", "share"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("")
    order = ranking(thought)
    for at in order[: top or None]:
        visits, share = thought.visits[at], thought.share[at]
        table.add_row(
            "*" if thought.actions[at] == thought.best else " ",
            Text(game.text(thought.actions[at])),
            money(game, thought.value[at]),
            "-" if visits is None else f"{visits:,}",
            f"{100 * share:.1f}%",
            bar(share),
            style="bold" if thought.actions[at] == thought.best else "",
        )
    if top and len(order) > top:
        table.add_row(
            "", f"… {len(order) - top} more", "", "", f"{100 * sum(thought.share[i] for i in order[top:]):.1f}%"
        )
    return table


def undecided(thought: Thought) -> bool:
    """Whether a search that ended at its bound has told no action from another: its best one is merely the first."""
    return thought.full and len(thought.actions) > 1 and len(set(thought.value)) == len(set(thought.visits)) == 1


def effort(thought: Thought) -> str:
    """What a search did for its opinion; empty for agents that do not search."""
    counted = ((thought.iterations, "iteration"), (thought.nodes, "node"))
    parts = [f"{count:,} {what}{'s' * (count != 1)}" for count, what in counted if count is not None]
    bound = f" (the bound was reached{': nothing was decided' * undecided(thought)})" if thought.full else ""
    return ", ".join(parts) + bound


def remarks(agent: Any) -> list[str]:
    """What must be said of an agent's opinion of a position, beside the opinion."""
    guesses = getattr(agent, "options", {}).get("inference", "none") != "none"
    return ["the position has no history: inference has nothing to go on"] * guesses


def bar(share: float) -> str:
    """In eighths of a character, so that small shares can be told apart."""
    whole, eighths = divmod(round(8 * BAR * share), 8)
    return "█" * whole + (chr(0x2590 - eighths) if eighths else "")


def card_table(game: Game, cards: Cards, names: Sequence[str] = ()) -> RenderableType:
    """The unseen cards by seat; in games that have no grid as a list for each seat, likeliest first."""
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
            table.add_row(label, row, *("" if card is None else per_cent(odds[card]) for card in found))
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
