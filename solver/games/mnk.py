"""m,n,k games: the sides take turns placing a stone on M by N cells; K in a row win.

Tic-tac-toe is 3,3,3. In misère play, K in a row lose. A position is two bitboards (see
`solver.rules.grid`) in one integer, the stones of the side to move above those of the other side:

    X O .     X: bits 0 and 4 = 0b000010001
    . X .     O: bit 1        = 0b000000010
    . . .     O is to move, so the position is 0b000000010_000010001
"""

from __future__ import annotations

from functools import cached_property
from itertools import permutations

from solver import boards
from solver.errors import IllegalPositionError
from solver.rules import grid
from solver.rules.descriptions import in_words
from solver.rules.game import Symmetry, check_turn
from solver.value import Outcome

PATTERN = r"tictactoe|mnk:(\d{1,3}),(\d{1,3}),(\d{1,3})(,misere)?"
FORM = "tictactoe, or mnk:M,N,K for M columns, N rows, K in a row, or mnk:M,N,K,misere"
MOST_CELLS = 64
MOST_PERMUTED = 5  # rows: larger boards have too many permutations


def load(columns: str | None, rows: str | None, k: str | None, misere: str | None) -> Mnk:
    """Return the game with these sizes, or tic-tac-toe if they are None."""
    return Mnk(int(columns or 3), int(rows or 3), int(k or 3), misere is not None)


class Mnk(grid.Stones):
    """K in a row on M columns and N rows; the first side to make it wins, or loses in misère."""

    def __init__(self, columns: int, rows: int, k: int, misere: bool = False) -> None:
        if min(columns, rows, k) < 1:
            raise ValueError(
                f"columns, rows and K are {columns}, {rows} and {k}; each must be 1 or more"
            )
        if columns * rows > MOST_CELLS:
            raise ValueError(f"a board of {columns}x{rows} has more than {MOST_CELLS} cells")
        self.columns, self.rows, self.k, self.misere = columns, rows, k, misere
        self.board = columns, rows
        run = f"{in_words(k)} in a row"
        size = "" if columns == rows == k == 3 else f" on {columns}x{rows}"
        name = f"{run.capitalize()}{size}" if size else "Tic-tac-toe"
        self.title = f"{name}, misère" if misere else name
        self.about = "Take turns to mark an empty cell. " + (
            f"Whoever gets {run}, in any direction, loses."
            if misere
            else f"The first to get {run}, in any direction, wins."
        )
        self.cells = columns * rows
        self.full = (1 << self.cells) - 1
        self.lines = tuple(grid.lines(columns, rows, k))
        self._bits = tuple((cell, 1 << cell) for cell in range(self.cells))

    @property
    def spec(self) -> str:
        if (self.columns, self.rows, self.k, self.misere) == (3, 3, 3, False):
            return "tictactoe"
        return f"mnk:{self.columns},{self.rows},{self.k}" + ",misere" * self.misere

    def split(self, p: int) -> tuple[int, int]:
        """Return the bitboards of the side to move and of the other side."""
        return p >> self.cells, p & self.full

    def moves(self, p: int) -> list[int]:
        occupied = p >> self.cells | p
        return [cell for cell, bit in self._bits if not occupied & bit]

    def play(self, p: int, m: int) -> int:
        mine, theirs = self.split(p)
        return theirs << self.cells | mine | 1 << m

    def primitive(self, p: int) -> Outcome | None:
        mine, theirs = self.split(p)
        if self._has_line(theirs):
            return Outcome.WIN if self.misere else Outcome.LOSS
        return Outcome.DRAW if mine | theirs == self.full else None

    def _has_line(self, stones: int) -> bool:
        for line in self.lines:  # noqa: SIM110 -- any() takes twice as long
            if stones & line == line:
                return True
        return False

    def threats(self, p: int) -> list[int]:
        _, theirs = self.split(p)
        wins = () if self.misere else self.lines
        free = ((m, 1 << m) for m in self.moves(p))
        return [
            m for m, bit in free if any(line & ~(theirs | bit) == 0 for line in wins if line & bit)
        ]

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:  # type: ignore[override]
        """The rotations and reflections of the board: 8 of a square, 4 of a rectangle.

        If lines are whole rows, columns and diagonals, permutations of both the rows and the
        columns that keep opposite ones opposite are symmetries, too: 32 of 4,4,4 (Gardner).
        """
        permutations = grid.permutations(self.columns, self.rows)
        if self.columns == self.rows == self.k <= MOST_PERMUTED:
            permutations = [
                tuple(
                    cells[orders[i // self.k] * self.k + orders[i % self.k]]
                    for i in range(len(cells))
                )
                for orders in _opposite_orders(self.k)
                for cells in permutations
            ]
        return tuple(map(grid.symmetry, permutations))

    def text(self, p: int, turn: str | None = None) -> str:
        first = (turn or self.turn(p)) == self.seats[0]
        x, o = self.split(p) if first else self.split(p)[::-1]
        return "".join("X" if x & bit else "O" if o & bit else "." for _, bit in self._bits)

    def parse(self, text: str, turn: str | None = None) -> int:
        """Return the position of a board as `solver.boards.read` reads it.

        X moved first, unless it follows from `turn` that O did. Raises IllegalPositionError if no
        game leads to the board.
        """
        check_turn(self, turn)
        x, o = boards.read(text, self.columns, self.rows)
        wrong = {seat: self._why_illegal(x, o, seat) for seat in self.seats}
        to_move = turn or self.seats[x.bit_count() != o.bit_count()]
        reason = wrong[to_move]
        if reason and turn is None:
            legal = [seat for seat in self.seats if not wrong[seat]]
            reason = self._too_many(x, o) or reason
            reason += f"; if O moved first, specify that it is {legal[0]}'s turn" if legal else ""
        if reason:
            raise IllegalPositionError(reason)
        return self._with_turn(x, o, to_move)

    def unreached(self, text: str, turn: str) -> int:
        """Return the position of a board with this side to move, even if no game leads to it."""
        check_turn(self, turn)
        return self._with_turn(*boards.read(text, self.columns, self.rows), turn)

    def _with_turn(self, x: int, o: int, turn: str) -> int:
        mine, theirs = (x, o) if turn == "X" else (o, x)
        return mine << self.cells | theirs

    def _too_many(self, x: int, o: int) -> str | None:
        """Return what is wrong with the numbers of stones if X moved first, or None."""
        surplus = x.bit_count() - o.bit_count()
        if surplus in (0, 1):
            return None
        return (
            f"too many {'X' if surplus > 1 else 'O'}: {x.bit_count()} X and {o.bit_count()} O,"
            " but X moves first and has as many as O or one more"
        )

    def _why_illegal(self, x: int, o: int, turn: str) -> str | None:
        """Return why no game leads to the board with this side to move, or None if one does."""
        mine, theirs = (x, o) if turn == "X" else (o, x)
        other = self.other(turn)
        if theirs.bit_count() - mine.bit_count() not in (0, 1):
            return (
                f"it cannot be {turn}'s turn with {x.bit_count()} X and {o.bit_count()} O:"
                " the side to move has as many as the other side or one fewer"
            )
        lines, made = grid.full_lines(mine, self.lines), grid.full_lines(theirs, self.lines)
        if lines and made:
            return f"both X and O have {self.k} in a row"
        if lines:
            return f"{turn} has {self.k} in a row, so the game was over before {other}'s last move"
        if not grid.has_last_move(made):
            return f"{other} has lines of {self.k} that no single last move completes"
        return None


def _opposite_orders(size: int) -> list[tuple[int, ...]]:
    """Return the orders of rows that keep opposite ones opposite, one of each and its reverse."""
    return [
        order
        for order in permutations(range(size))
        if order[0] <= order[-1]
        and all(a + b == size - 1 for a, b in zip(order, order[::-1], strict=True))
    ]
