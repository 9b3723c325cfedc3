"""Experience, apart from the learning: what is learnt from, and where it comes from.

    Collector.collect   plays with a learner's nets        -> Steps
    Learner.take        counts a step and learns from it

In one process these two take turns at every step (`Here`). Elsewhere a collector plays many steps with a copy of the
learner's weights, and the learner takes them later (`kibitz.scale.actors`). No learner knows which it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from kibitz.learn.common import checkpoint
from kibitz.learn.common.replay import Array, Rows
from kibitz.learn.common.tables import Group, Recorder

if TYPE_CHECKING:
    from kibitz.learn.common.run import Learner


@dataclass
class Step:
    """One decision at every table."""

    games: int  # that ended with it
    rows: list[Rows]  # to learn from, one after the other; none is empty
    aside: Rows  # of `Choice`
    counts: dict[str, int]  # of `Choice`


class Collector:
    """Plays at tables as a learner's `act` says. Changes nothing of the learner but its stream of random numbers."""

    def __init__(self, learner: Learner, group: Group, recorder: Recorder | None = None) -> None:
        self.learner, self.group = learner, group
        self.recorder = learner.recorder(group) if recorder is None else recorder

    def collect(self) -> Step:
        choice = self.learner.act(self.group)
        moves = self.recorder.record(self.group, choice)
        self.group.step(choice.actions)
        ended = self.recorder.finish(self.group)
        rows = [part for part in (moves, ended) if part]
        return Step(int(self.group.done.sum()), rows, choice.aside, choice.counts)


class Source(Protocol):
    """Where the experience of a training comes from."""

    def collect(self) -> list[Step]:
        """What the learner takes next, all of it, before the next call. Empty where nothing came for a moment."""

    def replace_past(self, net: Path) -> None:
        """Seats the net in this file in the place of the learner's earlier version."""

    def note(self, folder: Path, episodes: int) -> None:
        """After a test: writes down what there is to say about the source itself."""

    def state(self) -> tuple[Rows, dict[str, Any]]:
        """What a checkpoint keeps of it, and `restore` takes back."""

    def restore(self, arrays: Mapping[str, Array], state: Mapping[str, Any]) -> None: ...

    def close(self) -> None: ...


class Here:
    """Tables in this process: the learner learns after every step."""

    def __init__(self, learner: Learner, group: Group) -> None:
        self._collector = Collector(learner, group)

    def collect(self) -> list[Step]:
        return [self._collector.collect()]

    def replace_past(self, net: Path) -> None:
        self._collector.group.replace_past(str(net))

    def note(self, folder: Path, episodes: int) -> None:
        pass

    def state(self) -> tuple[Rows, dict[str, Any]]:
        group, recorder = self._collector.group, self._collector.recorder
        return checkpoint.under("group", group.state()) | checkpoint.under("recorder", recorder.state()), {}

    def restore(self, arrays: Mapping[str, Array], state: Mapping[str, Any]) -> None:
        if "ray" in state:
            raise ValueError("this training was played by actors on Ray: resume it with --ray local, or an address")
        self._collector.group.restore(checkpoint.part("group", arrays))
        self._collector.recorder.restore(checkpoint.part("recorder", arrays))

    def close(self) -> None:
        pass
