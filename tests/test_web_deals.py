"""Finished deals over HTTP: replays, reviews, sharing, going on from a move, own games, and deals with a name."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from kibitz import record
from kibitz.web.app import make_app
from kibitz.web.limits import Buckets
from kibitz.web.settings import Settings

LIMIT = 120  # seconds: only keeps a test from hanging


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    app = make_app(Settings(data=tmp_path_factory.mktemp("table"), pace=0.01))
    with TestClient(app, base_url="http://localhost") as client:
        app.state.asking = Buckets(app.state.house.means.timing, 1e6, 1e9)
        app.state.requests = app.state.makings = app.state.asking
        yield client


class Person:
    """Asks with a token, or without one."""

    def __init__(self, http: TestClient, name: str | None) -> None:
        self.http, self.head = http, dict[str, str]()
        if name is not None:
            made = http.post("/api/people", json={"name": name}).json()
            self.id, self.head = made["person"]["id"], {"Authorization": f"Bearer {made['token']}"}

    def get(self, path: str, status: int = 200) -> Any:
        answer = self.http.get(f"/api{path}", headers=self.head)
        assert answer.status_code == status, (path, answer.status_code, answer.text[:300])
        return answer.json()

    def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        answer = self.http.post(f"/api{path}", json=body, headers=self.head)
        assert answer.status_code == status, (path, answer.status_code, answer.text[:300])
        return answer.json()

    def table(self, game: str, **more: Any) -> str:
        return str(self.post("/tables", {"game": game, "level": "beginner"} | more)["id"])

    def play(self, table: str, choose: int = 0) -> dict[str, Any]:
        """To the end of the deal, always the same choice."""
        until = time.monotonic() + LIMIT
        while time.monotonic() < until:
            seen = self.get(f"/tables/{table}/seat?wait=20")
            if seen["over"]:
                return dict(seen["over"])
            if seen["view"]["choices"]:
                action = seen["view"]["choices"][choose]["action"]
                self.post(f"/tables/{table}/play", {"action": action, "turn": seen["view"]["turn"]})
        raise AssertionError("the deal does not end")

    def review(self, table: str, seat: int, deal: int = 0) -> Any:
        until = time.monotonic() + LIMIT
        while time.monotonic() < until:
            told = self.get(f"/tables/{table}/deals/{deal}/review?seat={seat}")
            assert 0 <= told["done"] <= told["of"]
            if told["review"] or told["failed"]:
                return told
            time.sleep(0.02)
        raise AssertionError("the review does not end")


@pytest.fixture(scope="module")
def ada(http: TestClient) -> Person:
    return Person(http, "Ada")


@pytest.fixture(scope="module")
def played(ada: Person) -> str:
    """A finished game of Uno."""
    table = ada.table("uno", players=3)
    ada.play(table)
    return table


def test_a_replay_is_the_game_from_a_seat_or_with_all_cards(http: TestClient, ada: Person, played: str) -> None:
    told = Person(http, None).get(f"/tables/{played}/deals/0/replay?seat=0")
    whole = ada.get(f"/tables/{played}/deals/0/replay")
    saved = record.Record.from_json(ada.get(f"/tables/{played}/deals/0"))
    states = list(saved.states())
    assert len(told["steps"]) == len(whole["steps"]) == len(states)
    assert (told["mine"], whole["mine"], told["seat"], whole["seat"]) == (None, 0, 0, None)
    for step, open_step, state in zip(told["steps"], whole["steps"], states, strict=True):
        game: Any = saved.make()
        assert open_step["position"] == game.position(state)
        assert step["position"] == game.position(state.view(0))
        assert step["to_act"] == (None if state.over else state.to_act)
        legal = state.legal() if not state.over and state.to_act == 0 else []
        assert [choice["action"] for choice in step["choices"]] == legal
    assert [step["move"]["text"] for step in told["steps"][1:]] == list(saved.actions)
    assert told["seats"][0]["name"] == "Ada"
    assert told["payoffs"] == list(saved.payoffs or ())
    packed = http.get(f"/api/tables/{played}/deals/0/replay", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"


@pytest.mark.parametrize("game", ["uno", "belote", "doudizhu", "mini_doudizhu", "connect_four"])
def test_a_review_has_two_columns_and_what_would_have_been_fine(game: str, ada: Person) -> None:
    table = ada.table(game)
    ada.play(table, -1)
    replay = ada.get(f"/tables/{table}/deals/0/replay?seat=0")
    told = ada.review(table, 0)
    assert told["done"] == told["of"]
    review, steps = told["review"], replay["steps"]
    choices = [at + 1 for at, step in enumerate(steps) if len(step["choices"]) > 1]
    assert [one["move"] for one in review["decisions"]] == choices
    for one in review["decisions"]:
        offered = {choice["action"] for choice in steps[one["move"] - 1]["choices"]}
        assert one["action"] == steps[one["move"]]["move"]["action"]
        known = one["known"]
        if known is None:
            assert one["verdict"] == "unclear"
            continue
        assert set(known["fine"]) <= offered
        assert (one["action"] in known["fine"]) == (not known["bad"])
        assert known["best_action"] in known["fine"]
        assert one["unit"]["kind"] in ("wins", "points", "lead")
        assert (one["verdict"] in ("mistake", "lucky")) == known["bad"] or one["verdict"] == "unclear"
    bad = {one["move"] for one in review["decisions"] if one["verdict"] in ("mistake", "lucky", "unlucky")}
    assert set(review["moments"]) == bad
    assert ada.review(table, 0) == told  # kept


def test_a_game_that_runs_says_nothing(ada: Person) -> None:
    table = ada.table("uno", players=2)
    for path in ("", "/replay", "/replay?seat=0", "/review?seat=0"):
        assert ada.get(f"/tables/{table}/deals/0{path}", 409) == {"code": "not_now"}
    assert ada.post(f"/tables/{table}/deals/0/share", status=409) == {"code": "not_now"}
    assert all(game["table"] != table for game in ada.get("/me/games")["games"])


def test_a_private_game_is_for_its_players_until_one_shares_it(http: TestClient, ada: Person) -> None:
    table = ada.table("mini_doudizhu", watching=False)
    ada.play(table)
    stranger, ben = Person(http, None), Person(http, "Ben")
    for path in ("", "/replay", "/review?seat=0"):
        assert stranger.get(f"/tables/{table}/deals/0{path}", 401) == {"code": "bad_token"}
        assert ben.get(f"/tables/{table}/deals/0{path}", 403) == {"code": "no_watching"}
    assert ben.post(f"/tables/{table}/deals/0/share", status=403) == {"code": "no_watching"}
    assert not ada.get(f"/tables/{table}/deals/0/replay")["open"]
    ada.post(f"/tables/{table}/deals/0/share")
    told = stranger.get(f"/tables/{table}/deals/0/replay")
    assert told["open"]
    assert "token" not in str(told)
    ada.post(f"/tables/{table}/seat", {"want": "next"})  # the table goes on as before, and the next deal is private
    ada.play(table)
    assert stranger.get(f"/tables/{table}/deals/1/replay", 401) == {"code": "bad_token"}


@pytest.mark.parametrize("game", ["uno", "belote", "doudizhu"])
def test_a_deal_goes_on_from_any_move_against_the_same_agents(game: str, ada: Person) -> None:
    table = ada.table(game, mode="rated")
    ada.play(table)
    replay = ada.get(f"/tables/{table}/deals/0/replay?seat=0")
    at = [number for number, step in enumerate(replay["steps"]) if step["to_act"] == 0][-1]
    levels = [seat["level"] for seat in replay["seats"]]
    body = {"record": ada.get(f"/tables/{table}/deals/0"), "moves": at, "seat": 0, "levels": levels}
    info = ada.post("/play-on", body)
    assert info["mode"] == "practice"
    assert [seat["level"] for seat in info["seats"]] == levels
    seen = ada.get(f"/tables/{info['id']}/seat?wait=20")
    assert seen["view"]["position"]["hands"] == replay["steps"][at]["position"]["hands"]
    ada.play(info["id"], -1)
    again = ada.get(f"/tables/{info['id']}/deals/0/replay?seat=0")
    assert again["steps"][0]["position"]["hands"] == replay["steps"][at]["position"]["hands"]


def test_own_games_are_listed_the_last_first(http: TestClient) -> None:
    mia = Person(http, "Mia")
    assert mia.get("/me/games") == {"games": []}
    first, second = mia.table("tictactoe"), mia.table("mini_doudizhu")
    ended = {first: mia.play(first), second: mia.play(second)}
    mia.post(f"/tables/{second}/seat", {"want": "next"})
    again = mia.play(second)
    games = mia.get("/me/games")["games"]
    assert {(game["table"], game["deal"]) for game in games} == {(first, 0), (second, 0), (second, 1)}
    for game in games:
        over = again if game["deal"] else ended[game["table"]]
        assert game["seat"] == game["deal"]  # everybody moves on by a seat
        assert game["payoff"] == over["payoffs"][game["seat"]]
        assert game["won"] == (game["seat"] in over["winners"])
    assert [game["finished"] for game in games] == sorted((game["finished"] for game in games), reverse=True)


# ---- named deals


def _named(who: Person, name: str = "Friday", **more: Any) -> str:
    return who.table("belote", named=name, **more)


def _hand(who: Person, table: str) -> Any:
    return who.get(f"/tables/{table}/seat")["view"]["position"]["hands"][0]


def test_a_name_deals_the_same_cards_to_everybody(http: TestClient, ada: Person) -> None:
    ben = Person(http, "Ben")
    mine, his, other = _named(ada), _named(ben, " friday "), _named(ada, "Saturday")
    assert _hand(ada, mine) == _hand(ben, his)
    assert _hand(ada, mine) != _hand(ada, other)
    id = ada.get(f"/tables/{mine}")["named"]["id"]
    assert ben.get(f"/tables/{his}")["named"]["id"] == id
    assert ada.get(f"/tables/{_named(ada, level='easy')}")["named"]["id"] != id
    ada.post(f"/tables/{mine}/think", status=403)  # the same for everybody: no advice
    eve = Person(http, "Eve")
    assert eve.get(f"/tables/{mine}/seat")["view"] is None
    assert eve.post(f"/tables/{mine}/seat", {"want": "take", "seat": 1}, 409) == {"code": "not_now"}
    for wrong in ({"seats": [{"who": "me"}] + [{"who": "open"}] * 3}, {"series": 501}, {"mode": "rated"}):
        ada.post("/tables", {"game": "belote", "named": "Friday"} | wrong, 400)
    ada.post("/tables", {"game": "connect_four", "named": "Friday"}, 400)  # nothing is dealt


def test_first_tries_are_compared_by_those_who_have_played(http: TestClient) -> None:
    people = {name: Person(http, name) for name in ("Kim", "Lou", "Mo")}
    kim, lou, mo = people.values()
    table = _named(kim, "Derby")
    id = kim.get(f"/tables/{table}")["named"]["id"]
    assert kim.get(f"/named/{id}")["begun"] == table
    over = kim.play(table)
    told = lou.get(f"/named/{id}")
    assert not told["played"]
    assert [(one["payoff"], one["table"], one["over"]) for one in told["results"]] == [(None, None, True)]
    assert lou.get(f"/tables/{table}/deals/0/replay", 403) == {"code": "no_watching"}
    kim.post(f"/tables/{table}/deals/0/share")
    for path in ("", "/replay", "/review?seat=0"):
        assert lou.get(f"/tables/{table}/deals/0{path}", 403) == {"code": "not_played"}
        assert Person(http, None).get(f"/tables/{table}/deals/0{path}", 401) == {"code": "bad_token"}
    # Lou plays it first, Mo looks first; Kim plays it twice.
    lou.play(_named(lou, "Derby"), -1)
    mo.get(f"/tables/{table}/deals/0/replay?look=true")
    assert mo.get(f"/named/{id}")["played"]
    mo.play(_named(mo, "Derby"))
    kim.play(_named(kim, "Derby"))
    told = lou.get(f"/named/{id}")
    assert told["played"]
    found = [(one["person"]["name"], one["first"], one["over"]) for one in told["results"]]
    assert found == [("Kim", True, True), ("Lou", True, True), ("Mo", False, True), ("Kim", False, True)]
    assert told["results"][0]["payoff"] == over["payoffs"][0]
    lou.get(f"/tables/{table}/deals/0/replay")  # who has played may look


def test_who_plays_the_same_gets_the_same_answers(http: TestClient) -> None:
    """Bots draw the same lots at a named deal."""
    first, second = Person(http, "A"), Person(http, "B")
    tables = [_named(first, "Same", level="club"), _named(second, "Same", level="club")]
    for who, table in zip((first, second), tables, strict=True):
        who.play(table)
    actions = [
        who.get(f"/tables/{table}/deals/0")["actions"] for who, table in zip((first, second), tables, strict=True)
    ]
    assert actions[0] == actions[1]


def test_the_next_deal_of_a_named_table_is_a_new_one(http: TestClient) -> None:
    who = Person(http, "C")
    table = _named(who, "Once")
    seeds = [who.play(table)["seed"]]
    who.post(f"/tables/{table}/seat", {"want": "next"})
    seeds.append(who.play(table)["seed"])
    other = _named(Person(http, "D"), "Once")
    assert seeds[0] != seeds[1]
    assert who.get(f"/tables/{table}")["named"]["id"] == who.get(f"/tables/{other}")["named"]["id"]
    assert who.get("/named/nothing", 404) == {"code": "no_table"}
