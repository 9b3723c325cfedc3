"""Problems, the position editor and the leaderboards in a browser: at a desk and on a phone, for everybody."""

from __future__ import annotations

import contextlib
import json
import urllib.error
import urllib.request
from typing import Any

import pytest
from page_common import DESK, PHONE, SHEETS, Visitors, browser, my_move, server, tap, visitors
from test_web_page_access import SIZES, WRONG, serious
from web_process import Server

from kibitz import problems

__all__ = ["browser", "server", "visitors"]  # fixtures
KINDS = {"desk": DESK, "phone": PHONE}
WORDS = {"fr-FR": ("Trouvez le meilleur coup", "Interroger le kibitz"), "zh-CN": ("找出最好的一步", "问看客")}


def _go(page: Any, server: Server, place: str) -> None:
    page.goto(f"{server.url}/#/{place}")


def _editor(page: Any, server: Server, game: str) -> None:
    _go(page, server, f"editor/{game.replace(':', '%3A')}")
    page.locator(".stage").wait_for()
    page.locator("[role=tabpanel]").wait_for()


def _ask(page: Any) -> Any:
    page.locator("#tab-kibitzer").click()
    page.locator("[data-action=ask]").click()
    page.locator(".thought").wait_for()
    return page.locator(".thought")


def _import(page: Any, position: dict[str, Any]) -> None:
    page.locator("[data-action=exchange]").click()
    page.get_by_role("dialog").wait_for()
    page.locator("dialog textarea").fill(json.dumps(position))
    page.locator("[data-action=import]").click()
    page.get_by_role("dialog").wait_for(state="detached")


# ---- problems


@pytest.mark.parametrize("kind", KINDS)
def test_a_problem_is_solved_and_remembered(visitors: Visitors, server: Server, kind: str) -> None:
    page = visitors.page(server.url, **KINDS[kind])
    _go(page, server, "")
    page.locator("a[href='#/problems']").click()
    tile = page.locator("a[href='#/problems/tictactoe/1']")
    tile.wait_for()
    assert "solved" not in tile.get_attribute("aria-label")
    tile.click()
    problem = problems.of("tictactoe").problems[0]
    page.locator(f"[data-cell={problem.moves[1].text}]").click()
    page.get_by_text("Try again", exact=False).first.wait_for()
    page.locator("[data-action=hint-problem]").click()
    page.get_by_text("It is not").wait_for()
    assert page.locator(".thought").count() == 0  # the solution is not told yet
    page.locator(f"[data-cell={problem.best}]").click()
    page.locator(".verdict.good").wait_for()
    assert page.locator(".thought [data-opinion]").count() == len(problem.moves)
    assert page.locator(".thought [data-opinion]").first.get_attribute("data-opinion") == problem.best
    page.locator("[data-action=next-problem]").click()
    page.get_by_text("problem 2 of").wait_for()
    page.locator("[data-action=hint-problem]").wait_for()
    page.reload()
    _go(page, server, "problems")
    done = page.locator("a[href='#/problems/tictactoe/1']")
    done.wait_for()
    assert done.get_attribute("aria-label").endswith("solved")
    page.get_by_text("1 of 8 solved").wait_for()


def test_a_problem_by_keyboard_alone(visitors: Visitors, server: Server) -> None:
    page = visitors.page(server.url)
    _go(page, server, "problems/tictactoe/1")
    page.locator("[role=gridcell]").first.wait_for()
    column, row = (
        ord(problems.of("tictactoe").problems[0].best[0]) - 97,
        int(problems.of("tictactoe").problems[0].best[1]) - 1,
    )
    page.evaluate("document.activeElement.blur()")
    for key in ["ArrowRight"] * (column + 1) + ["ArrowDown"] * row:  # the first one leads to the board
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.locator(".verdict.good").wait_for()
    assert page.locator("[role=status] .verdict").count() == 1  # announced


@pytest.mark.parametrize("game", ["uno", "belote", "doudizhu", "hex"])
def test_solutions_are_shown_and_can_be_played_on(visitors: Visitors, server: Server, game: str) -> None:
    page = visitors.page(server.url)
    _go(page, server, f"problems/{game}/1")
    page.locator("[data-action=solution]").click()
    page.locator(".thought [data-opinion]").first.wait_for()
    assert page.evaluate("JSON.parse(localStorage.kibitz).solved") == []  # looked up, not solved
    page.locator("[data-action=play-on]:enabled").click()
    page.locator("main.table .stage").wait_for()
    assert my_move(page) == "turn"
    _go(page, server, f"problems/{game}/99")
    page.get_by_text("There is nothing here").wait_for()


# ---- the editor


@pytest.mark.parametrize("kind", KINDS)
def test_a_board_is_set_up_by_clicking(visitors: Visitors, server: Server, kind: str) -> None:
    page = visitors.page(server.url, **KINDS[kind])
    _editor(page, server, "tictactoe")

    def put(cell: str, stone: str) -> None:
        page.locator(f"input[name=stone][value='{stone}']").check(force=True)
        page.locator(f"[data-cell={cell}]").click()

    put("a1", "x")
    page.get_by_role("gridcell", name="a1: You").or_(page.get_by_role("gridcell", name="a1: Seat 1")).wait_for()
    put("b2", "x")
    page.locator(".fault").wait_for()
    assert "2 stones of the first player and 0 of the second" in page.locator(".fault").text_content()
    put("a2", "o")
    page.locator(".fault").wait_for(state="detached")
    put("b2", ".")
    page.locator(".fault").wait_for(state="detached")
    page.get_by_role("gridcell", name="b2: empty").wait_for()
    thought = _ask(page)
    assert thought.locator("[data-opinion]").count() == 7
    page.locator("#tab-moves").click()
    page.locator("[data-cell=b2]").click()
    page.locator(".history li").wait_for()
    page.locator("[data-action=undo]").click()
    page.locator(".history").wait_for(state="detached")
    page.locator("select[name=level]").select_option("beginner")
    page.locator("[data-action=play-on]:enabled").click()
    page.locator("main.table .stage").wait_for()
    my_move(page)
    assert page.locator("main.table .board g use").count() >= 2


@pytest.mark.parametrize("kind", KINDS)
def test_cards_are_set_up_and_left_unknown(visitors: Visitors, server: Server, kind: str) -> None:
    page = visitors.page(server.url, **KINDS[kind])
    _editor(page, server, "uno")
    page.locator("select[name=players]").select_option("3")
    page.locator("input.count").nth(1).wait_for()
    position = {
        "game": "uno",
        "players": 3,
        "seat": 0,
        "target": "r-5",
        "hands": [["g-1", "b-2"], {"count": 2}, {"count": 7}],
    }
    _import(page, position)
    page.locator(".hand [data-card=g-1]").wait_for()
    page.locator("[data-action=open-deck]").first.click()
    for n in (3, 4):
        page.locator(".drawer [data-card=r-7]").click()
        page.locator(".hand .card").nth(n - 1).wait_for()
    spent = page.locator(".drawer [data-card=r-7]")
    assert spent.get_attribute("aria-disabled") == "true"  # there are two of them
    for n in (0, 1):
        page.locator("input.count").nth(n).fill("90")
        page.locator("input.count").nth(n).press("Tab")
    page.locator(".zone .fault").wait_for()
    assert "more cards than the deck" in page.locator(".zone .fault").text_content()
    for n in (0, 1):
        page.locator("input.count").nth(n).fill("3")
        page.locator("input.count").nth(n).press("Tab")
    page.locator(".fault").wait_for(state="detached")
    thought = _ask(page)
    assert thought.locator("[data-opinion='r-7']").count() == 1
    assert thought.locator(".bars").count() == 2  # what the others may hold


def test_others_make_the_moves_that_they_may(visitors: Visitors, server: Server) -> None:
    page = visitors.page(server.url)
    _editor(page, server, "belote")
    hand = ["Js", "7h", "Qh", "Jd", "7c", "As", "Ks", "9d"]
    hands = [{"count": 8}, hand, {"count": 8}, {"count": 8}]
    position = {
        "game": "belote",
        "bidding": True,
        "phase": "play",
        "to_act": 0,
        "trump": "h",
        "taker": 2,
        "turned": "8h",
    }
    _import(page, position | {"seat": 1, "hands": hands})
    page.locator(".hand [data-card=Js]").wait_for()
    page.locator("#tab-kibitzer").click()
    page.get_by_text("It is the turn of Seat 1").wait_for()
    page.locator("#tab-moves").click()
    assert page.locator("[data-move=Js]").count() == 0
    page.locator("[data-move=Ah]").click()
    page.get_by_text("Seat 1 plays A♥").wait_for()
    thought = _ask(page)
    assert thought.locator("[data-opinion]").count() == 2
    tap(page, page.locator(".hand [data-card='7h']"))
    page.locator("#tab-moves").click()
    page.get_by_text("You play 7♥").wait_for()


def test_positions_come_and_go_as_text(visitors: Visitors, server: Server) -> None:
    page = visitors.page(server.url)
    _editor(page, server, "uno")
    _import(page, {"game": "tictactoe", "size": 3, "board": ["xo.", ".x.", "..."]})
    page.locator("[data-cell=c3]").wait_for()
    assert page.url.endswith("#/editor/tictactoe")
    page.locator("[data-action=exchange]").click()
    text = page.locator("dialog textarea").input_value()
    assert json.loads(text)["board"] == ["xo.", ".x.", "..."]
    page.locator("dialog textarea").fill("nonsense")
    page.locator("[data-action=import]").click()
    page.locator("dialog [role=alert]").wait_for()
    page.keyboard.press("Escape")
    _go(page, server, "problems/belote/2")
    page.locator("[data-action=solution]").click()
    page.get_by_text("Open in the editor").click()
    page.locator("select[name=game]").wait_for()
    page.wait_for_url("**/#/editor/belote")
    carried = problems.of("belote").problems[1].position
    for card in carried["hands"][carried["seat"]]:
        page.locator(f".hand [data-card='{card}']").wait_for()
    page.locator("[data-action=exchange]").click()
    assert json.loads(page.locator("dialog textarea").input_value())["hands"] == carried["hands"]


def test_rulesheets_are_lists_of_facts(visitors: Visitors, server: Server) -> None:
    assert (SHEETS / "tictactoe.kif").exists()
    page = visitors.page(server.url)
    _editor(page, server, "gdl:tictactoe")
    page.get_by_label("Take away (cell 1 1 b)").click()
    page.get_by_label("Take away (cell 1 1 b)").wait_for(state="detached")
    page.get_by_label("Another fact").fill("(cell 1 1 x)")
    page.get_by_label("Another fact").press("Enter")
    page.get_by_label("Take away (cell 1 1 x)").wait_for()
    assert _ask(page).locator("[data-opinion]").count() == 8


# ---- leaderboards


def _rated_game(server: Server, name: str) -> None:
    """A person plays a rated game by HTTP, whatever comes first."""

    def call(path: str, body: Any = None, token: str = "") -> Any:
        head = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(server.url + path, data, head)) as answer:
            return json.load(answer)

    token = call("/api/people", {"name": name})["token"]
    table = call("/api/tables", {"game": "tictactoe", "level": "beginner", "mode": "rated"}, token)["id"]
    while True:
        seen = call(f"/api/tables/{table}/seat?wait=20", token=token)
        if seen["over"]:
            return
        if seen["view"]["choices"]:
            play = {"text": seen["view"]["choices"][0]["text"], "turn": seen["view"]["turn"]}
            with contextlib.suppress(urllib.error.HTTPError):  # the server may have played the only move itself
                call(f"/api/tables/{table}/play", play, token)


def test_leaderboards(visitors: Visitors, server: Server) -> None:
    _rated_game(server, "Lovelace")
    page = visitors.page(server.url)
    _go(page, server, "")
    page.locator("a[href='#/ratings']").click()
    page.get_by_text("Nobody is rated in this game yet").wait_for()
    for _ in range(200):  # a deal counts once its second is over
        page.locator("select[name=game]").select_option("uno")
        page.get_by_text("Nobody is rated").wait_for()
        page.locator("select[name=game]").select_option("tictactoe")
        page.get_by_text("Lovelace").or_(page.get_by_text("Nobody is rated")).first.wait_for()
        if page.get_by_text("Lovelace").count():
            break
    row = page.locator("tr", has_text="Lovelace")
    assert "±" in row.text_content()
    assert page.locator("tr.level").count() == 3
    assert page.evaluate("document.title").startswith("Leaderboards")


# ---- for everybody


@pytest.mark.parametrize("locale", WORDS)
def test_in_other_languages(visitors: Visitors, server: Server, locale: str) -> None:
    page = visitors.page(server.url, locale=locale, **PHONE)
    find, ask = WORDS[locale]
    _go(page, server, "problems/uno/3")
    page.get_by_text(find).wait_for()
    assert page.evaluate(WRONG) == []
    _editor(page, server, "belote")
    page.locator("#tab-kibitzer").click()
    page.get_by_text(ask).wait_for()
    assert page.evaluate(WRONG) == []


def test_nothing_is_cut_off_at_any_size(visitors: Visitors, server: Server) -> None:
    page, found = visitors.page(server.url), dict[str, list[str]]()
    for place in ("problems", "problems/doudizhu/1", "editor/uno", "editor/hex", "ratings/uno"):
        _go(page, server, place)
        page.locator(".stage, .tile, table").first.wait_for()
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            if height > 520 or place in ("problems", "ratings/uno"):
                found[f"{place} {width}x{height}"] = [
                    one for one in page.evaluate(WRONG) if not one.startswith("cut off")
                ]
    assert {place: wrong for place, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing_serious(visitors: Visitors, server: Server, theme: str, kind: str) -> None:
    page = visitors.page(server.url, **{**KINDS[kind], "color_scheme": theme, "bypass_csp": True})
    found = dict[str, list[str]]()
    for place in ("problems", "ratings/uno"):
        _go(page, server, place)
        page.locator(".tile, table").first.wait_for()
        found[place] = serious(page)
    for game in ("uno", "belote"):
        _go(page, server, f"problems/{game}/1")
        page.locator("[data-action=solution]").click()
        page.locator(".thought").wait_for()
        found[f"problem {game}"] = serious(page)
    for game in ("uno", "doudizhu", "connect_four", "gdl:tictactoe"):
        _editor(page, server, game)
        found[f"editor {game}"] = serious(page)
    _editor(page, server, "uno")
    page.locator("[data-action=open-deck]").first.click()
    found["deck"] = serious(page)
    _ask(page)
    found["kibitzer"] = serious(page)
    page.locator("[data-action=exchange]").click()
    page.get_by_role("dialog").wait_for()
    found["exchange"] = serious(page)
    assert {place: wrong for place, wrong in found.items() if wrong} == {}
