"""What must be in a package and what must not. The build itself is a stage of .ci/run."""

from __future__ import annotations

import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import package
import pytest

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def archive(path: Path, names: tuple[str, ...]) -> Path:
    if path.suffix == ".whl":
        with zipfile.ZipFile(path, "w") as wheel:
            for name in names:
                wheel.writestr(name, "")
    else:
        with tarfile.open(path, "w:gz") as sdist:
            for name in names:
                sdist.addfile(tarfile.TarInfo(f"kibitz-1.0/{name}"))
    return path


@pytest.mark.parametrize(
    ("added", "complaint"),
    [
        ((), None),
        (("kibitz-1.0.dist-info/METADATA",), None),
        (("tests/test_a.py",), "tests is beside the package"),
        (("kibitz/core/game.h",), "kibitz/core/game.h should not be there"),
        (("kibitz/web/node_modules/a.js",), "kibitz/web/node_modules/a.js should not be there"),
    ],
)
def test_wheels(added: tuple[str, ...], complaint: str | None, tmp_path: Path) -> None:
    found = package.wheel_complaints(archive(tmp_path / "a.whl", (*package.WHEEL, *added)))
    assert found == ([complaint] if complaint else [])


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    assert package.wheel_complaints(archive(tmp_path / "a.whl", package.WHEEL[1:])) == ["kibitz/_core.c is missing"]


@pytest.mark.parametrize("added", ["tests/test_a.py", "web/src/app.ts", "results/README.md", "cpp/__pycache__/a.py"])
def test_sdists(added: str, tmp_path: Path) -> None:
    assert package.sdist_complaints(archive(tmp_path / "a.tar.gz", package.SDIST)) == []
    found = package.sdist_complaints(archive(tmp_path / "b.tar.gz", (*package.SDIST, added)))
    assert f"{added} should not be there" in found


def test_a_package_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(package.LIMITS, "wheel", 10)
    with pytest.raises(SystemExit, match="more than 10"):
        package.check("wheel", archive(tmp_path / "a.whl", package.WHEEL), [])


def test_it_must_not_come_from_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    import installed

    import kibitz

    monkeypatch.setattr(sys, "argv", ["installed.py", str(Path(kibitz.__file__).parents[1])])
    with pytest.raises(AssertionError, match="comes from the checkout"):
        installed.main()


def test_the_installed_package_works(capfd: pytest.CaptureFixture[str]) -> None:
    """The very steps that the wheel goes through, here with what is installed for the tests."""
    import installed

    steps: list[Any] = [installed.plays, installed.loads, installed.serves]
    assert [step().split()[0] for step in steps] == ["plays", "loads", "serves"]


def test_wheels_are_tried_before_they_are_kept() -> None:
    built = SETTINGS["tool"]["cibuildwheel"]
    assert any("tools/installed.py" in command for command in built["test-command"])
    least = SETTINGS["project"]["requires-python"].removeprefix(">=").replace(".", "")
    assert built["build"].split()[0] == f"cp{least}-*"
    workflow = (ROOT / ".github" / "workflows" / "wheels.yml").read_text(encoding="utf-8")
    for needed in ("ubuntu-24.04-arm", "macos-latest", "windows-latest", "id-token: write", "tools/package.py"):
        assert needed in workflow
