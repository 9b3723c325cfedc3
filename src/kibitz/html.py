"""What notebooks show: states and views as cards, thoughts as bars with their errors, results as tables with intervals.

Plain HTML and SVG: no scripts, nothing that is loaded. The classes of what is shown have `_repr_html_`, which
calls this.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from kibitz import pictures
from kibitz._core import State, View
from kibitz.advice import words
from kibitz.protocols import Thought

if TYPE_CHECKING:
    from kibitz.arena.result import MatchResult
    from kibitz.arena.stats import Interval

ACCENT, PLAIN, WHISKER = "#f2b441", "#7aa7ff", "#1d262b"
BAR, TALL = 160.0, 14.0  # width and height of a bar


def shown(what: State | View) -> str:
    """A state, with all cards, or a view, with what its seat may know."""
    return f'<div title="{escape(repr(what))}">{pictures.svg(pictures.picture(what))}</div>'


def thought(said: Thought) -> str:
    """An action in each row, best first; those that cannot be told apart from the best are marked."""
    ranges = _ranges(said)
    known = [end for ends in ranges if ends for end in ends]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    groups = words.groups(said)
    rows = []
    for number, group in enumerate(groups):
        for at in group:
            ends, value = ranges[at], said.value[at]
            bar = "" if ends is None or value is None else _bar(value, ends, (low, high), number == 0)
            cells = [_action(said, at), bar, _value(said, at), f"{100 * said.share[at]:.0f}%"]
            rows.append(_row(cells, bold=number == 0 and known != []))
    notes = "".join(f"<div>{escape(note)}</div>" for note in words.caveats(said))
    head = "value, with 95% intervals" if any(error is not None for error in said.error) else "value"
    return _table(["action", head, "", "share"], rows) + notes


def result(played: MatchResult) -> str:
    """An agent in each row."""
    rows = []
    for agent in played.agents:
        name = escape(agent.name) + (" (cheats)" if agent.cheats else "")
        rate, payoff = agent.win_rate, agent.payoff
        bar = _bar(rate.mean, (rate.low, rate.high), (0.0, 1.0), False) if rate.mean == rate.mean else ""
        rows.append(
            _row([name, f"{agent.wins:,}", bar, _interval(rate, 100, "%"), _interval(payoff), f"{agent.draws:,}"])
        )
    head = ["agent", "wins", "win rate", "", "mean payoff", "draws"]
    caption = f"<div><b>{escape(played.title())}</b></div>"
    notes = ["in brackets: 95% intervals from the variance between deals", *played.notes]
    if played.interrupted:
        notes.append("interrupted: only what was finished is counted")
    return caption + _table(head, rows) + "".join(f"<div>{escape(note)}</div>" for note in notes)


def _ranges(said: Thought) -> list[tuple[float, float] | None]:
    """The 95% interval of each value; without an error, the value alone."""
    out: list[tuple[float, float] | None] = []
    for value, error in zip(said.value, said.error, strict=True):
        half = words.Z * error if error is not None else 0.0
        out.append(None if value is None else (value - half, value + half))
    return out


def _action(said: Thought, at: int) -> str:
    action = said.actions[at]
    return escape(said.game.text(action)) if said.game is not None else str(action)


def _value(said: Thought, at: int) -> str:
    value, error = said.value[at], said.error[at]
    if said.game is not None:
        return escape(words.value(said.game, value, error, difference=said.difference))
    if value is None:
        return "-"
    return f"{value:.3f}" + (f" ± {words.Z * error:.3f}" if error is not None else "")


def _interval(interval: Interval, times: float = 1, unit: str = "") -> str:
    if interval.mean != interval.mean:  # nothing was played
        return "-"
    mean, low, high = times * interval.mean, times * interval.low, times * interval.high
    return f"{mean:.3g}{unit} [{low:.3g}, {high:.3g}]"


def _bar(value: float, ends: tuple[float, float], scale: tuple[float, float], best: bool) -> str:
    """From the left end of the scale to the value, with a whisker over the interval."""
    low, high = scale
    width = (high - low) or 1.0

    def place(number: float) -> float:
        return round(2 + (BAR - 4) * (number - low) / width, 2)

    middle = TALL / 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{BAR:g}" height="{TALL:g}">'
        f'<rect x="0" y="2" width="{place(value):g}" height="{TALL - 4:g}" fill="{ACCENT if best else PLAIN}"/>'
        f'<path d="M{place(ends[0]):g} {middle:g}H{place(ends[1]):g}" stroke="{WHISKER}" stroke-width="2"/></svg>'
    )


def _row(cells: list[str], bold: bool = False) -> str:
    weight = ' style="font-weight:bold"' if bold else ""
    return f"<tr{weight}>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _table(head: list[str], rows: list[str]) -> str:
    return f"<table><tr>{''.join(f'<th>{escape(name)}</th>' for name in head)}</tr>{''.join(rows)}</table>"
