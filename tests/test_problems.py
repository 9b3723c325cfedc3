"""Problems: those of the package are what their format says, can be found again, and are solved at the terminal."""

from __future__ import annotations

import copy
import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import kibitz
from kibitz import cli, problems
from kibitz.problems import Problems, find
from kibitz.terminal import problems as asking
from kibitz.web.catalogue import OFFERS

LEAST, MOST = 8, 12  # problems of a game


def test_every_game_of_the_table_has_problems() -> None:
    assert problems.names() == sorted(OFFERS)


@pytest.mark.parametrize("name", OFFERS)
def test_problems_of_the_package(name: str) -> None:
    """Read and checked; one move is better than all others beyond its error, twice, and a level misses it."""
    found = problems.of(name)
    assert LEAST <= len(found.problems) <= MOST
    assert found.made["command"].startswith(f"kibitz problems {name} --find")
    assert len({json.dumps(problem.position, sort_keys=True) for problem in found.problems}) == len(found.problems)
    for problem in found.problems:
        for move in problem.moves[1:]:
            assert move.loss > 2 * (move.loss_error or 0.0)
        loss, error = problem.again["loss"], problem.again["error"]
        assert loss is not None
        assert error is not None
        assert loss > 2 * error
        assert problem.exact == (error == 0)
        missed = [share for share in problem.found.values() if share <= 0.5]
        assert problem.difficulty == min(problems.HARDEST, len(missed)) >= 1
        state = problem.view().game.deal(int(problem.deal))  # the deal that the position came from
        assert state.game.name == name
    difficulties = [problem.difficulty for problem in found.problems]
    assert difficulties == sorted(difficulties)


@pytest.mark.parametrize("name", ["tictactoe", "mini_doudizhu", "hex"])
def test_exact_problems_are_solved_again(name: str) -> None:
    for problem in problems.of(name).problems[:4]:
        view = problem.view()
        game = view.game
        if name == "mini_doudizhu":
            search = game.search(view, "expectimax")
            search.run()
            values = dict(zip(search.thought().actions, search.thought().values, strict=True))
        else:
            values = dict(game.solve(view.sample(0), nodes=find.NODES, all_actions=True).values)
        best = max(values, key=values.__getitem__)
        assert game.text(best) == problem.best
        assert sorted(values.values())[-2] < values[best]
        assert {move.text: pytest.approx(move.value, abs=1e-3) for move in problem.moves} == {
            game.text(action): value for action, value in values.items()
        }


def test_the_command_finds_them_again(tmp_path: Path) -> None:
    """What the file of a game says of how it was made is true."""
    made = problems.of("tictactoe").made["command"].split()[1:]
    assert cli.run([*made[:-1], str(tmp_path / made[-1])]) == 0
    assert (tmp_path / "tictactoe.json").read_bytes() == (problems.DATA / "tictactoe.json").read_bytes()


def test_what_is_chosen_differs() -> None:
    pool = [*problems.of("belote").problems]
    chosen = find.choose(pool, 4)
    assert len(chosen) == len({find.kind(problem) for problem in chosen}) == 4


def _changed(change: Any) -> dict[str, Any]:
    data = copy.deepcopy(problems.of("tictactoe").to_json())
    change(data)
    return data


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda data: data.update(format="x"), "not a file of problems"),
        (lambda data: data.update(version=2), "problems of version 2; this program reads version 1"),
        (lambda data: data.update(more=1), "unknown member 'more'"),
        (lambda data: data["problems"][0].pop("deal"), "problem 1 has no 'deal'"),
        (lambda data: data["problems"][0].update(difficulty=4), "difficulty of problem 1 must be 1 to 3"),
        (lambda data: data["problems"][1]["moves"].pop(), "moves of problem 2 are not the legal ones"),
        (lambda data: data["problems"][0]["moves"][1].update(loss=0), "no move that is better"),
        (
            lambda data: data["problems"][0]["position"].update(board=["xx.", "...", "..."]),
            "problem 1: the board has 2 x",
        ),
        (
            lambda data: data["problems"][0].update(position=dict(data["problems"][0]["position"], seat=1)),
            "seat to act",
        ),
        (lambda data: data.update(game="hex"), "problem 1 is of tictactoe, not of hex"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(change: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Problems.from_json(_changed(change))


def test_files_round_trip(tmp_path: Path) -> None:
    for name in ("uno", "doudizhu"):
        problems.of(name).save(tmp_path / "some.json")
        assert Problems.load(tmp_path / "some.json") == problems.of(name)


# ---- at the terminal


def _asked(*typed: str, name: str = "tictactoe", first: int = 1) -> tuple[int, str]:
    console, lines = Console(record=True, width=100, file=io.StringIO()), iter(typed)

    def read(_: str) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    solved = asking.ask(problems.of(name), console, first=first, read=read)
    return solved, console.export_text()


@pytest.mark.parametrize("name", OFFERS)
def test_every_problem_can_be_answered(name: str) -> None:
    listed = problems.of(name).problems
    solved, said = _asked(*(problem.best for problem in listed), name=name)
    assert solved == len(listed)
    assert said.count("Right.") == len(listed)


def test_wrong_answers_hints_and_the_solution() -> None:
    first = problems.of("tictactoe").problems[0]
    solved, said = _asked(first.moves[2].text, "nonsense", "/hint", first.best, "/show", "/quit")
    assert solved == 0
    assert f"No: {first.moves[2].text} costs {first.moves[2].cost}" in said
    assert "'nonsense' is nothing you can do now" in said
    assert f"Not {first.moves[1].text}" in said
    assert "0 of 2 solved" in said


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert cli.run(["problems"]) == 0
    assert "uno: 12 problems" in capsys.readouterr().out
    for arguments, says in (
        (["problems", "chess"], "there are no problems of 'chess'"),
        (["problems", "uno", "--number", "99"], "no number 99"),
        (["problems", "uno", "--find", "1"], "--find needs --out"),
        (["problems", "uno", "--players", "2"], "--players is for --find"),
    ):
        assert cli.run(arguments) != 0
        assert says in capsys.readouterr().err


def test_positions_are_views_of_who_is_to_act() -> None:
    for name in OFFERS:
        for problem in problems.of(name).problems:
            view = problem.view()
            hidden = kibitz.make(name).can("worlds") or name in ("uno", "belote", "doudizhu")
            others = [hand for seat, hand in enumerate(problem.position.get("hands", [])) if seat != view.seat]
            assert all(isinstance(hand, dict) for hand in others) or not hidden
