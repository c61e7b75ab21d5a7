"""Out of core: however tiers and the table are cut, and whatever is lost, the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from solver import Game, MemoryLimitError, load_game, verify
from solver.errors import IntraTierMoveError
from solver.kernels import find_kernel
from solver.rules.kernel import Kernel
from solver.rules.rule_files import RuleFiles
from solver.solving.coordinator import WRITING, Coordinator
from solver.solving.from_scores import mapped_table
from solver.solving.ledger import Part
from solver.solving.retrograde import retrograde
from solver.solving.search import search
from solver.solving.solve import SolveOptions, solve_file
from solver.solving.steps import Steps
from solver.solving.steps_python import PythonSteps, steps_for
from solver.tables.mapped_table import MappedTable
from tests.solving.test_resume import HARMS, Stopped, stop_after
from tests.support.cases import campaign
from tests.support.part_games import Race, Rising, Staying

ROOM = 10**7  # bytes that a task may take
QUEEN = "kingspawns:k.../..../P.../...K"
COMPILED = ["connect4:3x3,3", "connect4:4x3", "tictactoe", "mnk:4,2,3", QUEEN]
PLAIN = ["connect4:3x3,3", "mnk:4,2,3", "hexapawn:3x3", "notakto", "nim:3,4,5", "wild"]
UNSPLIT = "hexapawn:3x3", "nim:3,4,5", "Staying"  # where moves stay in a tier
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
    data = b"".join(mapped_table(game, scores, RuleFiles(game).stated))
    verify(data, game)
    return data


class Splits:
    """What the coordinator and the workers made of a tier and of the table."""

    most_parts = 0


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

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.solving.in_memory.FEW", 0)
        patch.setattr("solver.solving.in_memory.SMALL", 0)
        patch.setattr("solver.solving.solve.check_game", lambda *_, **__: 0)
        kernel = kernel_of(name) if compiled else (None, "")
        patch.setattr("solver.solving.solve.find_kernel", lambda *_: kernel)
        patch.setattr("solver.solving.on_files.Coordinator", SmallParts)
        patch.setattr("solver.solving.on_files.room_for_task", lambda *_: ROOM)
        patch.setattr("solver.solving.on_files.MOST_KEPT", size)  # bytes: few, or all of the files
        patch.setattr("solver.solving.solve.steps_for", small_pieces)
        patch.setattr("solver.solving.assemble.ENTRY_BYTES", max(1, ROOM * ranges // entries))
        yield splits


def run(
    name: str, path: Path, progress: Callable[[str, int, int | None], None] | None = None
) -> bytes:
    options = SolveOptions() if progress is None else SolveOptions(progress=progress)
    return Path(solve_file(game_of(name), str(path), options)).read_bytes()


WHOLE, SOME, MANY = (10**9, 10**9, 1), (40, 50, 3), (9, 20, 40)
LARGER = {"tictactoe": 3, "mnk:4,2,3": 2, "connect4:4x3": 15, "wild": 15}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "compiled", "size", "window", "ranges"),
    [(*case, *cuts) for case in CASES for cuts in (SOME, MANY, WHOLE)],
)
@pytest.mark.thinned(17, 5)
def test_cuts_change_no_byte(
    tmp_path: Path, name: str, compiled: bool, size: int, window: int, ranges: int
) -> None:
    times = LARGER.get(name, 1)
    size, window = times * size, times * window
    told: list[tuple[str, int, int | None]] = []
    with split(name, compiled, size, window, ranges) as splits:
        data = run(name, tmp_path / "t.safetensors", lambda *news: told.append(news))
    assert data == right(name)
    assert told[-1][:2] == (WRITING, told[-1][2])
    assert [path.name for path in tmp_path.iterdir()] == ["t.safetensors"]
    is_split = name.startswith("connect4") if compiled else name not in UNSPLIT
    if ranges == MANY[2] and is_split:
        assert splits.most_parts > 2
    if ranges == WHOLE[2]:
        assert splits.most_parts == 1


@pytest.mark.parametrize("cuts", [SOME, MANY])
def test_cuts_of_a_game_with_wide_keys_change_no_byte(
    tmp_path: Path, cuts: tuple[int, int, int]
) -> None:
    """Files have the lowest 32 bits of its keys, and most parts nothing in a range of the table."""
    name = "connect4:4x8,2"
    with split(name, True, *cuts):
        assert run(name, tmp_path / "t.safetensors") == right(name)


def test_a_game_whose_moves_seldom_stay_is_found_out(tmp_path: Path) -> None:
    """Random games do not show it, so its tiers are cut until a move turns out to stay."""
    game = Staying()
    assert PythonSteps(game).can_split
    messages: list[str] = []
    grow = PythonSteps.grow

    def heard(steps: PythonSteps, *arguments: Any) -> Any:
        try:
            return grow(steps, *arguments)
        except IntraTierMoveError as error:
            messages.append(str(error))
            raise

    with split("Staying", False, 10, 20, 3) as splits, pytest.MonkeyPatch.context() as patch:
        patch.setattr(PythonSteps, "grow", heard)
        assert run("Staying", tmp_path / "t.safetensors") == right("Staying")
    assert messages == ["a move stays in tier 5"]
    assert splits.most_parts > 2


DAMAGED = [("connect4:3x3,3", True), ("mnk:4,2,3", True), ("mnk:4,2,3", False), ("Rising", False)]
DAMAGED += [("Race", False), ("Staying", False)]
CUT = (50, 60, 3)  # with which the largest tier of these has several parts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "compiled", "points"),
    [*((*case, 4) for case in DAMAGED), *campaign(*((*case, 21) for case in DAMAGED))],
)
@pytest.mark.thinned(6, 3)
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
        ("connect4:3x3,3", True, 2),
        ("Race", False, 2),
        ("connect4:4x3", True, 60),
        ("mnk:3,2,3", True, 2),
        ("mnk:4,2,3", False, 10),
    ],
)
@pytest.mark.thinned(6, 2)
@pytest.mark.slow
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
