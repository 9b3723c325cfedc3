"""Checkpoints: one file with arrays and a JSON text, written whole or not at all, and known when torn.

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


def load(path: Path) -> tuple[Arrays, dict[str, Any]]:
    """What `save` was given. ValueError where the file is no checkpoint, or not whole."""
    import safetensors
    import safetensors.numpy

    raw = path.read_bytes()
    if raw[: len(MAGIC)] != MAGIC:
        raise ValueError(f"{path} is no checkpoint of this version of Kibitz")
    digest, body = raw[len(MAGIC) : len(MAGIC) + 32], raw[len(MAGIC) + 32 :]
    if hashlib.sha256(body).digest() != digest:
        raise ValueError(f"{path} is damaged: its content does not fit its checksum")
    length = int.from_bytes(body[:8], "little")
    metadata = json.loads(body[8 : 8 + length])["__metadata__"]
    arrays = safetensors.numpy.load(body)
    arrays |= {key: arrays[key].astype(np.float32) for key in json.loads(metadata["small"])}
    return arrays, json.loads(metadata["state"])


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
    net.load_state_dict({key: torch.from_numpy(np.array(value)) for key, value in arrays.items()})
