"""A real server and a real browser, for the tests of the page."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
START = "from kibitz.cli import main; main()"
WAIT = 20_000  # milliseconds: only keeps a test from hanging


def chromium() -> str:
    """The browser; skips the test where there is none."""
    pytest.importorskip("playwright.sync_api", reason="the page's tests need playwright")
    found = shutil.which("chromium")
    if found is None:
        pytest.skip("the page's tests need Debian's chromium")
    return found


def serve(folder: Path) -> Iterator[str]:
    """The address of a server of its own, whose bots do not wait."""
    command = [sys.executable, "-c", START, "serve", "--port", "0", "--data", str(folder), "--pace", "0.02"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if found := re.search(r"http://[\d.:]+/", line):
                yield found[0]
                break
        else:
            pytest.fail("the server said no address")
    finally:
        process.terminate()
        process.communicate(timeout=30)


def begin(context: Any, url: str, name: str = "Ada") -> Any:
    """A page whose guest has a name."""
    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.goto(url)
    page.locator("input.field").first.fill(name)
    page.locator("form button.now").click()
    page.locator(".game").first.wait_for()
    return page


def new_table(page: Any, url: str, game: str, **choices: str) -> None:
    """Makes a table; `choices`: names of fields and what to choose there."""
    page.goto(f"{url}#/new/{game}")
    for label, value in choices.items():
        page.locator(f"select[name={label}]").select_option(value)
    page.locator("form button.now").click()
    page.locator(".stage, section.box").first.wait_for()


def my_move(page: Any) -> str:
    """Waits until there is something to do; says what: "turn" or "over"."""
    page.locator(".pill.now, .over").first.wait_for()
    return "over" if page.locator(".over").count() else "turn"


def play_on(page: Any, moves: int) -> int:
    """Plays cards, cells and buttons as they are offered, until the deal is over. The number of moves made."""
    for made in range(moves):
        if my_move(page) == "over":
            return made
        before = page.locator("[role=log] p").count()
        for selector in TRIES:
            target = page.locator(selector)
            if target.count():
                target.first.click()
                break
        else:
            raise AssertionError("nothing can be done, and it is our turn")
        for _ in range(WAIT // 20):  # the page's policy forbids evaluated conditions: look again and again
            if page.locator("[role=log] p").count() != before or page.locator(".buttons, .over").count():
                break
            page.wait_for_timeout(20)
    raise AssertionError(f"not over after {moves} moves")


TRIES = (
    ".buttons button.now",
    ".buttons button:not(.quiet)",
    ".hand .up",
    ".cell.able",
    ".grid .able",
    ".tools button",
    ".pile.able",
)
