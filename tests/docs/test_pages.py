"""The examples in README.md and docs/ run, and print what the pages show."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import pytest

from scripts import examples
from tests.conftest import ROOT, Command

LARGE = {
    "docs/explanation/connect4.md": "compiles the search",
    "docs/explanation/exact-matches.md": "plays matches, exactly",
    "docs/explanation/tables.md": "solves by each method",
    "docs/how-to/bots-in-any-language.md": "starts a process for each bot",
    "docs/how-to/draw.md": "compiles the search for strategies",
    "docs/how-to/grade-bots.md": "starts a process for each bot",
    "docs/how-to/train-an-agent.md": "trains agents",
    "docs/how-to/openspiel.md": "solves and proves hex",
    "docs/how-to/serve.md": "writes the page",
    "docs/how-to/solve-another-game.md": "solves chess",
    "docs/how-to/solve-large-games.md": "starts a Dask cluster",
    "docs/how-to/write-a-game.md": "compiles games",
    "docs/reference/strategies.md": "compiles the searches for strategies",
    "docs/solve-your-own-game.md": "compiles games",
    "docs/tutorial.md": "starts a process for each bot",
}
SLOW = {"docs/how-to/embed.md": "starts Node", "solver/web/npm/README.md": "starts Node"}
PAGES = {path.relative_to(ROOT).as_posix(): path for path in examples.pages()}
RUNNABLE = ("console", "python", "js")
STANDS_IN_SH = re.compile(
    r"^(PERFECTPLAY_TABLES=\S+ )?(/opt/perfectplay/bin/)?"
    r"(make|npm|pip|perfectplay|dask|python3?|pytest|systemctl|curl|podman|\.)( |$)"
)
SERVER = re.compile(
    r'^(?:ExecStart=/opt/perfectplay/bin/|CMD \[")(perfectplay.*?)"?\]?$', re.MULTILINE
)


def blocks(*kinds: str) -> list[tuple[str, examples.Block]]:
    """Return the blocks of some kinds on all pages."""
    found = ((name, examples.blocks(path)) for name, path in PAGES.items())
    return [(name, block) for name, listed in found for block in listed if block.kind in kinds]


def params() -> list[Any]:
    names = dict.fromkeys(name for name, _ in blocks(*RUNNABLE))
    marks = {**dict.fromkeys(SLOW, pytest.mark.slow), **dict.fromkeys(LARGE, pytest.mark.large)}
    return [pytest.param(name, marks=marks.get(name, ())) for name in names]


@pytest.mark.parametrize("name", params())
def test_examples_print_what_the_page_shows(name: str, request: pytest.FixtureRequest) -> None:
    page = PAGES[name]
    if "$ node " in page.read_text():
        request.getfixturevalue("node")
    shown = [
        f"{name}:{examples.line_of(page, one)}: {one.source}"
        f"--- expected\n{one.expected}--- got\n{one.got}"
        for one in examples.differences(page)
    ]
    assert not shown, "\n".join([*shown, "To accept: python -m scripts.examples --write"])


def test_there_are_examples_to_run() -> None:
    assert len(blocks("console")) > 30
    assert len(blocks("python")) > 20
    assert len(blocks("js")) >= 3
    assert {*SLOW, *LARGE} <= set(PAGES)


def test_every_block_has_a_known_kind() -> None:
    """A misspelt kind would silently leave its examples out."""
    fences = [
        (name, kind)
        for name, path in PAGES.items()
        for kind in re.findall(r"^```(.*)$", path.read_text(), re.MULTILINE)[::2]
    ]
    known = {*RUNNABLE, "sh", "text", "html", "yaml", "ini", "dockerfile", "nginx"}
    assert [fence for fence in fences if fence[1] not in known] == []


def test_commands_that_do_not_run_exist(command: Command) -> None:
    """Blocks of kind sh show what tests cannot run: their commands, targets and options exist."""
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    lines = [line for _, b in blocks("sh") for line in b.body.replace("\\\n", "").splitlines()]
    assert len(lines) > 15
    options: dict[str, str] = {}
    servers = SERVER.findall(PAGES["docs/how-to/serve.md"].read_text())
    assert len(servers) == 2
    for line in (*lines, *(server.replace('", "', " ") for server in servers)):
        found = STANDS_IN_SH.match(line)
        assert found, line
        program, *words = line[found.start(3) :].partition("#")[0].split()
        if program == "make":
            assert words[0] in targets, line
        if program != "perfectplay":
            continue
        if words[0] not in options:
            assert command(words[0], "--help") == 0, line
            options[words[0]] = command.out
        for option in (word for word in words if word.startswith("--")):
            assert re.search(rf"{option}\b", options[words[0]]), line


@pytest.mark.slow
def test_an_example_that_prints_something_else_is_found_and_rewritten(tmp_path: Path) -> None:
    """Wildcards stay, folders and times become wildcards, and other pages stay as they are."""
    page = tmp_path / "page.md"
    page.write_text(
        "```console\n$ perfectplay best XXXOOO...\nno error\n$ perfectplay solve\nx … y\n```\n\n"
        "```python\n>>> 1 + 1\n3\n>>> 2\n2\n\n```\n"
    )
    assert [examples.line_of(page, one) for one in examples.differences(page)] == [2, 4, 9]
    assert examples.write(page) == 3
    text = page.read_text()
    assert "$ perfectplay best XXXOOO...\nperfectplay: both X and O have 3 in a row\n" in text
    assert re.search(r"^wrote …/perfectplay/tictactoe.json: [\d,]+ bytes in … s$", text, re.M)
    assert ">>> 1 + 1\n2\n>>> 2\n2\n" in text
    assert examples.write(page) == 0


def test_docstring_examples() -> None:
    import doctest

    for path in (ROOT / "solver").rglob("*.py"):
        if ">>>" in path.read_text():
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            module = importlib.import_module(name.removesuffix(".__init__"))
            results = doctest.testmod(module)
            assert results.attempted
            assert not results.failed
