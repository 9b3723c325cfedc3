"""What the position editor and the gallery ask the server: what can be, what cannot and where, what a move leads to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import kibitz
from kibitz import problems
from kibitz.web.app import make_app
from kibitz.web.catalogue import OFFERS
from kibitz.web.editing import fault, possible
from kibitz.web.limits import Buckets
from kibitz.web.settings import Settings

SHEETS = Path(kibitz.__file__).parent / "rulesheets"
UNO = {"game": "uno", "players": 3, "seat": 0, "target": "r-5", "hands": [["r-7", "g-5"], {"count": 2}, {"count": 7}]}
BELOTE: dict[str, Any] = {
    "game": "belote",
    "bidding": True,
    "seat": 1,
    "phase": "play",
    "to_act": 0,
    "trump": "h",
    "taker": 2,
    "turned": "8h",
    "hands": [{"count": 8}, ["Js", "7h", "Qh", "Jd", "7c", "As", "Ks", "9d"], {"count": 8}, {"count": 8}],
}


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    app = make_app(Settings(data=tmp_path_factory.mktemp("table"), rulesheets=SHEETS, pace=0.01))
    with TestClient(app, base_url="http://localhost") as client:
        app.state.asking = Buckets(app.state.house.means.timing, 1e6, 1e9)
        app.state.requests = app.state.makings = app.state.asking
        yield client


def _ask(http: TestClient, status: int = 200, **body: Any) -> dict[str, Any]:
    answer = http.post("/api/position", json=body)
    assert answer.status_code == status, answer.text
    told: dict[str, Any] = answer.json()
    return told


@pytest.mark.parametrize("name", [*OFFERS, "gdl:tictactoe", "gdl:blind_tictactoe"])
def test_a_new_deal_can_be_played_through_from_one_seat(name: str, http: TestClient) -> None:
    """Moves of seats whose cards are unknown are such as some world allows; the own hand is always known."""
    told = _ask(http, new={"game": name})
    assert told["game"] == name
    seat = told["seat"]
    for _ in range(12):
        if told["to_act"] is None:
            break
        assert told["choices"]
        choice = told["choices"][-1]
        after = _ask(http, position=told["position"], play=choice["text"])
        assert after["fault"] is None
        assert after["move"] == {"seat": told["to_act"], "action": choice["action"], "text": choice["text"]}
        assert after["seat"] == seat
        assert _ask(http, position=after["position"])["choices"] == after["choices"]  # what comes back can be sent
        told = after


def test_decks_are_whole(http: TestClient) -> None:
    sizes = {"uno": 108, "belote": 32, "doudizhu": 54, "mini_doudizhu": 18}
    for name in OFFERS:
        assert sum(_ask(http, new={"game": name})["deck"].values()) == sizes.get(name, 0)


def test_a_whole_position_stays_whole(http: TestClient) -> None:
    game = kibitz.make("belote", bidding=True)
    state = game.deal(3)
    told = _ask(http, position=game.position(state), play="pass")
    assert told["whole"]
    state.apply(game.parse("pass"))
    assert told["position"] == game.position(state)
    assert told["shown"] == game.position(state.view(1))
    assert told["seat"] == told["to_act"] == 1


def test_others_play_what_they_may_hold(http: TestClient) -> None:
    told = _ask(http, position=BELOTE)
    texts = {choice["text"] for choice in told["choices"]}
    # The first player leads anything that I have not got, but for the card that was turned up: the taker has it.
    assert len(texts) == 32 - 8 - 1
    assert "8h" not in texts
    assert texts.isdisjoint(BELOTE["hands"][1])
    led = _ask(http, position=BELOTE, play="Ah")
    assert [choice["text"] for choice in led["choices"]] == ["7h", "Qh"]  # I have to follow
    assert led["position"]["played"][0] == ["Ah"]
    wrong = _ask(http, position=BELOTE, play="Js")  # that one is mine
    assert wrong["fault"]["code"] == "illegal"
    assert wrong["fault"]["place"] == "moves"


BOARD = {"game": "tictactoe", "size": 3}
DOUDIZHU = {
    "game": "doudizhu",
    "bidding": True,
    "seat": 0,
    "phase": "play",
    "to_act": 0,
    "landlord_seat": 0,
    "bids": [3, -1, -1],
    "hands": ["34567889TTJQKA22BR4J", {"count": 17}, {"count": 17}],
}


@pytest.mark.parametrize(
    ("position", "place", "code", "params"),
    [
        (UNO | {"hands": [["r-7"] * 3, {"count": 2}, {"count": 7}]}, "hands.0", "too_many", {"card": "r-7", "n": "2"}),
        (UNO | {"hands": [["r-7"], {"count": 0}, {"count": 7}]}, "hands.1", "no_cards", {}),
        (UNO | {"hands": [["r-7"], {"count": 90}, {"count": 70}]}, "hands", "no_pile", {"n": "108"}),
        (UNO | {"target": "wild"}, "target", "target", {"card": "wild"}),
        (
            BELOTE | {"hands": [{"count": 8}, ["Js", "7h"], {"count": 8}, {"count": 8}]},
            "hands.1",
            "count",
            {"n": "8", "have": "2"},
        ),
        (BELOTE | {"taker": 1}, "", "no_world", {}),
        (DOUDIZHU | {"talon": "333"}, "talon", "talon", {}),
        (BOARD | {"board": ["xx.", "...", "..."]}, "board", "stones", {"x": "2", "o": "0"}),
        ({"game": "connect_four", "board": ["x......", *["......."] * 5]}, "board", "hangs", {"n": "1"}),
        (UNO | {"players": 99}, "", "other", {}),
    ],
)
def test_what_cannot_be_is_said_at_its_place(
    position: dict[str, Any], place: str, code: str, params: dict[str, str], http: TestClient
) -> None:
    told = _ask(http, position=position)
    assert told["position"] is None
    assert (told["fault"]["place"], told["fault"]["code"]) == (place, code)
    assert told["fault"]["params"] == params
    assert told["fault"]["detail"]


def test_a_card_that_is_twice_there() -> None:
    assert fault("7h in the hand of seat 0 is elsewhere already, or not in this deck").place == "hands.0"


def test_refusals(http: TestClient) -> None:
    assert _ask(http, 422)["code"] == "bad_message"
    assert _ask(http, 422, position=UNO, new={"game": "uno"})["code"] == "bad_message"
    assert _ask(http, 404, position={"game": "gdl", "file": "/etc/passwd"})["code"] == "no_game"
    assert _ask(http, 404, position={"game": "gdl:file=/etc/passwd"})["code"] == "no_game"
    assert _ask(http, 404, new={"game": "chess"})["code"] == "no_game"
    assert _ask(http, 400, new={"game": "uno", "players": 1})["code"] == "bad_options"
    over = _ask(http, position=BOARD | {"board": ["xxx", "oo.", "..."]})
    assert over["to_act"] is None
    assert over["choices"] == []


def test_what_is_unknown_is_not_made_known() -> None:
    """What is possible for another seat depends on the view alone."""
    state = kibitz.make("belote", bidding=True).deal(5)
    for seat in range(1, 4):
        view = state.view(seat)
        other = view.sample(9)  # another world with the same view
        assert possible(view) == possible(other.view(seat))


def test_rulesheets_of_the_server_can_be_thought_about_and_played_on(http: TestClient) -> None:
    told = _ask(http, new={"game": "gdl:tictactoe"})
    assert "/" not in told["position"]["file"]
    answer = http.post("/api/think", json={"position": told["position"], "effort": "quick"})
    assert answer.status_code == 200, answer.text
    token = http.post("/api/people", json={"name": "Ada"}).json()["token"]
    made = http.post("/api/play-on", json={"position": told["position"]}, headers={"Authorization": f"Bearer {token}"})
    assert made.status_code == 200, made.text
    assert made.json()["game"] == "gdl:tictactoe"


def test_the_gallery(http: TestClient) -> None:
    shelves = http.get("/api/problems").json()["games"]
    assert [shelf["game"] for shelf in shelves] == list(OFFERS)
    for shelf in shelves:
        listed = http.get(f"/api/problems/{shelf['game']}").json()["problems"]
        assert [one["id"] for one in listed] == [one["id"] for one in shelf["problems"]]
        for one, problem in zip(listed, problems.of(shelf["game"]).problems, strict=True):
            assert one["moves"][0]["text"] == problem.best
            assert {choice["text"] for choice in one["choices"]} == {move["text"] for move in one["moves"]}
    assert http.get("/api/problems/chess").status_code == 404


def test_nothing_of_running_tables_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Editor, gallery and kibitzer answer without tables and without the store."""

    class Closed(dict[str, Any]):
        def __getattribute__(self, name: str) -> Any:
            raise AssertionError(f"tables were looked at: {name}")

    app = make_app(Settings(data=tmp_path))
    with TestClient(app, base_url="http://localhost") as http:
        house = app.state.house

        async def refuse(*_: Any) -> Any:
            raise AssertionError("the store was asked")

        with monkeypatch.context() as patch:
            patch.setattr(house, "tables", Closed())
            for name in ("load", "tables", "finished", "people"):
                patch.setattr(house.means.store, name, refuse)
            told = _ask(http, new={"game": "uno"})
            assert _ask(http, position=told["position"])["fault"] is None
            assert http.post("/api/think", json={"position": told["position"], "effort": "quick"}).status_code == 200
            assert http.get("/api/problems/uno").status_code == 200
            with pytest.raises(AssertionError, match="were looked at"):  # what would look there is noticed
                http.get("/api/tables/abc")
