"""What the tests of matches over the network share: rulesheets, loops, processes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

from kibitz import gdl
from kibitz.ggp import kif
from kibitz.ggp.protocol import Address
from kibitz.ggp.referee import Rules, read_rules

PEERS = Path(__file__).with_name("ggp_peers.py")
MAIN = ("-c", "from kibitz.cli import main; main()")


def sheet(name: str) -> Rules:
    return read_rules(gdl.find(name).read_text(encoding="utf-8"))


def terms(*texts: str) -> tuple[kif.Term, ...]:
    return tuple(map(kif.parse_one, texts))


def run(work: Coroutine[Any, Any, Any], seconds: float = 60) -> Any:
    return asyncio.run(asyncio.wait_for(work, seconds))


async def exchange(server: asyncio.Server, raw: bytes) -> bytes:
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
    writer.write(raw)
    try:
        return await reader.read()
    finally:
        writer.close()


@contextlib.contextmanager
def process(*command: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A program, and the first line it says."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    running = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True, env=environment)
    assert running.stdout is not None
    try:
        yield running, running.stdout.readline().strip()
    finally:
        running.kill()
        running.wait()
        running.stdout.close()


@contextlib.contextmanager
def kibitz_player(*options: str) -> Iterator[tuple[subprocess.Popen[str], Address]]:
    with process(*MAIN, "ggp", "player", "--port", "0", *options) as (running, line):
        yield running, Address.parse(line.split()[-1])


def bad_player(kind: str) -> contextlib.AbstractContextManager[tuple[subprocess.Popen[str], str]]:
    return process(str(PEERS), kind)
