"""The README's examples do what it says."""

from __future__ import annotations

import doctest
import importlib
import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts import printed_results
from solver import Result, TableAgent
from tests.conftest import ROOT, Command

README = (ROOT / "README.md").read_text()
CONSOLE = re.findall(r"```console\n(.*?)```", README, re.DOTALL)


FILES = re.findall(r"```python\n# (\w+\.py)\n(.*?)```", README, re.DOTALL)


@pytest.fixture(autouse=True)
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Work in a folder with the files that the README shows, and with the project's data."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PERFECTPLAY_TABLES", "tables")
    os.symlink(ROOT / "data", "data")
    for name, content in FILES:
        Path(name).write_text(content)
    yield
    for name, _ in FILES:
        sys.modules.pop(name.removesuffix(".py"), None)


@pytest.mark.parametrize("block", CONSOLE, ids=lambda block: block.splitlines()[0][2:])
def test_commands(block: str, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERFECTPLAY_TABLES", "tables")
    for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, expected = example.split("\n", 1)
        words = shlex.split(line)
        assert words[0] == "perfectplay"
        command(*words[1:])
        pattern = (
            re.escape(expected)
            .replace(re.escape("in ... s"), "in .* s")
            .replace(re.escape("wrote .../"), "wrote .*/")
            if " in ... s" in expected
            else None
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
    traps = {row[0]: row[3] for row in counts["entries"]["........."][3]}
    assert (traps[0], traps[4]) == (7 / 8, 4 / 8)
    assert "a corner's trap is 7/8, the centre's 4/8" in README
    assert "| plain minimax | 549,946 positions |" in README.replace("score the start: ", "")


def test_tables_of_printed_results(agent: TableAgent) -> None:
    """The README's tables are what the script works out."""
    for name, rows in (
        ("printed", printed_results.printed_table(agent)),
        ("street-smart", printed_results.street_smart_table(agent)),
    ):
        body = "\n".join(rows)
        assert f"<!-- {name} -->\n{body}\n<!-- /{name} -->" in README


def test_the_chance_of_a_sample() -> None:
    """Of four fair tosses 6 of 16 come out 2-2; all others are at most as likely as 3-1."""
    tosses = [Result(0.5, 0.0, 0.5)] * 4
    assert printed_results.chance((3, 0, 1), tosses) == pytest.approx(10 / 16)
    assert printed_results.chance((2, 0, 2), tosses) == pytest.approx(1)
    assert printed_results.chance((4, 0, 0), tosses) == pytest.approx(2 / 16)
    assert printed_results.chance((1, 0, 1), [Result(1, 0, 0), Result(0, 0, 1)]) == pytest.approx(1)


def test_every_command_is_in_the_readme(command: Command) -> None:
    command("--help")
    names = re.findall(r"^  ([a-z]+) ", command.out.split("Commands:")[1], re.MULTILINE)
    assert len(names) >= 8
    assert [name for name in names if f"perfectplay {name}" not in README] == []


def test_every_make_target_is_in_the_readme() -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert [t for t in targets if f"make {t}" not in README and t != "clean"] == []


def test_docstring_examples() -> None:
    for path in (ROOT / "solver").rglob("*.py"):
        if ">>>" in path.read_text():
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            module = importlib.import_module(name.removesuffix(".__init__"))
            results = doctest.testmod(module)
            assert results.attempted
            assert not results.failed
