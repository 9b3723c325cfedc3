"""The tools of `kibitz mcp`, by the official package."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

import kibitz
from kibitz.mcp.table import AnswerError, Table

INSTRUCTIONS = """Games of hidden information against agents. Begin with new_game; then, until the view says over,
choose one of the legal actions and play it by its id or its text. An answer that is not legal changes nothing and is
counted. You see what your seat may know; seed and hidden cards are opened when the game is over, and deal_hash is the
SHA-256 of SEED:SALT."""

GameId = Annotated[str, Field(description="game_id of new_game")]


def make_server(table: Table | None = None) -> MCPServer[Any]:
    """A server with games of its own."""
    games, lock = table or Table(), asyncio.Lock()
    server: MCPServer[Any] = MCPServer(
        "kibitz", version=kibitz.__version__, instructions=INSTRUCTIONS, log_level="WARNING"
    )

    async def ask(work: Callable[..., Any], *arguments: Any) -> Any:
        """One at a time, beside the connection. What is wrong with an answer is told to the one who gave it."""
        async with lock:
            try:
                return await asyncio.to_thread(work, *arguments)
            except AnswerError as problem:
                raise ToolError(str(problem)) from None

    @server.tool()
    async def new_game(
        game: Annotated[str, Field(description="uno, belote, doudizhu, mini_doudizhu, connect_four, hex, tictactoe")],
        options: Annotated[dict[str, Any] | None, Field(description='such as {"players": 3}')] = None,
        seat: Annotated[int, Field(description="your seat, from 0")] = 0,
        level: Annotated[str, Field(description="of the others: beginner, easy, club, strong, best")] = "club",
    ) -> dict[str, Any]:
        """Deal a new game and show it."""
        told: dict[str, Any] = await ask(games.new_game, game, options, seat, level)
        return told

    @server.tool()
    async def view(game_id: GameId) -> dict[str, Any]:
        """All that your seat may know, with the legal actions if it is your turn."""
        told: dict[str, Any] = await ask(games.view, game_id)
        return told

    @server.tool()
    async def legal(game_id: GameId) -> list[dict[str, Any]]:
        """The legal actions: ids and texts."""
        told: list[dict[str, Any]] = await ask(games.legal, game_id)
        return told

    @server.tool()
    async def play(
        game_id: GameId, action: Annotated[Any, Field(description="id (number) or text of a legal action")]
    ) -> dict[str, Any]:
        """Play an action; the others play until it is your turn again, or the game is over."""
        told: dict[str, Any] = await ask(games.play, game_id, action)
        return told

    @server.tool()
    async def think(
        game_id: GameId, effort: Annotated[str, Field(description="quick, usual or deep")] = "usual"
    ) -> dict[str, Any]:
        """What an adviser thinks of each legal action, from your view alone: values, errors, what is about equal."""
        told: dict[str, Any] = await ask(games.think, game_id, effort)
        return told

    return server
