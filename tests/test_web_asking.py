"""The API for programs: what is legal, thoughts and reviews of what is sent, and a seat at a table over HTTP."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import kibitz
from kibitz.record import Record, Seat
from kibitz.web import asking
from kibitz.web.app import make_app
from kibitz.web.limits import Buckets
from kibitz.web.secret import Secret
from kibitz.web.settings import Settings

GAMES = ["uno:players=3", "belote:bidding=true", "doudizhu:bidding=true", "mini_doudizhu", "connect_four", "hex:size=5"]


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    app = make_app(Settings(data=tmp_path_factory.mktemp("table"), pace=0.01))
    with TestClient(app, base_url="http://localhost") as client:
        app.state.asking = Buckets(app.state.house.means.timing, 1e6, 1e9)  # a test has one of its own for limits
        app.state.requests = app.state.makings = app.state.asking
        yield client


def _played(spec: str, moves: int, seed: int = 3) -> Any:
    """A state with a choice, after some random moves."""
    game, rng = kibitz.make(spec), random.Random(seed)
    state = game.deal(seed)
    while not state.over and (moves > 0 or len(state.legal()) < 2):
        state.apply(rng.choice(state.legal()))
        moves -= 1
    return game, state


def _finished(spec: str, seed: int = 5) -> Record:
    game, rng = kibitz.make(spec), random.Random(seed)
    state = game.deal(seed)
    while not state.over:
        state.apply(rng.choice(state.legal()))
    return Record.of(game, state, [Seat(f"P{seat}", "random") for seat in range(game.players)])


def _post(http: TestClient, path: str, body: Any, status: int = 200, **more: Any) -> dict[str, Any]:
    answer = http.post(f"/api/{path}", json=body, **more)
    assert answer.status_code == status, (path, answer.status_code, answer.text)
    told: dict[str, Any] = answer.json()
    return told


@pytest.mark.parametrize("spec", GAMES)
def test_positions_views_and_records_give_the_same_answers(spec: str, http: TestClient) -> None:
    game, state = _played(spec, 3)
    view = state.view(state.to_act)
    record = Record.of(game, state, [Seat("x", "random")] * game.players).to_json()
    ways = [{"position": game.position(state)}, {"position": game.position(view)}, {"record": record}]
    legal = [_post(http, "legal", way) for way in ways]
    assert [choice["action"] for choice in legal[0]["choices"]] == view.legal()
    assert legal[0]["seat"] == view.seat
    # A position has no history, which the text of a view may show; what there is to choose is the same.
    assert [told["choices"] for told in legal] == [legal[0]["choices"]] * 3
    thoughts = [_post(http, "think", way | {"effort": "quick"}) for way in ways]
    for told in thoughts:
        assert sorted(one["action"] for one in told["actions"]) == view.legal()
        assert told["done"]
        assert told["seat"] == view.seat
    assert thoughts[0] == thoughts[1]


def test_a_record_can_be_asked_about_anywhere(http: TestClient) -> None:
    record = _finished("belote:bidding=true")
    for moves in (0, len(record.actions) // 2):
        told = _post(http, "legal", {"record": record.to_json(), "moves": moves})
        assert record.actions[moves] in [choice["text"] for choice in told["choices"]]
    problem = _post(http, "legal", {"record": record.to_json()}, 400)
    assert problem == {"code": "bad_position", "detail": "the game is over: there is nothing to decide"}


@pytest.mark.parametrize("level", ["beginner", "club", "best"])
def test_levels_can_be_asked(level: str, http: TestClient) -> None:
    game, state = _played("uno:players=3", 3)
    told = _post(http, "think", {"position": game.position(state), "agent": level})
    assert told["best"] in state.legal()


def test_a_review_has_two_columns(http: TestClient) -> None:
    record = _finished("mini_doudizhu")
    told = _post(http, "review", {"record": record.to_json(), "effort": "quick"})
    assert told["format"] == "kibitz review"
    assert told["seats"] == [0, 1]
    assert told["decisions"]
    for decision in told["decisions"]:
        assert decision["verdict"] in ("good", "mistake", "lucky", "unlucky", "unclear")
    one = _post(http, "review", {"record": record.to_json(), "effort": "quick", "seats": [1]})
    assert one["decisions"] == [decision for decision in told["decisions"] if decision["seat"] == 1]
    assert _post(http, "review", {"record": record.to_json(), "seats": [7]}, 400)["code"] == "bad_position"


@pytest.mark.parametrize(
    ("path", "body", "status", "code", "says"),
    [
        ("legal", {}, 422, "bad_message", "either position or record"),
        ("legal", {"position": {"game": "uno"}, "record": {}}, 422, "bad_message", "either position or record"),
        ("legal", {"position": {}}, 404, "no_game", "game must be one of uno"),
        ("legal", {"position": {"game": "gdl:file=/etc/passwd"}}, 404, "no_game", "game must be one of uno"),
        ("legal", {"record": {"game": "gdl", "options": {"text": "x"}}}, 404, "no_game", "must be one of"),
        ("legal", {"position": {"game": "uno", "players": 99}}, 400, "bad_position", "players"),
        ("legal", {"position": asking.UNO | {"to_act": 1}}, 400, "bad_position", "seat 1 is to act"),
        ("legal", {"position": asking.UNO | {"hands": [["r-99"], {"count": 2}]}}, 400, "bad_position", "r-99"),
        ("think", {"position": asking.UNO, "agent": "mcs:iterations=1"}, 400, "no_level", ""),
        ("think", {"position": asking.UNO, "agent": "net:/etc/passwd"}, 400, "no_level", ""),
        ("think", {"position": asking.UNO, "effort": "endless"}, 422, "bad_message", "effort"),
        ("think", {"position": asking.UNO, "iterations": 10**9}, 422, "bad_message", "iterations"),
        ("review", {"record": {"game": "uno"}}, 400, "bad_position", "not the record of a game"),
    ],
)
def test_what_is_wrong_is_said(path: str, body: Any, status: int, code: str, says: str, http: TestClient) -> None:
    problem = _post(http, path, body, status)
    assert problem["code"] == code
    assert says in problem.get("detail", "")


def test_bodies_are_bounded(http: TestClient) -> None:
    for path, size in (("think", 70_000), ("review", 270_000)):
        answer = http.post(f"/api/{path}", content=b" " * size, headers={"Content-Type": "application/json"})
        assert answer.status_code == 413
        assert answer.json() == {"code": "too_large"}
    deep = '{"position": ' + "[" * 30_000 + "]" * 30_000 + "}"
    answer = http.post("/api/think", content=deep, headers={"Content-Type": "application/json"})
    assert 400 <= answer.status_code < 500


def test_an_address_may_spend_so_much(tmp_path: Path) -> None:
    class Still:
        def now(self) -> float:
            return 0.0

        def wall(self) -> int:
            return 0

        def call_at(self, when: float, call: Any) -> Any:
            raise AssertionError

    app = make_app(Settings(data=tmp_path))
    with TestClient(app, base_url="http://localhost") as http:
        app.state.asking = asking.allowance(Still())
        for _ in range(int(asking.BURST / asking.COSTS["quick"])):
            _post(http, "think", {"position": asking.UNO, "effort": "quick"})
        problem = _post(http, "think", {"position": asking.UNO, "effort": "quick"}, 429)
        assert problem["code"] == "too_fast"
        assert "a second" in problem["detail"]


def test_the_api_is_described(http: TestClient) -> None:
    described = http.get("/openapi.json").json()
    for path in ("think", "legal", "review", "tables/{table}/seat", "tables/{table}/play", "tables/{table}/think"):
        assert described["paths"][f"/api/{path}"]
    assert described["components"]["schemas"]["AskThink"]["properties"]["position"]["examples"]


def test_ratings_are_served(http: TestClient) -> None:
    told = http.get("/api/ratings/belote").json()
    assert told["people"] == []
    assert {level["level"] for level in told["levels"]} >= {"beginner", "best"}
    assert http.get("/api/ratings/gdl:mine").json() == {"code": "no_game"}


# ---- a seat


def _person(http: TestClient, name: str) -> dict[str, str]:
    made = http.post("/api/people", json={"name": name}).json()
    return {"Authorization": f"Bearer {made['token']}"}


@pytest.mark.parametrize("game", ["uno", "belote", "tictactoe"])
def test_a_program_plays_a_seat_to_the_end(game: str, http: TestClient) -> None:
    head = _person(http, "Model")
    table = _post(http, "tables", {"game": game, "level": "beginner"}, headers=head)["id"]
    rng = random.Random(game)
    for _ in range(1000):
        seen = http.get(f"/api/tables/{table}/seat?wait=20", headers=head).json()
        if seen["over"] is not None:
            break
        assert seen["view"]["seat"] == seen["seat"]
        assert seen["view"]["history"] is not None
        choice = rng.choice(seen["view"]["choices"])
        way = {"text": choice["text"].upper()} if rng.random() < 0.5 else {"action": choice["action"]}
        after = _post(http, f"tables/{table}/play", way | {"turn": seen["view"]["turn"]}, headers=head)
        assert after["view"]["turn"] > seen["view"]["turn"]
    assert len(seen["over"]["payoffs"]) == seen["table"]["players"]
    assert seen["illegal"] == 0
    again = _post(http, f"tables/{table}/seat", {"want": "next"}, headers=head)
    assert again["view"]["deal"] == 1
    assert again["over"] is None


def test_wrong_answers_are_refused_explained_and_counted(http: TestClient) -> None:
    head, other = _person(http, "Model"), _person(http, "Other")
    table = _post(http, "tables", {"game": "uno", "players": 2, "level": "beginner"}, headers=head)["id"]
    seen = http.get(f"/api/tables/{table}/seat?wait=20", headers=head).json()
    for number, wrong in enumerate(({"text": "all my cards"}, {"action": 2**50}, {}), start=1):
        problem = _post(http, f"tables/{table}/play", wrong, 400, headers=head)
        assert problem["code"] == "illegal"
        assert seen["view"]["choices"][0]["text"] in problem["detail"]
        assert http.get(f"/api/tables/{table}/seat", headers=head).json()["illegal"] == number
    assert _post(http, f"tables/{table}/play", {"text": "x" * 201}, 422, headers=head)["code"] == "bad_message"
    old = {"action": seen["view"]["choices"][0]["action"], "turn": seen["view"]["turn"] + 1}
    assert _post(http, f"tables/{table}/play", old, 409, headers=head)["code"] == "old_turn"
    assert _post(http, f"tables/{table}/play", {"text": "draw"}, 403, headers=other)["code"] == "not_seated"
    assert _post(http, f"tables/{table}/play", {"text": "draw"}, 401)["code"] == "bad_token"
    assert http.get("/api/tables/none/seat", headers=head).status_code == 404
    watching = http.get(f"/api/tables/{table}/seat", headers=other).json()
    assert watching["seat"] is None
    assert watching["view"]["choices"] == []
    hands = watching["view"]["position"]["hands"]
    assert all(isinstance(hand, dict) for hand in hands)


def test_a_seat_over_http_gets_thoughts_where_the_table_allows_it(http: TestClient) -> None:
    head = _person(http, "Model")
    for mode, status in (("casual", 200), ("rated", 403)):
        table = _post(http, "tables", {"game": "connect_four", "mode": mode, "level": "beginner"}, headers=head)["id"]
        http.get(f"/api/tables/{table}/seat?wait=20", headers=head)
        told = _post(http, f"tables/{table}/think", None, status, headers=head)
        assert ("no_thoughts" if mode == "rated" else 7) == (told.get("code") or len(told["actions"]))


# ---- no leak


@pytest.mark.parametrize("spec", ["uno:players=3", "belote:bidding=true", "doudizhu:bidding=true", "mini_doudizhu"])
def test_answers_are_the_same_bytes_in_every_world_of_the_seat(spec: str, http: TestClient) -> None:
    """Whole positions are looked at as the seat to act may: a world in its place changes nothing."""
    for moves in (0, 4, 9):
        game, state = _played(spec, moves, seed=moves + 1)
        if state.over:
            continue
        view = state.view(state.to_act)
        for path, more in (("legal", {}), ("think", {"effort": "quick"}), ("think", {"agent": "club"})):
            texts = set()
            for shown in (state, view.sample(7), view.sample(8)):
                body = json.loads(json.dumps({"position": game.position(shown)} | more))
                texts.add(http.post(f"/api/{path}", json=body).text)
            assert len(texts) == 1
            assert '"code"' not in texts.pop()


@pytest.mark.parametrize("game", ["uno", "belote", "doudizhu", "mini_doudizhu"])
def test_a_seat_over_http_gets_the_same_bytes_in_every_world(game: str, http: TestClient) -> None:
    """What it sees, what it is refused with, and its thoughts, while nothing but the hidden state differs."""
    head, other = _person(http, "Model"), _person(http, "Other")
    table = _post(http, "tables", {"game": game, "level": "beginner"}, headers=head)["id"]
    app: Any = http.app
    house = app.state.house
    rng = random.Random(game)
    http.get(f"/api/tables/{table}/seat", headers=other)  # who watches is told to all

    def everything() -> list[str]:
        path = f"/api/tables/{table}"
        texts = [http.get(f"{path}/seat", headers=who).text for who in (head, other)]
        texts += [http.post(f"{path}/play", json={"text": "x"}, headers=who).text for who in (head, other)]
        return [*texts, http.post(f"{path}/think?wait=30", headers=head).text]

    for number in range(1, 4):
        seen = http.get(f"/api/tables/{table}/seat?wait=20", headers=head).json()
        if seen["over"] is not None:
            break
        deal = house.tables[table].situation.deal
        real, first = deal._state, everything()
        deal._state = Secret(deal.view(seen["seat"]).sample(rng.getrandbits(63)))
        try:
            again = everything()
        finally:
            deal._state = real
        # The wrong answers in between are counted, which is all that differs.
        counted = f'"illegal":{2 * number - 1}'
        assert [text.replace(counted, f'"illegal":{2 * number - 2}') for text in again] == first
        assert any('"done":true' in text for text in first)
        _post(http, f"tables/{table}/play", {"action": seen["view"]["choices"][0]["action"]}, headers=head)
