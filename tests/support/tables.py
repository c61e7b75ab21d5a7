"""Solved tables, cached for the test run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from solver import Game, MappedTable, load_game
from solver.files import save
from solver.solving.solve import SolveOptions, solve_file
from solver.tables.store import stored_file
from tests.support.small_games import Scattered

SUFFIX = ".safetensors"
CUSTOM = "custom"
EACH = ["tictactoe", "mnk:3,3,3,misere", "hexapawn:4x4", CUSTOM]


def game_of(name: str) -> Game[Any, Any]:
    return Scattered() if name == CUSTOM else load_game(name)


def solved_bytes(
    game: Game[Any, Any], options: SolveOptions | None = None, suffix: str = SUFFIX
) -> bytes:
    """Solve a game and return its table file."""
    with TemporaryDirectory() as folder:
        path = os.path.join(folder, "x" + suffix)
        assert solve_file(game, path, options or SolveOptions()) == path
        assert os.listdir(folder) == ["x" + suffix]
        return Path(path).read_bytes()


@cache
def table_path(name: str, suffix: str = SUFFIX) -> Path:
    """Return the path of a game's table, which one process of this run solves for all of them."""
    path = Path(stored_file(os.environ["PERFECTPLAY_TEST_TABLES"], name, suffix))
    with locked(path.with_name(f"{path.name}.lock")):
        if not path.exists():
            save(str(path), solved_bytes(game_of(name), suffix=suffix))
    return path


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Let no other process of this run go on before this one, where the system can."""
    with open(path, "w") as file:
        if find_spec("fcntl"):
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@cache
def mapped_bytes(name: str) -> bytes:
    """Return the file of a game's mapped table."""
    return table_path(name).read_bytes()


@cache
def json_bytes(name: str) -> bytes:
    """Return the file of a game's JSON table."""
    return table_path(name, ".json").read_bytes()


@cache
def mapped_table(name: str) -> MappedTable:
    """Return the mapped table of a game."""
    return MappedTable.open(table_path(name), game_of(name))
