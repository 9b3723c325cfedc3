"""The page in a real browser against a real server: whole games, by mouse and keyboard, in three languages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from page_common import FLAGS, begin, chromium, my_move, new_table, play_on, serve


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    path = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=path, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    chromium()
    folder: Path = tmp_path_factory.mktemp("table")
    yield from serve(folder)


@pytest.fixture
def context(browser: Any) -> Iterator[Any]:
    """A visitor of its own; what the page complains about fails the test, a blocked style or script included."""
    made = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    problems: list[str] = []
    made.on("weberror", lambda error: problems.append(str(error.error)))
    made.on("console", lambda line: problems.append(line.text) if "Content Security Policy" in line.text else None)
    yield made
    made.close()
    assert not problems


@pytest.mark.parametrize("game", ["uno", "belote", "doudizhu", "mini_doudizhu", "connect_four", "tictactoe", "hex"])
def test_whole_deal_against_bots(context: Any, url: str, game: str) -> None:
    page = begin(context, url)
    new_table(page, url, game, **({"players": "2"} if game == "uno" else {}))
    play_on(page, 400)
    assert page.locator(".over [data-fair=true]").count() == 1
    page.locator(".over [data-action=next]").click()
    page.locator(".over").wait_for(state="detached")


def test_two_people_and_a_bot(browser: Any, context: Any, url: str) -> None:
    host = begin(context, url, "Ada")
    new_table(host, url, "uno", players="3", people="2")
    other = browser.new_context(locale="en-GB", reduced_motion="reduce")
    guest = begin(other, url, "Bo")
    guest.goto(host.url)
    guest.get_by_role("button", name="Sit here").first.click()
    host.locator(".stage").wait_for()
    guest.locator(".stage").wait_for()
    host.get_by_text("Bo", exact=True).first.wait_for()
    for _ in range(3):
        acting = next(page for page in _until(host, guest) if page.locator(".pill.now").count())
        before = acting.locator("[role=log] p").count()
        acting.locator(".buttons button:not(.quiet), .hand .up, .pile.able").first.click()
        if acting.locator(".buttons button.quiet").count():
            acting.locator(".buttons button").first.click()
        acting.wait_for_function("n => document.querySelectorAll('[role=log] p').length > n", arg=before)
    other.close()


def _until(first: Any, second: Any) -> list[Any]:
    """Both pages, once one of them is to act."""
    while not any(page.locator(".pill.now").count() for page in (first, second)):
        first.wait_for_timeout(20)  # lets the browser go on; the loop waits for the event
    return [first, second]


def test_reload_returns_to_the_seat(context: Any, url: str) -> None:
    page = begin(context, url)
    new_table(page, url, "uno")
    assert my_move(page) == "turn"
    hand = page.locator(".hand button").evaluate_all("cards => cards.map(card => card.dataset.card)")
    page.reload()
    page.locator(".hand button").first.wait_for()
    assert page.locator(".hand button").evaluate_all("cards => cards.map(card => card.dataset.card)") == hand


def test_keyboard_alone(context: Any, url: str) -> None:
    page = begin(context, url)
    new_table(page, url, "tictactoe")
    my_move(page)
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    cell = page.locator("[role=gridcell][tabindex='0']")
    cell.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_text("You play b2").wait_for()


def test_spectator_sees_no_hand(browser: Any, context: Any, url: str) -> None:
    page = begin(context, url)
    new_table(page, url, "uno")
    my_move(page)
    other = browser.new_context(locale="en-GB")
    watcher = begin(other, url, "Eve")
    watcher.goto(page.url)
    watcher.get_by_text("You are watching").first.wait_for()
    assert watcher.locator(".hand").count() == 0
    other.close()


@pytest.mark.parametrize(("locale", "words"), [("fr-FR", "À vous"), ("zh-CN", "轮到你")])
def test_languages(browser: Any, url: str, locale: str, words: str) -> None:
    context = browser.new_context(locale=locale, viewport={"width": 360, "height": 740})
    page = begin(context, url)
    new_table(page, url, "belote")
    page.get_by_text(words, exact=True).first.wait_for()
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360
    context.close()


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_axe_finds_nothing_serious(browser: Any, url: str, theme: str) -> None:
    axe_module = pytest.importorskip("axe_playwright_python.sync_playwright")
    axe = axe_module.Axe()
    context = browser.new_context(
        locale="en-GB",
        color_scheme=theme,
        bypass_csp=True,
        reduced_motion="reduce",
        viewport={"width": 1280, "height": 800},
    )
    page = begin(context, url)
    found: list[str] = []
    for place in ("", "#/new/uno", "#/me", "#/rules/uno", "uno", "belote", "doudizhu", "hex"):
        if place.startswith("#") or not place:
            page.goto(url + place)
            page.locator("main h1").first.wait_for()
        else:
            new_table(page, url, place)
            my_move(page)
        for problem in axe.run(page).response["violations"]:
            if problem["impact"] in ("serious", "critical"):
                found.append(f"{place or 'home'}: {problem['id']} {problem['nodes'][0]['html'][:160]}")
    context.close()
    assert not found
