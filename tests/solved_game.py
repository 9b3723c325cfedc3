"""A small game played through to the end in every way: is what a net plays unbeatable?"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


class SolvedGame:
    """All states of a game for two without chance or hidden cards. States are numbered, those after a move later."""

    def __init__(self, game: Any, encoder: str) -> None:
        self.game, self.encoder = game, encoder
        self.number: dict[str, int] = {}
        self.after: list[dict[int, int]] = []  # by action
        self.to_act: list[int] = []  # -1 at the end
        self.payoff: list[float] = []  # of seat 0, at the end
        rows: list[Floats] = []
        layer = [game.deal(0)]
        self.number[str(layer[0])] = 0
        states = list(layer)
        for state in states:
            rows.append(np.zeros(0, np.float32))
            self.after.append({})
            self.to_act.append(-1 if state.over else state.to_act)
            self.payoff.append(float(state.payoffs[0]) if state.over else 0.0)
            if state.over:
                continue
            rows[-1] = state.view(state.to_act).encode(encoder).reshape(-1)
            for action in state.legal():
                child = state.copy()
                child.apply(action)
                if str(child) not in self.number:
                    self.number[str(child)] = len(states)
                    states.append(child)
                self.after[-1][action] = self.number[str(child)]
        self.decisions = np.flatnonzero(np.array(self.to_act) >= 0)
        self.obs: Floats = np.stack([rows[i] for i in self.decisions])
        self.mask = np.zeros((len(self.decisions), game.num_actions), bool)
        for row, i in enumerate(self.decisions):
            self.mask[row, list(self.after[i])] = True

    @cached_property
    def values(self) -> list[float]:
        """Of every state, for seat 0, with best play of both."""
        return self._backwards(None, -1)

    def mistakes(self, outputs: Floats) -> int:
        """In how many positions that come up if one seat plays its highest outputs and the other plays anything, that
        seat gives away what it could have, summed over both seats."""
        best = np.where(self.mask, outputs, -np.inf).argmax(1)
        chosen = dict(zip(self.decisions.tolist(), best.tolist(), strict=True))
        return sum(self._mistakes_of(seat, chosen) for seat in (0, 1))

    def _mistakes_of(self, seat: int, chosen: dict[int, int]) -> int:
        reached, wrong = {0}, 0
        for i in range(len(self.after)):  # a move leads to a later number
            if i not in reached:
                continue
            if self.to_act[i] == seat:
                after = self.after[i][chosen[i]]
                reached.add(after)
                wrong += self.values[after] != self.values[i]
            else:
                reached.update(self.after[i].values())
        return wrong

    def worst(self, outputs: Floats, seat: int) -> float:
        """What `seat` gets from the beginning if it plays its highest outputs and the other plays anything."""
        best = np.where(self.mask, outputs, -np.inf).argmax(1)
        chosen = dict(zip(self.decisions.tolist(), best.tolist(), strict=True))
        return self._backwards(chosen, seat)[0] * (1 if seat == 0 else -1)

    def optimal(self, outputs: Floats) -> bool:
        """Whether this play gets in both seats at least what the game is worth, whatever the other does."""
        worth = self.values[0]
        return self.worst(outputs, 0) >= worth and self.worst(outputs, 1) >= -worth

    def _backwards(self, chosen: dict[int, int] | None, seat: int) -> list[float]:
        values = list(self.payoff)
        for i in range(len(values) - 1, -1, -1):  # a move leads to a later number
            if chosen is not None and self.to_act[i] == seat:
                values[i] = values[self.after[i][chosen[i]]]
            elif self.after[i]:
                best = max if self.to_act[i] == 0 else min
                values[i] = best([values[j] for j in self.after[i].values()])
        return values
