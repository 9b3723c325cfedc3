"""What runs on Ray, as far as it can be seen without: experience in parcels, errors, and that nobody imports Ray."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from learn_common import METHODS, made

from kibitz import extras
from kibitz.cli import run as cli
from kibitz.learn.common.experience import Collector, Step
from kibitz.learn.common.tables import Group
from kibitz.scale import packing

WITHOUT = """
import sys
import kibitz.cli
from kibitz.cli import run
assert run(["match", "tictactoe", "--agents", "random,random", "--games", "10"]) == 0
assert "ray" not in sys.modules and not any(name.startswith("kibitz.scale") for name in sys.modules)
"""


def test_nothing_of_ray_is_imported_unasked() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT], check=True, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize("method", METHODS)
def test_experience_survives_packing(method: str) -> None:
    learner = made(method, opponents=("self",))
    collector = Collector(learner, Group(learner.settings))
    steps = [collector.collect() for _ in range(30)]
    packed = packing.pack(steps)
    same(list(packing.unpack(packed)), steps)
    assert packed.games == sum(step.games for step in steps) > 0
    assert packed.transitions == sum(len(rows["obs"]) for step in steps for rows in step.rows)
    plain = sum(values.nbytes for step in steps for rows in step.rows for values in rows.values())
    assert packed.bytes < plain / 3
    assert learner.counts["games"] == learner.counts["transitions"] == 0  # to collect is not to take


def same(found: list[Step], wanted: list[Step]) -> None:
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        assert (one.games, one.counts) == (other.games, other.counts)
        for a, b in zip([one.aside, *one.rows], [other.aside, *other.rows], strict=True):
            assert a.keys() == b.keys()
            for key in a:
                assert a[key].dtype == b[key].dtype
                assert np.array_equal(a[key], b[key])


@pytest.mark.parametrize(
    ("values", "size"),
    [
        (np.array([[0, 1], [1, 0]], np.float32), 1),
        (np.array([True, False] * 8), 2),
        (np.array([0, 3, 255], np.float32), 3),
        (np.array([0, 3, 256], np.int64), 6),
        (np.array([0, 70_000], np.int64), 16),
        (np.array([-1, 1], np.float32), 8),
        (np.array([0.5, 1], np.float32), 8),
        (np.array([np.nan, 1], np.float32), 8),
        (np.array([[0, 0.5], [1, 2]] * 4, np.float32), 1 + 32),
        (np.zeros((0, 5), np.float32), 0),
    ],
)
def test_columns_take_few_bytes(values: Any, size: int) -> None:
    column = packing.small(values)
    assert column.bytes == size
    assert column.array().dtype == values.dtype
    assert np.array_equal(column.array(), values, equal_nan=values.dtype.kind == "f")


# --- errors -----------------------------------------------------------------------------------------------------------

MATCH = ["match", "tictactoe", "--agents", "random,random", "--games", "10"]


def test_a_missing_ray_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    there = extras.installed
    monkeypatch.setattr(extras, "installed", lambda package: package != "ray" and there(package))
    for command in (MATCH, ["train", "ddqn", "--out", "nowhere"], ["reproduce", "li/fig2", "--quick"]):
        assert cli([*command, "--ray", "local"]) == 2
        told = capsys.readouterr().err
        assert "--ray needs the package ray: pip install '.[ray]'" in told
        assert told.count("\n") == 1


@contextmanager
def listening(answer: bytes) -> Iterator[str]:
    """Something that is no cluster: its address."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            line, _ = server.accept()
            with line:
                line.sendall(answer)

        threading.Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{server.getsockname()[1]}"


def test_wrong_addresses_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: nothing is tested on it")

    def told(address: str) -> str:
        assert cli([*MATCH, "--ray", address]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        return said

    with socket.create_server(("127.0.0.1", 0)) as server:
        free = f"127.0.0.1:{server.getsockname()[1]}"
    assert f"no Ray cluster at '{free}': Connection refused" in told(free)
    for answer in (b"HTTP/1.1 400 Bad Request\r\n\r\n", b"no"):
        with listening(answer) as address:
            assert f"no Ray cluster at '{address}': " in told(address)
    for nonsense in ("nonsense", "host:port", ":6379", "ray://host:10001", "host:70000"):
        assert f"--ray must be local, auto (the cluster that runs on this machine) or HOST:PORT, not {nonsense!r}" in (
            told(nonsense)
        )


def test_options_that_go_with_ray(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli(["train", "ddqn", "--out", "nowhere", "--actors", "2"]) == 2
    assert "--actors and --staleness go with --ray" in capsys.readouterr().err
    assert cli(["train", "qm", "--out", "nowhere.npz", "--ray", "local"]) == 2
    assert "--ray is for methods with networks" in capsys.readouterr().err
