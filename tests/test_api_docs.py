"""The examples of docs/api.md are run against a server: curl, JavaScript and Python."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_readme import ROOT, blocks
from web_process import Server

PAGE = ROOT / "docs" / "api.md"
USUAL = "http://127.0.0.1:8420"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("api"))
    running.start()
    yield running
    running.stop()


def _examples(language: str, server: Server) -> list[str]:
    found = [block.code.replace(USUAL, server.url) for block in blocks(PAGE) if block.language == language]
    assert found
    return found


def _output(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_curl(server: Server, tmp_path: Path) -> None:
    legal, after, table, ratings = [
        json.loads(_output(["bash", "-c", code], tmp_path)) for code in _examples("bash", server)
    ]
    assert [choice["text"] for choice in legal["choices"]] == ["r-7", "g-5", "draw"]
    assert [choice["text"] for choice in after["choices"]] == ["7h", "Qh"]
    assert table["mode"] == "practice"
    assert [seat["kind"] for seat in table["seats"]] == ["person", "bot"]
    assert ratings["people"] == []
    assert ratings["levels"][0]["level"] == "beginner"


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_javascript(server: Server, tmp_path: Path) -> None:
    for code in _examples("js", server):
        out = _output(["node", "--input-type=module", "-e", code], tmp_path).splitlines()
        assert ": wins" in out[0]
        assert sorted(line.split()[1] for line in out[1:]) == ["draw", "g-5", "r-7"]


def test_python(server: Server, tmp_path: Path) -> None:
    """All in one program, as on the page."""
    out = _output([sys.executable, "-c", "\n".join(_examples("py", server))], tmp_path).splitlines()
    assert any(" good " in line or " mistake " in line for line in out[:-1])
    assert len(json.loads(out[-1])) == 2
