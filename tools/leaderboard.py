"""Plays the tournaments of results/leaderboard and writes what the leaderboard shows, in one command:

    python tools/leaderboard.py

Each tournament is a TOML file there. Its games are kept under build/leaderboard, so that an interrupted run goes on,
and a file that asks for more games or agents plays only these. Written are results/leaderboard/NAME (a report without
the page), docs/leaderboard.md, and src/kibitz/web/leaderboard.json, which the table serves at /api/leaderboard.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import kibitz
from kibitz.arena import plan as plans
from kibitz.arena import report, tournament
from kibitz.arena.plan import Plan
from kibitz.arena.store import Store
from kibitz.arena.summary import Summary, summary
from kibitz.files import write_atomically
from kibitz.terminal.progress import Progress

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "results" / "leaderboard"
PAGE = ROOT / "docs" / "leaderboard.md"
DATA = ROOT / "src" / "kibitz" / "web" / "leaderboard.json"
# Default rules first, few players first.
ORDER = ["uno-2", "uno-3", "uno-4", "belote", "doudizhu", "mini_doudizhu", "connect_four", "hex", "tictactoe"]
ORDER += ["uno-rlcard-2", "uno-rlcard-3", "uno-rlcard-4"]

HEAD = """# Leaderboard

Our agents against each other: levels, hand-written rules, networks and searches at stated budgets, on all our games,
default rules first. Made by `python tools/leaderboard.py` (written by it: change the TOML files of
[results/leaderboard](../results/leaderboard), not this page); [tournaments.md](tournaments.md) says what figures mean.

A rating of {anchor:g} is that of the level *club* of its game (with rlcard's rules, of `rules`): anchors, version
{version}. 400 points are odds of 10 to 1. Ratings of different games cannot be compared. In brackets: 95% intervals, of
ratings by bootstrap over deals. An agent marked "cheats" sees all cards, and is there to show how much they are worth.
Times per move were measured while the games were played, on a shared machine: they show orders of magnitude.
"""


def plan_in(path: Path) -> Plan:
    read = plans.read_file(path)
    game = kibitz.make(read.pop("game"))
    return plans.plan_of(game, read.pop("agents"), read.pop("games"), **read)


def play(name: str, work: Path, threads: int) -> Summary:
    """Plays what is left of a tournament."""
    plan, path = plan_in(FOLDER / f"{name}.toml"), work / f"{name}.db"
    with Store(path) if path.exists() else Store.create(path, plan) as store:
        store.replan(plan)
        with Progress(name, "games") as progress:
            if not tournament.run(store, tournament.local(plan, threads), progress):
                sys.exit("interrupted; the same command goes on")
        return summary(store)


def entry(name: str, found: Summary) -> dict[str, Any]:
    """What the page and the table show of a tournament."""
    shown = found.to_dict()
    wanted = ("title", "game", "options", "seed", "kibitz", "games", "line_ups", "sittings", "anchors", "cycles")
    agents = []
    for line, agent in zip(found.lines, shown["agents"], strict=True):
        time = line.figures.microseconds
        agents.append(agent | {"microseconds": None if time is None else float(f"{time:.3g}")})
    return {"name": name} | {key: shown[key] for key in wanted} | {"agents": agents}


def markdown(entries: list[dict[str, Any]]) -> str:
    """docs/leaderboard.md, from the data alone."""
    anchors = entries[0]["anchors"]
    head = HEAD.format(anchor=next(iter(anchors["ratings"].values())), version=anchors["version"])
    return "\n".join([head, *map(_section, entries)])


def _section(data: dict[str, Any]) -> str:
    lines = [f"## {data['title']}", ""]
    name = data["name"]
    lines.append(
        f"[{name}.toml](../results/leaderboard/{name}.toml), {data['games']:,} games: {data['line_ups']} line-ups, "
        f"every deal under {data['sittings']} sittings, seed {data['seed']}, Kibitz {data['kibitz']}. "
        f"[Who beats whom](../results/leaderboard/{name}/README.md#who-beats-whom)."
    )
    lines += ["", "| | agent | plays as | rating | games | share of games % | µs per move |"]
    lines.append("|---:|---|---|---:|---:|---:|---:|")
    for place, agent in enumerate(data["agents"], start=1):
        rating, share = agent["rating"], agent["share"]
        fixed = rating["low"] == rating["high"]
        points = f"{rating['mean']:.0f}" + (" (anchor)" if fixed else f" [{rating['low']:.0f}, {rating['high']:.0f}]")
        part = f"{100 * share['mean']:.1f} [{100 * share['low']:.1f}, {100 * share['high']:.1f}]"
        time = "-" if agent["microseconds"] is None else f"{agent['microseconds']:,g}"
        who = agent["name"] + (" (cheats)" if agent["cheats"] else "")
        lines.append(f"| {place} | {who} | `{agent['plays']}` | {points} | {agent['games']:,} | {part} | {time} |")
    rings = [" > ".join([*ring, ring[0]]) for ring in data["cycles"]]
    return "\n".join([*lines, "", "Cycles: " + ("; ".join(rings) if rings else "none") + ".", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "leaderboard", help="where games are kept")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    entries = []
    for name in ORDER:
        found = play(name, given.work, given.threads)
        report.write(found, FOLDER / name, page=False)
        entries.append(entry(name, found))
        print(f"{name}: {found.standings.games:,} games", flush=True)
    write_atomically(DATA, json.dumps({"version": 1, "games": entries}, indent=1) + "\n")
    write_atomically(PAGE, markdown(entries))


if __name__ == "__main__":
    main()
