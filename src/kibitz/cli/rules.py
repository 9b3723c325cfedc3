"""kibitz rules: a game explained to a person who has never played it."""

from __future__ import annotations

from cyclopts import App

from kibitz import guides
from kibitz.cli.common import inputs
from kibitz.registry import parse_spec
from kibitz.terminal import screen
from kibitz.terminal.reading import rendered

app = App(
    name="rules",
    help_epilogue="""Examples:
    kibitz rules uno
    kibitz rules belote --language fr
    kibitz rules doudizhu --language zh --plain > doudizhu.md
    kibitz rules gdl --file kuhn_poker
    kibitz rules uno | less
""",
)


@app.default
def rules(
    game: str,
    /,
    *,
    language: str = "en",
    plain: inputs.Flag = False,
    file: str | None = None,
) -> None:
    """Explain a game to a person who has never played it.

    Parameters
    ----------
    game
        The game: uno, belote, doudizhu, … A game without a guide gets a text made of what it says of itself.
    language
        en, fr or zh.
    plain
        Print the Markdown as it is.
    file
        A rulesheet, or the name of one of ours, for the game gdl.
    """
    if file is None and parse_spec(game).name in guides.written():
        text = guides.guide(game, language)
    else:
        text = guides.guide(inputs.make_game(game, file=file), language)
    if plain:
        print(text, end="")
    else:
        console = screen.out()
        for line in rendered(console, text):
            console.print(line)
