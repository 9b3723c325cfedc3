"""Searches at tables, and a network that learns from them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import kibitz
from kibitz.agents.network import find_net
from kibitz.learn import distill
from kibitz.learn.common.tables import Choice, Decisions, Group


@pytest.mark.parametrize("spec", ["mcs:iterations=40", "ismcts:iterations=60", "cheat-mcs:iterations=40"])
def test_tables_think_as_the_agent_does(spec: str) -> None:
    game = kibitz.make("uno", rules="rlcard", players=3)
    tables = {threads: kibitz.Tables(game, 12, "random", seed=5, threads=threads) for threads in (1, 2)}
    for batch in tables.values():
        batch.run(6)
    before = tables[1].obs.copy()
    values, visits = tables[1].think(spec, seed=9)
    again, _ = tables[2].think(spec, seed=9)
    assert (values == again).all()
    assert (tables[1].obs == before).all()  # nobody has moved
    iterations = int(spec.partition("=")[2])
    for row, mask, count in zip(values, tables[1].mask, visits, strict=True):
        assert (row[~mask] == 0).all()
        assert (count[~mask] == 0).all()
        assert count.sum() == (iterations if mask.sum() > 1 else 0)
    assert not (tables[1].think(spec, seed=10)[0] == values).all()


def test_tables_of_games_without_a_mask_do_not_think() -> None:
    with pytest.raises(ValueError, match="mask"):
        kibitz.Tables(kibitz.make("doudizhu", rules="rlcard"), 2, "random").think("mcs:iterations=10")


def test_loss_is_the_square_of_the_mean_error_and_their_variance() -> None:
    q = torch.tensor([[1.0, 2.0, 9.0], [0.0, 0.0, 0.0]])
    mask = torch.tensor([[True, True, False], [True, True, True]])
    searched = torch.tensor([[0.0, 3.0, 0.0], [3.0, 0.0, 0.0]])
    # Errors 1, -1: mean 0, variance 1. Errors -3, 0, 0: mean -1, variance (4 + 1 + 1) / 3.
    assert distill.loss_of(q, mask, searched, 10.0)[0].item() == pytest.approx(((0 + 10 * 1) + (1 + 10 * 2)) / 2)


def test_only_decisions_with_a_choice_are_learnt_from() -> None:
    settings = distill.Settings(players="2", tables=16)
    group = Group(settings)
    for _ in range(4):
        actions = group.mask.argmax(1)
        rows = Decisions().record(group, Choice(actions, {"searched": np.zeros(group.mask.shape, np.float32)}))
        assert len(rows["obs"]) == (group.mask.sum(1) > 1).sum()
        assert (rows["mask"].sum(1) > 1).all()
        group.step(actions)


@pytest.mark.parametrize(
    ("change", "says"), [({"focus": 0.0}, "focus"), ({"own": 2.0}, "own"), ({"teacher": "nobody"}, "nobody")]
)
def test_settings_say_what_is_wrong(change: dict[str, object], says: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=says):
        distill.train(distill.Settings.read({"players": "2", "episodes": 10}, change), tmp_path)


@pytest.mark.parametrize(
    ("name", "players", "opponent", "least"),
    [
        ("uno-2p", 2, "random", 0.59),
        ("uno-2p", 2, "rules", 0.53),
        ("uno-3p", 3, "random", 0.40),
        ("uno-3p", 3, "rules", 0.34),
        ("uno-4p", 4, "random", 0.28),
        ("uno-4p", 6, "random", 0.18),
        ("li-mcts-ddqn-3p", 3, "random", 0.36),
        ("li-ddqn-3p", 3, "random", 0.35),
        ("li-mcts-ddqn-4p", 4, "random", 0.27),
        ("li-ddqn-4p", 4, "random", 0.265),
        ("li-nfsp-3p", 3, "li-dmc-3p", 0.34),
        ("li-nfsp-4p", 4, "li-dmc-4p", 0.255),
    ],
)
def test_shipped_networks_beat_others(name: str, players: int, opponent: str, least: float) -> None:
    """Below what they reach in 10,000 games (src/kibitz/weights/README.md), and above a fair share."""
    game = kibitz.make("uno", rules="rlcard", players=players)
    others = [f"net:{opponent}" if opponent.startswith("li-") else opponent] * (players - 1)
    result = kibitz.play(game, [f"net:{name}", *others], games=4_000, seed=77)
    assert result.agents[0].win_rate.mean > least


@pytest.mark.parametrize(("opponent", "least"), [("random", 0.93), ("rules", 0.46)])
@pytest.mark.parametrize("rules", ["standard", "rlcard"])
def test_the_shipped_network_for_dou_di_zhu(rules: str, opponent: str, least: float) -> None:
    """As landlord and as both peasants in the same deals: 96.0% and 50.5% in results/strength/doudizhu."""
    game = kibitz.make("doudizhu", rules=rules)
    net, other = (game.native_agent("net", {"file": str(find_net("doudizhu"))}), game.native_agent(opponent, {}))
    landlord = np.asarray(game.native_match([net, other, other], [[0, 1, 2]], 77, 0, 1_500, 1).payoffs)[:, 0, 0]
    peasant = np.asarray(game.native_match([other, net, net], [[0, 1, 2]], 77, 0, 1_500, 1).payoffs)[:, 0, 1]
    assert (np.mean(landlord > 0) + np.mean(peasant > 0)) / 2 > least
