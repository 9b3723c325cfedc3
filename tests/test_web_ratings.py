"""Ratings: what a result changes, that levels stay, and that the same deals give the same board."""

from __future__ import annotations

import asyncio
import csv
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from web_common import Still, join, new_table, open_house, person, tell, until_asked

import kibitz
from kibitz.advice.table import VARIANTS
from kibitz.web.anchors import MODEL, anchors
from kibitz.web.catalogue import OFFERS, UnknownError
from kibitz.web.house import House
from kibitz.web.ratings import Board, Rated, Ratings, Standing
from kibitz.web.secret import Secret
from kibitz.web.store.base import DealRow, Entry, TableRow, Write

FOUR = kibitz.make("connect_four")
ROOT = Path(__file__).resolve().parent.parent


def _run(work: Callable[[], Any]) -> None:
    asyncio.run(asyncio.wait_for(work(), 200))


def _board(*deals: Rated, game: kibitz.Game = FOUR) -> dict[str, Standing]:
    board = Board()
    for deal in deals:
        board.count(game, deal)
    return board.people


def _duel(winner: str, loser: str) -> Rated:
    return Rated([winner, loser], [None, None], [1.0, -1.0])


def _against(person: str, level: str, payoff: float) -> Rated:
    return Rated([person, None], [None, level], [payoff, -payoff])


def test_winners_rise_losers_fall_and_both_are_surer() -> None:
    people = _board(_duel("a", "b"))
    assert people["a"].mu > MODEL.mu > people["b"].mu
    assert people["a"].mu - MODEL.mu == pytest.approx(MODEL.mu - people["b"].mu)
    assert people["a"].sigma == people["b"].sigma < MODEL.sigma
    drawn = _board(Rated(["a", "b"], [None, None], [0.0, 0.0]))
    assert drawn["a"].mu == drawn["b"].mu == pytest.approx(MODEL.mu)


def test_levels_stand_still_and_better_ones_are_worth_more() -> None:
    gains = [_board(_against("a", level, 1.0))["a"].mu for level in anchors(FOUR)]
    losses = [_board(_against("a", level, -1.0))["a"].mu for level in anchors(FOUR)]
    assert gains == sorted(set(gains))
    assert losses == sorted(set(losses))
    means = anchors(FOUR)
    for _ in range(100):
        _board(_against("a", "best", 1.0))
    assert anchors(FOUR) == means


@pytest.mark.parametrize("name", OFFERS)
def test_anchors_rise_with_the_level(name: str) -> None:
    game = kibitz.make(name, **OFFERS[name].fixed)
    means = anchors(game)
    assert list(means) == [level.name for level in kibitz.levels(game)]
    assert list(means.values()) == sorted(means.values())
    assert means.get("club", MODEL.mu) == pytest.approx(MODEL.mu)


def test_anchors_are_those_of_the_measured_levels() -> None:
    """What the tool writes from the results is committed, for every level above the lowest of every variant with
    ratings. The figures that the results give as shares are the same."""
    done = subprocess.run([sys.executable, "tools/anchors.py", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    measured = json.loads((ROOT / "src/kibitz/web/anchors.json").read_text())["won"]
    with (ROOT / "results/strength/levels/table.csv").open() as table:
        ours = {row["figure"]: row for row in csv.DictReader(table)}
    for variant in (one for found in VARIANTS.values() for one in found if one.game in measured):
        assert list(measured[variant.game]) == list(variant.levels)[1:]
        for (low, weaker), (high, stronger) in pairwise(variant.levels.items()):
            row = ours.get(f"{variant.title}: {high} (`{stronger}`) v {low} (`{weaker}`): games won")
            if row is not None:  # others are in points, or payoffs
                found = measured[variant.game][high]
                assert (found["share"], found["games"]) == (
                    pytest.approx(float(row["ours"]), abs=1e-4),
                    int(row["games"]),
                )


def test_who_plays_like_a_level_comes_to_stand_there() -> None:
    """A person who wins exactly as often as chance has it against a level is rated like it."""
    for level in ("beginner", "strong"):
        results = [_against("a", level, 1.0 if number % 2 else -1.0) for number in range(400)]
        person = _board(*results)["a"]
        assert abs(person.mu - anchors(FOUR)[level]) < 2.5
        assert person.sigma < 2.5


def test_partners_rise_together_and_landlords_play_for_two() -> None:
    belote = kibitz.make("belote", bidding=True)
    people = _board(Rated(list("abcd"), [None] * 4, [100.0, 62.0, 100.0, 62.0]), game=belote)
    assert people["a"].mu == people["c"].mu > MODEL.mu > people["b"].mu == people["d"].mu
    doudizhu = kibitz.make("doudizhu", bidding=True)
    won = _board(Rated(list("abc"), [None] * 3, [1.0, -0.5, -0.5]), game=doudizhu)
    lost = _board(Rated(list("abc"), [None] * 3, [-1.0, 0.5, 0.5]), game=doudizhu)
    assert won["a"].mu - MODEL.mu == pytest.approx(MODEL.mu - lost["a"].mu)  # among equals it is even
    assert won["b"].mu == won["c"].mu < MODEL.mu < lost["b"].mu
    assert not _board(Rated(list("abc"), [None] * 3, [0.0] * 3), game=doudizhu)  # thrown in


async def _played(
    house: House, seats: Sequence[str], payoffs: Sequence[float], at: int, mode: str = "rated", left: bool = False
) -> None:
    """A finished deal of a table; who is no person is a level."""
    means = house.means
    row = TableRow(means.chance.id(), "connect_four", {}, None, None, False, True, None, at, "over", mode)
    entries = []
    for place, who in enumerate(seats):
        level = who in ("beginner", "easy", "club", "strong", "best")
        kind, name = ("bot", None) if level else ("sit", who)
        entries.append(Entry(place + 1, 0, kind, at, place, person=name, level=who if level else "club"))
    entries.append(Entry(3, 0, "deal", at))
    if left:
        entries.append(Entry(4, 0, "leave", at, 0, level="club"))
    dealt = DealRow(0, Secret(1), Secret("00"), "00", at)
    await means.store.append(Write(row.id, entries, created=row, dealt=dealt))
    ended = DealRow(0, dealt.seed, dealt.salt, "00", at, list(payoffs), at)
    await means.store.append(Write(row.id, finished=ended))


def test_the_board_is_the_same_bit_by_bit_and_at_once(tmp_path: Path) -> None:
    async def work() -> None:
        still = Still()
        house = await open_house(tmp_path, still)
        ada, ben, cleo = [await person(house, name) for name in ("Ada", "Ben", "Cleo")]
        start = still.wall() - 100
        games = [(ada, ben), (ben, "club"), (ada, cleo), (cleo, "best"), (ben, ada), ("beginner", cleo)]
        for number, seats in enumerate(games):
            await _played(house, seats, [1.0, -1.0], start + number // 2)  # two in each second
            await house.ratings.board("connect_four")
        await _played(house, (ada, ben), [1.0, -1.0], start, mode="casual")
        board = await house.ratings.board("connect_four")
        assert board == await Ratings(house.means).board("connect_four")
        assert {line.person.name: line.games for line in board.people} == {"Ada": 3, "Ben": 3, "Cleo": 3}
        assert [line.low for line in board.people] == sorted((line.low for line in board.people), reverse=True)
        assert all(line.low < line.rating < line.high for line in board.people)
        assert (await house.ratings.board("uno")).people == []
        await house.close()

    _run(work)


def test_who_deletes_everything_leaves_the_others_where_they_are(tmp_path: Path) -> None:
    async def work() -> None:
        still = Still()
        house = await open_house(tmp_path, still)
        ada, ben, cleo, dan = [await person(house, name) for name in ("Ada", "Ben", "Cleo", "Dan")]
        start = still.wall() - 100
        games = [(ada, ben), (cleo, ben), (ben, "club"), (cleo, ada), (dan, cleo), (ben, ada), (dan, ada)]
        for number, seats in enumerate(games):
            await _played(house, seats, [1.0, -1.0], start + number)
        before = await house.ratings.board("connect_four")
        for gone in (ben, dan):
            await house.means.people.delete(gone)
        kept = [line for line in before.people if line.person.name in ("Ada", "Cleo")]
        after = await house.ratings.board("connect_four")
        assert after.people == kept
        assert (await Ratings(house.means).board("connect_four")).people == kept
        await house.close()

    _run(work)


def test_who_leaves_is_rated_by_the_end(tmp_path: Path) -> None:
    async def work() -> None:
        still = Still()
        house = await open_house(tmp_path, still)
        ada = await person(house, "Ada")
        await _played(house, (ada, "club"), [-1.0, 1.0], still.wall() - 10, left=True)
        (line,) = (await house.ratings.board("connect_four")).people
        assert line.rating < MODEL.mu
        await house.close()

    _run(work)


def test_a_rated_table_counts_and_lets_nobody_take_a_bots_place(tmp_path: Path) -> None:
    async def work() -> None:
        still = Still()
        house = await open_house(tmp_path, still)
        ada, ben = [await person(house, name) for name in ("Ada", "Ben")]
        table = await house.create(ada, new_table("tictactoe", mode="rated", level="beginner"))
        client, other = await join(table, ada), await join(table, ben)
        bots = table.situation.seat(table.situation.places[1])
        assert (await tell(table, other, type="seat", cid="a", want="take", seat=bots))["code"] == "not_now"
        while (view := await until_asked(table, still, client)) is not None:
            action = view["choices"][0]["action"]
            await tell(table, client, type="act", cid=f"c{view['turn']}", turn=view["turn"], action=action)
        assert (await house.ratings.board("tictactoe")).people == []  # its second is not over
        still.time += 1
        (line,) = (await house.ratings.board("tictactoe")).people
        assert (line.person.id, line.games) == (ada, 1)
        await house.close()

    _run(work)


def test_what_has_no_anchor_is_not_rated(tmp_path: Path) -> None:
    async def work() -> None:
        sheets, agents = tmp_path / "rulesheets", tmp_path / "agents.toml"
        sheets.mkdir()
        sheet = Path(kibitz.__file__).parent / "rulesheets" / "tictactoe.kif"
        (sheets / "mine.kif").write_text(sheet.read_text())
        agents.write_text('[uno]\n"Mine" = "random"\n')
        house = await open_house(tmp_path, agents=agents)
        ada = await person(house, "Ada")
        for game, more, code in (("gdl:mine", {}, "bad_options"), ("uno", {"level": "Mine"}, "no_level")):
            with pytest.raises(UnknownError) as refused:
                await house.create(ada, new_table(game, mode="rated", **more))
            assert refused.value.code == code
            await house.create(ada, new_table(game, **more))
        await house.close()

    _run(work)
