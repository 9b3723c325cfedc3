"""Texts to be read at the terminal: guides, rendered from Markdown, and shown a page at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

MOST_COLUMNS = 88  # longer lines are hard to read


def rendered(console: Console, markdown: str) -> list[Text]:
    """The lines of a guide, for this console."""
    with console.capture() as captured:
        console.print(Markdown(markdown, justify="left"), width=min(console.width, MOST_COLUMNS))
    lines = [Text.from_ansi(line) for line in captured.get().splitlines()]
    for line in lines:
        line.rstrip()
    return lines


def show(console: Console, lines: Sequence[Text], ask: Callable[[str], str]) -> bool:
    """Prints the lines; on a terminal that is too low for them, page by page. False: the reader has had enough."""
    page = console.height - 2 if console.is_terminal else len(lines)
    for start in range(0, len(lines), page):
        console.print(Text("\n").join(lines[start : start + page]))
        more = start + page < len(lines)
        if more and ask("-- Enter: more, q: back -- ").strip().lower() in ("q", "/quit", "/q"):
            return False
    return True
