"""Comfort at the command line and in Python: hints, own files, functions as agents, tables that fit."""

from __future__ import annotations

import ast
import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rich.table import Table
from test_readme import ROOT

import kibitz
from kibitz import meant, protocols, registry
from kibitz.agents.function import FunctionAgent, is_policy
from kibitz.terminal.fitting import Fitting

MAIN = [sys.executable, "-c", "from kibitz.cli import main; main()"]


OWN = f'''
"""A game and two agents of a user, in one file."""
import sys

sys.path.append({str(ROOT / "tests")!r})
import kibitz
from toy_game import ToyGame


@kibitz.register_game("my_poker")
class MyPoker(ToyGame):
    """Poker with one card."""


@kibitz.register_agent("lowest")
def lowest(view):
    return view.legal()[0]
'''


def command(*arguments: str, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    surroundings = os.environ | {"PYTHONIOENCODING": "utf-8"} | environment
    return subprocess.run([*MAIN, *arguments], capture_output=True, text=True, check=False, cwd=cwd, env=surroundings)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "file_of_mine.py"
    path.write_text(OWN)
    return path


# ------------------------------------------------------------------------------------------------ games


def test_games_shows_players_and_a_line() -> None:
    done = command("games", COLUMNS="80")
    assert done.returncode == 0
    rows = {cells[1].strip(): cells for line in done.stdout.splitlines() if len(cells := line.split("│")) == 5}
    assert rows.keys() >= set(kibitz.games())
    assert rows["uno"][2].strip() == "2 to 10"
    assert rows["doudizhu"][2].strip() == "3"
    assert all(row[3].strip() for row in rows.values())


# ------------------------------------------------------------------------------------------------ did you mean


@pytest.mark.parametrize(
    ("line", "close"),
    [
        (["match", "unno", "--agents", "rules,random"], "uno"),
        (["match", "uno", "--agents", "rules,randm"], "random"),
        (["match", "uno", "--agents", "rules,mcs:iteration=5"], "iterations"),
        (["match", "uno", "--agents", "rules,level:clb"], "club"),
        (["games", "uno:playrs=3"], "players"),
        (["show", "uno", "-o", "stackin=true"], "stacking"),
        (["show", "uno", "--rules", "rlcrd"], "rlcard"),
        (["match", "uno", "--agents", "rules,net:uno-3"], "uno-3p"),
        (["train", "dqnn", "--out", "x"], "dqn"),
        (["reproduce", "strength/level"], "strength/levels"),
        (["mach"], "match"),
        (["review", "x.json", "--breif"], "--brief"),
        (["match", "uno", "--agents", "rules,random", "--format", "jsn"], "json"),
    ],
)
def test_errors_ask_what_was_meant(line: list[str], close: str) -> None:
    done = command(*line)
    assert done.returncode == 2
    assert re.search(rf"[Dd]id you mean ['\"]?{close}\b", done.stderr), done.stderr
    assert done.stderr.count("\n") == 1


def test_nothing_is_suggested_that_is_not_alike() -> None:
    assert "did you mean" not in command("show", "chess").stderr.lower()
    assert meant.nearest("chess", ["uno", "hex"]) is None
    assert meant.nearest("UNO", ["uno", "hex"]) == "uno"
    with pytest.raises(ValueError, match="did you mean 'belote'"):
        kibitz.make("bellote")


# ------------------------------------------------------------------------------------------------ files of one's own


@pytest.mark.parametrize(
    ("line", "shows"),
    [
        (["games"], "Poker with one card"),
        (["games", "my_poker"], "players"),
        (["match", "my_poker", "--agents", "lowest,random", "--games", "20", "--threads", "2"], "lowest"),
        (["match", "uno", "--agents", "lowest,rules", "--games", "4", "--threads", "2"], "lowest"),
        (["show", "my_poker", "--seed", "3", "--check"], "2 players"),
        (["rules", "my_poker"], "fold, stay"),
    ],
)
def test_every_command_knows_what_a_file_registers(own: Path, line: list[str], shows: str) -> None:
    for words in ([*line, "--import", str(own)], [f"--import={own}", *line]):
        done = command(*words)
        assert done.returncode == 0, done.stderr
        assert shows in done.stdout
    assert command(*line).returncode == 2 or line == ["games"]


def test_an_own_agent_thinks_and_plays(own: Path) -> None:
    position = command("show", "uno", "--seed", "7", "--json").stdout
    file = own.with_name("position.json")
    file.write_text(position)
    thought = command("think", str(file), "--agent", "lowest", "--import", str(own))
    assert thought.returncode == 0, thought.stderr
    assert "lowest" in thought.stdout
    line = ["play", "my_poker", "--agents", "lowest", "--seat", "0", "--seed", "1", "--import", str(own)]
    done = subprocess.run([*MAIN, *line], input="fold\n", capture_output=True, text=True, check=False)
    assert "unknown" not in done.stderr
    assert "Traceback" not in done.stderr


def test_own_files_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    (tmp_path / "silent_file.py").write_text("x = 1\n")
    (tmp_path / "broken_file.py").write_text("1 / 0\n")
    (tmp_path / "sub").mkdir()  # not beside us, where it would be the json of Python itself
    (tmp_path / "sub" / "json.py").write_text("")
    for name, said in {
        "silent_file.py": "registers neither a game nor an agent",
        "broken_file.py": "ZeroDivisionError",
        "sub/json.py": "another module is called 'json'",
        "none_there.py": "there is no file",
        "notes.txt": "no file of Python",
    }.items():
        done = command("games", "--import", name, cwd=tmp_path)
        assert done.returncode == 2
        assert said in done.stderr
        assert done.stderr.count("\n") == 1
    assert "needs a file" in command("games", "--import").stderr


@pytest.mark.parametrize("name", ["match", "play", "think", "show", "train", "review", "games"])
def test_help_tells_of_own_files(name: str) -> None:
    assert "--import my.py" in " ".join(command(name, "--help").stdout.split())


# ------------------------------------------------------------------------------------------------ functions


def first(view: Any) -> int:
    return int(view.legal()[0])


def test_a_plain_function_is_an_agent() -> None:
    made = kibitz.agent(first)
    assert isinstance(made, FunctionAgent)
    assert made.name == "first"
    state = kibitz.make("uno").deal(1)
    view = state.view(state.to_act)
    assert made.act(view) == view.legal()[0]
    assert made.think(view).best == view.legal()[0]
    result = kibitz.play("tictactoe", [first, "random"], games=4, seed=1)
    assert [agent.name for agent in result.agents] == ["first", "random"]
    assert kibitz.play("tictactoe", [first, lambda view: view.legal()[-1]], games=4, threads=1).games == 4
    assert kibitz.series("uno:scoring=points", [first, "rules"], to=50, series=2, seed=1).games == 2


def test_a_function_must_return_an_action() -> None:
    def nothing(view: Any) -> Any:
        return None

    view = kibitz.make("tictactoe").deal(0).view(0)
    with pytest.raises(ValueError, match="must return an action, a whole number, not None"):
        FunctionAgent(nothing).act(view)


def test_factories_are_no_policies() -> None:
    def source(source: str) -> Any: ...
    def options(*, depth: int = 3) -> Any: ...
    def many(*views: Any) -> Any: ...

    assert is_policy(first)
    assert not any(map(is_policy, (source, options, many, FunctionAgent, 3)))


def test_a_registered_function_takes_no_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._agents.added, "mine", first)
    assert kibitz.agent("mine").name == "mine"
    with pytest.raises(ValueError, match="'mine' is a function of the view: it takes no options"):
        kibitz.agent("mine:depth=3")


# ------------------------------------------------------------------------------------------------ players


def test_the_number_of_players_is_that_of_the_agents() -> None:
    result = kibitz.play("uno", ["rules", "random", "random", "random"], games=4, seed=1)
    assert result.options["players"] == 4
    assert kibitz.play("uno:rules=rlcard", ["random"] * 3, games=3).options["players"] == 3
    with pytest.raises(ValueError, match="uno has 2 players, but 3 agents"):
        kibitz.play("uno:players=2", ["random"] * 3)
    with pytest.raises(ValueError, match="belote has 4 players, but 3 agents"):
        kibitz.play("belote", ["random"] * 3)
    with pytest.raises(ValueError, match="from 2 to 10"):
        kibitz.play("uno", ["random"] * 11)


# ------------------------------------------------------------------------------------------------ tables


@pytest.mark.parametrize("width", [30, 45, 60, 80, 160])
def test_no_figure_is_cut_off_however_narrow(width: int) -> None:
    result = kibitz.play("uno", ["rules", "random", "random"], games=30, seed=1)
    text = io.StringIO()
    Console(file=text, width=width, color_system=None).print(Fitting(result.table()))
    assert max(map(len, text.getvalue().splitlines())) <= width
    assert "…" not in text.getvalue()
    shown = re.sub(r"[\s│]+", " ", text.getvalue())
    for agent in result.agents:
        low, high = 100 * agent.win_rate.low, 100 * agent.win_rate.high
        assert f"{low:.2f}" in shown
        assert f"{high:.2f}" in shown


def test_a_table_that_fits_stays_a_table() -> None:
    table = Table("agent", "win rate")
    table.add_row("rules", "41% [39, 43]")
    wide, narrow = io.StringIO(), io.StringIO()
    Console(file=wide, width=40).print(Fitting(table))
    Console(file=narrow, width=12).print(Fitting(table))
    assert "│" in wide.getvalue()
    assert "│" not in narrow.getvalue()
    assert "win rate:" in narrow.getvalue()


# ------------------------------------------------------------------------------------------------ docstrings


def test_docstrings_name_options_that_exist() -> None:
    spec = re.compile(r"\b([a-z][a-z_-]*):((?:[A-Za-z./-]+,)?[a-z_]+=\w+(?:\.\d+)?)")
    seen = 0
    for path in (ROOT / "src" / "kibitz").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                continue
            for found in spec.finditer(ast.get_docstring(node) or ""):
                name, rest = found[1], found[2]
                if name == "name":
                    continue
                seen += 1
                check_spec(f"{name}:{rest}".replace("FILE", "uno-3p"))
    assert seen >= 3


def check_spec(text: str) -> None:
    """ValueError where a game or an agent has no such option."""
    if registry.parse_spec(text).name in kibitz.games():
        kibitz.make(text)
    else:
        protocols.native(kibitz.agent(text), kibitz.make("uno", players=3, rules="rlcard"))
