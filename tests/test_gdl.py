"""Rulesheets: what is legal and what it is worth, by both engines; our own beside the native games; hidden things."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from gdl_sheets import SHEETS, Sheet
from hypothesis import given
from hypothesis import strategies as st
from variants import effort

import kibitz
from kibitz import _core, gdl
from kibitz._core import Rng

ENGINES = ["propnet", "prover"]


def split(text: str) -> list[str]:
    return text.split("  ") if text else []


def legal_texts(game: Any, state: Any) -> list[str]:
    return [game.text(action) for action in state.legal()]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("sheet", SHEETS.values(), ids=list(SHEETS))
def test_known_moves_and_goals(sheet: Sheet, engine: str) -> None:
    game = kibitz.make("gdl", text=sheet.text, engine=engine)
    assert game.about["engine"] == engine
    state = game.deal()
    for legal, played in sheet.steps:
        assert sorted(legal_texts(game, state)) == sorted(split(legal))
        state.apply(game.parse(played))
    assert state.over
    assert state.payoffs == sheet.goals


def same_play(one: Any, two: Any, seed: int, most: int = 300) -> int:
    """Both games agree in every position of a random game; returns how many there were."""
    a, b = one.deal(seed), two.deal(seed)
    rng = random.Random(seed)
    for at in range(most):
        assert one.position(a)["fluents"] == two.position(b)["fluents"]
        assert a.to_act == b.to_act
        assert legal_texts(one, a) == legal_texts(two, b)
        assert a.payoffs == b.payoffs
        if a.over:
            return at + 1
        chosen = rng.choice(legal_texts(one, a))
        a.apply(one.parse(chosen))
        b.apply(two.parse(chosen))
    return most


@pytest.mark.parametrize("sheet", SHEETS.values(), ids=list(SHEETS))
def test_engines_agree(sheet: Sheet) -> None:
    one, two = (kibitz.make("gdl", text=sheet.text, engine=engine, turns=60) for engine in ENGINES)
    assert sum(same_play(one, two, seed) for seed in range(20)) > 20  # more than where they begin


@pytest.mark.parametrize("name", gdl.rulesheets())
def test_engines_agree_on_our_rulesheets(name: str) -> None:
    one, two = (kibitz.make("gdl", file=name, engine=engine) for engine in ENGINES)
    assert sum(same_play(one, two, seed) for seed in range(3)) > 3


NUMBERS = " ".join(f"(n {i})" for i in range(1, 81))
CELLS = range(1, 13)


def forks(depth: int) -> str:
    """A way that forks at every step, to the left if that is open; those who go right come to both ways each time."""
    rules = []
    for at in range(1, depth):
        way = [f"?w{i}" for i in range(at)]
        known = " ".join(f"(side {w})" for w in way)
        there, beyond = (f"(open{at + i} {' '.join(way)}" for i in (0, 1))
        rules.append(f"(<= {there}) {known} (true (reached {at})))")
        rules.append(f"(<= {there}) {known} (not (distinct {way[-1]} left)) {beyond} left))")
        rules.append(f"(<= {there}) {known} (not (distinct right {way[-1]})) {beyond} left) {beyond} right))")
    steps = " ".join(f"(then {i} {i + 1})" for i in range(depth))
    return f"""(role r) (side left) (side right) {" ".join(rules)} {steps}
        (init (reached 1)) (legal r stop) (<= (legal r go) (open1 left))
        (<= (next (reached ?m)) (true (reached ?n)) (does r go) (then ?n ?m)) (<= (next done) (does r stop))
        (<= terminal (true done)) (<= terminal (true (reached {depth})))
        (<= (goal r ?n) (true (reached ?n)))"""


HUGE = {  # rulesheets that have millions of instances, if all of them are made
    "a helper for everything, asked for one thing": f"""(role r) {NUMBERS} (init (lit 1)) (init (lit 2))
        (legal r a) (legal r b) (<= (next (lit 1)) (does r a)) (<= (next (lit 2)) (true (lit 2))) (next done)
        (<= (all ?a ?b ?c ?d ?e) (true (lit ?a)) (n ?b) (n ?c) (n ?d) (other ?a ?e))
        (<= (other ?a ?b) (true (lit ?a)) (true (lit ?b)) (distinct ?a ?b))
        (<= (helped ?x ?y) (all ?x 9 8 ?y 2))
        (<= terminal (true done))
        (<= (goal r 70) (helped 1 7)) (<= (goal r 0) (not (helped 1 7)))""",
    "parts of a rule that have nothing to do with each other": f"""(role r) (role s) {NUMBERS} (init (score 0))
        {" ".join(f"(then {i} {i + 1})" for i in range(700))}
        (<= (legal ?r (bid ?x)) (role ?r) (n ?x))
        (<= (next (score ?b)) (true (score ?a)) (then ?a ?b) (does r (bid ?x)) (does s (bid ?y)) (distinct ?x ?y))
        (<= (next (score ?a)) (true (score ?a)) (does ?r (bid 7)) (does ?s (bid 8)))
        (<= (next (step 1)) (true (score 0))) (<= (next (step 2)) (true (step 1)))
        (<= terminal (true (step 2)))
        (<= (goal ?r 80) (role ?r) (true (score 2))) (<= (goal ?r 20) (role ?r) (not (true (score 2))))""",
    "ways that nobody asks for": forks(30),
}


@pytest.mark.parametrize("text", HUGE.values(), ids=list(HUGE))
def test_only_instances_that_matter_are_made(text: str) -> None:
    one, two = (kibitz.make("gdl", text=text, engine=engine) for engine in ENGINES)
    assert one.about["gates"] < 20_000
    assert sum(same_play(one, two, seed) for seed in range(20)) > 20


def list_rule(length: int) -> str:
    """(<= (list (c ?e0 (c ?e1 nil))) (place ?e0) (place ?e1))"""
    chain = "".join(f"(c ?e{i} " for i in range(length)) + "nil" + ")" * length
    return f"(<= (list {chain}) {' '.join(f'(place ?e{i})' for i in range(length))})"


def test_conditions_are_asked_in_an_order_that_ends() -> None:
    """Ways through a garden that visit no place twice; there are far too many lists to look at all of them."""
    text = f"""(role r) {" ".join(f"(place {i})" for i in CELLS)} {" ".join(f"(beside {i} {i + 1})" for i in CELLS)}
        (init (at 1))
        {" ".join(map(list_rule, CELLS))}
        (<= (step ?a ?b) (beside ?a ?b)) (<= (step ?a ?b) (beside ?b ?a))
        (<= (way ?a ?b ?seen) (step ?a ?b) (place ?b) (list (c ?a ?seen)))
        (<= (way ?a ?b ?seen) (step ?a ?c) (place ?c) (distinct ?a ?b) (list (c ?a ?seen)) (way ?c ?b (c ?a ?seen)))
        (<= (legal r (go ?b)) (true (at ?a)) (place ?b) (distinct ?a ?b) (way ?a ?b nil))
        (<= (next (at ?b)) (does r (go ?b))) (<= terminal (not (true (at 1)))) (goal r 50)"""
    game = kibitz.make("gdl", text=text, seconds=0)
    assert legal_texts(game, game.deal()) == [f"(go {i})" for i in CELLS if i > 1]


# ------------------------------------------------------------------------------------- beside the native games


def column(text: str) -> str:
    return str("abcdefgh".index(text) + 1)


def downwards(x: int, y: int, rows: int) -> str:
    return f"(cell {x + 1} {y + 1}"


def upwards(x: int, y: int, rows: int) -> str:
    return f"(cell {x + 1} {rows - y}"


@dataclass(frozen=True)
class Twin:
    """A native game, its name of a move in our rulesheet, and the fluent of a column and row of its board."""

    game: str
    options: dict[str, Any]
    move: Callable[[str], str]
    cell: Callable[[int, int, int], str]
    marks: dict[str, str] = field(default_factory=lambda: {"x": "x", "o": "o"})

    def cells(self, board: list[str]) -> set[str]:
        """The fluents of all marks on a native board."""
        return {
            f"{self.cell(x, y, len(board))} {self.marks[mark]})"
            for y, row in enumerate(board)
            for x, mark in enumerate(row)
            if mark != "."
        }


def square(size: int) -> Twin:
    return Twin("tictactoe", {"size": size}, lambda t: f"(mark {column(t[0])} {t[1:]})", downwards)


TWINS = {
    "tictactoe": square(3),
    "tictactoe_4": square(4),
    "tictactoe_5": square(5),
    "connect_four": Twin("connect_four", {}, lambda t: f"(drop {t})", upwards),
    "connect_four_4x4": Twin("connect_four", {"rows": 4, "columns": 4}, lambda t: f"(drop {t})", upwards),
    "hex_3": Twin(
        "hex",
        {"size": 3},
        lambda t: f"(place {t[0]} {t[1:]})",
        lambda x, y, _: f"(cell {'abc'[x]} {y + 1}",
        {"x": "red", "o": "blue"},
    ),
}


@pytest.mark.parametrize("name", TWINS)
def test_rulesheets_play_like_the_native_games(name: str) -> None:
    """Every state of random games is the same: marks, who is to act, what is legal, what it is worth."""
    twin = TWINS[name]
    native, game = kibitz.make(twin.game, **twin.options), kibitz.make("gdl", file=name)
    to_ours = {action: game.parse(twin.move(native.text(action))) for action in range(native.num_actions)}
    marks = tuple(f" {mark})" for mark in twin.marks.values())
    rng = Rng(5)
    for _ in range(10_000):
        a, b = native.deal(), game.deal()
        while True:
            legal = a.legal()
            assert sorted(to_ours[action] for action in legal) == b.legal()
            assert a.to_act == b.to_act
            held = {f for f in game.position(b)["fluents"] if f.startswith("(cell") and f.endswith(marks)}
            assert held == twin.cells(native.position(a)["board"])
            if a.over:
                assert b.payoffs == [50 + 50 * payoff for payoff in a.payoffs]
                break
            action = legal[rng.below(len(legal))]
            a.apply(action)
            b.apply(to_ours[action])


@pytest.mark.parametrize(
    ("name", "depth", "count"), [("tictactoe", 9, 127872), ("connect_four", 6, 117649), ("connect_four", 7, 823536)]
)
def test_counts_of_sequences(name: str, depth: int, count: int) -> None:
    game = kibitz.make("gdl", file=name)
    assert game.perft(game.deal(), depth) == count


def test_tictactoe_has_its_games() -> None:
    game = kibitz.make("gdl", file="tictactoe")

    def games(state: Any) -> int:
        if state.over:
            return 1
        total = 0
        for action in state.legal():
            after = state.copy()
            after.apply(action)
            total += games(after)
        return total

    state = game.deal()
    for text in ("(mark 1 1)", "(mark 2 1)"):
        state.apply(game.parse(text))
    native = kibitz.make("tictactoe")
    twin = native.deal()
    for text in ("a1", "b1"):
        twin.apply(native.parse(text))
    assert games(state) == games(twin)


# ------------------------------------------------------------------------------------- searches, options, files


@pytest.mark.parametrize("name", ["tictactoe", "kuhn_poker", "blind_tictactoe"])
def test_searches_play(name: str) -> None:
    game = kibitz.make("gdl", file=name)
    agents = [kibitz.agent("ismcts:iterations=100"), kibitz.agent("random")]
    result = kibitz.play(game, agents, games=20, seed=1)
    assert result.games >= 20


def test_uct_plays_tictactoe_well() -> None:
    game = kibitz.make("gdl", file="tictactoe")
    result = kibitz.play(game, ["uct:iterations=1000", "random"], games=60, seed=1)
    assert result.agents[0].payoff.mean > 85


def test_given_up_grounding_is_told() -> None:
    game = kibitz.make("gdl", file="connect_four", seconds=0, text=endless_counter())
    assert game.about["engine"] == "prover"
    assert "given up" in game.about["why"]
    state = game.deal()
    for _ in range(5):
        state.apply(game.parse("up"))
    assert "(n (s (s (s (s (s zero))))))" in game.position(state)["fluents"]
    state.apply(game.parse("stop"))
    assert state.over
    with pytest.raises(ValueError, match="cannot be grounded"):
        kibitz.make("gdl", text=endless_counter(), engine="propnet")


def endless_counter() -> str:
    return """(role r) (init (n zero)) (legal r up) (legal r stop)
    (<= (next (n (s ?x))) (true (n ?x)) (does r up)) (<= (next done) (does r stop))
    (<= terminal (true done)) (goal r 50)"""


def test_games_without_an_end_are_ended() -> None:
    game = kibitz.make("gdl", text="(role r) (legal r a) (legal r b) (init p) (next p) (goal r 20)", turns=50)
    assert list(game.playouts(3).lengths) == [50, 50, 50]
    assert (game.playouts(3).payoffs == 20).all()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"file": "chess"}, "connect_four"),
        ({"file": "/no/such/file.kif"}, "must be a rulesheet"),
        ({"engine": "magic"}, "propnet"),
        ({"turns": 0}, "turns"),
        ({"players": 3}, "2 players"),
        ({"colour": 1}, "engine"),
        ({"text": "(role"}, r"text:1:1: this '\('"),
    ],
)
def test_bad_options(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        kibitz.make("gdl", **options)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"fluents": ["(cell 9 9 x)"]}, "cannot hold"),
        ({"fluents": ["(cell"]}, "one term"),
        ({"fluents": [3]}, "text"),
        ({"to_act": 1}, "is to act"),
        ({"pending": ["(mark 1 1)", None]}, "nobody to act|nobody"),
        ({"pending": ["(mark 1 1)"]}, "one entry per seat"),
        ({"turn": -1}, "turn"),
        ({"file": "hex_3"}, "file"),
    ],
)
def test_bad_positions(change: dict[str, Any], words: str) -> None:
    game = kibitz.make("gdl", file="tictactoe")
    with pytest.raises(ValueError, match=words):
        game.from_position(game.position(game.deal()) | change)


def test_positions_can_be_made_up() -> None:
    game = kibitz.make("gdl", file="tictactoe")
    board = {(c, r): "b" for c in "123" for r in "123"} | {("1", "1"): "x", ("2", "2"): "x"}
    fluents = [f"(cell {c} {r} {what})" for (c, r), what in board.items()]
    state = game.from_position({"fluents": [*fluents, "(control x)"]})
    state.apply(game.parse("(mark 3 3)"))
    assert state.payoffs == [100, 0]


WINDOWS = """(role r) (init (room hall)) (door hall garden) (door attic roof)
(<= (legal r (go ?to)) (true (room ?from)) (door ?from ?to)) (<= (legal r stay) (true (room ?x)))
(<= (next (room ?to)) (does r (go ?to))) (<= (next (room ?x)) (true (room ?x)) (does r stay))
(<= terminal (true (room roof))) (<= (goal r 9) (true (room roof)))"""


@pytest.mark.parametrize("engine", ENGINES)
def test_positions_that_cannot_be_reached_are_refused(engine: str) -> None:
    """Their moves may have no numbers."""
    game = kibitz.make("gdl", text=WINDOWS, engine=engine)
    with pytest.raises(ValueError, match=r"\(room attic\).* cannot hold"):
        game.from_position({"fluents": ["(room attic)"]})
    assert legal_texts(game, game.from_position({"fluents": ["(room hall)"]})) == ["(go garden)", "stay"]


@pytest.mark.parametrize("engine", ["auto", "prover"])
def test_where_nothing_was_grounded_any_position_can_be_played(engine: str) -> None:
    game = kibitz.make("gdl", text=WINDOWS, engine=engine, seconds=0)
    assert game.about["engine"] == "prover"
    assert "moves" not in game.about
    state = game.from_position({"fluents": ["(room attic)"]})
    assert sorted(legal_texts(game, state)) == ["(go roof)", "stay"]
    assert all(0 <= action < game.num_actions for action in state.legal())
    state.apply(game.parse("(go roof)"))
    assert state.payoffs == [9]
    with pytest.raises(ValueError, match=r"no move of this rulesheet; moves are .*, and others"):
        game.parse("(go nowhere)")


def test_views_go_from_one_game_to_another_where_nothing_was_grounded() -> None:
    """Moves get their numbers as they are met, by each game in its own order."""
    one, two = (kibitz.make("gdl", file="kuhn_poker", seconds=0) for _ in range(2))
    state = one.deal(4)
    for text in ("noop", "noop"):
        state.apply(one.parse(text))
    position = one.position(state.view(0))
    assert two.position(two.from_position(position)) == position


@effort(30)
@given(st.integers(0, 2**32), st.integers(0, 40), st.data())
def test_bad_views_are_refused(seed: int, moves: int, data: st.DataObject) -> None:
    """Somebody's view with something changed in it is a view that can be played from, or is refused."""
    game = kibitz.make("gdl", file="kuhn_poker")
    state, rng = game.deal(seed), random.Random(seed)
    for _ in range(moves):
        if not state.over:
            state.apply(rng.choice(state.legal()))
    position = game.position(state.view(0))
    past = position["past"]
    entry = past[data.draw(st.integers(0, len(past) - 1))]
    member = data.draw(st.sampled_from(["sees", "legal", "move"]))
    entry[member] = data.draw(st.sampled_from([[], ["(dealt king)"], ["noop"], "noop", "bet", ["check", "bet"], None]))
    try:
        view = game.from_position(position)
    except ValueError:
        return
    assert view.sample(1).view(0) == view


def test_files_are_found_by_path(tmp_path: Path) -> None:
    path = tmp_path / "é.kif"
    path.write_text(SHEETS["a maze"].text, encoding="utf-8")
    game = kibitz.make("gdl", file=str(path))
    assert game.options["file"] == str(path)
    assert kibitz.make(f"gdl:file={path}") == game


def test_a_bare_name_survives_a_pickle_that_a_new_process_reads() -> None:
    game = kibitz.make("gdl", file="kuhn_poker", turns=50)
    program = "import pickle, sys; print(repr(pickle.load(sys.stdin.buffer)))"  # and nothing of ours is imported before
    done = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(game), capture_output=True, check=True)
    assert done.stdout.decode().strip() == repr(game)


def test_where_our_rulesheets_are_is_no_option_of_a_game() -> None:
    game = kibitz.make("gdl", file="kuhn_poker")
    assert "folder" not in game.options
    assert str(gdl.FOLDER) not in repr(game)
    assert game == kibitz.make("gdl", **game.options)
    with pytest.raises(ValueError, match=r"'folder' is unknown; .* path"):
        kibitz.make("gdl", file="kuhn_poker", folder=str(gdl.FOLDER))


def test_the_core_finds_bare_names_only_where_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "mine.kif").write_text(gdl.find("tictactoe").read_text())
    assert _core.make("gdl", {"file": "mine", "folder": str(tmp_path)}).players == 2
    with pytest.raises(ValueError, match=r"one of ours \(mine\), not 'tictactoe'"):
        _core.make("gdl", {"file": "tictactoe", "folder": str(tmp_path)})
    with pytest.raises(ValueError, match="file of gdl must be a rulesheet's path, not 'tictactoe'"):
        _core.make("gdl", {})
