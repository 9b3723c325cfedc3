"""The built page as it is in the package: small, and with words for everything that the server offers."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import kibitz
from kibitz.web.catalogue import Catalogue
from kibitz.web.talk import PHRASES

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "src" / "kibitz" / "web" / "static"
LIMIT = 120_000  # bytes, compressed, before the first picture


def imported(file: Path) -> set[Path]:
    """The file with all that it imports before it runs."""
    found, left = set[Path](), [file]
    while left:
        one = left.pop()
        if one not in found:
            found.add(one)
            names = re.findall(r'(?:from|import)"\./([\w.-]+\.js)"', one.read_text())
            left += [one.parent / name for name in names]
    return found


def size(files: set[Path]) -> int:
    return sum(len(gzip.compress(file.read_bytes())) for file in files)


def test_first_load_is_small() -> None:
    index = STATIC / "index.html"
    named = {STATIC / name for name in re.findall(r'(?:src|href)="/([^"]+)"', index.read_text())}
    scripts = {one for file in named if file.suffix == ".js" for one in imported(file)}
    first = {index} | named | scripts
    assert len(scripts) > 1
    assert size(first) < LIMIT


def test_every_page_is_small() -> None:
    """With whatever it shows: all painters, all styles, and the words of one language."""
    everything = {file for file in STATIC.rglob("*") if file.is_file()}
    foreign = {file for file in everything if re.match(r"(fr|zh)-", file.name)}
    assert len(foreign) == 2
    pages = {page.stem for page in (ROOT / "web" / "src" / "pages").glob("*.svelte")}
    named = {STATIC / name for name in re.findall(r'(?:src|href)="/([^"]+)"', (STATIC / "index.html").read_text())}
    lazy = {file for file in everything if file.suffix == ".js" and file.name.rpartition("-")[0] in pages}
    assert len(lazy) > 5
    shared = everything - lazy - foreign | named | {max(foreign, key=lambda file: size({file}))}
    for page in lazy:
        assert size(shared | imported(page)) < LIMIT, page.name


def test_the_page_has_words_for_what_the_server_offers() -> None:
    words = set(re.findall(r'^  "([^"]+)":', (ROOT / "web" / "src" / "i18n" / "en.ts").read_text(), re.MULTILINE))
    wanted = {f"phrase.{phrase}" for phrase in PHRASES}
    for info in Catalogue().games():
        wanted |= {f"game.{info.game}", f"about.{info.kind}"} | {f"option.{option.name}" for option in info.options}
        wanted |= {f"level.{level.name}" for level in kibitz.levels(kibitz.make(info.game))}
    assert wanted - words == set()
