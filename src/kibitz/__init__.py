"""Kibitz: games of hidden information, agents that play them, and matches between the agents."""

from importlib import metadata as _metadata

from kibitz import gdl
from kibitz._core import NATURE, OVER, PUBLIC, Game, Search, State, View
from kibitz.advice import adviser, levels
from kibitz.agents.guided import GuidedSearch
from kibitz.arena import play, series
from kibitz.contract import check
from kibitz.nets import Net, net_metadata, save_net
from kibitz.registry import agent, games, make, register_agent, register_game
from kibitz.tables import Tables

try:
    __version__ = _metadata.version("kibitz")
except _metadata.PackageNotFoundError:  # run from a source tree that was never installed
    __version__ = "0+unknown"

__all__ = [
    "NATURE",
    "OVER",
    "PUBLIC",
    "Game",
    "GuidedSearch",
    "Net",
    "Search",
    "State",
    "Tables",
    "View",
    "__version__",
    "adviser",
    "agent",
    "check",
    "games",
    "gdl",
    "levels",
    "make",
    "net_metadata",
    "play",
    "register_agent",
    "register_game",
    "save_net",
    "series",
]
