"""kibitz tournament: every agent against every other, with ratings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter
from rich.table import Table
from rich.text import Text

from kibitz.advice import judge
from kibitz.advice.columns import EFFORT
from kibitz.arena import plan as plans
from kibitz.arena import ratings, report, tournament
from kibitz.arena import regret as regrets
from kibitz.arena.backends import Elsewhere
from kibitz.arena.jobs import Backend
from kibitz.arena.plan import Plan
from kibitz.arena.run import Hire
from kibitz.arena.store import Store
from kibitz.arena.summary import Summary, summary
from kibitz.arena.until import Question
from kibitz.cli.common import errors, inputs
from kibitz.record_files import check_target
from kibitz.terminal import screen
from kibitz.terminal.fitting import Fitting
from kibitz.terminal.progress import Progress

app = App(
    name="tournament",
    help_epilogue="""Examples:
    kibitz tournament uno --agents agents.toml --games 200000
    kibitz tournament uno --agents random,rules,level:easy --players 3 --games 3000 --out report
    kibitz tournament --agents agents.toml --resume
    kibitz tournament uno --agents agents.toml --games 100000 --until "rules > random" --error 0.01
    kibitz tournament uno --agents agents.toml --gauntlet mine --records games.jsonl
    kibitz tournament uno --agents agents.toml --games 1000000 --ray auto

A file has version = 1 and a table [agents] with lines like easy = "level:easy"; docs/tournaments.md has the rest.
What is finished is in the store at once: after Ctrl-C, a crash or kill -9 the same command with --resume goes on.
""",
)

GAMES = 10_000


def _help(text: str) -> Parameter:
    return Parameter(help=text)


Games = Annotated[
    int | None, inputs.whole(1, 10**9, help=f"How many games in all ({GAMES:,}), rounded up to whole deals.")
]
Seed = Annotated[int | None, inputs.whole(0, 2**64 - 1, help="Of all chance: the same seed gives the same result.")]
Gauntlet = Annotated[str | None, _help("Only line-ups in which this agent sits.")]
Meet = Annotated[int | None, inputs.whole(2, 1000, help="Different agents in a game: 2, or one for each side.")]
Sitting = Annotated[
    Literal["rotations", "all"] | None, _help("Rotations of a line-up over the sides, or all seatings.")
]
Until = Annotated[
    list[str] | None,
    _help('Stop where this question is decided, as in "A > B" with agents\' names; may be given repeatedly.'),
]
Error = Annotated[
    float | None, inputs.number(1e-9, 0.5, help="How likely wrong answers to --until are at most (0.05).")
]
Margin = Annotated[
    float | None, inputs.number(0, 0.49, help="Call agents equal that are this near each other, as a share of games.")
]
Decisions = Annotated[
    int | None, inputs.whole(0, 10**6, help="Also judge what agents would play at so many sampled decisions.")
]
Effort = Annotated[
    int | None, inputs.whole(1, judge.MOST_EFFORT, help=f"Worlds that this judge looks into ({EFFORT:,}).")
]


@app.default
def play(
    game: str | None = None,
    /,
    *,
    agents: str | None = None,
    games: Games = None,
    seed: Seed = None,
    players: inputs.Players = None,
    rules: inputs.Rules = None,
    option: inputs.GameOptions = None,
    gauntlet: Gauntlet = None,
    meet: Meet = None,
    seatings: Sitting = None,
    until: Until = None,
    error: Error = None,
    margin: Margin = None,
    regret: Decisions = None,
    effort: Effort = None,
    store: Path | None = None,
    resume: inputs.Flag = False,
    threads: inputs.Threads = 0,
    records: Path | None = None,
    out: Path | None = None,
    ray: inputs.Ray = None,
) -> int:
    """Let agents play a round robin; every deal is played under all sittings of a line-up.

    Parameters
    ----------
    game
        The game; may be left out where the file names it.
    agents
        A TOML file, or spec strings separated by commas.
    players
        Number of players, in games where it can be chosen.
    store
        The SQLite file of the tournament; beside the file of agents, or GAME.db, if left out.
    resume
        Go on with a tournament that is there; it may get more games and agents.
    records
        Write a record of every game: a line of a file that ends in .jsonl, or a file of a folder.
    out
        Write a report into this folder: Markdown, CSV, JSON, and a page with plots.
    """
    given: dict[str, Any] = {"games": games, "seed": seed, "gauntlet": gauntlet, "meet": meet, "seatings": seatings}
    given |= {"until": tuple(until) if until else None, "error": error, "margin": margin, "regret": regret}
    given |= {"records": True if records is not None else None, "effort": effort}
    if records is not None:
        check_target(records)
    plan, path = _plan(game, agents, players, rules, option, given, store, resume)
    with inputs.hired(ray) as hire:
        return _play(plan, path, resume, threads, hire, records, out)


def _play(
    plan: Plan, path: Path, resume: bool, threads: int, hire: Hire | None, records: Path | None, out: Path | None
) -> int:
    ratings.parts()  # before hours of play
    with _open(plan, path, resume) as opened:
        ended = _run(opened, _backend(opened.plan, threads, hire))
        if opened.plan.regret and ended:
            ended = _judge(opened)
        _show(opened, path, records, out)
    if not ended:
        screen.note(f"interrupted: what is finished is kept; go on with: --store {path} --resume")
    return 0 if ended else errors.INTERRUPTED


def _plan(
    game: str | None,
    agents: str | None,
    players: int | None,
    rules: str | None,
    option: list[str] | None,
    given: dict[str, Any],
    store: Path | None,
    resume: bool,
) -> tuple[Plan, Path]:
    """The plan that the command line means, and where its store is."""
    more = {key: value for key, value in given.items() if value is not None}
    if agents is None:
        if not resume or store is None or game is not None:
            raise ValueError("--agents is missing: a TOML file, or spec strings as in random,rules")
        with Store(store) as old:
            return replace(old.plan, **more).check(), store
    file = Path(agents) if agents.endswith(".toml") else None
    read = plans.read_file(file) if file is not None else {"agents": _listed(agents)}
    more = read | more
    specs, name = more.pop("agents", {}), more.pop("game", None)
    if game is None and name is None:
        raise ValueError(f'a game is missing: name it, or write game = "..." into {agents}')
    if not specs:
        raise ValueError(f"{agents} has no agents: write them under [agents]")
    made = inputs.make_game(game or name, players=players, rules=rules, option=option)
    plan = plans.plan_of(made, specs, more.pop("games", GAMES), **more)
    for text in plan.until:
        Question.of(plan, text)
    return plan, store or (file.with_suffix(".db") if file else Path(f"{made.name}.db"))


def _listed(agents: str) -> dict[str, str]:
    specs = inputs.split_agents(agents)
    twice = next((spec for spec in specs if specs.count(spec) > 1), None)
    if twice is not None:
        raise ValueError(f"two agents have the name {twice!r}")
    return {spec: spec for spec in specs}


def _open(plan: Plan, path: Path, resume: bool) -> Store:
    if not resume:
        return Store.create(path, plan)
    opened = Store(path)
    try:
        opened.replan(plan)
    except ValueError as problem:
        opened.close()
        raise ValueError(f"{path} cannot go on so: {problem}") from None
    return opened


def _backend(plan: Plan, threads: int, hire: Hire | None) -> Backend:
    return Elsewhere(hire) if hire is not None else tournament.local(plan, inputs.cores(threads))


def _run(store: Store, backend: Backend) -> bool:
    plan = store.plan
    if plan.played != plan.games:
        screen.note(f"{plan.games:,} games asked for: rounded up to {plan.played:,}, whole deals for every line-up")
    with Progress("tournament", "games") as progress:
        return tournament.run(store, backend, progress)


def _judge(store: Store) -> bool:
    with Progress("regret", "decisions") as progress:
        return regrets.sample(store, progress)


def _show(store: Store, path: Path, records: Path | None, out: Path | None) -> None:
    if not store.counts():
        return
    found = summary(store)
    screen.out().print(Fitting(_table(found)))
    for ring in found.cycles:
        screen.note(f"a cycle: {' > '.join((*ring, ring[0]))}")
    if records is not None:
        screen.note(f"records of {tournament.write_records(store, records):,} games are in {records}")
    if out is not None:
        report.write(found, out)
        screen.note(f"a report is in {out}")
    screen.note(f"all games are in {path}; a report: kibitz report {path}")


def _table(found: Summary) -> Table:
    title = Text("\n".join((found.title(), *found.what())), style="table.title")
    caption = Text(found.scale(), style="table.caption")
    table = Table(title=title, caption=caption, title_justify="left", caption_justify="left")
    table.add_column("agent")
    for heading in ("rating", "games", "share of games %", "payoff", "µs/move"):
        table.add_column(heading, justify="right")
    for line in found.lines:
        f = line.figures
        shown = [report.rating(line), f"{f.games:,}", report.percent(f.share), report.interval(f.payoff, 3)]
        table.add_row(Text(report.shown_name(line)), *map(Text, shown), report.duration(f.microseconds))
    return table
