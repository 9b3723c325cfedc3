"""One deal at a table, from the cards in everybody's hands to the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.text import Text

import kibitz
from kibitz._core import Rng, Seeds
from kibitz.arena.seatings import rotations, sitting
from kibitz.protocols import Agent, State, View
from kibitz.record import Record
from kibitz.terminal.commands import Undo
from kibitz.terminal.human import Human

if TYPE_CHECKING:
    from kibitz.terminal.table import Table


class Deal:
    """Deal `number` of a table: everybody sits one seat further on than in the last. `taken_up` is the record of one
    that was begun before."""

    def __init__(self, table: Table, seeds: Seeds, number: int, taken_up: Record | None = None) -> None:
        n = table.game.players
        self.table, self.number = table, number
        self.seats = rotations(n)[number % n]  # [agent] -> seat
        self.agents = [table.agents[index] for index in sitting(self.seats)]  # [seat]
        self.names = [table.names[index] for index in sitting(self.seats)]
        self.seed = seeds.deal(number) if taken_up is None else taken_up.start.seed
        self.undone = 0
        self._first: Callable[[], State] = (
            taken_up.first if taken_up is not None else lambda: table.game.deal(seeds.deal(number))
        )
        self._nature = Rng(seeds.nature(number))
        self._choices: list[tuple[int, int]] = []  # of a person: after how many actions, and remarks of the kibitzer
        self._chosen: tuple[Human, View, int] | None = None  # not yet commented
        for seat, agent in enumerate(self.agents):
            agent.begin(seeds.agent(number, number % n, seat))
        for human in self.people.values():
            human.names = self.names
            human.kibitz_seed = seeds.kibitzer(number)
            if human.kibitzer is not None:
                human.kibitzer.begin(human.kibitz_seed)
        self.state = self._first()
        self._watch()
        for text in () if taken_up is None else taken_up.actions:
            if self.state.to_act in self.people and len(self.state.legal()) > 1:
                self._choices.append((len(self.state.history), 0))
            self._apply(table.game.parse(text))

    @property
    def people(self) -> dict[int, Human]:
        """By seat."""
        return {seat: agent for seat, agent in enumerate(self.agents) if isinstance(agent, Human)}

    @property
    def begun_with(self) -> State | None:
        """The state before the first move, where no seed leads to it."""
        return self._first() if self.seed is None else None

    def step(self) -> None:
        """The next decision, of a person, an agent or chance."""
        seat = self.state.to_act
        if seat == kibitz.NATURE:
            legal = self.state.legal()
            self._apply(legal[self._nature.below(len(legal))])
            return
        agent = self.agents[seat]
        try:
            action = self._ask(agent, seat) if isinstance(agent, Human) else self._act(agent, seat)
        except Undo:
            self._go_back()
            return
        self._apply(action)

    def can_go_back(self) -> bool:
        return bool(self._choices)

    def _act(self, agent: Agent, seat: int) -> int:
        return agent.act(self.state.copy() if agent.peeks else self.state.view(seat))

    def _ask(self, human: Human, seat: int) -> int:
        view = self.state.view(seat)
        self.table.hand_over(self, human)
        action = human.act(view)
        kibitzer = human.kibitzer
        if len(view.legal()) > 1:
            self._choices.append((len(self.state.history), len(kibitzer.remarks) if kibitzer else 0))
            self._chosen = (human, view, action)
        return action

    def comment(self) -> None:
        """What the kibitzer behind a person has to say of the choice that was just made."""
        if self._chosen is None:
            return
        (human, view, action), self._chosen = self._chosen, None
        if human.kibitzer is not None and human.kibitzer.eager:
            human.kibitzer.names = self.names
            human.kibitzer.comment(view, action, human.console)
            self.table.linger()

    def _apply(self, action: int) -> None:
        self.state.apply(action)
        self._watch()

    def _watch(self) -> None:
        for seat, human in self.people.items():
            human.watch(self.state.view(seat))
        self.table.watch(self)

    def _go_back(self) -> None:
        """To the last choice of a person. The agents' chance goes on where it is: they may play otherwise now."""
        length, remarks = self._choices.pop()
        actions = [action for _, action in self.state.history]
        self.state = self._first()
        for action in actions[:length]:
            self.state.apply(action)
        self.undone += 1
        for seat, human in self.people.items():
            human.log.forget(length)
            if human.kibitzer is not None:
                del human.kibitzer.remarks[remarks:]
            taken_back = human.painter(self.state.view(seat)).called(actions[length])
            human.console.print(Text(f"You take back {taken_back}, and everything after it.", style="bold"))
