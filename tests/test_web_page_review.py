"""The kibitzer in the page: the panel while playing, reviews afterwards, sharing, and deals with a name."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from page_common import DESK, PHONE, WAIT, Visitors, browser, my_move, new_table, play_on, server, step, visitors
from web_process import Server

__all__ = ["browser", "server", "visitors"]  # fixtures
KINDS = {"desk": DESK, "phone": PHONE}


def look(page: Any) -> None:
    """Axe finds nothing serious, in both themes."""
    axe = import_module("axe_playwright_python.sync_playwright").Axe()
    for theme in ("light", "dark"):
        page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        every = axe.run(page).response["violations"]
        found = [one for one in every if one["impact"] in ("serious", "critical")]
        said = [(one["id"], [node["html"][:160] for node in one["nodes"]][:3]) for one in found]
        assert not said, f"{page.url} {theme}: {said}"


def open_panel(page: Any) -> None:
    if page.viewport_size["width"] < 1000:
        page.locator("#tab-kibitzer").click()
    page.locator("[data-action=kibitzer]").check()


def until_choice(page: Any) -> None:
    """To a decision with several moves that the kibitzer has thought about."""
    while my_move(page) == "turn":
        page.locator("[data-report=done], .kibitzer [data-forced]").first.wait_for()
        if page.locator("[data-report=done] [data-opinion]").count() > 1:
            return
        step(page)
    raise AssertionError("the deal ended without a choice")


def finished(page: Any, url: str, game: str = "belote", **choices: str) -> None:
    """A deal played to its end, and its review, with all that was judged."""
    new_table(page, url, game, **choices)
    while step(page, "[data-action^=take]") is not None:
        pass
    page.locator(".over [data-action=review]").click()
    page.locator(".felt[data-step]").wait_for()
    page.locator(".progress").wait_for(state="detached")


def mistaken(page: Any, url: str) -> None:
    """A review with a mistake in it: play without thought has some."""
    for _ in range(8):
        finished(page, url)
        if page.locator("[data-action=learn]").count():
            return
    raise AssertionError("eight deals without a mistake")


@pytest.mark.parametrize("kind", KINDS)
def test_the_panel_beside_the_cards(visitors: Visitors, server: Server, kind: str) -> None:
    page = visitors.page(server.url, **KINDS[kind])
    new_table(page, server.url, "uno", players="3")
    my_move(page)
    if kind == "desk":
        page.get_by_text("A second opinion beside the cards").wait_for()  # not before it is asked for
        assert page.locator("[data-opinion]").count() == 0
    open_panel(page)
    until_choice(page)
    panel = page.locator(".kibitzer")
    assert "From your cards only" in panel.text_content()
    assert page.locator("[data-group='0']").count() >= 1
    assert panel.get_by_text("Who may hold a colour").count() == 1
    assert page.locator(".bars[role=img]").count() == 2
    assert "%" in page.locator("[data-opinion]").first.text_content()
    assert page.locator("[data-mark=now]").count() >= 1  # the advised card
    assert page.locator(".kibitzer [aria-live]").text_content().startswith("Kibitzer: ")
    look(page)
    if kind == "phone":  # the hand is still there to be played from
        hand = page.locator(".hand").bounding_box()
        assert hand["y"] < page.locator("aside").bounding_box()["y"]
    page.locator("[data-action=kibitzer]").uncheck()
    page.locator("[data-mark]").first.wait_for(state="detached")


def test_teaching_needs_the_agreement_of_all(visitors: Visitors, server: Server) -> None:
    host = visitors.page(server.url, "Ada")
    new_table(host, server.url, "connect_four", people="2", mode="teaching")
    guest = visitors.page(server.url, "Mia")
    guest.goto(host.url)
    guest.get_by_role("button", name="Sit here").first.click()
    for page in (host, guest):
        page.locator(".stage").wait_for()
        page.locator("#tab-kibitzer").click()
    host.locator("[data-action=agree]").click()
    host.locator("[data-action=disagree]").wait_for()
    assert host.locator("[data-action=kibitzer]").count() == 0  # one alone does not suffice
    guest.locator("[data-action=agree]").click()
    for page in (host, guest):
        page.locator("[data-action=kibitzer]").check()
    mover = host if host.locator(".pill.now").count() else guest
    mover.locator("[data-report] [data-opinion]").first.wait_for()
    look(mover)
    guest.locator("[data-action=disagree]").click()
    host.locator("[data-action=kibitzer]").wait_for(state="detached")


def test_no_advice_at_a_rated_table(visitors: Visitors, server: Server) -> None:
    page = visitors.page(server.url)
    new_table(page, server.url, "belote", mode="rated")
    page.locator("#tab-kibitzer").click()
    page.get_by_text("No advice at a rated table.").wait_for()


@pytest.mark.parametrize("kind", KINDS)
def test_a_review_by_step_scrub_and_moments(visitors: Visitors, server: Server, kind: str) -> None:
    page = visitors.page(server.url, **KINDS[kind])
    mistaken(page, server.url)
    at = page.locator("[data-step]")
    last = int(page.locator("input[type=range]").get_attribute("max"))
    page.locator("[data-action=step]").click()
    page.locator("[data-step='1']").wait_for()
    page.keyboard.press("ArrowRight") if kind == "desk" else page.locator("[data-action=step]").click()
    page.locator("[data-step='2']").wait_for()
    page.locator("input[type=range]").fill(str(last))
    page.locator(f"[data-step='{last}']").wait_for()
    page.get_by_role("button", name="To the beginning").click()
    page.locator("[data-action=autoplay]").click()
    page.locator("[data-step='2']").wait_for()
    page.locator("[data-action=autoplay]").click()
    moment = page.locator("[data-moment]").first
    moment.click()
    assert int(at.get_attribute("data-step")) == int(moment.get_attribute("data-moment")) - 1
    verdict = page.locator("[data-verdict]")
    assert verdict.get_attribute("data-verdict") in ("mistake", "lucky", "unlucky")
    assert verdict.locator(".column").count() == 2  # never merged
    assert page.locator(".felt [data-mark]").count() >= 1
    said = page.locator(".all > [aria-live=polite]").text_content()
    assert "Move" in said
    assert page.locator(".backs.open").count() == 0
    page.locator("[data-action=seat]").select_option("-1")
    page.locator(".backs.open").first.wait_for()
    look(page)
    page.locator("[data-action=seat]").select_option("1")  # another seat, judged anew
    page.locator(".backs.open").first.wait_for(state="detached")
    page.locator(".progress").wait_for(state="detached")


@pytest.mark.parametrize("kind", KINDS)
def test_learning_from_mistakes(visitors: Visitors, server: Server, kind: str) -> None:
    page = visitors.page(server.url, **KINDS[kind])
    mistaken(page, server.url)
    page.locator("[data-action=learn]").click()
    page.locator("[data-learn=open]").wait_for()
    step(page)  # the first that can be played may be right or wrong; it is said
    page.locator("[data-learn=found], [data-learn=open] [role=status]").first.wait_for()
    page.locator("[data-action=learn-again], [data-action=learn-hint]").first.click()
    if page.locator("[data-learn=open]").count() and page.locator("[data-action=learn-hint]:enabled").count():
        page.locator("[data-action=learn-hint]").click()
    page.locator(".felt [data-mark=now]").first.wait_for()
    look(page)
    page.locator("[data-action=learn-answer]").click()
    page.locator("[data-learn=shown] [data-verdict]").wait_for()
    page.locator(".felt [data-mark=good]").first.wait_for(timeout=3000)
    page.locator("[data-action=learn-leave]").click()
    page.locator("[data-moment]").first.wait_for()


def test_play_on_from_a_move(visitors: Visitors, server: Server) -> None:
    page = visitors.page(server.url)
    finished(page, server.url)
    page.locator("input[type=range]").fill("6")
    page.locator("[data-action=play-on]").click()
    page.wait_for_url("**/#/t/*")
    assert my_move(page) in ("turn", "over")
    info = page.evaluate("fetch('/api/tables/' + location.hash.split('/')[2]).then(a => a.json())")
    assert info["mode"] == "practice"


def test_a_shared_game_is_for_everybody_and_has_no_token(visitors: Visitors, server: Server) -> None:
    page = visitors.page(server.url)
    page.goto(f"{server.url}/#/new/mini_doudizhu")
    page.locator("summary").first.click()
    page.locator("input[name=watching]").uncheck()
    page.locator("[data-action=start]").click()
    play_on(page)
    page.locator(".over [data-action=review]").click()
    page.locator("[data-action=share]").click()
    page.get_by_text("Nobody may watch this table").wait_for()
    stranger = visitors.context(**PHONE).new_page()
    stranger.set_default_timeout(WAIT)
    stranger.goto(page.url)
    stranger.get_by_role("alert").wait_for()  # not yet
    page.locator("[data-action=let-in]").click()
    link = page.locator("dialog input[readonly]").input_value()
    assert "/#/review/" in link
    assert all(token not in link for token in ("person.", "seat."))
    look(page)
    with page.expect_download() as saved:
        page.locator("[data-action=download]").click()
    record = json.loads(Path(saved.value.path()).read_text())
    assert record["format"] == "kibitz game"
    stranger.reload()
    stranger.locator(".felt[data-step]").wait_for()
    stranger.locator(".progress").wait_for(state="detached")
    look(stranger)


def test_own_games_lead_to_their_reviews(visitors: Visitors, server: Server) -> None:
    page = visitors.page(server.url)
    new_table(page, server.url, "tictactoe")
    play_on(page)
    page.goto(f"{server.url}/#/")
    page.get_by_role("link", name="Your games").click()
    page.locator("[data-action=review]").first.wait_for()
    look(page)
    page.locator("[data-action=review]").first.click()
    page.locator(".felt[data-step]").wait_for()


@pytest.mark.parametrize("kind", KINDS)
def test_a_named_deal_is_compared_by_first_tries(visitors: Visitors, server: Server, kind: str) -> None:
    ada = visitors.page(server.url, "Ada")
    ada.goto(f"{server.url}/#/new/belote")
    ada.locator("select[name=level]").select_option("beginner")
    ada.get_by_text("The same cards as a friend").click()
    ada.locator("input[name=named]").fill(f"Friday {kind}")
    ada.locator("[data-action=start]").click()
    my_move(ada)
    ada.locator("#tab-kibitzer").click()
    ada.get_by_text("Everybody plays a named deal without advice").wait_for()
    play_on(ada)
    review = ada.locator(".over [data-action=review]").get_attribute("href")
    ada.locator(".over [data-action=compare]").click()
    ada.get_by_role("heading", name=f"Friday {kind}").wait_for()
    ben = visitors.page(server.url, "Ben", **KINDS[kind])
    ben.goto(ada.url)
    ben.get_by_text("has played").wait_for()  # but not how
    look(ben)
    ben.locator("[data-action=play-named]").click()
    play_on(ben)
    ben.locator(".over [data-action=compare]").click()
    ben.locator(".page tbody tr").nth(1).wait_for()
    assert ben.locator(".page tbody tr").count() == 2
    assert ben.get_by_text("has played").count() == 0
    look(ben)
    assert review is not None


def test_who_looks_at_a_named_deal_first_is_not_compared(visitors: Visitors, server: Server) -> None:
    ada = visitors.page(server.url, "Ada")
    ada.goto(f"{server.url}/#/new/mini_doudizhu")
    ada.get_by_text("The same cards as a friend").click()
    ada.locator("input[name=named]").fill("Spoiled")
    ada.locator("[data-action=start]").click()
    play_on(ada)
    ada.locator(".over [data-action=review]").click()
    ada.locator("[data-action=share]").click()
    ada.locator("[data-action=let-in]").click()
    link = ada.locator("dialog input[readonly]").input_value()
    eve = visitors.page(server.url, "Eve", **PHONE)
    eve.goto(link)
    eve.get_by_role("heading", name="You have not played this deal").wait_for()
    look(eve)
    eve.locator("[data-action=look]").click()
    eve.locator(".felt[data-step]").wait_for()


def test_a_review_in_other_languages(visitors: Visitors, server: Server) -> None:
    page = visitors.page(server.url, locale="fr-FR")
    finished(page, server.url)
    page.get_by_text("Moments de cette donne").wait_for()
    link = page.url
    other = visitors.context(locale="zh-CN").new_page()
    other.set_default_timeout(WAIT)
    other.goto(link)
    other.get_by_text("本局的关键时刻").wait_for()
