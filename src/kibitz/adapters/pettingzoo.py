"""Every game of the core as an AEC environment of PettingZoo: `make("aec", "kibitz/uno-v0", players=3)`.

Importing this module registers them. An observation is a dict with `observation`, by an encoder of the game, and
`action_mask` (int8), all zeros for agents that are not to act. Rewards are the payoffs, at the end.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from kibitz import _core
from kibitz._core import Game, State
from kibitz.adapters import missing
from kibitz.adapters.environment import (
    RENDER_MODES,
    Mask,
    bounds,
    check_render_mode,
    fair_encoder,
    mask_of,
    native_game,
    observe,
    render,
)

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, register
    from pettingzoo.utils.env_logger import EnvLogger
except ImportError:
    raise missing("pettingzoo") from None

Observation = dict[str, npt.NDArray[np.float32] | Mask]


class KibitzAEC(AECEnv):
    """One game; `raw_env` of this module.

    game        its name, or a game
    encoder     of observations; by default the game's first
    max_cycles  decisions after which a game is cut short (truncated); None: never
    illegal     "raise": an illegal action raises ValueError; "lose": it ends the game, with the least payoff for its
                player and 0 for the others, as PettingZoo's TerminateIllegalWrapper does
    options     of the game
    """

    kibitz_state: State | None = None

    def __init__(
        self,
        game: str | Game = "uno",
        *,
        encoder: str | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        illegal: Literal["raise", "lose"] = "raise",
        **options: Any,
    ) -> None:
        super().__init__()
        if illegal not in ("raise", "lose"):
            raise ValueError(f"illegal must be 'raise' or 'lose', not {illegal!r}")
        self.illegal = illegal
        self.game = native_game(game, options)
        self.encoder = fair_encoder(self.game, encoder)
        self.render_mode = check_render_mode(render_mode)
        self.max_cycles = max_cycles
        self.metadata = {
            "name": f"{self.game.name}_v0",
            "render_modes": RENDER_MODES,
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        low, high = bounds(self.encoder)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low, high, self.encoder.shape, np.float32),
                    "action_mask": spaces.Box(0, 1, (self.game.num_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self.game.num_actions) for agent in self.possible_agents}
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals; the same seed, the same deal, and the same deals after it."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.kibitz_state = self.game.deal(int(self._rng.integers(2**63)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._decisions = 0
        self.agent_selection = self.possible_agents[self.kibitz_state.to_act]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        seat, state = self._seats[agent], self._running()
        legal = state.legal() if state.to_act == seat else []
        return {"observation": observe(state, self.encoder, seat), "action_mask": mask_of(self.game, legal)}

    def state(self) -> npt.NDArray[np.float32]:
        """What all seats are shown, one after the other: for a central critic."""
        state = self._running()
        return np.stack([observe(state, self.encoder, seat) for seat in range(self.game.players)])

    def step(self, action: int | None) -> None:
        state = self._running()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to act: None is for agents whose game is over")
        try:
            state.apply(int(action))
        except ValueError:
            if self.illegal == "raise" or not 0 <= int(action) < self.game.num_actions:
                raise
            self._lose(agent)
            return
        self._decisions += 1
        if state.over:
            self._end(dict(zip(self.possible_agents, state.payoffs, strict=True)))
        else:
            self.agent_selection = self.possible_agents[state.to_act]
            if self.max_cycles is not None and self._decisions >= self.max_cycles:
                self.truncations = dict.fromkeys(self.agents, True)
                self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def _end(self, rewards: dict[str, float]) -> None:
        """Until then all rewards are 0, so that nothing has to be added up along the way."""
        self.rewards = rewards
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()

    def _lose(self, agent: str) -> None:
        EnvLogger.warn_on_illegal_move()
        self.truncations = dict.fromkeys(self.agents, True)
        self._end(dict.fromkeys(self.agents, 0.0) | {agent: self.game.payoff_range[0]})

    def _running(self) -> State:
        if self.kibitz_state is None:
            raise ValueError("no game is running: call reset first")
        return self.kibitz_state

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The whole state, hidden cards included."""
        return render(self._running(), self.render_mode)

    def close(self) -> None:
        """Nothing is open."""


raw_env = KibitzAEC


def env(game: str | Game = "uno", **settings: Any) -> KibitzAEC:
    """The environment that `make` gives: an illegal action ends the game with the least payoff.

    It does by itself what PettingZoo's usual wrappers would do around it: each of them costs more than a move.
    """
    return KibitzAEC(game, **{"illegal": "lose", **settings})


for _name in _core.games():
    register("aec", f"kibitz/{_name}-v0", entry_point="kibitz.adapters.pettingzoo:env", kwargs={"game": _name})
