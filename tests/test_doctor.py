"""Small commands around the program itself, and its one version number."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import kibitz
from kibitz import _core
from kibitz.cli import run

ROOT = Path(__file__).parents[1]


def test_python_runs_it_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "kibitz", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == kibitz.__version__


def test_the_doctor_tells_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--as-json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["kibitz"] == kibitz.__version__
    assert found["registers of networks"] == _core.simd()
    assert found["threads"] >= 1
    assert found["games"] == len(kibitz.games())
    assert found["agents that come along"] > 0
    assert found["kept games"].startswith(found["data"])
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert found["extras"].keys() == declared["optional-dependencies"].keys() - {"dev"}
    assert found["extras"]["plots"] == {"matplotlib": metadata.version("matplotlib")}


def test_the_doctor_says_how_to_get_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    version = metadata.version

    def without(package: str) -> str:
        if package == "matplotlib":
            raise metadata.PackageNotFoundError(package)
        return version(package)

    monkeypatch.setattr(metadata, "version", without)
    assert run(["doctor"]) == 0
    said = "".join(capsys.readouterr().out.split())
    assert "matplotlibMISSING" in said
    assert "kibitz[plots]" in said


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete(shell: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "kibitz" in script
    assert "match" in script
    if shutil.which(shell):
        file = tmp_path / "script"
        file.write_text(script, encoding="utf-8")
        subprocess.run([shell, "-n", str(file)], check=True)


def test_an_unknown_shell(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", "tcsh"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_there_is_one_version_number() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    changed = re.search(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited is not None
    assert changed is not None
    assert kibitz.__version__ == declared == cited[1] == changed[1]
