"""Solved tables, cached for the test run, and a reader of the mapped form."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from solver import Game, MappedTable, Table, load_game
from solver.files import save
from solver.solving.solve import SolveOptions, solve_file
from solver.tables.json_table import decode
from solver.tables.store import stored_file
from tests.support.brute import Value
from tests.support.forged import raw_of
from tests.support.small_games import Scattered

SUFFIX = ".safetensors"
BUILT_IN = ("tictactoe", "connect4:4x4", "mnk:4,3,3", "mnk:3,3,3,misere", "hexapawn:4x4")
CUSTOM = "custom"
ALL = (*BUILT_IN, CUSTOM)
EACH = [name for name in ALL if name not in ("connect4:4x4", "mnk:4,3,3")]


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


@cache
def json_table(name: str) -> Table:
    """Return the JSON table of a game."""
    return decode(json_bytes(name), game_of(name))


def header_of(data: bytes) -> dict[str, Any]:
    """Return the header of a mapped table."""
    header: dict[str, Any] = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    return header


class Reader:
    """Looks keys up in a mapped table as its format is described."""

    def __init__(self, data: bytes) -> None:
        self.raw = raw_of(data)
        self.about = self.raw.about
        numbers = ("limit", "bits", "multiplier", "width")
        self.limit, self.bits, self.multiplier, self.width = (int(self.about[n]) for n in numbers)

    def places(self, key: int) -> tuple[int, range]:
        """Return a key's remainder, and the places of its bucket's entries."""
        mixed = key * self.multiplier % 2**self.bits
        bucket, remainder = divmod(mixed, 2**self.width)
        return remainder, range(*self.raw.offsets[bucket : bucket + 2])

    def look_up(self, key: int) -> Value | None:
        """Return the value of the position with a key, or None if there is no entry."""
        if not 0 <= key < 2**self.bits:
            return None
        remainder, bucket = self.places(key)
        found = [self.raw.values[i] for i in bucket if self.raw.remainders[i] == remainder]
        assert len(found) <= 1
        return self.value(found[0]) if found else None

    def value(self, stored: int) -> Value:
        """Return the outcome and the distance that a stored number stands for."""
        return (stored > 0) - (stored < 0), self.limit - abs(stored) if stored else None

    def entries(self) -> dict[int, Value]:
        """Return the value of every key."""
        return {key: self.value(stored) for key, stored in self.raw.entries()}
