"""li/human: agents against people, counted in finished games of the table that scripted people have played."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import pytest
from web_common import Still, join, new_table, open_house, person, play_out, tell, until_asked

from kibitz import experiments
from kibitz.cli import run
from kibitz.experiments.index import verdict

PLAYED = {2: 6, 3: 3, 4: 2, 5: 1}  # players -> games; five are not the paper's


async def people_play(folder: Path) -> dict[int, int]:
    """One person against bots, first choices; how often a bot won, by the number of players."""
    still = Still()
    house = await open_house(folder, still)
    me = await person(house, "Ada")
    bots_won = dict.fromkeys(PLAYED, 0)
    for players, games in PLAYED.items():
        for _ in range(games):
            wanted = new_table("uno", players=players, level="easy", options={"uno_call": "auto"})
            table = await house.create(me, wanted)
            client = await join(table, me)
            bots_won[players] += (await play_out(table, still, client))["winners"] != [0]
            table.post(partial(table.depart, client))
            await table.idle()
    # Given up, which is lost; and one in which a bot plays for a person who has left, which says nothing.
    for want in ("resign", "leave"):
        seats = [{"who": "me"}, {"who": "bot", "level": "easy"}]
        table = await house.create(me, new_table("uno", players=2, seats=seats, options={"uno_call": "auto"}))
        client, other = await join(table, me), await join(table, await person(house, "Bob"))
        await until_asked(table, still, client)
        if want == "leave":
            view = client.last("view")
            act = {"cid": "a", "turn": view["turn"], "action": view["choices"][0]["action"]}
            await tell(table, client, type="act", **act)
            await tell(table, other, type="seat", cid="b", want="take", seat=1)
            await tell(table, client, type="seat", cid="c", want="leave")
            await play_out(table, still, other)
        else:
            await tell(table, client, type="seat", cid="c", want="resign")
            bots_won[2] += 1
    await house.close()
    return bots_won


def test_games_of_people_are_counted(tmp_path: Path) -> None:
    won = asyncio.run(asyncio.wait_for(people_play(tmp_path), 200))
    url = f"sqlite:///{tmp_path / 'table.sqlite'}"
    report = experiments.reproduce("li/human", out=tmp_path / "out", database=url)
    assert report is not None
    rows = {row.figure: row for row in report.rows}
    for players, games in ((2, PLAYED[2] + 1), (3, PLAYED[3]), (4, PLAYED[4])):
        row = rows[f"{players} players: an agent wins"]
        assert (row.games, round(row.ours * row.games)) == (games, won[players])
        assert row.interval is not None
        assert row.interval.low <= row.ours <= row.interval.high
    assert rows["2 players: an agent wins"].paper == "about 54%"
    assert rows["4 players: seats of agents"].ours == 0.75
    assert "1 games are left out" in report.note
    assert all(verdict(line) for line in report.note.splitlines() if line.startswith("- "))
    table = (tmp_path / "out" / "li" / "human" / "agents.csv").read_text()
    assert f"2,1,level:easy,{PLAYED[2] + 1},{won[2]}" in table
    assert "5,1" not in table
    again = experiments.reproduce("li/human", out=tmp_path / "out", database=url)  # counted anew
    assert again is not None
    assert [row.cells() for row in again.rows] == [row.cells() for row in report.rows]


def test_without_such_games_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"sqlite:///{tmp_path / 'none.sqlite'}"
    assert run(["reproduce", "li/human", "--database", url, "--out", str(tmp_path / "out")]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "no finished games of Uno between people and agents" in said
    assert not (tmp_path / "none.sqlite").exists()
    assert run(["reproduce", "li/fig2", "--quick", "--database", url, "--out", str(tmp_path / "out")]) == 2
    assert "plays its own games" in capsys.readouterr().err
