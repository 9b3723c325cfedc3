"""The command line: what it prints, how it refuses, how it ends."""

from __future__ import annotations

import importlib
import io
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console
from toy_game import ToyGame
from variants import Variant, native_variants

import kibitz
from kibitz import cli, gdl, positions, registry
from kibitz._core import Seeds
from kibitz.cli import bench, run
from kibitz.cli.common import inputs
from kibitz.terminal import progress
from kibitz.terminal.table import Table, distinct

MAIN = [sys.executable, "-c", "from kibitz.cli import main; main()"]


def dealt(**changes: Any) -> dict[str, Any]:
    """A sound position of three-player Uno, with changes."""
    game = kibitz.make("uno", players=3)
    position: dict[str, Any] = game.position(game.deal(seed=7))
    return position | changes


def crowded() -> dict[str, Any]:
    """109 cards: one more than the deck has."""
    position = dealt()
    position["hands"][0].append("b-9")
    return position


def negative() -> dict[str, Any]:
    game = kibitz.make("uno", players=3)
    position: dict[str, Any] = game.position(game.deal(seed=7).view(0))
    position["hands"][1] = {"count": -1}
    return position


BAD = {
    "unknown command": (["mach"], "mach"),
    "unknown game": (["match", "chess", "--agents", "random,random"], "uno"),
    "unknown game to play": (["play", "chess"], "uno"),
    "unknown game to show": (["show", "chess"], "uno"),
    "unknown game to bench": (["bench", "chess"], "uno"),
    "unknown game to describe": (["games", "chess"], "uno"),
    "unknown agent": (["match", "uno", "--agents", "rules,clever"], "random, rlcard-rules, rules"),
    "unknown agent to play": (["play", "uno", "--agents", "rules,clever"], "random, rlcard-rules, rules"),
    "file for another game": (["play", "uno", "--file", "hex_3"], "'file'"),
    "agent for open games": (
        ["play", "gdl", "--file", "kuhn_poker", "--agents", "uct"],
        "no uct agent: that needs a game in which nothing is hidden, not even moves at the same time; it has",
    ),
    "option of an agent": (["match", "uno", "--agents", "rules:depth=3,random"], "depth"),
    "one player": (["match", "uno", "--agents", "rules"], "from 2 to 10"),
    "eleven players": (["match", "uno", "--agents", ",".join(["random"] * 11)], "from 2 to 10"),
    "one player to play": (["play", "uno", "--players", "1"], "from 2 to 10"),
    "eleven players to play": (["play", "uno", "--players", "11"], "from 2 to 10"),
    "agents do not fit players": (["match", "uno", "--agents", "rules,random", "--players", "3"], "3 players"),
    "empty agent": (["match", "uno", "--agents", "rules,,random"], "empty"),
    "human in a match": (["match", "uno", "--agents", "human,random"], "kibitz play"),
    "no games": (["match", "uno", "--agents", "rules,random", "--games", "0"], "from 1 to 1,000,000,000"),
    "no series": (["match", "uno", "--agents", "rules,random", "--series", "0"], "from 1 to 1,000,000"),
    "games are no number": (["match", "uno", "--agents", "rules,random", "--games", "many"], "many"),
    "unknown option": (["match", "uno", "--agents", "rules,random", "--gmaes", "5"], "--games"),
    "unknown option of show": (["show", "--chek"], "--chek"),
    "superfluous argument": (["match", "uno", "more", "--agents", "rules,random"], "more"),
    "agents left out": (["match", "uno"], "--agents"),
    "unknown option of the game": (["match", "uno", "--agents", "rules,random", "-o", "speed=3"], "stacking"),
    "option without value": (["match", "uno", "--agents", "rules,random", "-o", "stacking"], "key=value"),
    "option given twice": (["play", "uno", "--players", "3", "-o", "players=4"], "twice"),
    "value not allowed": (["match", "uno", "--agents", "rules,random", "--rules", "house"], "official, rlcard"),
    "format": (["match", "uno", "--agents", "rules,random", "--format", "xml"], "csv"),
    "folder missing": (
        ["match", "uno", "--agents", "rules,random", "--out", "/no/such/place/x.json"],
        "/no/such/place",
    ),
    "threads": (["match", "uno", "--agents", "rules,random", "--threads", "-1"], "threads"),
    "seed": (["show", "uno", "--seed", "-1"], "seed"),
    "seat": (["show", "uno", "--seat", "2"], "0..1"),
    "seat to play": (["play", "uno", "--seat", "3"], "0..2"),
    "move that is no action": (["show", "uno", "--moves", "r-99"], "r-99"),
    "move that is illegal": (["show", "uno", "--moves", "accept"], "draw"),
    "file missing": (["show", "nowhere.json"], "nowhere.json"),
    "seconds": (["bench", "uno", "--seconds", "0"], "seconds"),
    "options without game": (["bench", "--players", "3"], "GAME"),
    "unknown experiment": (["reproduce", "li/fig99"], "li/fig2"),
    "scale": (["reproduce", "li/fig2", "--scale", "0"], "scale"),
}


def refused(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> str:
    """Runs a command that must fail for bad input; its one line of explanation."""
    assert run(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("kibitz: ")
    assert said.err.endswith("\n")
    assert said.err.count("\n") == 1, said.err
    assert "Traceback" not in said.err
    return said.err


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_that_says_what_is_allowed(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, expected = BAD[case]
    assert expected in refused(capsys, arguments)


BAD_POSITIONS: dict[str, tuple[Any, str]] = {
    "109 cards": (crowded, "b-9"),
    "107 cards": (lambda: dealt(pile=dealt()["pile"][1:]), "107"),
    "unknown card": (lambda: dealt(target="r-11"), "r-11"),
    "unknown card in a hand": (lambda: dealt(hands=[["purple-3"], ["r-1"], ["r-2"]]), "purple-3"),
    "negative count": (negative, "-1"),
    "hand missing": (lambda: dealt(hands=[["r-1"], ["r-2"]]), "hands"),
    "eleven players": (lambda: dealt(players=11), "from 2 to 10"),
    "unknown member": (lambda: dealt(colour="red"), "colour"),
    "unknown game": (lambda: dealt(game="chess"), "chess"),
    "game is no text": (lambda: dealt(game=3), "game"),
    "number beyond 64 bits": (lambda: dealt(idle=10**30), "64 bits"),
    "no object": (lambda: [dealt()], "not a position"),
    "not JSON": (lambda: "what?", "not JSON"),
    "empty": (lambda: "", "not JSON"),
    "nested": (lambda: "[" * 100_000, "nested"),
}


@pytest.mark.parametrize("case", BAD_POSITIONS)
def test_bad_positions(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make, expected = BAD_POSITIONS[case]
    content = make()
    path = tmp_path / "position.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    for arguments in (["show", str(path)], ["show", "--check", str(path)]):
        said = refused(capsys, arguments)
        assert expected in said
        assert "position.json" in said


def test_bytes_that_are_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "position.json"
    path.write_bytes(b"\xff\xfe\x00\x81")
    assert "not JSON" in refused(capsys, ["show", str(path)])


def test_the_program_itself_ends_with_the_code() -> None:
    done = subprocess.run([*MAIN, "match", "chess", "--agents", "a,b"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == f"kibitz: unknown game 'chess'; known games: {', '.join(kibitz.games())}\n"


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.strip() == kibitz.__version__
    for command in ("games", "play", "match", "show", "think", "gdl", "ggp", "bench", "reproduce"):
        assert run([command, "--help"]) == 0
        said = capsys.readouterr()
        assert f"kibitz {command}" in said.out.split("Examples:")[1]
        assert len(said.out.splitlines()) < 50


def test_every_command_is_the_file_of_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(cli.__file__).parent
    files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    commands = {name for name in cli.app if not name.startswith("-")}
    assert commands == files
    for name in commands:
        assert importlib.import_module(f"kibitz.cli.{name}").app.name == (name,)
    assert run(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"\u2502 {name} " in shown for name in commands)


def test_a_lack_of_memory_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def greedy() -> list[str]:
        raise MemoryError("Unable to allocate 74.5 GiB")

    monkeypatch.setattr(kibitz, "games", greedy)
    assert run(["games"]) == 2
    assert capsys.readouterr().err == "kibitz: not enough memory: Unable to allocate 74.5 GiB\n"


@pytest.mark.skipif(os.name == "nt", reason="POSIX shells")
@pytest.mark.parametrize(
    ("command", "closed", "code"),
    [
        ("show -", "<&-", 2),
        ("games", ">&-", 0),
        ("show uno", ">&-", 0),
        ("play tictactoe --agents random", "<&-", 0),
        ("play tictactoe --agents random", ">&- </dev/null", 0),
        ("nonsense", "2>&-", 2),
    ],
)
def test_closed_streams(command: str, closed: str, code: int) -> None:
    line = f'"$0" -c "from kibitz.cli import main; main()" {command} {closed}'
    done = subprocess.run(["sh", "-c", line, sys.executable], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes")
@pytest.mark.parametrize("command", [["games"], ["show", "uno", "--json"], ["train"]])
def test_a_reader_that_has_gone_is_no_error(command: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "wb") as out:
        done = subprocess.run([*MAIN, *command], stdout=out, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_brackets_are_no_markup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("[").mkdir()
    for name in ("a[b]c.kif", "[/x].kif"):
        Path(name).write_text(gdl.find("tictactoe").read_text())
        game, play = f"gdl:file={name}", ["--agents", "random,random", "--games", "2"]
        for command in (["games", game], ["match", game, *play], ["match", game, *play, "--out", "table.txt"]):
            assert run(command) == 0
            assert name in capsys.readouterr().out
        assert name in Path("table.txt").read_text()


def test_a_mistake_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> list[str]:
        raise ZeroDivisionError

    monkeypatch.setattr(kibitz, "games", broken)
    with pytest.raises(ZeroDivisionError):
        run(["games"])


# ------------------------------------------------------------------------------------------------------ games, show


def test_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games"]) == 0
    assert "uno" in capsys.readouterr().out
    assert run(["games", "uno:players=4"]) == 0
    out = capsys.readouterr().out
    rows = {line.split("│")[1].strip(): line for line in out.splitlines() if line.startswith("│")}
    cells = [cell.strip() for cell in rows["players"].split("│")[1:-1]]
    assert cells == ["players", "4", "2", "a whole number from 2 to 10"]
    assert "official, rlcard" in rows["rules"]
    assert "true or false" in rows["stacking"]
    assert "4 x 4 x 15" in rows["li"]
    assert "peeks" in rows["brown"]
    assert "peeks" not in rows["brown-fair"]
    agents = next(line for line in out.splitlines() if line.startswith("agents"))
    assert {"human", "random", "rules", "value-mcts"} <= set(agents.replace(",", " ").split())
    assert "bytes" in out


@pytest.mark.parametrize("name", sorted(kibitz._core.games()))
def test_every_game_is_described_shown_and_played(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = kibitz.make(name)
    assert run(["games", name]) == 0
    said = capsys.readouterr().out
    assert all(f" {option} " in said for option in game.options)
    assert "?" not in said, "an option that does not say what it may be"
    assert run(["show", name, "--seed", "3"]) == 0
    assert capsys.readouterr().out == f"{game.deal(3)}\n"
    path = tmp_path / "position.json"
    for seat in ([], ["--seat", "1"]):
        assert run(["show", name, "--seed", "3", "--json", *seat]) == 0
        path.write_text(capsys.readouterr().out)
        assert run(["show", str(path)]) == 0
        assert capsys.readouterr().out == f"{game.deal(3).view(1) if seat else game.deal(3)}\n"
    agents = ",".join(["random"] * game.players)
    assert run(["match", name, "--agents", agents, "--games", "12", "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["game"] == name
    assert result["games"] == 12


@pytest.mark.parametrize("variant", native_variants(), ids=str)
def test_a_position_tells_the_options_of_its_game(variant: Variant) -> None:
    game = variant.make()
    state = game.deal(3)
    for _ in range(5):
        if not state.over:
            state.apply(state.legal()[-1])
        for thing in (state, state.view(game.players - 1)):
            assert kibitz.make(game.name, **positions.options(game.position(thing))) == game


def test_show_deals_and_reads_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deal = ["show", "uno", "--players", "3", "--seed", "7", "-o", "stacking=true"]
    assert run([*deal, "--json"]) == 0
    path = tmp_path / "p.json"
    path.write_text(capsys.readouterr().out)
    assert json.loads(path.read_text())["stacking"] is True
    assert run(deal) == 0
    picture = capsys.readouterr().out
    assert picture == f"{kibitz.make('uno', players=3, stacking=True).deal(seed=7)}\n"
    assert run(["show", str(path)]) == 0
    assert capsys.readouterr().out == picture
    assert run(["show", "--check", str(path)]) == 0
    assert capsys.readouterr().out == "ok: uno, 3 players, seat 2 to act\n"


def test_show_reads_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(dealt()).encode())))
    assert run(["show", "-", "--check"]) == 0
    assert capsys.readouterr().out.startswith("ok: uno, 3 players")


def test_show_a_seat_hides_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "uno", "--players", "3", "--seed", "7", "--seat", "1", "--json"]) == 0
    text = capsys.readouterr().out
    position = json.loads(text)
    assert position["seat"] == 1
    assert position["hands"][0] == {"count": 7}
    assert len(position["hands"][1]) == 7
    path = tmp_path / "view.json"
    path.write_text(text)
    assert run(["show", str(path)]) == 0
    capsys.readouterr()
    assert "seat 1" in refused(capsys, ["show", str(path), "--seat", "0"])
    assert "unknown" in refused(capsys, ["show", str(path), "--moves", "draw"])


def test_show_moves(capsys: pytest.CaptureFixture[str]) -> None:
    game = kibitz.make("uno")
    state = game.deal(seed=7)
    moves = []
    for _ in range(5):
        moves.append(game.text(state.legal()[-1]))
        state.apply(state.legal()[-1])
    assert run(["show", "uno", "--seed", "7", "--moves", ", ".join(moves)]) == 0
    assert capsys.readouterr().out == f"{state}\n"


# ------------------------------------------------------------------------------------------------------------ match


def match_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run(["match", "uno", "--agents", "rules,random,random", "--format", "json", *arguments]) == 0
    said = capsys.readouterr()
    assert said.err == ""  # quick work shows no progress
    result: dict[str, Any] = json.loads(said.out)
    result.pop("seconds")
    for agent in result["agents"]:
        agent.pop("microseconds_per_move")
    return result


def test_match(capsys: pytest.CaptureFixture[str]) -> None:
    first = match_json(capsys, "--games", "300", "--seed", "1")
    assert first["games"] == 300
    assert [agent["name"] for agent in first["agents"]] == ["rules", "random", "random"]
    assert first["agents"][0]["wins"] > 200
    assert first["options"]["players"] == 3
    assert match_json(capsys, "--games", "300", "--seed", "1", "--threads", "1") == first
    assert match_json(capsys, "--games", "300", "--seed", "2") != first
    rlcard = match_json(capsys, "--games", "300", "--rules", "rlcard")
    assert rlcard["options"]["rules"] == "rlcard"
    assert match_json(capsys, "--games", "300", "-o", "stacking=true", "-o", "seven_zero=true")["options"]["stacking"]


def test_match_in_all_formats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ["match", "uno", "--agents", "rules,random", "--games", "20"]
    assert run(base) == 0
    table = capsys.readouterr().out
    assert "rules" in table
    assert "[" in table  # the intervals survive the markup of the table
    assert run([*base, "--format", "csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("name,")
    for name, first in (("r.csv", "name,"), ("r.json", "{"), ("r.txt", "uno")):
        assert run([*base, "--out", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_text().startswith(first)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.csv", "r.json", "r.txt"]


def test_match_series(capsys: pytest.CaptureFixture[str]) -> None:
    result = match_json(capsys, "--games", "30", "--series", "200")
    assert result["to"] == 200
    assert result["options"]["scoring"] == "points"
    assert max(agent["payoff"]["mean"] for agent in result["agents"]) > 100


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_interrupted_match_prints_what_is_finished() -> None:
    impatient = "progress.PATIENCE = progress.PLAIN_EVERY = 0.0"
    program = f"from kibitz.cli import main; from kibitz.terminal import progress; {impatient}; main()"
    words = ["match", "uno", "--agents", "random,random,random", "--games", str(10**9), "--format", "json"]
    command = [sys.executable, "-c", program, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            assert process.stderr.readline().startswith("match: ")  # so many games are finished
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=300)
        finally:
            process.kill()
    assert process.returncode == 130
    result = json.loads(out)
    assert result["interrupted"] is True
    assert 0 < result["games"] < 10**12
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("text", "specs"),
    [
        ("rules,random", ["rules", "random"]),
        (" rules , random ", ["rules", "random"]),
        ("a:x=1,y=2,b", ["a:x=1,y=2", "b"]),
        ("a:x=1,b:y=2,z=3", ["a:x=1", "b:y=2,z=3"]),
        ("net:file,t=0.5,rules", ["net:file,t=0.5", "rules"]),
        ("a,x=1", ["a,x=1"]),  # not an agent called x: the spec's own error says what is wrong with it
    ],
)
def test_split_agents(text: str, specs: list[str]) -> None:
    assert inputs.split_agents(text) == specs


def test_distinct_names() -> None:
    assert distinct(["rules", "random", "rules"]) == ["rules 1", "random", "rules 2"]


# ------------------------------------------------------------------------------------------------- bench and progress


def test_bench_number(capsys: pytest.CaptureFixture[str]) -> None:
    game = kibitz.make("uno", players=3, rules="rlcard")
    decisions, checksum = bench.fingerprint(game)
    assert decisions == game.playouts(10_000, seed=1, threads=2).decisions
    assert bench.fingerprint(game) == (decisions, checksum)
    assert bench.fingerprint(kibitz.make("uno", players=4, rules="rlcard"))[1] != checksum
    assert run(["bench", "uno", "--rules", "rlcard", "--players", "3", "--seconds", "0.05"]) == 0
    out = capsys.readouterr().out
    assert f"{decisions:,}" in out
    assert checksum in out


@dataclass
class Steady:
    """A game whose play-outs take so long, by a clock of its own."""

    seconds_per_game: float
    now: float = 0.0
    batches: list[tuple[int, int]] = field(default_factory=list)  # seeds and sizes

    def playouts(self, games: int, *, seed: int, threads: int) -> SimpleNamespace:
        self.now += games * self.seconds_per_game
        self.batches.append((seed, games))
        return SimpleNamespace(decisions=45 * games)


@pytest.mark.parametrize(
    ("seconds_per_game", "batches"),
    [
        (2e-5, [256, *[512] * 20]),  # larger ones until one takes a twentieth of the time
        (1.0, [256]),  # one at least
    ],
)
def test_bench_speed(monkeypatch: pytest.MonkeyPatch, seconds_per_game: float, batches: list[int]) -> None:
    game: Any = Steady(seconds_per_game)
    monkeypatch.setattr("kibitz.cli.bench.time", SimpleNamespace(perf_counter=lambda: game.now))
    speed = bench.measure(game, 0.2, threads=1)
    assert [size for _, size in game.batches] == batches
    assert [seed for seed, _ in game.batches] == [sum(batches[:i]) for i in range(len(batches))]  # no game twice
    assert speed.games == pytest.approx(1 / seconds_per_game)
    assert speed.decisions == pytest.approx(45 / seconds_per_game)


def test_bench_measures_something_however_busy_the_machine_is(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count()  # a second passes from one look to the next
    monkeypatch.setattr("kibitz.cli.bench.time", SimpleNamespace(perf_counter=lambda: next(clock)))
    speed = bench.measure(kibitz.make("uno", rules="rlcard"), 0.2, threads=1)
    assert speed.games > 0
    assert speed.decisions / speed.games == pytest.approx(46.5, abs=3)


def test_progress_says_rate_and_time_left(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    now = [100.0]
    monkeypatch.setattr("kibitz.terminal.progress.time.monotonic", lambda: now[0])
    with progress.Progress("work", "games") as report:
        report(500, 1500)  # done by an earlier run: not part of the rate
        now[0] += 1.0
        report(600, 1500)
        assert capsys.readouterr().err == ""
        now[0] += 39.0
        report(900, 1500)
        assert capsys.readouterr().err == "work: 900 of 1,500 games, 10/s, 1:00 left\n"
        now[0] += 1.0
        report(910, 1500)  # now and then, not at every call
        assert capsys.readouterr().err == ""
        report(0, 50)  # the next stage: what the first took is not part of its rate
        now[0] += 40.0
        report(20, 50)
        assert capsys.readouterr().err == "work: stage 2, 20 of 50 games, 0.5/s, 1:00 left\n"


def test_duration() -> None:
    assert [progress.duration(s) for s in (0, 7, 61, 3600, 3 * 3600 + 131)] == [
        "0:00",
        "0:07",
        "1:01",
        "1:00:00",
        "3:02:11",
    ]


# ------------------------------------------------------------------------------------------------------------- play


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_play_ends_tidily(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for keys in ("/quit\n", "", "nonsense\n99\n/Q\n"):  # quit, end of input, mistakes first
        typed(monkeypatch, keys)
        assert run(["play"]) == 0
        said = capsys.readouterr()
        assert "3 players" in said.out
        assert said.out.endswith("You left the table.\n")
        assert said.err == ""


def test_play_interrupted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    assert run(["play", "--seat", "0", "--seed", "1"]) == 130
    assert capsys.readouterr().err == "kibitz: interrupted\n"


def test_play_a_whole_game_is_the_same_from_its_seed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    outputs = []
    for _ in range(2):
        typed(monkeypatch, "1\n" * 2000)
        assert run(["play", "uno", "--players", "2", "--seed", "5", "--agents", "random"]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    last = outputs[0].splitlines()[-1]
    assert last in ("You win.", "random wins.")


def test_play_a_series(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch, "1\n" * 20_000)
    assert run(["play", "uno", "--players", "3", "--seed", "5", "--series", "120"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].endswith("the series.")
    points = [
        [float(part.rpartition(" ")[2]) for part in line[8:].split(", ")]
        for line in lines
        if line.startswith("Points: ")
    ]
    assert max(points[-1]) >= 120
    assert all(max(before) < 120 for before in points[:-1])
    for before, after in zip([[0.0] * 3, *points], points, strict=False):
        gains = [b - a for a, b in zip(before, after, strict=True)]
        assert sum(gain > 0 for gain in gains) <= 1
        assert min(gains) == 0  # nobody loses points


def test_everybody_moves_on_by_one_seat() -> None:
    game = kibitz.make("uno", players=3)
    table = Table.set_up(game, [kibitz.agent("rules"), kibitz.agent("random")], 1)
    assert table.names == ["rules", "You", "random"]
    table.use(Console(quiet=True), lambda prompt: "1")
    seats = []
    for number in range(3):
        table.deal(Seeds(11), number)
        seats.append(list(table.people[0].names))
    assert seats == [["rules", "You", "random"], ["random", "rules", "You"], ["You", "random", "rules"]]


def test_a_game_with_a_fixed_number_of_seats(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["match", "doudizhu", "--agents", "rules,random,random", "--games", "3"]) == 0
    capsys.readouterr()
    assert run(["match", "doudizhu", "--agents", "rules,random", "--games", "3"]) == 2
    assert "3" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "players", "times"),
    [
        ({"name": "gdl", "file": "connect_four", "seats": 2}, 2, 1),
        ({"name": "uno", "seats": 2}, 2, 1),
        ({"name": "uno", "players": 4, "seats": 3}, 4, 1),
        ({"name": "uno:players=4", "seats": 4}, 4, 1),
        ({"name": "belote", "seats": 4, "points": True}, 4, 1),
        ({"name": "uno", "seats": 3, "points": True}, 3, 2),  # other players than by default, and scored by points
        ({"name": "needs-players", "seats": 3}, 3, 1),
    ],
)
def test_a_game_is_made_once_if_it_comes_out_as_wanted(
    monkeypatch: pytest.MonkeyPatch, arguments: dict[str, Any], players: int, times: int
) -> None:
    monkeypatch.setitem(registry._games.added, "needs-players", lambda players: ToyGame(players))
    made, make = [], kibitz.make

    def counted(name: str, **options: Any) -> Any:
        game = make(name, **options)
        made.append(game)
        return game

    monkeypatch.setattr(kibitz, "make", counted)
    game = inputs.make_game(**arguments)
    assert game.players == players
    assert game is made[-1]
    assert len(made) == times
    if arguments.get("points"):
        assert game.options["scoring"] == "points"


@pytest.mark.parametrize("name", kibitz.games())
def test_every_game_is_played_and_shown(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    agents = ",".join(["random"] * kibitz.make(name).players)
    assert run(["match", name, "--agents", agents, "--games", "4"]) == 0
    assert run(["show", name, "--seed", "1", "--seat", "0"]) == 0
    assert run(["games", name]) == 0
    assert name in capsys.readouterr().out
