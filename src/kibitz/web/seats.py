"""Who sits where. Pure: a list of places, changed by what is saved in the table's entries."""

from __future__ import annotations

from dataclasses import dataclass, field

BOT_NAMES = ("Ada", "Blaise", "Carl", "Dorothy", "Emmy", "Felix", "Grace", "Henri", "Ivy", "John")


@dataclass
class Place:
    """Where a person or a bot sits through all deals; its seat moves on with every deal.

    A person's place has a level, too: that of the bot which plays while `away`.
    """

    number: int
    person: str | None = None
    level: str | None = None
    away: bool = False
    ready: bool = False
    agrees: bool = False  # to thoughts for everybody
    since: int = 0  # the entry with which its person sat down; part of the seat's token
    seen_by: set[str] = field(default_factory=set)  # persons who saw this place's hand in the running deal

    @property
    def open(self) -> bool:
        return self.person is None and self.level is None

    @property
    def bot_plays(self) -> bool:
        return self.level is not None and (self.person is None or self.away)

    @property
    def name(self) -> str:
        """Of the bot."""
        return BOT_NAMES[self.number % len(BOT_NAMES)]


def place_with(places: list[Place], person: str | None) -> Place | None:
    """Where a person sits."""
    return next((place for place in places if person is not None and place.person == person), None)


def people_at(places: list[Place]) -> list[Place]:
    return [place for place in places if place.person is not None]


def may_take(places: list[Place], place: Place, person: str, playing: bool) -> str | None:
    """Why not, as a code; None if the person may sit down there."""
    if place.person is not None:
        return "taken"
    if place_with(places, person) is not None:
        return "not_now"
    if playing and any(person in other.seen_by for other in places if other is not place):
        return "has_seen"
    return None
