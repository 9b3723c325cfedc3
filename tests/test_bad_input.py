"""Bad input from Python raises ValueError that names what is wrong; nothing brings the core down."""

from __future__ import annotations

import copy
import functools
import json
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from variants import effort, native_variants

import kibitz

Position = dict[str, Any]


def uno(**options: Any) -> Any:
    return kibitz.make("uno", **({"players": 3} | options))


@functools.cache
def rich() -> str:
    """A position in the middle of a game, with pile, memory and stream, as JSON."""
    game = uno(rules="rlcard")
    state = game.deal(5)
    rng = random.Random(5)
    while "memory" not in game.position(state) or len(state.history) < 20:
        state.apply(rng.choice(state.legal()))
    return json.dumps(game.position(state))


def changed(**members: Any) -> Position:
    """A small valid position of official Uno with some members replaced; None leaves one out."""
    position = {
        "target": "r-5",
        "hands": [["r-1", "b-2"], ["y-1", "y-2"], ["g-1", "g-2"]],
        "phase": "play",
        "to_act": 0,
    }
    return {name: value for name, value in (position | members).items() if value is not None}


def twisted(**members: Any) -> Position:
    """The rich position with some members replaced."""
    position: Position = json.loads(rich())
    return position | members


def with_pile(change: Callable[[list[str]], Any]) -> Position:
    position = twisted()
    change(position["pile"])
    return position


def view_position(**members: Any) -> Position:
    """A small valid position of seat 0's view, with some members replaced."""
    hands = [["r-1", "b-2"], {"count": 3}, {"count": 4}]
    return {"seat": 0, "target": "r-5", "hands": hands, "phase": "play", "to_act": 1} | members


def memory(**members: Any) -> list[dict[str, Any]]:
    return [members, {}, {}]


def seen(viewer: int, owner: int, cards: list[str]) -> dict[str, Any]:
    return {"viewer": viewer, "owner": owner, "cards": cards}


# ------------------------------------------------------------------------------------------------- positions

WILDS = ["wild"] * 4
CALL_4 = {"phase": "call", "target": "r-wild_draw_4"}  # the colour before the Wild Draw 4 is not given

OFFICIAL: dict[str, tuple[Position, str]] = {
    "nothing": ({}, "target"),
    "no target": (changed(target=None), "target"),
    "no hands": (changed(hands=None), "hands"),
    "unknown target": (changed(target="r-12"), "r-12"),
    "target is a number": (changed(target=5), "target.*5"),
    "wild without colour": (changed(target="wild"), "wild"),
    "unknown card": (changed(hands=[["r-1", "x-9"], ["y-1"], ["g-1"]]), "x-9"),
    "card with a space": (changed(hands=[["r-1 "], ["y-1"], ["g-1"]]), "r-1 "),
    "card with upper case": (changed(hands=[["R-1"], ["y-1"], ["g-1"]]), "R-1"),
    "a named wild in a hand": (changed(hands=[["r-wild"], ["y-1"], ["g-1"]]), "r-wild"),
    "card is a number": (changed(hands=[[1], ["y-1"], ["g-1"]]), "card.*1"),
    "card is nothing": (changed(hands=[[None], ["y-1"], ["g-1"]]), "nothing"),
    "card is a list": (changed(hands=[[["r-1"]], ["y-1"], ["g-1"]]), "list"),
    "three of two": (changed(hands=[["r-1", "r-1"], ["r-1"], ["g-1"]]), "r-1"),
    "two zeros": (changed(hands=[["r-0", "r-0"], ["y-1"], ["g-1"]]), "r-0"),
    "five wilds": (changed(hands=[WILDS, ["wild"], ["g-1"]]), "wild"),
    "target held twice": (changed(hands=[["r-5", "r-5"], ["y-1"], ["g-1"]]), "r-5"),
    "two hands": (changed(hands=[["r-1"], ["y-1"]]), "hands.*3"),
    "four hands": (changed(hands=[["r-1"], ["y-1"], ["g-1"], ["b-1"]]), "hands.*3"),
    "hands are text": (changed(hands="r-1"), "hands"),
    "a hand is text": (changed(hands=["r-1", "y-1", "g-1"]), "seat 0"),
    "a hidden hand in a state": (changed(hands=[["r-1"], {"count": 7}, ["g-1"]]), "seat 1"),
    "an empty hand": (changed(hands=[["r-1"], [], ["g-1"]]), "seat 1"),
    "to_act 3": (changed(to_act=3), "to_act.*3"),
    "to_act -1": (changed(to_act=-1), "to_act.*-1"),
    "to_act is text": (changed(to_act="0"), "to_act"),
    "to_act is a fraction": (changed(to_act=0.5), "to_act"),
    "to_act is true": (changed(to_act=True), "to_act"),
    "to_act is enormous": (changed(to_act=2**70), "64 bits"),
    "another's turn": (changed(turn=1), "turn"),
    "another's turn, no phase": (changed(turn=1, phase=None), "turn"),
    "direction 0": (changed(direction=0), "direction"),
    "direction 2": (changed(direction=2), "direction"),
    "unknown phase": (changed(phase="dance"), "dance"),
    "phase is a number": (changed(phase=1), "phase"),
    "no drawn card": (changed(phase="drawn"), "drawn"),
    "a drawn card of somebody else": (changed(phase="drawn", drawn="y-1"), "drawn"),
    "nothing to name": (changed(phase="name"), "name"),
    "a drawn number to name": (changed(phase="name", drawn="r-1"), "wild"),
    "penalty without cards": (changed(phase="penalty", turn=1, target="r-draw_2"), "pending"),
    "penalty for a number": (changed(phase="penalty", turn=1, pending=2), "draw card"),
    "penalty without the colour before": (
        changed(phase="penalty", turn=1, pending=4, target="r-wild_draw_4"),
        "before",
    ),
    "own penalty": (changed(phase="penalty", pending=2, target="r-draw_2"), "turn"),
    "call without the colour before": (changed(**CALL_4), "before"),
    "catch without the colour before": (changed(**CALL_4 | {"phase": "catch", "turn": 1}), "before"),
    "unknown colour before": (changed(before="x"), "before.*x"),
    "negative pending": (changed(pending=-1), "pending"),
    "too many pending": (changed(pending=1000), "pending"),
    "winner while running": (changed(winner=0), "winner"),
    "over without a winner": (changed(phase="over"), "winner"),
    "winner 3": (changed(phase="over", winner=3), "winner"),
    "winner with cards": (changed(phase="over", winner=0), "winner"),
    "negative direction": (changed(direction=-3), "direction"),
    "unknown member turns": (changed(turns=3), "turns"),
    "idle as long as a draw": (changed(idle=3), "idle"),
    "unknown member": (changed(colour="r"), "colour"),
    "another game": (changed(game="chess"), "chess"),
    "game is a number": (changed(game=1), "game"),
    "version of the future": (changed(version=2), "version"),
    "version 0": (changed(version=0), "version"),
    "other players": (changed(players=4), "players"),
    "other rules": (changed(rules="rlcard"), "rules"),
    "other house rules": (changed(stacking=True), "stacking"),
    "discards without the target": (changed(discards=["r-6"]), "r-5"),
    "no discards": (changed(discards=[]), "r-5"),
    "107 cards": (changed(pile=["r-2"]), "108"),
    "seen by nobody": (changed(seen=[{"owner": 0, "cards": ["r-1"]}]), "viewer"),
    "seen one's own": (changed(seen=[seen(0, 0, ["r-1"])]), "seen"),
    "seen more than there is": (changed(seen=[seen(1, 0, ["r-1", "b-2", "b-3"])]), "seen"),
    "seen what is not there": (changed(seen=[seen(1, 0, ["g-9"])]), "seen"),
    "too much seen": (changed(seen=[seen(1, 0, ["r-1"])] * 17), "seen"),
    "seen is text": (changed(seen="r-1"), "seen"),
    "memory of two seats": (changed(memory=[{}, {}]), "memory"),
    "memory with other slots": (changed(memory=memory(slots=3)), "slots"),
    "memory beyond the hand": (changed(memory=memory(no_colour=[3, 0, 0, 0])), "no_colour"),
    "memory of three colours": (changed(memory=memory(no_colour=[0, 0, 0])), "no_colour"),
    "memory of a fraction": (changed(memory=memory(old=0.5)), "old"),
    "played card of two parts": (changed(memory=memory(played=[["r-1", 0]])), "played"),
    "played card beyond the slots": (changed(memory=memory(played=[["r-1", 0, 9]])), "played"),
    "bluff of one part": (changed(bluff=[True]), "bluff"),
    "bluff of other types": (changed(bluff=[1, 1]), "bluff"),
    "stream of one part": (changed(stream=["1"]), "stream"),
    "stream of numbers": (changed(stream=[1, 2]), "stream"),
    "stream that is not hexadecimal": (changed(stream=["xyz", "1"]), "stream"),
    "stream of zeros": (changed(stream=["0", "0"]), "stream"),
    "a set": (changed(idle={1}), "set"),
    "bytes": (changed(target=b"r-5"), "bytes"),
    "half a character": (changed(target="\ud800"), "target|text"),
    "a target with an end within": (changed(target="r-5\0"), "target"),
}

RLCARD: dict[str, tuple[Position, str]] = {
    "109 cards": (with_pile(lambda pile: pile.append("r-1")), "r-1"),
    "107 cards": (with_pile(lambda pile: pile.pop()), "107|108"),
    "no pile at all": (with_pile(lambda pile: pile.clear()), "108"),
    "the same card all over": (with_pile(lambda pile: pile.extend(["r-0"] * 20)), "r-0"),
    "unknown card in the pile": (with_pile(lambda pile: pile.append("z")), "z"),
    "pile is a number": (twisted(pile=40), "pile"),
    "hidden pile in a state": (twisted(pile={"count": 40}), "pile"),
    "a phase of other rules": (twisted(phase="drawn"), "drawn"),
    "rules that it has not": (twisted(uno_call="decision"), "uno_call"),
    "a remainder that cannot be": (twisted(reshuffled=["r-1"], remainder=50), "remainder"),
    "reshuffled three of two": (twisted(reshuffled=["r-1"] * 3), "r-1"),
}

VIEWS: dict[str, tuple[Position, str]] = {
    "seat 9": (view_position(seat=9), "seat.*9"),
    "seat -2": (view_position(seat=-2), "seat.*-2"),
    "seat is text": (view_position(seat="0"), "seat"),
    "seat is nothing": (view_position(seat=None), "seat"),
    "negative count": (view_position(hands=[["r-1"], {"count": -1}, {"count": 4}]), "count.*-1"),
    "count is text": (view_position(hands=[["r-1"], {"count": "7"}, {"count": 4}]), "count"),
    "count of nothing": (view_position(hands=[["r-1"], {"count": 0}, {"count": 4}]), "seat 1"),
    "no count": (view_position(hands=[["r-1"], {}, {"count": 4}]), "count"),
    "own hand hidden": (view_position(hands=[{"count": 2}, {"count": 3}, {"count": 4}]), "seat 0"),
    "too many cards": (view_position(hands=[["r-1"], {"count": 60}, {"count": 60}]), "108"),
    "wrong pile": (view_position(pile={"count": 3}), "pile"),
    "negative pile": (view_position(pile={"count": -3}), "pile"),
    "cards of the pile": (view_position(pile=["g-1", "g-2"]), "pile.*count"),
    "the stream": (view_position(stream=["1", "2"]), "stream.*left out"),
    "another's hand at the reshuffle": (
        view_position(reshuffled=["y-1"], held=[["r-1"], ["b-3"], []]),
        "held of seat 1 .*empty.*seat 0",
    ),
    "another's bluff": (
        view_position(
            phase="penalty", to_act=0, turn=1, pending=4, target="r-wild_draw_4", before="g", bluff=[True, 3]
        ),
        r"bluff must be \[false.*seat 1",
    ),
    "seen by another": (view_position(seen=[seen(1, 2, ["r-2"])]), "seen.*view cannot know"),
    "another's drawn card": (view_position(phase="drawn", drawn="r-2"), "drawn.*known"),
    "seen what lies open": (view_position(seen=[seen(0, 1, ["r-5", "r-5"])]), "r-5"),
    "seen what is in the own hand": (
        view_position(hands=[["r-1", "r-1"], {"count": 3}, {"count": 4}], seen=[seen(0, 1, ["r-1"])]),
        "r-1",
    ),
    "seen more than the hand has": (
        view_position(seen=[seen(0, 1, ["r-2", "r-3"]), seen(0, 1, ["r-4", "r-6"])]),
        "seen",
    ),
    "a fifth wild is being played": (
        view_position(hands=[WILDS, {"count": 3}, {"count": 4}], phase="name", drawn="wild"),
        "wild",
    ),
}


def test_the_positions_are_valid_before_they_are_spoilt() -> None:
    assert uno().from_position(changed()).to_act == 0
    assert uno(rules="rlcard").from_position(twisted()).legal()
    assert uno().from_position(view_position()).seat == 0


@pytest.mark.parametrize("name", OFFICIAL)
def test_malformed_positions(name: str) -> None:
    position, named = OFFICIAL[name]
    with pytest.raises(ValueError, match=named):
        uno().from_position(position)


@pytest.mark.parametrize("name", RLCARD)
def test_malformed_positions_of_rlcard(name: str) -> None:
    position, named = RLCARD[name]
    with pytest.raises(ValueError, match=named):
        uno(rules="rlcard").from_position(position)


@pytest.mark.parametrize("name", VIEWS)
def test_malformed_views(name: str) -> None:
    position, named = VIEWS[name]
    with pytest.raises(ValueError, match=named):
        uno().from_position(position)


def test_error_messages_stay_short() -> None:
    for spoilt in (changed(target="x" * 10**6), changed(hands=[["x" * 10**6]] * 3), changed(**{"x" * 10**6: 1})):
        with pytest.raises(ValueError, match="x") as error:
            uno().from_position(spoilt)
        assert len(str(error.value)) < 1000


@pytest.mark.parametrize(
    "code",
    [
        "d = []\nfor _ in range(200_000): d = [d]\ngame.from_position({'target': d})",
        "d = {}\nd['target'] = d\ngame.from_position(d)",
        "d = {}\nd['players'] = d\nkibitz.make('uno', **d)",
        "game.from_position({'target': 'r-5', 'hands': [['r-1'] * 10**6] * 2})",
        "game.deal(0).view(0).encode('\\ud800')",
        "kibitz.make('uno', rules='\\ud800')",
    ],
    ids=["deep", "endless", "endless options", "long", "half a character", "half a character as option"],
)
def test_nothing_brings_the_core_down(code: str) -> None:
    """In a process of its own, which a crash would end without a traceback."""
    attempt = f"try:\n    exec({code!r})\nexcept (ValueError, TypeError):\n    print('refused')"
    script = f"import kibitz\ngame = kibitz.make('uno')\n{attempt}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "refused\n"), done.stderr[-500:]


# ------------------------------------------------------------------------------------------------- everything else

CALLS: dict[str, tuple[Callable[[], Any], str]] = {
    "1 player": (lambda: uno(players=1), "players.*1"),
    "11 players": (lambda: uno(players=11), "players.*11"),
    "-3 players": (lambda: uno(players=-3), "players.*-3"),
    "players as text": (lambda: uno(players="3"), "players.*'3'"),
    "players as a fraction": (lambda: uno(players=2.5), "players.*2.5"),
    "players true": (lambda: uno(players=True), "players.*true"),
    "players none": (lambda: uno(players=None), "players"),
    "a great many players": (lambda: uno(players=2**70), "64 bits"),
    "unknown option": (lambda: uno(speed=3), "speed"),
    "unknown rules": (lambda: uno(rules="mine"), "mine.*official"),
    "rules are a number": (lambda: uno(rules=1), "rules"),
    "unknown scoring": (lambda: uno(scoring="chips"), "chips"),
    "unknown call": (lambda: uno(uno_call="never"), "never"),
    "stacking as a number": (lambda: uno(stacking=1), "stacking"),
    "stacking as text": (lambda: uno(stacking="yes"), "stacking"),
    "option is a list": (lambda: uno(rules=[]), "rules"),
    "option is an object": (lambda: uno(rules=object()), "object"),
    "unknown game": (lambda: kibitz.make("unno"), "unno.*uno"),
    "bad spec": (lambda: kibitz.make("uno:"), "uno:"),
    "option given twice": (lambda: kibitz.make("uno:players=3", players=3), "players.*twice"),
    "unknown agent": (lambda: kibitz.agent("genius"), "genius.*random"),
    "unknown option of an agent": (lambda: kibitz.agent("random:depth=3"), "depth"),
    "not an agent": (lambda: kibitz.agent(3), "agent"),  # type: ignore[arg-type]
    "unknown native agent": (lambda: uno().native_agent("genius"), "genius.*random"),
    "option of a native agent": (lambda: uno().native_agent("random", {"depth": 3}), "depth"),
    "unknown encoder": (lambda: uno().deal(0).encode("x", 0), "'x'.*li"),
    "unknown encoder of a view": (lambda: uno().deal(0).view(0).encode("x"), "'x'.*li"),
    "peeking": (lambda: uno().deal(0).view(0).encode("brown"), "brown.*peeks"),
    "seat 9": (lambda: uno().deal(0).view(9), "seat 9"),
    "seat -1": (lambda: uno().deal(0).view(-1), "seat -1"),
    "encode for seat 3": (lambda: uno().deal(0).encode("li", 3), "seat 3"),
    "seat 2**40": (lambda: uno().deal(0).view(2**40), "seat"),
    "illegal action": (lambda: uno().deal(0).apply(82), "82.*legal"),
    "action -1": (lambda: uno().deal(0).apply(-1), "-1.*legal"),
    "action 2**31-1": (lambda: uno().deal(0).apply(2**31 - 1), "legal"),
    "action 2**40": (lambda: uno().deal(0).apply(2**40), "action"),
    "action 2**70": (lambda: uno().deal(0).apply(2**70), "action"),
    "text of an unknown action": (lambda: uno().text(83), "83"),
    "text of action -1": (lambda: uno().text(-1), "-1"),
    "official text in rlcard": (lambda: uno(rules="rlcard").text(61), "61"),
    "parse nonsense": (lambda: uno().parse("r-10"), "r-10"),
    "parse nothing": (lambda: uno().parse(""), "action"),
    "parse another rule set": (lambda: uno(rules="rlcard").parse("keep"), "keep"),
    "swap with seat 10": (lambda: uno().parse("swap-10"), "swap-10"),
    "seed -1": (lambda: uno().deal(-1), "seed"),
    "seed 2**64": (lambda: uno().deal(2**64), "seed"),
    "sample with seed -1": (lambda: uno().deal(0).view(0).sample(-1), "seed"),
    "no playouts": (lambda: uno().playouts(0), "playouts.*0"),
    "playouts -5": (lambda: uno().playouts(-5), "playouts.*-5"),
    "10**12 playouts": (lambda: uno().playouts(10**12), "playouts"),
    "playouts on -1 threads": (lambda: uno().playouts(10, threads=-1), "threads.*-1"),
    "playouts on 10**5 threads": (lambda: uno().playouts(10, threads=10**5), "threads"),
    "a match of 0 games": (lambda: kibitz.play(uno(), ["random"] * 3, games=0), "games.*0"),
    "a match of -1 games": (lambda: kibitz.play(uno(), ["random"] * 3, games=-1), "games.*-1"),
    "a match on -1 threads": (lambda: kibitz.play(uno(), ["random"] * 3, games=3, threads=-1), "threads.*-1"),
    "a match with seed -1": (lambda: kibitz.play(uno(), ["random"] * 3, games=3, seed=-1), "seed.*-1"),
    "a match of two": (lambda: kibitz.play(uno(), ["random"] * 2, games=3), "3 players.*2"),
    "a match of strangers": (lambda: kibitz.play(uno(), ["random", "x", "y"], games=3), "'x'"),
    "a native match of nobody": (lambda: uno().native_match([], [], 0, 0, 1), "3 seats"),
    "a native match of 0 deals": (lambda: native_match(deals=0), "deals"),
    "a native match from deal -1": (lambda: native_match(first=-1), "first"),
    "a native match in seat 3": (lambda: native_match(seatings=[[0, 1, 3]]), "seat 3"),
    "a native match on one seat": (lambda: native_match(seatings=[[0, 1, 1]]), "seating"),
    "a native match of two seats": (lambda: native_match(seatings=[[0, 1]]), "seating"),
    "a position of other options": (lambda: uno(players=2).position(uno().deal(0)), "players|option|game"),
}


def native_match(**members: Any) -> Any:
    game = uno()
    arguments: dict[str, Any] = {"seatings": [[0, 1, 2]], "seed": 0, "first": 0, "deals": 1} | members
    return game.native_match([game.native_agent("random")] * 3, **arguments)


@pytest.mark.parametrize("name", CALLS)
def test_bad_calls(name: str) -> None:
    call, named = CALLS[name]
    with pytest.raises(ValueError, match=named):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: uno().deal("x"),
        lambda: uno().deal(0).apply("r-5"),
        lambda: uno().deal(0).apply(1.0),
        lambda: uno().deal(0).apply(None),
        lambda: uno().deal(0).view("0"),
        lambda: uno().from_position([]),
        lambda: uno().from_position(None),
        lambda: uno().position(None),
        lambda: uno().parse(5),
        lambda: uno().text("r-5"),
        lambda: uno().playouts(1.5),
        lambda: uno().native_agent(None),
    ],
)
def test_arguments_of_another_type(call: Callable[[], Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        call()


def test_the_end_is_the_end() -> None:
    state = uno(rules="rlcard").deal(0)
    rng = random.Random(0)
    while not state.over:
        state.apply(rng.choice(state.legal()))
    with pytest.raises(ValueError, match="over"):
        state.apply(60)
    for seat in range(3):
        assert state.view(seat).legal() == []
        assert state.view(seat).sample(1).over


# ------------------------------------------------------------------------------------------------- fuzzing


@functools.cache
def pool() -> list[tuple[Any, str]]:
    """Games and positions of theirs, early and late, of states and of views."""
    out = []
    for variant in native_variants():
        game, rng = variant.make(), random.Random(1)
        for depth in (0, 15, 120, 400):
            state = game.deal(depth)
            for _ in range(depth):
                if len(state.legal()) and not state.over:
                    state.apply(rng.choice(state.legal()))
            out.append((game, json.dumps(game.position(state))))
            out.append((game, json.dumps(game.position(state.view(rng.randrange(game.players))))))
    return out


def scalars(thing: Any) -> list[Any]:
    if isinstance(thing, dict):
        return [*thing, *(x for value in thing.values() for x in scalars(value))]
    if isinstance(thing, list):
        return [x for value in thing for x in scalars(value)]
    return [thing]


@functools.cache
def words() -> list[Any]:
    """Every text and number that stands in a position: a better guess than a random one."""
    found = {(type(x).__name__, x) for _, text in pool() for x in scalars(json.loads(text)) if len(str(x)) < 16}
    return [x for _, x in sorted(found, key=str)]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 300) | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
VALUES = st.deferred(lambda: st.sampled_from(words())) | st.integers(-2, 12) | JSON
WALKS = st.lists(st.integers(0, 120), min_size=1, max_size=4)
KINDS = st.sampled_from(["replace", "replace", "delete", "insert", "move", "nudge"])
CHANGES = st.lists(st.tuples(KINDS, WALKS, WALKS, VALUES), min_size=1, max_size=4)


def walk(thing: Any, steps: list[int]) -> tuple[Any, Any]:
    """The container, and the key or index in it, that the steps lead to."""
    at: tuple[Any, Any] = (None, None)
    for step in steps:
        if not isinstance(thing, dict | list) or not thing:
            break
        key = list(thing)[step % len(thing)] if isinstance(thing, dict) else step % len(thing)
        at, thing = (thing, key), thing[key]
    return at


def mutate(position: Position, kind: str, here: list[int], there: list[int], value: Any) -> None:
    container, key = walk(position, here)
    if container is None:
        return
    if kind == "replace":
        container[key] = copy.deepcopy(value)
    elif kind == "delete":
        del container[key]
    elif kind == "nudge" and type(container[key]) is int:
        container[key] += 1 - here[0] % 3
    elif kind == "insert" and isinstance(container, dict):
        container[value if isinstance(value, str) else str(value)] = copy.deepcopy(container[key])
    elif kind == "insert":
        container.insert(key, copy.deepcopy(value))
    elif kind == "move":
        target, place = walk(position, there)
        if isinstance(container, list) and isinstance(target, list):
            target.insert(place, container.pop(key))


def check_played(game: Any, thing: Any, seed: int) -> None:
    """All that one can do with what a position gave; no card may come or go."""
    position = game.position(thing)
    assert game.position(game.from_position(json.loads(json.dumps(position)))) == position
    assert str(thing)
    if position.get("seat") == kibitz.PUBLIC:  # what spectators see: nothing can be done with it
        assert thing.legal() == []
        return
    if "seat" in position:
        check_view(game, thing, seed)
        thing = thing.sample(seed)
    rng = random.Random(seed)
    for _ in range(60):
        if thing.over:
            break
        legal = thing.legal()
        assert legal == sorted(set(legal))
        assert legal
        thing.apply(rng.choice(legal))
    game.from_position(game.position(thing))
    assert len(thing.payoffs) == game.players
    for seat in range(game.players):
        check_view(game, thing.view(seat), seed)
        for name in game.encoders:
            thing.encode(name, seat)


def check_view(game: Any, view: Any, seed: int) -> None:
    assert isinstance(view.key, int)
    assert game.from_position(game.position(view)) == view
    for name, encoder in game.encoders.items():
        if not encoder.peeks:
            view.encode(name)
    for draw in range(2):
        game.from_position(game.position(view.sample(seed + draw)))
    if view.legal():
        for agent in {"random", "rules"} & set(game.native_agents):  # searches would take their time
            assert game.native_agent(agent).act(view, kibitz._core.Rng(seed)) in view.legal()


@effort(2500)
@given(start=st.integers(0, 10**6), changes=CHANGES, seed=st.integers(0, 2**32))
def test_mutated_positions_are_refused_or_played(start: int, changes: list[Any], seed: int) -> None:
    game, text = pool()[start % len(pool())]
    position = json.loads(text)
    for change in changes:
        mutate(position, *change)
    note(f"{game!r}.from_position({position})")
    try:
        thing = game.from_position(position)
    except ValueError:
        return
    check_played(game, thing, seed)


def test_public_positions_are_read() -> None:
    for name in ("tictactoe", "uno", "belote", "doudizhu", "mini_doudizhu"):
        game = kibitz.make(name)
        check_played(game, game.from_position(game.position(game.deal(seed=3).public())), 3)


def test_untouched_positions_are_played() -> None:
    """The fuzzing above says little unless what it does with an accepted position works for the good ones."""
    for seed, (game, text) in enumerate(pool()):
        check_played(game, game.from_position(json.loads(text)), seed)


def test_mutations_are_not_all_refused() -> None:
    accepted = 0

    @effort(200)
    @given(start=st.integers(0, 10**6), changes=CHANGES)
    def count(start: int, changes: list[Any]) -> None:
        nonlocal accepted
        game, text = pool()[start % len(pool())]
        position = json.loads(text)
        for change in changes:
            mutate(position, *change)
        try:
            game.from_position(position)
        except ValueError:
            return
        accepted += 1

    count()
    assert accepted > 20


# --- agents made for other options


def test_agents_for_other_options_are_refused() -> None:
    """They may have arrays inside that are too short for this game."""
    two, three = kibitz.make("uno", players=2), kibitz.make("uno", players=3)
    stranger, own = two.native_agent("rules"), three.native_agent("rules")
    refused = "'rules' was made for a game with other options"
    rotations = [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    with pytest.raises(ValueError, match=refused):
        three.native_match([own, own, stranger], rotations, 1, 0, 1)
    with pytest.raises(ValueError, match=refused):
        three.native_tables(4, "li", [None, own, stranger])
    tables = kibitz.Tables(three, 4, "random")._native
    calls: list[Callable[[], Any]] = [
        lambda: tables.run(1, stranger),
        lambda: tables.advise(stranger, 1),
        lambda: tables.think(stranger, 1),
        lambda: tables.seat_players([None, own, stranger]),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=refused):
            call()
    with pytest.raises(ValueError, match="other options"):
        tables.put(0, two.deal(1))
    state, rng = three.deal(1), kibitz._core.Rng(1)
    for shown in (state, state.view(state.to_act)):
        with pytest.raises(ValueError, match="belongs to a game with other options"):
            stranger.act(shown, rng)
        with pytest.raises(ValueError, match="belongs to a game with other options"):
            stranger.think(shown, rng)


def test_learners_refuse_agents_for_other_options() -> None:
    import numpy as np

    small, large = kibitz.make("tictactoe"), kibitz.make("tictactoe", size=5)
    learner, stranger = large.native_q_learner(1), small.native_agent("random")
    for opponent, fallback in ((stranger, None), (None, stranger)):
        with pytest.raises(ValueError, match="other options"):
            learner.run(np.zeros(1), np.zeros((1, 2)), 0.1, 0.9, -1.0, True, True, opponent, fallback)
    with pytest.raises(ValueError, match="other options"):
        learner.agent("q", stranger)
    with pytest.raises(ValueError, match="played must be at least 0"):
        learner.played = -1


def test_numbers_of_deals_that_no_array_can_hold_are_refused() -> None:
    game = kibitz.make("tictactoe")
    agents = [game.native_agent("random")] * 2
    for deals in (0, -1, 2**24 + 1, 2**62):
        with pytest.raises(ValueError, match="deals must be from 1 to 16777216"):
            game.native_match(agents, [[0, 1]], 1, 0, deals)
