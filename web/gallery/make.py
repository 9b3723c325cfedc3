"""Writes scenes.json: positions of real games for the gallery, seldom ones, too (25 cards, 10 players).

python web/gallery/make.py
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import kibitz
from kibitz.web.choices import choices

NAMES = ["You", "West", "North", "East", "Zoë", "Maximiliane", "李小龙", "Ana", "Bo", "Jean-Baptiste"]
COMMITMENT = "a deal of the gallery"
Scene = dict[str, Any]


def scene(
    name: str,
    game_name: str,
    wanted: Callable[[Any, Any], bool],
    seat: int | None = 0,
    greedy: bool = False,
    **options: Any,
) -> Scene:
    """A position of a random game in which `wanted(state, position)` holds for the seat."""
    game = kibitz.make(game_name, **options)
    for seed in range(3000):
        state, rng = game.deal(seed=seed), random.Random(seed)
        for _ in range(200):
            view = state.view(seat or 0)
            position = game.position(view)
            if wanted(state, position):
                return as_messages(name, game_name, game, state, position, seat, options)
            if state.over:
                break
            legal = state.legal()
            draws = [action for action in legal if game.text(action) in ("draw", "keep", "accept")]
            state.apply(draws[0] if greedy and draws and state.to_act == seat else rng.choice(legal))
    raise SystemExit(f"no such position: {name}")


def as_messages(
    name: str, game_name: str, game: Any, state: Any, position: Any, seat: int | None, options: Any
) -> Scene:
    players = game.players
    mine = not state.over and state.to_act == seat
    offered = choices(state.view(seat or 0)) if mine else []
    seats = [
        {
            "seat": i,
            "kind": "person" if i in (seat, 2) else "bot",
            "name": NAMES[i],
            "picture": 3 * i if i in (seat, 2) else None,
            "person": None,
            "level": None if i in (seat, 2) else ["easy", "club", "strong"][i % 3],
            "here": True,
            "bot_plays": False,
            "ready": False,
            "points": 35.0 * i,
            "team": i % 2 if game_name == "belote" else i,
        }
        for i in range(players)
    ]
    return {
        "name": name,
        "info": {
            "id": "gallery",
            "game": f"gdl:{options['file']}" if game_name == "gdl" else game_name,
            "options": options,
            "players": players,
            "series": {"to": 500},
            "clock_s": None,
            "public": False,
            "watching": True,
            "status": "playing",
            "deal": 0,
            "seats": seats,
            "watchers": 2,
            "created": 0,
        },
        "you": {"person": None, "seat": seat, "host": True, "token": None},
        "view": {
            "type": "view",
            "n": 1,
            "deal": 0,
            "turn": 1,
            "hash": hashlib.sha256(COMMITMENT.encode()).hexdigest(),
            "seat": -1 if seat is None else seat,
            "to_act": None if state.over else state.to_act,
            "cause": {"kind": "sync", "by": None, "seat": None, "move": None},
            "position": position,
            "text": "",
            "clock": None,
            "choices": [choice.model_dump() for choice in offered],
            "history": [{"seat": m[0], "action": m[1], "text": game.text(m[1])} for m in state.history][-40:],
        },
        "over": state.over,
        "end": game.position(state) if state.over else None,
        "payoffs": list(state.payoffs) if state.over else None,
    }


def my(phase: str, least: int = 0, most: int = 99) -> Callable[[Any, Any], bool]:
    def wanted(state: Any, position: Any) -> bool:
        return (
            not state.over
            and state.to_act == 0
            and position["phase"] == phase
            and least <= len(position["hands"][0]) <= most
        )

    return wanted


def stones(state: Any, position: Any) -> bool:
    return not state.over and state.to_act == 0 and sum(row.count("x") for row in position["board"]) > 3


def main() -> None:
    uno = {"uno_call": "decision", "scoring": "points"}
    scenes = [
        scene("uno", "uno", lambda s, p: my("play", 9)(s, p) and len(s.legal()) > 3, players=4, **uno),
        scene("uno2", "uno", my("play", 5), players=2, **uno),
        scene("uno10", "uno", my("play", 6), players=10, **uno),
        scene("uno6", "uno", my("play", 6), players=6, **uno),
        scene("uno25", "uno", my("play", 25), players=3, greedy=True, **uno),
        scene("uno1", "uno", my("play", 1, 1), players=4, **uno),
        scene("uno-drawn", "uno", lambda s, p: my("drawn")(s, p) and len(s.legal()) > 1, players=4, **uno),
        scene("uno-penalty", "uno", my("penalty"), players=4, **uno),
        scene("uno-call", "uno", my("call"), players=4, **uno),
        scene("uno-swap", "uno", my("swap"), players=4, seven_zero=True, **uno),
        scene("uno-watch", "uno", lambda s, p: len(s.history) > 20, seat=None, players=4, **uno),
        scene("uno-over", "uno", lambda s, p: s.over, players=3, **uno),
        scene("belote-bid", "belote", my("first"), bidding=True),
        scene("belote-second", "belote", my("second"), bidding=True),
        scene("belote", "belote", lambda s, p: my("play", 6)(s, p) and len(p["trick"]) == 2, bidding=True),
        scene("belote-over", "belote", lambda s, p: s.over and p.get("tricks"), bidding=True),
        scene("doudizhu-bid", "doudizhu", my("bid"), bidding=True, scoring="adp"),
        scene(
            "doudizhu",
            "doudizhu",
            lambda s, p: my("play", 12)(s, p) and "last" in p and len(s.legal()) > 3,
            bidding=True,
            scoring="adp",
        ),
        scene("doudizhu20", "doudizhu", my("play", 20), bidding=True, scoring="adp"),
        scene("mini", "mini_doudizhu", lambda s, p: not s.over and s.to_act == 0 and len(p["hands"][0]) > 4),
        scene("tictactoe", "tictactoe", lambda s, p: not s.over and s.to_act == 0 and len(s.history) == 4),
        scene("connect_four", "connect_four", stones),
        scene("hex", "hex", lambda s, p: not s.over and s.to_act == 0 and len(s.history) > 20),
        scene("hex5", "hex", stones, size=5),
        scene("sheet-board", "gdl", lambda s, p: not s.over and s.to_act == 0 and len(s.history) > 2, file="tictactoe"),
        scene("sheet-list", "gdl", lambda s, p: not s.over and s.to_act == 0 and len(s.legal()) > 1, file="kuhn_poker"),
        scene(
            "sheet-blind",
            "gdl",
            lambda s, p: not s.over and s.to_act == 0 and len(s.history) > 3,
            file="blind_tictactoe",
        ),
    ]
    for one in scenes:  # the public view comes from the server; here what seat 0 sees, without its hand
        if one["you"]["seat"] is None:
            hands = one["view"]["position"]["hands"]
            hands[0] = {"count": len(hands[0])}
    Path(__file__).with_name("scenes.json").write_text(json.dumps(scenes, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
