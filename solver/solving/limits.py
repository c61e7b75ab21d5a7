"""What a solve may take of this machine: a hopeless one is refused, and none fills the disk.

`Guard` compares what a solve needs, by its forecast, with free disk and with memory, before a large
solve writes much. `DiskGuard` watches the disk while a solve runs.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.clock import thread_time
from solver.errors import SolveTooLargeError
from solver.games import copy_game
from solver.games.catalogue import GAMES
from solver.rules.default_keys import keys_state
from solver.rules.laws import can_repeat
from solver.solving.forecast import (
    QUICK,
    Forecast,
    cost,
    cost_in_words,
    forecast,
    size_in_words,
)
from solver.solving.growth import Growth, grown
from solver.solving.memory import PLENTY, installed
from solver.tables.format import MOST_JSON
from solver.tables.mapped_file import WIDEST
from solver.tables.store import WORK, user_path
from solver.units import format_size

if TYPE_CHECKING:
    from typing import BinaryIO

    from solver.rules.game import Game
    from solver.rules.kernel import Kernel
    from solver.solving.options import SolveOptions

LARGE, LARGE_PLAIN = 1_000_000, 50_000  # positions from which on a solve is checked
SLOW = 3.0  # seconds of CPU time in plain Python from which on a solve is checked, too
FACTOR = 10  # by which a solve must exceed a limit to be refused, since forecasts are rough
RESERVE = 10**9  # bytes of disk that a solve leaves free
SMALL_WORK = 1 << 26  # bytes that a process may write in any case
PIECE = 1 << 23  # bytes written at once


class Guard:
    """Refuses a hopeless solve with unfinished work in `folder` and its table in `target`."""

    def __init__(
        self, game: Game[Any, Any], folder: str, target: str, options: SolveOptions
    ) -> None:
        self.game, self.folder, self.target, self.options = game, folder, target, options
        self._kernel: Kernel | None = None
        self._known = {one.spec: one for one in GAMES}.get(game.spec)
        self._checked = options.force
        self._started = thread_time()

    def start(self, kernel: Kernel | None) -> None:
        """Take note of what solves the game, and refuse a game that is known to be too large."""
        self._kernel = kernel
        if self._known is not None and not self._checked:
            self._checked = True
            whole = self._known.positions // len(self.game.symmetries)
            self.refuse(cost(self.game, self._known.canonical or whole, kernel, None))

    def check_growth(self) -> None:
        """Raise SolveTooLargeError if numbers in the positions grow without end; or report it."""
        growth = Growth() if self._known is not None else grown(copy_game(self.game))
        if growth.is_hopeless and not self.options.force:
            raise SolveTooLargeError(f"{growth.said} --force solves it all the same")
        if growth.said:
            self.options.report(growth.said)

    def check(self, found: int) -> None:
        """Raise SolveTooLargeError for a hopeless game, once it is found to be large or slow.

        Called with the number of positions found so far.
        """
        if self._checked or self._known is not None:
            return
        is_plain = self._kernel is None
        is_slow = is_plain and thread_time() - self._started > SLOW
        if is_slow or found >= (LARGE_PLAIN if is_plain else LARGE):
            self._checked = True
            self.options.report(f"forecasting what it takes to solve {self.game.spec}")
            copy = copy_game(self.game)  # which may get other keys than the solve
            self.refuse(forecast(copy, QUICK, self._find, self.options.progress))

    def _find(self, game: Game[Any, Any]) -> tuple[Kernel | None, str]:
        """Return the kernel of the solve for a copy of the game, if it has the same keys."""
        return (self._kernel if keys_state(game) == keys_state(self.game) else None), ""

    def refuse(self, size: Forecast) -> None:
        """Raise SolveTooLargeError if a solve is beyond the limits by a factor; or report it."""
        is_search = self.options.method == "search"
        if is_search:  # which stores no work
            size = size._replace(disk=0)
        bounds = self.folder, self.target, self.options
        beyond = exceeded(size, *bounds, FACTOR)
        text = f"{size_in_words(size)} Solving it takes {cost_in_words(size)}."
        if not beyond:
            if near := exceeded(size, *bounds):
                self.options.report(f"this may not finish: {text} {' '.join(near)}")
            return
        other = "the method retrograde" if is_search else "a larger disk for --workdir or -o"
        searched = " Without a table it is answered by search." if self.game.searchable else ""
        weak = weak_way(self.game, self.options.name or size.game)
        raise SolveTooLargeError(
            f"{text} {' '.join(beyond)} What helps is a smaller board, {other}, more --memory, or"
            f" --force, which starts it all the same.{searched}{weak}"
        )


def refuse_hopeless(game: Game[Any, Any], options: SolveOptions) -> None:
    """Raise SolveTooLargeError for a game that is far too large, before its laws are checked."""
    folder = user_path(game.spec, WORK)
    guard = Guard(game, folder, folder, options)
    guard.refuse(forecast(copy_game(game), QUICK, lambda _: (None, ""), options.progress))


def exceeded(
    size: Forecast, folder: str, target: str, options: SolveOptions, factor: float = 1
) -> list[str]:
    """Return sentences about what a solve exceeds `factor` times: memory, disk or a table."""
    beyond = []
    room = options.memory or (installed() or PLENTY) // options.workers
    if options.scheduler is None and size.memory > factor * room:
        beyond.append(f"There is less memory for it: {format_size(room)}.")
    if size.is_wide and size.positions > factor * MOST_JSON:
        beyond.append(
            f"Its keys have more than {WIDEST} bits, so its table is a JSON file of up to"
            f" {MOST_JSON:,} positions."
        )
    for path, need in ((folder, size.disk), (target, size.table)):
        volume = existing(path)
        free = shutil.disk_usage(volume).free
        if need > SMALL_WORK and need > factor * free:
            beyond.append(f"The disk of {volume} has less free space: {format_size(free)}.")
    return list(dict.fromkeys(beyond))


def weak_way(game: Game[Any, Any], name: str) -> str:
    """Return a sentence about solving a game weakly; nothing if that cannot work."""
    if game.one_process or can_repeat(game):
        return ""
    return f" Without a table, perfectplay solve {name} --weak looks for a strategy."


def existing(path: str) -> str:
    """Return the folder in which `path` is, or the nearest one above it that exists."""
    start = Path(path).absolute()
    return str(next(folder for folder in (start, *start.parents) if folder.is_dir()))


class DiskGuard:
    """Writes the files of a folder, but raises OSError before less than RESERVE is free."""

    def __init__(self, folder: str) -> None:
        self.folder, self.written = folder, 0

    def write(self, file: BinaryIO, data: Any) -> None:
        """Write a buffer to a file."""
        view = memoryview(data).cast("B")
        for start in range(0, len(view), PIECE):
            piece = view[start : start + PIECE]
            self.written += len(piece)
            if self.written > SMALL_WORK:
                self._check(len(piece))
            file.write(piece)

    def _check(self, size: int) -> None:
        if shutil.disk_usage(self.folder).free < RESERVE + size:
            raise OSError(
                f"the disk of {self.folder} is nearly full, and a solve leaves"
                f" {format_size(RESERVE)} free: free some space, then run the same command to"
                " resume"
            )
