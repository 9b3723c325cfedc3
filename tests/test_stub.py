"""The committed stub of the native core says what the core offers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

STUB = Path(__file__).parents[1] / "src" / "kibitz" / "_core.pyi"


def test_the_stub_is_fresh(tmp_path: Path) -> None:
    fresh = tmp_path / "_core.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "kibitz._core", "-o", str(fresh)]
    subprocess.run(command, check=True)
    remedy = "the core changed: python -m nanobind.stubgen -m kibitz._core -o src/kibitz/_core.pyi"
    assert STUB.read_text() == fresh.read_text(), remedy
