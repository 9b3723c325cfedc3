"""How commands end: one line on stderr that says what was wrong, and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from cyclopts import CycloptsError, UnusedCliTokensError

from kibitz import meant
from kibitz.terminal.commands import Quit

BAD_INPUT = 2
INTERRUPTED = 130  # 128 + SIGINT, as shells have it


def guard(command: Callable[[], int | None]) -> int:
    """Runs a command and turns what it raises into an exit code. Only our own mistakes leave a traceback."""
    try:
        code = command() or 0
        sys.stdout.flush()
        return code
    except CycloptsError as problem:
        return _say(
            f"{_explain(problem)} (see: {' '.join(['kibitz', *(problem.command_chain or ())])} --help)", BAD_INPUT
        )
    except ValueError as problem:
        if os.environ.get("KIBITZ_TRACEBACK"):  # for authors of games and agents whose own code raised it
            raise
        return _say(meant.asked(str(problem)), BAD_INPUT)
    except Quit:
        print("You left the table.")
        return 0
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            print(file=sys.stderr)  # the terminal has just echoed ^C
        return _say("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output (head, less) has gone. Without this, Python complains again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MemoryError as problem:
        return _say(f"not enough memory: {problem}".rstrip(": "), BAD_INPUT)
    except OSError as problem:
        where = f"{problem.filename}: " if problem.filename else ""
        return _say(f"{where}{problem.strerror or problem}", BAD_INPUT)


def _explain(problem: CycloptsError) -> str:
    if isinstance(problem, UnusedCliTokensError):  # its own words are for programmers
        unused = problem.unused_tokens or ()
        if not problem.command_chain and problem.app is not None and unused:
            commands = [name for name in problem.app if not name.startswith("-")]
            return f"unknown command {unused[0]!r}; there are: {', '.join(commands)}{meant.hint(unused[0], commands)}"
        return f"unexpected argument {' '.join(unused)!r}"
    return str(problem)


def _say(message: str, code: int) -> int:
    # Messages of libraries may have several lines; ours is one, so that scripts can show it.
    print("kibitz: " + " ".join(message.split()), file=sys.stderr)
    return code
