"""kibitz completion: what makes a shell complete our command lines."""

from __future__ import annotations

from typing import Literal

from cyclopts import App

Shell = Literal["bash", "zsh", "fish"]

app = App(
    name="completion",
    help_epilogue="""Examples:
    kibitz completion bash > ~/.local/share/bash-completion/completions/kibitz
    kibitz completion zsh > ~/.zfunc/_kibitz
    kibitz completion fish > ~/.config/fish/completions/kibitz.fish
""",
)


@app.default
def completion(shell: Shell, /) -> None:
    """Print the script with which a shell completes commands and options of kibitz.

    Parameters
    ----------
    shell
        Whose script.
    """
    from kibitz import cli

    print(cli.app.generate_completion(prog_name="kibitz", shell=shell))
