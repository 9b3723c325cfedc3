"""Writes web/src/wire.ts, the page's types of the messages, from kibitz.web.wire.

python tools/wire_types.py          write the file
python tools/wire_types.py --check  only say whether it is up to date
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import models_json_schema

from kibitz.web import asking, callers, compare, deals, editing, gallery, reviews, wire

TARGET = Path(__file__).resolve().parent.parent / "web" / "src" / "wire.ts"
HEAD = "// Written by tools/wire_types.py from src/kibitz/web/wire.py: do not edit.\n"
SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
UNIONS = ("ClientMessage", "ServerMessage")


def written() -> str:
    """The whole file."""
    models = [
        thing
        for module in (wire, asking, callers, deals, reviews, compare, editing, gallery)
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, BaseModel) and thing.__module__ == module.__name__
    ]
    named = [(model, _side(model)) for model in models if not model.__name__.startswith("_")]
    schemas = models_json_schema(named, ref_template="{model}")[1]["$defs"]
    parts = [HEAD, f"export const VERSION = {wire.VERSION}\n", f"export const PICTURES = {wire.PICTURES}\n"]
    parts += [_declaration(name, schemas[name]) for name in sorted(schemas)]
    parts += [f"export type {union} = {_members(union)}\n" for union in UNIONS]
    return "\n".join(parts)


def _side(model: type[BaseModel]) -> Any:
    """As the page sees it: what it sends may leave out what has a default, what it gets has everything."""
    sent = {"Hello", "Act", "SeatWish", "Say", "Think", "Resync", "Ping", "NewPerson", "NewSeat", "NewTable", "Phrase"}
    sent |= {"Asked", "AskThink", "AskReview", "Play", "Sit"}
    return "validation" if model.__name__ in sent else "serialization"


def _declaration(name: str, schema: dict[str, Any]) -> str:
    about = _comment(schema.get("description"))
    if "enum" in schema:
        return f"{about}export type {name} =\n" + "\n".join(f"  | '{value}'" for value in schema["enum"]) + "\n"
    needed = set(schema.get("required", []))
    members = [
        f"  {key}{'' if key in needed else '?'}: {_type(value)}" for key, value in schema.get("properties", {}).items()
    ]
    return f"{about}export interface {name} {{\n" + "\n".join(members) + "\n}\n"


def _comment(text: str | None) -> str:
    if not text:
        return ""
    return "/** " + "\n".join(f" * {line.strip()}".rstrip() for line in text.strip().splitlines())[3:] + " */\n"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"])
    if "const" in schema:
        return _literal(schema["const"])
    if "enum" in schema:
        return " | ".join(_literal(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(_type(part) for part in schema["anyOf"])
    if schema.get("type") == "array":
        inner = _type(schema["items"])
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if schema.get("type") == "object":
        more = schema.get("additionalProperties")
        return f"Record<string, {_type(more) if isinstance(more, dict) else 'unknown'}>"
    return SIMPLE[schema["type"]]


def _literal(value: object) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value).lower()


def _members(union: str) -> str:
    mapping = TypeAdapter(getattr(wire, union)).json_schema(ref_template="{model}")["discriminator"]["mapping"]
    return " | ".join(mapping.values())


def main() -> None:
    text = written()
    if "--check" in sys.argv[1:]:
        if not TARGET.exists() or TARGET.read_text() != text:
            sys.exit("web/src/wire.ts is out of date: run python tools/wire_types.py")
    else:
        TARGET.parent.mkdir(parents=True, exist_ok=True)
        TARGET.write_text(text)


if __name__ == "__main__":
    main()
