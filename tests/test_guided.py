"""Searches with nets and with functions at their leaves: right, blind to what is hidden, repeatable, strict."""

from __future__ import annotations

import functools
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from test_search import late

import kibitz

Rows = npt.NDArray[np.float32]

GAMES: dict[str, dict[str, Any]] = {
    "uno": {"players": 3},
    "belote": {"scoring": "difference"},
    "mini_doudizhu": {},
    "tictactoe": {},
    "connect_four": {},
}
WIDE_PAYOFFS = {"belote": 162.0}


def made(name: str) -> Any:
    return kibitz.make(name, **GAMES[name])


def random_net(path: Path, game: Any, output: str = "q", seed: int = 1) -> Path:
    """Weights at random, outputs of the size of payoffs."""
    rng = np.random.default_rng(seed)
    encoder = next(iter(game.encoders))
    wide = game.num_actions if output == "q" else game.players
    sizes = [game.encoders[encoder].size, 16, wide]
    weights: dict[str, Any] = {}
    for i, (before, after) in enumerate(itertools.pairwise(sizes)):
        scale = WIDE_PAYOFFS.get(game.name, 1.0) if i else 1.0
        weights[f"{2 * i}.weight"] = scale * rng.normal(size=(after, before)) / before**0.5
        weights[f"{2 * i}.bias"] = scale * rng.normal(size=after) / 10
    file = path / f"{game.name}-{output}.safetensors"
    kibitz.save_net(file, weights, kibitz.net_metadata(game, encoder, output))
    return file


def constant_net(path: Path, game: Any, row: list[float], output: str, **more: Any) -> Path:
    encoder = next(iter(game.encoders))
    weights = {"0.weight": np.zeros((len(row), game.encoders[encoder].size)), "0.bias": np.array(row)}
    kibitz.save_net(path / "constant", weights, kibitz.net_metadata(game, encoder, output, **more))
    return path / "constant"


def think(agent: Any, view: Any, seed: int = 1) -> Any:
    made = kibitz.agent(agent)
    made.begin(seed)
    return made.think(view)


def shown(spec: str, state: Any) -> Any:
    return state if spec.startswith("cheat") else state.view(state.to_act)


def searches(game: Any) -> list[str]:
    return [name for name in ("uct", "cheat-uct", "ismcts", "pimc") if name in game.native_agents]


# ------------------------------------------------------------------------------------------- a net that knows the truth


@functools.cache
def tictactoe_states() -> tuple[tuple[Any, ...], tuple[tuple[float, ...], ...]]:
    """Every position with somebody to act, and the exact value of every action there (0 where it is illegal)."""
    game = kibitz.make("tictactoe")
    found: dict[int, Any] = {}
    queue = [game.deal(0)]
    while queue:
        state = queue.pop()
        key = state.view(state.to_act).key
        if key in found:
            continue
        found[key] = state
        for action in state.legal():
            child = state.copy()
            child.apply(action)
            if not child.over:
                queue.append(child)
    values = []
    for state in found.values():
        solved = game.solve(state, all_actions=True).values
        values.append(tuple(float(solved.get(action, 0)) for action in range(9)))
    return tuple(found.values()), tuple(values)


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One hidden unit per position, which is 1 there and 0 everywhere else."""
    states, values = tictactoe_states()
    game = states[0].game
    seen = np.array([state.view(state.to_act).encode("planes").ravel() for state in states])
    weights = {
        "0.weight": 2 * seen - 1,
        "0.bias": 1 - seen.sum(axis=1),
        "2.weight": np.array(values).T,
        "2.bias": np.zeros(9),
    }
    file = tmp_path_factory.mktemp("oracle") / "oracle.safetensors"
    kibitz.save_net(file, weights, kibitz.net_metadata(game, "planes", "q"))
    return file


def share_of_best(spec: str, states: list[Any], values: list[tuple[float, ...]]) -> float:
    right = 0
    for state, value in zip(states, values, strict=True):
        legal = state.legal()
        chosen = think(spec.replace("LEGAL", str(len(legal))), state.view(state.to_act)).best
        right += value[chosen] == max(value[action] for action in legal)
    return right / len(states)


def test_a_net_that_knows_needs_few_iterations(oracle: Path) -> None:
    states, values = tictactoe_states()
    some, their = list(states[::40]), list(values[::40])
    # Each action once is enough: behind it the net knows everything.
    for spec in ("uct:pick=mean", "ismcts:pick=mean", "mcs:threads=1"):
        assert share_of_best(f"{spec},iterations=LEGAL,net={oracle}", some, their) == 1, spec
    for spec in ("uct", "ismcts", "pimc:worlds=1", "mcs"):
        with_net = f"{spec}{',' if ':' in spec else ':'}iterations=100,net={oracle}"
        assert share_of_best(with_net, some, their) >= 0.98, spec
    assert share_of_best("uct:pick=mean,iterations=LEGAL", some, their) < 0.9


def test_a_function_that_knows_does_so_in_waves(oracle: Path) -> None:
    states, values = tictactoe_states()
    some, their = list(states[::40]), list(values[::40])
    net = kibitz.Net.load(oracle)
    agent = kibitz.GuidedSearch(
        "uct", lambda obs, seats: net.evaluate(obs), encoder="planes", output="q", wave=8, iterations=100
    )
    thoughts = agent.think_many([state.view(state.to_act) for state in some])
    right = sum(
        value[thought.best] == max(value[a] for a in thought.actions)
        for thought, value in zip(thoughts, their, strict=True)
    )
    assert right / len(some) >= 0.98


def test_finished_games_have_their_real_payoffs(tmp_path: Path) -> None:
    game = kibitz.make("tictactoe")
    state = game.deal(0)
    for move in ("a1", "b1", "a2", "b2"):
        state.apply(game.parse(move))
    net = constant_net(tmp_path, game, [-1.0] * 9, "q")  # everybody always thinks that he loses
    for search in ("uct:iterations=50", "mcs:iterations=50", "ismcts:iterations=50"):
        thought = think(f"{search},net={net}", state.view(0))
        values = dict(zip(thought.actions, thought.value, strict=True))
        assert values[game.parse("a3")] == 1.0
        if search.startswith("mcs"):
            assert values[game.parse("c3")] == 1.0  # the opponent thinks he loses: a promise of the net


# ------------------------------------------------------------------------------------------------ whose payoff is whose


def after_each_action(state: Any) -> dict[int, int]:
    """Who is to act after each action."""
    out = {}
    for action in state.legal():
        child = state.copy()
        child.apply(action)
        if not child.over:
            out[action] = child.to_act
    return out


def test_values_are_counted_from_the_seat_to_act(tmp_path: Path) -> None:
    game = kibitz.make("uno", players=3, rules="rlcard")
    row = [0.5, 0.25, -0.75]
    net = constant_net(tmp_path, game, row, "values")
    seen = set()
    for seed in range(20):
        state = late(game, seed, 5)
        if len(state.legal()) == 1:
            continue  # nothing to think about
        thought = think(f"cheat-mcs:iterations=60,net={net}", state)
        values = dict(zip(thought.actions, thought.value, strict=True))
        for action, seat in after_each_action(state).items():
            offset = (state.to_act - seat) % 3
            seen.add(offset)
            assert values[action] == pytest.approx(row[offset]), (seed, game.text(action))
    assert seen >= {1, 2}


def test_the_others_share_what_is_left(tmp_path: Path) -> None:
    uno = kibitz.make("uno", players=4)
    belote = kibitz.make("belote", scoring="difference")
    points = kibitz.make("belote", scoring="points")
    for game, best, total, others in [
        (uno, 0.6, None, -0.2),
        (belote, 30.0, None, -30.0),  # two partners against two
        (points, 100.0, 324, 62.0),
        (points, 100.0, 0, points.payoff_range[0]),  # kept within the range
    ]:
        row = [0.0] * (game.num_actions - 1) + [0.0]
        net = constant_net(tmp_path, game, [best for _ in row], "q", total=total)
        state = late(game, 1, 4)
        thought = think(f"cheat-mcs:iterations=60,net={net}", state)
        values = dict(zip(thought.actions, thought.value, strict=True))
        compared = 0
        for action, seat in after_each_action(state).items():
            same = game.teams[seat] == game.teams[state.to_act]
            compared += 1
            assert values[action] == pytest.approx(best if same else others), (game, game.text(action))
        assert compared


def test_only_legal_actions_count(tmp_path: Path) -> None:
    game = kibitz.make("tictactoe")
    net = constant_net(tmp_path, game, [0.9, 0.5, 0.1, 0, 0, 0, 0, 0, 0], "q")
    state = game.deal(0)
    state.apply(0)
    state.apply(8)
    thought = think(f"mcs:iterations=70,net={net}", state.view(0))
    values = dict(zip(thought.actions, thought.value, strict=True))
    assert values[1] == pytest.approx(-0.1)
    assert values[2] == pytest.approx(-0.5)


# ------------------------------------------------------------------------------------------------------ what is refused


def test_nets_for_something_else(tmp_path: Path) -> None:
    uno, three = kibitz.make("uno", players=2), kibitz.make("uno", players=3)
    file = random_net(tmp_path, uno)
    weights = {"0.weight": np.zeros((uno.num_actions, 5)), "0.bias": np.zeros(uno.num_actions)}

    def saved(metadata: dict[str, str]) -> Path:
        kibitz.save_net(tmp_path / "other", weights, metadata)
        return tmp_path / "other"

    base = {"game": "uno", "encoder": "li", "output": "q"}
    with pytest.raises(ValueError, match="the net is for the game 'uno', not for belote"):
        think(f"ismcts:net={file}", made("belote").deal(1).view(0))
    with pytest.raises(ValueError, match="the net is for uno with players=2, not 3"):
        think(f"ismcts:net={file}", late(three, 1, 0).view(late(three, 1, 0).to_act))
    view = late(uno, 1, 0).view(late(uno, 1, 0).to_act)
    for metadata, complaint in [
        (base, "the net takes 5 inputs, but the encoder 'li' gives 240"),
        (base | {"encoder": "lee"}, "encoder of uno: 'lee' is unknown; allowed: li"),
        (base | {"option.speed": "3"}, "the option 'speed', which is unknown"),
    ]:
        with pytest.raises(ValueError, match=f"net: .*{complaint}"):
            think(f"ismcts:net={saved(metadata)}", view)
    weights = {"0.weight": np.zeros((7, 240)), "0.bias": np.zeros(7)}
    with pytest.raises(ValueError, match="the net gives 7 outputs, but its output 'values' needs 2"):
        think(f"ismcts:net={saved(base | {'output': 'values'})}", view)
    for search in ("ismcts", "pimc", "mcs"):
        with pytest.raises(ValueError, match=r"there is no file .*nothing.*uno-2p"):
            think(f"{search}:net={tmp_path / 'nothing'}", view)
    (tmp_path / "broken").write_bytes(file.read_bytes()[:-1])
    with pytest.raises(ValueError, match=r"net: '.*broken': .*cut off"):
        think(f"ismcts:net={tmp_path / 'broken'}", view)
    with pytest.raises(ValueError, match="rollout and net exclude each other"):
        think(f"ismcts:net={file},rollout=rules", view)
    with pytest.raises(ValueError, match="net of agent 'ismcts' must be text"):
        think("ismcts:net=3", view)


def test_a_net_plays_on_where_the_tree_ends(tmp_path: Path) -> None:
    """Nothing is left to chance then: the value of an action is how the net's play against itself ends."""
    game = made("tictactoe")
    net = random_net(tmp_path, game)
    state = late(game, 2, 2)
    thought = think(f"mcs:iterations=60,rollout=net,net={net}", state.view(state.to_act))
    player = kibitz.agent(f"net:{net}")
    for action, value in zip(thought.actions, thought.value, strict=True):
        after = state.copy()
        after.apply(action)
        while after.to_act >= 0:
            after.apply(player.act(after.view(after.to_act)))
        assert value == after.payoffs[state.to_act]


def test_opponents_may_be_a_net(tmp_path: Path) -> None:
    """Even inside the tree: who always takes the last square of the list leaves a win to whoever looks ahead."""
    game = made("tictactoe")
    last = constant_net(tmp_path, game, [float(i) for i in range(game.num_actions)], "q")
    state = game.deal(0)
    alone = think(f"uct:iterations=3000,opponents=net,net={last}", state.view(0))
    assert max(value for value in alone.value if value is not None) > 0.9
    both = think("uct:iterations=3000", state.view(0))
    assert max(value for value in both.value if value is not None) < 0.6


@pytest.mark.parametrize("name", ["uno", "belote", "mini_doudizhu"])
def test_a_prior_counts_as_so_many_visits(tmp_path: Path, name: str) -> None:
    game = made(name)
    net = random_net(tmp_path, game)
    state = next(state for k in range(2, 20) if len((state := late(game, 3, k)).legal()) > 1)
    view = state.view(state.to_act)
    plain, said = think("mcs:iterations=90", view), think(f"net:{net}", view)
    mixed = think(f"mcs:iterations=90,prior=40,net={net}", view)
    assert mixed.actions == plain.actions == said.actions
    for value, visits, by_net, both in zip(plain.value, plain.visits, said.value, mixed.value, strict=True):
        assert both == pytest.approx((visits * value + 40 * by_net) / (visits + 40))
    assert mixed.visits == plain.visits
    assert think(f"mcs:iterations=90,prior=40,net={net}", view) == mixed


def test_a_net_that_is_named(tmp_path: Path) -> None:
    game = kibitz.make("uno", rules="rlcard", players=2)
    view = late(game, 1, 3).view(late(game, 1, 3).to_act)
    file = next(Path(kibitz.__file__).parent.glob("weights/uno-2p.safetensors"))
    for options in ("prior=40,net={}", "rollout=net,net={}", "net={}"):
        spec = f"mcs:iterations=50,{options}"
        assert think(spec.format("uno-2p"), view) == think(spec.format(file), view)


def test_nets_without_a_use_are_refused(tmp_path: Path) -> None:
    uno = made("uno")
    view = late(uno, 1, 0).view(late(uno, 1, 0).to_act)
    for options, complaint in [
        ("rollout=net", "rollout=net needs a network: net=FILE"),
        ("opponents=net", "opponents=net needs a network: net=FILE"),
        ("prior=10", "prior needs a network: net=FILE"),
        (f"prior=10,net={random_net(tmp_path, uno, 'values')}", "a network of payoffs"),
        (f"prior=-1,net={random_net(tmp_path, uno)}", "prior of agent 'mcs' must be"),
    ]:
        with pytest.raises(ValueError, match=complaint):
            think(f"mcs:{options}", view)
    peeking = tmp_path / "peeking"
    weights = {"0.weight": np.zeros((uno.num_actions, uno.encoders["brown"].size)), "0.bias": np.zeros(uno.num_actions)}
    kibitz.save_net(peeking, weights, kibitz.net_metadata(uno, "brown", "q"))
    with pytest.raises(ValueError, match="encoder reads nothing hidden"):
        think(f"mcs:prior=10,net={peeking}", view)


def test_q_where_it_cannot_tell_everybodys_payoff(tmp_path: Path) -> None:
    rlcard = kibitz.make("uno", players=3, rules="rlcard")  # everybody but the winner has -1
    net = constant_net(tmp_path, rlcard, [0.0] * rlcard.num_actions, "q")
    with pytest.raises(ValueError, match="output q needs total"):
        think(f"ismcts:net={net}", late(rlcard, 1, 0).view(late(rlcard, 1, 0).to_act))
    bidding = kibitz.make("doudizhu", bidding=True)
    assert bidding.partners_vary
    agent = kibitz.GuidedSearch("ismcts", lambda obs, seats: None, encoder="full", output="q")
    with pytest.raises(ValueError, match="partners who are found in the game; use values"):
        agent.think(bidding.deal(1).view(bidding.deal(1).to_act))


# ------------------------------------------------------------------------------------------------- blind and repeatable


@pytest.mark.parametrize("name", ["uno", "belote", "mini_doudizhu"])
@pytest.mark.parametrize("search", ["ismcts", "pimc", "mcs"])
def test_nothing_leaks(tmp_path: Path, name: str, search: str) -> None:
    game = made(name)
    net = random_net(tmp_path, game)
    state = late(game, 3, 6)
    view = state.view(state.to_act)
    spec = f"{search}:iterations=300,net={net}"
    thought = think(spec, view)
    assert think(spec, view) == thought
    guided = guided_by(net, search, wave=16, iterations=300) if search != "mcs" else None
    for seed in range(3):
        other = view.sample(seed).view(view.seat)
        assert think(spec, other) == thought
        if guided:
            assert think(guided, other) == think(guided, view)


def test_threads_change_nothing_but_the_time(tmp_path: Path) -> None:
    game = made("belote")
    view = game.deal(1).view(0)
    net = random_net(tmp_path, game)
    one = think(f"ismcts:iterations=400,trees=2,net={net}", view)
    assert think(f"ismcts:iterations=400,trees=2,threads=2,net={net}", view) == one
    assert think(f"pimc:iterations=400,threads=2,net={net}", view) == think(f"pimc:iterations=400,net={net}", view)


# ---------------------------------------------------------------------------------------------------------------- waves


class Counting:
    """A net as a function, which notes how it was asked."""

    def __init__(self, file: Path) -> None:
        self.net = kibitz.Net.load(file)
        self.batches: list[int] = []

    def __call__(self, obs: Rows, seats: npt.NDArray[np.int32]) -> Rows:
        assert obs.dtype == np.float32
        assert obs.shape == (len(seats), self.net.sizes[0])
        assert seats.dtype == np.int32
        self.batches.append(len(seats))
        return self.net.evaluate(obs)


def guided_by(file: Path, search: str, **options: Any) -> kibitz.GuidedSearch:
    function = Counting(file)
    return kibitz.GuidedSearch(search, function, encoder=function.net.encoder, output=function.net.output, **options)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("output", ["q", "values"])
def test_waves_of_one_are_the_search_of_the_core(tmp_path: Path, name: str, output: str) -> None:
    game = made(name)
    net = random_net(tmp_path, game, output)
    for search in searches(game):
        for moves in (0, 5, 30):
            state = late(game, moves, moves)
            extra = {"worlds": 5} if search == "pimc" else {"trees": 3}
            given = ",".join(f"{key}={value}" for key, value in extra.items())
            mine = guided_by(net, search, wave=1, iterations=200, **extra)
            core = think(f"{search}:iterations=200,{given},net={net}", shown(search, state))
            assert think(mine, shown(search, state)) == core, (search, moves)
            mine.begin(1)
            assert mine.act(shown(search, state)) == core.best


@pytest.mark.parametrize("name", ["uno", "tictactoe"])
def test_one_call_per_wave(tmp_path: Path, name: str) -> None:
    game = made(name)
    net = random_net(tmp_path, game)
    state = late(game, 1, 0)
    view = state.view(state.to_act)
    agent = guided_by(net, "ismcts", wave=64, iterations=1000)
    first = think(agent, view)
    assert sum(visits or 0 for visits in first.visits) == 1000
    batches = agent.evaluate.batches  # type: ignore[attr-defined]
    if name == "uno":
        assert batches[:-1] == [64] * (len(batches) - 1)
        assert len(batches) <= 17
    assert max(batches) <= 64
    assert think(agent, view) == first
    trees = guided_by(net, "ismcts", wave=64, trees=4, iterations=1000)
    assert sum(visits or 0 for visits in think(trees, view).visits) == 1000
    assert max(trees.evaluate.batches) <= 64  # type: ignore[attr-defined]


def test_what_waits_counts_as_lost_only_until_it_is_known(tmp_path: Path) -> None:
    game = made("connect_four")
    net = constant_net(tmp_path, game, [0.25] * game.num_actions, "q")
    thought = think(guided_by(net, "uct", wave=50, iterations=7), game.deal(0).view(0))
    # The seven replies once each: the value is what the net says for the opponent, and no trace of the loss is left.
    assert thought.value == pytest.approx([-0.25] * 7)
    assert thought.visits == [1] * 7


def test_many_searches_are_the_same_as_one_by_one(tmp_path: Path) -> None:
    game = made("belote")
    net = random_net(tmp_path, game)
    views = [late(game, seed, seed) for seed in range(12)]
    views = [state.view(state.to_act) for state in views]
    for search in ("ismcts", "pimc"):
        agent = guided_by(net, search, wave=8, iterations=100, **({"worlds": 4} if search == "pimc" else {}))
        agent.begin(3)
        alone = [agent.think(view) for view in views]
        asked = len(agent.evaluate.batches)  # type: ignore[attr-defined]
        agent.begin(3)
        assert agent.think_many(views) == alone
        together = agent.evaluate.batches[asked:]  # type: ignore[attr-defined]
        assert len(together) < asked / 5
        assert max(together) > 8
    assert agent.think_many([]) == []


def test_a_guided_agent_plays_matches(tmp_path: Path) -> None:
    game = made("tictactoe")
    agent = guided_by(random_net(tmp_path, game), "uct", iterations=20, wave=4)
    assert kibitz.play(game, [agent, "random"], games=10, seed=1).games == 10
    apart = kibitz.play(game, [agent, "random"], games=10, seed=1, threads=2)  # in other processes
    assert apart.agents[0].win_rate == kibitz.play(game, [agent, "random"], games=10, seed=1).agents[0].win_rate
    ms = guided_by(random_net(tmp_path, game), "uct", ms=20, wave=4)
    assert think(ms, game.deal(0).view(0)).best in range(9)


def test_errors_of_the_function_come_through() -> None:
    game = made("tictactoe")
    view = game.deal(0).view(0)

    def broken(obs: Rows, seats: npt.NDArray[np.int32]) -> Rows:
        raise RuntimeError("out of memory, say")

    def search(function: Any, output: str = "q", **options: Any) -> Any:
        return kibitz.GuidedSearch("uct", function, encoder="planes", output=output, iterations=50, **options)

    with pytest.raises(RuntimeError, match="out of memory, say"):
        search(broken).think(view)
    for function, complaint in [
        (lambda obs, seats: np.zeros((len(seats), 8)), r"numbers of shape \[\d+, 9\], not float64 of shape \[\d+, 8\]"),
        (lambda obs, seats: np.zeros(9), r"not float64 of shape \[9\]"),
        (lambda obs, seats: None, "not object"),
        (lambda obs, seats: np.full((len(seats), 9), "a"), "not <U1"),
        (lambda obs, seats: np.full((len(seats), 9), np.nan), "what evaluate returns must be finite"),
        (lambda obs, seats: np.full((len(seats), 9), 1e300), "what evaluate returns must be finite"),
    ]:
        with pytest.raises(ValueError, match=complaint):
            search(function).think(view)
    with pytest.raises(ValueError, match=r"\[\d+, 2\]"):
        search(lambda obs, seats: np.zeros((len(seats), 9)), "values").think(view)


def test_options_of_guided_searches() -> None:
    game = made("uno")
    state = late(game, 1, 0)
    view = state.view(state.to_act)

    def search(name: str = "ismcts", encoder: str = "li", output: str = "q", **options: Any) -> Any:
        zeros = kibitz.GuidedSearch(
            name, lambda obs, seats: np.zeros((len(seats), 61)), encoder=encoder, output=output, **options
        )
        return zeros.think(view)

    wrong: list[tuple[dict[str, Any], str]] = [
        ({"name": "uct"}, "search in waves of uno: 'uct' is unknown; allowed: ismcts, pimc, cheat-uct"),
        ({"name": "cheat-uct"}, "peeks: it needs a state, not a view"),
        ({"encoder": "lee"}, "encoder of uno: 'lee' is unknown"),
        ({"output": "policy"}, "allowed: q, values"),
        ({"wave": 0}, "wave of agent 'ismcts' must be a whole number from 1"),
        ({"threads": 2}, "searches in waves have one thread"),
        ({"speed": 2}, "unknown option 'speed'"),
    ]
    for options, complaint in wrong:
        with pytest.raises(ValueError, match=complaint):
            search(**options)
    with pytest.raises(ValueError, match="evaluate must be callable"):
        kibitz.GuidedSearch("ismcts", 3, encoder="li", output="q")  # type: ignore[arg-type]
    zeros = kibitz.GuidedSearch("ismcts", lambda obs, seats: np.zeros((len(seats), 61)), encoder="li", output="q")
    with pytest.raises(ValueError, match="belongs to game 'belote', not to 'uno'"):
        zeros.think_many([view, made("belote").deal(1).view(0)])
    other = kibitz.make("uno", players=2).deal(1)
    with pytest.raises(ValueError, match="other options"):
        zeros.think_many([view, other.view(other.to_act)])
    with pytest.raises(ValueError, match="not to act"):
        zeros.think(state.view((state.to_act + 1) % 3))
