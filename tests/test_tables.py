"""kibitz.Tables: the laws of lockstep play, and the same games as elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from variants import Variant, native_variants

import kibitz
from kibitz._core import Rng, mix

Floats = npt.NDArray[np.float64]
ARRAYS = ("obs", "mask", "seat", "acted", "done", "payoff")
RAGGED = ("obs", "ids", "offsets", "features", "seat", "acted", "done", "payoff")


def rlcard(players: int = 3) -> Any:
    return kibitz.make("uno", players=players, rules="rlcard")


def random_actions(tables: kibitz.Tables, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Uniform over each table's legal actions."""
    if tables.ragged:
        ids: npt.NDArray[np.int64] = tables.ids[tables.offsets[:-1] + rng.integers(0, np.diff(tables.offsets))].astype(
            np.int64
        )
        return ids
    chosen: npt.NDArray[np.int64] = np.argmax(rng.random(tables.mask.shape) * tables.mask, axis=1)
    return chosen


def legal_at(tables: kibitz.Tables, table: int) -> list[int]:
    if tables.ragged:
        return list(map(int, tables.ids[tables.offsets[table] : tables.offsets[table + 1]]))
    return list(map(int, np.flatnonzero(tables.mask[table])))


def snapshot(tables: kibitz.Tables) -> dict[str, npt.NDArray[Any]]:
    return {name: getattr(tables, name).copy() for name in (RAGGED if tables.ragged else ARRAYS)}


def run(tables: kibitz.Tables, steps: int, seed: int = 0) -> Iterator[dict[str, npt.NDArray[Any]]]:
    """Random steps; yields copies of the arrays after each."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        tables.step(random_actions(tables, rng))
        yield snapshot(tables)


def assert_equal_runs(one: kibitz.Tables, two: kibitz.Tables, steps: int = 150) -> None:
    for left, right in zip(run(one, steps), run(two, steps), strict=True):
        for name in ARRAYS:
            np.testing.assert_array_equal(left[name], right[name], err_msg=name)


# ------------------------------------------------------------------------------------------------- the arrays


@pytest.mark.parametrize("encoder", [None, "li", "brown", "brown-fair", "full"])
def test_shapes_and_types(encoder: str | None) -> None:
    game = kibitz.make("uno", players=3)
    tables = kibitz.Tables(game, 7, encoder=encoder)
    size = game.encoders[encoder or "li"].size
    assert (tables.batch, tables.encoder) == (7, encoder or "li")
    shapes: dict[str, tuple[tuple[int, ...], Any]] = {
        "obs": ((7, size), np.float32),
        "mask": ((7, game.num_actions), np.bool_),
        "seat": ((7,), np.int32),
        "acted": ((7,), np.int32),
        "done": ((7,), np.bool_),
        "payoff": ((7, 3), np.float32),
    }
    for name, (shape, dtype) in shapes.items():
        array = getattr(tables, name)
        assert array.shape == shape, name
        assert array.dtype == dtype, name
    assert (tables.acted == -1).all()
    assert not tables.done.any()
    assert not tables.payoff.any()


def test_arrays_are_updated_in_place() -> None:
    tables = kibitz.Tables(rlcard(), 16)
    arrays = {name: getattr(tables, name) for name in ARRAYS}
    before = snapshot(tables)
    for _ in run(tables, 5):
        pass
    for name, array in arrays.items():
        assert getattr(tables, name) is array
        assert np.shares_memory(array, getattr(tables._native, name).view(array.dtype))
    assert (arrays["obs"] != before["obs"]).any()
    assert (arrays["mask"] != before["mask"]).any()


def test_arrays_outlive_their_tables() -> None:
    tables = kibitz.Tables(rlcard(), 64)
    obs, kept = tables.obs, tables.obs.copy()
    del tables
    others = [kibitz.Tables(rlcard(), 64, seed=seed) for seed in range(5)]
    assert len(others) == 5
    np.testing.assert_array_equal(obs, kept)


# ------------------------------------------------------------------------------------------------- laws of a step


@pytest.mark.parametrize("variant", native_variants(), ids=str)
@pytest.mark.parametrize("opponents", [None, "random", "rules"])
def test_laws_of_a_step(variant: Variant, opponents: str | None) -> None:
    game = variant.make()
    if opponents is not None and opponents not in game.native_agents:
        pytest.skip(f"{game.name} has no {opponents}")
    tables = kibitz.Tables(game, 12, opponents, seed=4)
    low, high = game.payoff_range
    seats = tables.seat.copy()
    finished = 0
    for now in run(tables, 150):
        assert all(legal_at(tables, table) for table in range(12))
        assert set(now["seat"].tolist()) <= set(range(game.players))
        np.testing.assert_array_equal(now["acted"], seats)
        assert np.isfinite(now["obs"]).all()
        assert not now["payoff"][~now["done"]].any()
        assert low <= now["payoff"].min()
        assert now["payoff"].max() <= high
        if game.zero_sum:
            np.testing.assert_allclose(now["payoff"].sum(axis=1), 0, atol=1e-3)
        seats = now["seat"]
        finished += int(now["done"].sum())
    assert finished > 0 or opponents is None  # random official games are long


def legal_from_planes(planes: npt.NDArray[np.float32]) -> set[int]:
    """The legal actions under rlcard rules, from the `li` planes alone: hand held 0, 1, 2 times, and target."""
    held = (planes[1] + planes[2]) > 0
    ((colour, trait),) = np.argwhere(planes[3])
    fits = held.copy()
    fits[:, 13:] = False
    fits &= (np.arange(4)[:, None] == colour) | ((np.arange(15) == trait) & (trait < 13))
    fits[:, 13] = held[:, 13]
    if not fits.any():
        fits[:, 14] = held[:, 14]
    return {int(action) for action in np.flatnonzero(fits)} or {60}


@pytest.mark.parametrize("players", [2, 4])
def test_mask_is_what_the_observation_allows(players: int) -> None:
    tables = kibitz.Tables(rlcard(players), 16, encoder="li", seed=8)
    for now in run(tables, 100):
        for table in range(16):
            legal = set(np.flatnonzero(now["mask"][table]).tolist())
            assert legal == legal_from_planes(now["obs"][table].reshape(4, 4, 15))


# ------------------------------------------------------------------------------------------------- the games


@pytest.mark.parametrize("variant", native_variants(), ids=str)
def test_the_first_game_of_a_table_is_the_deal_of_its_seed(variant: Variant) -> None:
    """Self-play, followed by hand from deal(mix(seed, table)) to the end, every array compared."""
    game = variant.make()
    name = next(name for name, encoder in game.encoders.items() if not encoder.peeks)
    tables = kibitz.Tables(game, 3, encoder=name, seed=21)
    states = {table: game.deal(mix(21, table)) for table in range(3)}
    rng = np.random.default_rng(0)
    for _ in range(400):
        for table, state in states.items():
            assert tables.seat[table] == state.to_act
            assert legal_at(tables, table) == state.legal()
            np.testing.assert_array_equal(tables.obs[table], state.view(state.to_act).encode(name).ravel())
        actions = random_actions(tables, rng)
        tables.step(actions)
        for table, state in list(states.items()):
            state.apply(int(actions[table]))
            assert tables.done[table] == state.over
            if state.over:
                np.testing.assert_allclose(tables.payoff[table], state.payoffs, rtol=1e-6)
                del states[table]


@pytest.mark.parametrize("opponent", ["random", "rules"])
def test_opponents_play_as_they_do_elsewhere(opponent: str) -> None:
    """The first game again, with the opponents' moves made here by the same native agent from the same stream."""
    game, seed = rlcard(3), 6
    tables = kibitz.Tables(game, 3, opponent, seed=seed)
    agent = game.native_agent(opponent)
    rng = np.random.default_rng(0)
    states, streams = [game.deal(mix(seed, table)) for table in range(3)], [Rng(mix(seed, t)) for t in range(3)]
    for stream in streams:
        stream.next(), stream.next()  # what the deal took
    learners = tables.seat.copy()
    playing = set(range(3))
    while playing:
        for table in playing:
            state = states[table]
            assert tables.seat[table] == learners[table]
            follow(state, int(learners[table]), agent, streams[table])
            assert np.flatnonzero(tables.mask[table]).tolist() == state.legal()
        actions = random_actions(tables, rng)
        tables.step(actions)
        for table in list(playing):
            states[table].apply(int(actions[table]))
            follow(states[table], int(learners[table]), agent, streams[table])
            assert tables.done[table] == states[table].over
            if states[table].over:
                assert tables.payoff[table].tolist() == states[table].payoffs
                playing.remove(table)


def follow(state: Any, learner: int, agent: Any, stream: Rng) -> None:
    while not state.over and state.to_act != learner:
        state.apply(agent.act(state.view(state.to_act), stream))


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_learner_moves_on_by_one_seat_after_every_game(players: int) -> None:
    tables = kibitz.Tables(rlcard(players), 2 * players, "random", seed=1)
    seats = tables.seat.copy()
    assert sorted(seats) == sorted(list(range(players)) * 2)  # evenly from the start
    games = np.zeros(2 * players, int)
    for now in run(tables, 300):
        np.testing.assert_array_equal(now["acted"], seats)
        np.testing.assert_array_equal(now["seat"], (seats + now["done"]) % players)
        seats = now["seat"]
        games += now["done"]
    assert games.min() > players


def test_some_learners_among_opponents() -> None:
    tables = kibitz.Tables(rlcard(4), 8, ["rules", None, "random"], seed=3)
    first = {table: {int(tables.seat[table])} for table in range(8)}
    playing = set(first)
    for now in run(tables, 200):
        playing -= set(np.flatnonzero(now["done"]).tolist())
        for table in playing:
            first[table].add(int(now["seat"][table]))
    for seats in first.values():  # players 0 and 2 learn: always opposite seats
        assert seats <= {0, 2} or seats <= {1, 3}
    assert {len(seats) for seats in first.values()} == {2}


def test_in_self_play_every_seat_learns() -> None:
    tables = kibitz.Tables(rlcard(3), 8)
    assert {seat for now in run(tables, 30) for seat in now["seat"].tolist()} == {0, 1, 2}


# ------------------------------------------------------------------------------------------------- determinism


@pytest.mark.parametrize("opponents", [None, "random", ["rules", None]])
def test_same_seed_same_arrays_whatever_the_threads(opponents: Any) -> None:
    def make(**options: Any) -> kibitz.Tables:
        return kibitz.Tables(rlcard(), 33, opponents, **options)

    assert_equal_runs(make(seed=5), make(seed=5))
    assert_equal_runs(make(seed=5, threads=1), make(seed=5, threads=2))
    assert (make(seed=5).obs != make(seed=6).obs).any()


def test_a_table_does_not_depend_on_the_others() -> None:
    small, large = kibitz.Tables(rlcard(), 4, "rules", seed=2), kibitz.Tables(rlcard(), 9, "rules", seed=2)
    for _ in range(200):
        actions = np.argmax(large.mask, axis=1)
        large.step(actions)
        small.step(actions[:4])
        for name in ARRAYS:
            np.testing.assert_array_equal(getattr(small, name), getattr(large, name)[:4])


def test_run_is_the_same_for_any_threads_and_leaves_a_valid_table() -> None:
    one, two = kibitz.Tables(rlcard(), 40, seed=3), kibitz.Tables(rlcard(), 40, seed=3, threads=2)
    one.run(500, "random")
    two.run(200)
    two.run(300)
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    assert one.mask.any(axis=1).all()
    next(run(one, 1))  # and it can be stepped


# ------------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize("name", ["uno", "doudizhu"])
def test_advice_is_what_the_agent_does(name: str) -> None:
    """An agent that draws no random numbers where it is sure; the same whatever the threads."""
    game = kibitz.make(name)
    tables, other = (kibitz.Tables(game, 24, seed=3, threads=threads) for threads in (1, 2))
    state = game.deal(7)
    for turn in range(20):
        for tables_ in (tables, other):
            tables_.put(5, state)
        advice = tables.advise("rules", seed=turn)
        assert (advice == other.advise("rules", seed=turn)).all()
        assert state.view(state.to_act).legal().count(int(advice[5])) == 1
        drawn = {int(tables.advise("rules", seed=seed)[5]) for seed in range(30)}
        agent = kibitz.agent("rules")
        found = set()
        for seed in range(30):
            agent.begin(seed)
            found.add(int(agent.act(state.view(state.to_act))))
        assert drawn & found  # where the rules like several actions as much, chance decides
        assert len(found) > 1 or drawn == found
        tables.step(advice)
        other.step(advice)
        state.apply(int(advice[5]))
        if state.to_act < 0:
            break


@pytest.mark.parametrize("action", [-1, 61, 1000, -(2**31), 2**31 - 1])
def test_an_illegal_action_names_its_table_and_moves_nothing(action: int) -> None:
    tables = kibitz.Tables(rlcard(), 6, "random", seed=1)
    twin = kibitz.Tables(rlcard(), 6, "random", seed=1)
    before = snapshot(tables)
    actions = np.argmax(tables.mask, axis=1)
    actions[4] = action
    with pytest.raises(ValueError, match=rf"{action}.*table 4.*legal"):
        tables.step(actions)
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(tables, name), before[name])
    assert_equal_runs(tables, twin, 50)  # what cannot be seen did not move either


def test_an_action_that_is_only_not_legal_now() -> None:
    tables = kibitz.Tables(rlcard(), 3)
    actions = np.argmax(tables.mask, axis=1)
    actions[2] = np.argmin(tables.mask[2])
    with pytest.raises(ValueError, match="table 2"):
        tables.step(actions)


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_large_numbers_do_not_wrap_round_to_legal_ones(dtype: type[np.int64 | np.uint64]) -> None:
    tables = kibitz.Tables(rlcard(), 3)
    actions = np.argmax(tables.mask, axis=1).astype(dtype) + dtype(2**32)
    before = snapshot(tables)
    with pytest.raises(ValueError, match=r"\S"):
        tables.step(actions)
    np.testing.assert_array_equal(tables.obs, before["obs"])


@pytest.mark.parametrize(
    "actions",
    [[60], [60] * 4, [[60, 60, 60]], 60, [], [60.0, 60.0, 60.0], ["a", "b", "c"], [None] * 3, [True, False, True]],
    ids=str,
)
def test_actions_of_a_wrong_shape_or_type(actions: Any) -> None:
    with pytest.raises(ValueError, match="3 whole numbers"):
        kibitz.Tables(rlcard(), 3).step(actions)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64])
def test_all_kinds_of_whole_numbers_do(dtype: Any) -> None:
    tables = kibitz.Tables(rlcard(), 5)
    wide = np.repeat(np.argmax(tables.mask, axis=1).astype(dtype), 2)
    tables.step(wide[::2])  # not contiguous
    assert (tables.acted >= 0).all()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"batch": 0}, "batch"),
        ({"batch": -3}, "batch"),
        ({"batch": 2**30}, "batch"),
        ({"encoder": "nope"}, "nope"),
        ({"encoder": ""}, "encoder"),
        ({"opponents": "nobody"}, "nobody"),
        ({"opponents": "human"}, "human"),
        ({"opponents": ["random"]}, "2 opponents"),
        ({"opponents": ["random"] * 3}, "2 opponents"),
        ({"opponents": []}, "2 opponents"),
        ({"opponents": 7}, "agent"),
        ({"opponents": "rules:nonsense=1"}, "nonsense"),
        ({"threads": -1}, "threads"),
        ({"threads": 100_000}, "threads"),
    ],
    ids=str,
)
def test_bad_arguments(arguments: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        kibitz.Tables(rlcard(), **({"batch": 4} | arguments))


def test_only_native_games_have_tables() -> None:
    from toy_game import ToyGame

    with pytest.raises(ValueError, match="toy"):
        kibitz.Tables(ToyGame(), 4)


@pytest.mark.parametrize("steps", [0, -1])
def test_run_needs_steps(steps: int) -> None:
    with pytest.raises(ValueError, match="steps"):
        kibitz.Tables(rlcard(), 4).run(steps)


# ------------------------------------------------------------------------------------------------- in the long run


def first_games(tables: kibitz.Tables, games: int) -> tuple[Floats, Floats, Floats]:
    """The first `games` games of every table (taking whatever ends in time would favour short ones): their lengths in
    steps, their payoffs [game, seat], and the payoff of who acted last."""
    done = np.zeros(tables.batch, int)
    begun = np.zeros(tables.batch, int)
    lengths: list[Floats] = []
    payoffs: list[Floats] = []
    mine: list[Floats] = []
    rng = np.random.default_rng(12)
    step = 0
    while done.min() < games:
        tables.step(random_actions(tables, rng))
        step += 1
        ended = np.flatnonzero(tables.done & (done < games))
        lengths.append((step - begun[ended]).astype(float))
        payoffs.append(tables.payoff[ended].astype(float))
        mine.append(tables.payoff[ended, tables.acted[ended]].astype(float))
        begun[tables.done] = step
        done += tables.done
    return np.concatenate(lengths), np.concatenate(payoffs), np.concatenate(mine)


def assert_same_mean(one: npt.ArrayLike, two: npt.ArrayLike) -> None:
    a, b = np.asarray(one, dtype=float), np.asarray(two, dtype=float)
    spread = (a.var(axis=0) / len(a) + b.var(axis=0) / len(b)) ** 0.5
    np.testing.assert_array_less(np.abs(a.mean(axis=0) - b.mean(axis=0)), 3.5 * spread + 1e-9)


@pytest.mark.parametrize("players", [2, 3])
def test_self_play_at_random_is_like_playouts(players: int) -> None:
    game = rlcard(players)
    lengths, payoffs, _ = first_games(kibitz.Tables(game, 256, seed=7), 24)
    many = game.playouts(50_000, seed=1)
    assert len(lengths) == 256 * 24
    assert_same_mean(lengths, many.lengths)
    assert_same_mean(payoffs, many.payoffs)


def test_random_against_random_is_like_playouts() -> None:
    game = rlcard(3)
    _, payoffs, _ = first_games(kibitz.Tables(game, 256, "random", seed=7), 24)
    assert_same_mean(payoffs, game.playouts(50_000, seed=1).payoffs)


def test_random_against_rules_is_like_a_match() -> None:
    game = rlcard(2)
    _, _, mine = first_games(kibitz.Tables(game, 256, "rules", seed=7), 24)
    agents = [game.native_agent("random"), game.native_agent("rules")]
    match = game.native_match(agents, [[0, 1], [1, 0]], 5, 0, 20_000)
    assert_same_mean(mine, match.payoffs[:, :, 0].ravel())
    assert mine.mean() < -0.05


# --- observations as bytes


@pytest.mark.parametrize("variant", native_variants(), ids=str)
def test_bytes_are_the_floats_of_binary_encoders(variant: Variant) -> None:
    game = variant.make()
    for name, encoder in game.encoders.items():
        if not encoder.binary:
            with pytest.raises(ValueError, match="features other than 0 and 1"):
                kibitz.Tables(game, 1, None, encoder=name, dtype="uint8")
            continue
        floats, small = (kibitz.Tables(game, 16, None, encoder=name, seed=3, dtype=d) for d in ("float32", "uint8"))
        for _ in range(12):
            assert small.obs.dtype == np.uint8
            assert set(np.unique(floats.obs)) <= {0.0, 1.0}
            assert np.array_equal(floats.obs, small.obs)
            assert np.array_equal(floats.mask, small.mask)
            for tables in (floats, small):
                tables.run(5)
        small.restore(floats.save())
        assert np.array_equal(floats.obs, small.obs)


def test_other_dtypes_are_refused() -> None:
    with pytest.raises(ValueError, match="dtype must be float32 or uint8, not 'int8'"):
        kibitz.Tables(kibitz.make("uno"), 1, dtype="int8")


def test_a_mask_that_was_written_to_makes_nothing_legal() -> None:
    tables = kibitz.Tables(kibitz.make("uno", rules="rlcard"), 4)
    actions = tables.mask.argmax(axis=1)
    illegal = int((~tables.mask[0]).argmax())
    tables.mask[:] = True
    actions[0] = illegal
    with pytest.raises(ValueError, match=f"action {illegal} is illegal at table 0"):
        tables.step(actions)
