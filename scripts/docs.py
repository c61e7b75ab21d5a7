"""Generates the parts of the docs that follow from the code, so that they cannot go stale.

    python -m scripts.docs              write them into the pages
    python -m scripts.docs --check      exit 1 if a page differs from what would be written
    python -m scripts.docs --pictures   also draw the pictures again

They are the README's table of measurements, the commands with their options, the tables of games,
players, levels and HTTP requests, the signatures and summaries of the Python API, the grades of
bots, and the types of answers in TypeScript.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Sequence
from enum import Enum
from itertools import pairwise
from pathlib import Path
from pkgutil import resolve_name
from textwrap import dedent
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import typer
from typer.cli import get_docs_for_click

from examples.unbeatable import page as unbeatable
from scripts.bench import read_groups
from scripts.sections import DOCS, MEASUREMENTS, README, ROOT, read_table, replace_section, table
from solver.agent import answers
from solver.cli import app, run
from solver.cli.commands import COMMANDS
from solver.cli.games import list_games
from solver.web import answers as web_answers
from solver.web.endpoint import schema_of

API = re.compile(r"<!-- api ([\w.]+) -->\n")
CHESS = "kingspawns:..k./.pp./.PP./.K.."
PICTURES = {
    "board-tictactoe.svg": ("render", "--game-record", "1 2 4 7", "--values"),
    "board-connect4.svg": ("render", "12334", "--game", "connect4:4x4", "--values"),
    "board-kingspawns.svg": ("render", ".q../.pP./.K.k/.... w", "--game", CHESS, "--values"),
    "map.svg": ("render", "--map", "X"),
    "never-lose.svg": ("render", str(ROOT / "examples" / "check-strategy" / "never-lose.txt")),
}
"""The arguments that draw each picture; `photograph` makes page.png."""
SOLVED = ("connect4:4x4", CHESS)  # for the pictures


def generated(page: Path) -> str:
    """Return what a page should read: its own text with the generated sections filled in."""
    path = page.relative_to(ROOT).as_posix()
    if path in TYPES:
        return declarations(TYPES[path])
    text = page.read_text(encoding="utf-8")
    for name, generate in SECTIONS.get(path, {}).items():
        text = replace_section(text, name, generate())
    for name in API.findall(text):
        text = replace_section(text, f"api {name}", api(name))
    return text


def printed(*arguments: str) -> str:
    """Return what the command prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = run(list(arguments))
    if status:
        raise RuntimeError(f"perfectplay {' '.join(arguments)} exits with {status}")
    return out.getvalue()


def commands() -> str:
    """Return what Typer documents of each command: its usage, help and options."""
    group: Any = typer.main.get_command(app)
    context = typer.Context(group)
    text = "".join(
        get_docs_for_click(
            obj=group.get_command(context, name),
            ctx=context,
            indent=1,
            name=name,
            title=name,
            call_prefix="perfectplay",
        )
        for name in sorted(COMMANDS)
    )
    text = re.sub(r"Examples:\n\n\x08\n((?:  .*\n)+)", r"```text\n\1```\n", text)
    text = text.replace("```console\n$ ", "```text\n").replace("\n  perfectplay ", "\nperfectplay ")
    return re.sub(r"^(\* `.*?) <.*>`", r"\1`", text, flags=re.MULTILINE)  # without types


def games() -> str:
    """Return the table of games whose counts are known."""
    rows = [
        (
            f"`{game['spec']}` {game['title']}",
            f"{game['positions']:,}" + (f" ({game['canonical']:,})" if game["canonical"] else ""),
            game["value"],
            game["source"],
        )
        for game in list_games()
    ]
    return table("game|positions (up to symmetry)|value at the start|source", rows)


def rules() -> str:
    """Return how the listed games are played, each rule once."""
    first: dict[str, str] = {}
    for game in list_games():
        first.setdefault(game["about"], game["title"])
    return "\n".join(f"- **{title}**: {about}" for about, title in first.items())


def levels() -> str:
    """Return the table of the levels, with how often `random` wins against them."""
    from scripts.levels import rows

    return table("game|easy|medium|hard", rows())


def requests() -> str:
    """Return the table of HTTP requests."""
    from solver.web.api import ENDPOINTS

    rows = []
    for endpoint in ENDPOINTS:
        names = [name + "?" * (not each.example) for name, each in endpoint.query.items()]
        if body := endpoint.body:
            names += [f"body: {n}" + "?" * (n not in body["required"]) for n in body["properties"]]
        asked = ", ".join(f"`{name}`" for name in names) or "-"
        rows.append((f"`{endpoint.methods[0]} {endpoint.path}`", asked, endpoint.summary))
    return table("request|parameters|purpose", rows)


def api(name: str) -> str:
    """Return the signature and the docstring of a public object, and those of its members."""
    item = resolve_name(name)
    about = [_about(item)]
    if inspect.ismodule(item):
        return about[0]
    if signature := _signature(item):
        about.insert(0, f"```text\n{name.rpartition('.')[2]}{signature}\n```")
    if inspect.isclass(item):
        own = [base for base in item.__mro__ if base.__module__.startswith("solver.")]
        members = {key: value for base in reversed(own) for key, value in vars(base).items()}
        rows = [
            (f"`{key}{_signature(value)}`", _about(value))
            for key, value in members.items()
            if not key.startswith("_") and inspect.getdoc(value) and _is_method(value)
        ]
        rows = [row for base in reversed(own) for row in _fields(base)] + rows
        about += [table("member|", rows)] if rows else []
    return "\n\n".join(about)


def _about(item: Any) -> str:
    """Return a docstring as Markdown, with its examples as blocks."""
    parts = (inspect.getdoc(item) or "").split("\n\n")
    return "\n\n".join(f"```text\n{p}\n```" if p.startswith(">>> ") else p for p in parts)


def _fields(kind: type) -> list[tuple[str, str]]:
    """Return the fields of a class, each with the docstring that follows it."""
    try:
        body = ast.parse(dedent(inspect.getsource(kind))).body[0].body  # type: ignore[attr-defined]
    except OSError:  # a base of a class that is made by a call
        return []
    return [
        (f"`{field.target.id}`", ast.literal_eval(about.value))
        for field, about in pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(about, ast.Expr) and isinstance(about.value, ast.Constant)
    ]


def _is_method(value: Any) -> bool:
    return callable(value) or isinstance(value, classmethod | staticmethod)


def _signature(item: Any) -> str:
    """Return a signature without types: names and defaults."""
    if isinstance(item, classmethod):
        item = item.__func__
    if inspect.isclass(item) and issubclass(item, BaseException | Enum):
        return ""
    try:
        signature = inspect.signature(item)
    except (TypeError, ValueError):
        return ""
    parameters = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for name, parameter in signature.parameters.items()
        if name not in ("self", "cls")
    ]
    empty = inspect.Signature.empty
    text = str(signature.replace(parameters=parameters, return_annotation=empty))
    return re.sub(r"<function .*? at \w+>", "...", text)  # a default that is a function


def summary() -> str:
    """Return the README's table of measurements, from the complete ones."""
    sections = ("bench", "large", "search")
    rows = {row[0]: row for name in sections for row in read_table(MEASUREMENTS, name)}
    chosen = []
    for row in [row for group in read_groups().values() for row in group["row"] if row.readme]:
        _, result, beside, target = rows[row.name]
        beside = f"{row.peer}: {rows[row.peer][1]}" if row.peer else beside.partition("; memory")[0]
        chosen.append((row.readme, result.partition("; ")[0], beside, target))
    return table("measured|result|compared with|target", chosen)


TYPES: dict[str, tuple[Any, ...]] = {
    "solver/web/npm/answers.d.ts": (
        *(web_answers.Levels, web_answers.Listing),
        *(answers.ExplainedMove, answers.Explained),
        *(answers.Step, answers.Chance, answers.Puzzle, answers.Value),
    ),
}
"""The types of answers that a file of TypeScript declares."""
NAMED = {answers.Outcome: "Outcome", answers.Code: "Code", web_answers.Style: "Style"}
WORDS = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null"}


def declarations(kinds: Sequence[Any]) -> str:
    """Return the declarations of types of answers in TypeScript.

    A comment holds for all fields of its name, and is said at the first.
    """
    source = "".join(map(inspect.getsource, (answers, web_answers)))
    comments = dict(re.findall(r"^    (\w+): .*?  # (.*)", source, re.MULTILINE))
    blocks = []
    for kind in kinds:
        about = f"/** {kind.__doc__} */\n" if kind.__doc__ else ""
        block = f"{about}export interface {kind.__name__} {{\n"
        optional = {*get_type_hints(kind)} - {*schema_of(kind)["required"]}
        for name, field in get_type_hints(kind).items():
            block += f"  /** {comments.pop(name)} */\n" if name in comments else ""
            block += f"  {name}{'?' * (name in optional)}: {_typescript(field)};\n"
        blocks.append(block + "}\n")
    used = [kind for kind, name in NAMED.items() if re.search(rf"\b{name}\b", "".join(blocks))]
    aliases = "".join(f"export type {NAMED[kind]} = {_union(kind)};\n" for kind in used)
    head = "// Written by `python -m scripts.docs` from the types of answers in Python.\n"
    return "\n".join([head, aliases, *blocks])


def _typescript(kind: Any) -> str:
    """Return a type of Python's in TypeScript."""
    if kind in NAMED or kind in WORDS:
        return NAMED.get(kind) or WORDS[kind]
    inner = get_args(kind)
    if get_origin(kind) is list:
        text = _typescript(inner[0])
        return f"{text}[]"
    if get_origin(kind) is tuple:
        return f"[{', '.join(map(_typescript, inner))}]"
    return _union(kind) if inner else kind.__name__


def _union(kind: Any) -> str:
    """Return a union of types or of words in TypeScript."""
    parts = [json.dumps(x) if isinstance(x, str) else _typescript(x) for x in get_args(kind)]
    return " | ".join(parts)


SECTIONS: dict[str, dict[str, Callable[[], str]]] = {
    "README.md": {"summary": summary, "unbeatable": unbeatable.summary},
    "docs/unbeatable.md": {
        "graded": unbeatable.graded,
        "lost-games": unbeatable.lost_games,
        "left-out": unbeatable.left_out,
    },
    "docs/reference/commands.md": {"commands": commands},
    "docs/reference/games.md": {"games": games, "rules": rules},
    "docs/reference/players.md": {"levels": levels},
    "docs/reference/http.md": {"requests": requests},
}


def draw(names: Collection[str], folder: Path) -> None:
    """Draw some of the pictures into a folder."""
    for name in names:
        printed(*PICTURES[name], "--output", str(folder / name))


def photograph() -> None:
    """Make the screenshot of the page; needs Chromium."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as browsers:
        printed("serve", "--static", folder)
        browser = browsers.chromium.launch(executable_path=shutil.which("chromium"))
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(f"file://{folder}/index.html#x=human&o=human&moves=0,4,8&values=1")
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(1000)  # animations
        page.screenshot(path=DOCS / "pictures" / "page.png")
        browser.close()


def main() -> int:
    """Write the generated sections, or check them."""
    if "--pictures" in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as tables:
            os.environ["PERFECTPLAY_TABLES"] = tables
            for spec in SOLVED:
                printed("solve", spec)
            draw(PICTURES, DOCS / "pictures")
        unbeatable.draw(DOCS / "pictures")
        photograph()
    stale = 0
    for page in [README, *sorted(DOCS.rglob("*.md")), *(ROOT / name for name in TYPES)]:
        text = generated(page)
        if text != page.read_text(encoding="utf-8"):
            stale += 1
            if "--check" in sys.argv[1:]:
                print(f"{page.relative_to(ROOT)} is stale: run python -m scripts.docs")
            else:
                page.write_text(text, encoding="utf-8")
                print(f"wrote {page.relative_to(ROOT)}")
    return 1 if stale and "--check" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
