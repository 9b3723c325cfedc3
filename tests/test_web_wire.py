"""The messages: the page's types are what the server speaks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError

from kibitz.web import wire

ROOT = Path(__file__).resolve().parent.parent


def test_the_page_has_the_servers_types() -> None:
    done = subprocess.run([sys.executable, "tools/wire_types.py", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        '{"type": "nonsense"}',
        '{"type": "act", "cid": "a", "turn": 0}',
        '{"type": "act", "cid": "a", "turn": -1, "action": 0}',
        '{"type": "act", "cid": "a", "turn": 0, "action": 0, "more": 1}',
        '{"type": "act", "cid": "../..", "turn": 0, "action": 0}',
        '{"type": "say", "cid": "a", "phrase": "Hello there"}',
        '{"type": "hello", "version": 1, "table": "' + "x" * 41 + '"}',
    ],
)
def test_what_is_no_message_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(wire.ClientMessage).validate_json(text)
