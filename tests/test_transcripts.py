"""The transcripts of docs/transcripts, and the script that makes them."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

pytest.importorskip("termios", reason="pseudo-terminals are POSIX")
import transcripts


@pytest.mark.parametrize("name", transcripts.TRANSCRIPTS)
def test_every_transcript_is_there_and_fits_the_screen(name: str) -> None:
    lines = (transcripts.FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("$ kibitz ")
    assert max(map(cell_len, lines)) <= 80
    assert 50 < len(lines) < 400
    assert not any("Traceback" in line for line in lines)


def test_there_is_no_transcript_that_the_script_does_not_make() -> None:
    assert {path.stem for path in transcripts.FOLDER.glob("*.txt")} == {*transcripts.TRANSCRIPTS}


def test_the_same_game_every_time() -> None:
    """Levels may change between releases, and the games with them; but never from one run to the next."""
    one, two = (transcripts.TRANSCRIPTS["connect_four"]() for _ in range(2))
    assert one == two
    assert "Another game?" in one
