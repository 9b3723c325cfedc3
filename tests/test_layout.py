"""Rules of CONTRIBUTING.md that the source itself can be asked about."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import kibitz

PACKAGE = Path(kibitz.__file__).parent
ROOT = Path(__file__).parent.parent
MOST_LINES = 60


def test_functions_stay_under_60_lines() -> None:
    long = []
    for folder in (PACKAGE, ROOT / "benchmarks", ROOT / "tools"):
        for path in folder.rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
                    lines = node.end_lineno - node.lineno + 1
                    long += [f"{path}: {node.name} has {lines} lines"] * (lines >= MOST_LINES)
    assert not long


def test_the_walk_through_a_match_names_what_there_is() -> None:
    text = " ".join((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split())
    hops = re.findall(r"`((?:src|cpp)/[\w/]+\.(?:py|h|cpp)): ((?:\w+::)?)(\w+)`", text)
    assert len(hops) > 20
    assert len(hops) == len(re.findall(r"`(?:src|cpp)/[^`]*: [^`]*`", text)), "a hop is written in another way"
    for path, owner, name in hops:
        source = (ROOT / path).read_text(encoding="utf-8")
        wanted = rf"\b(def|class) {name}\b" if path.endswith(".py") else rf"\b{name}\("
        assert re.search(wanted, source), (path, name)
        # A member is declared in its class, or defined outside of it.
        klass = owner.removesuffix("::")
        assert not owner or re.search(rf"\bclass {klass}\b|\b{klass}::{name}\(", source), (path, owner, name)


def test_agents_have_no_terminal_code() -> None:
    for path in (PACKAGE / "agents").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(name.split(".")[0] in ("rich", "cyclopts") for name in names), path
            assert not any(name.startswith("kibitz.terminal") for name in names), path
