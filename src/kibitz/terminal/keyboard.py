"""Line editing at the prompt: arrows, history and completion, where Python has readline."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import ModuleType


def _readline() -> ModuleType | None:
    """Imported when people play: the mere import changes how `input` reads, and Windows has none."""
    try:
        import readline
    except ImportError:
        return None
    return readline


def edit_lines(words: Callable[[], Sequence[str]]) -> None:
    """From now on `input` edits its line; Tab completes `words`, of which it asks anew every time."""
    found = _readline() if sys.stdin.isatty() and sys.stdout.isatty() else None
    if found is None:
        return

    def complete(text: str, number: int) -> str | None:
        fits = [word for word in words() if word.lower().startswith(text.lower())]
        return fits[number] if number < len(fits) else None

    found.set_completer_delims("")  # choices have spaces
    found.set_completer(complete)
    found.parse_and_bind("bind ^I rl_complete" if "libedit" in (found.__doc__ or "") else "tab: complete")


def forget_lines() -> None:
    """Before another person types: a refused line may have named cards."""
    if "readline" in sys.modules:
        sys.modules["readline"].clear_history()
