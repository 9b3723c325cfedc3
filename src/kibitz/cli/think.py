"""kibitz think: an agent's opinion of a position."""

from __future__ import annotations

import json
from typing import Annotated, Any

from cyclopts import App, Parameter
from rich.text import Text

import kibitz
from kibitz import beliefs, protocols
from kibitz._core import Game
from kibitz.agents.search import kibitzer
from kibitz.cli.common import inputs
from kibitz.protocols import Thought
from kibitz.terminal import opinion, screen
from kibitz.terminal.kibitzer import thinker as asked
from kibitz.terminal.progress import Waiting

app = App(
    name="think",
    help_epilogue="""Examples:
    kibitz think position.json
    kibitz think position.json --agent ismcts:iterations=10000 --seed 1
    kibitz think position.json --agent pimc:ms=500,worlds=40 --json
    kibitz show belote --seed 7 --json | kibitz think - --agent rules
""",
)


@app.default
def think(
    position: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    agent: str | None = None,
    seed: inputs.Seed = 0,
    top: Annotated[int, inputs.whole(0, 10**6)] = 20,
    json_: Annotated[bool, Parameter(name="--json", show_default=False)] = False,
) -> None:
    """Print what an agent thinks of each action of the seat to act, and where it expects the hidden cards.

    The agent sees what that seat may know, even if the position holds more, unless it is one that peeks.

    Parameters
    ----------
    position
        A file with a position (JSON) of a state or of a view, or - for standard input.
    agent
        Its spec; ismcts with 10,000 iterations if left out, or uct where nothing is hidden.
    seed
        Of the agent's chance.
    top
        Print this many actions, the best; 0 for all.
    json_
        Print everything as JSON.
    """
    if position.startswith("--"):  # the leading hyphen is for standard input only
        raise ValueError(f"unknown option {position}; kibitz think --help lists those there are")
    game, given = inputs.read_position(position)
    thinker = asked(agent or kibitzer(game, "iterations=10000"))
    shown = _shown(given, thinker)
    protocols.native(thinker, game)  # tells it the game, which a view in Python need not know
    thinker.begin(seed)
    with Waiting("thinking"):
        thought = thinker.think(shown)
    cards = thought.cards
    if cards is None and not thinker.peeks:  # not every agent says; worlds do not depend on who is asked
        cards = beliefs.cards(shown, game)
    if json_:
        told = as_dict(game, thinker.name, given.to_act, thought, cards) | {"remarks": opinion.remarks(thinker)}
        print(json.dumps(told, indent=2))
    else:
        _print(game, thinker, given.to_act, thought, cards, top)


def _shown(given: Any, thinker: Any) -> Any:
    """What the agent gets to see, of a state or a view. ValueError where there is nothing to decide."""
    if given.to_act < 0:
        what = "the game is over" if given.to_act == kibitz.OVER else "chance is to act"
        raise ValueError(f"{what}: there is nothing to think about")
    whole = isinstance(given, protocols.State)
    if whole:
        return given if thinker.peeks else given.view(given.to_act)
    if thinker.peeks:
        raise ValueError(f"agent {thinker.name!r} peeks and needs a whole position; this one leaves cards unknown")
    if given.seat != given.to_act:
        raise ValueError(f"seat {given.to_act} is to act, but the position holds only what seat {given.seat} may know")
    return given


def as_dict(game: Game, agent: str, seat: int, thought: Thought, cards: beliefs.Cards | None) -> dict[str, Any]:
    """A thought ready for JSON, actions best first."""
    return {
        "version": 1,
        "game": game.name,
        "agent": agent,
        "seat": seat,
        "best": game.text(thought.best),
        "actions": [
            {
                "action": thought.actions[at],
                "text": game.text(thought.actions[at]),
                "value": thought.value[at],
                "visits": thought.visits[at],
                "share": thought.share[at],
            }
            for at in opinion.ranking(thought)
        ],
        "iterations": thought.iterations,
        "nodes": thought.nodes,
        "full": thought.full,
        "cards": cards,
    }


def _print(game: Game, agent: Any, seat: int, thought: Thought, cards: beliefs.Cards | None, top: int) -> None:
    console = screen.out()
    console.print(Text(f"{game.name}, seat {seat} to act, {agent.name}{' (cheats)' * agent.peeks}", style="dim"))
    console.print(opinion.action_table(game, thought, top))
    if effort := opinion.effort(thought):
        console.print(Text(effort, style="dim"))
    for remark in opinion.remarks(agent):
        console.print(Text(remark, style="dim"))
    if cards is not None:
        console.print()
        console.print(opinion.card_table(game, cards))
        console.print(Text(opinion.LEGEND, style="dim"))
