"""Runs the examples in the Markdown pages, and compares what they print with what the pages show.

    pytest tests/docs/test_pages.py                 report the examples that print something else
    python -m scripts.examples --write [PAGE ...]   write what they print into the pages

A page's blocks run in order, in one folder that starts with links to the project's `data` and
`examples`:

- `console`: each `$ command` must print what follows it. `perfectplay` runs in this process, `curl`
  asks a server of tic-tac-toe, and other commands run in a shell. The character … in the expected
  output stands for anything within a line.
- `python` with prompts runs as a doctest; names live until the end of the page. Without prompts it
  is executed, or written to a file if its first line is a comment such as `# bot.py`.
- `js` is written to the file that its first line names, as in `// example.mjs`.
- Blocks of other kinds, such as `sh` and `yaml`, do not run.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from sybil import Document, Example
from sybil.evaluators.doctest import DocTestEvaluator
from sybil.parsers.abstract.doctest import DocTestStringParser
from sybil.parsers.markdown.lexers import FencedCodeBlockLexer

from scripts.sections import ROOT

COMMAND = re.compile(r"^\$ (.*\n)", re.MULTILINE)
FILE_NAME = re.compile(r"(?:#|//) ([\w.-]+\.(?:py|mjs))\n")
WILDCARD = "…"
TIME = re.compile(r"(?<=in )[\d.]+(?= s$)", re.MULTILINE)
PROGRESS = re.compile(
    r"^perfectplay: (.*, after \d+ s|trying to solve .* at once, since it has no table yet"
    r"|grading \d+ players, .*|\d+ of \d+: .*)\n",
    re.MULTILINE,
)  # of work that takes long
LINKED = ("data", "examples")
PACKAGE = ROOT / "solver/web/npm"  # perfectplay.js


class Block(NamedTuple):
    """A fenced block of a page."""

    kind: str
    body: str
    start: int
    """Where the body starts in the page's text."""


class Difference(NamedTuple):
    """An example that prints something else than its page shows."""

    source: str
    expected: str
    got: str
    start: int
    """Where the expected text starts in the page's text."""


def pages() -> list[Path]:
    """Return README.md, CONTRIBUTING.md, the README of perfectplay.js and the pages of docs/."""
    first = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", PACKAGE / "README.md"]
    return [*first, *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page, in order."""
    document = Document.parse(str(page), FencedCodeBlockLexer("[a-z]+"))
    fences = [(example.start, example.region.lexemes) for example in document.examples()]
    return [Block(b["language"], str(b["source"]), at + b["source"].offset) for at, b in fences]


def differences(page: Path) -> list[Difference]:
    """Return the examples that print something else than the page shows.

    They run in a process of their own, since they change the working directory and import files.
    """
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_run_page, page).result()


def line_of(page: Path, one: Difference) -> int:
    """Return the line of an example in its page, from 1."""
    text = page.read_text(encoding="utf-8")
    return text.count("\n", 0, one.start) + 1 - one.source.count("\n")


def write(page: Path) -> int:
    """Write what a page's examples print into the page; return how many differed."""
    text, wrong = page.read_text(encoding="utf-8"), differences(page)
    for one in reversed(wrong):
        text = text[: one.start] + one.got + text[one.start + len(one.expected) :]
    if wrong:
        page.write_text(text, encoding="utf-8")
    return len(wrong)


def _run_page(page: Path) -> list[Difference]:
    """Run a page's examples in an empty folder, where this process then is."""
    wrong: list[Difference] = []
    names: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name in LINKED:
            os.symlink(ROOT / name, name)
        os.environ |= {"PERFECTPLAY_TABLES": f"{folder}/perfectplay", "COLUMNS": "80"}
        for block in blocks(page):
            file = FILE_NAME.match(block.body)
            if block.kind == "console":
                wrong += _run_console(block)
            elif block.kind == "python" and ">>> " in block.body:
                wrong += _run_doctest(block, names)
            elif block.kind in ("python", "js") and file:
                Path(file[1]).write_text(block.body, encoding="utf-8")
            elif block.kind == "python":
                exec(compile(block.body, "example", "exec"), names)
            elif block.kind == "js":
                raise ValueError("the first line of a js block names its file: // example.mjs")
    return wrong


def _run_console(block: Block) -> Iterator[Difference]:
    commands = [*COMMAND.finditer(block.body)]
    ends = [*(command.start() for command in commands[1:]), len(block.body)]
    for command, end in zip(commands, ends, strict=True):
        expected, got = block.body[command.end() : end], _printed(command[1])
        got = PROGRESS.sub("", got)  # which depends on how fast the machine is
        if not matches(expected, got):
            shown = _with_wildcards(expected, got)
            yield Difference(command[1], expected, shown, block.start + command.end())


def matches(expected: str, got: str) -> bool:
    """Return whether a command printed what a page shows.

    Lines that only a terminal would not show, one a minute, are left out.
    """
    return re.fullmatch(_pattern(expected), PROGRESS.sub("", got)) is not None


def _with_wildcards(expected: str, got: str) -> str:
    """Return what a command printed, with wildcards where it differs from run to run."""
    patterns = {line: _pattern(line) for line in expected.splitlines() if WILDCARD in line}
    lines = []
    for line in TIME.sub(WILDCARD, got).replace(str(Path.cwd()), WILDCARD).splitlines():
        fits = (shown for shown, pattern in patterns.items() if re.fullmatch(pattern, line))
        lines.append(next(fits, line) + "\n")
    return "".join(lines)


def _pattern(expected: str) -> str:
    return re.escape(expected).replace(re.escape(WILDCARD), ".*")


def _printed(line: str) -> str:
    """Run a command and return what it prints, as a terminal shows it."""
    words = shlex.split(line)
    if words[0] == "curl":
        return _fetched(words[1:])
    if words[0] == "perfectplay" and "|" not in words:  # in this process, which is faster
        from solver.cli import run

        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            run(words[1:])
        return out.getvalue()
    if words[0] == "node":
        shutil.copytree(PACKAGE, "node_modules/perfectplay", dirs_exist_ok=True)
        shutil.copy(ROOT / "data/tictactoe.json", ".")
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    variables = {"PATH": path, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    done = subprocess.run(
        ["sh", "-c", line],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **variables},
        check=False,
    )
    return done.stdout


def _fetched(words: list[str]) -> str:
    """Return what a server of tic-tac-toe answers `curl [-s] [-d BODY] URL`, and a line's end."""
    from solver import TableAgent
    from solver.web.app import create_app
    from tests.support.asgi import Client

    body = words[words.index("-d") + 1] if "-d" in words else None
    place = urlsplit(next(word for word in words if word.startswith("http")))
    path = place.path + (f"?{place.query}" if place.query else "")
    client = Client(create_app([TableAgent()]))
    answer = client.send("GET" if body is None else "POST", path, (body or "").encode())
    return answer.body.decode().rstrip("\n") + "\n"


def _run_doctest(block: Block, names: dict[str, Any]) -> Iterator[Difference]:
    page = Document(block.body, "example")
    for region in DocTestStringParser()(block.body, page.path):
        report = DocTestEvaluator()(Example(page, 0, 0, region, names))
        if report:
            got = re.sub("^    ", "", report.rpartition("Got:\n")[2], flags=re.MULTILINE)
            want = region.parsed.want
            start = block.start + region.end - len(want)
            yield Difference(region.parsed.source, want, got, start)


def main() -> None:
    """Write into the pages that the arguments name, by default into all."""
    parser = argparse.ArgumentParser(prog="python -m scripts.examples")
    parser.add_argument("--write", nargs="*", type=Path, required=True, metavar="PAGE")
    for page in parser.parse_args().write or pages():
        print(f"{page}: {write(page.absolute())} rewritten", flush=True)


if __name__ == "__main__":
    main()
