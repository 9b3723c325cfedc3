"""Thinkers that behave badly, each in its own way: `python ggp_minds.py KIND`, in place of kibitz.ggp.thinker."""

from __future__ import annotations

import json
import sys
import time


def say(**what: object) -> None:
    print(json.dumps(what), flush=True)


def main(kind: str) -> None:
    sys.stdin.readline()
    say(ready=True, legal=["(step 0 left)"])
    for line in sys.stdin:
        number = json.loads(line)["number"]
        if kind == "hangs":
            time.sleep(60)
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


if __name__ == "__main__":
    main(sys.argv[1])
