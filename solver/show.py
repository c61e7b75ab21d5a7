"""Positions and the values of moves as pictures in notebooks.

Takes a game or an agent and a position; returns an object that Jupyter shows as SVG, light or dark
as its reader prefers.

>>> from solver import TableAgent, show
>>> agent = TableAgent()
>>> show.Board(agent, "X...O....")
Board('tictactoe', 'X...O....')
>>> show.Scores(agent, "XX.OO....")[0].label
'3'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.agent.agent import MoveScore, TableAgent
from solver.pictures.board_layout import layout_of
from solver.pictures.position import draw_position
from solver.pictures.svg import svg
from solver.rules.game import Game

if TYPE_CHECKING:
    from solver.pictures.shapes import Drawing

WIDTH = 240  # pixels


class Board:
    """A position that shows as a picture; the start if none is given.

    `rules` is a game or an agent, the position a text or one of the rules, and `turn` who is to
    move on a text where it is not the side that follows from it. Raises IllegalPositionError, and
    NoBoardError for a game without a board.
    """

    def __init__(
        self, rules: Game[Any, Any] | TableAgent, position: Any = None, turn: str | None = None
    ) -> None:
        self.game, self.position, self.turn = _found(rules, position, turn)
        layout_of(self.game)

    @property
    def drawing(self) -> Drawing:
        """The drawing of the position."""
        return draw_position(self.game, self.position, self.turn)

    def __repr__(self) -> str:
        return f"Board({self.game.spec!r}, {self.game.text(self.position, self.turn)!r})"

    def _repr_svg_(self) -> str:
        return svg(self.drawing, width=WIDTH)


class Scores(list[MoveScore]):
    """What every legal move is worth, best first, which shows as the board with these values.

    The arguments and what they raise are those of `TableAgent.scores`. Scores of a game without a
    board show as a list.
    """

    def __init__(self, agent: TableAgent, position: Any = None, turn: str | None = None) -> None:
        if not isinstance(agent, TableAgent):
            raise TypeError(f"scores are a TableAgent's, not those of {agent!r:.80}")
        self.game, self.position, self.turn = _found(agent, position, turn)
        super().__init__(agent.scores_at(self.position))

    @property
    def drawing(self) -> Drawing:
        """The drawing of the position with the values."""
        return draw_position(self.game, self.position, self.turn, scores=self)

    def _repr_svg_(self) -> str | None:
        return None if self.game.board is None else svg(self.drawing, width=WIDTH)


def _found(
    rules: Game[Any, Any] | TableAgent, position: Any, turn: str | None
) -> tuple[Game[Any, Any], Any, str]:
    """Return the game, its position and the seat to move."""
    game = rules.game if isinstance(rules, TableAgent) else rules
    if not isinstance(game, Game):
        raise TypeError(f"what is shown is of an agent or a game, not of {rules!r:.80}")
    if position is None:
        position = game.text(game.initial())
    if isinstance(rules, TableAgent):
        p = rules.position(position, turn)
    else:
        p = game.parse(position, turn) if isinstance(position, str) else position
    return game, p, turn or game.turn(p)
