"""A tournament of Uno with native agents, killed with -9 on the way, against the same undisturbed.

    python benchmarks/tournament.py [--games 1000000] [--kills 5] [--threads 2]

Both play the same games in processes of their own, `kibitz tournament`; the first is killed at even distances and goes
on with --resume. Shown are games per second, the memory of the processes (resident, in the first and in the last third
of the undisturbed one, and the most of all), and whether the results are the same bytes. It ends with 1 if not.
"""

from __future__ import annotations

import argparse
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

AGENTS = "random,rules,net:uno-2p"
PAUSE = 0.05  # seconds between looks


@dataclass
class Watched:
    """A process of `kibitz tournament`, with what was seen of it."""

    store: Path
    out: Path
    games: int
    threads: int
    memory: list[tuple[float, float]] = field(default_factory=list)  # (share of games done, MB)

    def run(self, until: float = 2.0) -> float:
        """Seconds until the process ended, or was killed because this share of the games was done."""
        command = [sys.executable, "-m", "kibitz", "tournament", "uno", "--rules", "rlcard", "--agents", AGENTS]
        command += ["--games", str(self.games), "--threads", str(self.threads), "--seed", "1"]
        command += ["--store", str(self.store), "--out", str(self.out)]
        command += ["--resume"] if self.store.exists() else []
        start = time.perf_counter()
        with open(self.store.with_suffix(".log"), "a") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log)
            while process.poll() is None:
                share = self.done() / self.games
                self.memory.append((share, _resident(process.pid)))
                if share >= until:
                    process.send_signal(signal.SIGKILL)
                time.sleep(PAUSE)
        if process.returncode not in (0, -signal.SIGKILL):
            sys.exit(f"it ended with {process.returncode}: {self.store.with_suffix('.log').read_text()}")
        return time.perf_counter() - start

    def done(self) -> int:
        """Games in the store; a deal is played twice."""
        if not self.store.exists():
            return 0
        database = sqlite3.connect(f"file:{self.store}?mode=ro", uri=True, timeout=30)
        try:
            return 2 * int(database.execute("SELECT coalesce(sum(count), 0) FROM chunks").fetchone()[0])
        finally:
            database.close()

    def result(self) -> bytes:
        return (self.out / "result.json").read_bytes()


def _resident(pid: int) -> float:
    """Megabytes; 0 where the process is gone or the system does not tell."""
    try:
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        killed, whole = (
            Watched(Path(folder) / f"{name}.db", Path(folder) / name, given.games, given.threads)
            for name in ("killed", "whole")
        )
        kills = 0
        for number in range(1, given.kills + 1):
            killed.run(number / (given.kills + 1))
            kills += not killed.out.exists()
        killed.run()
        seconds = whole.run()
        same = killed.result() == whole.result()
        early = [mb for share, mb in whole.memory if 0 < share <= 1 / 3]
        late = [mb for share, mb in whole.memory if share >= 2 / 3]
        print(f"games                  {whole.done():,} ({AGENTS}; rlcard's rules, 2 players)")
        print(
            f"undisturbed            {seconds:.1f} s, {given.games / seconds:,.0f} games/s, start and report included"
        )
        print(f"killed with -9         {kills} times; games in its store {killed.done():,}")
        print(f"memory, MB             {max(early or [0]):.0f} early, {max(late or [0]):.0f} late (with the report)")
        print(f"most memory, MB        {max(mb for _, mb in killed.memory + whole.memory):.0f}")
        print(f"same bytes             {'yes' if same else 'NO'}")
        sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
