"""Thinking in pieces: a search of a view that goes deeper for as long as its caller listens.

A round ends at a fixed number of iterations, never at a time: the same view and the same round give the same thought on
every machine. What takes long is cut into pieces of a few hundredths of a second, between which others may use the
thread.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kibitz import _core, advice, registry
from kibitz.advice import reasons, report
from kibitz.agents.native import to_thought
from kibitz.agents.network import find_net
from kibitz.beliefs import cards, colours
from kibitz.registry import Spec, parse_spec

PIECE_MS = 40.0
FIRST = 1 / 32  # of the adviser's own budget: the first round
DEEPEST = 8  # times that budget: the last one
FEWEST = 48  # iterations of a round
QUICK = "mcs:iterations=100"  # what is said while a search that cannot be divided is under way


class Thinking:
    """What the adviser of a game, or the agent of `spec`, thinks of a view: `piece` by piece, a report a round.

    For one thread at a time; `stop` from any. The agent sees the view and nothing else, and draws from the view's key.
    """

    def __init__(
        self, view: _core.View, spec: str | None = None, *, names: Sequence[str] = (), deepest: float = DEEPEST
    ) -> None:
        if view.to_act != view.seat:
            raise ValueError("the seat of the view is not to act: there is nothing to think about")
        self.view, self.names = view, names
        self._spec = spec or advice.choice(view.game).variant.adviser
        self._deepest = deepest
        self._began = False
        self._search: _core.Search | None = None
        self._rounds: list[int] = []
        self._quick = False
        self._done = 0  # iterations
        self._cards: dict[int, dict[str, float]] | None = None
        self._colours: dict[int, dict[str, float]] | None = None
        self._stopped = False
        self.finished = False

    def _begin(self) -> None:
        """With the first piece, in its thread."""
        self._began = True
        self._search = _search(self.view, self._spec)
        if self._search is not None:
            self._rounds = self._plan(self._deepest)
            self._quick = "iterations" not in parse_spec(self._spec).options

    def _plan(self, deepest: float) -> list[int]:
        """The iterations at which rounds end: doubled each time. Every tree gets as many as the others."""
        options = parse_spec(self._spec).options
        budget, trees = int(options.get("iterations", 1000)), int(options.get("trees", 1))
        rounds = [max(FEWEST, int(budget * deepest))]
        while rounds[0] >= 2 * max(FEWEST, budget * FIRST):
            rounds.insert(0, rounds[0] // 2)
        return [at - at % trees for at in rounds]

    def stop(self) -> None:
        """From any thread: a piece under way ends soon."""
        self._stopped = True
        if self._search is not None:
            self._search.stop()

    def piece(self) -> report.Report | None:
        """Thinks a little; a report where a round is over. After the last one `finished` is true."""
        if self._stopped or self.finished:
            self.finished = True
            return None
        if not self._began:
            self._begin()
        if self._search is None:
            return self._ask()
        if self._quick:
            return self._first()
        before = self._done
        self._search.run(max(1, self._rounds[0] - before), PIECE_MS)
        if self._stopped:
            return None
        native = self._search.thought()
        self._done = native.iterations
        stuck = self._done == before and before > 0
        if self._done < self._rounds[0] and not stuck and not _whole(native):
            return None
        # A search that cannot be divided, or is exact, has nothing to add after its first run.
        self._rounds = [at for at in self._rounds if at > self._done]
        self.finished = not self._rounds or stuck or _whole(native)
        return self._report(native)

    def all(self) -> report.Report:
        """The last report: everything at once."""
        last = None
        while not self.finished:
            last = self.piece() or last
        if last is None:
            raise ValueError("the thinking was stopped before it had come to anything")
        return last

    def _first(self) -> report.Report:
        """Something soon, before an exact search has its say."""
        self._quick = False
        quick = self.view.game.search(self.view, QUICK, seed=self.view.key)
        quick.run()
        return report.of(
            self.view,
            to_thought(quick.thought()),
            self._believes(),
            colours=self._colours,
            names=self.names,
            done=False,
        )

    def _ask(self) -> report.Report:
        """An agent that does not search says all that it has to say."""
        agent = registry.agent(self._spec)
        agent.begin(self.view.key)
        thought = agent.think(self.view)
        self.finished = True
        return report.of(self.view, thought, self._believes(), colours=self._colours, names=self.names, done=True)

    def _report(self, native: _core.NativeThought) -> report.Report:
        assert self._search is not None
        legal, spec = self.view.legal(), parse_spec(self._spec)
        difference = spec.options.get("goal") == "difference"
        looked = None
        if spec.name == "mcs" and len(legal) > 1:
            worlds, payoffs = self._search.matrix()
            looked = reasons.Looked(legal, worlds, np.asarray(payoffs), difference)
        thought = to_thought(native, difference=difference)
        return report.of(
            self.view,
            thought,
            self._believes(),
            colours=self._colours,
            names=self.names,
            looked=looked,
            done=self.finished,
        )

    def _believes(self) -> dict[int, dict[str, float]] | None:
        """The same in every round: worlds do not depend on who is asked."""
        if self._cards is None:
            self._cards = cards(self.view) or {}
            self._colours = colours(self.view)
        return self._cards or None


def _whole(native: _core.NativeThought) -> bool:
    """Whether the search was done in one run: exact ones are, whatever they were told."""
    known = [error for error in native.errors if error == error]
    return len(native.actions) < 2 or (bool(known) and len(known) == len(native.errors) and not any(known))


def _search(view: _core.View, spec: str) -> _core.Search | None:
    """The search that can be driven; None for agents that are asked in one go."""
    parsed = parse_spec(spec)
    if parsed.name not in {search.name for search in _core.searches()}:
        return None
    options = dict(parsed.options)
    if isinstance(options.get("net"), str) and options["net"]:
        options["net"] = str(find_net(options["net"]))
    if parsed.name == "mcs":
        options["keep"] = reasons.WORLDS
    return view.game.search(view, str(Spec(parsed.name, None, options)), seed=view.key)
