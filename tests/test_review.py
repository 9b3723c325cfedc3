"""kibitz review, as its user runs it: in a subprocess, in 80 columns, and step by step in a pseudo-terminal."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_judge import played

import kibitz
from kibitz import record_files
from kibitz.terminal.painter import painter_of

MAIN = [sys.executable, "-c", "from kibitz.cli import main; main()"]
SMALL = ("--effort", "40", "--seed", "1")


def review(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    plain = os.environ | {"COLUMNS": "80", "PYTHONIOENCODING": "utf-8"} | environment
    return subprocess.run([*MAIN, "review", *arguments], capture_output=True, text=True, check=False, env=plain)


def called(text: str) -> str:
    """An action of Belote as the table writes it."""
    game = kibitz.make("belote", bidding=True)
    return painter_of(game)(game, (), 80).name(text)


@pytest.fixture(scope="module")
def belote(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("review") / "belote.json"
    played("belote:bidding=true", seed=5, player="rules").save(path)
    return path


def test_a_game_is_gone_through_within_80_columns(belote: Path) -> None:
    done = review(str(belote), *SMALL)
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(len, done.stdout.splitlines())) <= 80
    told = json.loads(review(str(belote), *SMALL, "--json").stdout)
    assert told["seats"] == [0]  # the person's
    for decision in told["decisions"]:
        assert f"Move {decision['move']} of " in done.stdout
        assert f"Ada played {called(decision['text'])}: {decision['verdict']}" in done.stdout
    n = len(told["decisions"])
    assert done.stdout.count("What you could know") == done.stdout.count("The cards as they lay") == n
    assert done.stdout.count("what Ada could see:") == n
    assert "moment" in done.stdout.lower()


def test_brief_has_a_line_for_each_decision(belote: Path) -> None:
    done = review(str(belote), *SMALL, "--brief", "--seat", "2")
    told = json.loads(review(str(belote), *SMALL, "--seat", "2", "--json").stdout)
    assert done.returncode == 0
    assert max(map(len, done.stdout.splitlines())) <= 80
    table = done.stdout.split("\n\n")[0]
    for decision in told["decisions"]:
        begin = f"{decision['move']}  {called(decision['text'])}  "
        assert any(line.lstrip().startswith(begin) for line in table.splitlines())
    assert "Ada sees" not in done.stdout


def test_moments_are_sorted_by_cost(tmp_path: Path) -> None:
    path = tmp_path / "mini.json"
    played("mini_doudizhu", seed=8).save(path)
    done = review(str(path), "--seat", "1", "--brief")
    told = json.loads(review(str(path), "--seat", "1", "--json").stdout)
    losses = {decision["move"]: decision for decision in told["decisions"]}
    bad = [move for move in told["moments"] if losses[move]["known"]["bad"]]
    assert len(bad) >= 2
    assert [losses[move]["known"]["loss"] for move in bad] == sorted(
        (losses[move]["known"]["loss"] for move in bad), reverse=True
    )
    end = done.stdout.split("Moments worth another look")[1]
    shown = [int(line.split()[0]) for line in end.splitlines() if line.strip()[:1].isdecimal()]
    assert shown == told["moments"]
    assert "gave away" in end


def test_one_game_of_many_is_chosen(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with record_files.writing_all(path) as add:
        for seed in (1, 2, 3):
            add(played("mini_doudizhu", seed=seed))
    refused = review(str(path))
    assert refused.returncode == 2
    assert "3 games: choose one with --number 1 to 3" in refused.stderr
    third = json.loads(review(str(path), "--number", "3", "--json").stdout)
    want = played("mini_doudizhu", seed=3)
    assert all(want.actions[decision["move"] - 1] == decision["text"] for decision in third["decisions"])
    assert "no number 4" in review(str(path), "--number", "4").stderr


def test_seats_go_by_number_or_name(belote: Path) -> None:
    by_name = review(str(belote), *SMALL, "--seat", "rules 2", "--json").stdout
    assert by_name == review(str(belote), *SMALL, "--seat", "2", "--json").stdout
    assert json.loads(by_name)["seats"] == [2]
    refused = review(str(belote), "--seat", "Zoe")
    assert refused.returncode == 2
    assert "the seats are: 0 Ada, 1 rules 1" in refused.stderr


def test_a_file_that_is_no_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("{}")
    done = review(str(path))
    assert done.returncode == 2
    assert "not the record of a game" in done.stderr
    assert review(str(tmp_path / "none.json")).returncode == 2


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals")
def test_a_reader_steps_through_in_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "mini.json"
    played("mini_doudizhu", seed=8).save(path)
    import pty

    master, slave = pty.openpty()
    environment = os.environ | {"COLUMNS": "80", "LINES": "24", "TERM": "xterm"}
    child = subprocess.Popen([*MAIN, "review", str(path)], stdin=slave, stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    said = ""

    def until(words: str) -> str:
        """What is printed up to these words; the limit only keeps a test that fails from hanging."""
        nonlocal said
        end = time.monotonic() + 120
        while words not in said:
            assert time.monotonic() < end, said
            if select.select([master], [], [], 1)[0]:
                said += os.read(master, 65536).decode(errors="replace")
        before, _, said = said.partition(words)
        return before

    first = until("b: back -- ")
    os.write(master, b"\n")
    second = until("b: back -- ")
    os.write(master, b"b\n")
    again = until("b: back -- ")
    os.write(master, b"q\n")
    until("Ada: ")
    assert child.wait(timeout=120) == 0
    os.close(master)
    heads = [page[page.index("Move ") :].split(",")[0] for page in (first, second, again)]
    assert heads[0] == heads[2] != heads[1]
