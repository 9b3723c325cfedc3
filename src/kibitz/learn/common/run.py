"""The loop around every learner: play, learn, test, keep. A learner itself is in its own file."""

from __future__ import annotations

import csv
import functools
import io
import itertools
import json
import re
import signal
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np
import torch

from kibitz import _core, extras
from kibitz._core import Game
from kibitz.arena.seatings import rotations, seated
from kibitz.arena.stats import sides_of, winners
from kibitz.files import alone, check_writable, write_atomically
from kibitz.learn.common import checkpoint, nets
from kibitz.learn.common.experience import Collector, Here, Source, Step
from kibitz.learn.common.perceptron import Optimiser, Perceptron
from kibitz.learn.common.replay import Array, Memory, Rows
from kibitz.learn.common.settings import Settings
from kibitz.learn.common.tables import PAST, Choice, Group, Recorder, Steps
from kibitz.tables import native_agent

CHECKPOINT, METRICS, BEST, LAST = "checkpoint.kibitz", "metrics.csv", "best.safetensors", "last.safetensors"
COLUMNS = ("episodes", "transitions", "updates", "seconds", "epsilon", "loss", "q", "reward", "win_rate", "games")
FREE = ("episodes", "threads", "device", "tensorboard")  # settings that a resumed run may change


TOGETHER = 1_024  # rows that are drawn at once: few calls, and they still fit into the cache


class Learner(ABC):
    """What a method must have. `nets`, `optimisers`, `memories` and `counts` are what a checkpoint keeps of it."""

    method: ClassVar[str]
    output: str = "q"  # what the played net says
    player: Perceptron  # the net that is tested and saved

    def __init__(self, settings: Any, group: Group) -> None:
        self.settings = settings
        self.device = settings.device
        self.rng = np.random.default_rng(settings.seed)
        self.nets: dict[str, Perceptron] = {}
        self.optimisers: dict[str, Optimiser] = {}
        self.memories: dict[str, Any] = {}
        self.counts: dict[str, float] = {"updates": 0, "transitions": 0, "games": 0, "owed": 0}

    @property
    @abstractmethod
    def epsilon(self) -> float: ...

    @abstractmethod
    def act(self, group: Group) -> Choice: ...

    @abstractmethod
    def learn(self, rows: Rows) -> list[tuple[float, float]]:
        """Takes transitions; returns (loss, mean predicted Q) of each update that it made."""

    def put_aside(self, rows: Rows) -> None:
        """Takes `Choice.aside`, before the transitions of the same step. For methods that put something there."""
        raise NotImplementedError(f"{self.method} puts nothing aside")

    def take(self, step: Step) -> list[tuple[float, float]]:
        """Counts a step that was played with its weights, or with those of a while ago, and learns from it."""
        for name, more in step.counts.items():
            self.counts[name] += more
        if step.aside:
            self.put_aside(step.aside)
        self.counts["games"] += step.games
        losses: list[tuple[float, float]] = []
        for rows in step.rows:
            self.counts["transitions"] += len(rows["obs"])
            losses += self.learn(rows)
        return losses

    def weights(self) -> Rows:
        """Of the nets that `act` asks: all but a target net."""
        arrays: Rows = {}
        for name, net in self.nets.items():
            arrays |= checkpoint.under(name, checkpoint.of_net(net)) if name != "target" else {}
        return arrays

    def follow(self, weights: Mapping[str, Array], counts: Mapping[str, float]) -> None:
        """Acts from now on like the learner that has these weights and counts."""
        for name, net in self.nets.items():
            if name != "target":
                checkpoint.to_net(net, checkpoint.part(name, weights))
        self.counts = dict(counts)

    def recorder(self, group: Group) -> Recorder:
        return Steps(group)

    def net(self, sizes: list[int], part: int) -> Perceptron:
        return Perceptron(sizes, _core.mix(self.settings.seed, 1000 + part) >> 1, self.device)

    def tensors(self, rows: Mapping[str, Array]) -> dict[str, torch.Tensor]:
        return {key: torch.from_numpy(values).to(self.device) for key, values in rows.items()}

    def due(self, transitions: int, every: float) -> int:
        """How many updates are due, if one is for `every` transitions; what is left over is kept."""
        self.counts["owed"] += transitions / every
        now = int(self.counts["owed"])
        self.counts["owed"] -= now
        return now

    def batches(self, memory: Memory, n: int, target_every: int | None = None) -> Iterator[dict[str, torch.Tensor]]:
        """A batch of rows for each of `n` updates. Those for several updates are drawn together, but never beyond the
        next copy to a target net, after every `target_every` updates: what a replay says of the net must be so."""
        size = self.settings.batch
        while n > 0:
            some = min(n, max(1, TOGETHER // size))
            if target_every is not None:
                some = min(some, target_every - int(self.counts["updates"]) % target_every)
            rows = self.tensors(memory.sample(self.rng, some * size))
            parts = [values.view(some, size, *values.shape[1:]).unbind() for values in rows.values()]
            for part in zip(*parts, strict=True):
                yield dict(zip(rows, part, strict=True))
            n -= some

    def refuse_ragged(self, group: Group) -> None:
        if group.ragged:
            other = "; dmc takes features of actions" if group.action_features > 0 else ""
            raise ValueError(f"{self.method} needs a game with at most 1,024 actions, not {group.actions:,}{other}")

    def state(self) -> tuple[Rows, dict[str, Any]]:
        arrays: Rows = {}
        for name, net in self.nets.items():
            arrays |= checkpoint.under(f"net.{name}", checkpoint.of_net(net))
        for name, optimiser in self.optimisers.items():
            arrays |= checkpoint.under(f"optimiser.{name}", optimiser.state())
        for name, memory in self.memories.items():
            arrays |= checkpoint.under(f"memory.{name}", memory.state())
        return arrays, {"rng": self.rng.bit_generator.state, "counts": self.counts}

    def restore(self, arrays: Mapping[str, Array], state: Mapping[str, Any]) -> None:
        """ValueError where these are not what `state` gives."""
        for name, net in self.nets.items():
            checkpoint.to_net(net, checkpoint.part(f"net.{name}", arrays))
        for name, optimiser in self.optimisers.items():
            optimiser.restore(checkpoint.part(f"optimiser.{name}", arrays))
        for name, memory in self.memories.items():
            memory.restore(checkpoint.part(f"memory.{name}", arrays))
        counts = state.get("counts")
        checkpoint.need(isinstance(counts, dict) and counts.keys() == self.counts.keys(), "it counts other things")
        self.counts = {name: checkpoint.number(value, name) for name, value in dict(counts or {}).items()}
        try:
            self.rng.bit_generator.state = state["rng"]
        except (KeyError, TypeError, ValueError, OverflowError):
            checkpoint.need(False, "its stream of random numbers is none of NumPy's")


def advance(learner: Learner, group: Group, recorder: Recorder) -> tuple[int, list[tuple[float, float]]]:
    """One decision at every table, and what is learnt from it: how many games ended, and what `learn` says."""
    step = Collector(learner, group, recorder).collect()
    return step.games, learner.take(step)


@dataclass
class Report:
    """How far a training is."""

    episodes: int
    total: int
    episodes_per_second: float
    updates_per_second: float
    win_rate: float | None  # of the last test
    seconds_left: float | None


@dataclass
class Trained:
    """What a training left behind."""

    folder: Path
    rows: list[dict[str, float]]  # as in metrics.csv
    learner: Learner

    @property
    def best(self) -> Path:
        return self.folder / BEST

    @property
    def last(self) -> Path:
        return self.folder / LAST


@dataclass
class _Run:
    """Files and counters of a training."""

    settings: Settings
    folder: Path
    learner: Learner
    group: Group
    source: Source
    episodes: int = 0
    seconds: float = 0.0
    rows: list[dict[str, float]] = field(default_factory=list)
    best: float = -np.inf
    past: str | None = None  # the file of the earlier version that plays, in the folder
    losses: list[tuple[float, float]] = field(default_factory=list)

    def step(self) -> None:
        """Some experience, and what is learnt from it."""
        for step in self.source.collect():
            self.losses += self.learner.take(step)
            self.episodes += step.games

    def test_is_due(self) -> bool:
        last = int(self.rows[-1]["episodes"]) if self.rows else 0
        return self.episodes // self.settings.test_every > last // self.settings.test_every

    def test(self, seconds: float) -> dict[str, float]:
        """Plays test games with the last weights, saved first; notes the result."""
        extra = {"method": self.learner.method, "settings": self.settings.to_json(), "episodes": str(self.episodes)}
        game, free = self.group.games[0], self.group.any_options
        metadata = nets.describe(game, self.group.encoder, self.learner.output, extra, any_options=free)
        nets.save(self.folder / LAST, self.learner.player, metadata)
        seed = _core.mix(self.settings.seed, 10_000_000 + self.episodes // self.settings.test_every)
        results = [
            score(game, str(self.folder / LAST), self.settings.test_opponents, self.settings.test_games, seed)
            for game in self.group.games
        ]
        reward, win_rate = (float(np.mean([result[i] for result in results])) for i in (0, 1))
        if reward > self.best:
            self.best = reward
            nets.save(self.folder / BEST, self.learner.player, metadata | {"reward": str(reward)})
        loss, q = np.mean(self.losses, axis=0) if self.losses else (0.0, 0.0)
        counts = self.learner.counts
        values = (self.episodes, counts["transitions"], counts["updates"], round(seconds, 2), self.learner.epsilon)
        row = dict(zip(COLUMNS, (*values, float(loss), float(q), reward, win_rate, results[0][2]), strict=True))
        self.losses = []
        self.rows.append(row)
        self.write_metrics()
        self.source.note(self.folder, self.episodes)
        return row

    def renew_past(self) -> None:
        """Seats the net as it is now in the place of its earlier version."""
        if PAST not in self.settings.opponents:
            return
        path = self.folder / f"past-{len(self.rows)}.safetensors"
        path.write_bytes((self.folder / LAST).read_bytes())
        self.past = path.name
        self.source.replace_past(path)

    def write_metrics(self) -> None:
        text = io.StringIO()
        writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        write_atomically(self.folder / METRICS, text.getvalue())

    def keep(self) -> None:
        arrays, state = self.learner.state()
        source, played = self.source.state()
        arrays = checkpoint.under("learner", arrays) | source
        checkpoint.save(
            self.folder / CHECKPOINT,
            arrays,
            {
                "method": self.learner.method,
                "settings": self.settings.to_dict(),
                "learner": state,
                "episodes": self.episodes,
                "seconds": self.seconds,
                "rows": self.rows,
                "best": self.best if np.isfinite(self.best) else None,
                "past": self.past,
                "losses": self.losses,
                **played,
            },
        )
        for old in self.folder.glob("past-*.safetensors"):
            if old.name != self.past:
                old.unlink()

    def restore(self, arrays: Mapping[str, Array], state: Mapping[str, Any]) -> None:
        _check_state(state)
        _check_actions(arrays, self.group.actions)
        self.episodes, self.seconds, self.rows = state["episodes"], state["seconds"], state["rows"]
        self.best = -np.inf if state["best"] is None else state["best"]
        self.losses = [(loss, q) for loss, q in state["losses"]]
        self.past = state["past"]
        if self.past is not None:
            self.source.replace_past(self.folder / self.past)
        self.learner.restore(checkpoint.part("learner", arrays), state["learner"])
        self.source.restore(arrays, state)
        self.write_metrics()


def _check_state(state: Mapping[str, Any]) -> None:
    """What a run keeps beside its arrays."""
    need, number = checkpoint.need, checkpoint.number
    for name in ("seconds", "best", "rows", "losses", "past"):
        need(name in state, f"it has no {name}")
    checkpoint.whole(state["episodes"], "episodes")
    number(state["seconds"], "seconds")
    if state["best"] is not None:
        number(state["best"], "best", least=-checkpoint.MOST)
    rows, losses, past = state["rows"], state["losses"], state["past"]
    need(isinstance(rows, list) and isinstance(losses, list), "it has no curve")
    for row in rows:
        numbers = isinstance(row, dict) and all(type(value) is float or _is_whole(value) for value in row.values())
        need(numbers and tuple(row) == COLUMNS, f"its curve has the row {row!r}"[:200])
        number(row["episodes"], "episodes of its curve")
    for pair in losses:
        numbers = isinstance(pair, list) and all(type(x) is float or _is_whole(x) for x in pair)
        need(numbers and len(pair) == 2, f"its losses have {pair!r}"[:200])
    # A name in the run's own folder, nothing else.
    need(
        past is None or (isinstance(past, str) and bool(re.fullmatch(r"past-\d+\.safetensors", past))), f"past {past!r}"
    )


def _is_whole(value: Any) -> bool:
    return type(value) is int and abs(value) <= checkpoint.MOST


def _check_actions(arrays: Mapping[str, Array], actions: int) -> None:
    for name, values in arrays.items():
        if name.rpartition("/")[2].rpartition(".")[2] in ("action", "next_action"):
            inside = values.dtype == np.int64 and bool(((values >= 0) & (values < actions)).all())
            checkpoint.need(inside, f"array {name!r} has actions that do not exist")


def score(game: Game, net: str, opponents: str, games: int, seed: int, threads: int = 1) -> tuple[float, float, int]:
    """A net against others, every deal once in each seat: mean payoff, share of games won, number of games."""
    n = game.players
    players = [native_agent(game, f"net:{net}"), *[native_agent(game, opponents)] * (n - 1)]
    seatings = rotations(n)
    played = game.native_match(players, seatings, seed, 0, -(-games // n), threads)
    won = winners(played.payoffs, seated(sides_of(game), seatings))[0].reshape(-1, n)
    payoffs = played.payoffs.reshape(-1, n)
    return float(payoffs[:, 0].mean()), float(won[:, 0].mean()), len(payoffs)


def read_run(folder: Path) -> tuple[dict[str, Array], dict[str, Any]]:
    """The checkpoint in a run's folder: its arrays, which nobody has looked at yet, and its state, with a method,
    settings and a number of episodes in it."""
    _check_begun(folder)
    arrays, state = checkpoint.load(folder / CHECKPOINT)
    for name, kind in (("method", str), ("settings", dict), ("learner", dict), ("episodes", int)):
        checkpoint.need(type(state.get(name)) is kind, f"its {name} is {state.get(name)!r}"[:200])
    return arrays, state


def train(
    make: Callable[[Any, Group], Learner],
    settings: Settings,
    out: str | Path,
    *,
    resume: bool = False,
    report: Callable[[Report], None] | None = None,
    source: Callable[[Learner, Group], Source] = Here,
) -> Trained:
    """Trains until settings.episodes games are over; files go to `out`. Ctrl-C keeps a checkpoint and is raised again.

    `resume` goes on from the checkpoint there, to the same curve as without the interruption. `source` says where the
    games are played.
    """
    folder = Path(out)
    if resume:
        _check_begun(folder)
    learner, group = _begun(make, settings)  # what is wrong with the settings is said before there is a folder
    with alone(folder):
        return _train(learner, group, source, folder, resume, report)


def _begun(make: Callable[[Any, Group], Learner], settings: Settings) -> tuple[Learner, Group]:
    _check_device(settings.device)
    if settings.tensorboard and not extras.installed("tensorboard"):
        raise ValueError(f"curves need the package tensorboard, or tensorboard=false: {extras.how_to_get('train')}")
    torch.set_num_threads(settings.threads)
    group = Group(settings)
    for game, agent in itertools.product(group.games, settings.agents()):
        native_agent(game, agent)
    return make(settings, group), group


def _train(
    learner: Learner,
    group: Group,
    source: Callable[[Learner, Group], Source],
    folder: Path,
    resume: bool,
    report: Callable[[Report], None] | None,
) -> Trained:
    settings = learner.settings
    arrays, state = read_run(folder) if resume else ({}, {})
    if not resume:
        _check_empty(folder)
    for name in (CHECKPOINT, LAST, BEST, METRICS):
        check_writable(folder / name)
    if resume:
        _check_same(state, learner.method, settings)
        _check_length(state, settings)
    with closing(source(learner, group)) as played:
        run = _Run(settings, folder, learner, group, played)
        if resume:
            run.restore(arrays, state)
        write_atomically(folder / "settings.json", json.dumps(settings.to_dict(), indent=2) + "\n")
        with _interrupts() as stop, _tensorboard(settings, folder, run.episodes) as board:
            _loop(run, stop, board, report)
    return Trained(folder, run.rows, learner)


def _check_begun(folder: Path) -> None:
    if not (folder / CHECKPOINT).is_file():
        raise ValueError(f"there is no checkpoint in {folder}; start without --resume")


def _check_empty(folder: Path) -> None:
    if (folder / CHECKPOINT).exists():
        raise ValueError(f"{folder} holds a training already: resume it, or choose another folder")
    for name in (LAST, BEST, METRICS):
        if (folder / name).exists():
            raise ValueError(f"{folder} holds {name} of a training that cannot be resumed: choose another folder")


class Train(Protocol):
    """How every method is called."""

    def __call__(
        self,
        settings: Any,
        out: str | Path,
        *,
        resume: bool = False,
        report: Callable[[Report], None] | None = None,
        source: Callable[[Learner, Group], Source] = Here,
    ) -> Trained: ...


def trainer(make: Callable[[Any, Group], Learner]) -> Train:
    """`train` for one method."""
    return functools.partial(train, make)


def _loop(
    run: _Run, stop: threading.Event, board: Callable[[dict[str, float]], None], report: Callable[[Report], None] | None
) -> None:
    settings = run.settings
    start, before, said = time.monotonic(), run.seconds, 0.0
    first, first_updates = run.episodes, run.learner.counts["updates"]
    kept = run.episodes
    if not (run.folder / CHECKPOINT).exists():
        run.keep()  # whatever happens from here on, the training can be resumed
    while run.episodes < settings.episodes:
        run.step()
        spent = time.monotonic() - start
        run.seconds = before + spent
        if run.test_is_due() or run.episodes >= settings.episodes:
            board(run.test(run.seconds))
            run.renew_past()
            if run.episodes - kept >= settings.checkpoint_every or run.episodes >= settings.episodes:
                run.keep()
                kept = run.episodes
        if report is not None and (spent - said > 0.2 or run.episodes >= settings.episodes):
            said = spent
            rate = (run.episodes - first) / max(spent, 1e-9)
            report(
                Report(
                    run.episodes,
                    settings.episodes,
                    rate,
                    (run.learner.counts["updates"] - first_updates) / max(spent, 1e-9),
                    run.rows[-1]["win_rate"] if run.rows else None,
                    (settings.episodes - run.episodes) / rate if rate > 0 else None,
                )
            )
        if stop.is_set():
            run.keep()
            raise KeyboardInterrupt


def _check_same(state: Mapping[str, Any], method: str, settings: Settings) -> None:
    if state["method"] != method:
        raise ValueError(f"this is a training of {state['method']}, not of {method}")
    before, now = settings.of_earlier(state["settings"]), settings.to_dict()
    for key in now:
        if key not in FREE and before[key] != now[key]:
            raise ValueError(f"{key} was {before[key]} when this training began, not {now[key]}; it must stay so")


def _check_length(state: Mapping[str, Any], settings: Settings) -> None:
    planned = checkpoint.whole(state["settings"].get("episodes"), "episodes")
    if settings.episodes < min(state["episodes"], planned):
        raise ValueError(f"this training has played {state['episodes']:,} games; episodes can be raised, not lowered")


def _check_device(device: str) -> None:
    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ValueError(f"device {device!r} cannot be used here: {str(error).splitlines()[0]}") from None


@contextmanager
def _interrupts() -> Iterator[threading.Event]:
    """Ctrl-C sets the event, so that a step is never cut in two; a second one breaks off."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def heard(number: int, frame: Any) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = signal.signal(signal.SIGINT, heard)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _tensorboard(settings: Settings, folder: Path, step: int) -> Iterator[Callable[[dict[str, float]], None]]:
    if not settings.tensorboard:
        yield lambda row: None
        return
    from torch.utils.tensorboard import SummaryWriter

    writer = SummaryWriter(str(folder / "tensorboard"), purge_step=step or None)

    def write(row: dict[str, float]) -> None:
        for key, value in row.items():
            if key != "episodes":
                writer.add_scalar(key, value, int(row["episodes"]))
        writer.flush()

    try:
        yield write
    finally:
        writer.close()
