"""What `estimate` says of a game that is not solved, against what is known of it."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

import pytest

from solver import Game, Outcome, load_game
from solver.solving.estimate import Estimate, estimate
from tests.conftest import Command

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


@cache
def estimated(spec: str) -> Estimate:
    """Estimate a game once for all tests."""
    return estimate(load_game(spec))


def close(found: Estimate, known: int) -> bool:
    return known / 1.5 < found.positions < known * 1.5


@pytest.mark.no_cover
@pytest.mark.parametrize("spec", CONNECT4)
def test_estimates_are_close(spec: str) -> None:
    """Within a factor of 1.5, and mostly within the range that is given."""
    found = estimated(spec)
    assert close(found, CONNECT4[spec])
    assert found.low <= found.positions <= found.high
    assert found.exact == (CONNECT4[spec] < 3_000_000)
    assert sum(ply.positions for ply in found.plies) == pytest.approx(found.positions, rel=1e-6)


@pytest.mark.no_cover
def test_the_range_holds_the_truth_nearly_always() -> None:
    held = 0
    for seed in range(12):
        found = estimate(load_game("connect4:4x4"), 2_000, seed)
        assert not found.exact
        assert close(found, 161_029)
        held += found.low <= 161_029 <= found.high
    assert held >= 9


def test_small_games_are_counted(known: dict[str, Any]) -> None:
    found = estimate(load_game("tictactoe"))
    assert [ply.positions for ply in found.plies] == known["tictactoe"]["positions_by_ply"]
    assert [ply.canonical for ply in found.plies] == known["tictactoe"]["canonical_by_ply"]
    assert (found.positions, found.low, found.high, found.exact) == (5478, 5478, 5478, True)
    assert estimate(load_game("nim:3,4,5")).positions == 48
    assert estimate(load_game("mnk:4,3,3")).canonical == 28_275


@pytest.mark.no_cover
def test_plies_of_the_real_board() -> None:
    """OEIS A212693 begins 1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186."""
    found = estimated("connect4:7x6")
    numbers = [ply.positions for ply in found.plies]
    assert numbers[:10] == [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186]
    assert len(numbers) == 43


@pytest.mark.no_cover
def test_the_same_seed_says_the_same() -> None:
    some, same = (estimate(load_game("connect4:4x4"), 2_000, 7) for _ in range(2))
    other = estimate(load_game("connect4:4x4"), 2_000, 8)
    assert some.plies == same.plies != other.plies


@pytest.mark.no_cover
def test_sizes_of_solved_games() -> None:
    """The file within a quarter, memory enough and not far more than that."""
    for spec, size, peak in (
        ("connect4:5x5", 86.6e6, 480e6),  # measured
        ("connect4:6x4", 111.7e6, 580e6),
        ("mnk:4,4,4", 4.70e6, 195e6),
    ):
        found = estimated(spec)
        assert found.file == pytest.approx(size, rel=0.25)
        assert peak < found.memory < 2 * peak


@pytest.mark.no_cover
def test_what_is_measured_of_solves() -> None:
    """The disk that a solve takes at most, as measured, within three parts of ten."""
    for spec, disk in (("connect4:5x4", 25.6e6), ("connect4:5x5", 518e6), ("connect4:6x4", 699e6)):
        assert estimated(spec).disk == pytest.approx(disk, rel=0.3)


@pytest.mark.no_cover
def test_workers_with_little_memory() -> None:
    """They hold no more than they may, the table is the same, and the disk is used more."""
    game = load_game("connect4:6x4")
    one, many = (
        estimate(game, 50_000, workers=workers, memory=memory)
        for workers, memory in ((1, None), (4, 300 * 10**6))
    )
    assert (many.workers, many.memory) == (4, 300 * 10**6)
    assert many.file == one.file
    assert many.volume > one.volume
    for found in (one, many):
        assert found.seconds_low < found.seconds < found.seconds_high
    hashed = load_game("mnk:5,4,4")
    less, all_ = (estimate(hashed, 50_000, memory=memory).disk for memory in (300 * 10**6, None))
    assert less > all_  # entries are sorted on disk


class Walk(Game[int, int]):
    """Steps of 1 to 3 on a long line; its rules do not tell what leads to a position."""

    def initial(self) -> int:
        return 0

    def moves(self, p: int) -> tuple[int, ...]:
        return (1, 2, 3)

    def play(self, p: int, m: int) -> int:
        return p + m

    def primitive(self, p: int) -> Outcome | None:
        return Outcome.LOSS if p >= 1_000_000 else None

    def tier(self, p: int) -> int:
        return p


def test_a_game_that_does_not_tell_its_parents() -> None:
    found = estimate(Walk(), 1_000)
    assert not found.complete
    assert "do not define parents" in found.remarks[0]


class Diagonal(Walk):
    """The same as sets: from (a, b) to (a + 1, b), (a, b + 1) or two steps at once."""

    def initial(self) -> int:
        return 0

    def moves(self, p: int) -> tuple[int, ...]:
        return (1, 1000, 1001)

    def primitive(self, p: int) -> Outcome | None:
        return Outcome.LOSS if p // 1000 >= 20 or p % 1000 >= 20 else None

    def tier(self, p: int) -> int:
        return p // 1000 + p % 1000

    def parents(self, p: int) -> list[int]:
        before = [p - m for m in (1, 1000, 1001) if p >= m and p % 1000 >= m % 1000]
        return [q for q in before if self.primitive(q) is None]


def test_moves_that_skip_tiers() -> None:
    """A grid of 20 by 20 open places, with an edge of 41: 441 in all."""
    right = 20 * 20 + 20 + 20 + 1
    assert estimate(Diagonal()).positions == right
    found = estimate(Diagonal(), 100)
    assert not found.exact
    assert math.isclose(found.positions, right, rel_tol=0.25)


def test_the_command(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    found = command.json("estimate", "connect4:4x4")
    assert (found["positions"], found["exact"]) == (161_029, True)
    assert [ply["ply"] for ply in found["plies"]] == list(range(17))
    assert command("estimate", "tictactoe") == 0
    assert "tictactoe: 5,478 positions, counted exactly." in command.out
    assert "no game" in command.refuses("estimate", "go")
    monkeypatch.setattr("solver.cli.estimate.estimate", lambda game, **_: estimated(game.spec))
    assert command("estimate", "connect4:7x6") == 0
    assert re.search(r"connect4:7x6: about [345]\.\d+e\+12 positions", command.out)
    assert "No single machine can do this." in command.out
    assert "TB of memory" in command.out


def test_the_command_for_workers(command: Command) -> None:
    found = command.json("estimate", "connect4:6x4", "--workers", "3", "--memory", "280MB")
    assert (found["workers"], found["memory"]) == (3, 280_000_000)
    assert command("estimate", "connect4:6x4", "--workers", "3", "--memory", "280MB") == 0
    assert " on 3 processors like this machine's, 280 MB of memory each and" in command.out
    assert "more than the limit of 1 MB" in command.refuses(
        "estimate", "connect4:5x4", "--memory", "1MB"
    )
    assert "not a size" in command.refuses("estimate", "connect4:5x4", "--memory", "much")
