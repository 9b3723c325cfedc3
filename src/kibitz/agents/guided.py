"""Tree searches of the core whose leaves are valued in Python: a network in any framework, or any function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import _core, protocols
from kibitz.agents.native import NativeAgent, to_thought
from kibitz.protocols import Thought

# (features [B, D], seats to act [B]) -> [B, actions] or [B, seats]
Evaluate = Callable[[npt.NDArray[np.float32], npt.NDArray[np.int32]], Any]


class GuidedSearch(NativeAgent):
    """The search `uct`, `cheat-uct`, `ismcts` or `pimc`, in waves: `evaluate` is called once for many leaves.

    `evaluate(obs, seats)` gets what `encoder` writes for the seats to act, float32 [B, D], and these seats, int32 [B].
    It returns an array: with `output` "q" [B, actions], the payoff of each action (the best legal one counts); with
    "values" [B, seats], the payoffs of all seats, counted from the seat to act. Finished games have their real payoffs
    and never come here. `total` is what all payoffs sum to: "q" needs it in games that are not zero-sum.

    `wave` leaves of a search are valued at a time, fewer at its end; while they wait they count as lost, so that the
    search spreads. `wave=1` is the search of the core exactly. The other options are those of the search
    (docs/search.md), without `threads`, `rollout`, `net` and inference. The seed given to `begin` fixes the answer.
    """

    def __init__(
        self,
        search: str,
        evaluate: Evaluate,
        *,
        encoder: str,
        output: str,
        total: float | None = None,
        wave: int = 64,
        **options: Any,
    ) -> None:
        given = {"encoder": encoder, "output": output, "wave": wave, **options}
        super().__init__(search, given if total is None else given | {"total": total})
        if not callable(evaluate):
            raise ValueError(f"evaluate must be callable, not {type(evaluate).__name__}")
        self.name = f"guided {self.name}"
        self.peeks = search.startswith("cheat-")
        self.evaluate = evaluate

    def act(self, view: Any) -> int:
        thought = self._search([view])[0]
        return to_thought(thought).best

    def think(self, view: Any) -> Thought:
        return self.think_many([view])[0]

    def think_many(self, views: Sequence[Any]) -> list[Thought]:
        """Thinks about views of one game side by side, `wave` leaves of each per call; the same as one by one."""
        thoughts = self._search(views)
        return [
            to_thought(thought, self._beliefs(view), protocols.game_of(view))
            for thought, view in zip(thoughts, views, strict=True)
        ]

    def _search(self, views: Sequence[Any]) -> list[_core.NativeThought]:
        if not views:
            return []
        game = views[0].game
        if not isinstance(game, _core.Game):
            raise ValueError(f"game {game.name!r} has no native searches")
        waves = game.native_waves(self.native_name, self.options, list(views), self.rng)
        while waves.select():
            obs, seats = waves.show()
            if len(seats) > 0:  # a tree near the end of a game may meet finished games only
                waves.answer(self._rows(obs, seats, waves.width))
        return waves.thoughts()

    def _rows(self, obs: npt.NDArray[np.float32], seats: npt.NDArray[np.int32], width: int) -> npt.NDArray[np.float32]:
        rows = np.asarray(self.evaluate(obs, seats))
        if rows.shape != (len(seats), width) or rows.dtype.kind not in "fiu":
            raise ValueError(
                f"evaluate must return numbers of shape [{len(seats)}, {width}], "
                f"not {rows.dtype} of shape {list(rows.shape)}"
            )
        with np.errstate(over="ignore"):  # the core complains about what became infinite
            return np.ascontiguousarray(rows, dtype=np.float32)
