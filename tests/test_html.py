"""What notebooks show: well-formed, nothing loaded, names escaped, and nothing that the seat may not know."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from variants import Variant, native_variants

import kibitz
from kibitz import html, pictures
from kibitz.agents.random import RandomAgent
from kibitz.protocols import Thought

VARIANTS = [pytest.param(variant, id=str(variant)) for variant in native_variants()]


def parsed(shown: str) -> ElementTree.Element:
    """Well-formed, without scripts, and without anything to load."""
    assert set(re.findall(r"https?://[^\"]*", shown)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<script|<style|href|url\(|\son\w+=", shown)
    return ElementTree.fromstring(f"<div>{shown}</div>")


@pytest.mark.parametrize("variant", VARIANTS)
def test_states_and_views_of_every_game(variant: Variant) -> None:
    state = variant.make().deal(3)
    for _ in range(12):
        parsed(state._repr_html_())
        for seat in range(state.game.players):
            parsed(state.view(seat)._repr_html_())
        parsed(state.public()._repr_html_())
        if state.over:
            break
        state.apply(state.legal()[-1])


@pytest.mark.parametrize("name", ["uno", "belote", "doudizhu", "mini_doudizhu", "gdl:file=kuhn_poker"])
def test_a_view_shows_no_hidden_card(name: str) -> None:
    state = kibitz.make(name).deal(5)
    for _ in range(10):
        if state.over:
            break
        for seat in range(state.game.players):
            view = state.view(seat)
            worlds = [view.sample(seed) for seed in range(3)]
            assert {html.shown(world.view(seat)) for world in worlds} == {html.shown(view)}
        state.apply(state.legal()[0])


def test_cards_are_drawn() -> None:
    state = kibitz.make("uno").deal(1)
    faces = [part.piece for part in pictures.picture(state).parts if isinstance(part, pictures.Box)]
    position = state.game.position(state)
    assert len(faces) == 1 + sum(len(hand) for hand in position["hands"])
    assert faces[0] == pictures.uno_card(position["target"])


def test_a_thought_has_bars_with_whiskers_and_names() -> None:
    view = kibitz.make("belote").deal(2).view(0)
    agent = kibitz.agent("mcs:iterations=200")
    agent.begin(1)
    thought = agent.think(view)
    shown = thought._repr_html_()
    rows = parsed(shown).findall(".//tr")
    assert len(rows) == len(thought.actions) + 1
    texts = [row[0].text for row in rows[1:]]
    assert sorted(map(str, texts)) == sorted(view.game.text(action) for action in thought.actions)
    assert texts[0] == view.game.text(thought.best)
    assert shown.count("<path") == len(thought.actions)
    assert "points" in shown


def test_values_that_are_differences_are_called_so() -> None:
    """A value of 3 is not 3 points where it is how much more the seat's side gets."""
    for name in ("belote", "doudizhu"):
        game = kibitz.make(name)
        shown = {html.thought(Thought([1], [3.0], [1], [1.0], difference=kind, game=game)) for kind in (False, True)}
        assert len(shown) == 2


def test_a_thought_without_a_game_or_values() -> None:
    blank = Thought([3, 5], [None, None], [None, None], [0.25, 0.75])
    rows = parsed(html.thought(blank)).findall(".//tr")
    assert sorted(str(row[0].text) for row in rows[1:]) == ["3", "5"]
    assert "95%" not in html.thought(blank)
    some = Thought([3, 5], [1.0, 1.0], [1, 1], [0.5, 0.5], error=[0.0, None])
    parsed(html.thought(some))


def test_a_game_does_not_tell_thoughts_apart() -> None:
    game = kibitz.make("tictactoe")
    assert Thought([1], [None], [None], [1.0], game=game) == Thought([1], [None], [None], [1.0])


def test_a_result_has_intervals() -> None:
    played = kibitz.play("uno", ["rules", "random"], games=50, seed=1)
    shown = played._repr_html_()
    rows = parsed(shown).findall(".//tr")
    assert [row[0].text for row in rows] == ["agent", "rules", "random"]
    rate = played.agents[0].win_rate
    assert f"[{100 * rate.low:.3g}, {100 * rate.high:.3g}]" in shown


def test_names_are_escaped() -> None:
    class Odd(RandomAgent):
        name = "<b>&"

    assert "&lt;b&gt;&amp;" in kibitz.play("tictactoe", [Odd(), "random"], games=2)._repr_html_()
