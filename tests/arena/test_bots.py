"""Bots that misbehave, in tests/bots: each gets the right verdict, and leaves nothing behind."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from solver import Grade, TableAgent, grade
from solver.errors import UnknownPlayerError
from solver.reports.grade_text import text
from tests.conftest import ROOT, program

pytestmark = pytest.mark.slow

BOTS = ROOT / "tests" / "bots"


class Expected(NamedTuple):
    """A verdict, the kinds of faults, and what the report says; limits in seconds."""

    never_loses: bool | None
    kinds: str = ""
    says: str = ""
    limit: float = 10.0
    total: float = 600.0


BRIEF = 0.02  # seconds, for bots that never answer; three times that for a first answer
NEVER = "gives no legal answer"
PERFECT = Expected(True, says="plays perfectly")
EXPECTED = {
    "deletes_itself": Expected(None, "ended", "it cannot be started again"),
    "changes_directory": PERFECT,
    "closes_everything": Expected(False, "ended", NEVER),
    "closes_standard_streams": PERFECT,
    "crashes": Expected(False, "ended", NEVER),
    "fails_at_random": Expected(False, "exception", "does not always give a legal answer"),
    "floods_its_output": PERFECT,
    "forks_children": PERFECT,
    "patches_python": Expected(False, says="can be beaten."),
    "raises_a_huge_exception": Expected(False, "exception", "ValueError: xxx"),
    "recurses_forever": Expected(False, "exception", "RecursionError"),
    "returns_the_board": Expected(None, "not a move", "cannot be graded: [["),
    "sleeps_forever": Expected(None, "too slow", "no answer within 0.06 s", BRIEF),
    "starts_threads": PERFECT,
    "wants_too_much_memory": Expected(False, "exception", "MemoryError"),
}
COMMANDS = {
    "does_not_flush": Expected(None, "too slow", "no answer within", BRIEF),
    "writes_crlf": PERFECT,
    "answers_without_reading": Expected(False, "illegal move", "can be beaten", total=20),
    "ends_after_one_answer": Expected(
        False, "ended", "status 0; a bot is asked many times", total=20
    ),
}


def copied(name: str, folder: Path) -> str:
    """Return the name of a copy of a bot, since some delete themselves."""
    alone = (BOTS / f"{name}.py").exists()
    path = shutil.copy(BOTS / (f"{name}.py" if alone else "functions.py"), folder)
    return f"{path}:{'move' if alone else name}"


def check(found: Grade, expected: Expected) -> None:
    kinds = {fault.kind for fault in found.faults}
    assert kinds >= {*expected.kinds.split(", ")} - {""}, found.faults[:3]
    assert bool(kinds) == bool(expected.kinds), found.faults[:3]
    assert found.never_loses is expected.never_loses
    assert expected.says in " ".join(text(found).split())
    assert found.meets("never-loses") is (expected.never_loses is True)
    assert (found.ended is None) == (found.not_asked == 0)
    assert len(json.dumps(found.as_dict())) < 1e7


@pytest.mark.parametrize("name", EXPECTED)
@pytest.mark.thinned(6, 4)
def test_a_bot_gets_the_right_verdict(agent: TableAgent, tmp_path: Path, name: str) -> None:
    """Most play one side, to save time."""
    expected = EXPECTED[name]
    found = grade(
        copied(name, tmp_path),
        agent,
        "both" if name == "patches_python" else "second",
        deterministic=name != "fails_at_random",
        repeats=2,
        limit=expected.limit,
        total=expected.total,
    )
    check(found, expected)
    methods = {"fails_at_random": "sampled", "sleeps_forever": "partial"}
    assert found.method == methods.get(name, found.method if found.ended else "exact")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("exits_on_import", "cannot be loaded: SystemExit: run me with python"),
        ("needs_a_missing_package", "cannot be loaded: ModuleNotFoundError"),
    ],
)
def test_a_bot_that_cannot_be_loaded_is_not_asked(
    agent: TableAgent, name: str, message: str
) -> None:
    with pytest.raises(UnknownPlayerError, match=message):
        grade(f"{BOTS / name}.py:move", agent)


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.thinned(5, 4)
def test_a_command_gets_the_right_verdict(agent: TableAgent, name: str) -> None:
    expected = COMMANDS[name]
    found = grade(
        f"command:{sys.executable} {BOTS}/commands/{name}.py",
        agent,
        deterministic=True,
        limit=expected.limit,
        total=expected.total,
    )
    check(found, expected)


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("name", ["forks_children", "starts_threads"])
@pytest.mark.thinned(2)
def test_no_process_outlives_a_grade(agent: TableAgent, tmp_path: Path, name: str) -> None:
    """Those that tests beside this one start do not run the copy of the bot."""
    copy = copied(name, tmp_path)

    def running() -> list[int]:
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if copy.encode() in path.read_bytes():
                    found.append(int(path.parent.name))
            except OSError:
                continue
        return found

    grade(copy, agent, "first", deterministic=True)
    deadline = time.monotonic() + 120
    while left := running():
        assert time.monotonic() < deadline, f"still running: {left}"
        time.sleep(0.05)


EXAMPLES = ROOT / "examples" / "bots"


def test_the_example_in_javascript_is_perfect_in_a_sandbox(agent: TableAgent, node: str) -> None:
    """As docs/how-to/bots-in-any-language.md shows it, where this user may create namespaces."""
    sandbox = [program("unshare"), "--user", "--net", program("prlimit"), "--data=1000000000"]
    if subprocess.run([*sandbox, "true"], check=False, capture_output=True).returncode:
        sandbox = []
    command = " ".join([*sandbox, node, str(EXAMPLES / "minimax.js")])
    found: Any = grade(f"command:{command}", agent, "first", deterministic=True)
    assert (found.optimal, found.faults) == (True, [])
    assert found.all.perfect_move_rate == 1


def test_the_example_in_c_wins_and_blocks(agent: TableAgent, tmp_path: Path) -> None:
    compiler = program("cc", "gcc", "clang")
    binary = str(tmp_path / "winblock")
    subprocess.run(
        [compiler, "-Wall", "-Werror", "-o", binary, EXAMPLES / "winblock.c"], check=True
    )
    found = grade(f"command:{binary}", agent, "second", deterministic=True)
    assert (found.never_loses, found.faults) == (False, [])
    assert found.losing_seat == "O"
