"""Tables in files that change, end early or are no files, read a piece at a time."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from solver import MappedTable, TableAgent, TableFormatError, open_agent
from solver.tables import source
from solver.tables.entries import FileArray
from solver.tables.source import TableFile, open_source
from tests.support.tables import CUSTOM, EACH, game_of, mapped_bytes, table_path


def open_on_demand(path: Path, name: str = "tictactoe") -> MappedTable:
    """Open a table as one is opened that is too large to be read at once."""
    return MappedTable(open_source(path, at_once=0), game_of(name))


@pytest.mark.parametrize("name", EACH)
def test_a_file_read_on_demand_gives_the_answers_of_one_in_memory(name: str) -> None:
    memory = MappedTable(mapped_bytes(name), game_of(name))
    file = open_on_demand(table_path(name), name)
    assert isinstance(file.entries.offsets, FileArray)
    positions = list(memory.positions())
    for p, score in positions[:: len(positions) // 50 + 1]:
        assert file.probe(p) == score
        assert file.best(p) == memory.best(p)
        assert file.moves(p) == memory.moves(p)
    assert file.entry(5) == memory.entry(5)
    assert list(file.positions()) == positions
    assert file.encode() == memory.encode()
    file.check_hash()


def test_small_files_are_read_at_once_and_large_ones_on_demand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = table_path("tictactoe")
    assert not isinstance(open_source(path), TableFile)
    assert isinstance(open_source(path, at_once=path.stat().st_size - 1), TableFile)
    monkeypatch.setattr(source.open_source, "__defaults__", (0,))
    agent = open_agent(table=path)
    assert isinstance(agent.table, MappedTable)
    assert isinstance(agent.table.entries._source, TableFile)
    assert agent.best_move("X...O....") == TableAgent().best_move("X...O....")


@pytest.mark.parametrize("left", [0, 8, 700, 4096, -1])
def test_a_file_shortened_under_an_agent_is_an_error(tmp_path: Path, left: int) -> None:
    path = tmp_path / "t.safetensors"
    path.write_bytes(mapped_bytes("tictactoe"))
    positions = [p for p, _ in open_on_demand(path).positions()]
    table = open_on_demand(path)
    agent, keys = TableAgent(table), np.array([table.game.key(p) for p in positions])
    size = path.stat().st_size
    os.truncate(path, left % size)
    for ask in (agent.outcome, agent.scores, agent.best_move, agent.line):
        with pytest.raises(TableFormatError, match="shortened since it was opened"):
            [ask(table.game.text(p)) for p in positions]
    with pytest.raises(TableFormatError, match=f"it has {left % size:,} of {size:,} bytes"):
        table.probe_many(keys)
    for whole in (table.encode, table.check_hash, lambda: next(table.positions())):
        with pytest.raises(TableFormatError, match="shortened since it was opened"):
            whole()


def test_reads_without_pread(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows: threads share the place in the file, so one reads after the other."""
    monkeypatch.delattr(os, "pread")
    file = open_source(table_path("tictactoe"), at_once=0)
    data = mapped_bytes("tictactoe")

    def is_right(offset: int) -> bool:
        starts = range(offset, len(data) - 50, 97)
        return all(file.read_at(start, 50) == data[start : start + 50] for start in starts)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(is_right, range(8)))
    with pytest.raises(TableFormatError, match="ends before byte"):
        file.read_at(len(data) - 5, 6)


def test_a_file_that_cannot_be_read_is_an_error_of_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: int) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "pread", fail)
    with pytest.raises(TableFormatError, match="cannot be read: Input/output error"):
        open_on_demand(table_path("tictactoe"))


def test_buckets_beyond_the_end_of_a_file_are_refused() -> None:
    for name in ("tictactoe", CUSTOM, "hexapawn:4x4"):  # remainders of one byte and of several
        remainders = open_on_demand(table_path(name), name).entries.remainders
        for bucket in (slice(0, len(remainders) + 1), slice(2, 1)):
            with pytest.raises(TableFormatError, match="a bucket extends beyond its end"):
                remainders[bucket]
