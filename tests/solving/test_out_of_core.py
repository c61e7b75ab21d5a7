"""Out of core: however tiers and the table are cut, and whatever is lost, the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Game, MemoryLimitError, load_game, verify
from solver.compiling.find import find_kernel
from solver.errors import IntraTierMoveError, LostFileError
from solver.rules.kernel import Kernel
from solver.solving.assemble import mapped_table
from solver.solving.checkpoint import END, Part, SlotFiles
from solver.solving.coordinator import Coordinator
from solver.solving.retrograde import retrograde
from solver.solving.search import search
from solver.solving.solve import SolveOptions, solve_file
from solver.solving.steps import Steps
from solver.solving.steps_layered import LayeredSteps
from solver.solving.steps_python import PythonSteps
from solver.solving.worker import Worker, steps_for
from solver.tables.mapped_file import TableLayout, choose_layout
from solver.tables.mapped_table import MappedTable
from tests.solving.test_resume import Stopped, stop_after
from tests.support.part_games import Race, Rising, Staying
from tests.support.properties import examples

ROOM = 10**7  # bytes that a task may take
QUEEN = "kingspawns:k.../..../P.../...K"
COMPILED = ["connect4:3x3,3", "connect4:4x3", "tictactoe", "mnk:4,2,3", QUEEN]
PLAIN = ["connect4:3x3,3", "mnk:4,2,3", "hexapawn:3x3", "notakto", "nim:3,4,5", "wild"]
OWN: list[type[Game[Any, Any]]] = [Rising, Staying, Race]
CASES = [(name, True) for name in COMPILED] + [(name, False) for name in PLAIN]
CASES += [(own.__name__, False) for own in OWN]


@cache
def game_of(name: str) -> Game[Any, Any]:
    own = {kind.__name__: kind for kind in OWN}
    return own[name]() if name in own else load_game(name)


@cache
def kernel_of(name: str) -> Any:
    return find_kernel(game_of(name))


@cache
def right(name: str) -> bytes:
    """Return the table by a search that knows no tiers, or proved where positions repeat."""
    game = game_of(name)
    scores = retrograde(game) if name in (QUEEN, "Staying") else search(game)
    data = b"".join(mapped_table(game, scores))
    verify(data, game)
    return data


class Splits:
    """What the coordinator and the workers made of a tier and of the table."""

    most_parts = 0
    grouped = False


@contextmanager
def split(name: str, compiled: bool, size: int, piece: int, ranges: int) -> Iterator[Splits]:
    """Give parts and pieces about so many positions, and the table so many ranges."""
    entries = MappedTable(right(name), game_of(name)).layout.entries
    splits = Splits()

    class SmallParts(Coordinator):
        @property
        def part_size(self) -> int:
            return size

        @part_size.setter
        def part_size(self, value: int) -> None:
            assert value > 0

        def _split(self, tier: int, sources: list[str]) -> list[Part]:
            parts = super()._split(tier, sources)
            splits.most_parts = max(splits.most_parts, len(parts))
            return parts

    def small_pieces(game: Game[Any, Any], kernel: Kernel | None) -> Steps:
        steps = steps_for(game, kernel)
        if steps.later_bytes:
            steps.later_bytes = max(1, ROOM // 2 // piece)
        return steps

    def group(worker: Worker, *arguments: Any, group: Any = Worker.group) -> None:
        splits.grouped = True
        group(worker, *arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.solving.solve.FEW", 0)
        patch.setattr("solver.solving.solve.SMALL", 0)
        patch.setattr("solver.solving.solve.MOST_KEPT", 0)
        patch.setattr("solver.solving.solve.check_game", lambda *_, **__: 0)
        kernel = kernel_of(name) if compiled else (None, "")
        patch.setattr("solver.solving.solve.find_kernel", lambda *_: kernel)
        patch.setattr("solver.solving.solve.Coordinator", SmallParts)
        patch.setattr("solver.solving.solve.room_for_task", lambda *_: ROOM)
        patch.setattr("solver.solving.solve.steps_for", small_pieces)
        patch.setattr("solver.solving.assemble.ENTRY_BYTES", max(1, ROOM * ranges // entries))
        patch.setattr(Worker, "group", group)
        yield splits


def run(
    name: str, path: Path, progress: Callable[[str, int, int | None], None] | None = None
) -> bytes:
    options = SolveOptions() if progress is None else SolveOptions(progress=progress)
    return Path(solve_file(game_of(name), str(path), options)).read_bytes()


WHOLE, SOME, MANY = (10**9, 10**9, 1), (40, 50, 3), (9, 20, 40)
LARGER = {"tictactoe": 3, "mnk:4,2,3": 2, "connect4:4x3": 15, "wild": 15}
FINE = ("connect4:3x3,3", "notakto", "nim:3,4,5", "Staying")  # games whose many parts are quick


@pytest.mark.parametrize(
    ("name", "compiled", "size", "window", "ranges"),
    [
        *((*case, *cuts) for case in CASES for cuts in (WHOLE, SOME)),
        *(
            pytest.param(*case, *MANY, marks=() if case[0] in FINE else pytest.mark.slow)
            for case in CASES
        ),
    ],
)
@pytest.mark.thinned(11, 2)
def test_cuts_change_no_byte(
    tmp_path: Path, name: str, compiled: bool, size: int, window: int, ranges: int
) -> None:
    times = LARGER.get(name, 1)
    size, window = times * size, times * window
    with split(name, compiled, size, window, ranges) as splits:
        assert run(name, tmp_path / "t.safetensors") == right(name)
    assert [path.name for path in tmp_path.iterdir()] == ["t.safetensors"]
    if ranges == MANY[2] and name not in (QUEEN, "hexapawn:3x3", "nim:3,4,5", "Staying"):
        assert splits.most_parts > 2
    if ranges == WHOLE[2]:
        assert splits.most_parts == 1


@pytest.mark.large  # the cuts above are in make test
@examples(20)
@given(
    st.sampled_from([case for case in CASES if case[0] not in ("wild", "connect4:4x3", QUEEN)]),
    st.integers(1, 200),
    st.integers(1, 300),
    st.integers(1, 30),
)
def test_any_cuts_change_no_byte(
    case: tuple[str, bool], size: int, window: int, ranges: int
) -> None:
    name, compiled = case
    times = LARGER.get(name, 1)
    cuts = times * size, times * window, ranges
    with TemporaryDirectory() as folder, split(name, compiled, *cuts):
        assert run(name, Path(folder) / "t.safetensors") == right(name)


def test_a_game_whose_moves_seldom_stay_is_found_out(tmp_path: Path) -> None:
    """Random games do not show it, so its tiers are cut until a move turns out to stay."""
    game = Staying()
    assert PythonSteps(game).can_split
    said: list[str] = []
    grow = PythonSteps.grow

    def heard(steps: PythonSteps, *arguments: Any) -> Any:
        try:
            return grow(steps, *arguments)
        except IntraTierMoveError as error:
            said.append(str(error))
            raise

    with split("Staying", False, 10, 20, 3) as splits, pytest.MonkeyPatch.context() as patch:
        patch.setattr(PythonSteps, "grow", heard)
        assert run("Staying", tmp_path / "t.safetensors") == right("Staying")
    assert said == ["a move stays in tier 5"]
    assert splits.most_parts > 2


def alter(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    path.write_bytes(data)


def shorten(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def empty(path: Path) -> None:
    path.write_bytes(b"")


HARMS = (Path.unlink, alter, shorten, empty)
DAMAGED = [("connect4:3x3,3", True), ("mnk:4,2,3", True), ("mnk:4,2,3", False), ("Rising", False)]
DAMAGED += [("Race", False), ("Staying", False)]
CUT = (50, 60, 3)  # with which the largest tier of these has several parts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "compiled", "points"),
    [
        *((*case, 4) for case in DAMAGED),
        *(pytest.param(*case, 21, marks=pytest.mark.large) for case in DAMAGED),
    ],
)
@pytest.mark.thinned(5)
def test_a_file_of_a_part_may_be_lost_at_any_time(
    tmp_path: Path, name: str, compiled: bool, points: int
) -> None:
    """At so many steps a file is deleted or damaged, of each kind; the run goes on to the end."""
    target = tmp_path / "t.safetensors"
    work = tmp_path / "t.safetensors.work"
    steps: list[str] = []
    with split(name, compiled, *CUT):
        run(name, target, lambda what, done, total: steps.append(what))
        harmed, last = set(), len(steps) - 1
        for step in sorted({*range(0, last, max(1, last // points)), *range(last - 3, last)}):
            left = iter(range(step))
            heard: list[str] = []

            def harm(what: str, done: int, total: int | None) -> None:
                if heard or next(left, None) is not None:  # noqa: B023
                    return
                files = sorted(p for p in work.iterdir() if p.name not in ("lock", "ledger"))
                if files:
                    newest = max(files, key=lambda p: p.stat().st_mtime_ns)
                    others = [p for p in files if p.suffix not in harmed] or files  # noqa: B023
                    chosen = newest if step > last - 4 else others[step * 7919 % len(others)]  # noqa: B023
                    HARMS[step % len(HARMS)](chosen)  # noqa: B023
                    heard.append(chosen.suffix)  # noqa: B023

            assert run(name, target, harm) == right(name), (step, heard)
            harmed |= set(heard)
        assert harmed >= {".keys", ".seeds", ".values", ".table"}
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


@pytest.mark.parametrize(
    ("name", "compiled", "shares"),
    [
        (*DAMAGED[0], (0.7,)),
        *(
            pytest.param(*case, (share,), marks=pytest.mark.slow if is_usual else pytest.mark.large)
            for n, case in enumerate(DAMAGED)
            for turn, share in enumerate((0.4, 0.7, 1))
            for is_usual in [n % 3 == turn and case[0] not in ("Rising", "Staying")]
        ),
    ],
)
@pytest.mark.thinned(5)
def test_every_file_of_a_part_may_be_lost_between_runs(
    tmp_path: Path, name: str, compiled: bool, shares: tuple[float, ...]
) -> None:
    target = tmp_path / "t.safetensors"
    work = tmp_path / "t.safetensors.work"
    steps: list[str] = []
    with split(name, compiled, *CUT):
        run(name, target, lambda what, done, total: steps.append(what))
        for share in shares:
            with pytest.raises(Stopped):
                run(name, target, stop_after(int(share * (len(steps) - 1))))
            names = sorted(p.name for p in work.iterdir() if p.name != "lock")
            assert len(names) > 5
            for turn, lost in enumerate((*names[:: max(1, len(names) // 4)], "ledger")):
                if (work / lost).exists():
                    HARMS[turn % len(HARMS)](work / lost)
                assert run(name, target) == right(name), (share, lost)
                with pytest.raises(Stopped):
                    run(name, target, stop_after(int(share * (len(steps) - 1))))
            for path in work.iterdir():
                if path.name != "lock":
                    alter(path)
            assert run(name, target) == right(name), share


def test_all_ways_to_a_table_are_taken(tmp_path: Path) -> None:
    """Entries in the order of the table, and spread into it: else the tests above say little."""
    for name, spread in (("connect4:3x3,3", False), ("mnk:4,2,3", True)):
        with split(name, True, *CUT) as splits:
            run(name, tmp_path / f"{len(name)}.safetensors")
        assert splits.grouped is spread, name


@pytest.mark.parametrize("name", ["connect4:3x3,3", "mnk:4,2,3"])
def test_pieces_of_later_tiers_are_as_large_as_fits(tmp_path: Path, name: str) -> None:
    """They have all slots, each in as few reads as possible."""
    pieces, index = Worker._pieces, SlotFiles.index
    counts = []
    asked: set[str] = set()

    def index_noted(files: SlotFiles, name: str) -> Any:
        asked.add(name)
        return index(files, name)

    def checked(worker: Worker, later: list[Part]) -> Any:
        usual = worker.room
        for room in (60 * max(1, worker.steps.later_bytes), usual):
            worker.room = room
            found = check_pieces(worker, later)
        counts.append(len(found))
        return found

    def check_pieces(worker: Worker, later: list[Part]) -> Any:
        asked.clear()
        found = pieces(worker, later)
        assert asked == {part.keys for part in later}
        most = worker.room // 2 // max(1, worker.steps.later_bytes)
        sizes, firsts, read = [], [], []
        for piece in found:
            (runs,) = piece.args  # type: ignore[attr-defined]
            held = [
                (part, slot.number, slot.items)
                for part, low, high in runs
                for slot in worker.files.index(part.keys)
                if low <= slot.number < high
            ]
            read += [(part, number) for part, number, _ in held]
            sizes.append(sum(items for _, _, items in held))
            firsts.append(held[0][2])
            assert sizes[-1] <= most or len(held) == 1
            for (part, _, stop), (other, start, _) in pairwise(runs):
                between = [s.number for s in worker.files.index(part.keys)]
                assert part != other or any(stop <= number < start for number in between)
        assert all(size + first > most for size, first in zip(sizes, firsts[1:], strict=False))
        assert read == [
            (part, slot.number) for part in later for slot in worker.files.index(part.keys)
        ]
        return found

    with split(name, True, 40, 15, 3), pytest.MonkeyPatch.context() as patch:
        patch.setattr(Worker, "_pieces", checked)
        patch.setattr(SlotFiles, "index", index_noted)
        assert run(name, tmp_path / "t.safetensors") == right(name)
    assert max(counts) > 2


def test_slots_follow_the_table_if_neither_mixes_keys(tmp_path: Path) -> None:
    dense, sparse = choose_layout(1 << 10, (1 << 12) - 1, 1), choose_layout(9, (1 << 40) - 1, 1)
    assert (dense.multiplier == 1, sparse.multiplier == 1) == (True, False)
    for name, follows in (("connect4:3x3,3", True), ("mnk:4,2,3", False)):
        game, (kernel, _) = game_of(name), kernel_of(name)
        worker = Worker(steps_for(game, kernel), name, str(tmp_path))
        assert worker.follows_keys(dense) is follows
        assert not worker.follows_keys(sparse)


@pytest.mark.parametrize(
    ("bits", "slots"), [(32, 10), (33, 14), (49, 14), (11, 10), (10, 10), (9, 9)]
)
def test_a_key_of_more_bits_has_more_slots(bits: int, slots: int) -> None:
    """At most 1,024 slots, or 16,384 for keys of more than 32 bits."""
    kernel: Any = SimpleNamespace(
        bits=bits, multiplier=1, position_bytes=1, dtype="u4" if bits < 33 else "i8"
    )
    steps = LayeredSteps(game_of("tictactoe"), kernel)
    assert steps.slot_width == bits - slots
    last = (1 << bits) - 1
    (found,) = steps.slots(np.array([last], kernel.dtype))
    assert found == ((1 << slots) - 1, 0, 1)
    assert steps.slots(np.array([0, last], kernel.dtype)) == [(0, 0, 1), (found[0], 1, 2)]


@pytest.mark.parametrize("name", ["connect4:3x3,3", "mnk:4,2,3"])
def test_a_range_of_the_table_reads_its_own_slots_alone(tmp_path: Path, name: str) -> None:
    """Whether slots follow the order of the table or entries are grouped."""
    fill, read = Worker.fill, SlotFiles.read
    slots: list[range] = []
    ranges = []

    def read_noted(files: SlotFiles, name: str, low: int = 0, high: int = END) -> Any:
        slots.append(range(low, high))
        return read(files, name, low, high)

    def fill_noted(worker: Worker, table: str, layout: TableLayout, *how: Any) -> int:
        (first, last), _, width = how
        slots.clear()
        size = fill(worker, table, layout, *how)
        if width is None:
            width = worker.steps.slot_width
        assert width is not None
        keys = range(first << layout.width, last << layout.width)
        right = range(keys[0] >> width, (keys[-1] >> width) + 1)
        assert {(found.start, found.stop) for found in slots} == {(right.start, right.stop)}
        ranges.append(right)
        return size

    with split(name, True, *CUT) as splits, pytest.MonkeyPatch.context() as patch:
        patch.setattr(SlotFiles, "read", read_noted)
        patch.setattr(Worker, "fill", fill_noted)
        assert run(name, tmp_path / "t.safetensors") == right(name)
    assert len(ranges) == CUT[2]
    assert splits.grouped is (name == "mnk:4,2,3")


def test_seeds_are_written_only_where_memory_has_no_room(tmp_path: Path) -> None:
    """Either way they are united, and are gone once they are dropped."""
    game, (kernel, _) = game_of("connect4:4x3"), kernel_of("connect4:4x3")
    grown = []
    for keep in (0, 1, 1 << 20):
        folder = tmp_path / str(keep)
        folder.mkdir()
        worker = Worker(steps_for(game, kernel), game.spec, str(folder))
        worker.files.keep, worker.defers = keep, True
        first, second = Part(0, 0, 0, END), Part(1, 0, 0, END)
        worker.write_start(first)
        assert worker.grow(first, []) == (1, [1])
        assert worker.grow(second, [first.seeds(1)]) == (2, [2])
        seeds = second.seeds(2)
        assert (folder / seeds).exists() is (keep < 1 << 20)
        slots = worker.files.index(seeds)
        assert sum(slot.items for slot in slots) == 8
        middle = slots[2].number
        halves = [Part(2, 0, 0, middle), Part(2, 1, middle, END)]
        assert sum(worker.grow(part, [seeds])[0] for part in halves) == 8
        worker.files.drop(seeds)
        with pytest.raises(LostFileError):
            worker.files.index(seeds)
        third = Part(3, 0, 0, END)
        count, _ = worker.grow(third, [part.seeds(3) for part in halves])
        grown.append((count, (folder / third.keys).read_bytes()))
    assert grown[0] == grown[1] == grown[2]
    assert grown[0][0] == 26


def test_going_on_with_less_memory_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "t.safetensors"
    for size in (10**9, 10):
        with split("connect4:4x3", True, size, 750, 3):
            if size > 10:
                with pytest.raises(Stopped):
                    run("connect4:4x3", target, stop_after(20))
            else:
                with pytest.raises(MemoryLimitError, match="was started with more memory"):
                    run("connect4:4x3", target)
    with split("connect4:4x3", True, 10**9, 750, 3):
        assert run("connect4:4x3", target) == right("connect4:4x3")


@pytest.mark.parametrize(
    ("name", "compiled", "size"),
    [
        ("Staying", False, 2),
        pytest.param("connect4:3x3,3", True, 2, marks=pytest.mark.slow),
        pytest.param("Race", False, 2, marks=pytest.mark.slow),
        pytest.param("connect4:4x3", True, 60, marks=pytest.mark.slow),
        pytest.param("mnk:3,2,3", True, 2, marks=pytest.mark.slow),
        pytest.param("mnk:3,2,3", False, 2, marks=pytest.mark.slow),
        pytest.param("mnk:4,2,3", True, 10, marks=pytest.mark.large),
        pytest.param("mnk:4,2,3", False, 10, marks=pytest.mark.large),
        pytest.param("Rising", False, 2, marks=pytest.mark.large),
    ],
)
@pytest.mark.thinned(6)
def test_going_on_with_as_little_memory(
    tmp_path: Path, name: str, compiled: bool, size: int
) -> None:
    """Though no part can be smaller than a slot."""
    target = tmp_path / "t.safetensors"
    with split(name, compiled, size, 30, 3):
        for calls in (20, 40, 60):
            with suppress(Stopped):
                run(name, target, stop_after(calls))
        assert run(name, target) == right(name)
