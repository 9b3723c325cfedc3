"""Many games in lockstep, as arrays: what learners stand on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import _core, protocols
from kibitz._core import Game
from kibitz.nets import Net
from kibitz.protocols import Agent
from kibitz.registry import agent as make_agent

FORMAT, VERSION = "kibitz tables", 1

Opponents = str | Agent | Sequence[str | Agent | None] | None


class Tables:
    """`batch` games of a native game, always waiting for a decision of a learning seat.

    `opponents` says who else plays, inside the core: None means that every seat learns (self-play), one agent means
    that it sits in all other seats, a list gives one entry per other seat (None: learns, too). Players move on by one
    seat after every game. Agents must be native (`random`, `rules`, ...). The same seed gives the same games,
    whatever `threads`.

    With `dtype="uint8"` observations are bytes, a quarter of the memory and faster: for encoders whose features are all
    0 or 1 (`game.encoders[name].binary`).

    With `final_obs=True` the last observation of a game is kept before its table is dealt anew: the row of `final_obs`
    [B, D] at a table that is `done` is what the seat that `acted` sees at the end; other rows mean nothing.

    The arrays share memory with the core: they are overwritten by the next step, so copy what must last. Tables are for
    one thread at a time: while one is in a call, the calls of others raise RuntimeError.

    ======== =============== =======================================================================================
    obs      float32 [B, D]  features for the seat to act, by `encoder` (by default the game's first); uint8 on request
    mask     bool [B, A]     its legal actions
    seat     int32 [B]       the seat to act
    acted    int32 [B]       the seat whose action the last step played; -1 before the first step
    done     bool [B]        the last step ended the game; a new one has been dealt
    payoff   float32 [B, n]  per seat, of the game that ended; zeros where none did
    ======== =============== =======================================================================================

    A game with more than 1,024 actions (`ragged` is then true) has no mask. In its place stand the legal actions of all
    tables, one table after the other; T is their number, which changes from step to step. These three are new arrays
    after every step; the old ones keep valid memory, but not their content.

    ======== =============== =======================================================================================
    ids      int32 [T]       the legal actions: those of table b are ids[offsets[b]:offsets[b + 1]]
    offsets  int64 [B + 1]   where each table's actions begin
    features float32 [T, F]  what each action is like; F is `game.action_features`
    ======== =============== =======================================================================================
    """

    def __init__(
        self,
        game: protocols.Game,
        batch: int,
        opponents: Opponents = None,
        *,
        encoder: str | None = None,
        seed: int = 0,
        threads: int = 1,
        dtype: str = "float32",
        final_obs: bool = False,
    ) -> None:
        if dtype not in ("float32", "uint8"):
            raise ValueError(f"dtype must be float32 or uint8, not {dtype!r}")
        if not isinstance(game, Game):
            raise ValueError(f"tables need a native game; {game.name!r} is written in Python")
        self.game = game
        self.batch = batch
        self.encoder = encoder if encoder is not None else next(iter(game.encoders))
        seated, small = _players(game, opponents), dtype == "uint8"
        self._native = game.native_tables(batch, self.encoder, seated, seed, threads, small, final_obs)
        self.obs: npt.NDArray[Any] = self._native.obs_bytes if small else self._native.obs
        if final_obs:
            self.final_obs: npt.NDArray[Any] = self._native.final_obs_bytes if small else self._native.final_obs
        self.ragged: bool = self._native.ragged
        if not self.ragged:
            self.mask: npt.NDArray[np.bool_] = self._native.mask.view(np.bool_)
        self.offsets: npt.NDArray[np.int64]
        self.ids: npt.NDArray[np.int32]
        self.features: npt.NDArray[np.float32]
        self.seat: npt.NDArray[np.int32] = self._native.seat
        self.acted: npt.NDArray[np.int32] = self._native.acted
        self.done: npt.NDArray[np.bool_] = self._native.done.view(np.bool_)
        self.payoff: npt.NDArray[np.float32] = self._native.payoff
        self._look()

    def step(self, actions: npt.ArrayLike) -> None:
        """Plays one legal action per table. ValueError names the table and what is legal there; then nothing moved."""
        given = np.asarray(actions)
        if given.shape != (self.batch,) or not np.issubdtype(given.dtype, np.integer):
            raise ValueError(f"step needs {self.batch} whole numbers, not {given.dtype} of shape {given.shape}")
        wrong = np.flatnonzero((given < 0) | (given >= self.game.num_actions))  # before the cast could wrap around
        if wrong.size:
            table = int(wrong[0])
            legal = ", ".join(map(str, self._legal(table)))
            raise ValueError(f"action {given[table]} is illegal at table {table}; legal: {legal}")
        self._native.step(np.ascontiguousarray(given, dtype=np.int32))
        self._look()

    def run(self, steps: int, agent: str | Agent = "random") -> None:
        """Steps in which a native agent decides for the learning seats, without leaving the core."""
        if steps < 1:
            raise ValueError(f"steps must be at least 1, not {steps}")
        self._native.run(steps, native_agent(self.game, agent))
        self._look()

    def value_search(
        self,
        net: Net,
        *,
        simulations: int = 50,
        c: float = 0.2,
        discount: float = 0.99,
        worlds: str = "sampled",
        per_world: int = 1,
        seed: int = 0,
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], int]:
        """Value MCTS (docs/learning.md) for the seat to act at every table, on all threads; the games stay as they are.

        Returns Q_m [B, A] (zero where illegal), r_m [B], and how many states the net was asked about. `worlds`:
        "sampled" draws a world for every `per_world` simulations, "true" simulates in the real state, which peeks. The
        other seats play as they do at the table; learners among them play what the net likes best.
        """
        if worlds not in ("sampled", "true"):
            raise ValueError(f"worlds must be sampled or true, not {worlds!r}")
        return self._native.value_search(net, simulations, c, discount, per_world, worlds == "true", seed)

    def think(self, agent: str | Agent, *, seed: int = 0) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """What a native search thinks of the actions of the seat to act at every table, on all threads.

        Returns values (expected payoffs) and visits, both [B, A], zeros where an action is illegal. A table with one
        legal action is not searched: all zeros.
        """
        return self._native.think(native_agent(self.game, agent), seed)

    def advise(self, agent: str | Agent, *, seed: int = 0) -> npt.NDArray[np.int32]:
        """What a native agent would do for the seat to act at every table [B], on all threads."""
        return self._native.advise(native_agent(self.game, agent), seed)

    def replace(self, opponents: Opponents) -> None:
        """Other opponents from now on, in running games, too; who learns must stay the same."""
        self._native.seat_players(_players(self.game, opponents))

    def put(self, table: int, state: Any) -> None:
        """Goes on from a state in which a learner is to act."""
        self._native.put(table, state)
        self._look()

    def save(self) -> bytes:
        """All that the future depends on, as JSON: the position of every table, and the stream that deals there."""
        return json.dumps({"format": FORMAT, "version": VERSION, "tables": self._native.save()}).encode()

    def restore(self, kept: bytes) -> None:
        """Goes on as after `save`. ValueError says what does not hold, and then nothing has changed."""
        try:
            data = json.loads(kept)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ValueError("these are no saved tables; older versions kept them in another way, which cannot be read")
        if data.keys() != {"format", "version", "tables"} or data["version"] != VERSION:
            raise ValueError(f"saved tables have version {data.get('version')!r}; this program reads {VERSION}")
        if not isinstance(data["tables"], list):
            raise ValueError("saved tables must be a list")
        self._native.restore(data["tables"])
        self._look()

    def _legal(self, table: int) -> npt.NDArray[np.integer]:
        if self.ragged:
            return self.ids[self.offsets[table] : self.offsets[table + 1]]
        return np.flatnonzero(self.mask[table])

    def _look(self) -> None:
        if self.ragged:
            self.offsets, self.ids, self.features = self._native.offsets, self._native.ids, self._native.features


def _players(game: Game, opponents: Opponents) -> list[_core.Agent | None]:
    """One entry per seat, None for a learner; the first seat always learns."""
    others = game.players - 1
    if opponents is None or isinstance(opponents, str) or not isinstance(opponents, Sequence):
        entries: list[str | Agent | None] = [opponents] * others
    else:
        entries = list(opponents)
    if len(entries) != others:
        raise ValueError(f"{game.name} with {game.players} players needs {others} opponents, not {len(entries)}")
    return [None, *(None if entry is None else native_agent(game, entry) for entry in entries)]


def native_agent(game: Game, spec: str | Agent) -> _core.Agent:
    """The agent of the core that a spec string names, or ValueError where it is none of the core's."""
    player = make_agent(spec)
    native = protocols.native(player, game)
    if native is None:
        allowed = ", ".join(game.native_agents)
        raise ValueError(f"agent {player.name!r} is not native; those of {game.name} are: {allowed}")
    return native
