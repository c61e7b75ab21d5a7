"""Estimates of games that are not solved, against published and measured numbers."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from solver import Game, Outcome, load_game
from solver.compiling.find import find_kernel
from solver.solving import estimate as module
from solver.solving.estimate import Estimate, estimate
from solver.solving.estimate_count import EXAMPLES, Count, count_plain
from solver.solving.estimate_sample import Sampler
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
COUNTED: dict[Any, Any] = {}
large = pytest.mark.large


@cache
def estimated(spec: str, budget: int | None = None, seed: int = 0) -> Estimate:
    """Return the estimate of a game, computed once for all tests."""
    return estimate(load_game(spec), budget, seed)


@pytest.fixture(autouse=True)
def counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count and sample each game only once for all tests."""

    def remember(function: Callable[..., Any], key: Callable[..., Any]) -> Callable[..., Any]:
        def remembered(*arguments: Any) -> Any:
            place = function, key(*arguments)
            if place not in COUNTED:
                COUNTED[place] = function(*arguments)
            return COUNTED[place]

        return remembered

    count = remember(module._count, lambda game, kernel, budget: (game.spec, budget))
    sample = remember(module._sample, lambda game, count, *how: (game.spec, len(count.plies), *how))
    monkeypatch.setattr(module, "_count", count)
    monkeypatch.setattr(module, "_sample", sample)


def is_close(found: Estimate, known: int) -> bool:
    return known / 1.5 < found.positions < known * 1.5


@pytest.mark.no_cover
@pytest.mark.slow
@pytest.mark.parametrize(
    "spec",
    [
        *("connect4:4x4", "connect4:5x4", "connect4:5x5"),
        *(pytest.param(spec, marks=large) for spec in ("connect4:4x5", "connect4:6x4")),
        *(pytest.param(f"connect4:{size}", marks=large) for size in ("5x6", "6x5", "7x6")),
    ],
)
@pytest.mark.thinned(3)
def test_estimates_are_close_to_the_published_numbers(spec: str) -> None:
    """They are within a factor of 1.5."""
    found = estimated(spec)
    assert is_close(found, CONNECT4[spec])
    assert found.low <= found.positions <= found.high
    assert found.exact == (CONNECT4[spec] < 3_000_000)
    assert sum(ply.positions for ply in found.plies) == pytest.approx(found.positions, rel=1e-6)


@pytest.mark.no_cover
@pytest.mark.slow
@pytest.mark.parametrize(("seeds", "most_outside"), [(1, 0), pytest.param(12, 3, marks=large)])
@pytest.mark.large
def test_the_range_nearly_always_includes_the_true_number(seeds: int, most_outside: int) -> None:
    inside = 0
    for seed in range(seeds):
        found = estimated("connect4:4x4", 2_000, seed)
        assert not found.exact
        assert is_close(found, 161_029)
        inside += found.low <= 161_029 <= found.high
    assert inside >= seeds - most_outside


def test_small_games_are_counted(known: dict[str, Any]) -> None:
    found = estimate(load_game("tictactoe"))
    assert [ply.positions for ply in found.plies] == known["tictactoe"]["positions_by_ply"]
    assert [ply.canonical for ply in found.plies] == known["tictactoe"]["canonical_by_ply"]
    assert (found.positions, found.low, found.high, found.exact) == (5478, 5478, 5478, True)
    assert estimate(load_game("nim:3,4,5")).positions == 48
    assert estimate(load_game("mnk:4,3,3")).canonical == 28_275


@pytest.mark.no_cover
@pytest.mark.large
def test_plies_of_connect_4_on_7x6() -> None:
    """OEIS A212693 starts with 1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186."""
    found = estimated("connect4:7x6")
    numbers = [ply.positions for ply in found.plies]
    assert numbers[:10] == [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186]
    assert len(numbers) == 43


@pytest.mark.no_cover
@pytest.mark.slow
def test_equal_seeds_give_equal_estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # of counted_once
    monkeypatch.setattr(module, "SAMPLES", 3)
    game = load_game("tictactoe")
    some, same, other = (estimate(game, 200, seed) for seed in (7, 7, 8))
    assert not some.exact
    assert some.plies == same.plies != other.plies


@pytest.mark.no_cover
@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "size", "peak"),
    [  # measured
        ("connect4:5x5", 86.6e6, 480e6),
        pytest.param("mnk:4,4,4", 1.19e6, 185e6, marks=large),
        pytest.param("connect4:6x4", 111.7e6, 580e6, marks=large),
    ],
)
def test_file_and_memory_are_close_to_those_measured(spec: str, size: float, peak: float) -> None:
    """The file is within a quarter, and the memory is enough but not more than twice as much."""
    found = estimated(spec)
    assert found.file == pytest.approx(size, rel=0.25)
    assert peak < found.memory < 2 * peak


@pytest.mark.no_cover
@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "disk"),
    [  # measured
        ("connect4:5x4", 19.3e6),
        ("connect4:5x5", 348e6),
        pytest.param("connect4:6x4", 461e6, marks=large),
    ],
)
def test_disk_is_close_to_that_measured(spec: str, disk: float) -> None:
    assert estimated(spec).disk == pytest.approx(disk, rel=0.3)


@pytest.mark.no_cover
@pytest.mark.slow
def test_workers_with_little_memory_need_more_disk() -> None:
    """They stay within their limit, and the table is the same."""
    game = load_game("connect4:5x5")
    one, many = (
        estimate(game, workers=workers, memory=memory)
        for workers, memory in ((1, None), (4, 300 * 10**6))
    )
    assert (many.workers, many.memory) == (4, 300 * 10**6)
    assert many.file == one.file
    assert many.volume > one.volume
    for found in (one, many):
        assert found.seconds_low < found.seconds < found.seconds_high


@pytest.mark.no_cover
@pytest.mark.large
def test_little_memory_makes_mixed_keys_be_sorted_on_disk() -> None:
    game = load_game("mnk:5,4,4")
    little, much = (estimate(game, 50_000, memory=memory).disk for memory in (300 * 10**6, None))
    assert little > much


class Walk(Game[int, int]):
    """Steps of 1 to 3 on a long line; the rules do not define parents."""

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


def no_kernel(game: Game[Any, Any]) -> tuple[None, str]:
    return None, ""


@pytest.mark.parametrize("compiled", [True, False])
def test_a_game_without_parents_is_not_sampled(
    compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was counted with a kernel is reported, not the fewer positions counted for a sample."""
    monkeypatch.undo()  # of counted_once
    monkeypatch.setattr(module, "BUDGET_PLAIN", 100)
    found = estimate(Walk(), 1_000, find=find_kernel if compiled else no_kernel)
    assert not found.complete
    assert found.positions >= 1_000
    assert re.fullmatch(
        r"counting stopped after \S+ seconds?, and the rest cannot be estimated, because its rules"
        " do not define parents; a solve may still work",
        found.remarks[0],
    )


class Diagonal(Walk):
    """Steps on a grid: from (a, b) to (a + 1, b), (a, b + 1) or (a + 1, b + 1)."""

    size = 10

    def initial(self) -> int:
        return 0

    def moves(self, p: int) -> tuple[int, ...]:
        return (1, 1000, 1001)

    def primitive(self, p: int) -> Outcome | None:
        return Outcome.LOSS if max(divmod(p, 1000)) >= self.size else None

    def tier(self, p: int) -> int:
        return p // 1000 + p % 1000

    def parents(self, p: int) -> list[int]:
        before = [p - m for m in (1, 1000, 1001) if p >= m and p % 1000 >= m % 1000]
        return [q for q in before if self.primitive(q) is None]


class Square(Diagonal):
    """The same without the last step: every move leads to the next tier."""

    size = 6

    def moves(self, p: int) -> tuple[int, ...]:
        return (1, 1000)

    def parents(self, p: int) -> list[int]:
        return [q for q in super().parents(p) if q != p - 1001]


@pytest.mark.slow
@pytest.mark.large
def test_games_whose_moves_skip_tiers_are_sampled() -> None:
    """A grid of 10 by 10 open positions, with an edge of 21: 121 in all."""
    right = 10 * 10 + 10 + 10 + 1
    assert estimate(Diagonal()).positions == right
    found = estimate(Diagonal(), 30)
    assert not found.exact
    assert math.isclose(found.positions, right, rel_tol=0.25)


@pytest.mark.slow
def test_plies_are_counted_by_tier_if_moves_skip_some() -> None:
    assert estimate(Diagonal(), find=no_kernel).unit == "ply"
    assert estimate(Diagonal(), 90, rough=True).unit == "tier"
    assert estimate(Square(), 12, rough=True).unit == "ply"


@pytest.mark.slow
def test_different_seeds_share_no_sample() -> None:
    """Each estimate is the mean of samples of its own."""
    game = Square()
    count = count_plain(game, 12)
    drawn = []
    for seed in range(2):
        plies, _ = module._sample(game, count, seed, module.SAMPLES)
        drawn += [*zip(*(ply.positions for ply in plies[len(count.plies) :]), strict=True)]
    assert len(drawn) == len(set(drawn)) == 2 * module.SAMPLES


def test_the_range_is_that_of_student() -> None:
    """The 95 % interval of a mean, by the standard library, a quarter wider; never below 0."""
    for values in (
        [3.0, 5.5, 9.0],
        [10.0, 11.0, 12.5, 9.0, 14.0, 8.0, 12.0, 10.5],
        [0.0, 0.0, 9.0],
    ):
        error = statistics.stdev(values) / len(values) ** 0.5
        half = {3: 4.303, 8: 2.365}[len(values)] * error * 1.25
        middle = statistics.mean(values)
        right = middle, max(0, middle - half), middle + half
        assert module._range(values) == tuple(map(round, right))
    assert module._range([7.0]) == (7, 7, 7)


def test_the_range_of_the_time_follows_that_of_the_positions() -> None:
    found = estimate(Square(), 12, rough=True)
    assert found.low < found.positions < found.high
    for spread, seconds in (
        (found.low, found.seconds_low * 1.3),
        (found.high, found.seconds_high / 1.3),
    ):
        assert seconds == pytest.approx(found.seconds * spread / found.positions)
    assert (found.exact, found.complete, found.remarks) == (False, True, [])


def test_a_sample_has_every_ply_and_enough_examples() -> None:
    """The symmetries of tic-tac-toe hold for positions that are sampled, too."""
    game = load_game("tictactoe")
    found = estimate(game, 200, find=no_kernel)
    assert len(found.plies) == 10
    assert is_close(found, 5478)
    assert 765 / 1.5 < found.canonical < 765 * 1.5
    count = count_plain(game, 200)
    plies, why = module._sample(game, count, 0, module.SAMPLES)
    assert why == ""
    assert plies[: len(count.plies)] == count.plies
    for ply in plies[len(count.plies) :]:
        assert len(ply.positions) == len(ply.canonical) == module.SAMPLES
        assert len(ply.examples) == EXAMPLES


def test_a_known_number_of_positions_is_not_sampled() -> None:
    game = Square()
    counted = count_plain(game, 12).plies
    found = estimate(game, 12, known=1000)
    assert found.positions == found.low == found.high == 1000
    assert found.complete
    assert not found.exact
    assert [ply.positions for ply in found.plies[:-1]] == [ply.positions[0] for ply in counted]
    assert found.plies[-1].positions == 1000 - sum(ply.positions[0] for ply in counted)
    assert found.canonical == 1000
    tictactoe = estimate(load_game("tictactoe"), 80, known=5478, find=no_kernel)
    last = tictactoe.plies[-2]
    rest = tictactoe.plies[-1].positions * last.canonical / last.positions
    assert tictactoe.plies[-1].canonical == round(rest)
    whole = estimate(load_game("tictactoe"), known=1)
    assert (whole.positions, whole.exact) == (5478, True)


@pytest.mark.slow
def test_a_rough_estimate_counts_less(monkeypatch: pytest.MonkeyPatch) -> None:
    budgets: list[int | None] = []
    count = module._count

    def noted(game: Any, kernel: Any, budget: int | None) -> Any:
        budgets.append(budget)
        return count(game, kernel, 100)

    monkeypatch.setattr(module, "_count", noted)
    game = load_game("tictactoe")
    for find in (find_kernel, no_kernel):
        for known in (None, 5478):
            estimate(game, rough=True, known=known, find=find)
    estimate(game, 70, rough=True, known=5478)
    estimate(game, known=5478)
    assert budgets == [3_000_000, 300_000, 50_000, 5_000, 70, None]


@pytest.mark.slow
def test_sampling_ends_when_it_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # of counted_once
    game = Square()
    count = count_plain(game, 12)
    seed, works = next(
        (seed, works) for seed in range(9) if (works := works_of(game, count, seed))[2] % 2 == 0
    )

    def samples(most_work: int, most: int = module.SAMPLES) -> int:
        """Return how many samples are drawn; 0 if it takes too long."""
        monkeypatch.setattr(module, "MOST_WORK", most_work)
        plies, why = module._sample(game, count, seed, most)
        assert bool(why) is (plies is count.plies)
        assert "sampling takes too long" in why or not why
        return 0 if why else len(plies[-1].positions)

    assert samples(works[1]) == samples(works[2]) == 3  # the fewest, whatever it takes
    assert samples(works[2] + 1) == 4
    assert samples(works[2] // 2, 3) == 3
    assert samples(works[2] // 2 - 1, 3) == 0


def works_of(game: Game[Any, Any], count: Count, seed: int) -> list[int]:
    """Return the work after each sample."""
    works = []

    class Noted(Sampler):
        def follow(self, *arguments: Any) -> Any:
            found = super().follow(*arguments)
            works.append(self.work)
            return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "Sampler", Noted)
        module._sample(game, count, seed, module.SAMPLES)
    return works


def test_a_game_just_too_large_for_json_is_stored_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And only then it matters that it has no kernel."""
    game = load_game("tictactoe")
    small = estimate(game)
    monkeypatch.setattr(module, "SMALL", 765)
    assert estimate(game).file == small.file

    class Slow(Square):
        """It has keys of its own, so that it is not compiled."""

        def key(self, p: int) -> int:
            return p + 1

        def position(self, key: int) -> int:
            return key - 1

    slow = estimate(Slow())
    assert slow.remarks == []
    monkeypatch.setattr(module, "SMALL", 764)
    file = estimate(game).file
    assert file is not None
    assert small.file is not None
    assert file < small.file / 5
    monkeypatch.setattr(module, "SMALL", slow.canonical - 1)
    assert len(estimate(Slow()).remarks) == 1


def test_the_command_prints_counts(command: Command) -> None:
    found = command.json("estimate", "connect4:4x4")
    assert (found["positions"], found["exact"]) == (161_029, True)
    assert [ply["ply"] for ply in found["plies"]] == list(range(17))
    assert command("estimate", "tictactoe") == 0
    assert "tictactoe: 5,478 positions, counted exactly." in command.out
    assert "no game" in command.refuses("estimate", "go")


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["connect4:5x5", pytest.param("connect4:7x6", marks=large)])
def test_the_command_reports_a_game_that_is_too_large(
    spec: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = estimated(spec)
    if spec != "connect4:7x6":
        found = found._replace(game="connect4:7x6", positions=4_531_985_219_092, memory=5 << 42)
    monkeypatch.setattr("solver.cli.solve.estimate", lambda game, **_: found)
    assert command("estimate", "connect4:7x6") == 0
    assert re.search(r"connect4:7x6: about [345]\.\d+e\+12 positions", command.out)
    assert "No single machine can do this." in command.out
    assert "TB of memory" in command.out


@pytest.mark.slow
def test_the_command_for_workers(command: Command) -> None:
    options = ("connect4:5x5", "--workers", "3", "--memory", "280MB")
    found = command.json("estimate", *options)
    assert (found["workers"], found["memory"]) == (3, 280_000_000)
    assert command("estimate", *options) == 0
    assert " on 3 processors like this machine's, 280 MB of memory each and" in command.out
    assert "more than the limit of 1 MB" in command.refuses(
        "estimate", "connect4:5x4", "--memory", "1MB"
    )
    assert "not a size" in command.refuses("estimate", "connect4:5x4", "--memory", "much")
