"""Checkpoints: one file with arrays and a JSON text, written whole or not at all, and known when torn.

A checksum tells a torn file, not an honest one: nothing that is read is trusted. Whoever takes a part of a checkpoint
says what it must be, and everything else is a ValueError.

8 bytes  KIBITZC1
32 bytes SHA-256 of the rest
rest     safetensors, whose metadata has the JSON text under "state"
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from kibitz.files import write_atomically

MAGIC = b"KIBITZC1"
MOST = 2**53  # of every number; counted in floats up to here

Arrays = dict[str, npt.NDArray[Any]]


def save(path: Path, arrays: Mapping[str, npt.NDArray[Any]], state: Mapping[str, Any]) -> None:
    import safetensors.numpy

    plain = {key: np.ascontiguousarray(value) for key, value in arrays.items()}
    # Zero-dimensional arrays lose their shape in ascontiguousarray.
    plain = {key: value.reshape(arrays[key].shape) for key, value in plain.items()}
    small = [key for key, value in plain.items() if _whole(value)]
    plain |= {key: plain[key].astype(np.uint8) for key in small}
    body = safetensors.numpy.save(plain, {"state": json.dumps(state), "small": json.dumps(small)})
    write_atomically(path, MAGIC + hashlib.sha256(body).digest() + body)


def need(holds: bool, what: str) -> None:
    """ValueError unless it holds."""
    if not holds:
        raise ValueError(f"the checkpoint does not fit this training: {what}")


def whole(value: Any, what: str) -> int:
    """A whole number from 0 up."""
    need(type(value) is int and 0 <= value <= MOST, f"{what} is {value!r}"[:200])
    return int(value)


def number(value: Any, what: str, least: float = 0.0) -> float:
    """A finite number from `least` up, as it was written."""
    need(type(value) in (int, float) and least <= value <= MOST, f"{what} is {value!r}"[:200])
    checked: float = value
    return checked


def array(arrays: Mapping[str, npt.NDArray[Any]], name: str, kind: Any, shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """A copy of an array that must be there, of this type and shape; -1 in a shape is any length."""
    need(name in arrays, f"there is no array {name!r}")
    found = np.array(arrays[name])
    free = tuple(have if want == -1 else want for want, have in zip(shape, found.shape, strict=False))
    need(found.dtype == kind and found.shape == free, f"array {name!r} is {found.dtype} of shape {list(found.shape)}")
    finite(found, name)
    return found


def finite(values: npt.NDArray[Any], name: str) -> None:
    need(values.dtype.kind in "biuf", f"array {name!r} is {values.dtype}")
    need(values.dtype.kind != "f" or bool(np.isfinite(values).all()), f"array {name!r} has numbers that are not finite")


def load(path: Path) -> tuple[Arrays, dict[str, Any]]:
    """What `save` was given. ValueError where the file is no checkpoint, or not whole."""
    raw = path.read_bytes()
    if raw[: len(MAGIC)] != MAGIC:
        raise ValueError(f"{path} is no checkpoint of this version of Kibitz")
    digest, body = raw[len(MAGIC) : len(MAGIC) + 32], raw[len(MAGIC) + 32 :]
    if hashlib.sha256(body).digest() != digest:
        raise ValueError(f"{path} is damaged: its content does not fit its checksum")
    try:
        return _read(body)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise ValueError(f"{path} is no checkpoint that Kibitz wrote: {str(error).splitlines()[0]}") from None


def _read(body: bytes) -> tuple[Arrays, dict[str, Any]]:
    import safetensors
    import safetensors.numpy

    try:
        arrays = safetensors.numpy.load(body)
    except safetensors.SafetensorError as error:
        raise ValueError(str(error)) from None
    length = int.from_bytes(body[:8], "little")
    metadata = json.loads(body[8 : 8 + length])["__metadata__"]
    small, state = json.loads(metadata["small"]), json.loads(metadata["state"])
    if not isinstance(state, dict) or not isinstance(small, list):
        raise ValueError("its state is no object")
    arrays |= {key: arrays[key].astype(np.float32) for key in small}
    return arrays, state


def _whole(array: npt.NDArray[Any]) -> bool:
    """Whether a large array, such as a memory of observations, is all small whole numbers: then bytes will do."""
    if array.dtype != np.float32 or array.size < 10_000:
        return False
    return bool((array >= 0).all() and (array <= 255).all() and (array == np.floor(array)).all())


def under(prefix: str, arrays: Mapping[str, npt.NDArray[Any]]) -> Arrays:
    """The same arrays, named as parts of `prefix`."""
    return {f"{prefix}/{key}": value for key, value in arrays.items()}


def part(prefix: str, arrays: Mapping[str, npt.NDArray[Any]]) -> Arrays:
    """What `under` named."""
    start = prefix + "/"
    return {key.removeprefix(start): value for key, value in arrays.items() if key.startswith(start)}


def of_net(net: torch.nn.Module) -> Arrays:
    return {key: value.detach().cpu().numpy().copy() for key, value in net.state_dict().items()}


def to_net(net: torch.nn.Module, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """ValueError where they are of another net, as after a change of what a game tells of itself."""
    wanted = {key: tuple(value.shape) for key, value in net.state_dict().items()}
    if wanted != {key: value.shape for key, value in arrays.items()}:
        raise ValueError("the checkpoint is of a net with other inputs or outputs: train again")
    for key, value in arrays.items():
        need(value.dtype == np.float32, f"weights {key!r} are {value.dtype}")
        finite(value, key)
    net.load_state_dict({key: torch.from_numpy(np.array(value)) for key, value in arrays.items()})
