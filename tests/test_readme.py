"""What the documentation says is true: its code runs, its commands work, its tables agree with the program."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz import cli, experiments, registry

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
UNO = ROOT / "cpp" / "games" / "uno" / "README.md"
GAMES = sorted((ROOT / "cpp" / "games").glob("*/README.md"))
WEIGHTS = ROOT / "src" / "kibitz" / "weights" / "README.md"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "cpp" / "README.md", *GAMES, WEIGHTS])


@dataclass(frozen=True)
class Block:
    language: str
    section: str  # the heading it stands under
    line: int  # of its first line, in the file
    code: str
    mark: str  # the comment right above it, if there is one


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page."""
    section, start, language, code, before, mark = "", 0, "", "", "", ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        if start and line == "```":
            yield Block(language, section, start + 1, code, mark)
            start = 0
        elif start:
            code += line + "\n"
        elif line.startswith("```"):
            start, language, code = number, line[3:].strip(), ""
            mark = before.removeprefix("<!-- ").removesuffix(" -->") if before.startswith("<!-- ") else ""
        elif line.startswith("#"):
            section = line.lstrip("# ")
        before = line
    assert not start, f"{page}: the block in line {start} has no end"


def pages_with(language: str) -> list[Any]:
    found = [page for page in PAGES if any(block.language == language for block in blocks(page))]
    return [pytest.param(page, id=str(page.relative_to(ROOT))) for page in found]


@pytest.fixture
def untouched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder of its own to write to, and registries that forget afterwards what the code put into them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry._games, "added", dict(registry._games.added))
    monkeypatch.setattr(registry._agents, "added", dict(registry._agents.added))
    # All of them, not only those registered so far: modules that were loaded into a copy would be lost with it.
    monkeypatch.setattr(experiments, "_REGISTERED", experiments.all_experiments())


@pytest.mark.usefixtures("untouched")
@pytest.mark.parametrize("page", pages_with("python"))
def test_python_runs(page: Path) -> None:
    """All blocks of a page in their order, in one namespace."""
    namespace: dict[str, Any] = {"__name__": "__main__"}  # dataclasses look their module up by its name
    before = len(namespace)
    for block in blocks(page):
        if block.language == "python":
            # Empty lines in front, so that a traceback shows the line of the page.
            exec(compile("\n" * (block.line - 1) + block.code, str(page), "exec"), namespace)
    assert len(namespace) > before, "no block has left a name behind: did any run?"


def commands(block: Block) -> Iterator[tuple[list[str], str]]:
    """The command lines of a console, taken apart, each with what it printed."""
    for entry in re.split(r"^\$ ", block.code, flags=re.MULTILINE)[1:]:
        line, _, printed = entry.replace("\\\n", " ").partition("\n")
        yield shlex.split(line), printed


@pytest.mark.usefixtures("untouched")
def test_search_prints_what_its_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    """Searches with a seed and one thread say the same everywhere, to the last digit."""
    page = ROOT / "docs" / "search.md"
    shown = [entry for block in blocks(page) if block.language == "console" for entry in commands(block)]
    assert [words[1] for words, _ in shown] == ["show", "think", "play"]
    for words, printed in shown[:2]:
        target = words.index(">") if ">" in words else len(words)
        assert cli.run(words[1:target] + words[target + 2 :]) == 0
        out = "".join(f"{line.rstrip()}\n" for line in capsys.readouterr().out.splitlines())
        if target < len(words):
            Path(words[target + 1]).write_text(out, encoding="utf-8")
        else:
            assert out == printed


@pytest.mark.usefixtures("untouched")
def test_the_kibitzer_says_what_its_page_shows(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first move of the game that is shown, up to where lines are left out, and the sum at its end."""
    page = ROOT / "docs" / "search.md"
    shown = [entry for block in blocks(page) if block.language == "console" for entry in commands(block)]
    words, printed = next((words, printed) for words, printed in shown if words[1] == "play")
    typed = re.findall(r"^> (\d+)$", printed, re.MULTILINE)
    lines = iter([*typed, *["1"] * 8])
    monkeypatch.setattr("builtins.input", lambda *_: next(lines))
    assert cli.run(words[1:]) == 0
    out = "".join(f"{line.rstrip().removeprefix('> ')}\n" for line in capsys.readouterr().out.splitlines())
    begin, end = re.sub(r"^> (\d+\n)?", "", printed, flags=re.MULTILINE).split("…\n")
    assert out.startswith(begin)
    assert out.endswith(end)


def test_there_are_exactly_two_set_up_commands() -> None:
    commands = [block for block in blocks(README) if block.section == "Set-up"]
    assert [block.language for block in commands] == ["sh", "sh"]
    assert [block.code.count("\n") for block in commands] == [1, 1]
    play, develop = (block.code.strip().split(" && ") for block in commands)
    assert play == ["python3 -m venv .venv", ".venv/bin/pip install '.[web]'", ".venv/bin/kibitz"]
    assert develop == [
        "python3 -m venv .venv",
        ".venv/bin/pip install -c constraints.txt -e '.[dev]'",
        ".venv/bin/python -m pytest -n auto",
    ]
    # Continuous integration finds the second one by this mark.
    text = README.read_text(encoding="utf-8")
    assert text.count("<!-- test command -->") == text.count("<!-- test command -->\n```sh\n" + commands[1].code) == 1


@pytest.mark.parametrize("page", [pytest.param(page, id=str(page.relative_to(ROOT))) for page in PAGES])
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            path, _, anchor = target.partition("#")
            linked = page.parent / path if path else page
            assert linked.exists(), target
            headings = re.findall(r"^#+ (.*)$", linked.read_text(encoding="utf-8"), re.MULTILINE) if anchor else []
            assert not anchor or anchor in [heading.lower().replace(" ", "-") for heading in headings], target


def test_the_picture_loads_nothing() -> None:
    picture = (ROOT / "docs" / "img" / "play.svg").read_text(encoding="utf-8")
    assert re.findall(r"https?://[^\"]*", picture) == ["http://www.w3.org/2000/svg"]
    assert all(target.startswith("#") for target in re.findall(r"url\(([^)]*)\)", picture))
    assert "@import" not in picture
    assert "href" not in picture


def row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |\n"


def test_uno_actions_are_those_of_the_table() -> None:
    text = UNO.read_text(encoding="utf-8")
    official, rlcard = kibitz.make("uno", rules="official"), kibitz.make("uno", rules="rlcard")
    traits = [official.text(action)[2:] for action in range(15)]
    for colour in range(4):
        actions = range(15 * colour, 15 * colour + 15)
        name = official.text(actions[0])[0]
        assert [official.text(action) for action in actions] == [f"{name}-{trait}" for trait in traits]
        assert row([name, *map(str, actions)]) in text
    assert "| |" + row(traits)[1:] in text
    listed = re.findall(r"^\| (\d+) \| `([^`]+)` \|", text, re.MULTILINE)
    assert listed == [(str(action), official.text(action)) for action in range(60, official.num_actions)]
    assert f"({official.num_actions} actions; rlcard rules have {rlcard.num_actions})" in text


def game_page(name: str) -> str:
    return (ROOT / "cpp" / "games" / name / "README.md").read_text(encoding="utf-8")


def test_every_game_has_its_page() -> None:
    assert {page.parent.name for page in GAMES} >= set(kibitz._core.games())
    for page in PAGES:
        assert page.read_text(encoding="utf-8").startswith("# "), page  # a formatter for C++ once took one for code


@pytest.mark.parametrize("name", sorted(kibitz._core.games()))
def test_options_are_those_of_the_table(name: str) -> None:
    table = re.findall(r"^\| (`[^|]*)\|", game_page(name), re.MULTILINE)
    named = set(re.findall(r"`([a-z_]+)`", " ".join(table)))
    assert set(kibitz.make(name).options) <= named


@pytest.mark.parametrize("name", ["uno", "doudizhu", "belote"])
def test_offsets_of_encoders_are_those_of_the_tables(name: str) -> None:
    """`full` first, then the features of actions, where there are any; no gap, no overlap, and the whole size."""
    game, text = kibitz.make(name), game_page(name)
    sizes = [game.encoders["full"].size, *([game.action_features] if game.action_features else [])]
    tables = text.split("| offset | floats |")[1:]
    assert len(tables) == len(sizes)
    for table, size in zip(tables, sizes, strict=True):
        parts = [(int(at), int(n)) for at, n in re.findall(r"^\| (\d+) \| (\d+) \|", table, re.MULTILINE)]
        ends = [at + n for at, n in parts]
        assert [at for at, _ in parts] == [0, *ends[:-1]]
        assert ends[-1] == size


def test_uno_encoders_are_those_of_the_table() -> None:
    text = UNO.read_text(encoding="utf-8")
    for encoder in kibitz.make("uno").encoders.values():
        shape = " x ".join(map(str, encoder.shape))
        assert row([f"`{encoder.name}`", shape, str(encoder.size), "yes" if encoder.peeks else "no"]) in text


@pytest.mark.parametrize("name", sorted(kibitz._core.games()))
def test_members_of_a_position_are_those_of_the_table(name: str) -> None:
    game = kibitz.make(name)
    with pytest.raises(ValueError, match="allowed") as refusal:
        game.from_position({"nonsense": 1})
    allowed = set(re.findall(r"[a-z_]+", str(refusal.value).partition("allowed")[2]))
    page = game_page("board" if name in ("tictactoe", "connect_four", "hex") else name)
    table = page[page.index("| member | value |") :].split("\n\n")[0]
    first = "".join(line.split("|")[1] for line in table.splitlines() if line.startswith("| `"))
    documented = set(re.findall(r"`([a-z_]+)`", first))
    assert allowed - set(game.options) <= documented
    assert documented <= allowed | set(game.options)


def test_belote_actions_are_those_of_the_table() -> None:
    game, text = kibitz.make("belote", bidding=True), game_page("belote")
    for suit in range(4):
        cards = [game.text(action) for action in range(8 * suit, 8 * suit + 8)]
        assert row([cards[0][-1], *map(str, range(8 * suit, 8 * suit + 8))]) in text
        assert "| |" + row([card[:-1] for card in cards])[1:] in text
    assert [game.text(action) for action in range(32, game.num_actions)] == re.findall(r"`(pass|take-.)`", text)
    assert f"there are also 32 `pass` and 33 to {game.num_actions - 1} `take-s`" in text


def test_doudizhu_actions_are_those_of_the_table() -> None:
    game, text = kibitz.make("doudizhu"), game_page("doudizhu")
    listed = re.findall(r"^\| [a-z+ ]+ \| `(\w+)` \| [^|]*\| ([\d,]+) \| (\d+)(?: to (\d+))? \|", text, re.MULTILINE)
    following = 0
    for example, moves, first, last in listed:
        assert int(first) == following
        following = int(last or first) + 1
        assert following - int(first) == int(moves.replace(",", ""))
        assert int(first) <= game.parse(example) < following
    assert following == kibitz.make("doudizhu", rules="rlcard").num_actions
    further = re.findall(r"^\| (\d+) to (\d+) \| `([^`]+)`", text, re.MULTILINE)
    for first, last, example in further:
        assert int(first) == following
        following = int(last) + 1
        assert int(first) <= game.parse(example) <= int(last)
    assert following == game.num_actions
    assert f"there are {game.num_actions:,} ids" in text


def test_uno_limits_of_memory_are_those_of_the_text() -> None:
    tokens = [["r-1", 0, 1]] * 100
    position = {"target": "r-5", "hands": [["r-1"], ["g-1"]], "memory": [{}, {"played": tokens}]}
    with pytest.raises(ValueError, match=r"at most (\d+) played cards") as refusal:
        kibitz.make("uno").from_position(position)
    most = re.findall(r"at most (\d+)", str(refusal.value))[0]
    assert f"at most {most} tokens" in UNO.read_text(encoding="utf-8").replace("\n", " ")
