"""What the environments for learners share: the game and its encoder, masks, agents in the other seats, pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

import kibitz
from kibitz._core import Encoder, Game, State, View
from kibitz.protocols import Agent
from kibitz.registry import agent as make_agent

RENDER_MODES = ["human", "ansi", "rgb_array"]
FURTHEST = 16.0  # no feature of any encoder is further from 0; those of a binary one are 0 or 1

Mask = npt.NDArray[np.int8]
Opponents = str | Agent | Sequence[str | Agent]


def native_game(game: str | Game, options: dict[str, Any]) -> Game:
    """A game of the core by its name and options, or as it is."""
    made = kibitz.make(game, **options) if isinstance(game, str) else game
    if not isinstance(made, Game):
        raise ValueError(f"environments need a game of the core; {made.name!r} is written in Python")
    if not isinstance(game, str) and options:
        raise ValueError(f"a game that is made already takes no options, but was given {', '.join(options)}")
    return made


def fair_encoder(game: Game, name: str | None) -> Encoder:
    """The encoder of observations, by default the game's first; one that peeks is refused."""
    fair = {key: encoder for key, encoder in game.encoders.items() if not encoder.peeks}
    if name is None:
        return next(iter(fair.values()))
    if name not in fair:
        raise ValueError(f"unknown encoder {name!r} of {game.name}; those that do not peek: {', '.join(fair)}")
    return fair[name]


def bounds(encoder: Encoder) -> tuple[float, float]:
    return (0.0, 1.0) if encoder.binary else (-FURTHEST, FURTHEST)


def observe(state: State, encoder: Encoder, seat: int) -> npt.NDArray[np.float32]:
    """What the seat is shown, in the encoder's shape."""
    return state.encode(encoder.name, seat)


def mask_of(game: Game, legal: Sequence[int]) -> Mask:
    mask = np.zeros(game.num_actions, np.int8)
    mask[legal] = 1
    return mask


def check_render_mode(mode: str | None) -> str | None:
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"unknown render mode {mode!r}; there are {', '.join(RENDER_MODES)}")
    return mode


def render(shown: State | View, mode: str | None) -> str | npt.NDArray[np.uint8] | None:
    """A state or a view in a render mode; `human` prints it."""
    if mode == "ansi":
        return str(shown)
    if mode == "rgb_array":
        from kibitz.adapters import pixels

        return pixels.array(shown)
    if mode == "human":
        print(shown, flush=True)
    return None


class Others:
    """The agents in the other seats, of whatever kind: they see views, and states only where they peek."""

    def __init__(self, game: Game, opponents: Opponents) -> None:
        others = game.players - 1
        given: list[str | Agent]
        if isinstance(opponents, str) or not isinstance(opponents, Sequence):
            given = [opponents] * others
        else:
            given = list(opponents)
        if len(given) != others:
            raise ValueError(f"{game.name} with {game.players} players needs {others} opponents, not {len(given)}")
        self.agents: list[Agent] = [make_agent(spec) for spec in given]

    def begin(self, rng: np.random.Generator) -> None:
        """Before every game."""
        for agent in {id(agent): agent for agent in self.agents}.values():
            agent.begin(int(rng.integers(2**63)))

    def play_on(self, state: State, learner: int) -> None:
        """Until the learner is to act, or the game is over."""
        while not state.over and state.to_act != learner:
            seat = state.to_act
            agent = self.agents[(seat - learner) % state.game.players - 1]
            state.apply(agent.act(state if agent.peeks else state.view(seat)))
