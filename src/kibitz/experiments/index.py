"""The index of all results, results/README.md: written from the results that are there, never by hand."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from kibitz.experiments.catalogue import PAPERS, Item, Paper
from kibitz.experiments.run import read_run
from kibitz.files import write_atomically

_INTRO = """# The papers, and what came out here

Every table, figure and claim of the five papers, in the paper's order: what it says, what came out here with its 95%
interval, how many games of the paper's number were played (scale 1: as many), and the command that does it again.
Verdicts come from the intervals: a statement *holds* or *does not hold* where the whole interval says so, and is *not
decided* otherwise. Learning at less than the paper's scale decides nothing about longer learning. This page is made by
`kibitz reproduce --index`.
"""

# What the lines of a report say, as one of three words.
_VERDICTS = (
    (re.compile(r": (it )?(holds|here the same)"), "holds"),
    (re.compile(r"does not hold|: here it is"), "does not hold"),
    (re.compile(r"not decided|neither shown nor refuted|the games agree"), "not decided"),
)


@dataclass(frozen=True)
class Found:
    """What the folder of an experiment says."""

    name: str
    figures: tuple[tuple[str, ...], ...]  # the rows of its comparison for which the paper has a figure
    claims: tuple[tuple[str, str], ...]  # each with its verdict
    scale: float
    version: str
    seconds: float | None
    command: str


def verdict(line: str) -> str | None:
    """The verdict of a line of a report; the first that it speaks of. None: the line judges nothing."""
    hits = [(match.start(), word) for pattern, word in _VERDICTS if (match := pattern.search(line))]
    return min(hits)[1] if hits else None


def found(folder: Path, name: str) -> Found | None:
    """What came of an experiment; None if it has not been run to its end."""
    saved, readme = read_run(folder), folder / "README.md"
    if saved is None or saved.get("state") != "done" or not readme.exists():
        return None
    lines = readme.read_text(encoding="utf-8").splitlines()
    cells = [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in lines if line.startswith("| ")]
    claims = [(line[2:], word) for line in lines if line.startswith("- ") and (word := verdict(line))]
    settings, times = saved["settings"], saved.get("seconds") or {}
    made = re.search(r"Made by `([^`]*)`", "\n".join(lines))
    return Found(
        name,
        tuple(row for row in cells[2:] if len(row) == 5 and row[1]),
        tuple(claims),
        float(settings["scale"]),
        str(settings.get("version", "")),
        sum(times.values()) if times else None,
        made.group(1) if made else f"kibitz reproduce {name}",
    )


def write(out: Path) -> Path:
    """Writes the index of the results in `out`."""
    path = out / "README.md"
    write_atomically(path, text(out))
    return path


def text(out: Path) -> str:
    return "\n".join([_INTRO, _summary(out), *(_paper(paper, out) for paper in PAPERS)])


def _results(paper: Paper, out: Path) -> list[Found]:
    names = [name for item in paper.items for name in item.experiments]
    return [have for name in names if (have := found(out / name, name))]


def _summary(out: Path) -> str:
    lines = ["| paper | statements that hold | do not hold | not decided |", "| --- | ---: | ---: | ---: |"]
    for paper in PAPERS:
        counts = Counter(word for have in _results(paper, out) for _, word in have.claims)
        shown = " | ".join(str(counts[word]) for word in ("holds", "does not hold", "not decided"))
        lines.append(f"| [{paper.name}](#{paper.name}) | {shown} |")
    return "\n".join([*lines, ""])


def _paper(paper: Paper, out: Path) -> str:
    lines = [f"## {paper.name}", "", f"{paper.title}.", ""]
    lines += ["| place | experiment | scale | time | command |", "| --- | --- | ---: | ---: | --- |"]
    lines += [row for item in paper.items for row in _rows(item, out)]
    for have in _results(paper, out):
        lines += ["", f"### {have.name}", ""]
        if have.figures:
            lines += ["| figure | paper | ours | games | 95% interval |", "| --- | --- | ---: | ---: | --- |"]
            lines += ["| " + " | ".join(row) + " |" for row in have.figures]
            lines += [""]
        lines += [f"- **{word}**: {claim}" for claim, word in have.claims]
    return "\n".join([*lines, ""])


def _rows(item: Item, out: Path) -> list[str]:
    if not item.experiments:
        return [f"| {item.place} | none: {item.reason} | | | |"]
    return [_row(item.place, name, found(out / name, name)) for name in item.experiments]


def _row(place: str, name: str, have: Found | None) -> str:
    if have is None:
        return f"| {place} | {name}: not run yet | | | `kibitz reproduce {name}` |"
    old = "" if have.version != "0.1.0" else ", with the seeds of 0.1.0"
    return f"| {place} | [{name}]({name}/README.md){old} | {have.scale:g} | {_time(have.seconds)} | `{have.command}` |"


def _time(seconds: float | None) -> str:
    """Time of all processes, as it was written down."""
    if seconds is None:
        return "not recorded"
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
