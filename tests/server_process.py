"""A server of the table in a process of its own, to be spoken to, looked at, and killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

# Seeds, and so deals and what bots draw by lot, are 1, 2, 3, …
FIXED = "import itertools, kibitz.web.means as m; m.Chance.seed = lambda self, it=itertools.count(1): next(it)\n"
RUN = "import sys, pathlib; from kibitz.web.run import run; from kibitz.web.settings import Settings; run(Settings({}))"


class Server:
    """On a port of the system's choice, then always on the same. `settings`: those of kibitz.web.settings."""

    def __init__(self, folder: Path, fixed: bool = False, **settings: Any) -> None:
        self.port, self.fixed = 0, fixed
        self.settings = {"data": folder, "pace": 0.02, **settings}
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        given = ", ".join(
            f"{name}=pathlib.Path({str(value)!r})" if isinstance(value, Path) else f"{name}={value!r}"
            for name, value in (self.settings | {"port": self.port}).items()
        )
        code = (FIXED if self.fixed else "") + RUN.format(given)
        command = [sys.executable, "-c", code]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "Kibitz is at" in line, line
        self.port = int(line.split(":")[2].split("/")[0])

    def kill(self) -> None:
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        assert self.process is not None
        self.process.terminate()
        self.process.wait(timeout=30)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"
