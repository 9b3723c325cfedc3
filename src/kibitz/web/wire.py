"""Every message that crosses the wire, both ways, and what the HTTP API takes and gives.

This file is the protocol: `tools/wire_types.py` writes web/src/wire.ts from it, and docs/table.md explains it. Laws:

- A message is one JSON object in one text frame; `type` says which. Unknown members and types are refused.
- Positions come whole, never as patches. A client that missed something asks with `resync` and draws what it gets.
- `n` numbers what happened at a table: it never falls, and a message with the `n` of another one is about the same.
- Refusals are codes. There is no free text from people, and none for people.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

VERSION = 1
MAX_FRAME = 4096  # bytes of a client's message
PICTURES = 24  # pictures of people are numbers below this
GONE = "somebody-"  # how ids begin that are left of people who deleted their data

Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
Cid = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
Token = Annotated[str, StringConstraints(min_length=1, max_length=300)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=24)]
Level = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Seat = Annotated[int, Field(ge=0, le=99)]
Picture = Annotated[int, Field(ge=0, lt=PICTURES)]
Mode = Literal["casual", "teaching", "rated"]  # teaching: thoughts for all who agree; rated: results count, no thoughts
Practice = Literal["practice"]  # a table that began with a position: never rated


class Code(StrEnum):
    """Why something was refused."""

    BAD_MESSAGE = "bad_message"  # no JSON, no such type, a member too many or too few
    TOO_LARGE = "too_large"
    TOO_FAST = "too_fast"
    VERSION = "version"  # the client speaks another version: reload the page
    HELLO_FIRST = "hello_first"
    BAD_TOKEN = "bad_token"
    BANNED = "banned"
    NO_TABLE = "no_table"
    NO_GAME = "no_game"
    BAD_OPTIONS = "bad_options"
    NO_LEVEL = "no_level"
    BAD_POSITION = "bad_position"  # or no record; `detail` says what is wrong with it
    FULL = "full"  # as many tables, connections or people as there may be
    NOT_SEATED = "not_seated"
    NOT_YOUR_TURN = "not_your_turn"
    OLD_TURN = "old_turn"
    ILLEGAL = "illegal"
    TAKEN = "taken"  # a person sits there
    HAS_SEEN = "has_seen"  # the person has seen another hand of this deal
    NOT_HOST = "not_host"
    NOT_NOW = "not_now"
    NO_WATCHING = "no_watching"
    NO_THOUGHTS = "no_thoughts"  # a rated table, a named deal, or not all people have agreed
    NOT_PLAYED = "not_played"  # a named deal that the person has not played: who looks is not compared
    MUTED = "muted"
    BUSY = "busy"  # try again
    STORAGE = "storage"  # nothing was lost, but nothing can be saved now: try again
    CLOSING = "closing"  # the server restarts: connect again
    CLOSED = "closed"  # the table was closed


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_serialization_defaults_required=True)


# ---- what both sides speak of


class Choice(_Message):
    """A legal action. `touches`: the objects on the table that it is about; tapping them chooses it."""

    action: int
    text: str
    touches: list[str] = []


class Move(_Message):
    """An action that was played. `text` is the game's own name of it (kibitz.Game.text)."""

    seat: int
    action: int
    text: str


class Cause(_Message):
    """What led to a view: `sync` where the client asked, or came back; `move` is None where it is hidden from it."""

    kind: Literal["sync", "deal", "move"]
    by: Literal["person", "bot", "clock"] | None = None
    seat: int | None = None
    move: Move | None = None


class Clock(_Message):
    """Time of the seat to act; a table with one person has none."""

    seat: int
    left_ms: int
    limit_ms: int


class Series(_Message):
    """Deals to a number of points."""

    to: int


class SeatInfo(_Message):
    """A seat of the running deal, which every message numbers the same."""

    seat: int
    kind: Literal["person", "bot", "open"]
    name: str
    picture: int | None = None
    person: str | None = None  # id, to mute somebody by
    level: str | None = None  # of the bot; for a person, of the bot that plays in the meantime
    here: bool = True  # False: the person is not connected
    bot_plays: bool = False  # a bot plays for the person until the person is back
    ready: bool = False  # for the next deal
    agrees: bool = False  # to thoughts, at a teaching table
    points: float = 0.0  # in the series
    team: int = 0  # equal for partners


class NamedDeal(_Message):
    """A deal that others can play, too."""

    id: str
    name: str


class TableInfo(_Message):
    """What anybody with the link, or in the lobby, may know."""

    id: str
    game: str
    options: dict[str, Any]
    players: int
    series: Series | None
    clock_s: int | None
    public: bool  # listed in the lobby
    watching: bool  # spectators are allowed
    mode: Mode | Practice
    thoughts: bool  # whether a seated person may ask for them now
    status: Literal["waiting", "playing", "over", "closed"]
    deal: int  # from 0
    seats: list[SeatInfo]
    watchers: int
    created: int  # seconds since 1970
    named: NamedDeal | None


class You(_Message):
    """What the server takes the client for. `token` is the seat's own: it opens the seat on another device."""

    person: str | None
    seat: int | None
    host: bool
    token: str | None


# ---- from the client


class Hello(_Message):
    """The first message. `token`: the person's or the seat's; without one the client watches.
    `have`: the last `n` that the client has, if it comes back."""

    type: Literal["hello"]
    version: int
    table: Id
    token: Token | None = None
    have: Annotated[int, Field(ge=0)] | None = None


class Act(_Message):
    """Plays an action. `turn` is that of the view it was chosen in. The same `cid` again is acknowledged again."""

    type: Literal["act"]
    cid: Cid
    turn: Annotated[int, Field(ge=0)]
    action: Annotated[int, Field(ge=0, lt=2**53)]


class SeatWish(_Message):
    """What a client wants of the seats.

    take: sit down on `seat`, open or a bot's · leave: stand up, for good · resign: give up the deal (two sides only) ·
    begin: the host fills open seats with bots and deals · next: ready for the next deal, or for a rematch ·
    put: the host puts a bot of `level` on `seat` · free: the host opens a bot's `seat` (both before the first deal) ·
    agree, disagree: to thoughts for everybody at a teaching table.
    """

    type: Literal["seat"]
    cid: Cid
    want: Literal["take", "leave", "resign", "begin", "next", "put", "free", "agree", "disagree"]
    seat: Seat | None = None
    level: Level | None = None


class Say(_Message):
    """One of `Welcome.phrases`."""

    type: Literal["say"]
    cid: Cid
    phrase: Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,20}$")]


class Think(_Message):
    """Asks for thoughts about the client's own decision, which come until its turn is over; `on` false ends them."""

    type: Literal["think"]
    cid: Cid
    on: bool = True


class Resync(_Message):
    """Asks for welcome, people and view again."""

    type: Literal["resync"]


class Ping(_Message):
    type: Literal["ping"]


ClientMessage = Annotated[Hello | Act | SeatWish | Say | Think | Resync | Ping, Field(discriminator="type")]


# ---- from the server


class Welcome(_Message):
    """The answer to hello and resync; also when the client's seat has changed."""

    type: Literal["welcome"] = "welcome"
    version: int = VERSION
    you: You
    table: TableInfo
    phrases: list[str]


class View(_Message):
    """All that the client may know of the running deal.

    `position` is the game's own JSON (its README describes it), None for a game that has no positions; `text` is the
    view in words. `choices` is empty unless the client's seat is to act. `history` has every move that the client may
    know of when the cause is sync or deal; otherwise it is None, and `cause` has the one that is new. `hash` is the
    commitment to the deal: SHA-256 of what `over` opens.
    """

    type: Literal["view"] = "view"
    n: int
    deal: int
    turn: int
    hash: str
    seat: int  # whose view it is; -1: a spectator's
    to_act: int | None  # None: the deal is over
    cause: Cause
    position: dict[str, Any] | None
    text: str
    choices: list[Choice]
    history: list[Move] | None
    clock: Clock | None


class People(_Message):
    """Who sits where, and the score."""

    type: Literal["people"] = "people"
    n: int
    status: Literal["waiting", "playing", "over", "closed"]
    deal: int
    thoughts: bool  # as in TableInfo
    seats: list[SeatInfo]
    watchers: int


class Said(_Message):
    type: Literal["said"] = "said"
    n: int
    seat: int | None  # None: a spectator
    person: str
    name: str
    phrase: str


class Ack(_Message):
    """It is saved. `n`: what it has become."""

    type: Literal["ack"] = "ack"
    cid: str
    n: int


class Refused(_Message):
    """`cid` is None where the message had none, or could not be read."""

    type: Literal["refused"] = "refused"
    cid: str | None
    code: Code


class Over(_Message):
    """A deal has ended: everything is open. Lists are by seat.

    SHA-256 of `commitment`, which is the text SEED:SALT, is the `hash` of the views (kibitz.record.commitment).
    """

    type: Literal["over"] = "over"
    n: int
    deal: int
    payoffs: list[float]
    winners: list[int]
    gained: list[float]  # in the series
    points: list[float]  # in the series, this deal included
    held: float  # points that the next deal's winners get
    resigned: int | None
    series_over: bool
    series_winners: list[int]
    seed: str  # 64 bits: too large for a JavaScript number
    salt: str
    hash: str
    commitment: str
    dealt: dict[str, Any] | None  # the position at the beginning, all cards open
    position: dict[str, Any] | None  # and at the end


class Opinion(_Message):
    """Of a legal action. `value` and `loss` are payoffs, their errors standard errors; `worth` and `cost` say the same
    in the game's unit, ± half of a 95% interval. `win`: the chance to win, a draw counting half; None where the game
    has no such figure. Group 0 is about as good as the best; `worse`: the loss lies beyond its error."""

    action: int
    text: str
    value: float | None
    error: float | None
    worth: str
    win: float | None
    win_error: float | None
    loss: float | None
    loss_error: float | None
    cost: str
    group: int
    worse: bool


class Unit(_Message):
    """What payoffs of a game mean. wins: a loser gets `lost`, a winner `won` (`draws`: there are draws, which count
    half); points; lead: points more than the other side. `word` false: figures that are no points."""

    kind: Literal["wins", "points", "lead"]
    lost: float = -1.0
    won: float = 1.0
    draws: bool = False
    signed: bool = True
    decimals: int = 1
    word: bool = True


class Why(_Message):
    """A reason in its parts; `says` is the sentence. `fact` (card, no_suit, no_colour, wild, pair, bomb, rocket) is so
    for `seat` in `share` of the worlds; `best` then gains `then` on `rival`, otherwise `otherwise`. follow: the seat
    with `cards` left cannot follow `best` in `share` of the worlds, and `rival` in `then`."""

    says: str
    fact: str
    seat: int
    what: str
    share: float
    best: str
    rival: str
    then: float
    otherwise: float
    cards: int


class Report(_Message):
    """What an agent thinks of a decision, from the view of the seat to act alone; first comes what it would play.

    `beliefs`: seat -> card -> how likely the seat holds such a card; None where no hand is hidden. `colours`: the same
    of the colours of Uno, w is wild. `reason` is a sentence, empty where nothing stands out; `why` and `unit` have the
    parts of it and of `worth` and `cost`. Later reports have more `iterations`, until one is `done`.
    """

    sees: Literal["own view"] = "own view"
    seat: int
    best: int
    summary: str
    actions: list[Opinion]
    reason: str
    why: Why | None
    unit: Unit
    beliefs: dict[int, dict[str, float]] | None
    colours: dict[int, dict[str, float]] | None
    iterations: int | None
    caveats: list[str]
    done: bool


class Thought(_Message):
    """A report about the client's own decision, as far as it has come."""

    type: Literal["thought"] = "thought"
    deal: int
    turn: int
    report: Report


class Pong(_Message):
    type: Literal["pong"] = "pong"


ServerMessage = Annotated[
    Welcome | View | People | Said | Thought | Ack | Refused | Over | Pong,
    Field(discriminator="type"),
]


# ---- HTTP


class OptionInfo(_Message):
    """A switch or a choice that a table of the game can be made with."""

    name: str
    default: bool | int | str
    allowed: list[bool | int | str]


class GameInfo(_Message):
    """`series`: lengths to choose from. `kind` of the painter: the game's name, or `gdl` for rulesheets."""

    game: str
    kind: str
    title: str
    least_players: int
    most_players: int
    players: int  # usually
    hidden: bool
    options: list[OptionInfo]
    series: list[int]
    levels: list[str]  # weak to strong, then the operator's agents
    level: str  # usually


class Games(_Message):
    games: list[GameInfo]
    clocks: list[int]  # seconds for a decision to choose from
    phrases: list[str]
    pictures: int


class NewPerson(_Message):
    name: Name
    picture: Picture = 0


class Person(_Message):
    id: str
    name: str
    picture: int


class Identity(_Message):
    """`token` proves who asks: `Authorization: Bearer TOKEN`, and `hello.token`."""

    person: Person
    token: str


class Phrase(_Message):
    """Words that bring an identity back. The server keeps a hash only: it is shown once."""

    phrase: Annotated[str, StringConstraints(min_length=1, max_length=200)]


class NewSeat(_Message):
    """A seat of a new table: `me` exactly once or never, `open` for people, `bot` with a level."""

    who: Literal["me", "open", "bot"]
    level: Level | None = None


class NewTable(_Message):
    """Without `seats`: the person first, bots of `level` on the others. A table without an open seat begins at once.

    `clock_s` None: decisions take as long as they take. `named`: the cards are those of everybody who gives this name
    to the same game, options and level; such a deal is played alone against bots, not rated, and nobody may watch."""

    game: Annotated[str, StringConstraints(min_length=1, max_length=80)]
    players: Annotated[int, Field(ge=1, le=10)] | None = None
    options: Annotated[dict[str, bool | int | str], Field(max_length=16)] = {}
    series: Annotated[int, Field(ge=1, le=10_000)] | None = None
    seats: Annotated[list[NewSeat], Field(max_length=10)] | None = None
    level: Level | None = None
    clock_s: Annotated[int, Field(ge=5, le=3600)] | None = 60
    public: bool = False
    watching: bool = True
    mode: Mode = "casual"
    named: Name | None = None


class Lobby(_Message):
    """Tables with an open seat first, then those that can be watched."""

    tables: list[TableInfo]


class Rating(_Message):
    """A person's, with the bounds of a 95% interval. Boards are sorted by `low`."""

    person: Person
    rating: float
    low: float
    high: float
    games: int


class Anchor(_Message):
    """Where a level stands, always."""

    level: str
    rating: float


class Ratings(_Message):
    """The leaderboard of a game: people by openskill, from their games at rated tables; levels as measured."""

    game: str
    people: list[Rating]
    levels: list[Anchor]


class Figure(_Message):
    """An estimate with its 95% interval; no mean where there is nothing to take it from."""

    mean: float | None
    low: float
    high: float


class AgentRating(_Message):
    """An agent's line in a tournament. `plays` is the agent behind a level; `share` is of games."""

    name: str
    plays: str
    cheats: bool
    anchor: bool
    rating: Figure
    games: int
    share: Figure
    microseconds: float | None  # per move


class AgentBoard(_Message):
    """A tournament of agents, the best first. Ratings of different ones cannot be compared."""

    name: str
    title: str
    game: str
    options: dict[str, bool | int | str]
    games: int
    seed: int
    kibitz: str
    agents: list[AgentRating]
    cycles: list[list[str]]


class Leaderboard(_Message):
    """How strong the agents are that come with Kibitz, as measured when it was made; see docs/leaderboard.md."""

    games: list[AgentBoard]


class Guide(_Message):
    """The rules of a game for people, in Markdown."""

    game: str
    language: str
    text: str


class Problem(_Message):
    """What every refused request gets. `detail` says what is wrong with what a program sent."""

    code: Code
    detail: str | None = None
