"""Boards to play on and to look at, and the values of moves as pictures in notebooks.

A `Board` takes a game and moves, and has `Scores` by an agent. Jupyter shows both as SVG, light or
dark as the viewer prefers.

>>> from solver import Board, TableAgent
>>> board = Board.from_moves("tictactoe", "1 5")
>>> board
Board('tictactoe', 'X...O....')
>>> board.scores(TableAgent())[0].label
'2'
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, ClassVar, Self

from solver.agent.agent import MoveScore, TableAgent, rules_for
from solver.errors import IllegalMoveError, IllegalPositionError
from solver.pictures.position import draw_position
from solver.pictures.shapes import Drawing
from solver.pictures.svg import svg
from solver.rules.game import Game, check_turn
from solver.rules.notation import find_move, is_like, replay
from solver.rules.pairs import pairs_as_text
from solver.rules.playing import Playing
from solver.startup import M, P

WIDTH = 240  # pixels


class Board(Playing[P, M]):
    """A game in progress: a position, the side to move, and the moves that led there.

    `game` is the name of a game, a Game or an agent. The board starts at `position`, a text or a
    position of the rules, or else at the start of the game; `turn` is the side to move where it
    does not follow from the position. Raises UnknownGameError and IllegalPositionError.

    A game is over when its rules end it, or in a draw when a position occurs for the third time.
    Boards are equal if game, position and side to move are; as they can change, they have no hash,
    but their positions do. An agent takes a board in place of a text.
    """

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __init__(
        self,
        game: str | Game[P, M] | TableAgent[P, M],
        position: Any = None,
        turn: str | None = None,
    ) -> None:
        rules = rules_for(game)
        check_turn(rules, turn)
        p = rules.initial() if position is None else _read(rules, position, turn)
        super().__init__(rules, turn or rules.turn(p), p)

    @classmethod
    def from_moves(cls, game: str | Game[P, M] | TableAgent[P, M], moves: Iterable[object]) -> Self:
        """Return the board after some moves from the start.

        They are written as for `push`; a text has one after the other, as in "5 1 9" or "519".
        Raises IllegalMoveError, which says which move is illegal.
        """
        board = cls(game)
        if not isinstance(moves, str):
            moves = [*moves]
            moves = pairs_as_text(board.game, board.position, moves) or moves
        if isinstance(moves, str):
            played = () if moves in ("", "[]") else replay(board.game, board.position, moves)
            moves = [m for _, m in played]
        for number, move in enumerate(moves, 1):
            try:
                board.push(move)
            except IllegalMoveError as error:
                raise IllegalMoveError(f"move {number}: {error}") from error
        return board

    @property
    def result(self) -> str | None:
        """'1-0' if the first seat has won, '0-1' if the second has, '1/2-1/2'; None while open."""
        if not self.is_over:
            return None
        first, second = self.game.seats
        return {first: "1-0", second: "0-1"}.get(self.winner or "", "1/2-1/2")

    def push(self, move: object) -> None:
        """Make a legal move: a move of the rules, its code, or its label as people write it.

        Raises IllegalMoveError, which lists the legal moves, and leaves the board as it was.
        """
        self.play(self._find(move))

    def pop(self) -> M:
        """Take back the last move and return it; raises IndexError if there is none."""
        move = self.move_stack[-1]
        self.take_back(1)
        return move

    def scores(self, agent: TableAgent[P, M]) -> Scores:
        """Return the values of all legal moves, best first; they show as a picture."""
        return Scores(agent, self)

    @property
    def drawing(self) -> Drawing:
        """The drawing of the position; raises NoBoardError for a game without a board."""
        return draw_position(self.game, self.position, self.turn)

    def position_for(self, game: Game[Any, Any]) -> P:
        """Return the position for an agent of `game`; raises IllegalPositionError for another."""
        if game.spec != self.game.spec:
            raise IllegalPositionError(f"this is a board of {self.game.spec}, not of {game.spec}")
        return self.position

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and (
            (self.game.spec, self.position, self.turn)
            == (other.game.spec, other.position, other.turn)
        )

    def __str__(self) -> str:
        return self.game.render(self.position, self.turn)

    def __repr__(self) -> str:
        turn = "" if self.turn == self.game.turn(self.position) else f", {self.turn!r}"
        return f"Board({self.game.spec!r}, {self.text!r}{turn})"

    def _repr_svg_(self) -> str | None:
        return svg(self.drawing, width=WIDTH) if self.game.has_cells else None

    def _find(self, move: object) -> M:
        """Return the legal move that `move` is, has as its code, or has as its label."""
        game, legal = self.game, self.legal_moves
        if isinstance(move, str) and legal and move not in legal:
            return find_move(game, self.position, move)
        known: dict[Any, M] = {game.code(m): m for m in legal} | {m: m for m in legal}
        with suppress(KeyError, TypeError):  # TypeError: it has no hash, so it is no move
            m = known[move]
            if is_like(move, m) or is_like(move, game.code(m)):
                return m
        right = f"the legal moves are {', '.join(map(repr, legal))}"
        raise IllegalMoveError(
            f"{move!r:.40} is not a legal move; {right if legal else 'the game is over'}"
        )


class Scores(list[MoveScore]):
    """The value of every legal move, best first, which shows as the board with these values.

    Scores of a game without a board show as a list.
    """

    def __init__(self, agent: TableAgent, board: Board[Any, Any]) -> None:
        if not isinstance(agent, TableAgent):
            raise TypeError(f"scores are those of a TableAgent, not of {agent!r:.80}")
        self.board: Board[Any, Any] = board.copy()
        super().__init__(agent.scores(board))

    @property
    def drawing(self) -> Drawing:
        """The drawing of the position with the values."""
        return draw_position(self.board.game, self.board.position, self.board.turn, scores=self)

    def _repr_svg_(self) -> str | None:
        return svg(self.drawing, width=WIDTH) if self.board.game.has_cells else None


def _read(game: Game[Any, Any], position: Any, turn: str | None) -> Any:
    """Return the position that a text or a position of the rules describes."""
    if isinstance(position, str) or type(position) is not type(game.initial()):
        return game.parse(position, turn)
    if game.parse(game.text(position, turn), turn) != position:
        raise IllegalPositionError(f"{position!r} is not a position of {game.spec}")
    return position
