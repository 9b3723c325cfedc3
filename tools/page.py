"""Rebuilds the page and compares it with the committed files: python tools/page.py (needs Node 20 and npm)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILT = "src/kibitz/web/static"


def main() -> int:
    for command in (["npm", "ci"], ["npm", "run", "check"], ["npm", "test"], ["npm", "run", "build"]):
        subprocess.run(command, cwd=ROOT / "web", check=True)
    changed = subprocess.run(
        ["git", "status", "--porcelain", "--", BUILT], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    if changed:
        print(f"the built page is not what web/ gives; commit what `npm run build` has written:\n{changed}", end="")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
