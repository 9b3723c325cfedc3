"""Thinking in pieces: rounds are the same however they are cut, deepen, and know the view only."""

from __future__ import annotations

import pytest

import kibitz
from kibitz import advice
from kibitz.advice import thinking
from kibitz.advice.thinking import Thinking


def _view(spec: str, seed: int = 5) -> kibitz.View:
    state = kibitz.make(spec).deal(seed)
    while len(state.legal()) < 2:
        state.apply(state.legal()[0])
    return state.view(state.to_act)


@pytest.mark.parametrize("spec", ["uno:players=4", "belote", "doudizhu:bidding=true", "connect_four", "gdl:file=hex_3"])
def test_rounds_do_not_depend_on_how_they_are_cut(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    view = _view(spec)
    reports = []
    for milliseconds in (1.0, 1e6):
        monkeypatch.setattr(thinking, "PIECE_MS", milliseconds)
        work, found = Thinking(view, deepest=1.0), []
        while not work.finished:
            found.append(work.piece())
        reports.append([report for report in found if report is not None])
    assert reports[0] == reports[1]
    iterations = [report.iterations or 0 for report in reports[0]]
    assert iterations == sorted(set(iterations))
    assert len(iterations) > 3
    assert [report.done for report in reports[0]] == [False] * (len(iterations) - 1) + [True]
    assert not reports[0][-1].caveats  # the adviser's whole budget


def test_what_cannot_be_divided_says_something_soon() -> None:
    work = Thinking(_view("tictactoe"))
    first, second = work.piece(), work.piece()
    assert first is not None
    assert second is not None
    assert (first.done, second.done, work.finished) == (False, True, True)
    assert {opinion.value for opinion in second.actions} == {0.0}


@pytest.mark.parametrize("level", ["beginner", "club", "best"])
def test_levels_have_opinions(level: str) -> None:
    view = _view("uno:players=3")
    report = Thinking(view, advice.level(view.game, level).spec, deepest=1.0).all()
    assert sorted(opinion.action for opinion in report.actions) == view.legal()
    assert report.done


def test_groups_costs_and_chances_fit_together() -> None:
    report = Thinking(_view("connect_four"), deepest=0.25).all()
    assert report.actions[0].action == report.best
    assert [opinion.group for opinion in report.actions] == sorted(opinion.group for opinion in report.actions)
    for opinion in report.actions:
        assert (opinion.group > 0) == opinion.worse == bool(opinion.cost)
        assert opinion.value is not None
        assert opinion.win == pytest.approx((opinion.value + 1) / 2)


def test_stopped_it_says_no_more() -> None:
    work = Thinking(_view("uno:players=3"))
    assert work.piece() is not None
    work.stop()
    assert work.piece() is None
    assert work.finished
    idle = Thinking(_view("uno:players=3"))
    idle.stop()
    with pytest.raises(ValueError, match="stopped"):
        idle.all()


def test_there_must_be_something_to_decide() -> None:
    state = kibitz.make("uno", players=3).deal(1)
    with pytest.raises(ValueError, match="not to act"):
        Thinking(state.view((state.to_act + 1) % 3))


def test_differences_are_called_so() -> None:
    """The adviser of Belote with bidding plays for the difference between the sides."""
    game = kibitz.make("belote", bidding=True)
    state = game.deal(seed=3)
    said = Thinking(state.view(state.to_act)).all()
    assert "than the other side" in said.summary
    assert all("than the other side" in opinion.worth for opinion in said.actions)
