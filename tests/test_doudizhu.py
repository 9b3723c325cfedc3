"""Dou Di Zhu: the list of moves, legal sets against rlcard and open_spiel, scoring, ragged tables, bad input."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from doudizhu_cards import DECK, RANKS, WORLD_OPTIONS, cards, doudizhu, late_views

import kibitz

POSITIONS = 20_000  # compared with each of rlcard and open_spiel
CATEGORIES = {
    "solo": 15,
    "pair": 13,
    "trio": 13,
    "trio+solo": 182,
    "trio+pair": 156,
    "solo chain": 36,
    "pair chain": 52,
    "plane": 45,
    "plane+solo": 21_822,
    "plane+pair": 2_939,
    "quad+two solos": 1_326,
    "quad+two pairs": 858,
    "bomb": 13,
    "rocket": 1,
    "pass": 1,
}


def consecutive(ranks: list[int]) -> bool:
    return ranks == list(range(ranks[0], ranks[0] + len(ranks))) and ranks[-1] <= RANKS.index("A")


def category(move: str) -> str:
    """What a move is, from its cards alone: written from the rules, not from how the core makes its list."""
    if move in ("pass", "BR"):
        return "pass" if move == "pass" else "rocket"
    count = Counter(move)
    by_number = {n: sorted(RANKS.index(rank) for rank in count if count[rank] == n) for n in range(1, 5)}
    if len(count) == 1:
        return ("solo", "pair", "trio", "bomb")[len(move) - 1]
    if len(count) >= 5 and len(move) == len(count) and consecutive(by_number[1]):
        return "solo chain"
    if len(count) >= 3 and len(move) == 2 * len(count) == 2 * len(by_number[2]) and consecutive(by_number[2]):
        return "pair chain"
    if len(move) == 3 * len(by_number[3]) and consecutive(by_number[3]):
        return "plane"
    if by_number[4] and len(move) == 6:
        return "quad+two solos"
    if len(by_number[4]) == 1 and len(move) == 8 and len(by_number[2]) == 2:
        return "quad+two pairs"
    trios = by_number[3]
    if len(trios) == 1 and len(move) in (4, 5):
        return "trio+solo" if len(move) == 4 else "trio+pair"
    for length in range(len(trios), 1, -1):
        if any(consecutive(trios[i : i + length]) for i in range(len(trios) - length + 1)):
            if len(move) == 4 * length:
                return "plane+solo"
            if len(move) == 5 * length and len(by_number[2]) == length:
                return "plane+pair"
    raise AssertionError(f"no category for {move}")


# ------------------------------------------------------------------------------------------------- the list of moves


def test_there_are_27472_moves() -> None:
    game = doudizhu(rules="rlcard")
    assert game.num_actions == 27_472
    counts = Counter(category(game.text(action)) for action in range(game.num_actions))
    assert counts == CATEGORIES


def test_ids_and_texts_are_those_of_rlcard() -> None:
    from rlcard.games.doudizhu.utils import ID_2_ACTION

    game = doudizhu(rules="rlcard")
    assert [game.text(action) for action in range(game.num_actions)] == ID_2_ACTION
    assert [game.parse(text) for text in ID_2_ACTION] == list(range(game.num_actions))
    standard = doudizhu()
    assert [standard.text(action) for action in range(game.num_actions)] == ID_2_ACTION


def test_further_ids() -> None:
    game = doudizhu()
    assert [game.text(action) for action in range(27_472, 27_476)] == ["bid-0", "bid-1", "bid-2", "bid-3"]
    groups = [game.text(action) for action in range(27_476, 27_596)]
    assert groups[:2] + groups[-1:] == ["333+solo", "444+solo", "2222+pairs"]
    both = [game.text(action) for action in range(27_596, game.num_actions)]
    assert all(move.endswith("BR") for move in both)
    assert Counter(category(move) for move in both) == {"plane+solo": 1_462, "quad+two solos": 13}


# ------------------------------------------------------------------------------------------------- against rlcard


def test_legal_sets_equal_those_of_rlcard() -> None:
    from rlcard.games.doudizhu import Game

    ours, theirs = doudizhu(rules="rlcard"), Game()
    rng = random.Random(1)
    compared = 0
    while compared < POSITIONS:
        theirs.np_random = np.random.RandomState(rng.randrange(2**32))
        seen, player = theirs.init_game()
        hands = ["".join(card.rank or card.suit[0] for card in p.current_hand) for p in theirs.players]
        state = ours.from_position({"rules": "rlcard", "talon": seen["seen_cards"], "hands": hands})
        while not state.over:
            assert state.to_act == player
            legal = state.legal()
            assert sorted(seen["actions"]) == sorted(ours.text(action) for action in legal)
            compared += 1
            # Long moves are rarely drawn by chance and end games: mostly short ones, for more of the middle game.
            action = rng.choice(legal if rng.random() < 0.5 else legal[: len(legal) // 2 + 1])
            state.apply(action)
            seen, player = theirs.step(ours.text(action))
        assert theirs.is_over()
        won = theirs.judger.judge_payoffs(theirs.round.landlord_id, theirs.winner_id)
        assert [payoff > 0 for payoff in state.payoffs] == [bool(x) for x in won]


# ------------------------------------------------------------------------------------------------- against open_spiel


def spiel_text(text: str) -> str:
    """Ours for open_spiel's `666777-3(CJ)`."""
    if text == "Pass":
        return "pass"
    return "".join(sorted(text.replace("(BWJ)", "B").replace("(CJ)", "R").replace("-", ""), key=RANKS.index))


def spiel_deal(game: Any, rng: random.Random) -> tuple[Any, list[str], str]:
    """A state whose first speaker bid 3, the hands, and the talon that it got."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.chance_outcomes())[0])

    def hands() -> list[str]:
        lines = [state.observation_string(seat).splitlines()[0] for seat in range(3)]
        return [spiel_text(line.removeprefix("My hand ")) for line in lines]

    before, landlord = hands(), state.current_player()
    state.apply_action(state.legal_actions()[-1])
    return state, hands(), cards(Counter(hands()[landlord]) - Counter(before[landlord]))


def test_legal_sets_equal_those_of_open_spiel() -> None:
    """For what both have. open_spiel 2.0.2 has no quads with kickers, lets a bomb beat the rocket, and forgets chains
    that begin with a rank held four times."""
    pyspiel = pytest.importorskip("pyspiel")
    game, spiel = doudizhu(landlord="random"), pyspiel.load_game("dou_dizhu")
    rng = random.Random(2)
    compared = 0
    while compared < POSITIONS:
        theirs, hands, talon = spiel_deal(spiel, rng)
        state = game.from_position({"landlord_seat": theirs.current_player(), "talon": talon, "hands": hands})
        while not state.over:
            assert theirs.current_player() == state.to_act
            position = game.position(state)
            mine = {game.text(action) for action in state.legal()}
            named = {spiel_text(theirs.action_to_string(action)): action for action in theirs.legal_actions()}
            for move in mine - named.keys():
                forgotten = Counter(position["hands"][state.to_act])[move[0]] == 4 and "chain" in category(move)
                plane = category(move) == "plane" and Counter(position["hands"][state.to_act])[move[0]] == 4
                assert forgotten or plane or category(move).startswith("quad"), position
            for move in named.keys() - mine:
                assert category(move) == "bomb", position
                assert position["last"] == "BR", position
            compared += 1
            move = rng.choice(sorted(mine & named.keys()))
            state.apply(game.parse(move))
            theirs.apply_action(named[move])
        assert theirs.is_terminal()


# ------------------------------------------------------------------------------------------------- the flow of a game


def small(hands: list[str], landlord: int = 0, **more: Any) -> dict[str, Any]:
    """A position in which everything but these hands has been played, by somebody, in some way."""
    rest = DECK - sum((Counter(hand) for hand in hands), Counter[str]())
    pile = list(cards(rest))
    sizes = [(20 if seat == landlord else 17) - len(hand) for seat, hand in enumerate(hands)]
    played = []
    for size in sizes:
        played.append("".join(pile[:size]))
        del pile[:size]
    talon = played[landlord][:3]
    return {"hands": hands, "played": played, "talon": talon, "landlord_seat": landlord, "moves": [2, 2, 2], **more}


def play(state: Any, *moves: str) -> Any:
    for move in moves:
        state.apply(state.game.parse(move))
    return state


def legal(state: Any) -> list[str]:
    return [state.game.text(action) for action in state.legal()]


def test_two_passes_free_the_lead() -> None:
    state = doudizhu().from_position(small(["3345", "44A", "56K"]))
    assert "pass" not in legal(state), "the leader may not pass"
    play(state, "3", "pass")
    assert legal(state) == ["5", "6", "K", "pass"]
    play(state, "6", "pass", "A", "pass", "pass")
    assert state.to_act == 1
    assert legal(state) == ["4", "44"], "nothing must be beaten any more"
    play(state, "4", "pass", "pass", "4")
    assert state.over
    assert list(state.payoffs) == [-1, 0.5, 0.5]


def test_bombs_and_the_rocket_beat_everything_below_them() -> None:
    state = doudizhu().from_position(small(["33379", "44446", "5555BR8"]))
    play(state, "3337")
    assert legal(state) == ["4446", "4444", "pass"]
    play(state, "4444")
    assert legal(state) == ["5555", "BR", "pass"]
    play(state, "BR")
    assert legal(state) == ["pass"]


@pytest.mark.parametrize(
    ("moves", "factor"),
    [
        (["3", "pass", "A", "pass", "pass", "7"], 1),
        (["3333", "pass", "pass", "5"], 2),
        (["3333", "4444", "BR", "pass", "pass", "7", "pass", "8"], 8),
    ],
)
def test_bombs_double(moves: list[str], factor: int) -> None:
    hands = {1: ["35", "46", "7A"], 2: ["33335", "46", "78"], 8: ["33335", "44448", "7BR9"]}[factor]
    game = doudizhu(scoring="adp")
    state = play(game.from_position(small(hands)), *moves)
    assert state.over
    sign = 1 if game.position(state)["winner"] == 0 else -1
    assert list(state.payoffs) == [2 * sign * factor, -sign * factor, -sign * factor]


def spring(moves: list[int], winner: int, scoring: str = "adp") -> list[float]:
    hands = ["4" if seat != winner else "3" for seat in range(3)]
    position = small(hands, to_act=winner)
    played = position["played"]
    for seat in range(3):  # seats without a move have all their cards
        if moves[seat] == 0:
            hands[seat], played[seat] = hands[seat] + played[seat], ""
    position["moves"] = moves
    return list(play(doudizhu(scoring=scoring).from_position(position), "3").payoffs)


def test_spring_doubles() -> None:
    assert spring([1, 1, 1], 0) == [2, -1, -1]
    assert spring([2, 0, 0], 0) == [4, -2, -2], "the peasants never played"
    assert spring([2, 1, 0], 0) == [2, -1, -1]
    assert spring([1, 2, 0], 1) == [-4, 2, 2], "the landlord played once"
    assert spring([2, 2, 0], 1) == [-2, 1, 1]
    assert spring([2, 0, 0], 0, "wp") == [1, -0.5, -0.5]


def test_bidding() -> None:
    game = doudizhu(bidding=True, scoring="adp")
    state = game.deal(1)
    talon = game.position(state)["talon"]
    assert "talon" not in game.position(state.view(0))
    assert legal(state) == ["bid-0", "bid-1", "bid-2", "bid-3"]
    play(state, "bid-1")
    assert legal(state) == ["bid-0", "bid-2", "bid-3"]
    play(state, "bid-0", "bid-2")
    assert state.to_act == 2
    position = game.position(state)
    assert (position["landlord_seat"], len(position["hands"][2])) == (2, 20)
    assert game.position(state.view(0))["talon"] == talon
    while not state.over:
        state.apply(state.legal()[0])
    assert abs(state.payoffs[2]) >= 4, "twice the bid"

    state = play(game.deal(1), "bid-3")
    assert game.position(state)["landlord_seat"] == 0
    state = play(game.deal(1), "bid-0", "bid-0", "bid-0")
    assert state.over
    assert list(state.payoffs) == [0, 0, 0]


def test_the_strongest_is_landlord() -> None:
    from rlcard.games.doudizhu.utils import get_landlord_score

    game = doudizhu(landlord="strongest")
    for seed in range(200):
        position = game.position(game.deal(seed))
        hands = [Counter(hand) for hand in position["hands"]]
        landlord = position["landlord_seat"]
        hands[landlord] -= Counter(position["talon"])
        scores = [get_landlord_score(cards(hand)) for hand in hands]
        assert landlord == scores.index(max(scores))


def test_joker_kickers() -> None:
    hands = ["3333444BR5", "6", "7"]
    one, both = (set(legal(doudizhu(joker_kickers=k).from_position(small(hands)))) for k in ("one", "both"))
    assert one < both
    assert both - one == {"3333BR", "333444BR"}


def test_separate_kickers_come_to_the_same_moves() -> None:
    """Announcements and their kickers together are the joint moves; the announcement alone changes no turn."""
    for jokers in ("one", "both"):
        joint = doudizhu(landlord="random", joker_kickers=jokers)
        separate = doudizhu(landlord="random", joker_kickers=jokers, kickers="separate")
        rng = random.Random(3)
        for seed in range(60):
            one, two = joint.deal(seed), separate.deal(seed)
            while not one.over:
                reached: dict[str, list[str]] = {}
                for move in legal(two):
                    after = play(two.copy(), move)
                    if "+" in move:
                        assert after.to_act == two.to_act
                        reached.update({full: [move, full] for full in legal(after)})
                    else:
                        reached[move] = [move]
                assert sorted(reached) == sorted(legal(one))
                move = rng.choice(sorted(reached, key=len)[-20:])
                play(one, move)
                play(two, *reached[move])
            assert list(one.payoffs) == list(two.payoffs)


# ------------------------------------------------------------------------------------------------- tables and agents


def test_ragged_tables() -> None:
    game = doudizhu(rules="rlcard")
    tables = kibitz.Tables(game, 32, "random", seed=4)
    assert tables.ragged
    assert not hasattr(tables, "mask")
    rng = np.random.default_rng(1)
    done = 0
    for _ in range(200):
        assert tables.offsets.shape == (33,)
        assert tables.offsets[0] == 0
        assert tables.ids.shape == (tables.offsets[-1],)
        assert tables.features.shape == (tables.offsets[-1], game.action_features)
        assert (np.diff(tables.offsets) > 0).all()
        chosen = tables.offsets[:-1] + rng.integers(0, np.diff(tables.offsets))
        kept = tables.ids
        # The features name the action: its cards, one-hot by count.
        for action, features in zip(tables.ids[:5], tables.features[:5], strict=True):
            count = Counter(game.text(int(action)).replace("pass", ""))
            hot = [float(count[rank] == n) for rank in RANKS[:13] for n in range(1, 5)]
            assert features[:54].tolist() == [*hot, count["B"], count["R"]]
        tables.step(tables.ids[chosen])
        assert kept.shape[0] > 0  # still readable, whatever it holds now
        done += int(tables.done.sum())
        assert (tables.payoff[tables.done] != 0).all()
    assert done > 50


@pytest.mark.parametrize("options", [{"rules": "rlcard"}, {"kickers": "separate"}, {"bidding": True}], ids=str)
def test_features_of_an_action_show_the_hand_it_leaves(options: dict[str, Any]) -> None:
    game = doudizhu(**options)
    tables = kibitz.Tables(game, 16, seed=4)
    rng = np.random.default_rng(1)
    outs = 0
    for _ in range(120):
        for table in range(16):
            rows = range(tables.offsets[table], tables.offsets[table + 1])
            hand = tables.obs[table, :54]
            for row in rows:
                played, left = tables.features[row, :54], tables.features[row, 90:144]
                assert counts(left) == [a - b for a, b in zip(counts(hand), counts(played), strict=True)]
                assert left.any() or tables.features[row, 144] == 0
                assert left.any() or tables.features[row, 89] == 1 or "kickers" in options
                outs += not left.any()
        chosen = tables.offsets[:-1] + rng.integers(0, np.diff(tables.offsets))
        tables.step(tables.ids[chosen])
    assert outs > 20


def test_features_tell_how_many_turns_the_rest_takes() -> None:
    for rest, turns in {"333444": 0.85, "34567": 0.85, "3": 1.0, "B": 0.25, "55": 1.0}.items():
        state = doudizhu().from_position(small([rest + "9", "TTA", "JJK"]))
        assert state.action_features()[legal(state).index("9"), 144] == pytest.approx(turns / 8)


def counts(hot: Any) -> list[int]:
    """Of each rank, from features."""
    return [int(hot[4 * r : 4 * r + 4] @ [1, 2, 3, 4]) for r in range(13)] + [int(hot[52]), int(hot[53])]


def test_ragged_tables_agree_with_states() -> None:
    game = doudizhu()
    tables = kibitz.Tables(game, 4, seed=8)
    other = kibitz.Tables(game, 4, seed=8, threads=2)
    for _ in range(30):
        tables.step(tables.ids[tables.offsets[:-1]])
        other.step(other.ids[other.offsets[:-1]])
        np.testing.assert_array_equal(tables.ids, other.ids)
        np.testing.assert_array_equal(tables.features, other.features)
    before = tables.offsets.copy()
    with pytest.raises(ValueError, match="illegal at table 2"):
        tables.step([*tables.ids[tables.offsets[:2]], 27_470 + 5, tables.ids[tables.offsets[3]]])
    np.testing.assert_array_equal(tables.offsets, before)
    state = game.deal(3)
    assert state.action_features().shape == (len(state.legal()), game.action_features)
    np.testing.assert_array_equal(state.action_features(), state.view(0).action_features())
    assert state.view(1).action_features().shape == (0, game.action_features)


def test_small_games_keep_their_mask() -> None:
    game = kibitz.make("uno")
    tables = kibitz.Tables(game, 3)
    assert not tables.ragged
    assert tables.mask.shape == (3, game.num_actions)
    assert not hasattr(tables, "ids")


@pytest.mark.parametrize("options", [{}, {"bidding": True, "scoring": "adp"}, {"kickers": "separate"}], ids=str)
def test_rules_beat_random(options: dict[str, Any]) -> None:
    result = kibitz.play(doudizhu(**options), ["rules", "random", "random"], games=900, seed=1)
    assert result.agents[0].payoff.low > 0.3


# ------------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rules": "official"}, "standard, rlcard"),
        ({"landlord": 1}, "landlord"),
        ({"scoring": "points"}, "wp, adp"),
        ({"kickers": "none"}, "joint, separate"),
        ({"joker_kickers": True}, "joker_kickers"),
        ({"players": 4}, "allowed options: rules, landlord"),
        ({"rules": "rlcard", "bidding": True}, "rlcard"),
        ({"rules": "rlcard", "kickers": "separate"}, "rlcard"),
        ({"bidding": True, "landlord": "strongest"}, "speaks first"),
        ({"kickers": "separate", "landlord": "strongest"}, "strongest"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        doudizhu(**options)


GOOD = small(["3345", "44A", "56K"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "uno"}, "uno"),
        ({"version": 2}, "version"),
        ({"rules": "rlcard"}, "rules"),
        ({"colour": 1}, "colour"),
        ({"hands": ["3345", "44A"]}, "one entry per seat"),
        ({"hands": ["3345", "44A", "56X"]}, "unknown card"),
        ({"hands": ["3345", "44A", "56KK"]}, "K"),
        ({"hands": ["3345", "44A", 7]}, "seat 2"),
        ({"hands": ["", "44A", "56K"]}, "seat 0"),
        ({"hands": ["33333", "44A", "56K"]}, "too many 3"),
        ({"talon": "33"}, "three cards"),
        ({"talon": "BR2"}, "talon"),
        ({"landlord_seat": 1}, "seat 0 is the landlord"),
        ({"landlord_seat": 3}, "landlord_seat"),
        ({"to_act": -1}, "to_act"),
        ({"phase": "bid"}, "bidding"),
        ({"phase": "kickers"}, "separate"),
        ({"phase": "over"}, "winner"),
        ({"winner": 0}, "winner"),
        ({"bids": [0, 1, 2]}, "bidding"),
        ({"moves": [0, 2, 2]}, "moves"),
        ({"moves": [20, 2, 2]}, "moves"),
        ({"moves": [1, 2]}, "one entry per seat"),
        ({"last": "3"}, "go together"),
        ({"last": "pass", "last_seat": 2}, "free lead"),
        ({"last": "BR", "last_seat": 0}, "played"),
        ({"last": "67", "last_seat": 0}, "unknown move"),
        ({"bombs": 14}, "bombs"),
        ({"announced": "333+solo"}, "kickers"),
        ({"seat": 0}, "count"),
        ({"seat": 3}, "seat"),
    ],
)
def test_bad_positions(change: dict[str, Any], message: str) -> None:
    game = doudizhu()
    assert not game.from_position(GOOD).over
    with pytest.raises(ValueError, match=message):
        game.from_position({**GOOD, **change})


def test_random_nonsense_never_crashes() -> None:
    """Members swapped between positions, removed, or replaced: a ValueError or a state that can be played."""
    rng = random.Random(9)
    games = [doudizhu(**options) for options in WORLD_OPTIONS]
    fragments: dict[str, list[Any]] = {}
    positions = []
    for game in games:
        for view in itertools.islice(late_views(game, rng, 37), 40):
            for thing in (view, view.sample(1)):
                positions.append((game, game.position(thing)))
                for key, value in positions[-1][1].items():
                    fragments.setdefault(key, []).append(value)
    read = 0
    for _ in range(4_000):
        game, position = rng.choice(positions)
        position = dict(position)
        for _ in range(rng.randrange(1, 4)):
            key = rng.choice(sorted(fragments))
            position[key] = rng.choice([*rng.sample(fragments[key], 2), None, -1, 3, "3", [], {}, "KKKK", [1, 2, 3]])
            if rng.random() < 0.3:
                del position[key]
        try:
            thing = game.from_position(position)
        except ValueError:
            continue
        read += 1
        state = thing.sample(1) if "seat" in position else thing
        while not state.over:
            state.apply(rng.choice(state.legal()))
    assert read > 50


def test_parse_names_what_is_allowed() -> None:
    for game in (doudizhu(), doudizhu(rules="rlcard")):
        for text in ("", "43", "3337 ", "33344", "PASS", "345", "33334444"):
            if text != "33344":
                with pytest.raises(ValueError, match="moves are cards in order"):
                    game.parse(text)
    with pytest.raises(ValueError, match="unknown move"):
        doudizhu(rules="rlcard").parse("bid-0")
