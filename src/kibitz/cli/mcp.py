"""kibitz mcp: games for language models."""

from __future__ import annotations

from cyclopts import App

from kibitz.extras import how_to_get, installed

app = App(
    name="mcp",
    help_epilogue="""Examples:
    kibitz mcp

A client starts it: in its configuration, the command is "kibitz" and the arguments are ["mcp"]. docs/api.md has more.
""",
)


@app.default
def mcp() -> None:
    """Serve games to a language model by the Model Context Protocol, on standard input and output.

    Tools: new_game, view, legal, play, think. The model sees what its seat may know; answers that are not legal are
    counted and explained.
    """
    if not installed("mcp"):
        raise ValueError(f"kibitz mcp needs the package mcp: {how_to_get('mcp')}")
    from kibitz.mcp.server import make_server

    make_server().run("stdio")
