"""Estimates of games that are not solved, against published and measured numbers."""

from __future__ import annotations

import time
from functools import cache
from itertools import count, pairwise
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from solver import Game, Outcome, load_game
from solver.compiling.find import find_kernel
from solver.games.catalogue import GAMES
from solver.rules.positions import successors
from solver.solving import estimate as module
from solver.solving import estimate_count
from solver.solving.estimate import Estimate, estimate
from solver.solving.estimate_count import Count
from solver.solving.estimate_later import Sampler, _ending_bell
from solver.solving.memory import room_for_task
from solver.solving.solve import SolveOptions, solve_file
from solver.solving.steps_python import steps_for
from tests.conftest import Command
from tests.support.cases import campaign, large
from tests.support.small_games import Chain, Scattered, Wide

CONNECT4 = {  # John Tromp's playground; Boeck, arXiv 2507.05267, table 1
    "connect4:4x4": 161_029,
    "connect4:5x4": 3_945_711,
    "connect4:4x5": 1_706_255,
    "connect4:5x5": 69_763_700,
    "connect4:6x4": 94_910_577,
    "connect4:5x6": 1_044_334_437,
    "connect4:6x5": 2_818_972_642,
    "connect4:7x6": 4_531_985_219_092,
}
MB = 10**6
SLOTS = "connect4:7x6"
TIERED = "kingspawns:k.../..p./.P../...K"
LARGE = ("connect4:5x5",)
CAMPAIGN = tuple(spec for spec in CONNECT4 if spec not in ("connect4:4x4", *LARGE))


@cache
def estimated(spec: str, budget: int | None = None, seed: int = 0) -> Estimate:
    """Return the estimate of a game, computed once for all tests."""
    return estimate(load_game(spec), budget, seed)


def is_close(found: Estimate, known: int) -> bool:
    return known / 1.5 < found.positions < known * 1.5


@pytest.mark.no_cover
@pytest.mark.slow
@pytest.mark.parametrize("spec", [*large("connect4:4x4", *LARGE), *campaign(*CAMPAIGN)])
def test_estimates_are_close_to_the_published_numbers(spec: str) -> None:
    """They are within a factor of 1.5."""
    found = estimated(spec)
    assert is_close(found, CONNECT4[spec])
    assert found.positions / 4 < found.low <= found.positions <= found.high
    assert found.exact == (CONNECT4[spec] < 3_000_000)
    assert sum(ply.positions for ply in found.plies) == pytest.approx(found.positions, rel=1e-6)


@pytest.mark.no_cover
@pytest.mark.campaign
def test_the_range_nearly_always_includes_the_true_number() -> None:
    inside = 0
    for seed in range(12):
        found = estimated("connect4:4x4", 2_000, seed)
        assert not found.exact
        assert is_close(found, 161_029)
        inside += found.low <= 161_029 <= found.high
    assert inside >= 9


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "budget"),
    [
        ("breakthrough:3x5", 1_000),
        *large(("clobber:4x3", 3_000), ("domineering:4x4", 1_000), ("dodgem:3x3", 1_000)),
        *campaign(("breakthrough:3x5", 10_000), ("clobber:5x3", 3_000), ("dodgem:4x4", 10_000)),
        *campaign(("domineering:5x5", 3_000), ("kingspawns", 50_000)),
        *campaign(("kingspawns,promotion=wins", 10_000)),
    ],
)
def test_a_game_without_parents_is_extrapolated(spec: str, budget: int) -> None:
    """The range includes the true number for at least nine of ten seeds."""
    true = next(listing.positions for listing in GAMES if listing.spec == spec)
    found = [
        estimate(load_game(spec), budget, seed, find=lambda _: (None, "")) for seed in range(10)
    ]
    assert sum(one.low <= true <= one.high for one in found) >= 9
    assert all(one.complete and not one.exact for one in found)
    assert sum(ply.positions for ply in found[0].plies) == found[0].positions


class Endless(Game[Any, Any]):
    """Three counters of thousands, in one tier."""

    def initial(self) -> Any:
        return 0, 0, 0

    def moves(self, p: Any) -> range:
        return range(3)

    def play(self, p: Any, m: int) -> Any:
        return tuple([n + (i == m) for i, n in enumerate(p)])

    def primitive(self, p: Any) -> Outcome | None:
        return Outcome.LOSS if max(p) == 3000 else None


@pytest.mark.parametrize(
    ("game", "budget", "why"),
    [
        (load_game("morris"), 1_000, "too few plies were counted"),
        (load_game("mutorere"), 300, "its plies grow as fast as before"),
        *campaign((Endless(), 5_000, "its plies do not show where it ends")),
    ],
)
def test_a_large_game_of_one_tier_is_counted_up_to_the_budget(
    game: Game[Any, Any], budget: int, why: str
) -> None:
    found = estimate(game, budget)
    assert not found.complete
    assert found.positions >= budget
    assert why in found.remarks[0]


@pytest.mark.parametrize("plies", [1, 2, 12])
def test_a_game_that_ends_is_thought_to_end_in_one_position(plies: int) -> None:
    sizes = _ending_bell(1000.0, 0.5, plies)
    assert len(sizes) == plies
    assert sizes[-1] == pytest.approx(1)


class Long(Game[int, int]):
    """250 plies of 30 moves each: more games than a float can hold."""

    def initial(self) -> int:
        return 0

    def moves(self, p: int) -> range:
        return range(30)

    def play(self, p: int, m: int) -> int:
        ply, number = p % 1000, p // 1000
        return ply + 1 + (30 * number + m) % 10**6 * 1000

    def primitive(self, p: int) -> Outcome | None:
        return Outcome.LOSS if p % 1000 == 250 else None


@pytest.mark.large
def test_a_game_with_more_games_than_a_float_holds_is_extrapolated() -> None:
    found = estimate(Long(), 5_000, find=lambda _: (None, ""))
    assert found.complete
    assert 27_000 < found.low < found.positions < found.high
    assert found.remarks[0].startswith("the range is a guess")


def test_slow_rules_are_counted_for_a_short_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the time does not allow is extrapolated; each look at the clock takes 0.4 s here."""
    monkeypatch.setattr(time, "thread_time", map((0.4).__mul__, count()).__next__)
    found = estimate(load_game("breakthrough:3x5"), find=lambda _: (None, ""))
    assert found.complete
    assert not found.exact
    assert found.positions > 10_000


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["breakthrough:3x5", "dodgem:4x4"])
@pytest.mark.large
def test_plies_are_counted_by_a_kernel_where_tiers_are_not(spec: str) -> None:
    """The largest tier has more positions than are counted."""
    plain = estimate(load_game(spec), 10_000, find=lambda _: (None, ""))
    compiled = estimate(load_game(spec), 10_000)
    counted = [ply.positions for ply in plain.plies if ply.low == ply.high]
    assert [ply.positions for ply in compiled.plies][: len(counted)] == counted
    assert not compiled.exact
    assert compiled.complete


def test_the_position_with_the_key_0_is_counted() -> None:
    """That of the end of a countdown."""
    steps = steps_for(Chain(6), find_kernel(Chain(6))[0])
    plies = estimate_count.count_plies(steps, Count([], False, {0}, "tier", 0), 1000).plies
    assert [ply.positions for ply in plies] == [[1]] * 7


def test_the_work_of_sampling_is_all_moves_and_parents_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, listed = load_game("connect4:3x3,3"), [0]

    def counted(list_all: Any, more: int) -> Any:
        def each(*arguments: Any) -> Any:
            found = list_all(*arguments)
            listed[0] += more + len(found)
            return found

        return each

    monkeypatch.setattr(f"{module.__name__}_later.successors", counted(successors, 0))
    monkeypatch.setattr(game, "parents", counted(game.parents, 1))
    sampler = Sampler(game, 0, game.initial().__eq__)
    sampler.follow([game.initial()], 1, Random(0))
    assert sampler.work == listed[0] > 1000


def test_workers_share_half_of_the_memory_of_the_smallest_machine() -> None:
    pool: Any = SimpleNamespace(workers=2, run=lambda task, each: [(0, 8 << 30), (0, None)])
    assert room_for_task("any", pool, None, lambda each: []) == 2 << 30


@pytest.mark.slow
def test_small_games_are_counted(known: dict[str, Any]) -> None:
    found = estimate(load_game("tictactoe"))
    assert [ply.positions for ply in found.plies] == known["tictactoe"]["positions_by_ply"]
    assert [ply.canonical for ply in found.plies] == known["tictactoe"]["canonical_by_ply"]
    assert (found.positions, found.low, found.high, found.exact) == (5478, 5478, 5478, True)
    assert estimate(load_game("nim:3,4,5")).positions == 48


@pytest.mark.no_cover
@pytest.mark.large
def test_equal_seeds_give_equal_estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("tictactoe")
    some, same, other = (estimate(game, 200, seed, samples=3) for seed in (7, 7, 8))
    assert not some.exact
    assert some.plies == same.plies != other.plies


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("spec", "size", "disk", "peak"),  # as measured, peaks of games that do not take a moment
    [
        *large(("connect4:4x4", 178_118, 762_057, None), ("mnk:4,3,3", 101_861, 347_396, None)),
        *large((TIERED, 126_506, 727_579, None), ("connect4:5x5", 86.6e6, 348e6, 480e6)),
        *campaign(("connect4:6x4", 111.7e6, 461e6, 580e6)),
    ],
)
def test_file_memory_and_disk_are_close_to_those_measured(
    spec: str, size: float, disk: float, peak: float | None
) -> None:
    """Memory is enough, but not more than twice as much."""
    found = estimated(spec)
    assert found.file == pytest.approx(size, rel=0.25 if peak else 0.02)
    assert found.disk == pytest.approx(disk, rel=0.3 if peak else 0.2)
    assert peak is None or peak < found.memory < 2 * peak


def test_the_command_reports_a_game_that_is_too_large(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = 4_531_985_219_092
    found = estimated("connect4:3x3,3")._replace(
        game="connect4:7x6", exact=False, positions=size, low=size, high=size, memory=5 << 42
    )
    monkeypatch.setattr("solver.cli.solve.estimate", lambda game, **_: found)
    assert command("estimate", "connect4:7x6") == 0
    assert "connect4:7x6: about 4.53e+12 positions" in command.out
    assert "No single machine can do this." in command.out
    assert "TB of memory" in command.out


def imagined(spec: str, positions: int, memory: int | None = None) -> Estimate:
    """Return the estimate of a game as if it had so many positions."""
    return estimate(load_game(spec), known=positions, memory=memory, samples=0)


def test_a_larger_game_costs_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "thread_time", map((0.001).__mul__, count()).__next__)
    few, many = (imagined(SLOTS, n) for n in (10**9, 10**10))
    assert 5 * few.seconds < many.seconds
    assert sum(ply.positions for ply in few.plies[:-1]) < module.BUDGET  # fewer if it is known
    assert 5 * few.memory < many.memory
    assert 5 * few.disk < many.disk
    assert few.file is not None
    assert many.file is not None
    assert 5 * few.file < many.file < many.disk


@pytest.mark.slow
def test_a_solve_stays_within_its_memory() -> None:
    """But for what a process takes before its first position."""
    for memory in (300 * MB, 2_000 * MB):
        assert imagined(SLOTS, 10**11, memory).memory == memory
    assert imagined(SLOTS, 10**11, 1).memory > 200 * MB


def test_each_part_of_a_tier_reads_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part takes half of the memory that is left; 22 bytes of each later position are read.

    Ranges of the table read 9 bytes of every position, as the keys are mixed.
    """
    monkeypatch.setattr(time, "thread_time", lambda: 0.0)  # so that nothing else takes time
    little, plenty = (imagined(SLOTS, 10**11, memory) for memory in (1000 * MB, None))
    steps = steps_for(load_game(SLOTS), find_kernel(load_game(SLOTS))[0])
    free = 1000 * MB - steps.loaded[0]
    part = free / 2 / steps.position_bytes
    sizes = [ply.canonical for ply in little.plies]
    read = sum(22 * n / part * later for n, later in pairwise(sizes))
    read += 9 * sum(sizes) * 64 * sum(sizes) / free
    assert little.seconds - plenty.seconds == pytest.approx(module.READING * read)


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
