"""How long Kibitz takes to start: python benchmarks/startup.py [--runs 11] [--modules]

Medians over processes of their own, by turns, beside a Python that does nothing. --modules lists what the import spends
its time in.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import time

WORK = {
    "python": ["-c", "pass"],
    "import kibitz": ["-c", "import kibitz"],
    "kibitz --help": ["-m", "kibitz", "--help"],
    "kibitz games": ["-m", "kibitz", "games"],
}


def seconds(arguments: list[str]) -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


def slowest(count: int) -> list[tuple[int, str]]:
    """Microseconds of a module without what it imports, and its name."""
    command = [sys.executable, "-X", "importtime", "-c", "import kibitz"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    found = re.findall(r"import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)", said)
    return sorted(((int(spent), name) for spent, name in found), reverse=True)[:count]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=11)
    options.add_argument("--modules", action="store_true")
    given = options.parse_args()
    spent: dict[str, list[float]] = {name: [] for name in WORK}
    for _ in range(given.runs):
        for name, arguments in WORK.items():
            spent[name].append(seconds(arguments))
    for name, found in spent.items():
        print(f"{name:16} {statistics.median(found):6.3f} s  ({min(found):.3f} to {max(found):.3f})")
    for microseconds, name in slowest(12) if given.modules else []:
        print(f"  {microseconds / 1000:7.1f} ms  {name}")


if __name__ == "__main__":
    main()
