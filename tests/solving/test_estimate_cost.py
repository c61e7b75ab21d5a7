"""What a solve stores, writes and reads, as estimated and as measured."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solver import load_game
from solver.solving.checkpoint import SlotFiles
from solver.solving.estimate import estimate
from solver.solving.solve import SolveOptions, solve_file

SLOTS, WIDE_SLOTS = "connect4:4x4", "connect4:7x6"  # slots follow keys, which have 4 or 8 bytes
MIXED, WIDE_MIXED = "mnk:4,3,3", "mnk:5,4,4"  # keys are mixed, and canonical ones alone are stored
TIERED = "kingspawns:k.../..p./.P../...K"


class Traffic:
    """The bytes that a solve reads and writes in its folder, and the most that are stored there.

    These are data alone: what files state about their slots is little in a larger game. Nothing
    stays in memory to be read again.
    """

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.bytes = self.stored = 0
        sizes: dict[str, int] = {}
        put, read, rename = SlotFiles.put, SlotFiles.read, SlotFiles.rename

        def put_counted(files: SlotFiles, name: str, slots: Any) -> None:
            slots = list(slots)
            put(files, name, slots)
            sizes[name] = sum(memoryview(data).nbytes for _, _, data in slots)
            self.bytes += sizes[name]
            left = [path.name for path in Path(files.directory).iterdir()]
            self.stored = max(self.stored, sum(sizes.get(file, 0) for file in left))

        def read_counted(files: SlotFiles, *arguments: Any) -> Any:
            slots, data = read(files, *arguments)
            self.bytes += len(data)
            return slots, data

        def rename_counted(files: SlotFiles, old: str, new: str) -> None:
            rename(files, old, new)
            sizes[new] = sizes.pop(old)

        patch.setattr(SlotFiles, "rename", rename_counted)
        patch.setattr(SlotFiles, "put", put_counted)
        patch.setattr(SlotFiles, "read", read_counted)
        patch.setattr("solver.solving.solve.MOST_KEPT", 0)


Solved = Callable[[str], tuple[Traffic, int]]


@pytest.fixture
def solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Solved:
    """Return a function that solves a game, and returns what that takes and the table's size."""

    def solve(spec: str) -> tuple[Traffic, int]:
        traffic = Traffic(monkeypatch)
        path = solve_file(load_game(spec), str(tmp_path / "t.safetensors"), SolveOptions())
        return traffic, Path(path).stat().st_size

    return solve


@pytest.mark.slow
@pytest.mark.parametrize("spec", [SLOTS, MIXED, TIERED])
def test_what_a_solve_stores_writes_and_reads(spec: str, solved: Solved) -> None:
    found, (traffic, size) = estimate(load_game(spec)), solved(spec)
    assert found.file == pytest.approx(size, rel=0.02)
    assert found.disk == pytest.approx(traffic.stored + size, rel=0.2)
    assert found.volume == pytest.approx(traffic.bytes + size, rel=0.4)
