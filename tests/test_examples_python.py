"""The worked examples of other people's learners on our environments learn something that can be measured."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

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
