"""Kernels against the rules in Python, and their steps against sets, dicts and slow solvers."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Game, KernelError, load_game, verify
from solver.compiling.kernel import CompiledKernel
from solver.games.connect4 import Connect4
from solver.games.kingspawns_board import mirror
from solver.kernels import find_kernel
from solver.rules import key_arrays as arrays
from solver.rules.check_kernel import check_kernel
from solver.rules.game import start_key
from solver.rules.kernel import Kernel, TieredKernel
from solver.solving.forecast import forecast
from solver.solving.solve import SolveOptions
from solver.value import OPEN
from tests.conftest import Command
from tests.support.cases import campaign, large
from tests.support.tables import solved_bytes

SPECS = [
    *("connect4:7x6", "mnk:4,4,4,misere", "connect4:3x3,3", "connect4:5x4,5", "connect4:1x1,1"),
    *("connect4:1x6", "connect4:3x2,1", "connect4:9x5", "connect4:6x4,2", "connect4:4x4,8"),
    *("tictactoe", "mnk:4,3,3", "mnk:1,1,1", "mnk:2,2,3", "mnk:31,1,5", "mnk:5,3,9"),
    *("kingspawns", "kingspawns:k.../..../P.../...K", "kingspawns,promotion=wins"),
    *("connect4:6x9", "mnk:3,3,3,misere", "mnk:1,9,4,misere", "connect4:7x7,7", "connect4:2x9,3"),
    # compiled; domineering was not where the sides have different numbers of places for a domino
    *("domineering:3x4", "breakthrough:2x4", "mutorere", "dodgem:3x3"),
]
SOLVED = ["connect4:3x3,3", "connect4:4x3", "connect4:5x2,3"]
SOLVED += ["tictactoe", "mnk:4,2,3"]
MODULES: tuple[str, ...] = ("rules.key_arrays", "proof.kernel_walk", "games.connect4_kernel")
MODULES += ("compiling.images", "compiling.kernel", "loops")


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.thinned(11, 4)
def test_a_kernel_agrees_with_its_rules(spec: str) -> None:
    game = load_game(spec)
    kernel, remark = find_kernel(game)
    assert kernel is not None
    assert remark == ""
    assert check_kernel(game, kernel, seed=1) >= 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "dtype"),
    [
        ("connect4:4x7", np.uint32),  # 32 bits
        ("connect4:6x9", np.int64),  # 60 bits
        ("mnk:3,3,3", np.int64),  # compiled
    ],
)
def test_keys_take_32_bits_where_they_fit(spec: str, dtype: type) -> None:
    game = load_game(spec)
    kernel = game.kernel() or CompiledKernel(game)
    assert kernel.dtype is dtype
    assert kernel.bits <= 62
    assert kernel.start(start_key(game)).tolist() == [game.key(game.initial())]


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["tictactoe", "connect4:4x3", "connect4:3x4"])
@pytest.mark.usefixtures("few")
@pytest.mark.thinned(3, 2)
def test_pieces_processes_and_kernels_change_no_byte(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load_game(spec)
    right = solved_bytes(game)
    assert solved_bytes(game, SolveOptions("search")) == right
    assert solved_bytes(game, SolveOptions(workers=2)) == right
    proof = verify(right, spec)
    monkeypatch.setattr("solver.games.connect4_kernel.PIECE", 5)
    monkeypatch.setattr("solver.proof.kernel_walk.PIECE", 5)
    assert solved_bytes(game) == right
    assert verify(right, spec) == proof
    plain = SolveOptions(plain=True)
    assert solved_bytes(game, plain) == right
    monkeypatch.setattr(type(game), "kernel", lambda self: None)  # then the rules are compiled
    assert solved_bytes(game) == right
    assert verify(right, spec)._replace(by=proof.by) == proof


def keys_of(dtype: type) -> st.SearchStrategy[list[int]]:
    top = (1 << 32 if dtype is np.uint32 else 1 << 62) - 1
    return st.lists(st.one_of(st.integers(0, top), st.integers(0, 20), st.integers(top - 9, top)))


dtypes = st.sampled_from([np.uint32, np.int64])


@given(st.data(), dtypes)
def test_unique_and_merge_are_those_of_sets(data: st.DataObject, dtype: type) -> None:
    some, more = (data.draw(keys_of(dtype)) for _ in range(2))
    a, b = (arrays.unique(np.array(keys, dtype)) for keys in (some, more))
    assert a.dtype == dtype
    assert a.tolist() == sorted(set(some))
    both = arrays.merge(a, b)
    assert both.dtype == dtype
    assert both.tolist() == sorted({*some, *more})


def test_sorted_sets_of_keys_are_united() -> None:
    for count in range(6):
        sets = [np.arange(n, 40, n + 2, dtype=np.uint64) for n in range(count)]
        expected = sorted({int(key) for keys in sets for key in keys})
        assert arrays.union(sets, np.uint64).tolist() == expected
    values, sizes = np.array([1, -1, 0, 5, -3], np.int8), np.array([2, 3, 4, 5, 6])
    assert [*arrays.count(values, sizes, 5)] == [7, 4, 9, 5, 1]


Found = tuple[np.ndarray, np.ndarray]


def lying(kernel: Kernel, method: str, change: Callable[[Any], Any]) -> Kernel:
    """Return a kernel of which one method gives what it should, but changed."""
    base: Any = type(kernel)
    right = getattr(base, method)
    kernel.__class__ = type("Lying", (base,), {method: lambda k, keys: change(right(k, keys))})
    return kernel


def in_last_row(column: int, change: Callable[[np.ndarray], Any]) -> Callable[[Found], Found]:
    """Return a change of the children in the last row that has one in this column."""

    def changed(found: Found) -> Found:
        change(found[1][np.flatnonzero(found[1][:, column] >= 0)[-1]])
        return found

    return changed


def exchange(row: np.ndarray) -> None:
    row[:3] = row[[1, 2, 0]]


def other_image(found: Found) -> Found:
    """Say that a position is canonical whose mirror image is."""
    canonical, ways = found
    row = np.flatnonzero(canonical >= 0)[-1]
    canonical[row], ways[row] = mirror(int(canonical[row])), ways[row] ^ 1
    return canonical, ways


def lost_draws(found: Found) -> Found:
    return np.where(found[0] == 0, -1, found[0]).astype(np.int8), found[1]


def no_draws(outcomes: np.ndarray) -> np.ndarray:
    return np.where(outcomes == 0, OPEN, outcomes)


PAWN, BOARD = "kingspawns:k.../..../P.../...K", "connect4:4x3"
LIES: list[tuple[str, str, Callable[[Any], Any], str]] = [
    (BOARD, "expand", in_last_row(1, lambda row: row.put(0, row[1])), "children"),
    (PAWN, "successors", lost_draws, "outcome"),
    (PAWN, "outcomes", no_draws, "outcome alone"),
    (BOARD, "expand", in_last_row(2, lambda row: row.put(2, -1)), "children"),
    (PAWN, "successors", in_last_row(1, lambda row: row.put(0, row[1])), "children"),
    (BOARD, "expand", lost_draws, "outcome"),
    (PAWN, "successors", in_last_row(3, lambda row: row.put(3, -1)), "children"),
    (BOARD, "orbits", lambda found: found // 2, "images"),
    (PAWN, "successors", in_last_row(2, exchange), "children"),
    (BOARD, "outcomes", no_draws, "outcome"),
    # the canonical child is right, but not which image of it a move leads to
    (PAWN, "successors", in_last_row(0, lambda row: row.put(0, mirror(int(row[0])))), "successors"),
    (PAWN, "tiers", lambda found: np.where(found == found.max(), found + 1, found), "tier"),
    (PAWN, "orient", other_image, "children|images"),
    # the canonical key is right, but not by which symmetry
    (PAWN, "orient", lambda found: (found[0], found[1] ^ 2), "canonical image"),
    (PAWN, "orbits", lambda found: found // 2, "images"),
    (PAWN, "orbits", lambda found: np.full(len(found), 4, np.int8), "images"),
    *(  # there is none with these numbers, though -1 would be the last one
        (PAWN, "orient", lambda found, n=n: (found[0], np.where(found[1] == 3, n, found[1])), "")
        for n in (-1, 4, 100)
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "method", "change", "what"), LIES)
def test_a_lie_is_named(spec: str, method: str, change: Callable[[Any], Any], what: str) -> None:
    game: Any = load_game(spec)
    pattern = rf"the kernel of \S+ contradicts its rules.*: expected ({what}).*"
    with pytest.raises(KernelError, match=pattern):
        check_kernel(game, lying(game.kernel(), method, change))


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "method", "change"), [lie[:3] for lie in LIES])
@pytest.mark.usefixtures("few")
@pytest.mark.thinned(12, 8)
def test_a_kernel_that_lies_is_refused(
    spec: str,
    method: str,
    change: Callable[[Any], Any],
    command: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game: Any = load_game(spec)
    right, usual = solved_bytes(game), type(game).kernel
    monkeypatch.setattr(type(game), "kernel", lambda self: lying(usual(self), method, change))
    for refused in (lambda: verify(right), lambda: forecast(game, 0), lambda: find_kernel(game)):
        with pytest.raises(KernelError):
            refused()
    assert " contradicts its rules" in command.refuses("solve", spec, "-o", "t.safetensors")
    command.refuses("check", spec, status=1)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


SLOW = "this is slow: compiling rules needs the extra 'fast': run python -m pip install numba numpy"


@pytest.mark.slow
@pytest.mark.parametrize("library", ["numba", "numpy"])
@pytest.mark.usefixtures("few")
@pytest.mark.thinned(2)
def test_without_a_library_the_bytes_are_the_same(
    library: str, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The remark goes to standard error, and the table is proved without the library, too."""
    spec = "connect4:3x3,3"
    right = solved_bytes(load_game(spec))
    monkeypatch.setitem(sys.modules, library, None)
    for name in MODULES:
        monkeypatch.delitem(sys.modules, f"solver.{name}", raising=False)
    assert command("solve", spec, "-o", "t.safetensors") == 0
    assert command.err.splitlines()[0] == f"perfectplay: {SLOW}"
    assert (tmp_path / "t.safetensors").read_bytes() == right
    assert command("verify", "t.safetensors") == 0
    assert "proved t.safetensors: by the rules in Python of connect4:3x3,3 at 694" in command.out
    assert command("check", spec) == 0
    assert "its kernel agrees" not in command.out
    assert command("best", "112", "--game", spec, "--table", "t.safetensors") == 0


def check_all(game: Game[Any, Any], kernel: Kernel, keys: np.ndarray) -> None:
    """Compare a kernel with the rules at some positions, which are their own keys."""
    for part in arrays.pieces(keys, 1 << 16):
        _check_some(game, kernel, part)


def _check_some(game: Game[Any, Any], kernel: Kernel, keys: np.ndarray) -> None:
    positions = keys.tolist()
    overs = [*map(game.primitive, positions)]
    moves = [() if o is not None else game.moves(p) for p, o in zip(positions, overs, strict=True)]
    flat = [game.play(p, m) for p, legal in zip(positions, moves, strict=True) for m in legal]
    counts = [*map(len, moves)]
    outcomes = np.array([OPEN if over is None else int(over) for over in overs])
    given: np.ndarray = keys.astype(kernel.dtype)
    found = kernel.successors(given)
    assert (found[0] == outcomes).all()
    assert (kernel.outcomes(given) == outcomes).all()
    assert (found[1][found[1] >= 0] == flat).all()
    assert ((found[1] >= 0).sum(1) == counts).all()
    images = np.array([[*map(s.position, positions)] for s in game.symmetries], np.int64)
    canonical, ways = kernel.orient(given)
    assert (canonical == [*map(game.canonical, positions)]).all()
    assert (canonical == images.min(0)).all()
    assert (images[ways, np.arange(len(keys))] == canonical).all()
    ordered = np.sort(images, 0)
    sizes = 1 + (ordered[1:] != ordered[:-1]).sum(0)
    assert (kernel.orbits(given) == np.where(canonical == keys, sizes, 0)).all()
    if isinstance(kernel, TieredKernel):
        assert (kernel.tiers(given) == [*map(game.tier, positions)]).all()


def found_in(keys: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Return which keys are among ascending ones."""
    places = np.searchsorted(seen, keys).clip(max=len(seen) - 1)
    return np.asarray(seen[places] == keys)


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("spec", "positions"),
    [
        *large(("connect4:4x4", 161_029), ("connect4:5x3", 158_911), ("connect4:3x6", 235_781)),
        *large(("kingspawns:k.../.p../..P./...K", 41_040)),
        *large(("kingspawns:k.../.pp./.PP./...K,promotion=wins", 9_254)),
        *campaign(("connect4:5x4", 3_945_711), ("connect4:4x5", 1_706_255)),
        *campaign(("connect4:6x3", 2_087_325), ("kingspawns:k.../..pp/.P../...K", 255_758)),
    ],
)
def test_kernels_agree_with_the_rules_at_every_position(spec: str, positions: int) -> None:
    """And at every image of one. A proof takes the kernel for the rules of these games."""
    game = load_game(spec)
    kernel = game.kernel()
    assert kernel is not None
    level: np.ndarray = np.array([game.initial()], np.int64)
    seen = level
    while len(level):
        check_all(game, kernel, level)
        after = arrays.unique(kernel.successors(level.astype(kernel.dtype))[1].ravel())
        after = after[after >= 0].astype(np.int64)
        level = after[~found_in(after, seen)]
        seen = arrays.merge(seen, level)
    assert len(seen) == positions
    images = [np.array([*map(s.position, seen.tolist())], np.int64) for s in game.symmetries]
    others = arrays.unique(np.concatenate(images))
    check_all(game, kernel, others[~found_in(others, seen)])
    none = np.array([-1, game.initial()])
    assert kernel.orient(none.astype(np.int64))[0].tolist()[0] == -1


def long_games(game: Connect4, generator: random.Random, count: int) -> np.ndarray:
    """Return positions of random games in which few moves win, so that many boards fill up."""
    found: list[int] = []
    while len(found) < count:
        p = game.initial()
        while game.primitive(p) is None:
            after = [game.play(p, m) for m in game.moves(p)]
            going = [q for q in after if game.primitive(q) is None]
            p = generator.choice(going if going and generator.random() < 0.99 else after)
            found.append(p)
    return np.array(found, np.int64)


MANY = 500_000
SIZES = ("connect4:7x6", "connect4:4x7", "connect4:6x9,5", "connect4:8x6")  # 49, 32, 60, 54 bits
LINES = [f"connect4:4x7,{k}" for k in range(1, 8)] + [f"connect4:6x9,{k}" for k in range(1, 9)]
RANDOM_BOARDS = [
    *large(*((spec, MANY // 10) for spec in SIZES)),
    *campaign(*((spec, MANY) for spec in SIZES), *((spec, MANY // 10) for spec in LINES)),
]


@pytest.mark.no_cover
@pytest.mark.parametrize(("spec", "count"), RANDOM_BOARDS)
def test_kernels_agree_with_the_rules_on_large_boards(spec: str, count: int) -> None:
    """At random positions of large boards with either type of keys, and lines of any length."""
    game = load_game(spec)
    assert isinstance(game, Connect4)
    kernel = game.kernel()
    assert kernel is not None
    played = long_games(game, random.Random(spec), count)
    full = sum(game.moves(p) == [] for p in played.tolist())
    assert full > 0 or game.k < 4
    check_all(game, kernel, played)
