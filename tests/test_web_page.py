"""Whole games in a real browser against a real server, at a desk and on a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from page_common import (
    DESK,
    PHONE,
    SAME_DEALS,
    Visitors,
    browser,
    my_move,
    new_table,
    play_on,
    server,
    step,
    tap,
    visitors,
)
from web_process import Server

__all__ = ["browser", "server", "visitors"]  # fixtures
KINDS = {"desk": DESK, "phone": PHONE}
GAMES = ["mini_doudizhu", "connect_four", "tictactoe", "hex", "gdl:tictactoe", "gdl:kuhn_poker", "gdl:blind_tictactoe"]


def log(page: Any) -> str:
    return str(page.locator("[role=log]").text_content())


@pytest.mark.parametrize("kind", KINDS)
def test_uno_with_drawing_a_wild_a_call_and_a_challenge(browser: Any, tmp_path: Path, kind: str) -> None:
    """Deal after deal, until all of that has happened; the deals are the same in every run."""
    own, visitors = Server(tmp_path, before=SAME_DEALS), Visitors(browser)
    own.start()
    try:
        page = visitors.page(own.url, **KINDS[kind])
        new_table(page, own.url, "uno", players="2")
        wanted = {
            "[data-action=challenge]": "You challenge",
            "[data-action=uno]": "You: Uno!",
            ".hand [data-card^=wild].up:not(.chosen)": "→",
            ".pile.able": "You draw",
        }
        done: set[str] = set()
        for _ in range(20):
            while True:
                clicked = step(page, *(selector for selector in wanted if selector not in done))
                if clicked is None:
                    break
                if clicked in wanted:
                    done.add(clicked)
            said = log(page)
            assert page.locator(".over [data-fair=true]").count() == 1
            if done == set(wanted):
                break
            page.locator(".over [data-action=next]").click()
            page.locator(".over").wait_for(state="detached")
        assert done == set(wanted)
        assert "plays" in said
    finally:
        visitors.close()
        own.stop()
    assert not visitors.problems


@pytest.mark.parametrize("kind", KINDS)
def test_belote_with_bidding_to_the_end_of_a_deal(visitors: Visitors, server: Server, kind: str) -> None:
    page = visitors.page(server.url, **KINDS[kind])
    new_table(page, server.url, "belote", series="501")
    while step(page, "[data-action^=take]") is not None:
        pass
    assert "take" in log(page)
    table = page.locator(".over table").text_content()
    assert "+" in table
    page.locator(".over [data-action=next]").click()
    page.locator(".over").wait_for(state="detached")
    assert my_move(page) == "turn"
    page.get_by_text("To 501 points").first.wait_for()


@pytest.mark.parametrize("kind", KINDS)
def test_dou_di_zhu_with_bidding(visitors: Visitors, server: Server, kind: str) -> None:
    page = visitors.page(server.url, **KINDS[kind])
    new_table(page, server.url, "doudizhu")
    while step(page, "[data-action=bid-3]") is not None:
        pass
    assert "bid" in log(page)
    page.locator(".over [data-fair=true]").wait_for()


@pytest.mark.parametrize("game", GAMES)
def test_other_games_to_their_end(visitors: Visitors, server: Server, game: str) -> None:
    page = visitors.page(server.url, **(PHONE if game in ("connect_four", "gdl:tictactoe") else DESK))
    new_table(page, server.url, game, **({"size": "5"} if game == "hex" else {}))
    play_on(page)
    page.locator(".over [data-fair=true]").wait_for()
    page.locator(".over [data-action=next]").click()
    page.locator(".over").wait_for(state="detached")


def test_house_rules_and_levels_seat_by_seat(visitors: Visitors, server: Server) -> None:
    page = visitors.page(server.url)
    page.goto(f"{server.url}/#/new/uno")
    page.locator("select[name=players]").select_option("10")
    for rule in ("stacking", "draw_until", "seven_zero"):
        page.locator(f"input[name={rule}]").check()
    page.locator("summary").first.click()
    page.locator("select[name=seat2]").select_option("beginner")
    page.locator("select[name=series]").select_option("200")
    page.locator("[data-action=start]").click()
    page.locator(".stage").wait_for()
    assert page.locator(".place .seat").count() == 9
    assert my_move(page) == "turn"
    options = page.evaluate("fetch('/api/tables/' + location.hash.split('/')[2]).then(a => a.json())")
    assert {name: options["options"][name] for name in ("stacking", "draw_until", "seven_zero", "uno_call")} == {
        "stacking": True,
        "draw_until": True,
        "seven_zero": True,
        "uno_call": "decision",
    }
    assert [seat["level"] for seat in options["seats"] if seat["kind"] == "bot"].count("beginner") == 1


def test_the_first_game_explains_itself(visitors: Visitors, server: Server) -> None:
    """At a table whose first decision is about a card: other deals begin with a colour to name, or cards to draw."""
    page = visitors.page(server.url)
    refused = page.locator(".hand .down")
    for _ in range(40):
        new_table(page, server.url, "uno")
        assert my_move(page) == "turn"
        if refused.count() and not page.locator(".buttons").count():
            break
    page.locator(".coach").get_by_text("Raised cards can be played").wait_for()
    tap(page, refused.first)
    page.locator(".pill.why").get_by_text("is wanted").wait_for()
    step(page)
    my_move(page)
    assert page.locator(".coach").count() == 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_card_is_played_wherever_it_is_touched(visitors: Visitors, server: Server, kind: str) -> None:
    """It rises under the pointer, and must not slip away from it."""
    page = visitors.page(server.url, **KINDS[kind])
    new_table(page, server.url, "belote")
    card = page.locator(".hand .up").first
    for height in (1, 0):
        while my_move(page) == "turn" and not card.count():
            step(page)  # bidding
        name = card.get_attribute("data-card")
        tap(page, card, height, times=2 if kind == "phone" else 1)  # a finger lifts it first
        page.locator(f".hand [data-card='{name}']").wait_for(state="detached")


def test_from_the_first_screen_to_the_first_card_with_one_click(visitors: Visitors, server: Server) -> None:
    page = visitors.context().new_page()
    page.goto(server.url)
    page.locator("[data-action=quick]").click()
    page.locator(".hand button").first.wait_for()
    assert page.locator(".hand button").count() == 7
    page.goto(f"{server.url}/#/")
    page.get_by_role("link", name="Back to the table").first.wait_for()
