"""The hand-written player of a game."""

from __future__ import annotations

from kibitz.agents.native import NativeAgent


class RulesAgent(NativeAgent):
    """Plays by the rules of thumb in the game's folder (cpp/games/NAME); not every game has such a player."""

    def __init__(self) -> None:
        super().__init__("rules")
