"""Uno in bulk: what random play must give (RULES.md, "Must hold"), conserved cards, and two golden games.

`python tests/test_uno_statistics.py --write` writes the golden games anew, for a change of rules that is meant.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from variants import Variant, native_variants

import kibitz
from kibitz._core import Rng, mix

GAMES = 200_000
SIGMAS = 3.5
GOLDEN = Path(__file__).parent / "golden"
PLAYED: dict[str, tuple[dict[str, Any], int]] = {  # file: options, seed; games with a reshuffle
    "uno_rlcard_3p": ({"players": 3, "rules": "rlcard"}, 1447),
    "uno_official_3p": ({"players": 3}, 53),
}

# Measured with rlcard itself: players -> its games, mean decisions, share of wins per seat.
RLCARD: dict[int, tuple[int, float, list[float]]] = {
    2: (20_000, 46.5, [0.505, 0.495]),
    3: (20_000, 46.0, [0.347, 0.324, 0.329]),
    4: (10_000, 49.4, [0.259, 0.254, 0.242, 0.245]),
}


def deck() -> Counter[str]:
    traits = [*"0123456789", "skip", "reverse", "draw_2"]
    coloured = {f"{colour}-{trait}": 1 if trait == "0" else 2 for colour in "rgby" for trait in traits}
    return Counter({**coloured, "wild": 4, "wild_draw_4": 4})


def cards(position: dict[str, Any]) -> Counter[str]:
    return Counter([*position["pile"], *position["discards"], *(card for hand in position["hands"] for card in hand)])


# ------------------------------------------------------------------------------------------------- must hold


def test_a_deck_of_108_cards_and_61_actions() -> None:
    game = kibitz.make("uno", rules="rlcard")
    assert deck().total() == 108
    assert cards(game.position(game.deal(1))) == deck()
    assert game.num_actions == 61


@pytest.mark.parametrize("players", RLCARD)
def test_random_play_is_as_long_and_as_fair_as_rlcards(players: int) -> None:
    games, mean, shares = RLCARD[players]
    out = kibitz.make("uno", players=players, rules="rlcard").playouts(GAMES, seed=11)
    errors = 1 / GAMES + 1 / games  # both are measurements
    assert out.lengths.mean() == pytest.approx(mean, abs=0.05 + SIGMAS * out.lengths.std() * errors**0.5)
    wins = (out.payoffs > 0).mean(axis=0)
    for seat, share in enumerate(shares):
        spread = (share * (1 - share) * errors) ** 0.5
        assert wins[seat] == pytest.approx(share, abs=0.0005 + SIGMAS * spread), f"seat {seat}"


@pytest.mark.parametrize("variant", native_variants("uno"), ids=str)
def test_playouts_end_with_payoffs(variant: Variant) -> None:
    game, games = variant.make(), 500
    out = game.playouts(games, seed=5)
    assert (out.games, out.decisions) == (games, out.lengths.sum())
    assert out.lengths.shape == (games,)
    assert out.payoffs.shape == (games, game.players)
    assert out.lengths.min() >= 6  # seven cards are not gone faster
    low, high = game.payoff_range
    assert out.payoffs.min() >= low
    assert out.payoffs.max() <= high
    assert ((out.payoffs > 0).sum(axis=1) == 1).mean() > 0.99  # one winner, but for a rare standstill
    if game.zero_sum:
        np.testing.assert_allclose(out.payoffs.sum(axis=1), 0, atol=1e-4)


# ------------------------------------------------------------------------------------------------- determinism


def replay(game: Any, seed: int, index: int) -> tuple[int, list[float]]:
    """Game `index` of game.playouts(..., seed), move by move."""
    rng = Rng(mix(seed, index))
    state = game.deal(mix(seed, index))
    rng.next(), rng.next()  # what the deal took
    decisions = 0
    while not state.over:
        legal = state.legal()
        state.apply(legal[rng.below(len(legal)) if len(legal) > 1 else 0])
        decisions += 1
    return decisions, state.payoffs


@pytest.mark.parametrize("variant", native_variants("uno"), ids=str)
def test_playouts_are_the_games_one_plays_by_hand(variant: Variant) -> None:
    game = variant.make()
    out = game.playouts(8, seed=3)
    for index in range(8):
        decisions, payoffs = replay(game, 3, index)
        assert decisions == out.lengths[index]
        assert payoffs == pytest.approx(out.payoffs[index].tolist())


@pytest.mark.parametrize("rules", ["rlcard", "official"])
def test_playouts_depend_on_the_seed_alone(rules: str) -> None:
    game = kibitz.make("uno", players=3, rules=rules)

    def lengths_and_payoffs(n: int, **options: int) -> npt.NDArray[np.float64]:
        out = game.playouts(n, **options)
        return np.column_stack([out.lengths, out.payoffs])

    first = lengths_and_payoffs(1500, seed=9)
    np.testing.assert_array_equal(first, lengths_and_payoffs(1500, seed=9))
    np.testing.assert_array_equal(first, lengths_and_payoffs(1500, seed=9, threads=2))
    np.testing.assert_array_equal(first[:700], lengths_and_payoffs(700, seed=9, threads=2))
    assert (first != lengths_and_payoffs(1500, seed=10)).any()


# ------------------------------------------------------------------------------------------------- conservation


@pytest.mark.parametrize("variant", native_variants("uno"), ids=str)
def test_cards_are_conserved(variant: Variant) -> None:
    """Up to 300 games and 30,000 states: all of them in rlcard's short games, else every tenth and the last of each
    game (a lost card stays lost)."""
    game, whole = variant.make(), deck()
    every = 1 if game.options["rules"] == "rlcard" else 10
    states = 0
    for seed in range(300):
        if states > 30_000:
            break
        state, rng = game.deal(seed), Rng(seed)
        while not state.over:
            if states % every == 0:
                assert cards(game.position(state)) == whole
            states += 1
            legal = state.legal()
            state.apply(legal[rng.below(len(legal))])
        assert cards(game.position(state)) == whole


# ------------------------------------------------------------------------------------------------- golden games


def play_through(options: dict[str, Any], seed: int) -> str:
    """A seeded random game, one line per decision."""
    game = kibitz.make("uno", **options)
    state, rng = game.deal(seed), Rng(seed)
    lines = [f"{game!r}, seed {seed}"]
    while not state.over:
        position, legal = game.position(state), state.legal()
        action = legal[rng.below(len(legal))]
        counts = " ".join(str(len(hand)) for hand in position["hands"])
        texts = " ".join(game.text(choice) for choice in legal)
        table = f"target {position['target']}, cards {counts}, pile {len(position['pile'])}"
        lines.append(f"seat {state.to_act} plays {game.text(action)} ({table}; legal {texts})")
        state.apply(action)
    counts = " ".join(str(len(hand)) for hand in game.position(state)["hands"])
    return "\n".join([*lines, f"over: cards {counts}, payoffs {state.payoffs}", ""])


@pytest.mark.parametrize("name", PLAYED)
def test_golden_game(name: str) -> None:
    want = (GOLDEN / f"{name}.txt").read_text()
    assert play_through(*PLAYED[name]).splitlines() == want.splitlines()


def test_golden_games_show_much_of_the_rules() -> None:
    official = (GOLDEN / "uno_official_3p.txt").read_text()
    for action in ("draw", "play", "keep", "challenge", "accept"):
        assert f"plays {action} " in official
    for kind in ("-skip", "-reverse", "-draw_2", "-wild", "-wild_draw_4"):
        assert f"{kind} (" in official


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    GOLDEN.mkdir(exist_ok=True)
    for file, arguments in PLAYED.items():
        (GOLDEN / f"{file}.txt").write_text(play_through(*arguments))
