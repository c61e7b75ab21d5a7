"""What the help promises: groups, summaries, and examples that work."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from solver.cli import app
from solver.cli.commands import COMMANDS, GROUPS
from tests.cli.conftest import PERFECT_BOT
from tests.conftest import HEAP, SHIPPED, Command, python
from tests.support.tables import SUFFIX, table_path

OPTIONS = 90
SLOW = ("solve", "report", "estimate", "grade", "arena", "export", "verify", "serve")
LARGE = (  # seconds each
    "grade bot.py:move --deterministic --require never-loses",
    "grade random minimax",
    "solve connect4:4x4 --weak -o strategy.txt",
    "strategy tictactoe",
)
LONG = "estimate mnk:4,4,3 --json"
EXAMPLES = [
    pytest.param(
        example,
        marks=[pytest.mark.large] * (example in LARGE)
        + [pytest.mark.slow] * (name in SLOW)
        + [pytest.mark.campaign] * (example == LONG),
    )
    for name, about in COMMANDS.items()
    for example in about.examples
]


def test_every_command_is_in_one_of_five_groups(command: Command) -> None:
    assert command() == 0
    shown = command.out
    assert command("--help") == 0
    assert command.out == shown
    groups = dict(re.findall(r"^(\w+):\n((?:  .+\n)+)", shown, re.MULTILINE))
    del groups["Options"]
    assert {
        title: re.findall(r"^  (\w+)", text, re.MULTILINE) for title, text in groups.items()
    } == {title: list(group) for title, group in GROUPS.items()}
    assert len(groups) == 5


def test_there_are_so_many_options_and_no_more() -> None:
    """Each one is read, documented and tested; --help of every command is not counted."""
    group: Any = get_command(app)
    commands = [group.get_command(None, name) for name in group.list_commands(None)]
    kinds = [parameter.param_type_name for one in commands for parameter in one.params]
    assert kinds.count("option") == OPTIONS
    assert (kinds.count("argument"), len(commands)) == (16, 21)


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.thinned(3)
def test_examples_work(command: Command, example: str, request: pytest.FixtureRequest) -> None:
    if example.startswith("check"):
        request.getfixturevalue("uncompiled")
    command.monkeypatch.delitem(sys.modules, "heap", raising=False)
    shutil.copy(SHIPPED, "table.json")
    if SUFFIX in example or "connect4:4x4" in example:
        shutil.copy(table_path("connect4:4x4"), f"table{SUFFIX}")
    Path("heap.py").write_text(HEAP)
    Path("bot.py").write_text(PERFECT_BOT)
    for name in ("games.txt",):
        Path(name).write_text("4 1 3\n")
    if "connect4:4x4" in example and not example.startswith("solve"):
        Path("tables").mkdir()
        shutil.copy(table_path("connect4:4x4"), f"tables/connect4-4x4{SUFFIX}")
    command.type("q")
    served: list[Any] = []
    command.monkeypatch.setattr("solver.web.server.listen", lambda *_: None)
    command.monkeypatch.setattr("solver.web.server.url_of", lambda _: "http://localhost")
    command.monkeypatch.setattr("solver.web.server.run", lambda agents, *_: served.extend(agents))
    assert command(*shlex.split(example)) == 0, command.err
    assert command.out or served


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["best", "X...O...."], ["explain"], ["solve", "--help"]])
def test_questions_import_no_slow_library(arguments: list[str]) -> None:
    code = (
        "import sys; from solver.cli import run; assert run(sys.argv[1:]) == 0;"
        "print(*sorted(sys.modules), file=sys.stderr)"
    )
    loaded = set(python("-c", code, *arguments).stderr.split())
    slow = {"pydantic", "rich.console", "numpy", "solver.players", "solver.pictures"}
    slow |= {"solver.strategy"} if arguments[0] != "solve" else {"numba"}
    assert "solver.cli" in loaded
    assert loaded & slow == set()
