"""With a real Ray: two nodes of one CPU each, both on this machine. The same results as without, whatever dies.

Where Ray is not installed these tests are left out, unless KIBITZ_NEED_RAY=1 says that they must run.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from learn_common import settings
from test_tournament import AGENTS, mini, played

import kibitz
from kibitz import experiments
from kibitz.arena.backends import Elsewhere
from kibitz.arena.store import Store
from kibitz.arena.summary import summary
from kibitz.arena.tournament import run as run_tournament
from kibitz.cli import run as cli
from kibitz.learn import ddqn, dmc
from kibitz.learn.common import checkpoint, run
from kibitz.learn.common.experience import Step
from kibitz.learn.common.run import CHECKPOINT, LAST, score
from kibitz.scale import cluster, crew
from kibitz.scale.actors import COLUMNS, Batch, Fleet

STORE = {"object_store_memory": 100 << 20, "include_dashboard": False}


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """The cluster; this process is connected to it."""
    if find_spec("ray") is None:
        if os.environ.get("KIBITZ_NEED_RAY") == "1":
            pytest.fail("Ray is not installed (pip install '.[ray]')")
        pytest.skip("Ray is not installed: nothing is tested on it")
    cluster.ray()
    from ray.cluster_utils import Cluster

    made: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, **STORE})
    made.add_node(num_cpus=1, object_store_memory=STORE["object_store_memory"])
    try:
        with cluster.connected(made.address):
            assert cluster.cpus() == 2
            yield made
    finally:
        made.shutdown()


Rule = tuple[Callable[["Watched"], bool], Callable[["Watched"], None]]


class Watched(Fleet):
    """Notes every batch that is taken, and does one thing after the other, each when it is time."""

    def __init__(self, *arguments: Any, then: Sequence[Rule] = (), **more: Any) -> None:
        super().__init__(*arguments, **{"actors": 2, "rows": 64} | more)
        self.then = list(then)
        self.batches: list[Batch] = []

    def _taken(self, batch: Batch) -> list[Step]:
        steps = super()._taken(batch)
        self.batches += [batch] if steps else []
        if self.then and self.then[0][0](self):
            self.then.pop(0)[1](self)
        return steps


def heard(*actors: int) -> Callable[[Watched], bool]:
    """Whether these have sent something that was taken."""
    return lambda fleet: set(actors) <= {batch.actor for batch in fleet.batches}


def interrupt(fleet: Watched) -> None:
    os.kill(os.getpid(), signal.SIGINT)


def kill_one(fleet: Watched) -> None:
    """An actor with SIGKILL, while it works."""
    actor = fleet._places[0].actor
    os.kill(cluster.ray().get(actor.__ray_call__.remote(lambda self: os.getpid())), signal.SIGKILL)


def trained(folder: Path, chosen: Any, *, resume: bool = False, **more: Any) -> Watched:
    """A training on Ray, to its end or until Ctrl-C: its actors."""
    made: list[Watched] = []

    def source(learner: Any, group: Any) -> Watched:
        made.append(Watched(learner, group, **more))
        return made[0]

    train = {ddqn.Settings: ddqn.train, dmc.Settings: dmc.train}[type(chosen)]
    with contextlib.suppress(KeyboardInterrupt):
        train(chosen, folder, resume=resume, source=source)
    return made[0]


def check_exact(folder: Path, fleet: Watched, before: int = 0) -> int:
    """Every episode and every transition that was taken is counted once, by all that count them."""
    arrays, state = checkpoint.load(folder / CHECKPOINT)
    counts, ledger = state["learner"]["counts"], state["ray"]
    games = sum(batch.packed.games for batch in fleet.batches)
    assert before + games == state["episodes"] == counts["games"] == ledger["games"]
    assert counts["transitions"] == ledger["transitions"] == arrays["learner/memory.replay/seen"]
    assert before > 0 or counts["transitions"] == sum(batch.packed.transitions for batch in fleet.batches)
    # No game came twice: actors deal from seeds of their own, and none is asked again.
    sent = [(batch.actor, batch.packed.rows["obs"].bits.tobytes()) for batch in fleet.batches]
    assert len(set(sent)) == len(sent)
    return int(state["episodes"])


def test_killed_actors_lose_nothing_that_was_counted(nodes: Any, tmp_path: Path) -> None:
    mixed = {"opponents": ("past", "self"), "tables": 4}
    chosen = settings("ddqn", **mixed, episodes=10**6)
    fleet = trained(tmp_path, chosen, then=[(heard(0, 1), kill_one), (heard(2), interrupt)])
    done = check_exact(tmp_path, fleet)
    assert fleet.ledger.started == 3
    assert fleet.ledger.lost >= 1
    # Goes on where it was, with other actors; but not in one process, which has no tables to go on with.
    chosen = settings("ddqn", **mixed, episodes=done + 100)
    with pytest.raises(ValueError, match="resume it with --ray"):
        ddqn.train(chosen, tmp_path, resume=True)
    fleet = trained(tmp_path, chosen, resume=True, actors=1)
    done = check_exact(tmp_path, fleet, done)
    assert fleet.ledger.started == 4
    lines = (tmp_path / "actors.csv").read_text().splitlines()
    assert tuple(lines[0].split(",")) == COLUMNS
    assert lines[-1].startswith(f"{done},1,4,{fleet.ledger.batches},")


def test_a_node_is_removed(nodes: Any, tmp_path: Path) -> None:
    second = next(iter(nodes.worker_nodes))
    room = {"num_cpus": 1, "object_store_memory": STORE["object_store_memory"]}
    rules: list[Rule] = [
        (heard(0, 1), lambda fleet: nodes.remove_node(second)),
        (lambda fleet: fleet.ledger.lost > 0, lambda fleet: nodes.add_node(**room)),
        (heard(2), interrupt),
    ]
    fleet = trained(tmp_path, settings("dmc", episodes=10**6, test_every=10**5), then=rules)
    check_exact(tmp_path, fleet)
    assert not fleet.then
    assert fleet.ledger.started == 3


def test_what_is_too_old_is_dropped(nodes: Any, tmp_path: Path) -> None:
    """With a limit of 0, two calls are never under way; and a batch from before is not taken."""
    fleet = trained(tmp_path, settings("ddqn", episodes=100), oldest=0)
    check_exact(tmp_path, fleet)
    assert (fleet.ledger.age_most, fleet.ledger.dropped) == (0, 0)
    old = fleet.batches[0]
    before = fleet.ledger.batches
    assert fleet._taken(old) == []
    assert (fleet.ledger.dropped, fleet.ledger.dropped_games) == (1, old.packed.games)
    assert fleet.ledger.batches == before


def test_what_an_actor_raises_comes_through(nodes: Any, tmp_path: Path) -> None:
    class Broken(ddqn.DDQN):
        def act(self, group: Any) -> Any:
            raise ValueError("this learner has no opinion")

    with pytest.raises(ValueError, match=r"^this learner has no opinion$"):
        run.train(Broken, settings("ddqn"), tmp_path, source=partial(Fleet, actors=1))


QUICK: dict[str, Any] = {
    "episodes": 6_000,
    "tables": 32,
    "hidden": (128,),
    "learning_rate": 2e-3,
    "test_every": 2_000,
    "test_games": 400,
    "checkpoint_every": 10_000,
    "warm_up": 500,
    "epsilon_steps": 10_000,
    "epsilon_end": 0.1,
    "every": 8.0,
    "batch": 128,
}


def test_training_on_ray_is_as_good(nodes: Any, tmp_path: Path) -> None:
    """At tic-tac-toe, where random play gets 0 and perfect play 0.96: both within what trainings differ by."""
    chosen = settings("dmc", **QUICK)
    dmc.train(chosen, tmp_path / "here")
    check_exact(tmp_path / "there", trained(tmp_path / "there", chosen, rows=1_024))
    game = kibitz.make("tictactoe")
    both = [tmp_path / "here", tmp_path / "there"]
    ours, theirs = (score(game, str(folder / LAST), "random", 4_000, 5)[0] for folder in both)
    assert min(ours, theirs) > 0.7
    assert abs(ours - theirs) < 0.15
    ours, theirs = (checkpoint.load(folder / CHECKPOINT)[1]["learner"]["counts"] for folder in both)
    assert theirs == pytest.approx(ours, rel=0.1, abs=1)


KILLED = """
import os, signal, sys
from kibitz.cli import run
from kibitz.learn.common import run as training

step = training._Run.step

def last_step(self):
    step(self)
    if self.episodes >= 1200:
        os.kill(os.getpid(), signal.SIGKILL)

training._Run.step = last_step
sys.exit(run(sys.argv[1:]))
"""


def test_a_killed_driver_goes_on(nodes: Any, tmp_path: Path) -> None:
    """On a cluster of its own, which dies with it; the next one is another cluster, and another number of actors."""
    out, file = tmp_path / "run", tmp_path / "small.toml"
    file.write_text("tables = 4\nhidden = [8]\ntest_every = 50\ntest_games = 20\ncheckpoint_every = 50\nwarm_up = 20\n")
    command = ["train", "ddqn", "--game", "tictactoe", "--episodes", "2000", "--settings", str(file), "--out", str(out)]
    begun = [sys.executable, "-c", KILLED, *command, "--tensorboard", "false", "--ray", "local", "--actors", "1"]
    killed = subprocess.run(begun, env=os.environ | {"KIBITZ_TEST": str(tmp_path)}, check=False)
    assert killed.returncode == -signal.SIGKILL
    state = checkpoint.load(out / CHECKPOINT)[1]
    assert 0 < state["episodes"] == state["ray"]["games"] == state["learner"]["counts"]["games"] < 1_200
    assert cli(["train", "ddqn", "--resume", "--out", str(out), "--ray", nodes.address, "--actors", "2"]) == 0
    state = checkpoint.load(out / CHECKPOINT)[1]
    assert 2_000 <= state["episodes"] == state["ray"]["games"] == state["learner"]["counts"]["games"]
    assert state["ray"]["started"] == 3
    end_all(str(tmp_path).encode())


def end_all(mark: bytes) -> None:
    """Workers and raylet of a dead driver end by themselves, and at once. Two agents of Ray's take a minute; we do not
    wait for them."""
    deadline = time.monotonic() + 60
    while left := {pid: name for pid, name in marked(mark) if not name.endswith(b"Agent")}:
        assert time.monotonic() < deadline, f"processes of a killed driver are left: {left}"
        time.sleep(0.1)
    for pid, _ in marked(mark):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def marked(mark: bytes) -> Iterator[tuple[int, bytes]]:
    """Processes with this in their environment, and the first word of their command."""
    for folder in filter(lambda found: found.name.isdecimal(), Path("/proc").iterdir()):
        with contextlib.suppress(OSError):
            if b"KIBITZ_TEST=" + mark in (folder / "environ").read_bytes():
                yield int(folder.name), (folder / "cmdline").read_bytes().split(b"\0")[0].strip()


# --- games ------------------------------------------------------------------------------------------------------------


def figures(result: Any) -> Any:
    """Without times."""
    told = result.to_dict()
    return told | {"seconds": 0, "agents": [a | {"microseconds_per_move": 0} for a in told["agents"]]}


def first_legal(view: Any) -> int:
    return int(view.legal()[0])


@pytest.mark.parametrize("native", [True, False])
def test_matches_are_the_same(nodes: Any, native: bool, tmp_path: Path) -> None:
    players = ["rules", "rules", "mcs:iterations=4"]
    common: dict[str, Any] = {"games": 60 if native else 12, "seed": 4, "native": native}
    here = kibitz.play("uno", players, **common, records=tmp_path / "here.jsonl")
    there = kibitz.play("uno", players, **common, records=tmp_path / "there.jsonl", hire=crew.hire())
    assert figures(here) == figures(there)
    assert (tmp_path / "here.jsonl").read_bytes() == (tmp_path / "there.jsonl").read_bytes()


def test_series_and_what_cannot_be_sent(nodes: Any, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["match", "uno", "--agents", "rules,random", "--series", "100", "--games", "6", "--format", "csv"]
    assert cli(command) == 0
    here = capsys.readouterr().out
    assert cli([*command, "--ray", nodes.address]) == 0
    there = capsys.readouterr().out
    assert [line.split(",")[:5] for line in here.splitlines()] == [line.split(",")[:5] for line in there.splitlines()]
    with pytest.raises(ValueError, match="cannot be sent to workers"):
        kibitz.play("uno", ["rules", lambda view: first_legal(view)], games=10, hire=crew.hire())


def test_a_killed_worker_s_task_is_done_again(nodes: Any, tmp_path: Path) -> None:
    once = tmp_path / "once"

    def square(number: int) -> int:
        if number == 3 and not once.exists():
            once.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return number * number

    found = crew.spread(square, ((number,) for number in range(20)))
    assert found is not None
    assert sorted(found) == [number * number for number in range(20)]
    assert once.exists()


CUT = """
import os, signal, sys
from kibitz.arena.store import Store
from kibitz.cli import run

add, added = Store.add, []

def last_add(self, result):
    added.append(add(self, result))
    if len(added) == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return added[-1]

Store.add = last_add
sys.exit(run(sys.argv[1:]))
"""


def test_tournaments_are_the_same(nodes: Any, tmp_path: Path) -> None:
    """Also one whose driver was killed, and that went on with other workers: every game counts once."""
    plan = mini(6_000, seed=3)
    here = played(tmp_path / "here.db", plan)
    assert json.loads(here)["games"] == plan.played
    assert played(tmp_path / "there.db", plan, Elsewhere(crew.hire())) == here
    cut = tmp_path / "cut.db"
    agents = ["--agents", ",".join(AGENTS.values()), "--games", "6000", "--seed", "3", "--store", str(cut)]
    command = ["tournament", "mini_doudizhu", *agents, "--ray", nodes.address]
    killed = subprocess.run([sys.executable, "-c", CUT, *command], check=False, stdout=subprocess.DEVNULL)
    assert killed.returncode == -signal.SIGKILL
    with Store(cut) as store:
        assert 0 < sum(store.counts().values()) < plan.played
        assert run_tournament(store, Elsewhere(crew.hire(workers=1)))
        found = summary(store).to_dict()
    assert figures_of(found) == figures_of(json.loads(here))


def figures_of(told: dict[str, Any]) -> Any:
    """Without the agents' names, which are their specs on a command line."""
    return [{key: value for key, value in line.items() if key not in ("name", "spec")} for line in told["agents"]]


def test_experiments_are_the_same(nodes: Any, tmp_path: Path) -> None:
    """One that trains, plays matches between what it has trained, and counts."""
    for folder, spread in ((tmp_path / "here", None), (tmp_path / "there", crew.spread)):
        experiments.reproduce("li/table3", out=folder, quick=True, threads=1, spread=spread)
    parts = sorted((tmp_path / "here").rglob("*.jsonl.gz"))
    assert parts
    for part in parts:
        assert part.read_bytes() == (tmp_path / "there" / part.relative_to(tmp_path / "here")).read_bytes()
