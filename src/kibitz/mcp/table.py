"""Games of one player against agents, told in words and JSON: what a language model sees, and what its answers do.

The player has its view and nothing else: seed and cards stay here until the deal is over. Answers may be anything: what
is not legal changes nothing, is counted, and is answered with what would be.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import kibitz
from kibitz._core import Game, State, View, games, mix
from kibitz.advice.thinking import Thinking
from kibitz.record import commitment

MOST_GAMES = 64  # at once; the one that was not touched for longest is forgotten
MOST_TEXT = 200  # letters of an answer that are looked at
SHOWN = 40  # letters of it that are repeated
MOST_OPTIONS = 16
DEPTHS = {"quick": 0.25, "usual": 1.0, "deep": 4.0}


class AnswerError(ValueError):
    """An answer that cannot be used; the text says why, and what can."""


@dataclass(eq=False)
class Play:
    """One game. `state` is not for the player before it is over."""

    id: str
    game: Game
    level: str
    seat: int
    seed: int
    salt: str
    luck: int  # of the agents; nothing that they see leads to the deal
    state: State = field(repr=False)
    illegal: int = 0  # answers that were not legal
    in_a_row: int = 0

    def view(self) -> View:
        return self.state.view(self.seat)

    def go_on(self) -> None:
        """The agents play until the player is to act, or the game is over."""
        spec = kibitz.advice.level(self.game, self.level).spec
        while not self.state.over and self.state.to_act != self.seat:
            shown = self.state.view(self.state.to_act)
            agent = kibitz.agent(spec)
            agent.begin(mix(self.luck, len(self.state.history)))
            self.state.apply(agent.act(shown))


class Table:
    """All games of a session. `chance` gives 64 random bits; tests have one of their own."""

    def __init__(self, chance: Callable[[], int] = lambda: secrets.randbits(64)) -> None:
        self._chance = chance
        self._plays: OrderedDict[str, Play] = OrderedDict()

    def new_game(self, game: str, options: dict[str, Any] | None, seat: int, level: str) -> dict[str, Any]:
        made = _make(game, options or {})
        if not 0 <= seat < made.players:
            raise AnswerError(f"seat must be within 0..{made.players - 1}, not {_short(seat)}")
        if level not in kibitz.advice.NAMES:
            raise AnswerError(f"level must be one of {', '.join(kibitz.advice.NAMES)}, not {_short(level)}")
        seed, salt = self._chance(), f"{self._chance():016x}{self._chance():016x}"
        id, luck = f"g{len(self._plays) + 1}-{secrets.token_hex(4)}", self._chance()
        play = Play(id, made, level, seat, seed, salt, luck, made.deal(seed))
        self._plays[play.id] = play
        if len(self._plays) > MOST_GAMES:
            self._plays.popitem(last=False)
        play.go_on()
        return self.view(play.id)

    def view(self, id: str) -> dict[str, Any]:
        """All that the player may know; at the end, everything."""
        play = self._find(id)
        view = play.view()
        told: dict[str, Any] = {
            "game_id": play.id,
            "game": play.game.name,
            "seat": play.seat,
            "to_act": None if view.over else view.to_act,
            "text": str(view),
            "position": play.game.position(view),
            "history": [{"seat": seat, "text": play.game.text(action)} for seat, action in view.history],
            "legal": _legal(play),
            "illegal_answers": play.illegal,
            "deal_hash": commitment(play.seed, play.salt),
        }
        if view.over:
            told |= {"over": True, "payoffs": list(play.state.payoffs), "seed": str(play.seed), "salt": play.salt}
            told["position"] = play.game.position(play.state)
        return told

    def legal(self, id: str) -> list[dict[str, Any]]:
        return _legal(self._find(id))

    def play(self, id: str, action: object) -> dict[str, Any]:
        """An action by its id or its text. Anything else is an illegal answer, too."""
        play = self._find(id)
        if play.state.over:
            raise AnswerError("the game is over: view shows how it ended, new_game begins another")
        chosen = _chosen(play, action)
        if chosen is None:
            play.illegal += 1
            play.in_a_row += 1
            raise AnswerError(_why(play, action))
        play.in_a_row = 0
        play.state.apply(chosen)
        play.go_on()
        return self.view(id)

    def think(self, id: str, effort: str) -> dict[str, Any]:
        """What the adviser thinks of the player's decision, from the player's view alone."""
        play = self._find(id)
        if effort not in DEPTHS:
            raise AnswerError(f"effort must be one of {', '.join(DEPTHS)}, not {_short(effort)}")
        if play.state.over:
            raise AnswerError("the game is over: there is nothing to think about")
        report = Thinking(play.view(), deepest=DEPTHS[effort]).all()
        return {"sees": "your view only"} | asdict(report)

    def _find(self, id: str) -> Play:
        play = self._plays.get(id)
        if play is None:
            known = ", ".join(list(self._plays)[-5:]) or "none yet: call new_game"
            raise AnswerError(f"there is no game {_short(id)}; games: {known}")
        self._plays.move_to_end(id)
        return play


def _make(name: str, options: dict[str, Any]) -> Game:
    """Games of the core by their plain names: a spec or a rulesheet could name a file."""
    if name not in games() or name == "gdl":
        raise AnswerError(f"game must be one of {', '.join(known for known in games() if known != 'gdl')}")
    simple = all(isinstance(key, str) and isinstance(value, bool | int | str) for key, value in options.items())
    if len(options) > MOST_OPTIONS or not simple:
        raise AnswerError("options must be names with numbers, texts, true or false")
    try:
        return kibitz.make(name, **options)
    except (ValueError, OverflowError) as problem:
        raise AnswerError(str(problem)[:500]) from None


def _legal(play: Play) -> list[dict[str, Any]]:
    return [{"action": action, "text": play.game.text(action)} for action in play.view().legal()]


def _chosen(play: Play, action: object) -> int | None:
    """The legal action that was meant."""
    legal = play.view().legal()
    if isinstance(action, int) and not isinstance(action, bool):
        return action if action in legal else None
    if not isinstance(action, str):
        return None
    said = " ".join(action[:MOST_TEXT].split()).casefold()
    for known in legal:
        if said in (play.game.text(known).casefold(), str(known)):
            return known
    return None


def _why(play: Play, action: object) -> str:
    """What was wrong with an answer: in words that show nothing but what the player sees anyway."""
    texts = ", ".join(f"{one['text']} ({one['action']})" for one in _legal(play)[:60])
    again = f", {play.in_a_row} in a row" if play.in_a_row > 1 else ""
    return (
        f"{_short(action)} is not legal for seat {play.seat} now (illegal answer number {play.illegal}{again}); "
        f"nothing was played. Legal, with ids: {texts}"
    )


def _short(said: object) -> str:
    text = repr(said if not isinstance(said, str) else said[:MOST_TEXT])
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"
