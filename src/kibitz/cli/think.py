"""kibitz think: an agent's opinion of a position."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import App, Parameter
from rich.text import Text

import kibitz
from kibitz import advice, beliefs, protocols
from kibitz._core import Game
from kibitz.advice import reasons, words
from kibitz.cli.common import inputs
from kibitz.protocols import Thought
from kibitz.terminal import opinion, screen
from kibitz.terminal.kibitzer import thinker as asked
from kibitz.terminal.progress import Waiting

app = App(
    name="think",
    help_epilogue="""Examples:
    kibitz think position.json
    kibitz think position.json --agent level:strong --verbose
    kibitz think position.json --agent ismcts:iterations=10000,trees=8 --seed 1
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
    verbose: Annotated[bool, Parameter(show_default=False)] = False,
    json_: Annotated[bool, Parameter(name="--json", show_default=False)] = False,
) -> None:
    """Print what an agent thinks of each action of the seat to act, and where it expects the hidden cards.

    The agent sees what that seat may know, even if the position holds more, unless it is one that peeks.

    Parameters
    ----------
    position
        A file with a position (JSON) of a state or of a view, or - for standard input.
    agent
        Its spec; the game's adviser if left out (kibitz.adviser).
    seed
        Of the agent's chance.
    top
        Print this many actions, the best; 0 for all.
    verbose
        Print how often the search tried each action, too, and what it did as a whole: its effort, not its confidence.
    json_
        Print everything as JSON.
    """
    if position.startswith("--"):  # the leading hyphen is for standard input only
        raise ValueError(f"unknown option {position}; kibitz think --help lists those there are")
    game, given = inputs.read_position(position)
    thinker = kibitz.adviser(game) if agent is None else asked(agent)
    shown = _shown(given, thinker)
    protocols.native(thinker, game)  # tells it the game, which a view in Python need not know
    thinker.begin(seed)
    with Waiting("thinking"):
        thought = thinker.think(shown)
    cards = thought.cards
    if cards is None and not thinker.peeks:  # not every agent says; worlds do not depend on who is asked
        cards = beliefs.cards(shown, game)
    remarks = opinion.remarks(thinker, thought)
    if agent is None and (caveat := advice.caveat(game)):
        remarks.append(caveat)
    if json_:
        print(json.dumps(as_dict(game, thinker.name, given.to_act, thought, cards) | {"remarks": remarks}, indent=2))
    else:
        _print(game, thinker, shown, thought, cards, remarks, top=top, verbose=verbose)


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
                "error": thought.error[at],
                "loss": thought.loss[at],
                "loss_error": thought.loss_error[at],
                "visits": thought.visits[at],
                "share": thought.share[at],
            }
            for at in opinion.ranking(thought)
        ],
        "iterations": thought.iterations,
        "nodes": thought.nodes,
        "asked": thought.asked,
        "full": thought.full,
        "undecided": thought.undecided,
        "difference": thought.difference,
        "groups": [[game.text(thought.actions[at]) for at in group] for group in words.groups(thought)],
        "cards": cards,
    }


def _print(
    game: Game,
    agent: Any,
    shown: Any,
    thought: Thought,
    cards: beliefs.Cards | None,
    remarks: Sequence[str],
    *,
    top: int,
    verbose: bool,
) -> None:
    console = screen.out()
    seat = shown.to_act
    view = shown.view(seat) if agent.peeks else shown
    console.print(Text(f"{game.name}, seat {seat} to act, {agent.name}{' (cheats)' * agent.peeks}", style="dim"))
    console.print(opinion.action_table(game, thought, top, view=view, verbose=verbose))
    if verbose and (effort := opinion.effort(thought)):
        console.print(Text(effort, style="dim"))
    for remark in remarks:
        console.print(Text(remark, style="dim"))
    if reason := reasons.reason(game, view, thought):
        console.print(Text(reason))
    if cards is not None:
        console.print()
        console.print(opinion.card_table(game, cards))
        console.print(Text(opinion.LEGEND, style="dim"))
