"""Without what only POSIX has, as on Windows, a game can be solved, proved and asked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

BARE = """
import os, sys
sys.modules["fcntl"] = sys.modules["resource"] = None
for name in ("fork", "sysconf", "register_at_fork", "killpg", "pread"):
    if hasattr(os, name):
        delattr(os, name)
from solver.cli import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.slow
def test_without_what_only_posix_has(tmp_path: Path) -> None:
    """`fork` goes as well, since the standard library expects `register_at_fork` beside it."""
    table, bot = tmp_path / "t.safetensors", tmp_path / "bot.py"
    bot.write_text("def move(board, side):\n    return board[0].index(None)\n")
    asked = ["--game", "connect4:4x3", "--table", str(table)]

    def run(*words: str, status: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-c", BARE, *words],
            check=False,
            capture_output=True,
            text=True,
            cwd=ROOT,
        )
        assert (done.returncode, "Traceback" in done.stderr) == (status, False), done.stderr
        return done.stderr if status else done.stdout

    assert f"wrote {table}" in run("solve", "connect4:4x3", "-o", str(table))
    assert sorted(tmp_path.iterdir()) == [bot, table], "no work, lock or draft is left"
    assert f"proved {table}" in run("verify", str(table))
    assert "a draw with best play" in run("best", *asked)
    assert "plays perfectly" in run("grade", "perfect", *asked, "--as", "second")
    message = run("grade", f"{bot}:move", *asked, "--deterministic", status=2)
    assert "custom players run on Linux and macOS only" in message
