"""All worlds of a view, and the exact methods over them (minimax, expectimax), against slow and obvious ones."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from scipy import stats

import kibitz

MINI = kibitz.make("mini_doudizhu")


def after(state: Any, action: int) -> Any:
    out = state.copy()
    out.apply(action)
    return out


def play_randomly(game: Any, seed: int, decisions: int) -> Any:
    """A state after some random decisions, or fewer where the game would end."""
    rng = kibitz._core.Rng(seed)
    state = game.deal(seed)
    for _ in range(decisions):
        legal = state.legal()
        following = after(state, legal[rng.below(len(legal))])
        if following.over:
            break
        state = following
    return state


def think(game: Any, spec: str, shown: Any, seed: int = 1) -> Any:
    agent: Any = kibitz.agent(spec)
    return game.native_agent(agent.native_name, agent.options).think(shown, kibitz._core.Rng(seed))


# --- worlds


def worlds_by_cards(state: Any) -> Counter[str]:
    """The other's hand in Mini Dou Di Zhu, counted over all physical cards that seat 0 cannot see."""
    position = MINI.position(state)
    seen = position["hands"][0] + "".join(position["played"])
    unseen = [rank for rank in "3456BR" for _ in range("3333444455556666BR".count(rank) - seen.count(rank))]
    return Counter("".join(cards) for cards in itertools.combinations(unseen, len(position["hands"][1])))


@pytest.mark.parametrize("seed", range(8))
def test_worlds_of_mini_doudizhu_are_all_there_are(seed: int) -> None:
    state = play_randomly(MINI, seed, seed)
    view = state.view(0)
    listed = view.all_worlds()
    assert all(world.view(0).key == view.key for world, _ in listed)
    found = {MINI.position(world)["hands"][1]: weight for world, weight in listed}
    assert len(found) == len(listed)
    assert found == worlds_by_cards(state)
    assert sum(found.values()) == view.worlds()


def test_worlds_are_drawn_in_proportion_to_their_weights() -> None:
    view = play_randomly(MINI, 5, 3).view(0)
    weights = {MINI.position(world)["hands"][1]: weight for world, weight in view.all_worlds()}
    n = 20_000
    drawn = Counter(MINI.position(view.sample(seed))["hands"][1] for seed in range(n))
    expected = [n * weight / sum(weights.values()) for weight in weights.values()]
    assert set(drawn) <= set(weights)
    assert stats.chisquare([drawn[hand] for hand in weights], expected).pvalue > 1e-4


@pytest.mark.parametrize("options", [{"cards": 12}, {"cards": 12, "rules": "olech"}, {"cards": 32}])
def test_worlds_of_belote_are_all_there_are(options: dict[str, Any]) -> None:
    game = kibitz.make("belote", **options)
    for seed in range(12):
        view_of = play_randomly(game, seed, 16 + seed if options["cards"] == 32 else seed)
        view = view_of.view(view_of.to_act)
        if view.worlds() > 5_000:
            continue
        listed = view.all_worlds()
        assert len({str(game.position(world)) for world, _ in listed}) == len(listed) == view.worlds()
        assert all(world.view(view.seat).key == view.key and weight == 1 for world, weight in listed)
    assert len(kibitz.make("belote", cards=12).deal(1).view(0).all_worlds()) == 1_680


def test_worlds_of_belote_are_drawn_evenly() -> None:
    game = kibitz.make("belote", cards=12)
    state = play_randomly(game, 3, 5)
    view = state.view(state.to_act)
    listed = [str(game.position(world)) for world, _ in view.all_worlds()]
    assert len(listed) > 5
    n = 40 * len(listed)
    drawn = Counter(str(game.position(view.sample(seed))) for seed in range(n))
    assert set(drawn) <= set(listed)
    assert stats.chisquare([drawn[world] for world in listed]).pvalue > 1e-4


def test_too_many_worlds_are_refused() -> None:
    for options in ({"cards": 32}, {"cards": 32, "bidding": True}):
        view = kibitz.make("belote", **options).deal(1).view(0)
        with pytest.raises(ValueError, match="too many worlds to list: more than 100000"):
            view.all_worlds()
    boards = kibitz.make("tictactoe").deal(0)
    assert boards.view(0).all_worlds() == [(boards, 1)]


# --- minimax


def slow_minimax(state: Any, seat: int, epsilon: float, memory: dict[Any, float]) -> float:
    """For `seat`, with the tie-break of Whitehouse, Powley and Cowling."""
    if state.over:
        return float(state.payoffs[seat])
    key = (str(state), epsilon, seat)
    if key not in memory:
        values = [slow_minimax(after(state, action), seat, epsilon, memory) for action in state.legal()]
        best = max(values) if state.to_act == seat else min(values)
        memory[key] = best + epsilon * sum(values) / len(values)
    return memory[key]


def slow_votes(state: Any, epsilon: float, split: bool) -> tuple[list[float], list[float]]:
    """Shares and mean values, from all worlds of the seat to act."""
    seat, legal = state.to_act, state.legal()
    memory: dict[Any, float] = {}
    votes, sums = [0.0] * len(legal), [0.0] * len(legal)
    worlds = state.view(seat).all_worlds()
    total = sum(weight for _, weight in worlds)
    for world, weight in worlds:
        values = [slow_minimax(after(world, action), seat, epsilon, memory) for action in legal]
        best = [i for i, value in enumerate(values) if value > max(values) - 1e-9]
        for i in best if split else best[:1]:
            votes[i] += weight / total / (len(best) if split else 1)
        sums = [a + value * weight / total for a, value in zip(sums, values, strict=True)]
    return votes, sums


def late(state: Any) -> bool:
    return sum(len(hand) for hand in MINI.position(state)["hands"]) <= 10


def endings(count: int) -> Iterator[Any]:
    """States of Mini Dou Di Zhu with a choice, few cards and several worlds."""
    for seed in itertools.count():
        state = play_randomly(MINI, seed, 5 + seed % 3)
        if late(state) and len(state.legal()) > 1 and len(state.view(state.to_act).all_worlds()) > 2:
            yield state
            count -= 1
            if count == 0:
                return


@pytest.mark.parametrize(("epsilon", "ties"), [(0.0, "first"), (0.0, "split"), (0.001, "first")])
def test_minimax_votes_like_brute_force(epsilon: float, ties: str) -> None:
    for state in endings(8):
        votes, means = slow_votes(state, epsilon, ties == "split")
        thought = think(MINI, f"minimax:tie_break={epsilon},ties={ties}", state.view(state.to_act))
        assert thought.shares == pytest.approx(votes)
        assert thought.values == pytest.approx(means)
        best = think(MINI, f"solver-pimc:worlds=all,tie_break={epsilon}", state.view(state.to_act))
        assert best.values == pytest.approx(means)
        assert best.shares.index(1) == max(range(len(means)), key=lambda i: best.values[i])


def test_cheating_minimax_plays_the_exact_best_move() -> None:
    for state in itertools.chain(endings(6), (MINI.deal(seed) for seed in range(4))):
        for epsilon in (0.0, 0.001):
            solution = MINI.solve(state, all_actions=True, tie_break=epsilon)
            thought = think(MINI, f"cheat-minimax:tie_break={epsilon}", state)
            assert thought.values == pytest.approx(list(solution.values.values()))
            assert thought.actions[thought.shares.index(1)] == solution.best
    agent = kibitz.agent("cheat-minimax")
    assert agent.peeks
    with pytest.raises(ValueError, match="peeks"):
        agent.act(MINI.deal(1).view(0))


def test_where_nothing_is_hidden_both_are_plain_minimax() -> None:
    game = kibitz.make("tictactoe")
    memory: dict[Any, float] = {}
    for seed in range(40):
        state = play_randomly(game, seed, seed % 8)
        want = [slow_minimax(after(state, action), state.to_act, 0, memory) for action in state.legal()]
        if len(want) == 1:
            continue
        for spec in ("minimax", "expectimax"):
            thought = think(game, spec, state.view(state.to_act))
            assert thought.values == want
            assert thought.shares.index(1) == want.index(max(want))
    assert "cheat-minimax" not in game.native_agents


# --- expectimax


def slow_expectimax(worlds: list[tuple[Any, float]], seat: int, memory: dict[Any, float]) -> float:
    """The definition, word by word: a list of worlds that look the same to `seat`, with their weights."""
    first = worlds[0][0]
    if first.over:
        return float(sum(p * w.payoffs[seat] for w, p in worlds) / sum(p for _, p in worlds))
    key = first.view(seat).key
    if key not in memory:
        if first.to_act == seat:
            memory[key] = max(slow_action(worlds, seat, action, memory) for action in first.legal())
        else:
            sign = 1 if game_team(first, first.to_act) == game_team(first, seat) else -1
            values = {}
            for action in {action for world, _ in worlds for action in world.legal()}:
                for look, node in looks([(w, p) for w, p in worlds if action in w.legal()], seat, action).items():
                    values[action, look] = sign * slow_expectimax(node, seat, memory)
            mean = sum(
                p * max(values[action, after(w, action).view(seat).key] for action in w.legal()) for w, p in worlds
            ) / sum(p for _, p in worlds)
            memory[key] = sign * mean
    return memory[key]


def slow_action(worlds: list[tuple[Any, float]], seat: int, action: int, memory: dict[Any, float]) -> float:
    nodes = looks(worlds, seat, action).values()
    whole = sum(p for _, p in worlds)
    return sum(sum(p for _, p in node) * slow_expectimax(node, seat, memory) for node in nodes) / whole


def looks(worlds: list[tuple[Any, float]], seat: int, action: int) -> dict[int, list[tuple[Any, float]]]:
    """The worlds after an action, by what the seat then sees: the same action may look different."""
    out: dict[int, list[tuple[Any, float]]] = {}
    for world, p in worlds:
        then = after(world, action)
        out.setdefault(then.view(seat).key, []).append((then, p))
    return out


def game_team(state: Any, seat: int) -> int:
    return int(state.game.teams[seat])


def check_expectimax(game: Any, state: Any) -> None:
    view, memory = state.view(state.to_act), dict[Any, float]()
    want = [slow_action(view.all_worlds(), view.seat, action, memory) for action in state.legal()]
    thought = think(game, "expectimax", view)
    assert thought.values == pytest.approx(want)
    chosen = thought.shares.index(1)
    assert want[chosen] == pytest.approx(max(want))
    assert all(value < want[chosen] - 1e-9 for value in want[:chosen])


def test_expectimax_equals_its_definition_near_the_end() -> None:
    for state in endings(25):
        check_expectimax(MINI, state)


def test_expectimax_equals_its_definition_in_belote() -> None:
    game = kibitz.make("belote", cards=12)
    checked = 0
    for seed in range(30):
        state = play_randomly(game, seed, 5 + seed % 3)
        if len(state.legal()) > 1:
            check_expectimax(game, state)
            checked += 1
    assert checked > 5


@pytest.mark.parametrize("seed", [886, 1116])
def test_expectimax_tells_apart_what_an_action_shows(seed: int) -> None:
    """A king or queen of trumps tells whether its player has the other one, too: the same card, but not the same
    sight."""
    game = kibitz.make("belote", scoring="difference")
    state, rng = game.deal(seed), random.Random(seed)
    for _ in range(18 + seed % 4):
        state.apply(rng.choice(state.legal()))
    check_expectimax(game, state)


def test_expectimax_equals_its_definition_from_the_deal() -> None:
    for hands, first in ((["3344455", "33456BR"], ""), (["4556BR6", "3334446"], "5"), (["3445566", "3345566"], "")):
        state = MINI.from_position({"hands": hands})
        check_expectimax(MINI, after(state, MINI.parse(first)) if first else state)


def test_sampled_worlds_come_close() -> None:
    view = MINI.deal(3).view(0)
    exact = think(MINI, "expectimax", view)
    near = think(MINI, "expectimax:worlds=400", view)
    assert near.iterations == 400
    assert near.values == pytest.approx(exact.values, abs=0.2)


# Seat 1 may beat the 6 with its joker or pass.
FUSION = MINI.from_position(
    {"to_act": 1, "to_beat": "6", "hands": ["33456", "445B"], "played": ["36", "46R"]},
)


def test_strategy_fusion_fools_minimax_but_not_expectimax() -> None:
    """After the joker many worlds are won, but not by the same lead: who does not know the world had better pass."""
    view = FUSION.view(FUSION.to_act)
    fused = [
        think(MINI, spec, view) for spec in ("minimax", "solver-pimc:worlds=all", "pimc:worlds=all,iterations=50000")
    ]
    exact = think(MINI, "expectimax", view)
    right = exact.shares.index(1)
    others = sorted(exact.values)
    assert others[-1] - others[-2] > 0.1
    for thought in fused:
        assert thought.shares[right] < max(thought.shares)
    assert fused[1].values[fused[1].shares.index(1)] > exact.values[right]
    for spec in ("ismcts:iterations=200000", "mo-ismcts:iterations=200000"):
        trees = think(MINI, spec, view)
        assert trees.shares[right] == max(trees.shares), spec


# --- no leak, inference, options


NO_PEEKING = [
    "minimax",
    "minimax:tie_break=0.001,ties=split",
    "minimax:worlds=7",
    "expectimax",
    "expectimax:worlds=7",
    "pimc:worlds=all,iterations=500",
    "minimax:inference=expectimax",
    "expectimax:inference=random",
    "pimc:worlds=5,iterations=500,inference=minimax",
    "ismcts:iterations=500,inference=minimax",
    "mo-ismcts:iterations=500,inference=expectimax",
]


def played_from(hands: list[str], actions: list[str]) -> Any:
    state = MINI.from_position({"hands": hands})
    for text in actions:
        state.apply(MINI.parse(text))
    return state


@pytest.mark.parametrize("spec", NO_PEEKING)
def test_the_thought_does_not_depend_on_what_is_hidden(spec: str) -> None:
    actions = ["33", "44", "pass", "5", "6", "B"]
    states = [played_from(["3344556", other], actions) for other in ("44366B5", "4433RB5", "44566B5")]
    thoughts = [think(MINI, spec, state.view(0)) for state in states]
    for thought in thoughts[1:]:
        assert thought.values == thoughts[0].values
        assert thought.shares == thoughts[0].shares


@pytest.mark.parametrize("spec", ["minimax", "minimax:worlds=9", "expectimax", "pimc:worlds=all,iterations=2000"])
def test_belote_does_not_leak_either(spec: str) -> None:
    game = kibitz.make("belote", cards=12)
    state = play_randomly(game, 1, 4)
    view = state.view(state.to_act)
    thoughts = [think(game, spec, world.view(view.seat)) for world, _ in view.all_worlds()[::9]]
    assert len(thoughts) > 2
    assert all(thought.values == thoughts[0].values for thought in thoughts)


def slow_posterior(state: Any, seat: int, choice: Any) -> dict[str, float]:
    """The other hand's odds: deals of the other's seven cards in which `choice(view)` gives what it did play."""
    position = MINI.position(state)
    own = position["hands"][seat] + position["played"][seat]
    found: dict[str, float] = {}
    for deal, weight in MINI.deals():
        hands = MINI.position(deal)["hands"]
        if sorted(hands[seat]) != sorted(own):
            continue
        odds, world = float(weight), deal
        for mover, action in state.history:
            if action not in world.legal():
                odds = 0
                break
            if mover != seat:
                odds *= choice(world.view(mover), action)
            world = after(world, action)
        if odds:
            found[MINI.position(world)["hands"][1 - seat]] = odds
    return found


@pytest.mark.parametrize("model", ["random", "minimax", "expectimax"])
def test_inference_is_the_rule_of_bayes(model: str) -> None:
    """The odds of all worlds, and the mean over them that the search comes to."""

    def choice(view: Any, action: int) -> float:
        if model == "random":
            return 1 / len(view.legal())
        return float(kibitz.agent(model).act(view) == action)

    informed = 0
    for seed in range(6):
        state = MINI.deal(seed)
        for _ in range(4):
            state = after(state, kibitz.agent("minimax").act(state.view(state.to_act)))
            if state.over:
                break
        if state.over or len(state.legal()) == 1:
            continue
        view = state.view(state.to_act)
        want = slow_posterior(state, view.seat, choice)
        if not want:
            continue
        informed += 1
        weighed = MINI.native_agent("minimax", {"inference": model}).worlds(view)
        odds = {MINI.position(world)["hands"][1 - view.seat]: p for world, p in weighed}
        assert {hand for hand, p in odds.items() if p} == set(want)
        assert all(odds[hand] == pytest.approx(weight / sum(want.values())) for hand, weight in want.items())
        memory: dict[Any, float] = {}
        means = [
            sum(p * slow_minimax(after(world, action), view.seat, 0, memory) for world, p in weighed if p)
            for action in state.legal()
        ]
        assert think(MINI, f"minimax:inference={model}", view).values == pytest.approx(means)
    assert informed > 1


def test_the_right_model_finds_out_more() -> None:
    """Against expectimax, the true deal becomes ever likelier to who knows that it is expectimax."""
    told = {"none": 0.0, "random": 0.0, "expectimax": 0.0}
    for seed in range(12):
        state = MINI.deal(seed)
        for _ in range(4):
            following = after(state, kibitz.agent("expectimax").act(state.view(state.to_act)))
            if following.over:
                break
            state = following
        for model in told:
            view = state.view(0)
            worlds = MINI.native_agent("minimax", {"inference": model}).worlds(view)
            assert sum(p for _, p in worlds) == pytest.approx(1)
            told[model] += sum(p for world, p in worlds if world == state) / 12
    assert told["expectimax"] > 2 * told["none"]
    with pytest.raises(ValueError, match="does not weigh worlds"):
        MINI.native_agent("random", {}).worlds(view)


def test_a_model_that_is_contradicted_tells_nothing() -> None:
    state = played_from(["3344556", "4455B66"], ["6", "pass", "5", "pass", "33", "pass"])
    for model in ("minimax", "expectimax"):
        thought = think(MINI, f"minimax:inference={model}", state.view(0))
        doubting = think(MINI, f"minimax:inference={model},doubt=0.2", state.view(0))
        assert sum(thought.shares) == pytest.approx(1) == sum(doubting.shares)
    alone = think(MINI, "minimax:inference=random,doubt=0.5", MINI.from_position(MINI.position(state.view(0))))
    assert alone.values == pytest.approx(think(MINI, "minimax", state.view(0)).values)


def test_matches_inside_the_core_play_as_those_in_python() -> None:
    agents = ["minimax:inference=minimax", "expectimax"]
    native = kibitz.play(MINI, agents, games=8, seed=3)
    assert native.native
    assert native == kibitz.play(MINI, agents, games=8, seed=3, native=False)


BAD = [
    ("minimax:worlds=some", "whole number from 1, or all"),
    ("minimax:worlds=0", "worlds"),
    ("minimax:tie_break=0.5", "tie_break .* 0 to 0.01"),
    ("minimax:ties=never", "first, split"),
    ("minimax:depth=3", "unknown option 'depth'"),
    ("cheat-minimax:worlds=3", "unknown option 'worlds'"),
    ("expectimax:nodes=0", "nodes"),
    ("expectimax:inference=guess", "none, minimax, expectimax, random"),
    ("pimc:doubt=2", "doubt"),
]


@pytest.mark.parametrize(("spec", "says"), BAD)
def test_bad_options_say_what_is_wrong(spec: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        think(MINI, spec, MINI.deal(1))


def test_what_is_too_much_is_refused() -> None:
    with pytest.raises(ValueError, match="gave up after 100 nodes"):
        think(MINI, "expectimax:nodes=100", MINI.deal(1).view(0))
    belote = kibitz.make("belote")
    for spec in ("minimax:worlds=all", "expectimax", "pimc:worlds=all"):
        with pytest.raises(ValueError, match=r"too many worlds.*worlds=20"):
            think(belote, spec, belote.deal(1).view(0))
    assert (
        think(belote, "minimax", play_randomly(belote, 1, 12).view(play_randomly(belote, 1, 12).to_act)).iterations
        == 20
    )
    with pytest.raises(ValueError, match="uno cannot"):
        think(kibitz.make("uno"), "pimc:worlds=all", kibitz.make("uno").deal(1))
    with pytest.raises(ValueError, match="tie_break"):
        think(belote, "minimax:tie_break=0.001", belote.deal(1).view(0))
