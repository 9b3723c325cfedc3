"""What was played tells something of what is hidden: importance weights, and searches that use them."""

from __future__ import annotations

from typing import Any

import pytest

import kibitz

SMALL = kibitz.make("belote", cards=12)


def after(state: Any, action: int) -> Any:
    out = state.copy()
    out.apply(action)
    return out


def played(game: Any, seed: int, decisions: int, spec: str = "random") -> Any:
    state, agent = game.deal(seed), kibitz.agent(spec)
    agent.begin(seed)
    for _ in range(decisions):
        if not state.over:
            state.apply(agent.act(state.view(state.to_act)))
    return state


def hands(game: Any, world: Any) -> str:
    return str(game.position(world)["hands"])


def posterior(seed: int, history: list[tuple[int, int]], view: Any) -> dict[str, float]:
    """The rule of Bayes over all deals that the seat may have begun with, where the others choose at random."""
    found: dict[str, float] = {}
    for deal, weight in SMALL.deal(seed).view(view.seat).all_worlds():
        odds, world = float(weight), deal
        for mover, action in history:
            if action not in world.legal():
                odds = 0.0
                break
            odds /= len(world.legal()) if mover != view.seat else 1
            world = after(world, action)
        if odds and world.view(view.seat).key == view.key:
            found[hands(SMALL, world)] = odds
    total = sum(found.values())
    return {hand: odds / total for hand, odds in found.items()}


def test_drawn_and_traced_back_is_the_rule_of_bayes() -> None:
    """Belote with 12 cards, where all worlds can be listed, too."""
    told = 0
    for seed in range(12):
        state, rng = SMALL.deal(seed), kibitz._core.Rng(seed)
        history = []
        for _ in range(6):
            legal = state.legal()
            history.append((state.to_act, legal[rng.below(len(legal))]))
            state.apply(history[-1][1])
        view = state.view(state.to_act)
        want = posterior(seed, history, view)
        if max(want.values()) < 1.5 * min(want.values()):
            continue  # nothing was told
        told += 1
        drawn = SMALL.native_agent("pimc", {"inference": "random", "candidates": 20_000}).worlds(view)
        odds: dict[str, float] = {}
        for world, p in drawn:
            odds[hands(SMALL, world)] = odds.get(hands(SMALL, world), 0) + p
        assert set(odds) <= set(want)
        apart = sum(abs(odds.get(hand, 0) - p) for hand, p in want.items()) / 2
        uniform = sum(abs(1 / len(want) - p) for p in want.values()) / 2
        assert apart < 0.03 < uniform
    assert told > 1


@pytest.mark.parametrize("name", ["belote", "belote:bidding=true", "doudizhu", "doudizhu:bidding=true"])
@pytest.mark.parametrize("spec", ["ismcts:iterations=200", "mo-ismcts:iterations=200", "pimc:iterations=200,worlds=10"])
def test_inference_depends_on_the_view_and_the_past_alone(name: str, spec: str) -> None:
    game = kibitz.make(name)
    states = (played(game, seed, 9, "rules") for seed in range(50))
    state = next(state for state in states if not state.over and len(state.legal()) > 2)
    view = state.view(state.to_act)
    told, blind = (kibitz.agent(spec + extra) for extra in (",inference=rules,candidates=50", ""))
    thoughts = []
    for agent in (told, told, blind):
        agent.begin(5)
        thoughts.append(agent.think(view))
    assert thoughts[0] == thoughts[1]
    assert thoughts[0].visits != thoughts[2].visits


def test_the_right_model_is_worth_something() -> None:
    """Where seats play by rules, who knows that gives the true deal better odds than who does not."""
    game = kibitz.make("belote", cards=12)
    better = worse = 0
    for seed in range(40):
        state = played(game, seed, 6, "rules")
        view = state.view(state.to_act)
        odds = {}
        for model in ("rules", "random"):
            agent = game.native_agent("pimc", {"inference": model, "candidates": 3000})
            odds[model] = sum(p for world, p in agent.worlds(view) if hands(game, world) == hands(game, state))
        better += odds["rules"] > odds["random"]
        worse += odds["rules"] < odds["random"]
    assert better > 2 * worse


def test_where_nothing_can_be_traced_back_inference_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown option 'inference'"):
        kibitz.make("uno").native_agent("ismcts", {"inference": "rules"})
    with pytest.raises(ValueError, match="none, random, rules"):
        kibitz.make("doudizhu").native_agent("ismcts", {"inference": "minimax"})


# --- opponents that do not think


def best_against_random(state: Any, seat: int, memory: dict[Any, float]) -> float:
    """The exact value for `seat` of a game without hidden things, where all others choose at random."""
    if state.over:
        return float(state.payoffs[seat])
    key = (state.view(0).key, state.to_act)
    if key not in memory:
        values = [best_against_random(after(state, action), seat, memory) for action in state.legal()]
        memory[key] = max(values) if state.to_act == seat else sum(values) / len(values)
    return memory[key]


@pytest.mark.parametrize("spec", ["uct", "ismcts"])
def test_opponents_taken_to_be_random_are_met_by_the_best_answer(spec: str) -> None:
    game = kibitz.make("tictactoe", size=3)
    state = after(game.deal(0), 0)  # a corner is taken: only the centre holds against best play
    memory: dict[Any, float] = {}
    exact = {action: best_against_random(after(state, action), 1, memory) for action in state.legal()}
    agent = kibitz.agent(f"{spec}:iterations=200000,opponents=random")
    agent.begin(1)
    thought = agent.think(state.view(1))
    best = max(exact, key=lambda action: exact[action])
    found = dict(zip(thought.actions, thought.value, strict=True))
    assert found[best] == pytest.approx(exact[best], abs=0.05)
    assert thought.best == best


def test_who_knows_its_opponents_does_better_against_them() -> None:
    game = kibitz.make("uno", players=3, rules="rlcard")
    agents = ["mcs:iterations=200,opponents=random,rollout=rules", "random", "random"]
    result = kibitz.play(game, agents, games=600, seed=3, threads=2)
    assert result.agents[0].win_rate.low > 1 / 3


# --- convergence


def test_tree_search_comes_to_what_expectimax_chooses() -> None:
    """In small information sets of Mini Dou Di Zhu, whatever the seat."""
    game = kibitz.make("mini_doudizhu")
    close = total = 0
    for seed in range(60):
        state = played(game, seed, 5)
        if state.over or len(state.legal()) < 2:
            continue
        view = state.view(state.to_act)
        if len(view.all_worlds()) > 60:
            continue
        exact = kibitz.agent("expectimax").think(view)
        value = {action: worth or 0.0 for action, worth in zip(exact.actions, exact.value, strict=True)}
        for spec in ("ismcts:iterations=30000", "mo-ismcts:iterations=30000"):
            agent = kibitz.agent(spec)
            agent.begin(seed)
            total += 1
            close += value[agent.think(view).best] > max(value.values()) - 0.05
    assert total > 20
    assert close >= 0.9 * total
