"""Reasons: every figure in a sentence is that of the worlds it was made from."""

from __future__ import annotations

import re

import numpy as np
import pytest

import kibitz
from kibitz import protocols
from kibitz.advice import facts, reasons, units
from kibitz.protocols import Thought


def clear_thought(actions: list[int], best: int, rival: int) -> Thought:
    """A thought that is sure of its best action, the rival next."""
    n = len(actions)
    loss: list[float | None] = [0.0 if a == best else 10.0 if a == rival else 20.0 for a in actions]
    share = [float(a == best) for a in actions]
    return Thought(
        actions, [-(x or 0.0) for x in loss], [1] * n, share, loss=loss, loss_error=[0.1] * n, error=[0.1] * n
    )


def test_the_figures_of_a_sentence_are_those_of_the_worlds() -> None:
    """The sentence says how much better a card is where a certain seat holds a certain one: count it again."""
    game = kibitz.make("belote")
    said = 0
    for seed in range(12):
        state = game.deal(seed=seed)
        while len(state.history) < 9 or len(state.legal()) < 3:
            state.apply(state.legal()[0])
        view = state.view(state.to_act)
        looked = reasons.look(game, view)
        assert looked is not None
        means = np.nanmean(looked.payoffs, axis=0)
        best, rival = (looked.actions[at] for at in (int(means.argmax()), int(means.argmin())))
        thought = clear_thought(list(looked.actions), best, rival)
        sentence = reasons.reason(game, view, thought, ["N", "E", "S", "W"], looked=looked)
        found = re.fullmatch(
            r"In (\d+)% of the worlds ([NESW]) holds (\w+): \w+ then gets ([\d.]+) points (more|less) than \w+, "
            r"otherwise ([\d.]+) points (more|less)\.",
            sentence,
        )
        if found is None:
            continue
        said += 1
        seat, card = "NESW".index(found[2]), found[3]
        holds = np.array([card in protocols.position(game, world)["hands"][seat] for world in looked.worlds])
        gains = looked.gains(best, rival)
        assert round(100 * holds.mean()) == int(found[1])
        for mask, amount, word in ((holds, found[4], found[5]), (~holds, found[6], found[7])):
            mean = float(gains[mask].mean()) * (1 if word == "more" else -1)
            assert mean == pytest.approx(float(amount), abs=0.051)
    assert said >= 3


def test_the_true_fact_is_found_and_chance_is_not() -> None:
    game = kibitz.make("belote")
    view = game.deal(seed=1).view(0)
    worlds = [view.sample(seed) for seed in range(400)]
    holds = np.array(["As" in protocols.position(game, world)["hands"][1] for world in worlds])
    rng = np.random.default_rng(1)
    actions = view.legal()
    payoffs = np.zeros((400, len(actions)))
    payoffs[:, 0] = np.where(holds, 20.0, -5.0) + rng.normal(0, 3, 400)
    thought = clear_thought(actions, actions[0], actions[1])
    names = ["You", "East", "North", "West"]
    said = reasons.reason(game, view, thought, names, looked=reasons.Looked(actions, worlds, payoffs))
    assert f"In {holds.mean():.0%} of the worlds East holds As: " in said
    payoffs[:, 0] = rng.normal(5, 10, 400)
    assert reasons.reason(game, view, thought, names, looked=reasons.Looked(actions, worlds, payoffs)) == ""


def test_a_player_about_to_go_out_who_cannot_follow() -> None:
    game = kibitz.make("uno", players=2)
    hands = [["r-7", "b-5", "b-1"], ["y-9"]]
    state = game.from_position({"game": "uno", "players": 2, "target": "r-5", "hands": hands})
    view = state.view(0)
    looked = reasons.look(game, view)
    assert looked is not None
    best, rival = game.parse("b-5"), game.parse("r-7")
    scene = facts.Scene(game, view, looked.worlds, ["You", "Ann"])
    dull = ("draw", "pass", "keep")
    able = [facts.answers(scene, action, lambda reply: reply.startswith(dull)) for action in (best, rival)]
    assert able[0] is not None
    assert able[1] is not None
    assert able[0][0] == able[1][0] == 1
    for action, (_, mask) in zip((best, rival), able, strict=True):  # type: ignore[misc]
        card = game.text(action)
        held = [protocols.position(game, world)["hands"][1][0] for world in looked.worlds]
        fits = [c[0] == card[0] or c.startswith("wild") or c[1:] == card[1:] for c in held]
        assert mask.tolist() == fits


@pytest.mark.parametrize("spec", ["uno:players=3", "belote:bidding=true", "doudizhu", "doudizhu:bidding=true"])
def test_any_view_has_a_reason_or_none(spec: str) -> None:
    game = kibitz.make(spec)
    state = game.deal(seed=2)
    adviser = kibitz.adviser(game)
    adviser.begin(1)
    for _ in range(8):
        view = state.view(state.to_act)
        thought = adviser.think(view)
        said = reasons.reason(game, view, thought)
        assert said == "" or (said.endswith(".") and "%" in said)
        assert said == reasons.reason(game, view, thought)  # the same view, the same sentence
        state.apply(thought.best)


def test_no_reason_where_nothing_is_hidden_or_nothing_is_clear() -> None:
    game = kibitz.make("tictactoe")
    view = game.deal(seed=1).view(0)
    assert reasons.look(game, view) is None
    game = kibitz.make("belote")
    view = game.deal(seed=1).view(0)
    n = len(view.legal())
    equal = Thought(view.legal(), [1.0] * n, [1] * n, [1.0, *[0.0] * (n - 1)], loss=[0.0] * n, loss_error=[1.0] * n)
    assert reasons.reason(game, view, equal) == ""


def test_more_and_less() -> None:
    assert units.Points().more(-1.26) == "gets 1.3 points less"
    assert units.Wins(-1, 1).more(0.16) == "wins 8% more of the games"
    assert units.Wins(-1, 1).more(-0.06, verb=False) == "3% less"
