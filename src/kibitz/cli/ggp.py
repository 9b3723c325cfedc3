"""kibitz ggp: general game playing over the network."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
from cyclopts import App
from rich.table import Table
from rich.text import Text

import kibitz
from kibitz import gdl
from kibitz.agents.native import NativeAgent
from kibitz.arena.stats import mean_interval
from kibitz.cli.common import errors, inputs
from kibitz.ggp import manager as managing
from kibitz.ggp import player as playing
from kibitz.ggp.protocol import MOST_CLOCK, Address
from kibitz.ggp.record import Record, describe_mishap, describe_turn, printable
from kibitz.ggp.referee import Rules, read_rules
from kibitz.registry import parse_spec
from kibitz.terminal import screen
from kibitz.terminal.kibitzer import thinker

Clock = Annotated[int, inputs.whole(1, MOST_CLOCK)]  # seconds, whole ones as in the messages

app = App(
    name="ggp",
    help="Matches of rulesheets between programs, over the network, as general game players have them.",
    help_epilogue="""Examples:
    kibitz ggp player --port 9147
    kibitz ggp player --port 9148 --agent uct:c=1.0
    kibitz ggp manager connect_four --players 127.0.0.1:9147,127.0.0.1:9148 --start 10 --play 5 --matches 20
    kibitz gdl show matches/RECORD.json
""",
)

MOST_MATCHES = 100_000


@app.command
def player(
    *,
    port: Annotated[int, inputs.whole(0, 65535)] = 9147,
    host: str = "127.0.0.1",
    agent: str | None = None,
    name: str = "Kibitz",
    margin: float = 0.5,
    at_once: Annotated[int, inputs.whole(1, 64)] = 4,
    seed: inputs.Seed | None = None,
) -> int:
    """Wait for matches and play them, until Ctrl-C.

    Parameters
    ----------
    port
        Where to listen; 0 takes a free port, and says which.
    host
        The address to listen on. Others than 127.0.0.1 let everybody in who can reach it.
    agent
        Who thinks; where it cannot play the game, or if left out: uct, or ismcts where something is hidden.
    name
        What it calls itself.
    margin
        Seconds between the answer and the end of the clock.
    at_once
        So many matches at the same time, up to 64; further ones are told that it is busy.
    seed
        Of the agent's chance; always another if left out.
    """
    if agent is not None:
        _check_agent(agent)
    settings = playing.Settings(name, agent, margin, at_once, seed)
    try:
        asyncio.run(playing.run(settings, host, port, _log))
    except (KeyboardInterrupt, asyncio.CancelledError):
        screen.note("stopped")  # which is how a player ends
    return 0


@app.command
def manager(
    file: str,
    /,
    *,
    players: str,
    start: Clock = 10,
    play: Clock = 5,
    matches: Annotated[int, inputs.whole(1, MOST_MATCHES)] = 1,
    seed: inputs.Seed | None = None,
    rotate: inputs.Flag = False,
    scramble: inputs.Flag = False,
    watch: inputs.Flag = False,
    records: Path = Path("matches"),
) -> int:
    """Play matches of a rulesheet between players on the network, and keep records.

    A random legal move replaces an answer that is late, broken or not legal; the record tells why. It is an error if
    none of the players can be reached when a match starts.

    Parameters
    ----------
    file
        A rulesheet, or the name of one of ours.
    players
        host:port of a player for each role but random, in the order of the roles, separated by commas; at least one.
        Where random stands in place of a player the manager plays at random, and so it does for roles that are left
        over.
    start
        The start clock, in whole seconds, up to a day.
    play
        The play clock, in whole seconds, up to a day.
    matches
        How many, up to 100000.
    seed
        Of the manager's chance: the role random, replaced moves, scrambled names; another one every time if left out.
    rotate
        Every match with the players one role further.
    scramble
        Send the rules with other names, always different ones.
    watch
        Show the matches as they go.
    records
        The folder for the records of the matches.
    """
    lot = {} if seed is None else {"seed": seed}
    settings = managing.Settings(start, play, scramble=scramble, records=records, **lot)
    seated = [None if text.strip() == "random" else Address.parse(text) for text in players.split(",")]
    path = gdl.find(file)
    rules = read_rules(path.read_bytes().decode("utf-8", errors="replace"))
    _check_seats(seated, rules)
    records.mkdir(parents=True, exist_ok=True)

    def match(number: int) -> managing.Match:
        seats = managing.seating(seated, len(rules.seats), number * rotate)
        return managing.Match(rules, path.stem, seats, settings, number, _watch if watch else _ignore)

    finished = _play_all(map(match, range(matches)), settings, seeded=seed is not None)
    return 0 if finished == matches else errors.INTERRUPTED


def _play_all(matches: Iterable[managing.Match], settings: managing.Settings, *, seeded: bool) -> int:
    """One after the other, with what is to be said of each and of all; how many were finished."""
    done: list[Record] = []

    async def play() -> None:
        for match in matches:
            done.append(await match.run())
            screen.note(_result(done[-1]))

    try:
        asyncio.run(play())
    except KeyboardInterrupt:
        screen.note("interrupted; the players are told")
    finally:
        _sum_up(done, settings, seeded=seeded)
    return len(done)


def _sum_up(done: Sequence[Record], settings: managing.Settings, *, seeded: bool) -> None:
    """What the matches gave and where their records are, if any was finished."""
    if not done:
        return
    screen.out().print(_summary(done))
    screen.note(f"records are in {settings.records}")
    if not seeded:
        screen.note(f"the same chance again: --seed {settings.seed}")


def _check_seats(seated: list[Address | None], rules: Rules) -> None:
    """ValueError says who cannot be seated. The role random, which may be named, too, is taken out."""
    if len(seated) == len(rules.roles) > len(rules.seats):
        chance = next(at for at, role in enumerate(rules.roles) if role.lower() == "random")
        if seated.pop(chance) is not None:
            raise ValueError("the role random is played by the manager; write random in its place, or nothing")
    managing.seating(seated, len(rules.seats))


def _check_agent(spec: str) -> None:
    """Says now what is wrong with it: who can play neither of two small games can play none. Tables and networks (FILE)
    are for one game, which may come."""
    agent = thinker(spec)
    if not isinstance(agent, NativeAgent) or agent.peeks or parse_spec(spec).source is not None:
        return
    problems = []
    for name in ("tictactoe", "kuhn_poker"):
        try:
            agent.native(kibitz.make("gdl", file=name))
        except ValueError as problem:
            problems.append(problem)
    if len(problems) == 2:
        raise problems[0]


def _log(line: str) -> None:
    print(printable(" ".join(line.split())), flush=True)  # ids and names in it are strangers'


def _ignore(match: managing.Match) -> None:
    pass


def _watch(match: managing.Match) -> None:
    record = match.record
    turn = len(record.moves)
    if turn:
        print(f"turn {turn}: {describe_turn(record, turn - 1)}")
    else:
        print(f"match {record.match}")
        for error in record.errors:
            print(f"  {describe_mishap(error)}")
    print(match.referee.picture(), end="\n\n", flush=True)


def _result(record: Record) -> str:
    goals = zip(record.roles, record.players, record.goals or [], strict=False)
    line = ", ".join(f"{role} ({player}) {goal}" for role, player, goal in goals if role.lower() != "random")
    reasons = Counter(f"{error.role}: {error.why or error.error}" for error in record.errors)
    told = "".join(f"\n  {printable(reason)}" + f" ({n} times)" * (n > 1) for reason, n in reasons.items())
    return f"{record.match}: {line}; {len(record.moves)} turns, {len(record.errors)} errors{told}"


def _summary(records: Sequence[Record]) -> Table:
    """Per player the mean goal, with its interval where several matches were played."""
    goals: dict[str, list[int]] = {}
    mishaps: Counter[str] = Counter()
    for record in records:
        seats = dict(zip(record.roles, record.players, strict=True))
        for role, goal in zip(record.roles, record.goals or [], strict=False):
            if role.lower() != "random":
                goals.setdefault(seats[role], []).append(goal)
        mishaps.update(seats[error.role] for error in record.errors)
    table = Table("player", "played", "mean goal", "95% interval", "errors")
    for player, got in goals.items():
        interval = mean_interval(np.array(got, float), 0.0, 100.0)
        between = f"{interval.low:.1f} to {interval.high:.1f}" if len(got) > 1 else ""
        table.add_row(Text(player), str(len(got)), f"{interval.mean:.1f}", between, str(mishaps[player]))
    return table
