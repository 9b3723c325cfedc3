"""What agents think, for people: the command, the odds of hidden cards, the kibitzer behind a player."""

from __future__ import annotations

import io
import json
import math
import re
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from interrupts import ctrl_c_in_the_core, ends_even_if_deaf
from rich.console import Console
from toy_game import ToyGame

import kibitz
from kibitz import beliefs
from kibitz._core import Seeds
from kibitz.agents import declared
from kibitz.agents.search import kibitzer
from kibitz.cli import run
from kibitz.protocols import Thought
from kibitz.terminal import opinion
from kibitz.terminal import table as tables
from kibitz.terminal.commands import Quit
from kibitz.terminal.evening import Evening
from kibitz.terminal.kibitzer import Kibitzer

QUICK = "ismcts:iterations=300"
OPTIONS: dict[str, dict[str, Any]] = {
    "uno": {"players": 3},
    "belote": {},
    "doudizhu": {},
    "mini_doudizhu": {},
}


def after(name: str, moves: int, seed: int = 1, **options: Any) -> tuple[Any, Any]:
    """A game, and a state after so many random moves."""
    game = kibitz.make(name, **(OPTIONS.get(name, {}) | options))
    state, rng = game.deal(seed), kibitz._core.Rng(seed)
    for _ in range(moves):
        legal = state.legal()
        state.apply(legal[rng.below(len(legal))])
    return game, state


def saved(path: Path, game: Any, shown: Any) -> str:
    file = path / "position.json"
    file.write_text(json.dumps(game.position(shown)))
    return str(file)


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["think", *arguments]) == 0
    streams = capsys.readouterr()
    assert streams.err == ""
    return streams.out


# ------------------------------------------------------------------------------------------------------- beliefs


def ways(cards: list[str], sizes: list[int]) -> Iterator[list[tuple[str, ...]]]:
    """All deals of the cards to hands of these sizes."""
    if not sizes:
        yield []
        return
    for hand in combinations(cards, sizes[0]):
        for rest in ways([card for card in cards if card not in hand], sizes[1:]):
            yield [hand, *rest]


def exact(position: dict[str, Any], seat: int) -> dict[int, dict[str, float]]:
    """The odds of a Belote position (cards alone, barred respected), by counting every deal."""
    others = [who for who in range(4) if who != seat]
    unseen = [card for who in others for card in position["hands"][who]]
    barred = [set(position["barred"][who]) for who in others]
    possible = [
        deal
        for deal in ways(unseen, [len(position["hands"][who]) for who in others])
        if not any(bar & set(hand) for bar, hand in zip(barred, deal, strict=True))
    ]
    return {
        who: {card: sum(card in deal[i] for deal in possible) / len(possible) for card in unseen}
        for i, who in enumerate(others)
    }


@pytest.mark.parametrize(("moves", "cards"), [(0, 12), (2, 12), (5, 12), (7, 12), (22, 32), (25, 32)])
def test_odds_are_those_of_counting(moves: int, cards: int) -> None:
    barred = 0
    for seed in range(6):
        game, state = after("belote", moves, seed, cards=cards)
        position = game.position(state)
        barred += any(position["barred"])
        expected = exact(position, state.to_act)
        found = beliefs.cards(state.view(state.to_act), worlds=2000)
        assert found is not None
        assert found.keys() == expected.keys()
        for who, odds in expected.items():
            assert found[who].keys() == odds.keys()
            for card, chance in odds.items():
                if chance in (0, 1):  # what is proved is exactly so
                    assert found[who][card] == chance
                error = math.sqrt(chance * (1 - chance) / 2000)
                assert found[who][card] == pytest.approx(chance, abs=5 * error + 1e-9)
    assert barred >= 3 or moves < 5


def test_the_turned_card_is_the_takers() -> None:
    game = kibitz.make("belote", bidding=True)
    state = game.deal(3)
    turned = game.position(state)["turned"]
    state.apply(game.parse("pass"))
    state.apply(game.parse(f"take-{turned[-1]}"))
    odds = beliefs.cards(state.view(0))
    assert odds is not None
    assert [odds[seat][turned] for seat in (1, 2, 3)] == [1, 0, 0]


def test_cards_seen_in_uno_are_certain_and_refused_ones_impossible() -> None:
    game = kibitz.make("uno", players=2, rules="rlcard")
    hands = [["r-7", "g-1"], ["y-9", "y-8", "b-3"]]
    state = game.from_position({"game": "uno", "players": 2, "rules": "rlcard", "target": "r-5", "hands": hands})
    state.apply(game.parse("r-7"))
    state.apply(game.parse("draw"))  # only where nothing fits
    view = state.view(0)
    odds = beliefs.cards(view)
    assert odds is not None
    old = [card for card, chance in odds[1].items() if chance > 0.05]
    assert old
    assert not [card for card in old if card.startswith("r-") or card.endswith("-7") or card.startswith("wild")]
    seen = {"viewer": 0, "owner": 1, "cards": ["y-9", "b-3"]}
    position = {"game": "uno", "players": 2, "target": "r-5", "hands": hands, "seen": [seen]}
    known = beliefs.cards(kibitz.make("uno").from_position(position).view(0))
    assert known is not None
    assert sorted(card for card, chance in known[1].items() if chance == 1) == ["b-3", "y-9"]


@pytest.mark.parametrize("name", OPTIONS)
def test_odds_come_from_the_view_and_repeat(name: str) -> None:
    for moves in (0, 4, 9):
        game, state = after(name, moves)
        if state.over:
            continue
        view = state.view(state.to_act)
        odds = beliefs.cards(view)
        assert odds is not None
        assert list(odds) == [seat for seat in range(game.players) if seat != view.seat]
        assert len({tuple(cards) for cards in odds.values()}) == 1  # the same cards for every seat
        assert all(0 <= chance <= 1 for cards in odds.values() for chance in cards.values())
        hands = game.position(state)["hands"]
        assert all(odds[seat].get(card, 0) > 0 for seat in odds for card in hands[seat])
        assert beliefs.cards(view.sample(9).view(view.seat)) == odds
        assert beliefs.cards(view, seed=1) == beliefs.cards(view, seed=1) != odds
        assert kibitz.agent(QUICK).think(view).cards == odds == kibitz.agent(QUICK).think(state).cards


def test_no_odds_where_nothing_is_hidden() -> None:
    for name in ("tictactoe", "hex", "connect_four"):
        _, state = after(name, 1)
        assert beliefs.cards(state.view(state.to_act)) is None
        assert kibitz.agent("uct:iterations=50").think(state.view(state.to_act)).cards is None
    _, state = after("belote", 3)
    assert kibitz.agent("cheat-uct:iterations=50").think(state).cards is None


class OpenToy(ToyGame):
    """A game in plain Python that has positions."""

    def position(self, shown: Any) -> dict[str, Any]:
        if hasattr(shown, "cards"):
            return {"hands": [[f"card {card}"] for card in shown.cards]}
        hidden = [{"count": 1}] * self.players
        return {"hands": [*hidden[: shown.seat], [f"card {shown.card}"], *hidden[shown.seat + 1 :]]}


def test_a_game_in_python_has_odds_too() -> None:
    view = OpenToy(players=3, ranks=3).deal(1).view(1)
    odds = beliefs.cards(view, worlds=4000)
    assert odds is not None
    assert odds.keys() == {0, 2}
    for rank in range(3):
        chance = (1 if rank == view.card else 2) / 5
        assert odds[0][f"card {rank}"] == pytest.approx(chance, abs=0.04)
    assert beliefs.cards(ToyGame().deal(1).view(0)) is None  # it offers no positions
    shown = io.StringIO()
    Console(file=shown, width=80).print(opinion.card_table(view.game, odds, ["Ann", "You", "Ben"]))
    assert "Ben  card" in shown.getvalue()


# ----------------------------------------------------------------------------------------------------- the command


def test_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, state = after("belote", 4)
    assert len(state.legal()) > 1
    shown = said(capsys, saved(tmp_path, game, state), "--agent", QUICK, "--seed", "1", "--verbose")
    lines = shown.splitlines()
    assert lines[0] == f"belote, seat {state.to_act} to act, {QUICK}"
    rows = [line.split() for line in lines[2 : 2 + len(state.legal())]]
    assert rows[0][0] == "*"
    assert {row[1] if row[0] == "*" else row[0] for row in rows} == {game.text(action) for action in state.legal()}
    assert all("points" in row for row in rows)
    shares = [float(row[-1].rstrip("%")) for row in rows]
    assert sum(shares) == pytest.approx(100, abs=0.5)
    assert shown.count("seat ") == 1 + 3 + 1  # to act, the hidden ones, the legend
    assert max(len(line.rstrip()) for line in lines) <= 80
    few = said(capsys, saved(tmp_path, game, state), "--agent", QUICK, "--top", "1").splitlines()
    assert f"… {len(state.legal()) - 1} more" in few[3]


def test_json_is_the_thought(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, state = after("uno", 4)
    data = json.loads(said(capsys, saved(tmp_path, game, state), "--agent", QUICK, "--seed", "5", "--json"))
    agent = kibitz.agent(QUICK)
    agent.begin(5)
    thought = agent.think(state.view(state.to_act))
    assert (data["game"], data["agent"], data["seat"]) == ("uno", QUICK, state.to_act)
    assert data["best"] == game.text(thought.best) == data["actions"][0]["text"]
    found = {entry["action"]: (entry["value"], entry["visits"], entry["share"]) for entry in data["actions"]}
    columns = zip(thought.value, thought.visits, thought.share, strict=True)
    assert found == dict(zip(thought.actions, columns, strict=True))
    assert {int(seat): odds for seat, odds in data["cards"].items()} == thought.cards


@pytest.mark.parametrize("name", OPTIONS)
def test_nothing_leaks(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The view's position and any state that the seat cannot tell from the real one: the same answer."""
    game, state = after(name, 2)
    while len(state.legal()) == 1:
        state.apply(state.legal()[0])
    view = state.view(state.to_act)
    agents = [QUICK, "pimc:iterations=200,worlds=5", "mcs:iterations=100", "random"]
    for agent in agents:
        answers = {
            said(capsys, saved(tmp_path, game, shown), "--agent", agent)
            for shown in (state, view, *(view.sample(seed) for seed in range(3)))
        }
        assert len(answers) == 1


def test_default_agents(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    game, state = after("tictactoe", 2)
    path = saved(tmp_path, game, state)
    shown = said(capsys, path)
    assert kibitz.adviser(game).name in shown
    assert "worlds" not in shown
    assert kibitzer(kibitz.make("belote"), "ms=1") == "ismcts:ms=1"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(path).read_bytes())))
    assert said(capsys, "-") == shown


def test_options_of_a_game_are_read_from_its_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, state = after("belote", 2, trump="hearts", scoring="win")  # where "trump" means the suit
    assert "belote" in said(capsys, saved(tmp_path, game, state), "--agent", QUICK)
    assert run(["show", "--check", saved(tmp_path, game, state)]) == 0


def ended() -> tuple[Any, Any]:
    game, state = after("tictactoe", 0)
    while not state.over:
        state.apply(state.legal()[0])
    return game, state


def waiting() -> tuple[Any, Any]:
    game, state = after("belote", 1)
    return game, state.view(3)


def own_view() -> tuple[Any, Any]:
    game, state = after("belote", 1)
    return game, state.view(1)


REFUSED: dict[str, tuple[Any, list[str], str]] = {
    "over": (ended, [], "the game is over"),
    "not to act": (waiting, [], "seat 1 is to act, but the position holds only what seat 3 may know"),
    "peeks at a view": (own_view, ["--agent", "cheat-uct"], "peeks"),
    "unknown agent": (own_view, ["--agent", "clever"], "known agents"),
    "agent that is not for the game": (own_view, ["--agent", "uct"], "ismcts"),
    "option of the agent": (own_view, ["--agent", "ismcts:depth=3"], "iterations"),
    "a person": (own_view, ["--agent", "human"], "person"),
    "seed": (own_view, ["--seed", "-1"], "seed"),
    "top": (own_view, ["--top", "-1"], "top"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make, arguments, expected = REFUSED[case]
    assert run(["think", saved(tmp_path, *make()), *arguments]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err.startswith("kibitz: ")
    assert streams.err.count("\n") == 1
    assert expected in streams.err


def test_bad_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.json"
    path.write_text("{")
    for file, expected in ((str(path), "not JSON"), ("nowhere.json", "nowhere.json"), ("--jsn", "--jsn")):
        assert run(["think", file]) == 2
        assert expected in capsys.readouterr().err


@ends_even_if_deaf
def test_interrupted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = saved(tmp_path, *after("belote", 0))
    with ctrl_c_in_the_core():
        assert run(["think", path, "--agent", "ismcts:ms=1e9"]) == 130
    assert capsys.readouterr() == ("", "kibitz: interrupted\n")


# ---------------------------------------------------------------------------------------------------- the kibitzer


def seated(game: Any, lines: list[str], spec: str = QUICK) -> tuple[tables.Table, io.StringIO]:
    """A table with a kibitzer behind seat 0, who types these lines."""
    table = tables.Table.set_up(game, [kibitz.agent("random") for _ in range(game.players - 1)], 0)
    table.invite(spec)
    screen = io.StringIO()
    script = iter(lines)

    def ask(prompt: str) -> str:
        for line in script:
            return line
        raise EOFError

    table.use(Console(file=screen, width=80, highlight=False), ask)
    return table, screen


def test_a_whole_game_with_a_kibitzer() -> None:
    game = kibitz.make("belote")
    table, screen = seated(game, ["/hint", "/cards", *["1"] * 8])
    kibitzer = table.people[0].kibitzer
    assert kibitzer is not None
    table.deal(Seeds(1), 0)
    kibitzer.sum_up(table.console)
    shown = screen.getvalue()
    decisions = len(kibitzer.remarks)
    assert 4 <= decisions <= 8  # the last card is no decision
    lines = [line for line in shown.splitlines() if "Kibitzer: " in line]
    assert len(lines) == decisions + 1
    agreed = sum(remark.agreed for remark in kibitzer.remarks)
    assert f"no objection to {agreed} of your {decisions} decisions" in lines[-1]
    assert "%" not in "".join(lines)  # Belote is played for points
    table_of_actions, cards = shown.split(f"{QUICK} thinks:")[1].split("You lead.")[:2]
    assert "visits" not in table_of_actions  # effort is no confidence
    assert "points" in table_of_actions
    named = [kibitzer.text(action) for action in range(32)]
    assert sum(f" {name} " in table_of_actions for name in named) >= 6  # as the screen writes them
    assert "random 3 ♠" in cards  # seats by the names they have at this table
    assert max(map(len, shown.splitlines())) <= 80


def test_it_thinks_once_about_a_decision() -> None:
    game, state = after("belote", 0)
    view = state.view(state.to_act)
    behind = Kibitzer(game, QUICK)
    behind.begin(1)
    assert behind.think(view) is behind.think(view)
    behind.comment(view, view.legal()[0], Console(file=io.StringIO()))
    assert behind.remarks[0].best == behind.think(view).best


def test_k_is_a_king_where_it_can_be_played() -> None:
    game = kibitz.make("doudizhu")
    seed = next(s for s in range(50) if "K" in game.position(game.deal(Seeds(s).deal(0)))["hands"][0])
    table, screen = seated(game, ["/hint", "k"], "ismcts:iterations=50")
    with pytest.raises(Quit):
        table.deal(Seeds(seed), 0)
    assert "thinks:" in screen.getvalue()
    assert "You play K" in screen.getvalue()


def test_remarks() -> None:
    """A move costs something only where its loss lies beyond its error."""
    game, state = after("tictactoe", 0)
    view = state.view(0)
    actions = view.legal()
    behind = Kibitzer(game, "uct:iterations=10")
    value: list[float | None] = [0.5, 0.5, 0.2, 0.3, None, *[0.0] * 4]
    error: list[float | None] = [0.02, 0.02, 0.02, 0.2, None, *[None] * 4]
    loss: list[float | None] = [0.0, 0.0, 0.3, 0.2, None, *[0.5] * 4]
    loss_error: list[float | None] = [0.0, 0.03, 0.05, 0.2, None, *[None] * 4]
    shares = [1.0, *[0.0] * 8]
    behind._last = (
        view,
        Thought(actions, value, [1] * 9, shares, error=error, loss=loss, loss_error=loss_error),
    )
    screen = io.StringIO()
    console = Console(file=screen, width=120)
    for action in actions[:6]:
        behind.comment(view, action, console)
    assert [remark.agreed for remark in behind.remarks] == [True, True, False, True, False, True]
    behind.sum_up(console)
    assert screen.getvalue().splitlines() == [
        "Kibitzer: agrees with a1 (scores 75% ± 2%).",
        "Kibitzer: b1 is about as good as a1 (scores 75% ± 2%).",
        "Kibitzer: c1 costs 15% ± 5% of the games; better: a1 (scores 75% ± 2%).",
        "Kibitzer: a2 is about as good as a1 (scores 75% ± 2%).",
        "Kibitzer: would play a1 (scores 75% ± 2%).",
        "Kibitzer: would play a1 (scores 75% ± 2%); how sure that is, it cannot say.",
        "Kibitzer: no objection to 4 of your 6 decisions; costliest: c1 for a1 (decision 3, 15% ± 5% of the games).",
    ]


def test_a_kibitzer_without_a_spec_is_the_adviser() -> None:
    for name in ("uno", "tictactoe"):
        game = kibitz.make(name)
        assert Kibitzer(game).agent.name == kibitz.adviser(game).name


def test_nine_of_hearts_is_no_costly_mistake() -> None:
    """Deal 13 of `kibitz play belote`: several methods play 9h. What little it may cost is told with its error."""
    game = kibitz.make("belote")
    view = game.deal(Seeds(13).deal(0)).view(0)
    agreed = 0
    for seed in range(8):
        behind = Kibitzer(game)
        behind.begin(seed)
        remark = behind.remark(view, game.parse("9h"))
        assert "%" not in remark.said.split(" In ")[0]
        assert remark.loss.mean is not None
        assert remark.loss.mean < 3
        assert remark.agreed or "± " in remark.said
        agreed += remark.agreed
    assert agreed >= 7


def test_the_kibitzer_changes_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The same game with and without it; it comments, and sums up also when the person leaves."""
    shown = []
    for extra in ([], ["--kibitz", "--kibitz-agent", QUICK]):
        typed = iter(["1", "1", "1", "/quit"])
        monkeypatch.setattr("builtins.input", lambda prompt, typed=typed: next(typed))
        assert run(["play", "belote", "-o", "bidding=false", "--seed", "1", "--seat", "0", *extra]) == 0
        shown.append(capsys.readouterr().out.splitlines())
    plain, beside = shown
    events = [
        [line.strip("> ") for line in lines if re.match("(> )?(You|Anna|Ben|Clara) plays? ", line)] for lines in shown
    ]
    assert events[0] == events[1] != []
    assert sum("Kibitzer: " in line for line in beside) == 4
    assert not any("Kibitzer" in line for line in plain)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["belote", "--kibitz-agent", "cheat-uct"], "sees only what you see"),
        (["belote", "--kibitz-agent", "clever"], "known agents"),
        (["belote", "--kibitz-agent", "human"], "person"),
        (["belote", "--kibitz-agent", "ismcts:depth=3"], "depth"),
        (["uno", "--kibitz-agent", "solver-pimc"], "solver-pimc"),
    ],
)
def test_kibitzers_that_cannot_be(arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", *arguments]) == 2
    assert expected in capsys.readouterr().err


def test_who_is_asked_if_nobody_says() -> None:
    assert kibitzer(kibitz.make("uno"), "ms=1") == "ismcts:ms=1"
    assert kibitzer(kibitz.make("hex"), "ms=1") == "uct:ms=1"
    assert kibitzer(ToyGame(), "ms=1") == "ismcts:ms=1"  # does not say that nothing is hidden


def test_a_thought_says_how_much_was_done_for_it() -> None:
    game = kibitz.make("belote")
    view = game.deal(9).view(0)
    for spec, iterations, nodes, full in [
        ("rules", None, None, False),
        ("random", None, None, False),
        ("mcs:iterations=50", 50, None, False),
        ("ismcts:iterations=50", 50, 51, False),
        ("ismcts:iterations=50,nodes=20", 50, 20, True),
    ]:
        agent = kibitz.agent(spec)
        agent.begin(1)
        thought = agent.think(view)
        assert (thought.iterations, thought.nodes, thought.full) == (iterations, nodes, full), spec
        line = opinion.effort(thought)
        assert line.startswith("50 iterations") if iterations else line == ""
        assert line.endswith("(the bound was reached)") == full


@pytest.mark.parametrize("agent", ["ismcts:iterations=200", "solver-pimc:worlds=5"])
def test_inference_says_that_a_position_has_no_past(
    agent: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path, *after("belote", 9))
    plain, told = (said(capsys, path, "--agent", spec).splitlines() for spec in (agent, f"{agent},inference=rules"))
    remark = "the position has no history: inference has nothing to go on"
    assert remark in told
    assert remark not in plain
    data = json.loads(said(capsys, path, "--agent", f"{agent},inference=rules", "--json"))
    assert data["remarks"] == [remark]
    assert json.loads(said(capsys, path, "--agent", f"{agent},inference=none", "--json"))["remarks"] == []


def test_what_a_bound_left_undecided_is_no_opinion(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, state = after("connect_four", 0)
    for agent in ("solver-pimc", "minimax"):
        shown = said(capsys, saved(tmp_path, game, state), "--agent", f"{agent}:nodes=1e3")
        assert shown.rstrip().endswith("the search could not decide: nothing tells these actions apart")
    behind, screen = Kibitzer(game, "solver-pimc:nodes=1000"), io.StringIO()
    view = state.view(0)
    behind.begin(1)
    console = Console(file=screen, width=80)
    behind.comment(view, 3, console)
    behind.sum_up(console)
    assert screen.getvalue() == "Kibitzer: could not decide; nothing tells these moves apart.\n"
    console.print(behind.picture(view))
    assert "the search could not decide" in screen.getvalue()
    game, state = after("tictactoe", 4)  # solved to the end: a draw is an opinion
    assert "decided" not in said(capsys, saved(tmp_path, game, state), "--agent", "solver-pimc")


@pytest.mark.parametrize("number", ["300", "3e2", "300.0"])
def test_whole_numbers_however_they_are_written(number: str) -> None:
    view = kibitz.make("belote").deal(1).view(0)
    agent = kibitz.agent(f"ismcts:iterations={number}")
    agent.begin(1)
    assert agent.think(view).iterations == 300


def test_a_draw_is_neither_plus_nor_minus_nothing() -> None:
    evening = Evening(seated(kibitz.make("tictactoe"), [])[0], 1)
    assert evening._by_side(np.array([0.0, -0.0]), "+g") == "You: 0, random: 0"
    assert evening._by_side(np.array([1.0, -1.0]), "+g") == "You: +1, random: -1"


def test_the_documented_options_are_those_that_are_declared() -> None:
    text = (Path(__file__).parents[1] / "docs" / "search.md").read_text(encoding="utf-8")
    assert declared.searches() in text
    assert declared.options() in text
