"""kibitz play in a terminal of 80 columns and 24 lines: what people see and type, from the welcome to the rematch."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.cells import cell_len

pytest.importorskip("termios", reason="pseudo-terminals are POSIX")
from pseudo_terminal import ERASED, KIBITZ, MORE, PseudoTerminal

import kibitz
from kibitz.cli import play, run
from kibitz.protocols import native, position
from kibitz.record import Record

HEIGHT, WIDTH = 24, 80
AGAIN = "Enter: yes, /save"


@contextmanager
def playing(arguments: str, folder: Path, **more: str) -> Iterator[PseudoTerminal]:
    """kibitz play, with a data folder of its own."""
    env = {"XDG_DATA_HOME": str(folder / "data"), "HOME": str(folder), "KIBITZ_ASCII": ""} | more
    with PseudoTerminal([*KIBITZ, "play", *arguments.split()], rows=HEIGHT, columns=WIDTH, env=env) as terminal:
        yield terminal


def screen(shown: str) -> list[str]:
    """What the last lines of the terminal show, after the last time it was cleared; none is wider than it."""
    lines = shown.rpartition(ERASED)[2].split("\n")
    assert max(map(cell_len, lines)) <= WIDTH
    return lines[-HEIGHT:]


def play_on(terminal: PseudoTerminal, saved: Path, agent: str = "rules", before: str = "") -> str:
    """Plays what the agent would, to the end of the deal; everything that was shown, from `before` on."""
    out = before + terminal.prompt()
    while AGAIN not in out and not terminal.ended:
        assert "Your hand" in "\n".join(screen(out)), "the hand has scrolled away"
        record = Record.load(saved)
        state = record.last()
        player = kibitz.agent(agent)
        native(player, record.make())
        player.begin(len(record.actions))
        terminal.type(record.make().text(player.act(state.view(state.to_act))))
        out += terminal.prompt()
    return out


@pytest.mark.parametrize("game", ["uno", "uno --players 7", "belote", "doudizhu"])
def test_a_whole_game_never_scrolls_the_hand_away(game: str, tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    with playing(f"{game} --seed 5 --pace 0 --save {saved}", tmp_path) as terminal:
        out = play_on(terminal, saved)
        terminal.type("no")
        assert terminal.end() == 0
    assert "at level club" in " ".join(out.split())
    assert re.search(r"\bwins?\b.*\nAnother deal\?|Nobody wins", out)
    assert Record.load(saved).payoffs is not None
    if game in ("belote", "doudizhu"):
        assert Record.load(saved).options["bidding"] is True


def test_the_hand_is_drawn_again_when_commands_push_it_away(tmp_path: Path) -> None:
    with playing("uno --seed 5 --pace 0", tmp_path) as terminal:
        shown = terminal.prompt()
        for line in ("?", "nonsense", "/help", "/hint", "/cards", "/log", "99", "/moves", "?", "/help"):
            terminal.type(line)
            shown += terminal.prompt()
            if shown.endswith(MORE):  # so that the answer can be read before the table comes back
                assert line == "/cards"
                assert " skip rev " in "\n".join(screen(shown))
                terminal.type("")
                shown += terminal.prompt()
            assert "Your hand" in "\n".join(screen(shown)), line
        terminal.type("/rules")
        shown = terminal.prompt()
        assert shown.endswith(MORE)
        assert "The aim" in shown
        assert len(screen(shown)) <= HEIGHT
        terminal.type("q")
        assert "Your hand" in terminal.prompt()
        terminal.type("/quit")
        assert terminal.end() == 0
        assert "You left the table." in terminal.raw


def test_a_king_is_always_a_king(tmp_path: Path) -> None:
    with playing("doudizhu --seed 8 --seat 0 --pace 0 --kibitz", tmp_path) as terminal:
        terminal.prompt()
        terminal.type("3")
        assert re.search(r"Your hand.* K ", terminal.prompt())
        terminal.type("k")
        assert "You play K" in terminal.prompt()


def test_names_of_commands_without_the_slash_are_explained(tmp_path: Path) -> None:
    with playing("uno --seed 5 --pace 0", tmp_path) as terminal:
        terminal.prompt()
        terminal.type("q")
        assert "The command is /quit." in terminal.prompt()
        terminal.type("/nosuch")
        assert "There is no command /nosuch; there are /hint, " in " ".join(terminal.prompt().split())


def test_undo_goes_back_to_the_last_choice(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    with playing(f"connect_four --seed 1 --seat 0 --pace 0 --save {saved}", tmp_path) as terminal:
        terminal.prompt()
        terminal.type("/undo")
        assert "There is no move of yours to take back." in terminal.prompt()
        for column in ("4", "1"):
            terminal.type(column)
            terminal.prompt()
        before = Record.load(saved).actions
        terminal.type("/undo")
        assert "You take back column 1" in terminal.prompt()
        after = Record.load(saved)
        assert after.actions == before[:2]
        assert after.more["play"]["undone"] == 1
        terminal.type("7")
        terminal.prompt()
        assert Record.load(saved).actions[:3] == (*before[:2], "7")
    with playing(f"--resume {saved} --pace 0", tmp_path) as terminal:  # choices of an earlier day as well
        terminal.prompt()
        terminal.type("/undo")
        assert "You take back column 7" in terminal.prompt()
        terminal.type("/undo")
        assert "You take back column 4" in terminal.prompt()
    assert Record.load(saved).actions == ()
    assert Record.load(saved).more["play"]["undone"] == 3


def test_what_happens_before_the_first_move_is_told(tmp_path: Path) -> None:
    with playing("uno --seed 3 --pace 0", tmp_path) as terminal:
        assert "Turned up  B +2 : Anna draws 2 and loses the turn. Ben begins." in terminal.prompt()
    with playing("uno --seed 8 --pace 0", tmp_path) as terminal:
        assert "Turned up  R +2 : you draw 2 and lose the turn. Anna begins." in terminal.prompt()
    with playing("uno --seed 10 --pace 0", tmp_path) as terminal:
        assert re.search(r"Turned up  Y skip : \w+ loses? the turn\. ", terminal.prompt())


def test_a_rematch_has_a_score(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    with playing(f"connect_four --seed 1 --seat 0 --pace 0 --level beginner --save {saved}", tmp_path) as terminal:
        for deal in range(2):
            shown = terminal.prompt()
            file = saved if deal == 0 else tmp_path / "game-2.json"
            while AGAIN not in shown:
                record = Record.load(file)
                state = record.last()
                thinker = kibitz.agent("uct:iterations=300")
                thinker.begin(1)
                terminal.type(record.make().text(thinker.act(state.view(state.to_act))))
                shown += terminal.prompt()
            assert ("Won after 2 games: " in shown) == (deal == 1)
            terminal.type("" if deal == 0 else "no")
        assert "Everybody moves on by one seat." in shown
        assert terminal.end() == 0
    seats = [[seat.name for seat in Record.load(path).seats] for path in (saved, tmp_path / "game-2.json")]
    assert seats == [["You", "Anna"], ["Anna", "You"]]


def test_lines_can_be_edited(tmp_path: Path) -> None:
    pytest.importorskip("readline")
    with playing("connect_four --seed 1 --seat 0 --pace 0", tmp_path) as terminal:
        terminal.prompt()
        terminal.send("57\x1b[D\x7f4\x1b[F\x7f\n")  # 57, left, rub out: 7; 4 before it: 47; end, rub out: 4
        assert "You play column 4" in terminal.prompt()
        terminal.send("/qu\t\n")
        assert terminal.end() == 0
        assert "You left the table." in terminal.raw


def test_letters_where_the_terminal_has_no_signs(tmp_path: Path) -> None:
    for env in ({"KIBITZ_ASCII": "1"}, {"TERM": "dumb"}, {"LC_ALL": "C", "LANG": "C", "PYTHONIOENCODING": "ascii"}):
        with playing("belote --seed 6 --pace 0 --kibitz", tmp_path, **env) as terminal:
            shown = terminal.prompt()
            terminal.type("pass")
            shown += terminal.prompt()
        assert shown.isascii()
        assert "Turned up   9h" in shown
        assert "+-" in shown, "the kibitzer has errors"


def test_pace(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Every move of an agent stays for a while, none of a person; in a pipe there is nobody to wait for."""
    pauses: list[float] = []
    monkeypatch.setattr("kibitz.terminal.table.time.sleep", pauses.append)
    agents: list[int] = []
    columns = cycle("1234567")
    monkeypatch.setattr("builtins.input", lambda prompt: next(columns))
    for words in (["--pace", "1.5"], []):
        pauses.clear()
        assert run(["play", "connect_four", "--seat", "0", "--seed", "1", "--level", "beginner", *words]) == 0
        agents.append(len(re.findall(r"^Anna plays", capsys.readouterr().out, re.MULTILINE)))
        assert pauses == [1.5] * (agents[-1] if words else 0)
    assert min(agents) > 2
    terminal = SimpleNamespace(isatty=lambda: True)
    monkeypatch.setattr(sys, "stdin", terminal)
    monkeypatch.setattr(sys, "stdout", terminal)
    evening: Any = SimpleNamespace(table=SimpleNamespace(words=list), asks=False)
    play._prepare(evening, None, None, False)
    assert evening.table.pace == play.DEFAULT_PACE > 0
    assert evening.asks


def test_it_says_who_took_a_trick(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    with playing(f"belote -o bidding=false --seed 6 --pace 0 --save {saved}", tmp_path) as terminal:
        out = play_on(terminal, saved)
    tricks = re.findall(
        r"^(\w+) takes? the trick: (\d+) points?\. Your side: (\d+) points?; the others: (\d+)", out, re.M
    )
    assert len(tricks) == 8
    total = 0
    for _, won, ours, theirs in tricks:
        total += int(won)
        assert int(ours) + int(theirs) == total
    assert total == 152
    assert "for the last trick included" in " ".join(out.split())


def test_the_kibitzer_writes_cards_as_the_screen_does(tmp_path: Path) -> None:
    with playing("belote -o bidding=false --seed 6 --seat 0 --pace 0 --kibitz", tmp_path) as terminal:
        terminal.prompt()
        terminal.type("1")
        said = " ".join(terminal.prompt().split())
    assert re.search(r"Kibitzer: [^.]*(10|[789JQKA])[♠♥♦♣]", said)
    assert not re.search(r"\b(10|[789JQKA])[shdc]\b", said)


# ---------------------------------------------------------------------------------------------------- one terminal


def hands_of(segment: str, hands: list[set[str]]) -> list[int]:
    """The seats whose hands a screen shows."""
    line = next((line for line in segment.splitlines() if line.startswith("Your hand")), "")
    shown = set(re.findall(r"(?:10|[789JQKA])[♠♥♦♣]", line))
    return [seat for seat, hand in enumerate(hands) if shown and shown <= hand]


def test_nobody_sees_the_cards_of_another(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    arguments = f"belote -o bidding=false --people Zoe,Max --seat 0 --seed 3 --pace 0 --save {saved}"
    with playing(arguments, tmp_path) as terminal:
        out, passed = terminal.prompt(), 0
        while AGAIN not in out and not terminal.ended:
            terminal.type("" if "when only you see the screen." in out.rpartition(ERASED)[2] else "1")
            out += terminal.prompt()
            passed += 1
        terminal.type("no")
        assert terminal.end() == 0
    assert passed > 16
    record = Record.load(saved)
    assert [seat.name for seat in record.seats] == ["Zoe", "Anna", "Max", "Ben"]
    assert [seat.person for seat in record.seats] == [True, False, True, False]
    dealt = position(record.make(), record.first())["hands"]
    signs = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
    hands = [{card[:-1] + signs[card[-1]] for card in hand} for hand in dealt]
    segments = out.split(ERASED)
    turns = [segment.splitlines()[0] for segment in segments if "when only you see the screen." in segment]
    assert {line.partition(",")[0] for line in turns} == {"Zoe", "Max"}
    whose = None
    for segment in segments:
        if "when only you see the screen." in segment:
            whose = 0 if segment.startswith("Zoe") else 2
            assert segment.count("\n") <= 2, "nothing but the request is on the screen"
        elif "Your hand" in segment:
            assert hands_of(segment, hands) == [whose]
    assert "Your hand" not in segments[-1], "the end is for everybody"
    assert "Zoe and Max" in segments[-1]


def test_a_refused_line_is_not_in_the_next_persons_history(tmp_path: Path) -> None:
    pytest.importorskip("readline")
    with playing("uno --players 2 --people Zoe,Max --seed 3 --pace 0", tmp_path) as terminal:
        terminal.prompt()
        terminal.type("")
        terminal.prompt()
        terminal.type("secret-card")
        terminal.prompt()
        for _ in range(20):  # until the other person is asked
            terminal.type("1")
            if "when only you see the screen." in terminal.prompt():
                break
        else:
            pytest.fail("nobody else was asked")
        terminal.send("\x1b[A\x1b[A\x1b[A\n")
        assert "secret" not in terminal.prompt()


def test_what_the_kibitzer_says_can_be_read_before_the_screen_is_cleared(tmp_path: Path) -> None:
    with playing("belote --people 4 --seed 6 --pace 0 --kibitz", tmp_path) as terminal:
        terminal.prompt()
        terminal.type("")
        terminal.prompt()
        terminal.type("pass")
        shown = terminal.prompt()
        assert "Kibitzer: " in shown
        assert ERASED not in shown
        terminal.type("")
        assert "Kibitzer: " not in terminal.prompt().partition(ERASED)[2]


def test_open_games_need_no_curtain(tmp_path: Path) -> None:
    with playing("tictactoe --people 2 --seat 0 --pace 0", tmp_path) as terminal:
        assert "Player 1 is to move." in terminal.prompt()
        terminal.type("b2")
        shown = terminal.prompt()
        assert "Player 2 is to move." in shown
        assert ERASED not in shown
        terminal.type("/undo")
        assert "only against agents" in terminal.prompt()


# ---------------------------------------------------------------------------------------------------------- saving


def test_a_game_that_was_killed_goes_on(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    with playing(f"belote -o bidding=false --seed 6 --pace 0 --kibitz --save {saved}", tmp_path) as terminal:
        terminal.prompt()
        terminal.type("1")
        shown = terminal.prompt()  # and here it is killed
    record = Record.load(saved)
    assert record.payoffs is None
    hand = next(line for line in shown.splitlines() if line.startswith("Your hand"))
    with playing(f"--resume {saved} --pace 0", tmp_path) as terminal:
        again = terminal.prompt()
        assert "Belote, taken up again." in again
        assert hand.strip() in again
        assert "Trump is" in again
        terminal.type("no such card")
        out = play_on(terminal, saved, before=again)
        assert "'no such card' is nothing you can do now." in out
        assert "win" in out
        terminal.type("no")
        assert terminal.end() == 0
    done = Record.load(saved)
    assert done.actions[: len(record.actions)] == record.actions
    assert done.payoffs is not None
    assert done.seats == record.seats
    with playing(f"--resume {saved}", tmp_path) as terminal:
        assert terminal.end() == 2
        assert "this game is over" in terminal.raw


def test_saving_by_hand(tmp_path: Path) -> None:
    target = tmp_path / "mine.json"
    with playing("uno --seed 5 --pace 0", tmp_path) as terminal:
        terminal.prompt()
        terminal.type("/save")
        shown = terminal.prompt()
        kept = list((tmp_path / "data" / "kibitz" / "games").glob("*.json"))
        assert len(kept) == 1
        assert f"--resume {kept[0]}" in shown.replace("\n", "")
        terminal.type(f"/save {target}")
        terminal.prompt()
        terminal.type("1")  # from now on it is kept up to date
        terminal.prompt()
        terminal.type("/save game.txt")
        assert "ends in .json" in terminal.prompt()
    assert len(Record.load(target).actions) > len(Record.load(kept[0]).actions)


def test_keeping_every_game(tmp_path: Path) -> None:
    with playing("connect_four --seat 0 --seed 1 --pace 0 --keep", tmp_path) as terminal:
        terminal.prompt()
        terminal.type("4")
        terminal.prompt()
    [kept] = (tmp_path / "data" / "kibitz" / "games").glob("*.json")
    assert Record.load(kept).actions[0] == "4"
    assert Record.load(kept).seats[1].agent == "level:club"


def test_a_series_goes_on_with_its_points(tmp_path: Path) -> None:
    saved = tmp_path / "evening.json"
    command = f"belote -o bidding=false --series 200 --seed 6 --seat 1 --pace 0 --save {saved}"
    with playing(command, tmp_path) as terminal:
        out = terminal.prompt()
        while AGAIN not in out:
            terminal.type("1")
            out += terminal.prompt()
        points = re.findall(r"Points: (.*)", out)[-1]
        terminal.type("")
        assert "Deal 2." in terminal.prompt()
        terminal.type("/quit")
        assert terminal.end() == 0
    second = Record.load(tmp_path / "evening-2.json")
    assert second.series is not None
    assert (second.series.to, second.series.deal) == (200, 1)
    assert sum(second.series.scores) > 0
    with playing(f"--resume {tmp_path / 'evening-2.json'} --pace 0", tmp_path) as terminal:
        out = terminal.prompt()
        while "Points: " not in out:
            terminal.type("1")
            out += terminal.prompt()
    before, after = (
        {name: float(value) for name, value in re.findall(r"([A-Za-z ]+): ([\d.]+)", text)}
        for text in (points, re.findall(r"Points: (.*)", out)[-1])
    )
    assert before.keys() == after.keys()
    assert all(after[side] >= before[side] for side in before)
    assert sum(after.values()) > sum(before.values())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("uno --level clever", "unknown level 'clever'"),
        ("uno --level club --agents rules", "both say who the others are"),
        ("uno --save game.txt", "ends in .json"),
        ("uno --save pyproject.json", "exists"),
        ("uno --resume pyproject.json", "--resume goes on with a game as it was"),
        ("--resume nowhere.json", "nowhere.json"),
        ("uno --people Zoe,zoe", "the same"),
        ("uno --people Zoe,,Max", "1 to 20"),
        ("belote --people 5", "too few for 5 people"),
        ("uno --people 99", "from 1 to 20"),
        ("uno --agents human,rules", "--people"),
        ("uno --pace 61", "from 0 to 60"),
    ],
)
def test_refusals(
    arguments: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pyproject.json").write_text("{}")
    assert run(["play", *arguments.split()]) == 2
    said = capsys.readouterr()
    assert says in said.err
    assert said.out == ""
    assert os.listdir() == ["pyproject.json"]
