"""An agent that stands behind a player at the terminal: it sees the same view, and has an opinion of every move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, Group, RenderableType
from rich.text import Text

import kibitz
from kibitz import protocols
from kibitz.protocols import Agent, Game, Thought, View
from kibitz.terminal import opinion
from kibitz.terminal.human import Human
from kibitz.terminal.progress import Waiting

TOP = 12  # actions in the table that a player may ask for


def thinker(spec: str) -> Agent:
    """An agent that is asked for its opinion."""
    agent = kibitz.agent(spec)
    if isinstance(agent, Human):
        raise ValueError("a person cannot be asked for an opinion; name another agent, such as ismcts")
    return agent


@dataclass(frozen=True)
class Remark:
    """What the kibitzer thought of one move; `loss` is None where it never tried the move."""

    action: int
    best: int
    agreed: bool
    loss: float | None


class Kibitzer:
    """Thinks once about each decision of the player, keeps its remarks, and sums them up at the end."""

    def __init__(self, game: Game, spec: str) -> None:
        self.game = game
        self.agent = thinker(spec)
        if self.agent.peeks:
            raise ValueError(f"agent {self.agent.name!r} peeks, and a kibitzer sees only what you see")
        protocols.native(self.agent, game)  # complains now, not in the middle of the game
        self.remarks: list[Remark] = []
        self._last: tuple[View, Thought] | None = None

    def begin(self, seed: int) -> None:
        """Before every deal."""
        self.agent.begin(seed)
        self._last = None

    def think(self, view: View) -> Thought:
        """Its opinion; the same if it is asked again."""
        if self._last is None or self._last[0] is not view:
            with Waiting("the kibitzer thinks"):
                self._last = (view, self.agent.think(view))
        return self._last[1]

    def picture(self, view: View, names: Sequence[str]) -> RenderableType:
        """The tables of `kibitz think`, for a player who asks before moving."""
        thought = self.think(view)
        parts = [Text(f"{self.agent.name} thinks:", style="dim"), opinion.action_table(self.game, thought, TOP)]
        if effort := opinion.effort(thought):
            parts.append(Text(effort, style="dim"))
        if thought.cards is not None:
            parts += [Text(), opinion.card_table(self.game, thought.cards, names), Text(opinion.LEGEND, style="dim")]
        return Group(*parts)

    def comment(self, view: View, action: int, console: Console) -> None:
        """A line about the move that the player has chosen, if there was a choice."""
        if len(view.legal()) < 2:
            return
        thought = self.think(view)
        if opinion.undecided(thought):  # the first of equals is no opinion
            console.print(Text("Kibitzer: nothing was decided within its bound of nodes.", style="italic"))
            return
        mine, best = thought.actions.index(action), thought.actions.index(thought.best)
        remark = Remark(action, thought.best, _as_good(thought, mine, best), _loss(thought, mine, best))
        self.remarks.append(remark)
        line = Text("Kibitzer: ", style="italic")
        if remark.agreed:
            line.append(f"agrees with {self._figures(thought, mine)}.")
        else:
            loss = "" if remark.loss is None else f": {opinion.amount(self.game, remark.loss)} better"
            line.append(f"{self._figures(thought, mine)}; prefers {self._figures(thought, best)}{loss}.")
        console.print(line)

    def sum_up(self, console: Console) -> None:
        """How often it agreed, and what the player gave away by its reckoning."""
        if not self.remarks:
            return
        n, agreed = len(self.remarks), sum(remark.agreed for remark in self.remarks)
        line = Text(f"Kibitzer: agreed with {agreed} of your {n} decision{'s' * (n != 1)}", style="italic")
        lost = [(remark.loss, remark) for remark in self.remarks if remark.loss is not None]
        if lost:
            mean = sum(loss for loss, _ in lost) / len(lost)
            line.append(f"; mean loss {opinion.amount(self.game, mean)}")
            most, worst = max(lost, key=lambda pair: pair[0])
            if most > 0:
                number = 1 + next(i for i, remark in enumerate(self.remarks) if remark is worst)
                line.append(f"; costliest: {self.game.text(worst.action)} for {self.game.text(worst.best)}")
                line.append(f" (decision {number}, {opinion.amount(self.game, most)})")
        console.print(line.append("."))

    def _figures(self, thought: Thought, at: int) -> str:
        value = "" if thought.value[at] is None else f" {opinion.money(self.game, thought.value[at])}"
        return f"{self.game.text(thought.actions[at])}{value} ({100 * thought.share[at]:.0f}%)"


def _as_good(thought: Thought, mine: int, best: int) -> bool:
    """Whether the agent might as well have chosen the action: some give all the share to the first of equals."""
    equal = thought.value[mine] is not None and thought.value[mine] == thought.value[best]
    return equal or thought.share[mine] >= thought.share[best]


def _loss(thought: Thought, mine: int, best: int) -> float | None:
    """Value given away. Never negative: the best action may have a lower mean than one that was tried less."""
    ours, theirs = thought.value[mine], thought.value[best]
    if mine == best:
        return 0.0
    return None if ours is None or theirs is None else max(0.0, theirs - ours)
