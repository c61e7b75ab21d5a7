"""How large a game is and what solving it takes on this machine, without solving it.

`forecast` takes a game and returns a `Forecast`; `cost` does for a known number of positions.
Positions are counted up to symmetry, ply by ply from the start, for some seconds of CPU time. If
that is not the whole game, the rest is a guess:

    size of the next ply = size of this ply * branching of this ply / meeting of the next one

The branching is the number of moves that a position has on average, 0 where the game is over. It is
measured by playing on at random from some positions of the last ply that was counted. The meeting
is the number of moves that lead to a position from the ply before, on average. It is known for the
plies that were counted, and grows about evenly from ply to ply: when stones are placed, for
example, any of those of one side may have come last. So it follows a line through the last plies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from statistics import linear_regression
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.clock import thread_time
from solver.kernels import find_kernel
from solver.rules.default_keys import key_width, with_keys
from solver.rules.game import Game, overrides, walk
from solver.rules.kernel import Kernel, LayeredKernel
from solver.rules.positions import children
from solver.solving.growth import Growth
from solver.solving.options import Progress
from solver.tables.mapped_file import WIDEST
from solver.units import format_duration, format_size

if TYPE_CHECKING:
    import numpy as np

BUDGET = 10.0  # seconds of CPU time for counting
QUICK = 3.0  # the same where something else was asked for
FIRST = 2.0  # seconds in plain Python before rules are compiled, which takes longer
MOST = 16_000_000  # positions to count with a kernel, which take 300 MB
PIECE = 1 << 14  # positions expanded at once with a kernel
STEP = 0.1  # seconds of CPU time between two reports of progress
SHOWN = 6  # last plies that show how the meeting grows
FEWEST = 4  # of these; with fewer the meeting grows
RISE = 0.5  # with each ply, as if any earlier move of one side could have come last
SAMPLE = 100  # positions of each ply that show how many moves there are; fewer if rules are slow,
PLIES = 40  # so that there is time for this many plies
MOST_PLIES = 1000
HUGE = 10**18  # positions at which a guess stops
WALKED = 1000  # plies of random games that show how many tiers there are

EXACT, GUESS, LEAST, KNOWN = "exact", "guess", "at least", "known"

Finding = Callable[[Game[Any, Any]], tuple[Kernel | None, str]]
"""A function that returns a game's kernel or None, and a remark, as `find_kernel` does."""


class Rates(NamedTuple):
    """What a solve takes for each position; roughly, as measured for some games."""

    solving: float
    """CPU time, relative to counting the position."""
    memory: int
    """Bytes for each position of the largest tier; 0 if tiers are split to fit."""
    work: int
    """Bytes of unfinished work."""


TABLE = 6  # bytes of a table for each position
PLAIN = Rates(4.0, 600, 20)
TIERED = Rates(2.0, 140, 43)
LAYERED = Rates(0.35, 0, 6)


class Forecast(NamedTuple):
    """How large a game is, and roughly what solving it takes on this machine."""

    game: str
    positions: int
    """Up to symmetry."""
    certainty: str
    """'exact' if all were counted, 'guess', 'at least' if no end is in sight, or 'known'."""
    plies: list[int]
    """The positions of each ply that was counted."""
    seconds: float | None
    """CPU time; None if it was not measured."""
    memory: int
    """Bytes of memory for positions."""
    disk: int
    """Bytes of disk while solving, without the table."""
    table: int
    """Bytes of the table."""
    is_wide: bool
    """Whether keys are too wide for a table but a JSON file of few positions."""
    remark: str
    """Why the rules are not compiled, if that was tried."""
    growth: str
    """What makes it likely that the game has no end, if not all positions were counted."""


class _Count:
    """The plies of a game, counted so far."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game
        self.sizes: list[int] = []
        self.moves: list[int] = []
        """The moves of all positions of each ply; for the last ply, if they were followed."""
        self.last: Any = []
        """The positions of the last ply; keys if a kernel counts."""
        self.growth = Growth()
        self.complete = False
        self.seconds, self.followed = 0.0, 0

    @property
    def speed(self) -> float:
        """How many seconds it took to follow a position."""
        return self.seconds / max(1, self.followed)

    def run(self, counting: Iterator[int], seconds: float, progress: Progress) -> None:
        """Count for so many seconds of CPU time, or go on with that."""
        started = shown = thread_time()
        for count in counting:
            now = thread_time()
            if now > shown + STEP:
                shown = now
                progress("counting", count, None)
            if now > started + seconds or (count > MOST and self.is_compiled):
                break
        self.seconds += thread_time() - started

    @property
    def is_compiled(self) -> bool:
        """Whether a kernel counts."""
        return not isinstance(self.last, list)

    def in_python(self) -> Iterator[int]:
        """Count in plain Python; yield the number of positions after each that was followed."""
        self.last = [self.game.canonical(self.game.initial())]
        seen = {*self.last}
        while self.last:
            self.sizes.append(len(self.last))
            self.growth.add(self.last)
            found: dict[Any, None] = {}
            moves = 0
            for p in self.last:
                after = children(self.game, p)
                moves += len(after)
                self.followed += 1
                found.update(dict.fromkeys(q for q in after if q not in seen))
                yield len(seen) + len(found)
            self.moves.append(moves)
            seen.update(found)
            self.last = [*found]
        self.complete = True

    def by_kernel(self, kernel: Kernel) -> Iterator[int]:
        """Count with a kernel; yield the number of positions after each piece of a ply."""
        from solver.rules.key_arrays import pieces
        from solver.solving.tier_graph import KeyNumbers

        game = self.game
        self.last = kernel.start(game.key(game.canonical(game.initial()))).astype("i8")
        numbers = KeyNumbers(self.last)
        while len(self.last):
            self.sizes.append(len(self.last))
            before, moves = numbers.count, 0
            for piece in pieces(self.last, PIECE):
                after: np.ndarray = kernel.expand(piece.astype(kernel.dtype))[1]
                legal = after[after >= 0].astype("i8")
                moves += len(legal)
                self.followed += len(piece)
                numbers.number(legal)
                yield numbers.count
            self.moves.append(moves)
            self.last = numbers.keys[before:]
        self.complete = True

    def sample(self, generator: Random, most: int) -> list[Any]:
        """Return some positions of the last ply."""
        drawn = generator.sample(range(len(self.last)), min(most, len(self.last)))
        some = [self.last[i] for i in drawn]
        return [self.game.position(int(key)) for key in some] if self.is_compiled else some


def forecast(
    game: Game[Any, Any],
    budget: float = BUDGET,
    find: Finding = find_kernel,
    progress: Progress = lambda *_: None,
) -> Forecast:
    """Return how large a game is, counted for so many seconds, and what solving it takes.

    `find` returns the kernel, which is asked for only if plain Python does not soon count all.
    Raises GameLawError or KernelError if the rules are wrong.
    """
    count = in_python = _Count(game)
    counting, first = count.in_python(), min(FIRST, budget)
    count.run(counting, first, progress)
    kernel, remark = None, ""

    def compiled() -> tuple[Kernel | None, str, _Count]:
        kernel, remark = find(game)
        if kernel is None:
            return None, remark, count
        other = _Count(game)
        other.run(other.by_kernel(kernel), budget, progress)
        return kernel, remark, other

    if not count.complete:
        kernel, remark, count = with_keys(game, compiled)
        if kernel is None:
            count.run(counting, budget - first, progress)
    most = max(1, min(SAMPLE, int(budget / 2 / PLIES / max(in_python.speed, 1e-9))))
    positions, certainty = with_keys(game, lambda: _guess(count, budget / 2, most))
    return cost(game, positions, kernel, count.speed)._replace(
        certainty=certainty,
        plies=count.sizes,
        remark=remark,
        growth="" if certainty == EXACT else in_python.growth.said,
    )


def _guess(count: _Count, seconds: float, most: int) -> tuple[int, str]:
    """Return the number of positions, and how certain it is.

    It is guessed in so many seconds, by at `most` so many positions of each ply.
    """
    total, sizes = sum(count.sizes), count.sizes
    if count.complete:
        return total, EXACT
    meeting = [moves / size for moves, size in zip(count.moves, sizes[1:], strict=False)]
    meeting = meeting[1:][-SHOWN:]  # without the first: moves from a symmetric start meet
    slope, base = RISE, max([1.0, *meeting[-1:]])
    if len(meeting) >= FEWEST:
        slope, base = linear_regression(range(1 - len(meeting), 1), meeting)
    generator, end = Random(0), thread_time() + seconds
    sample, size, guessed = count.sample(generator, most), float(sizes[-1]), float(total)
    for ply in range(1, MOST_PLIES):
        after, followed = list[Any](), 0
        for p in sample:
            after += children(count.game, p)
            followed += 1
            if thread_time() > end:
                break
        size *= len(after) / followed / max(1.0, base + max(0.0, slope) * ply)
        guessed += size
        if size < 1:
            return round(guessed), GUESS
        if guessed > HUGE or thread_time() > end:
            break
        sample = generator.sample(after, min(most, len(after)))
    return round(min(guessed, HUGE)), LEAST


def cost(
    game: Game[Any, Any], positions: int, kernel: Kernel | None, speed: float | None
) -> Forecast:
    """Return what solving so many positions takes, of which each is counted in `speed` seconds."""
    rates = PLAIN
    if kernel is not None:
        rates = LAYERED if isinstance(kernel, LayeredKernel) else TIERED
    tiers = 1
    if overrides(game, "tier"):
        tiers = len({game.tier(p) for p in walk(game, WALKED)})
    largest = min(1.0, 3 / tiers)  # about the share of the largest tier, if sizes rise and fall
    return Forecast(
        game=game.spec,
        positions=positions,
        certainty=KNOWN,
        plies=[],
        seconds=None if speed is None else rates.solving * speed * positions,
        memory=int(rates.memory * largest * positions),
        disk=rates.work * positions,
        table=TABLE * positions,
        is_wide=with_keys(game, lambda: key_width(game)) > WIDEST,
        remark="",
        growth="",
    )


def size_in_words(size: Forecast) -> str:
    """Return a sentence about the number of positions."""
    number = f"{size.positions:,}" if size.positions < HUGE else f"{size.positions:.0e}"
    plies = f"{len(size.plies)} plies"
    counted = {
        EXACT: f"exactly {number} positions up to symmetry",
        GUESS: f"about {size.positions:.2g} positions up to symmetry, a guess after {plies}",
        LEAST: f"more than {number} positions up to symmetry, a guess after {plies}",
        KNOWN: f"{number} positions up to symmetry",
    }
    return f"{size.game}: {counted[size.certainty]}."


def cost_in_words(size: Forecast) -> str:
    """Return the CPU time, memory and disk of a solve in words."""
    memory = "as much memory as it may use"  # tiers are split to fit
    if size.memory:
        memory = f"{format_size(size.memory)} of memory for positions"
    parts = f"{memory} and {format_size(size.disk + size.table)} of disk"
    if size.seconds is not None:
        parts = f"{format_duration(size.seconds)} of CPU time, {parts}"
    return f"roughly {parts}"
