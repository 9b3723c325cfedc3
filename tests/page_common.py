"""A real server and a real browser, for the tests of the page. Import the fixtures that a file needs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from web_process import Server

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
SOON, PATIENCE = 20, 3_000  # milliseconds
WAIT = 60_000  # milliseconds: only keeps a test from hanging
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SHEETS = Path(__file__).parent.parent / "src" / "kibitz" / "rulesheets"

# For `Server.before`: seeds, and so deals and what bots draw by lot, are 1, 2, 3, …; a bot soon plays for the absent.
SAME_DEALS = "import itertools, kibitz.web.means as m; m.Chance.seed = lambda self, it=itertools.count(1): next(it)"
SHORT_GRACE = "import functools, kibitz.web.settings as s; s.Settings = functools.partial(s.Settings, grace=0.3)"


def _chromium() -> str:
    """Without a browser these tests are left out, in one line; with KIBITZ_NEED_BROWSER set, as in CI, they fail."""
    found = shutil.which("chromium")
    missing = "chromium" if found is None else "playwright" if find_spec("playwright") is None else None
    if missing is not None and os.environ.get("KIBITZ_NEED_BROWSER"):
        raise RuntimeError(f"{missing} is missing, and KIBITZ_NEED_BROWSER is set")
    if missing is not None:
        pytest.skip(f"the page in a browser: {missing} is missing", allow_module_level=True)
    return str(found)


CHROMIUM = _chromium()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """With rulesheets, and bots that do not wait."""
    made = Server(tmp_path_factory.mktemp("table"), "--rulesheets", str(SHEETS))
    made.start()
    yield made
    made.stop()


class Visitors:
    """People, each with a browser context of its own. What the page complains about fails the test."""

    def __init__(self, browser: Any) -> None:
        self.problems: list[str] = []
        self._browser, self._contexts = browser, list[Any]()

    def context(self, **kind: Any) -> Any:
        made = self._browser.new_context(**{"locale": "en-GB", "reduced_motion": "reduce", **DESK, **kind})
        made.on("weberror", lambda error: self.problems.append(str(error.error)))
        made.on("console", self._heard)
        self._contexts.append(made)
        return made

    def page(self, url: str, name: str = "Ada", **kind: Any) -> Any:
        """A page whose guest has a name."""
        page = self.context(**kind).new_page()
        page.set_default_timeout(WAIT)
        page.goto(f"{url}/#/me")
        page.locator("input.field").first.fill(name)
        page.locator("form button.now").click()
        page.locator("[data-known=true]").wait_for(state="attached")
        return page

    def _heard(self, line: Any) -> None:
        if "Content Security Policy" in line.text:
            self.problems.append(line.text)

    def close(self) -> None:
        for one in self._contexts:
            one.close()


@pytest.fixture
def visitors(browser: Any) -> Iterator[Visitors]:
    made = Visitors(browser)
    yield made
    made.close()
    assert not made.problems


def new_table(page: Any, url: str, game: str, **choices: str) -> None:
    """Makes a table; `choices`: names of lists and what to choose there."""
    page.goto(f"{url}/#/new/{game}")
    for name, value in {"level": "beginner", **choices}.items():
        page.locator(f"select[name={name}]").select_option(value)
    page.locator("[data-action=start]").click()
    page.locator(".stage, [data-action=begin]").first.wait_for()


def my_move(page: Any) -> str:
    """Waits until there is something to do; says what: "turn" or "over"."""
    page.locator(".pill.now, .over").first.wait_for()
    return "over" if page.locator(".over").count() else "turn"


# What to click, in this order: the one button that is meant, other buttons, a card that was lifted, what can be.
TRIES = (
    ".buttons button.now",
    ".buttons button:not(.quiet)",
    ".hand .chosen.up",
    "[data-action=hint]",
    ".hand .up",
    ".cell.able",
    ".grid .able",
    ".pile.able",
)


# The points, from top to bottom, where nothing lies over the card.
FREE = """card => {
  const box = card.getBoundingClientRect(), free = [];
  for (let y = box.top + 2; y < box.bottom; y += 3)
    for (let x = box.left + 2; x < box.right; x += 3)
      if (card.contains(document.elementFromPoint(x, y))) free.push([x, y]);
  return free;
}"""


def tap(page: Any, card: Any, height: float = 0.5, times: int = 1) -> None:
    """On a card of a hand, which others overlap, at one place. `height`: 0 is its upper edge, 1 its lower one."""
    points = card.evaluate(FREE)
    point = points[round(height * (len(points) - 1))]
    fingers = page.evaluate("matchMedia('(hover: none)').matches")
    for _ in range(times):
        if fingers:
            page.touchscreen.tap(*point)
        else:
            page.mouse.click(*point)


def step(page: Any, *first: str) -> str | None:
    """Clicks once, on the first of these that is there. What was clicked, or None if the deal is over."""
    for _ in range(WAIT // SOON):
        if my_move(page) == "over":
            return None
        for selector in (*first, *TRIES):
            if page.locator(selector).count():
                return selector if _hit(page, selector) else ""
        page.wait_for_timeout(SOON)  # a move is on its way
    raise AssertionError("nothing can be done, and it is our turn")


def _hit(page: Any, selector: str) -> bool:
    """False if it has gone meanwhile: where nothing is hidden the server plays what has no alternative."""
    from playwright.sync_api import TimeoutError as LateError

    if ".hand" in selector:
        tap(page, page.locator(selector).first)
        return True
    try:
        page.locator(selector).first.click(timeout=PATIENCE)
    except LateError:
        return False
    return True


def play_on(page: Any, clicks: int = 900) -> int:
    """Plays what is offered until the deal is over. The number of clicks."""
    for made in range(clicks):
        if step(page) is None:
            return made
    raise AssertionError(f"not over after {clicks} clicks")
