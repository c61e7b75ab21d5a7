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
from solver.cli.grade_report import text
from solver.errors import UnknownPlayerError
from tests.conftest import ROOT, program
from tests.support import bots
from tests.support.cases import cases

pytestmark = pytest.mark.slow

BOTS = ROOT / "tests" / "bots"
LINUX = sys.platform == "linux"
SLOW = {  # seconds each, to wait or to compute: for make test-large
    *("answers_in_advance", "answers_without_reading", "closes_everything"),
    *("ends_after_one_answer", "forges_replies"),
    *("interrupts_itself", "loops_on_one_board", "never_reads", "raises_a_huge_exception"),
    *("sends_an_endless_line", "shares_and_fails", "signals_its_parents_group"),
    *("sleeps_forever", "stops_its_parent", "writes_no_newline", "writes_without_reading"),
}


class Expected(NamedTuple):
    """A verdict, the kinds of faults, and what the report says; limits in seconds."""

    never_loses: bool | None
    kinds: str = ""
    says: str = ""
    limit: float = 10.0
    total: float = 600.0


BRIEF = 0.05  # seconds; six times that for a first answer, and ten times by the clock
NEVER = "gives no legal answer"
PERFECT = Expected(True, says="plays perfectly")
EXPECTED = {
    "changes_directory": PERFECT,
    "changes_the_board": PERFECT,
    "closes_everything": Expected(False, "ended", NEVER),
    "closes_standard_streams": PERFECT,
    "counts_from_one": Expected(False, "illegal move", "if it counts from 1, it must"),
    "crashes": Expected(False, "ended", NEVER),
    "deletes_itself": Expected(None, "ended", "it cannot be started again"),
    "exits": Expected(False, "exception", "SystemExit: 3"),
    "exits_at_once": Expected(False, "ended", NEVER),
    "fails_at_random": Expected(False, "exception", "does not always give a legal answer"),
    "floods_its_output": PERFECT,
    "forges_replies": Expected(False, "surplus output", NEVER),
    "forks_children": PERFECT,
    "interrupts_itself": Expected(False, "ended", NEVER),
    "kills_its_parent": Expected(False, "ended", NEVER),
    "loops_forever": Expected(None, "too slow", "--limit allows longer", BRIEF),
    "loops_on_one_board": Expected(None, "too slow", "1 answer took too long", 0.3),
    "moves_at_random": Expected(False, says="can be beaten."),
    "patches_python": Expected(False, says="can be beaten."),
    "raises_a_huge_exception": Expected(False, "exception", "ValueError: xxx"),
    "raises_an_unprintable_exception": Expected(False, "exception", "UnprintableError"),
    "raises_surrogates": Expected(False, "exception", r"ValueError: \ud800\x1b[31m"),
    "raises_what_few_catch": Expected(False, "exception", "Rare: surprise"),
    "recurses_forever": Expected(False, "exception", "RecursionError"),
    "returns_a_float": Expected(False, "wrong type", "4.0 is not a move"),
    "returns_a_liar": Expected(False, "illegal move", "99 is not an empty cell"),
    "returns_infinite_probabilities": Expected(False, "illegal move, wrong type", NEVER),
    "returns_nan": Expected(False, "wrong type", "nan is not a move"),
    "returns_nan_probabilities": Expected(False, "illegal move, wrong type", NEVER),
    "returns_none": Expected(False, "wrong type", "None is not a move"),
    "returns_surrogates": Expected(False, "wrong type", r"'\ud800' is not a move"),
    "returns_the_board": Expected(None, "not a move", "cannot be graded: [["),
    "returns_true": Expected(False, "wrong type", "True is not a move"),
    "returns_words": Expected(False, "wrong type", "'centre' is not a move"),
    "sends_an_endless_line": Expected(False, "surplus output", NEVER),
    "shares_and_fails": Expected(False, "exception", "Exact results"),
    "signals_its_parents_group": Expected(False, "ended", NEVER),
    "sleeps_forever": Expected(None, "too slow", "no answer within 3 s", BRIEF),
    "starts_a_daemon": PERFECT,
    "starts_threads": PERFECT,
    "stops_its_parent": PERFECT,
    "swaps_row_and_column": Expected(False, "illegal move", "returns (column, row), swap them"),
    "wants_too_much_memory": Expected(False, "exception", "MemoryError"),
}
REFUSED = {
    "exits_on_import": "cannot be loaded: SystemExit: run me with python",
    "is_a_class": "is_a_class.py:move is a class: name a function, or create an instance",
    "is_a_coroutine": "is a coroutine or a generator, which returns no move",
    "is_a_generator": "is a coroutine or a generator, which returns no move",
    "needs_a_missing_package": "cannot be loaded: ModuleNotFoundError",
    "takes_one_argument": r"is called with (rows, side), which it does not take",
}
COMMANDS = {
    "answers_in_advance": Expected(False, "surplus output", NEVER),
    "answers_without_reading": Expected(False, "illegal move", "can be beaten", total=20),
    "does_not_flush": Expected(None, "too slow", "no answer within", BRIEF),
    "ends_after_one_answer": Expected(False, "ended", "ended with status 0", total=20),
    "never_reads": Expected(None, "too slow", "no answer within 3 s", BRIEF),
    "writes_crlf": PERFECT,
    "writes_debugging": Expected(False, "surplus output", NEVER),
    "writes_empty_lines": Expected(False, "illegal move", "'' is not a legal move"),
    "writes_invalid_utf8": Expected(False, "wrong type", r"b'\xff' is not UTF-8"),
    "writes_no_newline": Expected(None, "too slow", "without the end of a line", BRIEF),
    "writes_without_reading": Expected(False, "surplus output", NEVER),
}
RANDOM = ("fails_at_random", "moves_at_random", "shares_and_fails")
BOTH = ("moves_at_random", "patches_python", "returns_nan_probabilities", "shares_and_fails")


def files(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.py"))


def test_every_bot_is_graded() -> None:
    assert sorted([*EXPECTED, *REFUSED]) == files(BOTS)
    assert sorted(COMMANDS) == files(BOTS / "commands")


def check(found: Grade, expected: Expected) -> None:
    kinds = {fault.kind for fault in found.faults}
    assert kinds >= {*expected.kinds.split(", ")} - {""}, found.faults[:3]
    assert bool(kinds) == bool(expected.kinds), found.faults[:3]
    assert found.never_loses is expected.never_loses
    assert expected.says in " ".join(text(found).split())
    assert found.meets("never-loses") is (expected.never_loses is True)
    assert (found.ended is None) == (found.not_asked == 0)
    assert len(json.dumps(found.as_dict())) < 1e7


@pytest.mark.parametrize("name", cases(EXPECTED, SLOW))
@pytest.mark.thinned(3)
def test_a_bot_gets_the_right_verdict(agent: TableAgent, tmp_path: Path, name: str) -> None:
    """A copy is graded, since some bots delete themselves; most play one side, to save time."""
    copy = shutil.copy(BOTS / f"{name}.py", tmp_path)
    expected = EXPECTED[name]
    found = grade(
        f"{copy}:move",
        agent,
        "both" if name in BOTH else "second",
        deterministic=name not in RANDOM,
        repeats=2,
        limit=expected.limit,
        total=expected.total,
    )
    check(found, expected)
    sampled = name in ("fails_at_random", "moves_at_random")
    assert found.method == ("sampled" if sampled else "exact")


@pytest.mark.parametrize("name", REFUSED)
def test_a_bot_that_cannot_be_called_is_not_asked(agent: TableAgent, name: str) -> None:
    with pytest.raises(UnknownPlayerError) as caught:
        grade(f"{BOTS / name}.py:move", agent)
    assert REFUSED[name] in str(caught.value)


@pytest.mark.parametrize("name", cases(COMMANDS, SLOW))
@pytest.mark.thinned(2)
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


@pytest.mark.skipif(not LINUX, reason="elsewhere a process that leaves its session stays")
@pytest.mark.parametrize("name", ["forks_children", "starts_a_daemon", "starts_threads"])
@pytest.mark.thinned(3)
def test_no_process_outlives_a_grade(agent: TableAgent, tmp_path: Path, name: str) -> None:
    """Those that tests beside this one start do not run the copy of the bot."""
    copy = str(shutil.copy(BOTS / f"{name}.py", tmp_path))

    def running() -> list[int]:
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if copy.encode() in path.read_bytes():
                    found.append(int(path.parent.name))
            except OSError:
                continue
        return found

    grade(f"{copy}:move", agent, "first", deterministic=True)
    deadline = time.monotonic() + 120
    while left := running():
        assert time.monotonic() < deadline, f"still running: {left}"
        time.sleep(0.05)


EXAMPLES = ROOT / "examples" / "bots"


def graded_example(agent: TableAgent, command: str) -> Any:
    return grade(f"command:{command}", agent, deterministic=True)


def test_the_example_in_javascript_is_perfect(agent: TableAgent, node: str) -> None:
    found = graded_example(agent, f"{node} {EXAMPLES / 'minimax.js'}")
    assert (found.optimal, found.faults) == (True, [])
    assert found.all.perfect_move_rate == 1


def test_the_example_in_c_wins_and_blocks(agent: TableAgent, tmp_path: Path) -> None:
    compiler = program("cc", "gcc", "clang")
    binary = str(tmp_path / "winblock")
    subprocess.run(
        [compiler, "-Wall", "-Werror", "-o", binary, EXAMPLES / "winblock.c"], check=True
    )
    found = graded_example(agent, binary)
    assert (found.never_loses, found.faults) == (False, [])
    assert found.losing_seat == "O"


def test_the_example_in_shell_takes_the_first_free_cell(agent: TableAgent) -> None:
    shell = program("sh")
    found = graded_example(agent, f"{shell} {EXAMPLES / 'first_free.sh'}")
    expected = grade(bots.first_free, agent)
    assert found._replace(player="") == expected._replace(player="")


def test_a_prefix_of_the_command_is_a_sandbox(agent: TableAgent, node: str) -> None:
    """As docs/how-to/bots-in-any-language.md shows it."""
    sandbox = [program("unshare"), "--user", "--net", program("prlimit"), "--data=1000000000"]
    if subprocess.run([*sandbox, "true"], check=False, capture_output=True).returncode:
        pytest.skip("this user may not create namespaces")
    found = graded_example(agent, f"{' '.join(sandbox)} {node} {EXAMPLES / 'minimax.js'}")
    assert found.optimal


TUTORIAL = """
def winner(rows):
    lines = [*rows, *zip(*rows), [rows[i][i] for i in range(3)], [rows[i][2 - i] for i in range(3)]]
    return next((line[0] for line in lines if line[0] and len(set(line)) == 1), None)

def minimax(rows, side, me):
    won = winner(rows)
    if won:
        return 1 if won == me else -1
    free = [(r, c) for r in range(3) for c in range(3) if not rows[r][c]]
    scores = []
    for r, c in free:
        rows[r][c] = side
        scores.append(minimax(rows, "O" if side == "X" else "X", me))
        rows[r][c] = None
    return 0 if not free else max(scores) if side == me else min(scores)

def move(rows, side):
    best, chosen = -2, None
    for r, c in [(r, c) for r in range(3) for c in range(3) if not rows[r][c]]:
        rows[r][c] = side
        score = minimax(rows, "O" if side == "X" else "X", side)
        rows[r][c] = None
        if score > best:
            best, chosen = score, (r, c)
    return chosen
"""


@pytest.mark.large
def test_the_minimax_of_tutorials_is_graded_with_the_defaults(tmp_path: Path) -> None:
    """Its first move takes seconds of CPU time, without pruning or a memo."""
    bot = tmp_path / "tutorial.py"
    bot.write_text(TUTORIAL)
    found = grade(f"{bot}:move", deterministic=True)
    assert (found.never_loses, found.faults, found.not_asked) == (True, [], 0)
