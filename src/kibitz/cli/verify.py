"""kibitz verify: whether a finished deal of the table was dealt as promised."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from cyclopts import App

import kibitz
from kibitz.terminal import screen

app = App(
    name="verify",
    help_epilogue="""Examples:
    kibitz verify game.json
""",
)


@app.default
def verify(record: Path, /) -> None:
    """Check a finished deal: that its hash, published before the first move, is that of its seed and salt, and that the
    seed and the moves lead to its end.

    Parameters
    ----------
    record
        A record of `kibitz export`, or an `over` message of the table.
    """
    try:
        said = json.loads(record.read_bytes())
    except (ValueError, RecursionError) as problem:
        raise ValueError(f"{record} is not JSON: {problem}") from None
    if not isinstance(said, dict) or not isinstance(said.get("commitment"), str):
        raise ValueError(f"{record} has no commitment: give a record of kibitz export, or an over message")
    screen.out().print(check(said))


def check(said: dict[str, Any]) -> str:
    """What was found; ValueError says what does not fit."""
    digest = hashlib.sha256(said["commitment"].encode()).hexdigest()
    if digest != said.get("hash"):
        raise ValueError(f"the commitment has the hash {digest}, but {said.get('hash')} was published")
    try:
        promised = json.loads(said["commitment"])
        game, seed = str(promised["game"]), int(promised["seed"])
        options = dict(promised["options"])
    except (ValueError, KeyError, TypeError):
        raise ValueError("the commitment is not one of ours: it needs game, options and seed") from None
    if game.startswith("gdl:"):
        return f"The hash is right. {game} is a rulesheet of the operator's, so the deal was not dealt again."
    made = kibitz.make(game, **options)
    state = made.deal(seed)
    if said.get("dealt") is not None and made.position(state) != said["dealt"]:
        raise ValueError("the seed gives another deal than the record has")
    moves = said.get("moves")
    if moves is None:
        return "The hash is right, and its seed gives this deal."
    for number, move in enumerate(moves):
        if state.over or move not in state.legal():
            raise ValueError(f"move {number} of the record, {move}, is not legal in this deal")
        state.apply(move)
    if said.get("position") is not None and made.position(state) != said["position"]:
        raise ValueError("the moves lead to another end than the record has")
    return f"The hash is right, its seed gives this deal, and its {len(moves)} moves lead to this end."
