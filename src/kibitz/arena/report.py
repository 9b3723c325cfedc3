"""Reports of a tournament: Markdown, CSV, JSON and a page. The same store gives the same bytes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from kibitz.arena import page as pages
from kibitz.arena.stats import Interval
from kibitz.arena.summary import Line, Summary
from kibitz.files import write_atomically

README, PAGE, RESULT = "README.md", "report.html", "result.json"


def write(found: Summary, folder: Path, *, page: bool = True) -> list[Path]:
    """Writes the files of a report, and says which; `page`: the one in HTML, too."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        README: markdown(found),
        RESULT: json.dumps(found.to_dict(), indent=1) + "\n",
        "agents.csv": agents_csv(found),
        "pairs.csv": pairs_csv(found),
        "times.csv": _csv(("agent", "microseconds_per_move"), ((x.name, x.figures.microseconds) for x in found.lines)),
    }
    if page:
        texts[PAGE] = pages.page(found)
    for name, text in texts.items():
        write_atomically(folder / name, text)
    return [folder / name for name in texts]


def markdown(found: Summary) -> str:
    parts = [f"# {found.title()}", "\n".join(found.what()), ratings_table(found), found.scale()]
    parts += ["## Who beats whom", cross_table(found)]
    parts += [
        f"Of what the agent of the row and that of the column won together, the row's share in %, [95% interval]. "
        f"{len(found.standings.pairs) // 2} comparisons: by chance alone, one in twenty intervals misses."
    ]
    parts += ["## Cycles", cycle_list(found)]
    parts += ["## Strength against time", times_table(found), "Times differ from run to run; no other figure does."]
    if found.regrets:
        parts += ["## Regret", regret_table(found)]
    return "\n\n".join(parts) + "\n"


def ratings_table(found: Summary) -> str:
    head = ("", "agent", "plays as", "rating", "games", "share of games %", "payoff per game")
    rows = [
        (
            place,
            shown_name(line),
            f"`{line.plays}`",
            rating(line),
            f"{line.figures.games:,}",
            percent(line.figures.share),
            interval(line.figures.payoff, 3),
        )
        for place, line in enumerate(found.lines, start=1)
    ]
    return _table(head, rows, right=range(3, 7))


def cross_table(found: Summary) -> str:
    names = [line.name for line in found.lines]
    rows = []
    for number, a in enumerate(names, start=1):
        pairs = [None if a == b else found.pair(a, b) for b in names]
        rows.append((number, a, *("" if pair is None else percent(pair.share) for pair in pairs)))
    return _table(("", "agent", *range(1, len(names) + 1)), rows, right=range(2, len(names) + 2))


def cycle_list(found: Summary) -> str:
    if not found.cycles:
        return "None: there are no three agents of which each beats the next beyond its 95% interval."
    return "\n".join(f"- {' > '.join((*ring, ring[0]))}" for ring in found.cycles)


def times_table(found: Summary) -> str:
    rows = [(line.name, duration(line.figures.microseconds), rating(line)) for line in found.lines]
    return _table(("agent", "µs per move", "rating"), rows, right=(1, 2))


def regret_table(found: Summary) -> str:
    rows = [
        (r.name, f"{r.decisions:,}", interval(r.loss, 4), f"{100 * r.best:.1f}%", interval(r.behind, 4))
        for r in found.regrets
    ]
    head = ("agent", "decisions", "payoff lost per decision", "nothing better", "more than the best")
    return _table(head, rows, right=range(1, 5))


def agents_csv(found: Summary) -> str:
    head = ["agent", "spec", "plays", "cheats", "games", "rating", "rating_low", "rating_high"]
    head += ["share", "share_low", "share_high", "payoff", "payoff_low", "payoff_high", "decisions"]
    rows = []
    for line in found.lines:
        f = line.figures
        figures = (*_ends(line.rating.points), *_ends(f.share), *_ends(f.payoff), f.decisions)
        rows.append((f.name, f.spec, line.plays, f.cheats, f.games, *figures))
    return _csv(head, rows)


def pairs_csv(found: Summary) -> str:
    names = found.plan.names
    pairs = found.standings.pairs.values()
    rows = [(names[pair.a], names[pair.b], pair.games, pair.deals, *_ends(pair.share)) for pair in pairs]
    return _csv(("agent", "against", "games", "deals", "share", "share_low", "share_high"), rows)


def shown_name(line: Line) -> str:
    return line.name + (" (cheats)" if line.figures.cheats else "")


def rating(line: Line) -> str:
    points = line.rating.points
    if line.rating.anchor and points.low == points.high:
        return f"{points.mean:.0f} (anchor)"
    return interval(points, 0)


def percent(share: Interval) -> str:
    return f"{100 * share.mean:.1f} [{100 * share.low:.1f}, {100 * share.high:.1f}]"


def interval(found: Interval, digits: int) -> str:
    return f"{found.mean:.{digits}f} [{found.low:.{digits}f}, {found.high:.{digits}f}]"


def duration(microseconds: float | None) -> str:
    if microseconds is None:
        return "-"
    return f"{microseconds:.2f}" if microseconds < 100 else f"{microseconds:,.0f}"


def _ends(found: Interval) -> tuple[float, float, float]:
    return found.mean, found.low, found.high


def _table(head: Sequence[Any], rows: Iterable[Sequence[Any]], right: Iterable[int]) -> str:
    numbers = set(right)
    marks = ["---:" if at in numbers else "---" for at in range(len(head))]
    lines = [head, marks, *([str(cell).replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def _csv(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()
