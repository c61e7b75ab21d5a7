r"""Runs the examples in the Markdown pages, and compares what they print with what the pages show.

    python -m scripts.examples [PAGE ...]           report the examples that print something else
    python -m scripts.examples --write [PAGE ...]   write what they print into the pages

A page's blocks run in order, in one folder that starts with links to the project's `data` and
`examples`:

- `console`: each `$ command` must print what follows it. `perfectplay`, `python FILE`, `python -m
  scripts.NAME`, `node FILE` and `curl` are known, and `printf '%s\n' ... | perfectplay` for what a
  user types. The character … in the expected output stands for anything within a line.
- `python` with prompts runs as a doctest; names live until the end of the page. Without prompts it
  is executed, or written to a file if its first line is a comment such as `# bot.py`.
- `js` is written to the file that its first line names, as in `// example.mjs`.
- Blocks of other kinds, such as `sh` and `yaml`, do not run.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ ", re.MULTILINE)
FILE_NAME = re.compile(r"(?:#|//) ([\w.-]+\.(?:py|mjs))\n")
WILDCARD = "…"
TIME = re.compile(r"(?<=in )[\d.]+(?= s$)", re.MULTILINE)
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

    line: int
    source: str
    expected: str
    got: str
    start: int
    """Where the expected text starts in the page's text."""


def pages() -> list[Path]:
    """Return README.md, CONTRIBUTING.md, the README of perfectplay.js and the pages of docs/."""
    first = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", PACKAGE / "README.md"]
    return [*first, *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(text: str) -> list[Block]:
    """Return the fenced blocks of a page, in order."""
    return [Block(found[1], found[2], found.start(2)) for found in BLOCK.finditer(text)]


def differences(page: Path) -> list[Difference]:
    """Run a page's examples; return those that print something else than the page shows."""
    text = page.read_text(encoding="utf-8")
    found: list[Difference] = []
    with _folder():
        names: dict[str, Any] = {}
        for block in blocks(text):
            if block.kind == "console":
                found += _run_console(block, text)
            elif block.kind == "python" and ">>> " in block.body:
                found += _run_doctest(block, text, names)
            elif block.kind in ("python", "js"):
                _write_or_execute(block, names)
    return found


def write(page: Path) -> int:
    """Write what a page's examples print into the page; return how many differed."""
    text, found = page.read_text(encoding="utf-8"), differences(page)
    for one in reversed(found):
        text = text[: one.start] + one.got + text[one.start + len(one.expected) :]
    if found:
        page.write_text(text, encoding="utf-8")
    return len(found)


@contextlib.contextmanager
def _folder() -> Iterator[None]:
    """Work in an empty folder, where no module from a temporary folder is known."""
    before, path, variables = Path.cwd(), list(sys.path), dict(os.environ)
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        _forget_modules()
        for name in LINKED:
            os.symlink(ROOT / name, name)
        os.environ["PERFECTPLAY_TABLES"] = str(Path(directory, "perfectplay"))
        os.environ["COLUMNS"] = "80"
        try:
            yield
        finally:
            os.chdir(before)
            sys.path[:] = path
            os.environ.clear()
            os.environ.update(variables)
            _forget_modules()


def _forget_modules() -> None:
    """Forget the modules that were loaded from temporary folders."""
    temporary = os.path.join(os.path.realpath(tempfile.gettempdir()), "")
    for name, module in [*sys.modules.items()]:
        if (getattr(module, "__file__", None) or "").startswith(temporary):
            del sys.modules[name]


def _write_or_execute(block: Block, names: dict[str, Any]) -> None:
    file = FILE_NAME.match(block.body)
    if file:
        Path(file[1]).write_text(block.body, encoding="utf-8")
    elif block.kind == "python":
        exec(compile(block.body, "example", "exec"), names)
    else:
        raise ValueError("the first line of a js block names its file, as in // example.mjs")


def _run_console(block: Block, text: str) -> Iterator[Difference]:
    starts = [found.end() for found in COMMAND.finditer(block.body)]
    ends = [start - 2 for start in starts[1:]] + [len(block.body)]
    for start, end in zip(starts, ends, strict=True):
        line, _, expected = block.body[start:end].partition("\n")
        got = _printed(line)
        if not re.fullmatch(_pattern(expected), got):
            place = block.start + start + len(line) + 1
            shown = _with_wildcards(expected, got)
            yield Difference(_line_of(text, block.start + start), line, expected, shown, place)


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
    """Run a command and return what it prints, errors last."""
    words = shlex.split(line)
    typed = ""
    if words[0] == "printf" and "|" in words:
        bar = words.index("|")
        typed, words = "\n".join(words[2:bar]) + "\n", words[bar + 1 :]
    if words[0] == "node":
        shutil.copytree(PACKAGE, "node_modules/perfectplay", dirs_exist_ok=True)
        shutil.copy(ROOT / "data/tictactoe.json", ".")
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout
    if words[0] == "curl":
        return _fetched(words[1:])
    out, errors, stdin = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.StringIO(typed)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            if words[0] == "perfectplay":
                from solver.cli import run

                run(words[1:])
            elif words[0] == "python":
                if words[1] == "-m":  # a script of the project
                    words[1:3] = [str(ROOT / f"{words[2].replace('.', '/')}.py")]
                arguments, sys.argv = sys.argv, words[1:]
                try:
                    runpy.run_path(words[1], run_name="__main__")
                finally:
                    sys.argv = arguments
            else:
                raise ValueError(f"examples cannot run {words[0]}; use a block of kind sh")
    finally:
        sys.stdin = stdin
    return out.getvalue() + errors.getvalue()


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


def _run_doctest(block: Block, text: str, names: dict[str, Any]) -> list[Difference]:
    found: list[Difference] = []

    class Runner(doctest.DocTestRunner):
        def report_failure(
            self, out: Any, test: doctest.DocTest, example: doctest.Example, got: str
        ) -> None:
            _report(example, got)

        def report_unexpected_exception(
            self, out: Any, test: doctest.DocTest, example: doctest.Example, exc_info: Any
        ) -> None:
            _report(example, f"{exc_info[0].__name__}: {exc_info[1]}\n")

    def _report(example: doctest.Example, got: str) -> None:
        lines = block.body.splitlines(keepends=True)
        first = example.lineno + example.source.count("\n")
        start = block.start + sum(map(len, lines[:first]))
        line = _line_of(text, block.start) + example.lineno
        found.append(Difference(line, example.source, example.want, got, start))

    test = doctest.DocTestParser().get_doctest(block.body, names, "example", None, 0)
    test.globs = names  # shared by the blocks of a page
    Runner().run(test, out=lambda text: None, clear_globs=False)
    return found


def _line_of(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def main() -> int:
    """Check or rewrite the pages that the arguments name, by default all."""
    arguments = [argument for argument in sys.argv[1:] if argument != "--write"]
    wrong = 0
    for page in map(Path.absolute, map(Path, arguments)) if arguments else pages():
        if "--write" in sys.argv[1:]:
            print(f"{page}: {write(page)} rewritten", flush=True)
            continue
        for one in differences(page):
            wrong += 1
            print(f"{page}:{one.line}: {one.source.strip()}\n{one.expected}--- prints\n{one.got}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
