"""Whole matches between processes, with players that are late, mad or dead, and their records."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ggp_common import MAIN, MINDS, PATIENCE, STAIRS, bad_player, kibitz_player, lines, process, run, sheet

from kibitz import cli
from kibitz.ggp import manager, player, protocol
from kibitz.ggp.protocol import Address, Start, UnreachableError
from kibitz.ggp.record import Record, pictures
from kibitz.ggp.referee import read_rules

# Everybody picks a number, four times; who picks 3 in the end has won.
PICKS = """
(role good) (role late) (role mad) (role dying)
(num 1) (num 2) (num 3)
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(init (step 1))
(<= (legal ?r (pick ?n)) (role ?r) (num ?n))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (chose ?r ?n)) (does ?r (pick ?n)))
(<= terminal (true (step 5)))
(<= (goal ?r 100) (true (chose ?r 3)))
(<= (goal ?r 0) (role ?r) (not (true (chose ?r 3))))
"""


def test_bad_players_spoil_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = read_rules(PICKS)
    asked: list[Address] = []
    ask = protocol.ask

    async def impatient(address: Address, message: str, seconds: float) -> str:
        """Gives little time to those who will not answer, and plenty to all others, however slow the machine is."""
        hangs = (address, asked.count(address)) in ((addresses[1], 1), (addresses[2], 3))
        if "PLAY" in message:
            asked.append(address)
        return await ask(address, message, 0.2 if hangs else seconds)

    monkeypatch.setattr(protocol, "ask", impatient)
    with (
        kibitz_player("--agent", "ismcts:iterations=2000") as (_, good),
        bad_player("late") as (_, late),
        bad_player("mad") as (_, mad),
        bad_player("dying") as (_, dying),
    ):
        addresses = [good, *(Address("127.0.0.1", int(port)) for port in (late, mad, dying))]
        match = manager.Match(rules, "picks", addresses, manager.Settings(60, 60, records=tmp_path))
        run(match.run())
    [path] = tmp_path.glob("*.json")
    record = Record.load(path)
    assert record == match.record
    assert record.status == "over"
    assert len(record.moves) == 4
    assert len(record.states) == 5
    assert record.goals is not None
    assert record.goals[0] == 100
    by_role = {role: [error for error in record.errors if error.role == role] for role in record.roles}
    assert by_role["good"] == []
    assert [(error.turn, error.error) for error in by_role["late"]] == [(1, "TO")]
    assert [error.error for error in by_role["mad"]] == ["CE", "IL ( pick ( ( 1", "IL (pick 99)", "TO"]
    assert [(error.turn, error.error) for error in by_role["dying"]] == [(1, "CE"), (2, "CE"), (3, "CE"), (None, "CE")]
    for error in record.errors:
        assert error.turn is None or error.played == record.moves[error.turn][record.roles.index(error.role)]
    assert [record.moves[turn][1] for turn in (0, 2, 3)] == ["(pick 1)"] * 3  # shouted, and understood
    assert len(pictures(record)) == 5


def test_a_player_that_is_killed(tmp_path: Path) -> None:
    rules = sheet("tictactoe")
    with kibitz_player("--agent", "uct:iterations=50") as (running, address):

        def kill(match: manager.Match) -> None:
            if match.referee.turn == 2:
                running.kill()
                running.wait()

        settings = manager.Settings(60, 60, records=tmp_path)
        record = run(manager.Match(rules, "tictactoe", [address, None], settings, watch=kill).run())
    assert record.status == "over"
    assert record.goals is not None
    assert [error.error for error in record.errors] == ["CE"] * (len(record.moves) - 1)
    assert record.errors[0].turn == 2


@pytest.mark.parametrize("name", ["monty_hall", "blind_tictactoe"])
def test_matches_with_hidden_things(name: str) -> None:
    rules = sheet(name)
    settings = manager.Settings(60, 60, seed=3, scramble=True)
    with contextlib.ExitStack() as stack:
        players: list[Address | None] = []
        for _ in rules.seats:
            players.append(stack.enter_context(kibitz_player("--agent", "ismcts:iterations=200"))[1])
        record = run(manager.Match(rules, name, players, settings).run())
    assert record.errors == []
    assert record.percepts is not None
    assert len(record.percepts) == len(record.moves)
    if name == "monty_hall":
        assert record.percepts[1][0] == [f"(opened {record.moves[1][1][-2]})"]
    assert Record.from_dict(json.loads(json.dumps(record.to_dict()))) == record


def test_a_player_keeps_matches_apart_and_answers_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    untils = patiences(monkeypatch)

    async def talk() -> None:
        said: list[str] = []
        playing = player.Player(player.Settings(at_once=2), said.append)
        rules = sheet("tictactoe").items
        starts = [playing.answer(str(Start(name, role, rules, 60, 2))) for name, role in (("a", "x"), ("b", "o"))]
        assert await asyncio.gather(*starts) == ["ready", "ready"]
        assert await playing.answer(str(Start("c", "x", rules, 10, 1))) == "busy"
        assert await playing.answer("(INFO)") == "( ( name Kibitz ) ( status busy ) )"
        begun = time.monotonic()
        moves = await asyncio.gather(playing.answer("(play a nil)"), playing.answer("(play b nil)"))
        assert time.monotonic() - begun > 1.3  # the whole clock, less the margin
        assert all(until < 2 for until in untils)
        assert moves[0].startswith("( mark ")
        assert moves[1] == "noop"
        assert await playing.answer("(ABORT b)") == "aborted"
        assert await playing.answer("(PLAY b ((mark 1 1) noop))") == "busy"
        assert await playing.answer(f"(PLAY a ({moves[0]} noop))") == "noop"
        assert await playing.answer("(STOP a ((mark 2 2) noop))") == "done"
        assert await playing.answer(str(Start("d", "x", (("role", "x"),), 60, 1))) == "busy"  # nobody can move there
        assert playing.matches == {}
        await playing.close()

    run(talk())


def patiences(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long a player waits for a thinker's move, in seconds. For what a follower says it waits as long as it takes:
    that is late only where the machine is slow."""
    hear = player.Mind.hear
    untils: list[float] = []

    async def hear_and_note(mind: player.Mind, what: str, number: int, until: float) -> Any:
        if what == "move":
            untils.append(until - time.monotonic())
        return await hear(mind, what, number, until + (what == "legal") * 60)

    monkeypatch.setattr(player.Mind, "hear", hear_and_note)
    return untils


@pytest.mark.parametrize("kind", ["silent", "hangs", "dies", "raises", "illegal", "stale", "nonsense"])
def test_a_bad_thinker_is_replaced_by_a_legal_move(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In every turn a legal move of that turn, in time; the moves of the turn before are none any more."""
    monkeypatch.setattr(player, "THINKER", (str(MINDS), kind))
    untils = patiences(monkeypatch)

    async def talk() -> None:
        said: list[str] = []
        playing = player.Player(player.Settings(), said.append)
        assert await playing.answer(str(Start("m", "a", read_rules(STAIRS).items, 60, 1))) == "ready"
        await playing.matches["m"].follower.ready.wait()
        told = "NIL"
        for turn in range(4):
            move = await playing.answer(f"(PLAY m {told})")
            assert untils[turn] < 1
            assert move in (f"( step {turn} left )", f"( step {turn} right )")
            told = f"({move} noop)"
        assert any("the thinker" in line for line in said)
        assert await playing.answer("(ABORT m)") == "aborted"

    run(talk())


def test_without_a_follower_the_thinker_plays_on() -> None:
    async def talk() -> None:
        playing = player.Player(player.Settings(agent="uct:iterations=100"))
        assert await playing.answer(str(Start("m", "a", read_rules(STAIRS).items, 60, 60))) == "ready"
        match = playing.matches["m"]
        await match.follower.end()
        move = await playing.answer("(PLAY m NIL)")
        assert move.startswith("( step 0 ")
        match.thinker.process.send_signal(signal.SIGSTOP)  # now nobody knows anything
        match.start = dataclasses.replace(match.start, play_clock=1)
        assert (await playing.answer(f"(PLAY m ({move} noop))")).startswith("( step ")
        await playing.close()

    run(talk())


def test_what_begins_and_ends_matches_is_done_to_its_end() -> None:
    """Also where the sender of START or STOP has hung up."""

    async def talk() -> None:
        said: asyncio.Queue[str] = asyncio.Queue()
        playing = player.Player(player.Settings(agent="uct:iterations=100"), said.put_nowait)

        async def hang_up(message: str) -> None:
            sender = asyncio.create_task(playing.answer(message))
            await asyncio.sleep(0)  # it has been taken in
            sender.cancel()
            await asyncio.gather(sender, return_exceptions=True)
            assert sender.cancelled()

        await hang_up(str(Start("m", "a", read_rules(STAIRS).items, 60, 60)))
        assert await said.get() == "m: playing a, 60 s and 60 s"
        assert (await playing.answer("(PLAY m NIL)")).startswith("( step 0 ")
        match = playing.matches["m"]
        await hang_up("(STOP m ((step 0 left) noop))")
        await asyncio.gather(match.thinker.process.wait(), match.follower.process.wait())
        await hang_up(str(Start("n", "x", (("role", "x"),), 60, 60)))
        assert (await said.get()).startswith("n: not played")
        await hang_up(str(Start("o", "a", read_rules(STAIRS).items, 60, 60)))
        await playing.close()  # while its processes are made
        assert await playing.answer(str(Start("p", "a", read_rules(STAIRS).items, 60, 60))) == "busy"
        assert playing.matches == {}

    run(talk())


def test_start_clocks_of_a_day_are_played() -> None:
    async def talk() -> None:
        playing = player.Player(player.Settings())
        start = Start("m", "a", read_rules(STAIRS).items, protocol.MOST_CLOCK, protocol.MOST_CLOCK)
        assert await playing.answer(str(start)) == "ready"
        await playing.close()

    run(talk())


@pytest.fixture
def closed() -> Iterator[Address]:
    """An address where nobody listens, and nobody else can begin to."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield Address(*bound.getsockname())


def test_without_any_player_there_is_no_match(tmp_path: Path, closed: Address) -> None:
    unknown = Address("nosuch.invalid", 9147)
    match = manager.Match(sheet("hex_3"), "hex_3", [closed, unknown], manager.Settings(records=tmp_path))
    with pytest.raises(UnreachableError) as refused:
        run(match.run())
    assert f"no player can be reached: {closed} (no connection: Connection refused), {unknown} (" in str(refused.value)
    [path] = tmp_path.glob("*.json")
    record = Record.load(path)
    assert record.status == "aborted"
    assert [(error.role, error.error) for error in record.errors] == [("red", "CE"), ("blue", "CE")]


def test_with_some_of_the_players_there_is_one(closed: Address) -> None:
    with bad_player("late") as (_, port):  # it says ready, and plays nothing that is legal here
        players = [closed, Address("127.0.0.1", int(port))]
        record = run(manager.Match(sheet("tictactoe"), "tictactoe", players, manager.Settings(60, 1)).run())
    assert record.status == "over"
    assert record.errors[0].role == "x"
    assert "no connection" in record.errors[0].why


def test_commands_end_when_the_players_have_gone(
    tmp_path: Path, closed: Address, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["ggp", "manager", "hex_3", "--records", str(tmp_path), "--matches", "3", "--players"]
    assert cli.run([*command, str(closed)]) == 2
    error = capsys.readouterr().err
    assert error == f"kibitz: no player can be reached: {closed} (no connection: Connection refused)\n"
    with bad_player("leaving") as (_, port):  # after the first match
        assert cli.run([*command, f"127.0.0.1:{port}"]) == 2
    captured = capsys.readouterr()
    assert captured.err.endswith(
        f"kibitz: no player can be reached: 127.0.0.1:{port} (no connection: Connection refused)\n"
    )
    assert f"127.0.0.1:{port}" in captured.out  # the match that was played


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "records"
    command = ["ggp", "manager", "hex_3", "--players", "random", "--matches", "2", "--watch", "--rotate"]
    command += ["--records", str(folder)]
    assert cli.run(command) == 0
    out = capsys.readouterr().out
    assert "turn 1: red " in out
    assert "random" in out
    first, second = sorted(folder.iterdir())
    assert cli.run(["gdl", "show", str(first)]) == 0
    shown = capsys.readouterr().out
    assert "over after" in shown
    assert "goals red " in shown
    assert cli.run(["gdl", "show", str(second), "--turn", "1"]) == 0
    assert "cell:" in capsys.readouterr().out
    first.write_text(first.read_text().replace("(role red)", "(role"))  # drawn without its rules
    assert cli.run(["gdl", "show", str(first)]) == 0
    assert "goals red " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["manager", "nosuch", "--players", "random"], "there is no rulesheet"),
        (["manager", "hex_3"], "--players"),
        (["manager", "hex_3", "--players", ""], "host:port"),
        (["manager", "nosuch", "--players", "a:65536"], "within 1 to 65535"),
        (["manager", "nosuch", "--players", "a:0"], "within 1 to 65535"),
        (["manager", "nosuch", "--players", "a:1", "--matches", "0"], "from 1 to 100,000"),
        (["manager", "nosuch", "--players", "a:1", "--matches", "1000000000000"], "from 1 to 100,000"),
        (
            ["manager", "nosuch", "--players", "a:1", "--start", "86401"],
            "--start: it must be a whole number from 1 to 86,400",
        ),
        (["manager", "nosuch", "--players", "a:1", "--play", "1e300"], "whole number from 1 to 86,400"),
        (["manager", "nosuch", "--players", "a:1", "--play", "nan"], "whole number from 1 to 86,400"),
        (["manager", "nosuch", "--players", "a:1", "--play", "-1"], "whole number from 1 to 86,400"),
        (["player", "--at-once", "65"], "1 to 64"),
        (["player", "--at-once", "0"], "1 to 64"),
        (["player", "--margin", "nan"], "margin"),
        (["player", "--port", "-1"], "port"),
        (["manager", "hex_3", "--players", "here"], "host:port"),
        (["manager", "hex_3", "--players", "random,random,random"], "2 roles"),
        (["manager", "hex_3", "--players", "a:1,a:1"], "given twice"),
        (["manager", "hex_3", "--players", "a:1", "--play", "0"], "--play: it must be a whole number from 1 to 86,400"),
        (["manager", "hex_3", "--players", "http://127.0.0.1:9147"], "no address"),
        (["manager", "hex_3", "--players", ",127.0.0.1:9147"], "no address"),
        (["manager", "monty_hall", "--players", "random,127.0.0.1:9147"], "played by the manager"),
        (["player", "--agent", "uct:foo=1"], "foo"),
        (["manager", "hex_3", "--players", "a:1", "--start", "2.5"], "--start: it must be a whole number"),
        (["player", "--port", "70000"], "port"),
        (["player", "--agent", "nosuch"], "unknown agent"),
        (["player", "--name", "a b"], "name"),
        (["player", "--host", "256.0.0.1"], ""),
    ],
)
def test_bad_commands(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run(["ggp", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_stepping_through_a_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    match = manager.Match(sheet("tictactoe"), "tictactoe", [None, None], manager.Settings(records=tmp_path))
    last = len(run(match.run()).moves)
    answers = ["", "", "b", "99", "b", "0", "q"]
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: answers.pop(0))
    [path] = tmp_path.glob("*.json")
    assert cli.run(["gdl", "show", str(path)]) == 0
    shown = [line.split()[1].rstrip(":") for line in capsys.readouterr().out.splitlines() if line.startswith("turn ")]
    assert list(map(int, shown)) == [0, 1, 2, 1, last, last - 1, 0]


def test_records_play_no_tricks_with_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = {"format": "kibitz ggp match", "version": 1, "match": "\x1b[2J", "status": "over", "roles": ["x\x07"]}
    data |= {"players": ["p"], "states": [["a"], ["(b \x1b[31m)"]], "moves": [["\x1b]0;t\x07"]], "goals": [1]}
    (tmp_path / "odd.json").write_text(json.dumps(data))
    assert cli.run(["gdl", "show", str(tmp_path / "odd.json")]) in (0, 2)
    shown = capsys.readouterr()
    assert "\x1b" not in shown.out + shown.err


def test_bad_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("", "[]", "{}", '{"format": "kibitz ggp match", "version": 9}', "[" * 100_000):
        (tmp_path / "bad.json").write_text(text)
        assert cli.run(["gdl", "show", str(tmp_path / "bad.json")]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_an_interrupt_while_the_manager_works_is_recorded(tmp_path: Path) -> None:
    def interrupt(match: manager.Match) -> None:
        if match.referee.turn == 2:
            raise KeyboardInterrupt

    match = manager.Match(
        sheet("tictactoe"), "tictactoe", [None, None], manager.Settings(records=tmp_path), watch=interrupt
    )
    with pytest.raises(KeyboardInterrupt):
        run(match.run())
    [path] = tmp_path.glob("*.json")
    assert Record.load(path).status == "aborted"


def test_interrupts_end_cleanly(tmp_path: Path) -> None:
    with (
        kibitz_player() as (playing, address),
        bad_player("mute") as (mute, port),
        process(
            *(*MAIN, "ggp", "manager", "tictactoe", "--players", f"{address},127.0.0.1:{port}", "--play", "60"),
            *("--watch", "--records", str(tmp_path)),
        ) as (managing, line),
    ):
        assert line.startswith("match tictactoe")
        assert "asked" in lines(mute.stdout)
        managing.send_signal(signal.SIGINT)
        assert managing.wait(PATIENCE) == 130
        [path] = tmp_path.glob("*.json")
        assert Record.load(path).status == "aborted"
        assert any(said.endswith(": aborted") for said in lines(playing.stdout))
        playing.send_signal(signal.SIGINT)
        assert playing.wait(PATIENCE) == 0
