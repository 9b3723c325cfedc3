"""The mind of a player in one match: follows the match by what it is told, and chooses moves.

It runs in a process of its own, `python -m kibitz.ggp.thinker`, which talks with the player in lines of JSON. So a
search or a rulesheet that takes too long holds up nothing else, and can be ended at once. A second process for the same
match follows it without thinking: it has the legal moves of every turn, whatever becomes of the first. Both end when
the player ends, even if it is killed.
"""

from __future__ import annotations

import _thread
import contextlib
import ctypes
import json
import os
import queue
import random
import signal
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from types import FrameType
from typing import Any, TextIO, TypeVar

import kibitz
from kibitz._core import Game
from kibitz.agents.native import NativeAgent
from kibitz.agents.search import kibitzer
from kibitz.ggp import kif
from kibitz.ggp.kif import Term
from kibitz.ggp.referee import Referee, Rules
from kibitz.registry import Spec, parse_spec

T = TypeVar("T")
POSITION = {"game": "gdl", "version": 1}
LATE = 0.1  # seconds; an agent that took longer beyond its time is not asked without time
MOST_WAITING = 32 << 20  # characters of questions that are not answered yet
PR_SET_PDEATHSIG = 1  # of Linux's prctl
TRIES = 20  # to find something with which the match goes on


class OpenMatch:
    """A match in which everybody is told all moves: one position, always known."""

    def __init__(self, rules: Rules, role: str, rng: random.Random, seconds: int) -> None:
        """`seconds` to make the game; 0: grounding is not tried."""
        self.rules, self.rng = rules, rng
        self.referee = Referee(rules, seconds=seconds, strict=False)
        self.role = self.referee.roles.index(role)
        self.seat = rules.seats.index(role)

    @property
    def turn(self) -> int:
        return self.referee.turn

    def legal(self) -> list[str]:
        legal = self.referee.legal()
        return legal[self.role] if legal else []

    def advance(self, told: Sequence[Term], last: Term | None) -> str:
        """Plays a turn; returns what did not fit. Moves that cannot be are replaced by some that can: the next
        position is then a guess, but better than none."""
        legal = self.referee.legal()
        moves = [kif.choose(move, known) for move, known in zip(told, legal, strict=False)]
        moves += [None] * (len(legal) - len(moves))
        strange = len(told) != len(legal) or None in moves
        if legal:
            known_moves = zip(moves, legal, strict=True)
            self.referee.play([self.rng.choice(known) if move is None else move for move, known in known_moves])
        return f"the moves {kif.text(tuple(told))} are not legal here" if strange else ""

    def view(self, game: Game) -> Any:
        """What the agent gets to see; only where there is a choice."""
        known = {"fluents": self.referee.fluents(), "seat": self.seat, "to_act": self.seat, "turn": self.turn}
        return game.from_position(POSITION | known)


def _spelling(names: Iterable[str]) -> dict[str, str]:
    """Names by their small letters, where these belong to one alone."""
    found: dict[str, str | None] = {}
    for name in names:
        found[name.lower()] = None if name.lower() in found else name
    return {small: name for small, name in found.items() if name is not None}


class HiddenMatch:
    """A match in which a player knows its own moves and percepts: a view of the game.

    What the seat may do now is part of its view, and is not told. The engine concludes it from what was seen: histories
    that fit have the same legal moves as the real one, in sound rulesheets.
    """

    def __init__(self, rules: Rules, role: str, game: Game, rng: random.Random) -> None:
        self.game, self.rng = game, rng
        self.seat = rules.seats.index(role)
        self.turn = 0
        self._names = rules.names
        self._spelling = _spelling(rules.names)
        self._view: Any = None
        self._look(game.deal())

    def legal(self) -> list[str]:
        return [self.game.text(action) for action in self._view.legal()]

    def _spelt(self, name: str) -> str:
        """Some servers write everything in capitals."""
        return name if name in self._names else self._spelling.get(name.lower(), name)

    def view(self, game: Game) -> Any:
        return self._view

    def advance(self, told: Sequence[Term], last: Term | None) -> str:
        legal = self.legal()
        own = None if last is None else kif.choose(last, legal)
        problem = "" if own is not None or last is None else f"{kif.text(last)} was not legal"
        if not legal:
            return "the match should be over"
        own = own or self.rng.choice(legal)
        seen = [kif.text(kif.renamed(percept, self._spelt)) for percept in told]
        past = [*self.game.position(self._view)["past"], {"move": own, "sees": seen}]
        self.turn += 1
        try:
            self._view = self.game.from_position(POSITION | {"seat": self.seat, "to_act": self.seat, "past": past})
        except ValueError:
            self._look(self._imagine(own))
            problem = problem or f"the percepts ({' '.join(seen)}) cannot be"
        return problem

    def _look(self, state: Any) -> None:
        while not state.over and state.to_act != self.seat:
            state.apply(state.legal()[0])  # hidden in the view, so it does not matter what
        self._view = state.view(self.seat)

    def _imagine(self, own: str) -> Any:
        """A state that may be behind the turn, by what was known before it."""
        for _ in range(TRIES):
            state = self._view.sample(self.rng.getrandbits(64))
            state.apply(self.game.parse(own))
            while not state.over and state.to_act > self.seat:
                state.apply(self.rng.choice(state.legal()))
            if not state.over:
                break
        return state


class Follower:
    """A match as one of its roles knows it."""

    def __init__(self, rules: Rules, role: str, seed: int, seconds: int = 10) -> None:
        """`seconds`: to make the game."""
        played = kif.choose(kif.parse_one(role), rules.seats)
        if played is None:
            raise ValueError(f"there is no role {role!r} to play; roles are {', '.join(rules.seats)}")
        self.seed, self.begun, self.seconds = seed, False, seconds
        self.rules, self.role = rules, played
        self.match = self._follow(random.Random(seed))

    def _follow(self, rng: random.Random) -> OpenMatch | HiddenMatch:
        if not self.rules.hidden:
            return OpenMatch(self.rules, self.role, rng, self.seconds)
        game = kibitz.make("gdl", text=self.rules.text(), seconds=self.seconds, strict=False)
        return HiddenMatch(self.rules, self.role, game, rng)

    def told(self, told: Sequence[Term] | None, turn: int | None, last: Term | None) -> str:
        """Takes in what happened; returns what was strange about it."""
        if told is None and (turn or (turn is None and self.begun and isinstance(self.match, HiddenMatch))):
            told = ()  # NIL also stands for seeing nothing
        self.begun = True
        if told is None:
            return "" if self.match.turn == 0 else "told to begin, after the beginning"
        if turn is not None and turn <= self.match.turn:
            return ""  # it was told before, and is asked again
        missed = 0 if turn is None else turn - self.match.turn - 1
        problem = f"{missed} turns were missed" if missed else ""
        for _ in range(min(missed, 100)):
            self.match.advance((), None)
        return self.match.advance(told, last) or problem


class Thinker(Follower):
    """A match and the agent that plays it."""

    def __init__(self, rules: Rules, role: str, agent: str | None, seed: int, seconds: int = 10) -> None:
        text = rules.text()
        self.game = kibitz.make("gdl", text=text, seconds=seconds, strict=False)
        if errors := [finding for finding in kibitz.gdl.check(text) if finding.error]:
            self._remark(f"the rulesheet has errors, and is played all the same: {errors[0].text}", None)
        super().__init__(rules, role, seed, seconds)
        self.agent = self._fitting(agent)
        self.overrun = 0.0  # seconds that it took lately beyond what it was told

    def _follow(self, rng: random.Random) -> OpenMatch | HiddenMatch:
        if self.rules.hidden:
            return HiddenMatch(self.rules, self.role, self.game, rng)
        grounded = self.game.about["engine"] == "propnet"  # then so can be what the referee makes of it
        return OpenMatch(self.rules, self.role, rng, self.seconds if grounded else 0)

    def _fitting(self, agent: str | None) -> str:
        """The agent's spec, if it can play the game."""
        usual = kibitzer(self.game, "iterations=1").partition(":")[0]
        if agent is None:
            return usual
        made = kibitz.agent(agent)
        if made.peeks:
            return self._remark(f"{agent} peeks, and nobody shows it anything; {usual} plays", usual)
        if isinstance(made, NativeAgent):
            try:
                made.native(self.game)
            except ValueError as problem:
                return self._remark(f"{agent} cannot play this ({problem}); {usual} plays", usual)
        return agent

    @staticmethod
    def _remark(text: str, result: T) -> T:
        print(text, file=sys.stderr, flush=True)
        return result

    def choose(self, deadline: float) -> str:
        """A legal move; `deadline` in the time of time.monotonic."""
        legal = self.match.legal()
        if len(legal) <= 1:
            return legal[0] if legal else "nil"
        chosen = self._act(self.match.view(self.game), deadline)
        if chosen not in legal:
            raise ValueError(f"it wants to play {chosen}, which is not legal")
        return chosen

    def _act(self, view: Any, deadline: float) -> str:
        view.sample(0)  # what may be hidden is worked out now, not on the search's clock
        agent = kibitz.agent(self._limited(deadline))
        agent.begin(self.seed + self.match.turn)
        try:
            action = agent.act(view)
        finally:
            # A search ends behind a play-out, which may be long. This counts also if the move is not wanted any more.
            self.overrun = max(0.8 * self.overrun, time.monotonic() - (deadline - self.overrun))
        return str(self.game.text(action))

    def _limited(self, deadline: float) -> str:
        """The agent with the time that is left, where it is one that can be told; ValueError if it is too little."""
        left = int((deadline - self.overrun - time.monotonic()) * 1000)
        spec = parse_spec(self.agent)
        options = spec.options | {"ms": min(max(1, left), spec.options.get("ms", max(1, left)))}
        try:
            self.game.native_agent(spec.name, options)
        except ValueError:
            return self.agent
        if left <= 0 and self.overrun > LATE:
            self.overrun *= 0.8  # play-outs become shorter
            raise ValueError("a single play-out takes longer than there is time")
        return str(Spec(spec.name, spec.source, options))


# ---------------------------------------------------------------------------------------------- the process


class UnwantedError(BaseException):
    """Nobody waits for the move any more. Agents that catch every Exception do not catch this one."""


class Inbox:
    """What the player says. A thread of its own listens, so that also in the middle of a search it is heard that a move
    is not wanted any more, or that the player has gone: then the process ends.

    Moves are thought about in the main thread, where a signal ends a native search as Ctrl-C does.
    """

    def __init__(self, player: TextIO) -> None:
        self._player = player
        self._questions: queue.SimpleQueue[str] = queue.SimpleQueue()  # as text, which takes least memory
        self._waiting = 0  # characters in the queue
        self._thinking = -1  # the number of the question that is thought about now
        self._unwanted: set[int] = set()
        self._lock = threading.Lock()
        signal.signal(signal.SIGINT, self._interrupted)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        try:
            for line in self._player:
                self._take(line)
        finally:
            os._exit(0)  # wherever the main thread is

    def _take(self, line: str) -> None:
        unwanted = json.loads(line).get("unwanted")
        if unwanted is not None:
            with self._lock:
                self._unwanted.add(unwanted)
            _interrupt_main_thread()
        elif self._waiting + len(line) <= MOST_WAITING:  # a peer that floods a busy thinker is not listened to
            with self._lock:
                self._waiting += len(line)
            self._questions.put(line)

    def question(self) -> dict[str, Any]:
        """The next one; waits for it."""
        line = self._questions.get()
        with self._lock:
            self._waiting -= len(line)
        asked: dict[str, Any] = json.loads(line)
        return asked

    def choose(self, mind: Thinker, number: int, deadline: float) -> str:
        """The move that answers the question; UnwantedError if nobody waits for it."""
        try:
            self._thinking = number  # before the set is looked at: what is told later interrupts
            if number in self._unwanted:
                raise UnwantedError
            return mind.choose(deadline)
        finally:
            self._thinking = -1  # from here on nothing interrupts
            with self._lock:
                self._unwanted = {later for later in self._unwanted if later > number}

    def _interrupted(self, signal_number: int, frame: FrameType | None) -> None:
        if self._thinking in self._unwanted:
            self._thinking = -1  # once is enough
            raise UnwantedError


def _interrupt_main_thread() -> None:
    main = threading.main_thread().ident
    if sys.platform == "win32" or main is None:
        _thread.interrupt_main()
    else:
        signal.pthread_kill(main, signal.SIGINT)  # unlike interrupt_main, wakes also an agent that waits for something


def answer(inbox: Inbox, mind: Follower, asked: dict[str, Any]) -> None:
    """One PLAY: first what is legal, then the move, if there is somebody who thinks."""
    number, deadline = asked["number"], asked["deadline"]
    told = None if asked["told"] is None else [kif.parse_one(term) for term in asked["told"]]
    last = None if asked["last"] is None else kif.parse_one(asked["last"])
    try:
        problem = mind.told(told, asked["turn"], last)
    except ValueError as trouble:
        problem = f"what was told makes no sense: {trouble}"
    legal = mind.match.legal()
    if not isinstance(mind, Thinker):
        return _say({"number": number, "legal": legal})
    _say({"number": number, "legal": legal, "problem": problem})
    try:
        move, problem = inbox.choose(mind, number, deadline), ""
    except UnwantedError:
        return None  # the player plays something else, or the manager has hung up
    except Exception as trouble:  # agents may be anybody's, and a move is needed
        move, problem = _any_of(legal), f"the agent failed: {trouble}; playing at random"
    return _say({"number": number, "move": move, "problem": problem})


def _any_of(legal: Sequence[str]) -> str:
    return random.choice(legal) if legal else "nil"


def _say(what: dict[str, Any]) -> None:
    print(json.dumps(what), flush=True)


def _end_with_player() -> None:
    """The inbox hears that the player has gone, unless a native call holds the GIL. Searching, checking and grounding
    release it; but a single question to the prover, which may take a minute, does not, nor may an agent of another
    package. Linux ends the process all the same, when the thread that started it has ended."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def main() -> None:
    _end_with_player()
    inbox = Inbox(sys.stdin)
    start = inbox.question()
    common = (start["seed"], start["seconds"])
    mind: Follower
    try:
        rules = Rules(kif.parse(start["rules"]))
        if start["follow"]:
            mind = Follower(rules, start["role"], *common)
        else:
            mind = Thinker(rules, start["role"], start["agent"], *common)
    except ValueError as problem:
        return _say({"failed": str(problem)})
    _say({"ready": True, "legal": mind.match.legal()})
    while True:
        answer(inbox, mind, inbox.question())


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main()
    os._exit(0)  # without waiting for the thread that listens
