"""Builds the documentation site: python tools/website.py

What is written once stays where it is: pages of docs/, the guides of the package, the READMEs of games and results, and
docstrings are gathered in build/site/pages, and Zensical makes build/site/html of them. A warning is an error. Links
between files of the repository become links between pages; a link to a file that has no page becomes its text.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import reference

from kibitz import guides
from kibitz.experiments import index
from kibitz.guides.generic import FOLDER

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "build" / "site"
TOP = ("README", "CONTRIBUTING", "CHANGELOG", "SECURITY", "NOTICE")
SHOWN = (".png", ".svg", ".css", ".txt")


def pages() -> dict[Path, str]:
    """Files of the repository that have a page, or are shown on one -> their place in the site."""
    found = {ROOT / f"{name}.md": f"{name.lower()}.md" for name in TOP}
    found |= {path: path.relative_to(ROOT / "docs").as_posix() for path in files("docs", (".md", *SHOWN))}
    found[ROOT / "cpp" / "README.md"] = "core.md"
    found |= {path: f"games/{path.parent.name}.md" for path in (ROOT / "cpp" / "games").glob("*/README.md")}
    found |= {path: f"rules/{path.name}" for path in (FOLDER / "en").glob("*.md")}
    found[ROOT / "src" / "kibitz" / "weights" / "README.md"] = "weights.md"
    found[ROOT / "examples" / "new_game" / "games" / "kuhn" / "README.md"] = "games/kuhn.md"
    for path in files("results", (".md", ".png", ".csv")):
        if not {"parts", "trained", "quick"} & set(path.parts):
            found[path] = path.relative_to(ROOT).as_posix().replace("README.md", "index.md")
    return found


def files(folder: str, endings: tuple[str, ...]) -> Iterator[Path]:
    return (path for path in sorted((ROOT / folder).rglob("*")) if path.suffix in endings)


def linked(text: str, source: Path, known: dict[Path, str]) -> str:
    """The text of a page with the links that hold in the site."""
    here = Path(known[source]).parent

    def replace(match: re.Match[str]) -> str:
        before, words, target, tip = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        path, sign, anchor = target.partition("#")
        place = known.get(Path(os.path.normpath(source.parent / path)))
        if place is None:
            return str(words)
        if re.fullmatch(r"[\w/]+\.md", words):  # a file's name says little where pages have titles
            words = title(Path(os.path.normpath(source.parent / path)))
        return f"{before}[{words}]({Path(os.path.relpath(place, here)).as_posix()}{sign}{anchor}{tip or ''})"

    return re.sub(r"(!?)\[((?:[^][]|\[[^][]*\])*)\]\(([^)\s]+)( \"[^\"]*\")?\)", replace, text)


def outside_code(text: str, source: Path, known: dict[Path, str]) -> str:
    """Links in fenced blocks are none."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else linked(part, source, known) for part in parts)


def gather(to: Path) -> None:
    """All pages and pictures, in a new folder."""
    shutil.rmtree(to, ignore_errors=True)
    known = pages()
    overview = ROOT / "results" / "README.md"
    known[overview] = "results/index.md"
    for source, place in known.items():
        target = to / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if source == overview:  # always of the results that are there
            target.write_text(outside_code(index.text(ROOT / "results"), source, known), encoding="utf-8")
        elif source.suffix == ".md":
            target.write_text(outside_code(source.read_text(encoding="utf-8"), source, known), encoding="utf-8")
        else:
            shutil.copyfile(source, target)
    for name, text in reference.pages().items():
        (to / "reference").mkdir(exist_ok=True)
        (to / "reference" / name).write_text(text, encoding="utf-8")
    (to / "rules" / "index.md").write_text(rules(), encoding="utf-8")


def rules() -> str:
    """The list of games for people."""
    folder = FOLDER / "en"
    rows = [f"| [{title(folder / f'{name}.md')}]({name}.md) | {guides.line(name)} |" for name in guides.written()]
    head = "# The rules of the games\n\nAs `kibitz rules GAME` has them, there also in French and Chinese."
    return f"{head}\n\n| game | |\n|---|---|\n" + "\n".join(rows) + "\n"


def title(page: Path) -> str:
    return page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")


def listed(nav: list[Any]) -> Iterator[str]:
    """The pages of a navigation."""
    for entry in nav:
        for target in entry.values():
            yield from listed(target) if isinstance(target, list) else [target]


def build(to: Path = SITE) -> Path:
    """The folder of the built site; SystemExit where the builder has something to complain of."""
    gather(to / "pages")
    shutil.copytree(ROOT / "docs" / "theme", to / "theme", dirs_exist_ok=True)
    settings = (ROOT / "docs" / "site.toml").read_text(encoding="utf-8")
    (to / "zensical.toml").write_text(settings, encoding="utf-8")
    if missing := [
        page for page in listed(tomllib.loads(settings)["project"]["nav"]) if not (to / "pages" / page).exists()
    ]:
        sys.exit(f"docs/site.toml lists pages that are not there: {', '.join(missing)}")
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    done = subprocess.run(command, cwd=to, capture_output=True, text=True, env=os.environ | {"NO_COLOR": "1"})
    said = done.stdout + done.stderr
    if done.returncode or "Warning" in said:
        sys.exit(f"the site has warnings:\n{said}")
    return to / "html"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", type=Path, default=SITE, help="folder for pages and html")
    html = build(options.parse_args().out)
    print(f"{len(list(html.rglob('*.html')))} pages: {html / 'index.html'}")


if __name__ == "__main__":
    main()
