"""The examples of a new game and a new search compile and keep their laws, and their pages quote them as they are.

The program is built the way the pages describe: with the files of the examples as if they stood in `cpp/`, and with the
declaration of the search in a copy of `search/agents.h`.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CPP, EXAMPLES = ROOT / "cpp", ROOT / "examples"
NEW_GAME, NEW_SEARCH = EXAMPLES / "new_game", EXAMPLES / "new_search"
SOURCES = [
    EXAMPLES / "main.cpp",
    NEW_GAME / "any" / "games" / "kuhn.cpp",
    NEW_GAME / "games" / "kuhn" / "kuhn.cpp",
    CPP / "any" / "game.cpp",
    *(source for folder in ("core", "eval", "search", "tables") for source in sorted((CPP / folder).glob("*.cpp"))),
]
PAGES = {"new_game": NEW_GAME, "new_search": NEW_SEARCH}


def compiler() -> list[str]:
    for command in (shlex.split(os.environ.get("CXX", "")), ["c++"], ["g++"], ["clang++"]):
        if command and shutil.which(command[0]):
            return command
    pytest.skip("there is no C++ compiler: CXX names none, and neither c++, g++ nor clang++ is installed")


def agents_with_the_new_search() -> str:
    """`search/agents.h` with the three additions that docs/new_search.md asks for."""
    text = (CPP / "search" / "agents.h").read_text(encoding="utf-8")
    includes, opened, body = text.partition("\nnamespace kibitz {\n")
    declarations, using, rest = body.partition("using Searches =")
    searches, closed, following = rest.partition(">;")
    assert opened
    assert using
    assert closed
    declaration = (NEW_SEARCH / "declaration.h").read_text(encoding="utf-8")
    parts = [includes, '#include "search/maximin.h"\n', opened, declarations, declaration, "\n"]
    return "".join([*parts, using, searches, ", Maximin", closed, following])


def run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def test_the_new_game_and_the_new_search_compile_and_keep_their_laws(tmp_path: Path) -> None:
    cxx = compiler()
    agents = tmp_path / "edited" / "search" / "agents.h"
    agents.parent.mkdir(parents=True)
    agents.write_text(agents_with_the_new_search(), encoding="utf-8")
    folders = [f"-I{folder}" for folder in (tmp_path / "edited", NEW_GAME, NEW_SEARCH, CPP)]

    def compiled(number: int) -> str:
        out = str(tmp_path / f"{number}.o")
        run([*cxx, "-std=c++20", "-O0", "-Wall", "-Wextra", *folders, "-c", str(SOURCES[number]), "-o", out])
        return out

    with ThreadPoolExecutor(2) as pool:
        objects = list(pool.map(compiled, range(len(SOURCES))))
    program = str(tmp_path / "program")
    run([*cxx, *objects, "-pthread", "-o", program])
    said = run([program]).splitlines()
    assert said[-1] == "ok"
    assert re.fullmatch(r"expectimax won \+\d+ from maximin in 400 games", said[0])


def quoted(page: str) -> list[str]:
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    return re.findall(r"^```cpp\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_pages_quote_the_examples_as_they_are(page: str) -> None:
    files = [path.read_text(encoding="utf-8") for path in PAGES[page].rglob("*") if path.suffix in (".h", ".cpp")]
    fragments = quoted(page)
    assert len(fragments) >= 4
    for fragment in fragments:
        shapes = [textwrap.indent(fragment, " " * indent) for indent in (0, 2, 4)]
        assert any(f"\n{shape}" in f"\n{text}" for text in files for shape in shapes), fragment


@pytest.mark.parametrize("page", PAGES)
def test_pages_name_every_file_of_their_example(page: str) -> None:
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    for path in PAGES[page].rglob("*.*"):
        assert f"{path.relative_to(PAGES[page])}" in text, path
