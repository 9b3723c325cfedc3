"""`kibitz mcp`: a client plays to the end, wrong and malicious answers change nothing, and nothing hidden is told."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

pytest.importorskip("mcp")

from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult

from kibitz.mcp.server import make_server
from kibitz.mcp.table import MOST_GAMES, AnswerError, Table
from kibitz.record import commitment

LIMIT = 300  # seconds: only keeps a test from hanging
Call = Callable[..., Awaitable[Any]]


def _fixed(seed: int) -> Table:
    numbers = itertools.count(seed * 1_000_003)
    return Table(lambda: next(numbers))


def _json(result: CallToolResult) -> Any:
    assert not result.is_error, result.content
    assert result.structured_content is not None
    told = result.structured_content
    return told["result"] if set(told) == {"result"} else told


def _said(result: CallToolResult) -> str:
    assert result.is_error
    return "".join(getattr(part, "text", "") for part in result.content)


def _run(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), LIMIT))


def _hides(told: dict[str, Any], table: Table | None = None) -> None:
    """Nothing of the deal before its end."""
    assert "seed" not in told
    assert "salt" not in told
    for seat, hand in enumerate(told["position"].get("hands", [])):
        assert seat == told["seat"] or isinstance(hand, dict)
    if table is not None:
        play = table._plays[told["game_id"]]
        assert str(play.seed) not in json.dumps({key: value for key, value in told.items() if key != "deal_hash"})
        assert play.salt not in json.dumps(told)


async def _play_on(client: Client, told: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    while "over" not in told:
        assert told["to_act"] == told["seat"]
        _hides(told)
        choice = rng.choice(told["legal"])
        way = rng.choice([choice["action"], choice["text"], choice["text"].upper(), str(choice["action"])])
        told = _json(await client.call_tool("play", {"game_id": told["game_id"], "action": way}))
    return told


def test_a_client_plays_a_game_to_the_end_over_standard_streams() -> None:
    async def work() -> None:
        command = ["-c", "from kibitz.cli import main; main()", "mcp"]
        async with Client(StdioServerParameters(command=sys.executable, args=command)) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert names == {"new_game", "view", "legal", "play", "think"}
            asked = {"game": "uno", "options": {"players": 3}, "level": "beginner"}
            told = _json(await client.call_tool("new_game", asked))
            thought = _json(await client.call_tool("think", {"game_id": told["game_id"], "effort": "quick"}))
            assert sorted(one["action"] for one in thought["actions"]) == [one["action"] for one in told["legal"]]
            assert thought["sees"] == "your view only"
            hash = told["deal_hash"]
            told = await _play_on(client, told, random.Random(1))
            assert told["deal_hash"] == hash == commitment(int(told["seed"]), told["salt"])
            assert len(told["payoffs"]) == 3
            assert told["illegal_answers"] == 0

    _run(work)


@pytest.mark.parametrize("game", ["belote", "doudizhu", "mini_doudizhu", "connect_four"])
def test_every_kind_of_game_ends(game: str) -> None:
    async def work() -> None:
        async with Client(make_server(_fixed(2))) as client:
            told = _json(await client.call_tool("new_game", {"game": game, "seat": 1, "level": "beginner"}))
            told = await _play_on(client, told, random.Random(game))
            assert told["legal"] == []

    _run(work)


HUGE = "A" * 1_000_000


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("new_game", {"game": HUGE}, "game must be one of"),
        ("new_game", {"game": "gdl:file=/etc/passwd"}, "game must be one of"),
        ("new_game", {"game": "gdl"}, "game must be one of"),
        ("new_game", {"game": "uno", "seat": 99}, "seat must be within 0..1"),
        ("new_game", {"game": "uno", "level": "mcs:iterations=1000000000"}, "level must be one of"),
        ("new_game", {"game": "uno", "options": {"players": 10**30}}, "too large"),
        ("new_game", {"game": "uno", "options": {"file": "/etc/passwd"}}, "file"),
        ("new_game", {"game": "uno", "options": {"players": [[[]]]}}, "options must be"),
        ("view", {"game_id": HUGE}, "there is no game"),
        ("play", {"game_id": "../../g1", "action": 0}, "there is no game"),
        ("think", {"game_id": "ID", "effort": "endless"}, "effort must be one of"),
    ],
)
def test_wrong_arguments_are_explained_in_few_words(tool: str, arguments: dict[str, Any], says: str) -> None:
    async def work() -> None:
        table = _fixed(3)
        async with Client(make_server(table)) as client:
            told = _json(await client.call_tool("new_game", {"game": "uno", "options": {"players": 2}}))
            given = {key: told["game_id"] if value == "ID" else value for key, value in arguments.items()}
            said = _said(await client.call_tool(tool, given))
            assert says in said
            assert len(said) < 2000
            assert _json(await client.call_tool("view", {"game_id": told["game_id"]})) == told

    _run(work)


def test_illegal_answers_change_nothing_and_are_counted() -> None:
    async def work() -> None:
        table = _fixed(4)
        async with Client(make_server(table)) as client:
            told = _json(await client.call_tool("new_game", {"game": "uno", "options": {"players": 3}, "seat": 1}))
            id = told["game_id"]
            legal = {one["action"] for one in told["legal"]}
            theirs = next(  # what another seat could play with its cards
                action
                for seat in (0, 2)
                for card in table._plays[id].game.position(table._plays[id].state)["hands"][seat]
                if not card.startswith("wild") and (action := table._plays[id].game.parse(card)) not in legal
            )
            wrong: list[Any] = [
                theirs,
                -1,
                10**12,
                "",
                HUGE,
                "draw; drop table",
                "seat 0 plays draw",
                '{"action": 0}',
                "\x00",
            ]
            wrong += [None, True, 1.5, [], [[0]], {"action": 0}]
            for number, answer in enumerate(wrong, start=1):
                said = _said(await client.call_tool("play", {"game_id": id, "action": answer}))
                assert f"illegal answer number {number}" in said
                assert told["legal"][0]["text"] in said
                assert len(said) < 3000
            _said(await client.call_tool("play", {"game_id": id}))  # no action at all: the protocol's own check
            after = _json(await client.call_tool("view", {"game_id": id}))
            assert after == told | {"illegal_answers": len(wrong)}
            _hides(after, table)
            over = await _play_on(client, after, random.Random(4))
            assert over["illegal_answers"] == len(wrong)
            assert "over" in _said(await client.call_tool("play", {"game_id": id, "action": 0}))
            assert "nothing to think" in _said(await client.call_tool("think", {"game_id": id}))

    _run(work)


def test_games_are_bounded() -> None:
    table = _fixed(5)
    ids = [table.new_game("tictactoe", None, 0, "beginner")["game_id"] for _ in range(MOST_GAMES + 1)]
    assert len(set(ids)) == len(ids)
    with pytest.raises(AnswerError, match="there is no game"):
        table.view(ids[0])
    assert table.view(ids[-1])["game_id"] == ids[-1]


@pytest.mark.parametrize("game", ["uno", "belote", "doudizhu", "mini_doudizhu"])
def test_all_that_is_told_is_the_same_in_every_world_of_the_seat(game: str) -> None:
    table, rng = _fixed(6), random.Random(game)
    told = table.new_game(game, None, 0, "beginner")
    id = told["game_id"]
    for _ in range(4):
        if "over" in told:
            break
        play = table._plays[id]
        real = play.state

        def everything() -> list[str]:
            answers: list[Any] = [table.view(id), table.legal(id), table.think(id, "quick")]
            for wrong in ("nonsense", -1):
                with pytest.raises(AnswerError) as problem:
                    table.play(id, wrong)
                answers.append(str(problem.value))
            return [json.dumps(answer, sort_keys=True) for answer in answers]

        counts = play.illegal, play.in_a_row
        first = everything()
        play.illegal, play.in_a_row = counts
        play.state = play.view().sample(rng.getrandbits(63))
        assert everything() == first
        play.state = real
        told = table.play(id, rng.choice(table.legal(id))["action"])
