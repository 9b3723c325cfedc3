"""Agents against each other, with honest statistics: matches of single games, and series to a score."""

from kibitz.arena.match import play
from kibitz.arena.points import series
from kibitz.arena.result import AgentResult, MatchResult, SeriesResult
from kibitz.arena.run import Chunk
from kibitz.arena.stats import Interval

__all__ = ["AgentResult", "Chunk", "Interval", "MatchResult", "SeriesResult", "play", "series"]
