"""People and agents around a game."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from kibitz._core import Seeds
from kibitz.protocols import Agent, Game, View, facts
from kibitz.record import Record, Seat
from kibitz.terminal.commands import Quit, Undo
from kibitz.terminal.deal import Deal
from kibitz.terminal.human import Human
from kibitz.terminal.keyboard import forget_lines
from kibitz.terminal.kibitzer import Kibitzer
from kibitz.terminal.log import Log
from kibitz.terminal.painter import painter_of
from kibitz.terminal.saving import Keeper

YOU = "You"  # the name of a person who plays alone against agents
# For agents that are there as opponents, not for what they are.
GIVEN_NAMES = ("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Grace", "Hugo", "Iris", "Jack")
ERASE = "\x1b[H\x1b[2J\x1b[3J"  # also what has scrolled away


def distinct(names: Sequence[str]) -> list[str]:
    """Names with a number after those that occur more than once: rules 1, rules 2, random."""
    seen: Counter[str] = Counter()
    result = []
    for name in names:
        seen[name] += 1
        result.append(f"{name} {seen[name]}" if names.count(name) > 1 else name)
    return result


class Table:
    """People and agents around a game; `agents` and `names` are in the order of the seats of the first deal. All people
    share one console and one keyboard. `pace` is the seconds that the move of an agent stays before the next."""

    def __init__(self, game: Game, agents: Sequence[Agent], names: Sequence[str], pace: float = 0.0) -> None:
        self.game, self.agents, self.names, self.pace = game, list(agents), list(names), pace
        self.people = [agent for agent in agents if isinstance(agent, Human)]
        if not self.people:
            raise ValueError("nobody at this table is a person; kibitz match plays agents against each other")
        for human in self.people:
            human.game, human.table = game, self
        self.use(self.people[0].console, self.people[0].ask)
        self.keeper = Keeper()
        self._hidden = facts(game).hidden
        self._deal: Deal | None = None
        self._looking: Human | None = None  # whose cards may be on the screen
        self._public = Log()  # what everybody may read when the deal is over

    @classmethod
    def set_up(cls, game: Game, opponents: Sequence[Agent], seat: int) -> Table:
        """One person, in `seat`, and agents in the other seats, called what they are."""
        agents = [*opponents[:seat], Human(), *opponents[seat:]]
        names = distinct([agent.name + (" (cheats)" if agent.peeks else "") for agent in agents])
        names[seat] = YOU
        return cls(game, agents, names)

    def invite(self, spec: str | None = None) -> None:
        """Seats a kibitzer behind every person: the game's adviser, or what `spec` says."""
        for human in self.people:
            human.kibitzer = Kibitzer(self.game, spec, eager=True)

    @property
    def over(self) -> bool:
        """Whether no deal is going on."""
        return self._deal is None or self._deal.state.over

    @property
    def console(self) -> Console:
        return self.people[0].console

    @property
    def alone(self) -> bool:
        """Whether one person plays against agents, and may look at the screen all the time."""
        return len(self.people) == 1

    def use(self, console: Console, ask: Callable[[str], str]) -> None:
        """Another screen and keyboard than the terminal's."""
        for human in self.people:
            human.console, human.ask = console, ask

    def words(self) -> Sequence[str]:
        """What can be typed just now, for completion."""
        return (self._looking or self.people[0]).words

    # ------------------------------------------------------------------------------------------ a deal

    def deal(self, seeds: Seeds, number: int, taken_up: Record | None = None) -> list[float]:
        """Plays a deal to its end; payoffs in the order of `agents`."""
        self._public, self._looking = Log(), None
        deal = self._deal = Deal(self, seeds, number, taken_up)
        if taken_up is not None:
            self._recall(deal)
        self._tell(deal)
        while not deal.state.over:
            by_person = deal.state.to_act in deal.people
            if by_person:
                self._keep()
            deal.step()
            if by_person:
                self._keep()
            self._tell(deal, pause=not by_person)
            deal.comment()
        self._keep()
        self._end(deal)
        return [deal.state.payoffs[seat] for seat in deal.seats]

    def watch(self, deal: Deal) -> None:
        if not self.alone:
            view = self._common(deal)
            self._public.watch(painter_of(self.game)(self.game, deal.names, self.console.width), view)

    def _tell(self, deal: Deal, *, pause: bool = False) -> None:
        """A person alone reads what happens when it happens; several, each when they are next asked."""
        if self.alone:
            [(seat, human)] = deal.people.items()
            human.tell(deal.state.view(seat))
            if pause:
                self._wait()

    def _wait(self) -> None:
        if self.pace > 0:
            time.sleep(self.pace)

    def _recall(self, deal: Deal) -> None:
        """Of a deal that was taken up again only the last round is news."""
        for human in deal.people.values():
            human.log.skip(max(0, len(deal.state.history) - self.game.players))

    def _end(self, deal: Deal) -> None:
        if self.alone:
            [(seat, human)] = deal.people.items()
            view, painter = deal.state.view(seat), human.painter(deal.state.view(seat))
        else:
            view = self._common(deal)
            painter = painter_of(self.game)(self.game, deal.names, self.console.width)
            if self._hidden:
                self.erase()
            unread = self.game.players if self._hidden else 1
            self._public.skip(max(0, len(deal.state.history) - unread))
            for line in self._public.news(painter, view):
                self.console.print(line)
        self.console.print()
        self.console.print(painter.picture(view))
        if how := painter.ending(view, list(deal.state.payoffs)):
            self.console.print(Text(how))

    def _common(self, deal: Deal) -> View:
        """What all people at the table may see together; in a game that does not say, what the first of them may."""
        public: Callable[[], View] | None = getattr(deal.state, "public", None)
        return deal.state.view(min(deal.people)) if public is None else public()

    # ------------------------------------------------------------------------------------------ several people

    def hand_over(self, deal: Deal, human: Human) -> None:
        """Before a person is asked: nobody may see the cards of another one, nor what was written about them."""
        if self.alone or human is self._looking:
            return
        self._looking = human
        name = deal.names[deal.agents.index(human)]
        if not self._hidden:
            self.console.print(Text(f"\n{name} is to move.", style="bold"))
            return
        self.erase()
        forget_lines()
        self.console.print(Text(f"{name}, it is your turn. Enter, when only you see the screen."))
        while (typed := human.line()) != "":
            if typed.lower() in ("/quit", "/q"):
                raise Quit
            self.console.print(Text("Enter goes on, /quit leaves the table."))
        self.erase()

    def linger(self) -> None:
        """Lets a person read what was said of a move before the screen is erased for the next one."""
        if not self.alone and self._hidden and self._looking is not None:
            self.console.print(Text("Enter goes on.", style="dim"))
            self._looking.line()

    def erase(self) -> None:
        """Clears the screen; what is no terminal gets empty lines."""
        if self.console.is_terminal:
            self.console.file.write(ERASE)
            self.console.file.flush()
        else:
            self.console.print("\n" * self.console.height)

    # ------------------------------------------------------------------------------------------ services

    def undo(self) -> None:
        if not self.alone:
            raise ValueError("Moves can be taken back only against agents, and here other people play.")
        if self._deal is None or not self._deal.can_go_back():
            raise ValueError("There is no move of yours to take back.")
        raise Undo

    def save(self, target: str) -> str:
        record = self.record()
        if record is None:
            raise ValueError("There is no game to save yet.")
        try:
            path = self.keeper.save(record, Path(target).expanduser() if target else None)
        except OSError as problem:
            raise ValueError(f"This cannot be saved: {problem}.") from None
        return f"Saved: kibitz play --resume {path}" if record.payoffs is None else f"Saved in {path}"

    def record(self) -> Record | None:
        """Of the deal as far as it has come."""
        deal = self._deal
        if deal is None:
            return None
        seats = [
            Seat(name, "human" if isinstance(agent, Human) else agent.name)
            for name, agent in zip(deal.names, deal.agents, strict=True)
        ]
        return self.keeper.record(
            self.game, deal.state, seats, seed=deal.seed, start=deal.begun_with, undone=deal.undone
        )

    def _keep(self) -> None:
        if self.keeper.wanted and (record := self.record()) is not None:
            self.keeper.write(record)
