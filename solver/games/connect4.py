"""Connect 4: in turn, drop a stone into a column; four in a row win, or K in a row.

A position is one integer, after John Tromp's Fhourstones: each column takes one bit more than it
has rows, the leftmost column the lowest. Above its stones, from the bottom, stands one marker bit;
below it a bit is 1 for a stone of the side that began and 0 for one of the other. On 4x3:

    . . . .       column 4   3   2   1
    . O . .       0b0001_0001_0100_0001 with the marker of column 2 above two stones:
    . X . .       bit 4 is 1 for the X, bit 5 is 0 for the O, bit 6 is the marker

Dropping a stone into a given column makes the number larger, and keeps two numbers in order: the
children by one column come out sorted if their parents are.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from solver import boards
from solver.errors import IllegalPositionError, quoted
from solver.rules.game import IDENTITY, Numbered, Symmetry
from solver.value import Outcome

if TYPE_CHECKING:
    from re import Match

    from solver.rules.kernel import Kernel

PATTERN = r"connect4:(\d{1,3})x(\d{1,3})(?:,(\d{1,3}))?"
FORM = "connect4:WxH for W columns and H rows, or connect4:WxH,K for K in a row instead of 4"
MOST_COLUMNS = 9  # a move is written as one digit
MOST_CELLS = 64
TABLED = 10  # bits of a column, up to which the images of two stand in a table
COMPILED = 16  # bits of a column, up to which the kernel keeps tables of a column


def load(match: Match[str]) -> Connect4:
    """Return the game of a name."""
    return Connect4(int(match[1]), int(match[2]), int(match[3] or 4))


class Connect4(Numbered[int]):
    """Four in a row, or K, on W columns and H rows in which stones fall to the bottom."""

    def __init__(self, columns: int, rows: int, k: int = 4) -> None:
        if min(columns, rows, k) < 1:
            raise ValueError(
                f"a board of {columns}x{rows} with {k} in a row: each must be 1 or more"
            )
        if columns > MOST_COLUMNS or columns * rows > MOST_CELLS:
            raise ValueError(
                f"a board of {columns}x{rows} is too large: at most {MOST_COLUMNS} columns and"
                f" {MOST_CELLS} cells"
            )
        self.columns, self.rows, self.k = columns, rows, k
        self.board = columns, rows
        self.height = height = rows + 1  # bits of a column
        self._shifts = tuple(range(0, columns * height, height))
        self._field = (1 << height) - 1
        self._start = sum(1 << shift for shift in self._shifts)
        self._bottoms = {ord("1") + c: 1 << shift for c, shift in enumerate(self._shifts)}
        self._lids = self._start << rows  # above every column
        steps = (1, height - 1, height, height + 1)  # up; to the right: down, level, up
        reaches, run = [], 1
        while run < k:  # a run of n, folded onto itself n further, shows one of 2 n
            reaches.append(min(run, k - run))
            run += reaches[-1]
        self._apart = columns * height + k * (height + 1)  # sets that cannot touch when folded
        self.folds = [[reach * step for reach in reaches] for step in steps]

    def __reduce__(self) -> tuple[type[Connect4], tuple[int, int, int]]:
        return Connect4, (self.columns, self.rows, self.k)  # its symmetries are closures

    @property
    def spec(self) -> str:
        return f"connect4:{self.columns}x{self.rows}" + (f",{self.k}" if self.k != 4 else "")

    def initial(self) -> int:
        return self._start

    def markers(self, p: int) -> list[int]:
        """Return each column's marker bit."""
        return [1 << (p >> s & self._field).bit_length() - 1 + s for s in self._shifts]

    def split(self, p: int) -> tuple[int, int]:
        """Return the stones of the side that began and those of the other one."""
        markers = sum(self.markers(p))
        return p - markers, markers - self._start - (p - markers)

    def moves(self, p: int) -> list[int]:
        return [c for c, s in enumerate(self._shifts) if not p >> s + self.rows & 1]

    def play(self, p: int, m: int) -> int:
        shift = self._shifts[m]
        marker = 1 << (p >> shift & self._field).bit_length() - 1 + shift
        return p + (marker << 1 if self.tier(p) % 2 == 0 else marker)

    def primitive(self, p: int) -> Outcome | None:
        stones = self.split(p)
        if self._has_line(stones[self.tier(p) % 2 == 0]):
            return Outcome.LOSS
        return None if self.moves(p) else Outcome.DRAW

    def tier(self, p: int) -> int:
        return sum((p >> s & self._field).bit_length() for s in self._shifts) - self.columns

    def cell(self, p: int, m: int) -> int:
        stones = (p >> self._shifts[m] & self._field).bit_length() - 1
        return (self.rows - 1 - stones) * self.columns + m

    def threats(self, p: int) -> list[int]:
        stones = self.split(p)[self.tier(p) % 2 == 0]
        free = [(m, marker) for m, marker in enumerate(self.markers(p)) if not marker & self._lids]
        return [m for m, marker in free if self._has_line(stones | marker)]

    def parents(self, p: int) -> list[int]:
        first = self.tier(p) % 2 == 1  # who has moved
        before = []
        for marker, shift in zip(self.markers(p), self._shifts, strict=True):
            stone = marker >> 1
            if marker != 1 << shift and bool(p & stone) == first:
                before.append(p - (marker if first else stone))
        return [q for q in before if not any(map(self._has_line, self.split(q)))]

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:  # type: ignore[override]
        """The board as it is, and its mirror image."""
        last = self.columns - 1
        across = range(last, -1, -1)
        cells = tuple(r * self.columns + c for r in range(self.rows) for c in across)
        return IDENTITY, Symmetry(self._mirror, lambda m: last - m, cells)

    @cached_property
    def _mirrored(self) -> list[tuple[int, list[int]]]:
        """The images of every two columns, each list with how far to shift a position for it."""
        found = []
        for c in range(0, self.columns, 2):
            low = [f << self._shifts[-1 - c] for f in range(self._field + 1)]
            if c + 1 == self.columns:
                found.append((self._shifts[c], low))
            else:
                high = [f << self._shifts[-2 - c] for f in range(self._field + 1)]
                found.append((self._shifts[c], [one | two for two in high for one in low]))
        return found

    def _mirror(self, p: int) -> int:
        if self.height > TABLED:
            swapped = zip(self._shifts, reversed(self._shifts), strict=True)
            return sum((p >> here & self._field) << there for here, there in swapped)
        image, two = 0, (1 << 2 * self.height) - 1
        for shift, images in self._mirrored:
            image |= images[p >> shift & two]
        return image

    def canonical(self, p: int) -> int:
        return min(p, self._mirror(p))

    def kernel(self) -> Kernel | None:
        if self.columns * self.height > 62 or self.height > COMPILED:
            return None
        from solver.games.connect4_kernel import Connect4Kernel

        return Connect4Kernel(self.columns, self.rows, self.folds, self.initial())

    def label(self, p: int, m: int) -> str:
        return str(m + 1)

    def turn(self, p: int) -> str:
        return self.seats[self.tier(p) % 2]

    def text(self, p: int, turn: str | None = None) -> str:
        marks = "XO" if turn in (None, self.turn(p)) else "OX"
        first, second = self.split(p)
        return "".join(
            marks[0] if first >> bit & 1 else marks[1] if second >> bit & 1 else "."
            for row in range(self.rows - 1, -1, -1)
            for bit in (shift + row for shift in self._shifts)
        )

    def parse(self, text: str, turn: str | None = None) -> int:
        """Return the position after columns in order of play, as `4453`, or on rows from the top.

        Rows are written as `solver.boards.read` takes them. X began, unless `turn` tells who is to
        move. Raises IllegalPositionError, which names the reason.
        """
        if turn not in (None, *self.seats):
            raise IllegalPositionError(f"the turn is {turn!r}; it must be X or O")
        if isinstance(text, str) and (text.isdecimal() or not text):
            return self._played(text)
        x, o = boards.read(text, self.columns, self.rows, numbered=False)
        surplus = x.bit_count() - o.bit_count()
        if turn is None and surplus not in (0, 1):
            began = "; if O began, say that it is X's turn" if surplus == -1 else ""
            raise IllegalPositionError(
                f"{x.bit_count()} X and {o.bit_count()} O: X begins and has as many as O or one"
                f" more{began}"
            )
        first = turn or "X" if not surplus else "X" if surplus > 0 else "O"
        to_move = self.other(first) if surplus else first
        if turn not in (None, to_move) or abs(surplus) > 1:
            raise IllegalPositionError(
                f"it cannot be {turn}'s turn with {x.bit_count()} X and {o.bit_count()} O:"
                " the side to move has as many as the other or one fewer"
            )
        p = self._stacked(x, o) if first == "X" else self._stacked(o, x)
        self._check_last_move(p, to_move)
        return p

    def render(self, p: int, turn: str | None = None) -> str:
        numbers = "".join(f"  {column} " for column in range(1, self.columns + 1)).rstrip()
        text = self.text(p, turn)
        rows = (text[i : i + self.columns] for i in range(0, len(text), self.columns))
        return "\n".join(
            [*("".join(f"  {mark} " for mark in row).rstrip() for row in rows), numbers]
        )

    def _has_line(self, stones: int) -> bool:
        for folds in self.folds:
            run = stones
            for fold in folds:
                run &= run >> fold
            if run:
                return True
        return False

    def _played(self, text: str) -> int:
        """Return the position after the columns that the digits name."""
        if len(text) > self.columns * self.rows:
            raise self._overfull(text)
        tops, stones = self._bottoms.copy(), []
        try:
            for digit in text.encode():
                stone = tops[digit]
                stones.append(stone)
                tops[digit] = stone << 1
        except KeyError:
            raise IllegalPositionError(
                f"{quoted(text)} is no game: its columns are 1 to {self.columns}"
            ) from None
        one, two = sum(stones[::2]), sum(stones[1::2])
        if (one | two) & self._lids:
            raise self._overfull(text)
        if len(stones) >= 2 * self.k:
            last = stones[-1] << self._apart * (len(stones) % 2 == 0)
            if self._has_line((one | two << self._apart) ^ last):
                raise IllegalPositionError(
                    f"the game was over before the last move of {quoted(text)}"
                )
        return one + sum(tops.values())

    def _overfull(self, text: str) -> IllegalPositionError:
        return IllegalPositionError(
            f"{quoted(text)} drops more than {self.rows} stones into a column"
        )

    def _stacked(self, first: int, second: int) -> int:
        """Return the position with these stones, cell i in reading order as bit i."""
        p = 0
        for column, shift in enumerate(self._shifts):
            stack, row = 0, 0
            for cell in range((self.rows - 1) * self.columns + column, -1, -self.columns):
                if not (first | second) >> cell & 1:
                    break
                stack |= (first >> cell & 1) << row
                row += 1
            if any((first | second) >> above & 1 for above in range(cell, -1, -self.columns)) and (
                row < self.rows
            ):
                raise IllegalPositionError(f"a stone of column {column + 1} has nothing below it")
            p |= (stack | 1 << row) << shift
        return p

    def _check_last_move(self, p: int, turn: str) -> None:
        """Raise IllegalPositionError if no last move can have led to a position."""
        first_moves = self.tier(p) % 2 == 0
        one, two = self.split(p)
        mine, theirs = (one, two) if first_moves else (two, one)
        over, made = self._has_line(mine), self._has_line(theirs)
        if over and made:
            raise IllegalPositionError(f"both X and O have {self.k} in a row")
        if over:
            raise IllegalPositionError(
                f"{turn} has {self.k} in a row, so the game was over before {self.other(turn)}'s"
                " last move"
            )
        if p != self._start and not self.parents(p):
            raise IllegalPositionError(
                f"no last move of {self.other(turn)} leads to it: its stones are all covered, or it"
                f" had {self.k} in a row before"
            )
