"""What the tests of matches over the network share: rulesheets, loops, processes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import IO, Any

from kibitz import gdl
from kibitz.ggp import kif
from kibitz.ggp.protocol import Address
from kibitz.ggp.referee import Rules, read_rules

PEERS = Path(__file__).with_name("ggp_peers.py")
MINDS = Path(__file__).with_name("ggp_minds.py")
WATCHED = Path(__file__).with_name("ggp_watched.py")
PATIENCE = 120.0  # seconds, far more than anything needs on a slow machine
# One goes left or right; what is legal is never what was legal before.
STAIRS = """
(role a) (role b) (init (at 0)) (way left) (way right) (legal b noop)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (legal a (step ?n ?w)) (true (at ?n)) (way ?w))
(<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
(<= terminal (true (at 5))) (goal a 50) (goal b 50)
"""
MAIN = ("-c", "from kibitz.cli import main; main()")


def sheet(name: str) -> Rules:
    return read_rules(gdl.find(name).read_text(encoding="utf-8"))


def terms(*texts: str) -> tuple[kif.Term, ...]:
    return tuple(map(kif.parse_one, texts))


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, PATIENCE))


async def exchange(server: asyncio.Server, raw: bytes) -> bytes:
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
    writer.write(raw)
    try:
        return await reader.read()
    finally:
        writer.close()


def environment() -> dict[str, str]:
    """In which a program finds what the tests find."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}


@contextlib.contextmanager
def program(*command: str, **pipes: Any) -> Iterator[subprocess.Popen[str]]:
    """A Python program, until the end of the block. If that takes too long it is killed, so that nobody who waits for
    what it says waits for ever."""
    with subprocess.Popen([sys.executable, *command], text=True, env=environment(), **pipes) as running:
        give_up = threading.Timer(PATIENCE, running.kill)
        give_up.start()
        try:
            yield running
        finally:
            give_up.cancel()
            running.kill()


def lines(pipe: IO[str] | None) -> Iterator[str]:
    """What a program says, line by line."""
    assert pipe is not None
    return (line.strip() for line in pipe)


@contextlib.contextmanager
def process(*command: str, **pipes: Any) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A program, and the first line it says."""
    with program(*command, stdout=subprocess.PIPE, **pipes) as running:
        yield running, next(lines(running.stdout), "")


@contextlib.contextmanager
def kibitz_player(*options: str) -> Iterator[tuple[subprocess.Popen[str], Address]]:
    with process(*MAIN, "ggp", "player", "--port", "0", *options) as (running, line):
        yield running, Address.parse(line.split()[-1])


def bad_player(kind: str) -> contextlib.AbstractContextManager[tuple[subprocess.Popen[str], str]]:
    return process(str(PEERS), kind)
