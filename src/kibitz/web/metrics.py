"""/metrics in the text format of Prometheus. Numbers only: nothing of a game, nothing of a person."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse


async def answer(request: Request) -> PlainTextResponse:
    house = request.app.state.house
    counts = house.means.counts
    lines = [
        _line("tables", "gauge", "Tables in memory.", len(house.tables)),
        _line("connections", "gauge", "Open sockets.", request.app.state.places.total),
        _line("bots_waiting", "gauge", "Questions to bots that are not answered.", house.means.bots.waiting),
        _line("moves_total", "counter", "Moves saved.", counts.moves),
        _line("bot_moves_total", "counter", "Moves of bots among them.", counts.bot_moves),
        _line("deals_total", "counter", "Deals begun.", counts.deals),
        _line("finished_total", "counter", "Deals finished.", counts.finished),
        _line("storage_errors_total", "counter", "Writes that failed.", counts.storage_errors),
        _line("slow_clients_total", "counter", "Clients dropped because they were too slow.", counts.slow_clients),
        "# HELP kibitz_refused_total Refusals by code.\n# TYPE kibitz_refused_total counter",
        *(f'kibitz_refused_total{{code="{code}"}} {number}' for code, number in sorted(counts.refused.items())),
    ]
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")


def _line(name: str, kind: str, about: str, value: int) -> str:
    return f"# HELP kibitz_{name} {about}\n# TYPE kibitz_{name} {kind}\nkibitz_{name} {value}"
