from __future__ import annotations

import os
from pathlib import Path

import pytest

from solver.tables.store import user_path
from tests.conftest import Command
from tests.support.solved import PAWNS, QUEEN
from tests.support.tables import table_path

GAMES = (
    *("hexapawn:3x3", "mnk:3,3,3,misere", "wild", "notakto", "connect4:4x3", "nim:3,4,5", "morris"),
    *("achi", "ponghauki", "breakthrough:2x4", "clobber:3x3", "domineering:4x4", "dodgem:3x3"),
    *("mutorere", QUEEN, PAWNS),
)
CYCLIC = ("ponghauki", "mutorere", PAWNS)  # perfect play never ends
PERFECT_BOT = """
from functools import cache

import solver

best = cache(solver.TableAgent().best_move)

def move(rows):
    return best(solver.boards.from_rows(rows))

move.deterministic = True  # else it is asked many times about each position
"""


class TableCommand(Command):
    """Runs the command line with the tables of the test run; solves those of GAMES when needed."""

    def __call__(self, *arguments: str) -> int:
        for name in arguments:
            if name in GAMES:
                assert str(table_path(name, ".json")) == user_path(name, ".json")
        return super().__call__(*arguments)


@pytest.fixture
def table_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Command:
    monkeypatch.setenv("PERFECTPLAY_TABLES", os.environ["PERFECTPLAY_TEST_TABLES"])
    monkeypatch.chdir(tmp_path)
    return TableCommand(capsys, monkeypatch)
