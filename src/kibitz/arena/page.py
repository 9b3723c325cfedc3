"""A tournament as one HTML page: tables and plots in SVG, no scripts, nothing that is loaded from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10

from kibitz.arena.stats import Interval
from kibitz.arena.summary import Line, Summary

WIDE, ROW, LEFT = 760.0, 26.0, 240.0  # of plots, in pixels: width, height of a row, room for names
INK, LINE, DOT = "#1d262b", "#c8d0d4", "#2f6fb3"

_STYLE = """
body { font: 16px/1.45 system-ui, sans-serif; color: #1d262b; background: #fff; max-width: 70rem; margin: 2rem auto;
  padding: 0 1rem }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { padding: .25rem .6rem; border: 1px solid #c8d0d4; text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left }
small { color: #4a565c } svg { max-width: 100%; height: auto } code { font-size: .9em }
"""


def page(found: Summary) -> str:
    title = escape(found.title())
    parts = [f"<h1>{title}</h1>", *(f"<p>{escape(line)}</p>" for line in found.what())]
    parts += ["<h2>Ratings</h2>", _ratings(found), _ratings_table(found), f"<p>{escape(found.scale())}</p>"]
    parts += ["<h2>Who beats whom</h2>", _cross(found)]
    parts += ["<p>The row's share, in %, of what the two won together; pale where its 95% interval holds 50.</p>"]
    parts += ["<h2>Cycles</h2>", _cycles(found), "<h2>Strength against time</h2>", _times(found.lines)]
    if found.regrets:
        parts += ["<h2>Regret</h2>", _regrets(found)]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<style>{_STYLE}</style></head><body>\n{body}\n</body></html>\n'
    )


def _ratings(found: Summary) -> str:
    """A dot with its interval for each agent."""
    ends = [end for line in found.lines for end in (line.rating.points.low, line.rating.points.high)]
    scale = _Scale(min(ends), max(ends))
    high = ROW * (len(found.lines) + 1)
    marks = [_tick(scale.x(value), high, f"{value:g}") for value in scale.ticks()]
    for number, line in enumerate(found.lines):
        y, points = ROW * (number + 0.5), line.rating.points
        marks.append(_text(LEFT - 10, y, line.name, "end"))
        marks.append(
            f'<line x1="{scale.x(points.low):.1f}" x2="{scale.x(points.high):.1f}" y1="{y:.1f}" y2="{y:.1f}" '
            f'stroke="{INK}"/><circle cx="{scale.x(points.mean):.1f}" cy="{y:.1f}" r="4.5" fill="{DOT}"/>'
        )
    return _svg(high, marks, "Ratings with 95% intervals")


def _times(lines: Sequence[Line]) -> str:
    """Rating over the time of a move, on a logarithmic axis."""
    timed = [(line, time) for line in lines if (time := line.figures.microseconds)]
    if not timed:
        return "<p>No move was timed.</p>"
    logs = [log10(time) for _, time in timed]
    across = _Scale(min(logs), max(logs))
    points = [line.rating.points.mean for line, _ in timed]
    up, high = _Scale(min(points), max(points)), 360.0
    marks = []
    for power in range(floor(min(logs)), ceil(max(logs)) + 1):
        if across.low <= power <= across.high:
            marks.append(_tick(across.x(power), high, f"{10.0**power:g} µs"))
    for (line, _), at in zip(timed, logs, strict=True):
        share = (line.rating.points.mean - up.low) / (up.high - up.low)
        x, y = across.x(at), (high - ROW) * (1 - 0.9 * share - 0.05)
        marks.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{DOT}"/>')
        side, away = ("end", -9.0) if x > WIDE - 160 else ("start", 9.0)
        marks.append(_text(x + away, y, f"{line.name} ({line.rating.points.mean:.0f})", side))
    return _svg(high, marks, "Rating over the time per move")


class _Scale:
    """Values to places between LEFT and WIDE."""

    def __init__(self, low: float, high: float) -> None:
        room = 0.04 * (high - low) or 1.0
        self.low, self.high = low - room, high + room

    def x(self, value: float) -> float:
        return LEFT + (WIDE - LEFT - 50) * (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[float]:
        rough = (self.high - self.low) / 6
        step = 10.0 ** floor(log10(rough))
        step *= next(factor for factor in (1, 2, 5, 10) if factor * step >= rough)
        return [step * n for n in range(ceil(self.low / step), floor(self.high / step) + 1)]


def _ratings_table(found: Summary) -> str:
    rows = []
    for line in found.lines:
        f, cheats = line.figures, " (cheats)" if line.figures.cheats else ""
        name = f"{escape(f.name + cheats)}<br><small><code>{escape(line.plays)}</code></small>"
        cells = [_of(line.rating.points, 1, 0), f"{f.games:,}", _of(f.share, 100, 1), _of(f.payoff, 1, 3)]
        rows.append([name, *cells, "-" if f.microseconds is None else f"{f.microseconds:,.2f}"])
    return _table(["agent", "rating", "games", "share of games %", "payoff per game", "µs per move"], rows)


def _cross(found: Summary) -> str:
    names = [line.name for line in found.lines]
    rows = [[escape(a), *(_cell(found, a, b) for b in names)] for a in names]
    return _table(["", *map(escape, names)], rows)


def _cell(found: Summary, a: str, b: str) -> str:
    pair = None if a == b else found.pair(a, b)
    if pair is None:
        return ""
    share = pair.share
    sure = share.low > 0.5 or share.high < 0.5
    colour = ("#bfe3c6" if share.mean > 0.5 else "#f3c9c4") if sure else "#eef1f2"
    shown = f"{100 * share.mean:.1f}<br><small>{100 * share.low:.1f} to {100 * share.high:.1f}</small>"
    return f'<div style="background:{colour};margin:-.25rem -.6rem;padding:.25rem .6rem">{shown}</div>'


def _cycles(found: Summary) -> str:
    if not found.cycles:
        return "<p>None: there are no three agents of which each beats the next beyond its 95% interval.</p>"
    rings = [escape(" > ".join((*ring, ring[0]))) for ring in found.cycles]
    return "<ul>" + "".join(f"<li>{ring}</li>" for ring in rings) + "</ul>"


def _regrets(found: Summary) -> str:
    rows = [
        [escape(r.name), f"{r.decisions:,}", _of(r.loss, 1, 4), f"{100 * r.best:.1f}%", _of(r.behind, 1, 4)]
        for r in found.regrets
    ]
    return _table(["agent", "decisions", "payoff lost per decision", "nothing better", "more than the best"], rows)


def _of(found: Interval, factor: float, digits: int) -> str:
    mean, low, high = (f"{factor * value:.{digits}f}" for value in (found.mean, found.low, found.high))
    return f"{mean} <small>[{low}, {high}]</small>"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Of cells that are HTML."""
    lines = ["".join(f"<th>{cell}</th>" for cell in head)]
    lines += ["".join(f"<td>{cell}</td>" for cell in row) for row in rows]
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def _tick(x: float, high: float, label: str) -> str:
    line = f'<line x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{high - ROW:.1f}" stroke="{LINE}"/>'
    return line + _text(x, high - ROW / 2, label, "middle")


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y + 5:.1f}" text-anchor="{anchor}" font-size="13" fill="{INK}">{escape(text)}</text>'


def _svg(high: float, marks: Sequence[str], label: str) -> str:
    size = f'viewBox="0 0 {WIDE:g} {high:g}" width="{WIDE:g}" height="{high:g}"'
    return f'<svg {size} role="img" aria-label="{escape(label)}" font-family="sans-serif">{"".join(marks)}</svg>'
