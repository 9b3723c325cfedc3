"""Every fenced block of the documentation is run, read or compared by some test; what is not run says why.

A comment right above a block of commands, `<!-- not run: why -->`, keeps it from being run; its commands must still be
ones that the program understands, and its files must be there.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from test_readme import PAGES, ROOT, Block, blocks

from kibitz import cli

# Language -> the only pages that may have it, or None: all. `python` is run by test_readme.py, `console` there, too;
# `bash`, `js` and `py` by test_api_docs.py, against a server; `cpp` is compared with the examples, which are compiled.
LANGUAGES: dict[str, set[str] | None] = {
    "python": None,
    "sh": None,
    "json": None,
    "toml": None,
    "text": None,
    "console": {"docs/search.md"},
    "cpp": {"docs/new_game.md", "docs/new_search.md"},
    "bash": {"docs/api.md"},
    "js": {"docs/api.md"},
    "py": {"docs/api.md"},
}
NOT_RUN = "not run: "
BY_CI = "test command"  # which .ci/run finds and runs
LIMIT = 300  # seconds: only keeps a command from hanging


def each(language: str, *, run: bool | None = None) -> list[Any]:
    """The blocks of a language; with `run` those that are to be run, or not."""
    return [
        pytest.param(block, id=f"{page.relative_to(ROOT)}:{block.line}")
        for page in PAGES
        for block in blocks(page)
        if block.language == language and (run is None or run != left_out(block))
    ]


def left_out(block: Block) -> bool:
    return block.mark.startswith(NOT_RUN) or block.mark == BY_CI


def test_every_block_is_looked_at_by_some_test() -> None:
    for page in PAGES:
        name = page.relative_to(ROOT).as_posix()
        for block in blocks(page):
            assert block.language in LANGUAGES, f"{name}:{block.line}: a block of {block.language or 'no language'}"
            only = LANGUAGES[block.language]
            assert only is None or name in only, f"{name}:{block.line}: nothing runs {block.language} here"
            if block.mark.startswith("not run"):
                assert block.language == "sh", f"{name}:{block.line}: only commands can be left out"
                assert len(block.mark) > len(NOT_RUN), f"{name}:{block.line}: it does not say why"


@pytest.mark.parametrize("block", each("sh", run=True))
def test_commands_work(block: Block, tmp_path: Path) -> None:
    """All lines of a block in one shell; where a person would be asked, the first choice is taken."""
    beside = Path(sys.executable).parent
    env = os.environ | {"PATH": f"{beside}{os.pathsep}{os.environ['PATH']}", "XDG_DATA_HOME": str(tmp_path / "data")}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.code],
        cwd=tmp_path,
        env=env,
        input="1\n" * 2_000,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    assert done.stdout


def lines_of(block: Block) -> list[list[str]]:
    """The words of each command line, comments and continuations done."""
    return [
        words for line in block.code.replace("\\\n", " ").splitlines() if (words := shlex.split(line, comments=True))
    ]


@pytest.mark.parametrize("block", each("sh", run=False))
def test_commands_that_are_not_run_could_be(block: Block) -> None:
    for words in lines_of(block):
        if words[0] == "kibitz":
            cli.app.parse_args(words[1:], exit_on_error=False, print_error=False)  # raises what it does not understand
        elif words[0] in ("python", ".venv/bin/python") and words[1].endswith(".py"):
            assert (ROOT / words[1]).exists(), words[1]


@pytest.mark.parametrize("block", each("json"))
def test_json_is_json(block: Block) -> None:
    assert json.loads(block.code)


@pytest.mark.parametrize("block", each("toml"))
def test_toml_is_toml(block: Block) -> None:
    assert tomllib.loads(block.code)


def test_a_command_that_means_nothing_is_found() -> None:
    with pytest.raises(AssertionError):
        test_commands_work(Block("sh", "", 1, "kibitz games\nkibitz mach uno\n", ""), ROOT)
    strange = "kibitz match uno --agents rules,random --colour red\n"
    with pytest.raises(Exception, match="colour"):
        test_commands_that_are_not_run_could_be(Block("sh", "", 1, strange, "not run: it"))
