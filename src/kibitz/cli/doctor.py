"""kibitz doctor: what is installed, what is missing, and where things are kept."""

from __future__ import annotations

import json
import os
import platform
import re
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from cyclopts import App
from rich.table import Table
from rich.text import Text

import kibitz
from kibitz import _core, extras, record_files
from kibitz.terminal import screen

app = App(
    name="doctor",
    help_epilogue="""Examples:
    kibitz doctor
    kibitz doctor --as-json
""",
)


@app.default
def doctor(*, as_json: bool = False) -> None:
    """Tell versions, extras, threads and registers that are used, and where data lives. Nothing is changed.

    Parameters
    ----------
    as_json
        For programs, and for reports of problems.
    """
    found = findings()
    if as_json:
        print(json.dumps(found, indent=1))
        return
    table = Table(show_header=False)
    for name, value in found.items():
        if name != "extras":
            table.add_row(name, Text(str(value)))
    console = screen.out()
    console.print(table)
    console.print(_extras_table(found["extras"]))


def findings() -> dict[str, Any]:
    """What there is to tell, ready for JSON."""
    kept = record_files.games_folder()
    return {
        "kibitz": kibitz.__version__,
        "installed in": str(Path(kibitz.__file__).parent),
        "Python": f"{platform.python_version()} ({sys.executable})",
        "system": f"{platform.system()} {platform.machine()}",
        "threads": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "registers of networks": _core.simd(),
        "games": len(kibitz.games()),
        "agents that come along": len(list((Path(kibitz.__file__).parent / "weights").glob("*.safetensors"))),
        "data": str(kept.parent),
        "kept games": str(kept),
        "extras": _extras(),
    }


def _extras() -> dict[str, dict[str, str | None]]:
    """Extra -> package -> its version, None where it is not installed."""
    found: dict[str, dict[str, str | None]] = {}
    for line in metadata.requires("kibitz") or []:
        needed = re.match(r"([A-Za-z0-9_.-]+)", line)
        extra = re.search(r"extra == ['\"]([^'\"]+)['\"]", line)
        if needed and extra and extra[1] != "dev" and needed[1] != "kibitz":
            found.setdefault(extra[1], {})[needed[1]] = _version(needed[1])
    return found


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _extras_table(found: dict[str, dict[str, str | None]]) -> Table:
    table = Table("extra", "packages", "if something is missing")
    for extra, packages in found.items():
        told = ", ".join(f"{name} {version or 'MISSING'}" for name, version in packages.items())
        whole = None not in packages.values()
        table.add_row(extra, Text(told), Text("" if whole else extras.how_to_get(extra)))
    return table
