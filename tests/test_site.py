"""The documentation site: built without a warning, whole, loading nothing from elsewhere, and readable on a phone."""

from __future__ import annotations

import functools
import http.server
import re
import threading
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
import reference
import website

from kibitz import guides
from kibitz.agents import declared
from kibitz.learn import METHODS

DOCS = website.ROOT / "docs"
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "link": "href"}


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return website.build(tmp_path_factory.mktemp("site"))


class Page(HTMLParser):
    """What a page loads, where it leads, and what can be linked in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.names: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.names |= {name for name in (given.get("id"), given.get("name")) if name}
        if target := given.get(LOADED.get(tag, "")):
            self.loads.append(target)
        if tag == "a" and (target := given.get("href")):
            self.links.append(target)


@pytest.fixture(scope="module")
def read(html: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in html.rglob("*.html")}


def outside(target: str) -> bool:
    return bool(urlsplit(target).scheme) or target.startswith("//")


def test_nothing_is_loaded_from_elsewhere(html: Path, read: dict[Path, Page]) -> None:
    found = [(path.name, target) for path, page in read.items() for target in page.loads if outside(target)]
    assert not [(name, target) for name, target in found if not target.startswith("data:")]
    for path in html.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        targets = re.findall(r"url\(\s*['\"]?([^'\")]+)", text) + re.findall(r"@import\s+['\"]([^'\"]+)", text)
        assert not [target for target in targets if outside(target) and not target.startswith("data:")], path.name
    # The builder's script names what it would fetch for diagrams and editors; no page may be able to.
    rule = "Content-Security-Policy\" content=\"default-src 'self' data: blob: 'unsafe-inline'\""
    assert all(rule in path.read_text(encoding="utf-8") for path in read)


def test_links_lead_somewhere(html: Path, read: dict[Path, Page]) -> None:
    for path, page in read.items():
        if path.name == "404.html":
            continue  # shown at any address
        for target in page.links:
            if outside(target):
                continue
            address, anchor = urldefrag(target)
            there = Path((path.parent / unquote(address)).resolve()) if address else path
            if there.is_dir():
                there /= "index.html"
            assert there.exists(), (path.name, target)
            known = read.get(there)
            assert not anchor or known is None or unquote(anchor) in known.names, (path.name, target)


def test_every_page_is_in_the_navigation() -> None:
    settings = tomllib.loads((DOCS / "site.toml").read_text(encoding="utf-8"))
    listed = [*website.listed(settings["project"]["nav"])]
    assert len(listed) == len(set(listed))
    assert {path.name for path in DOCS.glob("*.md")} <= set(listed)
    assert {f"rules/{name}.md" for name in guides.written()} <= set(listed)
    assert {f"reference/{name}.md" for name in reference.PARTS} <= set(listed)
    assert {page.name for page in DOCS.glob("*.md")} >= set(listed) - {
        place for place in listed if "/" in place or place in ("core.md", "weights.md")
    } - {f"{name.lower()}.md" for name in website.TOP}


def sections(page: str) -> dict[str, str]:
    """Name of a method -> what is said of it; a heading may name several."""
    found: dict[str, str] = {}
    for part in (DOCS / page).read_text(encoding="utf-8").split("\n## ")[1:]:
        heading, _, text = part.partition("\n")
        found |= dict.fromkeys(heading.split(", "), text)
    return found


def test_every_method_is_described() -> None:
    searches, learners = sections("search_methods.md"), sections("learning_methods.md")
    assert set(searches) == set(re.findall(r"^\| `([a-z-]+)` \|", declared.searches(), re.MULTILINE))
    assert set(learners) == {*METHODS, "q", "qm", "td"}
    for text in [*searches.values(), *learners.values()]:
        assert re.findall(r"^\*\*(\w+)\.\*\*", text, re.MULTILINE) == [
            "Idea",
            "Formula",
            "Parameters",
            "Strength",
            "Cost",
        ]


def test_intervals_of_methods_are_those_of_their_sources() -> None:
    """What is quoted changes with its source: a match that is played again, a network that is trained again."""

    def intervals(text: str) -> set[tuple[str, ...]]:
        plain = text.replace("\N{MINUS SIGN}", "-").replace("%", "").replace("+", "")
        return {(low, high) for low, high in re.findall(r"\[(-?[\d.]+), (-?[\d.]+)\]", plain)}

    sources = [DOCS / "strength.md", DOCS / "learning.md", website.ROOT / "src" / "kibitz" / "weights" / "README.md"]
    sources += (website.ROOT / "results").glob("*/*/README.md")
    known = set().union(*(intervals(path.read_text(encoding="utf-8")) for path in sources))
    for page in ("search_methods.md", "learning_methods.md", "from_rlcard.md"):
        quoted = intervals((DOCS / page).read_text(encoding="utf-8"))
        assert quoted
        assert quoted <= known, f"{page}: {quoted - known}"


def test_the_reference_has_what_the_package_exports() -> None:
    import kibitz

    text = "".join(reference.pages().values())
    for name in kibitz.__all__:
        if callable(getattr(kibitz, name)):
            assert f"### {name}\n" in text, name


@pytest.fixture(scope="module")
def address(html: Path) -> Iterator[str]:
    handler = functools.partial(Silent, directory=str(html))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None: ...


PAGES = ("index", "tutorial", "search", "search_methods", "strength", "architecture", "from_rlcard", "results/index")


@pytest.mark.parametrize("width", [360, 1280])
def test_pages_fit_the_window_and_ask_nobody_else(width: int, address: str) -> None:
    page_common = pytest.importorskip("page_common")  # which says so where there is no browser
    from playwright.sync_api import sync_playwright

    asked: list[str] = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=page_common.CHROMIUM, args=page_common.FLAGS)
        page = browser.new_context(viewport={"width": width, "height": 740}).new_page()
        page.on("request", lambda request: asked.append(request.url))
        for name in (*PAGES, "reference/kibitz", "rules/uno"):
            page.goto(f"{address}/{name}.html", wait_until="load")
            assert page.locator("article h1").first.inner_text().strip(), name
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            assert page.evaluate("[...document.images].every(one => one.complete && one.naturalWidth > 0)"), name
        browser.close()
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []
    assert any(url.endswith(".js") for url in asked)
