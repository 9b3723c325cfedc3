"""Rebuilds the page, with its types of messages, and compares with what is committed: python tools/page.py

Needs Node 20 and npm.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILT = ("src/kibitz/web/static", "web/src/wire.ts", "web/package-lock.json")


def main() -> int:
    subprocess.run([sys.executable, "tools/wire_types.py"], cwd=ROOT, check=True)
    for command in (["npm", "ci"], ["npm", "run", "check"], ["npm", "test"], ["npm", "run", "build"]):
        subprocess.run(command, cwd=ROOT / "web", check=True)
    changed = subprocess.run(
        ["git", "status", "--porcelain", "--", *BUILT], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    if changed:
        print(f"the built page is not what its sources give; commit what this has written:\n{changed}", end="")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
