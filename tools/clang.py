"""Reads all C++ sources with clang and its own standard library: python tools/clang.py

What g++ takes for granted, macOS may not have. Debian: apt-get install clang-14 libc++-14-dev libc++abi-14-dev.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nanobind

ROOT = Path(__file__).resolve().parent.parent
COMPILERS = ("clang++-14", "clang++")  # the oldest that we promise, then any
FOLDERS = ("cpp", "examples/new_game", "examples/new_search")
DEFINED = {"KIBITZ_RULESHEETS": "src/kibitz/rulesheets", "KIBITZ_SHEETS": "tests/sheets"}


def command(compiler: str) -> list[str]:
    folders = [*(str(ROOT / folder) for folder in FOLDERS), sysconfig.get_path("include"), nanobind.include_dir()]
    flags = ["-stdlib=libc++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra"]
    flags += [f"-I{folder}" for folder in folders]
    return [compiler, *flags, *(f'-D{name}="{ROOT / path}"' for name, path in DEFINED.items())]


def main() -> int:
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        print(f"needs one of {', '.join(COMPILERS)}", file=sys.stderr)
        return 1
    listed = subprocess.run(["git", "ls-files", "*.cpp"], cwd=ROOT, check=True, capture_output=True, text=True)
    sources = listed.stdout.split()

    def read(source: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command(compiler), source], cwd=ROOT, capture_output=True, text=True)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = [done for done in pool.map(read, sources) if done.returncode]
    for done in failed:
        print(done.stderr, end="")
    print(f"{len(sources) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
