"""The scripts of examples/ run, and what learns in them learns something that can be measured."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_maskable_ppo_learns() -> None:
    before, after = load("maskable_ppo").train(8_192, seed=1)
    assert after > before + 0.1
    assert after > 0.4


def test_ppo_in_one_file_learns() -> None:
    ppo = load("ppo")
    settings = ppo.Settings(game="kibitz/Tictactoe-v0", options={"opponents": "random"}, steps=32_768)
    before, after = ppo.train(settings)
    assert after > before + 0.1
    assert after > 0.4


SCRIPTS = {  # what each must print
    "first_steps": "a world:",
    "search": "2000 iterations:",
    "training": "games: wins",
    "tournament": "stronger than",
    "own_game": "laws hold",
    "paper_table": "longest game",
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_run(name: str, tmp_path: Path) -> None:
    """As a user runs them, from another folder; they leave nothing behind."""
    command = [sys.executable, str(EXAMPLES / f"{name}.py")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert SCRIPTS[name] in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_every_script_is_run() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {*SCRIPTS, "maskable_ppo", "ppo"}
    tutorial = (EXAMPLES.parent / "docs" / "tutorial.md").read_text(encoding="utf-8")
    assert all(f"`{name}.py`" in tutorial for name in SCRIPTS)
