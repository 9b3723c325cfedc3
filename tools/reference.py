"""The API reference as Markdown, from signatures and docstrings, which are read and never executed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "src" / "kibitz"


@dataclass(frozen=True)
class Part:
    """A page of the reference: what is shown of which files."""

    title: str
    about: str
    shown: tuple[tuple[str, tuple[str, ...]], ...]  # file below src/kibitz -> names; none: all that are public


PARTS = {
    "kibitz": Part(
        "kibitz",
        "What `import kibitz` gives.",
        (
            ("registry.py", ("make", "games", "agent", "register_game", "register_agent")),
            ("_core.pyi", ("Game", "State", "View", "Search")),
            ("tables.py", ("Tables",)),
            ("advice/__init__.py", ()),
            ("agents/guided.py", ("GuidedSearch",)),
            ("nets.py", ("Net", "net_metadata", "save_net")),
            ("contract.py", ("check",)),
        ),
    ),
    "protocols": Part("Protocols", "What a game and an agent must offer: `kibitz.protocols`.", (("protocols.py", ()),)),
    "agents": Part(
        "Agents",
        "Base classes and wrappers: `kibitz.agents`.",
        (("agents/base.py", ()), ("agents/native.py", ()), ("agents/function.py", ())),
    ),
    "matches": Part(
        "Matches",
        "Matches, series, results and intervals: `kibitz.play`, `kibitz.series`, `kibitz.arena`.",
        (
            ("arena/match.py", ("play",)),
            ("arena/points.py", ("series",)),
            ("arena/result.py", ()),
            ("arena/stats.py", ()),
        ),
    ),
    "advice": Part(
        "Advice",
        "Thoughts in words, reasons, and judging a game: `kibitz.advice`.",
        (("advice/words.py", ()), ("advice/reasons.py", ()), ("advice/judge.py", ()), ("advice/units.py", ())),
    ),
    "records": Part(
        "Records",
        "Games written down: `kibitz.record`, `kibitz.record_files`.",
        (("record.py", ()), ("record_files.py", ())),
    ),
    "learning": Part(
        "Learning",
        "The learners and what they share: `kibitz.learn`.",
        (
            ("learn/__init__.py", ()),
            ("learn/common/settings.py", ()),
            ("learn/common/run.py", ()),
            ("learn/common/tables.py", ()),
            ("learn/common/replay.py", ()),
            ("learn/common/perceptron.py", ()),
            ("learn/q_table.py", ()),
        ),
    ),
    "adapters": Part(
        "Adapters",
        "Environments and games of other libraries: `kibitz.adapters`.",
        (
            ("adapters/pettingzoo.py", ()),
            ("adapters/gymnasium.py", ()),
            ("adapters/rlcard_env.py", ()),
            ("adapters/openspiel.py", ()),
            ("adapters/openspiel_game.py", ()),
        ),
    ),
    "experiments": Part(
        "Experiments",
        "Runs, reports and statistics of experiments: `kibitz.experiments`.",
        (
            ("experiments/__init__.py", ()),
            ("experiments/run.py", ()),
            ("experiments/report.py", ()),
            ("experiments/stats.py", ()),
        ),
    ),
    "gdl": Part("Rulesheets", "Games of the Game Description Language: `kibitz.gdl`.", (("gdl.py", ()),)),
}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def pages() -> dict[str, str]:
    """File name -> Markdown, the index first."""
    rows = [f"| [{part.title}]({name}.md) | {part.about} |" for name, part in PARTS.items()]
    index = "\n".join(
        ["# API reference", "", "Made from the docstrings of the package.", "", "| page | |", "|---|---|"]
    )
    return {"index.md": f"{index}\n" + "\n".join(rows) + "\n"} | {
        f"{name}.md": page(part) for name, part in PARTS.items()
    }


def page(part: Part) -> str:
    blocks = [f"# {part.title}", part.about]
    for file, names in part.shown:
        blocks += module(file, names)
    return "\n\n".join(blocks) + "\n"


def module(file: str, names: tuple[str, ...]) -> Iterator[str]:
    """Its docstring, and each class and function; all the public ones, or those that are named."""
    tree = ast.parse((SOURCES / file).read_text(encoding="utf-8"))
    found = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, Function))}
    if not names:
        dotted = ".".join(["kibitz", *Path(file).with_suffix("").parts]).removesuffix(".__init__")
        yield f"## {dotted}"
        if said := ast.get_docstring(tree):
            yield prose(said)
    for name in names or [name for name in found if not name.startswith("_")]:
        yield from thing(found[name])


def thing(node: ast.ClassDef | Function) -> Iterator[str]:
    if isinstance(node, Function):
        yield from function(node, "###")
        return
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    yield f"### {node.name}"
    yield f"`class {node.name}({bases})`" if bases else f"`class {node.name}`"
    if said := ast.get_docstring(node):
        yield prose(said)
    if fields := [f"- `{ast.unparse(item)}`" for item in node.body if is_field(item)]:
        yield "\n".join(fields)
    for member in node.body:
        if isinstance(member, Function) and (not member.name.startswith("_") or member.name == "__init__"):
            yield from function(member, "####", node.name)


def is_field(item: ast.stmt) -> bool:
    return isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name) and not item.target.id.startswith("_")


def function(node: Function, level: str, owner: str = "") -> Iterator[str]:
    """Heading, signature, docstring. What has neither is not shown: an initialiser without a word about it."""
    said = ast.get_docstring(node)
    if node.name == "__init__" and not said and not node.args.args[1:] and not node.args.kwonlyargs:
        return
    decorators = {ast.unparse(each) for each in node.decorator_list}
    if "overload" in decorators or any(each.endswith(".setter") for each in decorators):
        return
    name = f"{owner}.{node.name}" if owner else node.name
    answer = f" -> {plain(ast.unparse(node.returns))}" if node.returns else ""
    if decorators & {"property", "cached_property", "functools.cached_property"}:
        signature = f"{node.name}:{answer.removeprefix(' ->')}" if answer else node.name
    else:
        signature = f"{node.name}({', '.join(arguments(node.args))}){answer}"
    yield f"{level} {name}"
    yield f"```text\n{wrapped(signature)}\n```"
    if said:
        yield prose(said)


def arguments(given: ast.arguments) -> list[str]:
    """As they are written, without self and without what nanobind says of the layout of arrays."""
    return [plain(part) for part in split(ast.unparse(given)) if part not in ("self", "cls", "/")]


def split(text: str) -> Iterator[str]:
    """At commas that stand in no bracket and no quotes."""
    depth, part = 0, ""
    for sign in text:
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            yield part.strip()
            part = ""
        else:
            part += sign
    if part.strip():
        yield part.strip()


def plain(annotation: str) -> str:
    annotation = re.sub(r"Annotated\[(NDArray\[[^]]*\]), dict\((?:[^()]|\([^()]*\))*\)\]", r"\1", annotation)
    return annotation.replace("collections.abc.", "").replace("typing.", "")


def wrapped(signature: str) -> str:
    """One argument to a line where the whole is too long for a phone to show most of it."""
    if len(signature) <= 88 or "(" not in signature:
        return signature
    name, _, rest = signature.partition("(")
    inside, _, answer = rest.rpartition(")")
    return f"{name}(\n" + "".join(f"    {part},\n" for part in split(inside)) + f"){answer}"


def prose(docstring: str) -> str:
    """Markdown of a docstring: what is indented is code, and stays so behind a paragraph."""
    return re.sub(r"(?<=\S)\n(?= {4})", "\n\n", docstring.strip())
