"""The page for everybody: by keyboard alone, read aloud, in three languages, at every size, in both themes."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from page_common import DESK, PHONE, Visitors, browser, my_move, new_table, server, step, visitors
from web_process import Server

__all__ = ["browser", "server", "visitors"]  # fixtures
SIZES = [(360, 740), (390, 844), (740, 360), (844, 390), (768, 1024), (1280, 800), (1920, 1080)]
GUIDES = {"fr-FR": "Le but", "zh-CN": "目标"}
TURN = {"fr-FR": "À vous", "zh-CN": "轮到你"}

# What is wider than the screen, cut off by it, or too small to be tapped (24 CSS pixels).
WRONG = """() => {
  const [wide, high] = [innerWidth, innerHeight], wrong = [];
  const scrolled = document.documentElement.scrollWidth;
  if (scrolled > wide) wrong.push(`scrolls sideways: ${scrolled}`);
  for (const one of document.querySelectorAll('main button, main a, header button, header a')) {
    const box = one.getBoundingClientRect();
    if (box.width === 0 || !one.checkVisibility({visibilityProperty: true})) continue;
    const name = one.getAttribute('aria-label') ?? one.textContent.trim();
    if (box.width < 24 || box.height < 24) wrong.push(`small: ${name} ${box.width} x ${box.height}`);
    const out = box.left < -9 || box.right > wide + 9 || box.bottom > high + 12;
    if (one.closest('.stage') && out) wrong.push(`cut off: ${name}`);
  }
  const hands = [...document.querySelectorAll('.hand .card')].map(card => card.getBoundingClientRect());
  for (const [i, box] of hands.entries()) {
    const next = hands[i + 1];
    if (next && Math.abs(next.top - box.top) < 20 && next.left - box.left < 19) wrong.push(`covered card ${i}`);
  }
  return wrong;
}"""


def press_until_over(page: Any, presses: int = 3000) -> None:
    """Plays Uno by keys: letters of buttons, arrows to a card that can be played, D to draw."""
    for _ in range(presses):
        if my_move(page) == "over":
            return
        letter = page.locator(".buttons button kbd, .pile kbd")
        playable = page.locator(".hand [aria-disabled=false]").count() > 0
        if page.locator(".buttons button kbd").count() or not playable:
            page.keyboard.press(letter.first.text_content())
        elif page.locator(".hand [aria-disabled=false]:focus").count():
            page.keyboard.press("Enter")
        else:
            page.keyboard.press("ArrowRight")
    raise AssertionError(f"not over after {presses} keys")


def test_uno_by_keyboard_alone(visitors: Visitors, server: Server) -> None:
    page = visitors.context().new_page()
    page.goto(server.url)
    page.locator("[data-action=quick]:enabled").wait_for()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.locator("[data-action=quick]:focus").count():
            break
    page.keyboard.press("Enter")
    my_move(page)
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    press_until_over(page)
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.locator("[data-action=next]:focus").count():
            break
    page.keyboard.press("Enter")
    page.locator(".over").wait_for(state="detached")


def test_board_by_keyboard_alone(visitors: Visitors, server: Server) -> None:
    page = visitors.page(server.url)
    new_table(page, server.url, "tictactoe")
    my_move(page)
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Enter"):  # the first one leads to the board
        page.keyboard.press(key)
    page.get_by_text("You play b2").wait_for(state="attached")


def test_what_happens_is_announced(visitors: Visitors, server: Server) -> None:
    page = visitors.page(server.url)
    new_table(page, server.url, "uno")
    my_move(page)
    assert "Your turn" in page.locator("[aria-live=assertive]").text_content()
    assert page.locator("[role=log][aria-live=polite]").count() == 1
    assert page.locator(".hand[role=toolbar] [tabindex='0']").count() == 1
    card = page.locator(".hand button").first.get_attribute("aria-label")
    assert any(word in card for word in ("Red", "Green", "Blue", "Yellow", "Wild"))


@pytest.mark.parametrize("locale", TURN)
def test_languages(visitors: Visitors, server: Server, locale: str) -> None:
    page = visitors.page(server.url, locale=locale, **PHONE)
    for game in ("uno", "belote", "doudizhu"):
        new_table(page, server.url, game)
        page.get_by_text(TURN[locale], exact=True).first.wait_for()
        assert page.evaluate(WRONG) == []
    page.goto(f"{server.url}/#/rules/uno")
    page.locator("main").get_by_text(GUIDES[locale]).first.wait_for()


@pytest.mark.parametrize("game", ["uno", "doudizhu", "belote", "connect_four", "gdl:tictactoe"])
def test_nothing_is_cut_off_or_tiny_at_any_size(visitors: Visitors, server: Server, game: str) -> None:
    page = visitors.page(server.url)
    new_table(page, server.url, game, **({"players": "10"} if game == "uno" else {}))
    my_move(page)
    found = {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found[f"{width}x{height}"] = page.evaluate(WRONG)
    assert {size: wrong for size, wrong in found.items() if wrong} == {}


def serious(page: Any) -> list[str]:
    axe = import_module("axe_playwright_python.sync_playwright").Axe()  # it has no types
    return [
        f"{problem['id']}: {problem['nodes'][0]['html'][:160]}"
        for problem in axe.run(page).response["violations"]
        if problem["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("kind", ["desk", "phone"])
def test_axe_finds_nothing_serious(visitors: Visitors, server: Server, theme: str, kind: str) -> None:
    look = {**(DESK if kind == "desk" else PHONE), "color_scheme": theme, "bypass_csp": True}
    page, found = visitors.page(server.url, **look), dict[str, list[str]]()
    for place in ("", "new/uno", "me", "rules/belote", "nothing/here"):
        page.goto(f"{server.url}/#/{place}")
        page.locator("main h1").first.wait_for()
        found[place] = serious(page)
    for game in ("uno", "belote", "doudizhu", "connect_four", "hex", "gdl:tictactoe", "gdl:kuhn_poker"):
        new_table(page, server.url, game)
        my_move(page)
        found[game] = serious(page)
    for word in ("menu", "invite"):
        page.locator("header button").last.click()
        if word == "invite":
            page.get_by_role("button", name="Invite").last.click()
        page.get_by_role("dialog").wait_for()
        found[word] = serious(page)
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="detached")
    while step(page) is not None:
        pass
    found["over"] = serious(page)
    new_table(page, server.url, "uno", people="2")
    page.locator("[data-action=begin]").wait_for()
    found["waiting"] = serious(page)
    assert {place: wrong for place, wrong in found.items() if wrong} == {}
