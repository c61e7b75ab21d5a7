"""Without what only POSIX has, as on Windows, a game can be solved, proved and asked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import python

BARE = """
import os, sys
sys.modules["fcntl"] = sys.modules["resource"] = None
for name in ("fork", "sysconf", "register_at_fork", "killpg", "pread"):
    if hasattr(os, name):
        delattr(os, name)
from solver.cli import run
for line in sys.argv[1:]:
    print(f"[exit {run(line.split())}]", file=sys.stderr)
"""


@pytest.mark.slow
def test_without_what_only_posix_has(tmp_path: Path) -> None:
    """`fork` goes as well, since the standard library expects `register_at_fork` beside it."""
    table, bot = tmp_path / "t.safetensors", tmp_path / "bot.py"
    bot.write_text("def move(board, side):\n    return board[0].index(None)\n")
    asked = f"--game connect4:3x3,3 --table {table}"
    lines = {
        f"solve connect4:3x3,3 -o {table}": f"wrote {table}",
        f"verify {table}": f"proved {table}",
        f"best {asked}": "a draw with best play",
        f"grade perfect {asked} --as second": "plays perfectly",
        f"grade {bot}:move {asked} --deterministic": "custom players run on Linux and macOS only",
    }
    done = python("-c", BARE, *lines)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert re.findall(r"\[exit (\d)\]", done.stderr) == [*"00002"]
    for text in lines.values():
        assert text in done.stdout + done.stderr
    assert sorted(tmp_path.iterdir()) == [bot, table], "no work, lock or draft is left"
