"""What is committed in results/: derived from its data, and nothing left out."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from kibitz import experiments
from kibitz.experiments import index
from kibitz.experiments.catalogue import PAPERS

RESULTS = Path(__file__).parents[1] / "results"
FOLDERS = sorted(run.parent for run in RESULTS.glob("*/*/run.json"))
KEPT = [folder for folder in FOLDERS if (folder / "parts").exists()]


def name_of(folder: Path) -> str:
    return folder.relative_to(RESULTS).as_posix()


@pytest.mark.parametrize("folder", KEPT, ids=name_of)
def test_a_readme_follows_from_the_parts_beside_it(folder: Path, tmp_path: Path) -> None:
    """Written anew from the committed parts, without playing a game."""
    name = name_of(folder)
    settings = json.loads((folder / "run.json").read_text())["settings"]
    copy = tmp_path / name
    shutil.copytree(folder, copy)
    before = {path.name: path.read_bytes() for path in (copy / "parts").iterdir()}
    written = [path for path in folder.iterdir() if path.suffix in (".md", ".csv")]
    for path in written:
        (copy / path.name).unlink()
    experiments.reproduce(name, out=tmp_path, seed=settings["seed"], scale=settings["scale"], threads=1)
    assert {path.name: path.read_bytes() for path in (copy / "parts").iterdir()} == before
    for path in written:
        assert (copy / path.name).read_text() == path.read_text(), path.name


def test_the_index_is_that_of_the_results() -> None:
    assert (RESULTS / "README.md").read_text() == index.text(RESULTS), "run kibitz reproduce --index"


def test_every_experiment_of_a_paper_has_its_place_in_the_index() -> None:
    placed = {name for paper in PAPERS for item in paper.items for name in item.experiments}
    papers = {paper.name for paper in PAPERS}
    assert placed == {name for name in experiments.all_experiments() if name.partition("/")[0] in papers}
    assert all(item.experiments or item.reason for paper in PAPERS for item in paper.items)
