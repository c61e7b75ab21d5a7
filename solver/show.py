"""Positions and the values of moves as pictures in notebooks.

Takes a game or an agent and a position; returns an object that Jupyter shows as SVG, light or dark
as the viewer prefers.

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
    """A position that is displayed as a picture; by default, the start.

    `rules` is a game or an agent, `position` a text or a position of the rules; `turn` is the side
    to move where it does not follow from a text. Raises IllegalPositionError, and NoBoardError for
    a game without a board.
    """

    def __init__(
        self, rules: Game[Any, Any] | TableAgent, position: Any = None, turn: str | None = None
    ) -> None:
        self.game, self.position, self.turn = _read(rules, position, turn)
        layout_of(self.game)  # raises here if there is no board

    @property
    def drawing(self) -> Drawing:
        """The drawing of the position."""
        return draw_position(self.game, self.position, self.turn)

    def __repr__(self) -> str:
        return f"Board({self.game.spec!r}, {self.game.text(self.position, self.turn)!r})"

    def _repr_svg_(self) -> str:
        return svg(self.drawing, width=WIDTH)


class Scores(list[MoveScore]):
    """The value of every legal move, best first; displayed as the board with these values.

    The arguments and the errors are those of `TableAgent.scores`. Scores of a game without a board
    are displayed as a list.
    """

    def __init__(self, agent: TableAgent, position: Any = None, turn: str | None = None) -> None:
        if not isinstance(agent, TableAgent):
            raise TypeError(f"Scores expects a TableAgent, got {agent!r:.80}")
        self.game, self.position, self.turn = _read(agent, position, turn)
        super().__init__(agent.scores_at(self.position))

    @property
    def drawing(self) -> Drawing:
        """The drawing of the position with the values."""
        return draw_position(self.game, self.position, self.turn, scores=self)

    def _repr_svg_(self) -> str | None:
        return None if self.game.board is None else svg(self.drawing, width=WIDTH)


def _read(
    rules: Game[Any, Any] | TableAgent, position: Any, turn: str | None
) -> tuple[Game[Any, Any], Any, str]:
    """Return the game, the position and the seat to move."""
    game = rules.game if isinstance(rules, TableAgent) else rules
    if not isinstance(game, Game):
        raise TypeError(f"expected a TableAgent or a Game, got {rules!r:.80}")
    if position is None:
        position = game.text(game.initial())
    if isinstance(rules, TableAgent):
        p = rules.position(position, turn)
    else:
        p = game.parse(position, turn) if isinstance(position, str) else position
    return game, p, turn or game.turn(p)
