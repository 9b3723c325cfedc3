"""What a search may depend on, in every game and with every method: the view and the seed; neither the cards that are
hidden, nor the number of threads."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz

# Every game where something is hidden, with the number of random moves before the search is asked.
GAMES: dict[str, int] = {
    "belote": 9,
    "belote:bidding=true": 2,
    "belote:cards=12": 5,
    "doudizhu": 8,
    "doudizhu:bidding=true": 1,
    "mini_doudizhu": 5,
    "uno:players=2": 6,
    "uno:players=3,rules=rlcard": 8,
    "gdl:file=blind_tictactoe": 4,
    "gdl:file=kuhn_poker": 0,
    "gdl:file=monty_hall": 0,
}
# How much each search may do here; whatever a game has must be in this table.
BUDGETS: dict[str, dict[str, Any]] = {
    "random": {},
    "rules": {},
    "mcs": {"iterations": 60},
    "ismcts": {"iterations": 60},
    "mo-ismcts": {"iterations": 60},
    "pimc": {"iterations": 60, "worlds": 4},
    "minimax": {"worlds": 2, "nodes": 3000},
    "solver-pimc": {"worlds": 2, "nodes": 3000},
    "expectimax": {"worlds": 2, "nodes": 50_000},
    "net": {},
    "value-mcts": {"simulations": 15},
}
VARIANTS: list[dict[str, Any]] = [
    {},
    {"opponents": "random"},
    {"opponents": "rules"},
    {"rollout": "rules"},
    {"rollout": "solver"},
    {"observers": "views"},
    {"counts": "parent"},
    {"aggregate": "reward"},
    {"aggregate": "times_best"},
    {"ties": "split"},
    {"tie_break": 0.001},
    {"net": "values"},
    {"net": "q"},
    {"net": "action"},
    {"net": "q", "rollout": "net"},
    {"net": "q", "opponents": "net"},
    {"net": "q", "prior": 20},
    {"net": "q", "prior": 20, "rollout": "rules"},
    {"prior": 20, "prior_by": "rules"},
    {"common": True},
    {"halving": True},
    {"base": "rules"},
    {"goal": "difference"},
    {"scale": "seen"},
]
# No solver plays the bidding of Dou Di Zhu, and expectimax cannot begin far from the end.
WHY_NOT = dict.fromkeys(("solver", "minimax", "solver-pimc"), "not the bidding") | {"expectimax": "gave up"}
MODELS = ("random", "rules", "minimax", "expectimax")


def late(game: Any, moves: int, seed: int = 3) -> Any:
    """A state after so many random moves, or a few more, where somebody has a choice."""
    state, rng = game.deal(seed), kibitz._core.Rng(seed)
    while moves > 0 or state.to_act < 0 or len(state.legal()) < 2:
        legal = state.legal()
        state.apply(legal[rng.below(len(legal))])
        assert not state.over
        moves -= 1
    return state


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("nets")


def net(folder: Path, game: Any, output: str) -> str | None:
    """A file with a random net that says so much of a game; None where there is no such net."""
    encoder = next(encoder for encoder in game.encoders.values() if not encoder.peeks)
    features = getattr(game, "action_features", 0)
    if (output == "action") != bool(features) and output != "values":
        return None  # features of actions where there are too many for one output each
    outputs = {"q": game.num_actions, "values": game.players, "action": 1}[output]
    inputs = encoder.size + (features if output == "action" else 0)
    file = folder / f"{hash(repr(game))}-{output}.safetensors"  # with the game's options, which a net remembers
    if not file.exists():
        rng = np.random.default_rng(5)  # games of Uno between such nets take their time; with other seeds more of it
        weights = {"0.weight": rng.normal(size=(outputs, inputs)), "0.bias": np.zeros(outputs)}
        total = None if game.zero_sum or output != "q" else 0.0
        kibitz.save_net(file, weights, kibitz.net_metadata(game, encoder.name, output, total=total))
    return str(file)


def methods(game: Any, folder: Path) -> list[tuple[str, dict[str, Any]]]:
    """All agents of a game that do not cheat, with every variant that the game accepts."""
    found = []
    for name in game.native_agents:
        if name.startswith("cheat-"):
            continue
        for variant in VARIANTS:
            chosen = BUDGETS[name] | variant
            if "net" in variant:
                del chosen["net"]
                chosen["file" if name == "net" else "net"] = net(folder, game, variant["net"]) or "none"
            try:
                game.native_agent(name, chosen)
            except ValueError:
                continue  # no such option, or not in this game
            found.append((name, chosen))
    return found


def thought(game: Any, name: str, options: dict[str, Any], shown: Any) -> Any:
    """Everything it says; or why it does not."""
    try:
        said = game.native_agent(name, options).think(shown, kibitz._core.Rng(5))
    except ValueError as refusal:
        return str(refusal)
    return said.actions, said.values, said.visits, said.shares, said.iterations, said.nodes


def test_every_hidden_game_is_here() -> None:
    named = {spec.partition(":")[0] for spec in GAMES}
    assert named >= {name for name in kibitz._core.games() if kibitz.make(name).hidden}


@pytest.mark.parametrize("spec", GAMES)
def test_a_thought_depends_on_the_view_alone(spec: str, folder: Path) -> None:
    game = kibitz.make(spec)
    asked = methods(game, folder)
    assert {name for name, _ in asked} == {name for name in game.native_agents if not name.startswith("cheat-")}
    assert any("net" in options for name, options in asked if name == "mo-ismcts")
    state = late(game, GAMES[spec])
    view = state.view(state.to_act)
    worlds = [view.sample(seed) for seed in range(3)]
    assert len({str(game.position(world)) for world in (state, *worlds)}) > 1  # something differs that it must not see
    for name, options in asked:
        expected = thought(game, name, options, view)
        if isinstance(expected, str):
            assert re.search(WHY_NOT.get(name, WHY_NOT.get(options.get("rollout", ""), "^$")), expected)
        for world in worlds:
            assert thought(game, name, options, world.view(view.seat)) == expected, (name, options)


@pytest.mark.parametrize(
    ("spec", "moves"), [("belote:cards=12", 5), ("mini_doudizhu", 6), ("belote", 3), ("doudizhu", 3)]
)
def test_inference_depends_on_the_view_and_its_past_alone(spec: str, moves: int) -> None:
    """Other deals in which the same was played and the seat saw the same all the way."""
    game = kibitz.make(spec)
    real = late(game, moves)
    seat, history = real.to_act, [action for _, action in real.history]
    began = game.deal(3).view(seat)
    others = [real]
    for seed in range(2000):
        state = game.from_position(game.position(began.sample(seed)))
        for action in history:
            if action not in state.legal():
                break
            state.apply(action)
        else:
            if state.view(seat).key == real.view(seat).key and str(state) != str(real):
                others.append(state)
        if len(others) == 3:
            break
    assert len(others) == 3
    answers, lists = 0, game.can("all_worlds")
    for name in sorted(
        {"mcs", "ismcts", "mo-ismcts", "pimc", "solver-pimc", "minimax", "expectimax"} & set(game.native_agents)
    ):
        for model in MODELS if name == "pimc" else MODELS[:-1]:  # the last takes its time, and is the same for all
            options = BUDGETS[name] | {"inference": model} | ({} if lists else {"candidates": 40})
            try:
                game.native_agent(name, options)
            except ValueError:
                continue
            found = [thought(game, name, options, state.view(seat)) for state in others]
            assert all(one == found[0] for one in found), options
            answers += not isinstance(found[0], str)
    assert answers >= 8


@pytest.mark.parametrize(
    "spec",
    [
        "pimc:iterations=400,worlds=8",
        "pimc:iterations=400,worlds=8,inference=rules,candidates=40",
        "ismcts:iterations=400,trees=4",
        "ismcts:iterations=400,trees=4,inference=rules,candidates=40",
        "mo-ismcts:iterations=400,trees=4",
        "mo-ismcts:iterations=400,trees=4,observers=views,inference=random,candidates=40",
        "minimax:worlds=6,nodes=20000",
        "minimax:worlds=6,nodes=20000,ties=split,inference=rules,candidates=40",
        "solver-pimc:worlds=6,nodes=20000",
        "solver-pimc:worlds=6,nodes=20000,inference=rules,candidates=40",
    ],
)
@pytest.mark.parametrize("threads", [2, 3])
def test_the_number_of_threads_changes_nothing_but_the_time(spec: str, threads: int) -> None:
    for name in ("belote", "doudizhu"):
        state = late(kibitz.make(name), 9)
        thoughts = []
        for extra in ("", f",threads={threads}"):
            agent = kibitz.agent(spec + extra)
            agent.begin(1)
            thoughts.append(agent.think(state.view(state.to_act)))
        assert thoughts[0] == thoughts[1]
