"""Tables for narrow terminals: cells wrap, and where not even words fit, rows become lists. Nothing is cut off."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text


class Fitting:
    """A table as it is where its longest words fit; else every row as lines of heading and cell."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        wide = options.update(max_width=10_000)
        needed = Measurement.get(console, wide, self.table)
        if needed.minimum > options.max_width:
            yield from self._lists()
            return
        if needed.maximum > options.max_width:
            self._share_out(options.max_width - needed.minimum)
        yield self.table

    def _share_out(self, space: int) -> None:
        """Every column gets what its longest word needs, and of the space that is left what it can use, from left to
        right. Rich by itself takes from the widest column, even in the middle of a word."""
        for column in self.table.columns:
            texts = [_text(column.header), *map(_text, column.cells)]
            words = max((cell_len(word) for text in texts for word in text.plain.split()), default=0)
            lines = max((cell_len(line) for text in texts for line in text.plain.splitlines()), default=0)
            more = min(space, lines - words)
            column.width, space = words + more, space - more

    def _lists(self) -> Iterable[Text]:
        if self.table.title is not None:
            yield _text(self.table.title)
        columns = [(_text(column.header).plain, [*column.cells]) for column in self.table.columns]
        for at in range(self.table.row_count):
            if at:
                yield Text()
            yield from _row([(heading, _text(cells[at])) for heading, cells in columns])
        if self.table.caption is not None:
            yield _text(self.table.caption)


def _row(cells: Iterable[tuple[str, Text]]) -> Iterable[Text]:
    for heading, cell in cells:
        label = " ".join(heading.split())
        yield Text(f"{label}: " if label else "", style="bold").append_text(cell)


def _text(thing: object) -> Text:
    return thing.copy() if isinstance(thing, Text) else Text(str(thing))
