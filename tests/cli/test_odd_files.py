"""Files that are no files, lost directories and Ctrl-C: one line each."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.conftest import Command, python

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a POSIX system")


def test_a_pipe_and_a_giant_are_no_tables(command: Command) -> None:
    os.mkfifo("pipe")
    for words in (["best", "--table"], ["verify"], ["info"], ["export", "-o", "x.csv"]):
        assert "pipe is not a regular file" in command.refuses(*words, "pipe")
        assert "/dev/zero is not a regular file" in command.refuses(*words, "/dev/zero")
    with open("giant", "wb") as file:
        file.truncate(1 << 40)
    assert "giant: not a table: it has 1,099,511,627,776 bytes" in command.refuses("info", "giant")


def test_a_deleted_working_directory_is_named(command: Command, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    command.monkeypatch.chdir(gone)
    gone.rmdir()
    message = "the working directory no longer exists; change to one that does"
    for words in (
        ["solve", "-o", "t.json"],
        ["best", "--game", "rules.py:Game"],
        ["best", "--game", "some.rules:Game"],
        ["render", "-o", "x.svg"],
    ):
        assert message in command.refuses(*words)
    assert command("best") == 0
    command.monkeypatch.chdir(tmp_path)


INTERRUPTED = """
import os, signal, sys

class Finder:
    @staticmethod
    def find_spec(name, path, target=None):
        if name == {module!r}:
            if {hidden}:
                try:
                    os.kill(os.getpid(), signal.SIGINT)
                except KeyboardInterrupt:
                    raise ImportError("it could not be imported")
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Finder)
sys.argv = ["perfectplay", *{arguments!r}]
from solver.__main__ import main
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("solver.cli", ["best"]),
        ("typer", ["best"]),
        ("solver.tables.json_table", ["best"]),
        ("numba", ["check", "connect4:4x4"]),
        ("uvicorn", ["serve"]),
    ],
)
@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.thinned(4)
def test_ctrl_c_during_an_import_is_one_line(
    module: str, arguments: list[str], hidden: bool
) -> None:
    """The signal comes while a module is looked for; some libraries make an ImportError of it."""
    code = INTERRUPTED.format(module=module, arguments=arguments, hidden=hidden)
    done = python("-c", code)
    assert (done.returncode, done.stdout) == (130, "")
    *said, last = done.stderr.splitlines()
    assert last == "perfectplay: interrupted"
    assert all(re.search(r", after \d+ s$", line) for line in said)  # on a slow machine
