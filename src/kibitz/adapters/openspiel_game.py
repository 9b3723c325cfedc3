"""Games of OpenSpiel as games of ours: `OpenSpielGame("leduc_poker")` is played by our searches, in our matches.

Games with perfect information, and games whose states can be resampled from what a player knows. Chance, which is a
player in OpenSpiel, is hidden state here: a state has a stream of random numbers, and chance nodes are played from it
at once, so that `apply` is deterministic and a sampled world has a stream of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from kibitz._core import OVER, Rng
from kibitz.adapters import missing

try:
    import pyspiel
except ImportError:
    raise missing("open_spiel") from None


class OpenSpielGame:
    """Satisfies `kibitz.protocols.Game`. `source` is what `pyspiel.load_game` takes, or a game of OpenSpiel."""

    def __init__(self, source: Any) -> None:
        game = pyspiel.load_game(source) if isinstance(source, str) else source
        kind = game.get_type()
        kinds = pyspiel.GameType
        if kind.dynamics != kinds.Dynamics.SEQUENTIAL:
            raise ValueError(
                f"{kind.short_name} has simultaneous moves; pyspiel.convert_to_turn_based makes a game of it in which "
                "players act in turn"
            )
        if kind.chance_mode == kinds.ChanceMode.SAMPLED_STOCHASTIC:
            raise ValueError(f"{kind.short_name} does not show its chance outcomes, which a world must fix")
        self.spiel = game
        self.name: str = kind.short_name
        self.options: dict[str, Any] = dict(game.get_parameters())
        self.players: int = game.num_players()
        self.num_actions: int = game.num_distinct_actions()
        self.payoff_range = (float(game.min_utility()), float(game.max_utility()))
        self.zero_sum: bool = kind.utility == kinds.Utility.ZERO_SUM
        self.open: bool = kind.information == kinds.Information.PERFECT_INFORMATION
        self.hidden: bool = not self.open or kind.chance_mode != kinds.ChanceMode.DETERMINISTIC
        if not self.open:
            self._check_resampling()

    def deal(self, seed: int = 0) -> OpenSpielState:
        return OpenSpielState(self, self.spiel.new_initial_state(), Rng(seed))

    def text(self, action: int) -> str:
        """Of the first player: what OpenSpiel calls an action may depend on the state, its number does not."""
        if not 0 <= action < self.num_actions:
            raise ValueError(f"action {action} does not exist; there are 0 to {self.num_actions - 1}")
        return str(action)

    def parse(self, text: str) -> int:
        if not text.isdecimal() or int(text) >= self.num_actions:
            raise ValueError(f"{text!r} is no action; they are 0 to {self.num_actions - 1}")
        return int(text)

    def _check_resampling(self) -> None:
        try:
            state = self.deal()
            state.view(max(0, state.to_act)).sample(0)
        except pyspiel.SpielError:
            raise ValueError(
                f"{self.name} hides something, and OpenSpiel cannot resample its states (resample_from_infostate): "
                "our searches need worlds"
            ) from None

    def __repr__(self) -> str:
        return f"<OpenSpiel's {self.spiel}>"


class OpenSpielState:
    """A state of OpenSpiel, never at a chance node, with the stream that plays those to come."""

    def __init__(self, game: OpenSpielGame, spiel: Any, stream: Rng, history: Sequence[tuple[int, int]] = ()) -> None:
        self.game, self.spiel = game, spiel
        # What has been drawn so far fixes the stream: it need not be copied.
        self._stream = stream.next()
        self.history: list[tuple[int, int]] = list(history)
        self._play_chance()

    @property
    def to_act(self) -> int:
        return OVER if self.spiel.is_terminal() else int(self.spiel.current_player())

    @property
    def over(self) -> bool:
        return bool(self.spiel.is_terminal())

    @property
    def payoffs(self) -> list[float]:
        return list(self.spiel.returns()) if self.over else [0.0] * self.game.players

    def legal(self) -> list[int]:
        return [] if self.over else list(self.spiel.legal_actions())

    def apply(self, action: int) -> None:
        legal = self.legal()
        if action not in legal:
            raise ValueError(f"action {action} is illegal; legal: {', '.join(map(str, legal))}")
        self.history.append((self.to_act, action))
        self.spiel.apply_action(action)
        self._play_chance()

    def copy(self) -> OpenSpielState:
        out = object.__new__(OpenSpielState)
        out.game, out.spiel, out.history = self.game, self.spiel.clone(), list(self.history)
        out._stream = self._stream
        return out

    def view(self, seat: int) -> OpenSpielView:
        return OpenSpielView(self, seat)

    def _play_chance(self) -> None:
        while self.spiel.is_chance_node():
            stream = Rng(self._stream)
            drawn, self._stream = stream.unit(), stream.next()
            outcomes = self.spiel.chance_outcomes()
            below = accumulate(chance for _, chance in outcomes)
            at = next((at for at, sum_ in enumerate(below) if drawn < sum_), len(outcomes) - 1)  # sums are rounded
            self.spiel.apply_action(outcomes[at][0])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OpenSpielState):
            return NotImplemented
        return self.spiel.history() == other.spiel.history() and self._stream == other._stream

    def __str__(self) -> str:
        return str(self.spiel)


class OpenSpielView:
    """What a seat knows: OpenSpiel's information state, or all of a game with perfect information."""

    def __init__(self, state: OpenSpielState, seat: int) -> None:
        if not 0 <= seat < state.game.players:
            raise ValueError(f"seat {seat} does not exist; there are 0 to {state.game.players - 1}")
        self.game, self.seat = state.game, seat
        self._spiel = state.spiel.clone()
        self.to_act = state.to_act
        # Of others' actions OpenSpiel does not say which are seen, where something is hidden.
        self.history = [step for step in state.history if state.game.open or step[0] == seat]

    @property
    def known(self) -> str:
        """As text; equal for states that the seat cannot tell apart."""
        if self.game.open:
            return f"{self._spiel.history_str()} {self._spiel}"
        return str(self._spiel.information_state_string(self.seat))

    @property
    def key(self) -> int:
        told = f"{self.seat} {self.to_act} {self.known}"
        return int.from_bytes(hashlib.blake2b(told.encode(), digest_size=8).digest(), "big")

    def legal(self) -> list[int]:
        return list(self._spiel.legal_actions()) if self.to_act == self.seat else []

    def sample(self, seed: int) -> OpenSpielState:
        """The world's history is what the seat knows of it."""
        stream = Rng(seed)
        world = self._spiel.clone() if self.game.open else self._spiel.resample_from_infostate(self.seat, stream.unit)
        return OpenSpielState(self.game, world, stream, self.history)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OpenSpielView):
            return NotImplemented
        return (self.seat, self.to_act, self.known) == (other.seat, other.to_act, other.known)

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        return self.known
