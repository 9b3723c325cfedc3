"""Agents against each other, with honest statistics: matches of single games, and series to a score."""

from kibitz.arena.match import play
from kibitz.arena.points import series
from kibitz.arena.result import AgentResult, Chunk, Deals, MatchResult, SeriesResult
from kibitz.arena.stats import Interval

__all__ = ["AgentResult", "Chunk", "Deals", "Interval", "MatchResult", "SeriesResult", "play", "series"]
