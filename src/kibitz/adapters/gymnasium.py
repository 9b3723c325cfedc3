"""Every game of the core as a single-agent environment of Gymnasium: one seat learns, agents sit in the others.

Importing this module registers them: `gymnasium.make("kibitz/Uno-v0", opponents="rules", players=3)` gives a
`KibitzEnv`, and `gymnasium.make_vec("kibitz/Uno-v0", num_envs=1024)` a `KibitzVectorEnv`, which steps all its games in
one call of the core. Observations are by an encoder of the game; `info["action_mask"]` (int8) has the legal actions.
The reward is the payoff of the learner's seat, at the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import _core
from kibitz._core import Game, State
from kibitz.adapters import missing
from kibitz.adapters.environment import (
    RENDER_MODES,
    Mask,
    Opponents,
    Others,
    bounds,
    check_render_mode,
    fair_encoder,
    mask_of,
    native_game,
    observe,
    render,
)
from kibitz.tables import Tables

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise missing("gymnasium") from None

Floats = npt.NDArray[np.float32]
ILLEGAL = ("lose", "raise")
METADATA = {"render_modes": RENDER_MODES, "render_fps": 1}
VECTOR_METADATA = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}


class KibitzEnv(gymnasium.Env[Floats, np.int64]):
    """One seat against given agents.

    game       its name, or a game
    opponents  one spec or agent for all other seats (`"rules"`, `"level:expert"`), or a list, from the learner's left
    seat       the learner's; None: drawn anew for every game
    encoder    of observations; by default the game's first
    illegal    what an illegal action does: "lose" ends the game with the least payoff, "raise" raises ValueError
    options    of the game

    `reset(options={"state": state, "seat": seat})` begins with a state in place of a deal.
    """

    metadata = METADATA

    def __init__(
        self,
        game: str | Game = "uno",
        *,
        opponents: Opponents = "random",
        seat: int | None = None,
        encoder: str | None = None,
        illegal: str = "lose",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = native_game(game, options)
        if seat is not None and not 0 <= seat < self.game.players:
            raise ValueError(f"seat must be from 0 to {self.game.players - 1}, not {seat}")
        if illegal not in ILLEGAL:
            raise ValueError(f"illegal must be {' or '.join(ILLEGAL)}, not {illegal!r}")
        self.encoder = fair_encoder(self.game, encoder)
        self.others = Others(self.game, opponents)
        self.fixed_seat = seat
        self.illegal = illegal
        self.render_mode = check_render_mode(render_mode)
        self.observation_space = spaces.Box(*bounds(self.encoder), self.encoder.shape, np.float32)
        self.action_space = spaces.Discrete(self.game.num_actions)
        self.state: State | None = None
        self.seat = seat or 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        super().reset(seed=seed)
        given = options or {}
        while True:  # a game in which the learner never comes to act is no use
            self.seat = self._next_seat() if given.get("seat") is None else int(given["seat"])
            self.others.begin(self.np_random)
            begun = given.get("state")
            self.state = self.game.deal(int(self.np_random.integers(2**63))) if begun is None else begun.copy()
            self.others.play_on(self.state, self.seat)
            if not self.state.over:
                break
            if begun is not None:
                raise ValueError(f"seat {self.seat} never comes to act in the state that was given")
        self._show()
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        state = self._running()
        if self.illegal == "lose" and int(action) not in state.legal():
            self.state = None
            seen, info = observe(state, self.encoder, self.seat), self._info([])
            return seen, float(self.game.payoff_range[0]), True, False, info | {"illegal": True}
        state.apply(int(action))
        self.others.play_on(state, self.seat)
        self._show()
        info = self._info()
        if state.over:
            info["payoffs"] = np.asarray(state.payoffs, np.float32)
        return self._observation(), float(state.payoffs[self.seat]), state.over, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions, as sb3-contrib's MaskablePPO asks for them."""
        mask: Mask = self._info()["action_mask"]
        return mask.astype(np.bool_)

    def render(self) -> Any:
        """What the learner may know."""
        return None if self.state is None else render(self.state.view(self.seat), self.render_mode)

    def _next_seat(self) -> int:
        drawn = int(self.np_random.integers(self.game.players))  # always, so that a fixed seat has the same deals
        return drawn if self.fixed_seat is None else self.fixed_seat

    def _running(self) -> State:
        if self.state is None or self.state.over:
            raise ValueError("no game is running: call reset first")
        return self.state

    def _observation(self) -> Floats:
        assert self.state is not None
        return observe(self.state, self.encoder, self.seat)

    def _info(self, legal: list[int] | None = None) -> dict[str, Any]:
        if legal is None:
            legal = self.state.legal() if self.state is not None else []
        return {"action_mask": mask_of(self.game, legal), "seat": self.seat}

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


class KibitzVectorEnv(VectorEnv[Floats, npt.NDArray[np.integer], npt.NDArray[Any]]):
    """Many games in lockstep, on `kibitz.Tables`: one call of the core steps them all.

    Opponents must be native (`random`, `rules`, searches, `level:...`). The learner moves on by one seat after every
    game. A game that ends is dealt anew in the same step; `infos["final_obs"]` and `infos["final_info"]` have its end.
    An illegal action raises ValueError, and then no game has moved. `tables` has the arrays themselves; `encoder`,
    `opponents` and options are as for `KibitzEnv`, `threads` as for `Tables`.
    """

    metadata = VECTOR_METADATA

    def __init__(
        self,
        game: str | Game = "uno",
        num_envs: int = 1,
        *,
        opponents: Opponents = "random",
        encoder: str | None = None,
        threads: int = 1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode is not None:
            raise ValueError(f"many games at once have no pictures: render_mode must be None, not {render_mode!r}")
        self.game = native_game(game, options)
        self.encoder = fair_encoder(self.game, encoder)
        self.num_envs = num_envs
        self.opponents, self.threads = opponents, threads
        self.single_observation_space = spaces.Box(*bounds(self.encoder), self.encoder.shape, np.float32)
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.tables = self._deal(0)  # now, so that bad settings are refused here

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        super().reset(seed=seed)
        self.tables = self._deal(int(self.np_random.integers(2**63)))
        return self._observation(self.tables.obs), self._infos()

    def step(
        self, actions: npt.NDArray[np.integer]
    ) -> tuple[Floats, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        self.tables.step(actions)
        tables = self.tables
        rewards = tables.payoff[np.arange(self.num_envs), tables.acted].astype(np.float64)
        done = tables.done.copy()
        infos = self._infos()
        if done.any():
            infos |= self._endings(done)
        return self._observation(tables.obs), rewards, done, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions [B, A]."""
        return self._mask().astype(np.bool_)

    def _deal(self, seed: int) -> Tables:
        return Tables(
            self.game,
            self.num_envs,
            self.opponents,
            encoder=self.encoder.name,
            seed=seed,
            threads=self.threads,
            final_obs=True,
        )

    def _observation(self, rows: npt.NDArray[Any]) -> Floats:
        """A copy: the core overwrites its own with the next step."""
        return rows.reshape(-1, *self.encoder.shape).copy()

    def _mask(self) -> Mask:
        tables = self.tables
        if not tables.ragged:
            return tables.mask.astype(np.int8)
        mask = np.zeros((self.num_envs, self.game.num_actions), np.int8)
        mask[np.repeat(np.arange(self.num_envs), np.diff(tables.offsets)), tables.ids] = 1
        return mask

    def _infos(self) -> dict[str, Any]:
        every = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": self._mask(),
            "_action_mask": every,
            "seat": self.tables.seat.copy(),
            "_seat": every.copy(),
        }

    def _endings(self, done: npt.NDArray[np.bool_]) -> dict[str, Any]:
        """As Gymnasium's own vector environments give them where they reset in the same step."""
        last = np.full(self.num_envs, None, object)
        seen = self._observation(self.tables.final_obs)
        for table in np.flatnonzero(done):
            last[table] = seen[table]
        ended = {
            "seat": np.where(done, self.tables.acted, 0),
            "payoffs": self.tables.payoff.copy(),
        }
        marks = {f"_{name}": done.copy() for name in ended}
        return {"final_obs": last, "_final_obs": done.copy(), "final_info": ended | marks, "_final_info": done.copy()}


def environment_id(game: str) -> str:
    """`connect_four` -> `kibitz/ConnectFour-v0`."""
    return f"kibitz/{''.join(word.capitalize() for word in game.split('_'))}-v0"


for _name in _core.games():
    gymnasium.register(
        environment_id(_name),
        entry_point="kibitz.adapters.gymnasium:KibitzEnv",
        vector_entry_point="kibitz.adapters.gymnasium:KibitzVectorEnv",
        kwargs={"game": _name},
    )
