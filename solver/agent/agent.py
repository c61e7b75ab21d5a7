"""The agent: answers from a table in constant time.

Takes a table and a position; returns the position's outcome, distance and moves, best first.
Nothing is searched and nothing is guessed: a position that the table does not hold raises.
"""

from __future__ import annotations

from functools import cached_property

from solver.errors import IllegalPositionError
from solver.rules.game import Game
from solver.startup import NamedTuple, record
from solver.tables.json_table import Table, decode
from solver.tables.open import open_table
from solver.tables.store import read_file, shipped_path
from solver.value import Outcome, distance, outcome, score

TYPE_CHECKING = False  # see solver.startup
if TYPE_CHECKING:
    import os
    from typing import Any, Self

    import numpy as np

    from solver.agent.board_arrays import Batch
    from solver.tables.mapped_table import MappedTable


MOST_KEPT = 100_000  # answers that an agent remembers


@record
class MoveScore(NamedTuple):
    """What a move is worth to the side that plays it."""

    move: Any
    """The move, as the game's rules write it; a cell 0-8 in tic-tac-toe."""
    label: str
    """The move, as people write it; a cell 1-9 in tic-tac-toe."""
    outcome: Outcome
    """The outcome of playing the move."""
    distance: int | None
    """Plies to the end of the game, this move included (1 = wins at once); None for a draw."""
    trap: float
    """The share of the opponent's replies, from 0 to 1, that worsen the opponent's outcome."""


class TableAgent:
    """Perfect play from a table; by default, of tic-tac-toe from the table that ships.

    A board is a text that the game reads, such as 'X...O....', or a position of its rules; a str is
    always taken for a text.
    `turn` tells who is to move on a text where it is not the side that follows from X beginning.
    Every method raises IllegalPositionError for a board that is none of the game's, and
    UnknownPositionError for one that the table does not hold.
    """

    def __init__(self, table: Table | MappedTable | None = None) -> None:
        if table is not None and not hasattr(table, "probe"):
            raise TypeError(f"not a table but {table!r:.80}; TableAgent.open takes a file's path")
        self.table = _shipped_table() if table is None else table
        self.game: Game[Any, Any] = self.table.game
        self._position_type = type(self.game.initial())
        self._choices: dict[Any, Any] = {}  # text of a board as the game writes it -> best move

    @classmethod
    def open(cls, path: str | os.PathLike[str], game: Game[Any, Any] | None = None) -> Self:
        """Return an agent that plays from a file; `game` gives the rules of a game of your own.

        Raises OSError if it cannot be read and TableFormatError if it is no table. A large table is
        mapped, not read, and checked for its shape only; `solver.verify` checks the whole.
        """
        return cls(open_table(path, game))

    def best_move(self, board: Any, turn: str | None = None) -> Any:
        """Return the best move, or None if the game is over.

        Best by outcome, then by distance, then by trap; of equals the first in the order of the
        rules, on the board as it is given.
        """
        if turn is None:
            try:
                return self._choices[board]
            except (KeyError, TypeError):
                pass
        p = self.position(board, turn)
        choice = self.table.best(p)
        few = len(self._choices) < MOST_KEPT
        if few and turn is None and board == self.game.text(p):  # other spellings are too many
            self._choices[board] = choice
        return choice

    def scores(self, board: Any, turn: str | None = None) -> list[MoveScore]:
        """Return what every legal move is worth, best first; nothing if the game is over."""
        return self.scores_at(self.position(board, turn))

    def outcome(self, board: Any, turn: str | None = None) -> Outcome:
        """Return the outcome for the side to move under perfect play."""
        return outcome(self.table.probe(self.position(board, turn)))

    def distance(self, board: Any, turn: str | None = None) -> int | None:
        """Return the plies to the end of the game under perfect play; None for a draw."""
        return distance(self.table.probe(self.position(board, turn)))

    def line(self, board: Any, turn: str | None = None) -> list[Any]:
        """Return the moves to the end of the game if both sides take the best.

        In a game in which positions can repeat, the line ends when one does: a draw.
        """
        p = self.position(board, turn)
        moves, seen = [], {p}
        while (move := self.table.best(p)) is not None:
            moves.append(move)
            p = self.game.play(p, moves[-1])
            if p in seen:
                break
            seen.add(p)
        return moves

    def best_moves(self, boards: np.ndarray) -> np.ndarray:
        """Return the best move on each of n boards, as int8; -1 where the game is over.

        `boards` is an (n, cells) array of int8, 1 for X, -1 for O and 0 for empty, X having
        begun. Raises IllegalPositionError, which names the row, if a board cannot arise, and
        ImportError without numpy, which the extra `fast` installs.
        """
        return self.batch.best_moves(boards)

    @cached_property
    def batch(self) -> Batch:
        """Answers about many boards at once, on numpy arrays."""
        from solver.agent.board_arrays import Batch

        return Batch(self.game, self.table)

    def position(self, board: Any, turn: str | None = None) -> Any:
        """Return the position of the rules that a board shows."""
        if isinstance(board, str) or type(board) is not self._position_type:
            return self.game.parse(board, turn)
        if turn is not None:
            raise ValueError(f"turn is for a text; the position {board!r} tells who is to move")
        if self.game.parse(self.game.text(board)) != board:
            raise IllegalPositionError(f"{board!r} is no position of {self.game.spec}")
        return board

    def scores_at(self, p: Any) -> list[MoveScore]:
        """Return what every legal move in a position of the rules is worth, best first."""
        label = self.game.label
        scores = [
            MoveScore(m, label(p, m), outcome(score), distance(score), trap)
            for m, score, trap in self.table.moves(p)
        ]
        return sorted(scores, key=rank)


def rank(m: MoveScore) -> tuple[int, float]:
    """Return the sort key that puts the best move first: by outcome, distance and trap."""
    return -score(m.outcome, m.distance or 0), -m.trap


def ties(scores: list[MoveScore]) -> list[MoveScore]:
    """Return the moves that tie with the first of `scores` on outcome and distance."""
    return [s for s in scores if (s.outcome, s.distance) == (scores[0].outcome, scores[0].distance)]


def _shipped_table() -> Table:
    path = shipped_path("tictactoe")
    if path is None:
        raise FileNotFoundError("the table of tictactoe is missing: run make solve, or reinstall")
    return decode(read_file(path))
