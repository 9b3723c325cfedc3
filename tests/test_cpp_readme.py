"""What cpp/README.md says of the core is true: its hooks are those of core/optional.h, its folders stand in order."""

from __future__ import annotations

import re
from pathlib import Path

CPP = Path(__file__).parents[1] / "cpp"
README = (CPP / "README.md").read_text(encoding="utf-8")
OPTIONAL = (CPP / "core" / "optional.h").read_text(encoding="utf-8")
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def first_column(heading: str) -> list[str]:
    """What stands in backticks at the beginning of the rows of the table with this heading."""
    table = README.split(f"\n| {heading} |", 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)


def hooks() -> list[str]:
    body = re.search(r"kHooks\{(.*?)\};", OPTIONAL, re.DOTALL)
    assert body is not None
    return re.findall(r'"([^"]+)"', body[1])


def folder(path: str) -> str:
    return path.split("/", 1)[0] + "/"


def sources() -> list[Path]:
    return sorted([*CPP.rglob("*.h"), *CPP.rglob("*.cpp")])


def test_the_table_of_hooks_lists_all_hooks_in_their_order() -> None:
    assert first_column("hook") == hooks()


def test_names_and_numbers_of_hooks_are_in_the_same_order() -> None:
    body = re.search(r"enum class Hook[^{]*\{(.*?)\};", OPTIONAL, re.DOTALL)
    assert body is not None
    numbers = [name.lower() for name in re.findall(r"\bk(\w+)", body[1])]
    assert numbers == [re.sub(r"[^a-z]", "", hook.removeprefix("k").lower()) for hook in hooks()]


def test_every_folder_stands_in_the_table() -> None:
    listed = {folder(name) for name in first_column("folder")}
    assert {folder(str(path.relative_to(CPP))) for path in sources()} <= listed


def test_folders_include_only_what_stands_above_them() -> None:
    order = [folder(name) for name in first_column("folder")]
    wrong = [
        f"{path.relative_to(CPP)} includes {included}"
        for path in sources()
        for included in INCLUDE.findall(path.read_text(encoding="utf-8"))
        if order.index(folder(included)) > order.index(folder(str(path.relative_to(CPP))))
    ]
    assert wrong == []


def test_games_include_no_other_game() -> None:
    wrong = [
        f"{path.relative_to(CPP)} includes {included}"
        for path in sorted([*CPP.glob("games/**/*.h"), *CPP.glob("games/**/*.cpp")])
        for included in INCLUDE.findall(path.read_text(encoding="utf-8"))
        if included.startswith("games/")
        and included.split("/")[1] not in ("board", path.relative_to(CPP / "games").parts[0])
    ]
    assert wrong == []
