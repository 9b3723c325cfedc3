"""What a payoff means to a person: points, or games won."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from kibitz import protocols
from kibitz.protocols import Game, View


@dataclass(frozen=True)
class Points:
    """Payoffs that are points; `signed` where they can be negative."""

    word: str = "points"
    signed: bool = True
    decimals: int = 1

    def value(self, value: float, half: float | None) -> str:
        figure = _zero(f"{value:.{self.decimals}f}")
        sign = "+" if self.signed and float(figure) > 0 else ""
        return f"{sign}{figure}{self._half(half)}{self._word}"

    def difference(self, value: float, half: float | None) -> str:
        return f"{_zero(f'{value:.{self.decimals}f}')}{self._half(half)}{self._word}"

    def more(self, value: float, *, verb: bool = True) -> str:
        """ "gets 10.2 points more", "1.3 points less"."""
        word = "less" if value < 0 else "more"
        return f"{'gets ' * verb}{self.difference(abs(value), None)} {word}"

    def _half(self, half: float | None) -> str:
        return "" if half is None else f" ± {half:.{self.decimals}f}"

    @property
    def _word(self) -> str:
        return f" {self.word}" if self.word else ""


@dataclass(frozen=True)
class Lead(Points):
    """How many more points the seat's side gets than the other."""

    def value(self, value: float, half: float | None) -> str:
        behind = value < 0 and float(f"{value:.{self.decimals}f}") < 0
        return f"{super().value(abs(value), half)} {'less' if behind else 'more'} than the other side"

    def difference(self, value: float, half: float | None) -> str:
        return f"{super().difference(value, half)} of difference"


@dataclass(frozen=True)
class Wins:
    """Payoffs that say who won: `lost` and `won` are a loser's and a winner's."""

    lost: float
    won: float
    verb: str = "wins"  # "scores" where games are drawn: a draw is half

    def value(self, value: float, half: float | None) -> str:
        return f"{self.verb} {self._share(value - self.lost)}{self._half(half)}"

    def difference(self, value: float, half: float | None) -> str:
        return f"{self._share(value)}{self._half(half)} of the games"

    def more(self, value: float, *, verb: bool = True) -> str:
        """ "wins 8% more of the games", "3% less"."""
        word = "less" if value < 0 else "more"
        return (
            f"{self.verb} {self._share(abs(value))} {word} of the games"
            if verb
            else f"{self._share(abs(value))} {word}"
        )

    def _half(self, half: float | None) -> str:
        return "" if half is None else f" ± {self._share(half)}"

    def _share(self, value: float) -> str:
        share = 100 * value / (self.won - self.lost)
        return f"{_zero(f'{share:.1f}' if 0 < abs(share) < 0.95 else f'{share:.0f}')}%"


Unit = Points | Wins


def parts(unit: Unit) -> dict[str, Any]:
    """What a page needs to write payoffs in its own language: kind wins (of `lost` and `won`), points, or lead (points
    more than the other side). `word` false: plain figures, not points."""
    if isinstance(unit, Wins):
        return {"kind": "wins", "lost": unit.lost, "won": unit.won, "draws": unit.verb == "scores"}
    kind = "lead" if isinstance(unit, Lead) else "points"
    return {"kind": kind, "signed": unit.signed, "decimals": unit.decimals, "word": bool(unit.word)}


def unit_of(game: Game, view: View | None = None, *, difference: bool = False) -> Unit:
    """The unit of a game's payoffs, for the seat of `view` where seats differ; `difference`: of how much more they are
    than the other side's."""
    known = _UNITS.get(game.name)
    found = known(game, view) if known is not None else _plain(game)
    # A difference of wins and losses is no share of games: it is told in payoffs.
    return found if not difference else Lead(**(asdict(found) if isinstance(found, Points) else {}) | {"signed": False})


def _plain(game: Game) -> Unit:
    """Of a game that we know nothing of but its range."""
    low, high = game.payoff_range
    if (low, high) == (-1, 1) and game.players == 2:
        return Wins(-1.0, 1.0, "scores")
    return Points(signed=low < 0, decimals=1 if high - low > 20 else 2)


def _uno(game: Game, view: View | None) -> Unit:
    options = protocols.facts(game).options
    if options["scoring"] == "points":
        return Points()
    return Wins(-1.0 if options["rules"] == "rlcard" else -1.0 / (game.players - 1), 1.0)


def _belote(game: Game, view: View | None) -> Unit:
    scoring = protocols.facts(game).options["scoring"]
    return Wins(-1.0, 1.0, "scores") if scoring == "win" else Points(signed=scoring == "difference")


def _doudizhu(game: Game, view: View | None) -> Unit:
    """Before there is a landlord, a value is a mean over both roles, and over deals that are thrown in: no share."""
    if protocols.facts(game).options["scoring"] == "adp":
        return Points()
    position = {} if view is None else protocols.position(game, view)
    if "landlord_seat" not in position:
        return Points(word="", decimals=2)
    return Wins(-1.0, 1.0) if view is not None and position["landlord_seat"] == view.seat else Wins(-0.5, 0.5)


def _no_draws(game: Game, view: View | None) -> Unit:
    return Wins(-1.0, 1.0)


_UNITS: Mapping[str, Callable[[Game, View | None], Unit]] = {
    "uno": _uno,
    "belote": _belote,
    "doudizhu": _doudizhu,
    "mini_doudizhu": _no_draws,
    "hex": _no_draws,
}


def _zero(figure: str) -> str:
    """Without the sign of a negative number that was rounded to zero."""
    return figure if float(figure) else figure.lstrip("-")
