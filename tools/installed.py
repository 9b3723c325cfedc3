"""Tries an installed Kibitz out, with the standard library and the extra `web` alone: python installed.py CHECKOUT

Fails if the package comes from the checkout. tools/package.py and the workflow that builds wheels run it.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import kibitz
from kibitz.agents.network import shipped

WAIT = 60  # seconds: only keeps it from hanging


def plays() -> str:
    result = kibitz.play("uno:players=3", ["ismcts:iterations=50", "rules", "random"], games=6, seed=1)
    assert result.games == 6
    for name in ("belote", "doudizhu", "mini_doudizhu", "tictactoe", "connect_four", "hex", "gdl:file=tictactoe"):
        game = kibitz.make(name)
        assert kibitz.play(game, ["random"] * game.players, games=game.players, seed=1).games == game.players
        assert all(kibitz.agent(level.spec) for level in kibitz.levels(game))
    return "plays every game"


def loads() -> str:
    for name, path in shipped().items():
        said = kibitz.Net.load(path).metadata
        options = [f"{key[7:]}={value}" for key, value in said.items() if key.startswith("option.")]
        state = kibitz.make(f"{said['game']}:{','.join(options)}").deal(seed=1)
        agent = kibitz.agent(f"net:{name}")
        agent.begin(seed=1)
        assert agent.act(state.view(state.to_act)) in state.legal(), name
    return f"loads {len(shipped())} networks"


def serves() -> str:
    """The page, and a game over HTTP to its end."""
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "kibitz", "serve", "--port", "0", "--pace", "0.01", "--data", data]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                url = "http://" + server.stdout.readline().partition("http://")[2].split("/")[0].strip()
                with urlopen(url, timeout=WAIT) as page:
                    assert page.status == 200
                    assert b"<script" in page.read()
                return f"serves the page, and a game with payoffs {_game(url)}"
            finally:
                server.terminate()
                server.wait(WAIT)


def _game(url: str) -> Any:
    def call(path: str, body: Any = None, token: str = "") -> Any:
        head = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(url + path, data, head), timeout=WAIT) as answer:
            return json.load(answer)

    token = call("/api/people", {"name": "Wheel"})["token"]
    table = call("/api/tables", {"game": "tictactoe", "level": "beginner"}, token)["id"]
    for _ in range(100):
        seen = call(f"/api/tables/{table}/seat?wait=20", token=token)
        if seen["over"]:
            return seen["over"]["payoffs"]
        if choices := seen["view"]["choices"]:
            call(f"/api/tables/{table}/play", {"action": choices[0]["action"], "turn": seen["view"]["turn"]}, token)
    raise AssertionError("the game does not end")


def main() -> None:
    checkout, place = Path(sys.argv[1]).resolve(), Path(kibitz.__file__).resolve()
    assert checkout not in place.parents, f"kibitz comes from the checkout: {place}"
    for step in (plays, loads, serves):
        print(f"kibitz {kibitz.__version__} as installed {step()}", flush=True)


if __name__ == "__main__":
    main()
