"""Thinkers that behave in some way of their own: `python ggp_minds.py KIND`, in place of kibitz.ggp.thinker."""

from __future__ import annotations

import json
import sys
import time
from typing import Any


def say(**what: object) -> None:
    print(json.dumps(what), flush=True)


def bad(kind: str) -> None:
    sys.stdin.readline()
    say(ready=True, legal=["(step 0 left)"])
    for line in sys.stdin:
        number = json.loads(line).get("number")
        if number is None:
            continue  # a move that is not wanted any more
        if kind == "hangs":
            time.sleep(86_400)
        if kind == "dies":
            return
        if kind == "raises":
            raise ValueError("a thinker that raises")
        if kind == "illegal":
            say(number=number, move="(step 99 left)")
        if kind == "stale":  # always the first turn, and sure of it
            say(number=number, legal=["(step 0 left)"])
            say(number=number, move="(step 0 left)" if number > 1 else "(step 0 back)")
        if kind == "nonsense":
            say(number=number, legal="everything")
            say(number=str(number), move=["(step", 0])
            print("no JSON at all", flush=True)


def patient() -> None:
    """Thinks about the first turn as long as it is let, and about a later one until it alone is wanted."""
    sys.stdin.readline()
    say(ready=True, legal=["(step 0 left)"])
    wanted: dict[int, Any] = {}
    for line in sys.stdin:
        said = json.loads(line)
        if "unwanted" in said:
            del wanted[said["unwanted"]]
        else:
            wanted[said["number"]] = said["told"]
            say(number=said["number"], legal=["(step 0 left)"])
        if len(wanted) == 1 and None not in wanted.values():
            say(number=wanted.popitem()[0], move="(step 0 left)")


if __name__ == "__main__":
    patient() if sys.argv[1] == "patient" else bad(sys.argv[1])
