"""A long solve: stopped anywhere it goes on, and whatever is lost it ends in the same bytes."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

import solver.files
from solver import Game, GameLawError, MemoryLimitError, load_game
from solver.errors import LostFileError
from solver.rules.rule_files import RuleFiles
from solver.solving.checkpoint import Checkpoint
from solver.solving.coordinator import Coordinator
from solver.solving.ledger import Ledger
from solver.solving.pool import WorkerPool
from solver.solving.retrograde import retrograde
from solver.solving.slot_files import SlotFiles
from solver.solving.solve import SolveOptions, solve, solve_file
from solver.solving.steps_python import PythonSteps
from solver.solving.worker import Worker
from tests.conftest import Command
from tests.support.part_games import Rising
from tests.support.small_games import Wide
from tests.support.tables import solved_bytes

SPEC = "connect4:3x3,3"  # 10 tiers, some hundreds of positions
KINDS = ("plain", "compiled")

pytestmark = pytest.mark.usefixtures("few")


class Stopped(BaseException):
    """Ends a solve as a signal would."""


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "plain":
        monkeypatch.setattr("solver.solving.solve.find_kernel", lambda *_: (None, "no kernel"))
    return str(request.param)


def run(path: Path, progress: Callable[[str, int, int | None], None] | None = None) -> bytes:
    """Solve to a file and return its bytes."""
    options = SolveOptions() if progress is None else SolveOptions(progress=progress)
    return Path(solve_file(load_game(SPEC), str(path), options)).read_bytes()


def stop_after(calls: int) -> Callable[[str, int, int | None], None]:
    left = iter(range(calls))

    def progress(what: str, done: int, total: int | None) -> None:
        if next(left, None) is None:
            raise Stopped

    return progress


def alter(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    path.write_bytes(data)


HARMS: tuple[Callable[[Path], object], ...] = (
    *(Path.unlink, alter, lambda path: path.write_bytes(b"")),
    lambda path: path.write_bytes(path.read_bytes()[:-1]),
    lambda path: path.write_bytes(max(path.parent.glob(f"*{path.suffix}")).read_bytes()),
)


@pytest.mark.slow
@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.campaign)])
@pytest.mark.thinned(2)
def test_a_solve_goes_on_wherever_it_was_stopped(tmp_path: Path, kind: str, step: int) -> None:
    """Even if a file of each kind is lost, cut or altered meanwhile."""
    right = run(tmp_path / "right.safetensors")
    calls_of_a_run: list[str] = []
    run(tmp_path / "steps.safetensors", lambda what, *_: calls_of_a_run.append(what))
    total = len(calls_of_a_run)
    assert total > 15
    target, harmed = tmp_path / "t.safetensors", set[str]()
    for calls in sorted({*range(0, total, step), total - 1}):
        files_after(target, calls)
        assert not target.exists()
        counts: list[int] = []
        assert run(target, lambda what, done, total, counts=counts: counts.append(done)) == right  # type: ignore[misc]
        assert not target.with_name("t.safetensors.work").exists()
        if calls > 3:
            assert len(counts) < total or counts[0] > 0, "it began anew"
        if calls % 9 or not calls:
            continue
        suffixes = {path.suffix for path in files_after(target, calls)}
        run(target)
        for number, suffix in enumerate(sorted(suffixes), calls):
            left = {path.suffix: path for path in files_after(target, calls)}
            HARMS[number % len(HARMS)](left[suffix])
            harmed.add(suffix)
            assert run(target) == right, (suffix, number)
    assert ".keys" in harmed


def files_after(path: Path, calls: int) -> list[Path]:
    """Stop a solve, and return what it leaves."""
    path.unlink(missing_ok=True)
    with pytest.raises(Stopped):
        run(path, stop_after(calls))
    work = path.with_name(path.name + ".work")
    return sorted(p for p in work.iterdir() if p.name != "lock")


def test_values_that_no_longer_follow_from_the_rules_are_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Rules may read data, and have changed where no fingerprint and no hash of files sees it."""
    monkeypatch.setattr("solver.solving.worker.fingerprint", lambda game: "as before")
    path, options = str(tmp_path / "t.safetensors"), SolveOptions(progress=stop_after(22))
    with pytest.raises(Stopped):
        solve_file(tangle(1), path, options)
    assert Path(solve_file(tangle(2), path, SolveOptions())).read_bytes() == solved_bytes(tangle(2))


def test_work_with_slots_of_another_width_starts_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right, target = run(tmp_path / "right.safetensors"), tmp_path / "t.safetensors"
    with monkeypatch.context() as patch:
        patch.setattr("solver.solving.steps_layered.SLOT_BITS", (3, 3))
        files_after(target, 12)
    counts: list[int] = []
    assert run(target, lambda what, done, total: counts.append(done)) == right
    assert counts[0] == 0


@pytest.mark.parametrize("writes", [0, 5, 17])
@pytest.mark.thinned(2)
def test_a_full_disk_harms_nothing(
    tmp_path: Path, kind: str, writes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = run(tmp_path / "right.safetensors")
    target = tmp_path / "t.safetensors"
    target.write_bytes(b"an older table")
    left = iter(range(writes))

    @contextmanager
    def atomic_write(path: str, durable: bool = True) -> Iterator[BinaryIO]:
        """Write to a disk that is full after so many files."""
        with solver.files.atomic_write(path, durable) as file:
            yield file
            if next(left, None) is None:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)

    with monkeypatch.context() as patch:
        patch.setattr("solver.solving.slot_files.atomic_write", atomic_write)
        with pytest.raises(OSError, match="No space left"):
            run(target)
    assert target.read_bytes() == b"an older table"
    assert run(target) == right


def test_two_solves_at_once(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "t.safetensors"

    def again(what: str, done: int, total: int | None) -> None:
        with pytest.raises(OSError, match="another solve is using this folder"):
            run(target)
        raise Stopped

    with pytest.raises(Stopped):
        run(target, again)


def test_unfinished_work_of_another_game_is_not_thrown_away(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "t.safetensors"
    right = run(target)
    files_after(target, 9)
    work = tmp_path / "t.safetensors.work"
    (work / "notes.txt").write_text("mine")
    held = sorted(path.name for path in work.iterdir())
    with pytest.raises(OSError, match=f"has unfinished work on {SPEC}: name another file"):
        solve_file(load_game("connect4:3x3"), str(target), SolveOptions())
    assert sorted(path.name for path in work.iterdir()) == held
    assert run(target) == right
    assert (work / "notes.txt").read_text() == "mine"


def test_less_memory_than_a_process_takes_is_refused_up_front(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "t.safetensors"
    with pytest.raises(MemoryLimitError, match=r"takes [\d,]+ MB before .* the limit of 1 MB"):
        solve_file(load_game(SPEC), str(target), SolveOptions(memory=10**6))
    assert os.listdir(tmp_path) == []
    assert Path(solve_file(load_game(SPEC), str(target), SolveOptions(memory=10**12))).exists()


def tangle(seed: int) -> Rising:
    """Return a random graph in which moves stay in a tier, go round in circles, or skip some."""
    return Rising(seed, 10, (0, 0, 1, 1, 2, 4))


def course(game: Game[int, int], work: Checkpoint, calls: int = 10**9) -> Coordinator:
    """Return the solve of a game in a folder, which stops after so many steps."""
    worker = Worker(PythonSteps(game), "tangle", work.directory, RuleFiles(game))
    return Coordinator(worker, WorkerPool(None, 1), work, stop_after(calls))


def solve_tangle(
    game: Rising, folder: Path, calls: int = 10**9, size: int = 10**9
) -> dict[int, int]:
    """Solve tier by tier in a folder, and leave it there."""
    with Checkpoint(str(folder), {"game": "tangle"}) as work:
        solve = course(game, work, calls)
        solve.part_size = size
        pairs = solve.solve(
            lambda: [
                pair
                for part in solve.ledger.parts
                for pair in zip(*solve.worker.solved(part), strict=True)
            ]
        )
    assert len(dict(pairs)) == len(pairs)
    return dict(pairs)


@pytest.mark.parametrize("seeds", [2, pytest.param(40, marks=pytest.mark.campaign)])
@pytest.mark.parametrize("size", [1, 3, 10**9])
@pytest.mark.no_cover
def test_tiers_with_cycles_and_leaps(tmp_path: Path, size: int, seeds: int) -> None:
    """Tier by tier, stopped on the way, the scores are those found in one go."""
    for seed in range(seeds):
        game, folder = tangle(seed), tmp_path / str(seed)
        right = retrograde(game)
        for calls in (1, 4, 7):
            with suppress(Stopped):
                solve_tangle(game, folder, calls, size)
        assert solve_tangle(game, folder, size=size) == right
        for lost in sorted(folder.glob("*.keys")):  # after all values are known
            lost.unlink()
            assert solve_tangle(game, folder, size=size) == right


class Falling(Rising):
    """0-1-2-3-40, and from 3 back to 1, an earlier tier."""

    def __init__(self) -> None:
        self.edges = {0: [1], 1: [2], 2: [3], 3: [1, 40], 40: []}

    def tier(self, p: int) -> int:
        return p


def test_a_tier_that_falls_is_named(tmp_path: Path) -> None:
    with pytest.raises(GameLawError, match="a move to 1 lowers the tier"):
        retrograde(Falling())
    with pytest.raises(GameLawError, match="lowers the tier from 3 to 1"):
        solve_tangle(Falling(), tmp_path)


def test_a_large_game_has_no_json_table(command: Command, tmp_path: Path) -> None:
    """It is refused before anything is stored."""
    message = command.refuses("solve", "connect4:4x4", "-o", "t.json")
    assert "more than 10,000 positions up to symmetry, too many for a JSON table" in message
    assert message.endswith(": name a file that ends in .safetensors\n")
    assert os.listdir(tmp_path) == []


def test_a_game_with_wide_keys_has_a_json_table_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.solving.in_memory.SMALL", 5)
    path = str(tmp_path / "t")
    right = solve(Wide()).encode()
    for name in path, f"{path}.json":
        assert Path(solve_file(Wide(), name, SolveOptions())).read_bytes() == right
    with pytest.raises(ValueError, match="a JSON table: name a file that ends in .json, for up"):
        solve_file(Wide(), f"{path}.safetensors", SolveOptions())
    monkeypatch.setattr("solver.solving.in_memory.MOST_JSON", 50)
    with pytest.raises(ValueError, match="more than 50 positions: define key and position"):
        solve(Wide())


# the folder of unfinished work: what is there is whole and sound, or it counts as lost

SLOTS = [(3, 2, b"three"), (4, 1, b""), (9, 5, b"nine!!")]


@given(place=st.integers(0, 10**6), bit=st.integers(0, 7))
def test_an_altered_byte_is_seen(
    tmp_path_factory: pytest.TempPathFactory, place: int, bit: int
) -> None:
    """Wherever it is: in the mark, the index or the data."""
    path = tmp_path_factory.mktemp("work")
    folder = SlotFiles(str(path))
    folder.put("a.keys", SLOTS)
    data = bytearray((path / "a.keys").read_bytes())
    data[place % len(data)] ^= 1 << bit
    (path / "a.keys").write_bytes(data)
    with pytest.raises(LostFileError, match=r"the file a\.keys is missing or damaged"):
        folder.read("a.keys")


@pytest.mark.parametrize("room", [0, 40, 10**6])
def test_what_stays_in_memory_is_what_the_files_hold(tmp_path: Path, room: int) -> None:
    """Whatever is written, read, renamed and deleted, and of as much as there is room for."""
    files, plain, generator = SlotFiles(str(tmp_path)), SlotFiles(str(tmp_path)), Random(room)
    files.room, names = room, ["1.0.0.seeds", "1.0.keys", "0.0.values", "0.table"]
    for step in range(300):
        name, (low, high) = generator.choice(names), sorted(generator.choices(range(12), k=2))
        match generator.randrange(5):
            case 0:
                data = [generator.randbytes(generator.randrange(1, 9)) for _ in range(4)]
                slots = [(i, step, piece) for i, piece in enumerate(data, 2)]
                files.put(name, slots, [b"".join(data)] if step % 2 else data)
            case 1:
                files.delete(name)
            case 2 if (tmp_path / names[0]).exists():
                files.rename(*names[:2])
        for ends in ((low, high), ()):
            if (tmp_path / name).exists():
                assert files.read(name, *ends) == plain.read(name, *ends)
            else:
                with pytest.raises(LostFileError):
                    files.read(name, *ends)
        assert sum(len(data) for _, kept in files._kept.values() for data in kept) <= room
    files.put(names[0], SLOTS)
    files.rename(*names[:2])
    for other in ("1.1.keys", "1.0.0.seeds"):  # which had the files of one tier pass for each other
        (tmp_path / other).write_bytes((tmp_path / names[1]).read_bytes())
        with pytest.raises(LostFileError):
            plain.read(other)


def test_no_step_changes_what_stays_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Moves within a tier, which a step changes, do not stay."""
    put, compared = SlotFiles.put, set[str]()

    def checked(files: SlotFiles, *file: Any) -> None:
        put(files, *file)
        for name, (_, kept) in files._kept.items():
            assert b"".join(kept) == SlotFiles(files.directory).read(name)[1]
            compared.add(name.rpartition(".")[2])

    monkeypatch.setattr(SlotFiles, "put", checked)
    game = load_game("kingspawns:..k./.p../.P../.K..")
    solve_file(game, str(tmp_path / "table.safetensors"), SolveOptions())
    assert compared == {"keys", "values"}


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    """Whatever they are called; what a solve has left may lie there."""
    for name, data in (("server.keys", b"secret"), ("ledger", b"accounts"), ("lock", b"!")):
        folder = tmp_path / name.replace(".", "-")
        folder.mkdir()
        (folder / name).write_bytes(data)
        with pytest.raises(OSError, match="has other files, such as"), Checkpoint(str(folder), {}):
            pass
        assert (folder / name).read_bytes() == data
    (tmp_path / "a").write_text("a file")
    with pytest.raises(OSError, match="is not a folder"), Checkpoint(str(tmp_path / "a"), {}):
        pass


def test_a_ledger_that_says_something_else_is_none(tmp_path: Path) -> None:
    for data in (b"[1]", b"null", b'{"about":3}', b"nonsense", b"\xff"):
        tmp_path.mkdir(exist_ok=True)
        SlotFiles(str(tmp_path)).put("ledger", [(0, 1, data)])
        with Checkpoint(str(tmp_path), {"game": "g"}) as work:
            assert work.ledger == Ledger({"game": "g"})
