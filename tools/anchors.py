"""Writes src/kibitz/web/anchors.json, what levels win against the one below, from results/strength/levels.

python tools/anchors.py          write the file
python tools/anchors.py --check  only say whether it is up to date
"""

from __future__ import annotations

import gzip
import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import kibitz
from kibitz.advice.table import VARIANTS, Variant
from kibitz.experiments.strength.duels import duel_of
from kibitz.experiments.strength.matches import match_of, stage_of
from kibitz.web.catalogue import OFFERS, Catalogue

ROOT = Path(__file__).resolve().parent.parent
LEVELS = ROOT / "results" / "strength" / "levels"
TARGET = ROOT / "src" / "kibitz" / "web" / "anchors.json"


def written() -> str:
    """The whole file."""
    run = json.loads((LEVELS / "run.json").read_text())
    won = {variant.game: _won(variant, run["stages"]) for variant in _offered()}
    settings = run["settings"]
    made = f"kibitz reproduce strength/levels --scale {settings['scale']} --seed {settings['seed']}"
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(shares)}" for name, shares in won.items())
    return f'{{"made": {json.dumps(made)},\n "won": {{\n{lines}\n}}}}\n'


def _offered() -> list[Variant]:
    """The variants that serve tables: those with another game's rules, or without bidding, have no ratings."""
    offers, catalogue = [], Catalogue()
    for name, offer in OFFERS.items():
        for players in sorted(offer.players):
            for series in (None, *offer.series[:1]):  # points may be scored in another way
                offers.append(catalogue.game(name, catalogue.options(name, players, {}, series)))
        for option, values in offer.choices.items():
            offers += [catalogue.game(name, catalogue.options(name, None, {option: value}, None)) for value in values]
    used = {kibitz.advice.choice(game).variant.game for game in offers}
    return [variant for found in VARIANTS.values() for variant in found if variant.game in used]


def _won(variant: Variant, stages: dict[str, int]) -> dict[str, dict[str, Any]]:
    """By level, the share of games, or deals, that it won against the level below; a draw is half. `stages`: how many
    units the results count; a file may hold more, from a run of another scale."""
    found: dict[str, dict[str, Any]] = {}
    for (_, weaker), (level, stronger) in pairwise(variant.levels.items()):
        duel = duel_of(variant.game)
        (table,) = duel.tables  # where roles were played apart there are no ratings
        agents = [stronger if seat == "a" else weaker for seat in table]
        stage = stage_of(f"level {table}", variant.game, agents)
        lines = gzip.decompress((LEVELS / "parts" / f"{stage}.jsonl.gz").read_bytes()).splitlines()
        parts = [part for line in lines if (part := json.loads(line))["unit"] < stages[stage]]
        match = match_of(kibitz.make(variant.game), duel.seatings, [part["data"] for part in parts])
        found[level] = {"share": round(float(match.shares(0).mean()), 4), "games": match.games}
    return found


def main() -> int:
    if "--check" not in sys.argv[1:]:
        TARGET.write_text(written())
        return 0
    fresh = TARGET.exists() and TARGET.read_text() == written()
    print("up to date" if fresh else "out of date: run python tools/anchors.py")
    return 0 if fresh else 1


if __name__ == "__main__":
    sys.exit(main())
