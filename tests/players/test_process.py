"""Processes that answer lines, with deadlines in both directions and bounded memory."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from solver.errors import UnknownPlayerError
from solver.players.player import PlayerFault
from solver.players.process import LONGEST, Process

pytestmark = [pytest.mark.slow, pytest.mark.every]

LONG = 120.0  # seconds that no answer needs, however busy the machine is
BRIEF = 0.2
Start = Callable[..., Process]


@pytest.fixture
def start() -> Iterator[Start]:
    """Return a function that runs Python code."""
    started: list[Process] = []

    def start_one(code: str) -> Process:
        command = [sys.executable, "-c", f"import sys, time\n{code}"]
        started.append(Process(command, False, advise=True))
        return started[-1]

    yield start_one
    for process in started:
        process.close()
        assert process.popen.poll() is not None


def refused(process: Process, question: bytes = b"?\n", limit: float = LONG) -> str:
    with pytest.raises(PlayerFault) as caught:
        process.ask(question, limit)
    return str(caught.value)


ECHO = "for line in sys.stdin: print(line.strip() * 2, flush=True)"


def test_long_lines_pass_in_both_directions(start: Start) -> None:
    """They are longer than a pipe holds."""
    question = b"x" * (LONGEST // 4)
    assert start(ECHO).ask(question + b"\n", LONG) == question * 2


def test_a_process_that_floods_is_stopped_at_the_longest_line(start: Start) -> None:
    process = start("sys.stdin.readline()\nwhile True: sys.stdout.write('x' * 4096)")
    assert refused(process).startswith("surplus output: it wrote more than a line: 'xxxx")


def test_a_process_that_does_not_read_is_too_slow(start: Start) -> None:
    """A question that the pipe cannot hold is given up, too."""
    process = start("time.sleep(600)")
    question = b"x" * (1 << 20) + b"\n"
    message = refused(process, question, BRIEF)
    assert message == "too slow: it does not read its input: no answer within 0.2 s"


def test_a_deadline_ends_the_wait_for_an_idle_process(start: Start) -> None:
    """However long the limit is: a program that does not flush is quiet for ever."""
    process = start("time.sleep(600)")
    with pytest.raises(PlayerFault, match=r"^too slow: no answer within 0[.\d]* s \(does it flush"):
        process.ask(b"?\n", LONG, time.monotonic() + 0.5)


@pytest.mark.parametrize(
    ("written", "message"),
    [("5", "it wrote '5' without the end of a line: no answer within 120 s"), ("5\\n", None)],
)
def test_what_has_arrived_is_read_when_the_time_is_up(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str, message: str | None
) -> None:
    """The clock stands still until the process has written."""
    done = tmp_path / "done"
    monkeypatch.setattr("solver.players.process.monotonic", lambda: LONG * done.exists())
    process = start(
        f"input(); sys.stdout.write('{written}'); sys.stdout.flush()\n"
        f"open({str(done)!r}, 'w').close(); time.sleep(600)"
    )
    if message is None:
        assert process.ask(b"?\n", LONG) == b"5"
    else:
        assert refused(process) == f"too slow: {message}"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("sys.exit(3)", "ended with status 3"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "ended by signal 9, Killed"),
        ("import os; os.close(1); input(); input()", "ended|closed"),
    ],
)
def test_the_end_of_the_output_is_reported(start: Start, code: str, message: str) -> None:
    with pytest.raises(PlayerFault, match=message):
        start(code).ask(b"?\n", LONG)


def test_a_command_that_cannot_be_run_is_no_player(tmp_path: Path) -> None:
    """It has no first line that says what runs it."""
    (bot := tmp_path / "bot").write_text("move 5\n")
    bot.chmod(0o755)
    with pytest.raises(UnknownPlayerError, match="bot cannot be run: Exec format error"):
        Process([str(bot)], False)
