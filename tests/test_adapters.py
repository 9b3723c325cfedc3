"""Other people's agents at our tables: the same rules on both sides, and nothing hidden gets through."""

from __future__ import annotations

import copy
import random
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import rlcard as rlcard_package
import rlcard.models as rlcard_models
from rlcard.games.doudizhu import Game as RlcardGame

import kibitz
from kibitz.adapters import colver, rlcard, rlcard_table
from kibitz.cli import run
from kibitz.experiments import strength

TRUMPS = ("spades", "hearts", "diamonds", "clubs")
BELOTE = "belote:discard=true,scoring=points"
DOUDIZHU = "doudizhu:rules=rlcard"


def views(game: Any, games: int, seed: int) -> Iterator[Any]:
    """Views of the seat to act, from random games."""
    rng = random.Random(seed)
    for _ in range(games):
        state = game.deal(rng.randrange(2**63))
        while not state.over:
            yield state.view(state.to_act)
            state.apply(rng.choice(state.legal()))


# ----------------------------------------------------------------------------------------------------------- rlcard


def test_the_rule_agent_sees_what_rlcard_would_show_it() -> None:
    """Key by key, at every decision of random games played in both engines."""
    game, theirs, rng = kibitz.make(DOUDIZHU), RlcardGame(), random.Random(1)
    for _ in range(60):
        theirs.np_random = np.random.RandomState(rng.randrange(2**32))
        shown, player = theirs.init_game()
        hands = ["".join(card.rank or card.suit[0] for card in p.current_hand) for p in theirs.players]
        state = game.from_position({"rules": "rlcard", "talon": shown["seen_cards"], "hands": hands})
        while not state.over:
            assert state.to_act == player
            ours = rlcard.doudizhu_state(state.view(player))
            expected = dict(shown) | {"actions": sorted(shown["actions"])}
            assert ours | {"actions": sorted(ours["actions"])} == expected
            action = rng.choice(state.legal())
            state.apply(action)
            shown, player = theirs.step(game.text(action))


def test_the_rule_agent_beats_random_and_leaves_chance_alone() -> None:
    np.random.seed(5)
    before = np.random.randint(2**31, size=5)
    np.random.seed(5)
    result = kibitz.play(DOUDIZHU, ["rlcard-rules", "random", "random"], games=90, seed=1)
    np.testing.assert_array_equal(np.random.randint(2**31, size=5), before)
    assert result.agents[0].win_rate.low > result.agents[1].win_rate.mean
    assert kibitz.play(DOUDIZHU, ["rlcard-rules", "random", "random"], games=90, seed=1) == result


def test_no_hidden_card_reaches_the_rule_agent() -> None:
    agent = kibitz.agent("rlcard-rules")
    for view in views(kibitz.make(DOUDIZHU), 5, seed=2):
        shown, chosen = [], []
        for world in (view.sample(1), view.sample(2)):
            same = world.view(view.seat)
            agent.begin(7)
            shown.append(rlcard.doudizhu_state(same))
            chosen.append(agent.act(same))
        assert shown[0] == shown[1]
        assert chosen[0] == chosen[1]


# --------------------------------------------------------------------------------------------------- rlcard's own table


class Watched:
    """Plays at random at rlcard's table, and keeps what it was shown, beside what was really there."""

    use_raw = False

    def __init__(self, env: Any, seed: int) -> None:
        self.env, self.rng = env, random.Random(seed)
        self.seen: list[tuple[dict[str, Any], Any]] = []

    def eval_step(self, state: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        kept = {key: copy.deepcopy(state[key]) for key in ("raw_obs", "legal_actions", "action_record")}
        self.seen.append((kept, copy.deepcopy(self.env.game)))
        return self.rng.choice(list(state["legal_actions"])), {}


@pytest.fixture(scope="module")
def watched() -> Watched:
    env = rlcard_package.make("uno", config={"seed": 3})
    player = Watched(env, 4)
    env.set_agents([player, player])
    for _ in range(40):
        env.run()
    return player


def test_our_view_of_rlcards_table_is_right(watched: Watched) -> None:
    game = kibitz.make("uno", players=2, rules="rlcard")
    wilds = 0
    for shown, real in watched.seen:
        view = game.from_position(rlcard_table.uno_position(shown))
        assert view.legal() == sorted(shown["legal_actions"])
        position, target = game.position(view), real.round.target
        assert position["to_act"] == position["seat"] == real.round.current_player
        if len(position["discards"]) > sum(action != "draw" for _, action in shown["action_record"]):  # none put back
            assert position["direction"] == real.round.direction
        assert position["pile"]["count"] == len(real.dealer.deck)
        assert rlcard_table.card_of(position["target"]) == rlcard_table.card_of(target.str)
        wilds += target.type == "wild"
        if target.type != "wild" or any(card.color == target.color for card in real.players[view.seat].hand):
            assert position["target"][0] == target.color
    assert wilds > 20


def test_what_draws_have_shown_is_true(watched: Watched) -> None:
    """rlcard keeps a hand in the order in which its cards came."""
    told = 0
    known = {0: rlcard_table.Shown(), 1: rlcard_table.Shown()}
    for shown, real in watched.seen:
        seat = real.round.current_player
        entry = known[seat].add(shown, rlcard_table.uno_position(shown)["target"])
        hand = real.players[1 - seat].hand
        assert entry["slots"] == len(hand)
        for none, colour in zip(entry["no_colour"], "rgby", strict=True):
            assert all(card.color != colour or card.type == "wild" for card in hand[:none])
            told += none
        for none, trait in zip(
            entry["no_trait"] + entry["no_wild"], rlcard_table.TRAITS + rlcard_table.WILDS, strict=True
        ):
            assert all(card.trait != trait for card in hand[:none])
            told += none
    assert told > 1_000


def test_no_hidden_card_reaches_our_agents_at_rlcards_table(watched: Watched) -> None:
    """Other cards in the other hand and in the deck, the same number: rlcard shows the same, and so do we."""
    rng = random.Random(5)
    for _, real in watched.seen[::7]:
        env, positions = rlcard_package.make("uno"), []
        env.game = real
        seat = real.round.current_player
        other = real.players[1 - seat]
        for _ in range(2):
            hidden = [*other.hand, *real.dealer.deck]
            rng.shuffle(hidden)
            n = len(other.hand)
            other.hand[:], real.dealer.deck[:] = hidden[:n], hidden[n:]
            positions.append(rlcard_table.uno_position(env.get_state(seat)))
        assert positions[0] == positions[1]


def test_agents_at_rlcards_table(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = rlcard_models.load("uno-rule-v1").agents[0]
    np.random.seed(5)
    before = np.random.randint(2**31, size=5)
    np.random.seed(5)
    first = strength.rlcard.play("mcs:iterations=20", rule, 11, 5)
    np.testing.assert_array_equal(np.random.randint(2**31, size=5), before)
    assert strength.rlcard.play("mcs:iterations=20", rule, 11, 5)["payoffs"] == first["payoffs"]
    assert strength.rlcard.play("mcs:iterations=20", rule, 12, 5)["payoffs"] != first["payoffs"]
    assert np.asarray(first["payoffs"]).shape == (5, 2, 2)
    assert (np.asarray(first["payoffs"]).sum(axis=2) == 0).all()
    with pytest.raises(ValueError, match="must see all cards"):
        rlcard_table.RlcardSeat("cheat-mcs:iterations=10")
    monkeypatch.setitem(sys.modules, "rlcard", None)
    with pytest.raises(ValueError, match="not installed: pip install rlcard"):
        strength.rlcard.play("random", rule, 1, 1)


# ----------------------------------------------------------------------------------------------------------- colver


def points_of(game: Any, state: Any, trump: str) -> list[int]:
    """Points of both sides without belote, which colver counts apart."""
    played = game.position(state)["played"]
    bonus = [20 if {f"K{trump}", f"Q{trump}"} <= set(cards) else 0 for cards in played]
    return [round(state.payoffs[side]) - bonus[side] - bonus[side + 2] for side in (0, 1)]


@pytest.mark.parametrize("trump", TRUMPS)
def test_both_engines_play_the_same_belote(trump: str) -> None:
    game = kibitz.make(f"{BELOTE},trump={trump}")
    cards, rng = colver.cards_of(game), random.Random(3)
    assert sorted(cards.values()) == list(range(32))
    for _ in range(150):
        state = game.deal(rng.randrange(2**63))
        env = colver.deal(state, cards)
        colver.start(env, trump[0], 80)
        while not state.over:
            assert env.current_player() == state.to_act
            legal = state.legal()
            assert sorted(env.legal_actions()) == sorted(cards[action] for action in legal)
            action = rng.choice(legal)
            state.apply(action)
            env.step(cards[action])
        assert env.is_terminal()
        assert list(env.get_points()) == points_of(game, state, trump[0])


@pytest.mark.parametrize("method", colver.METHODS)
def test_no_hidden_card_reaches_colver(method: str) -> None:
    """What colver is handed is drawn from the view: the same for all true states that look alike to the seat."""
    agent = colver.Colver(method=method, ms=1)
    drawn = total = 0
    for view in list(views(kibitz.make(BELOTE), 2, seed=4))[::5]:
        handed = []
        for world in (view.sample(1), view.sample(2)):
            same = world.view(view.seat)
            agent.begin(9)
            agent.act(same)  # it learns the game
            agent.begin(9)
            handed.append(agent._seated(same)[0].to_cfn())
        assert handed[0] == handed[1]
        real = colver.deal(view.sample(1), agent._cards).get_hands()
        shown = agent._seated(view)[0].get_initial_hands()
        drawn, total = drawn + (sorted(map(sorted, shown)) != sorted(map(sorted, real))), total + 1
        assert sorted(shown[view.seat]) == sorted(real[view.seat])
    assert drawn > total // 2


@pytest.mark.parametrize("method", colver.METHODS)
def test_colver_plays_whole_deals(method: str) -> None:
    spec = f"colver:method={method},ms=1"
    result = kibitz.play(BELOTE, [spec, "random"] * 2, games=4, seed=1)
    assert result.games == 4
    assert result.agents[0].name == ("colver:ms=1" if method == "ismcts" else spec)


# ----------------------------------------------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("colver:method=oracle", "allowed: ismcts, smart-ismcts, isdd"),
        ("colver:ms=0", "ms"),
        ("colver:contract=85", "contract"),
        ("rlcard-rules:x=1", "unknown option"),
    ],
)
def test_bad_options(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        kibitz.agent(spec)


@pytest.mark.parametrize(
    ("game", "agent"),
    [
        ("belote", "colver"),
        ("belote:discard=true,bidding=true", "colver"),
        ("uno:players=4", "colver"),
        ("doudizhu", "rlcard-rules"),
        ("doudizhu:rules=rlcard,landlord=random", "rlcard-rules"),
        ("uno:players=3", "rlcard-rules"),
    ],
)
def test_games_they_cannot_play(game: str, agent: str) -> None:
    players = kibitz.make(game).players
    with pytest.raises(ValueError, match=f"{agent} plays"):
        kibitz.play(game, [agent] * players, games=1)


@pytest.mark.parametrize(
    ("game", "agent", "module", "package"),
    [
        (BELOTE, "colver", "colver", "colver==0.11.1"),
        (DOUDIZHU, "rlcard-rules", "rlcard.models.doudizhu_rule_models", "rlcard==1.2.0"),
    ],
)
def test_without_the_peer(
    game: str,
    agent: str,
    module: str,
    package: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["games", game]) == 0
    assert agent in capsys.readouterr().out
    monkeypatch.setitem(sys.modules, module, None)
    players = kibitz.make(game).players
    with pytest.raises(ValueError, match=f"not installed: pip install {package}"):
        kibitz.play(game, [agent] * players, games=1)
    assert run(["games", game]) == 0
    assert agent not in capsys.readouterr().out
