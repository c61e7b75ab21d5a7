"""What a solve is said to cost, compared with what it takes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solver import Game, MappedTable, load_game
from solver.solving import estimate as module
from solver.solving.checkpoint import SlotFiles
from solver.solving.estimate import Estimate, estimate
from solver.solving.solve import SolveOptions, solve_file
from tests.support.small_games import Scattered, Wide

MB = 10**6
SLOTS, WIDE_SLOTS = "connect4:4x4", "connect4:7x6"  # slots follow keys, which have 4 or 8 bytes
MIXED = "mnk:4,3,3"  # keys are mixed
TIERED = "kingspawns:k.../..p./.P../...K"


def imagined(spec: str, positions: int, memory: int | None = None) -> Estimate:
    """Return the estimate of a game as if it had so many positions."""
    return estimate(load_game(spec), known=positions, memory=memory, samples=0)


def test_a_larger_game_costs_more() -> None:
    few, many = (imagined(WIDE_SLOTS, n) for n in (10**9, 10**10))
    assert 5 * few.seconds < many.seconds
    assert 5 * few.memory < many.memory
    assert 5 * few.disk < many.disk
    assert few.file is not None
    assert many.file is not None
    assert 5 * few.file < many.file < many.disk


@pytest.mark.slow
def test_little_memory_needs_disk_where_entries_have_to_be_sorted() -> None:
    """A solve stays within its memory, but for what a process takes before its first position."""
    plenty = imagined(WIDE_SLOTS, 10**11)
    for memory, right in ((300 * MB, 300 * MB), (2_000 * MB, 2_000 * MB)):
        little = imagined(WIDE_SLOTS, 10**11, memory)
        assert little.memory == right
        assert little.disk > plenty.disk
    assert imagined(WIDE_SLOTS, 10**11, 1).memory > 200 * MB
    assert imagined(WIDE_SLOTS, 10**11, plenty.memory).disk == plenty.disk


def test_a_tier_that_cannot_be_split_takes_what_it_takes() -> None:
    game = load_game(TIERED)
    assert estimate(game, memory=1).memory == estimate(game).memory


@pytest.mark.parametrize("spec", ["tictactoe", "hexapawn:3x3", "nim:3,4,5", "connect4:3x3,3"])
def test_the_size_of_a_small_table(spec: str, tmp_path: Path) -> None:
    path = Path(solve_file(load_game(spec), str(tmp_path / "t.json"), SolveOptions()))
    assert estimate(load_game(spec)).file == pytest.approx(path.stat().st_size, rel=0.35)


def test_a_game_with_wide_keys_has_a_json_table_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    game: Game[Any, Any] = Wide()
    small = estimate(game)
    assert small.file is not None
    monkeypatch.setattr(module, "SMALL", 10)
    assert estimate(game).file == small.file
    mapped = estimate(Scattered()).file
    assert mapped is not None
    assert mapped < small.file
    monkeypatch.setattr(module, "MOST_JSON", 10)
    assert estimate(game).file is None


Stored = Callable[[str], tuple[int, int]]


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stored:
    """Return a function that solves a game, and returns the most bytes stored, and the table's.

    These are data alone: what files state about their slots is little in a larger game. Nothing
    stays in memory to be read again.
    """
    sizes: dict[str, int] = {}
    totals: list[int] = []
    put, rename = SlotFiles.put, SlotFiles.rename

    def put_counted(files: SlotFiles, name: str, slots: Any) -> None:
        slots = list(slots)
        put(files, name, slots)
        sizes[name] = sum(memoryview(data).nbytes for _, _, data in slots)
        totals.append(sum(sizes.get(path.name, 0) for path in Path(files.directory).iterdir()))

    def rename_counted(files: SlotFiles, old: str, new: str) -> None:
        rename(files, old, new)
        sizes[new] = sizes.pop(old)

    monkeypatch.setattr(SlotFiles, "rename", rename_counted)
    monkeypatch.setattr(SlotFiles, "put", put_counted)

    def solve(spec: str) -> tuple[int, int]:
        path = solve_file(load_game(spec), str(tmp_path / "t.safetensors"), SolveOptions())
        return max(totals), Path(path).stat().st_size

    return solve


@pytest.mark.slow
@pytest.mark.parametrize("spec", [TIERED, SLOTS, MIXED])
@pytest.mark.large
def test_what_a_solve_stores(spec: str, stored: Stored, tmp_path: Path) -> None:
    found, (most, size) = estimate(load_game(spec)), stored(spec)
    assert found.exact
    counts = MappedTable.open(tmp_path / "t.safetensors").counts
    assert (found.positions, found.canonical) == (counts["positions"], counts["canonical"])
    assert found.file == pytest.approx(size, rel=0.02)
    assert found.disk == pytest.approx(most + size, rel=0.2)
