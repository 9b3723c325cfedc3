"""Builds the sdist, and the wheel from it, and tries the wheel in an empty environment: python tools/package.py

Checked are the metadata (twine), the shared libraries (auditwheel, on Linux), the contents and their sizes. The
environment has the wheel and what it asks for, and neither this checkout nor its packages; games are played there, all
agents that come along are loaded, and the page is served and a game played over HTTP. Fetches packages from the index.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MEGABYTE = 1_000_000
LIMITS = {"sdist": 5 * MEGABYTE, "wheel": 12 * MEGABYTE}

# Beginnings of names, within the one folder of an sdist and in a wheel.
SDIST = ("cpp/core/game.h", "src/kibitz/web/static/index.html", "src/kibitz/weights/", "pyproject.toml", "LICENSE")
NOT_SDIST = ("tests/", "results/", "web/", "docs/", "build/", ".venv", ".git/", ".ci/")
WHEEL = (
    "kibitz/_core.c",  # the module, whose name goes on with Python's
    "kibitz/py.typed",
    "kibitz/guides/en/uno.md",
    "kibitz/rulesheets/tictactoe.kif",
    "kibitz/web/static/index.html",
    "kibitz/web/store/migrations/",
    "kibitz/weights/uno-2p.safetensors",
)
NEVER = ("node_modules", "__pycache__", ".ts", ".svelte", ".pyc", ".orig", ".sqlite")
NOT_WHEEL = (".cpp", ".h", *NEVER)


def complaints(names: Iterable[str], needed: Iterable[str], unwanted: Iterable[str], never: Iterable[str]) -> list[str]:
    """What is wrong with the contents of a package."""
    listed = sorted(names)
    missing = [f"{start} is missing" for start in needed if not any(name.startswith(start) for name in listed)]
    wrong = [name for name in listed if name.startswith(tuple(unwanted))]
    wrong += [name for name in listed if any(name.endswith(end) or f"/{end}/" in f"/{name}" for end in never)]
    return missing + [f"{name} should not be there" for name in wrong]


def sdist_complaints(path: Path) -> list[str]:
    with tarfile.open(path) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    return complaints(names, SDIST, NOT_SDIST, NEVER)


def wheel_complaints(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    outside = {name.partition("/")[0] for name in names if not name.startswith("kibitz/")}
    strange = [f"{name} is beside the package" for name in outside if not name.endswith(".dist-info")]
    return complaints(names, WHEEL, (), NOT_WHEEL) + strange


def run(*command: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    print("$", *(Path(word).name if index == 0 else word for index, word in enumerate(command)), flush=True)
    done = subprocess.run(
        [*map(str, command)], cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\nfailed with {done.returncode}")
    return done.stdout


def made(folder: Path, ending: str) -> Path:
    found = list(folder.glob(f"*{ending}"))
    if len(found) != 1:
        sys.exit(f"expected one {ending} in {folder}, found {len(found)}")
    return found[0]


def check(kind: str, path: Path, wrong: list[str]) -> None:
    size = path.stat().st_size
    print(f"{path.name}: {size / MEGABYTE:.2f} MB (at most {LIMITS[kind] / MEGABYTE:.0f})")
    if size > LIMITS[kind]:
        wrong = [*wrong, f"it has {size:,} bytes, more than {LIMITS[kind]:,}"]
    if wrong:
        sys.exit(f"{path.name}:\n" + "\n".join(wrong))


def build(out: Path) -> Path:
    """The wheel, made from the sdist; both are checked."""
    run(sys.executable, "-m", "build", "--sdist", "--outdir", out, ROOT)
    sdist = made(out, ".tar.gz")
    check("sdist", sdist, sdist_complaints(sdist))
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", out, sdist)
    wheel = made(out, ".whl")
    check("wheel", wheel, wheel_complaints(wheel))
    print(run(sys.executable, "-m", "twine", "check", "--strict", sdist, wheel).strip())
    if sys.platform == "linux":
        print(run(sys.executable, "-m", "auditwheel", "show", wheel).strip())
    return wheel


def try_out(wheel: Path) -> None:
    """In an empty environment, from an empty folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder / "venv", with_pip=True)
        python = folder / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        run(python, "-m", "pip", "install", "--quiet", f"kibitz[web] @ {wheel.resolve().as_uri()}", cwd=folder)
        script = folder / "installed.py"
        shutil.copyfile(Path(__file__).with_name("installed.py"), script)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
        print(run(python, "-I", script, ROOT, cwd=folder, env=kept).strip())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", type=Path, default=ROOT / "build" / "package", help="folder for sdist and wheel")
    options.add_argument("--wheel", type=Path, help="only try this wheel out")
    given = options.parse_args()
    if given.wheel is not None:
        check("wheel", given.wheel, wheel_complaints(given.wheel))
        try_out(given.wheel)
        return
    shutil.rmtree(given.out, ignore_errors=True)
    given.out.mkdir(parents=True)
    try_out(build(given.out))


if __name__ == "__main__":
    main()
