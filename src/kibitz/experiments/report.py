"""What an experiment hands back, and how it is written down: README.md, CSV files, plots."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz import extras
from kibitz.arena.stats import Interval
from kibitz.files import write_atomically

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Row:
    """One line of the comparison."""

    figure: str  # what is measured
    paper: str  # what the paper says of it; "" where it is silent
    found: Interval | float  # a number where there is no interval (a maximum)
    games: int
    form: str = "{:.3f}"  # how `ours` and the interval are written

    @property
    def ours(self) -> float:
        return self.found.mean if isinstance(self.found, Interval) else self.found

    @property
    def interval(self) -> Interval | None:
        return self.found if isinstance(self.found, Interval) else None

    def cells(self) -> list[str]:
        low_high = " to ".join(map(self.form.format, (self.interval.low, self.interval.high))) if self.interval else ""
        return [self.figure, self.paper, self.form.format(self.ours), f"{self.games:,}", low_high]


@dataclass(frozen=True)
class Table:
    """A CSV file."""

    header: Sequence[str]
    rows: Sequence[Sequence[object]]

    def csv(self) -> str:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.header)
        writer.writerows(self.rows)
        return text.getvalue()


@dataclass(frozen=True)
class Report:
    rows: Sequence[Row]
    note: str  # Markdown: does the paper's statement hold here, and if not, why do we think so
    tables: Mapping[str, Table] = field(default_factory=dict)  # file name without ".csv"
    plots: Mapping[str, Callable[[Axes], None]] = field(default_factory=dict)  # file name without ".png"


COLUMNS = ("figure", "paper", "ours", "games", "95% interval")
FILES = README, NUMBERS = "README.md", "table.csv"  # of every report


def why_no_plots() -> str:
    """What to tell a user whose results will have no plots; empty where they will."""
    if extras.installed("matplotlib"):
        return ""
    return f"There are no plots: they need matplotlib ({extras.how_to_get('plots')}). The same command then draws them."


def write(
    report: Report, folder: Path, *, title: str, paper: str, command: str, settings: str, remark: str = ""
) -> None:
    """Writes all files of a report, with a remark on its figures; without matplotlib no plots. README.md comes last:
    when it is there, the others are."""
    if why_no_plots():
        report = replace(report, plots={})
    for name, table in report.tables.items():
        write_atomically(folder / f"{name}.csv", table.csv())
    write_atomically(folder / NUMBERS, _numbers(report.rows).csv())
    for name, paint in report.plots.items():
        write_atomically(folder / f"{name}.png", _png(paint))
    text = _readme(report, title=title, paper=paper, command=command, settings=settings, remark=remark)
    write_atomically(folder / README, text)


def _numbers(rows: Sequence[Row]) -> Table:
    """The comparison for programs: numbers as they are, not as they are shown."""
    ends = [(r.interval.low, r.interval.high) if r.interval else ("", "") for r in rows]
    lines = [[r.figure, r.paper, r.ours, r.games, *low_high] for r, low_high in zip(rows, ends, strict=True)]
    return Table(("figure", "paper", "ours", "games", "low95", "high95"), lines)


def _png(paint: Callable[[Axes], None]) -> bytes:
    # The object interface, not pyplot: no window system is looked for, nothing global is left behind.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    paint(figure.add_subplot())
    data = io.BytesIO()
    # Without the software's version inside, the same data give the same file.
    figure.savefig(data, format="png", dpi=120, metadata={"Software": None})
    return data.getvalue()


def _readme(report: Report, *, title: str, paper: str, command: str, settings: str, remark: str) -> str:
    table = [list(COLUMNS), ["---", "---", "---:", "---:", "---"], *(row.cells() for row in report.rows)]
    lines = [f"# {title}", "", paper, ""]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |" for cells in table]
    lines += ["", *([remark, ""] if remark else []), report.note.strip(), ""]
    for name in report.plots:
        lines += [f"![{title}]({name}.png)", ""]
    files = [f"`{NUMBERS}` (the figures above)", *(f"`{name}.csv`" for name in report.tables)]
    lines += [f"Data: {', '.join(files)}. Made by `{command}` ({settings}).", ""]
    return "\n".join(lines)
