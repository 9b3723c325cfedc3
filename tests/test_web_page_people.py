"""Several people at one table, each in a browser of its own: coming, watching, going, coming back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from page_common import PHONE, SHORT_GRACE, WAIT, Visitors, browser, my_move, new_table, server, step, visitors
from web_process import Server

__all__ = ["browser", "server", "visitors"]  # fixtures


def sit_down(visitors: Visitors, host: Any, name: str = "Mia", **kind: Any) -> Any:
    """Another person, who opens the link and takes the first free seat."""
    guest = visitors.page(host.url.split("/#")[0], name, **kind)
    guest.goto(host.url)
    guest.get_by_role("button", name="Sit here").first.click()
    guest.locator(".stage").wait_for()
    host.locator(".stage").wait_for()
    return guest


def acting(*pages: Any) -> Any:
    """The page that is to act, or any once the deal is over."""
    for _ in range(WAIT // 20):
        for page in pages:
            if page.locator(".pill.now, .over").count():
                return page
        pages[0].wait_for_timeout(20)  # lets the browser go on; the loop waits for the event
    raise AssertionError("no page is to act")


def play_together(*pages: Any, clicks: int = 900) -> None:
    """Until the deal is over for everybody."""
    for _ in range(clicks):
        if step(acting(*pages)) is None:
            break
    for page in pages:
        page.locator(".over [data-fair=true]").wait_for()


def hand(page: Any) -> list[str]:
    page.locator(".hand button").first.wait_for()
    found: list[str] = page.locator(".hand button").evaluate_all("cards => cards.map(card => card.dataset.card)")
    return found


def test_two_people_and_a_bot(visitors: Visitors, server: Server) -> None:
    host = visitors.page(server.url, "Ada")
    new_table(host, server.url, "uno", players="3", people="2")
    assert host.locator("svg[role=img][aria-label*=QR]").count() == 1
    guest = sit_down(visitors, host, **PHONE)
    assert host.locator(".seat").filter(has_text="Mia").count() == 1
    page = acting(host, guest)
    assert page.locator("[role=timer]").count() == 1  # two people: a clock
    assert page.title().startswith("Your turn")
    guest.locator("[data-action=say]").click()
    guest.locator("[data-phrase=hello]").click()
    host.locator(".bubble").get_by_text("Hello!").wait_for()
    play_together(host, guest)
    for one in (guest, host):  # the next deal begins when both are ready
        one.locator(".over [data-action=next]").click()
    for one in (guest, host):
        one.locator(".over").wait_for(state="detached")
    host.get_by_text("Deal 2").wait_for(state="attached")


def test_mute(visitors: Visitors, server: Server) -> None:
    host = visitors.page(server.url, "Ada")
    new_table(host, server.url, "connect_four", people="2")
    guest = sit_down(visitors, host)
    host.locator("[data-action=say]").click()
    host.get_by_role("button", name="Mute Mia").click()
    host.get_by_role("button", name="Unmute Mia").wait_for()
    host.keyboard.press("Escape")
    for phrase in ("hello", "thanks"):
        guest.locator("[data-action=say]").click()
        guest.locator(f"[data-phrase={phrase}]").click()
        guest.locator(".said").get_by_text("Hello!" if phrase == "hello" else "Thank you").wait_for()
    step(acting(host, guest))  # what came after it is here, so it would be, too
    host.locator("[role=log] p").nth(1).wait_for()
    assert host.locator(".said, .bubble").count() == 0


def test_a_spectator_sees_no_hand_and_may_sit_down_for_a_bot(visitors: Visitors, server: Server) -> None:
    host = visitors.page(server.url, "Ada")
    new_table(host, server.url, "uno")
    my_move(host)
    watcher = visitors.page(server.url, "Eve")
    watcher.goto(host.url)
    watcher.get_by_text("You are watching").first.wait_for()
    assert watcher.locator(".hand").count() == 0
    assert watcher.locator(".seat").count() == 4
    watcher.get_by_role("button", name="Sit here").first.click()
    watcher.locator(".hand button").first.wait_for()
    host.locator(".seat").filter(has_text="Eve").wait_for()


def test_reload_in_the_middle_and_from_another_device(visitors: Visitors, server: Server) -> None:
    page = visitors.page(server.url)
    new_table(page, server.url, "uno")
    step(page)
    assert my_move(page) == "turn"
    held = hand(page)
    page.reload()
    assert hand(page) == held
    page.locator("header button").last.click()
    page.get_by_role("button", name="Invite").last.click()
    page.locator("[data-action=device]").wait_for()
    link = page.locator("[data-action=device]").get_attribute("data-link")
    assert "#/t/" in link  # the token is in the fragment, which is sent to no server
    other = visitors.context(**PHONE).new_page()
    other.goto(link)
    assert sorted(hand(other)) == sorted(held)
    step(other)
    assert my_move(other) == "turn"


@pytest.fixture
def mortal(tmp_path: Path, browser: Any) -> Iterator[Server]:
    """A server of its own, to be killed; a bot soon plays for people who have gone."""
    made = Server(tmp_path, before=SHORT_GRACE)
    made.start()
    yield made
    made.stop()


def test_server_killed_while_two_browsers_play(visitors: Visitors, mortal: Server) -> None:
    host = visitors.page(mortal.url, "Ada")
    new_table(host, mortal.url, "uno", players="3", people="2")
    guest = sit_down(visitors, host)
    for _ in range(2):
        for _ in range(4):
            if step(acting(host, guest)) is None:
                break
        mortal.kill()
        for page in (host, guest):
            page.locator(".lost").wait_for()
        mortal.start()
        for page in (host, guest):
            page.locator(".lost").wait_for(state="detached")
    play_together(host, guest)
    assert host.locator(".over table").text_content() != ""


def test_a_move_that_was_on_its_way_when_the_server_died_is_made(visitors: Visitors, mortal: Server) -> None:
    page = visitors.page(mortal.url)
    new_table(page, mortal.url, "connect_four")
    my_move(page)
    mortal.kill()
    page.locator(".lost").wait_for()
    page.locator(".cell.able").first.click()
    page.get_by_text("Sent…").wait_for()
    mortal.start()
    page.get_by_text("You play 1").wait_for(state="attached")


def test_a_bot_takes_over_and_hands_back(visitors: Visitors, mortal: Server) -> None:
    host = visitors.page(mortal.url, "Ada")
    new_table(host, mortal.url, "hex", people="2")
    guest = sit_down(visitors, host)
    address = guest.url
    guest.goto("about:blank")
    host.get_by_text("away, a bot plays").wait_for()
    guest.goto(address)
    guest.locator(".stage").wait_for()
    host.locator(".seat").filter(has_text="Mia").get_by_text("person").wait_for()


def test_leave_and_resign(visitors: Visitors, server: Server) -> None:
    page = visitors.page(server.url)
    new_table(page, server.url, "hex")
    my_move(page)
    for word in ("Resign", "Give up this deal?"):
        if page.get_by_role("dialog").count() == 0:
            page.locator("header button").last.click()
        page.get_by_role("button", name=word).click()
    page.locator(".over").get_by_text("You resigned").wait_for()
    page.locator("header button").last.click()
    page.get_by_role("button", name="Leave the table").click()
    page.get_by_role("button", name="Leave?").click()
    page.locator(".hero").wait_for()


def test_identity_kept_exported_and_deleted(visitors: Visitors, server: Server) -> None:
    page = visitors.page(server.url, "Zoë")
    page.get_by_role("button", name="Make recovery words").click()
    words = page.locator(".words").text_content()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export my data").click()
    assert "Zoë" in Path(download.value.path()).read_text()
    other = visitors.context(**PHONE).new_page()
    other.goto(f"{server.url}/#/me")
    other.get_by_label("Recovery words").fill(words)
    other.get_by_role("button", name="Come back").click()
    other.locator("[data-known=true]").wait_for()
    assert other.locator("input.field").first.input_value() == "Zoë"
    for word in ("Delete my data", "Really delete"):
        other.get_by_role("button", name=word).click()
    other.locator("[data-known=false]").wait_for()


def test_lobby(visitors: Visitors, server: Server) -> None:
    host = visitors.page(server.url, "Ada")
    host.goto(f"{server.url}/#/new/tictactoe")
    host.locator("select[name=people]").select_option("2")
    host.locator("summary").first.click()
    host.locator("input[name=public]").check()
    host.locator("[data-action=start]").click()
    host.locator("[data-action=begin]").wait_for()
    guest = visitors.page(server.url, "Mia")
    guest.goto(f"{server.url}/#/")
    guest.locator(".lobby a").get_by_text("Join").first.click()
    guest.get_by_role("button", name="Sit here").first.click()
    host.locator(".stage").wait_for()


def test_a_clock_runs_out_and_a_bot_plays_on(visitors: Visitors, tmp_path: Path) -> None:
    """With the shortest clock that there is: the person is told, and is back with a click."""
    own = Server(tmp_path, before="import kibitz.web.clock as c; good = c.limit; " + FAST_CLOCK)
    own.start()
    try:
        host = visitors.page(own.url, "Ada")
        new_table(host, own.url, "uno", players="3", people="2", clock="15")
        guest = sit_down(visitors, host)
        late = acting(host, guest)
        late.locator("[data-action=back]").wait_for()
        other = guest if late is host else host
        other.locator(".seat").filter(has_text="a bot plays").wait_for()
        late.locator("[data-action=back]").click()
        late.locator("[data-action=back]").wait_for(state="detached")
    finally:
        own.stop()


# 15 seconds pass as if they were one: the test waits for what follows, not for the time.
FAST_CLOCK = (
    "import kibitz.web.table.pace as p; "
    "p.limit = lambda people, clock, window, view: (lambda s: s and s / 15)(good(people, clock, window, view))"
)


def test_an_agent_of_the_operator_sits_at_the_table(visitors: Visitors, tmp_path: Path) -> None:
    agents = tmp_path / "agents.toml"
    agents.write_text('[tictactoe]\n"Deep Thought" = "minimax"\n')
    own = Server(tmp_path, "--agents", str(agents))
    own.start()
    try:
        page = visitors.page(own.url)
        new_table(page, own.url, "tictactoe", level="Deep Thought")
        page.locator(".seat").filter(has_text="Deep Thought").wait_for()
        while step(page) is not None:
            pass
        assert page.locator(".over h2").text_content() != "You win"  # it solves the game
    finally:
        own.stop()
