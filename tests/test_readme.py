"""The README's examples do what it says."""

from __future__ import annotations

import doctest
import importlib
import json
import re
from pathlib import Path

import pytest

from tests.conftest import ROOT, Command

README = (ROOT / "README.md").read_text()
CONSOLE = re.findall(r"```console\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("block", CONSOLE, ids=lambda block: block.splitlines()[0][2:])
def test_commands(block: str, command: Command) -> None:
    for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, expected = example.split("\n", 1)
        words = line.split()
        assert words[0] == "perfectplay"
        command(*words[1:])
        pattern = (
            re.escape(expected).replace(re.escape("..."), ".*") if " in ... s" in expected else None
        )
        if pattern:
            assert re.fullmatch(pattern, command.out)
        else:
            assert command.out + command.err == expected


def test_python_examples() -> None:
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert results.attempted > 10
    assert results.failed == 0


def test_numbers(known: dict[str, dict[str, object]]) -> None:
    """The counts in the text are those of the table; the measured ones come from make bench."""
    counts = json.loads((ROOT / "data" / "tictactoe.json").read_text())
    size = (ROOT / "data" / "tictactoe.json").stat().st_size
    assert f"{counts['canonical']} positions up to symmetry" in README
    assert f"{counts['positions']:,} positions" in README
    assert f"{size:,} bytes" in README
    assert "| plain minimax | 549,946 positions |" in README.replace("score the start: ", "")


def test_every_command_is_in_the_readme(command: Command) -> None:
    command("--help")
    names = re.findall(r"^  ([a-z]+) ", command.out.split("Commands:")[1], re.MULTILINE)
    assert len(names) >= 8
    assert [name for name in names if f"perfectplay {name}" not in README] == []


def test_every_make_target_is_in_the_readme() -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert [t for t in targets if f"make {t}" not in README and t != "clean"] == []


@pytest.mark.parametrize("path", sorted((ROOT / "solver").rglob("*.py")), ids=lambda p: p.name)
def test_docstring_examples(path: Path) -> None:
    if path.name != "__main__.py":
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        assert doctest.testmod(importlib.import_module(name)).failed == 0
