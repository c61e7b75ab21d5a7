"""The command line as a program: transcripts, help, errors, streams, colours and signals.

`tests/cli/golden/*.txt` are transcripts: a line `$ command`, then what it prints. To accept new
output after a deliberate change, run `python -m tests.cli.test_cli`.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from solver import __version__
from solver.cli import run
from tests.conftest import ROOT, Command
from tests.support.forged import DATA

GOLDEN = ROOT / "tests" / "cli" / "golden"
MAIN = [sys.executable, "-m", "solver"]
LAST_RESORT = 300  # seconds after which a process that should have ended is given up


def transcript(path: Path) -> str:
    """Return a transcript with what its commands print now."""
    parts = []
    for line in path.read_text().splitlines():
        if not line.startswith("$ perfectplay"):
            continue
        arguments = [word.strip("'") for word in re.findall(r"'[^']*'|\S+", line)[2:]]
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            status = run(arguments)
        parts.append(f"{line}\n{out.getvalue()}")
        parts += [f"[exit {status}]\n"] if status else []
    return "".join(parts)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(path.stem, marks=[pytest.mark.large] * (path.stem == "matches"))
        for path in sorted(GOLDEN.iterdir())
    ],
)
def test_transcripts(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PERFECTPLAY_TABLES", str(tmp_path))
    monkeypatch.chdir(ROOT)
    path = GOLDEN / f"{name}.txt"
    assert transcript(path) == path.read_text()


def test_version(command: Command) -> None:
    assert command("--version") == 0
    assert command.out == f"perfectplay {__version__}\n"


def shell(line: str, **variables: str) -> subprocess.CompletedProcess[str]:
    words = ["bash", "-o", "pipefail", "-c", line.replace("perfectplay", " ".join(MAIN))]
    env = {**os.environ, **variables}
    return subprocess.run(words, check=False, capture_output=True, text=True, cwd=ROOT, env=env)


@pytest.mark.slow
def test_a_closed_pipe_is_not_reported() -> None:
    """As in `perfectplay best | head -n 1`, when head has read its line."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [*MAIN, "best"], check=False, stdout=writer, stderr=subprocess.PIPE, text=True, cwd=ROOT
        )
    finally:
        os.close(writer)
    assert done.returncode == 1
    assert done.stderr == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("perfectplay best >&-", 0),
        ("perfectplay play >&-", 0),
        ("perfectplay best XXX 2>&-", 2),
        ("perfectplay play <&-", 0),
        ("perfectplay best >/dev/full", 2),
        ("PYTHONUNBUFFERED=1 perfectplay best >/dev/full", 2),
        ("perfectplay best XXX 2>/dev/full", 2),
    ],
)
@pytest.mark.thinned(2)
def test_closed_and_full_streams(line: str, status: int) -> None:
    done = shell(line + " < /dev/null" if "<" not in line else line)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    if "best >/dev/full" in line:
        assert done.stderr == "perfectplay: standard output: No space left on device\n"


@pytest.mark.slow
def test_odd_names_and_bytes_are_printed_as_ascii(tmp_path: Path) -> None:
    name = os.fsdecode(b"\xff.json")
    (tmp_path / name).write_bytes(DATA)
    done = shell(f"perfectplay verify {tmp_path}/$'\\xff.json'", PYTHONIOENCODING="utf-8")
    assert done.returncode == 0
    done = shell(f"perfectplay verify {tmp_path}/$'\\x1b[31m.json'")
    assert "\x1b" not in done.stderr
    assert done.returncode == 2
    done = shell("printf '\\xff\\n' | perfectplay play", PYTHONIOENCODING="utf-8")
    assert done.returncode == 0


def test_colours_only_where_wanted(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    for name, coloured in (("UNKNOWN", False), ("FORCE_COLOR", True), ("NO_COLOR", False)):
        monkeypatch.setenv(name, "1")
        assert command("best", "XX.OO....") == 0
        assert ("\x1b[1;34m" in command.out) == coloured


@pytest.mark.parametrize(
    ("typed", "place", "completions"),
    [
        ("perfectplay expl", "1", {"explain"}),
        ("perfectplay play --x ", "3", {"human", "perfect", "winblock", "nstep"}),
        ("perfectplay best --game ", "3", {"tictactoe", "connect4:4x4"}),
    ],
)
def test_shell_completion(command: Command, typed: str, place: str, completions: set[str]) -> None:
    command.monkeypatch.setenv("_PERFECTPLAY_COMPLETE", "complete_bash")
    command.monkeypatch.setenv("COMP_WORDS", typed)
    command.monkeypatch.setenv("COMP_CWORD", place)
    with pytest.raises(SystemExit):
        command()
    offered = set(command.capsys.readouterr().out.split())
    assert completions <= offered
    assert len(completions) > 1 or completions == offered


@pytest.mark.slow
def test_ctrl_c_ends_play() -> None:
    pipes: Any = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    process: Any = subprocess.Popen([*MAIN, "play"], text=True, cwd=ROOT, **pipes)
    process.stdout.read(10)  # the board: it is waiting for a move
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=LAST_RESORT)
    assert process.returncode == 0
    assert err == ""
    assert out.endswith("Bye.\n")


def test_ctrl_c_ends_other_commands_and_a_bug_is_not_hidden(command: Command) -> None:
    errors = [KeyboardInterrupt(), RuntimeError("a bug")]

    def fail(*_: object) -> None:
        raise errors.pop(0)

    command.monkeypatch.setattr("solver.cli.solve.solve_file", fail)
    assert command("solve", "-o", "t.json") == 130
    assert command.err == "perfectplay: interrupted\n"
    with pytest.raises(RuntimeError):
        command("solve", "-o", "t.json")


if __name__ == "__main__":
    os.chdir(ROOT)
    for golden in sorted(GOLDEN.glob("*.txt")):
        golden.write_text(transcript(golden))
