"""What Ray costs, and what it brings: trainings and matches with and without it, at equal cores, in one run.

python benchmarks/ray.py [--seconds 20] [--rounds 3] [--only train,match,nodes,parts]

train: episodes per second of a learner that mostly learns (ddqn) and of one that mostly searches (mcts-ddqn), in one
process and with actors. match: games per second of native agents, on threads of one process and by workers. nodes: the
same workers on two nodes of one CPU each, on this machine. parts: playing, learning, packing and unpacking alone, on
one core. Starting is not counted. Every figure is the median of so many rounds, in turn; each runs in a process of its
own, that may use so many cores and no other. Bytes are those of an episode on the network, ages those of batches.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

# This file has the package's name, and a script's own folder comes first in the search for packages.
sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != Path(__file__).resolve().parent]

import kibitz  # noqa: E402
from kibitz import learn  # noqa: E402
from kibitz.arena.backends import Elsewhere, Here  # noqa: E402
from kibitz.arena.jobs import Job, LineUp  # noqa: E402
from kibitz.scale import cluster, crew  # noqa: E402

METHODS: dict[str, dict[str, Any]] = {
    "ddqn": {},
    "mcts-ddqn": {"simulations": 50},
    "dmc": {"game": "doudizhu", "opponents": ("self",)},
}
AGENTS = {"rules": "rules", "search": "mcs:iterations=10"}
DEALS = {"rules": 2_000, "search": 4}  # in a job


def train(method: str, actors: int, threads: int, seconds: float) -> dict[str, float]:
    """Episodes per second once it learns; `actors` 0: in this process."""
    import torch

    from kibitz.learn.common.experience import Here as Tables
    from kibitz.learn.common.experience import Source
    from kibitz.learn.common.tables import Group

    module = learn.learner(method)
    settings = module.Settings(**METHODS[method], threads=threads)
    torch.set_num_threads(threads)
    group = Group(settings)
    learner = module.train.args[0](settings, group)
    if actors:
        from kibitz.scale.actors import Fleet

        source: Source = Fleet(learner, group, actors=actors)
    else:
        source = Tables(learner, group)

    def go(until: float) -> int:
        games = 0
        while time.monotonic() < until or learner.counts["updates"] == 0:
            for step in source.collect():
                learner.take(step)
                games += step.games
        return games

    go(time.monotonic() + seconds / 4)  # to warm up; the first weights play otherwise, too
    began = time.monotonic()
    games = go(began + seconds)
    found = {"rate": games / (time.monotonic() - began)}
    if actors:
        found |= {key: float(value) for key, value in source.ledger.row(0, actors).items()}
    source.close()
    return found


def parts(method: str, what: str, seconds: float) -> dict[str, float]:
    """Episodes per second of one part of a training, on one core: of `play`, `learn`, `pack` or `unpack` alone."""
    from kibitz.learn.common.experience import Collector
    from kibitz.learn.common.tables import Group
    from kibitz.scale import packing
    from kibitz.scale.actors import ROWS

    module = learn.learner(method)
    settings = module.Settings(**METHODS[method])
    group = Group(settings)
    learner = module.train.args[0](settings, group)
    collector = Collector(learner, group)
    steps = max(1, ROWS // settings.tables)
    for _ in range(8 * steps):  # until games of all lengths end
        collector.collect()
    batches = [[collector.collect() for _ in range(steps)] for _ in range(8)]
    packed = [packing.pack(batch) for batch in batches]
    for batch in batches:  # past the warm-up
        for step in batch:
            learner.take(step)
    games, number, began = 0, 0, time.monotonic()
    while time.monotonic() < began + seconds:
        number = (number + 1) % len(batches)
        if what == "play":
            games += sum(collector.collect().games for _ in range(steps))
            continue
        games += packed[number].games
        if what == "learn":
            for step in batches[number]:
                learner.take(step)
        elif what == "pack":
            packing.pack(batches[number])
        else:
            list(packing.unpack(packed[number]))
    found = {"rate": games / (time.monotonic() - began)}
    return found | {"weights": float(sum(values.nbytes for values in learner.weights().values()))}


def match(agents: str, workers: int, threads: int, seconds: float) -> dict[str, float]:
    """Games per second; `workers` 0: in this process."""
    two = (AGENTS[agents], "rules")
    line_up = LineUp("uno", (("players", 2),), two, ((0, 1), (1, 0)))
    backend = Elsewhere(crew.hire(threads=1)) if workers else Here(threads)

    def jobs() -> Any:
        for number in range(10**9):
            yield Job(line_up, 1, number * DEALS[agents], DEALS[agents] * (1 if workers else threads))

    results = backend.map(jobs())
    for _ in range(8):  # until all workers are there
        next(results)
    games, began = 0, time.monotonic()
    while time.monotonic() < began + seconds:
        games += 2 * next(results).job.count
    found = {"rate": games / (time.monotonic() - began)}
    results.close()
    return found


def one(told: dict[str, Any]) -> dict[str, float]:
    """In a process of its own."""
    os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[: told.pop("cores")]))
    kind, elsewhere, nodes = told.pop("kind"), told.pop("ray"), told.pop("nodes", 0)
    measure = {"train": train, "match": match, "parts": parts}[kind]
    if not elsewhere:
        return measure(**told)
    if nodes:
        cluster.ray()
        from ray.cluster_utils import Cluster

        room: dict[str, Any] = {"num_cpus": 1, "object_store_memory": cluster.STORE_BYTES}
        made: Any = Cluster(initialize_head=True, head_node_args=room | {"include_dashboard": False})
        for _ in range(nodes - 1):
            made.add_node(**room)
        try:
            with cluster.connected(made.address):
                return measure(**told)
        finally:
            made.shutdown()
    with cluster.connected(cluster.LOCAL, elsewhere):
        return measure(**told)


def plan(seconds: float) -> dict[str, dict[str, dict[str, Any]]]:
    """Section -> what is measured -> how."""

    def training(method: str, cores: int, actors: int, threads: int) -> dict[str, Any]:
        more = {"method": method, "actors": actors, "threads": threads, "seconds": seconds}
        return {"kind": "train", "cores": cores, "ray": max(actors, cores) if actors else 0, **more}

    def games(agents: str, cores: int, workers: int, threads: int, nodes: int = 0) -> dict[str, Any]:
        more = {"agents": agents, "workers": workers, "threads": threads, "seconds": seconds}
        return {"kind": "match", "cores": cores, "ray": workers, "nodes": nodes, **more}

    found: dict[str, dict[str, dict[str, Any]]] = {"train": {}, "match": {}, "nodes": {}, "parts": {}}
    for method in ("ddqn", "mcts-ddqn"):
        found["train"] |= {
            f"{method}, 1 core, one process": training(method, 1, 0, 1),
            f"{method}, 1 core, 1 actor": training(method, 1, 1, 1),
            f"{method}, 2 cores, one process": training(method, 2, 0, 2),
            f"{method}, 2 cores, 1 actor": training(method, 2, 1, 1),
            f"{method}, 2 cores, 2 actors": training(method, 2, 2, 1),
        }
        found["nodes"][f"{method}, 2 cores, 2 actors on 2 nodes"] = training(method, 2, 2, 1) | {"nodes": 2}
    for agents in AGENTS:
        for cores in (1, 2):
            s = "s" * (cores > 1)
            found["match"][f"{agents}, {cores} core{s}, one process"] = games(agents, cores, 0, cores)
            found["match"][f"{agents}, {cores} core{s}, {cores} worker{s}"] = games(agents, cores, cores, 1)
        found["nodes"][f"{agents}, 2 cores, 2 workers on 2 nodes"] = games(agents, 2, 2, 1, nodes=2)
    for method in METHODS:
        game = METHODS[method].get("game", "uno, 3 players")
        for what in ("play", "learn", "pack", "unpack"):
            how = {"kind": "parts", "cores": 1, "ray": 0, "method": method, "what": what, "seconds": seconds / 4}
            found["parts"][f"{method}, {game}: {what}"] = how
        found["parts"][f"{method}, {game}, 2 cores, 1 actor"] = training(method, 2, 1, 1)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="train,match,nodes,parts")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.one:
        print(json.dumps(one(json.loads(told.one))))
        return
    print(f"kibitz {kibitz.__version__}, {told.seconds:g} s, median of {told.rounds} rounds")
    sections = plan(told.seconds)
    for section in told.only.split(","):
        rounds: dict[str, list[dict[str, float]]] = {name: [] for name in sections[section]}
        for _ in range(told.rounds):
            for name, how in sections[section].items():
                command = [sys.executable, __file__, "--one", json.dumps(how)]
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                rounds[name].append(json.loads(done.stdout.splitlines()[-1]))
        print(f"\n{section}")
        show(section, rounds)


def show(section: str, rounds: dict[str, list[dict[str, float]]]) -> None:
    before = 0.0
    for name, found in rounds.items():
        rates = [each["rate"] for each in found]
        rate = statistics.median(rates)
        text = f"{name:48} {rate:12,.1f}/s  [{min(rates):,.1f}, {max(rates):,.1f}]"
        if name.endswith("one process"):
            before = rate
        elif section in ("train", "match"):
            text += f"  overhead {before / rate - 1:+.0%}"
        if "weights" in found[0]:
            text += f"  {found[0]['weights']:,.0f} bytes of weights"
        if "bytes_per_game" in found[0]:
            middle = {key: statistics.median(each[key] for each in found) for key in found[0]}
            text += (
                f"  {middle['bytes_per_game']:,.0f} bytes, age {middle['age_mean']:.1f} (most {middle['age_most']:.0f})"
            )
            text += f", {middle['updates_behind_mean']:,.0f} updates behind, dropped {middle['dropped']:.0f}"
        print(text, flush=True)


if __name__ == "__main__":
    main()
