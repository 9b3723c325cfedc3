"""Which games can be played at the table, with which options, against which bots.

A client names a game, values of options that are listed here, and levels. It never sends spec strings: files, commands
and budgets would be its to choose.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import kibitz
from kibitz._core import Game
from kibitz.protocols import facts
from kibitz.registry import parse_spec
from kibitz.web import wire
from kibitz.web.settings import Settings

Value = bool | int | str
CLOCKS = (15, 30, 60, 120, 300)  # seconds for a decision
USUAL_CLOCK = 60
USUAL_LEVEL = "club"


@dataclass(frozen=True)
class Offer:
    """A game of the table. `choices`: option -> allowed values, the usual one first. `fixed`: always so."""

    title: str
    players: tuple[int, ...] = (2,)  # the usual number first
    choices: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    fixed: Mapping[str, Value] = field(default_factory=dict)
    series: tuple[int, ...] = ()


OFFERS: dict[str, Offer] = {
    "uno": Offer(
        "Uno",
        players=(4, 2, 3, 5, 6, 7, 8, 9, 10),
        choices={
            "uno_call": ("decision", "auto"),
            "stacking": (False, True),
            "draw_until": (False, True),
            "seven_zero": (False, True),
        },
        series=(200, 500),
    ),
    "belote": Offer("Belote", players=(4,), fixed={"bidding": True}, series=(501, 1000)),
    "doudizhu": Offer("Dou Di Zhu", players=(3,), fixed={"bidding": True}, series=(20, 50)),
    "mini_doudizhu": Offer("Mini Dou Di Zhu"),
    "connect_four": Offer("Connect Four"),
    "hex": Offer("Hex", choices={"size": (7, 5, 9, 11), "swap": (True, False)}),
    "tictactoe": Offer("Tic-Tac-Toe", choices={"size": (3, 4, 5)}),
}


class UnknownError(ValueError):
    """What a client asked for is not offered; `code` says which part, `detail` what is wrong with what it sent."""

    def __init__(self, code: wire.Code, detail: str | None = None) -> None:
        super().__init__(code.value)
        self.code, self.detail = code, detail


class Catalogue:
    """The games of this server: the built-in ones and the operator's rulesheets."""

    def __init__(self, rulesheets: Path | None = None, agents: Path | None = None) -> None:
        self._sheets = {f"gdl:{path.stem}": path for path in sorted(rulesheets.glob("*.kif"))} if rulesheets else {}
        self._agents = read_agents(agents) if agents is not None else {}
        self._info: dict[str, wire.GameInfo] = {}
        self.make = lru_cache(maxsize=256)(self._make)

    @classmethod
    def of(cls, settings: Settings) -> Catalogue:
        """What an operator has set."""
        sheets = settings.rulesheets or settings.folder() / "rulesheets"
        return cls(sheets if sheets.is_dir() else None, settings.agents)

    def names(self) -> list[str]:
        return [*OFFERS, *self._sheets]

    def games(self) -> list[wire.GameInfo]:
        return [self.info(name) for name in self.names()]

    def info(self, name: str) -> wire.GameInfo:
        if name not in self._info:
            self._info[name] = self._describe(name)
        return self._info[name]

    def _describe(self, name: str) -> wire.GameInfo:
        game = self.game(name, self.options(name, None, {}, None))
        offer = self._offer(name)
        levels = [*(level for level, _ in _levels(game)), *self._agents.get(game.name, {})]
        return wire.GameInfo(
            game=name,
            kind=game.name,
            title=offer.title,
            least_players=min(offer.players),
            most_players=max(offer.players),
            players=offer.players[0],
            hidden=facts(game).hidden,
            options=[
                wire.OptionInfo(name=option, default=values[0], allowed=list(values))
                for option, values in offer.choices.items()
            ],
            series=list(offer.series),
            levels=levels,
            level=USUAL_LEVEL if USUAL_LEVEL in levels else levels[min(1, len(levels) - 1)],
        )

    def options(
        self, name: str, players: int | None, given: Mapping[str, Value], series: int | None
    ) -> dict[str, Value]:
        """All options that make the game; UnknownError for what is not offered."""
        if name in self._sheets:
            return self._sheet_options(name, players, given, series)
        if name not in OFFERS:
            raise UnknownError(wire.Code.NO_GAME)
        offer = OFFERS[name]
        made: dict[str, Value] = {option: values[0] for option, values in offer.choices.items()} | dict(offer.fixed)
        for option, value in given.items():
            allowed = offer.choices.get(option, ())
            if not any(value == known and type(value) is type(known) for known in allowed):
                raise UnknownError(wire.Code.BAD_OPTIONS)
            made[option] = value
        wrong_size = players is not None and players not in offer.players
        if wrong_size or (series is not None and series not in offer.series):
            raise UnknownError(wire.Code.BAD_OPTIONS)
        if len(offer.players) > 1:
            made["players"] = players or offer.players[0]
        scoring = _point_scoring(name) if series is not None else ""
        return made | ({"scoring": scoring} if scoring else {})

    def _sheet_options(
        self, name: str, players: int | None, given: Mapping[str, Value], series: int | None
    ) -> dict[str, Value]:
        """A rulesheet has no options, but its text is one: a table goes on with the text that it began with."""
        if given or series is not None or players not in (None, *self._offer(name).players):
            raise UnknownError(wire.Code.BAD_OPTIONS)
        return {"sheet": _text_hash(self._sheets[name])}

    def game(self, name: str, options: Mapping[str, Any]) -> Game:
        """The game, one object for all tables that play it. ValueError if it is not there any more."""
        made: Game = self.make(name, tuple(sorted(options.items())))
        return made

    def _make(self, name: str, options: tuple[tuple[str, Any], ...]) -> Game:
        if name in self._sheets:
            if dict(options) not in ({}, {"sheet": _text_hash(self._sheets[name])}):
                raise ValueError(f"the rulesheet {name!r} is not the one that the table began with")
            return kibitz.make("gdl", file=str(self._sheets[name]))
        if name not in OFFERS:
            raise ValueError(f"there is no game {name!r} at this table")
        return kibitz.make(name, **dict(options))

    def _offer(self, name: str) -> Offer:
        if name in OFFERS:
            return OFFERS[name]
        path = self._sheets[name]
        return Offer(path.stem.replace("_", " ").title(), players=(self.game(name, {}).players,))

    def spec(self, name: str, game: Game, level: str, rated: bool = False) -> str:
        """What plays a level or an operator's agent; UnknownError(NO_LEVEL) for others. Ratings know levels only."""
        for known, spec in _levels(game):
            if known == level:
                return spec
        spec = "" if rated else self._agents.get(game.name, {}).get(level, "")
        if not spec:
            raise UnknownError(wire.Code.NO_LEVEL)
        return spec

    def spec_or_weakest(self, name: str, game: Game, level: str | None) -> str:
        """For a running game: an agent that the operator has taken off the list is replaced by the weakest level."""
        try:
            return self.spec(name, game, level or "")
        except UnknownError:
            return _levels(game)[0][1]


def _text_hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _point_scoring(name: str) -> str:
    return facts(kibitz.make(name, **OFFERS[name].fixed)).point_scoring if name in OFFERS else ""


def _levels(game: Game) -> list[tuple[str, str]]:
    """Names and specs, weak to strong."""
    levels = getattr(kibitz, "levels", None)
    if levels is not None:
        return [(level.name, level.spec) for level in levels(game)]
    if "rules" in game.native_agents:
        return [("beginner", "random"), ("club", "rules"), ("strong", "mcs:iterations=1000,rollout=rules")]
    return [("beginner", "random"), ("club", "mcs:iterations=1000")]


def read_agents(file: Path) -> dict[str, dict[str, str]]:
    """Game -> name -> spec, of a file with a table per game:

        [uno]
        "My network" = "net:runs/ddqn/best.safetensors"

    ValueError says what is wrong with it; agents that peek are refused.
    """
    try:
        found = tomllib.loads(file.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise ValueError(f"{file}: {problem}") from None
    for game, agents in found.items():
        if not isinstance(agents, dict):
            raise ValueError(f'{file}: [{game}] must be a table of "name" = "spec"')
        for name, spec in agents.items():
            if not isinstance(spec, str) or not 0 < len(name) <= 40:
                raise ValueError(
                    f"{file}: agent {name!r} of {game} must be a spec string with a name of 1 to 40 letters"
                )
            if kibitz.agent(spec).peeks:
                raise ValueError(f"{file}: agent {name!r} of {game} sees hidden cards; it may not play with people")
            parse_spec(spec)
    return found
