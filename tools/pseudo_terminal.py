"""A program in a terminal of its own, for transcripts and tests: it sees a real terminal, and we see its screen."""

from __future__ import annotations

import fcntl
import os
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from types import TracebackType

ERASED = "\f"  # in `plain`: here the screen was cleared
PROMPT = re.compile(r"(?:^|\n)> $")
MORE = "back -- "  # where a text waits until it was read
_ERASE = re.compile(r"\x1b\[H\x1b\[2J\x1b\[3J")
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\a]*\a|[=>()][AB012]?)|[\a\r]")
GRACE = 0.05  # seconds in which a prompt turns out to be the beginning of something else
KIBITZ = (sys.executable, "-c", "from kibitz.cli import main; main()")


def plain(raw: str) -> str:
    """The text of a screen: without colours, and with ERASED where it was cleared."""
    return _ESCAPES.sub("", _ERASE.sub(ERASED, raw))


class PseudoTerminal:
    """Runs a command until it ends, or until the block does."""

    def __init__(
        self, command: Sequence[str], *, rows: int = 24, columns: int = 80, env: Mapping[str, str] | None = None
    ) -> None:
        self._ours, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        known = {key: value for key, value in os.environ.items() if key not in ("LINES", "COLUMNS", "NO_COLOR")}
        world = known | {"TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"} | dict(env or {})
        self._process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=world, preexec_fn=lambda: os.login_tty(theirs)
        )
        os.close(theirs)
        self.raw = ""  # everything so far
        self._read = 0  # how much of it was asked for
        self._bytes = b""  # of a character that has not arrived as a whole
        self._open = True

    def __enter__(self) -> PseudoTerminal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._ours)

    def type(self, line: str) -> None:
        self.send(line + "\n")

    def send(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def prompt(self, patience: float = 120.0) -> str:
        """What was shown since the last call, when the program waits for a line or has ended."""
        while self._more(patience):
            shown = plain(self.raw[self._read :])
            if (PROMPT.search(shown) or shown.endswith(MORE)) and not self._ready(GRACE):
                break
        return self._shown()

    def until(self, text: str, patience: float = 120.0) -> str:
        """What was shown since the last call, when `text` is part of it."""
        while text not in plain(self.raw[self._read :]):
            if not self._more(patience):
                raise EOFError(f"it ended before it showed {text!r}; its last words: {plain(self.raw)[-600:]}")
        return self._shown()

    def end(self, patience: float = 120.0) -> int:
        """The exit code of a program that ends by itself."""
        while self._more(patience):
            pass
        return self._process.wait(patience)

    @property
    def ended(self) -> bool:
        return not self._open

    def _shown(self) -> str:
        new, self._read = self.raw[self._read :], len(self.raw)
        return plain(new)

    def _ready(self, seconds: float) -> bool:
        return bool(select.select([self._ours], [], [], seconds)[0])

    def _more(self, patience: float) -> bool:
        """Reads on; False at the end. TimeoutError: nothing came."""
        if not self._open:
            return False
        limit = time.monotonic() + patience
        while not self._ready(1.0):
            if time.monotonic() > limit:
                raise TimeoutError(f"nothing for {patience:g} seconds; its last words: {plain(self.raw)[-600:]}")
        try:
            new = os.read(self._ours, 65536)
        except OSError:  # how Linux says that the other end is closed
            new = b""
        self._open = bool(new)
        self._bytes += new
        whole = self._bytes.decode(errors="ignore")
        self.raw += whole
        self._bytes = self._bytes[len(whole.encode()) :]
        return self._open
