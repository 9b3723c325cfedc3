"""Draws the pictures of docs/img: python tools/screenshots.py (needs chromium, Node and the packages of [dev]).

Tables come from the gallery, which draws fixed positions of real games; the other pages from a server of its own.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "img"
LARGEST = 200_000  # bytes
DESK, PHONE = (1280, 800), (390, 844)
# Name of the picture: scene of the gallery, size, theme, language.
TABLES: dict[str, tuple[str, tuple[int, int], str, str]] = {
    "uno-desk": ("uno", DESK, "dark", "en"),
    "uno-desk-light": ("uno", DESK, "light", "fr"),
    "uno-phone": ("uno", PHONE, "dark", "en"),
    "uno-ten-phone": ("uno10", PHONE, "dark", "zh"),
    "belote": ("belote", DESK, "dark", "fr"),
    "belote-phone": ("belote-bid", PHONE, "light", "fr"),
    "doudizhu": ("doudizhu", DESK, "dark", "zh"),
    "doudizhu-phone": ("doudizhu20", PHONE, "dark", "zh"),
    "connect-four": ("connect_four", DESK, "light", "en"),
    "hex-phone": ("hex", PHONE, "dark", "en"),
    "rulesheet": ("sheet-board", DESK, "dark", "en"),
}


@contextmanager
def started(command: list[str], folder: Path, address: str) -> Iterator[str]:
    """A process that says its address."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if found := re.search(address, re.sub(r"\x1b\[\d+m", "", line)):
                yield found[0]
                break
        else:
            raise SystemExit(f"{command[0]} said no address")
    finally:
        process.terminate()
        process.wait()


def save(page: Page, name: str) -> None:
    """With a palette, which is smaller and looks the same."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    file = IMAGES / f"{name}.png"
    picture.quantize(256, kmeans=4, dither=Image.Dither.FLOYDSTEINBERG).save(file, optimize=True)
    print(f"{file.relative_to(ROOT)}  {file.stat().st_size} bytes")
    if file.stat().st_size > LARGEST:
        raise SystemExit(f"{file} is larger than {LARGEST} bytes")


def opened(browser: Browser, size: tuple[int, int], theme: Any = "dark") -> Page:
    look: dict[str, Any] = {"viewport": {"width": size[0], "height": size[1]}, "color_scheme": theme}
    context = browser.new_context(locale="en-GB", reduced_motion="reduce", has_touch=size == PHONE, **look)
    context.add_init_script("localStorage.kibitz ??= JSON.stringify({ taught: true })")
    return context.new_page()


def home(page: Page, url: str) -> None:
    page.goto(url)
    page.locator(".game").last.wait_for()


def setup(page: Page, url: str) -> None:
    page.goto(f"{url}#/new/uno")
    page.locator("select[name=people]").select_option("2")


def waiting(page: Page, url: str) -> None:
    setup(page, url)
    page.locator("input[name=name]").fill("Ada")
    page.locator("[data-action=start]").click()
    page.locator("[data-action=begin]").wait_for()
    page.locator("option[value=club]").first.wait_for(state="attached")


def kibitzer(page: Page, url: str) -> None:
    """A decision at Uno with several moves, and what is thought of them."""
    page.goto(f"{url}#/new/uno")
    page.locator("input[name=name]").fill("Ada")
    page.locator("[data-action=start]").click()
    page.locator(".hand button").first.wait_for()
    if page.locator(".panel").is_hidden():
        page.locator("#tab-kibitzer").click()
    page.locator("[data-action=kibitzer]").check()
    for _ in range(60):
        page.locator(".pill.now").wait_for()
        page.locator("[data-report=done], .kibitzer p.dim").first.wait_for()
        if page.locator("[data-report=done] [data-opinion]").count() > 2:
            return
        page.locator(".buttons button, .pile.able, .hand .up").first.click()
        page.wait_for_timeout(300)


def review(page: Page, url: str) -> None:
    """A deal of Belote, played without thought, at its costliest moment."""
    page.goto(f"{url}#/new/belote")
    page.locator("input[name=name]").fill("Ada")
    page.locator("[data-action=start]").click()
    tries = (".over [data-action=review]", "[data-action^=take]", ".buttons button", ".hand .chosen.up", ".hand .up")
    while not page.locator("[data-step]").count():
        page.locator(f".pill.now, {tries[0]}").first.wait_for()
        found = next((one for one in tries if page.locator(one).count()), None)
        if found is not None:
            page.locator(found).first.click(force=True, position={"x": 12, "y": 12})
        page.wait_for_timeout(200)
    page.locator(".progress").wait_for(state="detached", timeout=120_000)
    moments = page.locator("[data-moment]")
    if moments.count():
        moments.nth(min(1, moments.count() - 1)).click()


PAGES: dict[str, tuple[Callable[[Page, str], None], tuple[int, int]]] = {
    "home": (home, DESK),
    "home-phone": (home, PHONE),
    "new-table": (setup, DESK),
    "waiting-phone": (waiting, PHONE),
    "kibitzer": (kibitzer, DESK),
    "kibitzer-phone": (kibitzer, PHONE),
    "review": (review, DESK),
    "review-phone": (review, PHONE),
}


def main() -> int:
    """All pictures, or those that are named."""
    wanted = set(sys.argv[1:]) or {*TABLES, *PAGES}
    IMAGES.mkdir(parents=True, exist_ok=True)
    serve = "from kibitz.cli import main; main()"
    with ExitStack() as stack:
        gallery = stack.enter_context(started(["npx", "vite", "--port", "0"], ROOT / "web", r"http://localhost:\d+/"))
        data = stack.enter_context(tempfile.TemporaryDirectory())
        command = [sys.executable, "-c", serve, "serve", "--port", "0", "--data", data]
        table = stack.enter_context(started(command, ROOT, r"http://[\d.]+:\d+/"))
        browser = stack.enter_context(sync_playwright()).chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for name, (scene, size, theme, language) in TABLES.items():
            if name not in wanted:
                continue
            page = opened(browser, size, theme)
            page.goto(f"{gallery}gallery/?scene={scene}&theme={theme}&lang={language}")
            page.locator(".stage").wait_for()
            page.wait_for_load_state("networkidle")
            save(page, name)
        for name, (go, size) in PAGES.items():
            if name not in wanted:
                continue
            page = opened(browser, size)
            go(page, table)
            page.wait_for_load_state("networkidle")
            save(page, name)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
