"""A judged game on the terminal: decision by decision, then the moments worth another look."""

from __future__ import annotations

import sys

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from kibitz.advice import judge, words
from kibitz.advice.columns import Column
from kibitz.advice.judge import Judged, Review
from kibitz.terminal.painter import Painter, painter_of

PROMPT = "-- Enter: on, a number: to that move, q: to the end, b: back -- "
STYLES = {judge.GOOD: "green", judge.MISTAKE: "bold red", judge.UNLUCKY: "blue", judge.LUCKY: "yellow"}
KNOWN, REAL = "What you could know", "The cards as they lay"
INDENT = "  "


def show(review: Review, console: Console, *, brief: bool = False) -> None:
    """All of it; as the reader asks for it where somebody sits at a terminal."""
    console.print(_header(review))
    if brief:
        console.print(_lines(review, list(review.decisions)))
    elif sys.stdin.isatty() and sys.stdout.isatty():
        _step(review, console)
    else:
        for judged in review.decisions:
            console.print()
            _page(review, judged, console)
    console.print()
    _end(review, console)


def _step(review: Review, console: Console) -> None:
    at = 0
    while at < len(review.decisions):
        console.print()
        _page(review, review.decisions[at], console)
        try:
            said = input(PROMPT).strip().lower()
        except EOFError:
            return
        if said in ("q", "quit"):
            return
        if said.isdecimal():
            later = (i for i, judged in enumerate(review.decisions) if judged.move >= int(said[:9]))
            at = next(later, len(review.decisions) - 1)
        else:
            at = max(0, at - 1) if said == "b" else at + 1


def _header(review: Review) -> Text:
    record = review.record
    names = ", ".join(seat.name for seat in record.seats)
    over = "" if record.payoffs is not None else "; not over yet: the real cards are left alone"
    whose = ", ".join(record.seats[seat].name for seat in review.seats)
    n, forced = len(review.decisions), review.forced
    judged = f"Judged: {n} decision{'s' * (n != 1)} of {whose}"
    lines = [
        f"{record.game}: {names}; {len(record.actions)} moves{over}",
        f"{judged}; {forced} move{'s' * (forced != 1)} without an alternative",
    ]
    return Text("\n".join(lines), style="dim")


def _page(review: Review, judged: Judged, console: Console) -> None:
    """What the seat saw, what it played, and what that cost."""
    record = review.record
    game, name = record.make(), record.seats[judged.seat].name
    who = "you" if name == "You" else name
    console.print(Text(f"Move {judged.move} of {len(record.actions)}, what {who} could see:", style="bold"))
    names = [seat.name for seat in record.seats]
    painter = painter_of(game)(game, names, console.width)
    if judged.view is not None:
        console.print(painter.picture(judged.view))
    said = Text(f"{name} played {painter.called(judged.action)}: ").append(
        judged.verdict, style=STYLES.get(judged.verdict, "")
    )
    console.print(said)
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for label, column in ((KNOWN, judged.known), (REAL, judged.real)):
        if column is not None:
            grid.add_row(f"{INDENT}{label}", Text(_opinion(judged, column, painter)))
    if judged.known is not None and judged.known.chance is not None:
        grid.add_row(f"{INDENT}Chance to win then", f"{judged.known.chance:.0%}")
    if judged.reason:
        grid.add_row(f"{INDENT}Why", Text(judged.reason, style="italic"))
    console.print(grid)


def _opinion(judged: Judged, column: Column, painter: Painter) -> str:
    """What a column says of the move, and on what grounds."""
    if judged.stakes is None:
        return ""
    better = painter.called(column.best)
    if column.bad:
        said = f"costs {judged.says(column)}; better: {better}"
    elif column.best == judged.action or column.exact:
        said = "nothing is better"
    else:
        said = f"about as good as {better}"
    return f"{said} ({_grounds(column)})"


def _grounds(column: Column) -> str:
    if column.worlds is None:
        return "by search"
    if column.worlds == 1:
        return "exact" if column.exact else "by play-outs"
    return f"all {column.worlds:,} worlds, exact" if column.exact else f"over {column.worlds:,} worlds"


def _lines(review: Review, decisions: list[Judged]) -> RenderableType:
    """A line for each decision. In a narrow terminal cells wrap; figures are never cut off."""
    several = len(review.seats) > 1
    game = review.record.make()
    painter = painter_of(game)(game, [seat.name for seat in review.record.seats], 80)
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 1))
    table.add_column("move", justify="right", no_wrap=True)
    if several:
        table.add_column("player", overflow="fold")
    for name in ("played", "better"):
        table.add_column(name, overflow="fold")
    table.add_column("verdict", no_wrap=True)
    for name in ("could know", "in fact"):
        table.add_column(name, overflow="fold")
    for judged in decisions:
        player = [review.record.seats[judged.seat].name] if several else []
        better = painter.name(judged.instead) if judged.instead != judged.text else ""
        cells = [_cost(judged, judged.known), _cost(judged, judged.real)]
        verdict = Text(judged.verdict, style=STYLES.get(judged.verdict, ""))
        table.add_row(str(judged.move), *player, Text(painter.called(judged.action)), Text(better), verdict, *cells)
    return table


def _cost(judged: Judged, column: Column | None) -> str:
    if column is None:
        return "?"
    return judged.says(column) if column.bad else "-"


def _end(review: Review, console: Console) -> None:
    moments = review.moments()
    if moments:
        console.print(Text("Moments worth another look, the costliest first", style="bold"))
        console.print(_lines(review, moments))
    else:
        console.print(Text("No moment is worth another look.", style="bold"))
    for seat in review.seats:
        console.print(Text(_summary(review, seat)))


def _summary(review: Review, seat: int) -> str:
    """ "Ada: 21 good, 2 mistakes, 1 unlucky; gave away 11.2 ± 2.3 points." """
    name, mine = review.record.seats[seat].name, review.of(seat)
    counts = [(sum(judged.verdict == word for judged in mine), word) for word in (*judge.VERDICTS, judge.UNCLEAR)]
    said = [f"{n} {word}{'s' * (word == judge.MISTAKE and n != 1)}" for n, word in counts if n]
    line = f"{name}: {', '.join(said) or 'nothing to decide'}"
    kinds = {judged.stakes.unit(judged.view) for judged in mine if judged.stakes and judged.view}
    if len(kinds) == 1 and mine[0].stakes is not None and any(j.known is not None and j.known.bad for j in mine):
        lost, error = review.given_away(seat)
        line += f"; gave away {words.loss(mine[0].stakes.game, lost, error or None, mine[0].view)}"
    return f"{line}."
