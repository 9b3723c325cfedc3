"""Preset phrases and reactions: there is no free text at a table. The page has their words in every language."""

from __future__ import annotations

PHRASES = (
    "hello",
    "good_luck",
    "well_played",
    "thanks",
    "oops",
    "nice",
    "close",
    "hurry",
    "moment",
    "again",
    "bye",
    "smile",
    "laugh",
    "wow",
    "sad",
    "think",
    "clap",
    "heart",
)
