"""An agent that stands behind a player at the terminal: it sees the same view, and has an opinion of every move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, Group, RenderableType
from rich.text import Text

import kibitz
from kibitz import advice, beliefs, protocols
from kibitz.advice import reasons, words
from kibitz.protocols import Agent, Game, Thought, View
from kibitz.terminal import opinion
from kibitz.terminal.human import Human
from kibitz.terminal.painter import Painter, painter_of
from kibitz.terminal.progress import Waiting

TOP = 6  # actions in the table that a player may ask for: the hand has to stay on the screen


def thinker(spec: str) -> Agent:
    """An agent that is asked for its opinion."""
    agent = kibitz.agent(spec)
    if isinstance(agent, Human):
        raise ValueError("a person cannot be asked for an opinion; name another agent, such as ismcts")
    return agent


@dataclass(frozen=True)
class Remark:
    """What the kibitzer thought of one move. `loss` is in the game's unit: how much less it gets than `best`."""

    action: int
    best: int
    loss: words.Loss
    said: str

    @property
    def agreed(self) -> bool:
        """It would have played the same, or cannot tell the move from its own."""
        return self.action == self.best or (self.loss.mean is not None and not self.loss.beyond)


class Kibitzer:
    """Thinks once about each decision of the player, keeps its remarks, and sums them up at the end.

    Without a spec it is the game's adviser. It writes cards and moves as the screen does; `names` are the seats'. An
    `eager` one remarks on every move, others speak when they are asked."""

    def __init__(self, game: Game, spec: str | None = None, *, eager: bool = False) -> None:
        self.game = game
        self.eager = eager
        self._called = "The adviser" if spec is None else spec
        self.agent = kibitz.adviser(game) if spec is None else thinker(spec)
        if self.agent.peeks:
            raise ValueError(f"agent {self.agent.name!r} peeks, and a kibitzer sees only what you see")
        protocols.native(self.agent, game)  # complains now, not in the middle of the game
        self._against = [said] if spec is None and (said := advice.caveat(game)) else []
        self.names: Sequence[str] = ()
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

    def picture(self, view: View) -> RenderableType:
        """Its advice, for a player who asks before moving: the best moves with what they are worth, and a reason."""
        thought = self.think(view)
        parts: list[RenderableType] = [Text(f"{self._called} thinks:", style="dim")]
        parts.append(opinion.action_table(self.game, thought, TOP, view=view, text=self.text))
        parts += [Text(line, style="dim") for line in [*words.caveats(thought), *self._against]]
        if reason := self._reason(view, thought):
            parts.append(Text(reason, style="italic"))
        return Group(*parts)

    def odds(self, view: View) -> RenderableType | None:
        """Where the hidden cards may be; None where none are hidden."""
        cards = beliefs.cards(view, self.game)
        if cards is None:
            return None
        return Group(opinion.card_table(self.game, cards, self.names, signs=True), Text(opinion.LEGEND, style="dim"))

    def text(self, action: int) -> str:
        return self._painter().called(action)

    def comment(self, view: View, action: int, console: Console) -> None:
        """A line about the move that the player has chosen, if there was a choice."""
        if len(view.legal()) < 2:
            return
        thought = self.think(view)
        if words.undecided(thought):  # a fallback is no opinion
            console.print(Text("Kibitzer: could not decide; nothing tells these moves apart.", style="italic"))
            return
        remark = self.remark(view, action)
        self.remarks.append(remark)
        console.print(Text(f"Kibitzer: {remark.said}", style="italic"))

    def remark(self, view: View, action: int) -> Remark:
        """What it says of a move: that it costs something only where the loss lies beyond its error."""
        thought = self.think(view)
        mine, best = thought.actions.index(action), thought.actions.index(thought.best)
        loss = words.loss_of(thought, mine)
        own = self._worth(view, thought, best)
        if mine == best:
            said = f"agrees with {own}."
        elif loss.mean is None:
            said = f"would play {own}."
        elif loss.beyond:
            cost = words.loss(self.game, loss.mean, loss.error, view, difference=loss.difference)
            said = f"{self.text(action)} costs {cost}; better: {own}."
            if why := self._reason(view, thought, against=action):
                said += f" {why}"
        elif loss.error is not None:
            said = f"{self.text(action)} is about as good as {own}."
        else:
            said = f"would play {own}; how sure that is, it cannot say."
        return Remark(action, thought.best, loss, said)

    def sum_up(self, console: Console, whose: str = "your") -> None:
        """How often it agreed, and which move cost most beyond doubt."""
        if not self.remarks:
            return
        n, agreed = len(self.remarks), sum(remark.agreed for remark in self.remarks)
        line = Text(f"Kibitzer: no objection to {agreed} of {whose} {n} decision{'s' * (n != 1)}", style="italic")
        costly = [remark for remark in self.remarks if remark.loss.beyond]
        if costly:
            worst = max(costly, key=lambda remark: remark.loss.mean or 0.0)
            cost = words.loss(self.game, worst.loss.mean or 0.0, worst.loss.error, difference=worst.loss.difference)
            line.append(f"; costliest: {self.text(worst.action)} for {self.text(worst.best)}")
            line.append(f" (decision {1 + self.remarks.index(worst)}, {cost})")
        console.print(line.append("."))

    def _reason(self, view: View, thought: Thought, against: int | None = None) -> str:
        return reasons.reason(self.game, view, thought, self.names, against=against, text=self._painter().name)

    def _painter(self) -> Painter:
        return painter_of(self.game)(self.game, self.names, 80)

    def _worth(self, view: View, thought: Thought, at: int) -> str:
        name, worth = self.text(thought.actions[at]), thought.value[at]
        if worth is None:
            return name
        return f"{name} ({words.value(self.game, worth, thought.error[at], view, difference=thought.difference)})"
