"""The command new."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Command


@pytest.mark.usefixtures("uncompiled")
def test_new_prints_the_next_commands_which_work(command: Command) -> None:
    assert command("new", "some_row") == 0
    first, *lines = command.out.splitlines()
    assert first == "wrote some_row.py and test_some_row.py; next:"
    assert lines == [
        f"  perfectplay {words} some_row.py:SomeRow" for words in ("check", "solve", "play --game")
    ]
    command.type("1", "5")
    out = []
    for line in lines:
        assert command(*shlex.split(line)[1:]) == 0, command.err
        out.append(command.out)
    del sys.modules["some_row"]
    assert "the rules obey every law" in out[0]
    assert "the first player wins in 3 plies" in out[1]
    assert "The game is over: X has won." in out[2]


@pytest.mark.large
def test_the_files_pass_their_tests_and_ruff_and_the_tests_detect_mistakes(
    command: Command,
) -> None:
    right = ["row3", "CamelCase", "_x", "a_b"]
    mistakes = {
        "lost": ("else Outcome.LOSS", "else Outcome.WIN"),
        "near": ("0 <= c < CELLS", "0 < c < CELLS"),
    }
    for name in (*right, *mistakes):
        assert command("new", name) == 0
    ruff = (sys.executable, "-m", "ruff")
    subprocess.run([*ruff, "check", "--isolated", "."], check=True)
    subprocess.run([*ruff, "format", "--isolated", "--check", "."], check=True)
    for name, (before, after) in mistakes.items():
        path = Path(f"{name}.py")
        assert path.read_text().count(before) == 1
        path.write_text(path.read_text().replace(before, after))
    line = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", "."]
    done = subprocess.run(line, check=False, capture_output=True, text=True)
    passed, failed = (
        re.findall(rf"^{word} test_(\w+)\.py::", done.stdout, re.MULTILINE)
        for word in ("PASSED", "FAILED")
    )
    assert {name: passed.count(name) for name in right} == dict.fromkeys(right, 3), done.stdout
    assert set(failed) == set(mistakes), done.stdout


@pytest.mark.parametrize("existing", ["row.py", "test_row.py"])
def test_no_file_is_replaced(existing: str, command: Command) -> None:
    Path(existing).write_text("mine")
    assert f"{existing} exists already; choose another name" in command.refuses("new", "row")
    assert [(path.name, path.read_text()) for path in Path().iterdir()] == [(existing, "mine")]


def test_both_files_are_written_or_none(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process may write the second one meanwhile."""
    Path("test_row.py").write_text("mine")
    monkeypatch.setattr("os.path.lexists", lambda _: False)
    assert command.refuses("new", "row") == "perfectplay: test_row.py: File exists\n"
    assert [(path.name, path.read_text()) for path in Path().iterdir()] == [("test_row.py", "mine")]
