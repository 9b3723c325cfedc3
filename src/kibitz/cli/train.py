"""kibitz train: learners."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter
from rich.table import Table

from kibitz import learn
from kibitz.cli.common import inputs, q_table_training
from kibitz.learn import q_table
from kibitz.terminal import screen
from kibitz.terminal.progress import Progress

if TYPE_CHECKING:
    from kibitz.learn.common.run import Report, Trained

app = App(
    name="train",
    help_epilogue="""Examples:
    kibitz train
    kibitz train li-ddqn --players 3 --episodes 100000 --out runs/ddqn
    kibitz train li-ddqn --out runs/ddqn --resume
    kibitz train li-mcts-ddqn --out runs/mcts --simulations 50 --worlds true
    kibitz train dmc --game doudizhu --players 3 --self-play --out runs/doudizhu
    kibitz train li-ddqn --settings my.toml --learning-rate 1e-4 --out runs/mine
    kibitz train qm --game gdl:file=hex_3 --episodes 20000 --out hex.npz
    kibitz train dmc --self-play --out runs/dmc --ray local --actors 2
""",
)


ACTORS = "With --ray: so many actors play, each at the settings' tables; by default one fewer than there are CPUs for."
STALENESS = """With --ray: a batch of games is dropped if the learner has taken more than so many others since its
weights were sent; by default twice as many as may be under way."""
Actors = Annotated[int | None, inputs.whole(1, 100_000, help=ACTORS)]
Staleness = Annotated[int | None, inputs.whole(0, 10**6, help=STALENESS)]


@app.default
def train(
    method: str | None = None,
    /,
    *,
    out: Path | None = None,
    resume: inputs.Flag = False,
    settings: Path | None = None,
    game: str | None = None,
    players: str | None = None,
    episodes: Annotated[int | None, inputs.whole(0, 10**9)] = None,
    opponents: str | None = None,
    self_play: inputs.Flag = False,
    ray: inputs.Ray = None,
    actors: Actors = None,
    staleness: Staleness = None,
    **overrides: Annotated[str, Parameter(help="Any other setting of the method, as in --learning-rate 1e-4.")],
) -> None:
    """Train an agent, or list the methods. Weights, curves and a checkpoint go into a folder, tables into a file.

    Parameters
    ----------
    method
        The method; without it, all of them with their settings.
    out
        Folder of the run: best.safetensors, last.safetensors, metrics.csv, settings.json, tensorboard. Of q, qm and td
        the file of the tables.
    resume
        Go on with the run in that folder or file. Its settings count; of them, --episodes may be raised, but not those
        of tables.
    settings
        A TOML file with settings; those on the command line go first.
    game
        The game, as in uno:rules=rlcard.
    players
        Number of players, or a range, as in 2-5, in games that have an option for it.
    episodes
        Games to train for.
    opponents
        Who else plays: random, rules, self, past, net:FILE; several share the tables.
    self_play
        Every seat learns; short for --opponents self.
    """
    if method is None:
        return _list()
    tabular = method.removeprefix("wang-") in q_table.PLAYERS
    module: Any = None if tabular else learn.learner(method)
    if out is None:
        raise ValueError(f"train needs a {'file: --out NAME.npz' if tabular else 'folder: --out runs/NAME'}")
    _check_ray(tabular, ray, actors, staleness)
    told = {"game": game, "players": players, "episodes": episodes}
    given: dict[str, Any] = overrides | {name: value for name, value in told.items() if value is not None}
    who = _who(self_play, opponents)
    if who is not None:
        given["opponents"] = who if tabular else inputs.split_agents(who)
    if tabular:
        return q_table_training.train(method.removeprefix("wang-"), out, resume, settings, given)
    chosen = _settings(module, settings, given, out if resume else None)
    with _source(ray, actors, staleness, chosen.threads) as source:
        _train_net(method, module, chosen, out, resume, source)


def _who(self_play: bool, opponents: str | None) -> str | None:
    if self_play and opponents is not None:
        raise ValueError("--self-play and --opponents exclude each other")
    return "self" if self_play else opponents


def _check_ray(tabular: bool, ray: str | None, actors: int | None, staleness: int | None) -> None:
    if tabular and ray is not None:
        raise ValueError("tables train inside the core, in one process: --ray is for methods with networks")
    if ray is None and (actors is not None or staleness is not None):
        raise ValueError("--actors and --staleness go with --ray, as in --ray local")


@contextmanager
def _source(ray: str | None, actors: int | None, staleness: int | None, threads: int) -> Iterator[dict[str, Any]]:
    """Where the games are played: what `train` is told of it."""
    if ray is None:
        yield {}
        return
    from kibitz.scale import cluster

    with cluster.connected(ray):
        from kibitz.scale.actors import Fleet

        room = cluster.cpus() // threads
        if ray == cluster.LOCAL and (actors or 1) > room:
            raise ValueError(
                f"{actors or 1} actors with {threads} threads need more than the {cluster.cpus()} CPUs here"
            )
        yield {"source": partial(Fleet, actors=actors or max(1, room - 1), oldest=staleness)}


def _train_net(method: str, module: Any, settings: Any, out: Path, resume: bool, source: dict[str, Any]) -> None:
    """A learner of networks trains into the folder `out`."""
    start = time.monotonic()
    progress = TrainingProgress(method)
    with progress:
        try:
            trained: Trained = module.train(settings, out, resume=resume, report=progress.report, **source)
        except KeyboardInterrupt:
            screen.note(f"kept in {out}; --resume goes on from here")
            raise
    _print(trained, time.monotonic() - start)
    if source:
        screen.note(f"what came from the actors, and how old it was: {out / 'actors.csv'}")


def _settings(module: Any, file: Path | None, given: dict[str, Any], resumed: Path | None) -> Any:
    from kibitz.learn.common.run import read_run
    from kibitz.learn.common.settings import fixed_players, read_toml

    before: dict[str, Any] = {}
    told = (read_toml(file) if file is not None else {}) | given
    if resumed is not None:
        state = read_run(resumed)[1]
        if learn.learner(state["method"]) is not module:
            raise ValueError(f"{resumed} holds a training of {state['method']}")
        before = module.Settings.of_earlier(state["settings"])
    if resumed is None and "game" in told and "players" not in told:  # it need not be said where there is no choice
        fixed = fixed_players(str(told["game"]))
        told |= {} if fixed is None else {"players": fixed}
    return module.Settings.read(before, told)


class TrainingProgress(Progress):
    """The bar of `Progress`, with what matters in a training."""

    def __init__(self, method: str) -> None:
        super().__init__(method, "episodes")
        self._extra = ""

    def report(self, report: Report) -> None:
        won = "" if report.win_rate is None else f", wins {report.win_rate:.1%}"
        self._extra = f", {report.updates_per_second:,.0f} updates/s{won}"
        self(report.episodes, report.total)

    def _figures(self, done: int, total: int, seconds: float) -> str:
        return super()._figures(done, total, seconds) + self._extra


def _list() -> None:
    from kibitz.learn.common.settings import Settings

    console = screen.out()
    common = _names(Settings)
    table = Table("method", "what it is", "settings of its own")
    lacking = ""
    for name in learn.METHODS:
        own: list[str] = []
        try:
            own = [field for field in _names(learn.learner(name).Settings) if field not in common]
        except ValueError as problem:  # no torch
            lacking = str(problem)
        table.add_row(name, learn.description(name), ", ".join(own))
    console.print(table)
    console.print("Settings of these: " + ", ".join(common))
    if lacking:
        console.print(lacking)
    tables = Table("method", "what it is (docs/q_table.md)")
    for name, make in q_table.PLAYERS.items():
        tables.add_row(name, (make.__doc__ or "").splitlines()[0])
    console.print(tables)
    console.print("Settings of these: " + ", ".join(_names(q_table.Settings)))


def _names(settings: type[Any]) -> list[str]:
    return [field.name.rstrip("_") for field in dataclasses.fields(settings)]


def _print(trained: Trained, seconds: float) -> None:
    table = Table("episodes", "updates", "loss", "reward", "win rate", "games")
    for row in trained.rows[-10:]:
        table.add_row(
            f"{row['episodes']:,.0f}",
            f"{row['updates']:,.0f}",
            f"{row['loss']:.4f}",
            f"{row['reward']:+.3f}",
            f"{row['win_rate']:.1%}",
            f"{row['games']:,.0f}",
        )
    console = screen.out()
    console.print(table)
    console.print(f"{seconds:.0f} s; play the best with net:{trained.best}")
