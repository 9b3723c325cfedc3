"""Experiments: saved as they go, resumed when cut, written down with intervals."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from experiment_common import unpack

from kibitz import experiments
from kibitz.arena import Interval
from kibitz.cli import run
from kibitz.experiments import Report, Row, Run, Table, stats
from kibitz.files import alone

UNITS = 8


def toy(run: Run, work: Callable[[int], Any]) -> Report:
    """Sums of pseudo-random numbers, in units."""
    parts = run.units("sums", UNITS, work)
    total = float(sum(part["sum"] for part in parts))
    return Report(
        rows=[
            Row("total", "about 12", Interval(total, total - 1, total + 1), UNITS, "{:.2f}"),
            Row("most", "", 9, UNITS),
        ],
        note="A note | with a bar.",
        tables={"sums": Table(("unit", "sum"), [(i, part["sum"]) for i, part in enumerate(parts)])},
        plots={"sums": lambda axes: _paint(axes, total)},
    )


HOW = "pip install '.[train]' in a clone of Kibitz, or pip install 'kibitz[train]'"


def _paint(axes: Any, total: float) -> None:
    axes.set_title(f"{total:.3f}")


def unit_of(run: Run, index: int) -> dict[str, Any]:
    return {"sum": float(np.random.default_rng(run.seed_of(index)).random(3).sum()), "tuple": (1, 2), "keys": {3: 4}}


class Toy:
    """A registered experiment that counts its units and can be cut before any of them."""

    def __init__(self) -> None:
        self.done: list[int] = []
        self.cut_before: int | None = None
        self.cut_with: type[BaseException] = RuntimeError
        experiments._REGISTERED["toy/sums"] = experiments.Experiment("toy/sums", "Sums", "Paper says.", self.function)

    def function(self, run: Run) -> Report:
        def work(index: int) -> Any:
            if index == self.cut_before:
                raise self.cut_with
            self.done.append(index)
            return unit_of(run, index)

        return toy(run, work)


@pytest.fixture
def sums() -> Iterator[Toy]:
    yield Toy()
    del experiments._REGISTERED["toy/sums"]


def files(folder: Path) -> dict[str, bytes]:
    """Everything that a finished run leaves, its parts included, measured times apart."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {str(path.relative_to(folder)): untimed(path) for path in paths}


def untimed(path: Path) -> bytes:
    if path.name != "run.json":
        return path.read_bytes()
    saved = json.loads(path.read_bytes())
    assert saved["state"] != "done" or set(saved["seconds"]) == set(saved["stages"])
    return json.dumps({key: value for key, value in saved.items() if key != "seconds"}).encode()


def whole(sums: Toy, out: Path, **settings: Any) -> dict[str, bytes]:
    """The files of a run that nobody cut."""
    experiments.reproduce("toy/sums", out=out, **settings)
    assert sums.done == list(range(UNITS))
    sums.done.clear()
    return files(out)


# ------------------------------------------------------------------------------------------------- saving, resuming


@pytest.mark.parametrize("cut", range(UNITS))
def test_a_cut_run_goes_on_and_gives_the_same(sums: Toy, tmp_path: Path, cut: int) -> None:
    expected = whole(sums, tmp_path / "whole")
    sums.cut_before = cut
    with pytest.raises(RuntimeError):
        experiments.reproduce("toy/sums", out=tmp_path / "cut")
    assert experiments.progress_of(tmp_path / "cut/toy/sums") == f"partial, {cut} of {UNITS} parts"
    assert not (tmp_path / "cut/toy/sums/README.md").exists()
    sums.cut_before = None
    experiments.reproduce("toy/sums", out=tmp_path / "cut")
    assert sums.done == list(range(UNITS))  # each once, in both runs together
    assert files(tmp_path / "cut") == expected
    assert experiments.progress_of(tmp_path / "cut/toy/sums") == "done"


def test_two_at_once(sums: Toy, tmp_path: Path) -> None:
    """The second one touches nothing, and the first one goes on."""
    expected = whole(sums, tmp_path / "whole")
    with alone(tmp_path / "both/toy/sums"):
        for fresh in (False, True):
            with pytest.raises(
                ValueError, match=r"another run is at work in .*sums: wait for it, or use another --out"
            ):
                experiments.reproduce("toy/sums", out=tmp_path / "both", fresh=fresh)
        assert not (tmp_path / "both/toy/sums/run.json").exists()
    experiments.reproduce("toy/sums", out=tmp_path / "both")
    assert files(tmp_path / "both") == expected  # nor is there a lock left


def test_a_torn_line_is_done_again(sums: Toy, tmp_path: Path) -> None:
    expected = whole(sums, tmp_path / "whole")
    parts = unpack(tmp_path / "whole/toy/sums/parts/sums.jsonl.gz")
    lines = parts.read_bytes().splitlines(keepends=True)
    # A crash may leave any part of the last line, all but its newline included.
    for kept in (1, 5, len(lines[-1]) // 2, len(lines[-1]) - 2, len(lines[-1]) - 1):
        sums.done.clear()
        parts.write_bytes(b"".join(lines[:-1]) + lines[-1][:kept])
        parts.with_name("sums.jsonl.gz").unlink(missing_ok=True)
        experiments.reproduce("toy/sums", out=tmp_path / "whole")
        assert sums.done == [UNITS - 1]
        assert files(tmp_path / "whole") == expected


@pytest.mark.parametrize(
    "rubbish", [b"\0" * 30 + b"\n", b"{}\n", b"[1]\n", b'{"unit": "2", "data": 1}\n', b"null\n", b"\n"]
)
def test_a_damaged_line_in_the_middle_is_done_again(sums: Toy, tmp_path: Path, rubbish: bytes) -> None:
    expected = whole(sums, tmp_path)
    parts = unpack(tmp_path / "toy/sums/parts/sums.jsonl.gz")
    lines = parts.read_bytes().splitlines(keepends=True)
    parts.write_bytes(b"".join([*lines[:2], rubbish, *lines[3:]]))
    experiments.reproduce("toy/sums", out=tmp_path)
    assert sums.done == [2]
    assert files(tmp_path) == expected  # in the order of units again


KILLED = """
import os, signal, sys
from dataclasses import astuple
from pathlib import Path
sys.path.insert(0, {tests!r})
from kibitz import experiments
from kibitz.arena import Interval
from test_reproduce import Toy, toy, unit_of

class Killed(Toy):
    def function(self, run):
        def work(index):
            if index == 5 and sys.argv[1] == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            self.done.append(index)
            return unit_of(run, index)
        return toy(run, work)

sums = Killed()
experiments.reproduce("toy/sums", out=Path({out!r}))
print(sums.done)
"""


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_kill_9(sums: Toy, tmp_path: Path) -> None:
    expected = whole(sums, tmp_path / "whole")
    script = KILLED.format(tests=str(Path(__file__).parent), out=str(tmp_path / "killed"))
    command = [sys.executable, "-c", textwrap.dedent(script)]
    assert subprocess.run([*command, "kill"], check=False).returncode == -signal.SIGKILL
    done = subprocess.run([*command, "live"], check=True, capture_output=True, text=True)
    assert done.stdout == "[5, 6, 7]\n"
    assert files(tmp_path / "killed") == expected


def test_a_finished_run_is_only_written_down_again(sums: Toy, tmp_path: Path) -> None:
    expected = whole(sums, tmp_path)
    (tmp_path / "toy/sums/README.md").unlink()
    assert experiments.reproduce("toy/sums", out=tmp_path) is not None
    assert sums.done == []
    assert files(tmp_path) == expected


def test_a_fresh_checkout_has_no_parts_and_is_left_alone(
    sums: Toy, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole(sums, tmp_path)
    parts = tmp_path / "toy/sums/parts"
    for path in parts.iterdir():
        path.unlink()
    parts.rmdir()
    before = files(tmp_path)
    assert experiments.reproduce("toy/sums", out=tmp_path) is None
    assert run(["reproduce", "toy/sums", "--out", str(tmp_path)]) == 0
    assert "done already" in capsys.readouterr().out
    assert sums.done == []
    assert files(tmp_path) == before
    assert experiments.progress_of(tmp_path / "toy/sums") == "done"


@pytest.mark.parametrize("other", [{"seed": 2}, {"scale": 0.5}])
def test_other_settings_never_mix(sums: Toy, tmp_path: Path, other: dict[str, Any]) -> None:
    sums.cut_before = 3
    with pytest.raises(RuntimeError):
        experiments.reproduce("toy/sums", out=tmp_path)
    sums.cut_before = None
    before = files(tmp_path)
    with pytest.raises(ValueError, match=r"--fresh") as problem:
        experiments.reproduce("toy/sums", out=tmp_path, **other)
    assert f"now {next(iter(other.values()))}" in str(problem.value)
    assert files(tmp_path) == before
    sums.done.clear()
    expected = whole(sums, tmp_path / "elsewhere", **other)
    experiments.reproduce("toy/sums", out=tmp_path, fresh=True, **other)
    assert sums.done == list(range(UNITS))
    assert files(tmp_path / "toy") == {name.removeprefix("toy/"): data for name, data in expected.items()}


def test_another_version_of_kibitz_is_another_setting(
    sums: Toy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole(sums, tmp_path)
    monkeypatch.setattr("kibitz.__version__", "99.0")
    with pytest.raises(ValueError, match=r"now 99\.0"):
        experiments.reproduce("toy/sums", out=tmp_path)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": 99}', '{"format": 1, "settings": 5}'])
def test_a_damaged_or_newer_run_file(sums: Toy, tmp_path: Path, content: str) -> None:
    whole(sums, tmp_path)
    (tmp_path / "toy/sums/run.json").write_text(content)
    with pytest.raises(ValueError, match="--fresh"):
        experiments.reproduce("toy/sums", out=tmp_path)
    assert experiments.reproduce("toy/sums", out=tmp_path, fresh=True) is not None


def test_a_damaged_run_file_in_the_list(sums: Toy, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole(sums, tmp_path)
    (tmp_path / "toy/sums/run.json").write_text('{"format": 1, "stages": {"games": "many"}}')
    assert run(["reproduce", "--out", str(tmp_path)]) == 2
    assert "run.json is damaged" in capsys.readouterr().err


def test_interrupted_on_the_command_line(sums: Toy, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sums.cut_before, sums.cut_with = 3, KeyboardInterrupt
    assert run(["reproduce", "toy/sums", "--out", str(tmp_path)]) == 130
    assert f"partial, 3 of {UNITS} parts" in capsys.readouterr().err
    assert run(["reproduce", "--out", str(tmp_path)]) == 0
    listed = capsys.readouterr().out
    assert "partial, 3 of 8 parts" in listed
    assert next(line for line in listed.splitlines() if "li/fig2" in line).split()[-2] == "none"


def test_quick_leaves_real_results_alone(sums: Toy, tmp_path: Path) -> None:
    before = whole(sums, tmp_path)
    experiments.reproduce("toy/sums", out=tmp_path, quick=True)
    experiments.reproduce("toy/sums", out=tmp_path, quick=True, seed=5)  # and always runs
    assert len(sums.done) == 2 * UNITS
    after = files(tmp_path)
    assert {name: data for name, data in after.items() if "/quick/" not in name} == before
    assert after["toy/sums/quick/.gitignore"] == b"*\n"
    assert "toy/sums/parts/.gitignore" not in after  # real parts are kept with the results
    assert "toy/sums/quick/README.md" in after


def test_progress_counts_what_was_there(sums: Toy, tmp_path: Path) -> None:
    sums.cut_before = 6
    with pytest.raises(RuntimeError):
        experiments.reproduce("toy/sums", out=tmp_path)
    sums.cut_before = None
    seen: list[tuple[int, int]] = []
    experiments.reproduce("toy/sums", out=tmp_path, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(6, UNITS), (7, UNITS), (8, UNITS)]


def test_without_matplotlib_there_are_figures_and_a_note(
    sums: Toy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as blocked:
        blocked.setitem(sys.modules, "matplotlib", None)
        assert run(["reproduce", "toy/sums", "--out", str(tmp_path)]) == 0
    said = capsys.readouterr()
    assert "total" in said.out
    assert said.err == (
        "There are no plots: they need matplotlib (pip install '.[plots]' in a clone of Kibitz, "
        "or pip install 'kibitz[plots]'). The same command then draws them.\n"
    )
    folder = tmp_path / "toy/sums"
    assert "png" not in (folder / "README.md").read_text()
    assert not list(folder.glob("*.png"))
    plain = files(folder)
    done = len(sums.done)
    assert run(["reproduce", "toy/sums", "--out", str(tmp_path)]) == 0
    assert len(sums.done) == done, "played again"
    assert capsys.readouterr().err == ""
    drawn = files(folder)
    assert "![Sums](sums.png)" in (folder / "README.md").read_text()
    assert {name for name in drawn if drawn[name] != plain.get(name)} == {"README.md", "sums.png"}


BLOCKED = """
import sys
for name in sys.argv.pop(1).split(","):
    sys.modules[name] = None
from kibitz.cli import main
main()
"""


def without(package: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The program where a package is not installed."""
    command = [sys.executable, "-c", BLOCKED, package, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_program_without_matplotlib(tmp_path: Path) -> None:
    done = without("matplotlib", "reproduce", "li/fig2", "--quick", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "median length" in done.stdout
    assert "pip install '.[plots]'" in done.stderr
    names = {path.name for path in (tmp_path / "li/fig2/quick").iterdir()}
    assert {"README.md", "table.csv", "histogram.csv"} <= names
    assert not any(name.endswith(".png") for name in names)


def test_a_training_experiment_without_torch(tmp_path: Path) -> None:
    done = without("torch", "reproduce", "li/fig6", "--quick", "--out", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"kibitz: training needs the package torch: {HOW}\n"


def test_the_report(sums: Toy, tmp_path: Path) -> None:
    report = experiments.reproduce("toy/sums", out=tmp_path, scale=0.5, seed=3)
    assert report is not None
    total = report.rows[0].ours
    readme = (tmp_path / "toy/sums/README.md").read_text()
    assert "| figure | paper | ours | games | 95% interval |" in readme
    assert f"| total | about 12 | {total:.2f} | 8 | {total - 1:.2f} to {total + 1:.2f} |" in readme
    assert "A note | with a bar." in readme
    assert "`kibitz reproduce toy/sums --scale 0.5 --seed 3`" in readme
    assert "![Sums](sums.png)" in readme
    table = list(csv.DictReader((tmp_path / "toy/sums/table.csv").open()))
    assert float(table[0]["ours"]) == total
    assert table[1]["low95"] == ""


# ------------------------------------------------------------------------------------------------------- statistics


def test_wilson() -> None:
    # Values of scipy.stats.binomtest(k, n).proportion_ci(method="wilson").
    for hits, games, low, high in ((8, 10, 0.4901625, 0.9433178), (0, 100, 0, 0.0369935), (100, 100, 0.9630065, 1)):
        assert astuple(stats.share(hits, games)) == pytest.approx((hits / games, low, high), abs=1e-6)
    assert (stats.share(0, 10**6).low, stats.share(10**6, 10**6).high) == (0, 1)  # not 1e-18
    with pytest.raises(ValueError, match="share"):
        stats.share(3, 2)


def test_mean_and_quantiles_of_a_histogram() -> None:
    values = np.random.default_rng(1).integers(0, 50, 4001)
    histogram = [int(n) for n in np.bincount(values)]
    found = stats.mean(histogram)
    assert found.mean == pytest.approx(values.mean())
    assert found.high - found.low == pytest.approx(2 * 1.959964 * values.std(ddof=1) / np.sqrt(len(values)))
    for share in (0.25, 0.5, 0.75):
        assert stats.quantile(histogram, share).mean == np.quantile(values, share, method="inverted_cdf")
    assert stats.add([[1, 2], [], [0, 1, 5]]) == [1, 3, 5]


def test_the_interval_of_the_median_covers_what_it_promises() -> None:
    chance, hits = np.random.default_rng(2), 0
    for _ in range(1000):
        sample = chance.geometric(0.02, 400)  # skewed, like lengths of games; its median is 35
        found = stats.quantile([int(n) for n in np.bincount(sample)], 0.5)
        hits += found.low <= 35 <= found.high
    assert 930 <= hits <= 999


# ---------------------------------------------------------------------------------------------------------- li/fig2


def lengths_in(folder: Path) -> np.ndarray[Any, np.dtype[np.int64]]:
    rows = list(csv.DictReader((folder / "histogram.csv").open()))
    return np.repeat([int(row["decisions"]) for row in rows], [int(row["games"]) for row in rows])


def test_li_fig2_quick(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reproduce", "li/fig2", "--quick", "--out", str(tmp_path)]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert "games of 40 to 80 decisions" in said.out
    folder = tmp_path / "li/fig2/quick"
    assert (folder / "lengths.png").read_bytes().startswith(b"\x89PNG")
    lengths = lengths_in(folder)
    assert len(lengths) == 2000
    error = lengths.std() / np.sqrt(2000)
    assert abs(lengths.mean() - 46.0) < 4 * error  # rlcard's own games
    readme = (folder / "README.md").read_text()
    share = np.mean((lengths >= 40) & (lengths <= 80))
    assert f"| games of 40 to 80 decisions | most | {share:.2%} | 2,000 |" in readme
    assert f"| median length |  | {np.quantile(lengths, 0.5, method='inverted_cdf')} |" in readme
    assert f"| longest game | above 200 | {lengths.max()} |" in readme
    assert "does not hold here" in readme


def test_li_fig2_is_the_same_however_it_runs(tmp_path: Path) -> None:
    one = experiments.reproduce("li/fig2", out=tmp_path / "one", scale=0.025, threads=1)
    two = experiments.reproduce("li/fig2", out=tmp_path / "two", scale=0.025, threads=2)
    assert one is not None
    assert two is not None
    assert one.rows == two.rows
    assert files(tmp_path / "one") == files(tmp_path / "two")
    assert len(lengths_in(tmp_path / "one/li/fig2")) == 2500
    parts = unpack(tmp_path / "one/li/fig2/parts/games.jsonl.gz").read_text().splitlines()
    assert [sum(json.loads(part)["data"]) for part in parts] == [1000, 1000, 500]
    assert len({json.dumps(json.loads(part)["data"]) for part in parts}) == 3  # no unit repeats another's games
