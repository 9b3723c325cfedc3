"""kibitz join: at a table on the network, from the terminal."""

from __future__ import annotations

from cyclopts import App

from kibitz.cli.common.web import need_web

app = App(
    name="join",
    help_epilogue="""Examples:
    kibitz join http://127.0.0.1:8420/#/t/TABLE
    kibitz join https://cards.example.org/#/t/TABLE --agent mcs:iterations=1000
""",
)


@app.default
def join(url: str, /, *, agent: str | None = None, name: str = "Guest") -> None:
    """Sit down at a table on the network and play from the terminal, or let an agent of your own play.

    Parameters
    ----------
    url
        The invitation, or your personal link.
    agent
        Spec of the agent that plays; without it you do.
    name
        What you are called there.
    """
    need_web()
    import asyncio

    from kibitz.web.join import play

    asyncio.run(play(url, agent, name))
