"""The core's perceptron: equal to torch, strict about files, and the same whatever the batch."""

from __future__ import annotations

import itertools
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import safetensors
import safetensors.numpy
import safetensors.torch
import torch
from hypothesis import given
from hypothesis import strategies as st

import kibitz
from kibitz.nets import pack_net

Floats = npt.NDArray[np.float32]

ANY = {"game": "uno", "encoder": "li", "output": "q"}  # what a net must say, and nobody looks at in this file


def sequential(sizes: list[int], tanh: bool = False, seed: int = 1) -> torch.nn.Sequential:
    torch.manual_seed(seed)
    layers: list[torch.nn.Module] = []
    for before, after in itertools.pairwise(sizes):
        layers += [torch.nn.Linear(before, after), torch.nn.ReLU()]
    layers[-1:] = [torch.nn.Tanh()] if tanh else []
    return torch.nn.Sequential(*layers)


def loaded(path: Path, module: torch.nn.Sequential, tanh: bool = False) -> kibitz.Net:
    kibitz.save_net(path / "net.safetensors", module.state_dict(), ANY | {"final": "tanh" if tanh else "linear"})
    return kibitz.Net.load(path / "net.safetensors")


def small(**changes: Any) -> bytes:
    weights = {"0.weight": np.ones((2, 3)), "0.bias": np.zeros(2), "2.weight": np.ones((1, 2)), "2.bias": np.ones(1)}
    return pack_net(weights | changes.pop("weights", {}), ANY | changes)


def dense(rng: np.random.Generator, n: int, width: int) -> Floats:
    return rng.normal(size=(n, width)).astype(np.float32)


def one_hot(rng: np.random.Generator, n: int, width: int) -> Floats:
    return (rng.random((n, width)) < 0.2).astype(np.float32)


def sparse(rng: np.random.Generator, n: int, width: int) -> Floats:
    return dense(rng, n, width) * one_hot(rng, n, width)


# ------------------------------------------------------------------------------------------------------ equal to torch


@pytest.mark.parametrize("inputs", [dense, one_hot, sparse])
@pytest.mark.parametrize("tanh", [False, True])
@pytest.mark.parametrize(
    "sizes", [[240, 64, 64, 61], [1, 1], [3, 2], [7, 33, 1], [27, 9], [50, 128, 65, 31, 32, 4], [500, 3, 200]]
)
def test_equal_to_torch(
    tmp_path: Path, sizes: list[int], tanh: bool, inputs: Callable[[np.random.Generator, int, int], Floats]
) -> None:
    module = sequential(sizes, tanh)
    net = loaded(tmp_path, module, tanh)
    rows = inputs(np.random.default_rng(2), 50, sizes[0])
    rows[0] = 0
    with torch.no_grad():
        expected = module(torch.from_numpy(rows)).numpy()
    np.testing.assert_allclose(net.evaluate(rows), expected, atol=1e-5, rtol=0)
    assert net.sizes == sizes


def test_equal_to_torch_on_uno(tmp_path: Path) -> None:
    game = kibitz.make("uno", players=2, rules="rlcard")
    module = sequential([240, 64, 64, 61])
    net = loaded(tmp_path, module)
    tables = kibitz.Tables(game, 256, encoder="li", seed=1)
    for _ in range(5):
        tables.step(tables.mask.argmax(axis=1))
        with torch.no_grad():
            expected = module(torch.from_numpy(tables.obs)).numpy()
        np.testing.assert_allclose(net.evaluate(tables.obs), expected, atol=1e-5, rtol=0)
    view = game.deal(1).view(0)
    assert net.evaluate(view.encode("li")[None]).shape == (1, 61)  # the encoder's own shape is flattened


def test_a_batch_is_its_rows(tmp_path: Path) -> None:
    net = loaded(tmp_path, sequential([30, 40, 5]))
    rows = sparse(np.random.default_rng(3), 20, 30)
    together = net.evaluate(rows)
    assert np.array_equal(together, np.concatenate([net.evaluate(row[None]) for row in rows]))
    assert net.evaluate(rows[:0]).shape == (0, 5)
    assert np.array_equal(net.evaluate(rows.astype(np.float64)), together)
    assert np.array_equal(net.evaluate(np.asfortranarray(rows)), together)


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        (np.zeros((2, 4)), r"\[2, 3\], not \[2, 4\]"),
        (np.zeros(3), r"must be \[B, 3\]"),
        (np.full((1, 3), np.nan), "finite"),
        (np.full((1, 3), np.inf), "finite"),
    ],
)
def test_wrong_observations(rows: npt.ArrayLike, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        kibitz.Net(small()).evaluate(rows)


# --------------------------------------------------------------------------------------------------------------- files


def test_others_read_our_files(tmp_path: Path) -> None:
    file = tmp_path / "net.safetensors"
    weights = {"0.weight": np.arange(6).reshape(2, 3), "0.bias": np.array([0.5, -1])}
    kibitz.save_net(file, weights, ANY | {"note": 'é "\\ \n 🂡'})
    read = safetensors.numpy.load_file(file)
    assert read["0.weight"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert read["0.bias"].tolist() == [0.5, -1]
    with safetensors.safe_open(file, "np") as opened:
        theirs = opened.metadata()
    assert theirs == kibitz.Net.load(file).metadata
    assert theirs["note"] == 'é "\\ \n 🂡'
    assert theirs["version"] == "1"
    assert [path.name for path in tmp_path.iterdir()] == ["net.safetensors"]  # nothing is left beside


def test_we_read_others_files(tmp_path: Path) -> None:
    module = sequential([4, 8, 2])
    metadata = ANY | {"format": "kibitz-net", "version": "1", "note": "é🂡"}
    safetensors.torch.save_file(module.state_dict(), tmp_path / "net.safetensors", metadata)
    net = kibitz.Net.load(tmp_path / "net.safetensors")
    assert net.metadata == metadata
    with torch.no_grad():
        expected = module(torch.ones(1, 4)).numpy()
    np.testing.assert_allclose(net.evaluate(np.ones((1, 4))), expected, atol=1e-5)


@pytest.mark.parametrize(
    ("weights", "metadata", "complaint"),
    [
        ({}, {"version": "2"}, "version '2' of nets is unknown; this Kibitz reads version 1"),
        ({}, {"format": "pt"}, "format 'pt' is unknown"),
        ({}, {"output": "odds"}, "output of a net 'odds' is unknown; allowed: q, values, policy, action"),
        ({}, {"final": "relu"}, "allowed: linear, tanh"),
        ({}, {"total": "many"}, "total of a net must be a number"),
        ({}, {"total": "nan"}, "total of a net must be a number"),
        ({"2.weight": np.ones((1, 5))}, {}, "2.weight takes 5 inputs, but the layer before gives 2"),
        ({"2.bias": np.ones(3)}, {}, r"2.bias must be \[1\], not \[3\]"),
        ({"2.weight": np.ones(2)}, {}, r"2.weight must be \[outputs, inputs\], not \[2\]"),
        ({"2.weight": np.ones((0, 2))}, {}, r"2.weight must be \[outputs, inputs\], not \[0, 2\]"),
        ({"4.weight": np.ones((1, 1))}, {}, "every N.weight needs its N.bias"),
        ({"4.bias": np.ones(1)}, {}, "every N.weight needs its N.bias"),
        ({"00.weight": np.ones((2, 3))}, {}, "'00.weight' is there twice"),
        ({"fc.weight": np.ones((1, 1))}, {}, "'fc.weight' is unknown"),
        ({"2.bias": np.array([np.nan])}, {}, "'2.bias' has a value that is not finite"),
    ],
)
def test_what_makes_no_net(tmp_path: Path, weights: dict[str, Any], metadata: dict[str, str], complaint: str) -> None:
    content = small(weights=weights, **metadata)
    with pytest.raises(ValueError, match=complaint):
        kibitz.Net(content)
    # Nor is it ever written, and what was there before stays.
    file = tmp_path / "net.safetensors"
    file.write_bytes(b"before")
    base = {"0.weight": np.ones((2, 3)), "0.bias": np.zeros(2), "2.weight": np.ones((1, 2)), "2.bias": np.ones(1)}
    with pytest.raises(ValueError, match=complaint):
        kibitz.save_net(file, base | weights, ANY | metadata)
    assert file.read_bytes() == b"before"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=f"net.safetensors': .*{complaint}"):
        kibitz.Net.load(file)


@pytest.mark.parametrize("key", ["game", "encoder", "output"])
def test_metadata_that_must_be_there(key: str) -> None:
    with pytest.raises(ValueError, match=f"the metadata of a net needs '{key}'"):
        kibitz.Net(pack_net({}, {k: v for k, v in ANY.items() if k != key}))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(ValueError, match="cannot read the file"):
            kibitz.Net.load(path)
    (tmp_path / "empty").touch()
    with pytest.raises(ValueError, match="empty': the file is shorter than the 8 bytes"):
        kibitz.Net.load(tmp_path / "empty")


def file_of(header: str | dict[str, Any], data: bytes = b"") -> bytes:
    text = (header if isinstance(header, str) else json.dumps(header)).encode()
    return struct.pack("<Q", len(text)) + text + data


def tensor(begin: int, end: int, shape: list[int], dtype: str = "F32") -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"\0" * 7, "shorter than the 8 bytes"),
        (struct.pack("<Q", 2**63) + b"{}", "this is no safetensors file"),
        (struct.pack("<Q", 100) + b"{}", "the file is cut off"),
        (file_of(""), "the header must be an object"),
        (file_of("[]"), "the header must be an object"),
        (file_of("{"), "expected a text"),
        (file_of("{}x"), "something follows"),
        (file_of('{"a"'), "expected :"),
        (file_of('{"a\n":1}'), "control character"),
        (file_of('{"\\x":1}'), "unknown escape"),
        (file_of('{"\\ud800":1}'), "surrogate"),
        (file_of('{"\\udc00":1}'), "surrogate"),
        (file_of('{"__metadata__":{"a":1}}'), "expected a text"),
        (file_of('{"__metadata__":{"a":"b","a":"c"}}'), "'a' is there twice"),
        (file_of('{"__metadata__":{},"__metadata__":{}}'), "__metadata__ is there twice"),
        (file_of({"a": {"dtype": "F32", "shape": []}}), "needs dtype, shape and data_offsets"),
        (file_of({"a": tensor(0, 4, []) | {"more": 1}}, b"1234"), "unknown member 'more'"),
        (file_of({"a": tensor(0, 2, [1], "F16")}, b"12"), "only F32 can be read"),
        (file_of({"a": tensor(0, 8, [1])}, b"12345678"), "do not fit its shape"),
        (file_of({"a": tensor(4, 0, [1])}, b"1234"), "two ascending data_offsets"),
        (file_of({"a": tensor(0, 8, [2])}, b"1234"), "cut off"),
        (file_of({"a": tensor(0, 4, [1])}, b"12345678"), "goes on after its last tensor"),
        (file_of({"a": tensor(4, 8, [1])}, b"12345678"), "overlap or leave a gap"),
        (file_of({"a": tensor(0, 4, [1]), "b": tensor(0, 4, [1])}, b"1234"), "overlap or leave a gap"),
        (file_of({"a": tensor(0, 4, [2**20, 2**20])}, b"1234"), "too large"),
        (file_of({"a": tensor(0, 2**40, [1])}, b"1234"), "too large"),
        (file_of({"a": tensor(0, 4, [1] * 9)}, b"1234"), "the list is too long"),
        (file_of('{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}'), "expected a whole number"),
        (file_of('{"a":{"dtype":"F32","shape":[01],"data_offsets":[0,4]}}'), "expected a whole number"),
        (struct.pack("<Q", 4) + b'{"\xff"', "UTF-8"),
        (struct.pack("<Q", 5) + b'{"\xc0\x80"', "UTF-8"),
        (struct.pack("<Q", 4) + b'{"\xf0\x9f', "UTF-8"),
    ],
)
def test_malformed_files_say_why(content: bytes, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        kibitz.Net(content)


def loads(content: bytes) -> bool:
    try:
        kibitz.Net(content)
    except ValueError:
        return False
    return True


def test_every_cut_is_noticed() -> None:
    content = small()
    assert loads(content)
    assert not any(loads(content[:end]) for end in range(len(content)))
    assert not loads(content + b"\0")


@given(changes=st.lists(st.tuples(st.integers(0, 10**6), st.binary(max_size=4), st.integers(0, 4)), max_size=4))
def test_mutated_files_never_crash(changes: list[tuple[int, bytes, int]]) -> None:
    content = small()
    for at, new, cut in changes:
        where = at % (len(content) + 1)
        content = content[:where] + new + content[where + cut :]
    assert loads(content) or content != small()


@given(st.text(alphabet='{}[]",:\\u01dF32 ab_', max_size=60), st.binary(max_size=20))
def test_random_headers_are_refused(header: str, data: bytes) -> None:
    assert not loads(file_of(header, data))  # no name of a weight can be written with these letters


# ------------------------------------------------------------------------------------------------------------ metadata


def test_metadata_of_a_game() -> None:
    game = kibitz.make("uno", players=3, rules="rlcard")
    metadata = kibitz.net_metadata(game, "li", "q", total=-1, options=["players", "rules", "stacking"])
    assert metadata == {
        "game": "uno",
        "encoder": "li",
        "output": "q",
        "final": "linear",
        "total": "-1.0",
        "option.players": "3",
        "option.rules": "rlcard",
        "option.stacking": "false",
    }
    everything = kibitz.net_metadata(game, "li", "q")
    assert {key for key in everything if key.startswith("option.")} == {f"option.{name}" for name in game.options}
    with pytest.raises(ValueError, match="no encoder 'lee'; it has li"):
        kibitz.net_metadata(game, "lee", "q")
    with pytest.raises(ValueError, match="no option 'size'"):
        kibitz.net_metadata(game, "li", "q", options=["size"])
    with pytest.raises(ValueError, match="metadata must be texts"):
        pack_net({}, {"step": 3})  # type: ignore[dict-item]
