"""No leak: a seat, a spectator or a stranger gets the same bytes in every world that the seat cannot tell apart."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import shutil
from pathlib import Path
from typing import Any

import pytest
from web_common import Still, join, new_table, open_house, person, tell
from web_worlds import Pair, play

import kibitz
from kibitz import gdl
from kibitz._core import View
from kibitz.web import seen
from kibitz.web.bots import Bots, Request
from kibitz.web.run import _Lines
from kibitz.web.table import acts
from kibitz.web.table.show import Show
from kibitz.web.table.task import Table
from kibitz.web.wire import Act, Code

SEED = 4
SHEETS = Path(gdl.__file__).parent / "rulesheets"
HIDING: dict[str, tuple[int, dict[str, Any], int]] = {  # players, options, moves at least
    "uno": (3, {"seven_zero": True}, 60),
    "belote": (4, {}, 60),
    "doudizhu": (3, {}, 50),
    "mini_doudizhu": (2, {}, 40),
    "gdl:kuhn_poker": (2, {}, 40),
    "gdl:blind_tictactoe": (2, {}, 30),
}


# Phases of games with questions beside the play (penalty: may be challenged), met while the states differed.
PHASES = {
    "uno": {"play", "call", "penalty"},
    "belote": {"first", "play"},
    "doudizhu": {"bid", "play"},
}


def watch(folder: Path, game: str) -> Pair:
    (folder / "sheets").mkdir()
    for name in ("kuhn_poker", "blind_tictactoe"):
        shutil.copy(SHEETS / f"{name}.kif", folder / "sheets")
    players, options, moves = HIDING[game]
    return asyncio.run(asyncio.wait_for(play(folder, game, players, options, SEED, moves), 300))


@pytest.mark.parametrize("game", HIDING)
def test_worlds_that_a_seat_cannot_tell_apart_give_equal_bytes(game: str, tmp_path: Path) -> None:
    pair = watch(tmp_path, game)
    assert pair.compared >= 15, "the states hardly ever differed"
    assert PHASES.get(game, set()) <= pair.phases


# ---- the test itself can fail


def leak_by_length(patch: pytest.MonkeyPatch) -> None:
    """A view is as long as another seat has choices."""
    good = Show._scene

    def scene(show: Show, n: int | None = None) -> seen.Scene:
        made, deal = good(show, n), show.table.situation.deal
        assert deal is not None
        return seen.Scene(made.n, made.deal, made.turn, made.hash + " " * len(deal.legal()), made.clock)

    patch.setattr(Show, "_scene", scene)


def leak_by_code(patch: pytest.MonkeyPatch) -> None:
    """Whether an action is legal is looked at before whose turn it is."""
    good = acts.act

    async def act(table: Table, client: Any, message: Act) -> int | Code:
        deal = table.situation.deal
        if deal is not None and message.turn == deal.turn and message.action not in deal.legal():
            return Code.ILLEGAL
        return await good(table, client, message)

    patch.setattr(acts, "act", act)


def leak_by_log(patch: pytest.MonkeyPatch) -> None:
    """The log has a hand in it."""
    good = acts.act

    async def act(table: Table, client: Any, message: Act) -> int | Code:
        deal = table.situation.deal
        assert deal is not None
        logging.getLogger("kibitz.web").warning("legal: %s", deal.legal())
        return await good(table, client, message)

    patch.setattr(acts, "act", act)


def leak_to_spectators(patch: pytest.MonkeyPatch) -> None:
    """They are told how many choices there are."""
    good = Show.info

    def info(show: Show) -> Any:
        made, deal = good(show), show.table.situation.deal
        return made.model_copy(update={"watchers": made.watchers + (len(deal.legal()) if deal is not None else 0)})

    patch.setattr(Show, "info", info)


@pytest.mark.parametrize("leak", [leak_by_length, leak_by_code, leak_by_log, leak_to_spectators])
def test_a_leak_is_found(leak: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leak(monkeypatch)
    with pytest.raises(AssertionError):
        watch(tmp_path, "uno")


# ---- pacing, and what is logged of bots


class SlowBots(Bots):
    """Bots whose thinking takes fake time: none where there is nothing to choose, up to 1.9 ticks elsewhere."""

    def __init__(self, still: Still) -> None:
        super().__init__(1)
        self.still = still

    def ask(self, view: View, spec: str, seed: int, answer: Any) -> Request | None:
        legal = view.legal()
        thought = 0.0 if len(legal) == 1 else min(1.9, 0.3 * len(legal)) * 0.5
        self.still.call_at(self.still.now() + thought, lambda: answer(legal[0]))
        return Request(view, spec, seed, answer)


def test_bots_take_equally_long_whatever_they_hold(tmp_path: Path) -> None:
    """Also where thinking takes longer than a tick: forced moves wait as long as the others. Time is a fake clock's."""

    async def times(folder: Path, seed: int) -> list[float]:
        still = Still()
        house = await open_house(folder, still, seed=seed, pace=0.5)
        house.means.bots.close()
        object.__setattr__(house.means, "bots", SlowBots(still))
        for _ in range(64):  # it has been slow before
            house.means.ticks.due(f"uno {kibitz.levels(kibitz.make('uno'))[0].spec}", 0.0, 0.9, 0.5)
        me = await person(house, "Ada")
        table = await house.create(me, new_table("uno", players=3, level="beginner"))
        client, choices = await join(table, me), set()
        took: list[float] = []
        while table.situation.status == "playing" and len(took) < 40:
            deal = table.situation.deal
            assert deal is not None
            before, turn = still.now(), deal.turn
            if table.seat_of(client) == deal.to_act:
                await tell(table, client, type="act", cid=f"c{turn}", turn=turn, action=deal.legal()[-1])
                continue
            choices.add(min(2, len(deal.legal())))
            while table.situation.deal is deal and deal.turn == turn:
                still.step()
                await table.idle()
            took.append(still.now() - before)
        assert choices == {1, 2}, "there were decisions of both kinds"
        await house.close()
        return took

    for seed in (1, 2):
        took = asyncio.run(asyncio.wait_for(times(tmp_path / str(seed), seed), 100))
        assert took == pytest.approx([1.0] * len(took))


def test_a_failing_bot_says_nothing_of_its_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(request: Request) -> int:
        raise ValueError(f"the hand {request.view} is bad")

    monkeypatch.setattr(Request, "_choose", fail)
    lines = io.StringIO()
    handler = logging.StreamHandler(lines)
    handler.setFormatter(_Lines())
    logging.getLogger("kibitz.web").addHandler(handler)
    try:
        state = kibitz.make("uno").deal(1)
        view = state.view(state.to_act)
        assert Request(view, "random", 1, print).think() == view.legal()[0]
    finally:
        logging.getLogger("kibitz.web").removeHandler(handler)
    said = json.loads(lines.getvalue())
    assert said["what"] == "bot failed"
    assert said["error"] == "ValueError"
    assert "hand" not in lines.getvalue()
    alien = logging.LogRecord("asyncio", logging.ERROR, "", 0, "Task failed\nfuture: r-5 %s", ("b-7",), None)
    assert json.loads(_Lines().format(alien))["what"] == "Task failed"
