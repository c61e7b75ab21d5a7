"""Connect 4: the sides take turns dropping a stone into a column; four in a row win, or K in a row.

A position is one integer, as in John Tromp's Fhourstones. Each column has one bit more than rows;
the leftmost column has the lowest bits. The highest bit set in a column is its marker, one above
its stones. A bit below the marker is 1 for a stone of X, who moves first, and 0 for one of O. On
4x3:

    . . . .       column 4   3   2   1
    . O . .       0b0001_0001_0101_0001
    . X . .       in column 2, bit 4 is 1 for the X, bit 5 is 0 for the O, bit 6 is the marker

Dropping a stone into a given column raises the number and preserves order: if positions are sorted,
so are the positions that a stone in this column leads to.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from solver import boards
from solver.errors import IllegalPositionError, needs_extra, quoted
from solver.rules import grid
from solver.rules.descriptions import in_words
from solver.rules.game import IDENTITY, Symmetry, check_turn
from solver.rules.kernel import Kernel
from solver.rules.packing import bit_image
from solver.rules.search import Search
from solver.rules.symmetry import rearrange
from solver.value import Outcome

PATTERN = r"connect4(?::(\d{1,3})x(\d{1,3})(?:,(\d{1,3}))?)?"
FORM = (
    "connect4, or connect4:WxH for W columns and H rows, or connect4:WxH,K for K in a row"
    " instead of 4"
)
MOST_COLUMNS = 9  # a move is written as one digit
MOST_CELLS = 64
MOST_SEARCHED = 8  # columns of a board that has a search
MOST_COMPILED = 16  # bits of a column for which there is a kernel, which has tables of a column


def load(columns: str | None, rows: str | None, k: str | None) -> Connect4:
    """Return the game with these sizes; by default, four in a row on 7 columns and 6 rows."""
    return Connect4(int(columns or 7), int(rows or 6), int(k or 4))


class Connect4(grid.Stones):
    """Four or K in a row on W columns and H rows; stones fall to the bottom of a column."""

    def __init__(self, columns: int, rows: int, k: int = 4) -> None:
        if min(columns, rows, k) < 1:
            raise ValueError(
                f"columns, rows and K are {columns}, {rows} and {k}; each must be 1 or more"
            )
        if columns > MOST_COLUMNS or columns * rows > MOST_CELLS:
            raise ValueError(
                f"a board of {columns}x{rows} is too large: at most {MOST_COLUMNS} columns and"
                f" {MOST_CELLS} cells"
            )
        self.columns, self.rows, self.k = columns, rows, k
        self.board = columns, rows
        size = "" if (columns, rows, k) == (7, 6, 4) else f" on {columns}x{rows}"
        self.title = f"Connect {k}{size}"
        self.about = (
            "Take turns to drop a disc into a column, where it falls to the lowest free cell."
            f" The first to get {in_words(k)} in a row, in any direction, wins."
        )
        self.height = height = rows + 1  # bits of a column
        self._shifts = tuple(range(0, columns * height, height))
        self._field = (1 << height) - 1
        self._start = sum(1 << shift for shift in self._shifts)
        self._cells = [1 << shift + r for r in range(rows - 1, -1, -1) for shift in self._shifts]
        self._bottoms = {ord("1") + c: 1 << shift for c, shift in enumerate(self._shifts)}
        self._lids = self._start << rows  # above every column
        self._lid_of = [(c, 1 << shift + rows) for c, shift in enumerate(self._shifts)]
        self.searchable = k == 4 and columns <= MOST_SEARCHED and columns * height <= 64
        self.smears = [  # shifts that copy a column's highest bit to all bits below it
            (1 << n, self._start * ((1 << height - (1 << n)) - 1)) for n in range(rows.bit_length())
        ]
        steps = (1, height - 1, height, height + 1)  # up; to the right: down, level, up
        reaches, run = [], 1
        while run < k:  # runs of n stones, shifted by n and intersected, show runs of 2 n
            reaches.append(min(run, k - run))
            run += reaches[-1]
        self.folds = [[reach * step for reach in reaches] for step in steps]
        self._apart = columns * height + k * (height + 1)  # between two sets of stones, so that
        # shifting one by a fold never reaches the other

    @property
    def spec(self) -> str:
        return f"connect4:{self.columns}x{self.rows}" + (f",{self.k}" if self.k != 4 else "")

    def initial(self) -> int:
        return self._start

    def markers(self, p: int) -> list[int]:
        """Return each column's marker bit."""
        return [1 << (p >> s & self._field).bit_length() - 1 + s for s in self._shifts]

    def split(self, p: int) -> tuple[int, int]:
        """Return the stones of X, who moves first, and those of O."""
        markers = self._filled(p) + self._start >> 1
        first = p - markers
        return first, markers - self._start - first

    def moves(self, p: int) -> list[int]:
        free = self._lids & ~p
        return [c for c, lid in self._lid_of if free & lid]

    def play(self, p: int, m: int) -> int:
        filled, shift = self._filled(p), self._shifts[m]
        marker = (filled >> shift & self._field) + 1 >> 1 << shift
        return p + (marker if (filled.bit_count() - self.columns) % 2 else marker << 1)

    def primitive(self, p: int) -> Outcome | None:
        first, second = self.split(p)
        if self._has_line(first if first.bit_count() > second.bit_count() else second):
            return Outcome.LOSS
        return Outcome.DRAW if p & self._lids == self._lids else None

    def tier(self, p: int) -> int:
        return self._filled(p).bit_count() - self.columns

    def _filled(self, p: int) -> int:
        """Return the bits of each column up to its marker."""
        for shift, inside in self.smears:
            p |= p >> shift & inside
        return p

    def cell(self, p: int, m: int) -> int:
        stones = (p >> self._shifts[m] & self._field).bit_length() - 1
        return (self.rows - 1 - stones) * self.columns + m

    def threats(self, p: int) -> list[int]:
        stones = self.split(p)[self.tier(p) % 2 == 0]
        free = [(m, marker) for m, marker in enumerate(self.markers(p)) if not marker & self._lids]
        return [m for m, marker in free if self._has_line(stones | marker)]

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:  # type: ignore[override]
        """The identity and the mirror image."""
        last = self.columns - 1
        across = range(last, -1, -1)
        cells = [r * self.columns + c for r in range(self.rows) for c in across]
        bits = [self._shifts[c] + bit for c in across for bit in range(self.height)]
        mirror = rearrange(bits, cells=cells)
        return IDENTITY, mirror._replace(move=lambda m: last - m)

    def canonical(self, p: int) -> int:
        image: int = self.symmetries[1].position(p)
        return image if image < p else p

    def kernel(self) -> Kernel | None:
        if self.columns * self.height > 62 or self.height > MOST_COMPILED:
            return None
        from solver.games.connect4_kernel import MOST_K, Connect4Kernel

        if self.k > MOST_K:
            return None

        return Connect4Kernel(self.columns, self.rows, self.smears, self.folds)

    def search(self) -> Search:
        with needs_extra(f"searching positions of {self.spec}", "fast"):
            from solver.games.connect4_search import Connect4Search

        return Connect4Search(self.columns, self.rows, self.split)

    def text(self, p: int, turn: str | None = None) -> str:
        first, second = self.split(p)
        one, two = "XO" if turn in (None, "XO"[first.bit_count() > second.bit_count()]) else "OX"
        return "".join(
            [one if first & bit else two if second & bit else "." for bit in self._cells]
        )

    def parse(self, text: str, turn: str | None = None) -> int:
        """Return the position of a game such as `4453`, its columns in order, or of a board.

        A board is written row by row from the top, as `solver.boards.read` reads it; as many digits
        as it has cells are one if there is a 0. X moved first, unless it follows from `turn` that O
        did. Raises IllegalPositionError.
        """
        check_turn(self, turn)
        if (
            isinstance(text, str)
            and (text.isdecimal() or not text)
            and ("0" not in text or len(text) != self.columns * self.rows)
        ):
            return self._played(text)
        x, o = boards.read(text, self.columns, self.rows, numbered=False)
        surplus = x.bit_count() - o.bit_count()
        if turn is None and surplus not in (0, 1):
            hint = "; if O moved first, specify that it is X's turn" if surplus == -1 else ""
            raise IllegalPositionError(
                f"{x.bit_count()} X and {o.bit_count()} O: X moves first and has as many as O or"
                f" one more{hint}"
            )
        first = turn or "X" if not surplus else "X" if surplus > 0 else "O"
        to_move = self.other(first) if surplus else first
        if turn not in (None, to_move) or abs(surplus) > 1:
            raise IllegalPositionError(
                f"it cannot be {turn}'s turn with {x.bit_count()} X and {o.bit_count()} O:"
                " the side to move has as many as the other side or one fewer"
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
        if stones.bit_count() < self.k:
            return False
        for folds in self.folds:
            run = stones
            for fold in folds:
                run &= run >> fold
            if run:
                return True
        return False

    def _played(self, text: str) -> int:
        """Return the position after stones in these columns, one digit each."""
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
                f"{quoted(text)} is not a game: the columns are 1 to {self.columns}"
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

    @cached_property
    def _from_reading_order(self) -> Callable[[int], int]:
        return bit_image([(bit.bit_length() - 1, (0, 1)) for bit in self._cells])

    def _stacked(self, first: int, second: int) -> int:
        """Return the position with these stones, given as bitboards in reading order."""
        mine = self._from_reading_order(first)
        stones = mine | self._from_reading_order(second)
        if floating := stones & ~(stones << 1 | self._start):
            column = ((floating & -floating).bit_length() - 1) // self.height
            raise IllegalPositionError(f"a stone of column {column + 1} has nothing below it")
        return mine + stones + self._start

    def _check_last_move(self, p: int, turn: str) -> None:
        """Raise IllegalPositionError if no last move can have led to a position."""
        x, o = self.split(p)
        mine, theirs = (x, o) if x.bit_count() == o.bit_count() else (o, x)
        won = self._has_line(theirs)
        if self._has_line(mine):
            if won:
                raise IllegalPositionError(f"both X and O have {self.k} in a row")
            raise IllegalPositionError(
                f"{turn} has {self.k} in a row, so the game was over before {self.other(turn)}'s"
                " last move"
            )
        lasts = theirs & p - x >> 1
        if won:
            stones = [m >> 1 for m in self.markers(p) if m >> 1 & lasts]
            lasts = any(not self._has_line(theirs ^ stone) for stone in stones)
        if p != self._start and not lasts:
            raise IllegalPositionError(
                f"no last move of {self.other(turn)} leads to it: its stones are all covered, or"
                f" it already had {self.k} in a row"
            )
