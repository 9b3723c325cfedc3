"""Golden games: one seeded random game per file, which a change that should not change play leaves as it is.

`python tests/test_golden.py --write` writes them anew, for a change of rules that is meant. Uno's are in
test_uno_statistics.py.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz._core import Rng

GOLDEN = Path(__file__).parent / "golden"
MOST = 16  # legal actions that a line names
PLAYED: dict[str, tuple[str, dict[str, Any], int]] = {  # file: game, options, seed
    "belote_bidding": ("belote", {"bidding": True}, 4),
    "belote_olech_12": ("belote", {"cards": 12, "rules": "olech"}, 1),
    "connect_four": ("connect_four", {}, 1),
    "doudizhu_rlcard": ("doudizhu", {"rules": "rlcard"}, 1),
    "doudizhu_bidding": ("doudizhu", {"bidding": True, "scoring": "adp", "kickers": "separate"}, 2),
    "gdl_kuhn_poker": ("gdl", {"file": "kuhn_poker"}, 3),
    "gdl_tictactoe": ("gdl", {}, 1),
    "hex_swap": ("hex", {"size": 5, "swap": True}, 18),  # with a swap
    "mini_doudizhu": ("mini_doudizhu", {}, 1),
    "tictactoe": ("tictactoe", {}, 1),
}


def play_through(name: str, options: dict[str, Any], seed: int) -> str:
    """The deal, one line per decision, and the end."""
    game = kibitz.make(name, **options)
    state, rng = game.deal(seed), Rng(seed)
    lines = [f"{game!r}, seed {seed}", str(state)]
    while not state.over:
        legal = state.legal()
        action = legal[rng.below(len(legal))]
        texts = " ".join(game.text(choice) for choice in legal[:MOST])
        more = f" and {len(legal) - MOST} more" if len(legal) > MOST else ""
        lines.append(f"seat {state.to_act} plays {game.text(action)} (legal {texts}{more})")
        state.apply(action)
    lines += [str(state), f"over: payoffs {state.payoffs}"]
    return "\n".join(line.rstrip() for line in "\n".join(lines).splitlines()) + "\n"


@pytest.mark.parametrize("name", PLAYED)
def test_golden_game(name: str) -> None:
    want = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert play_through(*PLAYED[name]).splitlines() == want.splitlines()


def test_every_game_has_one() -> None:
    assert {name for name, _, _ in PLAYED.values()} | {"uno"} >= set(kibitz.games())


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    for file, arguments in PLAYED.items():
        (GOLDEN / f"{file}.txt").write_text(play_through(*arguments), encoding="utf-8")
