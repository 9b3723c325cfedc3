"""Networks that the core evaluates: small perceptrons in safetensors files. Neither torch nor safetensors is needed."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import _core
from kibitz._core import Game
from kibitz.files import write_atomically

FORMAT = {"format": "kibitz-net", "version": "1"}


class Net(_core.Net):
    """Weights with their meaning: a perceptron, ReLU between its layers, the last one linear or tanh (metadata
    `final`).

    What it says of a state is for the seat to act: `output` "q" is one payoff per action, "values" one payoff per seat,
    counted from the seat to act, "policy" the logarithms of odds per action, "action" the payoff of the action whose
    features follow the state's. docs/search.md has the format of the file.
    """

    _path: str | None = None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Net:
        """Reads a file; ValueError says what is wrong with it."""
        net = cls(os.fsdecode(path))
        net._path = os.path.abspath(path)
        return net

    def __reduce__(self) -> tuple[Any, ...]:
        """Other processes read the file again."""
        if self._path is None:
            raise TypeError("a net that did not come from a file cannot be pickled")
        return Net.load, (self._path,)

    @property
    def encoder(self) -> str:
        return self.metadata["encoder"]

    @property
    def output(self) -> str:
        return self.metadata["output"]

    def evaluate(self, observations: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """Observations [B, D], or [B, ...] of the encoder's shape, to outputs [B, A]; the GIL is released."""
        rows = np.ascontiguousarray(observations, dtype=np.float32)
        if rows.ndim < 2:
            raise ValueError(f"observations must be [B, {self.sizes[0]}], not {list(rows.shape)}")
        flat: npt.NDArray[np.float32] = super().evaluate(rows.reshape(len(rows), int(np.prod(rows.shape[1:]))))
        return flat

    def __repr__(self) -> str:
        sizes = "-".join(map(str, self.sizes))
        return f"<net {sizes} for {self.metadata['game']}, {self.encoder} to {self.output}>"


def net_metadata(
    game: Game,
    encoder: str,
    output: str,
    *,
    final: str = "linear",
    total: float | None = None,
    options: Iterable[str] | None = None,
) -> dict[str, str]:
    """What a file must say of a net for `game`; `options` are those of the game that matter, by default all."""
    if encoder not in game.encoders:
        raise ValueError(f"game {game.name!r} has no encoder {encoder!r}; it has {', '.join(game.encoders)}")
    out = {"game": game.name, "encoder": encoder, "output": output, "final": final}
    if total is not None:
        out["total"] = repr(float(total))
    for name in game.options if options is None else options:
        if name not in game.options:
            raise ValueError(f"game {game.name!r} has no option {name!r}; it has {', '.join(game.options)}")
        value = game.options[name]
        out[f"option.{name}"] = str(value).lower() if isinstance(value, bool) else str(value)
    return out


def save_net(path: str | os.PathLike[str], weights: Mapping[str, Any], metadata: Mapping[str, str]) -> None:
    """Writes a net so that a reader never sees half of it.

    `weights`: the state dict of an nn.Sequential of Linear and ReLU layers, or arrays with such names: `0.weight`
    [out, in], `0.bias` [out], `2.weight`, ... `metadata`: from `net_metadata`, and whatever else should be kept. What
    `Net.load` would refuse is refused here, and nothing is written.
    """
    content = pack_net(weights, metadata)
    Net(content)
    write_atomically(Path(path), content)


def pack_net(weights: Mapping[str, Any], metadata: Mapping[str, str]) -> bytes:
    """The content of a safetensors file."""
    for key, text in metadata.items():
        if not isinstance(key, str) or not isinstance(text, str):
            raise ValueError(f"metadata must be texts, not {key!r}: {text!r}")
    header: dict[str, Any] = {"__metadata__": FORMAT | dict(metadata)}
    parts: list[bytes] = []
    at = 0
    for name, tensor in weights.items():
        # A tensor that is being trained must be taken out of torch's book-keeping first.
        bare = tensor.detach().cpu() if hasattr(tensor, "detach") else tensor
        array = np.ascontiguousarray(bare, dtype="<f4").reshape(np.shape(bare))
        part = array.tobytes()
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [at, at + len(part)]}
        parts.append(part)
        at += len(part)
    head = json.dumps(header, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)  # the numbers begin at a multiple of eight
    return b"".join([struct.pack("<Q", len(head)), head, *parts])
