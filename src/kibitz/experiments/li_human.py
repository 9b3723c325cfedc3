"""Li, IV.A: agents against people, counted in the finished games of the table (`kibitz serve`)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from kibitz import extras
from kibitz.experiments import Report, Row, Run, Table, experiment, stats

if TYPE_CHECKING:
    from kibitz.record import Record

PLAYERS = (2, 3, 4)
ALONE = "about 54%"  # one agent against one person
EQUAL = "as often as people"
Count = tuple[int, int, str, bool]  # players, people among them, the agents, whether an agent won


@experiment(
    "li/human",
    title="Li, IV.A: agents against people",
    paper=(
        '"We conducted a series of 100 games where our algorithm competed one-on-one against ourselves (representing '
        'average human players)." It won "approximately" 54% of them. "In both the 3-player and 4-player games, the '
        'win rate of the agent is comparable to that of human players."'
    ),
    reads=True,
)
def human(run: Run) -> Report:
    (found,) = run.units("games", 1, lambda _: _games(run.database))
    counts = Counter({tuple(key): games for key, games in found["counts"]})
    rows = [row for players in PLAYERS for row in _rows(players, counts)]
    by = sorted({key[:3] for key in counts})
    lines = [(*key, counts[*key, True] + counts[*key, False], counts[*key, True]) for key in by]
    header = ("players", "people", "agents", "games", "won by an agent")
    return Report(rows=rows, note=_note(counts, found["left_out"]) + _HOW, tables={"agents": Table(header, lines)})


def _games(database: str | None) -> dict[str, Any]:
    """What the database has, as JSON: how many games of each kind, and how many do not count."""
    if not extras.installed("sqlalchemy"):
        raise ValueError(f"the games of the table need sqlalchemy: {extras.how_to_get('web')}")
    counts, left_out = count(asyncio.run(_records(database)))
    return {"counts": [[list(key), games] for key, games in sorted(counts.items())], "left_out": left_out}


async def _records(database: str | None) -> list[Record]:
    from kibitz.web.catalogue import Catalogue
    from kibitz.web.records import finished_tables, records
    from kibitz.web.settings import Settings
    from kibitz.web.store.base import Finished
    from kibitz.web.store.sql import SqlStore, sqlite_file

    url = Settings(database=database).url()
    file = sqlite_file(url)
    if file is not None and not file.is_file():
        return []  # nobody has ever played: no reason to make one
    store = await SqlStore.open(url, alone=False)
    try:
        saved = [table async for table in finished_tables(store, Finished(games=("uno",)))]
    finally:
        await store.close()
    return [record for table in saved for record in records(table, Catalogue()).values()]


def count(records: Iterable[Record]) -> tuple[Counter[Count], int]:
    """Games with people and agents, in which each played its own seat to the end; and how many others there were."""
    counts: Counter[Count] = Counter()
    left_out = 0
    for record in records:
        people = [seat for seat, who in enumerate(record.seats) if who.person]
        if len(record.seats) not in PLAYERS or len(people) in (0, len(record.seats)):
            continue
        if not _own_hands(record, people):
            left_out += 1
            continue
        more = record.more["table"]
        payoffs = list(more.get("payoffs") or record.payoffs or ())  # who gave up has lost
        agents = " ".join(sorted({who.agent for who in record.seats if not who.person}))
        counts[len(record.seats), len(people), agents, payoffs.index(max(payoffs)) not in people] += 1
    return counts, left_out


def _own_hands(record: Record, people: Sequence[int]) -> bool:
    """No bot has played for a person, and no person for a bot."""
    movers = [state.to_act for state in record.states()]
    made = zip(movers, record.more["table"]["by"], strict=False)  # one more state than moves
    return all((seat in people) == (by != "bot") for seat, by in made)


def _wins(players: int, counts: Counter[Count]) -> tuple[int, int, float]:
    """Games, those that an agent won, and the share of seats that agents had."""
    mine = {key: games for key, games in counts.items() if key[0] == players}
    games = sum(mine.values())
    won = sum(number for key, number in mine.items() if key[3])
    seats = sum(number * (players - key[1]) for key, number in mine.items())
    return games, won, seats / (games * players) if games else 0.0


def _rows(players: int, counts: Counter[Count]) -> list[Row]:
    games, won, fair = _wins(players, counts)
    if not games:
        return []
    said = ALONE if players == 2 else EQUAL
    shown = [Row(f"{players} players: an agent wins", said, stats.share(won, games), games, "{:.1%}")]
    if players > 2:
        shown.append(Row(f"{players} players: seats of agents", "", fair, games, "{:.1%}"))
    return shown


def _note(counts: Counter[Count], left_out: int) -> str:
    said = "\n".join(_verdict(players, counts) for players in PLAYERS)
    if not counts:
        said = "There are no finished games of Uno between people and agents in this database: nothing is said."
    if left_out:
        said += f"\n\n{left_out} games are left out: a bot had played for a person, or a person for a bot."
    return said


def _verdict(players: int, counts: Counter[Count]) -> str:
    games, won, fair = _wins(players, counts)
    claim = "the agent beats people one on one" if players == 2 else f"{players} players, agents as good as people"
    if not games:
        return f"- {claim}: not decided, there are no such games."
    found = stats.share(won, games)
    if players == 2:
        word = "holds" if found.low > 0.5 else "does not hold" if found.high < 0.5 else "not decided"
        return f"- {claim}: {word}; it won {won} of {games}."
    if found.low <= fair <= found.high:
        share = f"agents had {fair:.1%} of the seats and won {found.mean:.1%}"
        return f"- {claim}: not decided, but the games agree: {share}."
    word = "more" if found.mean > fair else "less"
    return f"- {claim}: does not hold, they won {word} often: {found.mean:.1%} with {fair:.1%} of the seats."


_HOW = """

Counted are finished games of Uno at the table, under its rules (official, with the house rules that were chosen), in
which people played their own seats to the end and agents theirs; a person who gave up has lost. Where several agents
sat at a table, a win of any of them counts, so that with more than two players the share is to be compared with that of
their seats. Intervals take games as independent, which games of the same person are not quite. The paper's agent is its
own network, and its people were the authors; here the agents are those in `agents.csv`, whoever came to play."""
