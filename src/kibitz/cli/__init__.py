"""The command line, `kibitz`: one command, one file.

A file of this folder is a command: it has the command's name and an `app` with its function, its options and its
examples, and is found by itself. What commands share is in `common/` (inputs.py reads options, errors.py ends
commands); what they show on a terminal is in `kibitz.terminal`.
"""

from __future__ import annotations

import importlib
import io
import os
import pkgutil
import sys
from collections.abc import Sequence

from cyclopts import App, Parameter

import kibitz
from kibitz.cli.common import errors, own

app = App(
    name="kibitz",
    help="Games of hidden information: play them, let agents play them, look at positions, redo papers' experiments.",
    help_epilogue=f"""Examples:
    kibitz
    kibitz play
    kibitz match uno --agents rules,random,random --games 10000 --seed 1
    kibitz match uno --agents mine,rules --import my.py
    kibitz COMMAND --help

{own.HELP}
""",
    help_format="plaintext",
    default_parameter=Parameter(negative=""),
    version=kibitz.__version__,
    suppress_keyboard_interrupt=False,  # errors.py ends interrupted commands
)
for _found in pkgutil.iter_modules(__path__):
    if not _found.ispkg:
        _command = importlib.import_module(f"{__name__}.{_found.name}").app
        _command.help_epilogue = f"{_command.help_epilogue or ''}\n{own.HELP}\n"
        app.command(_command)


@app.default
def table() -> None:
    """Without a command: the table opens in the browser (see: kibitz serve --help)."""
    from kibitz.cli import serve

    serve.start(True, port=serve.PORT)


def run(arguments: Sequence[str]) -> int:
    """Runs a command line (without the program's name) and returns its exit code."""
    return errors.guard(
        lambda: app(own.take(arguments), exit_on_error=False, print_error=False, result_action="return_value")
    )


def main() -> None:
    """The entry point of the program."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started us, as in >&-
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # better a ? than no table, where the terminal knows no Unicode
    sys.exit(run(sys.argv[1:]))
