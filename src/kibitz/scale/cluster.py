"""To a Ray cluster that runs, or to one on this machine that lasts as long as the command."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
from collections.abc import Iterator
from typing import Any

from kibitz import extras

LOCAL, AUTO = "local", "auto"
ALLOWED = "local, auto (the cluster that runs on this machine) or HOST:PORT"
STORE_BYTES = 256 << 20  # of a local cluster's object store: batches wait there, a few per actor
_SECONDS = 5.0  # that a cluster has to answer
# What a client of HTTP/2, and so of gRPC, says first; a server answers with a frame of type 4, its settings.
_HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])


def ray() -> Any:
    """The package. ValueError says how to get it."""
    if not extras.installed("ray"):
        raise ValueError(f"--ray needs the package ray: {extras.how_to_get('ray')}")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to anybody
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # workers see the devices that there are
    import ray
    import ray._private.worker

    # Else it tells of workers that died on standard output, where results go. What matters of it we say ourselves.
    ray._private.worker._worker_logs_enabled = False
    return ray


@contextlib.contextmanager
def connected(address: str, cpus: int | None = None) -> Iterator[Any]:
    """Ray, connected to `address`; what this process is connected to already stays so. `cpus`: of a local cluster."""
    package = ray()
    if package.is_initialized():
        yield package
        return
    if address == LOCAL:
        start: dict[str, Any] = {"address": "local", "num_cpus": cpus or cores(), "object_store_memory": STORE_BYTES}
        start["include_dashboard"] = False
    else:
        _check(address)
        start = {"address": address}
    try:
        package.init(**start, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as problem:
        package.shutdown()
        told = "none runs on this machine" if address == AUTO else _first_line(problem)
        raise ValueError(f"no Ray cluster at {address!r}: {told}") from None
    try:
        yield package
    finally:
        package.shutdown()


def cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def cpus() -> int:
    """Of the cluster, as it is now."""
    return int(ray().cluster_resources().get("CPU", 0))


def _check(address: str) -> None:
    """ValueError unless something that may be a cluster answers. Ray itself would try for minutes."""
    if address == AUTO:
        return  # Ray knows at once
    host, colon, port = address.rpartition(":")
    if not (colon and host and port.isdecimal() and 0 < int(port) < 65536) or "/" in address:
        raise ValueError(f"--ray must be {ALLOWED}, not {address!r}")
    try:
        with socket.create_connection((host, int(port)), timeout=_SECONDS) as line:
            line.settimeout(_SECONDS)
            line.sendall(_HELLO)
            answer = line.recv(9, socket.MSG_WAITALL)
    except OSError as problem:
        raise ValueError(f"no Ray cluster at {address!r}: {problem.strerror or problem}") from None
    if len(answer) < 9 or answer[3] != 4:
        raise ValueError(f"no Ray cluster at {address!r}: something else answers there")


def _first_line(problem: BaseException) -> str:
    lines = str(problem).strip().splitlines()
    return lines[0] if lines else type(problem).__name__
