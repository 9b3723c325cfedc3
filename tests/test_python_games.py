"""The core's searches on games written in plain Python: the same thoughts as on native games, no leak, clear errors."""

from __future__ import annotations

import _thread
import dataclasses
import gc
import json
import time
import traceback
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from test_search import late, think
from toy_game import STAY, ToyGame, ToyState, ToyView
from wrapped_game import Member, Wrapped, WrappedState

import kibitz
from kibitz import _core, cli, registry
from kibitz.agents import plain
from kibitz.protocols import Thought

SAMPLING = ["mcs:iterations=60", "ismcts:iterations=60", "pimc:iterations=60,worlds=6"]


def pair(name: str, seed: int, moves: int, hidden: bool = True, **options: Any) -> tuple[Any, Any]:
    return late(kibitz.make(name, **options), seed, moves), late(Wrapped(name, hidden, **options), seed, moves)


def but_nodes(thought: Thought) -> Thought:
    """Those of exact searches differ: native games may have a solver of their own."""
    return thought if thought.iterations != 1 else dataclasses.replace(thought, nodes=None)


# ------------------------------------------------------------------------------------------- the same as native games


@pytest.mark.parametrize(
    "spec",
    [
        "uct:iterations=200",
        "uct:iterations=200,trees=3,plus_one=true,pick=mean",
        "uct:iterations=200,nodes=20",
        "ismcts:iterations=200",
        "ismcts:iterations=200,counts=parent",
        "pimc:iterations=200,worlds=5,aggregate=reward",
        "mcs:iterations=200",
        "minimax:worlds=1",
    ],
)
def test_where_nothing_is_hidden_thoughts_are_exactly_the_native_ones(spec: str) -> None:
    for seed in range(3):
        native, wrapped = pair("tictactoe", seed, 3, hidden=False)
        seat = native.to_act
        expected = but_nodes(think(spec, native.view(seat), seed))
        assert but_nodes(think(spec, wrapped.view(seat), seed)) == expected
        assert but_nodes(think(spec, wrapped, seed)) == expected  # given the state, it looks at the view


@pytest.mark.parametrize(("name", "moves"), [("mini_doudizhu", 2), ("uno", 20)])
@pytest.mark.parametrize("spec", ["cheat-uct:iterations=150", "cheat-mcs:iterations=100"])
def test_cheats_think_exactly_as_in_native_games(name: str, moves: int, spec: str) -> None:
    options: dict[str, Any] = {"players": 2} if name == "uno" else {}
    for seed in range(3):
        native, wrapped = pair(name, seed, moves, **options)
        assert think(spec, wrapped, seed) == think(spec, native, seed)


@pytest.mark.parametrize("spec", ["minimax", "cheat-minimax", "solver-pimc:worlds=all", "expectimax"])
def test_exact_searches_find_the_native_values(spec: str) -> None:
    for seed in range(3):
        native, wrapped = pair("mini_doudizhu", seed, 5)
        seat = native.to_act
        shown = (native, wrapped) if spec.startswith("cheat") else (native.view(seat), wrapped.view(seat))
        expected, found = think(spec, shown[0]), think(spec, shown[1])
        assert found.actions == expected.actions
        assert found.value == pytest.approx(expected.value)
        assert found.share == pytest.approx(expected.share)


def test_ismcts_finds_what_expectimax_knows() -> None:
    found = 0
    for seed in range(12):
        _, wrapped = pair("mini_doudizhu", seed, 6)
        view = wrapped.view(wrapped.to_act)
        if len(view.legal()) < 2:
            continue
        exact = think("expectimax", view)
        values = dict(zip(exact.actions, exact.value, strict=True))
        best = max(value for value in values.values() if value is not None)
        if min(value for value in values.values() if value is not None) > best - 0.2:
            continue  # too close to call
        found += 1
        assert values[think("ismcts:iterations=2000", view).best] == pytest.approx(best)
    assert found >= 2


def test_values_are_expected_payoffs() -> None:
    """One-card poker by hand: the other has stayed; with card r of 6 ranks (two of each) staying wins against the 2r
    lower cards and shares with the one equal card."""
    game = ToyGame()
    for card in range(6):
        view = ToyView(game, 1, card, ((0, STAY),))
        lower, higher = 2 * card, 2 * (5 - card)
        expected = 2 * (lower - higher) / 11
        for spec in ("mcs:iterations=3000", "ismcts:iterations=3000"):
            thought = think(spec, view)
            assert thought.value[0] == -1
            assert thought.visits[1] is not None
            assert thought.value[1] == pytest.approx(expected, abs=4 * 2 / thought.visits[1] ** 0.5)
            assert thought.best == (STAY if expected > -1 else 0)


# -------------------------------------------------------------------------------------------------- fair, repeatable


@pytest.mark.parametrize("spec", SAMPLING)
def test_nothing_leaks_and_the_seed_decides(spec: str) -> None:
    game = ToyGame(players=3)
    views = [ToyState(game, [4, *others]).view(0) for others in ([0, 1], [5, 5], [2, 4])]
    thoughts = [think(spec, view) for view in views]
    assert thoughts[0] == thoughts[1] == thoughts[2]
    assert think(spec, views[0], seed=2) != thoughts[0]
    _, wrapped = pair("uno", 3, 12, players=2)
    view = wrapped.view(wrapped.to_act)
    assert think(spec, view.sample(1).view(view.seat)) == think(spec, view) == think(spec, view.sample(2))


def test_a_match_in_one_process_and_in_two_gives_the_same_games() -> None:
    agents = ["ismcts:iterations=20", "cheat-uct:iterations=20", "random"]
    matches = [kibitz.play(ToyGame(3), agents, games=30, threads=threads) for threads in (1, 2)]
    for match in matches:
        assert not match.native
        assert not match.notes
        assert [agent.cheats for agent in match.agents] == [False, True, False]
    assert matches[0].agents == matches[1].agents


def test_ismcts_beats_random() -> None:
    result = kibitz.play(ToyGame(2), ["ismcts:iterations=100", "random"], games=400, seed=5)
    assert result.agents[0].payoff.low > 0


def test_peeking_is_worth_something() -> None:
    result = kibitz.play(ToyGame(2), ["cheat-uct:iterations=60", "ismcts:iterations=60"], games=400, seed=5)
    assert result.agents[0].payoff.low > 0


# ------------------------------------------------------------------------------------------------- budgets and bounds


def test_budgets_and_bounds() -> None:
    view = Wrapped("tictactoe", hidden=False).deal().view(0)
    start = time.monotonic()
    thought = think("uct:ms=100", view)  # nothing but the clock ends it
    assert time.monotonic() - start >= 0.1
    assert thought.iterations is not None
    assert thought.iterations >= 1
    small = think("uct:iterations=300,nodes=10", view)
    assert (small.iterations, small.nodes, small.full) == (300, 10, True)
    large = think("uct:iterations=300", view)
    assert (large.iterations, large.nodes, large.full) == (300, 301, False)


def test_milliseconds_are_kept_where_a_game_is_slow() -> None:
    """A busy machine makes the play-outs fewer, never more."""

    class Slow(ToyState):
        def copy(self) -> Slow:
            return Slow(self.game, list(self.cards), list(self.history))

        def apply(self, action: int) -> None:
            time.sleep(0.005)
            super().apply(action)

    thought = think("cheat-mcs:ms=50", Slow(ToyGame(), [3, 4]))
    assert thought.iterations is not None
    assert 1 <= thought.iterations < 12  # with the clock read at every sixteenth there would be more


def test_many_actions_and_no_choice() -> None:
    class WideState(ToyState):
        @property
        def over(self) -> bool:
            return bool(self.history)

        @property
        def payoffs(self) -> list[float]:
            return [float(self.over and self.history[0][1] == 60000), 0.0]

        def legal(self) -> list[int]:
            return [] if self.over else list(range(1, 65535))

        def apply(self, action: int) -> None:
            self.history.append((0, action))  # without asking for the long list again

        def copy(self) -> Any:
            return WideState(self.game, self.cards, list(self.history))

    game: Any = ToyGame()
    game.num_actions = 65535
    thought = think("cheat-mcs:iterations=65534", WideState(game, [1, 2]))
    assert thought.actions == list(range(1, 65535))
    assert thought.best == 60000
    alone = ToyState(ToyGame(), [3, 4], [(0, 0)])
    assert think("ismcts", alone.view(1)).share == [1.0]


def test_ctrl_c_ends_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    view = Wrapped("tictactoe", hidden=False).deal().view(0)
    apply, moves = WrappedState.apply, 0

    def interrupting(state: WrappedState, action: int) -> None:
        nonlocal moves
        moves += 1
        apply(state, action)
        if moves == 1000:
            _thread.interrupt_main()

    monkeypatch.setattr(WrappedState, "apply", interrupting)
    for spec in ("uct:iterations=1000000000", "mcs:ms=1000000000", "minimax:nodes=1000000000,tie_break=0.001"):
        moves = 0
        with pytest.raises(KeyboardInterrupt):
            think(spec, view)
        assert moves == 1000  # none after it


def test_what_the_game_raises_comes_through_with_its_traceback() -> None:
    class Broken(ToyState):
        def copy(self) -> Broken:
            return Broken(self.game, list(self.cards), list(self.history))

        def apply(self, action: int) -> None:
            raise ZeroDivisionError("the dealer fell asleep")

    for spec in ("cheat-uct", "cheat-mcs"):
        with pytest.raises(ZeroDivisionError, match="fell asleep") as caught:
            think(spec, Broken(ToyGame(), [3, 4]))
        assert [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)][-1] == "apply"


def test_a_game_that_knows_its_agent_is_collected() -> None:
    game: Any = ToyGame()
    game.agent = kibitz.agent("ismcts:iterations=5")
    game.agent.act(game.deal().view(0))
    gone = weakref.ref(game)
    del game
    gc.collect()
    assert gone() is None


# ------------------------------------------------------------------------------------------------------------- chance


class Coin(ToyGame):
    """Seat 0 bets on a coin that is tossed afterwards, and wins with 1 of 4 sides: 0 passes, 1 bets."""

    num_actions = 4
    players = 2

    def deal(self, seed: int = 0) -> Any:
        return CoinState(self)


class CoinState(ToyState):
    def __init__(self, game: Any, history: list[tuple[int, int]] | None = None) -> None:
        super().__init__(game, [0, 0], history or [])

    to_act = property(lambda self: (0, _core.NATURE, _core.OVER)[len(self.history)])
    over = property(lambda self: len(self.history) == 2)

    @property
    def payoffs(self) -> list[float]:
        won = self.over and self.history[0][1] == 1 and (1 if self.history[1][1] == 3 else -0.5)
        return [float(won), -float(won)]

    def legal(self) -> list[int]:
        return [[0, 1], [0, 1, 2, 3], []][len(self.history)]

    def copy(self) -> Any:
        return CoinState(self.game, list(self.history))

    def view(self, seat: int) -> Any:
        return CoinView(self.game, seat, 0, tuple(self.history))


class CoinView(ToyView):
    to_act = property(lambda self: self.sample(0).to_act)

    def legal(self) -> list[int]:
        return [0, 1] if self.seat == self.to_act else []

    def sample(self, seed: int) -> Any:
        return CoinState(self.game, list(self.history))


@pytest.mark.parametrize("spec", ["mcs:iterations=4000", "ismcts:iterations=4000", "pimc:iterations=8000,worlds=1000"])
def test_chance_that_acts_is_drawn_anew_in_every_world(spec: str) -> None:
    thought = think(spec, Coin().deal().view(0))
    if not spec.startswith("pimc"):  # which believes that it will know
        assert thought.value[1] == pytest.approx(-0.125, abs=0.1)
    assert thought.best == 0 or spec.startswith("pimc")


@pytest.mark.parametrize("spec", ["cheat-uct", "cheat-mcs"])
def test_chance_that_acts_is_nothing_to_peek_at(spec: str) -> None:
    with pytest.raises(ValueError, match="chance is to act"):
        think(spec, Coin().deal())


def test_chance_that_acts_is_no_game_without_secrets() -> None:
    class Open(Coin):
        hidden = False

    with pytest.raises(ValueError, match=r"chance is to act .* does not say hidden = False"):
        think("uct", Open().deal())


# --------------------------------------------------------------------------------------------------------- bad games


def broken_state(**members: Any) -> Callable[[], Any]:
    """The view of a toy game whose worlds have some members of their own."""

    def make() -> Any:
        def copy(self: Any) -> Any:
            return kind(self.game, list(self.cards), list(self.history))

        kind: Any = type("State", (ToyState,), {"copy": copy, **members})

        class View(ToyView):
            def sample(self, seed: int) -> Any:
                return kind(self.game, [self.card] * 2, list(self.history))

        return View(ToyGame(), 0, 3, ())

    return make


def broken_view(**members: Any) -> Callable[[], Any]:
    return lambda: type("View", (ToyView,), members)(ToyGame(), 0, 3, ())


def later(value: Any) -> Callable[[Any], Any]:
    """Right at the start, wrong after the first action."""
    return lambda self: [0, 1] if not self.history else value


class Twin(ToyState):
    def copy(self) -> Any:
        return self


BAD_GAMES: dict[str, tuple[Callable[[], Any], str]] = {
    "legal empty": (broken_state(legal=later([])), "'toy': legal.. is empty, but the game is not over"),
    "legal unsorted": (broken_state(legal=later([1, 0])), r"'toy': legal.. must ascend without duplicates, not \[1, 0"),
    "legal twice": (broken_state(legal=later([1, 1])), "'toy': legal.. must ascend without duplicates"),
    "legal too large": (broken_state(legal=later([0, 2])), "'toy': legal.. has action 2; ids are 0 to 1"),
    "legal negative": (broken_state(legal=later([-1])), "'toy': legal.. has action -1"),
    "legal text": (broken_state(legal=later(["fold"])), "an action of legal.. must be a whole number, not 'fold'"),
    "legal none": (broken_state(legal=later(None)), "'toy': legal.. must give a list of actions, not None"),
    "payoffs short": (broken_state(payoffs=[1.0]), "'toy': payoffs has 1 entries for 2 seats"),
    "payoffs text": (broken_state(payoffs=["a", "b"]), "'toy': payoffs must be numbers, not"),
    "payoffs none": (broken_state(payoffs=None), "'toy': payoffs must be a list of numbers, not None"),
    "payoffs wild": (broken_state(payoffs=[9.0, -9.0]), r"payoffs \[9.0, -9.0\] are outside payoff_range \(-2.0, 2.0"),
    "to_act": (broken_state(to_act=property(lambda self: 5 if self.history else 0)), "to_act is 5; allowed are seats"),
    "sample's seat": (broken_state(to_act=1), "sample.. contradicts its view: seat 0 is to act, but .* to_act is 1"),
    "sample's actions": (broken_state(legal=lambda self: [1]), r"sample.. contradicts its view: legal.. is \[0, 1\]"),
    "sample's cards": (
        broken_view(sample=lambda self, seed: ToyState(self.game, [0, 0])),
        "sample.. contradicts its view: the world's view of seat 0 has another key",
    ),
    "view's legal": (broken_view(legal=lambda self: []), "'toy': legal.. of the view is empty, but its seat is to act"),
    "view's seat": (broken_view(seat=7, to_act=0, __init__=lambda self, *_: None, game=ToyGame()), "a view has seat 7"),
    "key": (broken_view(key="x"), "'toy': key must be a whole number of 64 bits, not 'x'"),
}


@pytest.mark.parametrize("case", BAD_GAMES)
@pytest.mark.parametrize("spec", ["mcs:iterations=50", "ismcts:iterations=50", "pimc:iterations=50,worlds=4"])
def test_bad_games_are_told_what_is_wrong(case: str, spec: str) -> None:
    make, message = BAD_GAMES[case]
    with pytest.raises(ValueError, match=message):
        think(spec, make())


def test_a_copy_is_another_object() -> None:
    with pytest.raises(ValueError, match=r"copy\(\) of Twin gives the state itself"):
        think("cheat-uct", Twin(ToyGame(), [1, 2]))


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"players": 65}, "players is 65; searches are for 1 to 64"),
        ({"num_actions": 65536}, "num_actions is 65536; searches are for 1 to 65535"),
        ({"payoff_range": (1.0, 0.0)}, "payoff_range must be two numbers, the least and the greatest"),
        ({"payoff_range": 3}, "payoff_range must be two numbers"),
        ({"teams": [0]}, "teams has 1 entries for 2 seats"),
        ({"teams": 3}, "teams must be a list with a number for every seat, not 3"),
        ({"players": "two"}, "players must be a whole number, not 'two'"),
    ],
)
def test_bad_constants(members: dict[str, Any], message: str) -> None:
    game = ToyGame()
    vars(game).update(members)
    with pytest.raises(ValueError, match=f"game 'toy': {message}"):
        _core.python_agent(game, "mcs", {})


def test_what_a_search_needs_is_named() -> None:
    game, state = ToyGame(), ToyGame().deal()
    for spec, message in [
        ("uct", "'toy' has no uct agent: that needs hidden = False on the game"),
        ("minimax", "'toy' has no minimax agent: that needs `solver_key` on its states: a whole number below"),
        ("solver-pimc", "that needs `solver_key`"),
        ("expectimax", r"that needs `all_worlds\(\)` on its views"),
        ("pimc:worlds=all", r"worlds=all of agent 'pimc': that needs, in game 'toy', `all_worlds\(\)`"),
        ("ismcts:threads=2", "threads of agent 'ismcts' must be 1 in a game written in Python"),
        ("mcs:threads=0", "threads of agent 'mcs' must be 1"),
        ("pimc:inference=random", "inference of agent 'pimc' must be none in a game written in Python"),
        ("ismcts:rollout=rules", "rollout of agent 'ismcts'.*random"),
        ("ismcts:depth=3", "unknown option 'depth' of agent 'ismcts'; allowed options: ms, iterations"),
        ("rules", "'toy' has no rules agent; it has none written in C"),
    ]:
        with pytest.raises(ValueError, match=message):
            think(spec, state.view(0))
        with pytest.raises(ValueError, match=message):
            kibitz.play(game, [spec, "random"], games=2)
    with pytest.raises(ValueError, match="cheat-uct agent: that needs a game where something is hidden"):
        think("cheat-uct", Wrapped("tictactoe", hidden=False).deal())
    with pytest.raises(ValueError, match="needs zero_sum = True on the game; and a game of two sides"):
        plain.searcher(type("General", (ToyGame,), {"zero_sum": False})(3), "minimax", {})
    with pytest.raises(ValueError, match="'cheat-uct' peeks: it needs a state, not a view"):
        think("cheat-uct", state.view(0))
    with pytest.raises(ValueError, match="this seat is not to act"):
        think("ismcts", state.view(1))
    lame = type("Lame", (ToyState,), {"view": lambda self, seat: Member(Wrapped("uno"), self)})
    lame_game = type("LameGame", (ToyGame,), {"deal": lambda self, seed=0: lame(self, [1, 2])})()
    with pytest.raises(ValueError, match="a view of game 'toy' is incomplete: Member lacks seat, key, sample"):
        plain.searcher(lame_game, "mcs", {})
    with pytest.raises(ValueError, match="cannot tell which game this is: object has no `game`"):
        kibitz.agent("mcs").act(object())


def test_views_need_not_know_their_game_in_a_match() -> None:
    class Bare(ToyState):
        def view(self, seat: int) -> Any:
            return BareView(super().view(seat))

        def copy(self) -> Any:
            return Bare(self.game, list(self.cards), list(self.history))

    class BareView:
        def __init__(self, view: ToyView) -> None:
            self._view = view

        def __getattr__(self, name: str) -> Any:
            if name == "game":
                raise AttributeError(name)
            return getattr(self._view, name)

    def deal(self: ToyGame, seed: int = 0) -> Bare:
        return Bare(self, ToyGame.deal(self, seed).cards)

    game: Any = type("BareGame", (ToyGame,), {"deal": deal})(2)
    assert kibitz.play(game, ["ismcts:iterations=20", "random"], games=20).games == 20


# --------------------------------------------------------------------------------------------------- the command line


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry._games, "added", dict(registry._games.added))
    kibitz.register_game("toy", ToyGame)
    kibitz.register_game("wrapped_belote", lambda: Wrapped("belote"))


@pytest.mark.usefixtures("registered")
def test_think_at_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = Wrapped("belote")
    path = tmp_path / "position.json"
    path.write_text(json.dumps(game.position(late(game, 3, 20))))
    assert cli.run(["think", str(path), "--agent", "ismcts:iterations=100", "--verbose"]) == 0
    said = capsys.readouterr().out
    assert "wrapped_belote, seat" in said
    assert "100 iterations, " in said
    assert "% of 400 worlds" in said
    path.write_text(json.dumps({"game": "toy"}))
    assert cli.run(["think", str(path)]) != 0
    assert "reads no positions: ToyGame has no from_position" in capsys.readouterr().err
    assert cli.run(["games", "toy"]) == 0
    said = capsys.readouterr().out
    for name in ("cheat-mcs", "cheat-uct", "ismcts", "mcs", "mo-ismcts", "pimc", "random"):
        assert name in said
    assert "expectimax" not in said


@pytest.mark.usefixtures("registered")
def test_a_kibitzer_watches_games_in_python(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("builtins.input", lambda *_: "stay")
    command = ["play", "toy", "--seat", "0", "--seed", "1", "--kibitz-agent", "ismcts:iterations=200"]
    assert cli.run(command) == 0
    assert "Kibitzer:" in capsys.readouterr().out
