"""What every experiment must do: write its files, and lose nothing when it is cut."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kibitz import experiments


def written(name: str, out: Path, files: Sequence[str], threads: int) -> tuple[experiments.Report, Path]:
    """A quick run and its folder, with all files and sound figures."""
    report = experiments.reproduce(name, out=out, quick=True, threads=threads)
    assert report is not None
    folder = out / name / "quick"
    for file in ["README.md", "table.csv", *files]:
        assert (folder / file).stat().st_size > 0
    assert all(row.games > 0 and np.isfinite(row.ours) for row in report.rows)
    for row in report.rows:
        assert row.interval is None or row.interval.low - 1e-9 <= row.ours <= row.interval.high + 1e-9
    return report, folder


def unpack(packed: Path) -> Path:
    """The file of a stage as it was before its last unit was done: a line each, not compressed."""
    path = packed.with_suffix("")
    path.write_bytes(gzip.decompress(packed.read_bytes()))
    packed.unlink()
    return path


def cut(folder: Path, *, whole: Sequence[str] = ()) -> None:
    """As if it had been killed: every stage, but for those named, lacks its last part."""
    for packed in sorted((folder / "parts").glob("*.jsonl.gz")):
        if packed.name.removesuffix(".jsonl.gz") not in whole:
            part = unpack(packed)
            part.write_text("".join(part.read_text().splitlines(keepends=True)[:-1]))


def check_same(again: experiments.Report, report: experiments.Report) -> None:
    assert again.rows == report.rows
    assert {key: table.csv() for key, table in again.tables.items()} == {
        key: table.csv() for key, table in report.tables.items()
    }
