"""The laws of a game, checked over random play: of the core's games and of games written in Python.

`kibitz.check(game)` is the way in. A game that satisfies the protocols alone is held to the laws that concern what it
has; one with positions or encoders is held to those of these, too.
"""

from __future__ import annotations

import contextlib
import json
import pickle
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz import _core, protocols
from kibitz._core import NATURE, OVER, PUBLIC
from kibitz.protocols import Game, can, facts


class LawError(AssertionError):
    """A law that does not hold, in words."""


@dataclass(frozen=True)
class Table:
    """A state that play has reached from a seed."""

    # Any: what a game in Python offers beside the protocols is looked for, not known.
    game: Any
    seed: int
    state: Any

    @property
    def views(self) -> list[Any]:
        return [self.state.view(seat) for seat in range(self.game.players)]

    @property
    def public(self) -> list[Any]:
        """The public view; none in a game in Python that has no such thing."""
        return [self.state.public()] if hasattr(self.state, "public") else []


def need(holds: object, law: str) -> None:
    if not holds:
        raise LawError(law)


def refused(what: str, call: Callable[..., object], *arguments: object, says: str = "") -> None:
    """Needs a ValueError with a text."""
    try:
        call(*arguments)
    except ValueError as error:
        need(str(error).strip(), f"{what} raises a ValueError without a word")
        need(says in str(error), f"{what} raises {str(error)!r}, which should say {says!r}")
    else:
        raise LawError(f"{what} must raise ValueError")


def play_out(state: Any, seed: int) -> int:
    """Random play to the end; returns the number of actions."""
    rng = random.Random(seed)
    actions = 0
    while not state.over:
        state.apply(rng.choice(state.legal()))
        actions += 1
    return actions


def reach(game: Any, seed: int, percent: int, choices: Sequence[int] = ()) -> Table:
    """So many percent of a random game, then what the indices choose: deep states are as likely as early ones."""
    length = play_out(game.deal(seed), seed)
    state = game.deal(seed)
    rng = random.Random(seed)
    for _ in range(length * percent // 100):
        state.apply(rng.choice(state.legal()))
    for choice in choices:
        if not state.over:
            legal = state.legal()
            state.apply(legal[choice % len(legal)])
    return Table(game, seed, state)


def some_actions(game: Game, seed: int) -> list[int]:
    """All actions of a game, or a few hundred where there are tens of thousands."""
    if game.num_actions <= 1024:
        return list(range(game.num_actions))
    return sorted({0, game.num_actions - 1, *random.Random(seed).choices(range(game.num_actions), k=300)})


def picture(game: Any, state: Any) -> dict[str, Any]:
    """All that one can see of a state but its history, comparable with ==."""
    seen = {
        "to_act": state.to_act,
        "over": state.over,
        "legal": state.legal(),
        "payoffs": list(state.payoffs),
        "views": [state.view(seat) for seat in range(game.players)],
    }
    if can(game, "position"):
        seen["position"] = game.position(state)
    return seen


def need_same_future(game: Any, one: Any, two: Any, seed: int, what: str) -> None:
    """Both states look alike, now and after every one of the same actions."""
    rng = random.Random(seed)
    one, two = one.copy(), two.copy()
    need(picture(game, one) == picture(game, two), f"{what} looks different")
    while not one.over:
        legal = one.legal()
        need(legal == two.legal(), f"{what} has other legal actions some moves later")
        action = rng.choice(legal)
        one.apply(action)
        two.apply(action)
    need(picture(game, one) == picture(game, two), f"{what} ends differently")


def through_json(position: dict[str, Any]) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(position))
    return copy


# ------------------------------------------------------------------------------------------------- the laws


def legal_ascends_and_ends_with_the_game(t: Table) -> None:
    legal, to_act = t.state.legal(), t.state.to_act
    need(legal == sorted(set(legal)), f"legal() must ascend without duplicates, not {legal}")
    need(all(0 <= action < t.game.num_actions for action in legal), "legal() must give ids below num_actions")
    need(t.state.over == (to_act == OVER) == (not legal), "over, to_act == OVER and an empty legal() must go together")
    need(to_act in (OVER, NATURE) or 0 <= to_act < t.game.players, f"to_act is {to_act}, which is no seat")


def views_know_what_they_may_do(t: Table) -> None:
    for seat, view in enumerate(t.views):
        need(view.seat == seat, f"the view of seat {seat} says seat {view.seat}")
        need(view.to_act == t.state.to_act, "to_act of a view must be the state's")
        own = t.state.legal() if seat == t.state.to_act else []
        need(view.legal() == own, "legal() of a view must be the state's if its seat is to act, else empty")


def texts_name_actions(t: Table) -> None:
    texts = [t.game.text(action) for action in range(t.game.num_actions)]
    need(len(set(texts)) == len(texts), "text() must differ for every action")
    parsed = [t.game.parse(text) for text in texts]
    need(parsed == list(range(t.game.num_actions)), "parse() must be the inverse of text()")
    for wrong in ("", "no such action", texts[0] + " ", texts[-1].upper() + "?"):
        refused(f"parse({wrong!r})", t.game.parse, wrong)


def copies_are_independent(t: Table) -> None:
    before, history = picture(t.game, t.state), list(t.state.history)
    twin = t.state.copy()
    need(list(twin.history) == history, "copy() must have the same history")
    need_same_future(t.game, t.state, twin, t.seed, "copy()")
    moved = play_out(twin, t.seed)
    need(len(twin.history) == len(history) + moved, "history must grow by one with every action")
    need(picture(t.game, t.state) == before, "playing a copy must not change the original")
    need(list(t.state.history) == history, "playing a copy must not change the original's history")


def views_do_not_change(t: Table) -> None:
    views = t.views
    kept = [(view.key, view.legal(), list(view.history)) for view in views]
    play_out(t.state.copy(), t.seed)
    again = t.state.copy()
    need([again.view(seat) for seat in range(t.game.players)] == views, "views of equal states must be equal")
    play_out(again, t.seed)
    after = [(view.key, view.legal(), list(view.history)) for view in views]
    need(after == kept, "a view must not change when its state is played on")


def positions_of_states_round_trip(t: Table) -> None:
    if can(t.game, "position"):
        position = t.game.position(t.state)
        again = t.game.from_position(through_json(position))
        need(t.game.position(again) == position, "from_position(position(state)) must have the same position")
        need(list(again.history) == [], "a state from a position must have no history")
        need_same_future(t.game, t.state, again, t.seed, "from_position(position(state))")


def positions_of_views_round_trip(t: Table) -> None:
    for view in [*t.public, *t.views] if can(t.game, "position") else []:
        position = t.game.position(view)
        again = t.game.from_position(through_json(position))
        need(again == view, "from_position(position(view)) must be the view")
        need(
            (again.key, again.legal(), again.seat) == (view.key, view.legal(), view.seat), "... with its key and legal"
        )
        need(t.game.position(again) == position, "... and its position")
        if view.seat != PUBLIC:
            same = t.game.position(again.sample(t.seed)) == t.game.position(view.sample(t.seed))
            need(same, "... and must draw the same worlds")


def with_members_of(known: Any, hidden: Any) -> Iterator[Any]:
    """Of two positions, the first with one thing from the second: each that differs, whole and part by part."""
    if isinstance(known, dict) and isinstance(hidden, dict):
        keys: Iterable[Any] = hidden
        copy: Any = dict(known)
    elif isinstance(known, list) and isinstance(hidden, list) and len(known) == len(hidden):
        keys, copy = range(len(hidden)), list(known)
    else:
        return
    for key in keys:
        missing = isinstance(known, dict) and key not in known
        if missing or known[key] != hidden[key]:
            for part in [hidden[key], *([] if missing else with_members_of(known[key], hidden[key]))]:
                copy[key] = part
                yield through_json(copy)
            if missing:
                del copy[key]
            else:
                copy[key] = known[key]


def views_take_nothing_that_is_hidden(t: Table) -> None:
    for view in [*t.public, *t.views] if can(t.game, "position") else []:
        for position in with_members_of(t.game.position(view), t.game.position(t.state)):
            with contextlib.suppress(ValueError):  # refused, or left aside
                need(t.game.from_position(position) == view, "a view's position must not take hidden things in")


def seed_and_history_replay(t: Table) -> None:
    again = t.game.deal(t.seed)
    for seat, action in t.state.history:
        need(again.to_act == seat, "the history played from the same deal must come to the same seats")
        again.apply(action)
    need(list(again.history) == list(t.state.history), "the history played again must be the history")
    need_same_future(t.game, t.state, again, t.seed, "the history played from the same deal")


def worlds_look_the_same_to_the_seat(t: Table) -> None:
    for view in t.views:
        for draw in range(3):
            world = view.sample((t.seed + draw) % 2**64)
            again = world.view(view.seat)
            need(again == view, "sample() must give a world whose view is the view")
            need(again.key == view.key, "equal views must have equal keys")
            need(world.to_act == t.state.to_act, "sample() must give a world with the same seat to act")
            if view.seat == t.state.to_act:
                need(world.legal() == t.state.legal(), "sample() must give a world with the same legal actions")


def public_views_are_what_every_seat_knows(t: Table) -> None:
    for shown in t.public:
        need(shown.seat == PUBLIC, f"the seat of a public view must be PUBLIC, not {shown.seat}")
        need(shown.to_act == t.state.to_act, "a public view must say whose turn it is")
        need(shown.legal() == [], "nothing must be legal in a public view")
        told = told_by(t.game, shown)
        for view in t.views:
            need(told_by(t.game, view.public()) == told, "public() of every view must be the state's")
            for draw in range(3):
                world = view.sample((t.seed + draw) % 2**64)
                need(told_by(t.game, world.public()) == told, "all worlds of a view must have the same public view")


def told_by(game: Any, view: Any) -> tuple[Any, ...]:
    """All that can be read in a view."""
    position = json.dumps(game.position(view)) if can(game, "position") else ""
    return view, view.key, view.to_act, list(view.history), str(view), repr(view), position


def worlds_are_states(t: Table) -> None:
    for view in t.views:
        world = view.sample(t.seed)
        need(list(world.history) == list(view.history), "a world must have the view's history")
        if can(t.game, "position"):
            again = t.game.from_position(through_json(t.game.position(world)))
            need_same_future(t.game, world, again, t.seed, "from_position(position(world))")
            same = t.game.position(view.sample(t.seed)) == t.game.position(view.sample(t.seed))
            need(same, "the same seed must draw the same world")
        play_out(world, t.seed)
        need(list(world.payoffs) == list(world.copy().payoffs), "a world must end like its copy")


def encoders_say_what_they_are(t: Table) -> None:
    for name, encoder in t.game.encoders.items() if can(t.game, "encoders") else ():
        need(encoder.name == name, f"encoder {name!r} calls itself {encoder.name!r}")
        need(encoder.size == int(np.prod(encoder.shape)), f"encoder {name!r} has a size that is not its shape's")
        for seat in range(t.game.players):
            features = t.state.encode(name, seat)
            need(features.shape == tuple(encoder.shape), f"encoder {name!r} writes {features.shape}")
            need(features.dtype == np.float32, f"encoder {name!r} writes {features.dtype}, not float32")
            need(np.isfinite(features).all(), f"encoder {name!r} writes what is not finite")


def fair_encoders_depend_on_the_view_alone(t: Table) -> None:
    for name, encoder in t.game.encoders.items() if can(t.game, "encoders") else ():
        for seat, view in enumerate(t.views):
            if encoder.peeks:
                refused(f"view.encode({name!r})", view.encode, name, says="peeks")
                continue
            features = view.encode(name)
            law = f"encoder {name!r} must write the same for the view, the state and every world"
            need(np.array_equal(features, t.state.encode(name, seat)), law)
            need(np.array_equal(features, view.sample(t.seed).encode(name, seat)), law)


def check_payoffs(game: Any, state: Any) -> None:
    payoffs, of = list(state.payoffs), facts(game)
    need(len(payoffs) == game.players, f"payoffs must be one per seat, not {payoffs}")
    need(state.over or payoffs == [0.0] * game.players, "payoffs must be zero while the game runs")
    low, high = game.payoff_range
    need(all(low <= payoff <= high for payoff in payoffs), f"payoffs {payoffs} lie outside payoff_range")
    need(not of.zero_sum or abs(sum(payoffs)) <= 1e-9, f"payoffs {payoffs} of a zero-sum game must sum to zero")
    pairs = {(team, payoff) for team, payoff in zip(of.teams, payoffs, strict=True)}
    need(len(pairs) == len(set(of.teams)), f"partners must share their payoff, not {payoffs}")


def payoffs_keep_their_promises(t: Table) -> None:
    check_payoffs(t.game, t.state)
    end = t.state.copy()
    play_out(end, t.seed)
    check_payoffs(t.game, end)


def illegal_actions_change_nothing(t: Table) -> None:
    before, history = picture(t.game, t.state), list(t.state.history)
    outside = {-2, -1, t.game.num_actions, t.game.num_actions + 1, 65536, 2**31 - 1, -(2**31)}
    illegal = {*some_actions(t.game, t.seed), *outside, 255, 256} - set(t.state.legal())
    for action in sorted(illegal):
        refused(f"apply({action}), which is illegal,", t.state.apply, action)
    need(picture(t.game, t.state) == before, "a refused action must change nothing")
    need(list(t.state.history) == history, "a refused action must not enter the history")


def nothing_follows_the_end(t: Table) -> None:
    end = t.state.copy()
    play_out(end, t.seed)
    after = picture(t.game, end)
    for action in some_actions(t.game, t.seed):
        refused(f"apply({action}) after the end", end.apply, action)
    need(picture(t.game, end) == after, "nothing may change after the end")
    need(end.to_act == OVER, "to_act must be OVER at the end")


def history_is_what_was_played(t: Table) -> None:
    state, played = t.game.deal(t.seed), list(t.state.history)
    need(list(state.history) == [], "a deal must have no history")
    for index, (seat, action) in enumerate(played):
        need(state.to_act == seat, "history must name the seat that acted")
        state.apply(action)
        if index % 10 == 0:  # not always: long games have thousands of actions
            need(list(state.history) == played[: index + 1], "history must be what was played")
    for view in t.views:
        rest = iter(played)
        need(all(step in rest for step in view.history), "a view's history must be part of the state's")


def _compares(game: object) -> bool:
    """Whether its class says when two of them are equal."""
    return any("__eq__" in vars(kind) for kind in type(game).__mro__[:-1])


def games_pickle(t: Table) -> None:
    if not isinstance(t.game, _core.Game) and not _compares(t.game):
        return  # a game in Python whose objects are equal to nothing but themselves
    again = pickle.loads(pickle.dumps(t.game))
    need(again == t.game, "a pickled game must be equal to the game")
    need(hash(again) == hash(t.game), "equal games must have equal hashes")
    same = picture(again, again.deal(t.seed)) == picture(t.game, t.game.deal(t.seed))
    need(same, "a pickled game must deal the same")


LAWS: list[Callable[[Table], None]] = [
    legal_ascends_and_ends_with_the_game,
    views_know_what_they_may_do,
    texts_name_actions,
    copies_are_independent,
    views_do_not_change,
    positions_of_states_round_trip,
    positions_of_views_round_trip,
    views_take_nothing_that_is_hidden,
    seed_and_history_replay,
    worlds_look_the_same_to_the_seat,
    public_views_are_what_every_seat_knows,
    worlds_are_states,
    encoders_say_what_they_are,
    fair_encoders_depend_on_the_view_alone,
    payoffs_keep_their_promises,
    illegal_actions_change_nothing,
    nothing_follows_the_end,
    history_is_what_was_played,
    games_pickle,
]


@dataclass(frozen=True)
class Failure:
    """A law that does not hold, and the state in which it does not: `percent` of the random game of `seed`."""

    law: str
    text: str
    seed: int
    percent: int

    def __str__(self) -> str:
        return f"{self.law.replace('_', ' ')}: {self.text} (deal {self.seed}, {self.percent}% into a random game)"


def check(game: Game | str, *, deals: int = 20, seed: int = 0, quiet: bool = False) -> list[Failure]:
    """Holds a game (or the game of a name), the core's or one written in Python, to the contract over random play.

    Every law is tried in states of `deals` random games, early ones and late ones. Returns what fails, the first case
    of each law, and prints it; nothing, where all laws hold. What the game itself raises is a failure, too.
    """
    if deals < 1:
        raise ValueError(f"deals must be at least 1, not {deals}")
    if isinstance(game, str):
        from kibitz.registry import make

        game = make(game)
    lacks = protocols.missing(game, protocols.Game)
    found = [Failure("a game has what protocols.Game lists", f"it lacks {', '.join(lacks)}", seed, 0)] if lacks else []
    for law in LAWS if not lacks else []:
        failure = _first_failure(game, law, deals, seed)
        found += [failure] if failure else []
    if not quiet:
        for failure in found:
            print(f"FAILS {failure}")
        print(f"{len(LAWS) - len(found)} of {len(LAWS)} laws hold" if not lacks else "this is no game")
    return found


def _first_failure(game: Game, law: Callable[[Table], None], deals: int, seed: int) -> Failure | None:
    for number in range(deals):
        percent = number * 100 // max(1, deals - 1)
        try:
            law(reach(game, seed + number, percent))
        except Exception as error:  # whatever somebody's game raises
            text = str(error) if isinstance(error, LawError) else f"{type(error).__name__}: {error}"
            return Failure(law.__name__, text, seed + number, percent)
    return None
