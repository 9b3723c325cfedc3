"""Trained networks as agents, evaluated by the core: no torch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kibitz.agents.native import NativeAgent
from kibitz.nets import Net
from kibitz.registry import make

ENDING = ".safetensors"


def shipped() -> dict[str, Path]:
    """The networks that come with Kibitz, by name."""
    folder = Path(__file__).resolve().parents[1] / "weights"
    return {file.name.removesuffix(ENDING): file for file in sorted(folder.glob(f"*{ENDING}"))}


def find_net(source: str) -> Path:
    """A file, or the name of a network that comes with Kibitz."""
    if "/" not in source and not source.endswith(ENDING) and source in shipped():
        return shipped()[source]
    path = Path(source)
    if not path.is_file():
        names = ", ".join(shipped()) or "none"
        raise ValueError(
            f"there is no file {source!r}, nor a network of this name; those that come with Kibitz: {names}"
        )
    return path


class NetAgent(NativeAgent):
    """Plays what a network says: `net:FILE` or `net:NAME`.

    A net of payoffs (output q or action) plays the best legal action; a policy draws, unless `pick=best`. With
    probability `epsilon` any action is played.
    """

    def __init__(self, source: str, *, epsilon: float = 0.0, pick: str = "usual") -> None:
        path = find_net(source)
        options: dict[str, Any] = {"file": str(path)}
        options |= {"epsilon": epsilon} if epsilon else {}
        options |= {"pick": pick} if pick != "usual" else {}
        super().__init__("net", options)
        shown = {key: value for key, value in options.items() if key != "file"}
        self.name = ",".join([f"net:{source}", *(f"{key}={value}" for key, value in shown.items())])
        self.net = Net.load(path)
        self.peeks = _peeks(self.net)

    def __reduce__(self) -> tuple[Any, ...]:
        given = {"epsilon": self.options.get("epsilon", 0.0), "pick": self.options.get("pick", "usual")}
        return _again, (self.options["file"], given, self.name)


def _again(file: str, options: dict[str, Any], name: str) -> NetAgent:
    out = NetAgent(file, **options)
    out.name = name
    return out


def _peeks(net: Net) -> bool:
    """Whether its encoder reads hidden cards. What does not fit the game is complained about when it is to play it."""
    prefix = "option."
    options = {key.removeprefix(prefix): text for key, text in net.metadata.items() if key.startswith(prefix)}
    spec = ",".join(f"{key}={text}" for key, text in options.items())
    try:
        encoders = make(f"{net.metadata['game']}:{spec}" if spec else net.metadata["game"]).encoders
    except ValueError:
        return False
    return net.encoder in encoders and bool(encoders[net.encoder].peeks)
