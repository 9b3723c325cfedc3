"""kibitz reproduce: the papers' experiments."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App
from rich.table import Table

from kibitz import experiments
from kibitz.cli.common import inputs
from kibitz.experiments import index as indices
from kibitz.experiments.report import COLUMNS, Report, why_no_plots
from kibitz.terminal import screen
from kibitz.terminal.fitting import Fitting
from kibitz.terminal.progress import Progress

app = App(
    name="reproduce",
    help_epilogue="""Examples:
    kibitz reproduce
    kibitz reproduce li/fig2
    kibitz reproduce li/fig2 --quick
    kibitz reproduce li/fig2 --scale 0.1 --out /tmp/results
    kibitz reproduce li/human --database postgresql://kibitz@localhost/kibitz
    kibitz reproduce strength/uno --ray auto
    kibitz reproduce --index
""",
)


@app.default
def reproduce(
    name: str | None = None,
    /,
    *,
    quick: inputs.Flag = False,
    scale: float = 1.0,
    out: Path = Path("results"),
    seed: Annotated[int, inputs.whole(0, 2**63 - 1)] = 1,
    fresh: inputs.Flag = False,
    threads: inputs.Threads = 0,
    database: str | None = None,
    index: inputs.Flag = False,
    ray: inputs.Ray = None,
) -> None:
    """Redo an experiment of a paper, or list them. A run that was cut goes on where it stopped.

    Parameters
    ----------
    name
        PAPER/NAME; without it, the experiments and how far they are.
    quick
        A test that ends within seconds; its results go into a folder of their own.
    scale
        Share of the paper's games, from 0.001 to 1,000: 0.1 plays a tenth of them.
    out
        Folder of the results.
    seed
        Of all chance in the experiment.
    fresh
        Throw away what an earlier run left, and start again.
    database
        Of li/human, which counts finished games of the table: as for kibitz serve.
    index
        Write README.md of the folder of results: every table, figure and claim of the papers with its verdict.
    """
    if index:
        screen.out().print(f"Written to {indices.write(out)}")
        return
    if name is None:
        _list(out)
        return
    settings = {"scale": scale, "seed": seed, "fresh": fresh, "threads": inputs.cores(threads)}
    with _spread(ray) as spread:
        _run(name, out, quick, settings | {"database": database, "spread": spread})


@contextmanager
def _spread(ray: str | None) -> Iterator[Any]:
    if ray is None:
        yield None
        return
    from kibitz.scale import cluster, crew

    with cluster.connected(ray):
        yield crew.spread


def _run(name: str, out: Path, quick: bool, settings: dict[str, Any]) -> None:
    folder = experiments.folder_of(name, out, quick=quick)
    try:
        with Progress(name, "parts") as progress:
            report = experiments.reproduce(name, out=out, quick=quick, progress=progress, **settings)
    except KeyboardInterrupt:
        screen.note(f"{name}: {experiments.progress_of(folder)}; the same command goes on from here")
        raise
    if report is None:
        screen.out().print(f"{name} is done already: see {folder / 'README.md'} (--fresh runs it again)")
        return
    scale = settings["scale"]
    part = f"At {scale:g} of the paper's games, and of its learning: verdicts speak of this run." if scale < 1 else ""
    _print(report, folder, experiments.TRIAL if quick else part)
    if report.plots and (told := why_no_plots()):
        screen.note(told)


def _list(out: Path) -> None:
    table = Table("experiment", "title", "state")
    for name, experiment in experiments.all_experiments().items():
        table.add_row(name, experiment.title, experiments.progress_of(experiments.folder_of(name, out)))
    screen.out().print(Fitting(table))


def _print(report: Report, folder: Path, remark: str) -> None:
    table = Table(*COLUMNS)
    for row in report.rows:
        table.add_row(*row.cells())
    console = screen.out()
    console.print(Fitting(table))
    if remark:
        console.print(remark)
    console.print(report.note)
    console.print(f"Written to {folder}")
