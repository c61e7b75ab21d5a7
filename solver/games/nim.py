"""Nim: take any number of objects from one heap; whoever takes the last object wins.

The order of the heaps does not matter, so a position is the sizes of the remaining heaps, in
ascending order. They are the digits of the key, in a base above the largest heap of the start. In
the game with heaps of 3, 4 and 5, the base is 6:

    |||
    ||||      (2, 3, 4), written 2,3,4
    ||        the key is 2 * 36 + 3 * 6 + 4 = 94

The side to move wins unless the exclusive or of the sizes is 0: Charles L. Bouton,
"Nim, a game with a complete mathematical theory", Annals of Mathematics 3 (1901).
"""

from __future__ import annotations

import re
from functools import reduce
from operator import le

from solver.errors import IllegalPositionError, quoted, shorten
from solver.rules.game import Game, check_text, check_turn
from solver.value import Outcome

PATTERN = r"nim:(\d{1,3}(?:,\d{1,3})*)"
FORM = "nim:A,B,C for heaps of A, B and C"
MOST_HEAPS, MOST = 10, 100
SIZES = re.compile(r"[\[({ ]*\d{1,3}(?:(?: *[,;/] *| +)\d{1,3})*[\])} ]*", re.ASCII)
WIDEST = 20  # objects of a heap that is drawn


def load(heaps: str) -> Nim:
    """Return the game with these heaps, such as 3,4,5."""
    return Nim(*map(int, heaps.split(",")))


class Nim(Game[tuple[int, ...], tuple[int, int]]):
    """Heaps of objects; the move (size, take) takes `take` objects from a heap of `size`."""

    about = "Take any number of objects from one heap. Whoever takes the last object wins."
    seats = "First", "Second"

    def __init__(self, *heaps: int) -> None:
        if len(heaps) not in range(1, MOST_HEAPS + 1) or not 1 <= min(heaps) <= max(heaps) <= MOST:
            raise ValueError(f"nim has 1 to {MOST_HEAPS} heaps of 1 to {MOST} objects")
        self.heaps = tuple(sorted(heaps))
        *most, last = map(str, self.heaps)
        self.title = f"Nim with {', '.join(most)} and {last}" if most else f"Nim with {last}"
        self.base = self.heaps[-1] + 1
        if self.heaps[-1] <= WIDEST:
            rows = enumerate(self.heaps)
            self.cell_places = [(i, row) for row, size in rows for i in range(size)]

    @property
    def spec(self) -> str:
        return f"nim:{self.text(self.heaps)}"

    def initial(self) -> tuple[int, ...]:
        return self.heaps

    def moves(self, p: tuple[int, ...]) -> list[tuple[int, int]]:
        return [(size, take) for size in dict.fromkeys(p) for take in range(1, size + 1)]

    def play(self, p: tuple[int, ...], m: tuple[int, int]) -> tuple[int, ...]:
        return _resized(p, m[0], m[0] - m[1])

    def primitive(self, p: tuple[int, ...]) -> Outcome | None:
        return None if p else Outcome.LOSS

    def tier(self, p: tuple[int, ...]) -> int:
        return sum(self.heaps) - sum(p)

    def key(self, p: tuple[int, ...]) -> int:
        return reduce(lambda key, size: key * self.base + size, p, 0)

    def position(self, key: int) -> tuple[int, ...]:
        return (*self.position(key // self.base), key % self.base) if key else ()

    def code(self, m: tuple[int, int]) -> str:
        return f"{m[0]}-{m[1]}"

    def label(self, p: tuple[int, ...], m: tuple[int, int]) -> str:
        return f"take {m[1]} of {m[0]}"

    def cell(self, p: tuple[int, ...], m: tuple[int, int]) -> int | None:
        """Return the first of the objects that are taken, from the left of their row.

        Heaps are rows, the largest one last.
        """
        row = len(self.heaps) - len(p) + p.index(m[0])
        return sum(self.heaps[:row]) + m[0] - m[1] if self.cell_places else None

    def marks(self, text: str) -> str:
        heaps = [int(size) for size in text.split(",")]
        rows = zip(self.heaps[::-1], heaps[::-1] + len(self.heaps) * [0], strict=False)
        return "".join(("|" * now).ljust(size, ".") for size, now in [*rows][::-1])

    def text(self, p: tuple[int, ...], turn: str | None = None) -> str:
        return ",".join(map(str, p)) or "0"

    def parse(self, text: str, turn: str | None = None) -> tuple[int, ...]:
        """Return the position with heaps of these sizes, in any order; a heap of 0 is ignored.

        It may be a list, or one as it is printed, and have spaces for commas. The position is the
        same whoever is to move. Raises IllegalPositionError.
        """
        text = str(text) if isinstance(text, list) else text
        check_text(self, text)
        check_turn(self, turn)
        if "|" in text:  # as `render` draws the heaps
            sizes, bars = text.split()[::2], text.split()[1::2]
            is_drawn = [str(len(heap)) for heap in bars] == sizes and {*"".join(bars)} == {"|"}
            text = ",".join(sizes) if is_drawn else text
        if not SIZES.fullmatch(text):
            raise IllegalPositionError(
                f"{quoted(text)} is not a list of heaps: write their sizes as"
                f" {self.text(self.heaps)}, or 0 for none"
            )
        p = tuple(sorted(size for size in map(int, re.findall(r"\d+", text)) if size))
        if not self._fits(p):
            raise IllegalPositionError(
                f"the heaps {self.text(self.heaps)} cannot become {shorten(self.text(p))}"
            )
        return p

    def render(self, p: tuple[int, ...], turn: str | None = None) -> str:
        return "\n".join(f"{size:>3} {'|' * size}" for size in p) or "  0"

    def _fits(self, p: tuple[int, ...]) -> bool:
        """Return whether every heap, largest first, is at most as large as at the start."""
        padded = (0,) * (len(self.heaps) - len(p)) + p
        return len(p) <= len(self.heaps) and all(map(le, padded, self.heaps))


def _resized(p: tuple[int, ...], old: int, new: int) -> tuple[int, ...]:
    """Return the heaps with one heap of size `old` replaced by one of size `new`."""
    heaps = [*p, 0, new]
    heaps.remove(old)
    return tuple(sorted(size for size in heaps if size))
